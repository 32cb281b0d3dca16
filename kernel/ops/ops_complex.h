/* Functions of complex numbers, in the manner of kernel/ops/ops_math.h: made of the real functions,
 * in float64 also for complex64. Special values are those of C's Annex G, as NumPy has them; the
 * sign of a zero beside NaN is not specified. Sources: Kahan, "Branch Cuts for Complex Elementary
 * Functions", 1987, for square root and logarithm; NumPy's loops for power, quotients and sign. */
#ifndef TSR_OPS_COMPLEX_H
#define TSR_OPS_COMPLEX_H

#include "kernel/ops/ops_arc.h"
#include "kernel/ops/ops_hyper.h"
#include "kernel/ops/ops_trig.h"

typedef struct complex_f64 {
  f64 re, im;
} complex_f64;
typedef struct complex_f32 {
  f32 re, im;
} complex_f32;

/* i z, and z / i. */
TSR_MATH complex_f64 times_i_f64(complex_f64 z)
{
  return TSR_MAKE(complex_f64, -z.im, z.re);
}
TSR_MATH complex_f64 over_i_f64(complex_f64 z)
{
  return TSR_MAKE(complex_f64, z.im, -z.re);
}
TSR_MATH complex_f64 scale_complex_f64(complex_f64 z, f64 factor)
{
  return TSR_MAKE(complex_f64, z.re * factor, z.im * factor);
}

/* Arithmetic. */

