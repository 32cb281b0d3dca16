/* exp2, log2, log10, cbrt, logaddexp and the degrees of ops.def, in the manner of
 * kernel/ops/ops_math.h. The first four of float32 are in the manner of kernel/ops/ops_twofold.h,
 * the others compute in float64. */
#ifndef TSR_OPS_LOG_H
#define TSR_OPS_LOG_H

#include "kernel/ops/ops_twofold.h"
#include "kernel/ops/ops_zeros.h"

/* Where 2^x = y 2^n may be no normal number. */
TSR_RARE f64 exp2_far_f64(f64 x, f64 y, u64 n)
{
  f64 z = scale_f64(y, n);
  z = select_f64(x < -1080.0, 0.0, z);
  return select_f64(x > 1024.0, TSR_INF64, z);
}
/* 2^x = 2^k exp(r ln 2), r = x - k exactly. */
TSR_MATH f64 exp2_f64(f64 x)
{
  const f64 shift = splat_f64(0x1.8p52);
  const f64 t = x + shift;
  const f64 r = x - (t - shift);
  const f64 v = r * 0x1.62e42fefa39efp-1;
  const f64 v_lo = fma_f64(r, 0x1.62e42fefa39efp-1, -v) + r * 0x1.abc9e3b39803fp-56;
  const exp_split_f64 e = split_exp_f64(v, v_lo);
  const f64 sum = 1.0 + e.r_hi;
  const f64 y = sum + (((1.0 - sum) + e.r_hi) + e.tail);
  const u64 n = e.n + bits_of_f64(t) - 0x4338000000000000u;
  return any_f64(bits_of_f64(abs_f64(x)) >= 0x408f400000000000u)
             ? exp2_far_f64(x, y, n)
             : from_bits_f64(bits_of_f64(y) + (n << 52));
}
TSR_HALVES f32 exp2_long_f32(f32 x)
{
  return narrow_f32(exp2_f64(widen_f64(x)));
}
/* 2^x = 2^k T (1 + r ln 2 + r^2 P(r)), with T = 2^(j / 32) of a table, j from 0 to 31, and |r| up to
 * 1/64. */
TSR_MATH f32 exp2_f32(f32 x)
{
  static const float power[32] = {0x1p+0f,        0x1.059b0ep+0f, 0x1.0b5586p+0f, 0x1.11301ep+0f,
                                  0x1.172b84p+0f, 0x1.1d4874p+0f, 0x1.2387a6p+0f, 0x1.29e9ep+0f,
                                  0x1.306fep+0f,  0x1.371a74p+0f, 0x1.3dea64p+0f, 0x1.44e086p+0f,
                                  0x1.4bfdaep+0f, 0x1.5342b6p+0f, 0x1.5ab07ep+0f, 0x1.6247ecp+0f,
                                  0x1.6a09e6p+0f, 0x1.71f75ep+0f, 0x1.7a1148p+0f, 0x1.82589ap+0f,
                                  0x1.8ace54p+0f, 0x1.93737cp+0f, 0x1.9c4918p+0f, 0x1.a5503cp+0f,
                                  0x1.ae89fap+0f, 0x1.b7f77p+0f,  0x1.c199bep+0f, 0x1.cb720ep+0f,
                                  0x1.d5818ep+0f, 0x1.dfc974p+0f, 0x1.ea4afap+0f, 0x1.f50766p+0f};
  static const float power_lo[32] = {
      0x0p+0f,          -0x1.9d4f52p-25f, 0x1.9f3122p-25f,  -0x1.fdb496p-25f, -0x1.c15742p-27f,
      -0x1.d2e8cap-25f, 0x1.ceac48p-25f,  -0x1.5c0424p-25f, 0x1.4636e2p-25f,  -0x1.18aac6p-25f,
      0x1.824684p-25f,  0x1.8624b4p-30f,  -0x1.593abcp-25f, -0x1.2c561p-25f,  -0x1.5bd5ecp-27f,
      -0x1.f8b55p-25f,  0x1.9fcef4p-26f,  0x1.1d8beep-25f,  -0x1.829fdp-25f,  -0x1.accc7cp-26f,
      0x1.15506ep-27f,  -0x1.e64744p-25f, 0x1.51f848p-27f,  -0x1.b83b54p-25f, -0x1.a94b14p-26f,
      -0x1.a09438p-25f, -0x1.3d56b2p-27f, -0x1.8837ccp-27f, -0x1.822dbcp-27f, -0x1.908c94p-25f,
      0x1.52486cp-27f,  -0x1.246ebp-26f};
  const f32 shift = splat_f32(0x1.8p18f);
  const f32 t = x + shift;
  const f32 r = x - (t - shift);
  const u32 j = bits_of_f32(t);
  const f32 first = look_up_32_f32(power, j), first_lo = look_up_32_f32(power_lo, j);
  const twofold_f32 v =
      multiply_twofold_f32(r, splat_f32(0x1.62e43p-1f), splat_f32(-0x1.05c61p-29f));
  f32 p = fma_f32(0x1.3b220ep-7f, r, 0x1.c6b126p-5f);
  p = fma_f32(p, r, 0x1.ebfbep-3f);
  const f32 v_lo = fma_f32(r * r, p, v.lo);
  const f32 more = first * v.hi;
  const f32 more_lo = fma_f32(first, v_lo, fma_f32(first, v.hi, -more));
  const f32 hi = first + more;
  const f32 lo = (((first - hi) + more) + fma_f32(first_lo, v.hi, first_lo)) + more_lo;
  const f32 up = hi + fma_f32(hi, 0x1p-36f, lo), down = hi + fma_f32(hi, -0x1p-36f, lo);
  return any_apart_f32(up, down, (bits_of_f32(x) & 0x7fffffff) >= 0x42fc0000)
             ? exp2_long_f32(x)
             : from_bits_f32(bits_of_f32(up) + (j << 18 & 0xff800000));
}

