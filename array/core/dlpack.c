/* Arrays as tensors of DLPack, and tensors as arrays: https://dmlc.github.io/dlpack, version 1.0.
 * Elements are copied both ways, so that neither side waits for the other. */
#include "array/core/array_int.h"
#include "runtime/base/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 256 /* that DLPack asks of data */ };

/** A tensor that an array gave away, with its shape and strides. */
typedef struct given_tensor {
  tsr_dlpack managed;
  int64_t shape[TSR_MAX_NDIM], strides[TSR_MAX_NDIM];
} given_tensor;

static uint8_t code_of(tsr_dtype dtype)
{
  switch (tsr__dtype_kind(dtype)) {
  case TSR_KIND_BOOL:
    return TSR_DLPACK_BOOL;
  case TSR_KIND_UINT:
    return TSR_DLPACK_UINT;
  case TSR_KIND_FLOAT:
    return TSR_DLPACK_FLOAT;
  case TSR_KIND_COMPLEX:
    return TSR_DLPACK_COMPLEX;
  default:
    return TSR_DLPACK_INT;
  }
}

static void delete_given(tsr_dlpack *t)
{
  free(t->tensor.data);
  free(t);
}

/* A tensor for elements that are not there yet. NULL: there is no memory. */
static given_tensor *new_tensor(const tsr_dims *shape, tsr_dtype dtype)
{
  given_tensor *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  tsr_dlpack_tensor *t = &g->managed.tensor;
  for (int k = 0; k < shape->ndim; k++) g->shape[k] = shape->n[k];
  const size_t n = (size_t)tsr__dense_strides(shape->ndim, shape->n, 1, g->strides);
  const size_t bytes = n * tsr__dtype_size(dtype);
  if (n > 0) t->data = aligned_alloc(ALIGN, tsr__round_up(bytes, ALIGN));
  if (n > 0 && !t->data) {
    free(g);
    return NULL;
  }
  g->managed.version = (tsr_dlpack_version){TSR_DLPACK_MAJOR, TSR_DLPACK_MINOR};
  g->managed.deleter = delete_given;
  g->managed.flags = TSR_DLPACK_IS_COPIED;
  t->device.type = TSR_DLPACK_CPU;
  t->ndim = shape->ndim;
  t->dtype = (tsr_dlpack_dtype){code_of(dtype), (uint8_t)(8 * tsr__dtype_size(dtype)), 1};
  t->shape = g->shape;
  t->strides = g->strides;
  return g;
}

tsr_status tsr_to_dlpack_at(const tsr_location *where, tsr_operand x, tsr_dlpack **out)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value value;
  TSR_TRY(tsr__check_given(c, where, out, "address of the tensor"));
  *out = NULL;
  if (!tsr__value_of(c, where, x, &value)) return tsr__value_status(c, x);
  if (c->world.size > 1)
    return tsr__fail_on(c, where, TSR_ERR_ARGUMENT, 1, &x,
                        "tsr_local lends this rank's tile; tsr_to_host(x, buffer, TSR_ON(rank)) "
                        "gives one rank all elements",
                        "no rank has all elements");
  const tsr_dims shape = tsr__value_shape(&value);
  given_tensor *g = new_tensor(&shape, value.dtype);
  if (!g)
    return tsr__fail_on(c, where, TSR_ERR_MEMORY, 1, &x, NULL,
                        "no memory for a copy of all elements");
  const tsr_status status =
      g->managed.tensor.data ? tsr_to_host_at(where, x, g->managed.tensor.data, 0, NULL) : TSR_OK;
  if (status < 0)
    delete_given(&g->managed);
  else
    *out = &g->managed;
  return status;
}

/* Finds the tensor's dtype. Returns false if there is none. */
static bool dtype_of_dlpack(const tsr_dlpack_tensor *t, tsr_dtype *dtype)
{
  for (int i = 0; i < TSR_N_DTYPES; i++) {
    *dtype = (tsr_dtype)i;
    if (t->dtype.lanes == 1 && t->dtype.bits == 8 * tsr__dtype_size(*dtype) &&
        t->dtype.code == code_of(*dtype))
      return true;
  }
  return false;
}

/* Writes what keeps this rank from taking the tensor to `why`, "" for nothing, and returns its
 * status. */
static tsr_status check_tensor(const tsr_dlpack *managed, tsr_dtype *dtype, char *why, size_t size)
{
  why[0] = '\0';
  if (!managed) {
    snprintf(why, size, "the tensor is NULL");
    return TSR_ERR_ARGUMENT;
  }
  const tsr_dlpack_tensor *t = &managed->tensor;
  if (managed->version.major != TSR_DLPACK_MAJOR) {
    snprintf(why, size, "the tensor follows version %u of DLPack; %d is known",
             managed->version.major, TSR_DLPACK_MAJOR);
    return TSR_ERR_ARGUMENT;
  }
  if (t->device.type != TSR_DLPACK_CPU) {
    snprintf(why, size, "the tensor lies on DLPack's device %d; the host's memory, %d, is taken",
             t->device.type, TSR_DLPACK_CPU);
    return TSR_ERR_ARGUMENT;
  }
  if (!dtype_of_dlpack(t, dtype)) {
    snprintf(why, size, "there is no dtype for DLPack's code %d of %d bits%s", t->dtype.code,
             t->dtype.bits, t->dtype.lanes == 1 ? "" : " in vectors");
    return TSR_ERR_DTYPE;
  }
  if (t->ndim >= 0 && t->ndim <= TSR_MAX_NDIM && (t->ndim == 0 || t->shape)) return TSR_OK;
  snprintf(why, size, "a tensor of %d axes; an array has at most %d", t->ndim, TSR_MAX_NDIM);
  return TSR_ERR_SHAPE;
}

static tsr_array from_tensor(const tsr_location *where, const tsr_dlpack_tensor *t, tsr_dtype dtype)
{
  tsr_dims shape = {.ndim = t->ndim};
  tsr_host_option strides = {.kind = TSR_HOST_STRIDES, .stride_bytes = {.ndim = t->ndim}};
  const int64_t size = (int64_t)tsr__dtype_size(dtype);
  for (int k = 0; k < t->ndim; k++) {
    shape.n[k] = t->shape[k];
    if (t->strides && t->shape[k] > 1) /* of one element it may be any number */
      strides.stride_bytes.n[k] = (int64_t)((uint64_t)size * (uint64_t)t->strides[k]);
  }
  const char *data = t->data ? (const char *)t->data + t->byte_offset : NULL;
  return tsr_from_host_at(where, data, dtype, shape, t->strides ? 1 : 0, &strides);
}

/* A tensor that is none has no shape to import, so the ranks agree before they make an array. */
tsr_array tsr_from_dlpack_at(const tsr_location *where, tsr_dlpack *tensor)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_array made = tsr_null();
  tsr_dtype dtype = TSR_FLOAT64;
  char why[200];
  const tsr_status status = check_tensor(tensor, &dtype, why, sizeof why);
  if (status < 0 && c->world.size == 1)
    tsr__fail(c, where, status, "%s", why);
  else if (c->world.size == 1 ||
           tsr__settle(c, tsr__agree_on(c->scheduler, where, status < 0 ? why : NULL)) == TSR_OK)
    made = from_tensor(where, &tensor->tensor, dtype);
  if (tensor && tensor->deleter) tensor->deleter(tensor);
  return made;
}
