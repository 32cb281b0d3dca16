/* Points and their neighbours: Jacobi, heat, electromagnetic waves, implicit heat in alternating
 * directions. */
#include "bench/kernels/kernels.h"

static void jacobi_1d_start(tsr_array *x, int64_t n)
{
  x[0] = kernel_pattern(TSR_SHAPE(n), 0);
  x[1] = kernel_pattern(TSR_SHAPE(n), 1);
}

static void jacobi_1d(const tsr_array *x, int64_t n, int64_t t)
{
  (void)n, (void)t;
  const tsr_array a = x[0], b = x[1];
  tsr_exec("b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])", a, b);
  tsr_exec("a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])", a, b);
}

static void jacobi_2d_start(tsr_array *x, int64_t n)
{
  x[0] = kernel_pattern(TSR_SHAPE(n, n), 0);
  x[1] = kernel_pattern(TSR_SHAPE(n, n), 1);
}

static void jacobi_2d(const tsr_array *x, int64_t n, int64_t t)
{
  (void)n, (void)t;
  const tsr_array a = x[0], b = x[1];
  tsr_exec("b[1:-1,1:-1] = 0.2 * (a[1:-1,1:-1] + a[1:-1,:-2] + a[1:-1,2:] + a[2:,1:-1]"
           "                      + a[:-2,1:-1])",
           a, b);
  tsr_exec("a[1:-1,1:-1] = 0.2 * (b[1:-1,1:-1] + b[1:-1,:-2] + b[1:-1,2:] + b[2:,1:-1]"
           "                      + b[:-2,1:-1])",
           a, b);
}

static void heat_3d_start(tsr_array *x, int64_t n)
{
  x[0] = kernel_pattern(TSR_SHAPE(n, n, n), 0);
}

static void heat_3d(const tsr_array *x, int64_t n, int64_t t)
{
  (void)n, (void)t;
  const tsr_array u = x[0];
  tsr_exec("u[1:-1,1:-1,1:-1] += 0.125 * (u[2:,1:-1,1:-1] + u[:-2,1:-1,1:-1] + u[1:-1,2:,1:-1]"
           "      + u[1:-1,:-2,1:-1] + u[1:-1,1:-1,2:] + u[1:-1,1:-1,:-2] - 6*u[1:-1,1:-1,1:-1])",
           u);
}

static void fdtd_2d_start(tsr_array *x, int64_t n)
{
  for (int i = 0; i < 3; i++) x[i] = kernel_pattern(TSR_SHAPE(n, n), i);
}

static void fdtd_2d(const tsr_array *x, int64_t n, int64_t t)
{
  (void)n;
  const tsr_array ex = x[0], ey = x[1], hz = x[2];
  tsr_exec("ey[0,:] = sin(0.1*t)", ey, t);
  tsr_exec("ey[1:,:] -= 0.5 * (hz[1:,:] - hz[:-1,:])", ey, hz);
  tsr_exec("ex[:,1:] -= 0.5 * (hz[:,1:] - hz[:,:-1])", ex, hz);
  tsr_exec("hz[:-1,:-1] -= 0.7 * (ex[:-1,1:] - ex[:-1,:-1] + ey[1:,:-1] - ey[:-1,:-1])", hz, ex,
           ey);
}

/* x[0] is the temperature, with 0 outside; x[1] the right side. */
static void adi_start(tsr_array *x, int64_t n)
{
  x[0] = kernel_pattern(TSR_SHAPE(n, n), 0);
  x[1] = tsr_zeros(TSR_SHAPE(n, n));
}

/* d, of n rows, becomes the solution of (1 + 2r) d[j] - r d[j-1] - r d[j+1] = d[j]. */
static void thomas(tsr_array d, int64_t n, double r)
{
  double *c = malloc(sizeof *c * (size_t)n), before = 0;
  for (int64_t j = 0; j < n; j++) {
    const double w = 1 / (1 + 2 * r - r * before);
    before = c[j] = r * w;
    if (j == 0)
      tsr_exec("d[0,:] *= w", d, w);
    else
      tsr_exec("d[j,:] = w * (d[j,:] + r*d[j-1,:])", d, j, w, r);
  }
  for (int64_t j = n - 2; j >= 0; j--) {
    const double cj = c[j];
    tsr_exec("d[j,:] += cj * d[j+1,:]", d, j, cj);
  }
  free(c);
}

static void adi(const tsr_array *x, int64_t n, int64_t t)
{
  (void)t;
  TSR_SCOPE();
  const double r = 0.4;
  const tsr_array u = x[0], d = x[1];
  tsr_exec("d[:,:] = (1 - 2*r)*u; d[:,1:] += r*u[:,:-1]; d[:,:-1] += r*u[:,1:]", d, u, r);
  thomas(d, n, r);
  tsr_exec("u[:,:] = (1 - 2*r)*d; u[1:,:] += r*d[:-1,:]; u[:-1,:] += r*d[1:,:]", d, u, r);
  thomas(tsr_transpose(u), n, r);
}

/* A field with a border of two, and a coefficient: horizontal diffusion with limited fluxes. */
static void hdiff_start(tsr_array *x, int64_t n)
{
  x[0] = kernel_pattern(TSR_SHAPE(n + 4, n + 4, 16), 0);
  const tsr_array noise = kernel_pattern(TSR_SHAPE(n, n, 16), 1);
  x[1] = tsr_eval("0.1 * noise", noise);
}

static void hdiff(const tsr_array *x, int64_t n, int64_t t)
{
  (void)n, (void)t;
  TSR_SCOPE();
  const tsr_array f = x[0], c = x[1];
  const tsr_array lap =
      tsr_eval("4.0*f[1:-1,1:-1] - (f[2:,1:-1] + f[:-2,1:-1] + f[1:-1,2:] + f[1:-1,:-2])", f);
  const tsr_array rx = tsr_eval("lap[1:,1:-1] - lap[:-1,1:-1]", lap);
  const tsr_array flx = tsr_eval("where(rx*(f[2:-1,2:-2] - f[1:-2,2:-2]) > 0, 0.0, rx)", rx, f);
  const tsr_array ry = tsr_eval("lap[1:-1,1:] - lap[1:-1,:-1]", lap);
  const tsr_array fly = tsr_eval("where(ry*(f[2:-2,2:-1] - f[2:-2,1:-2]) > 0, 0.0, ry)", ry, f);
  tsr_exec("f[2:-2,2:-2] -= c * (flx[1:] - flx[:-1] + fly[:,1:] - fly[:,:-1])", f, c, flx, fly);
}

const kernel kernels_of_stencils[] = {{"hdiff", hdiff_start, hdiff},
                                      {"jacobi_1d", jacobi_1d_start, jacobi_1d},
                                      {"jacobi_2d", jacobi_2d_start, jacobi_2d},
                                      {"heat_3d", heat_3d_start, heat_3d},
                                      {"fdtd_2d", fdtd_2d_start, fdtd_2d},
                                      {"adi", adi_start, adi},
                                      {0}};
