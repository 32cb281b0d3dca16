/* A permutation of [0, n) as a function of the index: a Feistel network over the least power of two
 * that is not below n, applied again while it leads out of [0, n) (J. Black and P. Rogaway,
 * "Ciphers with Arbitrary Finite Domains", CT-RSA 2002). Each round adds to one part of the number
 * a function of the other: whatever that function is, it can be undone. A value is left after less
 * than two applications on average. */
#ifndef TSR_OPS_PERMUTE_H
#define TSR_OPS_PERMUTE_H

#include "kernel/ops/ops_scalar.h"

/* Every bit of the result depends on every bit of x: the finalizer of G. Steele, D. Lea and
 * C. Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014). */
TSR_SCALAR u64 permute_mixed(u64 x)
{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/* An i that is not below n stays itself. */
TSR_SCALAR u64 random_permute(u64 i, u64 key, u64 n)
{
  if (i >= n || n == 1) return i;
  const int bits = 64 - leading_zeros_u64(n - 1), low_bits = bits / 2, high_bits = bits - low_bits;
  const u64 low_mask = ((u64)1 << low_bits) - 1, high_mask = ((u64)1 << high_bits) - 1;
  do {
    u64 low = i & low_mask, high = i >> low_bits, k = key;
    for (int round = 0; round < 12; round += 2) {
      k += 0x9e3779b97f4a7c15;
      high ^= permute_mixed(k ^ low) & high_mask;
      k += 0x9e3779b97f4a7c15;
      low ^= permute_mixed(k ^ high) & low_mask;
    }
    i = high << low_bits | low;
  } while (i >= n);
  return i;
}

#endif
