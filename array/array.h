/* The array layer: what a user calls. Other folders use the public headers; this one gives them to
 * C code of the project. */
#ifndef TSR_ARRAY_H
#define TSR_ARRAY_H

#include "tessera.h"
#include "scheduler/scheduler.h"

/** Counters of the current context's scheduler, and its memory (of all of the rank's places; the
 * peak is the sum of theirs): for tests, benchmarks and `tessera info`. */
const tsr_counters *tsr__context_counters(void);
tsr_memory_stats tsr__context_memory(void);
/** Text of the current context's window of recorded operations. malloc'd. */
char *tsr__context_window_text(void);
/** Arrays alive in the current context. */
int64_t tsr__context_n_arrays(void);

#endif
