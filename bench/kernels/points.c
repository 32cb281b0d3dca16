/* Particles, probabilities, images and options. */
#include <math.h>

#include "bench/kernels/kernels.h"

/* Places and velocities of three axes, and masses. */
static void nbody_start(tsr_array *x, int64_t n)
{
  for (int i = 0; i < 7; i++) x[i] = kernel_pattern(TSR_SHAPE(n), i);
}

static void nbody(const tsr_array *x, int64_t n, int64_t t)
{
  (void)t;
  TSR_SCOPE();
  const tsr_array px = x[0], py = x[1], pz = x[2], m = x[6];
  tsr_array dx = tsr_eval("px - px[:,None]", px), dy = tsr_eval("py - py[:,None]", py);
  tsr_array dz = tsr_eval("pz - pz[:,None]", pz);
  tsr_array pull = tsr_eval("m * (dx*dx + dy*dy + dz*dz + 0.01)**-1.5 / n", m, dx, dy, dz, n);
  const tsr_array d[] = {dx, dy, dz};
  for (int i = 0; i < 3; i++) {
    const tsr_array p = x[i], v = x[3 + i], di = d[i];
    tsr_exec("v += 0.01 * sum(pull * di, axis=1); p += 0.01 * v", v, pull, di, p);
  }
}

static void softmax_start(tsr_array *x, int64_t n)
{
  x[0] = kernel_pattern(TSR_SHAPE(n, n), 0);
}

static void softmax(const tsr_array *x, int64_t n, int64_t t)
{
  (void)n, (void)t;
  TSR_SCOPE();
  const tsr_array a = x[0];
  tsr_array e = tsr_eval("exp(a - a.max(axis=-1, keepdims=True))", a);
  tsr_exec("a[:] = e / e.sum(axis=-1, keepdims=True)", a, e);
}

/* An image, and how much of a corner each of its points is. */
static void harris_start(tsr_array *x, int64_t n)
{
  x[0] = kernel_pattern(TSR_SHAPE(n, n), 0);
  x[1] = tsr_zeros(TSR_SHAPE(n - 4, n - 4));
}

static tsr_array box_sum(tsr_array a)
{
  tsr_array rows = tsr_eval("a[:-2] + a[1:-1] + a[2:]", a);
  return tsr_eval("rows[:,:-2] + rows[:,1:-1] + rows[:,2:]", rows);
}

static void harris(const tsr_array *x, int64_t n, int64_t t)
{
  (void)n, (void)t;
  TSR_SCOPE();
  const tsr_array im = x[0], corner = x[1];
  tsr_array gx = tsr_eval("im[:-2,2:] - im[:-2,:-2] + 2*(im[1:-1,2:] - im[1:-1,:-2])"
                          "+ im[2:,2:] - im[2:,:-2]",
                          im);
  tsr_array gy = tsr_eval("im[2:,:-2] - im[:-2,:-2] + 2*(im[2:,1:-1] - im[:-2,1:-1])"
                          "+ im[2:,2:] - im[:-2,2:]",
                          im);
  tsr_array xx = box_sum(tsr_eval("gx*gx", gx)), yy = box_sum(tsr_eval("gy*gy", gy));
  tsr_array xy = box_sum(tsr_eval("gx*gy", gx, gy));
  tsr_exec("corner[:] = xx*yy - xy*xy - 0.04*(xx + yy)**2", corner, xx, yy, xy);
}

/* American puts of n strikes on a tree of n / 4 steps: values at the tree's nodes, and strikes. */
static void binomial_start(tsr_array *x, int64_t n)
{
  x[0] = tsr_zeros(TSR_SHAPE(n, n / 4 + 1));
  x[1] = tsr_eval("linspace(80, 120, n)[:,None]", n);
}

static void binomial(const tsr_array *x, int64_t n, int64_t t)
{
  (void)t;
  TSR_SCOPE();
  const tsr_array v = x[0], strike = x[1];
  const int64_t m = n / 4;
  const double dt = 1 / (double)m, up = exp(0.2 * sqrt(dt)), disc = exp(-0.03 * dt);
  const double q = (1 / disc - 1 / up) / (up - 1 / up);
  tsr_array nodes = tsr_eval("100 * up**(2.0*arange(m + 1) - m)", up, m);
  tsr_exec("v[:] = maximum(strike - nodes, 0)", v, strike, nodes);
  for (int64_t k = m - 1; k >= 0; k--) {
    const double shift = pow(up, (double)(m - k));
    tsr_exec("v[:,:-1] = maximum(strike - shift*nodes[:-1],"
             "                   disc * (q*v[:,1:] + (1 - q)*v[:,:-1]))",
             v, strike, shift, nodes, disc, q);
  }
}

const kernel kernels_of_points[] = {{"nbody", nbody_start, nbody},
                                    {"softmax", softmax_start, softmax},
                                    {"harris", harris_start, harris},
                                    {"binomial", binomial_start, binomial},
                                    {0}};
