/* Stores around the caches save a third of the traffic on most machines and lose on some, and
 * beside some neighbours: nothing that a program can ask for tells which. So the first chunks of
 * every period that may store so do it in part with and in part without, in an order that favours
 * no worker, and what took less time per point serves the rest of the period. The choice is each
 * rank's own: it changes no bit and no message. Interpreted and compiled chunks are counted apart.
 */
#include "runtime/machine.h"
#include "scheduler/scheduler_int.h"

/* A young program is still touching its memory for the first time, which says nothing. */
enum { N_TRIALS = 32, PERIOD = 1024, YOUNG_PERIOD = 128 };

static void decide(tsr_flows *f)
{
  double cost[2];
  bool tried = true;
  for (int on = 0; on < 2; on++) {
    const uint64_t n_points = __atomic_exchange_n(&f->n_points[on], 0, __ATOMIC_RELAXED);
    cost[on] = (double)__atomic_exchange_n(&f->ns[on], 0, __ATOMIC_RELAXED) / (double)n_points;
    tried = tried && n_points > 0;
  }
  if (!tried) return;
  __atomic_store_n(&f->off, cost[0] < 0.95 * cost[1], __ATOMIC_RELAXED);
}

bool tsr__flows_begin(tsr_flows *f, uint64_t *began_ns)
{
  const uint32_t count = __atomic_fetch_add(&f->n_chunks, 1, __ATOMIC_RELAXED);
  const uint32_t n = count % (count < PERIOD ? YOUNG_PERIOD : PERIOD);
  *began_ns = n < N_TRIALS ? tsr__now_ns() : 0;
  if (n < N_TRIALS) return __builtin_parity(n);
  if (n == N_TRIALS) decide(f);
  return !__atomic_load_n(&f->off, __ATOMIC_RELAXED);
}

void tsr__flows_end(tsr_flows *f, bool on, uint64_t began_ns, int64_t n_points)
{
  if (began_ns == 0) return;
  __atomic_fetch_add(&f->ns[on], tsr__now_ns() - began_ns, __ATOMIC_RELAXED);
  __atomic_fetch_add(&f->n_points[on], (uint64_t)n_points, __ATOMIC_RELAXED);
}
