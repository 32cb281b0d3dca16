/* The stand-in for NVIDIA's cuBLAS: products in the order of its arguments, by the thread of the
 * handle's stream. It checks that matrices are in the device's memory, and that a handle is used in
 * the context that it was made in. Its entries can be made to fail as those of the driver
 * (FAKE_CUDA_FAIL=cublasDgemm_v2:1). */
#include "tests/fakes/cuda_fake.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAKED = 96 };
enum { NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13, PEDANTIC_MATH = 2 };

typedef struct cublasContext {
  CUcontext context;
  CUstream stream;
  int mode;
} * cublasHandle_t;

static int n_handles; /* atomic */

#pragma GCC visibility push(default)
int cublasCreate_v2(cublasHandle_t *out);
int cublasDestroy_v2(cublasHandle_t h);
int cublasSetStream_v2(cublasHandle_t h, CUstream stream);
int cublasSetMathMode(cublasHandle_t h, int mode);
#define PARAMETERS                                                                                 \
  (cublasHandle_t h, int turns_a, int turns_b, int m, int n, int k, const void *alpha,             \
   const void *a, int lda, const void *b, int ldb, const void *beta, void *c, int ldc)
int cublasSgemm_v2 PARAMETERS;
int cublasDgemm_v2 PARAMETERS;
int cublasCgemm_v2 PARAMETERS;
int cublasZgemm_v2 PARAMETERS;
#pragma GCC visibility pop

int cublasCreate_v2(cublasHandle_t *out)
{
  if (fake_cuda_begin(__func__, NULL) != CUDA_SUCCESS || fake_cuda_current() == NULL)
    return NOT_INITIALIZED;
  *out = calloc(1, sizeof **out);
  (*out)->context = fake_cuda_current();
  __atomic_fetch_add(&n_handles, 1, __ATOMIC_ACQ_REL);
  return 0;
}

int cublasDestroy_v2(cublasHandle_t h)
{
  free(h);
  __atomic_fetch_sub(&n_handles, 1, __ATOMIC_ACQ_REL);
  return fake_cuda_begin(__func__, NULL) == CUDA_SUCCESS ? 0 : NOT_INITIALIZED;
}

int cublasSetStream_v2(cublasHandle_t h, CUstream stream)
{
  h->stream = stream;
  return fake_cuda_begin(__func__, stream) == CUDA_SUCCESS ? 0 : NOT_INITIALIZED;
}

int cublasSetMathMode(cublasHandle_t h, int mode)
{
  h->mode = mode;
  return fake_cuda_begin(__func__, NULL) == CUDA_SUCCESS ? 0 : NOT_INITIALIZED;
}

typedef double _Complex number;

typedef enum kind { F32, F64, C64, C128 } kind;

static size_t bytes_of(kind type)
{
  return type == F32 ? 4 : type == C128 ? 16 : 8;
}

typedef struct product {
  CUstream stream;
  kind type;
  bool turns_a, turns_b;
  int m, n, k, lda, ldb, ldc;
  const char *a, *b;
  char *c;
  number alpha, beta;
} product;

static number get(kind type, const char *at, size_t i)
{
  at += i * bytes_of(type);
  if (type == F32) return *(const float *)(const void *)at;
  if (type == F64) return *(const double *)(const void *)at;
  if (type == C64) return *(const float _Complex *)(const void *)at;
  return *(const number *)(const void *)at;
}

static void set(kind type, char *at, size_t i, number to)
{
  at += i * bytes_of(type);
  if (type == F32)
    *(float *)(void *)at = (float)creal(to);
  else if (type == F64)
    *(double *)(void *)at = creal(to);
  else if (type == C64)
    *(float _Complex *)(void *)at = (float _Complex)to;
  else
    *(number *)(void *)at = to;
}

static size_t extent(kind type, int rows, int columns, int apart)
{
  return ((size_t)(columns - 1) * (size_t)apart + (size_t)rows) * bytes_of(type);
}

static void multiply(const product *p, const char *a, const char *b, char *c)
{
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->m; i++) {
      const size_t at = (size_t)j * (size_t)p->ldc + (size_t)i;
      number sum = 0;
      for (int l = 0; l < p->k; l++) {
        const int ia = p->turns_a ? i * p->lda + l : l * p->lda + i;
        const int ib = p->turns_b ? l * p->ldb + j : j * p->ldb + l;
        sum += get(p->type, a, (size_t)ia) * get(p->type, b, (size_t)ib);
      }
      sum *= p->alpha;
      if (p->beta != 0) sum += p->beta * get(p->type, c, at);
      set(p->type, c, at, sum);
    }
}

static void run(void *arg)
{
  product *p = arg;
  if (!fake_cuda_is_broken(p->stream)) {
    const size_t na =
        p->turns_a ? extent(p->type, p->k, p->m, p->lda) : extent(p->type, p->m, p->k, p->lda);
    const size_t nb =
        p->turns_b ? extent(p->type, p->n, p->k, p->ldb) : extent(p->type, p->k, p->n, p->ldb);
    const char *a = fake_cuda_view(p->stream, p->a, na), *b = fake_cuda_view(p->stream, p->b, nb);
    char *c = fake_cuda_view(p->stream, p->c, extent(p->type, p->m, p->n, p->ldc));
    if (a == NULL || b == NULL || c == NULL)
      fake_cuda_break(p->stream);
    else
      multiply(p, a, b, c);
  }
  free(p);
}

static int put(const char *entry, cublasHandle_t h, product p)
{
  if (fake_cuda_begin(entry, h->stream) != CUDA_SUCCESS) return EXECUTION_FAILED;
  if (h->context != fake_cuda_current() || h->mode != PEDANTIC_MATH || p.m < 1 || p.n < 1 ||
      p.k < 1 || p.lda < (p.turns_a ? p.k : p.m) || p.ldb < (p.turns_b ? p.n : p.k) || p.ldc < p.m)
    return INVALID_VALUE;
  product *kept = malloc(sizeof *kept);
  *kept = p;
  kept->stream = h->stream;
  fake_cuda_put(h->stream, run, kept);
  return 0;
}

#define GEMM(name, type)                                                                           \
  int name PARAMETERS                                                                              \
  {                                                                                                \
    return put(__func__, h,                                                                        \
               (product){NULL, type, turns_a == 1, turns_b == 1, m, n, k, lda, ldb, ldc, a, b, c,  \
                         get(type, alpha, 0), get(type, beta, 0)});                                \
  }
GEMM(cublasSgemm_v2, F32)
GEMM(cublasDgemm_v2, F64)
GEMM(cublasCgemm_v2, C64)
GEMM(cublasZgemm_v2, C128)

__attribute__((destructor)) static void tell_leaks(void)
{
  if (__atomic_load_n(&n_handles, __ATOMIC_ACQUIRE) == 0) return;
  fake_say("%d handles of cuBLAS were not given back", n_handles);
  _exit(LEAKED);
}
