/* What float32 functions have in common that compute a short formula in float64 and have the bits
 * of a long one all the same.
 *
 * The float32 result of such a function is its float64 function of the same operand, rounded. A
 * formula of fewer terms and in one part, whose relative error is below 2^-37, rounds to the same
 * float32 number unless its value lies within that error of the middle between two float32 numbers:
 * about once in 4,000 operands. Then, and only then, the long function is computed (Ziv, "Fast
 * Evaluation of Elementary Mathematical Functions with Correctly Rounded Last Bit", ACM TOMS 17,
 * 1991). So a function is
 *
 *   const f64 y = its short formula;
 *   return any_unsure_f64(y) ? its_long_f32(x) : what narrow_f32(y) and special cases give;
 *
 * The word any_unsure_f64 is true where some y is within 2^16 float64 steps of such a middle:
 * float32 drops 29 bits, of which the middle has the first one alone. 0, infinity and NaN are not
 * unsure. Numbers that are below the normal ones in float32 have their middle elsewhere: a function
 * that has such results says why they are right.
 *
 * The interpreter's loops, in which the word is always true, compute the long function alone:
 * tests/kernel/test_short.c compares compiled kernels with them, for all operands if it is asked
 * to. Polynomials: tools/minimax.py. */
#ifndef TSR_OPS_SHORT_H
#define TSR_OPS_SHORT_H

#include "kernel/ops/ops_math.h"

/* log(x) = k ln 2 + s q, s as in tail_log_f64. */
typedef struct short_log_f64 {
  f64 k, s, q;
} short_log_f64;

/* x > 0, normal and finite, as all positive float32 numbers are in float64. */
TSR_MATH short_log_f64 log_short_f64(f64 x)
{
  const log_split_f64 l = split_normal_f64(x, splat_f64(0x1p52 + 1023));
  const f64 f = l.m - 1.0;
  const f64 s = f / (2.0 + f);
  const f64 z = s * s;
  f64 q = fma_f64(0x1.e2f72824da7f9p-3, z, 0x1.2438d23d977d3p-2);
  q = fma_f64(q, z, 0x1.999a7aa1b4080p-2);
  q = fma_f64(q, z, 0x1.555554fd8e9fap-1);
  return TSR_MAKE(short_log_f64, l.k, s, fma_f64(q, z, 2.0));
}
TSR_MATH f64 sum_short_f64(short_log_f64 l)
{
  return fma_f64(l.s, l.q, l.k * 0x1.62e42fefa39efp-1);
}

/* exp(a) = 2 up (even + odd), exp(-a) = 2 down (even - odd), for a up to 100: of what is left of a
 * beside k ln 2, the hyperbolic cosine and sine. */
typedef struct short_exp_f64 {
  f64 even, odd, up, down;
} short_exp_f64;

TSR_MATH short_exp_f64 exp_short_f64(f64 a)
{
  const f64 shift = splat_f64(0x1.8p52 + 1022);
  const f64 t = fma_f64(a, 0x1.71547652b82fep0, shift);
  const f64 r = fma_f64(t - shift, -0x1.62e42fefa39efp-1, a);
  const f64 z = r * r;
  f64 even = fma_f64(0x1.a17515b230685p-16, z, 0x1.6c1635373f48cp-10);
  even = fma_f64(even, z, 0x1.55555581f7862p-5);
  even = fma_f64(even, z, 0x1.ffffffffee558p-2);
  f64 odd = fma_f64(0x1.a16ff33a1b448p-13, z, 0x1.1110b1c1e7f6fp-7);
  odd = fma_f64(odd, z, 0x1.5555557388ff9p-3);
  const u64 up = bits_of_f64(t) << 52;
  return TSR_MAKE(short_exp_f64, fma_f64(even, z, 1.0), fma_f64(odd, r * z, r), from_bits_f64(up),
                  from_bits_f64(0x7fc0000000000000u - up));
}

#endif
