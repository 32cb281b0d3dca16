/* Streaming: a device's chunks run on data that is not in its memory, by way of a ring of slots. */
#ifndef TSR_RUN_STREAMING_H
#define TSR_RUN_STREAMING_H

#include "scheduler/state.h"

/** The least bytes of a ring for chunks of n_accesses accesses: one point in each slot. */
size_t tsr__streaming_least(int32_t n_accesses);

/** Get a ring of at most `bytes` in the memory of place `here`. False: there is no memory for that.
 */
bool tsr__streaming_open(tsr_scheduler *s, int here, size_t bytes);
/** Give the ring back, if there is one. The queues must be empty. */
void tsr__streaming_close(tsr_scheduler *s, int here);

#endif
