/* Kernels that sum loads, and their runs over rows of memory. */
#ifndef TESSERA_TESTS_KERNEL_SUMS_H
#define TESSERA_TESTS_KERNEL_SUMS_H

#include "kernel/ir/kernel.h"

/** The most loads of a sum. */
enum { MOST = 8 };

/** A sum of n loads, stored; every access is a buffer of its own. */
static inline tsr_kernel *sum_of(int n, tsr_dtype dtype)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(2);
  int load[MOST];
  for (int a = 0; a < n; a++)
    load[a] = tsr__kernel_load(b, tsr__kernel_access_add(b, dtype, false, a, 0));
  const int sum = tsr__kernel_op(b, TSR_OP_ADD, dtype, dtype, n, load);
  tsr__kernel_store(b, tsr__kernel_access_add(b, dtype, true, n, 0), sum);
  return tsr__kernel_finish(b);
}

/** A run over rows x n elements of `size` bytes; loads and the store begin at `base`. */
static inline tsr_kernel_bind bind_of(int64_t rows, int64_t n, int n_loads, int64_t size,
                                      int64_t row, void **base, int64_t (*stride)[TSR_MAX_NDIM])
{
  for (int a = 0; a <= n_loads; a++) stride[a][0] = row, stride[a][1] = size;
  return (tsr_kernel_bind){
      .n = {rows, n}, .base = base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])stride};
}

#endif
