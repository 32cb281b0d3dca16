/* tan and sinc of ops.def, and sin(pi x) in two parts, in the manner of kernel/ops/ops_trig.h. */
#ifndef TSR_OPS_CIRCLE_H
#define TSR_OPS_CIRCLE_H

#include "kernel/ops/ops_short.h"
#include "kernel/ops/ops_trig.h"

/* Sine and cosine of n pi/2 + r, each in two parts: the first the sum rounded. */
typedef struct circle_f64 {
  f64 sine, sine_lo, cosine, cosine_lo;
} circle_f64;

/* Turns r to the n-th quadrant. */
TSR_MATH circle_f64 turn_circle_f64(circle_f64 r, u64 n)
{
  const m64 odd = (n & 1) != 0;
  const u64 flip_s = (n & 2) << 62, flip_c = ((n + 1) & 2) << 62;
  return TSR_MAKE(circle_f64,
                  from_bits_f64(bits_of_f64(select_f64(odd, r.cosine, r.sine)) ^ flip_s),
                  from_bits_f64(bits_of_f64(select_f64(odd, r.cosine_lo, r.sine_lo)) ^ flip_s),
                  from_bits_f64(bits_of_f64(select_f64(odd, r.sine, r.cosine)) ^ flip_c),
                  from_bits_f64(bits_of_f64(select_f64(odd, r.sine_lo, r.cosine_lo)) ^ flip_c));
}

TSR_MATH circle_f64 parts_circle_f64(quadrant_f64 q)
{
  const f64 z = q.hi * q.hi;
  const f64 half = 0.5 * z;
  const f64 sine_rest = fma_f64(z * q.hi, sine_terms_f64(z), fma_f64(-half, q.lo, q.lo));
  const f64 whole = 1.0 - half;
  const f64 cosine_rest =
      ((1.0 - whole) - half) +
      fma_f64(z * z, cosine_terms_f64(z), fma_f64(-q.hi, q.lo, -0.5 * fma_f64(q.hi, q.hi, -z)));
  const f64 s = q.hi + sine_rest, c = whole + cosine_rest;
  const f64 s_lo = (q.hi - s) + sine_rest, c_lo = (whole - c) + cosine_rest;
  return turn_circle_f64(TSR_MAKE(circle_f64, s, s_lo, c, c_lo), q.n);
}

/* To 2^-60: the first term beyond x, and beyond 1 - x^2 / 2, in two parts; then Taylor's series. */
TSR_MATH circle_f64 fine_circle_f64(quadrant_f64 q)
{
  const f64 z = q.hi * q.hi, z_lo = fma_f64(q.hi, q.hi, -z) + 2.0 * q.hi * q.lo;
  const f64 cube = z * q.hi, square = z * z;
  const f64 cube_lo = fma_f64(z, q.hi, -cube) + fma_f64(z_lo, q.hi, z * q.lo);
  const f64 square_lo = fma_f64(z, z, -square) + 2.0 * z * z_lo;
  f64 sine = fma_f64(-0x1.2f49b46814157p-57, z, 0x1.952c77030ad4ap-49);
  sine = fma_f64(sine, z, -0x1.ae7f3e733b81fp-41);
  sine = fma_f64(sine, z, 0x1.6124613a86d09p-33);
  sine = fma_f64(sine, z, -0x1.ae64567f544e4p-26);
  sine = fma_f64(sine, z, 0x1.71de3a556c734p-19);
  sine = fma_f64(sine, z, -0x1.a01a01a01a01ap-13);
  sine = fma_f64(sine, z, 0x1.1111111111111p-7);
  f64 cosine = fma_f64(-0x1.6827863b97d97p-53, z, 0x1.ae7f3e733b81fp-45);
  cosine = fma_f64(cosine, z, -0x1.93974a8c07c9dp-37);
  cosine = fma_f64(cosine, z, 0x1.1eed8eff8d898p-29);
  cosine = fma_f64(cosine, z, -0x1.27e4fb7789f5cp-22);
  cosine = fma_f64(cosine, z, 0x1.a01a01a01a01ap-16);
  cosine = fma_f64(cosine, z, -0x1.6c16c16c16c17p-10);
  const f64 a = cube * -0x1.5555555555555p-3, b = square * 0x1.5555555555555p-5;
  const f64 a_lo = fma_f64(cube, -0x1.5555555555555p-3, -a) +
                   fma_f64(cube, -0x1.5555555555555p-57, cube_lo * -0x1.5555555555555p-3);
  const f64 b_lo = fma_f64(square, 0x1.5555555555555p-5, -b) +
                   fma_f64(square, 0x1.5555555555555p-59, square_lo * 0x1.5555555555555p-5);
  const pair_f64 s = add_exactly_f64(q.hi, a), whole = add_exactly_f64(splat_f64(1.0), -0.5 * z);
  const pair_f64 c = add_exactly_f64(whole.sum, b);
  const f64 s_rest = s.rest + (q.lo + fma_f64(cube * z, sine, a_lo));
  const f64 c_rest = (whole.rest + c.rest) + fma_f64(square * z, cosine, fma_f64(-0.5, z_lo, b_lo));
  const f64 s_hi = s.sum + s_rest, c_hi = c.sum + c_rest;
  return turn_circle_f64(
      TSR_MAKE(circle_f64, s_hi, (s.sum - s_hi) + s_rest, c_hi, (c.sum - c_hi) + c_rest), q.n);
}

