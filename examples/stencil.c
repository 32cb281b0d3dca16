/* The five-point Jacobi stencil: a square plate whose borders have fixed temperatures, each inner
 * point becoming the mean of itself and its four neighbours. In NumPy:
 *
 *   center, north, south = grid[1:-1, 1:-1], grid[:-2, 1:-1], grid[2:, 1:-1]
 *   east, west = grid[1:-1, 2:], grid[1:-1, :-2]
 *   for i in range(steps):
 *       center[:] = 0.2 * (center + north + east + west + south)
 */
#include "tessera.h"

int main(int argc, char **argv)
{
  int64_t n = 100, steps = 100, warmup = 5, periodic = 0;
  const char *png = NULL, *npy = NULL;
  const tsr_option options[] = {
      {"-n", "inner points along a side", .integer = &n, .least = 1, .most = 1e6},
      {"-i", "timed steps", .integer = &steps, .least = 1, .most = 1e12},
      {"-w", "steps before the clock starts", .integer = &warmup, .least = 0, .most = 1e12},
      {"-p", "1: the plate has no border, each side meets the opposite one", .integer = &periodic,
       .least = 0, .most = 1},
      {"--png", "write the final temperatures as a picture", .text = &png},
      {"--npy", "write the final temperatures as numpy.save does", .text = &npy},
      {0},
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status =
      tsr_options(argc, argv, "Five-point Jacobi stencil on a square plate.", options);
  if (status >= 0) return tsr_finalize() == TSR_OK ? status : 1;

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
  for (int64_t i = 0; i < warmup + steps; i++) {
    if (i == warmup) {
      tsr_barrier();
      start = tsr_time();
    }
    if (periodic)
      tsr_assign(grid, tsr_multiply(0.2, tsr_add(grid, tsr_roll(grid, 1, 0), tsr_roll(grid, -1, 0),
                                                 tsr_roll(grid, 1, 1), tsr_roll(grid, -1, 1))));
    else
      tsr_assign(center, tsr_multiply(0.2, tsr_add(center, north, east, west, south)));
    tsr_progress(i + 1, warmup + steps);
  }
  tsr_barrier();
  const double elapsed = tsr_time() - start;

  if (png) tsr_save_png(grid, png);
  if (npy) tsr_save_npy(grid, npy);
  tsr_printf("result elapsed_ms=%.3f mpoints_per_s=%.3f check=%.17g\n", 1e3 * elapsed,
             1e-6 * (double)n * (double)n * (double)steps / elapsed, tsr_item_f64(tsr_mean(grid)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
