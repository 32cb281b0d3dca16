/* arctan, arctan2, arcsin and arccos of ops.def, in the manner of kernel/ops/ops_math.h: every
 * result is a multiple of pi/4 in two parts plus or minus t + t z P(z), z = t^2 <= 1/4. The float32
 * functions compute in float64, in the manner of kernel/ops/ops_short.h. Polynomials: tools/minimax.py. */
#ifndef TSR_OPS_ARC_H
#define TSR_OPS_ARC_H

#include "kernel/ops/ops_short.h"

/* (atan(t) - t) / t^3 of z = t^2 <= 1/4. */
TSR_MATH f64 tail_arctan_f64(f64 z)
{
  const f64 z2 = z * z;
  f64 p_even = fma_f64(-0x1.12a7d0ef03bd0p-7, z2, -0x1.303b277d48c59p-5);
  p_even = fma_f64(p_even, z2, -0x1.ac75dcc1d820cp-5);
  p_even = fma_f64(p_even, z2, -0x1.110c798bf41bdp-4);
  p_even = fma_f64(p_even, z2, -0x1.745d13984d167p-4);
  p_even = fma_f64(p_even, z2, -0x1.2492492454086p-3);
  p_even = fma_f64(p_even, z2, -0x1.5555555555552p-2);
  f64 p_odd = fma_f64(0x1.83fe300eda451p-6, z2, 0x1.780854a2e4934p-5);
  p_odd = fma_f64(p_odd, z2, 0x1.e183655d5a11cp-5);
  p_odd = fma_f64(p_odd, z2, 0x1.3b13615cad93dp-4);
  p_odd = fma_f64(p_odd, z2, 0x1.c71c71ab3979ep-4);
  p_odd = fma_f64(p_odd, z2, 0x1.99999999990e8p-3);
  return fma_f64(p_odd, z, p_even);
}

/* The angle of (high, low), low <= high: t + tail, or that and pi/4 if `half`. t is low / high, or
 * (low - high) / (low + high) beyond 1/2, where the difference is exact; its second part is in the
 * tail. */
typedef struct angle_f64 {
  f64 t, tail;
  m64 half;
} angle_f64;

TSR_MATH angle_f64 split_angle_f64(f64 low, f64 high)
{
  const m64 half = low > 0.5 * high;
  const f64 sum = high + low;
  const f64 top = low - select_f64(half, high, 0.0), bottom = high + select_f64(half, low, 0.0);
  const f64 bottom_lo = select_f64(half, low - (sum - high), 0.0);
  const f64 inverse = 1.0 / bottom;
  const f64 t = top * inverse;
  const f64 t_lo = fma_f64(-t, bottom_lo, fma_f64(-t, bottom, top)) * inverse;
  const f64 z = t * t;
  return TSR_MAKE(angle_f64, t, fma_f64(t * z, tail_arctan_f64(z), t_lo), half);
}

/* base in two parts, plus or minus, as the sign of `side` is, t + tail. */
TSR_MATH f64 add_angle_f64(angle_f64 a, f64 base, f64 base_lo, f64 side)
{
  const f64 t = side * a.t;
  const f64 first = base + t;
  const f64 rest = (base - first) + t;
  return first + (rest + fma_f64(side, a.tail, base_lo));
}

/* The angle of (x, y), both at least 0 and finite, or pi less it. */
TSR_MATH f64 quadrant_angle_f64(f64 y, f64 x, m64 from_pi)
{
  const m64 steep = y > x;
  f64 low = smaller_f64(x, y), high = larger_f64(y, x);
  high = select_f64(high == 0.0, 1.0, high);
  const f64 scale =
      select_f64(high > 0x1p1000, 0x1p-100, select_f64(high < 0x1p-400, 0x1p600, 1.0));
  const angle_f64 a = split_angle_f64(low * scale, high * scale);
  /* n counts multiples of pi/4: 0 or 1 from the axis, then from pi/2 and from pi downwards. */
  f64 n = select_f64(a.half, 1.0, 0.0);
  n = select_f64(steep, 2.0 - n, n);
  n = select_f64(from_pi, 4.0 - n, n);
  f64 side = select_f64(steep, -1.0, 1.0);
  side = select_f64(from_pi, -side, side);
  const f64 base = select_f64(n == 3.0, 0x1.2d97c7f3321d2p+1, n * 0x1.921fb54442d18p-1);
  const f64 base_lo = select_f64(n == 3.0, 0x1.a79394c9e8a0ap-54, n * 0x1.1a62633145c07p-55);
  return add_angle_f64(a, base, base_lo, side);
}

TSR_MATH f64 arctan2_f64(f64 y, f64 x)
{
  const f64 inf = splat_f64(TSR_INF64);
  f64 a = abs_f64(y), b = abs_f64(x);
  const m64 a_inf = a == inf, b_inf = b == inf;
  const f64 a_one = select_f64(a_inf, 1.0, 0.0), b_one = select_f64(b_inf, 1.0, 0.0);
  a = select_f64(a_inf | b_inf, a_one, a);
  b = select_f64(a_inf | b_inf, b_one, b);
  const f64 z = copysign_f64(quadrant_angle_f64(a, b, (bits_of_f64(x) >> 63) != 0), y);
  return select_f64((x != x) | (y != y), x + y, z);
}
TSR_RARE f32 arctan2_long_f32(f32 y, f32 x)
{
  return narrow_f32(arctan2_f64(widen_f64(y), widen_f64(x)));
}

