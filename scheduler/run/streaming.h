/* Streaming: a device's chunks run on data that is not in its memory, by way of a ring of slots. */
#ifndef TSR_RUN_STREAMING_H
#define TSR_RUN_STREAMING_H

#include "scheduler/state.h"

/** The least bytes of a ring for chunks of n_accesses accesses: one point in each slot. */
size_t tsr__streaming_least(int32_t n_accesses);

/** Get a ring of at most `bytes` in the spare memory of place `here`, for the next run. False: there
 * is no memory for that. */
bool tsr__streaming_open(tsr_scheduler *s, int here, size_t bytes);
/** Free what streaming keeps for the place, but for the ring. At the end. */
void tsr__streaming_destroy(tsr_scheduler *s, int here);

#endif
