/* Reductions: the axes are checked, then one REDUCE is recorded. A mean also records a division,
 * and a complex product a multiplication by 1. */
#include "array/core/axes.h"

/* Returns the bits of `axes` (NULL: all), or false with TSR_ERR_AXIS. As in NumPy, axis 0 or -1 may
 * be named for a 0-d array, except for a mean. */
static bool axes_mask_of(tsr_context *c, const tsr_location *where, tsr_operand x, int ndim,
                         unsigned n_axes, const int *axes, bool mean, const char *help,
                         uint32_t *mask)
{
  *mask = 0;
  if (!axes) {
    *mask = (1u << ndim) - 1;
    return true;
  }
  if (ndim == 0 && n_axes == 1 && (axes[0] == 0 || axes[0] == -1) && !mean) return true;
  tsr_error *e = tsr__normal_axes(c, where, "an array of ", (int)n_axes, axes, ndim, NULL, mask);
  if (!e) return true;
  tsr__note_operand(c, e, where, 0, x);
  if (help) tsr__error_help(e, "%s", help);
  tsr__fail_end(c);
  return false;
}

/* Returns the shape of the result. */
static tsr_dims result_shape(const tsr_view *v, uint32_t mask, bool keepdims)
{
  tsr_dims shape = {.ndim = 0};
  for (int k = 0; k < v->ndim; k++) {
    bool reduced = mask >> k & 1;
    if (!reduced)
      shape.n[shape.ndim++] = v->shape[k];
    else if (keepdims)
      shape.n[shape.ndim++] = 1;
  }
  return shape;
}

static int64_t n_reduced(const tsr_view *v, uint32_t mask)
{
  int64_t n = 1;
  for (int k = 0; k < v->ndim; k++) n *= mask >> k & 1 ? v->shape[k] : 1;
  return n;
}

static bool is_arg(tsr_reduction op)
{
  return op == TSR_REDUCE_ARGMIN || op == TSR_REDUCE_ARGMAX;
}

/* Records a reduction of groups that have one element each: a copy, position 0, or whether it is
 * not 0. */
static void record_trivial(tsr_context *c, const tsr_location *where, tsr_reduction op,
                           tsr_dtype compute, const tsr_value *x, const tsr_new *made)
{
  if (is_arg(op)) {
    tsr__fill(c, where, (tsr_scalar){.dtype = TSR_DTYPE_INT64}, made);
    return;
  }
  if (made->region->n_elems == 0) {
    tsr__event(c, where, TSR_EVENT_EMPTY, made->array);
    return;
  }
  TSR_ASSERT(compute == made->region->dtype);
  tsr_op_in in = {.region = x->region, .view = x->view};
  if (op == TSR_REDUCE_COUNT) {
    const tsr_dtype own = tsr__dtype_compute(x->dtype);
    const tsr_op_in both[2] = {in, {.scalar = {.dtype = own}}};
    tsr__record_map(&c->window, where, TSR_OP_NOT_EQUAL, own, TSR_DTYPE_BOOL, 2, both, made->region,
                    made->view, true);
    return;
  }
  tsr__record_copy(&c->window, where, &in, made->region, made->view, true);
}

/* Records the reduction of x into `made`. */
static bool record_reduction(tsr_context *c, const tsr_location *where, tsr_reduction op,
                             const tsr_value *x, tsr_dtype compute, uint32_t mask, bool keepdims,
                             tsr_operand operand, const tsr_new *made)
{
  const tsr_view *v = &x->view->view;
  int64_t n = n_reduced(v, mask);
  tsr_scalar identity;
  if (n > 0 && mask == 0) {
    record_trivial(c, where, op, compute, x, made);
  } else if (n > 0 && made->region->n_elems > 0) {
    tsr_op_in in = {.region = x->region, .view = x->view};
    tsr__record_reduce(&c->window, where, op, compute, made->region->dtype, &in, mask, keepdims,
                       made->region, made->view);
  } else if (made->region->n_elems == 0) {
    tsr__event(c, where, TSR_EVENT_EMPTY, made->array);
  } else if (tsr__reduce_identity(op, compute, &identity)) {
    tsr__fill(c, where, identity, made);
  } else {
    tsr__fail_on(c, where, TSR_ERR_SHAPE, 1, &operand, NULL, "the %s of no elements",
                 tsr__reduce_name(op));
    return false;
  }
  return true;
}

/* Returns op(reduced, n) in `dtype`; it replaces `reduced`. */
static tsr_array with_number(tsr_context *c, const tsr_location *where, tsr_opcode op,
                             tsr_dtype dtype, const tsr_new *reduced, int64_t n)
{
  const tsr_region *r = reduced->region;
  tsr_dims shape = {.ndim = r->ndim};
  for (int k = 0; k < r->ndim; k++) shape.n[k] = r->shape[k];
  tsr_new made = tsr__make(c, where, dtype, &shape);
  tsr_op_in in[2] = {{.region = reduced->region, .view = reduced->view}};
  in[1].scalar = tsr__scalar_cast(tsr__scalar_of_bits(TSR_DTYPE_INT64, (uint64_t)n), dtype);
  if (r->n_elems > 0)
    tsr__record_map(&c->window, where, op, dtype, dtype, 2, in, made.region, made.view, true);
  else
    tsr__event(c, where, TSR_EVENT_EMPTY, made.array);
  tsr__handle_release(c, tsr__handle_peek(c, reduced->array), where);
  return made.array;
}

