/* Poisson's equation on the unit square, zero at the border, by conjugate gradients without a
 * matrix. Each iteration reads the residual and stops when it is small. Source: Hestenes &
 * Stiefel, Methods of conjugate gradients, J. Res. NBS 49 (1952). */
#include <math.h>

#include "tessera.h"

/* q = -laplacian(p) in units of 1/h^2; p has a border of zeros. */
static void apply(tsr_array q, tsr_array p)
{
  tsr_exec("q[:] = 4*p[1:-1,1:-1] - p[:-2,1:-1] - p[1:-1,:-2] - p[1:-1,2:] - p[2:,1:-1]", q, p);
}

/* Two sources and a sink. */
static tsr_array right_side(int64_t n)
{
  tsr_array b = tsr_zeros(TSR_SHAPE(n, n));
  const int64_t side = n / 16 + 1;
  const double places[3][3] = {{0.25, 0.3, 1}, {0.6, 0.75, 1}, {0.7, 0.25, -1.5}};
  for (int i = 0; i < 3; i++) {
    const int64_t y = (int64_t)(places[i][0] * (double)n), x = (int64_t)(places[i][1] * (double)n);
    tsr_assign(tsr_slice(b, "$:$, $:$", y, y + side, x, x + side), places[i][2]);
  }
  return b;
}

int main(int argc, char **argv)
{
  int64_t n = 256, most = 100000;
  double tolerance = 1e-8;
  const char *png = NULL, *npy = NULL;
  const tsr_option options[] = {
      {"-n", "inner points along a side", .integer = &n, .least = 1, .most = 1e5},
      {"--tolerance", "of the residual, relative", .number = &tolerance, .least = 0, .most = 1},
      {"--most", "iterations", .integer = &most, .least = 1, .most = 1e12},
      {"--png", "write the solution as a picture", .text = &png},
      {"--npy", "write the solution as numpy.save does", .text = &npy},
      {0},
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status =
      tsr_options(argc, argv, "Poisson's equation by matrix-free conjugate gradients.", options);
  if (status >= 0) return tsr_finalize() == TSR_OK ? status : 1;

  tsr_array r = right_side(n), x = tsr_zeros(TSR_SHAPE(n, n)), q = tsr_zeros(TSR_SHAPE(n, n));
  tsr_array p = tsr_zeros(TSR_SHAPE(n + 2, n + 2)), inner = tsr_slice(p, "1:-1, 1:-1");
  tsr_assign(inner, r);
  double rr = tsr_item_f64(tsr_eval("sum(r*r)", r));
  const double enough = tolerance * tolerance * rr;
  int64_t i = 0;
  tsr_barrier();
  const double start = tsr_time();
  for (; rr > enough && i < most; i++) {
    TSR_SCOPE();
    apply(q, p);
    tsr_array alpha = tsr_eval("rr / sum(inner*q)", rr, inner, q);
    tsr_exec("x += alpha*inner", x, inner, alpha);
    tsr_exec("r -= alpha*q", r, q, alpha);
    const double rr_new = tsr_item_f64(tsr_eval("sum(r*r)", r)), beta = rr_new / rr;
    tsr_exec("inner[:] = r + beta*inner", r, inner, beta);
    rr = rr_new;
    tsr_progress(i + 1, most);
  }
  tsr_barrier();
  const double elapsed = tsr_time() - start;

  tsr_printf("%lld iterations, residual squared %.3g\n", (long long)i, rr);
  if (png) tsr_save_png(x, png);
  if (npy) tsr_save_npy(x, npy);
  tsr_printf("result elapsed_ms=%.3f mpoints_per_s=%.3f check=%.17g\n", 1e3 * elapsed,
             1e-6 * (double)n * (double)n * (double)i / elapsed, tsr_item_f64(tsr_mean(x)));
  return rr <= enough && tsr_finalize() == TSR_OK ? 0 : 1;
}
