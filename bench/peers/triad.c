/* STREAM triad a = b + 3 c from memory (3 x 512 MB), with normal and with non-temporal stores: the
 * yardstick that carries rates from one machine and hour to another.
 *
 *   triad [ELEMENTS] [REPEATS]      prints `gb_per_s=… nt_gb_per_s=…` (24 bytes per element; best
 * of the repeats)
 */
#include <math.h>
#include <omp.h>

#include "bench/peers/peer.h"
#include "bench/peers/vector.h"

static void triad_stream(int64_t n, double *restrict a, const double *restrict b,
                         const double *restrict c)
{
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int64_t i = 0; i < n / 8; i++)
      peer_stream(a + 8 * i, peer_load(b + 8 * i) + 3.0 * peer_load(c + 8 * i));
    peer_stream_fence();
  }
}

static void triad_store(int64_t n, double *restrict a, const double *restrict b,
                        const double *restrict c)
{
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) a[i] = b[i] + 3.0 * c[i];
}

int main(int argc, char **argv)
{
  const int64_t n = peer_argument(argc, argv, 1, (int64_t)1 << 26) / 8 * 8;
  const int64_t repeats = peer_argument(argc, argv, 2, 5);
  double *a = peer_alloc((size_t)n), *b = peer_alloc((size_t)n), *c = peer_alloc((size_t)n);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) {
    a[i] = 0;
    b[i] = 1;
    c[i] = 2;
  }
  double best[2] = {INFINITY, INFINITY};
  for (int64_t r = 0; r < repeats; r++) {
    double start = peer_seconds();
    triad_store(n, a, b, c);
    best[0] = fmin(best[0], peer_seconds() - start);
    start = peer_seconds();
    triad_stream(n, a, b, c);
    best[1] = fmin(best[1], peer_seconds() - start);
  }
  if (a[n / 2] != 7.0) return 1;
  const double gigabytes = 24e-9 * (double)n;
  printf("gb_per_s=%.2f nt_gb_per_s=%.2f\n", gigabytes / best[0],
         gigabytes / fmin(best[0], best[1]));
  free(a);
  free(b);
  free(c);
  return 0;
}
