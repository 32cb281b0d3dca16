/* Ours: an array filled with random numbers, uniform (KIND 1) or normal (2).
 *
 *   random N STEPS WARMUP KIND      prints `us=… check=…` (microseconds per fill; the mean of the
 *                                   numbers, or of their squares) */
#include "bench/bench.h"

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 1 << 24),
                n_steps = peer_argument(argc, argv, 2, 10);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 5);
  const bool is_normal = peer_argument(argc, argv, 4, 1) == 2;
  tsr_array x = tsr_zeros(TSR_SHAPE(n));
  tsr_rng rng = tsr_default_rng(1);
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    if (is_normal)
      tsr_assign(x, tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(n)));
    else
      tsr_assign(x, tsr_rng_uniform(&rng, 0, 1, TSR_SHAPE(n)));
    tsr_flush();
  }
  const double seconds = bench_clock() - start;
  bench_report(seconds, n_steps, tsr_item_f64(tsr_mean(is_normal ? tsr_multiply(x, x) : x)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
