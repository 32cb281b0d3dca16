/* Division of floats to whole numbers, of ops.def: floor_divide, remainder (of the sign of the
 * divisor), fmod (of the sign of the dividend). The remainder is exact, so any way to it gives the
 * same bits: one step where the quotient has at most 52 bits, else the C library. (Of integers:
 * kernel/ops_integer.inc.) */
#ifndef TSR_OPS_DIVIDE_H
#define TSR_OPS_DIVIDE_H

#include "kernel/ops_scalar.h"

TSR_MATH f64 reciprocal_f64(f64 x)
{
  return 1.0 / x;
}
TSR_MATH f32 reciprocal_f32(f32 x)
{
  return 1.0f / x;
}

/* |x| mod |y|: the quotient rounded may be the whole number above the true one, but then the rest,
 * a multiple of the last place of y and below |y|, is exact all the same. */
static inline double fmod_f64(double x, double y)
{
  const double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (!(a < b * 0x1p52) || !(b >= 0x1p-1022)) return __builtin_fmod(x, y);
  const double r = __builtin_fma(-__builtin_trunc(a / b), b, a);
  return __builtin_copysign(b < __builtin_inf() ? (r < 0 ? r + b : r) : a, x);
}
static inline float fmod_f32(float x, float y)
{
  return (float)fmod_f64((double)x, (double)y);
}
static inline double remainder_f64(double x, double y)
{
  const double r = fmod_f64(x, y);
  if (r == 0) return __builtin_copysign(0.0, y);
  return (y < 0) != (r < 0) ? r + y : r;
}
static inline float remainder_f32(float x, float y)
{
  const float r = fmod_f32(x, y);
  if (r == 0) return __builtin_copysignf(0.0f, y);
  return (y < 0) != (r < 0) ? r + y : r;
}
/* As NumPy: from the remainder, so that x = y * quotient + remainder as far as it can be. */
static inline double floor_divide_f64(double x, double y)
{
  const double r = fmod_f64(x, y);
  const double q = (x - r) / y - (double)(r != 0 && (y < 0) != (r < 0));
  const double below = __builtin_floor(q);
  if (y == 0) return x / y;
  if (q == 0) return __builtin_copysign(0.0, x / y);
  return below + (double)(q - below > 0.5);
}
static inline float floor_divide_f32(float x, float y)
{
  const float r = fmod_f32(x, y);
  const float q = (x - r) / y - (float)(r != 0 && (y < 0) != (r < 0));
  const float below = __builtin_floorf(q);
  if (y == 0) return x / y;
  if (q == 0) return __builtin_copysignf(0.0f, x / y);
  return below + (float)(q - below > 0.5f);
}

#endif
