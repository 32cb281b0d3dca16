/* Matrix products: the task (matmul.c) over this library's loops (matmul_loops.inc) or OpenBLAS
 * (matmul_blas.c). */
#ifndef TSR_MATMUL_H
#define TSR_MATMUL_H

#include "kernel/task.h"

void tsr__matmul_grain(const tsr_task_shape *t, int64_t *lengths);
size_t tsr__matmul_scratch_bytes(const tsr_task_shape *t);
void tsr__matmul_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch);

/** A matrix in memory: bytes from row to row and from column to column. */
typedef struct tsr_matrix {
  char *at;
  int64_t row, column;
} tsr_matrix;

/** Rows [m_lo, m_end) and columns [n_lo, n_end) of a product of an m x k and a k x n matrix. The
 * matrices begin there: a at row m_lo, b at column n_lo, c at both. `from`: what it is added to,
 * like c, may be c; at NULL: nothing. */
typedef struct tsr_product {
  int64_t m, n, k, m_lo, m_end, n_lo, n_end;
  tsr_matrix a, b, c, from;
} tsr_product;

/** Tiles of rows x columns of products that the loops of one instruction set hold in registers.
 * `micro`: out[rows][columns] = sum over k of a[k][rows] * b[k][columns], in order of k, every
 * product rounded before it is added. `pack`: n rows of k elements to [n / width][k][width],
 * filled up with zeros. */
typedef struct tsr_matmul_loops {
  int rows, columns;
  void (*micro)(int64_t k, const void *a, const void *b, void *out);
  void (*pack)(int64_t n, int64_t k, int width, tsr_matrix from, void *to);
  void (*put)(int64_t m, int64_t n, const void *tile, int columns, tsr_matrix from, tsr_matrix to);
} tsr_matmul_loops;
extern const tsr_matmul_loops tsr__matmul_baseline[TSR_N_DTYPES];
extern const tsr_matmul_loops tsr__matmul_avx2[TSR_N_DTYPES];
extern const tsr_matmul_loops tsr__matmul_avx512[TSR_N_DTYPES];

/** The whole block through OpenBLAS. False: not of this dtype, or there is none. scratch: room for
 * a, b and c as dense matrices. */
bool tsr__blas_product(tsr_dtype dtype, const tsr_product *p, void *scratch);

#endif
