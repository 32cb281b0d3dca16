/* erf and erfc of ops.def, in the manner of kernel/ops/ops_math.h: near 0 as x + x Q(x^2); farther
 * out as 1 - P(|x|)^8 (erf), as one exponential of a polynomial (erf of float32) or one times a
 * polynomial (erfc); both are computed, and one is chosen. Polynomials: tools/minimax.py. */
#ifndef TSR_OPS_ERF_H
#define TSR_OPS_ERF_H

#include "kernel/ops/ops_math.h"

/* Q for x^2 < 2.25 as a polynomial of w = x^2 - 1.25, whose terms do not cancel. */
TSR_MATH f64 erf_near_f64(f64 w)
{
  const f64 w2 = w * w;
  f64 p_even = fma_f64(0x1.64dd9384fbd6bp-43, w2, 0x1.04ee2d6eb8a3ap-35);
  p_even = fma_f64(p_even, w2, 0x1.46b70ca6a99abp-28);
  p_even = fma_f64(p_even, w2, 0x1.22f9f35eeaaa0p-21);
  p_even = fma_f64(p_even, w2, 0x1.5a2f41ec26311p-15);
  p_even = fma_f64(p_even, w2, 0x1.f6024eaf09792p-10);
  p_even = fma_f64(p_even, w2, 0x1.89096fca029a6p-5);
  f64 p_odd = fma_f64(-0x1.2bbd0e74f83c8p-39, w2, -0x1.adc6938ae9518p-32);
  p_odd = fma_f64(p_odd, w2, -0x1.c88209a1da4d4p-25);
  p_odd = fma_f64(p_odd, w2, -0x1.4f78c27a5035cp-18);
  p_odd = fma_f64(p_odd, w2, -0x1.3bd1bfeb38f48p-12);
  p_odd = fma_f64(p_odd, w2, -0x1.55de813901652p-7);
  f64 p = fma_f64(p_odd, w, p_even);
  p = fma_f64(p, w, -0x1.8076435ab2ce3p-3);
  return fma_f64(p, w, -0x1.a8c15949abd08p-3);
}

/* The eighth root of erfc(a) for 1.5 <= a <= 6, the less exact the less erfc matters to erf. */
TSR_MATH f64 erf_root_f64(f64 a)
{
  const f64 a2 = a * a;
  f64 p_even = fma_f64(0x1.5be7a79dfd88dp-34, a2, -0x1.2dae957f7642cp-27);
  p_even = fma_f64(p_even, a2, -0x1.01e0701d9f945p-19);
  p_even = fma_f64(p_even, a2, -0x1.48f3d9564c51dp-15);
  p_even = fma_f64(p_even, a2, -0x1.552bf6bb979d8p-11);
  p_even = fma_f64(p_even, a2, 0x1.a509ae73cd72ep-8);
  p_even = fma_f64(p_even, a2, -0x1.1d6c9d0d34fe2p-4);
  p_even = fma_f64(p_even, a2, 0x1.ffffb81654f7cp-1);
  f64 p_odd = fma_f64(-0x1.7cc5bae1b063cp-39, a2, -0x1.2d5fc0d1347a0p-31);
  p_odd = fma_f64(p_odd, a2, 0x1.c10d342865092p-23);
  p_odd = fma_f64(p_odd, a2, 0x1.53a5c731daebcp-17);
  p_odd = fma_f64(p_odd, a2, 0x1.64102c042e1d2p-13);
  p_odd = fma_f64(p_odd, a2, 0x1.7ac8c1c7c4e9fp-12);
  p_odd = fma_f64(p_odd, a2, -0x1.03072937c17f1p-9);
  p_odd = fma_f64(p_odd, a2, -0x1.20d545a78a4a7p-3);
  return fma_f64(p_odd, a, p_even);
}

