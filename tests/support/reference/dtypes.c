/* Element types of random programs. */
#include "dtypes.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const struct row {
  const char *name;
  char code; /* NumPy's */
  uint8_t kind, bytes;
} rows[TSR_N_DTYPES] = {
    [TSR_BOOL] = {"bool", '?', KIND_BOOL, 1},
    [TSR_INT8] = {"int8", 'b', KIND_INT, 1},
    [TSR_INT16] = {"int16", 'h', KIND_INT, 2},
    [TSR_INT32] = {"int32", 'i', KIND_INT, 4},
    [TSR_INT64] = {"int64", 'l', KIND_INT, 8},
    [TSR_UINT8] = {"uint8", 'B', KIND_UINT, 1},
    [TSR_UINT16] = {"uint16", 'H', KIND_UINT, 2},
    [TSR_UINT32] = {"uint32", 'I', KIND_UINT, 4},
    [TSR_UINT64] = {"uint64", 'L', KIND_UINT, 8},
    [TSR_FLOAT16] = {"float16", 'e', KIND_FLOAT, 2},
    [TSR_FLOAT32] = {"float32", 'f', KIND_FLOAT, 4},
    [TSR_FLOAT64] = {"float64", 'd', KIND_FLOAT, 8},
    [TSR_COMPLEX64] = {"complex64", 'F', KIND_COMPLEX, 8},
    [TSR_COMPLEX128] = {"complex128", 'D', KIND_COMPLEX, 16},
};

kind dtype_kind(tsr_dtype d)
{
  return (kind)rows[d].kind;
}

int dtype_rank(tsr_dtype d)
{
  return rows[d].kind - (rows[d].kind >= KIND_INT);
}

size_t dtype_bytes(tsr_dtype d)
{
  return rows[d].bytes;
}

const char *dtype_name(tsr_dtype d)
{
  return rows[d].name;
}

/* Rules. */

/* numpy.promote_types: rows and columns in the order of tsr_dtype. */
tsr_dtype promote_arrays(tsr_dtype a, tsr_dtype b)
{
  static const char table[TSR_N_DTYPES][TSR_N_DTYPES + 1] = {
      "?ilfdbhBHILeFD", "iilddiiiilddDD", "lllddlllllddDD", "fddfdffffddfFD", "ddddddddddddDD",
      "bilfdbhhildeFD", "hilfdhhhildfFD", "BilfdhhBHILeFD", "HilfdiiHHILfFD", "IllddllIIILdDD",
      "LddddddLLLLdDD", "eddfdefefddeFD", "FDDFDFFFFDDFFD", "DDDDDDDDDDDDDD"};
  int d = 0;
  while (rows[d].code != table[a][b]) d++;
  return (tsr_dtype)d;
}

tsr_dtype dtype_float(tsr_dtype d)
{
  return dtype_rank(d) > 1 ? d : TSR_FLOAT64;
}

tsr_dtype dtype_inexact(tsr_dtype d)
{
  if (dtype_rank(d) > 1) return d;
  return rows[d].bytes == 1 ? TSR_FLOAT16 : rows[d].bytes == 2 ? TSR_FLOAT32 : TSR_FLOAT64;
}

tsr_dtype dtype_sum(tsr_dtype d)
{
  return dtype_rank(d) > 1 ? d : is_unsigned(d) ? TSR_UINT64 : TSR_INT64;
}

tsr_dtype dtype_part(tsr_dtype d)
{
  return d == TSR_COMPLEX64 ? TSR_FLOAT32 : d == TSR_COMPLEX128 ? TSR_FLOAT64 : d;
}

/* Floats. */

double dtype_epsilon(tsr_dtype d)
{
  d = dtype_part(d);
  return d == TSR_FLOAT64 ? DBL_EPSILON : d == TSR_FLOAT32 ? (double)FLT_EPSILON : 0x1p-10;
}

double dtype_tiny(tsr_dtype d)
{
  d = dtype_part(d);
  return d == TSR_FLOAT64 ? DBL_TRUE_MIN : d == TSR_FLOAT32 ? (double)FLT_TRUE_MIN : 0x1p-24;
}

double dtype_normal(tsr_dtype d)
{
  d = dtype_part(d);
  return d == TSR_FLOAT64 ? DBL_MIN : d == TSR_FLOAT32 ? (double)FLT_MIN : 0x1p-14;
}

