/* Division of floats to whole numbers, of ops.def: floor_divide, remainder (of the sign of the
 * divisor), fmod (of the sign of the dividend), in the manner of kernel/ops/ops_math.h. The
 * remainder is exact, so any way to it gives the same bits: one step where the quotient has at most
 * 52 bits, else one for every 51 of them. (Of integers: kernel/ops/ops_integer.h.in.) */
#ifndef TSR_OPS_DIVIDE_H
#define TSR_OPS_DIVIDE_H

#include "kernel/ops/ops_scalar.h"

#include "ops_exact.h" /* of ops_exact.h.in */

TSR_MATH f64 reciprocal_f64(f64 x)
{
  return 1.0 / x;
}
TSR_MATH f32 reciprocal_f32(f32 x)
{
  return 1.0f / x;
}

/* a mod b for 0 <= a < 2^52 b: the quotient rounded may be the whole number above the true one, but
 * then the rest, a multiple of the last place of b and below b, is exact all the same. */
TSR_MATH f64 near_rest_f64(f64 a, f64 b)
{
  const f64 r = fma_f64(-trunc_f64(a / b), b, a);
  return select_f64(r < 0.0, r + b, r);
}
TSR_MATH m64 is_long_division_f64(f64 a, f64 b)
{
  return (a >= b * 0x1p52) | (b < 0x1p-1022);
}
/* Where the division is long, else `near`: the rests by b 2^k, by ever smaller ones, until one is
 * below b. */
TSR_RARE f64 far_rest_f64(f64 a, f64 b, f64 near)
{
  const m64 is_long = is_long_division_f64(a, b);
  const m64 is_number = (a < TSR_INF64) & (b > 0.0);
  const f64 least = split_exponent_f64(b).k;
  f64 r = select_f64(is_long & is_number, a, 0.0);
  while (some_f64((r >= b) & (r > 0.0))) {
    const f64 far = split_exponent_f64(r).k - least - 51.0;
    const f64 k = select_f64(is_long & is_number & (far > 0.0), far, 0.0);
    const f64 half = floor_f64(0.5 * k);
    const f64 next = near_rest_f64(r, b * two_to_f64(half) * two_to_f64(k - half));
    r = select_f64((r >= b) & (r > 0.0), next, r);
  }
  return select_f64(is_long, select_f64(is_number, r, TSR_NAN64), near);
}
TSR_MATH f64 rest_f64(f64 a, f64 b)
{
  const f64 near = select_f64(b == TSR_INF64, a, near_rest_f64(a, b));
  return some_f64(is_long_division_f64(a, b)) ? far_rest_f64(a, b, near) : near;
}

TSR_MATH f64 fmod_f64(f64 x, f64 y)
{
  return copysign_f64(rest_f64(abs_f64(x), abs_f64(y)), x);
}
TSR_MATH f32 fmod_f32(f32 x, f32 y)
{
  return narrow_f32(fmod_f64(widen_f64(x), widen_f64(y)));
}

/* Of a rest of x by y: do they differ in sign? */
TSR_MATH m64 is_across_f64(f64 rest, f64 y)
{
  return ((rest < 0.0) & (y > 0.0)) | ((rest > 0.0) & (y < 0.0));
}
TSR_MATH m32 is_across_f32(f32 rest, f32 y)
{
  return ((rest < 0.0f) & (y > 0.0f)) | ((rest > 0.0f) & (y < 0.0f));
}
TSR_MATH f64 remainder_f64(f64 x, f64 y)
{
  const f64 r = fmod_f64(x, y);
  const f64 moved = select_f64(is_across_f64(r, y), r + y, r);
  return select_f64(r == 0.0, copysign_f64(splat_f64(0.0), y), moved);
}
TSR_MATH f32 remainder_f32(f32 x, f32 y)
{
  const f32 r = fmod_f32(x, y);
  const f32 moved = select_f32(is_across_f32(r, y), r + y, r);
  return select_f32(r == 0.0f, copysign_f32(splat_f32(0.0f), y), moved);
}
/* As NumPy: from the remainder, so that x = y * quotient + remainder as far as it can be. */
TSR_MATH f64 floor_divide_f64(f64 x, f64 y)
{
  const f64 r = fmod_f64(x, y);
  const f64 q = (x - r) / y - select_f64(is_across_f64(r, y), 1.0, 0.0);
  const f64 below = floor_f64(q);
  const f64 whole = below + select_f64(q - below > 0.5, 1.0, 0.0);
  const f64 true_sign = select_f64(q == 0.0, copysign_f64(splat_f64(0.0), x / y), whole);
  return select_f64(y == 0.0, x / y, true_sign);
}
TSR_MATH f32 floor_divide_f32(f32 x, f32 y)
{
  const f32 r = fmod_f32(x, y);
  const f32 q = (x - r) / y - select_f32(is_across_f32(r, y), 1.0f, 0.0f);
  const f32 below = floor_f32(q);
  const f32 whole = below + select_f32(q - below > 0.5f, 1.0f, 0.0f);
  const f32 true_sign = select_f32(q == 0.0f, copysign_f32(splat_f32(0.0f), x / y), whole);
  return select_f32(y == 0.0f, x / y, true_sign);
}

#endif