/* k + log(1 + f) / ln 2: f, the leading part, times 1 / ln 2 in two parts. */
TSR_MATH f64 log2_of_f64(log_split_f64 l)
{
  const f64 f = l.m - 1.0;
  const log_tail_f64 t = tail_log_f64(f);
  const f64 low = fma_f64(t.s, t.q, -t.half);
  const f64 v = f * 0x1.71547652b82fep+0;
  const f64 v_lo = fma_f64(f, 0x1.71547652b82fep+0, -v) +
                   fma_f64(f, 0x1.777d0ffda0d24p-56, low * 0x1.71547652b82fep+0);
  const pair_f64 sum = add_smaller_f64(l.k, v);
  return sum.sum + (sum.rest + v_lo);
}
TSR_RARE f64 log2_special_f64(f64 x, f64 y)
{
  return finish_log_f64(any_f64(is_small_f64(x)) ? log2_of_f64(split_log_f64(x)) : y, x);
}
TSR_MATH f64 log2_f64(f64 x)
{
  const f64 y = log2_of_f64(split_normal_f64(x, splat_f64(0x1p52 + 1023)));
  return any_f64(is_special_f64(x)) ? log2_special_f64(x, y) : y;
}
TSR_HALVES f32 log2_long_f32(f32 x)
{
  return narrow_f32(log2_f64(widen_f64(x)));
}
/* Where up and down differ, and of operands that log_twofold_f32 does not serve. */
TSR_RARE f32 log2_rare_f32(f32 x, f32 up, f32 down)
{
  const m32 is_small = (x > 0.0f) & (x < 0x1p-126f);
  return any_f32((is_positive_f32(x) & (up != down)) | is_small) ? log2_long_f32(x)
                                                                 : finish_log_f32(up, x);
}
/* Next to 1, where c is 1, the error is a part of the sum, and elsewhere of a number of its own. */
TSR_MATH f32 log2_f32(f32 x)
{
  static const float of_row[16] = {-0x1.d674p-2f, -0x1.b48p-2f,  -0x1.6e24p-2f, -0x1.244p-2f,
                                   -0x1.fbcp-3f,  -0x1.acf8p-3f, -0x1.08c8p-3f, -0x1.664p-4f,
                                   -0x1.6bap-5f,  0x0p+0f,       0x1.7d6p-4f,   0x1.564p-3f,
                                   0x1.f6p-3f,    0x1.4f7p-2f,   0x1.8a88p-2f,  0x1.e7ep-2f};
  static const float of_row_lo[16] = {
      -0x1.3e032ep-18f, 0x1.408c78p-18f,  0x1.e3263p-18f,  -0x1.eac382p-20f,
      -0x1.6b9026p-19f, 0x1.0e9258p-18f,  0x1.3b992cp-18f, 0x1.20a6dep-21f,
      -0x1.a6eb1ep-18f, 0x0p+0f,          0x1.25b3eep-22f, -0x1.1eb002p-18f,
      -0x1.3ab7cep-18f, -0x1.134c4ep-20f, 0x1.80abfcp-18f, -0x1.40358ep-19f};
  const twofold_log_f32 l = log_twofold_f32(x);
  const twofold_f32 v =
      multiply_twofold_f32(l.w, splat_f32(0x1.715476p+0f), splat_f32(0x1.4ae0cp-26f));
  const f32 base = l.k + look_up_16_f32(of_row, l.row); /* exact: 17 bits */
  const f32 hi = base + v.hi;
  const f32 lo = (((base - hi) + v.hi) + look_up_16_f32(of_row_lo, l.row)) +
                 fma_f32(l.w_lo, 0x1.715476p+0f, v.lo);
  const f32 part = smaller_f32(0x1p-4f, abs_f32(hi));
  const f32 up = hi + fma_f32(part, 0x1.8p-34f, lo), down = hi + fma_f32(part, -0x1.8p-34f, lo);
  return any_apart_f32(up, down, bits_of_f32(x) - 0x00800000u >= 0x7f000000u)
             ? log2_rare_f32(x, up, down)
             : up;
}

