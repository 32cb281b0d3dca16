/* exp2, log2, log10, cbrt, logaddexp and the degrees of ops.def, in the manner of
 * kernel/ops/ops_math.h. The float32 functions compute in float64, most of them in the
 * manner of kernel/ops/ops_short.h. */
#ifndef TSR_OPS_LOG_H
#define TSR_OPS_LOG_H

#include "kernel/ops/ops_short.h"
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
TSR_RARE f32 exp2_long_f32(f32 x)
{
  return narrow_f32(exp2_f64(widen_f64(x)));
}
/* 2^x = 2^k (1 + r P(r)). */
TSR_MATH f32 exp2_f32(f32 x)
{
  const f64 a = widen_f64(smaller_f32(160.0f, larger_f32(-160.0f, x)));
  const f64 shift = splat_f64(0x1.8p52 + 1023);
  const f64 t = a + shift;
  const f64 r = a - (t - shift);
  f64 p = fma_f64(0x1.63e8d842b8601p-20, r, 0x1.00dbf9bb970e0p-16);
  p = fma_f64(p, r, 0x1.430895bbd9dadp-13);
  p = fma_f64(p, r, 0x1.5d874642ed4c1p-10);
  p = fma_f64(p, r, 0x1.3b2ab72566630p-7);
  p = fma_f64(p, r, 0x1.c6b08dd646d92p-5);
  p = fma_f64(p, r, 0x1.ebfbdff81af25p-3);
  p = fma_f64(p, r, 0x1.62e42fef85491p-1);
  const f64 y = fma_f64(p, r, 1.0) * from_bits_f64(bits_of_f64(t) << 52);
  return any_unsure_f64(in_steps_f64(y)) ? exp2_long_f32(x) : narrow_f32(y);
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
TSR_RARE f32 log2_long_f32(f32 x)
{
  return narrow_f32(log2_f64(widen_f64(x)));
}
TSR_MATH f32 log2_f32(f32 x)
{
  const short_log_f64 l = log_short_f64(widen_f64(x));
  const f64 y = fma_f64(l.s * 0x1.71547652b82fep+0, l.q, l.k);
  return any_unsure_f64(y) ? log2_long_f32(x) : finish_log_f32(narrow_f32(y), x);
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
TSR_RARE f32 log10_long_f32(f32 x)
{
  return narrow_f32(log10_f64(widen_f64(x)));
}
TSR_MATH f32 log10_f32(f32 x)
{
  const short_log_f64 l = log_short_f64(widen_f64(x));
  const f64 y = fma_f64(l.s * 0x1.bcb7b1526e50ep-2, l.q, l.k * 0x1.34413509f79ffp-2);
  return any_unsure_f64(y) ? log10_long_f32(x) : finish_log_f32(narrow_f32(y), x);
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
TSR_RARE f32 cbrt_long_f32(f32 x)
{
  return narrow_f32(cbrt_f64(widen_f64(x)));
}
/* From w = P(m), 1 / the root of m to 2^-14, and h = 1 - m w^3: the root of m is m w^2 (1 - h)^(-2/3).
 * The root of 2^r is a polynomial, too. */
TSR_MATH f32 cbrt_f32(f32 x)
{
  const f64 shift = splat_f64(0x1.8p52 + 1023);
  const log_split_f64 l = split_normal_f64(abs_f64(widen_f64(x)), splat_f64(0x1p52 + 1023));
  const f64 m = l.m, t = fma_f64(l.k, 0x1.5555555555555p-2, shift);
  const f64 r = fma_f64(-3.0, t - shift, l.k);
  const f64 part = fma_f64(fma_f64(0x1.b744985853524p-6, r, 0x1.dd68e9bbaedb3p-3), r, 1.0);
  const f64 power = from_bits_f64(bits_of_f64(t) << 52);
  f64 w = fma_f64(0x1.0b73da5f5df34p-3, m, -0x1.6c7299d73307ap-1);
  w = fma_f64(w, m, 0x1.9375cd5152bbbp+0);
  w = fma_f64(w, m, -0x1.df309d09ee95bp+0);
  w = fma_f64(w, m, 0x1.e0845123bbae7p+0);
  const f64 root = m * w * w;
  const f64 h = fma_f64(-root, w, 1.0);
  const f64 more = h * fma_f64(0x1.1c71c71c71c72p-1, h, 0x1.5555555555555p-1);
  const f64 y = fma_f64(root, more, root) * (part * power);
  const f32 z = copysign_f32(narrow_f32(y), x);
  return any_unsure_f64(y) ? cbrt_long_f32(x)
                           : select_f32((abs_f32(x) < TSR_INF32) & (x != 0.0f), z, x);
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
