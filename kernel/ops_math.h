/* Transcendental functions of ops.def for float64 and float32, but erf, sin and cos
 * (kernel/ops_erf.h, kernel/ops_trig.h): exp, expm1, log, log1p, tanh, power, hypot.
 *
 * Scalars in, scalars out; no library call but fma (one instruction where there is one), no table,
 * no branch: the compiler makes vectors of any width of them, and the bits are the same in each. A
 * choice is a `?:` at the end. Long polynomials are two chains, of the even and of the odd powers:
 * half the latency. Compile with -ffp-contract=off -fno-math-errno -fno-trapping-math.
 * Polynomials: tools/minimax.py. "hi + lo" is a number in two parts, the first the sum rounded.
 * Errors stated are greatest ones met against MPFR (tests/kernel/test_accuracy.c bounds them). */
#ifndef TSR_OPS_MATH_H
#define TSR_OPS_MATH_H

#include <stdint.h>

/* Too long for the compiler to inline unasked, and of no use in a loop unless inlined. */
#define TSR_MATH static inline __attribute__((always_inline))

TSR_MATH uint64_t bits_of_f64(double x)
{
  union {
    double f;
    uint64_t u;
  } v = {x};
  return v.u;
}
TSR_MATH double f64_of_bits(uint64_t u)
{
  union {
    uint64_t u;
    double f;
  } v = {u};
  return v.f;
}
TSR_MATH uint32_t bits_of_f32(float x)
{
  union {
    float f;
    uint32_t u;
  } v = {x};
  return v.u;
}
TSR_MATH float f32_of_bits(uint32_t u)
{
  union {
    uint32_t u;
    float f;
  } v = {u};
  return v.f;
}

/* The sum rounded, and what that left out. */
typedef struct pair_f64 {
  double sum, rest;
} pair_f64;

TSR_MATH pair_f64 add_exactly_f64(double x, double y)
{
  const double sum = x + y;
  const double part = sum - x;
  return (pair_f64){sum, (x - (sum - part)) + (y - part)};
}

/* y 2^n for an integer n beyond the exponents too, in two steps, the first exact: results below the
 * normal range are rounded once more only. */
TSR_MATH double scale_f64(double y, uint64_t n)
{
  const uint64_t half = ((n + 2048) >> 1) - 1024;
  return y * f64_of_bits((half + 1023) << 52) * f64_of_bits((n - half + 1023) << 52);
}
TSR_MATH float scale_f32(float y, uint32_t n)
{
  const uint32_t half = ((n + 512) >> 1) - 256;
  return y * f32_of_bits((half + 127) << 23) * f32_of_bits((n - half + 127) << 23);
}

/* --- exp, expm1, tanh --------------------------------------------------------------------------
 *
 * x = k ln 2 + r with an integer k, |r| <= ln(2) / 2 (Cody and Waite, "Software Manual for the
 * Elementary Functions", 1980, chapter 6). k comes from adding 1.5 * 2^52, which leaves it in the
 * low bits. r_hi is exact by fma. exp(r) - 1 = r_hi + tail, tail = r_lo + r^2 q(r). */
typedef struct exp_split_f64 {
  double k, r_hi, tail;
  uint64_t n; /* k as an integer */
} exp_split_f64;

/* Of x + x_lo. */
TSR_MATH exp_split_f64 split_exp_f64(double x, double x_lo)
{
  const double shift = 0x1.8p52;
  const double t = __builtin_fma(x, 0x1.71547652b82fep0, shift);
  const double k = t - shift;
  const double r_hi = __builtin_fma(k, -0x1.62e42fefa39efp-1, x);
  const double r_lo = __builtin_fma(k, -0x1.abc9e3b39803fp-56, x_lo);
  const double r = r_hi + r_lo;
  const double r2 = r * r;
  double q_even = 0x1.1f78e7c32e010p-29;
  q_even = __builtin_fma(q_even, r2, 0x1.27e4d81523f67p-22);
  q_even = __builtin_fma(q_even, r2, 0x1.a01a01a81968ep-16);
  q_even = __builtin_fma(q_even, r2, 0x1.6c16c16c15ff9p-10);
  q_even = __builtin_fma(q_even, r2, 0x1.5555555555556p-5);
  q_even = __builtin_fma(q_even, r2, 0.5);
  double q_odd = 0x1.af4ecf3207b21p-26;
  q_odd = __builtin_fma(q_odd, r2, 0x1.71de01aacd321p-19);
  q_odd = __builtin_fma(q_odd, r2, 0x1.a01a01ac1e915p-13);
  q_odd = __builtin_fma(q_odd, r2, 0x1.1111111110050p-7);
  q_odd = __builtin_fma(q_odd, r2, 0x1.5555555555557p-3);
  const double q = __builtin_fma(q_odd, r, q_even);
  const uint64_t n = bits_of_f64(t) - 0x4338000000000000u;
  return (exp_split_f64){k, r_hi, __builtin_fma(r * r, q, r_lo), n};
}