/* The angle of (high, low), which is at most pi/4: from pi/8 on less pi/4. */
TSR_MATH f64 short_angle_f64(f64 low, f64 high)
{
  const m64 half = low > 0x1.a8279ap-2 * high;
  const f64 top = low - select_f64(half, high, 0.0), bottom = high + select_f64(half, low, 0.0);
  const f64 t = top / bottom;
  const f64 z = t * t;
  f64 p = fma_f64(-0x1.36f08c580b6b7p-5, z, 0x1.1e705b4b2330bp-4);
  p = fma_f64(p, z, -0x1.70876696ac1aap-4);
  p = fma_f64(p, z, 0x1.c6d2754e30db5p-4);
  p = fma_f64(p, z, -0x1.2490c7051f18dp-3);
  p = fma_f64(p, z, 0x1.99999217789f5p-3);
  p = fma_f64(p, z, -0x1.5555554efe883p-2);
  return select_f64(half, 0x1.921fb54442d18p-1, 0.0) + fma_f64(t * z, p, t);
}

/* Results below the normal numbers are low / high, in float64 not further from the middle of two
 * than it is, since a quotient is not nearer to one than 2^-49 of itself. */
TSR_MATH f32 arctan2_f32(f32 y, f32 x)
{
  const f32 a = abs_f32(y), b = abs_f32(x), one = copysign_f32(splat_f32(1.0f), x);
  const f32 low = smaller_f32(a, b), high = larger_f32(larger_f32(a, b), 0x1p-149f);
  const m32 steep = a > b, both = low == TSR_INF32;
  const f64 angle = short_angle_f64(widen_f64(select_f32(both, 1.0f, low)),
                                    widen_f64(select_f32(both, 1.0f, high)));
  /* n pi/2 plus or minus the angle */
  const f64 side = widen_f64(select_f32(steep, -one, one));
  const f64 n = widen_f64(select_f32(steep, 1.0f, 1.0f - one));
  const f64 z = fma_f64(angle, side, n * 0x1.921fb54442d18p+0);
  return any_unsure_f64(z) ? arctan2_long_f32(y, x)
                           : select_f32((x != x) | (y != y), x + y, copysign_f32(narrow_f32(z), y));
}

/* Of (1, |x|). */
TSR_MATH f64 arctan_f64(f64 x)
{
  const f64 y = smaller_f64(0x1p100, abs_f64(x));
  const m64 steep = y > 1.0;
  const angle_f64 a = split_angle_f64(smaller_f64(1.0, y), larger_f64(1.0, y));
  f64 n = select_f64(a.half, 1.0, 0.0);
  n = select_f64(steep, 2.0 - n, n);
  const f64 z = add_angle_f64(a, n * 0x1.921fb54442d18p-1, n * 0x1.1a62633145c07p-55,
                              select_f64(steep, -1.0, 1.0));
  return copysign_f64(z, x);
}
TSR_RARE f32 arctan_long_f32(f32 x)
{
  return narrow_f32(arctan_f64(widen_f64(x)));
}
/* x itself where it is below the normal numbers. */
TSR_MATH f32 arctan_f32(f32 x)
{
  const f32 a = abs_f32(x);
  const f64 steep = widen_f64(select_f32(a > 1.0f, 1.0f, 0.0f));
  const f64 angle =
      short_angle_f64(widen_f64(smaller_f32(1.0f, a)), widen_f64(larger_f32(1.0f, a)));
  const f64 z = fma_f64(steep, fma_f64(-2.0, angle, 0x1.921fb54442d18p+0), angle);
  return any_unsure_f64(z) ? arctan_long_f32(x) : copysign_f32(narrow_f32(z), x);
}

/* (asin(t) - t) / t^3 of z = t^2 <= 1/4. */
TSR_MATH f64 tail_arcsin_f64(f64 z)
{
  const f64 z2 = z * z;
  f64 p_even = fma_f64(0x1.0bc1e25b3f629p-5, z2, 0x1.64b19da5a92d8p-6);
  p_even = fma_f64(p_even, z2, 0x1.617a740536e55p-7);
  p_even = fma_f64(p_even, z2, 0x1.ca20f70f5601cp-7);
  p_even = fma_f64(p_even, z2, 0x1.6e8bdfc62c3d7p-6);
  p_even = fma_f64(p_even, z2, 0x1.6db6db722a140p-5);
  p_even = fma_f64(p_even, z2, 0x1.5555555555578p-3);
  f64 p_odd = fma_f64(-0x1.598491b0194c0p-6, z2, 0x1.e25cc6efe2198p-9);
  p_odd = fma_f64(p_odd, z2, 0x1.757a44530960ep-7);
  p_odd = fma_f64(p_odd, z2, 0x1.1c49e0cf045edp-6);
  p_odd = fma_f64(p_odd, z2, 0x1.f1c71a8c71dccp-6);
  p_odd = fma_f64(p_odd, z2, 0x1.333333332df22p-4);
  return fma_f64(p_odd, z, p_even);
}

