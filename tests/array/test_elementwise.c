/* The functions of one and two operands as a program calls them: values, dtypes, refusals. What
 * each computes, to the last bit: tests/kernel/test_math.c, test_accuracy.c. */
#include <math.h>

#include "array_test.h"

TestSuite(elementwise, .init = begin, .fini = end);

Test(elementwise, functions_of_one_operand)
{
  const double data[] = {0.25, 0.5, 1, 2};
  static const struct {
    tsr_array (*at)(const tsr_location *, int, const tsr_operand *);
    double (*f)(double);
  } table[] = {{tsr_exp_at, exp},     {tsr_expm1_at, expm1},  {tsr_log_at, log},
               {tsr_log1p_at, log1p}, {tsr_tanh_at, tanh},    {tsr_erf_at, erf},
               {tsr_erfc_at, erfc},   {tsr_sin_at, sin},      {tsr_cos_at, cos},
               {tsr_exp2_at, exp2},   {tsr_log2_at, log2},    {tsr_log10_at, log10},
               {tsr_cbrt_at, cbrt},   {tsr_arctan_at, atan},  {tsr_sinh_at, sinh},
               {tsr_cosh_at, cosh},   {tsr_arcsinh_at, asinh}};
  tsr_array x = tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(4)), y = tsr_astype(x, TSR_FLOAT32);
  for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
    const tsr_operand xs = tsr_box_array(x), ys = tsr_box_array(y);
    double got[4];
    float got_f32[4];
    cr_assert_eq(tsr_to_host(table[t].at(NULL, 1, &xs), got), TSR_OK);
    cr_assert_eq(tsr_dtype_of(table[t].at(NULL, 1, &ys)), TSR_FLOAT32);
    cr_assert_eq(tsr_to_host(table[t].at(NULL, 1, &ys), got_f32), TSR_OK);
    for (int i = 0; i < 4; i++) {
      const double want = table[t].f(data[i]);
      cr_expect_lt(fabs(got[i] - want), 0x1p-50 * fabs(want) + 0x1p-1000, "%zu of %g", t, data[i]);
      cr_expect_lt(fabs((double)got_f32[i] - want), 0x1p-22 * fabs(want) + 0x1p-100, "%zu", t);
    }
  }
}

Test(elementwise, powers_and_squares)
{
  tsr_array i = tsr_arange(-2, 3, 1, TSR_INT32), x = tsr_astype(i, TSR_FLOAT64);
  EXPECT_VALUES(tsr_power(i, 3), TSR_SHAPE(5), -8, -1, 0, 1, 8);
  cr_expect_eq(tsr_dtype_of(tsr_power(i, 3)), TSR_INT32);
  EXPECT_VALUES(tsr_power(2, tsr_absolute(i)), TSR_SHAPE(5), 4, 2, 1, 2, 4);
  EXPECT_VALUES(tsr_power(i, i), TSR_SHAPE(5), 0, -1, 1, 1, 4);
  EXPECT_VALUES(tsr_power(x, 2), TSR_SHAPE(5), 4, 1, 0, 1, 4);
  EXPECT_VALUES(tsr_power(tsr_add(i, 4), -1.0), TSR_SHAPE(5), 0.5, 1.0 / 3, 0.25, 0.2, 1.0 / 6);
  EXPECT_VALUES(tsr_square(i), TSR_SHAPE(5), 4, 1, 0, 1, 4);
  EXPECT_VALUES(tsr_hypot(tsr_multiply(i, 3), tsr_multiply(i, 4)), TSR_SHAPE(5), 10, 5, 0, 5, 10);
  EXPECT_VALUES(tsr_log(tsr_ones(TSR_SHAPE(2), TSR_INT64)), TSR_SHAPE(2), 0, 0);
}

/* Powers by small whole numbers are products, in all languages alike. */
Test(elementwise, powers_by_small_numbers_are_products)
{
  const double data[4] = {1 / 3.0, -0.1, 1e200, NAN};
  tsr_array x = tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(4));
  const tsr_array two = tsr_multiply(x, x), four = tsr_multiply(two, two);
  cr_expect(tsr_array_equal(tsr_power(x, 2), two, true));
  cr_expect(tsr_array_equal(tsr_power(x, 2.0), two, true));
  cr_expect(tsr_array_equal(tsr_power(x, 3), tsr_multiply(two, x), true));
  cr_expect(tsr_array_equal(tsr_power(x, 4), four, true));
  cr_expect(tsr_array_equal(tsr_eval("x**4", x), four, true));
  tsr_array i = tsr_arange(-2, 2, 1, TSR_INT32);
  EXPECT_VALUES(tsr_power(i, 2.0), TSR_SHAPE(4), 4, 1, 0, 1);
  cr_expect_eq(tsr_dtype_of(tsr_power(i, 2.0)), TSR_FLOAT64);
  EXPECT_VALUES(tsr_power(i, 7), TSR_SHAPE(4), -128, -1, 0, 1);
  EXPECT_VALUES(tsr_power(tsr_astype(i, TSR_UINT8), 16), TSR_SHAPE(4), 0, 1, 0, 1);
  tsr_ipow(tsr_slice(x, ":3"), 2);
  cr_expect(tsr_array_equal(x, two, true));
  cr_expect_eq(tsr_size(tsr_power(tsr_ones(TSR_SHAPE(0)), 3)), 0);
  EXPECT_VALUES(tsr_power(tsr_zeros(2, TSR_BOOL), 2), TSR_SHAPE(2), 0, 0);
}

Test(elementwise, powers_that_are_refused)
{
  tsr_array i = tsr_ones(TSR_SHAPE(3), TSR_INT64), b = tsr_ones(TSR_SHAPE(3), TSR_BOOL);
  cr_expect_not(tsr_ok(tsr_power(i, -2)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "integers to negative integer powers are not allowed",
               "`tsr_power`", "help: with -2.0 the result is float64");
  cr_expect_not(tsr_ok(tsr_power(tsr_astype(b, TSR_INT8), -2)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "integers to negative integer powers are not allowed");
  cr_expect_not(tsr_ok(tsr_cbrt(tsr_astype(b, TSR_COMPLEX64))));
  EXPECT_ERROR(TSR_ERR_DTYPE, "cbrt does not take complex64", "tsr_absolute");
  cr_expect_not(tsr_ok(tsr_negative(b)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "negative does not take bool", "tsr_logical_not");
}
