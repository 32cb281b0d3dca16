/* Matrix products: the task (matmul.c) over the loops of an instruction set (matmul_loops.inc). */
#ifndef TSR_MATMUL_H
#define TSR_MATMUL_H

#include "kernel/cpu/isa.h"
#include "kernel/library/task.h"

void tsr__matmul_grain(const tsr_task_shape *t, int64_t *lengths);
/** Are there loops of the dtype? */
bool tsr__matmul_takes(tsr_dtype dtype);
size_t tsr__matmul_scratch_bytes(const tsr_task_shape *t);
void tsr__matmul_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                     const tsr_task_pause *pause);

/** A matrix in memory: bytes from row to row and from column to column. */
typedef struct tsr_matrix {
  char *at;
  int64_t row, column;
} tsr_matrix;

/** The part of a matrix that begins so many rows and columns further. A matrix that is not there
 *  (at NULL) stays so. */
static inline tsr_matrix tsr__matrix_moved(tsr_matrix x, int64_t rows, int64_t columns)
{
  if (x.at) x.at += rows * x.row + columns * x.column;
  return x;
}

/** c = from + a * b, of m x k and k x n; from - a * b, of floats, if it subtracts; from.at NULL: 0.
 */
typedef struct tsr_matmul_product {
  int64_t m, n, k;
  tsr_matrix a, b, c, from;
  bool subtracts;
} tsr_matmul_product;

/** Is the task's product one of those that OpenBLAS computes? It has scratch of its own then. */
bool tsr__matmul_by_blas(const tsr_task_shape *t);
size_t tsr__matmul_blas_scratch_bytes(const tsr_task_shape *t);
void tsr__matmul_blas(const tsr_task_shape *t, const tsr_matmul_product *product, char *scratch,
                      const tsr_task_pause *pause);

/** Memory that loops ask for ahead of time; hints. */
typedef struct tsr_matmul_soon {
  tsr_matrix rows; /* of the product: those of the tile, which is put there next */
  tsr_matrix next; /* rows of columns, two per 16 steps of k: those of a later tile */
} tsr_matmul_soon;

/** Tiles of rows x columns of products that the loops of one instruction set hold in registers. */
typedef struct tsr_matmul_loops {
  int rows, columns;
  /** out[rows][columns] = the sum over k, in its order, of a[k][rows] * b[k][columns]; of floats
   * with one rounding per product and sum. All at multiples of 64 bytes, but a. */
  void (*micro)(int64_t k, const void *a, const void *b, void *out, const tsr_matmul_soon *soon);
  /** n rows of k elements, to [n / rows][k][rows], filled up with zeros. */
  void (*pack_rows)(int64_t n, int64_t k, tsr_matrix from, void *to);
  /** k rows of n columns, to [n / columns][k][columns], the same. */
  void (*pack_columns)(int64_t n, int64_t k, tsr_matrix from, void *to);
  /** to = from + m x n of the tile; from.at NULL: 0. */
  void (*put)(int64_t m, int64_t n, const void *tile, tsr_matrix from, tsr_matrix to);
} tsr_matmul_loops;
/** One table per instruction set; rows that do not exist are empty. */
extern const tsr_matmul_loops tsr__matmul_baseline[TSR_N_DTYPES];
extern const tsr_matmul_loops tsr__matmul_avx2[TSR_N_DTYPES];
extern const tsr_matmul_loops tsr__matmul_avx512[TSR_N_DTYPES];

#endif
