/* Ours: METG, the smallest task worth a core, of tasks that are points of an array of complex128,
 * each worth a call of its own, grain(1).
 *
 *   metg PATTERN WIDTH      prints `us=… check=…` (bench/peers/metg.h)
 *
 * The tasks of the pattern `trivial` update their own outputs in place, since what nobody reads is
 * not computed. */
#include "bench/bench.h"
#include "bench/peers/metg.h"

/* What the calls of a step have beside arrays; without holes, so that all bytes are alike. */
typedef struct step {
  metg_grid grid;
  int reach;
  int64_t iterations;
} step;

static int points(const tsr_task_box *box)
{
  const step *s = box->data;
  const tsr_task_argument *in = &box->in[s->grid.pattern == METG_ALL_TO_ALL], *out = box->out;
  metg_output *after = out->data;
  const metg_output *before = in->data;
  const int at = (int)box->offset[0];
  const int first = s->grid.pattern == METG_ALL_TO_ALL ? 0 : at;
  for (int i = 0; i < box->shape[0]; i++)
    after[i] = metg_run(&s->grid, s->iterations, s->reach, at + i, before, first, 0);
  return 0;
}

static int update(const tsr_task_box *box)
{
  const step *s = box->data;
  metg_output *x = box->in[0].data;
  for (int i = 0; i < box->shape[0]; i++)
    x[i] = metg_task(s->iterations, (int)box->offset[0] + i, 0, x[i].steps);
  return 0;
}

typedef struct grid {
  tsr_array x;
  tsr_function by_reach[16];
} grid;

static tsr_function task_of(const metg_grid *g, int reach)
{
  char inputs[96];
  if (g->pattern == METG_TRIVIAL)
    return tsr_task("update", "inout complex128 x, grain(1)", "", update);
  if (g->pattern == METG_ALL_TO_ALL)
    return tsr_task("all", "complex128 own, raw complex128 x, grain(1)", "complex128 y", points);
  snprintf(inputs, sizeof inputs, "complex128 x halo(%d), grain(1)", reach);
  return tsr_task("near", inputs, "complex128 y", points);
}

static void advance(grid *x, const step *s)
{
  TSR_SCOPE();
  const tsr_function f = x->by_reach[__builtin_ctz((unsigned)s->reach | 256)];
  tsr_array y = tsr_null();
  if (s->grid.pattern == METG_TRIVIAL) {
    tsr_call_data(NULL, f, s, sizeof *s, x->x);
    return;
  }
  if (s->grid.pattern == METG_ALL_TO_ALL)
    tsr_call_data(&y, f, s, sizeof *s, x->x, x->x);
  else
    tsr_call_data(&y, f, s, sizeof *s, x->x);
  tsr_replace(&x->x, y);
}

static double run(void *arg, const metg_grid *g, int64_t iterations, int64_t n_steps)
{
  grid *x = arg;
  step s = {.grid = *g, .iterations = iterations};
  tsr_assign(x->x, 0.0);
  tsr_barrier();
  const double begin = tsr_time();
  for (int64_t i = 0; i < n_steps; i++) {
    s.reach = metg_reach(g, i);
    advance(x, &s);
  }
  tsr_barrier();
  return tsr_time() - begin;
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  metg_output outputs[256];
  const metg_grid g = metg_arguments(argc, argv, (int)peer_argument(argc, argv, 3, 2));
  grid x = {.x = tsr_zeros(TSR_SHAPE(g.width), TSR_COMPLEX128)};
  for (int k = 0; k < 9; k++) x.by_reach[k] = task_of(&g, 1 << k);
  run(&x, &g, METG_CHECK_ITERATIONS, METG_CHECK_STEPS);
  tsr_to_host(x.x, outputs);
  const double check = metg_check(g.width, outputs), us = metg_search(run, &x, &g);
  bench_report(us * 1e-6, 1, check);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
