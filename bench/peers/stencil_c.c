/* The peer that streams memory once per step: the five-point Jacobi step as one would write it by
 * hand with OpenMP. Two buffers whose pointers swap, first touched by the thread that computes on
 * them, rows padded so that the first interior element is aligned to a cache line; with normal or
 * with non-temporal stores.
 *
 *   stencil_c N STEPS WARMUP [nt]      prints `us=… check=…` (microseconds per step, mean of the
 * grid)
 */
#include <omp.h>
#include <string.h>

#include "bench/peers/peer.h"
#include "bench/peers/vector.h"

/* One row of n interior points; out and the row pointers point at the first of them, 64-byte
 * aligned. */
static void row_stream(int64_t n, double *restrict out, const double *restrict north,
                       const double *restrict mid, const double *restrict south)
{
  int64_t j = 0;
  for (; j + 8 <= n; j += 8)
    peer_stream(out + j, 0.2 * (peer_load(mid + j) + peer_load(north + j) + peer_load(mid + j + 1) +
                                peer_load(mid + j - 1) + peer_load(south + j)));
  for (; j < n; j++) out[j] = 0.2 * (mid[j] + north[j] + mid[j + 1] + mid[j - 1] + south[j]);
}

static void row_store(int64_t n, double *restrict out, const double *restrict north,
                      const double *restrict mid, const double *restrict south)
{
  for (int64_t j = 0; j < n; j++)
    out[j] = 0.2 * (mid[j] + north[j] + mid[j + 1] + mid[j - 1] + south[j]);
}

static void step(int64_t n, int64_t stride, double *restrict to, const double *restrict from,
                 int stream)
{
#pragma omp for schedule(static) nowait
  for (int64_t i = 1; i <= n; i++) {
    const double *mid = from + i * stride + 1;
    double *out = to + i * stride + 1;
    (stream ? row_stream : row_store)(n, out, mid - stride, mid, mid + stride);
  }
  if (stream) peer_stream_fence();
#pragma omp barrier
}

/* Borders: -273.15 left, right and below, 40 above, which is set last; as a program on arrays would
 * set them. */
static void first_touch(int64_t n, int64_t stride, double *grid)
{
#pragma omp for schedule(static)
  for (int64_t i = 1; i <= n; i++) {
    double *row = grid + i * stride;
    memset(row, 0, (size_t)(n + 2) * sizeof *row);
    row[0] = row[n + 1] = -273.15;
  }
#pragma omp single
  for (int64_t j = 0; j < n + 2; j++) {
    grid[j] = 40.0;
    grid[(n + 1) * stride + j] = -273.15;
  }
}

int main(int argc, char **argv)
{
  const int64_t n = peer_argument(argc, argv, 1, 1000), n_steps = peer_argument(argc, argv, 2, 100);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 5);
  const int stream = argc > 4 && strcmp(argv[4], "nt") == 0;
  if (stream && !peer_can_stream()) {
    puts("us=nan check=nan");
    return 0;
  }
  const int64_t stride = (n + 2 + 7) / 8 * 8;
  double *base[2] = {peer_alloc((size_t)((n + 2) * stride + 8)),
                     peer_alloc((size_t)((n + 2) * stride + 8))};
  double *grid[2] = {base[0] + 7, base[1] + 7};
  double start = 0, stop = 0;
#pragma omp parallel
  {
    first_touch(n, stride, grid[0]);
    first_touch(n, stride, grid[1]);
    for (int64_t t = 0; t < n_warmup; t++) step(n, stride, grid[(t + 1) % 2], grid[t % 2], stream);
#pragma omp master
    start = peer_seconds();
    for (int64_t t = n_warmup; t < n_warmup + n_steps; t++)
      step(n, stride, grid[(t + 1) % 2], grid[t % 2], stream);
#pragma omp master
    stop = peer_seconds();
  }
  const double *last = grid[(n_warmup + n_steps) % 2];
  double sum = 0;
  for (int64_t i = 0; i < n + 2; i++)
    for (int64_t j = 0; j < n + 2; j++) sum += last[i * stride + j];
  printf("us=%.4f check=%.12g\n", 1e6 * (stop - start) / (double)n_steps,
         sum / (double)((n + 2) * (n + 2)));
  free(base[0]);
  free(base[1]);
  return 0;
}
