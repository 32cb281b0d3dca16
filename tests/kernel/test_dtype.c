/* The table of dtypes, promotion, casting rules and scalars, against NumPy's tables written out. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/ir/kernel.h"
#include "tests/kernel/promotion.h"

static tsr_scalar of_f64(double v)
{
  return (tsr_scalar){.dtype = TSR_FLOAT64, .u.f = v};
}

static tsr_scalar of_i64(int64_t v)
{
  return (tsr_scalar){.dtype = TSR_INT64, .u.i = v};
}

Test(dtype, table)
{
  static const char *const names[] = {"bool",   "int32",   "int64",     "float32",   "float64",
                                      "int8",   "int16",   "uint8",     "uint16",    "uint32",
                                      "uint64", "float16", "complex64", "complex128"};
  static const char *const npy[] = {"|b1", "<i4", "<i8", "<f4", "<f8", "|i1", "<i2",
                                    "|u1", "<u2", "<u4", "<u8", "<f2", "<c8", "<c16"};
  static const size_t sizes[] = {1, 4, 8, 4, 8, 1, 2, 1, 2, 4, 8, 2, 8, 16};
  for (int d = 0; d < TSR_N_DTYPES; d++) {
    cr_expect_str_eq(tsr__dtype_info(d)->name, names[d]);
    cr_expect_str_eq(tsr__dtype_info(d)->npy, npy[d]);
    cr_expect_eq(tsr__dtype_size(d), sizes[d]);
  }
}

Test(dtype, promotes_as_numpy)
{
  for (int x = 0; x < TSR_N_DTYPES; x++) {
    for (int y = 0; y < TSR_N_DTYPES; y++)
      cr_expect_eq((int)tsr__dtype_promote(x, y), numpy_promotes[x][y], "%s and %s",
                   tsr__dtype_info(x)->name, tsr__dtype_info(y)->name);
  }
}

/* numpy.can_cast by no, equiv, safe, same_kind, unsafe. */
Test(dtype, casts_as_numpy)
{
  static const char want[TSR_N_DTYPES][TSR_N_DTYPES][6] = {
      {"11111", "00111", "00111", "00111", "00111", "00111", "00111", "00111", "00111", "00111",
       "00111", "00111", "00111", "00111"},
      {"00001", "11111", "00111", "00011", "00111", "00011", "00011", "00001", "00001", "00001",
       "00001", "00011", "00011", "00111"},
      {"00001", "00011", "11111", "00011", "00111", "00011", "00011", "00001", "00001", "00001",
       "00001", "00011", "00011", "00111"},
      {"00001", "00001", "00001", "11111", "00111", "00001", "00001", "00001", "00001", "00001",
       "00001", "00011", "00111", "00111"},
      {"00001", "00001", "00001", "00011", "11111", "00001", "00001", "00001", "00001", "00001",
       "00001", "00011", "00011", "00111"},
      {"00001", "00111", "00111", "00111", "00111", "11111", "00111", "00001", "00001", "00001",
       "00001", "00111", "00111", "00111"},
      {"00001", "00111", "00111", "00111", "00111", "00011", "11111", "00001", "00001", "00001",
       "00001", "00011", "00111", "00111"},
      {"00001", "00111", "00111", "00111", "00111", "00011", "00111", "11111", "00111", "00111",
       "00111", "00111", "00111", "00111"},
      {"00001", "00111", "00111", "00111", "00111", "00011", "00011", "00011", "11111", "00111",
       "00111", "00011", "00111", "00111"},
      {"00001", "00011", "00111", "00011", "00111", "00011", "00011", "00011", "00011", "11111",
       "00111", "00011", "00011", "00111"},
      {"00001", "00011", "00011", "00011", "00111", "00011", "00011", "00011", "00011", "00011",
       "11111", "00011", "00011", "00111"},
      {"00001", "00001", "00001", "00111", "00111", "00001", "00001", "00001", "00001", "00001",
       "00001", "11111", "00111", "00111"},
      {"00001", "00001", "00001", "00001", "00001", "00001", "00001", "00001", "00001", "00001",
       "00001", "00001", "11111", "00111"},
      {"00001", "00001", "00001", "00001", "00001", "00001", "00001", "00001", "00001", "00001",
       "00001", "00001", "00011", "11111"},
  };
  for (int from = 0; from < TSR_N_DTYPES; from++) {
    for (int to = 0; to < TSR_N_DTYPES; to++) {
      for (int rule = 0; rule <= TSR_CASTING_UNSAFE; rule++)
        cr_expect_eq(tsr__dtype_can_cast(from, to, rule), want[from][to][rule] == '1',
                     "%s to %s, rule %d", tsr__dtype_info(from)->name, tsr__dtype_info(to)->name,
                     rule);
    }
  }
}

