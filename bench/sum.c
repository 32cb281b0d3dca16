/* Ours: a sum, read each time.
 *
 *   sum N STEPS WARMUP      prints `us=… check=…` (microseconds per sum, the sum) */
#include "bench/bench.h"

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 1 << 26),
                n_steps = peer_argument(argc, argv, 2, 5);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 2);
  tsr_array x = tsr_arange(0, n, 1);
  double start = 0, sum = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    sum = tsr_item_f64(tsr_sum(x));
  }
  const double elapsed = bench_clock() - start;
  bench_report(elapsed, n_steps, sum);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
