/* What all recording calls share: operand lookup, promotion, broadcasting and new arrays. */
#include "array/core/array_int.h"
#include "runtime/base/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tsr__value_of_scalar(tsr_operand x, tsr_value *out)
{
  static const tsr_dtype own[] = {[TSR_OPERAND_BOOL] = TSR_DTYPE_BOOL,
                                  [TSR_OPERAND_INT] = TSR_DTYPE_INT64,
                                  [TSR_OPERAND_UINT] = TSR_DTYPE_UINT64,
                                  [TSR_OPERAND_FLOAT] = TSR_DTYPE_FLOAT64,
                                  [TSR_OPERAND_COMPLEX] = TSR_DTYPE_COMPLEX128};
  TSR_ASSERT(x.kind != TSR_OPERAND_ARRAY && x.kind <= TSR_OPERAND_COMPLEX);
  *out = (tsr_value){.scalar = x, .dtype = own[x.kind]};
}

bool tsr__fail_none(tsr_context *c, const tsr_location *where, tsr_operand x)
{
  if (x.kind == TSR_OPERAND_NONE)
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "TSR_NONE is no value, and this call needs one there");
  else
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "an operand has the kind %u, which is none", x.kind);
  return false;
}

tsr_status tsr__fail_lent(tsr_context *c, const tsr_location *where, tsr_array x)
{
  const tsr_region *region = tsr__handle_peek(c, x)->region;
  const tsr_location *by = region->lender;
  tsr_error *e =
      tsr__fail_begin(c, where, TSR_ERR_ARGUMENT, "an array is %s while its tile is lent",
                      region->lent_writable ? "used" : "written");
  tsr__note_operand(c, e, where, 0, tsr_box_array(x));
  if (by->file)
    tsr__error_note(e, "lent %s at %s:%d by %s",
                    region->lent_writable ? "to be written" : "to be read", by->file, by->line,
                    by->op);
  tsr__error_help(e, "end it first: tsr_local_end(&tile)");
  return tsr__fail_end(c);
}

int tsr__weak_rank(tsr_dtype dtype)
{
  static const int rank[] = {[TSR_KIND_BOOL] = 0,
                             [TSR_KIND_UINT] = 1,
                             [TSR_KIND_INT] = 1,
                             [TSR_KIND_FLOAT] = 2,
                             [TSR_KIND_COMPLEX] = 3};
  return rank[tsr__dtype_kind(dtype)];
}

/* Promotes an array's dtype with a weak scalar. A scalar of a higher kind gives that kind's default
 * dtype, or complex numbers of the array's precision. */
static tsr_dtype promote_weak(tsr_dtype array, tsr_dtype scalar)
{
  if (tsr__weak_rank(scalar) <= tsr__weak_rank(array)) return array;
  if (scalar == TSR_DTYPE_COMPLEX128 && tsr__dtype_kind(array) == TSR_KIND_FLOAT)
    return tsr__dtype_promote(array, TSR_DTYPE_COMPLEX64);
  return scalar;
}

tsr_dtype tsr__promote(int n, const tsr_value *xs)
{
  bool any_array = false, any_scalar = false;
  tsr_dtype dtype = TSR_DTYPE_BOOL, scalar = TSR_DTYPE_BOOL;
  for (int i = 0; i < n; i++) {
    if (xs[i].region) {
      if (!any_array)
        dtype = xs[i].dtype;
      else if (dtype != xs[i].dtype)
        dtype = tsr__dtype_promote(dtype, xs[i].dtype);
      any_array = true;
    } else {
      scalar = any_scalar ? tsr__dtype_promote(scalar, xs[i].dtype) : xs[i].dtype;
      any_scalar = true;
    }
  }
  if (!any_array) return scalar;
  return any_scalar ? promote_weak(dtype, scalar) : dtype;
}