TSR_MATH f64 erf_f64(f64 x)
{
  const f64 a = abs_f64(x);
  const f64 near = fma_f64(x, erf_near_f64(fma_f64(x, x, -1.25)), x);
  const f64 root = erf_root_f64(select_f64(a > 6.0, 6.0, a));
  const f64 root_2 = root * root, root_4 = root_2 * root_2;
  const f64 far = fma_f64(-root_4, root_4, 1.0);
  return select_f64(a < 1.5, near, copysign_f64(far, x));
}

TSR_MATH f32 erf_f32(f32 x)
{
  const f32 a = abs_f32(x), z = x * x, b = select_f32(a > 4.0f, 4.0f, a);
  f32 p = fma_f32(-0x1.6375bp-11f, z, 0x1.4f776ep-8f);
  p = fma_f32(p, z, -0x1.b7b266p-6f);
  p = fma_f32(p, z, 0x1.ce2b52p-4f);
  p = fma_f32(p, z, -0x1.81273cp-2f);
  p = fma_f32(p, z, 0x1.06eba8p-3f);
  f32 q = fma_f32(-0x1.bc450cp-13f, b, 0x1.a2a7a4p-9f);
  q = fma_f32(q, b, -0x1.75ab06p-6f);
  q = fma_f32(q, b, 0x1.ae71b6p-4f);
  q = fma_f32(q, b, 0x1.4596eap-1f);
  q = fma_f32(q, b, 0x1.20de7cp+0f);
  q = fma_f32(q, b, 0x1.ed6d7ep-16f);
  const exp_split_f32 e = split_exp_f32(-q);
  const f32 rest = (1.0f + (e.r_hi + e.tail)) * from_bits_f32((e.n + 127) << 23);
  return select_f32(a < 0.75f, fma_f32(x, p, x), copysign_f32(1.0f - rest, x));
}

/* erfc(a) = exp(-a^2) / (a + 4) h(t), t = (a - 4) / (a + 4), for 0.75 <= a < 27.3, where every
 * factor is carried in two parts: inverse of a + 4; t, whose second part counts by h'; the last
 * three steps of h; the square. */
TSR_MATH f64 erfc_far_f64(f64 a)
{
  const pair_f64 d = add_exactly_f64(splat_f64(4.0), a);
  const f64 inverse = 1.0 / d.sum;
  const f64 inverse_lo = inverse * fma_f64(-inverse, d.rest, fma_f64(-inverse, d.sum, 1.0));
  const f64 t = fma_f64(-8.0, inverse, 1.0);
  const f64 t_lo = ((1.0 - t) - 8.0 * inverse) - 8.0 * inverse_lo;
  const f64 t2 = t * t;
  f64 p_even = fma_f64(-0x1.270839288ee01p-27, t2, -0x1.d10a2397dcf6bp-25);
  p_even = fma_f64(p_even, t2, 0x1.78e7b1a8c7fbcp-20);
  p_even = fma_f64(p_even, t2, -0x1.3c42aa922a5f8p-16);
  p_even = fma_f64(p_even, t2, 0x1.72cbfb77e7ddfp-13);
  p_even = fma_f64(p_even, t2, -0x1.269b2afed0d05p-12);
  p_even = fma_f64(p_even, t2, -0x1.b00c053cf8d50p-6);
  p_even = fma_f64(p_even, t2, -0x1.645fd8a49d1a0p-3);
  p_even = fma_f64(p_even, t2, -0x1.14eacb1ad0676p-1);
  f64 p_odd = fma_f64(0x1.8d4f70abb9bf5p-24, t2, -0x1.b6c2dc7563883p-21);
  p_odd = fma_f64(p_odd, t2, 0x1.3a0b9396ddad2p-18);
  p_odd = fma_f64(p_odd, t2, -0x1.e74b1bc606e5fp-19);
  p_odd = fma_f64(p_odd, t2, -0x1.dd2881b80eeb5p-12);
  p_odd = fma_f64(p_odd, t2, 0x1.908f47944ca87p-8);
  p_odd = fma_f64(p_odd, t2, 0x1.38dbd2c86bb73p-4);
  p_odd = fma_f64(p_odd, t2, 0x1.52cac23711157p-2);
  const f64 p = fma_f64(p_odd, t, p_even);
  const f64 slope_0 = splat_f64(-0x1.f3fe31ecb49b9p-1);
  f64 slope = fma_f64(t, -1.74, 1.98);
  slope = fma_f64(t, slope, -1.92);
  slope = fma_f64(t, slope, 1.60);
  slope = fma_f64(t, slope, slope_0);
  const pair_f64 r = add_exactly_f64(splat_f64(0x1.8be202d26c6e9p-1), p * t);
  const f64 v = t * r.sum;
  const f64 v_lo = fma_f64(t, r.sum, -v) + t * r.rest;
  const pair_f64 q = add_exactly_f64(slope_0, v);
  const f64 w = t * q.sum;
  const f64 w_lo = fma_f64(t, q.sum, -w) + fma_f64(t, q.rest + v_lo, t_lo * slope);
  const pair_f64 h = add_exactly_f64(splat_f64(0x1.18932bf08e154p+0), w);
  const f64 h_lo = h.rest + (w_lo + 0x1.4p-54);
  const f64 g = h.sum * inverse;
  const f64 g_lo = fma_f64(h.sum, inverse, -g) + fma_f64(h.sum, inverse_lo, h_lo * inverse);
  const f64 square = a * a;
  const exp_split_f64 e = split_exp_f64(-square, -fma_f64(a, a, -square));
  const f64 sum = 1.0 + e.r_hi;
  const f64 rest = ((1.0 - sum) + e.r_hi) + e.tail;
  const f64 y = sum * g;
  const f64 y_lo = fma_f64(sum, g, -y) + fma_f64(sum, g_lo, rest * g);
  return scale_f64(y + y_lo, e.n);
}

