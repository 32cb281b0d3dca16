/* A plain OpenMP reduction.
 *
 *   sum_c N STEPS WARMUP      prints `us=… check=…` (microseconds per sum, the sum) */
#include <omp.h>

#include "bench/peers/peer.h"

static double sum_of(int64_t n, const double *restrict x)
{
  double sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum) aligned(x : 64)
  for (int64_t i = 0; i < n; i++) sum += x[i];
  return sum;
}

int main(int argc, char **argv)
{
  const int64_t n = peer_argument(argc, argv, 1, 1 << 26),
                n_steps = peer_argument(argc, argv, 2, 5);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 2);
  double *x = peer_alloc((size_t)n), start = 0, sum = 0;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) x[i] = (double)i;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = peer_seconds();
    sum = sum_of(n, x);
  }
  peer_report(peer_seconds() - start, n_steps, sum);
  free(x);
  return 0;
}
