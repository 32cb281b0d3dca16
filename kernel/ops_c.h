/* What the C expressions of ops.def may call: one small function per helper and compute type, named
 * helper_type, and the casts, named type_of_type. Plain C without library calls (sqrt and fma are
 * instructions; a machine without fma calls the C library's, which gives the same bits), so that
 * every vector width computes the same bits. Integers wrap: they are added, multiplied and negated
 * as unsigned. bools are bytes of value 0 or 1. Here is arithmetic; functions are in the headers
 * included, each a file of scalar functions that needs nothing else. */
#ifndef TSR_OPS_C_H
#define TSR_OPS_C_H

#include <stdint.h>

#include "kernel/ops_arc.h"    /* arcsin, arccos, arctan, arctan2 */
#include "kernel/ops_circle.h" /* tan, sinc */
#include "kernel/ops_divide.h" /* floor_divide, remainder, fmod, reciprocal */
#include "kernel/ops_erf.h"    /* erf, erfc */
#include "kernel/ops_exact.h"  /* rounding, tests, signs, exponents */
#include "kernel/ops_gamma.h"  /* gamma, lgamma */
#include "kernel/ops_hyper.h"  /* sinh, cosh, arcsinh, arccosh, arctanh */
#include "kernel/ops_log.h"    /* exp2, log2, log10, cbrt, logaddexp, degrees */
#include "kernel/ops_math.h"   /* exp, expm1, tanh, log, log1p, power, hypot */
#include "kernel/ops_permute.h"
#include "kernel/ops_random.h"
#include "kernel/ops_trig.h" /* sin, cos */

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

#define T uint8_t
#define SUFFIX b8
#define LEAST 0
#include "kernel/ops_integer.inc"
#undef T
#undef SUFFIX
#undef LEAST
#define T int32_t
#define SUFFIX i32
#define LEAST INT32_MIN
#include "kernel/ops_integer.inc"
#undef T
#undef SUFFIX
#undef LEAST
#define T int64_t
#define SUFFIX i64
#define LEAST INT64_MIN
#include "kernel/ops_integer.inc"
#undef T
#undef SUFFIX
#undef LEAST

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
