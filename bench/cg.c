/* Ours: time per step of conjugate gradients for the one-dimensional Poisson equation, the residual
 * read in each; from the start again every 100 steps.
 *
 *   cg N STEPS WARMUP      prints `us=… check=…` (microseconds per step, last residual squared) */
#include "bench/bench.h"

typedef struct solver {
  tsr_array b, x, r, p, q;
} solver;

static double restart(const solver *s)
{
  tsr_assign(s->x, 0.0);
  tsr_assign(s->r, s->b);
  tsr_assign(s->p, s->b);
  return tsr_item_f64(tsr_eval("sum(r*r)", s->r));
}

/* rr: the residual squared; returns the new one. */
static double step(const solver *s, double rr)
{
  TSR_SCOPE();
  const tsr_array x = s->x, r = s->r, p = s->p, q = s->q;
  tsr_exec("q[:] = 2*p; q[1:] -= p[:-1]; q[:-1] -= p[1:]", q, p);
  tsr_array alpha = tsr_eval("rr / sum(p*q)", rr, p, q);
  tsr_exec("x += alpha*p", x, p, alpha);
  tsr_exec("r -= alpha*q", r, q, alpha);
  const double rr_new = tsr_item_f64(tsr_eval("sum(r*r)", r));
  const double beta = rr_new / rr;
  tsr_exec("p[:] = r + beta*p", p, r, beta);
  return rr_new;
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 1000),
                n_steps = peer_argument(argc, argv, 2, 1000);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 100);
  const solver s = {.b = tsr_add(1, tsr_multiply(0.001, tsr_arange(0, n, 1))),
                    .x = tsr_zeros(TSR_SHAPE(n)),
                    .r = tsr_zeros(TSR_SHAPE(n)),
                    .p = tsr_zeros(TSR_SHAPE(n)),
                    .q = tsr_zeros(TSR_SHAPE(n))};
  double start = 0, rr = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    if (i % 100 == 0) rr = restart(&s);
    rr = step(&s, rr);
  }
  const double elapsed = bench_clock() - start;
  bench_report(elapsed, n_steps, rr);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
