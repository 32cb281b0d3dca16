/* The kernels that move points within a device's memory, for packing and for copies. */
#ifndef TSR_RUN_MOVERS_H
#define TSR_RUN_MOVERS_H

#include "scheduler/state.h"

/** Make the kernels, where the rank has devices. After the launcher. */
void tsr__movers_create(tsr_scheduler *s);
/** The kernel that moves elements of so many bytes, a power of two up to 16, along up to
 * TSR_MAX_NDIM axes. NULL: the device does not run it. Borrowed; thread-safe. */
const tsr_kernel *tsr__mover(const tsr_scheduler *s, size_t elem_bytes);
/** Free the kernels. At the end. */
void tsr__movers_destroy(tsr_scheduler *s);

#endif
