/* The Gray-Scott step by hand: both substances in one loop, two buffers each whose pointers swap;
 * who computes a row also copies it to the ghosts that repeat it, so that a step has one barrier.
 *
 *   gray_scott_c N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of v) */
#include <omp.h>

#include "bench/peers/peer.h"

enum { LEAD = 7 }; /* before each buffer, so that the first interior element is aligned */

typedef struct field {
  double *u, *v;
} field;

static void ghost_columns(int64_t n, double *row)
{
  row[0] = row[n];
  row[n + 1] = row[1];
}

static void react(int64_t n, int64_t stride, double *restrict u_new, double *restrict v_new,
                  const double *restrict u, const double *restrict v)
{
  const double f = 0.035, k = 0.065;
  for (int64_t j = 0; j < n; j++) {
    const double lu = u[j - stride] + u[j - 1] - 4 * u[j] + u[j + 1] + u[j + stride];
    const double lv = v[j - stride] + v[j - 1] - 4 * v[j] + v[j + 1] + v[j + stride];
    const double uvv = u[j] * v[j] * v[j];
    u_new[j] = u[j] + (0.16 * lu - uvv + f * (1 - u[j]));
    v_new[j] = v[j] + (0.08 * lv + uvv - (f + k) * v[j]);
  }
}

static void step(int64_t n, int64_t stride, field to, field from)
{
#pragma omp for schedule(static)
  for (int64_t i = 1; i <= n; i++) {
    const int64_t at = i * stride, ghost = i == 1 ? (n + 1) * stride : i == n ? 0 : -1;
    react(n, stride, to.u + at + 1, to.v + at + 1, from.u + at + 1, from.v + at + 1);
    ghost_columns(n, to.u + at);
    ghost_columns(n, to.v + at);
    if (ghost < 0) continue;
    memcpy(to.u + ghost, to.u + at, (size_t)(n + 2) * sizeof *to.u);
    memcpy(to.v + ghost, to.v + at, (size_t)(n + 2) * sizeof *to.v);
  }
}

static void first_touch(int64_t n, int64_t stride, field f)
{
#pragma omp for schedule(static)
  for (int64_t i = 0; i < n + 2; i++)
    for (int64_t j = 0; j < n + 2; j++) {
      const int inside = i >= 3 * n / 8 && i < 5 * n / 8 && j >= 3 * n / 8 && j < 5 * n / 8;
      f.u[i * stride + j] = inside ? 0.5 : 1;
      f.v[i * stride + j] = inside ? 0.25 : 0.01;
    }
}

int main(int argc, char **argv)
{
  const int64_t n = peer_argument(argc, argv, 1, 1024), n_steps = peer_argument(argc, argv, 2, 100);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 5), stride = (n + 2 + 7) / 8 * 8;
  const size_t n_elems = (size_t)((n + 2) * stride + 8);
  double *base[4], start = 0, stop = 0, sum = 0;
  for (int b = 0; b < 4; b++) base[b] = peer_alloc(n_elems);
  field grid[2] = {{base[0] + LEAD, base[1] + LEAD}, {base[2] + LEAD, base[3] + LEAD}};
#pragma omp parallel
  {
    first_touch(n, stride, grid[0]);
    first_touch(n, stride, grid[1]);
    for (int64_t t = 0; t < n_warmup + n_steps; t++) {
#pragma omp master
      if (t == n_warmup) start = peer_seconds();
      step(n, stride, grid[(t + 1) % 2], grid[t % 2]);
    }
#pragma omp master
    stop = peer_seconds();
  }
  const double *last = grid[(n_warmup + n_steps) % 2].v;
  for (int64_t i = 0; i < n + 2; i++)
    for (int64_t j = 0; j < n + 2; j++) sum += last[i * stride + j];
  peer_report(stop - start, n_steps, sum / (double)((n + 2) * (n + 2)));
  for (int b = 0; b < 4; b++) free(base[b]);
  return 0;
}
