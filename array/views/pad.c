/* Pads an array: it is assigned to the middle of a new array, then the borders are filled axis by
 * axis from the part that is already filled. */
#include "array/views/join.h"

#include <inttypes.h>
#include <string.h>

typedef enum pad_mode { PAD_CONSTANT, PAD_EDGE, PAD_WRAP, PAD_REFLECT, N_PAD_MODES } pad_mode;

typedef struct padding {
  tsr_steps *w;
  tsr_array made;
  pad_mode mode;
  tsr_operand value;
  tsr_dims shape;                            /* shape of `made` */
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM]; /* the filled box */
} padding;

static int mode_of(const tsr_steps *w, const char *mode)
{
  static const char *const names[N_PAD_MODES] = {"constant", "edge", "wrap", "reflect"};
  for (int i = 0; i < N_PAD_MODES; i++)
    if (mode && !strcmp(mode, names[i])) return i;
  tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT,
            "there is no mode \"%s\"; the modes are constant, edge, wrap and reflect",
            mode ? mode : "NULL");
  return -1;
}

/* Reads one width for all axes, or one per axis; returns false with an error. */
static bool widths_of(const tsr_steps *w, const tsr_dims *given, int ndim, const char *what,
                      int64_t *out)
{
  if (given->ndim != 1 && given->ndim != ndim) {
    tsr__fail(w->c, w->where, TSR_ERR_SHAPE, "%d widths %s an array of %d %s", given->ndim, what,
              ndim, ndim == 1 ? "axis" : "axes");
    return false;
  }
  for (int k = 0; k < ndim; k++) {
    out[k] = given->n[given->ndim == 1 ? 0 : k];
    if (out[k] >= 0) continue;
    tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT, "the width %" PRId64 " %s axis %d is negative",
              out[k], what, k);
    return false;
  }
  return true;
}

static bool fill(const padding *p, int axis, int64_t at, int64_t width, tsr_operand value)
{
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
  memcpy(lo, p->lo, sizeof lo);
  memcpy(n, p->n, sizeof n);
  lo[axis] = at;
  n[axis] = width;
  return tsr__put(p->w, p->made, lo, n, value);
}

/* Returns `width` rows of the filled box from `at` on, in reverse order if step is -1. */
static tsr_operand rows(const padding *p, int axis, int64_t at, int64_t width, int step)
{
  tsr_edit e;
  if (!tsr__edit_begin(&e, p->w->where, p->made)) return tsr_box_array(tsr_null());
  for (int k = 0; k < p->shape.ndim; k++)
    tsr__view_slice(e.view, k, k == axis ? at : p->lo[k], k == axis ? width : p->n[k],
                    k == axis ? step : 1);
  return tsr_box_array(tsr__edit_end(&e));
}

static int64_t min64(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* Fills borders of the widths `left` and `right`, each from the rows `by` further inside. */
static bool move_in(padding *p, int axis, int64_t by, int64_t left, int64_t right)
{
  const int64_t lo = p->lo[axis], end = lo + p->n[axis];
  if (left > 0 && !fill(p, axis, lo - left, left, rows(p, axis, lo + by - left, left, 1)))
    return false;
  return right == 0 || fill(p, axis, end, right, rows(p, axis, end - by, right, 1));
}

/* Fills borders of the widths `left` and `right` with the rows mirrored at the edges, which are not
 * repeated. */
static bool mirror(padding *p, int axis, int64_t left, int64_t right)
{
  const int64_t lo = p->lo[axis], end = lo + p->n[axis];
  if (left > 0 && !fill(p, axis, lo - left, left, rows(p, axis, lo + left, left, -1))) return false;
  return right == 0 || fill(p, axis, end, right, rows(p, axis, end - 2, right, -1));
}

/* Fills borders that repeat the array. Each round copies as many whole periods as are filled, so
 * the number of rounds is logarithmic. A mirrored array is periodic once one mirrored copy stands
 * next to it. */
static bool repeat(padding *p, int axis, int64_t before, int64_t after)
{
  const int64_t length = p->n[axis];
  int64_t period = length;
  if (p->mode == PAD_REFLECT) period = length > 1 ? 2 * (length - 1) : 1;
  while (before > 0 || after > 0) {
    const bool is_whole = p->n[axis] >= period;
    const int64_t most = is_whole ? p->n[axis] / period * period : length - 1;
    const int64_t left = min64(before, most), right = min64(after, most);
    if (!(is_whole ? move_in(p, axis, most, left, right) : mirror(p, axis, left, right)))
      return false;
    p->lo[axis] -= left;
    p->n[axis] += left + right;
    before -= left;
    after -= right;
  }
  return true;
}

static bool pad_axis(padding *p, int axis, int64_t before, int64_t after)
{
  int64_t lo = p->lo[axis], end = lo + p->n[axis];
  if (p->mode == PAD_WRAP || p->mode == PAD_REFLECT) return repeat(p, axis, before, after);
  bool edge = p->mode == PAD_EDGE;
  if (before > 0 && !fill(p, axis, 0, before, edge ? rows(p, axis, lo, 1, 1) : p->value))
    return false;
  if (after > 0 && !fill(p, axis, end, after, edge ? rows(p, axis, end - 1, 1, 1) : p->value))
    return false;
  p->lo[axis] = 0;
  p->n[axis] = p->shape.n[axis];
  return true;
}

static tsr_array pad(tsr_steps *w, tsr_array x, const int64_t *before, const int64_t *after,
                     pad_mode mode, tsr_operand value)
{
  padding p = {.w = w, .mode = mode, .value = value, .shape = tsr__dims_of(w->c, x)};
  for (int k = 0; k < p.shape.ndim; k++) {
    p.lo[k] = before[k];
    p.n[k] = p.shape.n[k];
    if (p.n[k] == 0 && mode != PAD_CONSTANT && (before[k] > 0 || after[k] > 0)) {
      tsr__fail(w->c, w->where, TSR_ERR_SHAPE,
                "axis %d is empty: there is nothing to repeat in its padding", k);
      return tsr_null();
    }
    int64_t widths;
    if (__builtin_add_overflow(before[k], after[k], &widths) ||
        __builtin_add_overflow(p.shape.n[k], widths, &p.shape.n[k]))
      p.shape.n[k] = INT64_MAX;
  }
  p.made = tsr__room(w, tsr__slot_peek(w->c, x)->region->dtype, &p.shape);
  if (!tsr_ok(p.made) || !tsr__put(w, p.made, p.lo, p.n, tsr_box_array(x))) return tsr_null();
  for (int k = 0; k < p.shape.ndim; k++)
    if (!pad_axis(&p, k, before[k], after[k])) return tsr_null();
  return p.made;
}

tsr_array tsr_pad_at(const tsr_location *where, tsr_array x, tsr_dims before, tsr_dims after,
                     const char *mode, tsr_operand value)
{
  tsr_steps w = tsr__steps_begin(where);
  int64_t widths[2][TSR_MAX_NDIM];
  tsr_array made = tsr_null();
  if (tsr__slot(w.c, where, x)) {
    int ndim = tsr__dims_of(w.c, x).ndim, how = mode_of(&w, mode);
    if (how >= 0 && widths_of(&w, &before, ndim, "before", widths[0]) &&
        widths_of(&w, &after, ndim, "after", widths[1]))
      made = pad(&w, x, widths[0], widths[1], (pad_mode)how, value);
  }
  return tsr__steps_end(&w, made);
}
