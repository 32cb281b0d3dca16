/* Matrix products: the task (matmul.c), which uses the loops of an instruction set
 * (matmul_loops.c.in, matmul_complex.c.in). */
#ifndef TSR_MATMUL_H
#define TSR_MATMUL_H

#include "kernel/cpu/isa.h"
#include "kernel/library/task.h"
#include "runtime/base/blas_matrix.h"

void tsr__matmul_grain(const tsr_task_shape *t, int64_t *lengths);
/** Returns whether there are loops for the dtype. */
bool tsr__matmul_takes(tsr_dtype dtype);
size_t tsr__matmul_scratch_bytes(const tsr_task_shape *t);
void tsr__matmul_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                     const tsr_task_pause *pause);

/** A matrix in memory. row and column: bytes from one row or column to the next. */
typedef struct tsr_matrix {
  char *at;
  int64_t row, column;
} tsr_matrix;

/** Returns the part of a matrix that begins so many rows and columns further. A matrix at NULL
 * stays there. */
static inline tsr_matrix tsr__matrix_moved(tsr_matrix x, int64_t rows, int64_t columns)
{
  if (x.at) x.at += rows * x.row + columns * x.column;
  return x;
}

/** c = from + a * b for a [m, k] and b [k, n]. from.at NULL means 0. */
typedef struct tsr_matmul_product {
  int64_t m, n, k;
  tsr_matrix a, b, c, from;
} tsr_matmul_product;

/** Describes a product for a BLAS, that of the transposed matrices where c has dense columns alone.
 * It adds to what c has if from.at is not NULL. Returns false if a matrix has neither dense rows nor
 * dense columns, or a number is too large for an int. */
bool tsr__matmul_blas_describe(tsr_dtype dtype, const tsr_matmul_product *p, tsr_blas_product *out);
/** Returns whether OpenBLAS computes the task's product. The task then needs other scratch
 * memory. */
bool tsr__matmul_by_blas(const tsr_task_shape *t);
size_t tsr__matmul_blas_scratch_bytes(const tsr_task_shape *t);
void tsr__matmul_blas(const tsr_task_shape *t, const tsr_matmul_product *product, char *scratch,
                      const tsr_task_pause *pause);

/** Memory that the loops prefetch. */
typedef struct tsr_matmul_soon {
  tsr_matrix rows; /* rows of the product into which the tile is put next */
  tsr_matrix next; /* lines of the columns of a later tile, two per 16 steps of k */
} tsr_matmul_soon;

/** The loops of one instruction set, which hold a tile of rows x columns of products in registers.
 * What is packed, and the tile of complex numbers, which has both chains of each part, is in the
 * loops' own order. */
typedef struct tsr_matmul_loops {
  int rows, columns;
  /** out[rows][columns] = the sum over k, in order, of a[k][rows] * b[k][columns]. Floats are
   * rounded once per product and sum. All pointers but `a` are multiples of 64 bytes. */
  void (*micro)(int64_t k, const void *a, const void *b, void *out, const tsr_matmul_soon *soon);
  /** Packs n rows of k elements as [n / rows][k][rows], padded with zeros. */
  void (*pack_rows)(int64_t n, int64_t k, tsr_matrix from, void *to);
  /** Packs k rows of n columns as [n / columns][k][columns], padded with zeros. */
  void (*pack_columns)(int64_t n, int64_t k, tsr_matrix from, void *to);
  /** to = from + m x n of the tile. from.at NULL means 0. */
  void (*put)(int64_t m, int64_t n, const void *tile, tsr_matrix from, tsr_matrix to);
  /** Computes the product of operands where they lie, without packing. The memory of c is no
   * operand's: where from.at is NULL, some rows and columns are computed twice. */
  void (*small)(const tsr_matmul_product *p);
} tsr_matmul_loops;
/** The tables of the instruction sets. Rows without loops are empty. */
extern const tsr_matmul_loops tsr__matmul_baseline[TSR_N_DTYPES];
extern const tsr_matmul_loops tsr__matmul_avx2[TSR_N_DTYPES];
extern const tsr_matmul_loops tsr__matmul_avx512[TSR_N_DTYPES];

#endif
