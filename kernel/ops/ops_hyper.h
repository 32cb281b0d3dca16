/* sinh, cosh, arcsinh, arccosh and arctanh of ops.def, in the manner of kernel/ops/ops_math.h. The
 * float32 functions compute in float64, in the manner of kernel/ops/ops_short.h. Polynomials:
 * tools/minimax.py. */
#ifndef TSR_OPS_HYPER_H
#define TSR_OPS_HYPER_H

#include "kernel/ops/ops_short.h"

/* exp(a) = 2^n (hi + lo), exp(-a) = 2^n back, for 0 <= a <= 711. */
typedef struct exp_both_f64 {
  f64 hi, lo, back;
  u64 n;
} exp_both_f64;

TSR_MATH exp_both_f64 both_exp_f64(f64 a)
{
  const exp_split_f64 e = split_exp_f64(smaller_f64(711.0, a), splat_f64(0.0));
  const f64 sum = 1.0 + e.r_hi;
  const f64 rest = ((1.0 - sum) + e.r_hi) + e.tail;
  const f64 hi = sum + rest;
  const u64 twice = select_u64(e.k > 100.0, 200, e.n + e.n);
  return TSR_MAKE(exp_both_f64, hi, (sum - hi) + rest, from_bits_f64((1023 - twice) << 52) / hi,
                  e.n);
}

/* y 2^(n - 1), for n from 0 to 1,026: the last factor is exact, or makes it infinite. */
TSR_MATH f64 scale_half_f64(f64 y, u64 n)
{
  return y * from_bits_f64((n + 1020) << 52) * 4.0;
}

TSR_MATH f64 sinh_f64(f64 x)
{
  const f64 a = abs_f64(x), z = x * x;
  f64 p = fma_f64(0x1.c3294950fa9fep-48, z, 0x1.a6d5c8e5f9fddp-41);
  p = fma_f64(p, z, 0x1.6130ab6921635p-33);
  p = fma_f64(p, z, 0x1.ae64420bd3007p-26);
  p = fma_f64(p, z, 0x1.71de3a682200ep-19);
  p = fma_f64(p, z, 0x1.a01a01a007b25p-13);
  p = fma_f64(p, z, 0x1.1111111111199p-7);
  p = fma_f64(p, z, 0x1.5555555555555p-3);
  const f64 near = fma_f64(a * z, p, a);
  const exp_both_f64 e = both_exp_f64(a);
  const f64 sum = e.hi - e.back;
  const f64 far = scale_half_f64(sum + (((e.hi - sum) - e.back) + e.lo), e.n);
  return copysign_f64(select_f64(a < 1.0, near, far), x);
}
TSR_RARE f32 sinh_long_f32(f32 x)
{
  return narrow_f32(sinh_f64(widen_f64(x)));
}
/* x itself where it is below the normal numbers. */
TSR_MATH f32 sinh_f32(f32 x)
{
  const short_exp_f64 e = exp_short_f64(widen_f64(smaller_f32(100.0f, abs_f32(x))));
  const f64 y = fma_f64(e.even, e.up - e.down, e.odd * (e.up + e.down));
  return any_unsure_f64(y) ? sinh_long_f32(x) : copysign_f32(narrow_f32(y), x);
}

TSR_MATH f64 cosh_f64(f64 x)
{
  const exp_both_f64 e = both_exp_f64(abs_f64(x));
  const f64 sum = e.hi + e.back;
  return scale_half_f64(sum + (((e.hi - sum) + e.back) + e.lo), e.n);
}
TSR_RARE f32 cosh_long_f32(f32 x)
{
  return narrow_f32(cosh_f64(widen_f64(x)));
}
TSR_MATH f32 cosh_f32(f32 x)
{
  const short_exp_f64 e = exp_short_f64(widen_f64(smaller_f32(100.0f, abs_f32(x))));
  const f64 y = fma_f64(e.even, e.up + e.down, e.odd * (e.up - e.down));
  return any_unsure_f64(y) ? cosh_long_f32(x) : narrow_f32(y);
}

