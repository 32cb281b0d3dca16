/* Matrices and products as every BLAS takes them. */
#ifndef TSR_BLAS_MATRIX_H
#define TSR_BLAS_MATRIX_H

#include "tessera/base.h"

/** A matrix whose rows are dense. `apart`: elements from the start of one row to the start of the
 * next; of a transposed matrix, from column to column. */
typedef struct tsr_blas_matrix {
  void *at;
  bool is_transposed;
  int apart;
} tsr_blas_matrix;

/** z = x y, or z += x y if `adds`: m x k, k x n, m x n; z is not transposed. */
typedef struct tsr_blas_product {
  tsr_dtype dtype;
  int m, n, k;
  tsr_blas_matrix x, y, z;
  bool adds;
} tsr_blas_product;

#endif
