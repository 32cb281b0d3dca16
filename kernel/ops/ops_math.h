/* Transcendental functions of ops.def for float64 and float32, but erf, sin and cos
 * (kernel/ops/ops_erf.h, kernel/ops/ops_trig.h): exp, expm1, log, log1p, tanh, power, hypot.
 *
 * One text for scalars and for vectors, in the words of kernel/ops/ops_scalar.h. No library call
 * but fma (one instruction where there is one), no table, and no branch but to rare functions: the
 * bits are the same in every width. A choice is a select_* at the end. Long polynomials are two
 * chains, of the even and of the odd powers: half the latency. Compile with -ffp-contract=off -fno-math-errno -fno-trapping-math.
 * Polynomials: tools/minimax.py. "hi + lo" is a number in two parts, the first the sum rounded.
 * Errors stated are greatest ones met against MPFR (tests/kernel/test_accuracy.c bounds them). */
#ifndef TSR_OPS_MATH_H
#define TSR_OPS_MATH_H

#include "kernel/ops/ops_scalar.h"

/* The sum rounded, and what that left out. */
typedef struct pair_f64 {
  f64 sum, rest;
} pair_f64;

TSR_MATH pair_f64 add_exactly_f64(f64 x, f64 y)
{
  const f64 sum = x + y;
  const f64 part = sum - x;
  return TSR_MAKE(pair_f64, sum, (x - (sum - part)) + (y - part));
}

/* The same where |x| >= |y|, or x is 0 (Dekker, "A Floating-Point Technique for Extending the
 * Available Precision", Numerische Mathematik 18, 1971). */
TSR_MATH pair_f64 add_smaller_f64(f64 x, f64 y)
{
  const f64 sum = x + y;
  return TSR_MAKE(pair_f64, sum, y - (sum - x));
}

/* y 2^n for an integer n beyond the exponents too, in two steps, the first exact: results below the
 * normal range are rounded once more only. */
TSR_MATH f64 scale_f64(f64 y, u64 n)
{
  const u64 half = ((n + 2048) >> 1) - 1024;
  return y * from_bits_f64((half + 1023) << 52) * from_bits_f64((n - half + 1023) << 52);
}
TSR_MATH f32 scale_f32(f32 y, u32 n)
{
  const u32 half = ((n + 512) >> 1) - 256;
  return y * from_bits_f32((half + 127) << 23) * from_bits_f32((n - half + 127) << 23);
}

/* Exp, expm1, tanh.
 *
 * x = k ln 2 + r with an integer k, |r| <= ln(2) / 2 (Cody and Waite, "Software Manual for the
 * Elementary Functions", 1980, chapter 6). k comes from adding 1.5 * 2^52, which leaves it in the
 * low bits. r_hi is exact by fma. exp(r) - 1 = r_hi + tail, tail = r_lo + r^2 q(r). */
typedef struct exp_split_f64 {
  f64 k, r_hi, tail;
  u64 n; /* k as an integer */
} exp_split_f64;

/* Of x + x_lo. */
TSR_MATH exp_split_f64 split_exp_f64(f64 x, f64 x_lo)
{
  const f64 shift = splat_f64(0x1.8p52);
  const f64 t = fma_f64(x, 0x1.71547652b82fep0, shift);
  const f64 k = t - shift;
  const f64 r_hi = fma_f64(k, -0x1.62e42fefa39efp-1, x);
  const f64 r_lo = fma_f64(k, -0x1.abc9e3b39803fp-56, x_lo);
  const f64 r = r_hi + r_lo;
  const f64 r2 = r * r;
  f64 q_even = fma_f64(0x1.1f78e7c32e010p-29, r2, 0x1.27e4d81523f67p-22);
  q_even = fma_f64(q_even, r2, 0x1.a01a01a81968ep-16);
  q_even = fma_f64(q_even, r2, 0x1.6c16c16c15ff9p-10);
  q_even = fma_f64(q_even, r2, 0x1.5555555555556p-5);
  q_even = fma_f64(q_even, r2, 0.5);
  f64 q_odd = fma_f64(0x1.af4ecf3207b21p-26, r2, 0x1.71de01aacd321p-19);
  q_odd = fma_f64(q_odd, r2, 0x1.a01a01ac1e915p-13);
  q_odd = fma_f64(q_odd, r2, 0x1.1111111110050p-7);
  q_odd = fma_f64(q_odd, r2, 0x1.5555555555557p-3);
  const f64 q = fma_f64(q_odd, r, q_even);
  const u64 n = bits_of_f64(t) - 0x4338000000000000u;
  return TSR_MAKE(exp_split_f64, k, r_hi, fma_f64(r * r, q, r_lo), n);
}

