/* What the files share that hand values out. */
#ifndef TSR_MEMORY_READ_H
#define TSR_MEMORY_READ_H

#include "scheduler/state.h"

/** Report that the region's value was lost to a failure: the error says where the value was made.
 * Returns TSR_ERR_MEMORY. */
tsr_status tsr__lost(tsr_scheduler *s, const tsr_region *region, const tsr_location *where);

#endif
