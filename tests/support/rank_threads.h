/* Ranks that are threads of one process, over a local transport. */
#ifndef TSR_TEST_RANK_THREADS_H
#define TSR_TEST_RANK_THREADS_H

#include "runtime/transport/transport.h"

#include <pthread.h>
#include <stdlib.h>

/** What one rank does, with its own argument. It has entered the transport, and leaves or closes it
 * itself. */
typedef void (*rank_thread_fn)(tsr_transport *end, void *arg);

typedef struct rank_thread_start {
  rank_thread_fn fn;
  tsr_transport *end;
  void *arg;
  pthread_t thread;
} rank_thread_start;

static inline void *rank_thread_main(void *p)
{
  const rank_thread_start *start = p;
  tsr__transport_local_enter(start->end);
  start->fn(start->end, start->arg);
  return NULL;
}

/** Runs fn on n ranks, rank r on ends[r] with args + r * arg_bytes, and waits for them. Returns
 * whether the threads could be started. */
static inline bool rank_threads_run_on(int n, tsr_transport **ends, rank_thread_fn fn, void *args,
                                       size_t arg_bytes)
{
  bool all = true;
  rank_thread_start *ranks = calloc((size_t)n, sizeof *ranks);
  for (int r = 0; r < n && all; r++) {
    ranks[r] = (rank_thread_start){fn, ends[r], (char *)args + (size_t)r * arg_bytes, 0};
    all = pthread_create(&ranks[r].thread, NULL, rank_thread_main, &ranks[r]) == 0;
  }
  for (int r = 0; r < n && all; r++) pthread_join(ranks[r].thread, NULL);
  free(ranks);
  return all;
}

/** The same over a local transport. seed: of its order; 0: natural. */
static inline bool rank_threads_run(int n, uint64_t seed, rank_thread_fn fn, void *args,
                                    size_t arg_bytes)
{
  if (n < 1) return false;
  tsr_transport **ends = calloc((size_t)n, sizeof *ends);
  const bool all = tsr__transport_local(n, seed, ends) == TSR_OK &&
                   rank_threads_run_on(n, ends, fn, args, arg_bytes);
  free(ends);
  return all;
}

#endif
