/* Dtypes as data, and scalar values: size, kind, promotion and casts by NumPy's rules. */
#ifndef TSR_DTYPE_H
#define TSR_DTYPE_H

#include "tessera/base.h"

/* The kinds are in ascending order; a same_kind cast does not go down. */
typedef enum tsr_kind {
  TSR_KIND_BOOL,
  TSR_KIND_UINT,
  TSR_KIND_INT,
  TSR_KIND_FLOAT,
  TSR_KIND_COMPLEX
} tsr_kind;

/** A row of the table of dtypes (kernel/ir/dtype.c), one per tsr_dtype. */
typedef struct tsr_dtype_info {
  const char *name;   /* NumPy's: "float64" */
  const char *suffix; /* in texts and names of generated code: "f64" */
  tsr_kind kind;
  uint8_t size_bytes;
  char npy[5]; /* ".npy" descr: "<f8" */
} tsr_dtype_info;
const tsr_dtype_info *tsr__dtype_info(tsr_dtype dtype);
static inline size_t tsr__dtype_size(tsr_dtype d)
{
  return tsr__dtype_info(d)->size_bytes;
}
static inline tsr_kind tsr__dtype_kind(tsr_dtype d)
{
  return tsr__dtype_info(d)->kind;
}
static inline bool tsr__dtype_is_complex(tsr_dtype d)
{
  return tsr__dtype_kind(d) == TSR_KIND_COMPLEX;
}
static inline bool tsr__dtype_is_integer(tsr_dtype d)
{
  return tsr__dtype_kind(d) == TSR_KIND_UINT || tsr__dtype_kind(d) == TSR_KIND_INT;
}
/** Returns whether the dtype is a float or complex. */
static inline bool tsr__dtype_is_inexact(tsr_dtype d)
{
  return tsr__dtype_kind(d) >= TSR_KIND_FLOAT;
}
/** Returns the dtype in which operations compute: float32 for float16, else d itself. */
static inline tsr_dtype tsr__dtype_compute(tsr_dtype d)
{
  return d == TSR_DTYPE_FLOAT16 ? TSR_DTYPE_FLOAT32 : d;
}
/** Returns the float dtype of a complex number's parts; for other dtypes d itself. */
tsr_dtype tsr__dtype_part(tsr_dtype d);
/** Returns the least float dtype in which NumPy's functions of d compute: float16 for 8 bits and
 * bool, float32 for 16, else float64. Floats and complex numbers stay as they are. */
tsr_dtype tsr__dtype_inexact(tsr_dtype d);
/** Returns NumPy's promotion of two array dtypes (int64 + float32 = float64, int8 + uint8 =
 * int16). */
tsr_dtype tsr__dtype_promote(tsr_dtype a, tsr_dtype b);
/** Returns whether `from` may be cast to `to` by NumPy's rules. */
bool tsr__dtype_can_cast(tsr_dtype from, tsr_dtype to, tsr_casting casting);
/** Returns the next dtype on the way from `from` to `to`, and `to` itself at the end. Only such
 * steps have loops: float64 to int8 takes the low bits of its int32, int8 to complex64 goes by way
 * of float32. */
tsr_dtype tsr__dtype_cast_step(tsr_dtype from, tsr_dtype to);

/** A scalar value with its dtype: an element's bytes, then zeros, so that wider little-endian
 * fields have the same value. bool uses `i` (0 or 1). */
typedef struct tsr_scalar {
  tsr_dtype dtype;
  union {
    int64_t i;
    double f;
    float f32;
    int32_t i32;
    uint16_t f16; /* its bits */
    float c64[2];
    double c128[2];
    uint64_t bits;
    uint64_t words[2]; /* the second word: complex128 only, else 0 */
  } u;                 /* int32: i32; int64 and bool: i; float32: f32; float64: f; smaller and
                        * unsigned integers: bits */
} tsr_scalar;
/** Casts as C and NumPy do. Floats beyond int32 and int64, and NaN, become the least integer, as on
 * x86; smaller integers are the low bits of that. Complex numbers give their real part. */
tsr_scalar tsr__scalar_cast(tsr_scalar x, tsr_dtype to);
/** Return a real scalar as a double, and an integer as 64 bits (two's complement; only uint64 is
 * unsigned). */
double tsr__scalar_double(tsr_scalar x);
int64_t tsr__scalar_int(tsr_scalar x);
/** Make a scalar of a float64, or of the bits of an integer or bool. They set all bytes of `u`,
 * which C does not promise if one member is initialised, because scalars are compared and hashed
 * whole. */
static inline tsr_scalar tsr__scalar_of_f64(double value)
{
  return (tsr_scalar){.dtype = TSR_DTYPE_FLOAT64, .u.c128 = {value, 0}};
}
static inline tsr_scalar tsr__scalar_of_bits(tsr_dtype dtype, uint64_t bits)
{
  return (tsr_scalar){.dtype = dtype, .u.words = {bits, 0}};
}
/** Return the number one, and the difference of two scalars of one dtype (integers wrap). */
tsr_scalar tsr__scalar_one(tsr_dtype dtype);
tsr_scalar tsr__scalar_difference(tsr_scalar a, tsr_scalar b);
void tsr__scalar_store(tsr_scalar x, void *out); /* writes size_bytes */
tsr_scalar tsr__scalar_load(tsr_dtype dtype, const void *in);

#endif