double dtype_most(tsr_dtype d)
{
  d = dtype_part(d);
  return d == TSR_FLOAT64 ? DBL_MAX : d == TSR_FLOAT32 ? (double)FLT_MAX : 65504;
}

double ulp_of(double x, tsr_dtype d)
{
  x = fabs(x);
  return x < dtype_normal(d) ? dtype_tiny(d) : x * dtype_epsilon(d);
}

double half_of(double x)
{
  const double a = fabs(x);
  int e = 0;
  if (!(a < 65520)) return isnan(x) ? x : copysign(INFINITY, x);
  if (a == 0) return x;
  (void)frexp(a, &e);
  const double unit = ldexp(1, e < -13 ? -24 : e - 11);
  return copysign(rint(a / unit) * unit, x);
}

/* Integers. */

int64_t wrap(uint64_t x, tsr_dtype d)
{
  const int unused = 64 - 8 * rows[d].bytes;
  if (is_unsigned(d)) return (int64_t)(x << unused >> unused);
  return (int64_t)(x << unused) >> unused;
}

int64_t int_most(tsr_dtype d)
{
  return (int64_t)(UINT64_MAX >> (64 - 8 * rows[d].bytes + !is_unsigned(d)));
}

int64_t int_least(tsr_dtype d)
{
  return is_unsigned(d) ? 0 : -int_most(d) - 1;
}

bool int_fits(int64_t x, tsr_dtype d)
{
  if (d == TSR_UINT64) return x >= 0;
  return x >= int_least(d) && x <= int_most(d);
}

static int64_t int64_of(double x)
{
  return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
}

int64_t int_of_float(double x, tsr_dtype to)
{
  if (to == TSR_UINT64) return x >= 0x1p63 ? int64_of(x - 0x1p63) ^ INT64_MIN : int64_of(x);
  if (to == TSR_UINT32 || to == TSR_INT64) return wrap((uint64_t)int64_of(x), to);
  const bool within = x > -2147483649.0 && x < 2147483648.0;
  return wrap((uint64_t)(within ? (int64_t)x : INT32_MIN), to);
}

bool int_of_float_is_clear(double x, double err, tsr_dtype to)
{
  return trunc(x - err) == trunc(x + err) && fabs(x) + err < (rows[to].bytes < 8 ? 2e9 : 9e18);
}

/* Bytes. */

/* Of a float16's value. */
static uint16_t half_bits(double x)
{
  const uint16_t sign = signbit(x) ? 0x8000 : 0;
  int e = 0;
  const double a = fabs(x), m = frexp(a, &e);
  if (isnan(x)) return sign | 0x7e00;
  if (isinf(x)) return sign | 0x7c00;
  if (a < 0x1p-14) return sign | (uint16_t)(a * 0x1p24);
  return (uint16_t)(sign | ((e + 14) << 10 | ((int)(m * 0x1p11) & 0x3ff)));
}

static double half_value(uint16_t h)
{
  const int e = h >> 10 & 31, m = h & 0x3ff;
  const double a = e == 31  ? (m ? (double)NAN : (double)INFINITY)
                   : e == 0 ? m * 0x1p-24
                            : ldexp(m + 1024, e - 25);
  return h >> 15 ? -a : a;
}

void store_int(int64_t x, tsr_dtype d, void *out)
{
  const uint8_t truth = x != 0;
  if (d == TSR_BOOL)
    memcpy(out, &truth, 1);
  else
    memcpy(out, &x, rows[d].bytes); /* low bytes first */
}

void store_float(double x, tsr_dtype d, void *out)
{
  const float f = (float)x;
  const uint16_t h = d == TSR_FLOAT16 ? half_bits(x) : 0;
  memcpy(out,
         d == TSR_FLOAT64   ? (const void *)&x
         : d == TSR_FLOAT32 ? (const void *)&f
                            : (const void *)&h,
         rows[d].bytes);
}

int64_t load_int(const void *in, tsr_dtype d)
{
  uint64_t x = 0;
  memcpy(&x, in, rows[d].bytes);
  return wrap(x, d);
}

double load_float(const void *in, tsr_dtype d)
{
  double x = 0;
  float f = 0;
  uint16_t h = 0;
  memcpy(d == TSR_FLOAT64   ? (void *)&x
         : d == TSR_FLOAT32 ? (void *)&f
                            : (void *)&h,
         in, rows[d].bytes);
  return d == TSR_FLOAT64 ? x : d == TSR_FLOAT32 ? (double)f : half_value(h);
}
