/* gamma and lgamma of ops.def, in the manner of kernel/ops/ops_math.h. The float32 functions
 * compute in float64.
 *
 * a = |x| is taken to X = a + n >= 8 by gamma(a) = gamma(X) / (a (a + 1) ... (a + n - 1)), and
 * there log gamma(X) comes from Stirling's series (Abramowitz and Stegun, 6.1.40), its tail
 * refitted (tools/minimax.py); all of it in two parts. To the left of 0: gamma(-a) = -pi / (a
 * sin(pi a) gamma(a)). Between 3/4 and 9/4 lgamma is a polynomial from its zeros at 1 and 2. */
#ifndef TSR_OPS_GAMMA_H
#define TSR_OPS_GAMMA_H

#include "kernel/ops/ops_circle.h"
#include "kernel/ops/ops_zeros.h"

TSR_MATH pair_f64 product_f64(pair_f64 x, f64 y, f64 y_lo)
{
  const f64 p = x.sum * y;
  return TSR_MAKE(pair_f64, p, fma_f64(x.sum, y, -p) + fma_f64(x.sum, y_lo, x.rest * y));
}

/* log gamma(x + x_lo), x >= 8. */
TSR_MATH pair_f64 stirling_f64(f64 x, f64 x_lo)
{
  const log_pair_f64 l = pair_log_f64(split_log_f64(x));
  const f64 e = x - 0.5;
  const f64 product = e * l.hi;
  const f64 product_lo = fma_f64(e, l.lo, fma_f64(e, l.hi, -product));
  const f64 inverse = 1.0 / x;
  const f64 inverse_lo = inverse * (fma_f64(-inverse, x, 1.0) - inverse * x_lo);
  const f64 z = inverse * inverse;
  f64 p = fma_f64(0x1.22579c18ee25dp-8, z, -0x1.e7d2d84d8cb07p-10);
  p = fma_f64(p, z, 0x1.b8e785d6f2185p-11);
  p = fma_f64(p, z, -0x1.3812c1156b2c0p-11);
  p = fma_f64(p, z, 0x1.a01a00fced611p-11);
  p = fma_f64(p, z, -0x1.6c16c16c09da8p-9);
  const f64 c = inverse * 0x1.5555555555555p-4;
  const f64 c_lo = fma_f64(inverse, 0x1.5555555555555p-4, -c) +
                   fma_f64(inverse, 0x1.5555555555555p-58, inverse_lo * 0x1.5555555555555p-4);
  const f64 low = fma_f64(x_lo, fma_f64(-0.5, inverse, l.hi), fma_f64(inverse * z, p, c_lo));
  const pair_f64 s = add_exactly_f64(product, -x);
  const pair_f64 t = add_exactly_f64(s.sum, splat_f64(0x1.d67f1c864beb5p-1));
  const pair_f64 u = add_exactly_f64(t.sum, c);
  const f64 rest = ((s.rest + t.rest) + (u.rest + product_lo)) + (low - 0x1.65b5a1b7ff5dfp-55);
  const f64 sum = u.sum + rest;
  return TSR_MAKE(pair_f64, sum, (u.sum - sum) + rest);
}

/* What gamma and lgamma have in common: log gamma(X); what gamma(X) is to be divided by, to the
 * left of 0 together with 1 / (pi between), as factors of which X and the sine are made. */
typedef struct gamma_parts_f64 {
  pair_f64 log, part, between;
} gamma_parts_f64;

/* between * (a + j) where j is needed, j < 8 - a. */
TSR_MATH pair_f64 step_gamma_f64(pair_f64 between, f64 a, f64 j)
{
  const m64 needed = a < 8.0 - j;
  const pair_f64 s = add_exactly_f64(a, j);
  const pair_f64 p =
      product_f64(between, select_f64(needed, s.sum, 1.0), select_f64(needed, s.rest, 0.0));
  return p;
}

/* a >= 2^-60; between = (a + 1) ... (a + n - 1); part = a between, to the left sin(pi a), times a
 * where there is no such product. */
