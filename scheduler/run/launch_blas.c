/* Products of matrices by the library of devices that have one (TESSERA_MATMUL=blas), where it can
 * say the product: each matrix has dense rows or columns. */
#include "scheduler/run/launch.h"

#include "kernel/library/matmul.h"

#include <string.h>

enum { MOST_BATCH = 256 /* calls for a batch; of more, the text's one launch is faster */ };

/* The product of a batch that its first elements are those of. */
typedef struct batch {
  tsr_matmul_product first;
  int64_t n, length[TSR_MAX_NDIM];
  int ndim;
} batch;

static tsr_matrix matrix_of(const tsr_kernel_bind *bind, int access, int row, int column)
{
  const int64_t *stride = bind->stride_bytes[access];
  return (tsr_matrix){bind->base[access], stride[row], stride[column]};
}

static batch batch_of(const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  const int mi = k->ndim - 3, ni = k->ndim - 2, ki = k->ndim - 1, result = k->n_accesses - 1;
  batch b = {.first = {.m = bind->n[mi],
                       .n = bind->n[ni],
                       .k = bind->n[ki],
                       .a = matrix_of(bind, 0, mi, ki),
                       .b = matrix_of(bind, 1, ki, ni),
                       .c = matrix_of(bind, result, mi, ni)},
             .n = 1,
             .ndim = mi};
  if (result == 3) b.first.from = matrix_of(bind, 2, mi, ni);
  for (int i = 0; i < mi; i++) b.n *= b.length[i] = bind->n[i];
  return b;
}

static tsr_dtype dtype_of_product(const tsr_kernel *k)
{
  return (tsr_dtype)k->accesses[k->n_accesses - 1].dtype;
}

/* Is what is added to where the result is? */
static bool begins_there(const tsr_kernel_bind *bind)
{
  return bind->base[2] == bind->base[3];
}

bool tsr__launcher_says_product(const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  const batch b = batch_of(k, bind);
  const size_t n_strides = (size_t)k->ndim - 1;
  tsr_blas_product said;
  if (k->n_accesses == 4 && begins_there(bind) &&
      memcmp(bind->stride_bytes[2], bind->stride_bytes[3], n_strides * sizeof(int64_t)) != 0)
    return false;
  return b.first.m > 0 && b.first.n > 0 && b.first.k > 0 && b.n > 0 && b.n <= MOST_BATCH &&
         tsr__matmul_blas_describe(dtype_of_product(k), &b.first, &said);
}

/* Lets the queue copy what is added to into the result, if that is elsewhere. */
static void copy_begin(tsr_device *d, const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  const int result = k->n_accesses - 1, ndim = k->ndim - 1;
  if (result != 3 || begins_there(bind)) return;
  tsr_points p = {.ndim = ndim,
                  .dst = bind->base[3],
                  .src = bind->base[2],
                  .elem_bytes = tsr__dtype_size(dtype_of_product(k))};
  for (int i = 0; i < ndim; i++) {
    p.n[i] = bind->n[i];
    p.dst_step[i] = bind->stride_bytes[3][i];
    p.src_step[i] = bind->stride_bytes[2][i];
  }
  tsr__device_put_copy(d, TSR_QUEUE_RUN, TSR_COPY_WITHIN, &p);
}

static char *address_in(char *at, const int64_t *stride, const batch *b, int64_t number)
{
  if (at == NULL) return NULL;
  for (int i = b->ndim - 1; i >= 0; i--) {
    at += number % b->length[i] * stride[i];
    number /= b->length[i];
  }
  return at;
}

bool tsr__launcher_multiply(tsr_device *d, const tsr_kernel *k, const tsr_kernel_bind *bind,
                            char *why, size_t size)
{
  const batch b = batch_of(k, bind);
  copy_begin(d, k, bind);
  for (int64_t i = 0; i < b.n; i++) {
    tsr_matmul_product p = b.first;
    tsr_blas_product said;
    p.a.at = address_in(p.a.at, bind->stride_bytes[0], &b, i);
    p.b.at = address_in(p.b.at, bind->stride_bytes[1], &b, i);
    p.c.at = address_in(p.c.at, bind->stride_bytes[k->n_accesses - 1], &b, i);
    tsr__matmul_blas_describe(dtype_of_product(k), &p, &said);
    if (tsr__device_put_product(d, &said, why, size)) continue;
    if (i > 0) tsr__device_fail(d, TSR_ERR_INTERNAL, "%s", why); /* half of it is done */
    return false;
  }
  return true;
}
