/* The table of dtypes, NumPy's promotion and casting rules, and scalars. A new dtype needs a row
 * here, its place in the promotion, and its loops. Source: numpy.promote_types, numpy.can_cast. */
#include <string.h>

#include "kernel/ir/dtype.h"
#include "kernel/ops/ops_c.h"
#include "runtime/base/error.h"

static const tsr_dtype_info infos[TSR_N_DTYPES] = {
    [TSR_DTYPE_BOOL] = {"bool", "b8", TSR_KIND_BOOL, 1, "|b1"},
    [TSR_DTYPE_INT8] = {"int8", "i8", TSR_KIND_INT, 1, "|i1"},
    [TSR_DTYPE_INT16] = {"int16", "i16", TSR_KIND_INT, 2, "<i2"},
    [TSR_DTYPE_INT32] = {"int32", "i32", TSR_KIND_INT, 4, "<i4"},
    [TSR_DTYPE_INT64] = {"int64", "i64", TSR_KIND_INT, 8, "<i8"},
    [TSR_DTYPE_UINT8] = {"uint8", "u8", TSR_KIND_UINT, 1, "|u1"},
    [TSR_DTYPE_UINT16] = {"uint16", "u16", TSR_KIND_UINT, 2, "<u2"},
    [TSR_DTYPE_UINT32] = {"uint32", "u32", TSR_KIND_UINT, 4, "<u4"},
    [TSR_DTYPE_UINT64] = {"uint64", "u64", TSR_KIND_UINT, 8, "<u8"},
    [TSR_DTYPE_FLOAT16] = {"float16", "f16", TSR_KIND_FLOAT, 2, "<f2"},
    [TSR_DTYPE_FLOAT32] = {"float32", "f32", TSR_KIND_FLOAT, 4, "<f4"},
    [TSR_DTYPE_FLOAT64] = {"float64", "f64", TSR_KIND_FLOAT, 8, "<f8"},
    [TSR_DTYPE_COMPLEX64] = {"complex64", "c64", TSR_KIND_COMPLEX, 8, "<c8"},
    [TSR_DTYPE_COMPLEX128] = {"complex128", "c128", TSR_KIND_COMPLEX, 16, "<c16"},
};

const tsr_dtype_info *tsr__dtype_info(tsr_dtype dtype)
{
  TSR_ASSERT((unsigned)dtype < TSR_N_DTYPES);
  return &infos[dtype];
}

/* Returns the dtype of a kind and size, or TSR_N_DTYPES if there is none. */
static tsr_dtype dtype_of_kind(tsr_kind kind, int size_bytes)
{
  int d = 0;
  while (d < TSR_N_DTYPES && (infos[d].kind != kind || infos[d].size_bytes != size_bytes)) d++;
  return (tsr_dtype)d;
}

tsr_dtype tsr__dtype_part(tsr_dtype d)
{
  return infos[d].kind == TSR_KIND_COMPLEX ? dtype_of_kind(TSR_KIND_FLOAT, infos[d].size_bytes / 2)
                                           : d;
}

/* Floats represent integers of half their size exactly. All larger integers become float64. */
tsr_dtype tsr__dtype_inexact(tsr_dtype d)
{
  if (tsr__dtype_is_inexact(d)) return d;
  const int size = infos[d].size_bytes;
  return dtype_of_kind(TSR_KIND_FLOAT, size <= 2 ? 2 * size : 8);
}

tsr_dtype tsr__dtype_promote(tsr_dtype a, tsr_dtype b)
{
  if (infos[a].kind == infos[b].kind) return infos[a].size_bytes > infos[b].size_bytes ? a : b;
  const tsr_dtype low = infos[a].kind < infos[b].kind ? a : b, high = low == a ? b : a;
  if (infos[low].kind == TSR_KIND_BOOL) return high;
  switch (infos[high].kind) {
  case TSR_KIND_INT: /* the signed integer that holds both; none holds uint64 */
    if (infos[low].size_bytes < infos[high].size_bytes) return high;
    if (low == TSR_DTYPE_UINT64) return TSR_DTYPE_FLOAT64;
    return dtype_of_kind(TSR_KIND_INT, 2 * infos[low].size_bytes);
  case TSR_KIND_FLOAT:
    return tsr__dtype_promote(tsr__dtype_inexact(low), high);
  default: {
    const tsr_dtype part = tsr__dtype_promote(tsr__dtype_inexact(low), tsr__dtype_part(high));
    return dtype_of_kind(TSR_KIND_COMPLEX, 2 * infos[part].size_bytes);
  }
  }
}

