/* The peer that streams memory once per step: the three-point sweep of a line as one would write it
 * by hand with OpenMP. Two buffers whose pointers swap, first touched by the thread that computes
 * on them, the first interior element aligned to a cache line.
 *
 *   line_c N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of the line)
 */
#include "bench/peers/peer.h"

#define BLOCK 4096

static void sweep(int64_t n, double *restrict out, const double *restrict u)
{
  for (int64_t i = 0; i < n; i++) out[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
}

/* Called by all threads of a team: each sweeps the blocks that it touched first. */
static void step(int64_t n, double *to, const double *from)
{
#pragma omp for schedule(static)
  for (int64_t i = 1; i < n - 1; i += BLOCK)
    sweep(n - 1 - i < BLOCK ? n - 1 - i : BLOCK, to + i, from + i);
}

static void first_touch(int64_t n, double *line)
{
#pragma omp for schedule(static)
  for (int64_t i = 1; i < n - 1; i += BLOCK)
    for (int64_t k = i; k < i + BLOCK && k < n - 1; k++) line[k] = 1;
#pragma omp single
  {
    line[0] = 40;
    line[n - 1] = 1;
  }
}

int main(int argc, char **argv)
{
  const int64_t n = peer_argument(argc, argv, 1, 1 << 20),
                n_steps = peer_argument(argc, argv, 2, 48);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 5);
  double *base[2] = {peer_alloc((size_t)n + 8), peer_alloc((size_t)n + 8)};
  double *line[2] = {base[0] + 7, base[1] + 7};
  double start = 0, stop = 0;
#pragma omp parallel
  {
    first_touch(n, line[0]);
    first_touch(n, line[1]);
    for (int64_t t = 0; t < n_warmup; t++) step(n, line[(t + 1) % 2], line[t % 2]);
#pragma omp master
    start = peer_seconds();
    for (int64_t t = n_warmup; t < n_warmup + n_steps; t++) step(n, line[(t + 1) % 2], line[t % 2]);
#pragma omp master
    stop = peer_seconds();
  }
  const double *last = line[(n_warmup + n_steps) % 2];
  double sum = 0;
  for (int64_t i = 0; i < n; i++) sum += last[i];
  printf("us=%.4f check=%.12g\n", 1e6 * (stop - start) / (double)n_steps, sum / (double)n);
  free(base[0]);
  free(base[1]);
  return 0;
}