typedef struct exp_split_f32 {
  float k, r_hi, tail;
  uint32_t n;
} exp_split_f32;

TSR_MATH exp_split_f32 split_exp_f32(float x)
{
  const float shift = 0x1.8p23f;
  const float t = __builtin_fmaf(x, 0x1.715476p0f, shift);
  const float k = t - shift;
  const float r_hi = __builtin_fmaf(k, -0x1.62e43p-1f, x);
  const float r_lo = k * 0x1.05c61p-29f;
  const float r = r_hi + r_lo;
  float q = 0x1.a17dfcp-13f;
  q = __builtin_fmaf(q, r, 0x1.6d432p-10f);
  q = __builtin_fmaf(q, r, 0x1.1110acp-7f);
  q = __builtin_fmaf(q, r, 0x1.5554eap-5f);
  q = __builtin_fmaf(q, r, 0x1.555556p-3f);
  q = __builtin_fmaf(q, r, 0.5f);
  return (exp_split_f32){k, r_hi, __builtin_fmaf(r * r, q, r_lo), bits_of_f32(t) - 0x4b400000u};
}

/* 1 + r_hi is carried in two parts, so that only its end is rounded at full size. Far ends are
 * chosen at the end; NaN passes through r. */
TSR_MATH double exp_f64(double x)
{
  const exp_split_f64 e = split_exp_f64(x, 0.0);
  const double sum = 1.0 + e.r_hi;
  const double rest = (1.0 - sum) + e.r_hi; /* exact: |r_hi| < 1 */
  const double y = sum + (rest + e.tail);
  double z = scale_f64(y, e.n);
  z = x < -750.0 ? 0.0 : z;
  return x > 710.0 ? __builtin_inf() : z;
}
TSR_MATH float exp_f32(float x)
{
  const exp_split_f32 e = split_exp_f32(x);
  const float sum = 1.0f + e.r_hi;
  const float rest = (1.0f - sum) + e.r_hi;
  const float y = sum + (rest + e.tail);
  float z = scale_f32(y, e.n);
  z = x < -105.0f ? 0.0f : z;
  return x > 89.0f ? __builtin_inff() : z;
}

/* exp(x) for |x| < 700, by 31 bits: for float32 results that are computed in float64. */
TSR_MATH double exp_mid(double x)
{
  const double shift = 0x1.8p52;
  const double t = __builtin_fma(x, 0x1.71547652b82fep0, shift);
  const double r = __builtin_fma(t - shift, -0x1.62e42fefa39efp-1, x);
  double q = 0x1.a17dfbfe54cffp-13;
  q = __builtin_fma(q, r, 0x1.6d43205bd4175p-10);
  q = __builtin_fma(q, r, 0x1.1110ab7678a48p-7);
  q = __builtin_fma(q, r, 0x1.5554e9094c9e5p-5);
  q = __builtin_fma(q, r, 0x1.555555742c1d2p-3);
  q = __builtin_fma(q, r, 0x1.0000000b90b85p-1);
  const double y = 1.0 + __builtin_fma(r * r, q, r);
  return y * f64_of_bits((bits_of_f64(t) - 0x4338000000000000u + 1023) << 52);
}

/* exp(x) - 1 = 2^n (hi + lo), hi + lo = (1 - 2^-n) + r_hi + tail, the first two added exactly. x
 * from -60 on. */
typedef struct expm1_parts_f64 {
  double hi, lo;
  uint64_t n;
} expm1_parts_f64;

