/* Every dtype as a program uses it: NumPy 2's values, dtypes, refusals and texts. What the loops
 * and casts compute, to the last bit: tests/kernel. */
#include <math.h>

#include "array/files/print.h"
#include "array_test.h"
#include "tests/support/complex_numbers.h"

TestSuite(dtypes, .init = begin, .fini = end);

static tsr_array of_type(tsr_dtype dtype, int n, const double *values)
{
  return tsr_astype(tsr_from_host(values, TSR_FLOAT64, TSR_SHAPE(n)), dtype);
}
#define OF(dtype, ...)                                                                             \
  of_type(dtype, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

Test(dtypes, integers_wrap)
{
  tsr_array u = OF(TSR_UINT8, 0, 1, 200, 255), i = OF(TSR_INT8, -128, -1, 100, 127);
  EXPECT_VALUES(tsr_add(u, 100), TSR_SHAPE(4), 100, 101, 44, 99);
  EXPECT_VALUES(tsr_multiply(u, u), TSR_SHAPE(4), 0, 1, 64, 1);
  EXPECT_VALUES(tsr_negative(u), TSR_SHAPE(4), 0, 255, 56, 1);
  EXPECT_VALUES(tsr_absolute(i), TSR_SHAPE(4), -128, 1, 100, 127);
  EXPECT_VALUES(tsr_subtract(i, 1), TSR_SHAPE(4), 127, -2, 99, 126);
  EXPECT_VALUES(tsr_power(i, 2), TSR_SHAPE(4), 0, 1, 16, 1);
  EXPECT_VALUES(tsr_add(OF(TSR_UINT16, 65535), 2), TSR_SHAPE(1), 1);
  EXPECT_VALUES(tsr_multiply(OF(TSR_UINT32, 65536), 65537), TSR_SHAPE(1), 65536);
  const uint64_t most[] = {UINT64_MAX, 5};
  tsr_array w = tsr_from_host(most, TSR_UINT64, TSR_SHAPE(2));
  EXPECT_VALUES(tsr_add(w, 2), TSR_SHAPE(2), 1, 7);
  EXPECT_VALUES(w, TSR_SHAPE(2), 18446744073709551616.0, 5);
  cr_expect_eq(tsr_item_i64(tsr_max(w)), -1);
  EXPECT_VALUES(tsr_argmax(w), TSR_SHAPE(), 0);
  EXPECT_VALUES(tsr_add(u, i), TSR_SHAPE(4), -128, 0, 300, 382); /* int16 */
}

Test(dtypes, weak_integers_must_fit)
{
  tsr_array u = tsr_ones(TSR_SHAPE(2), TSR_UINT8), w = tsr_ones(TSR_SHAPE(2), TSR_UINT64);
  (void)tsr_ok(tsr_add(u, 300));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the integer 300 is out of bounds for uint8", "help:");
  (void)tsr_ok(tsr_add(u, -1));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the integer -1 is out of bounds for uint8");
  (void)tsr_ok(tsr_add(w, -1));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the integer -1 is out of bounds for uint64");
  cr_expect_eq(tsr_assign(u, 256), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the integer 256 is out of bounds for uint8");
  EXPECT_VALUES(tsr_add(w, UINT64_MAX), TSR_SHAPE(2), 0, 0);
  (void)tsr_ok(tsr_add(tsr_ones(TSR_SHAPE(2), TSR_INT64), UINT64_MAX));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the integer 18446744073709551615 is out of bounds for int64");
}

Test(dtypes, comparisons_with_integers_beyond_are_exact)
{
  tsr_array u = OF(TSR_UINT8, 0, 255), i = OF(TSR_INT64, -1, 1);
  EXPECT_VALUES(tsr_equal(u, 300), TSR_SHAPE(2), 0, 0);
  EXPECT_VALUES(tsr_not_equal(u, -1), TSR_SHAPE(2), 1, 1);
  EXPECT_VALUES(tsr_less(u, 256), TSR_SHAPE(2), 1, 1);
  EXPECT_VALUES(tsr_less_equal(u, -1), TSR_SHAPE(2), 0, 0);
  EXPECT_VALUES(tsr_greater(u, -1), TSR_SHAPE(2), 1, 1);
  EXPECT_VALUES(tsr_greater_equal(u, 1000), TSR_SHAPE(2), 0, 0);
  EXPECT_VALUES(tsr_less(-1, u), TSR_SHAPE(2), 1, 1);
  EXPECT_VALUES(tsr_greater(300, u), TSR_SHAPE(2), 1, 1);
  EXPECT_VALUES(tsr_less(i, UINT64_MAX), TSR_SHAPE(2), 1, 1);
  EXPECT_VALUES(tsr_less(tsr_astype(i, TSR_UINT64), -1), TSR_SHAPE(2), 0, 0);
}

/* float64, which both promote to, has 53 bits. */
Test(dtypes, comparisons_of_uint64_with_signed_integers_are_exact)
{
  const uint64_t large[] = {(uint64_t)INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX, 1};
  const int64_t signs[] = {INT64_MAX, INT64_MAX, -1, 1};
  tsr_array u = tsr_from_host(large, TSR_UINT64, TSR_SHAPE(4));
  tsr_array i = tsr_from_host(signs, TSR_INT64, TSR_SHAPE(4));
  EXPECT_VALUES(tsr_equal(u, i), TSR_SHAPE(4), 1, 0, 0, 1);
  EXPECT_VALUES(tsr_not_equal(i, u), TSR_SHAPE(4), 0, 1, 1, 0);
  EXPECT_VALUES(tsr_less(u, i), TSR_SHAPE(4), 0, 0, 0, 0);
  EXPECT_VALUES(tsr_less(i, u), TSR_SHAPE(4), 0, 1, 1, 0);
  EXPECT_VALUES(tsr_less_equal(u, i), TSR_SHAPE(4), 1, 0, 0, 1);
  EXPECT_VALUES(tsr_less_equal(i, u), TSR_SHAPE(4), 1, 1, 1, 1);
  EXPECT_VALUES(tsr_greater(u, i), TSR_SHAPE(4), 0, 1, 1, 0);
  EXPECT_VALUES(tsr_greater_equal(i, u), TSR_SHAPE(4), 1, 0, 0, 1);
  EXPECT_VALUES(tsr_greater(u, OF(TSR_INT8, -1, 1, 2, 3)), TSR_SHAPE(4), 1, 1, 1, 0);
  (void)tsr_ok(tsr_less(u, tsr_zeros(TSR_SHAPE(3), TSR_INT64)));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "cannot broadcast shapes (4,) and (3,)");
}

/* Each operation takes and gives numbers of float16: 0.2 is 0.199951171875 there. */
Test(dtypes, scalars_are_rounded_to_float16)
{
  tsr_array x = OF(TSR_FLOAT16, 741, 1000);
  EXPECT_VALUES(tsr_multiply(x, 0.2), TSR_SHAPE(2), 148.125, 200);
  EXPECT_VALUES(tsr_less(OF(TSR_FLOAT16, 0.2), 0.2), TSR_SHAPE(1), 0);
  EXPECT_VALUES(tsr_equal(OF(TSR_FLOAT16, 0.2), 0.2), TSR_SHAPE(1), 1);
  cr_expect_eq(tsr_imul(x, 0.2), TSR_OK);
  EXPECT_VALUES(x, TSR_SHAPE(2), 148.125, 200);
}

Test(dtypes, scans_of_float16_are_rounded_once)
{
  tsr_array x = OF(TSR_FLOAT16, 2048, 1, 1, 1);
  EXPECT_VALUES(tsr_cumsum(x), TSR_SHAPE(4), 2048, 2048, 2050, 2052);
  cr_expect_eq(tsr_dtype_of(tsr_cumsum(x)), TSR_FLOAT16);
  cr_expect_eq(tsr_dtype_of(tsr_cumprod(x)), TSR_FLOAT16);
  cr_expect_eq(tsr_dtype_of(tsr_cumsum(tsr_slice(x, "0"), 0)), TSR_FLOAT16);
  cr_expect_eq(tsr_dtype_of(tsr_cummax(x)), TSR_FLOAT16);
}

Test(dtypes, more_elements_than_the_largest_float16)
{
  tsr_array x = tsr_full(TSR_SHAPE(70000), 0.5, TSR_FLOAT16);
  tsr_assign(tsr_slice(x, "::2"), -0.5);
  EXPECT_VALUES(tsr_var(x), TSR_SHAPE(), 0.25);
  EXPECT_VALUES(tsr_nanstd(x), TSR_SHAPE(), 0.5);
  EXPECT_VALUES(tsr_nanmean(tsr_full(TSR_SHAPE(70000), 0.5, TSR_FLOAT16)), TSR_SHAPE(), 0.5);
}

Test(dtypes, stores_follow_same_kind)
{
  tsr_array u = tsr_zeros(TSR_SHAPE(2), TSR_UINT8);
  cr_expect_eq(tsr_iadd(u, tsr_ones(TSR_SHAPE(2), TSR_INT8)), TSR_ERR_CAST);
  EXPECT_ERROR(TSR_ERR_CAST, "cannot store int16 in an array of uint8");
  cr_expect_eq(tsr_iadd(u, 7), TSR_OK);
  EXPECT_VALUES(u, TSR_SHAPE(2), 7, 7);
  cr_expect_eq(tsr_assign(tsr_zeros(TSR_SHAPE(2)), tsr_ones(TSR_SHAPE(2), TSR_COMPLEX64)),
               TSR_ERR_CAST);
  EXPECT_ERROR(TSR_ERR_CAST, "cannot store complex64 in an array of float64", "complex");
}

/* As the headers say. */
Test(dtypes, nan_as_an_integer)
{
  static const struct {
    tsr_dtype dtype;
    double value;
  } cases[] = {{TSR_INT8, 0},  {TSR_INT16, 0},  {TSR_INT32, -0x1p31}, {TSR_INT64, -0x1p63},
               {TSR_UINT8, 0}, {TSR_UINT16, 0}, {TSR_UINT32, 0},      {TSR_UINT64, 0x1p63}};
  static const tsr_dtype from[] = {TSR_FLOAT16, TSR_FLOAT32, TSR_FLOAT64};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
      tsr_array x = tsr_astype(OF(from[k], NAN, 1, NAN), cases[i].dtype);
      EXPECT_VALUES(tsr_astype(x, TSR_FLOAT64), TSR_SHAPE(3), cases[i].value, 1, cases[i].value);
    }
}

