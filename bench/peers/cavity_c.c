/* The lid-driven cavity by hand, the scheme of examples/cavity.c: u and v from one pair of buffers
 * into another in one loop, which also makes the ghosts that belong to a row; then the pressure.
 * Two barriers a step.
 *
 *   cavity_c N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of |u|) */
#include <math.h>
#include <omp.h>

#include "bench/peers/peer.h"

typedef struct flow {
  int64_t n, stride; /* cells along a side; elements between rows, of u, v and p alike */
  double d, r, c;
} flow;

typedef struct velocity {
  double *u, *v; /* u: n + 2 rows of n + 1; v: n + 1 rows of n + 2 */
} velocity;

/* Row i, 1 to n, of u. Momentum p + uc^2 at the cells' centres, uv at their corners. */
static void row_u(const flow *f, int64_t i, double *restrict out, const double *restrict u_all,
                  const double *restrict v_all, const double *restrict p_all)
{
  const int64_t n = f->n, stride = f->stride;
  const double *u = u_all + i * stride, *below = u - stride, *above = u + stride;
  const double *v = v_all + i * stride, *v_below = v - stride, *p = p_all + (i - 1) * stride;
  const double d = f->d, r = f->r;
  for (int64_t j = 1; j < n; j++) {
    const double left = 0.5 * (u[j] + u[j - 1]), right = 0.5 * (u[j + 1] + u[j]);
    const double top = 0.25 * (above[j] + u[j]) * (v[j + 1] + v[j]);
    const double bottom = 0.25 * (u[j] + below[j]) * (v_below[j + 1] + v_below[j]);
    out[j] = u[j] + (d * (u[j + 1] + u[j - 1] + above[j] + below[j] - 4 * u[j]) -
                     r * (p[j] + right * right - (p[j - 1] + left * left) + top - bottom));
  }
}

/* Row i, 1 to n - 1, of v. */
static void row_v(const flow *f, int64_t i, double *restrict out, const double *restrict u_all,
                  const double *restrict v_all, const double *restrict p_all)
{
  const int64_t n = f->n, stride = f->stride;
  const double *v = v_all + i * stride, *below = v - stride, *above = v + stride;
  const double *u = u_all + i * stride, *u_above = u + stride;
  const double *p = p_all + i * stride - 1, *p_below = p - stride;
  const double d = f->d, r = f->r;
  for (int64_t j = 1; j <= n; j++) {
    const double bottom = 0.5 * (v[j] + below[j]), top = 0.5 * (above[j] + v[j]);
    const double right = 0.25 * (u_above[j] + u[j]) * (v[j + 1] + v[j]);
    const double left = 0.25 * (u_above[j - 1] + u[j - 1]) * (v[j] + v[j - 1]);
    out[j] = v[j] + (d * (v[j + 1] + v[j - 1] + above[j] + below[j] - 4 * v[j]) -
                     r * (p[j] + top * top - (p_below[j] + bottom * bottom) + right - left));
  }
  out[0] = -out[1];
  out[n + 1] = -out[n];
}

static void row_p(const flow *f, int64_t i, double *restrict p, const double *restrict u_all,
                  const double *restrict v_all)
{
  const double *u = u_all + (i + 1) * f->stride, *v = v_all + i * f->stride + 1;
  const double *above = v + f->stride, c = f->c;
  for (int64_t j = 0; j < f->n; j++) p[j] -= c * (u[j + 1] - u[j] + above[j] - v[j]);
}

static void ghost_u(const flow *f, double *restrict ghost, const double *restrict row, double wall)
{
  for (int64_t j = 0; j <= f->n; j++) ghost[j] = 2 * wall - row[j];
}

static void step(const flow *f, velocity to, velocity from, double *p)
{
  const int64_t n = f->n, stride = f->stride;
#pragma omp for schedule(static)
  for (int64_t i = 1; i <= n; i++) {
    row_u(f, i, to.u + i * stride, from.u, from.v, p);
    if (i == 1) ghost_u(f, to.u, to.u + stride, 0);
    if (i == n) ghost_u(f, to.u + (n + 1) * stride, to.u + n * stride, 1);
    if (i < n) row_v(f, i, to.v + i * stride, from.u, from.v, p);
  }
#pragma omp for schedule(static)
  for (int64_t i = 0; i < n; i++) row_p(f, i, p + i * stride, to.u, to.v);
}

static void first_touch(int64_t n_rows, int64_t stride, double *const *fields, int n_fields)
{
#pragma omp for schedule(static)
  for (int64_t i = 0; i < n_rows; i++)
    for (int k = 0; k < n_fields; k++)
      for (int64_t j = 0; j < stride; j++) fields[k][i * stride + j] = k < n_fields - 1 ? 0.1 : 0;
}

enum { N_FIELDS = 5 };

int main(int argc, char **argv)
{
  const int64_t n = peer_argument(argc, argv, 1, 512), n_steps = peer_argument(argc, argv, 2, 100);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 5);
  const double h = 1 / (double)n, dt = 0.2 * h, viscosity = 0.2 * h, beta = 2;
  const flow f = {.n = n,
                  .stride = (n + 2 + 7) / 8 * 8,
                  .d = viscosity * dt / (h * h),
                  .r = dt / h,
                  .c = beta * dt / h};
  double *fields[N_FIELDS], start = 0, stop = 0, sum = 0;
  for (int k = 0; k < N_FIELDS; k++) fields[k] = peer_alloc((size_t)((n + 2) * f.stride));
  const velocity flows[2] = {{fields[0], fields[1]}, {fields[2], fields[3]}};
#pragma omp parallel
  {
    first_touch(n + 2, f.stride, fields, N_FIELDS);
    for (int64_t t = 0; t < n_warmup + n_steps; t++) {
#pragma omp master
      if (t == n_warmup) start = peer_seconds();
      step(&f, flows[(t + 1) % 2], flows[t % 2], fields[4]);
    }
#pragma omp master
    stop = peer_seconds();
  }
  const double *u = flows[(n_warmup + n_steps) % 2].u;
  for (int64_t i = 0; i < n + 2; i++)
    for (int64_t j = 0; j < n + 1; j++) sum += fabs(u[i * f.stride + j]);
  peer_report(stop - start, n_steps, sum / (double)((n + 2) * (n + 1)));
  for (int k = 0; k < N_FIELDS; k++) free(fields[k]);
  return 0;
}