TSR_MATH f64 erfc_f64(f64 x)
{
  const f64 a = abs_f64(x);
  const f64 sum = 1.0 - x;
  const f64 near = sum + fma_f64(-x, erf_near_f64(fma_f64(x, x, -1.25)), (1.0 - sum) - x);
  const f64 far = erfc_far_f64(select_f64(a > 28.0, 28.0, a));
  return select_f64(a < 0.75, near, select_f64(x < 0.0, 2.0 - far, far));
}

/* In float64 to 28 bits. */
TSR_MATH f32 erfc_f32(f32 x_f32)
{
  const f64 x = widen_f64(x_f32), z = x * x;
  const f64 a = select_f64(abs_f64(x) > 11.0, 11.0, abs_f64(x));
  f64 p = fma_f64(0x1.3553769a07ee0p-8, z, -0x1.b667dba0501d8p-6);
  p = fma_f64(p, z, 0x1.ce2521cfa75c3p-4);
  p = fma_f64(p, z, -0x1.812732d887c9dp-2);
  p = fma_f64(p, z, 0x1.06eba7eed32ecp-3);
  const f64 near = (1.0 - x) - x * p;
  const f64 inverse = 1.0 / (a + 2.0);
  const f64 t = fma_f64(-5.0, inverse, 1.0);
  f64 q = fma_f64(0x1.ce5ba741fcb84p-17, t, -0x1.f208d9158bf5ap-15);
  q = fma_f64(q, t, -0x1.5e716a852b00fp-12);
  q = fma_f64(q, t, 0x1.6113bcc41f2aep-12);
  q = fma_f64(q, t, 0x1.8ab6576fdfc7fp-9);
  q = fma_f64(q, t, -0x1.6a121a77dfc9ap-8);
  q = fma_f64(q, t, -0x1.a8a5a809da1a5p-6);
  q = fma_f64(q, t, 0x1.4ba6da12877a2p-3);
  q = fma_f64(q, t, -0x1.db71a89f89f63p-2);
  q = fma_f64(q, t, 0x1.ca3e31b3d589cp-1); /* 1 + p(0) */
  const f64 far = exp_mid_f64(-a * a) * (q * inverse);
  return narrow_f32(select_f64(abs_f64(x) < 0.5, near, select_f64(x < 0.0, 2.0 - far, far)));
}

#endif
