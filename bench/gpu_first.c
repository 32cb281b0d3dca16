/* What a program waits for when its kernels are new: from before tsr_init until N of them, each of
 * arrays of its own length, have run. TESSERA_CACHE is empty, or keeps what was compiled before.
 * Without kernels it is what the device's context takes.
 *
 *   gpu_first N      prints `us=… check=…` (microseconds in all) */
#include "bench/bench.h"

enum { LENGTH = 1 << 20, MOST = 64 };

/* The bits of k choose the operations: no two kernels are alike. */
static tsr_array record_chain(int64_t k)
{
  tsr_array out = tsr_zeros(TSR_SHAPE(LENGTH + k));
  TSR_SCOPE();
  const tsr_array x = tsr_arange(LENGTH + k);
  tsr_array y = tsr_multiply(1e-6, x);
  for (int64_t bits = k + MOST; bits > 0; bits /= 2)
    y = bits % 2 ? tsr_add(tsr_multiply(0.5, y), 1.0) : tsr_sqrt(tsr_add(y, 0.25));
  tsr_assign(out, y);
  return out;
}

int main(int argc, char **argv)
{
  const double start = peer_seconds();
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int n = argc > 1 ? atoi(argv[1]) : 0;
  tsr_array out[MOST];
  if (n < 0 || n > MOST) return 2;
  for (int k = 0; k < n; k++) out[k] = record_chain(k);
  const double seconds = bench_clock() - start;
  double sum = 0;
  for (int k = 0; k < n; k++) sum += tsr_item_f64(tsr_mean(out[k]));
  bench_report(seconds, 1, sum);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