/* How far a step along the axis leads in the region's memory, in elements. */
static int64_t stride_along(const tsr_region *r, const tsr_view *v, int axis)
{
  int64_t stride = 0;
  for (int k = 0; k < r->ndim; k++) stride = stride * r->shape[k] + v->step[k][axis];
  return stride < 0 ? -stride : stride;
}

/* Where steps along the last axis but one are shorter than along the last, as in sum(m.T, axis=1),
 * the two change places, of which one is reduced: the tree is that of the reduced axes in their
 * order, so no bit of the result changes. Returns the view to read through, counted. */
static tsr_view_ref *along_memory(const tsr_value *x, bool keepdims, uint32_t *mask)
{
  const tsr_view *v = &x->view->view;
  const int last = v->ndim - 1;
  const uint32_t both = last > 0 ? *mask >> (last - 1) & 3 : 0;
  const bool is_one = both == 1 || both == 2;
  if (!is_one || keepdims || x->view->is_identity) return tsr__view_ref_take(x->view);
  const int64_t shorter = stride_along(x->region, v, last - 1);
  if (shorter == 0 || shorter >= stride_along(x->region, v, last))
    return tsr__view_ref_take(x->view);
  *mask ^= (uint32_t)3 << (last - 1);
  if (v->ndim == 2) return tsr__view_ref_transposed(x->view);
  int perm[TSR_MAX_NDIM];
  for (int k = 0; k < v->ndim; k++) perm[k] = k;
  perm[last] = last - 1;
  perm[last - 1] = last;
  tsr_view_ref *turned = tsr__view_ref_new(x->view->window, v);
  tsr__view_transpose(&turned->view, perm);
  return turned;
}

tsr_array tsr__reduce_at(const tsr_location *where, tsr_reduction op, bool mean, tsr_operand x,
                         unsigned n_axes, const int *axes, bool keepdims)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value value;
  uint32_t mask;
  if (!tsr__as_array(c, where, x, &value)) return tsr_null();
  const tsr_view *v = &value.view->view;
  const char *help = op == TSR_REDUCE_MAX   ? "the greater of two values is maximum(x, y)"
                     : op == TSR_REDUCE_MIN ? "the lesser of two values is minimum(x, y)"
                                            : NULL;
  if (!axes_mask_of(c, where, x, v->ndim, n_axes, axes, mean, help, &mask)) return tsr_null();
  if (is_arg(op) && axes && n_axes != 1) {
    tsr__fail(c, where, TSR_ERR_AXIS, "%s takes one axis or none, not %u", tsr__reduce_name(op),
              n_axes);
    return tsr_null();
  }
  tsr_dtype compute, result;
  if (!tsr__reduce_dtypes(op, value.dtype, &compute, &result)) {
    tsr__fail(c, where, TSR_ERR_DTYPE, "%s does not take %s", tsr__reduce_name(op),
              tsr__dtype_info(value.dtype)->name);
    return tsr_null();
  }
  const bool is_whole = !tsr__dtype_is_inexact(value.dtype);
  const int64_t n = n_reduced(v, mask);
  /* The mean of whole numbers is that of float64s, whose sum is exact below 2^53. */
  const int bits = 8 * (int)tsr__dtype_size(value.dtype);
  if (mean && is_whole && (bits == 64 || n > INT64_C(1) << (53 - bits)))
    compute = result = TSR_DTYPE_FLOAT64;
  const tsr_dtype quotient = is_whole ? TSR_DTYPE_FLOAT64 : result;
  tsr_dims shape = result_shape(v, mask, keepdims);
  if (tsr__checked_size(c, where, &shape, result) < 0) return tsr_null();
  tsr_new made = tsr__make(c, where, result, &shape);
  value.view = along_memory(&value, keepdims, &mask);
  const bool ok = record_reduction(c, where, op, &value, compute, mask, keepdims, x, &made);
  tsr__view_ref_drop(value.view);
  if (!ok) {
    tsr__handle_release(c, tsr__handle_peek(c, made.array), where);
    return tsr_null();
  }
  /* NumPy's products begin with 1: the product of complex inf alone is inf+nanj. */
  const bool with_1 = op == TSR_REDUCE_PROD && tsr__dtype_is_complex(result);
  tsr_array array = made.array;
  if (mean) array = with_number(c, where, TSR_OP_DIVIDE, quotient, &made, n);
  if (with_1) array = with_number(c, where, TSR_OP_MULTIPLY, result, &made, 1);
  if (value.dtype == TSR_DTYPE_FLOAT16 && result == TSR_DTYPE_FLOAT32)
    array = tsr__as_dtype(c, where, array, TSR_DTYPE_FLOAT16);
  tsr__recorded(c);
  return array;
}