bool tsr__dtype_can_cast(tsr_dtype from, tsr_dtype to, tsr_casting casting)
{
  switch (casting) {
  case TSR_CASTING_NO:
  case TSR_CASTING_EQUIV:
    return from == to;
  case TSR_CASTING_SAFE:
    return tsr__dtype_promote(from, to) == to;
  case TSR_CASTING_SAME_KIND:
    return infos[from].kind <= infos[to].kind;
  default:
    return true;
  }
}

tsr_dtype tsr__dtype_cast_step(tsr_dtype from, tsr_dtype to)
{
  if (to == TSR_DTYPE_BOOL) return from == TSR_DTYPE_FLOAT16 ? TSR_DTYPE_FLOAT32 : to;
  const tsr_kind kind = infos[from].kind;
  if (kind == TSR_KIND_COMPLEX) {
    if (infos[to].kind == TSR_KIND_COMPLEX) return to;
    return tsr__dtype_part(from);
  }
  if (infos[to].kind == TSR_KIND_COMPLEX) {
    const tsr_dtype part = tsr__dtype_part(to);
    return from == part ? to : tsr__dtype_cast_step(from, part);
  }
  if (from == TSR_DTYPE_FLOAT16) return TSR_DTYPE_FLOAT32;
  if (to == TSR_DTYPE_FLOAT16) return kind == TSR_KIND_FLOAT ? to : TSR_DTYPE_FLOAT32;
  if (kind == TSR_KIND_FLOAT && tsr__dtype_is_integer(to)) {
    if (infos[to].size_bytes < 4) return TSR_DTYPE_INT32;
    if (to == TSR_DTYPE_UINT32) return TSR_DTYPE_INT64;
  }
  return to;
}

int64_t tsr__scalar_int(tsr_scalar x)
{
  const int unused = 64 - 8 * (int)tsr__dtype_size(x.dtype);
  if (x.dtype == TSR_DTYPE_BOOL || tsr__dtype_kind(x.dtype) != TSR_KIND_INT) return x.u.i;
  return (int64_t)(x.u.bits << unused) >> unused;
}

double tsr__scalar_double(tsr_scalar x)
{
  switch (x.dtype) {
  case TSR_DTYPE_FLOAT16:
    return (double)f32_of_f16(x.u.f16);
  case TSR_DTYPE_FLOAT32:
  case TSR_DTYPE_COMPLEX64:
    return (double)x.u.f32;
  case TSR_DTYPE_FLOAT64:
  case TSR_DTYPE_COMPLEX128:
    return x.u.f;
  case TSR_DTYPE_UINT64:
    return (double)x.u.bits;
  default:
    return (double)tsr__scalar_int(x);
  }
}

static uint64_t low_bits(int64_t v, tsr_dtype to)
{
  return (uint64_t)v & (UINT64_MAX >> (64 - 8 * tsr__dtype_size(to)));
}

/* Takes one step of a cast (tsr__dtype_cast_step) to an integer or bool. */
static uint64_t step_to_integer(tsr_scalar x, tsr_dtype to)
{
  const bool is_float = tsr__dtype_is_inexact(x.dtype);
  if (to == TSR_DTYPE_BOOL) {
    const double im = x.dtype == TSR_DTYPE_COMPLEX64    ? (double)x.u.c64[1]
                      : x.dtype == TSR_DTYPE_COMPLEX128 ? x.u.c128[1]
                                                        : 0;
    return is_float ? (tsr__scalar_double(x) != 0) | (im != 0) : x.u.bits != 0;
  }
  if (!is_float) return low_bits(tsr__scalar_int(x), to);
  const double v = tsr__scalar_double(x);
  if (to == TSR_DTYPE_INT32) return (uint32_t)i32_of_f64(v);
  return to == TSR_DTYPE_UINT64 ? u64_of_f64(v) : (uint64_t)i64_of_f64(v);
}

