/* sin and cos of ops.def, in the manner of kernel/ops/ops_math.h, for every finite argument.
 *
 * |x| = n pi/2 + r, |r| about pi/4 at most, r in two parts. Up to 2^30, n and then r come from
 * three parts of pi/2 (Cody and Waite). Beyond, from |x| 2/pi with as many digits of 2/pi as matter
 * to its value modulo 4 (Payne and Hanek, "Radian Reduction for Trigonometric Functions", SIGNUM
 * Newsletter 18, 1983): pieces of it, chosen by size of x. The second is
 * left out where no argument is far: by any_* in a vector, and a loop that knows so may call
 * sin_near and cos_near, which give the same bits. Polynomials: tools/minimax.py. */
#ifndef TSR_OPS_TRIG_H
#define TSR_OPS_TRIG_H

#include "kernel/ops/ops_math.h"

TSR_MATH m64 is_far_f64(f64 a)
{
  return a > 0x1p30;
}
TSR_MATH m32 is_far_f32(f32 a)
{
  return a > 0x1p30f;
}

typedef struct quadrant_f64 {
  f64 hi, lo;
  u64 n; /* its low two bits count */
} quadrant_f64;

/* x - n P1 is exact by fma: the more it cancels, the fewer bits are left. */
TSR_MATH quadrant_f64 reduce_near_f64(f64 a)
{
  const f64 shift = splat_f64(0x1.8p52);
  const f64 t = fma_f64(a, 0x1.45f306dc9c883p-1, shift);
  const f64 k = t - shift;
  const f64 r = fma_f64(k, -0x1.921fb54442d18p+0, a);
  const f64 p = k * -0x1.1a62633145c07p-54;
  const f64 p_lo = fma_f64(k, -0x1.1a62633145c07p-54, -p);
  const pair_f64 s = add_exactly_f64(r, p);
  const f64 lo = fma_f64(k, 0x1.f1976b7ed8fbcp-110, p_lo) + s.rest;
  return TSR_MAKE(quadrant_f64, s.sum, lo, bits_of_f64(t));
}

TSR_MATH f64 modulo_4_f64(f64 x)
{
  return x - 4.0 * rint_f64(0.25 * x);
}

/* The digits of 2/pi that matter: five pieces of 53 bits, each to be weighed with 2^-53 of the one
 * before. A leading piece whose products with x are multiples of 4 does not. Each step drops 16, 8,
 * 4, 2, 1 of them where x is so large, and scales x by their weight: in the end below 2^107. */
typedef struct pieces_f64 {
  f64 t, w0, w1, w2, w3, w4;
} pieces_f64;

