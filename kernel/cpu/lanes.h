/* Compiler-specific parts of vector loops: shuffles, loops that are unrolled, and loops with
 * independent iterations. gcc 11 has no __builtin_shufflevector, and
 * clang has no __builtin_shuffle. */
#ifndef TSR_KERNEL_LANES_H
#define TSR_KERNEL_LANES_H

/* TSR_SHUFFLE returns the lanes of x and y, numbered through both, that the numbers name. They are
 * integer constants, as many as x has lanes. `mask` is the vector of integers of the same size, for
 * gcc. TSR_PICK returns the lanes of x that a `mask` of numbers names, modulo the n lanes, a power
 * of two. */
#if defined(__clang__)
#define TSR_PICK(mask, x, numbers, n)                                                              \
  ({                                                                                               \
    const mask from_ = (mask)(x), at_ = (numbers) & (n - 1);                                       \
    mask to_ = from_;                                                                              \
    for (int i_ = 0; i_ < (int)(n); i_++) to_[i_] = from_[at_[i_]];                                \
    to_;                                                                                           \
  })
#define TSR_SHUFFLE(mask, x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#define TSR_UNROLL(n) TSR_PRAGMA_(clang loop unroll_count(n))
#define TSR_INDEPENDENT TSR_PRAGMA_(clang loop vectorize(assume_safety))
#else
#define TSR_PICK(mask, x, numbers, n) __builtin_shuffle((mask)(x), (mask)(numbers))
#define TSR_SHUFFLE(mask, x, y, ...) __builtin_shuffle(x, y, (mask){__VA_ARGS__})
#define TSR_UNROLL(n) TSR_PRAGMA_(GCC unroll n)
#define TSR_INDEPENDENT TSR_PRAGMA_(GCC ivdep)
#endif
#define TSR_PRAGMA_(words) _Pragma(#words)

#endif
