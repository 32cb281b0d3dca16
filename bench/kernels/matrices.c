/* Dense linear algebra by rows, and the Fourier transform. */
#include "bench/kernels/kernels.h"

/* l, of a diagonal that is larger than its row; b; the solution. */
static void triangular_start(tsr_array *x, int64_t n)
{
  tsr_array l = kernel_pattern(TSR_SHAPE(n, n), 0);
  x[0] = tsr_eval("tril(l) + n*eye(n)", l, n);
  x[1] = kernel_pattern(TSR_SHAPE(n), 1);
  x[2] = tsr_zeros(TSR_SHAPE(n));
}

static void triangular(const tsr_array *x, int64_t n, int64_t t)
{
  (void)t;
  const tsr_array l = x[0], b = x[1], y = x[2];
  for (int64_t i = 0; i < n; i++) tsr_exec("y[i] = (b[i] - l[i,:i] @ y[:i]) / l[i,i]", y, b, l, i);
}

static void lu_start(tsr_array *x, int64_t n)
{
  tsr_array m = kernel_pattern(TSR_SHAPE(n, n), 0);
  x[0] = tsr_eval("m + n*eye(n)", m, n);
  x[1] = tsr_zeros(TSR_SHAPE(n, n));
}

static void lu(const tsr_array *x, int64_t n, int64_t t)
{
  (void)t;
  const tsr_array m = x[0], a = x[1];
  tsr_exec("a[:,:] = m", a, m);
  for (int64_t i = 1; i < n; i++)
    for (int64_t k = 0; k < i; k++)
      tsr_exec("a[i,k] /= a[k,k]; a[i,k+1:] -= a[i,k] * a[k,k+1:]", a, i, k);
}

static void stockham_start(tsr_array *x, int64_t n)
{
  tsr_array re = kernel_pattern(TSR_SHAPE(n), 0), im = kernel_pattern(TSR_SHAPE(n), 1);
  x[0] = tsr_eval("re + 1j*im", re, im);
}

static void stockham(const tsr_array *x, int64_t n, int64_t t)
{
  (void)t;
  TSR_SCOPE();
  const tsr_array result = x[0];
  tsr_array y = tsr_eval("result.reshape(n, 1)", result, n);
  for (int64_t h = n / 2, s = 1; h > 0; h /= 2, s *= 2) {
    tsr_array a = tsr_eval("y[:h]", y, h), b = tsr_eval("y[h:]", y, h);
    tsr_array w = tsr_eval("exp(-1j * pi / h * arange(h))[:,None]", h);
    y = tsr_eval("stack([a + b, (a - b)*w], axis=1).reshape(h, 2*s)", a, b, w, h, s);
  }
  tsr_exec("result[:] = y[0] / sqrt(n)", result, y, n);
}

const kernel kernels_of_matrices[] = {{"triangular", triangular_start, triangular},
                                      {"lu", lu_start, lu},
                                      {"stockham", stockham_start, stockham},
                                      {0}};