TSR_MATH pieces_f64 choose_pieces_f64(f64 a)
{
  const double c0 = 0x1.45f306dc9c882p-1, c1 = 0x1.4a7f09d5f47d4p-1, c2 = 0x1.a6ee06db14accp-1,
               c3 = 0x1.3c439041fe516p-1, c4 = 0x1.d5ef5de2b0db8p-3, c5 = 0x1.2371d2126e970p-2,
               c6 = 0x1.924bba8274600p-8, c7 = 0x1.21cfe1deb1cb1p-1, c8 = 0x1.4d39f74411af8p-3,
               c9 = 0x1.4baed1213a671p-1, c10 = 0x1.8135a2fbf209cp-1, c11 = 0x1.91d639835339fp-1,
               c12 = 0x1.272117e2ef7e4p-2, c13 = 0x1.41d8ffc4bffeep-2, c14 = 0x1.02cc07f79788cp-1,
               c15 = 0x1.6b414da3eda6cp-2, c16 = 0x1.fb3c9f2c26dd2p-2, c17 = 0x1.d18fd9a797fa8p-1,
               c18 = 0x1.6ba93dd63f5f2p-1, c19 = 0x1.f17b3d0739f78p-1, c20 = 0x1.4a525d4d7f6bfp-1,
               c21 = 0x1.88fc6ae842b00p-2, c22 = 0x1.98237e3db5d5fp-1;
  const m64 drop16 = a >= 0x1p902;
  const f64 t16 = select_f64(drop16, a * 0x1p-848, a);
  const f64 p0 = select_f64(drop16, c16, c0), p1 = select_f64(drop16, c17, c1),
            p2 = select_f64(drop16, c18, c2), p3 = select_f64(drop16, c19, c3),
            p4 = select_f64(drop16, c20, c4), p5 = select_f64(drop16, c21, c5),
            p6 = select_f64(drop16, c22, c6);
  const m64 drop8 = t16 >= 0x1p478;
  const f64 t8 = select_f64(drop8, t16 * 0x1p-424, t16);
  const f64 q0 = select_f64(drop8, c8, p0), q1 = select_f64(drop8, c9, p1),
            q2 = select_f64(drop8, c10, p2), q3 = select_f64(drop8, c11, p3),
            q4 = select_f64(drop8, c12, p4), q5 = select_f64(drop8, c13, p5),
            q6 = select_f64(drop8, c14, p6), q7 = select_f64(drop8, c15, c7),
            q8 = select_f64(drop8, c16, c8), q9 = select_f64(drop8, c17, c9),
            q10 = select_f64(drop8, c18, c10), q11 = select_f64(drop8, c19, c11);
  const m64 drop4 = t8 >= 0x1p266;
  const f64 t4 = select_f64(drop4, t8 * 0x1p-212, t8);
  const f64 r0 = select_f64(drop4, q4, q0), r1 = select_f64(drop4, q5, q1),
            r2 = select_f64(drop4, q6, q2), r3 = select_f64(drop4, q7, q3),
            r4 = select_f64(drop4, q8, q4), r5 = select_f64(drop4, q9, q5),
            r6 = select_f64(drop4, q10, q6), r7 = select_f64(drop4, q11, q7);
  const m64 drop2 = t4 >= 0x1p160;
  const f64 t2 = select_f64(drop2, t4 * 0x1p-106, t4);
  const f64 s0 = select_f64(drop2, r2, r0), s1 = select_f64(drop2, r3, r1),
            s2 = select_f64(drop2, r4, r2), s3 = select_f64(drop2, r5, r3),
            s4 = select_f64(drop2, r6, r4), s5 = select_f64(drop2, r7, r5);
  const m64 drop1 = t2 >= 0x1p107;
  return TSR_MAKE(pieces_f64, select_f64(drop1, t2 * 0x1p-53, t2), select_f64(drop1, s1, s0),
                  select_f64(drop1, s2, s1), select_f64(drop1, s3, s2), select_f64(drop1, s4, s3),
                  select_f64(drop1, s5, s4));
}

/* The products of x with the pieces are exact in two parts; what is 2^55 and more vanishes modulo
 * 4, then the nearest integer does. The last sum's parts leave 2^-150 in the worst case, where r is
 * 2^-62. */
TSR_MATH quadrant_f64 reduce_far_f64(f64 a)
{
  const pieces_f64 w = choose_pieces_f64(a);
  const f64 t1 = w.t * 0x1p-53, t2 = t1 * 0x1p-53, t3 = t2 * 0x1p-53, t4 = t3 * 0x1p-53;
  const f64 h0 = w.t * w.w0, h1 = t1 * w.w1, h2 = t2 * w.w2, h3 = t3 * w.w3, h4 = t4 * w.w4;
  const f64 l0 = fma_f64(w.t, w.w0, -h0), l1 = fma_f64(t1, w.w1, -h1);
  const f64 l2 = fma_f64(t2, w.w2, -h2), l3 = fma_f64(t3, w.w3, -h3);
  const pair_f64 a1 = add_exactly_f64(modulo_4_f64(h0), modulo_4_f64(l0));
  const pair_f64 a2 = add_exactly_f64(a1.sum, modulo_4_f64(h1));
  const pair_f64 a3 = add_exactly_f64(a2.sum, l1);
  const pair_f64 a4 = add_exactly_f64(a3.sum, h2);
  const f64 shift = splat_f64(0x1.8p52);
  const f64 n = a4.sum + shift;
  const f64 fraction = a4.sum - (n - shift);
  const pair_f64 b1 = add_exactly_f64(a1.rest, a2.rest);
  const pair_f64 b2 = add_exactly_f64(b1.sum, a3.rest);
  const pair_f64 b3 = add_exactly_f64(b2.sum, a4.rest);
  const pair_f64 b4 = add_exactly_f64(b3.sum, l2);
  const pair_f64 b5 = add_exactly_f64(b4.sum, h3);
  const pair_f64 c = add_exactly_f64(fraction, b5.sum);
  const f64 rest = ((b1.rest + b2.rest) + (b3.rest + b4.rest)) + ((b5.rest + c.rest) + (l3 + h4));
  const f64 hi = c.sum + rest;
  const f64 lo = (c.sum - hi) + rest;
  const f64 r = hi * 0x1.921fb54442d18p+0;
  const f64 r_lo = fma_f64(hi, 0x1.921fb54442d18p+0, -r) +
                   fma_f64(hi, 0x1.1a62633145c07p-54, lo * 0x1.921fb54442d18p+0);
  return TSR_MAKE(quadrant_f64, r, r_lo, bits_of_f64(n));
}