/* k log10(2) + log(1 + f) / ln 10; k times the first part of log10(2) is exact. */
TSR_MATH f64 log10_of_f64(log_split_f64 l)
{
  const f64 f = l.m - 1.0;
  const log_tail_f64 t = tail_log_f64(f);
  const f64 low = fma_f64(t.s, t.q, -t.half);
  const f64 v = f * 0x1.bcb7b1526e50ep-2;
  const f64 v_lo = fma_f64(f, 0x1.bcb7b1526e50ep-2, -v) +
                   fma_f64(f, 0x1.95355baaafad3p-57, low * 0x1.bcb7b1526e50ep-2);
  const pair_f64 sum = add_smaller_f64(l.k * 0x1.34413509f7000p-2, v);
  return sum.sum + (sum.rest + fma_f64(l.k, 0x1.3fde623e2566bp-43, v_lo));
}
TSR_RARE f64 log10_special_f64(f64 x, f64 y)
{
  return finish_log_f64(any_f64(is_small_f64(x)) ? log10_of_f64(split_log_f64(x)) : y, x);
}
TSR_MATH f64 log10_f64(f64 x)
{
  const f64 y = log10_of_f64(split_normal_f64(x, splat_f64(0x1p52 + 1023)));
  return any_f64(is_special_f64(x)) ? log10_special_f64(x, y) : y;
}
TSR_HALVES f32 log10_long_f32(f32 x)
{
  return narrow_f32(log10_f64(widen_f64(x)));
}
TSR_RARE f32 log10_rare_f32(f32 x, f32 up, f32 down)
{
  const m32 is_small = (x > 0.0f) & (x < 0x1p-126f);
  return any_f32((is_positive_f32(x) & (up != down)) | is_small) ? log10_long_f32(x)
                                                                 : finish_log_f32(up, x);
}
/* As log2_f32; k times log10(2) is exact in its first part. */
TSR_MATH f32 log10_f32(f32 x)
{
  static const float of_row[16] = {-0x1.1b3ep-3f, -0x1.06ccp-3f, -0x1.b8ep-4f, -0x1.5fe8p-4f,
                                   -0x1.31b4p-4f, -0x1.0244p-4f, -0x1.3edp-5f, -0x1.af6p-6f,
                                   -0x1.b5ep-7f,  0x0p+0f,       0x1.cb4p-6f,  0x1.9c18p-5f,
                                   0x1.2e3cp-4f,  0x1.93e8p-4f,  0x1.db1p-4f,  0x1.25bap-3f};
  static const float of_row_lo[16] = {
      -0x1.c7b254p-21f, 0x1.4c2c9ep-22f, 0x1.b2c54cp-20f,  -0x1.222bd4p-26f,
      0x1.f54772p-21f,  0x1.73e0f8p-20f, -0x1.199a5ep-21f, 0x1.b53fc6p-24f,
      -0x1.211d62p-20f, 0x0p+0f,         -0x1.c0cc9ep-20f, 0x1.7abfp-21f,
      -0x1.8bf488p-20f, -0x1.0f81ep-23f, 0x1.ed766ap-20f,  0x1.042b5ep-20f};
  const twofold_log_f32 l = log_twofold_f32(x);
  const twofold_f32 v =
      multiply_twofold_f32(l.w, splat_f32(0x1.bcb7b2p-2f), splat_f32(-0x1.5b235ep-27f));
  const f32 base = fma_f32(l.k, 0x1.3441p-2f, look_up_16_f32(of_row, l.row));
  const f32 base_lo = fma_f32(l.k, 0x1.a84fbcp-21f, look_up_16_f32(of_row_lo, l.row));
  const f32 hi = base + v.hi;
  const f32 lo = (((base - hi) + v.hi) + base_lo) + fma_f32(l.w_lo, 0x1.bcb7b2p-2f, v.lo);
  const f32 part = smaller_f32(0x1p-2f, abs_f32(hi));
  const f32 up = hi + fma_f32(part, 0x1.8p-34f, lo), down = hi + fma_f32(part, -0x1.8p-34f, lo);
  return any_apart_f32(up, down, bits_of_f32(x) - 0x00800000u >= 0x7f000000u)
             ? log10_rare_f32(x, up, down)
             : up;
}

