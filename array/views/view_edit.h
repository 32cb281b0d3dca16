/* Views under construction, for the files that make them; and calls that are made of other calls.
 */
#ifndef TSR_VIEW_EDIT_H
#define TSR_VIEW_EDIT_H

#include "array/core/axes.h"

/** A copy of an array's view, to be changed. */
typedef struct tsr_edit {
  tsr_context *c;
  const tsr_location *where;
  tsr_array of;
  tsr_slot *slot;
  tsr_view_ref *ref; /* of `view`; dropped by tsr__edit_end and tsr__edit_fail */
  tsr_view *view;
} tsr_edit;

/** False, as tsr__slot, if x is no array: then nothing is to be dropped. */
bool tsr__edit_begin(tsr_edit *e, const tsr_location *where, tsr_array x);
/** The handle of the view. */
tsr_array tsr__edit_end(tsr_edit *e);
/** Ends the error with a note of the array; the null handle. */
tsr_array tsr__edit_fail(tsr_edit *e, tsr_error *error);
/** 0 <= axis < ndim, or -1 with TSR_ERR_AXIS, and the edit is over. */
int tsr__edit_axis(tsr_edit *e, int axis, int ndim);
/** The axes that are named, each at most once: as tsr__normal_axes; false, and the edit is over,
 * with TSR_ERR_AXIS. */
bool tsr__edit_axes(tsr_edit *e, const tsr_axes *axes, int ndim, int *out, uint32_t *mask);

/** A call that makes others: their arrays go with it, but for its result. */
typedef struct tsr_work {
  tsr_context *c;
  const tsr_location *where;
  int32_t depth; /* scope of the result */
  int32_t outer; /* the context's steps_scope before */
} tsr_work;
tsr_work tsr__work_begin(const tsr_location *where);
/** Ends it; the result moves to the caller's scope. */
tsr_array tsr__work_end(tsr_work *w, tsr_array result);
/** Keeps one of several results; the work goes on. */
tsr_array tsr__work_keep(tsr_work *w, tsr_array result);

/** The axis, counted from 0; -1 with TSR_ERR_AXIS. */
int tsr__work_axis(const tsr_work *w, int axis, int ndim);

/** An operation on arrays or scalars, as tsr__map_at. */
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

/** Index along `axis`, at every point of a shape that was checked: int64, no memory. */
tsr_array tsr__index_along(const tsr_work *w, const tsr_dims *shape, int axis);
/** The shape of an array that exists. */
tsr_dims tsr__dims_of(tsr_context *c, tsr_array x);
/** x seen with all of the axes `from` merged and split into those of `shape`; both have the same
 * number of elements. A view where that is one, else a copy in flat order. */
tsr_array tsr__reshaped(const tsr_work *w, tsr_array x, const tsr_dims *shape);

#endif
