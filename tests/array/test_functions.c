/* The functions of tessera/functions.h as a program calls them: values, dtypes, shapes, refusals,
 * text. */
#include <math.h>

#include "array_test.h"

TestSuite(functions, .init = begin, .fini = end);

static tsr_array three(double a, double b, double c)
{
  const double data[] = {a, b, c};
  return tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(3));
}

Test(functions, division_of_integers)
{
  const int32_t data[] = {INT32_MIN, 7, -7, 5}, by[] = {-1, -2, 2, 0};
  tsr_array x = tsr_from_host(data, TSR_INT32, TSR_SHAPE(4));
  tsr_array y = tsr_from_host(by, TSR_INT32, TSR_SHAPE(4));
  EXPECT_VALUES(tsr_floor_divide(x, y), TSR_SHAPE(4), INT32_MIN, -4, -4, 0);
  EXPECT_VALUES(tsr_remainder(x, y), TSR_SHAPE(4), 0, -1, 1, 0);
  EXPECT_VALUES(tsr_fmod(x, y), TSR_SHAPE(4), 0, 1, -1, 0);
  EXPECT_VALUES(tsr_reciprocal(y), TSR_SHAPE(4), -1, 0, 0, INT32_MIN);
  cr_expect_eq(tsr_dtype_of(tsr_floor_divide(x, 2)), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_floor_divide(x, 2.0)), TSR_FLOAT64);
  EXPECT_VALUES(tsr_eval("x // 2 + x % 2", x), TSR_SHAPE(4), INT32_MIN / 2, 4, -3, 3);
  EXPECT_VALUES(tsr_eval("7 % x[1:3]", x), TSR_SHAPE(2), 0, 0);
}

Test(functions, division_of_floats)
{
  tsr_array x = three(7.5, -7.5, -INFINITY);
  EXPECT_VALUES(tsr_floor_divide(x, 2), TSR_SHAPE(3), 3, -4, NAN);
  EXPECT_VALUES(tsr_remainder(x, 2), TSR_SHAPE(3), 1.5, 0.5, NAN);
  EXPECT_VALUES(tsr_fmod(x, 2), TSR_SHAPE(3), 1.5, -1.5, NAN);
  EXPECT_VALUES(tsr_floor_divide(x, 0.0), TSR_SHAPE(3), INFINITY, -INFINITY, -INFINITY);
  EXPECT_VALUES(tsr_remainder(x, INFINITY), TSR_SHAPE(3), 7.5, INFINITY, NAN);
  EXPECT_VALUES(tsr_fmod(tsr_full(TSR_SHAPE(), 0x1p1000), 3), TSR_SHAPE(), fmod(0x1p1000, 3));
}

Test(functions, whole_numbers)
{
  tsr_array x = three(2.5, -2.5, -0.25), i = tsr_arange(-1, 2, 1, TSR_INT32);
  EXPECT_VALUES(tsr_floor(x), TSR_SHAPE(3), 2, -3, -1);
  EXPECT_VALUES(tsr_ceil(x), TSR_SHAPE(3), 3, -2, -0.0);
  EXPECT_VALUES(tsr_trunc(x), TSR_SHAPE(3), 2, -2, -0.0);
  EXPECT_VALUES(tsr_rint(x), TSR_SHAPE(3), 2, -2, -0.0);
  cr_expect_eq(tsr_dtype_of(tsr_floor(i)), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_trunc(tsr_equal(i, 0))), TSR_BOOL);
  cr_expect_eq(tsr_dtype_of(tsr_rint(i)), TSR_FLOAT64);
  EXPECT_VALUES(tsr_ceil(i), TSR_SHAPE(3), -1, 0, 1);
}

