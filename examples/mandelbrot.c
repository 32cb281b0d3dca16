/* The Mandelbrot set in complex numbers: for each point c of a rectangle, how many steps of
 * z = z*z + c leave |z| at 2 or below. Steps are taken by eight: what one scope records point by
 * point is one pass over memory. Source: Mandelbrot, Annals of the New York Academy of Sciences 357
 * (1980). */
#include "tessera.h"

enum { STEPS_OF_A_SCOPE = 8 };

static void steps(tsr_array z, tsr_array c, tsr_array count, int n)
{
  TSR_SCOPE();
  for (int k = 0; k < n; k++) {
    tsr_array inside = tsr_eval("real(z)*real(z) + imag(z)*imag(z) <= 4.0", z);
    tsr_exec("count += inside; z[...] = where(inside, z*z + c, z)", count, inside, z, c);
  }
}

int main(int argc, char **argv)
{
  int64_t n = 480, most = 200;
  double re = -0.65, im = 0, height = 2.4;
  const char *png = NULL, *npy = NULL;
  const tsr_option options[] = {
      {"-n", "points from top to bottom; half as many again from left to right", .integer = &n,
       .least = 2, .most = 1e5},
      {"-i", "steps at most", .integer = &most, .least = 1, .most = 1e12},
      {"--re", "centre of the rectangle, real part", .number = &re, .least = -4, .most = 4},
      {"--im", "centre of the rectangle, imaginary part", .number = &im, .least = -4, .most = 4},
      {"--height", "height of the rectangle", .number = &height, .least = 1e-12, .most = 8},
      {"--png", "write the root of the number of steps as a picture", .text = &png},
      {"--npy", "write the root of the number of steps as numpy.save does", .text = &npy},
      {0},
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status = tsr_options(argc, argv, "The Mandelbrot set in complex numbers.", options);
  if (status >= 0) return tsr_finalize() == TSR_OK ? status : 1;

  const int64_t columns = n + n / 2;
  const double top = im + 0.5 * height, step = height / (double)n;
  const double left = re - 0.5 * step * (double)columns;
  tsr_array x = tsr_arange(0, (double)columns, 1), y = tsr_arange(0, (double)n, 1);
  tsr_array c = tsr_eval("left + step*(x + 0.5) + 1j*(top - step*(y[:,newaxis] + 0.5))", left, step,
                         x, top, y);
  tsr_array z = tsr_zeros(TSR_SHAPE(n, columns), TSR_COMPLEX128);
  tsr_array count = tsr_zeros(TSR_SHAPE(n, columns), TSR_INT32);
  tsr_barrier();
  const double start = tsr_time();
  for (int64_t i = 0; i < most; i += STEPS_OF_A_SCOPE) {
    steps(z, c, count, (int)(most - i < STEPS_OF_A_SCOPE ? most - i : STEPS_OF_A_SCOPE));
    tsr_progress(i + STEPS_OF_A_SCOPE < most ? i + STEPS_OF_A_SCOPE : most, most);
  }
  tsr_barrier();
  const double elapsed = tsr_time() - start;

  tsr_array shade = tsr_sqrt(count);
  if (png) tsr_save_png(shade, png);
  if (npy) tsr_save_npy(shade, npy);
  tsr_printf("result elapsed_ms=%.3f mpoints_per_s=%.3f check=%.17g\n", 1e3 * elapsed,
             1e-6 * (double)n * (double)columns * (double)most / elapsed,
             tsr_item_f64(tsr_sum(shade)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
