/* Whether streaming stores pay here. */
#ifndef TSR_RUN_STREAM_STORES_H
#define TSR_RUN_STREAM_STORES_H

#include "tessera/base.h"

enum { TSR_STREAM_TRIALS = 16 };

/** Trials of whether streaming stores pay on this machine now. All fields are atomic: any worker
 * writes. */
typedef struct tsr_stream_stores {
  bool off;          /* the last trial found ordinary stores faster */
  uint32_t n_chunks; /* chunks so far whose stores may stream */
  /* [chunk of the trial] ns per point, the bits of a float; 0: not measured */
  uint32_t cost_bits[TSR_STREAM_TRIALS];
} tsr_stream_stores;

/** One chunk, in a trial or not. */
typedef struct tsr_stream_trial {
  int number;        /* its number within the trial; -1: it is in none */
  uint64_t began_ns; /* when it began, if it is in a trial */
} tsr_stream_trial;

/** Begin a chunk whose stores may stream. Returns whether they should. Never waits. */
bool tsr__stream_stores_begin(tsr_stream_stores *f, tsr_stream_trial *trial);
/** End it: a trial notes the time per point. */
void tsr__stream_stores_end(tsr_stream_stores *f, const tsr_stream_trial *trial, int64_t n_points);

#endif
