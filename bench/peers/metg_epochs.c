/* METG by hand, with threads: each has its part of the tasks, publishes the number of its steps
 * that are done, and spins until those that it depends on have done as many.
 *
 *   metg_epochs PATTERN WIDTH [THREADS]      prints `us=… check=…` */
#include "bench/peers/metg.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MOST_THREADS = 64 };

typedef struct part {
  _Alignas(128) _Atomic int64_t done; /* steps */
} part;

typedef struct team {
  metg_grid grid;
  int n_threads;
  int64_t iterations, n_steps, first; /* first: steps of earlier runs */
  metg_output outputs[2][256];
  part parts[MOST_THREADS];
  _Alignas(128) _Atomic int64_t started, finished;
} team;

typedef struct member {
  team *of;
  int number;
} member;

static void relax(void)
{
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

static void steps(team *t, int me)
{
  const metg_grid *g = &t->grid;
  const int from = metg_begin(g, me, t->n_threads), to = metg_begin(g, me + 1, t->n_threads);
  for (int64_t s = 0; s < t->n_steps; s++) {
    const int reach = metg_reach(g, s), was = s > 0 ? metg_reach(g, s - 1) : 0;
    const int far = reach > was ? reach : was; /* those that read what is overwritten, too */
    for (int p = 0; p < t->n_threads; p++)
      if (p != me && metg_begin(g, p + 1, t->n_threads) > from - far &&
          metg_begin(g, p, t->n_threads) < to + far)
        while (atomic_load_explicit(&t->parts[p].done, memory_order_acquire) < t->first + s)
          relax();
    for (int i = from; i < to; i++)
      t->outputs[(s + 1) & 1][i] =
          metg_run(g, t->iterations, reach, i, t->outputs[s & 1], 0, (double)s);
    atomic_store_explicit(&t->parts[me].done, t->first + s + 1, memory_order_release);
  }
}

static void *work(void *arg)
{
  const member *m = arg;
  team *t = m->of;
  cpu_set_t cores, one;
  int core = -1;
  sched_getaffinity(0, sizeof cores, &cores);
  for (int k = 0; k <= m->number && core + 1 < CPU_SETSIZE; k++)
    while (++core < CPU_SETSIZE && !CPU_ISSET(core, &cores)) {
    }
  CPU_ZERO(&one);
  if (core < CPU_SETSIZE) CPU_SET(core, &one);
  if (core < CPU_SETSIZE) sched_setaffinity(0, sizeof one, &one);
  for (int64_t run = 1; m->number > 0; run++) {
    while (atomic_load_explicit(&t->started, memory_order_acquire) < run) relax();
    if (t->n_steps < 0) break;
    steps(t, m->number);
    atomic_fetch_add_explicit(&t->finished, 1, memory_order_release);
  }
  return NULL;
}

static void start(team *t)
{
  atomic_store(&t->finished, 0);
  atomic_fetch_add_explicit(&t->started, 1, memory_order_release);
}

static double run(void *arg, const metg_grid *g, int64_t iterations, int64_t n_steps)
{
  team *t = arg;
  (void)g;
  memset(t->outputs, 0, sizeof t->outputs);
  t->iterations = iterations;
  t->n_steps = n_steps;
  const double begin = peer_seconds();
  start(t);
  steps(t, 0);
  while (atomic_load_explicit(&t->finished, memory_order_acquire) < t->n_threads - 1) relax();
  const double seconds = peer_seconds() - begin;
  t->first += n_steps;
  return seconds;
}

int main(int argc, char **argv)
{
  static team t;
  pthread_t threads[MOST_THREADS];
  member members[MOST_THREADS];
  t.n_threads = (int)peer_argument(argc, argv, 3, 2);
  if (t.n_threads > MOST_THREADS) return 2;
  t.grid = metg_arguments(argc, argv, t.n_threads);
  for (int i = t.n_threads - 1; i >= 0; i--) {
    members[i] = (member){&t, i};
    if (i > 0 && pthread_create(&threads[i], NULL, work, &members[i]) != 0) return 1;
    if (i == 0) work(&members[i]);
  }
  run(&t, &t.grid, METG_CHECK_ITERATIONS, METG_CHECK_STEPS);
  const double check = metg_check(t.grid.width, t.outputs[METG_CHECK_STEPS & 1]);
  const double us = metg_search(run, &t, &t.grid);
  t.n_steps = -1;
  start(&t);
  for (int i = 1; i < t.n_threads; i++) pthread_join(threads[i], NULL);
  peer_report(us * 1e-6, 1, check);
  return 0;
}
