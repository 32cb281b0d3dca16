/* What the C expressions of ops.def may call: one small function per helper and compute type, named
 * helper_type, and the casts, named type_of_type. Plain C without library calls (sqrt and fma are
 * instructions; a machine without fma calls the C library's, which gives the same bits), so that
 * every vector width computes the same bits. bools are bytes of value 0 or 1. Here is their
 * arithmetic; that of other types is in ops_types.h, which cmake/ops_text.cmake writes from
 * templates; functions are in the headers included, each a file of scalar functions that
 * needs nothing else. */
#ifndef TSR_OPS_C_H
#define TSR_OPS_C_H

#include <stdint.h>

#include "kernel/ops/ops_arc.h"     /* arcsin, arccos, arctan, arctan2 */
#include "kernel/ops/ops_circle.h"  /* tan, sinc */
#include "kernel/ops/ops_complex.h" /* functions of complex numbers */
#include "kernel/ops/ops_complex_arc.h"
#include "kernel/ops/ops_divide.h" /* floor_divide, remainder, fmod, reciprocal */
#include "kernel/ops/ops_erf.h"    /* erf, erfc */
#include "kernel/ops/ops_gamma.h"  /* gamma, lgamma */
#include "kernel/ops/ops_hyper.h"  /* sinh, cosh, arcsinh, arccosh, arctanh */
#include "kernel/ops/ops_log.h"    /* exp2, log2, log10, cbrt, logaddexp, degrees */
#include "kernel/ops/ops_math.h"   /* exp, expm1, tanh, log, log1p, power, hypot */
#include "kernel/ops/ops_permute.h"
#include "kernel/ops/ops_power.h"
#include "kernel/ops/ops_random.h"
#include "kernel/ops/ops_trig.h" /* sin, cos */

typedef complex_f32 c64;
typedef complex_f64 c128;
#include "ops_exact.h" /* rounding, tests, signs, exponents */
#include "ops_types.h" /* arithmetic of integers, floats and complex numbers */

TSR_SCALAR uint8_t add_b8(uint8_t x, uint8_t y)
{
  return x | y;
}
TSR_SCALAR uint8_t mul_b8(uint8_t x, uint8_t y)
{
  return x & y;
}
TSR_SCALAR uint8_t abs_b8(uint8_t x)
{
  return x;
}
TSR_SCALAR uint8_t min_b8(uint8_t x, uint8_t y)
{
  return x & y;
}
TSR_SCALAR uint8_t max_b8(uint8_t x, uint8_t y)
{
  return x | y;
}
TSR_SCALAR uint8_t fmin_b8(uint8_t x, uint8_t y)
{
  return x & y;
}
TSR_SCALAR uint8_t fmax_b8(uint8_t x, uint8_t y)
{
  return x | y;
}
TSR_SCALAR uint8_t clip_b8(uint8_t x, uint8_t low, uint8_t high)
{
  return (x | low) & high;
}
TSR_SCALAR uint8_t whole_below_b8(uint8_t x)
{
  return x;
}
TSR_SCALAR uint8_t whole_above_b8(uint8_t x)
{
  return x;
}
TSR_SCALAR uint8_t whole_part_b8(uint8_t x)
{
  return x;
}
TSR_SCALAR uint8_t invert_b8(uint8_t x)
{
  return x ^ 1;
}

/* Floats outside an integer's range, and NaN, become its least value: what x86 and so NumPy there
 * give. */
TSR_SCALAR int32_t i32_of_f32(float x)
{
  return ((x >= -0x1p31f) & (x < 0x1p31f)) ? (int32_t)x : INT32_MIN;
}
TSR_SCALAR int64_t i64_of_f32(float x)
{
  return ((x >= -0x1p63f) & (x < 0x1p63f)) ? (int64_t)x : INT64_MIN;
}
TSR_SCALAR int32_t i32_of_f64(double x)
{
  return ((x > -0x1.00000002p31) & (x < 0x1p31)) ? (int32_t)x : INT32_MIN;
}
TSR_SCALAR int64_t i64_of_f64(double x)
{
  return ((x >= -0x1p63) & (x < 0x1p63)) ? (int64_t)x : INT64_MIN;
}
/* NumPy's on x86: the upper half by way of int64, what is negative wraps. */
TSR_SCALAR uint64_t u64_of_f64(double x)
{
  const uint64_t high = (uint64_t)1 << 63;
  return x >= 0x1p63 ? (uint64_t)i64_of_f64(x - 0x1p63) ^ high : (uint64_t)i64_of_f64(x);
}
TSR_SCALAR uint64_t u64_of_f32(float x)
{
  return u64_of_f64((double)x);
}

/* Round to nearest, ties to even; beyond 65504 infinite, below 2^-14 in steps of 2^-24: what adding
 * a number with that last place rounds to. NaN stays NaN, quiet. */
TSR_SCALAR uint16_t f16_of_f32(float x)
{
  const uint32_t all = bits_of_f32(x), m = all & 0x7fffffff;
  const uint32_t small = bits_of_f32(from_bits_f32(m) + 0.5f) - 0x3f000000;
  const uint32_t normal = (m + 0xfff + (m >> 13 & 1) - 0x38000000) >> 13;
  const uint32_t finite = m < 0x38800000 ? small : normal;
  const uint32_t number = m >= 0x477ff000 ? 0x7c00 : finite;
  const uint32_t v = m > 0x7f800000 ? 0x7e00 | (m >> 13 & 0x3ff) : number;
  return (uint16_t)(v | (all >> 16 & 0x8000));
}
TSR_SCALAR uint16_t f16_of_f64(double x)
{
  const uint64_t all = bits_of_f64(x), m = all & 0x7fffffffffffffff;
  const uint64_t small = bits_of_f64(from_bits_f64(m) + 0x1p28) - 0x41b0000000000000;
  const uint64_t normal = (m + 0x1ffffffffff + (m >> 42 & 1) - 0x3f00000000000000) >> 42;
  const uint64_t finite = m < 0x3f10000000000000 ? small : normal;
  const uint64_t number = m >= 0x40effe0000000000 ? 0x7c00 : finite;
  const uint64_t v = m > 0x7ff0000000000000 ? 0x7e00 | (m >> 42 & 0x3ff) : number;
  return (uint16_t)(v | (all >> 48 & 0x8000));
}
TSR_SCALAR float f32_of_f16(uint16_t h)
{
  const uint32_t m = h & 0x7fff, sign = (uint32_t)(h & 0x8000) << 16;
  const uint32_t normal = (m << 13) + 0x38000000;
  const uint32_t small = bits_of_f32((float)(int32_t)m * 0x1p-24f);
  const uint32_t v = m < 0x400 ? small : m >= 0x7c00 ? normal + 0x38000000 : normal;
  return from_bits_f32(v | sign);
}

#endif
