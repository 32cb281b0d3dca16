/* Runs a function on n ranks of a local transport, one thread each. */
#ifndef TSR_TEST_LOCAL_RANKS_H
#define TSR_TEST_LOCAL_RANKS_H

#include <pthread.h>
#include <stdlib.h>

#include "runtime/transport/transport.h"

/** A rank's part of a test; returns how many expectations failed. */
typedef int (*local_rank_fn)(tsr_transport *t, void *user);

typedef struct local_rank {
  tsr_transport *t;
  local_rank_fn fn;
  void *user;
  int failures;
  pthread_t thread;
} local_rank;

static inline void *local_rank_main(void *arg)
{
  local_rank *rank = arg;
  tsr__transport_local_enter(rank->t);
  rank->failures = rank->fn(rank->t, rank->user);
  if (rank->t->rank % 2) tsr__transport_local_leave(rank->t); /* close does it for the others */
  rank->t->ops->close(rank->t);
  return NULL;
}

/** Runs fn on n ranks and returns the sum of what it returned. */
static inline int local_ranks_run(int n, uint64_t seed, local_rank_fn fn, void *user)
{
  local_rank *ranks = calloc((size_t)n, sizeof *ranks);
  tsr_transport **ends = calloc((size_t)n, sizeof *ends);
  int failures = tsr__transport_local(n, seed, ends) == TSR_OK ? 0 : 1;
  for (int r = 0; r < n; r++) {
    ranks[r] = (local_rank){.t = ends[r], .fn = fn, .user = user};
    pthread_create(&ranks[r].thread, NULL, local_rank_main, &ranks[r]);
  }
  for (int r = 0; r < n; r++) {
    pthread_join(ranks[r].thread, NULL);
    failures += ranks[r].failures;
  }
  free(ends);
  free(ranks);
  return failures;
}

#endif
