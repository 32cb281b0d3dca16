/* arctan, arctan2, arcsin and arccos of ops.def, in the manner of kernel/ops/ops_math.h: every
 * result is a multiple of pi/4 in two parts plus or minus t + t z P(z), z = t^2 <= 1/4. The float32
 * functions are in the manner of kernel/ops/ops_twofold.h. Polynomials: tools/minimax.py. */
#ifndef TSR_OPS_ARC_H
#define TSR_OPS_ARC_H

#include "kernel/ops/ops_twofold.h"

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
TSR_HALVES f32 arctan2_long_f32(f32 y, f32 x)
{
  return narrow_f32(arctan2_f64(widen_f64(y), widen_f64(x)));
}

/* The angle of (high, low), which is at most pi/4, is that of a row's tangent c, a multiple of 1/16,
 * and atan(q), q = (low - c high) / (high + c low), |q| < 0.039. The numerator is exact. Rows from
 * 16 on are the same for angles that are taken from pi/2: `turn` is then 16, and `sign` makes q and
 * all that follows from it negative. */
typedef struct twofold_angle_f32 {
  f32 hi, lo;
  u32 row;
} twofold_angle_f32;

TSR_MATH twofold_angle_f32 angle_twofold_f32(f32 low, f32 high, f32 turn, u32 sign)
{
  static const float tangent[32] = {
      0x0p+0f, 0x1p-4f,   0x1p-3f,   0x1.8p-3f, 0x1p-2f,   0x1.4p-2f, 0x1.8p-2f, 0x1.cp-2f,
      0x1p-1f, 0x1.2p-1f, 0x1.4p-1f, 0x1.6p-1f, 0x1.8p-1f, 0x1.ap-1f, 0x1.cp-1f, 0x1.ep-1f,
      0x0p+0f, 0x1p-4f,   0x1p-3f,   0x1.8p-3f, 0x1p-2f,   0x1.4p-2f, 0x1.8p-2f, 0x1.cp-2f,
      0x1p-1f, 0x1.2p-1f, 0x1.4p-1f, 0x1.6p-1f, 0x1.8p-1f, 0x1.ap-1f, 0x1.cp-1f, 0x1.ep-1f};
  const f32 t = fma_f32(low * about_inverse_f32(high), 0x1.efp+3f, turn + 0x1.8p23f);
  const u32 row = bits_of_f32(t);
  const f32 c = look_up_32_f32(tangent, row);
  const f32 top = from_bits_f32(bits_of_f32(fma_f32(-c, high, low)) ^ sign);
  const f32 bottom = fma_f32(c, low, high), bottom_lo = fma_f32(c, low, high - bottom);
  const f32 q = top / bottom;
  const f32 rest = fma_f32(-q, bottom_lo, fma_f32(-q, bottom, top));
  const f32 z = q * q;
  f32 p = fma_f32(-0x1.3876e8p-3f, z, 0x1.99a498p-3f);
  p = fma_f32(p, z, -0x1.555556p-2f);
  return TSR_MAKE(twofold_angle_f32, q, fma_f32(q * z, p, rest * about_inverse_f32(bottom)), row);
}

