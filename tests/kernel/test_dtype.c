/* The table of dtypes, promotion, casting rules and scalars, against NumPy's tables written out. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/kernel.h"

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
  static const char *const names[] = {"bool", "int32", "int64", "float32", "float64"};
  static const char *const npy[] = {"|b1", "<i4", "<i8", "<f4", "<f8"};
  static const size_t sizes[] = {1, 4, 8, 4, 8};
  for (int d = 0; d < TSR_N_DTYPES; d++) {
    cr_expect_str_eq(tsr__dtype_info(d)->name, names[d]);
    cr_expect_str_eq(tsr__dtype_info(d)->npy, npy[d]);
    cr_expect_eq(tsr__dtype_size(d), sizes[d]);
  }
}

Test(dtype, promotes_as_numpy)
{
  enum { b = TSR_BOOL, i = TSR_INT32, l = TSR_INT64, f = TSR_FLOAT32, d = TSR_FLOAT64 };
  static const int want[5][5] = {
      {b, i, l, f, d}, {i, i, l, d, d}, {l, l, l, d, d}, {f, d, d, f, d}, {d, d, d, d, d}};
  for (int x = 0; x < 5; x++) {
    for (int y = 0; y < 5; y++) cr_expect_eq((int)tsr__dtype_promote(x, y), want[x][y]);
  }
}

Test(dtype, same_kind_never_loses_kind)
{
  for (int from = 0; from < 5; from++) {
    for (int to = 0; to < 5; to++) {
      const bool want = tsr__dtype_info(from)->kind <= tsr__dtype_info(to)->kind;
      cr_expect_eq(tsr__dtype_can_cast_same_kind(from, to), want);
    }
  }
  cr_expect(tsr__dtype_can_cast_same_kind(TSR_FLOAT64, TSR_FLOAT32));
  cr_expect(tsr__dtype_can_cast_same_kind(TSR_INT64, TSR_FLOAT32));
  cr_expect_not(tsr__dtype_can_cast_same_kind(TSR_FLOAT32, TSR_INT64));
  cr_expect_not(tsr__dtype_can_cast_same_kind(TSR_INT32, TSR_BOOL));
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
    unsigned char memory[16];
    memset(memory, 0xee, sizeof memory);
    const tsr_scalar x = tsr__scalar_cast(of_i64(d == TSR_BOOL ? 1 : -5), d);
    tsr__scalar_store(x, memory + 1);
    cr_expect_eq(memory[0], 0xee);
    cr_expect_eq(memory[1 + tsr__dtype_size(d)], 0xee);
    const tsr_scalar y = tsr__scalar_load(d, memory + 1);
    cr_expect_eq((int)y.dtype, d);
    cr_expect_eq(y.u.bits, x.u.bits);
  }
}
