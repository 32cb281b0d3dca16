/* erf and erfc of ops.def, in the manner of kernel/ops_math.h: near 0 as x + x Q(x^2), farther out
 * as one exponential of a polynomial (erf) or one times a polynomial (erfc); both are computed, and
 * one is chosen. Polynomials: tools/minimax.py. */
#ifndef TSR_OPS_ERF_H
#define TSR_OPS_ERF_H

#include "kernel/ops_math.h"

/* Q for x^2 < 0.77. */
TSR_MATH double erf_near_f64(double z)
{
  const double z2 = z * z;
  double p_even = 0x1.1661a063e8952p-26;
  p_even = __builtin_fma(p_even, z2, 0x1.bacce31de6300p-20);
  p_even = __builtin_fma(p_even, z2, 0x1.f9a42905ce2d6p-14);
  p_even = __builtin_fma(p_even, z2, 0x1.565bcd3c921b3p-8);
  p_even = __builtin_fma(p_even, z2, 0x1.ce2f21a0464afp-4);
  p_even = __builtin_fma(p_even, z2, 0x1.06eba8214db69p-3);
  double p_odd = -0x1.75e90bc84046fp-30;
  p_odd = __builtin_fma(p_odd, z2, -0x1.65f227b55d1a5p-23);
  p_odd = __builtin_fma(p_odd, z2, -0x1.f4e580b01501fp-17);
  p_odd = __builtin_fma(p_odd, z2, -0x1.c02dbca8d4068p-11);
  p_odd = __builtin_fma(p_odd, z2, -0x1.b82ce313a6f61p-6);
  p_odd = __builtin_fma(p_odd, z2, -0x1.812746b037a2dp-2);
  return __builtin_fma(p_odd, z, p_even);
}

/* -log(erfc(a)) for 0.875 <= a < 6, the less exact the less erfc matters to erf. */
TSR_MATH double erf_far_f64(double a)
{
  const double a2 = a * a;
  double p_even = -0x1.937d30380c519p-40;
  p_even = __builtin_fma(p_even, a2, -0x1.6db15f36b3ff2p-30);
  p_even = __builtin_fma(p_even, a2, -0x1.4df21577fc58cp-23);
  p_even = __builtin_fma(p_even, a2, -0x1.5a4b0fe423b0bp-18);
  p_even = __builtin_fma(p_even, a2, -0x1.c1540db329fe0p-15);
  p_even = __builtin_fma(p_even, a2, 0x1.4d3b21e101ecbp-17);
  p_even = __builtin_fma(p_even, a2, 0x1.c0c2618cee561p-10);
  p_even = __builtin_fma(p_even, a2, -0x1.39236f1502ee8p-6);
  p_even = __builtin_fma(p_even, a2, 0x1.45f3653751651p-1);
  p_even = __builtin_fma(p_even, a2, 0x1.ce1e417598eefp-25);
  double p_odd = 0x1.18a806d39e0a6p-34;
  p_odd = __builtin_fma(p_odd, a2, 0x1.284ce30f3d5f4p-26);
  p_odd = __builtin_fma(p_odd, a2, 0x1.14c4375a96071p-20);
  p_odd = __builtin_fma(p_odd, a2, 0x1.475c2b74115a6p-16);
  p_odd = __builtin_fma(p_odd, a2, 0x1.781e4d435b37ap-14);
  p_odd = __builtin_fma(p_odd, a2, -0x1.35d5735dbfa53p-11);
  p_odd = __builtin_fma(p_odd, a2, -0x1.e1f41350aeb9cp-13);
  p_odd = __builtin_fma(p_odd, a2, 0x1.a4ec38cb77e33p-4);
  p_odd = __builtin_fma(p_odd, a2, 0x1.20dd6b5e1f7f0p+0);
  return __builtin_fma(p_odd, a, p_even);
}

