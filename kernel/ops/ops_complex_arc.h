/* Inverse trigonometric and hyperbolic functions of complex numbers, in the manner of
 * kernel/ops/ops_complex.h. Special values are those of C's Annex G. Source: Kahan, "Branch Cuts
 * for Complex Elementary Functions", 1987: his sums are of terms of one sign, so that neither part
 * cancels. */
#ifndef TSR_OPS_COMPLEX_ARC_H
#define TSR_OPS_COMPLEX_ARC_H

#include "kernel/ops/ops_complex.h"

/* sqrt(1 - z) and sqrt(1 + z), imaginary parts without their signs; of far z those of z over 2^30
 * and without the 1, infinite parts taken for numbers. */
typedef struct arc_roots_f64 {
  complex_f64 below, above;
  f64 re;   /* of z as the roots take it */
  f64 more; /* for arcsinh_of_f64 */
} arc_roots_f64;

TSR_MATH arc_roots_f64 roots_of_arc_f64(complex_f64 z)
{
  const f64 a = abs_f64(z.re), b = abs_f64(z.im);
  const m64 re_end = a == TSR_INF64, im_end = b == TSR_INF64;
  const m64 end = re_end | im_end, far = (a > 0x1p100) | (b > 0x1p100);
  const f64 down = select_f64(far, 0x1p-30, 1.0), one = select_f64(far, 0.0, 1.0);
  const f64 re_ended = copysign_f64(select_f64(re_end, 0x1p500, 0.0), z.re);
  const f64 re = down * select_f64(end, re_ended, z.re);
  const f64 im = down * select_f64(end, select_f64(im_end, 0x1p500, 0.0), b);
  const complex_f64 below = complex_sqrt_f64(TSR_MAKE(complex_f64, one - re, im));
  const complex_f64 above = complex_sqrt_f64(TSR_MAKE(complex_f64, one + re, im));
  return TSR_MAKE(arc_roots_f64, below, above, re, select_f64(far, 31.0, 1.0));
}

/* The imaginary part of arcsin(z). */
TSR_MATH f64 rise_of_arc_f64(complex_f64 z, arc_roots_f64 r)
{
  const f64 rise = r.below.re * r.above.im + r.below.im * r.above.re;
  const f64 inf = splat_f64(TSR_INF64);
  f64 y = copysign_f64(arcsinh_of_f64(rise, r.more), z.im);
  y = select_f64((z.re == z.re) & (z.im == z.im), y, TSR_NAN64);
  y = select_f64(abs_f64(z.re) == inf, select_f64(z.im == z.im, copysign_f64(inf, z.im), inf), y);
  return select_f64(abs_f64(z.im) == inf, z.im, y);
}

TSR_MATH m64 are_numbers_f64(complex_f64 z)
{
  return (z.re == z.re) & (z.im == z.im);
}

TSR_MATH complex_f64 complex_arcsin_f64(complex_f64 z)
{
  const arc_roots_f64 r = roots_of_arc_f64(z);
  const f64 along = r.below.re * r.above.re + r.below.im * r.above.im;
  const f64 of_none = select_f64(z.re == 0.0, z.re, TSR_NAN64);
  const f64 re = select_f64(are_numbers_f64(z), arctan2_f64(r.re, along), of_none);
  return TSR_MAKE(complex_f64, re, rise_of_arc_f64(z, r));
}

TSR_MATH complex_f64 complex_arccos_f64(complex_f64 z)
{
  const arc_roots_f64 r = roots_of_arc_f64(z);
  const f64 of_none = select_f64(z.re == 0.0, 0x1.921fb54442d18p+0, TSR_NAN64);
  const f64 re = 2.0 * arctan2_f64(r.below.re, r.above.re);
  return TSR_MAKE(complex_f64, select_f64(are_numbers_f64(z), re, of_none), -rise_of_arc_f64(z, r));
}

/* arccos(z) turned so that the real part is not below 0. */
TSR_MATH complex_f64 complex_arccosh_f64(complex_f64 z)
{
  const complex_f64 w = complex_arccos_f64(z);
  const f64 side = select_f64(z.im == z.im, z.im, 0.0);
  return TSR_MAKE(complex_f64, abs_f64(w.im), copysign_f64(w.re, side));
}

/* log1p(4 |x| / ((1 - |x|)^2 + y^2)) / 4 and half the angle of 1 - x^2 - y^2 + 2 i y. Next to the
 * poles of log(2 / |y|) / 2; far away of x / (x^2 + y^2). */
TSR_MATH complex_f64 complex_arctanh_f64(complex_f64 z)
{
  const f64 inf = splat_f64(TSR_INF64);
  const f64 a = abs_f64(z.re), b = abs_f64(z.im);
  const m64 far = (a > 0x1p300) | (b > 0x1p300), pole = (a == 1.0) & (b < 0x1p-200);
  const f64 x = select_f64(far, 0x1p300, a), y = select_f64(far, 0x1p300, b);
  const f64 left = 1.0 - x;
  const f64 near = 4.0 * x / select_f64(pole, 1.0, left * left + y * y);
  const f64 whole = select_f64(pole, 2.0 / (b * 0x1p100), near);
  const f64 v = sum_log1p_f64(whole, splat_f64(0.0), select_f64(pole, 100.0, 0.0));
  const f64 p = a * 0x1p-600, q = b * 0x1p-600;
  f64 re = v * select_f64(pole, 0.5, 0.25);
  re = select_f64(far, p / (p * p + q * q) * 0x1p-600, re);
  re = select_f64(pole & (b == 0.0), inf, re);
  re = select_f64((a == inf) | (b == inf) | (a == 0.0), 0.0, re);
  f64 im = 0.5 * arctan2_f64(2.0 * y, left * (1.0 + x) - y * y);
  im = select_f64(b == inf, 0x1.921fb54442d18p+0, im);
  re = select_f64(a == a, copysign_f64(re, z.re), select_f64(b == inf, 0.0, a));
  re = select_f64((b == b) | (a == 0.0) | (a == inf), re, b);
  im = select_f64(a == a, copysign_f64(im, z.im), select_f64(b == inf, copysign_f64(im, z.im), a));
  return TSR_MAKE(complex_f64, re, select_f64(b == b, im, b));
}

/* arctan(z) = arctanh(i z) / i. */
TSR_MATH complex_f64 complex_arctan_f64(complex_f64 z)
{
  const complex_f64 w = complex_arctanh_f64(times_i_f64(z));
  return TSR_MAKE(complex_f64, w.im, select_f64(z.im == z.im, -w.re, abs_f64(w.re)));
}

/* sin(pi z) / (pi z); the whole part of x is left out before the product with pi, and the cosine is
 * the sine of what is left to 1/2: relative to each part exact, too, next to the zeros. */
TSR_MATH complex_f64 complex_sinc_f64(complex_f64 z)
{
  const f64 pi = splat_f64(0x1.921fb54442d18p+1), whole = rint_f64(z.re);
  const f64 t = z.re - whole, half = 0.5 * whole;
  const f64 side = select_f64(rint_f64(half) == half, 1.0, -1.0);
  const turn_f64 turn = {side * sin_near_f64(pi * (0.5 - abs_f64(t))), side * sin_near_f64(pi * t)};
  const complex_f64 w = scale_complex_f64(z, pi);
  const complex_f64 v = sine_of_sinh_f64(finish_sinh_f64(times_i_f64(w), turn));
  const complex_f64 one = {splat_f64(1.0), splat_f64(0.0)};
  return choose_complex_f64((z.re == 0.0) & (z.im == 0.0), one, complex_divide_f64(v, w));
}

#endif