TSR_MATH gamma_parts_f64 split_gamma_f64(f64 a, m64 is_left)
{
  const m64 short_of = a < 8.0;
  const f64 n = select_f64(short_of, 8.0 - floor_f64(a), 0.0);
  const pair_f64 x = add_exactly_f64(a, n);
  const pair_f64 p1 =
      step_gamma_f64(TSR_MAKE(pair_f64, splat_f64(1.0), splat_f64(0.0)), a, splat_f64(1.0));
  const pair_f64 p2 = step_gamma_f64(p1, a, splat_f64(2.0));
  const pair_f64 p3 = step_gamma_f64(p2, a, splat_f64(3.0));
  const pair_f64 p4 = step_gamma_f64(p3, a, splat_f64(4.0));
  const pair_f64 p5 = step_gamma_f64(p4, a, splat_f64(5.0));
  const pair_f64 p6 = step_gamma_f64(p5, a, splat_f64(6.0));
  const pair_f64 p7 = step_gamma_f64(p6, a, splat_f64(7.0));
  const circle_f64 c = fine_circle_f64(reduce_turns_f64(a));
  const pair_f64 from = {select_f64(is_left, c.sine, p7.sum),
                         select_f64(is_left, c.sine_lo, p7.rest)};
  const f64 by = select_f64(is_left, select_f64(short_of, 1.0, a), select_f64(short_of, a, 1.0));
  return TSR_MAKE(gamma_parts_f64, stirling_f64(x.sum, x.rest),
                  product_f64(from, by, splat_f64(0.0)), p7);
}

TSR_MATH f64 gamma_f64(f64 x)
{
  const f64 a = abs_f64(x);
  const m64 is_left = x < 0.0;
  const f64 b =
      select_f64(a < 0x1p-60, 1.0, select_f64(is_left, a, select_f64(a > 200.0, 200.0, a)));
  const gamma_parts_f64 g = split_gamma_f64(b, is_left);
  const m64 vanishes = is_left & (a > 190.0);
  const exp_split_f64 e =
      split_exp_f64(select_f64(vanishes, 900.0, g.log.sum), select_f64(vanishes, 0.0, g.log.rest));
  const f64 sum = 1.0 + e.r_hi;
  const f64 rest = ((1.0 - sum) + e.r_hi) + e.tail;
  const f64 hi = sum + rest;
  const pair_f64 m = {hi, (sum - hi) + rest};
  const pair_f64 pi =
      product_f64(g.between, splat_f64(-0x1.921fb54442d18p+1), splat_f64(-0x1.1a62633145c07p-53));
  const pair_f64 bottom = product_f64(m, g.part.sum, g.part.rest);
  const pair_f64 y = quotient_f64(
      select_f64(is_left, pi.sum, m.sum), select_f64(is_left, pi.rest, m.rest),
      select_f64(is_left, bottom.sum, g.part.sum), select_f64(is_left, bottom.rest, g.part.rest));
  const u64 n = select_u64(is_left, 0 - e.n, e.n);
  f64 z = scale_f64(y.sum + y.rest, n);
  z = select_f64(is_left & (floor_f64(x) == x), TSR_NAN64, z);
  z = select_f64(a < 0x1p-60, 1.0 / x, z);
  return select_f64((x == x) & (x < TSR_INF64), z, x);
}
TSR_MATH f32 gamma_f32(f32 x)
{
  return narrow_f32(gamma_f64(widen_f64(x)));
}

/* log gamma(1 + t) and log gamma(2 + t), |t| <= 1/4. */
TSR_MATH f64 lgamma_1_f64(f64 t)
{
  const f64 t2 = t * t;
  f64 p_even = fma_f64(0x1.2bb3627726c59p-4, t2, 0x1.ecda73bd825d4p-5);
  p_even = fma_f64(p_even, t2, 0x1.2544971a5ebbep-4);
  p_even = fma_f64(p_even, t2, 0x1.556393bfbab4bp-4);
  p_even = fma_f64(p_even, t2, 0x1.9a02126b728e8p-4);
  p_even = fma_f64(p_even, t2, 0x1.010b36563058dp-3);
  p_even = fma_f64(p_even, t2, 0x1.5b40cb10c682dp-3);
  p_even = fma_f64(p_even, t2, 0x1.151322ac7d2a0p-2);
  p_even = fma_f64(p_even, t2, 0x1.a51a6625307d4p-1);
  f64 p_odd = fma_f64(-0x1.1f5392526fa5fp-4, t2, -0x1.cdf64a9c9840ap-5);
  p_odd = fma_f64(p_odd, t2, -0x1.11d17aa6ae87bp-4);
  p_odd = fma_f64(p_odd, t2, -0x1.3b1522c6643c3p-4);
  p_odd = fma_f64(p_odd, t2, -0x1.748c6deb6e360p-4);
  p_odd = fma_f64(p_odd, t2, -0x1.c8066f7724714p-4);
  p_odd = fma_f64(p_odd, t2, -0x1.2703a1de0c176p-3);
  p_odd = fma_f64(p_odd, t2, -0x1.a8b9c17aa4c85p-3);
  p_odd = fma_f64(p_odd, t2, -0x1.9a4d55beab2dbp-2);
  const f64 v = t * -0x1.2788cfc6fb619p-1;
  const f64 v_lo = fma_f64(t, -0x1.2788cfc6fb619p-1, -v) + t * 0x1.6cb90701fbfabp-58;
  return v + fma_f64(t2, fma_f64(p_odd, t, p_even), v_lo);
}
TSR_MATH f64 lgamma_2_f64(f64 t)
{
  const f64 t2 = t * t;
  f64 p_even = fma_f64(0x1.32a4f64999fdap-18, t2, 0x1.57d1c86dac513p-16);
  p_even = fma_f64(p_even, t2, 0x1.a1281993070f4p-14);
  p_even = fma_f64(p_even, t2, 0x1.0b36af8ec4a77p-11);
  p_even = fma_f64(p_even, t2, 0x1.7add6ead32ba0p-9);
  p_even = fma_f64(p_even, t2, 0x1.51322ac7d88a6p-6);
  p_even = fma_f64(p_even, t2, 0x1.4a34cc4a60fa6p-2);
  f64 p_odd = fma_f64(-0x1.216c8a6a375e2p-19, t2, -0x1.3c54375c90283p-17);
  p_odd = fma_f64(p_odd, t2, -0x1.78dfc314e2f11p-15);
  p_odd = fma_f64(p_odd, t2, -0x1.d3fd49ca7909cp-13);
  p_odd = fma_f64(p_odd, t2, -0x1.38ac5c2d5a4d6p-10);
  p_odd = fma_f64(p_odd, t2, -0x1.e404fc218eadap-8);
  p_odd = fma_f64(p_odd, t2, -0x1.13e001a557607p-4);
  const f64 v = t * 0x1.b0ee6072093cep-2;
  const f64 v_lo = fma_f64(t, 0x1.b0ee6072093cep-2, -v) + t * 0x1.6cb90701fbfabp-58;
  return v + fma_f64(t2, fma_f64(p_odd, t, p_even), v_lo);
}

