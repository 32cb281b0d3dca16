/* tile and repeat. With one number of repeats, the result is a copy of a broadcast view whose new
 * axes are merged. With a number for each element, each run of elements is assigned to a new
 * array. */
#include "array/ops/join.h"
#include "array/views/reshape.h"

#include <inttypes.h>

/* Returns `made` with axis k repeated, in the shape `to`: the whole axis, or each element if
 * `each`. */
static tsr_array repeat_axis(const tsr_steps *w, tsr_array made, int k, int64_t times, bool each,
                             const tsr_dims *to)
{
  tsr_dims shape = tsr__dims_of(w->c, made), wide = {.ndim = 0};
  if (shape.ndim == TSR_MAX_NDIM) { /* merges the axes on either side to make space for a new one */
    tsr_dims few = {.ndim = 3, .n = {1, shape.n[k], 1}};
    for (int j = 0; j < shape.ndim; j++)
      if (j != k) few.n[j < k ? 0 : 2] *= shape.n[j];
    made = tsr__reshaped(w, made, &few);
    shape = few;
    k = 1;
  }
  tsr_edit e;
  const int fresh = each ? k + 1 : k;
  if (!tsr_ok(made) || !tsr__edit_begin(&e, w->where, made)) return tsr_null();
  tsr__view_newaxis(e.view, fresh);
  wide.ndim = shape.ndim + 1;
  for (int j = 0, i = 0; j < wide.ndim; j++) wide.n[j] = j == fresh ? times : shape.n[i++];
  tsr__view_broadcast(e.view, wide.ndim, wide.n);
  return tsr__reshaped(w, tsr__edit_end(&e), to);
}

/* Returns x repeated along its axes: the whole axis k before[k] times, each element after[k]
 * times. */
static tsr_array repeated(const tsr_steps *w, tsr_array x, const int64_t *before,
                          const int64_t *after)
{
  tsr_array made = x;
  /* Axes are repeated one at a time, so that there is space for the new axis. */
  for (int k = tsr__dims_of(w->c, x).ndim - 1; k >= 0 && tsr_ok(made); k--) {
    int64_t times = before[k] * after[k];
    if (times == 1) continue;
    tsr_dims to = tsr__dims_of(w->c, made);
    if (__builtin_mul_overflow(to.n[k], times, &to.n[k])) to.n[k] = INT64_MAX;
    const tsr_handle *s = tsr__handle_peek(w->c, made);
    if (tsr__checked_size(w->c, w->where, &to, s->region->dtype) < 0) return tsr_null();
    made = repeat_axis(w, made, k, times, before[k] == 1 && after[k] != 0, &to);
  }
  return made;
}

static bool check_repeats(const tsr_steps *w, int64_t n)
{
  if (n >= 0) return true;
  tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT, "%" PRId64 " repeats; there are 0 or more", n);
  return false;
}

/* Copies `made` if it shares the region of x or repeats elements by its view, since tile and repeat
 * return a new array. */
static tsr_array own(const tsr_steps *w, tsr_array x, tsr_array made)
{
  const tsr_handle *s = tsr__handle_peek(w->c, made), *of = tsr__handle_peek(w->c, x);
  const bool is_own = s && s->region != of->region && tsr__view_ref_is_injective(s->view);
  return s && !is_own ? tsr_copy_at(w->where, tsr_box_array(made)) : made;
}

tsr_array tsr_tile_at(const tsr_location *where, tsr_array x, tsr_dims repeats)
{
  tsr_steps w = tsr__steps_begin(where);
  int64_t before[TSR_MAX_NDIM], after[TSR_MAX_NDIM];
  if (!tsr__handle(w.c, where, x)) return tsr__steps_end(&w, tsr_null());
  tsr_dims shape = tsr__dims_of(w.c, x);
  if (tsr__checked_size(w.c, where, &repeats, TSR_DTYPE_BOOL) < 0)
    return tsr__steps_end(&w, tsr_null());
  tsr_array wide = x;
  if (repeats.ndim > shape.ndim) { /* adds leading axes of length 1 */
    tsr_dims to = {.ndim = repeats.ndim};
    for (int k = 0; k < to.ndim; k++)
      to.n[k] = k < to.ndim - shape.ndim ? 1 : shape.n[k - (to.ndim - shape.ndim)];
    wide = tsr__reshaped(&w, x, &to);
    shape = to;
  }
  for (int k = 0; k < shape.ndim; k++) {
    int at = k - (shape.ndim - repeats.ndim);
    before[k] = at >= 0 ? repeats.n[at] : 1;
    after[k] = 1;
  }
  return tsr__steps_end(&w, own(&w, x, repeated(&w, wide, before, after)));
}

/* Returns the axis along which elements repeat. If none is given, *x becomes flat. Returns -1 with
 * an error. */
