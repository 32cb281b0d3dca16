/* Flushing, as reading and lending ask for it. */
#ifndef TSR_FLUSH_H
#define TSR_FLUSH_H

#include "scheduler/state.h"

/** Run the window as far as `target` (or NULL) and all that must be stored need it. everything: all
 * of it. Collective. Returns the first failure that all ranks see. */
tsr_status tsr__flush_for(tsr_scheduler *s, tsr_region *target, bool everything);

#endif