/* |x| = 2^(3 q + r) m, |r| <= 1: from a polynomial for the root of m, one step of Newton's, then
 * one with the rest in two parts. */
TSR_MATH f64 cbrt_of_f64(log_split_f64 l)
{
  const f64 shift = splat_f64(0x1.8p52);
  const f64 t = fma_f64(l.k, 0x1.5555555555555p-2, shift);
  const f64 r = fma_f64(-3.0, t - shift, l.k);
  const m64 below = r<0.0, above = r> 0.0;
  const f64 m = l.m * select_f64(below, 0.5, select_f64(above, 2.0, 1.0));
  f64 y = fma_f64(0x1.b2dd64p-6, l.m, -0x1.6b4394p-3);
  y = fma_f64(y, l.m, 0x1.034946p-1);
  y = fma_f64(y, l.m, -0x1.a9ad3cp-1);
  y = fma_f64(y, l.m, 0x1.0dbc34p+0);
  y = fma_f64(y, l.m, 0x1.b04ad4p-2);
  y = y * select_f64(below, 0x1.965fea53d6e3dp-1, select_f64(above, 0x1.428a2f98d728bp+0, 1.0));
  const f64 inverse = 1.0 / (3.0 * y * y);
  y = fma_f64(fma_f64(-y * y, y, m), inverse, y);
  const f64 y2 = y * y, y2_lo = fma_f64(y, y, -y2);
  const f64 y3 = y2 * y, y3_lo = fma_f64(y2, y, -y3) + y2_lo * y;
  y = fma_f64((m - y3) - y3_lo, inverse, y);
  return y * from_bits_f64((bits_of_f64(t) + 1023) << 52);
}
TSR_RARE f64 cbrt_special_f64(f64 x, f64 y)
{
  const f64 a = abs_f64(x);
  const f64 z = any_f64(is_small_f64(a)) ? cbrt_of_f64(split_log_f64(a)) : y;
  return select_f64((a < TSR_INF64) & (x != 0.0), copysign_f64(z, x), x);
}
TSR_MATH f64 cbrt_f64(f64 x)
{
  const f64 a = abs_f64(x), y = cbrt_of_f64(split_normal_f64(a, splat_f64(0x1p52 + 1023)));
  return any_f64(is_special_f64(a)) ? cbrt_special_f64(x, y) : copysign_f64(y, x);
}
TSR_HALVES f32 cbrt_long_f32(f32 x)
{
  return narrow_f32(cbrt_f64(widen_f64(x)));
}
TSR_RARE f32 cbrt_rare_f32(f32 x, f32 y, m32 is_unsure)
{
  const m32 is_special = (x == 0.0f) | (x != x) | (abs_f32(x) == TSR_INF32);
  return any_f32(is_unsure & (abs_f32(x) > 0.0f) & (abs_f32(x) < TSR_INF32))
             ? cbrt_long_f32(x)
             : select_f32(is_special, x, y);
}
/* |x| = 2^(3 q + r) m, r from -1 to 1. From w = P(m) / the root of 2^r, 1 / the root of v = 2^r m to
 * 2^-14, and h = 1 - v w^3: the root of v is v w^2 (1 - h)^(-2/3), and less exact than it should be
 * by (v - y^3) / (3 y^2). */