Test(functions, tests_and_signs)
{
  tsr_array x = three(NAN, -INFINITY, -0.0), i = tsr_arange(-1, 2, 1);
  EXPECT_VALUES(tsr_isnan(x), TSR_SHAPE(3), 1, 0, 0);
  EXPECT_VALUES(tsr_isinf(x), TSR_SHAPE(3), 0, 1, 0);
  EXPECT_VALUES(tsr_isfinite(x), TSR_SHAPE(3), 0, 0, 1);
  EXPECT_VALUES(tsr_signbit(x), TSR_SHAPE(3), 0, 1, 1);
  EXPECT_VALUES(tsr_signbit(tsr_arange(-1, 2, 1, TSR_INT64)), TSR_SHAPE(3), 1, 0, 0);
  EXPECT_VALUES(tsr_isnan(tsr_ones(TSR_SHAPE(2), TSR_BOOL)), TSR_SHAPE(2), 0, 0);
  cr_expect_eq(tsr_dtype_of(tsr_isnan(x)), TSR_BOOL);
  EXPECT_VALUES(tsr_sign(x), TSR_SHAPE(3), NAN, -1, 0);
  EXPECT_VALUES(tsr_sign(tsr_arange(-1, 2, 1, TSR_INT32)), TSR_SHAPE(3), -1, 0, 1);
  EXPECT_VALUES(tsr_positive(i), TSR_SHAPE(3), -1, 0, 1);
  EXPECT_VALUES(tsr_copysign(3, i), TSR_SHAPE(3), -3, 3, 3);
  EXPECT_VALUES(tsr_heaviside(i, 0.5), TSR_SHAPE(3), 0, 0.5, 1);
  EXPECT_VALUES(tsr_nextafter(i, 7), TSR_SHAPE(3), nextafter(-1, 7), 0x1p-1074, nextafter(1, 7));
}