/* Returns the scalar in its own dtype. */
static tsr_scalar scalar_own(tsr_operand x)
{
  switch (x.kind) {
  case TSR_OPERAND_BOOL:
    return tsr__scalar_of_bits(TSR_DTYPE_BOOL, x.as.u != 0);
  case TSR_OPERAND_INT:
    return tsr__scalar_of_bits(TSR_DTYPE_INT64, (uint64_t)x.as.i);
  case TSR_OPERAND_UINT:
    return tsr__scalar_of_bits(TSR_DTYPE_UINT64, x.as.u);
  case TSR_OPERAND_COMPLEX:
    return (tsr_scalar){.dtype = TSR_DTYPE_COMPLEX128, .u.c128 = {x.as.c[0], x.as.c[1]}};
  default:
    return tsr__scalar_of_f64(x.as.f);
  }
}

int tsr__scalar_beyond(tsr_operand x, tsr_dtype dtype)
{
  if (!tsr__dtype_is_integer(dtype)) return 0;
  const int bits = 8 * (int)tsr__dtype_size(dtype);
  const bool is_unsigned = tsr__dtype_kind(dtype) == TSR_KIND_UINT;
  const uint64_t most = UINT64_MAX >> (64 - bits + !is_unsigned);
  if (x.kind == TSR_OPERAND_UINT) return x.as.u > most;
  if (x.kind != TSR_OPERAND_INT) return 0;
  if (x.as.i >= 0) return (uint64_t)x.as.i > most;
  return is_unsigned || x.as.i < -(int64_t)most - 1 ? -1 : 0;
}

bool tsr__scalar_as(tsr_context *c, const tsr_location *where, tsr_operand x, tsr_dtype dtype,
                    tsr_scalar *out)
{
  const char *name = tsr__dtype_info(dtype)->name;
  if (x.kind > TSR_OPERAND_COMPLEX) return tsr__fail_none(c, where, x);
  if (tsr__scalar_beyond(x, dtype) != 0) {
    char value[32];
    if (x.kind == TSR_OPERAND_UINT)
      snprintf(value, sizeof value, "%" PRIu64, x.as.u);
    else
      snprintf(value, sizeof value, "%" PRId64, x.as.i);
    tsr__fail_on(c, where, TSR_ERR_ARGUMENT, 0, NULL,
                 "give the array a wider dtype with tsr_astype, or write the scalar as a double",
                 "the integer %s is out of bounds for %s", value, name);
    return false;
  }
  if (x.kind == TSR_OPERAND_COMPLEX && !tsr__dtype_is_complex(dtype) && dtype != TSR_DTYPE_BOOL) {
    tsr__fail_on(c, where, TSR_ERR_CAST, 0, NULL, "creal and cimag give its parts",
                 "the complex scalar %g%+gj cannot be stored as %s", x.as.c[0], x.as.c[1], name);
    return false;
  }
  *out = tsr__scalar_cast(scalar_own(x), dtype);
  return true;
}

bool tsr__scalar_for(tsr_context *c, const tsr_location *where, tsr_operand x, tsr_dtype promoted,
                     tsr_dtype compute, tsr_scalar *out)
{
  const bool is_half = compute == tsr__dtype_compute(TSR_DTYPE_FLOAT16) &&
                       tsr__dtype_inexact(promoted) == TSR_DTYPE_FLOAT16;
  if (!tsr__scalar_as(c, where, x, is_half ? TSR_DTYPE_FLOAT16 : compute, out)) return false;
  *out = tsr__scalar_cast(*out, compute);
  return true;
}

/* Returns n if the arrays have the shapes (n, m) and (n,), in either order, or -1. */
static int64_t rows_of_both(int n, const tsr_value *xs)
{
  if (n != 2 || !xs[0].region || !xs[1].region) return -1;
  const tsr_view *a = &xs[0].view->view, *b = &xs[1].view->view;
  return a->ndim + b->ndim == 3 && a->ndim > 0 && b->ndim > 0 && a->shape[0] == b->shape[0]
             ? a->shape[0]
             : -1;
}