typedef struct exp_split_f32 {
  f32 k, r_hi, tail;
  u32 n;
} exp_split_f32;

TSR_MATH exp_split_f32 split_exp_f32(f32 x)
{
  const f32 shift = splat_f32(0x1.8p23f);
  const f32 t = fma_f32(x, 0x1.715476p0f, shift);
  const f32 k = t - shift;
  const f32 r_hi = fma_f32(k, -0x1.62e43p-1f, x);
  const f32 r_lo = k * 0x1.05c61p-29f;
  const f32 r = r_hi + r_lo;
  f32 q = fma_f32(0x1.a17dfcp-13f, r, 0x1.6d432p-10f);
  q = fma_f32(q, r, 0x1.1110acp-7f);
  q = fma_f32(q, r, 0x1.5554eap-5f);
  q = fma_f32(q, r, 0x1.555556p-3f);
  q = fma_f32(q, r, 0.5f);
  return TSR_MAKE(exp_split_f32, k, r_hi, fma_f32(r * r, q, r_lo), bits_of_f32(t) - 0x4b400000u);
}

/* 1 + r_hi is carried in two parts, so that only its end is rounded at full size. Far ends are
 * chosen at the end; NaN passes through r. */
TSR_MATH f64 exp_f64(f64 x)
{
  const exp_split_f64 e = split_exp_f64(x, splat_f64(0.0));
  const f64 sum = 1.0 + e.r_hi;
  const f64 rest = (1.0 - sum) + e.r_hi; /* exact: |r_hi| < 1 */
  const f64 y = sum + (rest + e.tail);
  f64 z = scale_f64(y, e.n);
  z = select_f64(x < -750.0, 0.0, z);
  return select_f64(x > 710.0, TSR_INF64, z);
}
TSR_MATH f32 exp_f32(f32 x)
{
  const exp_split_f32 e = split_exp_f32(x);
  const f32 sum = 1.0f + e.r_hi;
  const f32 rest = (1.0f - sum) + e.r_hi;
  const f32 y = sum + (rest + e.tail);
  f32 z = scale_f32(y, e.n);
  z = select_f32(x < -105.0f, 0.0f, z);
  return select_f32(x > 89.0f, TSR_INF32, z);
}

/* exp(x) for |x| < 700, by 31 bits: for float32 results that are computed in float64. */
TSR_MATH f64 exp_mid_f64(f64 x)
{
  const f64 shift = splat_f64(0x1.8p52 + 1023);
  const f64 t = fma_f64(x, 0x1.71547652b82fep0, shift);
  const f64 r = fma_f64(t - shift, -0x1.62e42fefa39efp-1, x);
  f64 q = fma_f64(0x1.a17dfbfe54cffp-13, r, 0x1.6d43205bd4175p-10);
  q = fma_f64(q, r, 0x1.1110ab7678a48p-7);
  q = fma_f64(q, r, 0x1.5554e9094c9e5p-5);
  q = fma_f64(q, r, 0x1.555555742c1d2p-3);
  q = fma_f64(q, r, 0x1.0000000b90b85p-1);
  const f64 y = 1.0 + fma_f64(r * r, q, r);
  return y * from_bits_f64(bits_of_f64(t) << 52);
}

