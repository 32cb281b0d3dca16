/* Views under construction, and calls that are made of other calls. */
#ifndef TSR_VIEW_EDIT_H
#define TSR_VIEW_EDIT_H

#include "array/core/axes.h"

/** A copy of an array's view that is being changed. */
typedef struct tsr_edit {
  tsr_context *c;
  const tsr_location *where;
  tsr_array of;
  tsr_slot *slot;
  tsr_view_ref *ref; /* holder of `view`; tsr__edit_end and tsr__edit_fail drop it */
  tsr_view *view;
} tsr_edit;

/** Begins the edit of a copy of x's view. Returns false after tsr__slot's error if x is no array;
 * there is then nothing to end. */
bool tsr__edit_begin(tsr_edit *e, const tsr_location *where, tsr_array x);
/** Ends the edit; returns a handle of the view. */
tsr_array tsr__edit_end(tsr_edit *e);
/** Ends the edit and the error, with a note about the array. Returns the null handle. */
tsr_array tsr__edit_fail(tsr_edit *e, tsr_error *error);
/** Returns the axis, 0 <= axis < ndim, or -1 with TSR_ERR_AXIS, which ends the edit. */
int tsr__edit_axis(tsr_edit *e, int axis, int ndim);
/** Reads the named axes as tsr__normal_axes does. Returns false with TSR_ERR_AXIS, which ends the
 * edit. */
bool tsr__edit_axes(tsr_edit *e, const tsr_axes *axes, int ndim, int *out, uint32_t *mask);

/** A call that is made of other calls. The arrays that they make are released with it, except its
 * result. */
typedef struct tsr_work {
  tsr_context *c;
  const tsr_location *where;
  int32_t depth; /* index of the result's scope */
  int32_t outer; /* previous steps_scope of the context */
} tsr_work;
tsr_work tsr__work_begin(const tsr_location *where);
/** Ends the call and moves the result to the caller's scope. */
tsr_array tsr__work_end(tsr_work *w, tsr_array result);
/** Moves one of several results to the caller's scope; the call goes on. */
tsr_array tsr__work_keep(tsr_work *w, tsr_array result);

/** Returns the axis, counted from 0, or -1 with TSR_ERR_AXIS. */
int tsr__work_axis(const tsr_work *w, int axis, int ndim);

/** Records an operation on arrays or scalars, as tsr__map_at does. */
static inline tsr_array tsr__map1(const tsr_work *w, tsr_opcode op, tsr_operand x)
{
  return tsr__map_at(w->where, op, 1, &x);
}
static inline tsr_array tsr__map2(const tsr_work *w, tsr_opcode op, tsr_operand x, tsr_operand y)
{
  const tsr_operand xs[2] = {x, y};
  return tsr__map_at(w->where, op, 2, xs);
}
static inline tsr_array tsr__map3(const tsr_work *w, tsr_opcode op, tsr_operand x, tsr_operand y,
                                  tsr_operand z)
{
  const tsr_operand xs[3] = {x, y, z};
  return tsr__map_at(w->where, op, 3, xs);
}

/** Returns an array of the given shape, which was checked, whose elements are their index along
 * `axis`: int64, without memory. */
tsr_array tsr__index_along(const tsr_work *w, const tsr_dims *shape, int axis);
/** Returns the shape of an array that exists. */
tsr_dims tsr__dims_of(tsr_context *c, tsr_array x);
/** Returns x in another shape of the same number of elements: a view if possible, else a view of a
 * copy in flat order. */
tsr_array tsr__reshaped(const tsr_work *w, tsr_array x, const tsr_dims *shape);

#endif
