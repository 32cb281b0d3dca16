/* Merging the axes of views. */
#ifndef TSR_RESHAPE_H
#define TSR_RESHAPE_H

#include "partition/partition.h"

/** v with the axes merged that one row moves with; false if a row still has several. */
bool tsr__merge_axes(const tsr_view *v, tsr_view *out);

#endif