/* sqrt(x + x_lo) in two parts; 0 of 0. */
TSR_MATH pair_f64 root_pair_f64(f64 x, f64 x_lo)
{
  const f64 s = sqrt_f64(x);
  const f64 rest = (fma_f64(-s, s, x) + x_lo) / (s + s);
  return TSR_MAKE(pair_f64, s, select_f64(s > 0.0, rest, 0.0));
}

/* log1p(a + a^2 / (1 + sqrt(1 + a^2))); where the squares would leave the range, log(2^more a). */
TSR_MATH pair_f64 sum_arcsinh_f64(f64 b)
{
  const f64 square = b * b;
  const f64 square_lo = fma_f64(b, b, -square);
  const pair_f64 one = add_exactly_f64(splat_f64(1.0), square);
  const pair_f64 root = root_pair_f64(one.sum, one.rest + square_lo);
  const f64 bottom = 1.0 + root.sum;
  const f64 part = square / bottom;
  const f64 part_lo = (fma_f64(-part, bottom, square) + square_lo -
                       part * ((1.0 - bottom) + root.sum + root.rest)) /
                      bottom;
  const pair_f64 sum = add_exactly_f64(b, part);
  return TSR_MAKE(pair_f64, sum.sum, sum.rest + part_lo);
}
TSR_MATH f64 arcsinh_of_f64(f64 a, f64 more)
{
  const m64 big = a > 0x1p60;
  const pair_f64 sum = sum_arcsinh_f64(select_f64(big, 1.0, a));
  return sum_log1p_f64(select_f64(big, a, sum.sum), select_f64(big, 0.0, sum.rest),
                       select_f64(big, more, 0.0));
}
TSR_RARE f64 arcsinh_far_f64(f64 x)
{
  const f64 a = abs_f64(x), y = arcsinh_of_f64(a, splat_f64(1.0));
  return copysign_f64(select_f64(a < TSR_INF64, y, a), x);
}
TSR_MATH f64 arcsinh_f64(f64 x)
{
  const f64 a = abs_f64(x);
  const pair_f64 sum = sum_arcsinh_f64(a);
  const f64 y = sum_log1p_f64(sum.sum, sum.rest, splat_f64(0.0));
  return any_f64(bits_of_f64(a) >= 0x43b0000000000000u) ? arcsinh_far_f64(x) : copysign_f64(y, x);
}
TSR_RARE f32 arcsinh_long_f32(f32 x)
{
  return narrow_f32(arcsinh_f64(widen_f64(x)));
}
/* log(a + sqrt(1 + a^2)), next to 0 a - a^3 / 6; x itself where it is below the normal numbers. */
TSR_MATH f32 arcsinh_f32(f32 x)
{
  const f64 a = abs_f64(widen_f64(x));
  const f64 square = a * a;
  const f64 far = sum_short_f64(log_short_f64(a + sqrt_f64(square + 1.0)));
  const f64 near = fma_f64(a * square, -0x1.5555555555555p-3, a);
  const f64 y = select_f64(a < 0x1p-9, near, far);
  return any_unsure_f64(y) ? arcsinh_long_f32(x)
                           : select_f32(abs_f32(x) < TSR_INF32, copysign_f32(narrow_f32(y), x), x);
}

