/* Whether stores around the caches pay here. */
#ifndef TSR_RUN_STREAM_STORES_H
#define TSR_RUN_STREAM_STORES_H

#include "tessera/base.h"

enum { TSR_STREAM_TRIALS = 16 };

/** Whether stores around the caches pay here (stream_stores.c). All atomic: any worker writes. */
typedef struct tsr_stream_stores {
  bool off;
  uint32_t n_chunks;                     /* that may store so */
  uint32_t cost_bits[TSR_STREAM_TRIALS]; /* ns per point of the trial's chunks, floats; 0: none */
} tsr_stream_stores;

/** A chunk, as a part of a trial or not. */
typedef struct tsr_stream_trial {
  int place; /* in the trial; -1: in none */
  uint64_t began_ns;
} tsr_stream_trial;

/** Before and after a chunk that may store around the caches: whether to do so, and what it took.
 */
bool tsr__stream_stores_begin(tsr_stream_stores *f, tsr_stream_trial *trial);
void tsr__stream_stores_end(tsr_stream_stores *f, const tsr_stream_trial *trial, int64_t n_points);

#endif
