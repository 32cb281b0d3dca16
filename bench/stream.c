/* Ours: an expression over arrays that live in memory.
 *
 *   stream N STEPS WARMUP triad|mix      prints `us=… check=…` (microseconds per pass, mean) */
#include "bench/bench.h"

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 1 << 26),
                n_steps = peer_argument(argc, argv, 2, 5);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 2);
  const bool triad = peer_word(argc, argv, 4, "triad");
  tsr_array a = tsr_full(TSR_SHAPE(n), 1.5), b = tsr_full(TSR_SHAPE(n), 1.0);
  tsr_array c = tsr_full(TSR_SHAPE(n), 2.0), d = tsr_zeros(TSR_SHAPE(n));
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    if (triad)
      tsr_exec("d[:] = b + 3.0*c", d, b, c);
    else
      tsr_exec("d[:] = a*b + c - 0.5*a", d, a, b, c);
    tsr_flush();
  }
  const double elapsed = bench_clock() - start;
  bench_report(elapsed, n_steps, tsr_item_f64(tsr_mean(d)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