/* (x + x_lo) / (y + y_lo) in two parts. */
TSR_MATH pair_f64 quotient_f64(f64 x, f64 x_lo, f64 y, f64 y_lo)
{
  const f64 q = x / y;
  return TSR_MAKE(pair_f64, q, (fma_f64(-q, y, x) + fma_f64(-q, y_lo, x_lo)) / y);
}

TSR_MATH f64 finish_tan_f64(quadrant_f64 q, f64 x)
{
  const circle_f64 c = parts_circle_f64(q);
  const pair_f64 t = quotient_f64(c.sine, c.sine_lo, c.cosine, c.cosine_lo);
  const u64 flip = bits_of_f64(x) & 0x8000000000000000u;
  const f64 y = from_bits_f64(bits_of_f64(t.sum + t.rest) ^ flip);
  return select_f64(abs_f64(x) < TSR_INF64, select_f64(x == 0.0, x, y), x - x);
}
TSR_MATH f64 tan_near_f64(f64 x)
{
  return finish_tan_f64(reduce_near_f64(abs_f64(x)), x);
}
/* Chooses the value where x is far, else `near`. */
TSR_RARE f64 tan_far_f64(f64 x, f64 near)
{
  const f64 a = abs_f64(x);
  return select_f64(is_far_f64(a), finish_tan_f64(reduce_far_f64(a), x), near);
}
TSR_MATH f64 tan_f64(f64 x)
{
  const f64 y = tan_near_f64(x);
  return any_f64(is_far_f64(abs_f64(x))) ? tan_far_f64(x, y) : y;
}

/* Finishes the tangent in float64, in one part. */
TSR_MATH f32 finish_tan_f32(quadrant_f32 q, f64 x)
{
  const f64 z = q.r * q.r;
  const f64 sine = fma_f64(z * q.r, sine_terms_f64(z), q.r);
  const f64 cosine = fma_f64(z * z, cosine_terms_f64(z), fma_f64(-0.5, z, 1.0));
  const m64 odd = (q.n & 1) != 0;
  const f64 y = select_f64(odd, -cosine, sine) / select_f64(odd, sine, cosine);
  const u64 flip = bits_of_f64(x) & 0x8000000000000000u;
  const f64 t = from_bits_f64(bits_of_f64(y) ^ flip);
  return narrow_f32(select_f64(abs_f64(x) < TSR_INF64, t, x - x));
}
TSR_RARE f32 tan_long_f32(f32 x)
{
  const f64 w = widen_f64(x);
  return finish_tan_f32(reduce_near_f32(abs_f64(w)), w);
}
/* tan r from its continued fraction, r / (1 - z / (3 - z / (5 - ...))), as far as 13: to 2^-42. */
TSR_MATH f32 tan_near_f32(f32 x)
{
  const quadrant_f32 q = reduce_near_f32(abs_f64(widen_f64(x)));
  const f64 z = q.r * q.r;
  const f64 top = q.r * fma_f64(fma_f64(378.0 - z, z, -17325.0), z, 135135.0);
  const f64 bottom = fma_f64(fma_f64(fma_f64(-28.0, z, 3150.0), z, -62370.0), z, 135135.0);
  const m64 odd = (q.n & 1) != 0;
  const f64 y = select_f64(odd, -bottom, top) / select_f64(odd, top, bottom);
  const u32 flip = bits_of_f32(x) & 0x80000000u;
  return any_unsure_f64(y) ? tan_long_f32(x) : from_bits_f32(bits_of_f32(narrow_f32(y)) ^ flip);
}
TSR_RARE f32 tan_far_f32(f32 x, f32 near)
{
  const f64 w = widen_f64(x);
  return select_f32(is_far_f32(abs_f32(x)), finish_tan_f32(reduce_far_f32(abs_f64(w)), w), near);
}
TSR_MATH f32 tan_f32(f32 x)
{
  const f32 y = tan_near_f32(x);
  return any_f32(is_far_f32(abs_f32(x))) ? tan_far_f32(x, y) : y;
}