/* log1p(t + sqrt(2 t + t^2)), t = x - 1. */
TSR_MATH f64 arccosh_f64(f64 x)
{
  const m64 big = x > 0x1p60;
  const f64 t = select_f64(big, 1.0, x - 1.0), square = t * t;
  const pair_f64 two = add_exactly_f64(t + t, square);
  const pair_f64 root = root_pair_f64(two.sum, two.rest + fma_f64(t, t, -square));
  const pair_f64 sum = add_exactly_f64(root.sum, t);
  const f64 y =
      sum_log1p_f64(select_f64(big, x, sum.sum), select_f64(big, 0.0, sum.rest + root.rest),
                    select_f64(big, 1.0, 0.0));
  return select_f64(x < 1.0, TSR_NAN64, select_f64(x < TSR_INF64, y, x));
}
TSR_RARE f32 arccosh_long_f32(f32 x)
{
  return narrow_f32(arccosh_f64(widen_f64(x)));
}
/* log(x + sqrt(x^2 - 1)): the sum is at least 1 + 2^-11, of which enough is left. */
TSR_MATH f32 arccosh_f32(f32 x)
{
  const f64 a = widen_f64(x);
  const f64 y = sum_short_f64(log_short_f64(a + sqrt_f64(fma_f64(a, a, -1.0))));
  const f32 z = select_f32(x < TSR_INF32, narrow_f32(y), x);
  return any_unsure_f64(y) ? arccosh_long_f32(x) : select_f32(x < 1.0f, TSR_NAN32, z);
}

/* At 1 and beyond. */
TSR_RARE f64 arctanh_special_f64(f64 x, f64 y)
{
  const f64 a = abs_f64(x);
  y = select_f64(a == 1.0, TSR_INF64, y);
  y = select_f64(a > 1.0, TSR_NAN64, y);
  return select_f64(x == x, copysign_f64(y, x), x);
}
/* log1p(2 a / (1 - a)) / 2. */
TSR_MATH f64 arctanh_f64(f64 x)
{
  const f64 a = abs_f64(x);
  const f64 bottom = 1.0 - a;
  const f64 bottom_lo = (1.0 - bottom) - a;
  const f64 q = (a + a) / bottom;
  const f64 q_lo = (fma_f64(-q, bottom, a + a) - q * bottom_lo) / bottom;
  const f64 y = 0.5 * sum_log1p_f64(q, q_lo, splat_f64(0.0));
  const f64 z = select_f64(a < 0x1p-60, a, y);
  return any_f64(bits_of_f64(a) >= 0x3ff0000000000000u) ? arctanh_special_f64(x, z)
                                                        : copysign_f64(z, x);
}
TSR_RARE f32 arctanh_long_f32(f32 x)
{
  return narrow_f32(arctanh_f64(widen_f64(x)));
}
/* (1 + a) / (1 - a) = 2^k (1 + s) / (1 - s), so that atanh(a) = k ln(2) / 2 + atanh(s), with one
 * division: c = 2^k comes from the difference of both as integers, which is nearly that of their
 * logarithms: |s| < 0.203. x itself where it is below the normal numbers. */
TSR_MATH f32 arctanh_f32(f32 x)
{
  const f64 a = abs_f64(widen_f64(x));
  const u64 apart = bits_of_f64(1.0 + a) - bits_of_f64(1.0 - a);
  const u64 power = (apart + 0x3ff8000000000000u) & 0xfff0000000000000u;
  const f64 k = from_bits_f64(0x4330000000000000u | power >> 52) - (0x1p52 + 1023);
  const f64 c = from_bits_f64(power);
  const f64 less = 1.0 - c, sum = 1.0 + c;
  const f64 s = fma_f64(a, sum, less) / fma_f64(a, less, sum);
  const f64 z = s * s;
  f64 q = fma_f64(0x1.9d43973be291bp-4, z, 0x1.c53965fa276cfp-4);
  q = fma_f64(q, z, 0x1.249749e722726p-3);
  q = fma_f64(q, z, 0x1.99998e11bfd31p-3);
  q = fma_f64(q, z, 0x1.55555559a4272p-2);
  const f64 y = fma_f64(k, 0x1.62e42fefa39efp-2, fma_f64(s * z, q, s));
  const f32 beyond = select_f32(abs_f32(x) == 1.0f, TSR_INF32, TSR_NAN32);
  const f32 v = select_f32(abs_f32(x) < 1.0f, narrow_f32(y), beyond);
  return any_unsure_f64(y) ? arctanh_long_f32(x) : copysign_f32(v, x);
}

#endif
