/* Conway's game of life on a torus, in integers: a cell lives on with two or three living
 * neighbours and is born with three. A row and a column of ghosts on each side hold the opposite
 * border. Source: Gardner, Mathematical games, Scientific American 223 (1970). */
#include "tessera.h"

static void wrap(tsr_array a)
{
  tsr_exec("a[0,:] = a[-2,:]; a[-1,:] = a[1,:]; a[:,0] = a[:,-2]; a[:,-1] = a[:,1]", a);
}

static void generation(tsr_array a)
{
  TSR_SCOPE();
  tsr_array around = tsr_eval("a[:-2,:-2] + a[:-2,1:-1] + a[:-2,2:] + a[1:-1,:-2] + a[1:-1,2:]"
                              " + a[2:,:-2] + a[2:,1:-1] + a[2:,2:]",
                              a);
  tsr_array lives = tsr_eval("(around == 3) | ((around == 2) & (a[1:-1,1:-1] == 1))", around, a);
  tsr_assign(tsr_slice(a, "1:-1, 1:-1"), lives);
  wrap(a);
}

/* The R-pentomino, which grows for 1,103 generations, in every square of 64. */
static void settle(tsr_array a, int64_t n)
{
  const int cells[5][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 1}};
  for (int64_t y = n < 64 ? n / 2 : 32; y + 2 < n; y += 64)
    for (int64_t x = n < 64 ? n / 2 : 32; x + 2 < n; x += 64)
      for (int i = 0; i < 5; i++)
        tsr_assign(tsr_slice(a, "$, $", y + cells[i][0] + 1, x + cells[i][1] + 1), 1);
}

int main(int argc, char **argv)
{
  int64_t n = 256, generations = 1000;
  const char *png = NULL, *npy = NULL;
  const tsr_option options[] = {
      {"-n", "cells along a side", .integer = &n, .least = 6, .most = 1e5},
      {"-i", "generations", .integer = &generations, .least = 1, .most = 1e12},
      {"--png", "write the living cells as a picture", .text = &png},
      {"--npy", "write the living cells as numpy.save does", .text = &npy},
      {0},
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status = tsr_options(argc, argv, "Conway's game of life on a torus.", options);
  if (status >= 0) return tsr_finalize() == TSR_OK ? status : 1;

  tsr_array a = tsr_zeros(TSR_SHAPE(n + 2, n + 2), TSR_INT32);
  settle(a, n);
  wrap(a);
  tsr_barrier();
  const double start = tsr_time();
  for (int64_t i = 0; i < generations; i++) {
    generation(a);
    tsr_progress(i + 1, generations);
  }
  tsr_barrier();
  const double elapsed = tsr_time() - start;

  tsr_array inner = tsr_slice(a, "1:-1, 1:-1");
  if (png) tsr_save_png(inner, png);
  if (npy) tsr_save_npy(inner, npy);
  tsr_printf("result elapsed_ms=%.3f mpoints_per_s=%.3f check=%.17g\n", 1e3 * elapsed,
             1e-6 * (double)n * (double)n * (double)generations / elapsed,
             tsr_item_f64(tsr_sum(inner)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