TSR_MATH expm1_parts_f64 parts_expm1_f64(double x)
{
  const exp_split_f64 e = split_exp_f64(x, 0.0);
  const double c = e.k > 100.0 ? 0.0 : f64_of_bits((1023 - e.n) << 52);
  const double b = 1.0 - c;
  const double b_lo = (1.0 - b) - c;
  const double hi = b + e.r_hi;
  const double rest = (b - hi) + e.r_hi; /* exact: b is 0 or greater than r_hi */
  return (expm1_parts_f64){hi, rest + (b_lo + e.tail), e.n};
}

typedef struct expm1_parts_f32 {
  float hi, lo;
  uint32_t n;
} expm1_parts_f32;

TSR_MATH expm1_parts_f32 parts_expm1_f32(float x)
{
  const exp_split_f32 e = split_exp_f32(x);
  const float c = e.k > 60.0f ? 0.0f : f32_of_bits((127 - e.n) << 23);
  const float b = 1.0f - c;
  const float b_lo = (1.0f - b) - c;
  const float hi = b + e.r_hi;
  const float rest = (b - hi) + e.r_hi;
  return (expm1_parts_f32){hi, rest + (b_lo + e.tail), e.n};
}

TSR_MATH double expm1_f64(double x)
{
  const expm1_parts_f64 e = parts_expm1_f64(x < -60.0 ? -60.0 : x);
  const double y = scale_f64(e.hi + e.lo, e.n);
  return __builtin_copysign(x > 710.0 ? __builtin_inf() : y, x);
}
TSR_MATH float expm1_f32(float x)
{
  const expm1_parts_f32 e = parts_expm1_f32(x < -30.0f ? -30.0f : x);
  const float y = scale_f32(e.hi + e.lo, e.n);
  return __builtin_copysignf(x > 89.0f ? __builtin_inff() : y, x);
}

/* tanh(x) = E / (E + 2), E = exp(2 x) - 1; the quotient is mended by its remainder. */
TSR_MATH double tanh_f64(double x)
{
  const double a = __builtin_fabs(x);
  const expm1_parts_f64 e = parts_expm1_f64(2.0 * (a > 22.0 ? 22.0 : a));
  const double scale = f64_of_bits((e.n + 1023) << 52);
  const double sum = e.hi + e.lo;
  const double hi = sum * scale, lo = ((e.hi - sum) + e.lo) * scale;
  const double d = hi + 2.0;
  const double back = d - hi;
  const double d_lo = ((hi - (d - back)) + (2.0 - back)) + lo;
  const double inverse = 1.0 / d;
  const double q = hi * inverse;
  const double rest = __builtin_fma(-q, d, hi) + __builtin_fma(-q, d_lo, lo);
  return __builtin_copysign(__builtin_fma(rest, inverse, q), x);
}
TSR_MATH float tanh_f32(float x)
{
  const float a = __builtin_fabsf(x);
  const expm1_parts_f32 e = parts_expm1_f32(2.0f * (a > 10.0f ? 10.0f : a));
  const float scale = f32_of_bits((e.n + 127) << 23);
  const float sum = e.hi + e.lo;
  const float hi = sum * scale, lo = ((e.hi - sum) + e.lo) * scale;
  const float d = hi + 2.0f;
  const float back = d - hi;
  const float d_lo = ((hi - (d - back)) + (2.0f - back)) + lo;
  const float inverse = 1.0f / d;
  const float q = hi * inverse;
  const float rest = __builtin_fmaf(-q, d, hi) + __builtin_fmaf(-q, d_lo, lo);
  return __builtin_copysignf(__builtin_fmaf(rest, inverse, q), x);
}

/* --- log, log1p --------------------------------------------------------------------------------
 *
 * x = 2^k m, sqrt(1/2) <= m < sqrt(2), f = m - 1. With s = f / (2 + f), log(1 + f) = 2 atanh(s) =
 * 2 s + s R(s^2), and 2 s = f - s f, so that f itself is the leading term: log(1 + f) = f - (f^2 /
 * 2
 * - s (f^2 / 2 + R)). */
typedef struct log_split_f64 {
  double k, m;
} log_split_f64;