/* exp(x) - 1 = 2^n (hi + lo), hi + lo = (1 - 2^-n) + r_hi + tail, the first two added exactly. x
 * from -60 on. */
typedef struct expm1_parts_f64 {
  f64 hi, lo;
  u64 n;
} expm1_parts_f64;

TSR_MATH expm1_parts_f64 parts_expm1_f64(f64 x)
{
  const exp_split_f64 e = split_exp_f64(x, splat_f64(0.0));
  const f64 c = select_f64(e.k > 100.0, 0.0, from_bits_f64((1023 - e.n) << 52));
  const f64 b = 1.0 - c;
  const f64 b_lo = (1.0 - b) - c;
  const f64 hi = b + e.r_hi;
  const f64 rest = (b - hi) + e.r_hi; /* exact: b is 0 or greater than r_hi */
  return TSR_MAKE(expm1_parts_f64, hi, rest + (b_lo + e.tail), e.n);
}

typedef struct expm1_parts_f32 {
  f32 hi, lo;
  u32 n;
} expm1_parts_f32;

TSR_MATH expm1_parts_f32 parts_expm1_f32(f32 x)
{
  const exp_split_f32 e = split_exp_f32(x);
  const f32 c = select_f32(e.k > 60.0f, 0.0f, from_bits_f32((127 - e.n) << 23));
  const f32 b = 1.0f - c;
  const f32 b_lo = (1.0f - b) - c;
  const f32 hi = b + e.r_hi;
  const f32 rest = (b - hi) + e.r_hi;
  return TSR_MAKE(expm1_parts_f32, hi, rest + (b_lo + e.tail), e.n);
}

TSR_MATH f64 expm1_f64(f64 x)
{
  const expm1_parts_f64 e = parts_expm1_f64(select_f64(x < -60.0, -60.0, x));
  const f64 y = scale_f64(e.hi + e.lo, e.n);
  return copysign_f64(select_f64(x > 710.0, TSR_INF64, y), x);
}
TSR_MATH f32 expm1_f32(f32 x)
{
  const expm1_parts_f32 e = parts_expm1_f32(select_f32(x < -30.0f, -30.0f, x));
  const f32 y = scale_f32(e.hi + e.lo, e.n);
  return copysign_f32(select_f32(x > 89.0f, TSR_INF32, y), x);
}

/* tanh(x) = E / (E + 2), E = exp(2 x) - 1; the quotient is mended by its remainder. */
TSR_MATH f64 tanh_f64(f64 x)
{
  const f64 a = abs_f64(x);
  const expm1_parts_f64 e = parts_expm1_f64(2.0 * select_f64(a > 22.0, 22.0, a));
  const f64 scale = from_bits_f64((e.n + 1023) << 52);
  const f64 sum = e.hi + e.lo;
  const f64 hi = sum * scale, lo = ((e.hi - sum) + e.lo) * scale;
  const f64 d = hi + 2.0;
  const f64 back = d - hi;
  const f64 d_lo = ((hi - (d - back)) + (2.0 - back)) + lo;
  const f64 inverse = 1.0 / d;
  const f64 q = hi * inverse;
  const f64 rest = fma_f64(-q, d, hi) + fma_f64(-q, d_lo, lo);
  return copysign_f64(fma_f64(rest, inverse, q), x);
}
TSR_MATH f32 tanh_f32(f32 x)
{
  const f32 a = abs_f32(x);
  const expm1_parts_f32 e = parts_expm1_f32(2.0f * select_f32(a > 10.0f, 10.0f, a));
  const f32 scale = from_bits_f32((e.n + 127) << 23);
  const f32 sum = e.hi + e.lo;
  const f32 hi = sum * scale, lo = ((e.hi - sum) + e.lo) * scale;
  const f32 d = hi + 2.0f;
  const f32 back = d - hi;
  const f32 d_lo = ((hi - (d - back)) + (2.0f - back)) + lo;
  const f32 inverse = 1.0f / d;
  const f32 q = hi * inverse;
  const f32 rest = fma_f32(-q, d, hi) + fma_f32(-q, d_lo, lo);
  return copysign_f32(fma_f32(rest, inverse, q), x);
}

