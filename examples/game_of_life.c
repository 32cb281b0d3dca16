/* Conway's game of life on a torus, in integers: a cell lives on with two or three living
 * neighbours and is born with three. A row and a column of ghosts on each side hold the opposite
 * border. Source: Gardner, Mathematical games, Scientific American 223 (1970). */
#include "common.h"

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
  example_output out = {.png = NULL};
  const example_option options[] = {
      {"-n", 'i', &n, 6, 1e5, "cells along a side"},
      {"-i", 'i', &generations, 1, 1e12, "generations"},
      EXAMPLE_OUTPUT(&out, "the living cells"),
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status = example_options(argc, argv, "Conway's game of life on a torus.", options,
                                     EXAMPLE_COUNT(options));
  if (status >= 0) {
    tsr_finalize();
    return status;
  }

  tsr_array a = tsr_zeros(TSR_SHAPE(n + 2, n + 2), TSR_INT32);
  settle(a, n);
  wrap(a);
  example_progress progress = example_progress_begin(generations);
  for (int64_t i = 0; i < generations; i++) {
    generation(a);
    example_progress_step(&progress, i + 1);
  }
  const double elapsed = example_progress_end(&progress);

  tsr_array inner = tsr_slice(a, "1:-1, 1:-1");
  example_write(&out, inner);
  example_result(elapsed, (double)n * (double)n * (double)generations,
                 tsr_item_f64(tsr_sum(inner)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
