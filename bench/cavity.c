/* Ours: time per step of the lid-driven cavity, the scheme of examples/cavity.c, from
 * a flow that is nowhere 0: what spreads from the lid would fade to denormals.
 *
 *   cavity N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of |u|) */
#include "bench/bench.h"

typedef struct flow {
  tsr_array u, v, p;
} flow;

static void step(const flow *f, double d, double r, double c)
{
  TSR_SCOPE();
  const tsr_array u = f->u, v = f->v, p = f->p;
  tsr_array uv = tsr_eval("0.25 * (u[1:,:] + u[:-1,:]) * (v[:,1:] + v[:,:-1])", u, v);
  tsr_array uc = tsr_eval("0.5 * (u[1:-1,1:] + u[1:-1,:-1])", u);
  tsr_array vc = tsr_eval("0.5 * (v[1:,1:-1] + v[:-1,1:-1])", v);
  tsr_array uu = tsr_eval("p + uc*uc", p, uc);
  tsr_array vv = tsr_eval("p + vc*vc", p, vc);
  tsr_exec(
      "u[1:-1,1:-1] += d * (u[1:-1,2:] + u[1:-1,:-2] + u[2:,1:-1] + u[:-2,1:-1] - 4*u[1:-1,1:-1])"
      "              - r * (uu[:,1:] - uu[:,:-1] + uv[1:,1:-1] - uv[:-1,1:-1])",
      u, uu, uv, d, r);
  tsr_exec(
      "v[1:-1,1:-1] += d * (v[1:-1,2:] + v[1:-1,:-2] + v[2:,1:-1] + v[:-2,1:-1] - 4*v[1:-1,1:-1])"
      "              - r * (vv[1:,:] - vv[:-1,:] + uv[1:-1,1:] - uv[1:-1,:-1])",
      v, vv, uv, d, r);
  tsr_exec("u[0,:] = -u[1,:]; u[-1,:] = 2 - u[-2,:]; v[:,0] = -v[:,1]; v[:,-1] = -v[:,-2]", u, v);
  tsr_exec("p[:,:] -= c * (u[1:-1,1:] - u[1:-1,:-1] + v[1:,1:-1] - v[:-1,1:-1])", p, u, v, c);
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 512), n_steps = peer_argument(argc, argv, 2, 100);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 5);
  const double h = 1 / (double)n, dt = 0.2 * h, viscosity = 0.2 * h, beta = 2;
  const flow f = {.u = tsr_full(TSR_SHAPE(n + 2, n + 1), 0.1),
                  .v = tsr_full(TSR_SHAPE(n + 1, n + 2), 0.1),
                  .p = tsr_zeros(TSR_SHAPE(n, n))};
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    step(&f, viscosity * dt / (h * h), dt / h, beta * dt / h);
  }
  const double elapsed = bench_clock() - start;
  bench_report(elapsed, n_steps, tsr_item_f64(tsr_mean(tsr_absolute(f.u))));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
