/* The exact functions of ops.def by the C library, or by wide integers: see reference.h. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "tests/kernel/reference.h"

static double exact_f64(tsr_opcode op, double x, double y, double z)
{
  int exponent = 0;
  switch (op) {
  case TSR_OP_POSITIVE:
    return x;
  case TSR_OP_SIGN:
    return isnan(x) ? x : (double)((x > 0) - (x < 0));
  case TSR_OP_RECIPROCAL:
    return 1 / x;
  case TSR_OP_FMOD:
    return fmod(x, y);
  case TSR_OP_FMIN:
    return isnan(y) || x <= y ? x : y;
  case TSR_OP_FMAX:
    return isnan(y) || x >= y ? x : y;
  case TSR_OP_CLIP:
    x = isnan(x) || x >= y ? x : y;
    return isnan(x) || x <= z ? x : z;
  case TSR_OP_FLOOR:
    return floor(x);
  case TSR_OP_CEIL:
    return ceil(x);
  case TSR_OP_TRUNC:
    return trunc(x);
  case TSR_OP_RINT:
    return nearbyint(x);
  case TSR_OP_COPYSIGN:
    return copysign(x, isnan(y) ? 0 : y);
  case TSR_OP_NEXTAFTER:
    return nextafter(x, y);
  case TSR_OP_LDEXP:
    return isnan(y) ? y : ldexp(x, y > 9999 ? 9999 : y < -9999 ? -9999 : (int)nearbyint(y));
  case TSR_OP_FREXP_MANTISSA:
    return isfinite(x) ? frexp(x, &exponent) : x;
  case TSR_OP_FREXP_EXPONENT:
    if (isfinite(x)) (void)frexp(x, &exponent);
    return exponent;
  case TSR_OP_HEAVISIDE:
    return isnan(x) ? x : x == 0 ? y : (double)(x > 0);
  default:
    cr_assert_fail("no reference for operation %d", op);
  }
  return x;
}

/* As NumPy's npy_divmod: the arithmetic is in the type. */
static double floor_divide(double x, double y, bool is_f32)
{
#define ROUND(v) (is_f32 ? (double)(float)(v) : (v))
  if (y == 0) return ROUND(x / y);
  const double rest = fmod(x, y);
  double q = ROUND(ROUND(x - rest) / y);
  if (rest != 0 && (y < 0) != (rest < 0)) q = ROUND(q - 1);
  if (q == 0) return copysign(0, ROUND(x / y));
  return q - floor(q) > 0.5 ? ROUND(floor(q) + 1) : floor(q);
}

static double remainder_of(double x, double y, bool is_f32)
{
  const double rest = fmod(x, y);
  if (rest == 0) return copysign(0, y);
  return (y < 0) != (rest < 0) ? ROUND(rest + y) : rest;
#undef ROUND
}

static tsr_scalar exact_float(tsr_opcode op, tsr_dtype dtype, const double *x)
{
  const bool is_f32 = dtype == TSR_FLOAT32;
  tsr_scalar out = {.dtype = TSR_BOOL};
  switch (op) {
  case TSR_OP_ISNAN:
    out.u.i = isnan(x[0]) != 0;
    return out;
  case TSR_OP_ISINF:
    out.u.i = isinf(x[0]) != 0;
    return out;
  case TSR_OP_ISFINITE:
    out.u.i = isfinite(x[0]) != 0;
    return out;
  case TSR_OP_SIGNBIT:
    out.u.i = !isnan(x[0]) && signbit(x[0]) != 0;
    return out;
  default:
    break;
  }
  double v = op == TSR_OP_FLOOR_DIVIDE          ? floor_divide(x[0], x[1], is_f32)
             : op == TSR_OP_REMAINDER           ? remainder_of(x[0], x[1], is_f32)
             : op == TSR_OP_NEXTAFTER && is_f32 ? (double)nextafterf((float)x[0], (float)x[1])
                                                : exact_f64(op, x[0], x[1], x[2]);
  out = (tsr_scalar){.dtype = dtype, .u.bits = 0};
  if (is_f32)
    out.u.f32 = (float)v;
  else
    out.u.f = v;
  return out;
}

/* of_zero: what 1 / 0 is. */
static __int128 exact_integer(tsr_opcode op, __int128 x, __int128 y, __int128 z, __int128 of_zero)
{
  __int128 q = y ? x / y : 0, r = y ? x % y : 0;
  switch (op) {
  case TSR_OP_POSITIVE:
  case TSR_OP_FLOOR:
  case TSR_OP_CEIL:
  case TSR_OP_TRUNC:
    return x;
  case TSR_OP_SIGN:
    return (x > 0) - (x < 0);
  case TSR_OP_RECIPROCAL:
    return x ? 1 / x : of_zero;
  case TSR_OP_FLOOR_DIVIDE:
    return q - (r != 0 && (r < 0) != (y < 0));
  case TSR_OP_REMAINDER:
    return r != 0 && (r < 0) != (y < 0) ? r + y : r;
  case TSR_OP_FMOD:
    return r;
  case TSR_OP_FMIN:
    return x < y ? x : y;
  case TSR_OP_FMAX:
    return x > y ? x : y;
  case TSR_OP_CLIP:
    x = x > y ? x : y;
    return x < z ? x : z;
  default:
    cr_assert_fail("no reference for operation %d", op);
  }
  return x;
}

static __int128 wide(tsr_scalar x)
{
  return x.dtype == TSR_UINT64 ? (__int128)x.u.bits : (__int128)tsr__scalar_int(x);
}

tsr_scalar reference_exact(tsr_opcode op, tsr_dtype compute, int n, const tsr_scalar *args)
{
  double x[3] = {0};
  __int128 i[3] = {0};
  for (int k = 0; k < n; k++) {
    i[k] = wide(args[k]);
    x[k] = compute == TSR_FLOAT32 ? (double)args[k].u.f32 : args[k].u.f;
  }
  if (compute == TSR_FLOAT32 || compute == TSR_FLOAT64) return exact_float(op, compute, x);
  const int64_t of_zero = compute == TSR_INT32 ? INT32_MIN : compute == TSR_INT64 ? INT64_MIN : 0;
  const uint64_t v = (uint64_t)exact_integer(op, i[0], i[1], i[2], of_zero);
  tsr_scalar out = {.dtype = compute, .u.bits = 0};
  memcpy(&out.u, &v, tsr__dtype_size(compute));
  return out;
}