static void fail_broadcast(tsr_context *c, const tsr_location *where, int n, const tsr_value *xs,
                           const tsr_operand *operands, int from_end, int64_t a, int64_t b)
{
  tsr_text shapes = {0};
  int n_arrays = 0, seen = 0, ndim = -1;
  for (int i = 0; i < n; i++) n_arrays += xs[i].region != NULL;
  for (int i = 0; i < n; i++) {
    if (!xs[i].region) continue;
    char shape[256];
    const tsr_view *v = &xs[i].view->view;
    seen++;
    tsr__text_add(&shapes, "%s%s",
                  seen == 1          ? ""
                  : seen == n_arrays ? " and "
                                     : ", ",
                  tsr__shape_text(v->ndim, v->shape, shape, sizeof shape));
    ndim = seen == 1 || ndim == v->ndim ? v->ndim : -2; /* -2: ndims differ */
  }
  tsr_error *e = tsr__fail_begin(c, where, TSR_ERR_BROADCAST, "cannot broadcast shapes %s",
                                 shapes.s ? shapes.s : "");
  tsr__text_free(&shapes);
  for (int i = 0; i < n; i++) tsr__note_operand(c, e, where, i, operands[i]);
  tsr__error_rule(
      e, "axis %d differs: %" PRId64 " and %" PRId64 "; broadcasting needs equal lengths or 1",
      ndim >= 0 ? ndim - 1 - from_end : -1 - from_end, a, b);
  const int64_t n_rows = rows_of_both(n, xs);
  if (n_rows >= 0)
    tsr__error_help(e, "`[:, newaxis]` of the vector is a column, (%" PRId64 ", 1)", n_rows);
  tsr__fail_end(c);
}

static bool broadcast_mixed(tsr_context *c, const tsr_location *where, int n, const tsr_value *xs,
                            const tsr_operand *operands, tsr_dims *out)
{
  int ndim = 0;
  for (int i = 0; i < n; i++) {
    if (xs[i].region && xs[i].view->view.ndim > ndim) ndim = xs[i].view->view.ndim;
  }
  out->ndim = ndim;
  for (int k = 0; k < ndim; k++) out->n[k] = 1;
  for (int i = 0; i < n; i++) {
    if (!xs[i].region) continue;
    const tsr_view *v = &xs[i].view->view;
    for (int k = 0; k < v->ndim; k++) {
      int at = ndim - v->ndim + k;
      int64_t length = v->shape[k];
      if (length == out->n[at] || length == 1) continue;
      if (out->n[at] != 1) {
        fail_broadcast(c, where, n, xs, operands, v->ndim - 1 - k, out->n[at], length);
        return false;
      }
      out->n[at] = length;
    }
  }
  return true;
}

bool tsr__broadcast_shape(tsr_context *c, const tsr_location *where, int n, const tsr_value *xs,
                          const tsr_operand *operands, tsr_dims *out)
{
  const tsr_view_ref *first = NULL;
  out->ndim = 0;
  for (int i = 0; i < n; i++) {
    if (!xs[i].region || xs[i].view == first) continue;
    if (first && !tsr__has_shape(&xs[i].view->view, out))
      return broadcast_mixed(c, where, n, xs, operands, out);
    if (first) continue;
    first = xs[i].view;
    tsr__shape_to(&first->view, out);
  }
  return true;
}

tsr_op_in tsr__in_broadcast(const tsr_value *x, const tsr_dims *domain)
{
  tsr_op_in in = {.region = x->region};
  in.view = tsr__view_ref_new(x->view->window, &x->view->view);
  bool fits = tsr__view_broadcast(&in.view->view, domain->ndim, domain->n);
  if (!fits) tsr__fatal("a shape that was checked does not broadcast (a defect of Tessera)");
  return in;
}

#define MOST_BYTES ((int64_t)1 << 57)      /* 2^57 bytes exceed the memory of any machine. */
#define MOST_RANK_BYTES ((int64_t)1 << 47) /* what a process of x86-64 can address */

