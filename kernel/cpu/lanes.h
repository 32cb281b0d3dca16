/* Compiler-specific parts of vector loops: a shuffle of two vectors by constant numbers, loops that
 * are unrolled, and loops with independent iterations. gcc 11 has no __builtin_shufflevector, and
 * clang has no __builtin_shuffle. */
#ifndef TSR_KERNEL_LANES_H
#define TSR_KERNEL_LANES_H

/* Returns the lanes of x and y, numbered through both, that the numbers name. They are integer
 * constants, as many as x has lanes. `mask` is the vector of integers of the same size, for gcc. */
#if defined(__clang__)
#define TSR_SHUFFLE(mask, x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#define TSR_UNROLL(n) TSR_PRAGMA_(clang loop unroll_count(n))
#define TSR_INDEPENDENT TSR_PRAGMA_(clang loop vectorize(assume_safety))
#else
#define TSR_SHUFFLE(mask, x, y, ...) __builtin_shuffle(x, y, (mask){__VA_ARGS__})
#define TSR_UNROLL(n) TSR_PRAGMA_(GCC unroll n)
#define TSR_INDEPENDENT TSR_PRAGMA_(GCC ivdep)
#endif
#define TSR_PRAGMA_(words) _Pragma(#words)

/* Expands to F(i, s) for each lane i below LANES, a literal. */
#define EACH_LANE(F, s) PASTE_LANES(LANES_FROM_, LANES)(F, 0, s)
#define LANES_FROM_2(F, i, s) F(i, s), F((i) + 1, s)
#define LANES_FROM_4(F, i, s) LANES_FROM_2(F, i, s), LANES_FROM_2(F, (i) + 2, s)
#define LANES_FROM_8(F, i, s) LANES_FROM_4(F, i, s), LANES_FROM_4(F, (i) + 4, s)
#define LANES_FROM_16(F, i, s) LANES_FROM_8(F, i, s), LANES_FROM_8(F, (i) + 8, s)
#define LANES_FROM_32(F, i, s) LANES_FROM_16(F, i, s), LANES_FROM_16(F, (i) + 16, s)
#define LANES_FROM_64(F, i, s) LANES_FROM_32(F, i, s), LANES_FROM_32(F, (i) + 32, s)
#define PASTE_LANES(a, b) PASTE_LANES_(a, b)
#define PASTE_LANES_(a, b) a##b

/* Lane numbers for EACH_LANE: every other lane of both vectors, from lane `first` on. */
#define EVERY_OTHER(i, first) (2 * (i) + (first))

#endif
