/* Operations that are steps of a call made of other calls. */
#include "array/ops/step_ops.h"
#include "array/views/views.h"

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

bool tsr__step_fold(const tsr_steps *s, tsr_array x, int axis,
                    tsr_operand (*both)(void *user, const tsr_operand pair[2]), void *user)
{
  const int64_t n = tsr__dims_of(s->c, x).n[axis];
  for (int64_t far = 1; far < n; far *= 2) {
    const int64_t count = (n - far + 2 * far - 1) / (2 * far);
    const tsr_operand pair[2] = {
        tsr_box_array(tsr__step_slice(s, x, axis, 0, (count - 1) * 2 * far + 1, 2 * far)),
        tsr_box_array(tsr__step_slice(s, x, axis, far, n, 2 * far))};
    const tsr_operand value = both(user, pair);
    if (value.kind == TSR_OPERAND_ARRAY && !tsr_ok(value.as.array)) return false;
    if (tsr_assign_at(s->where, pair[0].as.array, value) < 0) return false;
  }
  return true;
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