/* How many bytes of an array there may be for each rank. One that is never stored may be larger
 * than the memory, which grows with the cores: of 1,000 times as much a pass takes a quarter of an
 * hour or more. With files behind the memory there is no such limit. The settings are the same on
 * all ranks. */
static int64_t most_rank_bytes(const tsr_context *c)
{
  enum { N_TIMES = 1000 };
  const int64_t least = (int64_t)1 << 40, known = MOST_RANK_BYTES / N_TIMES;
  const int64_t host = c->world.config.memory_bytes, device = c->world.config.device_memory_bytes;
  const bool has_files = c->world.config.spill_dir[0] != '\0';
  if (has_files || host >= known || device >= known - host) return MOST_RANK_BYTES;
  const int64_t most = (host + device) * N_TIMES;
  return most > least ? most : least;
}

int64_t tsr__checked_view_size(tsr_context *c, const tsr_location *where, const tsr_dims *shape,
                               tsr_dtype dtype)
{
  if ((unsigned)dtype >= TSR_N_DTYPES) {
    tsr__fail(c, where, TSR_ERR_DTYPE, "%d is not a dtype", (int)dtype);
    return -1;
  }
  if (shape->ndim < 0 || shape->ndim > TSR_MAX_NDIM) {
    tsr__fail(c, where, TSR_ERR_SHAPE, "a shape of %d axes; at most %d are possible", shape->ndim,
              TSR_MAX_NDIM);
    return -1;
  }
  char text[256];
  int64_t bytes = (int64_t)tsr__dtype_size(dtype), n = 1;
  bool empty = false, too_large = false;
  for (int k = 0; k < shape->ndim; k++) {
    if (shape->n[k] < 0) {
      tsr__fail(c, where, TSR_ERR_SHAPE, "axis %d of shape %s has a negative length", k,
                tsr__shape_text(shape->ndim, shape->n, text, sizeof text));
      return -1;
    }
    empty |= shape->n[k] == 0;
    /* As in NumPy, the product of the nonzero lengths must be a valid size even if an axis has
     * length 0. */
    int64_t length = shape->n[k] ? shape->n[k] : 1;
    too_large |= __builtin_mul_overflow(bytes, length, &bytes) || bytes > MOST_BYTES;
    n = (int64_t)((uint64_t)n * (uint64_t)length);
  }
  if (too_large) {
    tsr__fail_on(c, where, TSR_ERR_SIZE, 0, NULL,
                 "was a length computed from a negative or uninitialised number?",
                 "shape %s of %s is larger than any machine's memory",
                 tsr__shape_text(shape->ndim, shape->n, text, sizeof text),
                 tsr__dtype_info(dtype)->name);
    return -1;
  }
  return empty ? 0 : n;
}

/* tsr__checked_size for arguments that its loop does not accept. */
static int64_t checked_size_slow(tsr_context *c, const tsr_location *where, const tsr_dims *shape,
                                 tsr_dtype dtype)
{
  const int64_t n = tsr__checked_view_size(c, where, shape, dtype);
  if (n <= 0) return n;
  const int64_t bytes = n * (int64_t)tsr__dtype_size(dtype);
  char text[256];
  if (bytes / most_rank_bytes(c) < c->world.size) return n;
  if (bytes / MOST_RANK_BYTES < c->world.size) {
    tsr__fail_on(
        c, where, TSR_ERR_MEMORY, 0, NULL,
        "an array that is never stored may be larger than the memory, but would take hours; "
        "was a length computed from a negative or uninitialised number?",
        "shape %s of %s takes %lld bytes, over 1,000 times the memory of %d process%s",
        tsr__shape_text(shape->ndim, shape->n, text, sizeof text), tsr__dtype_info(dtype)->name,
        (long long)bytes, c->world.size, c->world.size == 1 ? "" : "es");
    return -1;
  }
  tsr__fail_on(c, where, TSR_ERR_MEMORY, 0, NULL,
               "was a length computed from a negative or uninitialised number?",
               "shape %s of %s takes %lld bytes, more than %d process%s can address",
               tsr__shape_text(shape->ndim, shape->n, text, sizeof text),
               tsr__dtype_info(dtype)->name, (long long)bytes, c->world.size,
               c->world.size == 1 ? "" : "es");
  return -1;
}