Test(dtype, scalar_casts)
{
  static const double out_of_int32[] = {NAN, INFINITY, -INFINITY, 3e9, -3e9, 0x1p31};
  for (size_t i = 0; i < sizeof out_of_int32 / sizeof *out_of_int32; i++) {
    cr_expect_eq(tsr__scalar_cast(of_f64(out_of_int32[i]), TSR_INT32).u.i32, INT32_MIN);
  }
  cr_expect_eq(tsr__scalar_cast(of_f64(-2147483648.9), TSR_INT32).u.i32, INT32_MIN);
  cr_expect_eq(tsr__scalar_cast(of_f64(2147483647.9), TSR_INT32).u.i32, INT32_MAX);
  cr_expect_eq(tsr__scalar_cast(of_f64(-1.9), TSR_INT32).u.i32, -1);
  cr_expect_eq(tsr__scalar_cast(of_f64(NAN), TSR_INT64).u.i, INT64_MIN);
  cr_expect_eq(tsr__scalar_cast(of_f64(0x1p63), TSR_INT64).u.i, INT64_MIN);
  cr_expect_eq(tsr__scalar_cast(of_f64(NAN), TSR_BOOL).u.i, 1);
  cr_expect_eq(tsr__scalar_cast(of_f64(-0.0), TSR_BOOL).u.i, 0);
  cr_expect_eq(tsr__scalar_cast(of_i64(0x100000001), TSR_INT32).u.i32, 1);
  cr_expect_eq(tsr__scalar_cast(of_i64(0x100000000), TSR_BOOL).u.i, 1);
  cr_expect_eq(tsr__scalar_cast(of_i64(-7), TSR_FLOAT64).u.f, -7.0);
}

Test(dtype, an_integer_is_rounded_to_float32_once)
{
  /* Through float64 this would be a tie and become 2^60. */
  const int64_t v = ((int64_t)1 << 60) + ((int64_t)1 << 36) + 1;
  cr_expect_eq(tsr__scalar_cast(of_i64(v), TSR_FLOAT32).u.f32, 0x1.000002p60f);
}

Test(dtype, scalars_keep_unused_bits_zero_through_memory)
{
  for (int d = 0; d < TSR_N_DTYPES; d++) {
    unsigned char memory[24];
    memset(memory, 0xee, sizeof memory);
    const tsr_scalar x = tsr__scalar_cast(of_i64(d == TSR_BOOL ? 1 : -5), d);
    tsr__scalar_store(x, memory + 1);
    cr_expect_eq(memory[0], 0xee);
    cr_expect_eq(memory[1 + tsr__dtype_size(d)], 0xee);
    const tsr_scalar y = tsr__scalar_load(d, memory + 1);
    cr_expect_eq((int)y.dtype, d);
    cr_expect_eq(y.u.words[0], x.u.words[0]);
    cr_expect_eq(y.u.words[1], x.u.words[1]);
  }
}

/* What NumPy gives on x86. */
Test(dtype, floats_as_narrow_and_unsigned_integers)
{
  static const double from[] = {NAN,   INFINITY, -INFINITY, 3e9,    -3e9, -1.5,
                                300.7, -200.3,   0x1p63,    0x1p64, 1e30};
  static const int narrow[][4] = {
      {0, 0, 0, 0}, {0, 0, 0, 0},         {0, 0, 0, 0},       {0, 0, 0, 0},
      {0, 0, 0, 0}, {-1, 255, -1, 65535}, {44, 44, 300, 300}, {56, 56, -200, 65336},
      {0, 0, 0, 0}, {0, 0, 0, 0},         {0, 0, 0, 0},
  };
  static const tsr_dtype types[] = {TSR_INT8, TSR_UINT8, TSR_INT16, TSR_UINT16};
  static const uint64_t wide[] = {UINT64_C(9223372036854775808),
                                  UINT64_C(0),
                                  UINT64_C(9223372036854775808),
                                  UINT64_C(3000000000),
                                  UINT64_C(18446744070709551616),
                                  UINT64_C(18446744073709551615),
                                  UINT64_C(300),
                                  UINT64_C(18446744073709551416),
                                  UINT64_C(9223372036854775808),
                                  UINT64_C(0),
                                  UINT64_C(0)};
  for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
    for (int t = 0; t < 4; t++)
      cr_expect_eq(tsr__scalar_int(tsr__scalar_cast(of_f64(from[i]), types[t])), narrow[i][t],
                   "%g as %s", from[i], tsr__dtype_info(types[t])->name);
    cr_expect_eq(tsr__scalar_cast(of_f64(from[i]), TSR_UINT64).u.bits, wide[i], "%g", from[i]);
  }
  cr_expect_eq(tsr__scalar_cast(of_f64(-1.0), TSR_UINT32).u.bits, 0xffffffff);
  cr_expect_eq(tsr__scalar_cast(of_f64(3e9), TSR_UINT32).u.bits, 3000000000u);
}