/* pi a for a >= 0: exactly modulo 2, then to the nearest half. */
TSR_MATH quadrant_f64 reduce_turns_f64(f64 a)
{
  const f64 shift = splat_f64(0x1.8p52);
  const f64 b = 2.0 * (a - 2.0 * floor_f64(0.5 * a));
  const f64 t = b + shift;
  const f64 r = 0.5 * (b - (t - shift));
  const f64 v = r * 0x1.921fb54442d18p+1;
  const f64 v_lo = fma_f64(r, 0x1.921fb54442d18p+1, -v) + r * 0x1.1a62633145c07p-53;
  return TSR_MAKE(quadrant_f64, v, v_lo, bits_of_f64(t));
}

/* sin(pi x) / (pi x); to the last bit 1 near 0, and 0 at the other whole numbers; NaN at infinity,
 * as the sine. */
TSR_MATH f64 sinc_f64(f64 x)
{
  const f64 a = abs_f64(x);
  const f64 b = select_f64(a < 0x1p-30, 0x1p-30, select_f64(a > 0x1p53, 0x1p53, a));
  const circle_f64 c = parts_circle_f64(reduce_turns_f64(b));
  const f64 v = b * 0x1.921fb54442d18p+1;
  const f64 v_lo = fma_f64(b, 0x1.921fb54442d18p+1, -v) + b * 0x1.1a62633145c07p-53;
  const pair_f64 y = quotient_f64(c.sine, c.sine_lo, v, v_lo);
  const f64 z = select_f64(a < 0x1p-30, 1.0, (y.sum + y.rest) + 0.0);
  return select_f64(a < TSR_INF64, z, x - x);
}
TSR_RARE f32 sinc_long_f32(f32 x)
{
  return narrow_f32(sinc_f64(widen_f64(x)));
}
/* r / x (1 - r^2) P(r^2), r = x - 2 n exactly, |r| <= 1; never below the normal numbers but 0. */
TSR_MATH f32 sinc_f32(f32 x)
{
  const f32 a = abs_f32(x);
  const f64 r = widen_f64(a - 2.0f * rint_f32(0.5f * a));
  const f64 z = r * r;
  f64 p = fma_f64(-0x1.d64df32d50dc0p-23, z, 0x1.c0bfd0c7e415ep-18);
  p = fma_f64(p, z, -0x1.2916ae1fb449fp-13);
  p = fma_f64(p, z, 0x1.20ee3a2e4f8e3p-9);
  p = fma_f64(p, z, -0x1.884a27f43d4d9p-6);
  p = fma_f64(p, z, 0x1.559f9ecf3abebp-3);
  p = fma_f64(p, z, -0x1.4a34cc4a29b0fp-1);
  p = fma_f64(p, z, 0x1.ffffffffff91cp-1);
  const f64 y = r / widen_f64(a) * (fma_f64(-r, r, 1.0) * p);
  return any_unsure_f64(y) ? sinc_long_f32(x)
                           : select_f32(a < 0x1p-30f, 1.0f, narrow_f32(y) + 0.0f);
}

#endif
