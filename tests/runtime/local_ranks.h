/* Runs a function on n ranks of a local transport, and counts what failed. */
#ifndef TSR_TEST_LOCAL_RANKS_H
#define TSR_TEST_LOCAL_RANKS_H

#include "tests/support/rank_threads.h"

/** A rank's part of a test; returns how many expectations failed. */
typedef int (*local_rank_fn)(tsr_transport *t, void *user);

typedef struct local_rank {
  local_rank_fn fn;
  void *user;
  int failures;
} local_rank;

static inline void local_rank_main(tsr_transport *t, void *arg)
{
  local_rank *rank = arg;
  rank->failures = rank->fn(t, rank->user);
  if (t->rank % 2) tsr__transport_local_leave(t); /* close does it for the others */
  t->ops->close(t);
}

/** Runs fn on n ranks and returns the sum of what it returned. */
static inline int local_ranks_run(int n, uint64_t seed, local_rank_fn fn, void *user)
{
  local_rank *ranks = calloc((size_t)n, sizeof *ranks);
  for (int r = 0; r < n; r++) ranks[r] = (local_rank){.fn = fn, .user = user};
  int failures = rank_threads_run(n, seed, local_rank_main, ranks, sizeof *ranks) ? 0 : 1;
  for (int r = 0; r < n; r++) failures += ranks[r].failures;
  free(ranks);
  return failures;
}

#endif