static int repeated_axis(const tsr_steps *w, tsr_array *x, const tsr_axes *axes)
{
  if (axes->n > 1) {
    tsr__fail(w->c, w->where, TSR_ERR_AXIS, "elements repeat along one axis, not %d", axes->n);
    return -1;
  }
  if (axes->n < 0) *x = tsr_ravel_at(w->where, *x);
  return tsr__step_axis(w, NULL, axes->n < 0 ? 0 : axes->axis[0], tsr__dims_of(w->c, *x).ndim);
}

tsr_array tsr_repeat_at(const tsr_location *where, tsr_array x, int64_t repeats, tsr_axes axes)
{
  if (!tsr__only_axes(tsr__context(where), where, &axes)) return tsr_null();
  tsr_steps w = tsr__steps_begin(where);
  int64_t before[TSR_MAX_NDIM], after[TSR_MAX_NDIM];
  if (!tsr__handle(w.c, where, x) || !check_repeats(&w, repeats))
    return tsr__steps_end(&w, tsr_null());
  tsr_array from = x;
  const int axis = repeated_axis(&w, &from, &axes);
  if (axis < 0) return tsr__steps_end(&w, tsr_null());
  for (int k = 0; k < tsr__dims_of(w.c, from).ndim; k++) {
    before[k] = 1;
    after[k] = k == axis ? repeats : 1;
  }
  return tsr__steps_end(&w, own(&w, x, repeated(&w, from, before, after)));
}

/* Returns the length of the repeated axis: the sum of the counts, at most INT64_MAX. Returns -1
 * with an error. */
static int64_t repeated_length(const tsr_steps *w, int64_t n, const int64_t *counts, int64_t length)
{
  int64_t sum = 0;
  if (n < 0 || n != length || (n > 0 && !counts)) {
    tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT,
              n != length ? "%" PRId64 " counts for %" PRId64 " elements: give one for each"
                          : "the list of counts is NULL",
              n, length);
    return -1;
  }
  for (int64_t i = 0; i < n; i++) {
    if (counts[i] < 0) {
      tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT,
                "count %" PRId64 " is %" PRId64 "; there are 0 or more", i, counts[i]);
      return -1;
    }
    if (__builtin_add_overflow(sum, counts[i], &sum)) sum = INT64_MAX;
  }
  return sum;
}

/* Assigns made[lo:lo + length:step] = x[from:from + n] along the axis, where n is length or 1. */
static bool put_along(const tsr_steps *w, int axis, tsr_array made, int64_t lo, int64_t length,
                      int64_t step, tsr_array x, int64_t from, int64_t n)
{
  tsr_edit to, of;
  if (!tsr__edit_begin(&to, w->where, made)) return false;
  tsr__view_slice(to.view, axis, lo, length, step);
  const tsr_array target = tsr__edit_end(&to);
  if (!tsr_ok(target) || !tsr__edit_begin(&of, w->where, x)) return false;
  tsr__view_slice(of.view, axis, from, n, 1);
  const tsr_array part = tsr__edit_end(&of);
  return tsr_ok(part) && tsr_assign_at(w->where, target, tsr_box_array(part)) == TSR_OK;
}

/* Assigns n elements from `from` on, each `count` times, to the positions from `lo` on. It records
 * one assignment per element or per repetition, whichever are fewer. */
static bool put_run(const tsr_steps *w, int axis, tsr_array made, int64_t lo, tsr_array x,
                    int64_t from, int64_t n, int64_t count)
{
  bool ok = true;
  if (n < count)
    for (int64_t i = 0; i < n && ok; i++)
      ok = put_along(w, axis, made, lo + i * count, count, 1, x, from + i, 1);
  else
    for (int64_t i = 0; i < count && ok; i++)
      ok = put_along(w, axis, made, lo + i, n, count, x, from, n);
  return ok;
}

tsr_array tsr_repeat_counts_at(const tsr_location *where, tsr_array x, int64_t n,
                               const int64_t *counts, tsr_axes axes)
{
  if (!tsr__only_axes(tsr__context(where), where, &axes)) return tsr_null();
  tsr_steps w = tsr__steps_begin(where);
  if (!tsr__handle(w.c, where, x)) return tsr__steps_end(&w, tsr_null());
  tsr_array from = x;
  const int axis = repeated_axis(&w, &from, &axes);
  if (axis < 0) return tsr__steps_end(&w, tsr_null());
  tsr_dims shape = tsr__dims_of(w.c, from);
  const int64_t length = repeated_length(&w, n, counts, shape.n[axis]);
  if (length < 0) return tsr__steps_end(&w, tsr_null());
  shape.n[axis] = length;
  const tsr_handle *s = tsr__handle_peek(w.c, from);
  tsr_array made = s ? tsr__uninitialised(&w, s->region->dtype, &shape) : tsr_null();
  int64_t lo = 0;
  for (int64_t i = 0, end; i < n && tsr_ok(made); i = end) {
    for (end = i + 1; end < n && counts[end] == counts[i];) end++;
    if (!put_run(&w, axis, made, lo, from, i, end - i, counts[i])) made = tsr_null();
    lo += (end - i) * counts[i];
  }
  return tsr__steps_end(&w, made);
}
