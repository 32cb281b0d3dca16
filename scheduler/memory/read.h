/* What the files that hand values out share. */
#ifndef TSR_MEMORY_READ_H
#define TSR_MEMORY_READ_H

#include "scheduler/state.h"

/** What is lost of a value that a failure took (read.c). */
tsr_status tsr__lost(tsr_scheduler *s, const tsr_region *region, const tsr_location *where);

#endif
