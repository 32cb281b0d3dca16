/* Ours: the programs of bench/run.sh kernels.
 *
 *   kernels NAME N STEPS WARMUP    prints `passes=… us=… check=…` (passes over memory and
 *                                  microseconds per step, and a weighted mean of all arrays that
 *                                  the program has) */
#include "bench/kernels/kernels.h"

static const kernel *const tables[] = {kernels_of_stencils, kernels_of_flows, kernels_of_ocean,
                                       kernels_of_matrices, kernels_of_points};

tsr_array kernel_pattern(tsr_dims shape, int64_t k)
{
  TSR_SCOPE();
  int64_t size = 1;
  for (int i = 0; i < shape.ndim; i++) size *= shape.n[i];
  tsr_array flat = tsr_eval("((arange(size)*7919 + 104729*k) % 1009 + 0.5) / 1009", size, k);
  /* Part of a reshaped view cannot be written. */
  return tsr_keep(tsr_copy(tsr_reshape(flat, shape)));
}

static const kernel *find(const char *name)
{
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    for (const kernel *k = tables[i]; k->name; k++)
      if (strcmp(k->name, name) == 0) return k;
  return NULL;
}

/* An element's weight grows along the last axis, so that an exchange of two shows. */
static double checksum(const tsr_array *x)
{
  double sum = 0;
  for (int i = 0; i < KERNEL_MOST_ARRAYS && tsr_ok(x[i]); i++) {
    TSR_SCOPE();
    const tsr_array a = x[i];
    sum += tsr_item_f64(tsr_eval("mean(abs(a) * linspace(1, 2, a.shape[-1]))", a));
  }
  return sum;
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const kernel *k = argc > 1 ? find(argv[1]) : NULL;
  if (!k) {
    fprintf(stderr, "kernels NAME N STEPS WARMUP: no such name\n");
    return 2;
  }
  const int64_t n = peer_argument(argc, argv, 2, 100), n_steps = peer_argument(argc, argv, 3, 1);
  const int64_t n_warmup = argc > 4 ? atoll(argv[4]) : 0;
  tsr_array x[KERNEL_MOST_ARRAYS];
  for (int i = 0; i < KERNEL_MOST_ARRAYS; i++) x[i] = tsr_null();
  k->start(x, n);
  double start = bench_clock();
  uint64_t before = tsr_n_passes();
  for (int64_t t = 0; t < n_warmup + n_steps; t++) {
    if (t == n_warmup) start = bench_clock(), before = tsr_n_passes();
    k->step(x, n, t);
  }
  const double elapsed = bench_clock() - start;
  tsr_printf("passes=%.3f ", (double)(tsr_n_passes() - before) / (double)n_steps);
  bench_report(elapsed, n_steps, checksum(x));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
