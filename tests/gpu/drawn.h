/* Inputs of functions, the same on the host and on a GPU: drawn by their number alone. */
#ifndef TSR_TEST_GPU_DRAWN_H
#define TSR_TEST_GPU_DRAWN_H

#include "bench/gpu/gpu.h"

#define TSR_MATH static inline
#define u64 uint64_t

/* How values are drawn: ALL counts through all bits, BOOL is 0 or 1, INT is an integer of
 * `mantissa` bits, FLOAT is a number of so many bits of mantissa and exponent. An eighth of the
 * drawn values are special ones, more than a third any bits, the others of moderate size. */
GPU_BOTH(
    drawn_text, enum drawn_kind{DRAWN_ALL, DRAWN_BOOL, DRAWN_INT, DRAWN_FLOAT};

    TSR_MATH u64 drawn_hash(u64 x) {
      x += 0x9e3779b97f4a7c15ull;
      x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
      x = (x ^ x >> 27) * 0x94d049bb133111ebull;
      return x ^ x >> 31;
    }

    TSR_MATH u64 drawn_integer(u64 r, u64 s, int bits) {
      const u64 most = ((u64)1 << (bits - 1)) - 1;
      const int kind = (int)(r & 7);
      if (kind < 3) return s;
      if (kind < 7) return s % 33 - 16;
      const int which = (int)(s & 7);
      return which == 0 ? most : which == 1 ? most + 1 : which == 2 ? ~(u64)0 : (u64)which - 3;
    }

    TSR_MATH u64 drawn_number(u64 r, u64 s, int mantissa, int exponent) {
      const u64 ones = ((u64)1 << mantissa) - 1;
      const u64 top = ((u64)1 << exponent) - 1;
      const u64 sign = (s >> 63) << (mantissa + exponent);
      const int kind = (int)(r & 7);
      if (kind < 3) return s;
      if (kind < 7) {
        const u64 e = (top >> 1) - 8 + (r >> 8) % 17;
        const u64 m = s & ones;
        return sign | e << mantissa | (kind < 6 ? m : m & ~(ones >> 4));
      }
      const int which = (int)(r >> 8 & 7);
      const u64 e = which == 0   ? 0
                    : which == 1 ? 1
                    : which == 2 ? top
                    : which == 3 ? top - 1
                                 : (top >> 1) - 6 + which;
      const int end = (int)(s & 3);
      const u64 m = end == 0 ? 0 : end == 1 ? ones : end == 2 ? 1 : ones / 2 + 1;
      return sign | e << mantissa | m;
    }

    TSR_MATH u64 drawn(u64 seed, u64 i, int kind, int mantissa, int exponent) {
      if (kind == DRAWN_ALL) return i;
      const u64 r = drawn_hash(seed + i);
      const u64 s = drawn_hash(r + seed);
      if (kind == DRAWN_BOOL) return r & 1;
      return kind == DRAWN_INT ? drawn_integer(r, s, mantissa)
                               : drawn_number(r, s, mantissa, exponent);
    })

#undef u64
#undef TSR_MATH
#endif
