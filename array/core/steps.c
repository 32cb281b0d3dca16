/* Functions that the calls made of other calls share. */
#include "array/core/steps.h"

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
  int at;
  tsr_error *e = tsr__normal_axis(s->c, s->where, "an array of ", axis, ndim, &at);
  if (!e) return at;
  tsr__note_operand(s->c, e, s->where, 0, x);
  tsr__fail_end(s->c);
  return -1;
}

tsr_array tsr__step_trailing(const tsr_steps *s, tsr_array x, int n)
{
  for (int i = 0; i < n && tsr_ok(x); i++) x = tsr__expand_dims(s->where, x, -1);
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