/* Log, log1p.
 *
 * x = 2^k m, sqrt(1/2) <= m < sqrt(2), f = m - 1. With s = f / (2 + f), log(1 + f) = 2 atanh(s) =
 * 2 s + s R(s^2), and 2 s = f - s f, so that f itself is the leading term: log(1 + f) = f - (f^2 /
 * 2
 * - s (f^2 / 2 + R)). */
typedef struct log_split_f64 {
  f64 k, m;
} log_split_f64;

/* x > 0, normal and finite; bias: 2^52 and what to subtract from the exponent. */
TSR_MATH log_split_f64 split_normal_f64(f64 x, f64 bias)
{
  const u64 u = bits_of_f64(x) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
  const f64 m = from_bits_f64((u & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
  return TSR_MAKE(log_split_f64, from_bits_f64(0x4330000000000000u | u >> 52) - bias, m);
}

/* x > 0, finite */
TSR_MATH log_split_f64 split_log_f64(f64 x)
{
  const m64 tiny = x < 0x1p-1022;
  return split_normal_f64(select_f64(tiny, x * 0x1p54, x),
                          select_f64(tiny, 0x1p52 + 1077, 0x1p52 + 1023));
}

/* log(1 + f) = f - (half - s q). */
typedef struct log_tail_f64 {
  f64 s, half, q;
} log_tail_f64;

TSR_MATH log_tail_f64 tail_log_f64(f64 f)
{
  const f64 s = f / (2.0 + f);
  const f64 z = s * s;
  f64 p = fma_f64(0x1.2f041d13713abp-3, z, 0x1.39a1e007ddcfep-3);
  p = fma_f64(p, z, 0x1.74663d38ca3e9p-3);
  p = fma_f64(p, z, 0x1.c71c521321744p-3);
  p = fma_f64(p, z, 0x1.24924941e26c4p-2);
  p = fma_f64(p, z, 0x1.999999997ff0ep-2);
  p = fma_f64(p, z, 0x1.5555555555592p-1);
  const f64 half = 0.5 * f * f;
  return TSR_MAKE(log_tail_f64, s, half, fma_f64(z, p, half));
}

/* k ln 2 + log(1 + f) + low */
TSR_MATH f64 sum_log_f64(f64 k, f64 f, f64 low)
{
  const log_tail_f64 t = tail_log_f64(f);
  const f64 rest = fma_f64(t.s, t.q, fma_f64(k, 0x1.abc9e3b39803fp-56, low));
  return fma_f64(k, 0x1.62e42fefa39efp-1, f - (t.half - rest));
}

/* The logarithm's special values. */
TSR_MATH f64 finish_log_f64(f64 y, f64 x)
{
  y = select_f64(x < TSR_INF64, y, x);
  y = select_f64(x == 0.0, -TSR_INF64, y);
  return select_f64(x < 0.0, TSR_NAN64, y);
}

/* Is x other than positive, normal and finite? Few operands are, and a rare function serves them. In
 * it, only those that are below the normal numbers need the logarithm again. */
TSR_MATH m64 is_special_f64(f64 x)
{
  return bits_of_f64(x) - 0x0010000000000000u >= 0x7fe0000000000000u;
}
TSR_MATH m64 is_small_f64(f64 x)
{
  return (x > 0.0) & (x < 0x1p-1022);
}

TSR_MATH f64 log_of_f64(log_split_f64 l)
{
  return sum_log_f64(l.k, l.m - 1.0, splat_f64(0.0));
}
TSR_RARE f64 log_special_f64(f64 x, f64 y)
{
  return finish_log_f64(any_f64(is_small_f64(x)) ? log_of_f64(split_log_f64(x)) : y, x);
}
TSR_MATH f64 log_f64(f64 x)
{
  const f64 y = log_of_f64(split_normal_f64(x, splat_f64(0x1p52 + 1023)));
  return any_f64(is_special_f64(x)) ? log_special_f64(x, y) : y;
}

typedef struct log_split_f32 {
  f32 k, m;
} log_split_f32;

TSR_MATH log_split_f32 split_log_f32(f32 x)
{
  const m32 tiny = x < 0x1p-126f;
  const u32 u = bits_of_f32(select_f32(tiny, x * 0x1p24f, x)) + (0x3f800000u - 0x3f3504f3u);
  const f32 m = from_bits_f32((u & 0x007fffffu) + 0x3f3504f3u);
  const f32 k =
      from_bits_f32(0x4b000000u | u >> 23) - select_f32(tiny, 0x1p23f + 151, 0x1p23f + 127);
  return TSR_MAKE(log_split_f32, k, m);
}

TSR_MATH f32 sum_log_f32(f32 k, f32 f, f32 low)
{
  const f32 s = f / (2.0f + f);
  const f32 z = s * s;
  f32 p = fma_f32(0x1.31e0d4p-2f, z, 0x1.995ed4p-2f);
  p = fma_f32(p, z, 0x1.55557ap-1f);
  const f32 half = 0.5f * f * f;
  const f32 rest = fma_f32(s, fma_f32(z, p, half), fma_f32(k, -0x1.05c61p-29f, low));
  return fma_f32(k, 0x1.62e43p-1f, f - (half - rest));
}

/* The logarithm's special values. */
TSR_MATH f32 finish_log_f32(f32 y, f32 x)
{
  y = select_f32(x < TSR_INF32, y, x);
  y = select_f32(x == 0.0f, -TSR_INF32, y);
  return select_f32(x < 0.0f, TSR_NAN32, y);
}
TSR_MATH f32 log_f32(f32 x)
{
  const log_split_f32 l = split_log_f32(x);
  return finish_log_f32(sum_log_f32(l.k, l.m - 1.0f, splat_f32(0.0f)), x);
}

/* 1 + x + x_lo = 2^k (1 + f + low), of which the next function takes the logarithm; u + c = 1 + x
 * exactly, f = 2^-k (u + c) - 1 in two parts: x itself where k is 0. */
typedef struct log1p_split_f64 {
  f64 k, f, low;
} log1p_split_f64;

TSR_MATH log1p_split_f64 split_log1p_f64(f64 x, f64 x_lo)
{
  const f64 u = 1.0 + x;
  const f64 c = select_f64(x >= 1.0, 1.0 - (u - x), x - (u - 1.0)) + x_lo;
  const log_split_f64 l = split_normal_f64(u, splat_f64(0x1p52 + 1023));
  const f64 g = l.m - 1.0;
  const f64 h = c * from_bits_f64(0x3ff0000000000000u + bits_of_f64(l.m) - bits_of_f64(u));
  const f64 f = g + select_f64(l.k > 100.0, 0.0, h);
  const f64 low = (g - f) + select_f64(l.k > 100.0, 0.0, h);
  return TSR_MAKE(log1p_split_f64, l.k, f, fma_f64(-f, low, low));
}

/* log(1 + x + x_lo) + more ln 2 for x > -1. */
TSR_MATH f64 sum_log1p_f64(f64 x, f64 x_lo, f64 more)
{
  const log1p_split_f64 l = split_log1p_f64(x, x_lo);
  return sum_log_f64(l.k + more, l.f, l.low);
}
TSR_RARE f64 log1p_special_f64(f64 x, f64 y)
{
  y = select_f64(x < TSR_INF64, y, x);
  y = select_f64(x == -1.0, -TSR_INF64, y);
  return select_f64(x < -1.0, TSR_NAN64, y);
}
TSR_MATH f64 log1p_f64(f64 x)
{
  const f64 y = copysign_f64(sum_log1p_f64(x, splat_f64(0.0), splat_f64(0.0)), x);
  return any_f64(is_special_f64(1.0 + x)) ? log1p_special_f64(x, y) : y;
}
TSR_MATH f32 log1p_f32(f32 x)
{
  const f32 u = 1.0f + x;
  const f32 c = select_f32(x >= 1.0f, 1.0f - (u - x), x - (u - 1.0f));
  const log_split_f32 l = split_log_f32(u);
  const f32 g = l.m - 1.0f;
  const f32 h = c * from_bits_f32(0x3f800000u + bits_of_f32(l.m) - bits_of_f32(u));
  const f32 f = g + select_f32(l.k > 50.0f, 0.0f, h);
  const f32 low = (g - f) + select_f32(l.k > 50.0f, 0.0f, h);
  f32 y = sum_log_f32(l.k, f, fma_f32(-f, low, low));
  y = copysign_f32(y, x);
  y = select_f32(x < TSR_INF32, y, x);
  y = select_f32(x == -1.0f, -TSR_INF32, y);
  return select_f32(x < -1.0f, TSR_NAN32, y);
}

/* Power.
 *
 * |x|^y = exp(y log |x|), log |x| in two parts to 2^-66 of itself: 2 s + s z A(z) as above, with s,
 * z = s^2 and the leading coefficient of A in two parts. */
typedef struct log_pair_f64 {
  f64 hi, lo;
} log_pair_f64;

TSR_MATH log_pair_f64 pair_log_f64(log_split_f64 l)
{
  const f64 f = l.m - 1.0, d = l.m + 1.0;
  const f64 d_lo = l.m - (d - 1.0);
  const f64 inverse = 1.0 / d;
  const f64 s = f * inverse;
  const f64 s_lo = fma_f64(-s, d_lo, fma_f64(-s, d, f)) * inverse;
  const f64 z = s * s;
  const f64 z_lo = fma_f64(2.0 * s, s_lo, fma_f64(s, s, -z));
  f64 p = fma_f64(0x1.ed03310520b6bp-4, z, 0x1.ddefa173d3bf1p-4);
  p = fma_f64(p, z, 0x1.1122a477333b1p-3);
  p = fma_f64(p, z, 0x1.3b1353677ce7ap-3);
  p = fma_f64(p, z, 0x1.745d1879815a8p-3);
  p = fma_f64(p, z, 0x1.c71c71c4bc2cfp-3);
  p = fma_f64(p, z, 0x1.24924924939ccp-2);
  p = fma_f64(p, z, 0x1.999999999998ep-2);
  const f64 a_0 = splat_f64(0x1.5555555555555p-1), q = p * z;
  const f64 a_hi = a_0 + q;
  const f64 a_lo = ((a_0 - a_hi) + q) + 0x1.59afbc833ba6ep-55;
  const f64 b = z * a_hi;
  const f64 b_lo = fma_f64(z, a_hi, -b) + fma_f64(z, a_lo, z_lo * a_hi);
  const f64 c = s * b;
  const f64 c_lo = fma_f64(s, b, -c) + fma_f64(s, b_lo, s_lo * b);
  const f64 m_hi = 2.0 * s + c;
  const f64 m_lo = ((2.0 * s - m_hi) + c) + (2.0 * s_lo + c_lo);
  const f64 k_hi = l.k * 0x1.62e42fefa38p-1; /* exact: 42 bits of ln 2 */
  const f64 log_hi = k_hi + m_hi;
  const f64 log_lo = ((k_hi - log_hi) + m_hi) + fma_f64(l.k, 0x1.ef35793c7673p-45, m_lo);
  return TSR_MAKE(log_pair_f64, log_hi, log_lo);
}

TSR_MATH f64 magnitude_power_f64(f64 a, f64 y)
{
  const log_pair_f64 l = pair_log_f64(split_log_f64(a));
  /* Beyond 2^65 every power but that of 1 is 0 or infinite: no product below overflows. */
  const f64 e = select_f64(y > 0x1p65, 0x1p65, select_f64(y < -0x1p65, -0x1p65, y));
  const f64 product = e * l.hi;
  const f64 product_lo = fma_f64(e, l.lo, fma_f64(e, l.hi, -product));
  const exp_split_f64 r = split_exp_f64(product, product_lo);
  const f64 sum = 1.0 + r.r_hi;
  const f64 v = scale_f64(sum + (((1.0 - sum) + r.r_hi) + r.tail), r.n);
  return select_f64(product > 710.0, TSR_INF64, select_f64(product < -750.0, 0.0, v));
}

/* |x|^y for x and y of float32, in float64 to 31 bits. */
TSR_MATH f64 magnitude_power_f32(f64 a, f64 y)
{
  const log_split_f64 l = split_normal_f64(a, splat_f64(0x1p52 + 1023));
  const f64 f = l.m - 1.0;
  const f64 s = f / (2.0 + f);
  const f64 z = s * s;
  f64 p = fma_f64(0x1.9115814f72868p-3, z, 0x1.c62b14d6d8fe4p-3);
  p = fma_f64(p, z, 0x1.249411f082ed6p-2);
  p = fma_f64(p, z, 0x1.999996a93b50ap-2);
  p = fma_f64(p, z, 0x1.555555561e4e4p-1);
  const f64 log_m = fma_f64(s * z, p, 2.0 * s);
  const f64 e = smaller_f64(0x1p65, larger_f64(-0x1p65, y));
  const f64 product = e * fma_f64(l.k, 0x1.62e42fefa39efp-1, log_m);
  return exp_mid_f64(smaller_f64(200.0, larger_f64(-200.0, product)));
}

/* What C's pow (Annex F.10.4.4) says beside |x|^y = `v`: signs, zeros, infinities, NaN. From 2^52
 * on a number is an integer, and below, adding 2^52 leaves the integer in the low bits. */
TSR_MATH f64 finish_power_f64(f64 v, f64 x, f64 y)
{
  const f64 inf = splat_f64(TSR_INF64), a = abs_f64(x), b = abs_f64(y);
  const f64 t = select_f64(b < 0x1p52, b + 0x1p52, b);
  const f64 whole = select_f64(b < 0x1p52, t - 0x1p52, b);
  const f64 on_zero = select_f64(y < 0.0, inf, 0.0), on_infinity = select_f64(y < 0.0, 0.0, inf);
  const f64 on_negative = select_f64(whole == b, v, TSR_NAN64);
  v = select_f64(x < 0.0, on_negative, v);
  v = select_f64(a == 0.0, on_zero, v);
  v = select_f64(a == inf, on_infinity, v);
  u64 odd = select_u64(b < 0x1p53, bits_of_f64(t) << 63, 0);
  odd = select_u64(whole == b, odd, 0);
  v = from_bits_f64(bits_of_f64(v) | (odd & bits_of_f64(x)));
  v = select_f64(x != x, x, v);
  v = select_f64(y != y, y, v);
  v = select_f64(x == 1.0, 1.0, v);
  return select_f64(y == 0.0, 1.0, v);
}

/* Likewise; numbers are integers from 2^23 on. */
TSR_MATH f32 finish_power_f32(f32 v, f32 x, f32 y)
{
  const f32 inf = splat_f32(TSR_INF32), a = abs_f32(x), b = abs_f32(y);
  const f32 t = select_f32(b < 0x1p23f, b + 0x1p23f, b);
  const f32 whole = select_f32(b < 0x1p23f, t - 0x1p23f, b);
  const f32 on_zero = select_f32(y < 0.0f, inf, 0.0f);
  const f32 on_infinity = select_f32(y < 0.0f, 0.0f, inf);
  const f32 on_negative = select_f32(whole == b, v, TSR_NAN32);
  v = select_f32(x < 0.0f, on_negative, v);
  v = select_f32(a == 0.0f, on_zero, v);
  v = select_f32(a == inf, on_infinity, v);
  u32 odd = select_u32(b < 0x1p24f, bits_of_f32(t) << 31, 0);
  odd = select_u32(whole == b, odd, 0);
  v = from_bits_f32(bits_of_f32(v) | (odd & bits_of_f32(x)));
  v = select_f32(x != x, x, v);
  v = select_f32(y != y, y, v);
  v = select_f32(x == 1.0f, 1.0f, v);
  return select_f32(y == 0.0f, 1.0f, v);
}

/* Is exp(product) not known to be a normal number? So it is of NaN. */
TSR_MATH m64 is_far_power_f64(f64 product)
{
  return bits_of_f64(abs_f64(product)) >= 0x4085e00000000000u;
}
/* Where x is not positive, normal and finite, or the result may not be: only the latter, and x below
 * the normal numbers, need the power again. */
TSR_RARE f64 power_special_f64(f64 x, f64 y, f64 v, f64 product)
{
  const f64 a = abs_f64(x);
  const m64 is_far = ((a >= 0x1p-1022) & is_far_power_f64(product)) | is_small_f64(a);
  return finish_power_f64(any_f64(is_far) ? magnitude_power_f64(a, y) : v, x, y);
}
TSR_MATH f64 power_f64(f64 x, f64 y)
{
  const f64 a = abs_f64(x);
  const log_pair_f64 l = pair_log_f64(split_normal_f64(a, splat_f64(0x1p52 + 1023)));
  const f64 product = y * l.hi;
  const exp_split_f64 r = split_exp_f64(product, fma_f64(y, l.lo, fma_f64(y, l.hi, -product)));
  const f64 sum = 1.0 + r.r_hi;
  const f64 power = sum + (((1.0 - sum) + r.r_hi) + r.tail);
  const f64 v = from_bits_f64(bits_of_f64(power) + (r.n << 52));
  return any_f64(is_special_f64(x) | is_far_power_f64(product))
             ? power_special_f64(x, y, v, product)
             : v;
}
TSR_RARE f32 power_special_f32(f32 x, f32 y, f32 v)
{
  return finish_power_f32(v, x, y);
}
TSR_MATH f32 power_f32(f32 x, f32 y)
{
  const f32 v = narrow_f32(magnitude_power_f32(abs_f64(widen_f64(x)), widen_f64(y)));
  return any_f32((bits_of_f32(x) - 1 >= 0x7f7fffffu) | (y != y)) ? power_special_f32(x, y, v) : v;
}

/* Hypot.
 *
 * Scaled by a power of two where the squares would leave the range; infinite where one operand is,
 * even beside NaN (C, F.10.4.3). */
TSR_MATH f64 hypot_f64(f64 x, f64 y)
{
  const f64 inf = splat_f64(TSR_INF64), a = abs_f64(x), b = abs_f64(y);
  const f64 high = select_f64(a > b, a, b), low = select_f64(a > b, b, a);
  const f64 down = select_f64(high > 0x1p500, 0x1p-600, select_f64(high < 0x1p-400, 0x1p600, 1.0));
  const f64 up = select_f64(high > 0x1p500, 0x1p600, select_f64(high < 0x1p-400, 0x1p-600, 1.0));
  const f64 h = high * down, l = low * down;
  const f64 v = sqrt_f64(fma_f64(h, h, l * l)) * up;
  return select_f64((a == inf) | (b == inf), inf, v);
}
TSR_MATH f32 hypot_f32(f32 x, f32 y)
{
  const f32 inf = splat_f32(TSR_INF32);
  const f64 a = widen_f64(x), b = widen_f64(y);
  const f32 v = narrow_f32(sqrt_f64(fma_f64(a, a, b * b)));
  return select_f32((abs_f32(x) == inf) | (abs_f32(y) == inf), inf, v);
}

#endif
