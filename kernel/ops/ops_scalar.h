/* The words that the functions of kernel/ops/ are written in, here for one value at a time: for the
 * interpreter's loops, of which the compiler makes vectors. words_vector*.inc define the same words
 * for vectors in compiled kernels, words_cuda.inc for one value in CUDA C: the text of the
 * functions is the same in all three (functions.h).
 *
 * So, in a function: types are the six here and structs of them; a comparison gives an m64 or
 * m32, which only select_*, any_*, & and | take; a struct's value is made by TSR_MAKE; infinity and
 * NaN are words. A constant (or a `const double`) may stand in for a value except as an initialiser
 * or an argument of another function, where it is splat_*. Functions and struct types that are to
 * be vectors end in a type's name. A branch is `any_f64(m) ? f(x, y) : y`: for vectors in which no
 * lane is true f, a TSR_RARE function that gives y in all other lanes, is left out. What takes too
 * long to be computed always has some_f64(m) there, or as the condition of a loop, which is tested
 * of one value, too. */
#ifndef TSR_OPS_SCALAR_H
#define TSR_OPS_SCALAR_H

#include <stdint.h>

/* Too long for the compiler to inline unasked, and of no use in a loop unless inlined. */
#define TSR_MATH static inline __attribute__((always_inline))
/* A function that few vectors need: compiled kernels call it. */
#define TSR_RARE TSR_MATH
/* The same of a function that computes in 64 bits, for one that does not: vectors of more lanes than
 * it has are given to it in halves. Operands and result are f32. */
#define TSR_HALVES TSR_MATH
/* A function of one value at a time, also where others are of vectors. */
#define TSR_SCALAR static inline

/* The value of a struct type, by its members; infinity and a quiet NaN. */
#define TSR_MAKE(type, ...) ((type){__VA_ARGS__})
#define TSR_INF64 __builtin_inf()
#define TSR_INF32 __builtin_inff()
#define TSR_NAN64 __builtin_nan("")
#define TSR_NAN32 __builtin_nanf("")
/* The compiler must take the variable as it is and not look into what made it. */
#if defined(__x86_64__)
#define TSR_KEEP(x) __asm__("" : "+x"(x))
#else
#define TSR_KEEP(x) ((void)0)
#endif

typedef double f64;
typedef float f32;
typedef uint64_t u64;
typedef uint32_t u32;
typedef int64_t i64;
typedef int32_t i32;
typedef uint8_t b8, u8; /* the types of other elements, as the loops name them */
typedef uint16_t u16, f16;
typedef int8_t i8;
typedef int16_t i16;
typedef int m64, m32; /* the truth about an f64 or u64, an f32 or u32 */

TSR_MATH u64 bits_of_f64(f64 x)
{
  union {
    f64 f;
    u64 u;
  } v = {x};
  return v.u;
}
TSR_MATH f64 from_bits_f64(u64 u)
{
  union {
    u64 u;
    f64 f;
  } v = {u};
  return v.f;
}
TSR_MATH u32 bits_of_f32(f32 x)
{
  union {
    f32 f;
    u32 u;
  } v = {x};
  return v.u;
}
TSR_MATH f32 from_bits_f32(u32 u)
{
  union {
    u32 u;
    f32 f;
  } v = {u};
  return v.f;
}

#define splat_u64(x) (x)
#define splat_u32(x) (x)
#define splat_f64(x) (x)
#define splat_f32(x) (x)
#define widen_f64(x) ((f64)(x))
#define narrow_f32(x) ((f32)(x))

#define select_f64(m, x, y) ((m) ? (x) : (y))
#define select_f32(m, x, y) ((m) ? (x) : (y))
#define select_u64(m, x, y) ((m) ? (x) : (y))
#define select_u32(m, x, y) ((m) ? (x) : (y))

/* x < y ? x : y and x > y ? x : y: y beside NaN, and of 0 and -0. */
#define smaller_f64(x, y) ((x) < (y) ? (x) : (y))
#define smaller_f32(x, y) ((x) < (y) ? (x) : (y))
#define larger_f64(x, y) ((x) > (y) ? (x) : (y))
#define larger_f32(x, y) ((x) > (y) ? (x) : (y))

#define fma_f64(x, y, z) __builtin_fma(x, y, z) /* x * y + z, rounded once */
#define fma_f32(x, y, z) __builtin_fmaf(x, y, z)
#define mul_low_u64(x, y) ((u64)(u32)(x) * (u32)(y)) /* of the low halves */
#define carry_u64(sum, x) ((u64)((sum) < (x)))       /* sum = x + y: 1 where it wrapped */
#define leading_zeros_u64(x) __builtin_clzll(x)      /* of what is not 0 */
#define look_up_f64(table, i) ((table)[i])           /* of an array of double, i a u64 */
#define look_up_16_f32(table, i) ((table)[(i)&15])   /* of 16 floats, i a u32 */
#define look_up_32_f32(table, i) ((table)[(i)&31])
#define whole_f32(i) ((f32)(i))           /* of an i32 */
#define about_inverse_f32(x) (1.0f / (x)) /* to 2^-11 at least: no result may depend on more */
/* Is it true in any lane? A loop that is to become vectors has no branch. */
#define any_f64(m) ((void)(m), 1)
#define any_f32(m) ((void)(m), 1)
#define any_unsure_f64(y) 1                                               /* ops_short.h */
#define any_differ_f32(x, y) ((void)(x), (void)(y), 1)                    /* ops_twofold.h */
#define any_apart_f32(x, y, or_m) ((void)(x), (void)(y), (void)(or_m), 1) /* ops_twofold.h */
#define some_f64(m) (m)
#define some_f32(m) (m)

#define sqrt_f64(x) __builtin_sqrt(x)
#define sqrt_f32(x) __builtin_sqrtf(x)
#define rint_f64(x) __builtin_rint(x) /* halves to even */
#define rint_f32(x) __builtin_rintf(x)
#define floor_f64(x) __builtin_floor(x)
#define floor_f32(x) __builtin_floorf(x)
#define ceil_f64(x) __builtin_ceil(x)
#define ceil_f32(x) __builtin_ceilf(x)
#define trunc_f64(x) __builtin_trunc(x)
#define trunc_f32(x) __builtin_truncf(x)
#define abs_f64(x) __builtin_fabs(x)
#define abs_f32(x) __builtin_fabsf(x)
#define copysign_f64(x, y) __builtin_copysign(x, y)
#define copysign_f32(x, y) __builtin_copysignf(x, y)

#endif
