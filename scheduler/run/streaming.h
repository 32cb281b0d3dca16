/* Streaming: a device's chunks run on data that is not in its memory, by way of a ring of
 * entries. */
#ifndef TSR_RUN_STREAMING_H
#define TSR_RUN_STREAMING_H

#include "scheduler/state.h"

/** The most entries of a ring. */
#define TSR_STREAMING_ENTRIES 3

/** The bytes that one point of a group of n_accesses accesses may take: the least for an entry. */
size_t tsr__streaming_least(int32_t n_accesses);

/** Get a ring of at least `bytes` in the spare memory of place `here`, for the next run, with as
 * many entries of at least `least` bytes as it has space for, up to TSR_STREAMING_ENTRIES. bytes >=
 * least. False: there is no memory for that. */
bool tsr__streaming_open(tsr_scheduler *s, int here, size_t bytes, size_t least);
/** Free what streaming keeps for the place, but for the ring. At the end. */
void tsr__streaming_destroy(tsr_scheduler *s, int here);

#endif
