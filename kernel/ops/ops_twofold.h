/* What float32 functions have in common that compute in two parts of float32 each, in the manner of
 * Ziv as in kernel/ops/ops_short.h: a vector has twice as many lanes as one of float64. "A twofold
 * number" is hi + lo, of which hi is most.
 *
 * The leading terms of a formula are twofold, and the others, which are less than 2^-9 of them, are
 * float32 numbers: the sum hi + lo has an error below `error`. It rounds to the float32 number that
 * the long float64 function gives unless hi + (lo + error) and hi + (lo - error) differ. So a
 * function is
 *
 *   ... hi, lo ...
 *   const f32 up = hi + (lo + error), down = hi + (lo - error);
 *   return any_apart_f32(up, down, beyond) ? its_long_f32(x) : up;
 *
 * where `beyond` is true of operands that the formula does not serve (any_differ_f32 where there are
 * none). `error` holds for any about_inverse_f32, which differs between processors. The long
 * functions are TSR_HALVES. Tables have a row for each interval of an operand: a vector looks all
 * lanes up at once. tests/kernel/test_short.c compares as said in ops_short.h; tools/minimax.py has made the
 * polynomials and tables. */
#ifndef TSR_OPS_TWOFOLD_H
#define TSR_OPS_TWOFOLD_H

#include "kernel/ops/ops_short.h"

/* x y in two parts, exactly; y has two parts itself. */
typedef struct twofold_f32 {
  f32 hi, lo;
} twofold_f32;

TSR_MATH twofold_f32 multiply_twofold_f32(f32 x, f32 y, f32 y_lo)
{
  const f32 hi = x * y;
  return TSR_MAKE(twofold_f32, hi, fma_f32(x, y_lo, fma_f32(x, y, -hi)));
}

/* Is x positive, normal and finite? */
TSR_MATH m32 is_positive_f32(f32 x)
{
  return bits_of_f32(x) - 0x00800000u < 0x7f000000u;
}

/* x = 2^k m, and with c = 1 / m nearly, of 6 bits, the 16 values of which rows of tables belong to,
 * c m = 1 + r exactly, |r| < 0.0342, and log(1 + r) = w + w_lo. c is 1 next to 1. */
typedef struct twofold_log_f32 {
  f32 k, w, w_lo;
  u32 row;
} twofold_log_f32;

/* x > 0, normal and finite. */
TSR_MATH twofold_log_f32 log_twofold_f32(f32 x)
{
  static const float inverse[16] = {
      0x1.6p+0f,  0x1.58p+0f, 0x1.48p+0f, 0x1.38p+0f, 0x1.3p+0f, 0x1.28p+0f, 0x1.18p+0f, 0x1.1p+0f,
      0x1.08p+0f, 0x1p+0f,    0x1.ep-1f,  0x1.c8p-1f, 0x1.bp-1f, 0x1.98p-1f, 0x1.88p-1f, 0x1.7p-1f};
  const u32 u = bits_of_f32(x) - 0x3f340000u;
  const f32 m = from_bits_f32(bits_of_f32(x) - (u & 0xff800000u));
  const f32 r = fma_f32(look_up_16_f32(inverse, u >> 19), m, -1.0f);
  const f32 half = -0.5f * r, z = r * r;
  const f32 w = fma_f32(half, r, r);
  f32 p = fma_f32(-0x1.55c83p-3f, r, 0x1.9a1138p-3f);
  p = fma_f32(p, z, fma_f32(-0x1.fffff4p-3f, r, 0x1.55555p-2f));
  const f32 w_lo = fma_f32(z * r, p, fma_f32(half, r, r - w));
  return TSR_MAKE(twofold_log_f32, whole_f32((i32)u >> 23), w, w_lo, u >> 19);
}

#endif
