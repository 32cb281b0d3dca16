/* The functions of ops.def whose results are exact, in the manner of kernel/ops/ops_math.h:
 * rounding to whole numbers, tests, signs, exponents, neighbours, choices that leave NaN out. */
#ifndef TSR_OPS_EXACT_H
#define TSR_OPS_EXACT_H

#include "kernel/ops/ops_scalar.h"

/* Whole numbers. */

TSR_MATH f64 whole_even_f64(f64 x)
{
  return rint_f64(x);
}
TSR_MATH f32 whole_even_f32(f32 x)
{
  return rint_f32(x);
}
TSR_MATH f64 whole_below_f64(f64 x)
{
  return floor_f64(x);
}
TSR_MATH f32 whole_below_f32(f32 x)
{
  return floor_f32(x);
}
TSR_MATH f64 whole_above_f64(f64 x)
{
  return ceil_f64(x);
}
TSR_MATH f32 whole_above_f32(f32 x)
{
  return ceil_f32(x);
}
TSR_MATH f64 whole_part_f64(f64 x)
{
  return trunc_f64(x);
}
TSR_MATH f32 whole_part_f32(f32 x)
{
  return trunc_f32(x);
}

/* Tests. */

TSR_MATH m64 is_nan_f64(f64 x)
{
  return x != x;
}
TSR_MATH m32 is_nan_f32(f32 x)
{
  return x != x;
}
TSR_MATH m64 is_inf_f64(f64 x)
{
  return abs_f64(x) == TSR_INF64;
}
TSR_MATH m32 is_inf_f32(f32 x)
{
  return abs_f32(x) == TSR_INF32;
}
TSR_MATH m64 is_finite_f64(f64 x)
{
  return abs_f64(x) < TSR_INF64;
}
TSR_MATH m32 is_finite_f32(f32 x)
{
  return abs_f32(x) < TSR_INF32;
}
/* The sign of a NaN is the processor's and the compiler's choice: taken for none. */
TSR_MATH m64 has_sign_f64(f64 x)
{
  return ((bits_of_f64(x) >> 63) != 0) & (x == x);
}
TSR_MATH m32 has_sign_f32(f32 x)
{
  return ((bits_of_f32(x) >> 31) != 0) & (x == x);
}

/* Signs. */

/* 0 for both zeros, NaN for NaN. */
TSR_MATH f64 sign_f64(f64 x)
{
  return select_f64(x > 0.0, 1.0, select_f64(x < 0.0, -1.0, x + 0.0));
}
TSR_MATH f32 sign_f32(f32 x)
{
  return select_f32(x > 0.0f, 1.0f, select_f32(x < 0.0f, -1.0f, x + 0.0f));
}
TSR_MATH f64 with_sign_f64(f64 x, f64 y)
{
  return copysign_f64(x, select_f64(y == y, y, 0.0));
}
TSR_MATH f32 with_sign_f32(f32 x, f32 y)
{
  return copysign_f32(x, select_f32(y == y, y, 0.0f));
}
TSR_MATH f64 heaviside_f64(f64 x, f64 y)
{
  const f64 step = select_f64(x > 0.0, 1.0, select_f64(x < 0.0, 0.0, x));
  return select_f64(x == 0.0, y, step);
}
TSR_MATH f32 heaviside_f32(f32 x, f32 y)
{
  const f32 step = select_f32(x > 0.0f, 1.0f, select_f32(x < 0.0f, 0.0f, x));
  return select_f32(x == 0.0f, y, step);
}

/* The smaller or larger, and not NaN where one is not; the first of two equal ones. */

TSR_MATH f64 fmin_f64(f64 x, f64 y)
{
  return select_f64((x <= y) | (y != y), x, y);
}
TSR_MATH f32 fmin_f32(f32 x, f32 y)
{
  return select_f32((x <= y) | (y != y), x, y);
}
TSR_MATH f64 fmax_f64(f64 x, f64 y)
{
  return select_f64((x >= y) | (y != y), x, y);
}
TSR_MATH f32 fmax_f32(f32 x, f32 y)
{
  return select_f32((x >= y) | (y != y), x, y);
}
TSR_MATH f64 clip_f64(f64 x, f64 low, f64 high)
{
  const f64 y = select_f64((x >= low) | (x != x), x, low);
  return select_f64((y <= high) | (y != y), y, high);
}
TSR_MATH f32 clip_f32(f32 x, f32 low, f32 high)
{
  const f32 y = select_f32((x >= low) | (x != x), x, low);
  return select_f32((y <= high) | (y != y), y, high);
}

/* Exponents and neighbours.
 *
 * |x| = 2^k m, 1 <= m < 2; of 0, infinity and NaN these are of no use. */
typedef struct exponent_f64 {
  f64 k, m;
} exponent_f64;

TSR_MATH exponent_f64 split_exponent_f64(f64 x)
{
  const f64 a = abs_f64(x);
  const m64 tiny = a < 0x1p-1022;
  const u64 u = bits_of_f64(select_f64(tiny, a * 0x1p54, a));
  const f64 k =
      from_bits_f64(0x4330000000000000u | u >> 52) - select_f64(tiny, 0x1p52 + 1077, 0x1p52 + 1023);
  return TSR_MAKE(exponent_f64, k, from_bits_f64((u & 0x000fffffffffffffu) | 0x3ff0000000000000u));
}

