/* Elements that the program has, taken into arrays and given back: tsr_from_host, tsr_from_tiles,
 * tsr_to_host, and the options that they share. */
#include "array/core/array_int.h"
#include "array/generated/takes.h"
#include "runtime/base/alloc.h"

#include <inttypes.h>
#include <math.h>
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

static tsr_status fail_given(tsr_context *c, const tsr_location *where, const char *why)
{
  return tsr__fail(c, where, TSR_ERR_ARGUMENT, "%s", why);
}

static tsr_status read_options(tsr_context *c, const tsr_location *where, unsigned takes, int n,
                               const tsr_host_option *options, given *g)
{
  static const unsigned bits[] = {[TSR_HOST_NONE] = 0,
                                  [TSR_HOST_ON] = TSR_TAKES_ON,
                                  [TSR_HOST_STRIDES] = TSR_TAKES_STRIDES,
                                  [TSR_HOST_COLUMN_MAJOR] = TSR_TAKES_COLUMN_MAJOR,
                                  [TSR_HOST_LENT] = TSR_TAKES_LENT};
  *g = (given){0};
  tsr_status status = TSR_OK;
  for (int i = 0; i < n; i++) {
    const tsr_host_option *o = &options[i];
    if (o->kind < 0 || o->kind > TSR_HOST_LENT)
      return fail_given(c, where, "an option is none of this library's");
    const unsigned bit = bits[o->kind];
    if (bit & ~takes && status == TSR_OK) status = tsr__refuse_option(c, where, bit, takes);
    if (bit & g->has && status == TSR_OK) status = fail_given(c, where, "an option is given twice");
    g->has |= bit;
    if (o->kind == TSR_HOST_ON) g->rank = o->rank;
    if (o->kind == TSR_HOST_STRIDES) g->strides = o->stride_bytes;
    if (o->kind == TSR_HOST_LENT && g->release == NULL) g->release = o->release, g->arg = o->arg;
  }
  return status;
}

/* Checks the options with what the call's other arguments say: the rank, and the strides of `ndim`
 * axes. */
static tsr_status check_options(tsr_context *c, const tsr_location *where, const given *g, int ndim)
{
  if (g->rank < 0 || g->rank >= c->world.size)
    return tsr__fail(c, where, TSR_ERR_ARGUMENT, "there is no rank %d, only 0 to %d", g->rank,
                     c->world.size - 1);
  if (!(g->has & TSR_TAKES_STRIDES)) return TSR_OK;
  if (g->has & TSR_TAKES_COLUMN_MAJOR)
    return fail_given(c, where, "TSR_STRIDES and TSR_COLUMN_MAJOR both say how the elements lie");
  if (g->strides.ndim != ndim)
    return tsr__fail(c, where, TSR_ERR_ARGUMENT, "TSR_STRIDES has %d numbers, the array %d %s",
                     g->strides.ndim, ndim, ndim == 1 ? "axis" : "axes");
  return TSR_OK;
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

/* Elements that are written must not lie on each other: a step along an axis leads past all that the
 * axes with shorter steps reach. */
static tsr_status check_apart(tsr_context *c, const tsr_location *where, const tsr_dims *shape,
                              tsr_dtype dtype, const tsr_host_block *block)
{
  const int64_t size = (int64_t)tsr__dtype_size(dtype);
  int axis[TSR_MAX_NDIM], n = 0;
  double far[TSR_MAX_NDIM], reach = (double)size; /* steps may be any numbers: no overflow */
  for (int k = 0; k < shape->ndim; k++) {
    if (shape->n[k] == 0) return TSR_OK;
    if (shape->n[k] == 1) continue;
    int at = n++;
    const double step = fabs((double)block->stride_bytes[k]);
    for (; at > 0 && far[at - 1] > step; at--) far[at] = far[at - 1], axis[at] = axis[at - 1];
    far[at] = step;
    axis[at] = k;
  }
  for (int i = 0; i < n; i++) {
    const int k = axis[i];
    if (far[i] < reach)
      return tsr__fail(c, where, TSR_ERR_ARGUMENT,
                       "elements of %" PRId64 " bytes lie on each other: the stride of axis %d is "
                       "%" PRId64,
                       size, k, block->stride_bytes[k]);
    reach += far[i] * (double)(shape->n[k] - 1);
  }
  return TSR_OK;
}

tsr_status tsr_to_host_at(const tsr_location *where, tsr_operand x, void *buffer, int n_options,
                          const tsr_host_option *options)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value value;
  given g;
  if (!tsr__value_of(c, where, x, &value)) return tsr__value_status(c, x);
  const tsr_dims shape = tsr__value_shape(&value);
  TSR_TRY(read_options(c, where, tsr__takes_to_host, n_options, options, &g));
  TSR_TRY(check_options(c, where, &g, shape.ndim));
  const bool to_one = g.has & TSR_TAKES_ON;
  const tsr_host_block block = block_of(&g, &shape, value.dtype, buffer);
  if (g.has & TSR_TAKES_STRIDES) TSR_TRY(check_apart(c, where, &shape, value.dtype, &block));
  if (!value.region) {
    tsr_scalar scalar;
    if (to_one && g.rank != c->world.rank) return TSR_OK;
    TSR_TRY(tsr__check_given(c, where, buffer, "buffer"));
    if (!tsr__scalar_as(c, where, x, value.dtype, &scalar)) return c->last_status;
    tsr__scalar_store(scalar, buffer);
    return TSR_OK;
  }
  tsr__event(c, where, TSR_EVENT_READ, x.as.array);
  if (tsr__view_size(&value.view->view) == 0) return TSR_OK;
  if (!to_one) TSR_TRY(tsr__check_given(c, where, buffer, "buffer"));
  return tsr__settle(c, tsr__read_into(c->scheduler, value.region, &value.view->view, where,
                                       to_one ? g.rank : TSR_EVERY_RANK, &block));
}

