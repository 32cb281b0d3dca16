/* What calls made of other calls share. */
#include "array/core/steps.h"

bool tsr__reduce_options(const tsr_location *where, int n, const tsr_axes *options,
                         tsr_reduce_options *out)
{
  *out = (tsr_reduce_options){0};
  for (int i = 0; i < n; i++) {
    if (options[i].n > TSR_MAX_NDIM) {
      tsr__fail(tsr__context(where), where, TSR_ERR_AXIS,
                "%d axes are named; an array has at most %d", options[i].n, TSR_MAX_NDIM);
      return false;
    }
    if (options[i].n >= 0 && out->axes) {
      tsr__fail(tsr__context(where), where, TSR_ERR_AXIS, "axes are given twice");
      return false;
    }
    if (options[i].n >= 0) {
      out->axes = options[i].axis;
      out->n_axes = (unsigned)options[i].n;
    }
    out->keepdims |= options[i].keepdims;
    out->ddof += options[i].ddof;
    if (options[i].has_ord) out->ord = options[i].ord;
    out->has_ord |= options[i].has_ord;
  }
  return true;
}

tsr_array tsr__step_slice(const tsr_steps *s, tsr_array x, int axis, int64_t start, int64_t stop,
                          int64_t step)
{
  tsr_slice_item items[TSR_MAX_NDIM] = {{0}};
  items[axis] = (tsr_slice_item){.kind = TSR_SLICE_RANGE,
                                 .has_start = true,
                                 .start = start,
                                 .has_stop = stop != INT64_MAX,
                                 .stop = stop != INT64_MAX ? stop : 0,
                                 .has_step = true,
                                 .step = step};
  return tsr_ok(x) ? tsr__slice_items(s->where, x, axis + 1, items) : x;
}

int tsr__step_axis(const tsr_steps *s, tsr_operand x, int ndim, int axis)
{
  const int at = axis < 0 ? axis + ndim : axis;
  if (at >= 0 && at < ndim) return at;
  tsr_error *e =
      tsr__fail_begin(s->c, s->where, TSR_ERR_AXIS, "axis %d is out of range for an array of %d %s",
                      axis, ndim, ndim == 1 ? "axis" : "axes");
  tsr__note_operand(s->c, e, s->where, 0, x);
  tsr__fail_end(s->c);
  return -1;
}

tsr_array tsr__step_trailing(const tsr_steps *s, tsr_array x, int n)
{
  for (int i = 0; i < n && tsr_ok(x); i++) x = tsr_expand_dims_at(s->where, x, -1);
  return x;
}

tsr_array tsr__step_array(const tsr_steps *s, tsr_operand x, bool as_float)
{
  tsr_value v;
  if (!tsr__value_of(s->c, s->where, x, &v)) return tsr_null();
  const tsr_kind kind = tsr__dtype_info(v.dtype)->kind;
  const bool cast = as_float && kind < TSR_KIND_FLOAT;
  if (v.region && !cast) return x.as.array;
  return tsr_astype_at(s->where, x, cast ? TSR_DTYPE_FLOAT64 : v.dtype);
}
