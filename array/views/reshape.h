/* Other axes for the same elements. */
#ifndef TSR_RESHAPE_H
#define TSR_RESHAPE_H

#include "array/core/steps.h"

/** Returns x in another shape of the same number of elements: a view if possible, else a view of a
 * copy in flat order. */
tsr_array tsr__reshaped(const tsr_steps *s, tsr_array x, const tsr_dims *shape);
/** Makes v with the axes merged that the same region axis moves with. Returns false if some region
 * axis still moves with several. */
bool tsr__merge_axes(const tsr_view *v, tsr_view *out);

#endif