Test(functions, bounds)
{
  tsr_array x = three(NAN, 5, -5), i = tsr_arange(-4, 5, 4, TSR_INT32);
  EXPECT_VALUES(tsr_fmin(x, 1), TSR_SHAPE(3), 1, 1, -5);
  EXPECT_VALUES(tsr_fmax(x, 1), TSR_SHAPE(3), 1, 5, 1);
  EXPECT_VALUES(tsr_clip(x, -1, 2), TSR_SHAPE(3), NAN, 2, -1);
  EXPECT_VALUES(tsr_clip(i, -1, 2), TSR_SHAPE(3), -1, 0, 2);
  EXPECT_VALUES(tsr_clip(i, 2, -1), TSR_SHAPE(3), -1, -1, -1);
  EXPECT_VALUES(tsr_clip(i, TSR_NONE, 2), TSR_SHAPE(3), -4, 0, 2);
  EXPECT_VALUES(tsr_clip(i, -1, TSR_NONE), TSR_SHAPE(3), -1, 0, 4);
  EXPECT_VALUES(tsr_clip(i, TSR_NONE, TSR_NONE), TSR_SHAPE(3), -4, 0, 4);
  EXPECT_VALUES(tsr_clip(tsr_astype(i, TSR_INT8), -1000, TSR_NONE), TSR_SHAPE(3), -4, 0, 4);
  EXPECT_VALUES(tsr_clip(tsr_slice(i, "0"), 5.0, TSR_NONE), TSR_SHAPE(), 5);
  cr_expect_eq(tsr_dtype_of(tsr_clip(i, TSR_NONE, 2.5)), TSR_FLOAT64);
  cr_expect_not(tsr_ok(tsr_clip(TSR_NONE, 0, 1)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_NONE is no value, and this call needs one there",
               "`tsr_clip`");
  cr_expect_not(tsr_ok(tsr_clip(TSR_NONE, 0, TSR_NONE)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_NONE is no value");
  cr_expect_not(tsr_ok(tsr_add(i, TSR_NONE)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_NONE is no value", "`tsr_add`");
  cr_expect_eq(tsr_assign(i, TSR_NONE), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_NONE is no value", "`tsr_assign`");
  cr_expect_not(tsr_ok(tsr_full(3, TSR_NONE)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_NONE is no value", "`tsr_full`");
  cr_expect_not(tsr_ok(tsr_linspace(TSR_NONE, 1)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_NONE is no value");
  cr_expect_not(tsr_ok(tsr_arange(0, TSR_NONE, 1)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_NONE is no value");
  cr_expect_not(tsr_ok(tsr_sum(i, TSR_INITIAL(TSR_NONE))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_NONE is no value");
  cr_expect_not(tsr_ok(tsr_quantile(i, TSR_NONE)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_NONE is no value");
  cr_expect(isnan(tsr_item_f64(TSR_NONE)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_NONE is no value");
  cr_expect_not(tsr_ok(tsr_where(i, TSR_NONE, 1)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_NONE is no value");
  cr_expect_not(tsr_ok(tsr_matmul(i, TSR_NONE)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_NONE is no value");
  cr_expect_eq(tsr_dtype_of(tsr_clip(i, -1, 2)), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_clip(i, -1, 2.5)), TSR_FLOAT64);
  EXPECT_VALUES(tsr_eval("clip(i, -1, 2) + fmax(i, 0)", i), TSR_SHAPE(3), -1, 0, 6);
}

/* Powers of two of all exponents, normal numbers or not, times what is and is not one. */
static void scale_all(void *arg, int rank)
{
  enum { N = 2300, FIRST = -1150 };
  (void)arg, (void)rank;
  const double xs[] = {1.5, -0x1.fffp-1000, 0x1p-1074, 0x1.8p1023, 0, -0.0, INFINITY, NAN};
  tsr_array n = tsr_arange(FIRST, FIRST + N, 1, TSR_INT64);
  double *wide = malloc(sizeof *wide * N);
  float *narrow = malloc(sizeof *narrow * N);
  for (size_t k = 0; k < sizeof xs / sizeof *xs; k++) {
    tsr_array x = tsr_full(TSR_SHAPE(N), xs[k]);
    cr_assert_eq(tsr_to_host(tsr_ldexp(x, n), wide), TSR_OK);
    cr_assert_eq(tsr_to_host(tsr_ldexp(tsr_astype(x, TSR_FLOAT32), n), narrow), TSR_OK);
    for (int i = 0; i < N; i++) {
      const double expected = ldexp(xs[k], FIRST + i);
      const float single = ldexpf((float)xs[k], FIRST + i);
      cr_assert(memcmp(&wide[i], &expected, sizeof expected) == 0 ||
                    (isnan(wide[i]) && isnan(expected)),
                "%a 2^%d: %a", xs[k], FIRST + i, wide[i]);
      cr_assert(memcmp(&narrow[i], &single, sizeof single) == 0 ||
                    (isnan(narrow[i]) && isnan(single)),
                "float32 %a 2^%d: %a", xs[k], FIRST + i, (double)narrow[i]);
    }
  }
  free(wide);
  free(narrow);
}

Test(functions, all_powers_of_two)
{
  scale_all(NULL, 0);
}
Test(functions_compiled, all_powers_of_two)
{
  RUN_RANKS(1, scale_all, NULL, "jit", "eager", "jit_after", "0", "device", "cpu");
}

Test(functions, exponents)
{
  tsr_array x = three(0.75, -8, INFINITY), i = tsr_arange(1, 4, 1, TSR_INT64);
  EXPECT_VALUES(tsr_ldexp(x, i), TSR_SHAPE(3), 1.5, -32, INFINITY);
  EXPECT_VALUES(tsr_ldexp(tsr_full(TSR_SHAPE(2), 0x1.8p-1000), -74), TSR_SHAPE(2), 0x1p-1073,
                0x1p-1073);
  cr_expect_eq(tsr_dtype_of(tsr_ldexp(tsr_astype(x, TSR_FLOAT32), i)), TSR_FLOAT32);
  cr_expect_eq(tsr_dtype_of(tsr_ldexp(i, i)), TSR_FLOAT64);
  EXPECT_VALUES(tsr_frexp_mantissa(x), TSR_SHAPE(3), 0.75, -0.5, INFINITY);
  EXPECT_VALUES(tsr_frexp_exponent(x), TSR_SHAPE(3), 0, 4, 0);
}

Test(functions, angles_and_logarithms)
{
  tsr_array x = three(1, 0, -1), y = three(0, 1, -1);
  EXPECT_VALUES(tsr_arctan2(y, x), TSR_SHAPE(3), 0, atan2(1, 0), atan2(-1, -1));
  EXPECT_VALUES(tsr_arcsin(x), TSR_SHAPE(3), asin(1), 0, -asin(1));
  EXPECT_VALUES(tsr_arccos(x), TSR_SHAPE(3), 0, acos(0), acos(-1));
  EXPECT_VALUES(tsr_rad2deg(tsr_arccos(x)), TSR_SHAPE(3), 0, 90, 180);
  EXPECT_VALUES(tsr_signbit(tsr_rad2deg(three(-0.0, 0, -1e-310))), TSR_SHAPE(3), 1, 0, 1);
  EXPECT_VALUES(tsr_signbit(tsr_deg2rad(three(-0.0, 0, -1e-310))), TSR_SHAPE(3), 1, 0, 1);
  EXPECT_VALUES(tsr_deg2rad(three(180, 90, 0)), TSR_SHAPE(3), acos(-1), acos(0), 0);
  EXPECT_VALUES(tsr_arctanh(x), TSR_SHAPE(3), INFINITY, 0, -INFINITY);
  EXPECT_VALUES(tsr_arccosh(x), TSR_SHAPE(3), 0, NAN, NAN);
  EXPECT_VALUES(tsr_tan(three(0, 1, INFINITY)), TSR_SHAPE(3), 0, tan(1), NAN);
  EXPECT_VALUES(tsr_sinc(three(0, 0.5, 3)), TSR_SHAPE(3), 1, 1 / acos(0), 0);
  EXPECT_VALUES(tsr_sinc(three(INFINITY, -INFINITY, NAN)), TSR_SHAPE(3), NAN, NAN, NAN);
  cr_expect_eq(tsr_dtype_of(tsr_sinc(tsr_ones(TSR_SHAPE(2), TSR_INT8))), TSR_FLOAT64);
  EXPECT_VALUES(tsr_gamma(three(5, 0.5, -1)), TSR_SHAPE(3), 24, tgamma(0.5), NAN);
  EXPECT_VALUES(tsr_lgamma(three(1, 2, -3)), TSR_SHAPE(3), 0, 0, INFINITY);
  EXPECT_VALUES(tsr_log2(three(8, 0.25, 0)), TSR_SHAPE(3), 3, -2, -INFINITY);
  EXPECT_VALUES(tsr_log10(three(1000, 1e-5, -1)), TSR_SHAPE(3), 3, -5, NAN);
  EXPECT_VALUES(tsr_exp2(three(10, -1, -INFINITY)), TSR_SHAPE(3), 1024, 0.5, 0);
  EXPECT_VALUES(tsr_cbrt(three(27, -8, 0)), TSR_SHAPE(3), 3, -2, 0);
  EXPECT_VALUES(tsr_logaddexp(three(1000, -INFINITY, 0), three(0, -INFINITY, 0)), TSR_SHAPE(3),
                1000, -INFINITY, log(2));
  cr_expect_eq(tsr_dtype_of(tsr_cbrt(tsr_arange(0, 3, 1, TSR_INT32))), TSR_FLOAT64);
}

Test(functions, what_is_refused)
{
  tsr_array x = tsr_ones(TSR_SHAPE(3)), b = tsr_ones(TSR_SHAPE(3), TSR_BOOL);
  cr_expect_not(tsr_ok(tsr_ldexp(x, 1.5)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "ldexp takes whole exponents, not float64", "`tsr_ldexp`",
               "help: x * 2.0**n takes any");
  cr_expect_not(tsr_ok(tsr_sign(b)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "sign does not take bool", "tsr_astype");
  cr_expect_not(tsr_ok(tsr_positive(b)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "positive does not take bool", "tsr_astype");
  cr_expect_not(tsr_ok(tsr_arctan2(x, tsr_ones(TSR_SHAPE(2)))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "(3,) and (2,) in `tsr_arctan2`");
  cr_expect_eq(tsr_shape(tsr_cbrt(tsr_zeros(TSR_SHAPE(0, 3)))).n[0], 0);
  EXPECT_VALUES(tsr_floor(tsr_full(TSR_SHAPE(), 1.5)), TSR_SHAPE(), 1);
}