TSR_MATH f32 cbrt_f32(f32 x)
{
  const f32 shift = splat_f32(0x1.8p23f);
  const u32 bits = bits_of_f32(abs_f32(x)), u = bits - 0x3f3504f3u;
  const f32 m = from_bits_f32(bits - (u & 0xff800000u)), k = whole_f32((i32)u >> 23);
  const f32 t = fma_f32(k, 0x1.555556p-2f, shift);
  const f32 r = fma_f32(-3.0f, t - shift, k);
  const f32 v = m * fma_f32(fma_f32(0.25f, r, 0.75f), r, 1.0f); /* times 2^r, exactly */
  f32 w = fma_f32(0x1.0b73dap-3f, m, -0x1.6c729ap-1f);
  w = fma_f32(w, m, 0x1.9375cep+0f);
  w = fma_f32(w, m, -0x1.df309ep+0f);
  w = fma_f32(w, m, 0x1.e08452p+0f);
  w = w * fma_f32(fma_f32(0x1.b744986p-6f, r, -0x1.dd68eap-3f), r, 1.0f);
  const f32 square = w * w, first = v * square;
  const f32 h = fma_f32(-first, w, 1.0f);
  const f32 y = fma_f32(first, h * fma_f32(0x1.1c71c8p-1f, h, 0x1.555556p-1f), first);
  const f32 y2 = y * y, y2_lo = fma_f32(y, y, -y2);
  const f32 lo = fma_f32(-y2_lo, y, fma_f32(-y2, y, v)) * (square * 0x1.555556p-2f);
  const f32 error = y * 0x1p-35f;
  const f32 up = y + (lo + error), down = y + (lo - error);
  const f32 z = copysign_f32(from_bits_f32(bits_of_f32(up) + (bits_of_f32(t) << 23)), x);
  const m32 is_beyond = bits - 0x00800000u >= 0x7f000000u;
  return any_apart_f32(up, down, is_beyond) ? cbrt_rare_f32(x, z, (up != down) | is_beyond) : z;
}

/* The larger operand and log(1 + t), t = exp(-their distance), added up at once; left to
 * logaddexp_beside where less than `share` of the latter remains. Equal operands, infinities too,
 * first. */
TSR_MATH f64 logaddexp_within_f64(f64 x, f64 y, f64 share)
{
  const f64 high = select_f64(x > y, x, y), low = select_f64(x > y, y, x);
  const pair_f64 apart = add_exactly_f64(low, -high);
  const f64 away = apart.sum;
  const exp_split_f64 e = split_exp_f64(select_f64(away < -750.0, -750.0, away),
                                        select_f64(away > -750.0, apart.rest, 0.0));
  const m64 tiny = away < -40.0; /* log(1 + t) = t */
  const f64 sum = 1.0 + e.r_hi;
  const f64 rest = ((1.0 - sum) + e.r_hi) + e.tail;
  const f64 scale = select_f64(tiny, 0.0, from_bits_f64((e.n + 1023) << 52));
  const log1p_split_f64 l = split_log1p_f64(sum * scale, rest * scale);
  const log_tail_f64 t = tail_log_f64(l.f);
  const f64 less = t.half - fma_f64(t.s, t.q, fma_f64(l.k, 0x1.abc9e3b39803fp-56, l.low));
  const pair_f64 first = add_exactly_f64(high, l.k * 0x1.62e42fefa39efp-1); /* k: 0 or 1 */
  const pair_f64 second = add_exactly_f64(first.sum, l.f);
  const f64 sizable = second.sum + ((first.rest + second.rest) - less);
  const pair_f64 faint = add_exactly_f64(high, scale_f64(sum, e.n));
  f64 z = select_f64(tiny, faint.sum + (faint.rest + scale_f64(rest, e.n)), sizable);
  z = select_f64(high < TSR_INF64, z, high);
  z = select_f64(x == y, x + 0x1.62e42fefa39efp-1, select_f64(away == away, z, x + y));
  const m64 is_beside = (high < 0.0) & (abs_f64(z) < share * (z - high));
  return some_f64(is_beside) ? logaddexp_beside_f64(high, low, is_beside, z) : z;
}
TSR_MATH f64 logaddexp_f64(f64 x, f64 y)
{
  return logaddexp_within_f64(x, y, splat_f64(0.375));
}
TSR_MATH f32 logaddexp_f32(f32 x, f32 y)
{
  return narrow_f32(logaddexp_within_f64(widen_f64(x), widen_f64(y), splat_f64(0x1p-20)));
}

/* x pi / 180 and x 180 / pi, the factors in two parts; those of opposite signs would make +0 of -0.
 */
TSR_MATH f64 deg2rad_f64(f64 x)
{
  const f64 y = fma_f64(x, 0x1.1df46a2529d39p-6, x * 0x1.5c1d8becdd291p-62);
  return select_f64(abs_f64(x) < TSR_INF64, y, x);
}
TSR_MATH f32 deg2rad_f32(f32 x)
{
  return narrow_f32(widen_f64(x) * 0x1.1df46a2529d39p-6);
}
TSR_MATH f64 rad2deg_f64(f64 x)
{
  const f64 y = fma_f64(x, 0x1.ca5dc1a63c1f8p+5, x * -0x1.1e7ab456405f9p-49);
  return select_f64((abs_f64(x) < TSR_INF64) & (x != 0.0), y, x);
}
TSR_MATH f32 rad2deg_f32(f32 x)
{
  return narrow_f32(widen_f64(x) * 0x1.ca5dc1a63c1f8p+5);
}

#endif
