/* OpenBLAS by dlopen. Its C interface is declared here as the reference (cblas.h) has it, with
 * 32-bit integers. Each call computes in the thread that makes it. */
#include "runtime/machine/blas.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/alloc.h"
#include "runtime/base/library.h"

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111, TRANSPOSE = 112 };
enum { SEQUENTIAL, BY_PTHREADS }; /* values of openblas_get_parallel; 2 would be OpenMP */

typedef void (*gemm_f32)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                         const void *a, int lda, const void *b, int ldb, float beta, void *c,
                         int ldc);
typedef void (*gemm_f64)(int order, int trans_a, int trans_b, int m, int n, int k, double alpha,
                         const void *a, int lda, const void *b, int ldb, double beta, void *c,
                         int ldc);
typedef void (*gemm_complex)(int order, int trans_a, int trans_b, int m, int n, int k,
                             const void *alpha, const void *a, int lda, const void *b, int ldb,
                             const void *beta, void *c, int ldc);

struct tsr_blas {
  gemm_f32 s;
  gemm_f64 d;
  gemm_complex c, z;
  uint64_t n_calls; /* calls of the library; atomic */
};

static bool find_all(void *handle, tsr_blas *b)
{
  return tsr__library_find(handle, "cblas_sgemm", &b->s) &&
         tsr__library_find(handle, "cblas_dgemm", &b->d) &&
         tsr__library_find(handle, "cblas_cgemm", &b->c) &&
         tsr__library_find(handle, "cblas_zgemm", &b->z);
}

/* Makes the library compute in the calling thread. TSR_ERR_CONFIG if it is not OpenBLAS, or a build
 * that several threads cannot call at once: a build without threads shares buffers without a lock,
 * and one with OpenMP takes its callers for OpenMP's threads. */
static tsr_status settle_threads(void *handle, const char *library, int n_callers, char *message,
                                 size_t size)
{
  void (*set_n_threads)(int) = NULL;
  int (*get_parallel)(void) = NULL;
  char *(*get_config)(void) = NULL;
  if (!tsr__library_find(handle, "openblas_set_num_threads", &set_n_threads) ||
      !tsr__library_find(handle, "openblas_get_parallel", &get_parallel) ||
      !tsr__library_find(handle, "openblas_get_config", &get_config)) {
    snprintf(message, size,
             "TESSERA_MATMUL is blas, but %s (TESSERA_BLAS) is not OpenBLAS: it lacks functions; "
             "Debian's package is libopenblas0-pthread",
             library);
    return TSR_ERR_CONFIG;
  }
  const int parallel = get_parallel();
  if (parallel != BY_PTHREADS && n_callers > 1) {
    snprintf(message, size,
             "TESSERA_MATMUL is blas, but %s is a build of OpenBLAS (%s, %s) that %d threads "
             "cannot call at once: install libopenblas0-pthread, name that by TESSERA_BLAS, or "
             "set TESSERA_THREADS=1",
             library, get_config(), parallel == SEQUENTIAL ? "serial" : "of OpenMP", n_callers);
    return TSR_ERR_CONFIG;
  }
  set_n_threads(1);
  return TSR_OK;
}

tsr_status tsr__blas_open(const char *library, int n_callers, tsr_blas **out, char *message,
                          size_t size)
{
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == NULL) {
    snprintf(message, size,
             "TESSERA_MATMUL is blas, which needs OpenBLAS (TESSERA_BLAS): %s; Debian's package is "
             "libopenblas0-pthread, and TESSERA_MATMUL=exact needs none",
             dlerror());
    return TSR_ERR_CONFIG;
  }
  tsr_blas found = {.n_calls = 0};
  tsr_status status = settle_threads(handle, library, n_callers, message, size);
  if (status == TSR_OK && !find_all(handle, &found)) {
    snprintf(message, size,
             "TESSERA_MATMUL is blas, but %s (TESSERA_BLAS) was built without the C interface",
             library);
    status = TSR_ERR_CONFIG;
  }
  dlclose(handle); /* this only drops a reference: the library's threads may be anywhere in it */
  if (status < 0) return status;
  *out = tsr__malloc(sizeof **out);
  **out = found;
  return TSR_OK;
}

void tsr__blas_close(tsr_blas *b)
{
  free(b);
}

bool tsr__blas_takes(tsr_dtype dtype)
{
  return dtype == TSR_DTYPE_FLOAT32 || dtype == TSR_DTYPE_FLOAT64 || dtype == TSR_DTYPE_COMPLEX64 ||
         dtype == TSR_DTYPE_COMPLEX128;
}

void tsr__blas_multiply(tsr_blas *b, tsr_dtype dtype, const int64_t m_n_k[3],
                        const tsr_blas_matrix *x, const tsr_blas_matrix *y,
                        const tsr_blas_matrix *z, bool adds)
{
  static const float one_f32[2] = {1, 0}, zero_f32[2];
  static const double one_f64[2] = {1, 0}, zero_f64[2];
  const int tx = x->is_transposed ? TRANSPOSE : NO_TRANSPOSE;
  const int ty = y->is_transposed ? TRANSPOSE : NO_TRANSPOSE;
  const int m = (int)m_n_k[0], n = (int)m_n_k[1], k = (int)m_n_k[2];
  __atomic_fetch_add(&b->n_calls, 1, __ATOMIC_RELAXED);
  if (dtype == TSR_DTYPE_FLOAT32)
    b->s(ROW_MAJOR, tx, ty, m, n, k, 1, x->at, x->apart, y->at, y->apart, adds ? 1 : 0, z->at,
         z->apart);
  else if (dtype == TSR_DTYPE_FLOAT64)
    b->d(ROW_MAJOR, tx, ty, m, n, k, 1, x->at, x->apart, y->at, y->apart, adds ? 1 : 0, z->at,
         z->apart);
  else if (dtype == TSR_DTYPE_COMPLEX64)
    b->c(ROW_MAJOR, tx, ty, m, n, k, one_f32, x->at, x->apart, y->at, y->apart,
         adds ? one_f32 : zero_f32, z->at, z->apart);
  else
    b->z(ROW_MAJOR, tx, ty, m, n, k, one_f64, x->at, x->apart, y->at, y->apart,
         adds ? one_f64 : zero_f64, z->at, z->apart);
}

uint64_t tsr__blas_n_calls(const tsr_blas *b)
{
  return __atomic_load_n(&b->n_calls, __ATOMIC_RELAXED);
}