/* Up to 1/2 of |x| itself, beyond of s = sqrt((1 - |x|) / 2), asin(|x|) = pi/2 - 2 asin(s): asin of
 * either is first + rest. NaN where |x| > 1. */
typedef struct arc_f64 {
  f64 first, rest;
  m64 is_far;
} arc_f64;

TSR_MATH arc_f64 split_arcsin_f64(f64 x)
{
  const f64 a = abs_f64(x);
  const m64 is_far = a > 0.5;
  const f64 z = select_f64(is_far, fma_f64(-0.5, a, 0.5), a * a);
  const f64 root = sqrt_f64(z);
  const f64 s = select_f64(is_far, root, a);
  const f64 root_lo = fma_f64(-root, root, z) / (root + root);
  const f64 s_lo = select_f64(is_far & (root > 0.0), root_lo, 0.0);
  return TSR_MAKE(arc_f64, s, fma_f64(s * z, tail_arcsin_f64(z), s_lo), is_far);
}

TSR_MATH f64 arcsin_f64(f64 x)
{
  const arc_f64 s = split_arcsin_f64(x);
  const f64 far = fma_f64(-2.0, s.first, 0x1.921fb54442d18p+0);
  const f64 far_rest = fma_f64(-2.0, s.first, 0x1.921fb54442d18p+0 - far);
  const f64 far_lo = fma_f64(-2.0, s.rest, far_rest + 0x1.1a62633145c07p-54);
  return copysign_f64(select_f64(s.is_far, far + far_lo, s.first + s.rest), x);
}
TSR_RARE f32 arcsin_long_f32(f32 x)
{
  return narrow_f32(arcsin_f64(widen_f64(x)));
}

/* The arc sine of |x|, or from 1/2 on of sqrt((1 - |x|) / 2), as split_arcsin_f64's. The root of a
 * square of 24 bits is exact. */
TSR_MATH f64 short_arcsin_f64(f64 a)
{
  const f64 z = select_f64(a > 0.5, fma_f64(-0.5, a, 0.5), a * a);
  const f64 s = sqrt_f64(z);
  f64 p = fma_f64(0x1.0de0884c37e9fp-5, z, 0x1.fe33eda98bc26p-10);
  p = fma_f64(p, z, 0x1.527defcba9c7cp-6);
  p = fma_f64(p, z, 0x1.663359c385edep-6);
  p = fma_f64(p, z, 0x1.f28382899b147p-6);
  p = fma_f64(p, z, 0x1.6db24e17642abp-5);
  p = fma_f64(p, z, 0x1.333340be5b5e0p-4);
  p = fma_f64(p, z, 0x1.55555547994e9p-3);
  return fma_f64(s * z, p, s);
}

/* x itself where it is below the normal numbers. */
TSR_MATH f32 arcsin_f32(f32 x)
{
  const f64 a = abs_f64(widen_f64(x)), arc = short_arcsin_f64(a);
  const f64 y = select_f64(a > 0.5, fma_f64(-2.0, arc, 0x1.921fb54442d18p+0), arc);
  return any_unsure_f64(y) ? arcsin_long_f32(x) : copysign_f32(narrow_f32(y), x);
}

/* base - sign (first + rest): from pi/2 near 0, from 0 near 1, from pi near -1. */
TSR_MATH f64 arccos_f64(f64 x)
{
  const arc_f64 s = split_arcsin_f64(x);
  const m64 below = x < 0.0;
  const f64 n = select_f64(s.is_far, select_f64(below, 2.0, 0.0), 1.0);
  const f64 side = select_f64(below, 1.0, -1.0);
  const f64 factor = select_f64(s.is_far, -2.0 * side, side);
  const f64 base = n * 0x1.921fb54442d18p+0, part = factor * s.first;
  const f64 sum = base + part;
  const f64 rest = (base - sum) + part;
  return sum + (rest + fma_f64(factor, s.rest, n * 0x1.1a62633145c07p-54));
}
TSR_RARE f32 arccos_long_f32(f32 x)
{
  return narrow_f32(arccos_f64(widen_f64(x)));
}
TSR_MATH f32 arccos_f32(f32 x)
{
  const f32 one = copysign_f32(splat_f32(1.0f), x);
  const m32 is_far = abs_f32(x) > 0.5f;
  const f64 n = widen_f64(select_f32(is_far, 1.0f - one, 1.0f));
  const f64 factor = widen_f64(select_f32(is_far, 2.0f * one, -one));
  const f64 arc = short_arcsin_f64(abs_f64(widen_f64(x)));
  const f64 y = fma_f64(factor, arc, n * 0x1.921fb54442d18p+0);
  return any_unsure_f64(y) ? arccos_long_f32(x) : narrow_f32(y);
}

#endif
