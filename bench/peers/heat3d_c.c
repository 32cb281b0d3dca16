/* The seven-point Jacobi step by hand: two buffers whose pointers swap, first touched by the thread
 * that computes on them, rows padded so that the first interior element is aligned; with normal
 * stores, or with ones that go around the caches.
 *
 *   heat3d_c N STEPS WARMUP [nt]      prints `us=… check=…` (microseconds per step, mean of the grid;
 *                                     nan where no store goes around the caches) */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "bench/peers/peer.h"
#include "bench/peers/vector.h"

typedef struct shape {
  int64_t n, row, plane; /* interior points along a side; strides of a row and of a plane */
} shape;

/* Both point at the first interior point of a row. */
static void row_stream(const shape *s, double *restrict out, const double *restrict in)
{
  const double seventh = 1.0 / 7;
  const double *back = in - s->plane, *front = in + s->plane, *north = in - s->row,
               *south = in + s->row;
  int64_t j = 0;
  for (; j + 8 <= s->n; j += 8)
    peer_stream(out + j, (peer_load(in + j) + peer_load(back + j) + peer_load(front + j) +
                          peer_load(north + j) + peer_load(south + j) + peer_load(in + j - 1) +
                          peer_load(in + j + 1)) *
                             seventh);
  for (; j < s->n; j++)
    out[j] = (in[j] + back[j] + front[j] + north[j] + south[j] + in[j - 1] + in[j + 1]) * seventh;
}

static void row_store(const shape *s, double *restrict out, const double *restrict in)
{
  const double seventh = 1.0 / 7;
  const double *back = in - s->plane, *front = in + s->plane, *north = in - s->row,
               *south = in + s->row;
  for (int64_t j = 0; j < s->n; j++)
    out[j] = (in[j] + back[j] + front[j] + north[j] + south[j] + in[j - 1] + in[j + 1]) * seventh;
}

static void step(const shape *s, double *restrict to, const double *restrict from, int stream)
{
#pragma omp for schedule(static) nowait
  for (int64_t i = 1; i <= s->n; i++)
    for (int64_t j = 1; j <= s->n; j++) {
      const int64_t at = i * s->plane + j * s->row + 1;
      if (stream)
        row_stream(s, to + at, from + at);
      else
        row_store(s, to + at, from + at);
    }
  if (stream) peer_stream_fence();
#pragma omp barrier
}

static void first_touch(const shape *s, double *grid)
{
#pragma omp for schedule(static)
  for (int64_t i = 0; i < s->n + 2; i++)
    for (int64_t j = 0; j < s->plane; j++)
      grid[i * s->plane + j] = i == 0 ? 40.0 : i == s->n + 1 ? -5.0 : 1.0;
}

static double mean(const shape *s, const double *grid)
{
  const int64_t n = s->n + 2;
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++)
      for (int64_t k = 0; k < n; k++) sum += grid[i * s->plane + j * s->row + k];
  return sum / (double)(n * n * n);
}

int main(int argc, char **argv)
{
  const int64_t n = peer_argument(argc, argv, 1, 512), n_steps = peer_argument(argc, argv, 2, 10);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 4);
  const int stream = argc > 4 && strcmp(argv[4], "nt") == 0;
  if (stream && !peer_can_stream()) {
    puts("us=nan check=nan");
    return 0;
  }
  const shape s = {.n = n, .row = (n + 2 + 7) / 8 * 8, .plane = (n + 2) * ((n + 2 + 7) / 8 * 8)};
  const size_t n_elems = (size_t)((n + 2) * s.plane + 8);
  double *base[2] = {peer_alloc(n_elems), peer_alloc(n_elems)}, start = 0, stop = 0;
  double *grid[2] = {base[0] + 7, base[1] + 7};
#pragma omp parallel
  {
    first_touch(&s, grid[0]);
    first_touch(&s, grid[1]);
    for (int64_t t = 0; t < n_warmup + n_steps; t++) {
#pragma omp master
      if (t == n_warmup) start = peer_seconds();
      step(&s, grid[(t + 1) % 2], grid[t % 2], stream);
    }
#pragma omp master
    stop = peer_seconds();
  }
  peer_report(stop - start, n_steps, mean(&s, grid[(n_warmup + n_steps) % 2]));
  free(base[0]);
  free(base[1]);
  return 0;
}
