/* Ours: time per step of programs whose steps are tiled over time.
 *
 *   steps pressure N STEPS WARMUP   five-point sweeps of N x N with four borders, as in a cavity
 *   steps wave N STEPS WARMUP       the wave equation on N x N, three arrays that take turns
 *   steps line N STEPS WARMUP       the three-point sweep of N points
 *
 * Prints `us=… check=…` (microseconds per step, mean of the grid). */
#include "bench/bench.h"

#include <string.h>

static void pressure_step(const tsr_array *v, int64_t i)
{
  (void)i;
  const tsr_array p = v[0], b = v[1];
  tsr_exec(
      "p[1:-1,1:-1] = 0.25*(p[1:-1,2:] + p[1:-1,:-2] + p[2:,1:-1] + p[:-2,1:-1]) - b[1:-1,1:-1]", p,
      b);
  tsr_exec("p[:,-1] = p[:,-2]", p);
  tsr_exec("p[0,:] = p[1,:]", p);
  tsr_exec("p[:,0] = p[:,1]", p);
  tsr_exec("p[-1,:] = 0.0", p);
}

static void wave_step(const tsr_array *v, int64_t i)
{
  const tsr_array a = v[i % 3], b = v[(i + 1) % 3], c = v[(i + 2) % 3];
  tsr_exec("c[1:-1,1:-1] = 2*b[1:-1,1:-1] - a[1:-1,1:-1]"
           " + 0.1*(b[2:,1:-1] + b[:-2,1:-1] + b[1:-1,2:] + b[1:-1,:-2] - 4*b[1:-1,1:-1])",
           a, b, c);
}

static void line_step(const tsr_array *v, int64_t i)
{
  (void)i;
  const tsr_array u = v[0];
  tsr_exec("u[1:-1] = 0.25*u[:-2] + 0.5*u[1:-1] + 0.25*u[2:]", u);
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const char *what = argc > 1 ? argv[1] : "pressure";
  const int64_t n = peer_argument(argc, argv, 2, 2048), n_steps = peer_argument(argc, argv, 3, 50);
  const int64_t n_warmup = peer_argument(argc, argv, 4, 50);
  const bool is_line = strcmp(what, "line") == 0, is_wave = strcmp(what, "wave") == 0;
  tsr_array v[3] = {tsr_null(), tsr_null(), tsr_null()};
  for (int k = 0; k < (is_line ? 1 : is_wave ? 3 : 2); k++)
    v[k] = is_line ? tsr_ones(TSR_SHAPE(n)) : tsr_full(TSR_SHAPE(n, n), 0.001 * (k + 1));
  const tsr_array start_of = v[0], source = v[1];
  if (is_line) tsr_exec("start_of[0] = 40.0", start_of);
  if (!is_line) tsr_exec("source[5:20,5:20] = 0.5", source);
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    (is_line ? line_step : is_wave ? wave_step : pressure_step)(v, i);
  }
  const double elapsed = bench_clock() - start;
  bench_report(elapsed, n_steps, tsr_item_f64(tsr_mean(v[0])));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