static tsr_scalar cast_step(tsr_scalar x, tsr_dtype to)
{
  tsr_scalar out = {.dtype = to, .u.words = {0, 0}};
  switch (to) {
  case TSR_DTYPE_FLOAT16:
    out.u.f16 = x.dtype == TSR_DTYPE_FLOAT64 ? f16_of_f64(x.u.f) : f16_of_f32(x.u.f32);
    return out;
  case TSR_DTYPE_FLOAT32: /* integers are rounded once */
    out.u.f32 = tsr__dtype_is_inexact(x.dtype) ? (float)tsr__scalar_double(x)
                : x.dtype == TSR_DTYPE_UINT64  ? (float)x.u.bits
                                               : (float)tsr__scalar_int(x);
    return out;
  case TSR_DTYPE_FLOAT64:
    out.u.f = tsr__scalar_double(x);
    return out;
  case TSR_DTYPE_COMPLEX64:
    out.u.c64[0] = (float)tsr__scalar_double(x);
    if (x.dtype == TSR_DTYPE_COMPLEX128) out.u.c64[1] = (float)x.u.c128[1];
    return out;
  case TSR_DTYPE_COMPLEX128:
    out.u.c128[0] = tsr__scalar_double(x);
    if (x.dtype == TSR_DTYPE_COMPLEX64) out.u.c128[1] = (double)x.u.c64[1];
    return out;
  default:
    out.u.bits = step_to_integer(x, to);
    return out;
  }
}

tsr_scalar tsr__scalar_cast(tsr_scalar x, tsr_dtype to)
{
  while (x.dtype != to) x = cast_step(x, tsr__dtype_cast_step(x.dtype, to));
  return x;
}

tsr_scalar tsr__scalar_one(tsr_dtype dtype)
{
  return tsr__scalar_cast(tsr__scalar_of_bits(TSR_DTYPE_INT64, 1), dtype);
}

tsr_scalar tsr__scalar_difference(tsr_scalar a, tsr_scalar b)
{
  const tsr_dtype dtype = a.dtype, compute = tsr__dtype_compute(dtype);
  a = tsr__scalar_cast(a, compute);
  b = tsr__scalar_cast(b, compute);
  switch (compute) {
  case TSR_DTYPE_FLOAT32:
    a.u.f32 -= b.u.f32;
    break;
  case TSR_DTYPE_FLOAT64:
    a.u.f -= b.u.f;
    break;
  case TSR_DTYPE_COMPLEX64:
    for (int i = 0; i < 2; i++) a.u.c64[i] -= b.u.c64[i];
    break;
  case TSR_DTYPE_COMPLEX128:
    for (int i = 0; i < 2; i++) a.u.c128[i] -= b.u.c128[i];
    break;
  default:
    a.u.bits = low_bits((int64_t)(a.u.bits - b.u.bits), dtype);
  }
  return tsr__scalar_cast(a, dtype);
}

void tsr__scalar_store(tsr_scalar x, void *out)
{
  if (x.dtype == TSR_DTYPE_BOOL) {
    const uint8_t v = x.u.i != 0;
    memcpy(out, &v, sizeof v);
    return;
  }
  /* Every field of the union begins at its first byte. */
  memcpy(out, &x.u, tsr__dtype_size(x.dtype));
}

tsr_scalar tsr__scalar_load(tsr_dtype dtype, const void *in)
{
  tsr_scalar out = {.dtype = dtype, .u.words = {0, 0}};
  if (dtype == TSR_DTYPE_BOOL) {
    uint8_t v;
    memcpy(&v, in, sizeof v);
    out.u.i = v != 0;
    return out;
  }
  memcpy(&out.u, in, tsr__dtype_size(dtype));
  return out;
}
