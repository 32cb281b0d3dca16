/* The device memory that messages are packed in. */
#ifndef TSR_RUN_PACK_H
#define TSR_RUN_PACK_H

#include "scheduler/state.h"

/** Give back the memory that messages of this rank's place `here` are packed in. Returns false if
 * there was none. The queues must be empty. */
bool tsr__pack_close(tsr_scheduler *s, int here);
/** Free everything that packing keeps, for all places. */
void tsr__pack_destroy(tsr_scheduler *s);

#endif