TSR_MATH double erf_f64(double x)
{
  const double a = __builtin_fabs(x);
  const double near = __builtin_fma(x, erf_near_f64(x * x), x);
  const exp_split_f64 e = split_exp_f64(-erf_far_f64(a > 6.0 ? 6.0 : a), 0.0);
  const double rest = (1.0 + (e.r_hi + e.tail)) * f64_of_bits((e.n + 1023) << 52);
  return a < 0.875 ? near : __builtin_copysign(1.0 - rest, x);
}

TSR_MATH float erf_f32(float x)
{
  const float a = __builtin_fabsf(x), z = x * x, b = a > 4.0f ? 4.0f : a;
  float p = -0x1.6375bp-11f;
  p = __builtin_fmaf(p, z, 0x1.4f776ep-8f);
  p = __builtin_fmaf(p, z, -0x1.b7b266p-6f);
  p = __builtin_fmaf(p, z, 0x1.ce2b52p-4f);
  p = __builtin_fmaf(p, z, -0x1.81273cp-2f);
  p = __builtin_fmaf(p, z, 0x1.06eba8p-3f);
  float q = -0x1.bc450cp-13f;
  q = __builtin_fmaf(q, b, 0x1.a2a7a4p-9f);
  q = __builtin_fmaf(q, b, -0x1.75ab06p-6f);
  q = __builtin_fmaf(q, b, 0x1.ae71b6p-4f);
  q = __builtin_fmaf(q, b, 0x1.4596eap-1f);
  q = __builtin_fmaf(q, b, 0x1.20de7cp+0f);
  q = __builtin_fmaf(q, b, 0x1.ed6d7ep-16f);
  const exp_split_f32 e = split_exp_f32(-q);
  const float rest = (1.0f + (e.r_hi + e.tail)) * f32_of_bits((e.n + 127) << 23);
  return a < 0.75f ? __builtin_fmaf(x, p, x) : __builtin_copysignf(1.0f - rest, x);
}

/* erfc(a) = exp(-a^2) / (a + 4) h(t), t = (a - 4) / (a + 4), for 0.75 <= a < 27.3, where every
 * factor is carried in two parts: inverse of a + 4; t, whose second part counts by h'; the last
 * three steps of h; the square. */
TSR_MATH double erfc_far_f64(double a)
{
  const pair_f64 d = add_exactly_f64(4.0, a);
  const double inverse = 1.0 / d.sum;
  const double inverse_lo =
      inverse * __builtin_fma(-inverse, d.rest, __builtin_fma(-inverse, d.sum, 1.0));
  const double t = __builtin_fma(-8.0, inverse, 1.0);
  const double t_lo = ((1.0 - t) - 8.0 * inverse) - 8.0 * inverse_lo;
  const double t2 = t * t;
  double p_even = -0x1.270839288ee01p-27;
  p_even = __builtin_fma(p_even, t2, -0x1.d10a2397dcf6bp-25);
  p_even = __builtin_fma(p_even, t2, 0x1.78e7b1a8c7fbcp-20);
  p_even = __builtin_fma(p_even, t2, -0x1.3c42aa922a5f8p-16);
  p_even = __builtin_fma(p_even, t2, 0x1.72cbfb77e7ddfp-13);
  p_even = __builtin_fma(p_even, t2, -0x1.269b2afed0d05p-12);
  p_even = __builtin_fma(p_even, t2, -0x1.b00c053cf8d50p-6);
  p_even = __builtin_fma(p_even, t2, -0x1.645fd8a49d1a0p-3);
  p_even = __builtin_fma(p_even, t2, -0x1.14eacb1ad0676p-1);
  double p_odd = 0x1.8d4f70abb9bf5p-24;
  p_odd = __builtin_fma(p_odd, t2, -0x1.b6c2dc7563883p-21);
  p_odd = __builtin_fma(p_odd, t2, 0x1.3a0b9396ddad2p-18);
  p_odd = __builtin_fma(p_odd, t2, -0x1.e74b1bc606e5fp-19);
  p_odd = __builtin_fma(p_odd, t2, -0x1.dd2881b80eeb5p-12);
  p_odd = __builtin_fma(p_odd, t2, 0x1.908f47944ca87p-8);
  p_odd = __builtin_fma(p_odd, t2, 0x1.38dbd2c86bb73p-4);
  p_odd = __builtin_fma(p_odd, t2, 0x1.52cac23711157p-2);
  const double p = __builtin_fma(p_odd, t, p_even);
  const double slope_0 = -0x1.f3fe31ecb49b9p-1;
  double slope = __builtin_fma(t, -1.74, 1.98);
  slope = __builtin_fma(t, slope, -1.92);
  slope = __builtin_fma(t, slope, 1.60);
  slope = __builtin_fma(t, slope, slope_0);
  const pair_f64 r = add_exactly_f64(0x1.8be202d26c6e9p-1, p * t);
  const double v = t * r.sum;
  const double v_lo = __builtin_fma(t, r.sum, -v) + t * r.rest;
  const pair_f64 q = add_exactly_f64(slope_0, v);
  const double w = t * q.sum;
  const double w_lo = __builtin_fma(t, q.sum, -w) + __builtin_fma(t, q.rest + v_lo, t_lo * slope);
  const pair_f64 h = add_exactly_f64(0x1.18932bf08e154p+0, w);
  const double h_lo = h.rest + (w_lo + 0x1.4p-54);
  const double g = h.sum * inverse;
  const double g_lo =
      __builtin_fma(h.sum, inverse, -g) + __builtin_fma(h.sum, inverse_lo, h_lo * inverse);
  const double square = a * a;
  const exp_split_f64 e = split_exp_f64(-square, -__builtin_fma(a, a, -square));
  const double sum = 1.0 + e.r_hi;
  const double rest = ((1.0 - sum) + e.r_hi) + e.tail;
  const double y = sum * g;
  const double y_lo = __builtin_fma(sum, g, -y) + __builtin_fma(sum, g_lo, rest * g);
  return scale_f64(y + y_lo, e.n);
}

