/* Products of matrices by NVIDIA's cuBLAS, found when it is needed. Its header is not: the types of
 * the few entries have stayed the same since version 2 of its interface. Matrices are those of
 * Fortran there, by columns, so the product of the transposed ones is asked for. Its mode is the
 * one in which float32 is not rounded to fewer bits on the way. */
#include "runtime/device/cuda_int.h"

#include "runtime/base/alloc.h"
#include "runtime/base/library.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct cublasContext *cublasHandle_t;
enum { CUBLAS_SUCCESS, CUBLAS_PEDANTIC_MATH = 2 };
enum { CUBLAS_N, CUBLAS_T };

typedef int (*gemm_fn)(cublasHandle_t handle, int turns_a, int turns_b, int m, int n, int k,
                       const void *alpha, const void *a, int lda, const void *b, int ldb,
                       const void *beta, void *c, int ldc);

#define ENTRIES(E)                                                                                 \
  E(int, cublasCreate_v2, (cublasHandle_t *))                                                      \
  E(int, cublasDestroy_v2, (cublasHandle_t))                                                       \
  E(int, cublasSetStream_v2, (cublasHandle_t, CUstream))                                           \
  E(int, cublasSetMathMode, (cublasHandle_t, int))
#define MEMBER(type, name, parameters) type(*name) parameters;

struct tsr_cublas {
  ENTRIES(MEMBER)
  gemm_fn s, d, c, z;
  cublasHandle_t handle; /* NULL: the library refused to make one, which stays so */
};

static bool find_library(struct tsr_cublas *b, char *why, size_t size)
{
  static const char *const names[] = {"libcublas.so",
                                      "libcublas.so.13",
                                      "libcublas.so.12",
                                      "libcublas.so.11",
                                      "/usr/local/cuda/lib64/libcublas.so",
                                      "/usr/local/cuda/lib/libcublas.so",
                                      NULL};
  void *library = tsr__library_open(names, why, size);
  if (library == NULL) return false;
  bool has = true;
#define FIND(type, name, parameters) has = has && tsr__library_find(library, #name, &b->name);
  ENTRIES(FIND)
  has = has && tsr__library_find(library, "cublasSgemm_v2", &b->s) &&
        tsr__library_find(library, "cublasDgemm_v2", &b->d) &&
        tsr__library_find(library, "cublasCgemm_v2", &b->c) &&
        tsr__library_find(library, "cublasZgemm_v2", &b->z);
  dlclose(library);
  if (!has) snprintf(why, size, "libcublas.so is too old: it lacks a function");
  return has;
}

bool tsr__cublas_is_available(char *why, size_t size)
{
  struct tsr_cublas found;
  return find_library(&found, why, size);
}

static bool worked(const char *call, int result, char *why, size_t size)
{
  if (result != CUBLAS_SUCCESS) snprintf(why, size, "%s gives %d", call, result);
  return result == CUBLAS_SUCCESS;
}

void tsr__cublas_close(struct tsr_cublas *b)
{
  if (b != NULL && b->handle != NULL) (void)b->cublasDestroy_v2(b->handle);
  free(b);
}

/* Makes the library's handle for the queue of kernels. */
static struct tsr_cublas *create(const tsr_device_cuda *c, char *why, size_t size)
{
  struct tsr_cublas *b = tsr__calloc(1, sizeof *b);
  const CUstream stream = c->queues[TSR_QUEUE_RUN].stream;
  if (!find_library(b, why, size) ||
      !worked("cublasCreate_v2", b->cublasCreate_v2(&b->handle), why, size)) {
    b->handle = NULL;
    return b;
  }
  if (worked("cublasSetStream_v2", b->cublasSetStream_v2(b->handle, stream), why, size) &&
      worked("cublasSetMathMode", b->cublasSetMathMode(b->handle, CUBLAS_PEDANTIC_MATH), why, size))
    return b;
  (void)b->cublasDestroy_v2(b->handle);
  b->handle = NULL;
  return b;
}

static gemm_fn gemm_of(const struct tsr_cublas *b, tsr_dtype dtype, const char **name)
{
  *name = dtype == TSR_DTYPE_FLOAT32     ? "cublasSgemm_v2"
          : dtype == TSR_DTYPE_FLOAT64   ? "cublasDgemm_v2"
          : dtype == TSR_DTYPE_COMPLEX64 ? "cublasCgemm_v2"
                                         : "cublasZgemm_v2";
  return dtype == TSR_DTYPE_FLOAT32     ? b->s
         : dtype == TSR_DTYPE_FLOAT64   ? b->d
         : dtype == TSR_DTYPE_COMPLEX64 ? b->c
                                        : b->z;
}

static bool call(const struct tsr_cublas *b, const tsr_blas_product *p, char *why, size_t size)
{
  static const float one_f32[2] = {1, 0}, zero_f32[2];
  static const double one_f64[2] = {1, 0}, zero_f64[2];
  const bool is_single = p->dtype == TSR_DTYPE_FLOAT32 || p->dtype == TSR_DTYPE_COMPLEX64;
  const void *one = is_single ? (const void *)one_f32 : (const void *)one_f64;
  const void *zero = is_single ? (const void *)zero_f32 : (const void *)zero_f64;
  const char *name;
  const gemm_fn gemm = gemm_of(b, p->dtype, &name);
  const int result =
      gemm(b->handle, p->y.is_transposed ? CUBLAS_T : CUBLAS_N,
           p->x.is_transposed ? CUBLAS_T : CUBLAS_N, p->n, p->m, p->k, one, p->y.at, p->y.apart,
           p->x.at, p->x.apart, p->adds ? one : zero, p->z.at, p->z.apart);
  return worked(name, result, why, size);
}

bool tsr__cublas_multiply(tsr_device *d, const tsr_blas_product *product, char *why, size_t size)
{
  tsr_device_cuda *c = (tsr_device_cuda *)d;
  if (!tsr__cuda_enter(c)) {
    snprintf(why, size, "%s", d->message);
    return false;
  }
  snprintf(why, size, "cuBLAS could not be used before");
  pthread_mutex_lock(&c->blas_lock);
  if (c->blas == NULL) c->blas = create(c, why, size);
  const bool is_put = c->blas->handle != NULL && call(c->blas, product, why, size);
  pthread_mutex_unlock(&c->blas_lock);
  if (is_put) tsr__cuda_queue_note(&c->queues[TSR_QUEUE_RUN]);
  tsr__cuda_leave(c);
  return is_put;
}
