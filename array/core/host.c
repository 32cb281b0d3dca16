/* Elements that the program has, taken into arrays and given back: tsr_from_host, tsr_from_tiles,
 * tsr_to_host, and the options that they share. */
#include "array/core/array_int.h"
#include "array/generated/takes.h"
#include "runtime/base/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The options of a call. */
typedef struct given {
  unsigned has; /* TSR_TAKES_… */
  int rank;     /* of TSR_ON; else 0 */
  tsr_dims strides;
  void (*release)(void *arg);
  void *arg;
} given;

/** What is wrong with the arguments of this rank, "" for nothing: no other rank may know of it, so
 * the call goes on until the ranks agree. */
typedef struct complaint {
  char text[300];
} complaint;

/* Keeps the first complaint. */
__attribute__((format(printf, 2, 3))) static void complain_host(complaint *w, const char *fmt, ...)
{
  va_list args;
  if (w->text[0]) return;
  va_start(args, fmt);
  vsnprintf(w->text, sizeof w->text, fmt, args);
  va_end(args);
}

/* Returns the complaint that the ranks are to agree on, or NULL. A single rank reports it at once,
 * and sets *status below 0. */
static const char *wrong(tsr_context *c, const tsr_location *where, const complaint *w,
                         tsr_status *status)
{
  *status = TSR_OK;
  if (!w->text[0]) return NULL;
  if (c->world.size == 1) *status = tsr__fail(c, where, TSR_ERR_ARGUMENT, "%s", w->text);
  return w->text;
}

static void read_options(unsigned takes, int n, const tsr_host_option *options, given *g,
                         complaint *w)
{
  static const unsigned bits[] = {[TSR_HOST_NONE] = 0,
                                  [TSR_HOST_ON] = TSR_TAKES_ON,
                                  [TSR_HOST_STRIDES] = TSR_TAKES_STRIDES,
                                  [TSR_HOST_COLUMN_MAJOR] = TSR_TAKES_COLUMN_MAJOR,
                                  [TSR_HOST_LENT] = TSR_TAKES_LENT};
  *g = (given){0};
  for (int i = 0; i < n; i++) {
    const tsr_host_option *o = &options[i];
    if (o->kind < 0 || o->kind > TSR_HOST_LENT) {
      complain_host(w, "an option is none of this library's");
      return;
    }
    const unsigned bit = bits[o->kind];
    char text[240];
    if (bit & ~takes) {
      tsr__refused_text(bit, takes, text, sizeof text);
      complain_host(w, "%s", text);
      if (o->kind != TSR_HOST_LENT) continue;
    }
    if (bit & g->has) complain_host(w, "an option is given twice");
    g->has |= bit;
    if (o->kind == TSR_HOST_ON) g->rank = o->rank;
    if (o->kind == TSR_HOST_STRIDES) g->strides = o->stride_bytes;
    if (o->kind == TSR_HOST_LENT && g->release == NULL) g->release = o->release, g->arg = o->arg;
  }
}

/* All ranks give the same rank. */
static tsr_status check_rank(tsr_context *c, const tsr_location *where, const given *g)
{
  if (g->rank >= 0 && g->rank < c->world.size) return TSR_OK;
  return tsr__fail(c, where, TSR_ERR_ARGUMENT, "there is no rank %d, only 0 to %d", g->rank,
                   c->world.size - 1);
}

/* Checks the strides with those of `ndim` axes. */
static void check_strides(const given *g, int ndim, complaint *w)
{
  if (!(g->has & TSR_TAKES_STRIDES)) return;
  if (g->has & TSR_TAKES_COLUMN_MAJOR)
    complain_host(w, "TSR_STRIDES and TSR_COLUMN_MAJOR both say how the elements lie");
  if (g->strides.ndim != ndim)
    complain_host(w, "TSR_STRIDES has %d numbers, the array %d %s", g->strides.ndim, ndim,
                  ndim == 1 ? "axis" : "axes");
}

