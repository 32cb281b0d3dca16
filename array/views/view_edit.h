/* Views under construction. */
#ifndef TSR_VIEW_EDIT_H
#define TSR_VIEW_EDIT_H

#include "array/core/axes.h"

/** A copy of an array's view that is being changed. */
typedef struct tsr_edit {
  tsr_context *c;
  const tsr_location *where;
  tsr_array of;
  tsr_handle *handle;
  tsr_view_ref *ref; /* holder of `view`; tsr__edit_end and tsr__edit_fail drop it */
  tsr_view *view;
} tsr_edit;

/** Begins the edit of a copy of x's view. Returns false after tsr__handle's error if x is no array;
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

/** Returns x seen with `shape`, as tsr_broadcast_to does, but writable where no element repeats. */
tsr_array tsr__broadcast(const tsr_location *where, tsr_array x, tsr_dims shape);

#endif