Test(dtypes, functions_of_narrow_integers_are_narrow_floats)
{
  static const tsr_dtype in[] = {TSR_BOOL, TSR_INT8, TSR_UINT8, TSR_INT16, TSR_UINT16, TSR_UINT32};
  static const tsr_dtype want[] = {TSR_FLOAT16, TSR_FLOAT16, TSR_FLOAT16,
                                   TSR_FLOAT32, TSR_FLOAT32, TSR_FLOAT64};
  for (size_t k = 0; k < sizeof in / sizeof *in; k++) {
    tsr_array x = tsr_ones(TSR_SHAPE(2), in[k]);
    cr_expect_eq(tsr_dtype_of(tsr_sqrt(x)), want[k]);
    cr_expect_eq(tsr_dtype_of(tsr_divide(x, x)), TSR_FLOAT64);
    EXPECT_VALUES(tsr_sqrt(x), TSR_SHAPE(2), 1, 1);
  }
  cr_expect_eq(tsr_dtype_of(tsr_square(tsr_ones(TSR_SHAPE(2), TSR_BOOL))), TSR_INT8);
}

/* Of two arrays each counts by its own float: their common integer, int16, would have float32. */
Test(dtypes, functions_of_two_narrow_integers)
{
  static const tsr_dtype in[] = {TSR_BOOL, TSR_INT8, TSR_UINT8, TSR_INT16, TSR_UINT16, TSR_INT32};
  static const tsr_dtype want[][6] = {
      {TSR_FLOAT16, TSR_FLOAT16, TSR_FLOAT16, TSR_FLOAT32, TSR_FLOAT32, TSR_FLOAT64},
      {TSR_FLOAT32, TSR_FLOAT32, TSR_FLOAT32, TSR_FLOAT32, TSR_FLOAT32, TSR_FLOAT64}};
  for (size_t k = 0; k < sizeof in / sizeof *in; k++) {
    tsr_array x = tsr_ones(TSR_SHAPE(2), in[k]);
    cr_expect_eq(tsr_dtype_of(tsr_hypot(x, tsr_ones(TSR_SHAPE(2), TSR_UINT8))), want[0][k]);
    cr_expect_eq(tsr_dtype_of(tsr_arctan2(tsr_ones(TSR_SHAPE(2), TSR_INT16), x)), want[1][k]);
  }
  tsr_array small = tsr_full(TSR_SHAPE(2), -3, TSR_INT8), byte = OF(TSR_UINT8, 4, 250);
  EXPECT_VALUES(tsr_hypot(small, byte), TSR_SHAPE(2), 5, 250);
  EXPECT_VALUES(tsr_copysign(byte, small), TSR_SHAPE(2), -4, -250);
  EXPECT_VALUES(tsr_nextafter(byte, small), TSR_SHAPE(2), 3.998046875, 249.875);
  cr_expect_eq(tsr_dtype_of(tsr_nextafter(byte, small)), TSR_FLOAT16);
  cr_expect_eq(tsr_dtype_of(tsr_power(small, byte)), TSR_INT16);
}

