/* Other axes for the same elements. */
#ifndef TSR_RESHAPE_H
#define TSR_RESHAPE_H

#include "array/core/steps.h"

/** Makes the view with the axes `to`. Returns false if axes cannot be merged. */
bool tsr__reshape_view(const tsr_view *v, const tsr_dims *to, tsr_view *out);
/** Returns x in another shape of the same number of elements: a view if possible, else a view of a
 * copy in flat order. */
tsr_array tsr__reshaped(const tsr_steps *s, tsr_array x, const tsr_dims *shape);
/** Makes v with the axes merged that the same region axis moves with. Returns false if some region
 * axis still moves with several. */
bool tsr__merge_axes(const tsr_view *v, tsr_view *out);

#endif