TSR_MATH double erfc_f64(double x)
{
  const double a = __builtin_fabs(x);
  const double sum = 1.0 - x;
  const double near = sum + __builtin_fma(-x, erf_near_f64(x * x), (1.0 - sum) - x);
  const double far = erfc_far_f64(a > 28.0 ? 28.0 : a);
  return a < 0.75 ? near : x < 0.0 ? 2.0 - far : far;
}

/* In float64 to 28 bits. */
TSR_MATH float erfc_f32(float x_f32)
{
  const double x = x_f32, z = x * x;
  const double a = __builtin_fabs(x) > 11.0 ? 11.0 : __builtin_fabs(x);
  double p = 0x1.3553769a07ee0p-8;
  p = __builtin_fma(p, z, -0x1.b667dba0501d8p-6);
  p = __builtin_fma(p, z, 0x1.ce2521cfa75c3p-4);
  p = __builtin_fma(p, z, -0x1.812732d887c9dp-2);
  p = __builtin_fma(p, z, 0x1.06eba7eed32ecp-3);
  const double near = (1.0 - x) - x * p;
  const double inverse = 1.0 / (a + 2.0);
  const double t = __builtin_fma(-5.0, inverse, 1.0);
  double q = 0x1.ce5ba741fcb84p-17;
  q = __builtin_fma(q, t, -0x1.f208d9158bf5ap-15);
  q = __builtin_fma(q, t, -0x1.5e716a852b00fp-12);
  q = __builtin_fma(q, t, 0x1.6113bcc41f2aep-12);
  q = __builtin_fma(q, t, 0x1.8ab6576fdfc7fp-9);
  q = __builtin_fma(q, t, -0x1.6a121a77dfc9ap-8);
  q = __builtin_fma(q, t, -0x1.a8a5a809da1a5p-6);
  q = __builtin_fma(q, t, 0x1.4ba6da12877a2p-3);
  q = __builtin_fma(q, t, -0x1.db71a89f89f63p-2);
  q = __builtin_fma(q, t, 0x1.ca3e31b3d589cp-1); /* 1 + p(0) */
  const double far = exp_mid(-a * a) * (q * inverse);
  return (float)(__builtin_fabs(x) < 0.5 ? near : x < 0.0 ? 2.0 - far : far);
}

#endif
