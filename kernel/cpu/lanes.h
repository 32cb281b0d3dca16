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

#endif