/* The program's memory for the elements of an array, as the options say. */
static tsr_host_block block_of(const given *g, const tsr_dims *shape, tsr_dtype dtype,
                               const void *data)
{
  tsr_host_block block = tsr__host_dense(shape->ndim, shape->n, dtype, data);
  int64_t stride = (int64_t)tsr__dtype_size(dtype);
  for (int k = 0; k < shape->ndim; k++) {
    if (g->has & TSR_TAKES_STRIDES) block.stride_bytes[k] = g->strides.n[k];
    if (g->has & TSR_TAKES_COLUMN_MAJOR) block.stride_bytes[k] = stride;
    stride *= shape->n[k];
  }
  return block;
}

/* Elements that are written must not lie on each other: a step along an axis leads past all that
 * the axes with shorter steps reach. */
static void check_apart(const tsr_dims *shape, tsr_dtype dtype, const tsr_host_block *block,
                        complaint *w)
{
  const int64_t size = (int64_t)tsr__dtype_size(dtype);
  int axis[TSR_MAX_NDIM], n = 0;
  double far[TSR_MAX_NDIM], extent = (double)size; /* steps may be any numbers: no overflow */
  for (int k = 0; k < shape->ndim; k++) {
    if (shape->n[k] == 0) return;
    if (shape->n[k] == 1) continue;
    int at = n++;
    const double step = fabs((double)block->stride_bytes[k]);
    for (; at > 0 && far[at - 1] > step; at--) far[at] = far[at - 1], axis[at] = axis[at - 1];
    far[at] = step;
    axis[at] = k;
  }
  for (int i = 0; i < n; i++) {
    const int k = axis[i];
    if (far[i] < extent)
      complain_host(w,
                    "elements of %" PRId64 " bytes lie on each other: the stride of axis %d is "
                    "%" PRId64,
                    size, k, block->stride_bytes[k]);
    extent += far[i] * (double)(shape->n[k] - 1);
  }
}

tsr_status tsr_to_host_at(const tsr_location *where, tsr_operand x, void *buffer, int n_options,
                          const tsr_host_option *options)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value value;
  given g;
  if (!tsr__value_of(c, where, x, &value)) return tsr__value_status(c, x);
  const tsr_dims shape = tsr__value_shape(&value);
  complaint w = {0};
  tsr_status status;
  read_options(tsr__takes_to_host, n_options, options, &g, &w);
  check_strides(&g, shape.ndim, &w);
  if (!w.text[0]) TSR_TRY(check_rank(c, where, &g));
  const bool to_one = g.has & TSR_TAKES_ON, is_mine = !to_one || g.rank == c->world.rank;
  const bool is_empty = value.region && tsr__view_size(&value.view->view) == 0;
  const tsr_host_block block = block_of(&g, &shape, value.dtype, buffer);
  if (g.has & TSR_TAKES_STRIDES) check_apart(&shape, value.dtype, &block, &w);
  if (is_mine && !is_empty && !buffer) complain_host(&w, "the buffer is NULL");
  const char *found = wrong(c, where, &w, &status);
  if (status < 0) return status;
  if (!value.region) {
    tsr_scalar scalar;
    TSR_TRY(tsr__settle(c, tsr__agree_on(c->scheduler, where, found)));
    if (!is_mine) return TSR_OK;
    if (!tsr__scalar_as(c, where, x, value.dtype, &scalar)) return c->last_status;
    tsr__scalar_store(scalar, buffer);
    return TSR_OK;
  }
  tsr__event(c, where, TSR_EVENT_READ, x.as.array);
  if (is_empty) return tsr__settle(c, tsr__agree_on(c->scheduler, where, found));
  return tsr__settle(c, tsr__read_into(c->scheduler, value.region, &value.view->view, where,
                                       to_one ? g.rank : TSR_EVERY_RANK, &block, found));
}

/* A new array for what is imported. */
static tsr_new make_imported(tsr_context *c, const tsr_location *where, tsr_dtype dtype,
                             const tsr_dims *shape)
{
  const tsr_new made = tsr__make(c, where, dtype, shape);
  tsr__handle_peek(c, made.array)->is_creation = true;
  tsr__event(c, where, TSR_EVENT_IMPORT, made.array);
  return made;
}

static tsr_array imported(tsr_context *c, const tsr_location *where, const tsr_new *made,
                          tsr_status status)
{
  if (tsr__settle(c, status) == TSR_OK) return made->array;
  tsr__handle_release(c, tsr__handle_peek(c, made->array), where);
  return tsr_null();
}