Test(dtypes, float16_rounds_each_operation)
{
  tsr_array h = OF(TSR_FLOAT16, 2048, 0.1, 60000, 1e-7);
  EXPECT_VALUES(tsr_add(h, 1.0), TSR_SHAPE(4), 2048, 1.099609375, 60000, 1);
  EXPECT_VALUES(tsr_add(h, 1.0, 1.0), TSR_SHAPE(4), 2048, 2.099609375, 60000, 2);
  EXPECT_VALUES(tsr_multiply(h, 2), TSR_SHAPE(4), 4096, 0.199951171875, INFINITY,
                2.384185791015625e-07);
  EXPECT_VALUES(tsr_sum(tsr_full(TSR_SHAPE(3000), 1, TSR_FLOAT16)), TSR_SHAPE(), 3000);
  cr_expect_eq(tsr_dtype_of(tsr_sum(h)), TSR_FLOAT16);
  cr_expect_eq(tsr_dtype_of(tsr_mean(h)), TSR_FLOAT16);
  EXPECT_VALUES(tsr_max(h), TSR_SHAPE(), 60000);
  EXPECT_VALUES(tsr_argmin(h), TSR_SHAPE(), 3);
  EXPECT_VALUES(tsr_arange(0.0, 0.5, 0.1, TSR_FLOAT16), TSR_SHAPE(5), 0, 0.0999755859375,
                0.199951171875, 0.2998046875, 0.39990234375);
}

/* Within a relative `error`. */
static void expect_complex(tsr_array x, int n, const double complex *want, double error)
{
  double complex got[8];
  cr_assert_eq(tsr_size(x), n);
  cr_assert_eq(tsr_to_host(tsr_astype(x, TSR_COMPLEX128), got), TSR_OK);
  for (int i = 0; i < n; i++) {
    const double g[] = {creal(got[i]), cimag(got[i])}, w[] = {creal(want[i]), cimag(want[i])};
    for (int k = 0; k < 2; k++)
      cr_expect(g[k] == w[k] || (isnan(g[k]) && isnan(w[k])) ||
                    fabs(g[k] - w[k]) <= error * fabs(w[k]),
                "element %d: %g%+gj, not %g%+gj", i, g[0], g[1], w[0], w[1]);
  }
}
#define EXPECT_COMPLEX(x, ...)                                                                     \
  expect_complex(x, sizeof((double complex[]){__VA_ARGS__}) / sizeof(double complex),              \
                 (double complex[]){__VA_ARGS__}, 0)
#define EXPECT_ABOUT(x, ...)                                                                       \
  expect_complex(x, sizeof((double complex[]){__VA_ARGS__}) / sizeof(double complex),              \
                 (double complex[]){__VA_ARGS__}, 1e-15)

/* Of zeros NumPy gives the second operand, of float16 the first. */
Test(dtypes, extremes_of_signed_zeros)
{
  static const tsr_dtype dtypes[] = {TSR_FLOAT16, TSR_FLOAT32, TSR_FLOAT64};
  for (int d = 0; d < 3; d++) {
    tsr_array x = OF(dtypes[d], -0.0, 0.0), y = OF(dtypes[d], 0.0, -0.0);
    tsr_array want = d == 0 ? x : y;
    tsr_array low = tsr_signbit(tsr_minimum(x, y)), high = tsr_signbit(tsr_maximum(x, y));
    cr_expect(tsr_array_equal(low, tsr_signbit(want)) && tsr_array_equal(high, tsr_signbit(want)));
    EXPECT_VALUES(tsr_maximum(OF(dtypes[d], NAN, 1, 3), OF(dtypes[d], 1, NAN, 2)), TSR_SHAPE(3),
                  NAN, NAN, 3);
    EXPECT_VALUES(tsr_minimum(OF(dtypes[d], 4, 1), 2), TSR_SHAPE(2), 2, 1);
  }
}

/* The signs of x, all zeros, must be those of `want`: taken before a fused sum, and stored. */
static void expect_signs(const char *what, tsr_dtype dtype, tsr_array x, tsr_array want)
{
  cr_expect(tsr_array_equal(tsr_signbit(x), tsr_signbit(want)), "%s of %s", what,
            tsr__dtype_info(dtype)->name);
  tsr_array stored = tsr_copy(x);
  cr_assert_eq(tsr_flush(), TSR_OK);
  cr_expect(tsr_array_equal(tsr_signbit(stored), tsr_signbit(want)), "%s of %s, stored", what,
            tsr__dtype_info(dtype)->name);
}

static void choices_between_zeros(void *unused, int rank)
{
  static const tsr_dtype dtypes[] = {TSR_FLOAT16, TSR_FLOAT32, TSR_FLOAT64};
  for (int d = 0; d < 3; d++) {
    for (int64_t n = 1; n < 80; n = 4 * n + 3) {
      TSR_SCOPE();
      const tsr_dtype dtype = dtypes[d];
      tsr_array odd = tsr_remainder(tsr_arange(0, n, 1), 2), zero = tsr_zeros(TSR_SHAPE(n), dtype);
      tsr_array x = tsr_where(tsr_equal(odd, 1), zero, tsr_negative(zero)), y = tsr_negative(x);
      tsr_array first = tsr_full_like(x, -0.0), second = d == 0 ? x : y;
      expect_signs("minimum", dtype, tsr_minimum(x, y), second);
      expect_signs("maximum", dtype, tsr_maximum(x, y), second);
      expect_signs("fmin", dtype, tsr_fmin(x, y), x);
      expect_signs("fmax", dtype, tsr_fmax(x, y), x);
      expect_signs("clip from below", dtype, tsr_clip(x, y, 1.0), x);
      expect_signs("clip from above", dtype, tsr_clip(x, -1.0, y), x);
      expect_signs("cummax", dtype, tsr_cummax(x), d == 0 ? first : x);
      expect_signs("cummin", dtype, tsr_cummin(x), d == 0 ? first : x);
      expect_signs("min", dtype, tsr_min(x), tsr_full(TSR_SHAPE(), -0.0, dtype));
      expect_signs("max", dtype, tsr_max(x), tsr_full(TSR_SHAPE(), n > 1 ? 0.0 : -0.0, dtype));
    }
  }
}