/* The angle of a row, in two parts. */
TSR_MATH twofold_f32 angle_of_row_f32(u32 row)
{
  static const float angle[32] = {0x0p+0f,        0x1.ff55bcp-5f, 0x1.fd5baap-4f, 0x1.7b97b4p-3f,
                                  0x1.f5b76p-3f,  0x1.362774p-2f, 0x1.6f6194p-2f, 0x1.a64eecp-2f,
                                  0x1.dac67p-2f,  0x1.0657eap-1f, 0x1.1e00bap-1f, 0x1.345f02p-1f,
                                  0x1.4978fap-1f, 0x1.5d5898p-1f, 0x1.700a7cp-1f, 0x1.819d0cp-1f,
                                  0x1.921fb6p+0f, 0x1.822508p+0f, 0x1.7249fap+0f, 0x1.62acbep+0f,
                                  0x1.5368cap+0f, 0x1.4495d8p+0f, 0x1.36475p+0f,  0x1.288bfap+0f,
                                  0x1.1b6e1ap+0f, 0x1.0ef3cp+0f,  0x1.031f58p+0f, 0x1.efe068p-1f,
                                  0x1.dac67p-1f,  0x1.c6e6d2p-1f, 0x1.b434eep-1f, 0x1.a2a26p-1f};
  static const float angle_lo[32] = {
      0x0p+0f,          -0x1.1a6042p-30f, -0x1.54f424p-30f, 0x1.79cb6p-28f,  -0x1.b4dfc8p-29f,
      -0x1.1f0286p-27f, 0x1.e4defp-30f,   0x1.e611fep-29f,  0x1.586ed4p-28f, -0x1.6499e6p-26f,
      0x1.7bdfd6p-26f,  -0x1.98e422p-28f, 0x1.934f7p-28f,   0x1.c5a6c6p-27f, 0x1.5e118cp-27f,
      -0x1.1d4eb6p-26f, -0x1.777a5cp-25f, -0x1.2ea75ap-25f, 0x1.532d44p-25f, 0x1.594c38p-25f,
      -0x1.5c2c6p-25f,  0x1.a08c8ap-26f,  0x1.e57aaep-27f,  0x1.a8920cp-27f, -0x1.a28838p-25f,
      0x1.3ad296p-25f,  -0x1.ab5242p-28f, 0x1.77444ep-26f,  0x1.586ed4p-27f, 0x1.71bf18p-29f,
      0x1.8809fep-28f,  -0x1.d1a604p-26f};
  return TSR_MAKE(twofold_f32, look_up_32_f32(angle, row), look_up_32_f32(angle_lo, row));
}

/* What a result is at most and at least. */
typedef struct bounds_f32 {
  f32 up, down;
} bounds_f32;

/* The sum of q and the angle of its row, or one made of that. Its error is below 0x1.ap-33 of
 * `scale`, as q is below 1/16, whatever reciprocal a processor gives. */
TSR_MATH bounds_f32 bounds_angle_f32(twofold_f32 base, twofold_angle_f32 q)
{
  const f32 hi = base.hi + q.hi;
  const f32 lo = ((base.hi - hi) + q.hi) + (base.lo + q.lo);
  const f32 scale = smaller_f32(0x1p-4f, hi);
  return TSR_MAKE(bounds_f32, hi + fma_f32(scale, 0x1.ap-33f, lo),
                  hi + fma_f32(scale, -0x1.ap-33f, lo));
}

/* Operands between 2^-60 and 2^40, and y = 0 beside such x, have a quotient that is normal, and so
 * is what is left of it. */
