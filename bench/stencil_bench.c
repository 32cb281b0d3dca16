/* Ours: time per step of the five-point Jacobi, the program of examples/stencil.c without its
 * trimmings.
 *
 *   stencil_bench N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of the
 * grid) */
#include <stdlib.h>

#include "bench/peers/peer.h"
#include "tessera.h"

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 1000), n_steps = peer_argument(argc, argv, 2, 100);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 5);
  tsr_array grid = tsr_zeros(TSR_SHAPE(n + 2, n + 2));
  tsr_assign(tsr_slice(grid, ":, 0"), -273.15);
  tsr_assign(tsr_slice(grid, ":, -1"), -273.15);
  tsr_assign(tsr_slice(grid, "-1, :"), -273.15);
  tsr_assign(tsr_slice(grid, "0, :"), 40.0);
  tsr_array center = tsr_slice(grid, "1:-1, 1:-1"), north = tsr_slice(grid, ":-2, 1:-1");
  tsr_array east = tsr_slice(grid, "1:-1, 2:"), west = tsr_slice(grid, "1:-1, :-2");
  tsr_array south = tsr_slice(grid, "2:, 1:-1");
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) {
      tsr_barrier();
      start = peer_seconds();
    }
    tsr_assign(center, tsr_multiply(0.2, tsr_add(center, north, east, west, south)));
  }
  tsr_barrier();
  const double elapsed = peer_seconds() - start;
  tsr_printf("us=%.4f check=%.12g\n", 1e6 * elapsed / (double)n_steps,
             tsr_item_f64(tsr_mean(grid)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