int64_t tsr__checked_size(tsr_context *c, const tsr_location *where, const tsr_dims *shape,
                          tsr_dtype dtype)
{
  if ((unsigned)dtype >= TSR_N_DTYPES || (unsigned)shape->ndim > TSR_MAX_NDIM)
    return checked_size_slow(c, where, shape, dtype);
  const int64_t most =
      ((int64_t)1 << 40) / 16 - 1; /* fits in any dtype; larger sizes are checked exactly */
  int64_t n = 1;
  for (int k = 0; k < shape->ndim; k++)
    if (shape->n[k] <= 0 || __builtin_mul_overflow(n, shape->n[k], &n) || n > most)
      return checked_size_slow(c, where, shape, dtype);
  return n;
}

void *tsr__host_alloc(tsr_context *c, const tsr_location *where, int64_t n, size_t elem_bytes)
{
  const size_t limit = c->world.files == NULL ? (size_t)c->world.config.memory_bytes : 0;
  const double bytes = (double)n * (double)elem_bytes;
  if (limit != 0 && bytes <= (double)limit) return tsr__calloc((size_t)n + 1, elem_bytes);
  void *p = limit == 0 ? calloc((size_t)n + 1, elem_bytes) : NULL;
  if (p != NULL) return p;
  char most[80] = "the system's memory has room for";
  if (limit != 0) snprintf(most, sizeof most, "the memory limit of %.4g bytes", (double)limit);
  tsr__fail_on(c, where, TSR_ERR_MEMORY, 0, NULL,
               limit != 0 ? "TESSERA_MEMORY sets the limit of a rank"
                          : "such room is not taken from the files of TESSERA_SPILL_DIR",
               "%.4g bytes on each rank are more than %s", bytes, most);
  return NULL;
}

tsr_new tsr__make(tsr_context *c, const tsr_location *where, tsr_dtype dtype, const tsr_dims *shape)
{
  tsr_view_ref *view = tsr__view_ref_identity(&c->window, shape->ndim, shape->n);
  const tsr_new made = tsr__make_like(c, where, dtype, view);
  tsr__view_ref_drop(view); /* the handle holds a reference */
  return made;
}

tsr_new tsr__make_like(tsr_context *c, const tsr_location *where, tsr_dtype dtype,
                       tsr_view_ref *identity)
{
  const tsr_view *v = &identity->view;
  tsr_region *region = tsr__region_create(&c->window, dtype, v->ndim, v->shape, where);
  return (tsr_new){tsr__array_new(c, where, region, identity), region, identity};
}

void tsr__fill(tsr_context *c, const tsr_location *where, tsr_scalar value, const tsr_new *out)
{
  if (out->region->n_elems == 0) {
    tsr__event(c, where, TSR_EVENT_EMPTY, out->array);
    return;
  }
  tsr_op_in in = {.scalar = value};
  tsr__record_copy(&c->window, where, &in, out->region, out->view, true);
}

bool tsr__as_array(tsr_context *c, const tsr_location *where, tsr_operand x, tsr_value *out)
{
  if (!tsr__value_of(c, where, x, out)) return false;
  if (out->region) return true;
  tsr_scalar value;
  if (!tsr__scalar_as(c, where, x, out->dtype, &value)) return false;
  tsr_new made = tsr__make(c, where, out->dtype, &(tsr_dims){.ndim = 0});
  tsr__fill(c, where, value, &made);
  *out = (tsr_value){.region = made.region, .view = made.view, .dtype = out->dtype};
  return true;
}

void tsr__flush_full(tsr_context *c)
{
  tsr__settle(c, tsr__flush_if_due(c->scheduler, TSR_FLUSH_IN_STATEMENT));
}