TSR_MATH complex_f64 complex_multiply_f64(complex_f64 x, complex_f64 y)
{
  return TSR_MAKE(complex_f64, x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
}

/* As C multiplies (Annex G): where both parts are NaN, the infinities among the factors, or among
 * the products, count. Of NaN no sign is taken. */
TSR_MATH f64 unless_nan_f64(f64 x)
{
  return select_f64(x == x, x, 0.0);
}
TSR_MATH f64 end_or_zero_f64(f64 x)
{
  const m64 end = abs_f64(x) == TSR_INF64;
  return select_f64(x == x, copysign_f64(select_f64(end, 1.0, 0.0), x), 0.0);
}
TSR_MATH complex_f64 complex_product_f64(complex_f64 x, complex_f64 y)
{
  const f64 inf = splat_f64(TSR_INF64);
  const complex_f64 v = complex_multiply_f64(x, y);
  const m64 x_end = (abs_f64(x.re) == inf) | (abs_f64(x.im) == inf);
  const m64 y_end = (abs_f64(y.re) == inf) | (abs_f64(y.im) == inf);
  const m64 beyond = (abs_f64(x.re * y.re) == inf) | (abs_f64(x.im * y.im) == inf) |
                     (abs_f64(x.re * y.im) == inf) | (abs_f64(x.im * y.re) == inf);
  const f64 a = select_f64(x_end, end_or_zero_f64(x.re), unless_nan_f64(x.re));
  const f64 b = select_f64(x_end, end_or_zero_f64(x.im), unless_nan_f64(x.im));
  const f64 c = select_f64(y_end, end_or_zero_f64(y.re), unless_nan_f64(y.re));
  const f64 d = select_f64(y_end, end_or_zero_f64(y.im), unless_nan_f64(y.im));
  const m64 mended = (v.re != v.re) & (v.im != v.im) & (x_end | y_end | beyond);
  return TSR_MAKE(complex_f64, select_f64(mended, inf * (a * c - b * d), v.re),
                  select_f64(mended, inf * (a * d + b * c), v.im));
}

/* Divides by the ratio of the divisor's smaller part to the larger, after Smith. */
TSR_MATH complex_f64 complex_divide_f64(complex_f64 x, complex_f64 y)
{
  const f64 a = abs_f64(y.re), b = abs_f64(y.im);
  const m64 flat = a >= b;
  const f64 high = select_f64(flat, y.re, y.im), low = select_f64(flat, y.im, y.re);
  const f64 ratio = low / high;
  const f64 scale = 1.0 / (high + low * ratio);
  const f64 p = select_f64(flat, x.re, x.im), q = select_f64(flat, x.im, x.re);
  const f64 part = q * ratio;
  const f64 other = select_f64(flat, q - p * ratio, p * ratio - q);
  const m64 none = (a == 0.0) & (b == 0.0);
  return TSR_MAKE(complex_f64, select_f64(none, x.re / a, (p + part) * scale),
                  select_f64(none, x.im / a, other * scale));
}
TSR_MATH complex_f32 complex_divide_f32(complex_f32 x, complex_f32 y)
{
  const f32 a = abs_f32(y.re), b = abs_f32(y.im);
  const m32 flat = a >= b;
  const f32 high = select_f32(flat, y.re, y.im), low = select_f32(flat, y.im, y.re);
  const f32 ratio = low / high;
  const f32 scale = 1.0f / (high + low * ratio);
  const f32 p = select_f32(flat, x.re, x.im), q = select_f32(flat, x.im, x.re);
  const f32 part = q * ratio;
  const f32 other = select_f32(flat, q - p * ratio, p * ratio - q);
  const m32 none = (a == 0.0f) & (b == 0.0f);
  return TSR_MAKE(complex_f32, select_f32(none, x.re / a, (p + part) * scale),
                  select_f32(none, x.im / a, other * scale));
}

/* Square root, logarithms. */

/* t = sqrt((|re| + |z|) / 2) and half the other part over it, at a scale where nothing overflows.
 */
TSR_MATH complex_f64 complex_sqrt_f64(complex_f64 z)
{
  const f64 inf = splat_f64(TSR_INF64), a = abs_f64(z.re), b = abs_f64(z.im);
  const f64 high = select_f64(a > b, a, b), none = z.im - z.im; /* 0, or NaN */
  const m64 big = high > 0x1p400, small = high < 0x1p-400, left = z.re < 0.0;
  const f64 down = select_f64(big, 0x1p-600, select_f64(small, 0x1p600, 1.0));
  const f64 up = select_f64(big, 0x1p300, select_f64(small, 0x1p-300, 1.0));
  const f64 p = a * down, q = b * down;
  const f64 t = sqrt_f64(0.5 * (p + sqrt_f64(fma_f64(p, p, q * q))));
  const f64 first = up * t, other = select_f64(a + b == 0.0, 0.0, up * (0.5 * q / t));
  f64 re = select_f64(left, other, first), im = select_f64(left, first, other);
  re = select_f64(a == inf, select_f64(left, abs_f64(none), inf), re);
  im = select_f64(a == inf, select_f64(left, inf, none), im);
  re = select_f64(b == inf, inf, re);
  im = select_f64(b == inf, inf, im);
  return TSR_MAKE(complex_f64, re, copysign_f64(im, z.im));
}

/* log |x + i y|: of the squares' sum less 1 in two parts, the larger of x and y scaled to about 1,
 * so that it is exact to the last bits where |x + i y| is about 1, too. */
TSR_MATH f64 log_length_f64(f64 x, f64 y)
{
  const f64 inf = splat_f64(TSR_INF64), a = abs_f64(x), b = abs_f64(y);
  const f64 high = select_f64(a > b, a, b), low = select_f64(a > b, b, a);
  const log_split_f64 l = split_log_f64(high);
  const f64 k = l.k;
  const f64 q = scale_f64(low, 0x4338000000000000u - bits_of_f64(k + 0x1.8p52));
  const f64 p2 = l.m * l.m, q2 = q * q;
  const f64 p2_lo = fma_f64(l.m, l.m, -p2), q2_lo = fma_f64(q, q, -q2);
  const f64 less = p2 - 1.0; /* exact */
  const pair_f64 s = add_exactly_f64(less, q2);
  const f64 twice = k + k;
  const pair_f64 low_s = add_exactly_f64(p2_lo, q2_lo);
  const pair_f64 rest = add_exactly_f64(s.rest, low_s.sum);
  const pair_f64 t = add_exactly_f64(s.sum, rest.sum);
  f64 v = 0.5 * sum_log1p_f64(t.sum, t.rest + (rest.rest + low_s.rest), twice);
  v = select_f64(high == 0.0, -TSR_INF64, v);
  v = select_f64((x == x) & (y == y), v, x + y);
  return select_f64((a == inf) | (b == inf), inf, v);
}

TSR_MATH complex_f64 complex_log_f64(complex_f64 z)
{
  return TSR_MAKE(complex_f64, log_length_f64(z.re, z.im), arctan2_f64(z.im, z.re));
}

/* Around 0 of 2 re + re^2 + im^2, in two parts. */
TSR_MATH complex_f64 complex_log1p_f64(complex_f64 z)
{
  const m64 near = (abs_f64(z.re) < 0.5) & (abs_f64(z.im) < 2.0);
  const f64 x = select_f64(near, z.re, 0.0), y = select_f64(near, z.im, 0.0);
  const f64 x2 = x * x, y2 = y * y, one = 1.0 + z.re, twice = x + x;
  const f64 x2_lo = fma_f64(x, x, -x2), y2_lo = fma_f64(y, y, -y2);
  const pair_f64 s = add_exactly_f64(twice, x2);
  const pair_f64 t = add_exactly_f64(s.sum, y2);
  const f64 rest = (s.rest + t.rest) + (x2_lo + y2_lo);
  const f64 v = 0.5 * sum_log1p_f64(t.sum, rest, splat_f64(0.0));
  return TSR_MAKE(complex_f64, select_f64(near, v, log_length_f64(one, z.im)),
                  arctan2_f64(z.im, one));
}

/* Exp and the functions made of it.
 *
 * Each is made of z and of the cosine and sine of its imaginary part. A result may be large, or
 * small, in one part only, so the exponent of exp(re) is added last. */
typedef struct turn_f64 {
  f64 cosine, sine;
} turn_f64;

TSR_MATH turn_f64 turn_by_f64(f64 y)
{
  return TSR_MAKE(turn_f64, cos_f64(y), sin_f64(y));
}
TSR_MATH turn_f64 turn_near_f64(f64 y)
{
  return TSR_MAKE(turn_f64, cos_near_f64(y), sin_near_f64(y));
}

/* exp(x) = 2^n v up, up being 1 but for the largest x. */
typedef struct exp_scaled_f64 {
  f64 v, up;
  u64 n;
} exp_scaled_f64;

TSR_MATH exp_scaled_f64 scaled_exp_f64(f64 x)
{
  const f64 near = select_f64(x > 1400.0, 1400.0, select_f64(x < -1400.0, -1400.0, x));
  const exp_split_f64 e = split_exp_f64(near, splat_f64(0.0));
  const f64 sum = 1.0 + e.r_hi;
  const f64 v = sum + (((1.0 - sum) + e.r_hi) + e.tail);
  return TSR_MAKE(exp_scaled_f64, v, select_f64(x > 1400.0, 0x1p1000, 1.0), e.n);
}

/* A zero of the sign of x, which may be NaN. */
TSR_MATH f64 signed_zero_f64(f64 x)
{
  return select_f64(x == x, copysign_f64(splat_f64(0.0), x), 0.0);
}
/* Is x infinite or NaN? */
TSR_MATH m64 is_wild_f64(f64 x)
{
  return (x - x) != 0.0;
}

/* v t 2^n up, for t of any size: 2^n in two parts around t. */
TSR_MATH f64 scale_product_f64(f64 v, f64 t, u64 n, f64 up)
{
  const u64 half = ((n + 2048) >> 1) - 1024;
  const f64 first = v * from_bits_f64((half + 1023) << 52);
  return first * t * from_bits_f64((n - half + 1023) << 52) * up;
}

TSR_MATH complex_f64 finish_exp_f64(complex_f64 z, turn_f64 t)
{
  const exp_scaled_f64 e = scaled_exp_f64(z.re);
  f64 re = scale_product_f64(e.v, t.cosine, e.n, e.up);
  f64 im = scale_product_f64(e.v, t.sine, e.n, e.up);
  const m64 wild = is_wild_f64(z.im), left = z.re == -TSR_INF64;
  re = select_f64(wild & (z.re == TSR_INF64), z.re, select_f64(wild & left, 0.0, re));
  im = select_f64(wild & left, signed_zero_f64(z.im), im);
  return TSR_MAKE(complex_f64, re, select_f64(z.im == 0.0, z.im, im));
}

/* As NumPy, also for what is infinite: expm1(re) cos(im) - 2 sin(im / 2)^2 and exp(re) sin(im). */
TSR_MATH complex_f64 finish_expm1_f64(complex_f64 z, turn_f64 t, f64 half_sine)
{
  return TSR_MAKE(complex_f64, expm1_f64(z.re) * t.cosine - 2.0 * (half_sine * half_sine),
                  exp_f64(z.re) * t.sine);
}

/* sinh and cosh of x, over 2^n up. */
typedef struct hyper_f64 {
  f64 sine, cosine, up;
  u64 n;
} hyper_f64;

TSR_MATH hyper_f64 scaled_hyper_f64(f64 x)
{
  const f64 a = abs_f64(x);
  const m64 far = a > 30.0;
  const exp_scaled_f64 e = scaled_exp_f64(a);
  const f64 half = 0.5 * e.v;
  return TSR_MAKE(hyper_f64, select_f64(far, copysign_f64(half, x), sinh_f64(x)),
                  select_f64(far, half, cosh_f64(x)), select_f64(far, e.up, 1.0),
                  select_u64(far, e.n, 0));
}

TSR_MATH complex_f64 finish_sinh_f64(complex_f64 z, turn_f64 t)
{
  const hyper_f64 h = scaled_hyper_f64(z.re);
  const f64 re = scale_product_f64(h.sine, t.cosine, h.n, h.up);
  const f64 im = scale_product_f64(h.cosine, t.sine, h.n, h.up);
  const m64 wild = is_wild_f64(z.im), end = abs_f64(z.re) == TSR_INF64;
  const f64 of_wild = select_f64(end, abs_f64(z.re), select_f64(z.re == 0.0, z.re, re));
  return TSR_MAKE(complex_f64, select_f64(wild, of_wild, re), select_f64(z.im == 0.0, z.im, im));
}

TSR_MATH complex_f64 finish_cosh_f64(complex_f64 z, turn_f64 t)
{
  const f64 a = abs_f64(z.re);
  const hyper_f64 h = scaled_hyper_f64(z.re);
  const f64 re = scale_product_f64(h.cosine, t.cosine, h.n, h.up);
  f64 im = scale_product_f64(h.sine, t.sine, h.n, h.up);
  const m64 wild = is_wild_f64(z.im);
  const f64 zero = select_f64(a == a, copysign_f64(splat_f64(1.0), z.re) * z.im, z.im);
  im = select_f64(wild & (a == 0.0), z.re, select_f64(z.im == 0.0, zero, im));
  return TSR_MAKE(complex_f64, select_f64(wild & (a == TSR_INF64), a, re), im);
}

/* (sinh cosh + i sin cos) / (sinh^2 + cos^2), from 20 on sign + 4 i sin cos exp(-2 |re|). */
TSR_MATH complex_f64 finish_tanh_f64(complex_f64 z, turn_f64 t)
{
  const f64 a = abs_f64(z.re), one = splat_f64(1.0), product = t.sine * t.cosine;
  const m64 far = a > 20.0, wild = is_wild_f64(z.im), end = a == TSR_INF64;
  const f64 x = select_f64(far, 1.0, z.re);
  const f64 sine = sinh_f64(x);
  const f64 scale = fma_f64(sine, sine, t.cosine * t.cosine);
  f64 re = select_f64(far, copysign_f64(one, z.re), sine * cosh_f64(x) / scale);
  f64 im = select_f64(far, 4.0 * product * exp_f64(-2.0 * a), product / scale);
  re = select_f64(wild & (a < TSR_INF64), z.im - z.im, re);
  im = select_f64(wild & end, signed_zero_f64(z.im), im);
  return TSR_MAKE(complex_f64, select_f64(z.re == 0.0, z.re, re),
                  select_f64(z.im == 0.0, z.im, im));
}

/* Power.
 *
 * As NumPy: by squaring for whole exponents below 100, else exp(y log x); x to 0 is 1; 0 to y is 0
 * where y is right of 0, else NaN. */
TSR_MATH complex_f64 choose_complex_f64(m64 m, complex_f64 x, complex_f64 y)
{
  return TSR_MAKE(complex_f64, select_f64(m, x.re, y.re), select_f64(m, x.im, y.im));
}

/* x^n for 0 < n < 128. plain: x, x^2 and x^3 without the 1 in front that makes NaN of infinities.
 */
TSR_MATH complex_f64 whole_power_f64(complex_f64 x, u64 n, m64 plain)
{
  const complex_f64 one = {splat_f64(1.0), splat_f64(0.0)};
  const complex_f64 x2 = complex_multiply_f64(x, x), x4 = complex_multiply_f64(x2, x2);
  const complex_f64 x8 = complex_multiply_f64(x4, x4), x16 = complex_multiply_f64(x8, x8);
  const complex_f64 x32 = complex_multiply_f64(x16, x16), x64 = complex_multiply_f64(x32, x32);
  complex_f64 y = choose_complex_f64((n & 1) != 0, complex_multiply_f64(one, x), one);
  y = choose_complex_f64(((n & 1) != 0) & (n < 4) & plain, x, y);
  y = choose_complex_f64((n & 2) != 0, complex_multiply_f64(y, x2), y);
  y = choose_complex_f64((n & 4) != 0, complex_multiply_f64(y, x4), y);
  y = choose_complex_f64((n & 8) != 0, complex_multiply_f64(y, x8), y);
  y = choose_complex_f64((n & 16) != 0, complex_multiply_f64(y, x16), y);
  y = choose_complex_f64((n & 32) != 0, complex_multiply_f64(y, x32), y);
  y = choose_complex_f64((n & 64) != 0, complex_multiply_f64(y, x64), y);
  return choose_complex_f64((n == 2) & plain, x2, y);
}

/* Of v = exp(y log x). */
TSR_MATH complex_f64 finish_whole_power_f64(complex_f64 x, complex_f64 y, complex_f64 v)
{
  const complex_f64 one = {splat_f64(1.0), splat_f64(0.0)};
  const complex_f64 zero = {splat_f64(0.0), splat_f64(0.0)};
  const complex_f64 none = {splat_f64(TSR_NAN64), splat_f64(TSR_NAN64)};
  const f64 b = abs_f64(y.re);
  const f64 t = b + 0x1p52;
  const m64 whole = (t - 0x1p52 == b) & (b < 100.0) & (y.im == 0.0);
  const complex_f64 p = whole_power_f64(x, bits_of_f64(t) & 127, y.re > 0.0);
  v = choose_complex_f64(whole, choose_complex_f64(y.re < 0.0, complex_divide_f64(one, p), p), v);
  const complex_f64 of_zero = choose_complex_f64(y.re > 0.0, zero, none);
  v = choose_complex_f64((x.re == 0.0) & (x.im == 0.0), of_zero, v);
  return choose_complex_f64((b == 0.0) & (y.im == 0.0), one, v);
}

/* Functions of these parts. */

TSR_MATH complex_f64 complex_exp_f64(complex_f64 z)
{
  return finish_exp_f64(z, turn_by_f64(z.im));
}
TSR_MATH complex_f64 complex_expm1_f64(complex_f64 z)
{
  return finish_expm1_f64(z, turn_by_f64(z.im), sin_f64(0.5 * z.im));
}
TSR_MATH complex_f64 complex_sinh_f64(complex_f64 z)
{
  return finish_sinh_f64(z, turn_by_f64(z.im));
}
TSR_MATH complex_f64 complex_cosh_f64(complex_f64 z)
{
  return finish_cosh_f64(z, turn_by_f64(z.im));
}
TSR_MATH complex_f64 complex_tanh_f64(complex_f64 z)
{
  return finish_tanh_f64(z, turn_by_f64(z.im));
}
/* sin(z) = sinh(i z) / i; beside NaN, infinity is positive as in sinh. */
TSR_MATH complex_f64 sine_of_sinh_f64(complex_f64 w)
{
  return TSR_MAKE(complex_f64, w.im, select_f64(w.im == w.im, -w.re, abs_f64(w.re)));
}

#endif
