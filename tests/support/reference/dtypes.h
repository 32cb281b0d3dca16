/* Element types of random programs: what NumPy says of them, written for the tests without a look
 * at the library's table. */
#ifndef RANDOM_DTYPES_H
#define RANDOM_DTYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tessera/base.h"

/* In the order of same-kind casts: each may be stored in those after it. */
typedef enum kind { KIND_BOOL, KIND_UINT, KIND_INT, KIND_FLOAT, KIND_COMPLEX } kind;

kind dtype_kind(tsr_dtype d);
/* 0 bool, 1 integer, 2 float, 3 complex: what a scalar of higher rank changes. */
int dtype_rank(tsr_dtype d);
size_t dtype_bytes(tsr_dtype d);
const char *dtype_name(tsr_dtype d);

static inline bool is_float(tsr_dtype d)
{
  return d == TSR_FLOAT64 || d == TSR_FLOAT32 || d == TSR_FLOAT16;
}
static inline bool is_complex(tsr_dtype d)
{
  return d == TSR_COMPLEX64 || d == TSR_COMPLEX128;
}
/* Integers, not bools. */
static inline bool is_integer(tsr_dtype d)
{
  return dtype_rank(d) == 1;
}
static inline bool is_unsigned(tsr_dtype d)
{
  return dtype_kind(d) == KIND_UINT;
}

tsr_dtype promote_arrays(tsr_dtype a, tsr_dtype b);
/* What sums and products of it are computed in. */
tsr_dtype dtype_sum(tsr_dtype d);
/* The float that functions of floats compute integers and bools in. */
tsr_dtype dtype_inexact(tsr_dtype d);
/* The dtype of means: that of floats and complex numbers itself, else float64. */
tsr_dtype dtype_float(tsr_dtype d);

/* The float of a complex number's parts; any other dtype itself. */
tsr_dtype dtype_part(tsr_dtype d);

/* Of floats, and of the parts of complex numbers: what a significand of 1 is followed by, the least
 * positive number, the least normal and the largest one. */
double dtype_epsilon(tsr_dtype d);
double dtype_tiny(tsr_dtype d);
double dtype_normal(tsr_dtype d);
double dtype_most(tsr_dtype d);
/* The distance of a number of that size from the next, or more. */
double ulp_of(double x, tsr_dtype d);

/* The nearest float16, rounded once. */
double half_of(double x);
/* An operation's result, rounded to the float dtype: float16 is computed in float32. */
static inline double as_dtype(double x, tsr_dtype d)
{
  if (d == TSR_FLOAT64 || d == TSR_COMPLEX128) return x;
  return d == TSR_FLOAT16 ? half_of((double)(float)x) : (double)(float)x;
}

/* Values of integers and bools are kept in 64 bits, those of uint64 as their bits. */
int64_t wrap(uint64_t x, tsr_dtype d);
/* The number that is meant. */
static inline __int128 wide(int64_t x, tsr_dtype d)
{
  return d == TSR_UINT64 ? (__int128)(uint64_t)x : (__int128)x;
}
/* Does the C integer lie within the integer dtype? */
bool int_fits(int64_t x, tsr_dtype d);
/* Least and largest, as their bits. */
int64_t int_least(tsr_dtype d);
int64_t int_most(tsr_dtype d);
/* A float as C on x86 makes it an integer. */
int64_t int_of_float(double x, tsr_dtype to);
/* Loops of vectors, which some of NumPy's casts are, give others of what lies outside of unsigned
 * integers. */
static inline bool int_of_float_is_defined(double x, tsr_dtype to)
{
  return (to != TSR_UINT32 && to != TSR_UINT64) ||
         (x > -1 && x < (to == TSR_UINT32 ? 0x1p32 : 0x1p64));
}
/* Is that the whole part of all floats within err of x? */
bool int_of_float_is_clear(double x, double err, tsr_dtype to);

/* Elements as bytes: of integers and bools v.i, of floats v.f, each exactly one. */
void store_int(int64_t x, tsr_dtype d, void *out);
void store_float(double x, tsr_dtype d, void *out);
int64_t load_int(const void *in, tsr_dtype d);
double load_float(const void *in, tsr_dtype d);

#endif
