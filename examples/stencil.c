/* The five-point Jacobi stencil: a square plate whose borders have fixed temperatures, each inner
 * point becoming the mean of itself and its four neighbours. In NumPy:
 *
 *   center, north, south = grid[1:-1, 1:-1], grid[:-2, 1:-1], grid[2:, 1:-1]
 *   east, west = grid[1:-1, 2:], grid[1:-1, :-2]
 *   for i in range(steps):
 *       center[:] = 0.2 * (center + north + east + west + south)
 */
#include "common.h"

int main(int argc, char **argv)
{
  int64_t n = 100, steps = 100, warmup = 5, periodic = 0;
  example_output out = {.png = NULL};
  const example_option options[] = {
      {"-n", 'i', &n, 1, 1e6, "inner points along a side"},
      {"-i", 'i', &steps, 1, 1e12, "timed steps"},
      {"-w", 'i', &warmup, 0, 1e12, "steps before the clock starts"},
      {"-p", 'i', &periodic, 0, 1, "1: the plate has no border, each side meets the opposite one"},
      EXAMPLE_OUTPUT(&out, "the final temperatures"),
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status = example_options(argc, argv, "Five-point Jacobi stencil on a square plate.",
                                     options, EXAMPLE_COUNT(options));
  if (status >= 0) {
    tsr_finalize();
    return status;
  }

  tsr_array grid = tsr_zeros(TSR_SHAPE(n + 2, n + 2));
  tsr_assign(tsr_slice(grid, ":, 0"), -273.15);
  tsr_assign(tsr_slice(grid, ":, -1"), -273.15);
  tsr_assign(tsr_slice(grid, "-1, :"), -273.15);
  tsr_assign(tsr_slice(grid, "0, :"), 40.0);

  tsr_array center = tsr_slice(grid, "1:-1, 1:-1");
  tsr_array north = tsr_slice(grid, ":-2, 1:-1");
  tsr_array east = tsr_slice(grid, "1:-1, 2:");
  tsr_array west = tsr_slice(grid, "1:-1, :-2");
  tsr_array south = tsr_slice(grid, "2:, 1:-1");

  double start = 0;
  example_progress progress = example_progress_begin(warmup + steps);
  for (int64_t i = 0; i < warmup + steps; i++) {
    if (i == warmup) {
      tsr_barrier();
      start = example_seconds();
    }
    if (periodic)
      tsr_assign(grid, tsr_multiply(0.2, tsr_add(grid, tsr_roll(grid, 1, 0), tsr_roll(grid, -1, 0),
                                                 tsr_roll(grid, 1, 1), tsr_roll(grid, -1, 1))));
    else
      tsr_assign(center, tsr_multiply(0.2, tsr_add(center, north, east, west, south)));
    example_progress_step(&progress, i + 1);
  }
  tsr_barrier();
  const double elapsed = example_seconds() - start;
  example_progress_end(&progress);

  example_write(&out, grid);
  example_result(elapsed, (double)n * (double)n * (double)steps, tsr_item_f64(tsr_mean(grid)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