/* One definition for every number of elements, in loops of any width, compiled or not. */
Test(dtypes, choices_between_zeros_are_the_same_everywhere, .timeout = 120)
{
  static const char *const configurations[][8] = {
      {"threads", "1", "jit", "off", "fusion", "0", NULL},
      {"threads", "1", "jit", "off", NULL},
      {"threads", "1", "jit", "eager", NULL},
      {"threads", "1", "replicate_max", "0", "tile_min", "1", NULL},
  };
  for (int c = 0; c < 4; c++)
    cr_expect_eq(tsr_run_ranks(c == 3 ? 3 : 1, configurations[c], choices_between_zeros, NULL),
                 TSR_OK);
}

Test(dtypes, complex_arithmetic_is_numpys)
{
  const double complex data[] = {1 + 2 * I, -3, CMPLX(INFINITY, 1), 0};
  tsr_array z = tsr_from_host(data, TSR_COMPLEX128, TSR_SHAPE(4)), f = tsr_astype(z, TSR_COMPLEX64);
  EXPECT_COMPLEX(tsr_add(z, 1.5), 2.5 + 2 * I, -1.5, CMPLX(INFINITY, 1), 1.5);
  EXPECT_COMPLEX(tsr_multiply(f, 2.0 * I), CMPLX(-4, 2), CMPLX(0, -6), CMPLX(NAN, INFINITY), 0);
  EXPECT_COMPLEX(tsr_divide(z, 0.0), CMPLX(INFINITY, INFINITY), CMPLX(-INFINITY, NAN),
                 CMPLX(INFINITY, INFINITY), CMPLX(NAN, NAN));
  EXPECT_COMPLEX(tsr_divide(1 + 2 * I, OF(TSR_COMPLEX128, 2)), 0.5 + 1 * I);
  EXPECT_VALUES(tsr_absolute(f), TSR_SHAPE(4), 2.2360680103302, 3, INFINITY, 0);
  cr_expect_eq(tsr_dtype_of(tsr_absolute(f)), TSR_FLOAT32);
  EXPECT_VALUES(tsr_less(z, 1.0), TSR_SHAPE(4), 0, 1, 0, 1);
  EXPECT_VALUES(tsr_equal(z, 1 + 2 * I), TSR_SHAPE(4), 1, 0, 0, 0);
  EXPECT_COMPLEX(tsr_maximum(z, 0.5), 1 + 2 * I, 0.5, CMPLX(INFINITY, 1), 0.5);
  EXPECT_COMPLEX(tsr_where(tsr_less(z, 1.0), z, 1.0 * I), 1 * I, -3, 1 * I, 0);
}

/* Branch cuts, signed zeros, infinities; what NumPy 2 gives. */
Test(dtypes, complex_functions_are_numpys)
{
  const double complex data[] = {-4, CMPLX(-4, -0.0), CMPLX(0, INFINITY), 3 + 4 * I};
  tsr_array z = tsr_from_host(data, TSR_COMPLEX128, TSR_SHAPE(4)), f = tsr_astype(z, TSR_COMPLEX64);
  EXPECT_COMPLEX(tsr_sqrt(z), 2 * I, CMPLX(0, -2), CMPLX(INFINITY, INFINITY), 2 + I);
  EXPECT_COMPLEX(tsr_sqrt(f), 2 * I, CMPLX(0, -2), CMPLX(INFINITY, INFINITY), 2 + I);
  EXPECT_COMPLEX(tsr_sign(z), -1, -1, I, 0.6 + 0.8 * I);
  const double complex ends[] = {CMPLX(INFINITY, 1), 1e300, 1e300 * I, 1.5e308 - 1.5e308 * I};
  tsr_array all = tsr_from_host(ends, TSR_COMPLEX128, TSR_SHAPE(4)), far = tsr_slice(all, ":3");
  EXPECT_COMPLEX(tsr_sign(all), 1, 1, I, CMPLX(0, -1)); /* the last one's length overflows */
  EXPECT_COMPLEX(tsr_power(far, -1), CMPLX(NAN, NAN), 1e-300, CMPLX(0, -1e-300));
  EXPECT_COMPLEX(tsr_power(far, -2), CMPLX(NAN, NAN), CMPLX(NAN, NAN), CMPLX(NAN, NAN));
  EXPECT_COMPLEX(tsr_power(far, 1), CMPLX(INFINITY, 1), 1e300, 1e300 * I);
  EXPECT_COMPLEX(tsr_reciprocal(tsr_slice(z, "3:")), 0.12 - 0.16 * I);
  EXPECT_COMPLEX(tsr_power(tsr_slice(z, "3:"), 2), -7 + 24 * I);
  EXPECT_COMPLEX(tsr_power(2.0 * I, OF(TSR_INT32, 3)), -8 * I);
  EXPECT_COMPLEX(tsr_exp(OF(TSR_COMPLEX64, 0)), 1);
  EXPECT_COMPLEX(tsr_positive(z), -4, CMPLX(-4, -0.0), CMPLX(0, INFINITY), 3 + 4 * I);
  cr_expect_eq(tsr_dtype_of(tsr_sin(f)), TSR_COMPLEX64);
  cr_expect_float_eq(tsr_item_f64(tsr_imag(tsr_sum(tsr_log(tsr_slice(z, ":2"))))), 0, 0);
  cr_expect_eq(tsr_item_i64(tsr_sum(tsr_isinf(z))), 1);
  cr_expect_eq(tsr_item_i64(tsr_sum(tsr_isfinite(f))), 3);
  cr_expect_eq(tsr_item_i64(tsr_sum(tsr_isnan(tsr_multiply(z, 0.0)))), 1);
}

Test(dtypes, complex_reductions)
{
  const double complex data[] = {1 + 2 * I, 1 - 1 * I, -3 + 5 * I, 2};
  tsr_array z = tsr_from_host(data, TSR_COMPLEX128, TSR_SHAPE(4));
  EXPECT_COMPLEX(tsr_sum(z), 1 + 6 * I);
  EXPECT_COMPLEX(tsr_prod(z), (1 + 2 * I) * (1 - 1 * I) * (-3 + 5 * I) * 2);
  const double complex infinite = CMPLX(-INFINITY, 0), nan = CMPLX(-INFINITY, NAN);
  tsr_array one = tsr_from_host(&infinite, TSR_COMPLEX128, TSR_SHAPE(1)); /* times (1 + 0j) */
  EXPECT_COMPLEX(tsr_prod(one), nan);
  EXPECT_COMPLEX(tsr_prod(tsr_slice(one, "0")), nan);
  EXPECT_COMPLEX(tsr_prod(tsr_astype(one, TSR_COMPLEX64), TSR_AXES(0), TSR_KEEPDIMS), nan);
  EXPECT_COMPLEX(tsr_prod(tsr_slice(one, ":0")), 1);
  EXPECT_COMPLEX(tsr_mean(z), 0.25 + 1.5 * I);
  EXPECT_COMPLEX(tsr_min(z), -3 + 5 * I);
  EXPECT_COMPLEX(tsr_max(tsr_slice(z, ":2")), 1 + 2 * I);
  EXPECT_VALUES(tsr_argmax(z), TSR_SHAPE(), 3);
  EXPECT_VALUES(tsr_all(z), TSR_SHAPE(), 1);
  const double complex item = tsr_item_c128(tsr_sum(z));
  cr_expect(item == 1 + 6 * I);
  cr_expect(isnan(tsr_item_f64(tsr_sum(z))));
  EXPECT_ERROR(TSR_ERR_CAST, "the element is complex128, not a real number", "tsr_item_c128");
}

