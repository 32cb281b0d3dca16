/* Ours: the sum or the maximum of A x B x C over an axis, each into an array that is there.
 *
 *   fold WHAT AXIS A STEPS WARMUP B C [written]   WHAT: sum or max; written: of a short axis, as a
 *                                                 formula of its elements
 *
 * Prints `us=… check=…` (microseconds per fold, the mean of the last). */
#include "bench/bench.h"

enum { MOST_TERMS = 16 };

static tsr_array plane(tsr_array x, int axis, int64_t i)
{
  return axis == 0 ? tsr_slice(x, "$", i) : tsr_slice(x, axis == 1 ? ":, $" : ":, :, $", i);
}

static void fold(tsr_array out, tsr_array x, bool is_max, int axis, int64_t n_written)
{
  TSR_SCOPE();
  if (n_written == 0) {
    tsr_assign(out, is_max ? tsr_max(x, TSR_AXES(axis)) : tsr_sum(x, TSR_AXES(axis)));
    return;
  }
  tsr_array all = plane(x, axis, 0);
  for (int64_t i = 1; i < n_written; i++)
    all = is_max ? tsr_maximum(all, plane(x, axis, i)) : tsr_add(all, plane(x, axis, i));
  tsr_assign(out, all);
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const bool is_max = argc > 1 && strcmp(argv[1], "max") == 0, is_written = argc > 8;
  const int axis = argc > 2 ? atoi(argv[2]) : 0;
  const int64_t n_steps = peer_argument(argc, argv, 4, 20),
                n_warmup = peer_argument(argc, argv, 5, 5);
  const int64_t n[3] = {peer_argument(argc, argv, 3, 9), peer_argument(argc, argv, 6, 400),
                        peer_argument(argc, argv, 7, 800)};
  if (axis < 0 || axis > 2 || (is_written && n[axis] > MOST_TERMS)) return 1;
  tsr_array line = tsr_remainder(tsr_arange(0.0, (double)(n[0] * n[1] * n[2]), 1.0), 97.0);
  tsr_array x = tsr_copy(tsr_reshape(line, TSR_SHAPE(n[0], n[1], n[2])));
  tsr_array out = tsr_zeros(TSR_SHAPE(n[axis == 0], n[axis == 2 ? 1 : 2]));
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    fold(out, x, is_max, axis, is_written ? n[axis] : 0);
    tsr_flush();
  }
  const double elapsed = bench_clock() - start;
  bench_report(elapsed, n_steps, tsr_item_f64(tsr_mean(out)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
