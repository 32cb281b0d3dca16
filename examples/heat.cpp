/* The plate of stencil.c in C++17: arrays that own, slices by subscripts, exceptions.
 *
 *   heat_cpp [N [STEPS [PICTURE.png]]]
 *   c++ -std=c++17 heat.cpp $(pkg-config --cflags --libs tessera) -o heat_cpp
 */
#include <cstdio>
#include <cstdlib>

#include "tessera.h"

using namespace tessera::literals;
using tessera::array, tessera::slice, tessera::none;

static double heat(int n, int steps, const char *picture)
{
  array grid = tessera::zeros({n + 2, n + 2});
  grid(_, 0) = -273.15;
  grid(_, -1) = -273.15;
  grid(-1, _) = -273.15;
  grid(0, _) = 40.0;

  const slice inner(1, -1), before(none, -2), after(2, none);
  auto center = grid(inner, inner);
  const array north = grid(before, inner), east = grid(inner, after), west = grid(inner, before),
              south = grid(after, inner);
  for (int i = 0; i < steps; i++) center = 0.2 * (center + north + east + west + south);

  if (picture) tsr_save_png(grid, picture, TSR_COLORBAR);
  return tessera::mean(grid).item();
}

int main(int argc, char **argv)
{
  tessera::session session(&argc, &argv);
  const tessera::exceptions on;
  try {
    const int n = argc > 1 ? std::atoi(argv[1]) : 100, steps = argc > 2 ? std::atoi(argv[2]) : 100;
    tsr_printf("result check=%.17g\n", heat(n, steps, argc > 3 ? argv[3] : nullptr));
  } catch (const tessera::error &e) {
    if (tsr_rank() == 0) std::fputs(e.what(), stderr);
    return 1;
  }
}