/* Where |lgamma(x)| < least, x < -3, it is left to the expansion about its zero. */
TSR_MATH f64 lgamma_within_f64(f64 x, f64 least)
{
  const f64 a = abs_f64(x), inf = splat_f64(TSR_INF64);
  const m64 is_left = x < 0.0, tiny = a<0x1p-60, vast = x> 0x1p100;
  const f64 b = select_f64(tiny | vast, 1.0, select_f64(a < inf, a, 1.0));
  const gamma_parts_f64 g = split_gamma_f64(b, is_left);
  const pair_f64 pi =
      product_f64(g.between, splat_f64(0x1.921fb54442d18p+1), splat_f64(0x1.1a62633145c07p-53));
  const pair_f64 w = quotient_f64(g.part.sum, g.part.rest, select_f64(is_left, pi.sum, 1.0),
                                  select_f64(is_left, pi.rest, 0.0));
  const f64 size = abs_f64(w.sum);
  const log_pair_f64 l = pair_log_f64(split_log_f64(select_f64(tiny | vast, a, size)));
  const pair_f64 y = add_exactly_f64(select_f64(is_left, -g.log.sum, g.log.sum), -l.hi);
  const f64 log_rest = select_f64(is_left, -g.log.rest, g.log.rest);
  f64 z = y.sum + (y.rest + ((log_rest - l.lo) - w.rest / w.sum));
  const m64 about_1 = (x >= 0.75) & (x <= 1.25), about_2 = (x >= 1.75) & (x <= 2.25);
  z = select_f64(about_1, lgamma_1_f64(x - 1.0), z);
  z = select_f64(about_2, lgamma_2_f64(x - 2.0), z);
  z = select_f64(tiny, -l.hi - l.lo, z);
  const f64 less = l.hi - 1.0, all = a * less; /* a (log(a) - 1) */
  const f64 all_lo = fma_f64(a, less, -all) + a * (((l.hi - less) - 1.0) + l.lo);
  z = select_f64(vast, select_f64(all < inf, all + all_lo, inf), z);
  z = select_f64((x == 0.0) | (a == inf) | (is_left & (floor_f64(x) == x)), inf, z);
  z = select_f64(x == x, z, x);
  const m64 is_between = (x > -2.8) & (x < -2.36), is_beside = (abs_f64(z) < least) & (x < -3.0);
  z = some_f64(is_between) ? lgamma_between_f64(x, is_between, z) : z;
  return some_f64(is_beside) ? lgamma_beside_f64(x, is_beside, z) : z;
}
TSR_MATH f64 lgamma_f64(f64 x)
{
  return lgamma_within_f64(x, splat_f64(0x1p-5));
}
TSR_MATH f32 lgamma_f32(f32 x)
{
  return narrow_f32(lgamma_within_f64(widen_f64(x), splat_f64(0x1p-20)));
}

#endif
