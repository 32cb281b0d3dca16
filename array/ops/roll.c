/* roll: the elements are read periodically around the ends of axes. Each axis is one operation,
 * which fuses with its consumers; elements beyond an end are read where they lie. */
#include "array/ops/join.h"
#include "array/views/reshape.h"

#include <inttypes.h>
#include <string.h>

/* Records the copy through the pieces on either side of the seam. */
static void record_roll(const tsr_steps *w, const tsr_handle *s, int axis, int64_t shift,
                        const tsr_new *made)
{
  tsr_view_ref *piece[2];
  tsr__view_ref_rolled(s->view, axis, shift, piece);
  const tsr_op_in in[2] = {{.region = s->region, .view = piece[0]},
                           {.region = s->region, .view = piece[1]}};
  tsr__record_pieces(&w->c->window, w->where, 2, in, made->region, made->view);
  for (int i = 0; i < 2; i++) tsr__view_ref_drop(piece[i]);
}

/* One axis: what comes from the end goes first. */
static tsr_array roll_axis(const tsr_steps *w, tsr_array x, int axis, int64_t shift)
{
  const tsr_handle *s = tsr__handle_peek(w->c, x);
  const tsr_view *v = &s->view->view;
  bool moves = false; /* rolling an axis of repeated elements changes nothing */
  for (int k = 0; k < v->rdim; k++) moves |= v->step[k][axis] != 0;
  if (!moves) return x;
  x = tsr__as_new(w->c, w->where, x);
  s = tsr__handle_peek(w->c, x);
  if (!s) return tsr_null();
  const tsr_dims shape = tsr__dims_of(w->c, x);
  if (tsr__checked_size(w->c, w->where, &shape, s->region->dtype) < 0) return tsr_null();
  tsr_new made = tsr__make(w->c, w->where, s->region->dtype, &shape);
  s = tsr__handle_peek(w->c, x);
  if (made.region->n_elems > 0)
    record_roll(w, s, axis, shift, &made);
  else
    tsr__event(w->c, w->where, TSR_EVENT_EMPTY, made.array);
  tsr__recorded(w->c);
  return made.array;
}

static tsr_array roll(const tsr_steps *w, tsr_array x, const tsr_dims *shift, const tsr_axes *axes)
{
  tsr_dims shape = tsr__dims_of(w->c, x);
  int64_t by[TSR_MAX_NDIM] = {0};
  int n = axes->n > shift->ndim ? axes->n : shift->ndim;
  if (axes->n == 0 && shift->ndim == 1) return x; /* as in NumPy: no axis is rolled */
  if (n > TSR_MAX_NDIM) {
    tsr__fail(w->c, w->where, TSR_ERR_AXIS, "%d axes are named; an array has at most %d", n,
              TSR_MAX_NDIM);
    return tsr_null();
  }
  if ((axes->n != n && axes->n != 1) || (shift->ndim != n && shift->ndim != 1)) {
    tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT, "%d shifts for %d axes", shift->ndim, axes->n);
    return tsr_null();
  }
  for (int i = 0; i < n; i++) {
    const int axis = tsr__step_axis(w, NULL, axes->axis[axes->n == 1 ? 0 : i], shape.ndim);
    if (axis < 0) return tsr_null();
    int64_t length = shape.n[axis];
    if (length == 0) continue;
    /* As in NumPy, an axis named twice is rolled twice. */
    by[axis] = (by[axis] + shift->n[shift->ndim == 1 ? 0 : i] % length + length) % length;
  }
  tsr_array made = x;
  for (int k = 0; k < shape.ndim && tsr_ok(made); k++)
    if (by[k] != 0) made = roll_axis(w, made, k, by[k]);
  return made;
}

tsr_array tsr_roll_at(const tsr_location *where, tsr_array x, tsr_dims shift, tsr_axes axes)
{
  if (!tsr__only_axes(tsr__context(where), where, &axes)) return tsr_null();
  tsr_steps w = tsr__steps_begin(where);
  if (!tsr__handle(w.c, where, x)) return tsr__steps_end(&w, tsr_null());
  tsr_dims shape = tsr__dims_of(w.c, x);
  tsr_array from = x;
  bool flat = axes.n < 0;
  if (flat) { /* as in NumPy without axes: the flat order is rolled */
    from = shape.ndim == 1 ? x : tsr_ravel_at(where, x);
    axes = (tsr_axes){.n = 1};
  }
  tsr_array made = tsr_ok(from) ? roll(&w, from, &shift, &axes) : from;
  if (flat && shape.ndim != 1 && tsr_ok(made))
    made = tsr__as_new(w.c, where, tsr__reshaped(&w, made, &shape));
  const tsr_handle *s = tsr__handle_peek(w.c, made), *of = tsr__handle_peek(w.c, x);
  if (s && s->region == of->region) made = tsr_copy_at(where, tsr_box_array(made));
  return tsr__steps_end(&w, made);
}
