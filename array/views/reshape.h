/* Merges the axes of views. */
#ifndef TSR_RESHAPE_H
#define TSR_RESHAPE_H

#include "partition/partition.h"

/** Makes v with the axes merged that the same region axis moves with. Returns false if some region
 * axis still moves with several. */
bool tsr__merge_axes(const tsr_view *v, tsr_view *out);

#endif
