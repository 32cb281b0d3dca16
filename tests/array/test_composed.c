/* tessera/composed.h and the in-place operators: values by NumPy's rules, dtypes, refusals, text.
 */
#include <complex.h>
#include <math.h>

#include "array_test.h"

TestSuite(composed, .init = begin, .fini = end);

static tsr_array four(double a, double b, double c, double d)
{
  const double data[] = {a, b, c, d};
  return tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(4));
}

Test(composed, isclose)
{
  tsr_array x = four(1, 1 + 1e-6, INFINITY, NAN), y = four(1 + 1e-9, 1, INFINITY, NAN);
  EXPECT_VALUES(tsr_isclose(x, y), TSR_SHAPE(4), 1, 1, 1, 0);
  EXPECT_VALUES(tsr_isclose(x, y, 1e-8), TSR_SHAPE(4), 1, 0, 1, 0);
  EXPECT_VALUES(tsr_isclose(x, y, 0, 1e-5), TSR_SHAPE(4), 1, 1, 1, 0);
  EXPECT_VALUES(tsr_isclose(x, y, 1e-5, 1e-8, true), TSR_SHAPE(4), 1, 1, 1, 1);
  EXPECT_VALUES(tsr_isclose(tsr_negative(x), y), TSR_SHAPE(4), 0, 0, 0, 0);
  EXPECT_VALUES(tsr_isclose(5, INFINITY), TSR_SHAPE(), 0);
  EXPECT_VALUES(tsr_isclose(tsr_arange(0, 3, 1, TSR_INT32), 1), TSR_SHAPE(3), 0, 1, 0);
  cr_expect_eq(tsr_dtype_of(tsr_isclose(x, y)), TSR_BOOL);
  /* C scalars are weak: float32's 0.1 is 0.1, float64's is not float32's. */
  tsr_array narrow = tsr_full(TSR_SHAPE(1), 0.1, TSR_FLOAT32);
  EXPECT_VALUES(tsr_isclose(narrow, 0.1, 0, 0), TSR_SHAPE(1), 1);
  EXPECT_VALUES(tsr_isclose(0.1, narrow, 0, 0), TSR_SHAPE(1), 1);
  EXPECT_VALUES(tsr_isclose(narrow, tsr_full(TSR_SHAPE(1), 0.1), 0, 0), TSR_SHAPE(1), 0);
  EXPECT_VALUES(tsr_isclose(tsr_full(TSR_SHAPE(1), 0.1, TSR_FLOAT16), 0.1), TSR_SHAPE(1), 1);
  EXPECT_VALUES(tsr_isclose(tsr_full(TSR_SHAPE(1), 0.1, TSR_COMPLEX64), 0.1, 0, 0), TSR_SHAPE(1),
                1);
  EXPECT_VALUES(tsr_isclose(x, NAN, 0, 0, true), TSR_SHAPE(4), 0, 0, 0, 1);
  EXPECT_VALUES(tsr_isclose(x, INFINITY, 0, INFINITY), TSR_SHAPE(4), 0, 0, 1, 0);
  EXPECT_VALUES(tsr_isclose(tsr_full(TSR_SHAPE(1), -128, TSR_INT8), 127, 0, 200), TSR_SHAPE(1), 0);
  cr_expect_eq(tsr_shape(tsr_isclose(tsr_zeros(TSR_SHAPE(0, 2)), 1)).n[0], 0);
  cr_expect_not(tsr_ok(tsr_isclose(x, tsr_zeros(TSR_SHAPE(3)))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "(4,) and (3,) in `tsr_isclose`");
  cr_expect_not(tsr_ok(tsr_isclose(tsr_null(), x)));
}

/* What NumPy 2.4 gives. */
Test(composed, rounding)
{
  tsr_array x = four(2.5, -1.25, 12345.675, -0.0), i = tsr_arange(-150, 160, 100, TSR_INT32);
  EXPECT_VALUES(tsr_round(x), TSR_SHAPE(4), 2, -1, 12346, -0.0);
  EXPECT_VALUES(tsr_round(x, 1), TSR_SHAPE(4), 2.5, -1.2, 12345.7, -0.0);
  EXPECT_VALUES(tsr_round(x, 2), TSR_SHAPE(4), 2.5, -1.25, 12345.68, -0.0);
  EXPECT_VALUES(tsr_round(x, -2), TSR_SHAPE(4), 0, -0.0, 12300, -0.0);
  EXPECT_VALUES(tsr_round(four(NAN, INFINITY, 1e300, 5), 320), TSR_SHAPE(4), NAN, NAN, NAN, NAN);
  EXPECT_VALUES(tsr_round(i, -2), TSR_SHAPE(4), -200, 0, 0, 200);
  EXPECT_VALUES(tsr_round(i, 3), TSR_SHAPE(4), -150, -50, 50, 150);
  cr_expect_eq(tsr_dtype_of(tsr_round(i, -2)), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_round(tsr_astype(x, TSR_FLOAT32), 2)), TSR_FLOAT32);
  EXPECT_VALUES(tsr_round(1.5), TSR_SHAPE(), 2);
  EXPECT_VALUES(tsr_round(tsr_ones(TSR_SHAPE(2), TSR_BOOL)), TSR_SHAPE(2), 1, 1);
  cr_expect_eq(tsr_dtype_of(tsr_round(tsr_ones(TSR_SHAPE(2), TSR_BOOL))), TSR_FLOAT16);
  cr_expect_not(tsr_ok(tsr_round(tsr_ones(TSR_SHAPE(2), TSR_BOOL), 1)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "round to decimals does not take bool", "`tsr_round`",
               "help: tsr_astype");
  cr_expect_not(tsr_ok(tsr_round(tsr_null(), 2)));
}

Test(composed, two_results)
{
  tsr_array out[2], x = four(7.5, -7.5, -INFINITY, -0.0);
  cr_expect_eq(tsr_divmod(out, x, 2), TSR_OK);
  EXPECT_VALUES(out[0], TSR_SHAPE(4), 3, -4, NAN, -0.0);
  EXPECT_VALUES(out[1], TSR_SHAPE(4), 1.5, 0.5, NAN, 0);
  cr_expect_eq(tsr_divmod(out, 7, tsr_arange(-2, 3, 1, TSR_INT64)), TSR_OK);
  EXPECT_VALUES(out[0], TSR_SHAPE(5), -4, -7, 0, 7, 3);
  EXPECT_VALUES(out[1], TSR_SHAPE(5), -1, 0, 0, 0, 1);
  cr_expect_eq(tsr_frexp(out, x), TSR_OK);
  EXPECT_VALUES(out[0], TSR_SHAPE(4), 0.9375, -0.9375, -INFINITY, -0.0);
  EXPECT_VALUES(out[1], TSR_SHAPE(4), 3, 3, 0, 0);
  cr_expect_eq(tsr_dtype_of(out[1]), TSR_INT32);
  cr_expect_eq(tsr_modf(out, x), TSR_OK);
  EXPECT_VALUES(out[0], TSR_SHAPE(4), 0.5, -0.5, -0.0, -0.0);
  EXPECT_VALUES(out[1], TSR_SHAPE(4), 7, -7, -INFINITY, -0.0);
  cr_expect_eq(tsr_modf(out, tsr_arange(0, 2, 1, TSR_INT32)), TSR_OK);
  cr_expect_eq(tsr_dtype_of(out[1]), TSR_FLOAT64);
  cr_expect_eq(tsr_modf(out, tsr_arange(0, 2, 1, TSR_INT8)), TSR_OK);
  cr_expect_eq(tsr_dtype_of(out[1]), TSR_FLOAT16);
  cr_expect_eq(tsr_modf(out, tsr_ones(TSR_SHAPE(2), TSR_UINT16)), TSR_OK);
  cr_expect_eq(tsr_dtype_of(out[0]), TSR_FLOAT32);
  cr_expect_eq(tsr_modf(out, 2.25), TSR_OK);
  EXPECT_VALUES(out[0], TSR_SHAPE(), 0.25);
}

Test(composed, two_results_or_none)
{
  tsr_array x = tsr_ones(TSR_SHAPE(3)), out[2] = {x, x};
  cr_expect_eq(tsr_divmod(out, x, tsr_ones(TSR_SHAPE(2))), TSR_ERR_BROADCAST);
  EXPECT_ERROR(TSR_ERR_BROADCAST, "(3,) and (2,) in `tsr_divmod`");
  tsr_array z = tsr_astype(x, TSR_COMPLEX128);
  cr_expect_eq(tsr_divmod(out, z, z), TSR_ERR_DTYPE);
  EXPECT_ERROR(TSR_ERR_DTYPE, "floor_divide does not take complex128", "`tsr_divmod`");
  cr_expect_eq(tsr_frexp(out, tsr_null()), TSR_ERR_HANDLE);
  cr_expect_eq(tsr_modf(out, tsr_null()), TSR_ERR_HANDLE);
  cr_expect_eq(out[0].id, x.id);
  cr_expect_eq(out[1].id, x.id);
  tsr_array *none = NULL;
  cr_expect_eq(tsr_frexp(none, x), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the place for the two results is NULL", "`tsr_frexp`");
}

Test(composed, in_place)
{
  tsr_array x = four(7.5, -7.5, 3, 4), i = tsr_arange(-2, 3, 1, TSR_INT32);
  cr_expect_eq(tsr_ifloordiv(x, 2), TSR_OK);
  EXPECT_VALUES(x, TSR_SHAPE(4), 3, -4, 1, 2);
  cr_expect_eq(tsr_ipow(x, tsr_full(TSR_SHAPE(), 3.0)), TSR_OK);
  EXPECT_VALUES(x, TSR_SHAPE(4), 27, -64, 1, 8);
  cr_expect_eq(tsr_imod(tsr_slice(x, "1:"), 5), TSR_OK);
  EXPECT_VALUES(x, TSR_SHAPE(4), 27, 1, 1, 3);
  cr_expect_eq(tsr_imod(i, 3), TSR_OK);
  EXPECT_VALUES(i, TSR_SHAPE(5), 1, 2, 0, 1, 2);
  cr_expect_eq(tsr_ipow(i, -1), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "integers to negative integer powers", "`tsr_ipow`", "with -1.0");
  EXPECT_VALUES(i, TSR_SHAPE(5), 1, 2, 0, 1, 2);
  cr_expect_eq(tsr_exec("x //= 2; x[1:] **= 2; x %= 10; i //= 2", x, i), TSR_OK);
  EXPECT_VALUES(x, TSR_SHAPE(4), 3, 0, 0, 1);
  EXPECT_VALUES(i, TSR_SHAPE(5), 0, 1, 0, 0, 1);
  cr_expect_eq(tsr_ifloordiv(i, 0.5), TSR_ERR_CAST);
  EXPECT_ERROR(TSR_ERR_CAST, "cannot store float64 in an array of int32", "`tsr_ifloordiv`");
  cr_expect_eq(tsr_exec("i **= 0.5", i), TSR_ERR_CAST);
  EXPECT_ERROR(TSR_ERR_CAST, "cannot store float64 in an array of int32");
  cr_expect_eq(tsr_exec("x @= 2", x), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "input operand 1 does not have enough dimensions", "tsr_matmul");
  tsr_array b = tsr_equal(i, 1);
  cr_expect_eq(tsr_imod(b, b), TSR_ERR_CAST);
  EXPECT_ERROR(TSR_ERR_CAST, "cannot store int8 in an array of bool", "`tsr_imod`");
}

Test(composed, bits_in_place)
{
  tsr_array i = tsr_arange(-2, 3, 1, TSR_INT32), b = tsr_equal(i, 1), x = tsr_ones(TSR_SHAPE(5));
  cr_expect_eq(tsr_iand(i, 3), TSR_OK);
  EXPECT_VALUES(i, TSR_SHAPE(5), 2, 3, 0, 1, 2);
  cr_expect_eq(tsr_ior(tsr_slice(i, "::2"), tsr_full(TSR_SHAPE(), 4, TSR_INT8)), TSR_OK);
  EXPECT_VALUES(i, TSR_SHAPE(5), 6, 3, 4, 1, 6);
  cr_expect_eq(tsr_ixor(i, i), TSR_OK);
  cr_expect_eq(tsr_iadd(i, 5), TSR_OK);
  cr_expect_eq(tsr_ilshift(i, 3), TSR_OK);
  EXPECT_VALUES(i, TSR_SHAPE(5), 40, 40, 40, 40, 40);
  cr_expect_eq(tsr_irshift(i, 2), TSR_OK);
  cr_expect_eq(tsr_exec("i[1:] <<= 4; i[2:] >>= 5; i ^= 1; i[3:] |= 6; i &= 255; b |= i > 3", i, b),
               TSR_OK);
  EXPECT_VALUES(i, TSR_SHAPE(5), 11, 161, 4, 6, 6);
  EXPECT_VALUES(b, TSR_SHAPE(5), 1, 1, 1, 1, 1);
  cr_expect_eq(tsr_iand(x, 1), TSR_ERR_DTYPE);
  EXPECT_ERROR(TSR_ERR_DTYPE, "bitwise_and does not take float64", "`tsr_iand`");
  cr_expect_eq(tsr_ilshift(b, 1), TSR_ERR_CAST);
  EXPECT_ERROR(TSR_ERR_CAST, "cannot store int64 in an array of bool", "`tsr_ilshift`");
}

Test(composed, divisors_and_powers)
{
  const int64_t a[] = {12, -18, 0, 7}, b[] = {18, 12, 5, 0};
  const tsr_array x = tsr_from_host(a, TSR_INT64, TSR_SHAPE(4));
  const tsr_array y = tsr_from_host(b, TSR_INT64, TSR_SHAPE(4));
  EXPECT_VALUES(tsr_gcd(x, y), TSR_SHAPE(4), 6, 6, 5, 7);
  EXPECT_VALUES(tsr_lcm(x, y), TSR_SHAPE(4), 36, 36, 0, 0);
  EXPECT_VALUES(tsr_gcd(tsr_expand_dims(x, 1), 8), TSR_SHAPE(4, 1), 4, 2, 8, 1);
  /* Neighbours of Fibonacci's take the most steps. */
  EXPECT_VALUES(tsr_gcd(tsr_full(TSR_SHAPE(1), 144, TSR_UINT8), 89), TSR_SHAPE(1), 1);
  EXPECT_VALUES(tsr_gcd(tsr_full(TSR_SHAPE(1), INT64_C(7540113804746346429), TSR_INT64),
                        INT64_C(4660046610375530309)),
                TSR_SHAPE(1), 1);
  const tsr_array least = tsr_full(TSR_SHAPE(1), INT64_MIN, TSR_INT64);
  EXPECT_VALUES(tsr_gcd(least, 12), TSR_SHAPE(1), 4);
  EXPECT_VALUES(tsr_equal(tsr_gcd(least, 0), least), TSR_SHAPE(1), 1);
  EXPECT_VALUES(tsr_equal(tsr_lcm(least, -1), least), TSR_SHAPE(1), 1);
  EXPECT_VALUES(tsr_gcd(tsr_full(TSR_SHAPE(1), -128, TSR_INT8), 0), TSR_SHAPE(1), -128);
  EXPECT_VALUES(tsr_lcm(tsr_full(TSR_SHAPE(1), 200, TSR_UINT8), 30), TSR_SHAPE(1), 600 - 512);
  EXPECT_VALUES(tsr_gcd(tsr_zeros(1, TSR_UINT16), 0), TSR_SHAPE(1), 0);
  cr_expect_eq(tsr_dtype_of(tsr_gcd(tsr_zeros(2, TSR_INT8), tsr_zeros(2, TSR_UINT8))), TSR_INT16);
  EXPECT_VALUES(tsr_logaddexp2(tsr_arange(3.0, 5, 1), 3), TSR_SHAPE(2), 4, 4.584962500721156);
  EXPECT_VALUES(tsr_logaddexp2(four(-INFINITY, INFINITY, NAN, 1e300), -INFINITY), TSR_SHAPE(4),
                (double)-INFINITY, (double)INFINITY, (double)NAN, 1e300);
  cr_expect_eq(tsr_dtype_of(tsr_logaddexp2(tsr_zeros(2, TSR_INT8), 1)), TSR_FLOAT16);
  EXPECT_VALUES(tsr_float_power(x, 2), TSR_SHAPE(4), 144, 324, 0, 49);
  cr_expect_eq(tsr_dtype_of(tsr_float_power(tsr_zeros(2, TSR_FLOAT32), 2)), TSR_FLOAT64);
  cr_expect_eq(tsr_dtype_of(tsr_float_power(tsr_zeros(2, TSR_COMPLEX64), 2)), TSR_COMPLEX128);
  EXPECT_VALUES(tsr_eval("gcd.reduce(x) + lcm(4, $2)", x, 6), TSR_SHAPE(), 13);
  cr_expect_not(tsr_ok(tsr_gcd(x, 1.5)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "gcd does not take float64", "`tsr_gcd`", "tsr_astype(x, TSR_INT64)");
  cr_expect_not(tsr_ok(tsr_lcm(tsr_zeros(2, TSR_INT8), 300)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "300", "int8");
  cr_expect_not(tsr_ok(tsr_logaddexp2(x, 1.0 * I)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "complex");
  cr_expect_not(tsr_ok(tsr_gcd(x, tsr_zeros(3, TSR_INT64))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "(4,) and (3,)");
  cr_expect_not(tsr_ok(tsr_lcm(x, tsr_null())));
  cr_expect_not(tsr_ok(tsr_float_power(tsr_null(), x)));
  cr_expect_not(tsr_ok(tsr_logaddexp2(tsr_null(), x)));
}
