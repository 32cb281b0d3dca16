/* Takes elements by their flat position. It records a task (kernel/library/task.h) over the shape
 * of the positions, with the elements as one more axis, so that each rank gathers all of them. */
#include "array/core/steps.h"

/* flat: [n]; numbers: any shape, int64. */
static tsr_array record_take(const tsr_steps *w, tsr_array flat, tsr_array numbers, tsr_dtype dtype)
{
  const tsr_dims shape = tsr__dims_of(w->c, numbers);
  tsr_dims domain = shape;
  if (shape.ndim == TSR_MAX_NDIM) {
    tsr__fail(w->c, w->where, TSR_ERR_SHAPE, "elements by numbers of %d axes; at most %d",
              TSR_MAX_NDIM, TSR_MAX_NDIM - 1);
    return tsr_null();
  }
  domain.n[domain.ndim++] = tsr__dims_of(w->c, flat).n[0];
  bool empty = false;
  for (int k = 0; k < domain.ndim; k++) empty |= domain.n[k] == 0;
  if (empty) return tsr_zeros_at(w->where, shape, dtype);
  if (tsr__checked_size(w->c, w->where, &shape, dtype) < 0) return tsr_null();
  numbers = tsr__expand_dims(w->where, numbers, -1);
  const tsr_new made = tsr__make(w->c, w->where, dtype, &shape);
  const tsr_array out = tsr__expand_dims(w->where, made.array, -1);
  tsr_op_in in[3] = {tsr__step_over(w, flat, &domain), tsr__step_over(w, numbers, &domain),
                     tsr__step_over(w, out, &domain)};
  tsr__record_task(&w->c->window, w->where, TSR_TASK_CODE_TAKE, dtype, 2, in,
                   1u << (domain.ndim - 1), made.region, in[2].view, true);
  for (int i = 0; i < 3; i++) tsr__in_drop(&in[i]);
  tsr__recorded(w->c);
  return made.array;
}

static bool check_numbers(const tsr_steps *w, tsr_dtype dtype)
{
  if (tsr__dtype_is_integer(dtype)) return true;
  tsr__fail_on(w->c, w->where, TSR_ERR_DTYPE, 0, NULL,
               "tsr_astype(x, TSR_INT64), or int64(x) in text, rounds towards 0",
               "an index is of integers, not %s", tsr__dtype_info(dtype)->name);
  return false;
}

tsr_operand tsr__take(const tsr_location *where, tsr_operand x, tsr_operand index)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_value elements, numbers;
  if (!tsr__value_of(w.c, where, x, &elements) || !tsr__value_of(w.c, where, index, &numbers) ||
      !check_numbers(&w, numbers.dtype))
    return tsr_box_array(tsr__steps_end(&w, tsr_null()));
  const tsr_dtype dtype = elements.dtype;
  tsr_array which = index.as.array;
  if (!numbers.region)
    which = tsr_full_at(where, (tsr_dims){.ndim = 0}, index, TSR_INT64);
  else if (numbers.dtype != TSR_INT64)
    which = tsr_astype_at(where, index, TSR_INT64);
  const tsr_array flat = tsr_ok(which) ? tsr_ravel_at(where, x.as.array) : which;
  return tsr_box_array(
      tsr__steps_end(&w, tsr_ok(flat) ? record_take(&w, flat, which, dtype) : flat));
}
