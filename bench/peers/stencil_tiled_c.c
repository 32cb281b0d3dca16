/* The peer that passes memory once per several steps: the five-point Jacobi step tiled over time by
 * hand with OpenMP, as who knows the method would write it. Every thread has a segment of rows. Of
 * T steps, step t of a segment runs t rows less at each inner end; the rows between, a wedge that
 * widens by a row a step at both sides, run when both neighbours are done. Inside, strips of
 * columns go from left to right and rows downwards, each step one row above the step before it and
 * 8 columns to its left, so that T + 2 rows of a strip are all that the second-level cache must
 * hold.
 *
 *   stencil_tiled_c N STEPS WARMUP [T [WIDTH]]
 *
 * Prints `us=… check=…` (microseconds per step, mean of the grid). */
#include <omp.h>
#include <string.h>

#include "bench/peers/peer.h"

#define SKEW 8 /* Columns of a cache line, so that stores stay aligned. */

typedef struct {
  int64_t n, stride;   /* interior points of a row, and doubles from row to row */
  int64_t deep, width; /* steps of a pass, and columns of a strip */
  double *grid[2];     /* by the parity of the step that is read */
} problem;

static int64_t smaller(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

/* Columns begin to end of a row, both counted from 1. */
static void row(const problem *p, int64_t i, int64_t begin, int64_t end, int parity)
{
  const double *restrict mid = p->grid[parity] + i * p->stride;
  const double *restrict north = mid - p->stride, *restrict south = mid + p->stride;
  double *restrict out = p->grid[!parity] + i * p->stride;
  for (int64_t j = begin; j < end; j++)
    out[j] = 0.2 * (mid[j] + north[j] + mid[j + 1] + mid[j - 1] + south[j]);
}

/* Steps first to first + n_steps over rows that are [top + t * down, bottom - t * up) at step t of
 * the pass. */
static void wedge(const problem *p, int64_t first, int64_t n_steps, int64_t top, int64_t down,
                  int64_t bottom, int64_t up)
{
  const int64_t highest = smaller(top, top + (n_steps - 1) * down);
  const int64_t lowest = larger(bottom, bottom - (n_steps - 1) * up) + n_steps - 1;
  const int64_t columns = p->n + (n_steps - 1) * SKEW;
  for (int64_t strip = 1; strip <= columns; strip += p->width)
    for (int64_t front = highest; front < lowest; front++)
      for (int64_t t = 0; t < n_steps; t++) {
        const int64_t i = front - t;
        if (i < top + t * down || i >= bottom - t * up) continue;
        const int64_t begin = larger(strip - t * SKEW, 1);
        const int64_t end = smaller(strip + p->width - t * SKEW, p->n + 1);
        if (begin < end) row(p, i, begin, end, (int)((first + t) % 2));
      }
}

/* Called by all threads of a team. */
static void steps(const problem *p, int64_t first, int64_t n_steps)
{
  const int64_t threads = omp_get_num_threads(), me = omp_get_thread_num();
  const int64_t top = 1 + p->n * me / threads, bottom = 1 + p->n * (me + 1) / threads;
  for (int64_t done = 0; done < n_steps; done += p->deep) {
    const int64_t deep = smaller(p->deep, n_steps - done);
    wedge(p, first + done, deep, top, me > 0, bottom, me + 1 < threads);
#pragma omp barrier
    if (me > 0) wedge(p, first + done, deep, top, -1, top, -1);
#pragma omp barrier
  }
}

/* Borders: -273.15 left, right and below, 40 above, which is set last; as a program on arrays would
 * set them. */
static void first_touch(const problem *p, double *grid)
{
  const int64_t n = p->n;
#pragma omp for schedule(static)
  for (int64_t i = 1; i <= n; i++) {
    double *values = grid + i * p->stride;
    memset(values, 0, (size_t)(n + 2) * sizeof *values);
    values[0] = values[n + 1] = -273.15;
  }
#pragma omp single
  for (int64_t j = 0; j < n + 2; j++) {
    grid[j] = 40.0;
    grid[(n + 1) * p->stride + j] = -273.15;
  }
}

int main(int argc, char **argv)
{
  const int64_t n = peer_argument(argc, argv, 1, 1000), n_steps = peer_argument(argc, argv, 2, 96);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 16);
  problem p = {.n = n, .stride = (n + 2 + 7) / 8 * 8};
  p.deep = peer_argument(argc, argv, 4, 16);
  p.width = peer_argument(argc, argv, 5, 2048);
  double *base[2];
  for (int k = 0; k < 2; k++) {
    base[k] = peer_alloc((size_t)((n + 2) * p.stride + 8));
    p.grid[k] = base[k] + 7;
  }
  if (p.deep < 1 || p.width < 1 || n / omp_get_max_threads() < 2 * p.deep) {
    puts("us=nan check=nan");
    return 0;
  }
  double start = 0, stop = 0;
#pragma omp parallel
  {
    first_touch(&p, p.grid[0]);
    first_touch(&p, p.grid[1]);
    steps(&p, 0, n_warmup);
#pragma omp master
    start = peer_seconds();
    steps(&p, n_warmup, n_steps);
#pragma omp master
    stop = peer_seconds();
  }
  const double *last = p.grid[(n_warmup + n_steps) % 2];
  double sum = 0;
  for (int64_t i = 0; i < n + 2; i++)
    for (int64_t j = 0; j < n + 2; j++) sum += last[i * p.stride + j];
  printf("us=%.4f check=%.12g\n", 1e6 * (stop - start) / (double)n_steps,
         sum / (double)((n + 2) * (n + 2)));
  free(base[0]);
  free(base[1]);
  return 0;
}
