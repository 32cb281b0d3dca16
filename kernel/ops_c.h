/* What the C expressions of ops.def may call: one small function per helper and compute type, named
 * helper_type, and the casts, named type_of_type. Plain C without library calls (sqrt and fma are
 * instructions; a machine without fma calls the C library's, which gives the same bits), so that
 * every vector width computes the same bits. Integers wrap: they are added, multiplied and negated
 * as unsigned. bools are bytes of value 0 or 1. */
#ifndef TSR_OPS_C_H
#define TSR_OPS_C_H

#include <stdint.h>

static inline uint8_t add_b8(uint8_t x, uint8_t y)
{
  return x | y;
}
static inline int32_t add_i32(int32_t x, int32_t y)
{
  return (int32_t)((uint32_t)x + (uint32_t)y);
}
static inline int64_t add_i64(int64_t x, int64_t y)
{
  return (int64_t)((uint64_t)x + (uint64_t)y);
}
static inline float add_f32(float x, float y)
{
  return x + y;
}
static inline double add_f64(double x, double y)
{
  return x + y;
}

static inline int32_t sub_i32(int32_t x, int32_t y)
{
  return (int32_t)((uint32_t)x - (uint32_t)y);
}
static inline int64_t sub_i64(int64_t x, int64_t y)
{
  return (int64_t)((uint64_t)x - (uint64_t)y);
}
static inline float sub_f32(float x, float y)
{
  return x - y;
}
static inline double sub_f64(double x, double y)
{
  return x - y;
}

static inline uint8_t mul_b8(uint8_t x, uint8_t y)
{
  return x & y;
}
static inline int32_t mul_i32(int32_t x, int32_t y)
{
  return (int32_t)((uint32_t)x * (uint32_t)y);
}
static inline int64_t mul_i64(int64_t x, int64_t y)
{
  return (int64_t)((uint64_t)x * (uint64_t)y);
}
static inline float mul_f32(float x, float y)
{
  return x * y;
}
static inline double mul_f64(double x, double y)
{
  return x * y;
}

static inline int32_t neg_i32(int32_t x)
{
  return (int32_t)(0 - (uint32_t)x);
}
static inline int64_t neg_i64(int64_t x)
{
  return (int64_t)(0 - (uint64_t)x);
}
static inline float neg_f32(float x)
{
  return -x;
}
static inline double neg_f64(double x)
{
  return -x;
}

static inline uint8_t abs_b8(uint8_t x)
{
  return x;
}
static inline int32_t abs_i32(int32_t x)
{
  return x < 0 ? neg_i32(x) : x;
}
static inline int64_t abs_i64(int64_t x)
{
  return x < 0 ? neg_i64(x) : x;
}
static inline float abs_f32(float x)
{
  return __builtin_fabsf(x);
}
static inline double abs_f64(double x)
{
  return __builtin_fabs(x);
}

/* NumPy 2 on x86 gives the second operand of two equal ones, which shows for -0 and 0; so does
 * this, everywhere. */
static inline uint8_t min_b8(uint8_t x, uint8_t y)
{
  return x & y;
}
static inline int32_t min_i32(int32_t x, int32_t y)
{
  return x < y ? x : y;
}
static inline int64_t min_i64(int64_t x, int64_t y)
{
  return x < y ? x : y;
}
static inline float min_f32(float x, float y)
{
  return (x < y) | (x != x) ? x : y;
}
static inline double min_f64(double x, double y)
{
  return (x < y) | (x != x) ? x : y;
}
static inline uint8_t max_b8(uint8_t x, uint8_t y)
{
  return x | y;
}
static inline int32_t max_i32(int32_t x, int32_t y)
{
  return x > y ? x : y;
}
static inline int64_t max_i64(int64_t x, int64_t y)
{
  return x > y ? x : y;
}
static inline float max_f32(float x, float y)
{
  return (x > y) | (x != x) ? x : y;
}
static inline double max_f64(double x, double y)
{
  return (x > y) | (x != x) ? x : y;
}

static inline float sqrt_f32(float x)
{
  return __builtin_sqrtf(x);
}
static inline double sqrt_f64(double x)
{
  return __builtin_sqrt(x);
}

/* exp(x) = 2^k exp(r), k the integer next to x / ln 2, |r| <= ln(2) / 2 (Cody and Waite, "Software
 * Manual for the Elementary Functions", 1980, chapter 6). k comes from adding 1.5 * 2^52, which
 * leaves it in the low bits. The high part of r is exact by fma. exp(r) = 1 + (r + r^2 q(r)) with
 * Taylor's q (next term under 0.04 ulp); the sum is carried in two parts, so that only its end is
 * rounded at full size: within 0.75 ulp. 2^k is multiplied in two halves, the first exact, so that
 * results below the normal range are rounded once more only: within 0.85 ulp. Far ends are chosen
 * at the end, without branches; NaN passes through r. */
