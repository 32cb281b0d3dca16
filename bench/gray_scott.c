/* Ours: time per step of the Gray-Scott reaction of two substances that diffuse in a periodic
 * square; a row and a column of ghosts on each side hold the opposite border.
 *
 *   gray_scott N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of v) */
#include "bench/bench.h"

static void step(tsr_array u, tsr_array v, double f, double k)
{
  TSR_SCOPE();
  tsr_array lu =
      tsr_eval("u[:-2,1:-1] + u[1:-1,:-2] - 4*u[1:-1,1:-1] + u[1:-1,2:] + u[2:,1:-1]", u);
  tsr_array lv =
      tsr_eval("v[:-2,1:-1] + v[1:-1,:-2] - 4*v[1:-1,1:-1] + v[1:-1,2:] + v[2:,1:-1]", v);
  tsr_array uvv = tsr_eval("u[1:-1,1:-1] * v[1:-1,1:-1] * v[1:-1,1:-1]", u, v);
  tsr_exec("u[1:-1,1:-1] += 0.16*lu - uvv + f*(1 - u[1:-1,1:-1])", u, lu, uvv, f);
  tsr_exec("v[1:-1,1:-1] += 0.08*lv + uvv - (f + k)*v[1:-1,1:-1]", v, lv, uvv, f, k);
  tsr_exec("u[0,:] = u[-2,:]; u[-1,:] = u[1,:]; u[:,0] = u[:,-2]; u[:,-1] = u[:,1]", u);
  tsr_exec("v[0,:] = v[-2,:]; v[-1,:] = v[1,:]; v[:,0] = v[:,-2]; v[:,-1] = v[:,1]", v);
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 1024), n_steps = peer_argument(argc, argv, 2, 100);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 5), lo = 3 * n / 8, hi = 5 * n / 8;
  tsr_array u = tsr_ones(TSR_SHAPE(n + 2, n + 2)), v = tsr_full(TSR_SHAPE(n + 2, n + 2), 0.01);
  tsr_assign(tsr_slice(u, "$:$, $:$", lo, hi, lo, hi), 0.5);
  tsr_assign(tsr_slice(v, "$:$, $:$", lo, hi, lo, hi), 0.25);
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    step(u, v, 0.035, 0.065);
  }
  const double elapsed = bench_clock() - start;
  bench_report(elapsed, n_steps, tsr_item_f64(tsr_mean(v)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
