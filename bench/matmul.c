/* Ours: a product of two matrices, stacks of them, or a matrix and a vector.
 *
 *   matmul M STEPS WARMUP [K N [DTYPE [STACK]]]      prints `us=… check=…` (microseconds per
 *                                                    product, the mean of the product's squares)
 * (M, K) times (K, N), of which there are STACK; M or N 0: a vector of K. DTYPE: float64. */
#include <string.h>

#include "bench/bench.h"

/* Integers below m: the index times the numbers of `step`, stack, rows, columns. A length of 0 is
 * no axis. */
static tsr_array matrix(const int64_t *shape, const int *step, int m, tsr_dtype dtype)
{
  tsr_array sum = tsr_zeros(TSR_SHAPE());
  for (int i = 0; i < 3; i++) {
    if (shape[i] == 0) continue;
    tsr_array index = tsr_multiply(tsr_arange(0, (double)shape[i], 1), step[i]);
    sum = tsr_add(tsr_expand_dims(sum, -1), index);
  }
  tsr_array x = tsr_zeros(tsr_shape(sum), dtype);
  tsr_assign(x, tsr_remainder(sum, m));
  return x;
}

static tsr_dtype dtype_named(const char *name)
{
  return strcmp(name, "float32") == 0      ? TSR_FLOAT32
         : strcmp(name, "complex64") == 0  ? TSR_COMPLEX64
         : strcmp(name, "complex128") == 0 ? TSR_COMPLEX128
                                           : TSR_FLOAT64;
}

static int64_t length(int argc, char **argv, int i, int64_t otherwise)
{
  return argc > i ? atoll(argv[i]) : otherwise;
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t m = length(argc, argv, 1, 4096), n_steps = peer_argument(argc, argv, 2, 1);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 1), k = length(argc, argv, 4, m);
  const int64_t n = length(argc, argv, 5, m), stack = length(argc, argv, 7, 0);
  const tsr_dtype dtype = dtype_named(argc > 6 ? argv[6] : "float64");
  tsr_array a = matrix((int64_t[]){stack, m, k}, (int[]){1, 7, 3}, 11, dtype);
  tsr_array b = matrix((int64_t[]){stack, k, n}, (int[]){1, 5, 2}, 13, dtype),
            c = tsr_zeros(TSR_SHAPE());
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    tsr_replace(&c, tsr_matmul(a, b));
    tsr_flush();
  }
  const double seconds = bench_clock() - start;
  tsr_array part = tsr_astype(tsr_real(c), TSR_FLOAT64);
  bench_report(seconds, n_steps, tsr_item_f64(tsr_mean(tsr_multiply(part, part))));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