/* Of z = r^2: sin r = r + r z times the first; cos r = 1 - z/2 + z^2 times the second. */
TSR_MATH f64 sine_terms_f64(f64 z)
{
  f64 p = fma_f64(0x1.5d9391db6b057p-33, z, -0x1.ae5e6865947b9p-26);
  p = fma_f64(p, z, 0x1.71de357add626p-19);
  p = fma_f64(p, z, -0x1.a01a019c15e26p-13);
  p = fma_f64(p, z, 0x1.111111110f8a5p-7);
  return fma_f64(p, z, -0x1.5555555555549p-3);
}
TSR_MATH f64 cosine_terms_f64(f64 z)
{
  f64 p = fma_f64(-0x1.8fb11f2d52a2cp-37, z, 0x1.1ee9f133dfe45p-29);
  p = fma_f64(p, z, -0x1.27e4f8128ff8ep-22);
  p = fma_f64(p, z, 0x1.a01a019cbf394p-16);
  p = fma_f64(p, z, -0x1.6c16c16c1521ep-10);
  return fma_f64(p, z, 0x1.555555555554cp-5);
}

/* sin(n pi/2 + r), with the sign of x; NaN for infinite x. */
TSR_MATH f64 finish_sin_f64(quadrant_f64 q, f64 x)
{
  const f64 z = q.hi * q.hi;
  const f64 half = 0.5 * z;
  const f64 sine = q.hi + fma_f64(z * q.hi, sine_terms_f64(z), fma_f64(-half, q.lo, q.lo));
  const f64 sum = 1.0 - half;
  const f64 rest = (1.0 - sum) - half;
  const f64 cosine = sum + (rest + fma_f64(z * z, cosine_terms_f64(z), -q.hi * q.lo));
  const u64 flip = (q.n & 2) << 62 ^ (bits_of_f64(x) & 0x8000000000000000u);
  const f64 y = from_bits_f64(bits_of_f64(select_f64((q.n & 1) != 0, cosine, sine)) ^ flip);
  return select_f64(abs_f64(x) < TSR_INF64, y, x - x);
}

TSR_MATH f64 finish_cos_f64(quadrant_f64 q, f64 x)
{
  q.n += 1;
  return finish_sin_f64(q, abs_f64(x));
}

TSR_MATH f64 sin_near_f64(f64 x)
{
  return finish_sin_f64(reduce_near_f64(abs_f64(x)), x);
}
TSR_MATH f64 cos_near_f64(f64 x)
{
  return finish_cos_f64(reduce_near_f64(abs_f64(x)), x);
}
/* Where x is far, else `near`. */
TSR_RARE f64 sin_far_f64(f64 x, f64 near)
{
  const f64 a = abs_f64(x);
  return select_f64(is_far_f64(a), finish_sin_f64(reduce_far_f64(a), x), near);
}
TSR_RARE f64 cos_far_f64(f64 x, f64 near)
{
  const f64 a = abs_f64(x);
  return select_f64(is_far_f64(a), finish_cos_f64(reduce_far_f64(a), x), near);
}
TSR_MATH f64 sin_f64(f64 x)
{
  const f64 y = sin_near_f64(x);
  return any_f64(is_far_f64(abs_f64(x))) ? sin_far_f64(x, y) : y;
}
TSR_MATH f64 cos_f64(f64 x)
{
  const f64 y = cos_near_f64(x);
  return any_f64(is_far_f64(abs_f64(x))) ? cos_far_f64(x, y) : y;
}

/* Float32: in float64, r in one part. */

typedef struct quadrant_f32 {
  f64 r;
  u64 n;
} quadrant_f32;

TSR_MATH quadrant_f32 reduce_near_f32(f64 a)
{
  const f64 shift = splat_f64(0x1.8p52);
  const f64 t = fma_f64(a, 0x1.45f306dc9c883p-1, shift);
  const f64 k = t - shift;
  const f64 r = fma_f64(k, -0x1.921fb54442d18p+0, a);
  return TSR_MAKE(quadrant_f32, fma_f64(k, -0x1.1a62633145c07p-54, r), bits_of_f64(t));
}