tsr_array tsr_from_host_at(const tsr_location *where, const void *data, tsr_dtype dtype,
                           tsr_dims shape, int n_options, const tsr_host_option *options)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  given g;
  const int64_t size = tsr__checked_size(c, where, &shape, dtype);
  if (size < 0) return tsr_null();
  complaint w = {0};
  tsr_status status;
  read_options(tsr__takes_from_host, n_options, options, &g, &w);
  check_strides(&g, shape.ndim, &w);
  if (!w.text[0] && check_rank(c, where, &g) < 0) return tsr_null();
  if (size > 0 && !data && g.rank == c->world.rank) complain_host(&w, "the data is NULL");
  const char *found = wrong(c, where, &w, &status);
  if (status < 0) return tsr_null();
  const tsr_new made = make_imported(c, where, dtype, &shape);
  const tsr_host_block block = block_of(&g, &shape, dtype, data);
  return imported(c, where, &made,
                  size == 0
                      ? tsr__agree_on(c->scheduler, where, found)
                      : tsr__import_from(c->scheduler, made.region, where, g.rank, &block, found));
}

/* Writes tile i, as a box, to *out. */
static void box_of_tile(const tsr_host_tile *tile, int i, const tsr_dims *shape, tsr_dtype dtype,
                        tsr_host_box *out, complaint *w)
{
  const int ndim = shape->ndim;
  bool is_dense = true, is_empty = false;
  for (int k = 0; k < ndim; k++) is_empty = is_empty || tile->n[k] == 0;
  for (int k = 0; k < ndim; k++) {
    const int64_t lo = tile->lo[k], n = tile->n[k];
    if (n < 0 || (!is_empty && (lo < 0 || n > shape->n[k] || lo > shape->n[k] - n))) {
      complain_host(w,
                    "tile %d does not lie in the array: along axis %d it is %" PRId64
                    " long from %" PRId64 " on, the array %" PRId64,
                    i, k, n, lo, shape->n[k]);
      return;
    }
    is_dense = is_dense && tile->stride_bytes[k] == 0;
  }
  out->box = tsr__box_of_shape(ndim, tile->n);
  out->block = tsr__host_dense(ndim, tile->n, dtype, tile->data);
  for (int k = 0; k < ndim; k++) {
    out->box.lo[k] = tile->lo[k];
    if (!is_dense) out->block.stride_bytes[k] = tile->stride_bytes[k];
  }
  if (!is_empty && !tile->data) complain_host(w, "tile %d has no data", i);
}

tsr_array tsr_from_tiles_at(const tsr_location *where, int n, const tsr_host_tile *tiles,
                            tsr_dtype dtype, tsr_dims shape, int n_options,
                            const tsr_host_option *options)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  given g;
  tsr_array array = tsr_null();
  complaint w = {0};
  tsr_status status = TSR_OK;
  read_options(tsr__takes_from_tiles, n_options, options, &g, &w);
  tsr_lent_boxes lent = {.release = g.release, .arg = g.arg};
  const int64_t size = tsr__checked_size(c, where, &shape, dtype);
  if (size >= 0) {
    if (n < 0) complain_host(&w, "the number of tiles is %d", n);
    if (n > 0 && !tiles) complain_host(&w, "the tiles are NULL");
    const int n_boxes = w.text[0] ? 0 : n;
    tsr_host_box *boxes = tsr__malloc(((size_t)n_boxes + 1) * sizeof *boxes);
    for (int i = 0; i < n_boxes && !w.text[0]; i++)
      box_of_tile(&tiles[i], i, &shape, dtype, &boxes[i], &w);
    const char *found = wrong(c, where, &w, &status);
    if (status == TSR_OK) {
      const tsr_new made = make_imported(c, where, dtype, &shape);
      array = imported(c, where, &made,
                       size == 0 ? tsr__agree_on(c->scheduler, where, found)
                                 : tsr__import_boxes(c->scheduler, made.region, where,
                                                     found ? 0 : n_boxes, boxes,
                                                     g.release ? &lent : NULL, found));
    }
    free(boxes);
  }
  if (g.release && !lent.is_adopted) g.release(g.arg);
  return array;
}
