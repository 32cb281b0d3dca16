/* The programs of bench/run.sh kernels: each has arrays, which it makes, and a step, which writes
 * them in place. The Python file of the same name in bench/kernels/peers does the same. */
#ifndef TESSERA_BENCH_KERNELS_H
#define TESSERA_BENCH_KERNELS_H

#include "bench/bench.h"

enum { KERNEL_MOST_ARRAYS = 8 };

typedef struct kernel {
  const char *name;
  /** Makes the arrays x[0] … of a problem of size n; the others stay null handles. */
  void (*start)(tsr_array *x, int64_t n);
  /** One step, the t-th from 0. */
  void (*step)(const tsr_array *x, int64_t n, int64_t t);
} kernel;

/** The programs of one file; the last has no name. */
extern const kernel kernels_of_stencils[], kernels_of_flows[], kernels_of_ocean[],
    kernels_of_matrices[], kernels_of_points[];

/** Numbers between 0 and 1 without an order to the eye, other ones for every k; `pattern` of
 * peer.py. */
tsr_array kernel_pattern(tsr_dims shape, int64_t k);

#endif
