/* An expression over arrays that live in memory, by hand: stores go around the caches.
 *
 *   stream_c N STEPS WARMUP triad|mix      prints `us=… check=…` (microseconds per pass, mean) */
#include <omp.h>

#include "bench/peers/peer.h"
#include "bench/peers/vector.h"

static void triad(int64_t n, double *restrict d, const double *restrict b, const double *restrict c)
{
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < n / 8; i++)
      peer_stream(d + 8 * i, peer_load(b + 8 * i) + 3.0 * peer_load(c + 8 * i));
    peer_stream_fence();
  }
}

static void mix(int64_t n, double *restrict d, const double *restrict a, const double *restrict b,
                const double *restrict c)
{
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < n / 8; i++) {
      const peer_v8 x = peer_load(a + 8 * i);
      peer_stream(d + 8 * i, x * peer_load(b + 8 * i) + peer_load(c + 8 * i) - 0.5 * x);
    }
    peer_stream_fence();
  }
}

int main(int argc, char **argv)
{
  const int64_t n = peer_argument(argc, argv, 1, 1 << 26) / 8 * 8;
  const int64_t n_steps = peer_argument(argc, argv, 2, 5);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 2);
  const int is_triad = peer_word(argc, argv, 4, "triad");
  double *a = peer_alloc((size_t)n), *b = peer_alloc((size_t)n);
  double *c = peer_alloc((size_t)n), *d = peer_alloc((size_t)n);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) {
    a[i] = 1.5;
    b[i] = 1;
    c[i] = 2;
    d[i] = 0;
  }
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = peer_seconds();
    if (is_triad)
      triad(n, d, b, c);
    else
      mix(n, d, a, b, c);
  }
  const double stop = peer_seconds();
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int64_t i = 0; i < n; i++) sum += d[i];
  peer_report(stop - start, n_steps, sum / (double)n);
  free(a);
  free(b);
  free(c);
  free(d);
  return 0;
}
