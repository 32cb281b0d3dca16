/* METG by OpenMP tasks with depend clauses: one thread makes them, all run them.
 *
 *   metg_omp PATTERN WIDTH      prints `us=… check=…` */
#include "bench/peers/metg.h"

#include <omp.h>

typedef struct tasks {
  metg_output outputs[2][256];
} tasks;

static void make_task(const metg_grid *g, tasks *t, int64_t iterations, int64_t s, int i)
{
  int of[256];
  const int reach = metg_reach(g, s), n = metg_dependencies(g, reach, i, of);
  (void)n; /* only the clause uses it */
  metg_output *before = t->outputs[s & 1], *after = t->outputs[(s + 1) & 1];
#pragma omp task depend(iterator(k = 0                                                             \
                                 : n),                                                             \
                        in                                                                         \
                        : before[of[k]]) depend(out                                                \
                                                : after[i])                                        \
    firstprivate(before, after, i, s, reach)
  after[i] = metg_run(g, iterations, reach, i, before, 0, (double)s);
}

static double run(void *arg, const metg_grid *g, int64_t iterations, int64_t n_steps)
{
  tasks *t = arg;
  memset(t->outputs, 0, sizeof t->outputs);
  const double begin = peer_seconds();
#pragma omp parallel
#pragma omp single
  for (int64_t s = 0; s < n_steps; s++)
    for (int i = 0; i < g->width; i++) make_task(g, t, iterations, s, i);
  return peer_seconds() - begin;
}

int main(int argc, char **argv)
{
  static tasks t;
  const metg_grid g = metg_arguments(argc, argv, omp_get_max_threads());
  run(&t, &g, METG_CHECK_ITERATIONS, METG_CHECK_STEPS);
  const double check = metg_check(g.width, t.outputs[METG_CHECK_STEPS & 1]);
  peer_report(metg_search(run, &t, &g) * 1e-6, 1, check);
  return 0;
}
