/* The pace of a plan (pace.h). */
#include "scheduler/run/pace.h"

#include <string.h>

#include "runtime/base/error.h"

/* The first runs are not like the others: the compiler works beside them, and they touch memory
 * first. So the trials begin when the runs have taken SPENT_NS in all. Each candidate has N_TRIES
 * runs in a row, since its first finds the data in other cores' caches. After LEAST_RUNS the trials
 * begin again, because all runs of a candidate may have been disturbed, and because the load of the
 * machine or the work of a run may have changed. Each time that the choice stays what it was they
 * begin again after twice as many runs, up to MOST_RUNS. */
enum { N_TRIES = 4, LEAST_RUNS = 256, MOST_RUNS = 4096, SPENT_NS = 300000000 };

/* Trials of a run that takes longer cost more than they show. */
static const uint64_t long_ns = 20000000;

static int threads_of(int candidate, int n_threads)
{
  const int n = n_threads >> candidate;
  return n > 0 && candidate + 1 < TSR_PACE_MOST ? n : 1;
}

static int n_candidates(int n_threads)
{
  int n = 1;
  while (threads_of(n - 1, n_threads) > 1) n++;
  TSR_ASSERT(n <= TSR_PACE_MOST);
  return n;
}

/* The candidate of the next run; -1: none is tried. */
static int tried(const tsr_pace *p, int n_threads)
{
  if (p->is_long || p->spent_ns < SPENT_NS) return -1;
  const uint32_t trial = p->n_runs / N_TRIES;
  return trial < (uint32_t)n_candidates(n_threads) ? (int)trial : -1;
}

int tsr__pace_threads(const tsr_pace *p, int n_threads)
{
  const int candidate = tried(p, n_threads);
  return threads_of(candidate >= 0 ? candidate : p->chosen, n_threads);
}

/* The fastest of the first n candidates. Fewer threads must be clearly better: a single disturbed
 * trial of all threads must not decide. */
static int fastest(const tsr_pace *p, int n)
{
  int best = 0;
  for (int c = 1; c < n; c++)
    if (p->least_ns[c] < p->least_ns[best] - p->least_ns[best] / 16) best = c;
  return best;
}

/* The trials are over. */
static void choose_threads(tsr_pace *p, int candidate)
{
  const bool stays = p->n_between > 0 && p->chosen == candidate;
  p->n_between = stays ? 2 * p->n_between : LEAST_RUNS;
  if (p->n_between > MOST_RUNS) p->n_between = MOST_RUNS;
  p->chosen = (uint8_t)candidate;
}

void tsr__pace_note(tsr_pace *p, int n_threads, uint64_t ns)
{
  const int candidate = tried(p, n_threads), n = n_candidates(n_threads);
  if (p->spent_ns < SPENT_NS) {
    p->spent_ns += ns;
    return;
  }
  p->n_runs++;
  if (candidate >= 0) {
    uint64_t *least = &p->least_ns[candidate];
    if (*least == 0 || ns < *least) *least = ns;
    if (p->n_runs == N_TRIES && *least > long_ns) {
      p->is_long = true;
      choose_threads(p, 0);
    }
    const uint32_t end = (uint32_t)n * N_TRIES;
    const uint64_t of_all_ns = p->least_ns[0];
    /* Where fewer threads are much slower, the rest of the trials would only cost time. */
    if (candidate > 0 && ns > of_all_ns + of_all_ns / 2) p->n_runs = end;
    if (p->n_runs == end) choose_threads(p, fastest(p, candidate + 1));
  }
  if (p->n_between == 0 || p->n_runs < p->n_between) return;
  p->n_runs = 0;
  p->is_long = false;
  memset(p->least_ns, 0, sizeof p->least_ns);
}
