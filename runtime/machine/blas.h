/* OpenBLAS for TESSERA_MATMUL=blas. The library is found when it is needed, so building takes
 * nothing. What it computes depends on the processor, so nothing calls it by default. */
#ifndef TSR_BLAS_H
#define TSR_BLAS_H

#include "runtime/base/blas_matrix.h"

typedef struct tsr_blas tsr_blas;

/** Open the library. `library`: a file name, as dlopen takes it. n_callers: how many threads will
 * call it at once, which not every build allows. Returns TSR_ERR_CONFIG if it cannot be had, with a
 * text that names the settings and the package. The library stays in the process. */
tsr_status tsr__blas_open(const char *library, int n_callers, tsr_blas **out, char *message,
                          size_t size);
void tsr__blas_close(tsr_blas *b); /* NULL is ignored */
/** Does OpenBLAS multiply this dtype? It does so for float32, float64, complex64 and complex128. */
bool tsr__blas_takes(tsr_dtype dtype);
/** Compute z = x y, or z += x y if `adds`: m x k, k x n, m x n; z is not transposed. Any thread. */
void tsr__blas_multiply(tsr_blas *b, tsr_dtype dtype, const int64_t m_n_k[3],
                        const tsr_blas_matrix *x, const tsr_blas_matrix *y,
                        const tsr_blas_matrix *z, bool adds);
/** How often the library was called. */
uint64_t tsr__blas_n_calls(const tsr_blas *b);

#endif
