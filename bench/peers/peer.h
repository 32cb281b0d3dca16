/* What the hand-written peers share: a clock, memory as a careful C programmer takes it, arguments
 * and the line that is printed. */
#ifndef TESSERA_BENCH_PEER_H
#define TESSERA_BENCH_PEER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/** Seconds on the monotonic clock. */
static inline double peer_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int peer_compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/** The median of n numbers, which are sorted. */
static inline double peer_median(double *v, int n)
{
  qsort(v, (size_t)n, sizeof *v, peer_compare);
  return v[n / 2];
}

/** Untouched memory aligned to 2 MB, in huge pages where the system gives them; released by free.
 * Ends the program if there is none. */
static inline void *peer_pages(size_t bytes)
{
  const size_t huge = (size_t)2 << 20, whole = (bytes + huge - 1) / huge * huge;
  void *p = aligned_alloc(huge, whole);
  if (!p) {
    fprintf(stderr, "no memory for %zu bytes\n", whole);
    exit(1);
  }
  madvise(p, whole, MADV_HUGEPAGE);
  return p;
}

/** The same, for doubles. */
static inline double *peer_alloc(size_t n_elems)
{
  return peer_pages(n_elems * sizeof(double));
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

/** Is argv[i] this word? */
static inline int peer_word(int argc, char **argv, int i, const char *word)
{
  return argc > i && strcmp(argv[i], word) == 0;
}

/** What bench/run.py reads: microseconds per step, and a number that the program's peers must
 * print, too. */
static inline void peer_report(double seconds, int64_t n_steps, double check)
{
  printf("us=%.4f check=%.12g\n", 1e6 * seconds / (double)n_steps, check);
}

#endif
