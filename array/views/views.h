/* Views by items of a slice, as other rooms ask for them. */
#ifndef TSR_VIEWS_H
#define TSR_VIEWS_H

#include "array/core/array_int.h"
#include "array/views/slice_cache.h"

/** Returns the view x[items]. */
tsr_array tsr__slice_items(const tsr_location *where, tsr_array x, int n,
                           const tsr_slice_item *items);
/** Returns the view x[items] inside a call. `memo` holds the result of the last such call. */
tsr_array tsr__slice_again(const tsr_location *where, tsr_array x, int n,
                           const tsr_slice_item *items, tsr_slice_change change,
                           tsr_slice_memo *memo);

#endif
