/* The streaming ring: memory of a device for chunks whose data is not in it. */
#ifndef TSR_RUN_STREAMING_H
#define TSR_RUN_STREAMING_H

#include "scheduler/state.h"

/** Bytes of a streaming ring that one point of so many accesses takes. */
size_t tsr__streaming_least(int32_t n_accesses);

/** Let chunks of this place's run on data that is not in its memory: at most `bytes` of it. False:
 * there is no room for that. */
bool tsr__streaming_open(tsr_scheduler *s, int here, size_t bytes);
void tsr__streaming_close(tsr_scheduler *s, int here); /* none is ignored; the queues are empty */

#endif
