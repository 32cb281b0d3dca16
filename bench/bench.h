/* What our programs share: the clock around the timed steps. */
#ifndef TESSERA_BENCH_BENCH_H
#define TESSERA_BENCH_BENCH_H

#include "bench/peers/peer.h"
#include "tessera.h"

/** Everything recorded before has run, on all ranks: the clock, in seconds. */
static inline double bench_clock(void)
{
  tsr_barrier();
  return peer_seconds();
}

/** Prints what bench/run.py reads, once: microseconds per step, and a number to compare with the
 * peers'. seconds: a variable, not a call of the clock: arguments are evaluated in any order, and
 * what computes `check` must not be timed. Collective. */
static inline void bench_report(double seconds, int64_t n_steps, double check)
{
  tsr_printf("us=%.4f check=%.12g\n", 1e6 * seconds / (double)n_steps, check);
}

#endif
