/* What the hand-written peers share: a clock, memory as a careful C programmer takes it, and the
 * choice of vectors. */
#ifndef TESSERA_BENCH_PEER_H
#define TESSERA_BENCH_PEER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

/** Seconds on the monotonic clock. */
static inline double peer_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Untouched memory aligned to 2 MB, in huge pages where the system gives them. Ends the program if
 * there is none. */
static inline double *peer_alloc(size_t n_elems)
{
  const size_t huge = (size_t)2 << 20;
  const size_t bytes = (n_elems * sizeof(double) + huge - 1) / huge * huge;
  double *p = aligned_alloc(huge, bytes);
  if (!p) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    exit(1);
  }
  madvise(p, bytes, MADV_HUGEPAGE);
  return p;
}

/** argv[i] as a number, or the default; ends the program unless it is at least 1. */
static inline int64_t peer_argument(int argc, char **argv, int i, int64_t otherwise)
{
  const int64_t value = argc > i ? atoll(argv[i]) : otherwise;
  if (value < 1) {
    fprintf(stderr, "argument %d: %s is not a positive number\n", i, argv[i]);
    exit(2);
  }
  return value;
}

#endif
