/* The Mandelbrot set in complex numbers: for each point c of a rectangle, how many steps of
 * z = z*z + c leave |z| at 2 or below. Steps are taken by eight: what one scope records point by
 * point is one pass over memory. Source: Mandelbrot, Annals of the New York Academy of Sciences 357
 * (1980). */
#include "common.h"

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
  example_output out = {.png = NULL};
  const example_option options[] = {
      {"-n", 'i', &n, 2, 1e5, "points from top to bottom; half as many again from left to right"},
      {"-i", 'i', &most, 1, 1e12, "steps at most"},
      {"--re", 'd', &re, -4, 4, "centre of the rectangle, real part"},
      {"--im", 'd', &im, -4, 4, "centre of the rectangle, imaginary part"},
      {"--height", 'd', &height, 1e-12, 8, "height of the rectangle"},
      EXAMPLE_OUTPUT(&out, "the root of the number of steps"),
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status = example_options(argc, argv, "The Mandelbrot set in complex numbers.", options,
                                     EXAMPLE_COUNT(options));
  if (status >= 0) {
    tsr_finalize();
    return status;
  }

  const int64_t columns = n + n / 2;
  const double top = im + 0.5 * height, step = height / (double)n;
  const double left = re - 0.5 * step * (double)columns;
  tsr_array x = tsr_arange(0, (double)columns, 1), y = tsr_arange(0, (double)n, 1);
  tsr_array c = tsr_eval("left + step*(x + 0.5) + 1j*(top - step*(y[:,newaxis] + 0.5))", left, step,
                         x, top, y);
  tsr_array z = tsr_zeros(TSR_SHAPE(n, columns), TSR_COMPLEX128);
  tsr_array count = tsr_zeros(TSR_SHAPE(n, columns), TSR_INT32);
  example_progress progress = example_progress_begin(most);
  for (int64_t i = 0; i < most; i += STEPS_OF_A_SCOPE) {
    steps(z, c, count, (int)(most - i < STEPS_OF_A_SCOPE ? most - i : STEPS_OF_A_SCOPE));
    example_progress_step(&progress, i + STEPS_OF_A_SCOPE < most ? i + STEPS_OF_A_SCOPE : most);
  }
  const double elapsed = example_progress_end(&progress);

  tsr_array shade = tsr_sqrt(count);
  example_write(&out, shade);
  example_result(elapsed, (double)n * (double)columns * (double)most, tsr_item_f64(tsr_sum(shade)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
