/* Ranges for NVIDIA's profilers (runtime/machine/ranges.h): what a rank's host does. */
#ifndef TSR_RUN_RANGES_H
#define TSR_RUN_RANGES_H

#include "runtime/machine/machine.h"

/** Begin the range of a window's flush, by its last call. It ends by range_end, in the same
 * thread. */
void tsr__range_window(const tsr_world *w, const tsr_location *where);
void tsr__range_end(const tsr_world *w);

#endif