static inline double exp_f64(double x)
{
  const double shift = 0x1.8p52;
  union {
    double f;
    uint64_t u;
  } t = {__builtin_fma(x, 0x1.71547652b82fep0, shift)}, half1, half2;
  const double k = t.f - shift;
  const double r_hi = __builtin_fma(k, -0x1.62e42fefa39efp-1, x);
  const double r_lo = k * -0x1.abc9e3b39803fp-56;
  const double r = r_hi + r_lo;
  double q = 0x1.6124613a86d09p-33;               /* 1/13! */
  q = __builtin_fma(q, r, 0x1.1eed8eff8d898p-29); /* 1/12! */
  q = __builtin_fma(q, r, 0x1.ae64567f544e4p-26);
  q = __builtin_fma(q, r, 0x1.27e4fb7789f5cp-22);
  q = __builtin_fma(q, r, 0x1.71de3a556c734p-19);
  q = __builtin_fma(q, r, 0x1.a01a01a01a01ap-16);
  q = __builtin_fma(q, r, 0x1.a01a01a01a01ap-13);
  q = __builtin_fma(q, r, 0x1.6c16c16c16c17p-10);
  q = __builtin_fma(q, r, 0x1.1111111111111p-7);
  q = __builtin_fma(q, r, 0x1.5555555555555p-5);
  q = __builtin_fma(q, r, 0x1.5555555555555p-3); /* 1/3! */
  q = __builtin_fma(q, r, 0.5);
  const double s = __builtin_fma(r * r, q, r_lo);
  const double sum = 1.0 + r_hi;
  const double rest = (1.0 - sum) + r_hi; /* exact: |r_hi| < 1 */
  const double y = sum + (rest + s);
  const uint64_t n = t.u - 0x4338000000000000u; /* k as an integer */
  const uint64_t n1 = ((n + 2048) >> 1) - 1024;
  half1.u = (n1 + 1023) << 52;
  half2.u = (n - n1 + 1023) << 52;
  double z = y * half1.f * half2.f;
  z = x < -750.0 ? 0.0 : z;
  return x > 710.0 ? __builtin_inf() : z;
}

/* As exp_f64, with 24 bits. */
static inline float exp_f32(float x)
{
  const float shift = 0x1.8p23f;
  union {
    float f;
    uint32_t u;
  } t = {__builtin_fmaf(x, 0x1.715476p0f, shift)}, half1, half2;
  const float k = t.f - shift;
  const float r_hi = __builtin_fmaf(k, -0x1.62e43p-1f, x);
  const float r_lo = k * 0x1.05c61p-29f;
  const float r = r_hi + r_lo;
  float q = 0x1.a01a02p-16f; /* 1/8! */
  q = __builtin_fmaf(q, r, 0x1.a01a02p-13f);
  q = __builtin_fmaf(q, r, 0x1.6c16c2p-10f);
  q = __builtin_fmaf(q, r, 0x1.111112p-7f);
  q = __builtin_fmaf(q, r, 0x1.555556p-5f);
  q = __builtin_fmaf(q, r, 0x1.555556p-3f); /* 1/3! */
  q = __builtin_fmaf(q, r, 0.5f);
  const float s = __builtin_fmaf(r * r, q, r_lo);
  const float sum = 1.0f + r_hi;
  const float rest = (1.0f - sum) + r_hi;
  const float y = sum + (rest + s);
  const uint32_t n = t.u - 0x4b400000u;
  const uint32_t n1 = ((n + 512) >> 1) - 256;
  half1.u = (n1 + 127) << 23;
  half2.u = (n - n1 + 127) << 23;
  float z = y * half1.f * half2.f;
  z = x < -105.0f ? 0.0f : z;
  return x > 89.0f ? __builtin_inff() : z;
}

/* Floats outside an integer's range, and NaN, become its least value: what x86 and so NumPy there
 * give. */
static inline int32_t i32_of_f32(float x)
{
  return (x >= -0x1p31f) & (x < 0x1p31f) ? (int32_t)x : INT32_MIN;
}
static inline int64_t i64_of_f32(float x)
{
  return (x >= -0x1p63f) & (x < 0x1p63f) ? (int64_t)x : INT64_MIN;
}
static inline int32_t i32_of_f64(double x)
{
  return (x > -0x1.00000002p31) & (x < 0x1p31) ? (int32_t)x : INT32_MIN;
}
static inline int64_t i64_of_f64(double x)
{
  return (x >= -0x1p63) & (x < 0x1p63) ? (int64_t)x : INT64_MIN;
}
static inline int32_t i32_of_i64(int64_t x)
{
  return (int32_t)(uint32_t)(uint64_t)x;
}

#endif
