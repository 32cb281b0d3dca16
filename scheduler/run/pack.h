/* The memory of a device that messages are packed in. */
#ifndef TSR_RUN_PACK_H
#define TSR_RUN_PACK_H

#include "scheduler/state.h"

/** Give back the memory that faces were packed in (pack.c); false: there was none. The queues are
 * empty. */
bool tsr__pack_close(tsr_scheduler *s, int here);
void tsr__pack_destroy(tsr_scheduler *s);

#endif