typedef struct exponent_f32 {
  f32 k, m;
} exponent_f32;

TSR_MATH exponent_f32 split_exponent_f32(f32 x)
{
  const f32 a = abs_f32(x);
  const m32 tiny = a < 0x1p-126f;
  const u32 u = bits_of_f32(select_f32(tiny, a * 0x1p24f, a));
  const f32 k =
      from_bits_f32(0x4b000000u | u >> 23) - select_f32(tiny, 0x1p23f + 151, 0x1p23f + 127);
  return TSR_MAKE(exponent_f32, k, from_bits_f32((u & 0x007fffffu) | 0x3f800000u));
}

TSR_MATH f64 frexp_mantissa_f64(f64 x)
{
  const exponent_f64 e = split_exponent_f64(x);
  const m64 whole = (abs_f64(x) < TSR_INF64) & (x != 0.0);
  return select_f64(whole, copysign_f64(0.5 * e.m, x), x);
}
TSR_MATH f32 frexp_mantissa_f32(f32 x)
{
  const exponent_f32 e = split_exponent_f32(x);
  const m32 whole = (abs_f32(x) < TSR_INF32) & (x != 0.0f);
  return select_f32(whole, copysign_f32(0.5f * e.m, x), x);
}
TSR_MATH f64 frexp_exponent_f64(f64 x)
{
  const exponent_f64 e = split_exponent_f64(x);
  const m64 whole = (abs_f64(x) < TSR_INF64) & (x != 0.0);
  return select_f64(whole, e.k + 1.0, 0.0);
}
TSR_MATH f32 frexp_exponent_f32(f32 x)
{
  const exponent_f32 e = split_exponent_f32(x);
  const m32 whole = (abs_f32(x) < TSR_INF32) & (x != 0.0f);
  return select_f32(whole, e.k + 1.0f, 0.0f);
}

/* 2^k for whole -1022 <= k <= 1023, of float32 -126 <= k <= 127. */
TSR_MATH f64 two_to_f64(f64 k)
{
  return from_bits_f64((bits_of_f64(k + 0x1.8p52) + 1023) << 52);
}
TSR_MATH f32 two_to_f32(f32 k)
{
  return from_bits_f32((bits_of_f32(k + 0x1.8p23f) + 127) << 23);
}

/* x 2^n for whole n, rounded once (a fraction of n is rounded away first): the exponent of the
 * result is taken as far as it is normal, the rest is one product. */
TSR_MATH f64 ldexp_f64(f64 x, f64 n)
{
  const exponent_f64 e = split_exponent_f64(x);
  const f64 whole = rint_f64(n);
  const f64 k = e.k + select_f64(n > 5000.0, 5000.0, select_f64(n < -5000.0, -5000.0, whole));
  const f64 first = select_f64(k > 1023.0, 1023.0, select_f64(k < -1022.0, -1022.0, k));
  const f64 left = k - first;
  const f64 second = select_f64(left > 1.0, 1.0, select_f64(left < -100.0, -100.0, left));
  const f64 y = copysign_f64(e.m * two_to_f64(first) * two_to_f64(second), x);
  const f64 z = select_f64((abs_f64(x) < TSR_INF64) & (x != 0.0), y, x);
  return select_f64(n == n, z, n);
}
TSR_MATH f32 ldexp_f32(f32 x, f32 n)
{
  const exponent_f32 e = split_exponent_f32(x);
  const f32 whole = rint_f32(n);
  const f32 k = e.k + select_f32(n > 500.0f, 500.0f, select_f32(n < -500.0f, -500.0f, whole));
  const f32 first = select_f32(k > 127.0f, 127.0f, select_f32(k < -126.0f, -126.0f, k));
  const f32 left = k - first;
  const f32 second = select_f32(left > 1.0f, 1.0f, select_f32(left < -30.0f, -30.0f, left));
  const f32 y = copysign_f32(e.m * two_to_f32(first) * two_to_f32(second), x);
  const f32 z = select_f32((abs_f32(x) < TSR_INF32) & (x != 0.0f), y, x);
  return select_f32(n == n, z, n);
}

TSR_MATH f64 nextafter_f64(f64 x, f64 y)
{
  const u64 u = bits_of_f64(x);
  const f64 far = from_bits_f64(u + 1), near = from_bits_f64(u - 1);
  const f64 up = select_f64(x < 0.0, near, far), down = select_f64(x < 0.0, far, near);
  f64 z = select_f64(x < y, up, down);
  z = select_f64(x == 0.0, copysign_f64(splat_f64(0x1p-1074), y), z);
  z = select_f64(x == y, y, z);
  return select_f64((x != x) | (y != y), x + y, z);
}
TSR_MATH f32 nextafter_f32(f32 x, f32 y)
{
  const u32 u = bits_of_f32(x);
  const f32 far = from_bits_f32(u + 1), near = from_bits_f32(u - 1);
  const f32 up = select_f32(x < 0.0f, near, far), down = select_f32(x < 0.0f, far, near);
  f32 z = select_f32(x < y, up, down);
  z = select_f32(x == 0.0f, copysign_f32(splat_f32(0x1p-149f), y), z);
  z = select_f32(x == y, y, z);
  return select_f32((x != x) | (y != y), x + y, z);
}

#endif