/* A new array for what is imported. */
static tsr_new make_imported(tsr_context *c, const tsr_location *where, tsr_dtype dtype,
                             const tsr_dims *shape)
{
  const tsr_new made = tsr__make(c, where, dtype, shape);
  tsr__slot_peek(c, made.array)->is_creation = true;
  tsr__event(c, where, TSR_EVENT_IMPORT, made.array);
  return made;
}

static tsr_array imported(tsr_context *c, const tsr_location *where, const tsr_new *made,
                          tsr_status status)
{
  if (tsr__settle(c, status) == TSR_OK) return made->array;
  tsr__slot_release(c, tsr__slot_peek(c, made->array), where);
  return tsr_null();
}

tsr_array tsr_from_host_at(const tsr_location *where, const void *data, tsr_dtype dtype,
                           tsr_dims shape, int n_options, const tsr_host_option *options)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  given g;
  const int64_t size = tsr__checked_size(c, where, &shape, dtype);
  if (size < 0) return tsr_null();
  if (read_options(c, where, tsr__takes_from_host, n_options, options, &g) < 0 ||
      check_options(c, where, &g, shape.ndim) < 0)
    return tsr_null();
  if (size > 0 && c->world.size == 1 && tsr__check_given(c, where, data, "data") < 0)
    return tsr_null();
  const tsr_new made = make_imported(c, where, dtype, &shape);
  if (size == 0) return made.array;
  const tsr_host_block block = block_of(&g, &shape, dtype, data);
  return imported(c, where, &made,
                  tsr__import_from(c->scheduler, made.region, where, g.rank, &block));
}

/* Writes tile i, as a box, to *out. Returns false, with what is wrong with it in `why`. */
static bool box_of_tile(const tsr_host_tile *tile, int i, const tsr_dims *shape, tsr_dtype dtype,
                        tsr_host_box *out, char *why, size_t size)
{
  const int ndim = shape->ndim;
  bool is_dense = true, is_empty = false;
  for (int k = 0; k < ndim; k++) is_empty = is_empty || tile->n[k] == 0;
  for (int k = 0; k < ndim; k++) {
    const int64_t lo = tile->lo[k], n = tile->n[k];
    if (n < 0 || (!is_empty && (lo < 0 || n > shape->n[k] || lo > shape->n[k] - n))) {
      snprintf(why, size,
               "tile %d does not lie in the array: along axis %d it is %" PRId64
               " long from %" PRId64 " on, the array %" PRId64,
               i, k, n, lo, shape->n[k]);
      return false;
    }
    is_dense = is_dense && tile->stride_bytes[k] == 0;
  }
  out->box = tsr__box_of_shape(ndim, tile->n);
  out->block = tsr__host_dense(ndim, tile->n, dtype, tile->data);
  for (int k = 0; k < ndim; k++) {
    out->box.lo[k] = tile->lo[k];
    if (!is_dense) out->block.stride_bytes[k] = tile->stride_bytes[k];
  }
  if (is_empty || tile->data) return true;
  snprintf(why, size, "tile %d has no data", i);
  return false;
}

tsr_array tsr_from_tiles_at(const tsr_location *where, int n, const tsr_host_tile *tiles,
                            tsr_dtype dtype, tsr_dims shape, int n_options,
                            const tsr_host_option *options)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  given g;
  tsr_array array = tsr_null();
  const bool is_taken =
      read_options(c, where, tsr__takes_from_tiles, n_options, options, &g) == TSR_OK;
  const int64_t size = is_taken ? tsr__checked_size(c, where, &shape, dtype) : -1;
  if (size >= 0) {
    char why[300] = "";
    if (n < 0) snprintf(why, sizeof why, "the number of tiles is %d", n);
    if (n > 0 && !tiles) snprintf(why, sizeof why, "the tiles are NULL");
    const int n_boxes = why[0] ? 0 : n;
    tsr_host_box *boxes = tsr__malloc(((size_t)n_boxes + 1) * sizeof *boxes);
    for (int i = 0; i < n_boxes && !why[0]; i++)
      box_of_tile(&tiles[i], i, &shape, dtype, &boxes[i], why, sizeof why);
    const tsr_new made = make_imported(c, where, dtype, &shape);
    array = size == 0
                ? made.array
                : imported(c, where, &made,
                           tsr__import_boxes(c->scheduler, made.region, where, why[0] ? 0 : n_boxes,
                                             boxes, why[0] ? why : NULL));
    free(boxes);
  }
  if (g.release) g.release(g.arg);
  return array;
}