Test(dtypes, complex_scalars_are_weak_and_refused_where_they_do_not_fit)
{
  cr_expect_eq(tsr_dtype_of(tsr_add(tsr_ones(TSR_SHAPE(2), TSR_FLOAT32), 1.0 * I)), TSR_COMPLEX64);
  cr_expect_eq(tsr_dtype_of(tsr_add(tsr_ones(TSR_SHAPE(2), TSR_INT8), 1.0 * I)), TSR_COMPLEX128);
  (void)tsr_ok(tsr_full(TSR_SHAPE(2), 1.0 * I, TSR_FLOAT32));
  EXPECT_ERROR(TSR_ERR_CAST, "the complex scalar 0+1j cannot be stored as float32", "help:");
  (void)tsr_ok(tsr_erf(tsr_ones(TSR_SHAPE(2), TSR_COMPLEX64)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "erf does not take complex64");
}

Test(dtypes, sums_of_integers_are_wide)
{
  EXPECT_VALUES(tsr_sum(tsr_full(TSR_SHAPE(1000), 255, TSR_UINT8)), TSR_SHAPE(), 255000);
  cr_expect_eq(tsr_dtype_of(tsr_sum(tsr_ones(TSR_SHAPE(2), TSR_UINT8))), TSR_UINT64);
  cr_expect_eq(tsr_dtype_of(tsr_prod(tsr_ones(TSR_SHAPE(2), TSR_INT16))), TSR_INT64);
  cr_expect_eq(tsr_dtype_of(tsr_mean(tsr_ones(TSR_SHAPE(2), TSR_INT16))), TSR_FLOAT64);
  cr_expect_eq(tsr_dtype_of(tsr_min(tsr_ones(TSR_SHAPE(2), TSR_INT16))), TSR_INT16);
  EXPECT_VALUES(tsr_arange(5, 0, -1, TSR_UINT8), TSR_SHAPE(5), 5, 4, 3, 2, 1);
}

static void expect_text(tsr_dtype dtype, int n, const void *data, const char *want)
{
  const int64_t length = n;
  char *text = tsr__array_text(dtype, n > 0, &length, &length, data);
  cr_expect_str_eq(text, want);
  free(text);
}

Test(dtypes, print_as_numpy)
{
  expect_text(TSR_UINT64, 2, (uint64_t[]){UINT64_MAX, 1},
              "[18446744073709551615                    1]");
  expect_text(TSR_INT8, 2, (int8_t[]){-128, 5}, "[-128    5]");
  expect_text(TSR_FLOAT16, 2, (uint16_t[]){0x70e2, 0x7b53}, "[1.e+04 6.e+04]");
  expect_text(TSR_FLOAT16, 1, (uint16_t[]){0x2e66}, "[0.1]");
  expect_text(TSR_FLOAT16, 3, (uint16_t[]){0x3555, 0x5640, 0x2e66}, /* 100/0.09998 is 1000 */
              "[  0.3333 100.       0.1   ]");
  expect_text(TSR_COMPLEX128, 2, (double[]){1, 2, -3.25, -1e-3}, "[ 1.  +2.e+00j -3.25-1.e-03j]");
  expect_text(TSR_COMPLEX128, 2, (double[]){1, 2, NAN, 0}, "[ 1.+2.j nan+0.j]");
  expect_text(TSR_COMPLEX128, 0, (double[]){1, 0.5}, "(1+0.5j)");
  expect_text(TSR_COMPLEX128, 0, (double[]){0, -0.0}, "-0j");
  expect_text(TSR_COMPLEX64, 0, (float[]){1e20f, 1e-7f}, "(1e+20+1e-07j)");
  expect_text(TSR_FLOAT16, 0, (uint16_t[]){0x7bff}, "6.55e+04");
}

Test(dtypes, result_type_and_can_cast)
{
  tsr_array u = tsr_ones(TSR_SHAPE(2), TSR_UINT8), f = tsr_ones(TSR_SHAPE(2), TSR_FLOAT32);
  cr_expect_eq(tsr_result_type(u), TSR_UINT8);
  cr_expect_eq(tsr_result_type(u, 1), TSR_UINT8);
  cr_expect_eq(tsr_result_type(u, 1.5), TSR_FLOAT64);
  cr_expect_eq(tsr_result_type(u, f, 1.5), TSR_FLOAT32);
  cr_expect_eq(tsr_result_type(f, 1.0 * I), TSR_COMPLEX64);
  cr_expect_eq(tsr_promote_types(TSR_INT8, TSR_UINT64), TSR_FLOAT64);
  cr_expect(tsr_can_cast(TSR_UINT8, TSR_INT8, TSR_CASTING_SAME_KIND));
  cr_expect_not(tsr_can_cast(TSR_INT8, TSR_UINT8, TSR_CASTING_SAME_KIND));
  cr_expect(tsr_can_cast(TSR_INT64, TSR_FLOAT64, TSR_CASTING_SAFE));
  cr_expect_not(tsr_can_cast((tsr_dtype)99, TSR_FLOAT64, TSR_CASTING_UNSAFE));
}

Test(dtypes, products_of_matrices)
{
  const int8_t a[6] = {100, 2, -3, 4, 5, 6};
  const uint64_t u[6] = {UINT64_MAX, 2, 3, 4, 5, 6};
  const double c[12] = {1, 1, 0, 2, 3, 0, 0, -1, 1, 0, 2, 2};
  tsr_array x = tsr_from_host(a, TSR_INT8, TSR_SHAPE(2, 3));
  tsr_array p = tsr_matmul(x, tsr_transpose(x)); /* wraps as the products and sums do */
  cr_expect_eq(tsr_dtype_of(p), TSR_INT8);
  EXPECT_VALUES(tsr_astype(p, TSR_INT32), TSR_SHAPE(2, 2), 29, -120, -120, 77);
  p = tsr_matmul(tsr_from_host(u, TSR_UINT64, TSR_SHAPE(2, 3)),
                 tsr_ones(TSR_SHAPE(3, 2), TSR_UINT64));
  EXPECT_VALUES(p, TSR_SHAPE(2, 2), 4, 4, 15, 15);
  p = tsr_matmul(tsr_full(TSR_SHAPE(2, 3000), 1, TSR_FLOAT16),
                 tsr_ones(TSR_SHAPE(3000, 2), TSR_FLOAT16));
  cr_expect_eq(tsr_dtype_of(p), TSR_FLOAT16);
  EXPECT_VALUES(tsr_astype(p, TSR_FLOAT32), TSR_SHAPE(2, 2), 3000, 3000, 3000, 3000);
  tsr_array z = tsr_from_host(c, TSR_COMPLEX128, TSR_SHAPE(2, 3));
  p = tsr_matmul(z, tsr_transpose(z));
  double got[8];
  const double want[2] = {5, 2};
  cr_expect(tsr_to_host(p, got) == TSR_OK);
  /* (1+i)^2 + (2i)^2 + 9 = 5 + 2i, and so on */
  cr_expect(got[0] == want[0] && got[1] == want[1]);
  cr_expect(got[2] == got[4] && got[3] == got[5]);
}

static const double _Complex plane[] = {3 + 4 * I, -1, 2 - 2 * I, I};

Test(dtypes, parts_of_complex_numbers)
{
  tsr_array z = tsr_from_host(plane, TSR_COMPLEX128, TSR_SHAPE(4));
  EXPECT_VALUES(tsr_real(z), TSR_SHAPE(4), 3, -1, 2, 0);
  EXPECT_VALUES(tsr_imag(z), TSR_SHAPE(4), 4, 0, -2, 1);
  EXPECT_VALUES(tsr_imag(tsr_conj(z)), TSR_SHAPE(4), -4, 0, 2, -1);
  cr_expect_eq(tsr_dtype_of(tsr_imag(tsr_astype(z, TSR_COMPLEX64))), TSR_FLOAT32);
  const double pi = 3.14159265358979323846;
  EXPECT_VALUES(tsr_angle(z), TSR_SHAPE(4), 0.9272952180016122, pi, -pi / 4, pi / 2);
  EXPECT_VALUES(tsr_angle(OF(TSR_FLOAT64, -2, 0, 2)), TSR_SHAPE(3), pi, 0, 0);
  tsr_array i = OF(TSR_INT16, -5, 5), f = OF(TSR_FLOAT64, -1.5, NAN);
  EXPECT_VALUES(tsr_real(i), TSR_SHAPE(2), -5, 5);
  EXPECT_VALUES(tsr_imag(f), TSR_SHAPE(2), 0, 0);
  EXPECT_VALUES(tsr_conj(f), TSR_SHAPE(2), -1.5, NAN);
  EXPECT_VALUES(tsr_real(tsr_vdot(z, z)), TSR_SHAPE(), 35);
  EXPECT_VALUES(tsr_imag(tsr_vdot(z, tsr_multiply(z, 2 * I))), TSR_SHAPE(), 70);
  EXPECT_VALUES(tsr_var(z), TSR_SHAPE(), 35.0 / 4 - 25.0 / 16);
  cr_expect_eq(tsr_dtype_of(tsr_std(z)), TSR_FLOAT64);
  EXPECT_VALUES(tsr_multiply(tsr_norm(z), tsr_norm(z)), TSR_SHAPE(), 35);
  EXPECT_VALUES(tsr_norm(z, TSR_ORD(INFINITY)), TSR_SHAPE(), 5);
  const double _Complex nan[] = {NAN + I, 1 + I, CMPLX(1, NAN), 3 + 3 * I};
  tsr_array n = tsr_from_host(nan, TSR_COMPLEX128, TSR_SHAPE(4));
  EXPECT_VALUES(tsr_imag(tsr_nansum(n)), TSR_SHAPE(), 4);
  EXPECT_VALUES(tsr_real(tsr_nanmean(n)), TSR_SHAPE(), 2);
  EXPECT_VALUES(tsr_nanvar(n), TSR_SHAPE(), 2);
}

/* Neither part is computed with: -0, NaN and infinity stay what they are, where re + 1j*im has
 * others. */
Test(dtypes, complex_numbers_of_two_parts)
{
  const double re[] = {-0.0, NAN, INFINITY, 3}, im[] = {INFINITY, -0.0, NAN, -4};
  tsr_array x = tsr_from_host(re, TSR_FLOAT64, TSR_SHAPE(4)),
            y = tsr_from_host(im, TSR_FLOAT64, TSR_SHAPE(4));
  tsr_array z = tsr_complex(x, y), text = tsr_eval("complex(x, imag=y)", x, y);
  cr_expect_eq(tsr_dtype_of(z), TSR_COMPLEX128);
  for (int k = 0; k < 2; k++) {
    double got[8];
    cr_assert_eq(tsr_to_host(k ? text : z, got), TSR_OK);
    for (int i = 0; i < 4; i++) {
      cr_expect(got[2 * i] == re[i] || isnan(re[i]), "%d: %g", i, got[2 * i]);
      cr_expect(got[2 * i + 1] == im[i] || isnan(im[i]), "%d: %g", i, got[2 * i + 1]);
      cr_expect_eq(isnan(got[2 * i]), isnan(re[i]));
      cr_expect_eq(isnan(got[2 * i + 1]), isnan(im[i]));
    }
    cr_expect(signbit(got[0]) && signbit(got[3]));
  }
  static const tsr_dtype of[][2] = {{TSR_BOOL, TSR_COMPLEX64},    {TSR_INT16, TSR_COMPLEX64},
                                    {TSR_INT32, TSR_COMPLEX128},  {TSR_FLOAT16, TSR_COMPLEX64},
                                    {TSR_FLOAT32, TSR_COMPLEX64}, {TSR_UINT64, TSR_COMPLEX128}};
  for (size_t k = 0; k < sizeof of / sizeof *of; k++)
    cr_expect_eq(tsr_dtype_of(tsr_complex(tsr_ones(TSR_SHAPE(2), of[k][0]), (bool)true)), of[k][1],
                 "%zu", k);
  /* One part of every second element, as z.imag = v of a view. */
  tsr_array some = tsr_slice(z, "1::2");
  tsr_assign(some, tsr_complex(tsr_real(some), 7));
  EXPECT_VALUES(tsr_imag(z), TSR_SHAPE(4), INFINITY, 7, NAN, 7);
  EXPECT_VALUES(tsr_real(z), TSR_SHAPE(4), 0, NAN, INFINITY, 3);
  cr_expect_not(tsr_ok(tsr_complex(z, 1)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "complex does not take complex128");
  cr_expect_not(tsr_ok(tsr_complex(x, I)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "complex does not take complex128");
}

/* What NumPy 2.4 has. */
Test(dtypes, complex_without_nan)
{
  const double _Complex values[] = {CMPLX(INFINITY, 5), CMPLX(NAN, 1), CMPLX(NAN, 2),
                                    CMPLX(3, NAN),      1 - 2 * I,     1 - 3 * I};
  tsr_array x = tsr_from_host(values, TSR_COMPLEX128, TSR_SHAPE(3, 2));
  tsr_array most = tsr_nanmax(tsr_negative(x), TSR_AXES(1)), least = tsr_nanmin(x, TSR_AXES(1));
  EXPECT_COMPLEX(tsr_slice(least, "::2"), CMPLX(INFINITY, 5), 1 - 3 * I);
  EXPECT_COMPLEX(tsr_slice(most, "::2"), CMPLX(-INFINITY, -5), -1 + 3 * I);
  EXPECT_VALUES(tsr_isnan(least), TSR_SHAPE(3), 0, 1, 0);
  EXPECT_VALUES(tsr_isnan(most), TSR_SHAPE(3), 0, 1, 0);
  EXPECT_COMPLEX(tsr_nanmin(x), 1 - 3 * I);
  EXPECT_VALUES(tsr_nanvar(x, TSR_AXES(1)), TSR_SHAPE(3), NAN, NAN, 0.25);
  EXPECT_VALUES(tsr_nanstd(tsr_slice(x, "2")), TSR_SHAPE(), 0.5);
  EXPECT_VALUES(tsr_nanargmin(tsr_slice(x, "0")), TSR_SHAPE(), 1); /* NaN stands as inf+0j */
  tsr_array narrow = tsr_astype(x, TSR_COMPLEX64);
  cr_expect_eq(tsr_dtype_of(tsr_nanmin(narrow)), TSR_COMPLEX64);
  cr_expect_eq(tsr_dtype_of(tsr_nanvar(narrow)), TSR_FLOAT32);
}

Test(dtypes, complex_closeness_and_decimals)
{
  const double most = 1.5e308; /* its length overflows */
  const double _Complex a[] = {CMPLX(most, most), CMPLX(INFINITY, 0), CMPLX(NAN, 1), 1 + I};
  const double _Complex b[] = {CMPLX(most, 0), CMPLX(INFINITY, 0), CMPLX(1, NAN), 1 + 1.000001 * I};
  tsr_array x = tsr_from_host(a, TSR_COMPLEX128, TSR_SHAPE(4));
  tsr_array y = tsr_from_host(b, TSR_COMPLEX128, TSR_SHAPE(4));
  EXPECT_VALUES(tsr_isclose(x, y), TSR_SHAPE(4), 0, 1, 0, 1);
  EXPECT_VALUES(tsr_isclose(y, x), TSR_SHAPE(4), 1, 1, 0, 1);
  EXPECT_VALUES(tsr_isclose(y, x, 1e-5, 1e-8, true), TSR_SHAPE(4), 1, 1, 1, 1);
  EXPECT_VALUES(tsr_isclose(y, CMPLX(most, most)), TSR_SHAPE(4), 1, 1, 0, 1);
  EXPECT_VALUES(tsr_isclose(x, CMPLX(INFINITY, 1)), TSR_SHAPE(4), 0, 0, 0, 0);
  const double _Complex z[] = {CMPLX(1.26, INFINITY),  CMPLX(-0.04, -INFINITY), CMPLX(-0.04, -0.04),
                               CMPLX(1.25, NAN),       CMPLX(INFINITY, -1.06),  CMPLX(NAN, -0.0),
                               CMPLX(-INFINITY, 0.04), CMPLX(0.04, -0.0)};
  tsr_array w = tsr_round(tsr_from_host(z, TSR_COMPLEX128, TSR_SHAPE(8)), 1);
  EXPECT_COMPLEX(w, CMPLX(1.3, INFINITY), CMPLX(-0.0, -INFINITY), CMPLX(-0.0, -0.0),
                 CMPLX(1.2, NAN), CMPLX(INFINITY, -1.1), CMPLX(NAN, -0.0), CMPLX(-INFINITY, 0),
                 CMPLX(0, -0.0));
  EXPECT_VALUES(tsr_signbit(tsr_real(w)), TSR_SHAPE(8), 0, 1, 1, 0, 0, 0, 1, 0);
  EXPECT_VALUES(tsr_slice(tsr_signbit(tsr_imag(w)), ":3"), TSR_SHAPE(3), 0, 1, 1);
  EXPECT_VALUES(tsr_slice(tsr_signbit(tsr_imag(w)), "4:"), TSR_SHAPE(4), 1, 1, 0, 1);
  cr_expect_eq(tsr_dtype_of(tsr_round(OF(TSR_COMPLEX64, 1.25), 1)), TSR_COMPLEX64);
}

Test(dtypes, bits)
{
  tsr_array i = OF(TSR_INT8, -128, -1, 5, 127), u = OF(TSR_UINT8, 255, 12, 0, 3);
  tsr_array b = tsr_greater(i, 0);
  EXPECT_VALUES(tsr_bitwise_and(i, 12), TSR_SHAPE(4), 0, 12, 4, 12);
  EXPECT_VALUES(tsr_bitwise_or(u, 16), TSR_SHAPE(4), 255, 28, 16, 19);
  EXPECT_VALUES(tsr_bitwise_xor(u, i), TSR_SHAPE(4), -129, -13, 5, 124); /* int16 */
  EXPECT_VALUES(tsr_invert(u), TSR_SHAPE(4), 0, 243, 255, 252);
  EXPECT_VALUES(tsr_invert(b), TSR_SHAPE(4), 1, 1, 0, 0);
  cr_expect_eq(tsr_dtype_of(tsr_invert(b)), TSR_BOOL);
  EXPECT_VALUES(tsr_left_shift(i, 1), TSR_SHAPE(4), 0, -2, 10, -2);
  EXPECT_VALUES(tsr_left_shift(u, 8), TSR_SHAPE(4), 0, 0, 0, 0);
  EXPECT_VALUES(tsr_right_shift(i, 9), TSR_SHAPE(4), -1, -1, 0, 0);
  EXPECT_VALUES(tsr_right_shift(u, 2), TSR_SHAPE(4), 63, 3, 0, 0);
  cr_expect_eq(tsr_dtype_of(tsr_left_shift(b, b)), TSR_INT8);
  EXPECT_VALUES(tsr_eval("(i ^ 1) & ~3 | 2", i), TSR_SHAPE(4), -126, -2, 6, 126);
  EXPECT_VALUES(tsr_eval("i >> 1 << 2 + 1", i), TSR_SHAPE(4), 0, -8, 16, -8);
  EXPECT_VALUES(tsr_eval("(i > 0) ^ (i > 100)", i), TSR_SHAPE(4), 0, 0, 1, 0);
  cr_expect_eq(tsr_item_i64(tsr_eval("1 << 40 >> 39 ^ 1")), 3);
  cr_expect_not(tsr_ok(tsr_bitwise_and(i, 1.0)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "bitwise_and does not take float64");
  cr_expect_not(tsr_ok(tsr_left_shift(tsr_ones(TSR_SHAPE(2)), 1)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "left_shift does not take float64");
  cr_expect_not(tsr_ok(tsr_eval("1 << -1")));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a shift by a negative number");
}

/* Of every float16 both neighbours, by counting bits. */
Test(dtypes, neighbours_of_halves)
{
  enum { N = 1 << 16 };
  static uint16_t bits[N], got[2][N];
  static const float ends[2] = {-INFINITY, INFINITY};
  for (int i = 0; i < N; i++) bits[i] = (uint16_t)i;
  tsr_array x = tsr_from_host(bits, TSR_FLOAT16, TSR_SHAPE(N));
  for (int up = 0; up < 2; up++)
    cr_assert_eq(tsr_to_host(tsr_nextafter(x, ends[up]), got[up]), TSR_OK);
  for (int i = 0; i < N; i++) {
    if ((i & 0x7fff) > 0x7c00) continue;
    const bool below = i >> 15;
    const int down = i == 0xfc00 ? i : i == 0 ? 0x8001 : below ? i + 1 : i - 1;
    const int up = i == 0x7c00 ? i : i == 0x8000 ? 1 : below ? i - 1 : i + 1;
    cr_assert(got[0][i] == down && got[1][i] == up, "%x: %x and %x", i, got[0][i], got[1][i]);
  }
  tsr_array half = OF(TSR_FLOAT16, 1, NAN, 2, 0);
  EXPECT_VALUES(tsr_nextafter(half, OF(TSR_FLOAT16, 1, 1, NAN, -0.0)), TSR_SHAPE(4), 1, NAN, NAN,
                0);
  EXPECT_VALUES(tsr_nextafter(OF(TSR_INT8, 100), 0), TSR_SHAPE(1), 100 - 0x1p-4);
  cr_expect_eq(tsr_dtype_of(tsr_nextafter(OF(TSR_INT8, 1), OF(TSR_BOOL, 0))), TSR_FLOAT16);
  cr_expect_eq(tsr_dtype_of(tsr_nextafter(OF(TSR_INT16, 1), 2)), TSR_FLOAT32);
  cr_expect_not(tsr_ok(tsr_nextafter(half, OF(TSR_FLOAT16, 1, 2))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "(4,) and (2,) in `tsr_nextafter`");
}

/* Inverse functions: branch cuts from both sides; rint and round by parts. What NumPy 2 gives. */
Test(dtypes, complex_inverse_functions_are_numpys)
{
  const double pi = acos(-1);
  const double complex data[] = {2, CMPLX(2, -0.0), CMPLX(-INFINITY, 1), CMPLX(0, -0.0)};
  tsr_array z = tsr_from_host(data, TSR_COMPLEX128, TSR_SHAPE(4));
  const double far = acosh(2), half_far = log(3) / 2;
  EXPECT_ABOUT(tsr_arcsin(z), CMPLX(pi / 2, far), CMPLX(pi / 2, -far), CMPLX(-pi / 2, INFINITY),
               CMPLX(0, -0.0));
  EXPECT_ABOUT(tsr_arccos(z), CMPLX(0, -far), CMPLX(0, far), CMPLX(pi, -INFINITY), pi / 2);
  EXPECT_ABOUT(tsr_arccosh(z), far, CMPLX(far, -0.0), CMPLX(INFINITY, pi), CMPLX(0, -pi / 2));
  EXPECT_ABOUT(tsr_arctanh(z), CMPLX(half_far, pi / 2), CMPLX(half_far, -pi / 2),
               CMPLX(-0.0, pi / 2), CMPLX(0, -0.0));
  EXPECT_ABOUT(tsr_arctan(tsr_slice(z, "2:")), -pi / 2, 0);
  EXPECT_ABOUT(tsr_arcsinh(tsr_slice(z, "2:")), -INFINITY, 0);
  EXPECT_COMPLEX(tsr_sinc(OF(TSR_COMPLEX64, 0, 1, -1000000)), 1, 0, 0);
  EXPECT_COMPLEX(tsr_rint(tsr_multiply(z, CMPLX(0.25, 0.75))), CMPLX(0, 2), CMPLX(0, 2),
                 CMPLX(-INFINITY, -INFINITY), 0);
  EXPECT_COMPLEX(tsr_round(tsr_full(TSR_SHAPE(), CMPLX(2.5, -0.45), TSR_COMPLEX128)), 2);
  EXPECT_COMPLEX(tsr_round(tsr_full(TSR_SHAPE(), CMPLX(2.55, -0.45), TSR_COMPLEX128), 1),
                 CMPLX(2.6, -0.4));
  cr_expect_eq(tsr_dtype_of(tsr_arcsin(OF(TSR_COMPLEX64, 1))), TSR_COMPLEX64);
}

/* What would be wrong of complex numbers is refused. */
Test(dtypes, functions_of_real_numbers)
{
  tsr_array z = tsr_ones(TSR_SHAPE(2, 2), TSR_COMPLEX128), out[2];
  cr_expect_not(tsr_ok(tsr_quantile(z, 1)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "quantile does not take complex128",
               "help: tsr_real, tsr_imag and tsr_absolute give floats");
  cr_expect_not(tsr_ok(tsr_median(z)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "median does not take complex128");
  cr_expect_not(tsr_ok(tsr_eval("median(z)", z)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "median does not take complex128");
  cr_expect_eq(tsr_modf(out, z), TSR_ERR_DTYPE);
  EXPECT_ERROR(TSR_ERR_DTYPE, "modf does not take complex128");
  cr_expect_eq(tsr_save_png(z, "/nowhere/z.png"), TSR_ERR_DTYPE);
  EXPECT_ERROR(TSR_ERR_DTYPE, "save_png does not take complex128");
}