Test(dtype, float16_rounds_to_nearest_even)
{
  static const double from[] = {0x0.0p+0,
                                -0x0.0p+0,
                                0x1.0000000000000p+0,
                                0x1.ffc0000000000p+15,
                                0x1.ffdffae147ae1p+15,
                                0x1.ffe0000000000p+15,
                                -0x1.dcd6500000000p+29,
                                0x1.0000000000000p-14,
                                0x1.0000000000000p-24,
                                0x1.0000000000000p-25,
                                0x1.00068db8bac71p-25,
                                0x1.8000000000000p-24,
                                0x1.0020000000000p+0,
                                0x1.0020000001000p+0,
                                0x1.0060000000000p+0,
                                INFINITY,
                                0x1.56e1fc2f8f359p-997};
  static const uint16_t want[] = {0x0, 0x8000, 0x3c00, 0x7bff, 0x7bff, 0x7c00, 0xfc00, 0x400, 0x1,
                                  0x0, 0x1,    0x2,    0x3c00, 0x3c01, 0x3c02, 0x7c00, 0x0};
  for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
    cr_expect_eq(tsr__scalar_cast(of_f64(from[i]), TSR_FLOAT16).u.f16, want[i], "%a", from[i]);
    const tsr_scalar single = tsr__scalar_cast(of_f64(from[i]), TSR_FLOAT32);
    if ((double)single.u.f32 == from[i])
      cr_expect_eq(tsr__scalar_cast(single, TSR_FLOAT16).u.f16, want[i], "%a", from[i]);
  }
  cr_expect_eq(tsr__scalar_cast(of_f64(NAN), TSR_FLOAT16).u.f16 & 0x7fff, 0x7e00);
  for (uint32_t h = 0; h < 0x10000; h++) { /* every one there and back */
    const tsr_scalar x = {.dtype = TSR_FLOAT16, .u.f16 = (uint16_t)h};
    const bool is_nan = (h & 0x7fff) > 0x7c00;
    cr_expect_eq(tsr__scalar_cast(tsr__scalar_cast(x, TSR_FLOAT32), TSR_FLOAT16).u.f16,
                 is_nan ? h | 0x200 : h);
    cr_expect_eq(tsr__scalar_cast(tsr__scalar_cast(x, TSR_FLOAT64), TSR_FLOAT16).u.f16,
                 is_nan ? h | 0x200 : h);
    const double v = tsr__scalar_double(x), sign = h & 0x8000 ? -1 : 1;
    const int exponent = h >> 10 & 31, m = h & 0x3ff;
    if (exponent < 31)
      cr_expect_eq(v, sign * (exponent ? ldexp(m + 1024, exponent - 25) : ldexp(m, -24)));
  }
}

Test(dtype, complex_casts)
{
  const tsr_scalar z = {.dtype = TSR_COMPLEX128, .u.c128 = {-2.75, 1e300}};
  cr_expect_eq(tsr__scalar_cast(z, TSR_COMPLEX64).u.c64[0], -2.75f);
  cr_expect(isinf(tsr__scalar_cast(z, TSR_COMPLEX64).u.c64[1]));
  cr_expect_eq(tsr__scalar_cast(z, TSR_FLOAT64).u.f, -2.75);
  cr_expect_eq(tsr__scalar_cast(z, TSR_INT8).u.bits, 0xfe);
  cr_expect_eq(tsr__scalar_cast(z, TSR_BOOL).u.i, 1);
  const tsr_scalar i = {.dtype = TSR_COMPLEX64, .u.c64 = {0, 1}};
  cr_expect_eq(tsr__scalar_cast(i, TSR_BOOL).u.i, 1);
  cr_expect_eq(tsr__scalar_cast(i, TSR_COMPLEX128).u.c128[1], 1.0);
  cr_expect_eq(tsr__scalar_cast(of_i64(-3), TSR_COMPLEX64).u.c64[0], -3.0f);
}