TSR_MATH f32 arctan2_f32(f32 y, f32 x)
{
  static const float beyond[32] = {0x1.921fb6p+1f, 0x1.8a225ep+1f, 0x1.8234d8p+1f, 0x1.7a663ap+1f,
                                   0x1.72c44p+1f,  0x1.6b5ac6p+1f, 0x1.643382p+1f, 0x1.5d55d8p+1f,
                                   0x1.56c6e8p+1f, 0x1.5089bap+1f, 0x1.4a9f86p+1f, 0x1.4507f4p+1f,
                                   0x1.3fc176p+1f, 0x1.3ac99p+1f,  0x1.361d16p+1f, 0x1.31b872p+1f,
                                   0x1.921fb6p+0f, 0x1.a21a64p+0f, 0x1.b1f57p+0f,  0x1.c192acp+0f,
                                   0x1.d0d6a2p+0f, 0x1.dfa992p+0f, 0x1.edf81ap+0f, 0x1.fbb37p+0f,
                                   0x1.0468a8p+1f, 0x1.0aa5d4p+1f, 0x1.10900ap+1f, 0x1.16279cp+1f,
                                   0x1.1b6e1ap+1f, 0x1.2066p+1f,   0x1.25127ap+1f, 0x1.29771ep+1f};
  static const float beyond_lo[32] = {
      -0x1.777a5cp-24f, 0x1.59de48p-25f,  -0x1.2268c6p-28f, -0x1.e2e26p-29f,  -0x1.69d35ep-24f,
      0x1.ac65f4p-24f,  0x1.80f228p-24f,  -0x1.0d55dap-25f, -0x1.8d014ap-24f, 0x1.e1ac1cp-24f,
      0x1.298daep-24f,  0x1.a213e6p-24f,  0x1.6f50acp-24f,  -0x1.b02f36p-24f, 0x1.730dc6p-26f,
      0x1.9fb2a2p-25f,  -0x1.777a5cp-25f, -0x1.c04d6p-25f,  -0x1.0887f8p-27f, -0x1.2103c4p-27f,
      -0x1.92c85ap-25f, 0x1.031406p-27f,  0x1.2f5936p-26f,  0x1.4dcd86p-26f,  0x1.59c9bep-24f,
      0x1.eb1c58p-24f,  -0x1.5cc538p-24f, -0x1.d54b7p-24f,  -0x1.a28838p-24f, 0x1.7cf7aap-24f,
      -0x1.1ff5fap-25f, -0x1.0310dcp-24f};
  const f32 a = abs_f32(y), b = abs_f32(x), low = smaller_f32(a, b), high = larger_f32(a, b);
  const m32 steep = a > b, is_beyond = x < 0.0f;
  const u32 sign = select_u32(steep, 0x80000000, 0) ^ (bits_of_f32(x) & 0x80000000);
  const twofold_angle_f32 q = angle_twofold_f32(low, high, select_f32(steep, 16.0f, 0.0f), sign);
  const twofold_f32 before = angle_of_row_f32(q.row);
  const twofold_f32 base =
      TSR_MAKE(twofold_f32, select_f32(is_beyond, look_up_32_f32(beyond, q.row), before.hi),
               select_f32(is_beyond, look_up_32_f32(beyond_lo, q.row), before.lo));
  const bounds_f32 z = bounds_angle_f32(base, q);
  const m32 is_far = bits_of_f32(a + b) - 0x21800000u > 0x32000000u;
  return any_apart_f32(z.up, z.down, is_far | ((low < 0x1p-60f) & (low > 0.0f)))
             ? arctan2_long_f32(y, x)
             : copysign_f32(z.up, y);
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
TSR_HALVES f32 arctan_long_f32(f32 x)
{
  return narrow_f32(arctan_f64(widen_f64(x)));
}
/* x itself where it is below the normal numbers. */
TSR_MATH f32 arctan_f32(f32 x)
{
  const f32 a = smaller_f32(0x1p64f, abs_f32(x));
  const m32 steep = a > 1.0f;
  const twofold_angle_f32 q =
      angle_twofold_f32(smaller_f32(1.0f, a), larger_f32(1.0f, a), select_f32(steep, 16.0f, 0.0f),
                        select_u32(steep, 0x80000000, 0));
  const bounds_f32 z = bounds_angle_f32(angle_of_row_f32(q.row), q);
  return any_differ_f32(z.up, z.down) ? arctan_long_f32(x) : copysign_f32(z.up, x);
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
TSR_HALVES f32 arcsin_long_f32(f32 x)
{
  return narrow_f32(arcsin_f64(widen_f64(x)));
}

/* The arc sine of |x|, or from 1/2 on of sqrt((1 - |x|) / 2), as split_arcsin_f64's: of s, z = s^2, it
 * is s (1 + M(z)), M a polynomial of z less the centre of a row. */
typedef struct twofold_arc_f32 {
  f32 hi, lo;
  m32 is_far;
} twofold_arc_f32;

TSR_MATH twofold_arc_f32 arcsin_twofold_f32(f32 a)
{
  static const float center[32] = {
      0x0p+0f,      0x1.048p-7f, 0x1.044p-6f,  0x1.868p-6f,  0x1.046p-5f, 0x1.456p-5f,
      0x1.868p-5f,  0x1.c7ap-5f, 0x1.045p-4f,  0x1.24ep-4f,  0x1.456p-4f, 0x1.65fp-4f,
      0x1.868p-4f,  0x1.a7p-4f,  0x1.c79p-4f,  0x1.e82p-4f,  0x1.045p-3f, 0x1.1498p-3f,
      0x1.24ep-3f,  0x1.352p-3f, 0x1.4568p-3f, 0x1.55bp-3f,  0x1.65fp-3f, 0x1.7638p-3f,
      0x1.8678p-3f, 0x1.96cp-3f, 0x1.a708p-3f, 0x1.b748p-3f, 0x1.c79p-3f, 0x1.d7d8p-3f,
      0x1.e818p-3f, 0x1.f86p-3f};
  static const float more[32] = {0x0p+0f,        0x1.5c94f2p-10f, 0x1.5d810ap-9f, 0x1.072a7p-8f,
                                 0x1.603a68p-8f, 0x1.b9c69cp-8f,  0x1.0a14dcp-7f, 0x1.379d2cp-7f,
                                 0x1.6566ecp-7f, 0x1.93a086p-7f,  0x1.c21decp-7f, 0x1.f10e46p-7f,
                                 0x1.102e1ap-6f, 0x1.27f8d8p-6f,  0x1.3fff86p-6f, 0x1.58373ep-6f,
                                 0x1.7094cp-6f,  0x1.8930d8p-6f,  0x1.a20066p-6f, 0x1.baf7ecp-6f,
                                 0x1.d430dcp-6f, 0x1.ed9fdep-6f,  0x1.039c9ap-5f, 0x1.108b8p-5f,
                                 0x1.1d9068p-5f, 0x1.2ab8a2p-5f,  0x1.37fe4ap-5f, 0x1.455b5p-5f,
                                 0x1.52dd6p-5f,  0x1.607e7ep-5f,  0x1.6e386ep-5f, 0x1.7c194ap-5f};
  static const float more_lo[32] = {
      0x0p+0f,          -0x1.e3ffb8p-35f, -0x1.de55ccp-37f, 0x1.1b8ed4p-33f,  0x1.286d4cp-34f,
      0x1.7f0768p-33f,  -0x1.53f142p-32f, -0x1.5bb2f4p-32f, -0x1.7cb3cep-33f, 0x1.68399ap-32f,
      -0x1.1e1ee4p-32f, -0x1.62e128p-32f, 0x1.c7e714p-31f,  -0x1.96dafep-32f, -0x1.ec010ep-32f,
      0x1.0ef022p-31f,  0x1.f441cep-31f,  0x1.1c72b2p-31f,  0x1.b0f86p-32f,   -0x1.b76076p-35f,
      0x1.b3c032p-32f,  0x1.67fe28p-32f,  -0x1.f466eap-34f, 0x1.5058eep-30f,  0x1.751918p-31f,
      -0x1.f5d73ep-30f, 0x1.873ca6p-30f,  -0x1.2e970ep-30f, 0x1.d49e4p-32f,   -0x1.56a6ecp-30f,
      -0x1.0286a2p-31f, 0x1.2ddea2p-34f};
  static const float first[32] = {0x1.555556p-3f, 0x1.57cbp-3f,   0x1.5a4882p-3f, 0x1.5cd08p-3f,
                                  0x1.5f61fap-3f, 0x1.61fbdap-3f, 0x1.64a0e8p-3f, 0x1.675018p-3f,
                                  0x1.6a085p-3f,  0x1.6ccc76p-3f, 0x1.6f9a16p-3f, 0x1.72743p-3f,
                                  0x1.7559acp-3f, 0x1.78495cp-3f, 0x1.7b4668p-3f, 0x1.7e4faep-3f,
                                  0x1.8163f4p-3f, 0x1.848692p-3f, 0x1.87b65ap-3f, 0x1.8af204p-3f,
                                  0x1.8e3d18p-3f, 0x1.91965ep-3f, 0x1.94fc84p-3f, 0x1.987344p-3f,
                                  0x1.9bf79cp-3f, 0x1.9f8d6cp-3f, 0x1.a33368p-3f, 0x1.a6e82ap-3f,
                                  0x1.aaafcep-3f, 0x1.ae88fep-3f, 0x1.b27246p-3f, 0x1.b67004p-3f};
  static const float second[32] = {0x1.3333b4p-4f, 0x1.379c58p-4f, 0x1.3c1ba2p-4f, 0x1.40b6bep-4f,
                                   0x1.456c42p-4f, 0x1.4a3a9ap-4f, 0x1.4f2754p-4f, 0x1.5430fap-4f,
                                   0x1.5955e2p-4f, 0x1.5e9c12p-4f, 0x1.63ff5p-4f,  0x1.6985fp-4f,
                                   0x1.6f2e62p-4f, 0x1.74f6e2p-4f, 0x1.7ae644p-4f, 0x1.80faecp-4f,
                                   0x1.8733p-4f,   0x1.8d95ecp-4f, 0x1.942208p-4f, 0x1.9ad566p-4f,
                                   0x1.a1b81cp-4f, 0x1.a8c87p-4f,  0x1.b00466p-4f, 0x1.b774cep-4f,
                                   0x1.bf1418p-4f, 0x1.c6ebap-4f,  0x1.cef9ap-4f,  0x1.d73bfep-4f,
                                   0x1.dfbcfcp-4f, 0x1.e87acep-4f, 0x1.f1734ep-4f, 0x1.fab1c2p-4f};
  static const float third[32] = {0x1.6db6dcp-5f, 0x1.75befep-5f, 0x1.7e008ep-5f, 0x1.868606p-5f,
                                  0x1.8f4ddap-5f, 0x1.985618p-5f, 0x1.a1aa56p-5f, 0x1.ab4904p-5f,
                                  0x1.b53026p-5f, 0x1.bf6c94p-5f, 0x1.c9f77cp-5f, 0x1.d4dea8p-5f,
                                  0x1.e0209p-5f,  0x1.ebbb2ep-5f, 0x1.f7bddcp-5f, 0x1.021394p-4f,
                                  0x1.087a82p-4f, 0x1.0f1c52p-4f, 0x1.15f856p-4f, 0x1.1d0d9p-4f,
                                  0x1.2465a6p-4f, 0x1.2bfffcp-4f, 0x1.33dba4p-4f, 0x1.3c037ap-4f,
                                  0x1.4472cap-4f, 0x1.4d3566p-4f, 0x1.564aecp-4f, 0x1.5fb29p-4f,
                                  0x1.6979bcp-4f, 0x1.73a044p-4f, 0x1.7e258ap-4f, 0x1.8918d2p-4f};
  const m32 is_far = a > 0.5f;
  const f32 square = a * a;
  const f32 z = select_f32(is_far, fma_f32(-0.5f, a, 0.5f), square);
  const f32 z_lo = select_f32(is_far, 0.0f, fma_f32(a, a, -square));
  const f32 root = sqrt_f32(z);
  const f32 rest = fma_f32(-root, root, z) * (0.5f * about_inverse_f32(root + 0x1p-40f));
  const f32 s = select_f32(is_far, root, a), s_lo = select_f32(is_far, rest, 0.0f);
  const u32 row = bits_of_f32(fma_f32(z, 0x1.f78p+6f, 0x1.8p23f));
  const f32 d = (z - look_up_32_f32(center, row)) + z_lo;
  f32 p = fma_f32(look_up_32_f32(third, row), d, look_up_32_f32(second, row));
  p = fma_f32(p, d, look_up_32_f32(first, row));
  p = fma_f32(p, d, look_up_32_f32(more_lo, row));
  const f32 m = look_up_32_f32(more, row), product = s * m;
  const f32 product_lo = fma_f32(s, p, fma_f32(s, m, -product));
  const f32 hi = s + product;
  return TSR_MAKE(twofold_arc_f32, hi, ((s - hi) + product) + (product_lo + fma_f32(s_lo, m, s_lo)),
                  is_far);
}

/* base + factor (hi + lo). */
TSR_MATH bounds_f32 bounds_arc_f32(twofold_arc_f32 s, f32 factor, f32 base, f32 base_lo)
{
  const f32 hi = fma_f32(factor, s.hi, base);
  const f32 lo = fma_f32(factor, s.lo, fma_f32(factor, s.hi, base - hi) + base_lo);
  const f32 error = fma_f32(base, 0x1p-48f, abs_f32(factor * s.hi) * 0x1.bp-33f);
  return TSR_MAKE(bounds_f32, hi + (lo + error), hi + (lo - error));
}

/* x itself where it is below the normal numbers. */
TSR_MATH f32 arcsin_f32(f32 x)
{
  const twofold_arc_f32 s = arcsin_twofold_f32(abs_f32(x));
  const bounds_f32 y = bounds_arc_f32(s, select_f32(s.is_far, -2.0f, 1.0f),
                                      select_f32(s.is_far, 0x1.921fb6p+0f, 0.0f),
                                      select_f32(s.is_far, -0x1.777a5cp-25f, 0.0f));
  return any_differ_f32(y.up, y.down) ? arcsin_long_f32(x) : copysign_f32(y.up, x);
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
TSR_HALVES f32 arccos_long_f32(f32 x)
{
  return narrow_f32(arccos_f64(widen_f64(x)));
}
TSR_MATH f32 arccos_f32(f32 x)
{
  const twofold_arc_f32 s = arcsin_twofold_f32(abs_f32(x));
  const f32 one = copysign_f32(splat_f32(1.0f), x);
  const f32 n = select_f32(s.is_far, 1.0f - one, 1.0f);
  const bounds_f32 y = bounds_arc_f32(s, select_f32(s.is_far, 2.0f * one, -one), n * 0x1.921fb6p+0f,
                                      n * -0x1.777a5cp-25f);
  return any_differ_f32(y.up, y.down) ? arccos_long_f32(x) : y.up;
}

#endif
