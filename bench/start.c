/* From tsr_init to the first result.
 *
 *   start      prints `us=…` */
#include "bench/bench.h"

int main(int argc, char **argv)
{
  const double start = peer_seconds();
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const double sum = tsr_item_f64(tsr_sum(tsr_ones(TSR_SHAPE(100, 100))));
  bench_report(peer_seconds() - start, 1, sum);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