/* x > 0, finite; subnormal x only if `subnormals`. */
TSR_MATH log_split_f64 split_log_f64(double x, int subnormals)
{
  const int tiny = subnormals && x < 0x1p-1022;
  const uint64_t u =
      bits_of_f64(tiny ? x * 0x1p54 : x) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
  const double m = f64_of_bits((u & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
  const double k =
      f64_of_bits(0x4330000000000000u | u >> 52) - (tiny ? 0x1p52 + 1077 : 0x1p52 + 1023);
  return (log_split_f64){k, m};
}

/* k ln 2 + log(1 + f) + low */
TSR_MATH double sum_log_f64(double k, double f, double low)
{
  const double s = f / (2.0 + f);
  const double z = s * s;
  double p = 0x1.2f041d13713abp-3;
  p = __builtin_fma(p, z, 0x1.39a1e007ddcfep-3);
  p = __builtin_fma(p, z, 0x1.74663d38ca3e9p-3);
  p = __builtin_fma(p, z, 0x1.c71c521321744p-3);
  p = __builtin_fma(p, z, 0x1.24924941e26c4p-2);
  p = __builtin_fma(p, z, 0x1.999999997ff0ep-2);
  p = __builtin_fma(p, z, 0x1.5555555555592p-1);
  const double half = 0.5 * f * f;
  const double rest =
      __builtin_fma(s, __builtin_fma(z, p, half), __builtin_fma(k, 0x1.abc9e3b39803fp-56, low));
  return __builtin_fma(k, 0x1.62e42fefa39efp-1, f - (half - rest));
}

TSR_MATH double log_f64(double x)
{
  const log_split_f64 l = split_log_f64(x, 1);
  double y = sum_log_f64(l.k, l.m - 1.0, 0.0);
  y = x < __builtin_inf() ? y : x;
  y = x == 0.0 ? -__builtin_inf() : y;
  return x < 0.0 ? __builtin_nan("") : y;
}

typedef struct log_split_f32 {
  float k, m;
} log_split_f32;

TSR_MATH log_split_f32 split_log_f32(float x)
{
  const int tiny = x < 0x1p-126f;
  const uint32_t u = bits_of_f32(tiny ? x * 0x1p24f : x) + (0x3f800000u - 0x3f3504f3u);
  const float m = f32_of_bits((u & 0x007fffffu) + 0x3f3504f3u);
  const float k = f32_of_bits(0x4b000000u | u >> 23) - (tiny ? 0x1p23f + 151 : 0x1p23f + 127);
  return (log_split_f32){k, m};
}

TSR_MATH float sum_log_f32(float k, float f, float low)
{
  const float s = f / (2.0f + f);
  const float z = s * s;
  float p = 0x1.31e0d4p-2f;
  p = __builtin_fmaf(p, z, 0x1.995ed4p-2f);
  p = __builtin_fmaf(p, z, 0x1.55557ap-1f);
  const float half = 0.5f * f * f;
  const float rest =
      __builtin_fmaf(s, __builtin_fmaf(z, p, half), __builtin_fmaf(k, -0x1.05c61p-29f, low));
  return __builtin_fmaf(k, 0x1.62e43p-1f, f - (half - rest));
}

TSR_MATH float log_f32(float x)
{
  const log_split_f32 l = split_log_f32(x);
  float y = sum_log_f32(l.k, l.m - 1.0f, 0.0f);
  y = x < __builtin_inff() ? y : x;
  y = x == 0.0f ? -__builtin_inff() : y;
  return x < 0.0f ? __builtin_nanf("") : y;
}

/* u + c = 1 + x exactly; f = 2^-k (u + c) - 1 in two parts: x itself where k is 0. */
TSR_MATH double log1p_f64(double x)
{
  const double u = 1.0 + x;
  const double c = x >= 1.0 ? 1.0 - (u - x) : x - (u - 1.0);
  const log_split_f64 l = split_log_f64(u, 0);
  const double g = l.m - 1.0;
  const double h = c * f64_of_bits(0x3ff0000000000000u + bits_of_f64(l.m) - bits_of_f64(u));
  const double f = g + (l.k > 100.0 ? 0.0 : h);
  const double low = (g - f) + (l.k > 100.0 ? 0.0 : h);
  double y = sum_log_f64(l.k, f, __builtin_fma(-f, low, low));
  y = __builtin_copysign(y, x);
  y = x < __builtin_inf() ? y : x;
  y = x == -1.0 ? -__builtin_inf() : y;
  return x < -1.0 ? __builtin_nan("") : y;
}
TSR_MATH float log1p_f32(float x)
{
  const float u = 1.0f + x;
  const float c = x >= 1.0f ? 1.0f - (u - x) : x - (u - 1.0f);
  const log_split_f32 l = split_log_f32(u);
  const float g = l.m - 1.0f;
  const float h = c * f32_of_bits(0x3f800000u + bits_of_f32(l.m) - bits_of_f32(u));
  const float f = g + (l.k > 50.0f ? 0.0f : h);
  const float low = (g - f) + (l.k > 50.0f ? 0.0f : h);
  float y = sum_log_f32(l.k, f, __builtin_fmaf(-f, low, low));
  y = __builtin_copysignf(y, x);
  y = x < __builtin_inff() ? y : x;
  y = x == -1.0f ? -__builtin_inff() : y;
  return x < -1.0f ? __builtin_nanf("") : y;
}

/* --- power -------------------------------------------------------------------------------------
 *
 * |x|^y = exp(y log |x|), log |x| in two parts to 2^-66 of itself: 2 s + s z A(z) as above, with s,
 * z = s^2 and the leading coefficient of A in two parts. */
TSR_MATH double magnitude_power_f64(double a, double y)
{
  const log_split_f64 l = split_log_f64(a, 1);
  const double f = l.m - 1.0, d = l.m + 1.0;
  const double d_lo = l.m - (d - 1.0);
  const double inverse = 1.0 / d;
  const double s = f * inverse;
  const double s_lo = __builtin_fma(-s, d_lo, __builtin_fma(-s, d, f)) * inverse;
  const double z = s * s;
  const double z_lo = __builtin_fma(2.0 * s, s_lo, __builtin_fma(s, s, -z));
  double p = 0x1.ed03310520b6bp-4;
  p = __builtin_fma(p, z, 0x1.ddefa173d3bf1p-4);
  p = __builtin_fma(p, z, 0x1.1122a477333b1p-3);
  p = __builtin_fma(p, z, 0x1.3b1353677ce7ap-3);
  p = __builtin_fma(p, z, 0x1.745d1879815a8p-3);
  p = __builtin_fma(p, z, 0x1.c71c71c4bc2cfp-3);
  p = __builtin_fma(p, z, 0x1.24924924939ccp-2);
  p = __builtin_fma(p, z, 0x1.999999999998ep-2);
  const double a_0 = 0x1.5555555555555p-1, q = p * z;
  const double a_hi = a_0 + q;
  const double a_lo = ((a_0 - a_hi) + q) + 0x1.59afbc833ba6ep-55;
  const double b = z * a_hi;
  const double b_lo = __builtin_fma(z, a_hi, -b) + __builtin_fma(z, a_lo, z_lo * a_hi);
  const double c = s * b;
  const double c_lo = __builtin_fma(s, b, -c) + __builtin_fma(s, b_lo, s_lo * b);
  const double m_hi = 2.0 * s + c;
  const double m_lo = ((2.0 * s - m_hi) + c) + (2.0 * s_lo + c_lo);
  const double k_hi = l.k * 0x1.62e42fefa38p-1; /* exact: 42 bits of ln 2 */
  const double log_hi = k_hi + m_hi;
  const double log_lo = ((k_hi - log_hi) + m_hi) + __builtin_fma(l.k, 0x1.ef35793c7673p-45, m_lo);
  /* Beyond 2^65 every power but that of 1 is 0 or infinite: no product below overflows. */
  const double e = y > 0x1p65 ? 0x1p65 : y < -0x1p65 ? -0x1p65 : y;
  const double product = e * log_hi;
  const double product_lo = __builtin_fma(e, log_lo, __builtin_fma(e, log_hi, -product));
  const exp_split_f64 r = split_exp_f64(product, product_lo);
  const double sum = 1.0 + r.r_hi;
  const double v = scale_f64(sum + (((1.0 - sum) + r.r_hi) + r.tail), r.n);
  return product > 710.0 ? __builtin_inf() : product < -750.0 ? 0.0 : v;
}

/* |x|^y for x and y of float32, in float64 to 31 bits. */
TSR_MATH double magnitude_power_f32(double a, double y)
{
  const log_split_f64 l = split_log_f64(a, 0);
  const double f = l.m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  double p = 0x1.9115814f72868p-3;
  p = __builtin_fma(p, z, 0x1.c62b14d6d8fe4p-3);
  p = __builtin_fma(p, z, 0x1.249411f082ed6p-2);
  p = __builtin_fma(p, z, 0x1.999996a93b50ap-2);
  p = __builtin_fma(p, z, 0x1.555555561e4e4p-1);
  const double log_m = __builtin_fma(s * z, p, 2.0 * s);
  const double e = y > 0x1p65 ? 0x1p65 : y < -0x1p65 ? -0x1p65 : y;
  const double product = e * __builtin_fma(l.k, 0x1.62e42fefa39efp-1, log_m);
  return exp_mid(product > 200.0 ? 200.0 : product < -200.0 ? -200.0 : product);
}

/* What C's pow (Annex F.10.4.4) says beside |x|^y = `v`: signs, zeros, infinities, NaN. From 2^52
 * on a number is an integer, and below, adding 2^52 leaves the integer in the low bits. */
TSR_MATH double finish_power(double v, double x, double y)
{
  const double inf = __builtin_inf(), a = __builtin_fabs(x), b = __builtin_fabs(y);
  const double t = b < 0x1p52 ? b + 0x1p52 : b;
  const double whole = b < 0x1p52 ? t - 0x1p52 : b;
  const double on_zero = y < 0.0 ? inf : 0.0, on_infinity = y < 0.0 ? 0.0 : inf;
  const double on_negative = whole == b ? v : __builtin_nan("");
  v = x < 0.0 ? on_negative : v;
  v = a == 0.0 ? on_zero : v;
  v = a == inf ? on_infinity : v;
  uint64_t odd = b < 0x1p53 ? bits_of_f64(t) << 63 : 0;
  odd = whole == b ? odd : 0;
  v = f64_of_bits(bits_of_f64(v) | (odd & bits_of_f64(x)));
  v = x != x ? x : v;
  v = y != y ? y : v;
  v = x == 1.0 ? 1.0 : v;
  return y == 0.0 ? 1.0 : v;
}

TSR_MATH double power_f64(double x, double y)
{
  return finish_power(magnitude_power_f64(__builtin_fabs(x), y), x, y);
}
TSR_MATH float power_f32(float x, float y)
{
  const double a = __builtin_fabsf(x);
  return (float)finish_power(magnitude_power_f32(a, y), x, y);
}

/* By squaring, modulo 2^32 or 2^64. A negative exponent gives what is left of the fraction: 1 or -1
 * for those bases, else 0. */
static inline int64_t power_i64(int64_t x, int64_t y)
{
  if (y < 0) return x == 1 ? 1 : x == -1 ? (y & 1 ? -1 : 1) : 0;
  uint64_t result = 1, square = (uint64_t)x;
  for (uint64_t e = (uint64_t)y; e; e >>= 1) {
    result *= e & 1 ? square : 1;
    square *= square;
  }
  return (int64_t)result;
}
static inline int32_t power_i32(int32_t x, int32_t y)
{
  return (int32_t)(uint32_t)(uint64_t)power_i64(x, y);
}

/* --- hypot -------------------------------------------------------------------------------------
 *
 * Scaled by a power of two where the squares would leave the range; infinite where one operand is,
 * even beside NaN (C, F.10.4.3). */
TSR_MATH double hypot_f64(double x, double y)
{
  const double inf = __builtin_inf(), a = __builtin_fabs(x), b = __builtin_fabs(y);
  const double high = a > b ? a : b, low = a > b ? b : a;
  const double down = high > 0x1p500 ? 0x1p-600 : high < 0x1p-400 ? 0x1p600 : 1.0;
  const double up = high > 0x1p500 ? 0x1p600 : high < 0x1p-400 ? 0x1p-600 : 1.0;
  const double h = high * down, l = low * down;
  const double v = __builtin_sqrt(__builtin_fma(h, h, l * l)) * up;
  return (a == inf) | (b == inf) ? inf : v;
}
TSR_MATH float hypot_f32(float x, float y)
{
  const float inf = __builtin_inff();
  const double a = x, b = y;
  const float v = (float)__builtin_sqrt(__builtin_fma(a, a, b * b));
  return (__builtin_fabsf(x) == inf) | (__builtin_fabsf(y) == inf) ? inf : v;
}

#endif