/* As reduce_far_f64, with four pieces of 28 bits, whose products with 24 bits are exact. */
TSR_MATH quadrant_f32 reduce_far_f32(f64 a)
{
  const double c0 = 0x1.45f306cp-1, c1 = 0x1.c9c882ap-1, c2 = 0x1.4fe13a8p-3, c3 = 0x1.f47d4dp-2,
               c4 = 0x1.bb81b6cp-1, c5 = 0x1.4acc9ep-3, c6 = 0x1.0e4107cp-2;
  const m64 drop2 = a >= 0x1p81;
  const f64 t2 = select_f64(drop2, a * 0x1p-56, a);
  const f64 p0 = select_f64(drop2, c2, c0), p1 = select_f64(drop2, c3, c1),
            p2 = select_f64(drop2, c4, c2), p3 = select_f64(drop2, c5, c3),
            p4 = select_f64(drop2, c6, c4);
  const m64 drop1 = t2 >= 0x1p53;
  const f64 t = select_f64(drop1, t2 * 0x1p-28, t2);
  const f64 h0 = t * (select_f64(drop1, p1, p0)), h1 = t * 0x1p-28 * (select_f64(drop1, p2, p1));
  const f64 h2 = t * 0x1p-56 * (select_f64(drop1, p3, p2)),
            h3 = t * 0x1p-84 * (select_f64(drop1, p4, p3));
  const f64 shift = splat_f64(0x1.8p52);
  const f64 sum = modulo_4_f64(h0) + modulo_4_f64(h1);
  const f64 n = sum + shift;
  const f64 fraction = (sum - (n - shift)) + h2;
  const f64 m = fraction + shift;
  const f64 rest = (fraction - (m - shift)) + h3;
  return TSR_MAKE(quadrant_f32, rest * 0x1.921fb54442d18p+0, bits_of_f64(n) + bits_of_f64(m));
}

TSR_MATH f32 finish_sin_f32(quadrant_f32 q, f64 x)
{
  const f64 z = q.r * q.r;
  f64 p = fma_f64(-0x1.9956b4p-13, z, 0x1.11077ep-7);
  p = fma_f64(p, z, -0x1.555546p-3);
  const f64 sine = fma_f64(z * q.r, p, q.r);
  const f64 cosine = fma_f64(z * z, cosine_terms_f64(z), fma_f64(-0.5, z, 1.0));
  const u64 flip = (q.n & 2) << 62 ^ (bits_of_f64(x) & 0x8000000000000000u);
  const f64 y = from_bits_f64(bits_of_f64(select_f64((q.n & 1) != 0, cosine, sine)) ^ flip);
  return narrow_f32(select_f64(abs_f64(x) < TSR_INF64, y, x - x));
}

TSR_MATH f32 finish_cos_f32(quadrant_f32 q, f64 x)
{
  q.n += 1;
  return finish_sin_f32(q, abs_f64(x));
}

TSR_MATH f32 sin_near_f32(f32 x)
{
  const f64 w = widen_f64(x);
  return finish_sin_f32(reduce_near_f32(abs_f64(w)), w);
}
TSR_MATH f32 cos_near_f32(f32 x)
{
  const f64 w = widen_f64(x);
  return finish_cos_f32(reduce_near_f32(abs_f64(w)), w);
}
TSR_RARE f32 sin_far_f32(f32 x, f32 near)
{
  const f64 w = widen_f64(x);
  return select_f32(is_far_f32(abs_f32(x)), finish_sin_f32(reduce_far_f32(abs_f64(w)), w), near);
}
TSR_RARE f32 cos_far_f32(f32 x, f32 near)
{
  const f64 w = widen_f64(x);
  return select_f32(is_far_f32(abs_f32(x)), finish_cos_f32(reduce_far_f32(abs_f64(w)), w), near);
}
TSR_MATH f32 sin_f32(f32 x)
{
  const f32 y = sin_near_f32(x);
  return any_f32(is_far_f32(abs_f32(x))) ? sin_far_f32(x, y) : y;
}
TSR_MATH f32 cos_f32(f32 x)
{
  const f32 y = cos_near_f32(x);
  return any_f32(is_far_f32(abs_f32(x))) ? cos_far_f32(x, y) : y;
}

#endif
