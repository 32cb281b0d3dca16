/* Ours: a product of two matrices of float64.
 *
 *   matmul N STEPS WARMUP      prints `us=… check=…` (microseconds per product, the mean of the
 *                              product's squares) */
#include "bench/bench.h"

/* n x n integers below m, as float64. */
static tsr_array matrix(int64_t n, int rows, int columns, int m)
{
  tsr_array i = tsr_multiply(tsr_arange(0, (double)n, 1), rows);
  tsr_array j = tsr_multiply(tsr_arange(0, (double)n, 1), columns);
  tsr_array x = tsr_zeros(TSR_SHAPE(n, n));
  tsr_assign(x, tsr_remainder(tsr_add(tsr_expand_dims(i, 1), j), m));
  return x;
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 4096), n_steps = peer_argument(argc, argv, 2, 1);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 1);
  tsr_array a = matrix(n, 7, 3, 11), b = matrix(n, 5, 2, 13), c = tsr_zeros(TSR_SHAPE(n, n));
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    tsr_replace(&c, tsr_matmul(a, b));
    tsr_flush();
  }
  const double seconds = bench_clock() - start;
  bench_report(seconds, n_steps, tsr_item_f64(tsr_mean(tsr_multiply(c, c))));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
