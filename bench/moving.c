/* Ours: row after row of one array from another's, by a slice that moves.
 *
 *   moving N STEPS WARMUP      prints `us=… check=…` (microseconds per row of N, mean of all rows)
 */
#include "bench/bench.h"

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 1000),
                n_steps = peer_argument(argc, argv, 2, 10000);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 10000);
  const int64_t n_rows = (n_steps > n_warmup ? n_steps : n_warmup) + 1;
  tsr_array h = tsr_zeros(TSR_SHAPE(n_rows, n)), x = tsr_full(TSR_SHAPE(n_rows, n), 3.0);
  tsr_assign(tsr_slice(x, "100:, :"), 5.0);
  for (int64_t t = 1; t <= n_warmup; t++) tsr_exec("h[t,:] = 0.5*x[t-1,:]", h, x, t);
  const double start = bench_clock();
  for (int64_t t = 1; t <= n_steps; t++) tsr_exec("h[t,:] = 0.5*x[t-1,:]", h, x, t);
  const double elapsed = bench_clock() - start;
  bench_report(elapsed, n_steps, tsr_item_f64(tsr_mean(h)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
