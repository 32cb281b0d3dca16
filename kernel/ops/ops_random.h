/* Random numbers as functions of an index, in the manner of kernel/ops/ops_math.h: Philox4x32-10 of
 * J. Salmon, M. Moraes, R. Dror and D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (SC11),
 * and what makes numbers of its words. Words of 32 bits stand in the low halves of words of 64;
 * what is in the high halves does not count, as the products leave it out.
 *
 * The counter's words are index, index >> 32, draw and draw >> 32, the key's are key and key >> 32,
 * lowest first. */
#ifndef TSR_OPS_RANDOM_H
#define TSR_OPS_RANDOM_H

#include "kernel/ops/ops_scalar.h"

typedef struct philox_u64 {
  u64 c0, c1, c2, c3, k0, k1;
} philox_u64;

/* After a round the key's words advance, by the golden ratio and by the root of 3, less 1. */
TSR_MATH philox_u64 philox_round_u64(philox_u64 c)
{
  const u64 p0 = mul_low_u64(c.c0, splat_u64(0xd2511f53));
  const u64 p1 = mul_low_u64(c.c2, splat_u64(0xcd9e8d57));
  return TSR_MAKE(philox_u64, (p1 >> 32) ^ c.c1 ^ c.k0, p1, (p0 >> 32) ^ c.c3 ^ c.k1, p0,
                  c.k0 + splat_u64(0x9e3779b9), c.k1 + splat_u64(0xbb67ae85));
}
TSR_MATH philox_u64 philox_five_u64(philox_u64 c)
{
  c = philox_round_u64(philox_round_u64(c));
  return philox_round_u64(philox_round_u64(philox_round_u64(c)));
}

/* Philox has ten rounds. */
TSR_MATH philox_u64 philox_block_u64(u64 index, u64 key, u64 draw)
{
  const philox_u64 c = {index, index >> 32, draw, draw >> 32, key, key >> 32};
  return philox_five_u64(philox_five_u64(c));
}

/* The first and the second 64 of the 128 bits. */
TSR_MATH u64 random_first_u64(u64 index, u64 key, u64 draw)
{
  const philox_u64 c = philox_block_u64(index, key, draw);
  return (c.c0 & 0xffffffff) | (c.c1 << 32);
}
TSR_MATH u64 random_second_u64(u64 index, u64 key, u64 draw)
{
  const philox_u64 c = philox_block_u64(index, key, draw);
  return (c.c2 & 0xffffffff) | (c.c3 << 32);
}

/* The highest n bits, as a number; 0 < n < 64. (What it is for other n matters to nobody, but is
 * the same everywhere.) */
TSR_MATH u64 random_top_u64(u64 bits, u64 n)
{
  return (bits >> 1) >> ((63 - n) & 63);
}

/* The high half of the product, by halves of the factors. */
TSR_MATH u64 mul_high_u64(u64 x, u64 y)
{
  const u64 x1 = x >> 32, y1 = y >> 32;
  const u64 low = mul_low_u64(x, y) >> 32;
  const u64 a = mul_low_u64(x1, y), b = mul_low_u64(x, y1);
  const u64 middle = low + (a & 0xffffffff) + (b & 0xffffffff);
  return mul_low_u64(x1, y1) + (a >> 32) + (b >> 32) + (middle >> 32);
}

/* The 128 bits (high, low) as a fraction of n: floor(2^-128 (2^64 high + low) n). After D. Lemire,
 * "Fast Random Integer Generation in an Interval" (2019), with a wider word instead of his
 * rejection: a value's probability differs from 1/n by less than 2^-128. */
TSR_MATH u64 random_below_u64(u64 high, u64 low, u64 n)
{
  const u64 product = high * n;
  const u64 sum = product + mul_high_u64(low, n);
  return mul_high_u64(high, n) + carry_u64(sum, product);
}

#endif
