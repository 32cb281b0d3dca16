/* Ours: time per step of the seven-point Jacobi in three dimensions.
 *
 *   heat3d N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of the grid) */
#include "bench/bench.h"

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 512), n_steps = peer_argument(argc, argv, 2, 10);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 4);
  tsr_array u = tsr_ones(TSR_SHAPE(n + 2, n + 2, n + 2));
  tsr_exec("u[0,:,:] = 40.0; u[-1,:,:] = -5.0", u);
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    tsr_exec(
        "u[1:-1,1:-1,1:-1] = (u[1:-1,1:-1,1:-1] + u[:-2,1:-1,1:-1] + u[2:,1:-1,1:-1]"
        " + u[1:-1,:-2,1:-1] + u[1:-1,2:,1:-1] + u[1:-1,1:-1,:-2] + u[1:-1,1:-1,2:]) * (1.0/7)",
        u);
  }
  const double elapsed = bench_clock() - start;
  bench_report(elapsed, n_steps, tsr_item_f64(tsr_mean(u)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
