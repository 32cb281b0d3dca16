/* Ours: x += 2*y on small arrays.
 *
 *   small N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of x) */
#include "bench/bench.h"

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 1024),
                n_steps = peer_argument(argc, argv, 2, 100000);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 10000);
  tsr_array x = tsr_zeros(TSR_SHAPE(n)), y = tsr_ones(TSR_SHAPE(n));
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    tsr_exec("x += 2*y", x, y);
  }
  const double elapsed = bench_clock() - start;
  bench_report(elapsed, n_steps, tsr_item_f64(tsr_mean(x)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
