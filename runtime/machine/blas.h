/* OpenBLAS, for those who ask for it (TESSERA_MATMUL=blas): a library that is found when it is
 * needed, so that building takes nothing. What it computes depends on the processor, so nothing
 * calls it by default. */
#ifndef TSR_BLAS_H
#define TSR_BLAS_H

#include "tessera/base.h"

typedef struct tsr_blas tsr_blas;

/** A matrix in rows of one after the other: `apart` elements from the start of one to that of the
 * next, or, where it is transposed, of one column to the next. */
typedef struct tsr_blas_matrix {
  void *at;
  bool is_transposed;
  int apart;
} tsr_blas_matrix;

/** `library`: a file name, as dlopen takes it. n_callers: threads that will call it at once, for
 * not every build bears that. TSR_ERR_CONFIG, with a text that names the settings and the package,
 * if it cannot be had. The library stays in the process. */
tsr_status tsr__blas_open(const char *library, int n_callers, tsr_blas **out, char *message,
                          size_t size);
void tsr__blas_close(tsr_blas *b); /* NULL is ignored */
/** Float32, float64, complex64, complex128? */
bool tsr__blas_takes(tsr_dtype dtype);
/** c = a b, or c += a b: m x k, k x n, m x n; c is not transposed. Any thread. */
void tsr__blas_multiply(tsr_blas *b, tsr_dtype dtype, const int64_t m_n_k[3],
                        const tsr_blas_matrix *x, const tsr_blas_matrix *y,
                        const tsr_blas_matrix *z, bool adds);
/** How often it was called. */
uint64_t tsr__blas_n_calls(const tsr_blas *b);

#endif
