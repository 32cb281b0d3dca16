/* The table of dtypes, NumPy's promotion and casting rules, and scalars. A new dtype is a row here,
 * its place in the promotion, and its loops. Source: numpy.promote_types, numpy.can_cast
 * (casting="same_kind"). */
#include <string.h>

#include "kernel/kernel.h"
#include "kernel/ops_c.h"
#include "runtime/error.h"

static const tsr_dtype_info infos[TSR_N_DTYPES] = {
    [TSR_DTYPE_BOOL] = {"bool", "b8", TSR_KIND_BOOL, 1, "|b1"},
    [TSR_DTYPE_INT32] = {"int32", "i32", TSR_KIND_INT, 4, "<i4"},
    [TSR_DTYPE_INT64] = {"int64", "i64", TSR_KIND_INT, 8, "<i8"},
    [TSR_DTYPE_FLOAT32] = {"float32", "f32", TSR_KIND_FLOAT, 4, "<f4"},
    [TSR_DTYPE_FLOAT64] = {"float64", "f64", TSR_KIND_FLOAT, 8, "<f8"},
};

const tsr_dtype_info *tsr__dtype_info(tsr_dtype dtype)
{
  TSR_ASSERT((unsigned)dtype < TSR_N_DTYPES);
  return &infos[dtype];
}

tsr_dtype tsr__dtype_promote(tsr_dtype a, tsr_dtype b)
{
  const tsr_dtype_info *low = tsr__dtype_info(a), *high = tsr__dtype_info(b);
  if (low->kind == high->kind) return low->size_bytes > high->size_bytes ? a : b;
  if (low->kind > high->kind) {
    const tsr_dtype_info *swap = low;
    low = high;
    high = swap;
    b = a;
  }
  /* The float must hold the integers: float32 has 24 bits, too few for int32. */
  if (low->kind == TSR_KIND_INT && low->size_bytes >= high->size_bytes) return TSR_DTYPE_FLOAT64;
  return b;
}

bool tsr__dtype_can_cast_same_kind(tsr_dtype from, tsr_dtype to)
{
  return tsr__dtype_info(from)->kind <= tsr__dtype_info(to)->kind;
}

/* Integers and bools, widened. */
static int64_t integer_of(tsr_scalar x)
{
  return x.dtype == TSR_DTYPE_INT32 ? x.u.i32 : x.u.i;
}

static tsr_scalar cast_from_integer(int64_t v, tsr_dtype to)
{
  tsr_scalar out = {.dtype = to, .u.bits = 0};
  switch (to) {
  case TSR_DTYPE_BOOL:
    out.u.i = v != 0;
    break;
  case TSR_DTYPE_INT32:
    out.u.i32 = i32_of_i64(v);
    break;
  case TSR_DTYPE_INT64:
    out.u.i = v;
    break;
  case TSR_DTYPE_FLOAT32:
    out.u.f32 = (float)v;
    break;
  default:
    out.u.f = (double)v;
  }
  return out;
}

static tsr_scalar cast_from_float(double v, tsr_dtype to)
{
  tsr_scalar out = {.dtype = to, .u.bits = 0};
  switch (to) {
  case TSR_DTYPE_BOOL:
    out.u.i = v != 0;
    break;
  case TSR_DTYPE_INT32:
    out.u.i32 = i32_of_f64(v);
    break;
  case TSR_DTYPE_INT64:
    out.u.i = i64_of_f64(v);
    break;
  case TSR_DTYPE_FLOAT32:
    out.u.f32 = (float)v;
    break;
  default:
    out.u.f = v;
  }
  return out;
}

tsr_scalar tsr__scalar_cast(tsr_scalar x, tsr_dtype to)
{
  if (x.dtype == to) return x;
  if (tsr__dtype_info(x.dtype)->kind != TSR_KIND_FLOAT) return cast_from_integer(integer_of(x), to);
  return cast_from_float(x.dtype == TSR_DTYPE_FLOAT32 ? (double)x.u.f32 : x.u.f, to);
}

void tsr__scalar_store(tsr_scalar x, void *out)
{
  if (x.dtype == TSR_DTYPE_BOOL) {
    const uint8_t v = x.u.i != 0;
    memcpy(out, &v, sizeof v);
    return;
  }
  memcpy(out, &x.u,
         tsr__dtype_size(x.dtype)); /* every field of the union begins at its first byte */
}

tsr_scalar tsr__scalar_load(tsr_dtype dtype, const void *in)
{
  tsr_scalar out = {.dtype = dtype, .u.bits = 0};
  if (dtype == TSR_DTYPE_BOOL) {
    uint8_t v;
    memcpy(&v, in, sizeof v);
    out.u.i = v != 0;
    return out;
  }
  memcpy(&out.u, in, tsr__dtype_size(dtype));
  return out;
}
