/* Statistics, norms, scans, products, quantiles: values (NumPy's), shapes, dtypes, NaN, empty
 * arrays, errors, text; and the same bits on any ranks. */
#include "array_test.h"

#include <complex.h>
#include <math.h>

TestSuite(statistics, .init = begin, .fini = end);

static tsr_array grid(void) /* [[3, 0, -1], [4, 2, 7]] */
{
  static const double data[] = {3, 0, -1, 4, 2, 7};
  return tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(2, 3));
}

static tsr_array vector(int64_t n, const double *data)
{
  return tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(n));
}
#define VECTOR(...)                                                                                \
  vector(sizeof(double[]){__VA_ARGS__} / sizeof(double), (const double[]){__VA_ARGS__})

static tsr_array holes(void) /* [[nan, 1, 4], [nan, nan, 2], [nan, nan, nan]] */
{
  static const double data[] = {NAN, 1, 4, NAN, NAN, 2, NAN, NAN, NAN};
  return tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(3, 3));
}

Test(statistics, counts_and_ranges)
{
  tsr_array x = grid();
  EXPECT_VALUES(tsr_count_nonzero(x), TSR_SHAPE(), 5);
  EXPECT_VALUES(tsr_count_nonzero(x, TSR_AXES(0), TSR_KEEPDIMS), TSR_SHAPE(1, 3), 2, 1, 2);
  EXPECT_VALUES(tsr_count_nonzero(holes()), TSR_SHAPE(), 9);
  EXPECT_VALUES(tsr_count_nonzero(tsr_greater(x, 2)), TSR_SHAPE(), 3);
  EXPECT_VALUES(tsr_count_nonzero(7), TSR_SHAPE(), 1);
  EXPECT_VALUES(tsr_mean(tsr_greater(x, 2)), TSR_SHAPE(), 0.5);
  EXPECT_VALUES(tsr_ptp(x), TSR_SHAPE(), 8);
  EXPECT_VALUES(tsr_ptp(x, TSR_AXES(1)), TSR_SHAPE(2), 4, 5);
  cr_expect_eq(tsr_dtype_of(tsr_ptp(tsr_astype(x, TSR_INT32))), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_count_nonzero(x)), TSR_INT64);
}

Test(statistics, variance)
{
  tsr_array x = grid();
  EXPECT_VALUES(tsr_var(x, TSR_AXES(0)), TSR_SHAPE(3), 0.25, 1, 16);
  EXPECT_VALUES(tsr_var(x, TSR_AXES(0), TSR_DDOF(1)), TSR_SHAPE(3), 0.5, 2, 32);
  EXPECT_VALUES(tsr_std(x, TSR_AXES(0), TSR_KEEPDIMS), TSR_SHAPE(1, 3), 0.5, 1, 4);
  EXPECT_VALUES(tsr_var(x, TSR_AXES(0), TSR_DDOF(2)), TSR_SHAPE(3), INFINITY, INFINITY, INFINITY);
  EXPECT_VALUES(tsr_var(tsr_ones(TSR_SHAPE(2)), TSR_DDOF(3)), TSR_SHAPE(), NAN);
  EXPECT_VALUES(tsr_var(tsr_zeros(TSR_SHAPE(0))), TSR_SHAPE(), NAN);
  EXPECT_VALUES(tsr_var(tsr_zeros(TSR_SHAPE(0, 2)), TSR_AXES(1)), TSR_SHAPE(0), 0);
  EXPECT_VALUES(tsr_var(tsr_greater(x, 2)), TSR_SHAPE(), 0.25);
  cr_expect_eq(tsr_dtype_of(tsr_std(tsr_astype(x, TSR_FLOAT32))), TSR_FLOAT32);
  cr_expect_eq(tsr_dtype_of(tsr_var(tsr_astype(x, TSR_INT32))), TSR_FLOAT64);
  EXPECT_VALUES(tsr_var(5), TSR_SHAPE(), 0);
}

Test(statistics, without_nan)
{
  tsr_array x = holes();
  EXPECT_VALUES(tsr_nansum(x, TSR_AXES(0)), TSR_SHAPE(3), 0, 1, 6);
  EXPECT_VALUES(tsr_nanprod(x, TSR_AXES(1)), TSR_SHAPE(3), 4, 2, 1);
  EXPECT_VALUES(tsr_nanmin(x, TSR_AXES(1)), TSR_SHAPE(3), 1, 2, NAN);
  EXPECT_VALUES(tsr_nanmax(x, TSR_AXES(0), TSR_KEEPDIMS), TSR_SHAPE(1, 3), NAN, 1, 4);
  EXPECT_VALUES(tsr_nanmax(x), TSR_SHAPE(), 4);
  const double last = -(double)INFINITY;
  tsr_array far = tsr_where(tsr_isnan(x), x, last);
  EXPECT_VALUES(tsr_nanmax(far, TSR_AXES(1)), TSR_SHAPE(3), last, last, NAN);
  EXPECT_VALUES(tsr_nanmin(tsr_negative(far), TSR_AXES(0)), TSR_SHAPE(3), NAN, -last, -last);
  EXPECT_VALUES(tsr_nanmean(x, TSR_AXES(1)), TSR_SHAPE(3), 2.5, 2, NAN);
  EXPECT_VALUES(tsr_nanvar(x, TSR_AXES(1)), TSR_SHAPE(3), 2.25, 0, NAN);
  EXPECT_VALUES(tsr_nanvar(x, TSR_AXES(0), TSR_DDOF(1)), TSR_SHAPE(3), NAN, NAN, 2);
  EXPECT_VALUES(tsr_nanstd(x, TSR_AXES(1), TSR_KEEPDIMS), TSR_SHAPE(3, 1), 1.5, 0, NAN);
  EXPECT_VALUES(tsr_nanargmin(x, TSR_AXES(1)), TSR_SHAPE(3), 1, 2, 0);
  EXPECT_VALUES(tsr_nanargmax(x), TSR_SHAPE(), 2);
  tsr_array i = tsr_astype(grid(), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_nansum(i)), TSR_INT64);
  cr_expect_eq(tsr_dtype_of(tsr_nanmin(i)), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_nanmean(i)), TSR_FLOAT64);
  cr_expect_eq(tsr_dtype_of(tsr_nanvar(tsr_astype(x, TSR_FLOAT32))), TSR_FLOAT32);
  EXPECT_VALUES(tsr_nanmean(i), TSR_SHAPE(), 2.5);
}

Test(statistics, norms)
{
  tsr_array x = grid(), row = tsr_slice(x, "0");
  EXPECT_VALUES(tsr_norm(VECTOR(3, -4)), TSR_SHAPE(), 5);
  EXPECT_VALUES(tsr_norm(row, TSR_ORD(1)), TSR_SHAPE(), 4);
  EXPECT_VALUES(tsr_norm(row, TSR_ORD(INFINITY)), TSR_SHAPE(), 3);
  EXPECT_VALUES(tsr_norm(row, TSR_ORD(-INFINITY)), TSR_SHAPE(), 0);
  EXPECT_VALUES(tsr_norm(row, TSR_ORD(0)), TSR_SHAPE(), 2);
  EXPECT_VALUES(tsr_norm(x, TSR_ORD(1), TSR_AXES(0)), TSR_SHAPE(3), 7, 2, 8);
  EXPECT_VALUES(tsr_norm(x, TSR_ORD(1)), TSR_SHAPE(), 8);
  EXPECT_VALUES(tsr_norm(x, TSR_ORD(-1)), TSR_SHAPE(), 2);
  EXPECT_VALUES(tsr_norm(x, TSR_ORD(INFINITY), TSR_AXES(0, 1), TSR_KEEPDIMS), TSR_SHAPE(1, 1), 13);
  EXPECT_VALUES(tsr_norm(x, TSR_ORD(-INFINITY)), TSR_SHAPE(), 4);
  EXPECT_VALUES(tsr_norm(x, TSR_ORD(INFINITY), TSR_AXES(1, 0)), TSR_SHAPE(), 8);
  const double cubic = tsr_item_f64(tsr_norm(row, TSR_ORD(3)));
  cr_expect(fabs(cubic - cbrt(28)) < 1e-14, "%.17g", cubic);
  cr_expect(fabs(tsr_item_f64(tsr_norm(x)) - sqrt(79)) < 1e-14);
  cr_expect_eq(tsr_dtype_of(tsr_norm(tsr_astype(x, TSR_INT32))), TSR_FLOAT64);
}

Test(statistics, averages)
{
  tsr_array x = grid();
  static const double w[] = {1, 3};
  tsr_array weights = tsr_from_host(w, TSR_FLOAT64, TSR_SHAPE(2));
  EXPECT_VALUES(tsr_average(x, weights, TSR_AXES(0)), TSR_SHAPE(3), 3.75, 1.5, 5);
  EXPECT_VALUES(tsr_average(x, tsr_ones(TSR_SHAPE(2, 3), TSR_INT32)), TSR_SHAPE(), 2.5);
  EXPECT_VALUES(tsr_average(x, 2, TSR_AXES(1), TSR_KEEPDIMS), TSR_SHAPE(2, 1), 2.0 / 3, 13.0 / 3);
  cr_expect_not(tsr_ok(tsr_average(x, weights)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the weights have neither the array's shape", "`tsr_average`",
               "x: (2, 3) float64", "weights: (2,) float64");
  cr_expect_not(tsr_ok(tsr_average(x, weights, TSR_AXES(1))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the weights have neither");
  /* Over several axes the weights' axes are in the order in which these are named. */
  tsr_array cube = tsr_reshape(tsr_arange(0.0, 24, 1), TSR_SHAPE(2, 3, 4));
  tsr_array w42 = tsr_reshape(tsr_arange(1, 9, 1), TSR_SHAPE(4, 2));
  tsr_array w24 = tsr_transpose(w42);
  EXPECT_VALUES(tsr_average(cube, w24, TSR_AXES(0, 2)), TSR_SHAPE(3), 314.0 / 36, 458.0 / 36,
                602.0 / 36);
  EXPECT_VALUES(tsr_average(cube, w42, TSR_AXES(-1, 0)), TSR_SHAPE(3), 314.0 / 36, 458.0 / 36,
                602.0 / 36);
  EXPECT_VALUES(tsr_eval("average(cube, (2, 0), w42)", cube, w42), TSR_SHAPE(3), 314.0 / 36,
                458.0 / 36, 602.0 / 36);
  EXPECT_VALUES(
      tsr_quantile(cube, 0.5, TSR_AXES(2, 0), TSR_WEIGHTS(w42), TSR_METHOD("inverted_cdf")),
      TSR_SHAPE(3), 12, 16, 20);
  cr_expect_not(tsr_ok(tsr_average(cube, w42, TSR_AXES(0, 2))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "nor that of the axes that are named");
  cr_expect_not(tsr_ok(
      tsr_average(tsr_ones(TSR_SHAPE(2, 2)), tsr_ones(TSR_SHAPE(2, 2, 2)), TSR_AXES(0, 0, 1))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 0 is named twice");
  /* the weights' sum has the dtype of the product, so the result has it, too, and its digits */
  tsr_array narrow = tsr_astype(x, TSR_FLOAT32), truths = tsr_greater(x, 0);
  cr_expect_eq(tsr_dtype_of(tsr_average(narrow, truths)), TSR_FLOAT32);
  cr_expect_eq(tsr_dtype_of(tsr_average(tsr_astype(x, TSR_FLOAT16), truths)), TSR_FLOAT16);
  cr_expect_eq(tsr_dtype_of(tsr_average(narrow, tsr_astype(truths, TSR_INT32))), TSR_FLOAT64);
  weights = tsr_full(TSR_SHAPE(3), 0.1, TSR_FLOAT32);
  EXPECT_VALUES(tsr_average(tsr_ones(TSR_SHAPE(3)), weights), TSR_SHAPE(), 1);
}

Test(statistics, scans)
{
  tsr_array x = grid();
  EXPECT_VALUES(tsr_cumsum(x, 1), TSR_SHAPE(2, 3), 3, 3, 2, 4, 6, 13);
  EXPECT_VALUES(tsr_cumsum(x, 0), TSR_SHAPE(2, 3), 3, 0, -1, 7, 2, 6);
  EXPECT_VALUES(tsr_cumprod(tsr_add(x, 2), -1), TSR_SHAPE(2, 3), 5, 10, 10, 6, 24, 216);
  EXPECT_VALUES(tsr_cummax(tsr_slice(x, "0")), TSR_SHAPE(3), 3, 3, 3);
  EXPECT_VALUES(tsr_cummin(x, 1), TSR_SHAPE(2, 3), 3, 0, -1, 4, 2, 2);
  EXPECT_VALUES(tsr_cummax(tsr_slice(holes(), "0, ::-1")), TSR_SHAPE(3), 4, 4, NAN);
  EXPECT_VALUES(tsr_cumsum(5), TSR_SHAPE(1), 5);
  EXPECT_VALUES(tsr_cumsum(tsr_zeros(TSR_SHAPE(0))), TSR_SHAPE(0), 0);
  cr_expect_eq(tsr_dtype_of(tsr_cumsum(tsr_ones(TSR_SHAPE(3), TSR_BOOL))), TSR_INT64);
  cr_expect_eq(tsr_dtype_of(tsr_cumprod(tsr_ones(TSR_SHAPE(3), TSR_INT32))), TSR_INT64);
  cr_expect_eq(tsr_dtype_of(tsr_cummax(tsr_ones(TSR_SHAPE(3), TSR_INT32))), TSR_INT32);
  EXPECT_VALUES(tsr_cumsum(x), TSR_SHAPE(6), 3, 3, 2, 6, 8, 15);
  EXPECT_VALUES(tsr_cummin(tsr_transpose(x)), TSR_SHAPE(6), 3, 3, 0, 0, -1, -1);
  cr_expect_not(tsr_ok(tsr_cumsum(x, 2)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2 is out of range for an array of 2 axes");
}

/* Of every length, against a loop: integers exactly, floats bit by bit as they are defined. */
Test(statistics, scans_of_every_length)
{
  for (int64_t n = 1; n < 200; n += n < 70 ? 1 : 29) {
    TSR_SCOPE();
    tsr_array x = tsr_sin(tsr_arange(0, (double)n, 1));
    double in[200], out[200], in_column[200];
    cr_assert_eq(tsr_to_host(x, in), TSR_OK);
    cr_assert_eq(tsr_to_host(tsr_cumsum(x), out), TSR_OK);
    /* A column is scanned by a network, and a row by a task. */
    tsr_array column = tsr_cumsum(tsr_reshape(x, TSR_SHAPE(n, 1)), 0);
    cr_assert_eq(tsr_to_host(column, in_column), TSR_OK);
    cr_assert_eq(memcmp(in_column, out, (size_t)n * sizeof *out), 0, "a column of %d", (int)n);
    for (int64_t i = 0; i < n; i++) {
      double prefix = 0, block[200];
      for (int64_t at = 0, left = i + 1; left > 0;) {
        int64_t length = (int64_t)1 << (63 - __builtin_clzll((uint64_t)left));
        memcpy(block, in + at, (size_t)length * sizeof *block);
        for (int64_t half = length; half > 1; half /= 2)
          for (int64_t j = 0; j < half / 2; j++) block[j] = block[2 * j] + block[2 * j + 1];
        prefix = at == 0 ? block[0] : prefix + block[0];
        at += length;
        left -= length;
      }
      cr_assert_eq(out[i], prefix, "element %d of %d: %.17g, not %.17g", (int)i, (int)n, out[i],
                   prefix);
    }
  }
}

Test(statistics, differences_and_integrals)
{
  tsr_array x = grid();
  EXPECT_VALUES(tsr_diff(x), TSR_SHAPE(2, 2), -3, -1, -2, 5);
  EXPECT_VALUES(tsr_diff(x, 1, 0), TSR_SHAPE(1, 3), 1, 2, 8);
  EXPECT_VALUES(tsr_diff(x, 2), TSR_SHAPE(2, 1), 2, 7);
  EXPECT_VALUES(tsr_diff(x, 5), TSR_SHAPE(2, 0), 0);
  EXPECT_VALUES(tsr_diff(tsr_greater(x, 2)), TSR_SHAPE(2, 2), 1, 0, 1, 1);
  EXPECT_VALUES(tsr_diff(x, 1, -1, 1), TSR_SHAPE(2, 3), 2, -3, -1, 3, -2, 5);
  EXPECT_VALUES(tsr_diff(x, 1, -1, TSR_NONE, tsr_slice(x, ":, :1")), TSR_SHAPE(2, 3), -3, -1, 4, -2,
                5, -3);
  EXPECT_VALUES(tsr_diff(x, 2, 0, 0, 0), TSR_SHAPE(2, 3), -2, 2, 9, -5, -4, -15);
  EXPECT_VALUES(tsr_eval("diff(x, prepend=1, append=x[:, :1])", x), TSR_SHAPE(2, 4), 2, -3, -1, 4,
                3, -2, 5, -3);
  EXPECT_VALUES(tsr_diff(tsr_greater(x, 2), 1, 1, tsr_full(TSR_SHAPE(), true, TSR_BOOL)),
                TSR_SHAPE(2, 3), 0, 1, 0, 0, 1, 1);
  EXPECT_VALUES(tsr_diff(x, 0, 0, 9), TSR_SHAPE(2, 3), 3, 0, -1, 4, 2, 7);
  cr_expect_eq(tsr_dtype_of(tsr_diff(tsr_astype(x, TSR_FLOAT32), 1, 0, 1)), TSR_FLOAT64);
  cr_expect_not(tsr_ok(tsr_diff(x, 1, 0, x, VECTOR(1, 2))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "`tsr_diff`");
  cr_expect_not(tsr_ok(tsr_diff(x, 1, 0, tsr_null())));
  EXPECT_VALUES(tsr_trapezoid(x), TSR_SHAPE(2), 1, 7.5);
  EXPECT_VALUES(tsr_trapezoid(x, 2.0, 0), TSR_SHAPE(3), 7, 2, 6);
  EXPECT_VALUES(tsr_trapezoid(x, VECTOR(0, 1, 3)), TSR_SHAPE(2), 0.5, 12);
  EXPECT_VALUES(tsr_trapezoid(x, tsr_multiply(x, 0)), TSR_SHAPE(2), 0, 0);
  /* integers are added as they are, bools by `or`: as NumPy's */
  tsr_array bytes = tsr_astype(VECTOR(100, 100, 1), TSR_INT8);
  EXPECT_VALUES(tsr_trapezoid(bytes), TSR_SHAPE(), (200 - 256 + 101) / 2.0);
  cr_expect_eq(tsr_dtype_of(tsr_trapezoid(bytes)), TSR_FLOAT64);
  EXPECT_VALUES(tsr_trapezoid(tsr_greater(bytes, 9)), TSR_SHAPE(), 1);
  EXPECT_VALUES(tsr_trapezoid(bytes, tsr_greater(bytes, 9)), TSR_SHAPE(), 50.5);
  EXPECT_VALUES(tsr_trapezoid(x, VECTOR(0, 2)), TSR_SHAPE(2), 2, 15);
  cr_expect_not(tsr_ok(tsr_trapezoid(x, VECTOR(0, 2, 3, 4))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "there are 4 points, and 3 values along axis 1 of y",
               "x: (2, 3) float64", "VECTOR(0, 2, 3, 4): (4,) float64");
  cr_expect_not(tsr_ok(tsr_isclose(x, VECTOR(0, 2)))); /* steps of a call are no arguments of it */
  EXPECT_ERROR(TSR_ERR_BROADCAST, "operand 1: (2, 3) float64", "operand 2: (2,) float64");
  cr_expect_not(tsr_ok(tsr_diff(tsr_zeros(TSR_SHAPE()))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "a 0-d array has no neighbours", "`tsr_diff`");
  cr_expect_not(tsr_ok(tsr_diff(x, -1)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "differences taken -1 times");
}

Test(statistics, products)
{
  tsr_array x = grid(), v = tsr_slice(x, "1"), t = tsr_transpose(x);
  EXPECT_VALUES(tsr_dot(v, v), TSR_SHAPE(), 69);
  EXPECT_VALUES(tsr_dot(x, v), TSR_SHAPE(2), 5, 69);
  EXPECT_VALUES(tsr_dot(x, t), TSR_SHAPE(2, 2), 10, 5, 5, 69);
  EXPECT_VALUES(tsr_dot(x, 2), TSR_SHAPE(2, 3), 6, 0, -2, 8, 4, 14);
  EXPECT_VALUES(tsr_inner(x, x), TSR_SHAPE(2, 2), 10, 5, 5, 69);
  EXPECT_VALUES(tsr_inner(x, v), TSR_SHAPE(2), 5, 69);
  EXPECT_VALUES(tsr_vdot(x, x), TSR_SHAPE(), 79);
  EXPECT_VALUES(tsr_outer(v, tsr_slice(x, "0, :2")), TSR_SHAPE(3, 2), 12, 0, 6, 0, 21, 0);
  cr_expect_eq(tsr_dtype_of(tsr_dot(tsr_astype(v, TSR_INT32), tsr_astype(v, TSR_INT32))),
               TSR_INT32);
  EXPECT_VALUES(tsr_dot(tsr_zeros(TSR_SHAPE(2, 0)), tsr_zeros(TSR_SHAPE(0, 3))), TSR_SHAPE(2, 3), 0,
                0, 0, 0, 0, 0);
  cr_expect_not(tsr_ok(tsr_dot(x, x)));
  EXPECT_ERROR(TSR_ERR_SHAPE,
               "the last axis of the first and the second last of the second have different",
               "`tsr_dot`", "(2, 3) float64");
  cr_expect_not(tsr_ok(tsr_inner(x, t)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the last axes have different lengths");
  cr_expect_not(tsr_ok(tsr_vdot(x, v)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "vdot takes two arrays of as many elements");
  tsr_array six = tsr_arange(0, 6, 1), m = tsr_reshape(six, TSR_SHAPE(2, 3));
  EXPECT_VALUES(tsr_vdot(tsr_transpose(m), m), TSR_SHAPE(), 50);
  EXPECT_VALUES(tsr_vdot(tsr_transpose(m), six), TSR_SHAPE(), 50);
  EXPECT_VALUES(tsr_outer(tsr_slice(m, ":, :2"), tsr_slice(m, "1:")), TSR_SHAPE(4, 3), 0, 0, 0, 3,
                4, 5, 9, 12, 15, 12, 16, 20);
}

/* As numpy.vecdot, cross, kron, trace, column_stack and logical_xor say. */
Test(statistics, products_along_an_axis)
{
  tsr_array x = grid(), v = tsr_slice(x, "1"), r = tsr_slice(x, "0");
  EXPECT_VALUES(tsr_vecdot(x, v), TSR_SHAPE(2), 5, 69);
  EXPECT_VALUES(tsr_vecdot(x, x, 0), TSR_SHAPE(3), 25, 4, 50);
  const tsr_array small = tsr_astype(v, TSR_INT8);
  cr_expect_eq(tsr_dtype_of(tsr_vecdot(small, small)), TSR_INT8);
  EXPECT_VALUES(tsr_vecdot(small, small), TSR_SHAPE(), 69);
  const tsr_array turned = tsr_multiply(v, 1 * I);
  EXPECT_VALUES(tsr_real(tsr_vecdot(turned, turned)), TSR_SHAPE(), 69);
  EXPECT_VALUES(tsr_cross(v, r), TSR_SHAPE(3), -2, 25, -6);
  EXPECT_VALUES(tsr_cross(tsr_transpose(x), tsr_reshape(r, TSR_SHAPE(3, 1)), 0), TSR_SHAPE(3, 2), 0,
                -2, 0, 25, 0, -6);
  EXPECT_VALUES(tsr_cross(tsr_slice(v, ":2"), tsr_slice(r, ":2")), TSR_SHAPE(), -6);
  EXPECT_VALUES(tsr_cross(tsr_slice(v, ":2"), r), TSR_SHAPE(3), -2, 4, -6);
  EXPECT_VALUES(tsr_kron(tsr_slice(v, ":2"), r), TSR_SHAPE(6), 12, 0, -4, 6, 0, -2);
  EXPECT_VALUES(tsr_kron(tsr_slice(x, ":, :2"), tsr_slice(r, ":2")), TSR_SHAPE(2, 4), 9, 0, 0, 0,
                12, 0, 6, 0);
  EXPECT_VALUES(tsr_trace(x), TSR_SHAPE(), 5);
  EXPECT_VALUES(tsr_trace(x, 1), TSR_SHAPE(), 7);
  EXPECT_VALUES(tsr_trace(x, -1, 1, 0), TSR_SHAPE(), 7);
  EXPECT_VALUES(tsr_column_stack(TSR_ARRAYS(v, r)), TSR_SHAPE(3, 2), 4, 3, 2, 0, 7, -1);
  EXPECT_VALUES(tsr_column_stack(TSR_ARRAYS(tsr_transpose(x), v)), TSR_SHAPE(3, 3), 3, 4, 4, 0, 2,
                2, -1, 7, 7);
  EXPECT_VALUES(tsr_logical_xor(x, 1), TSR_SHAPE(2, 3), 0, 1, 0, 0, 0, 0);
  EXPECT_VALUES(tsr_eval("trace(x, offset=1) + vecdot(r, v) + x.trace()", x, r, v), TSR_SHAPE(),
                17);
  EXPECT_VALUES(tsr_eval("cross(v, r) + kron(r, 1)", v, r), TSR_SHAPE(3), 1, 25, -7);
  EXPECT_VALUES(tsr_eval("column_stack([v, r])[0] * logical_xor(v[0], r[1])", v, r), TSR_SHAPE(2),
                4, 3);
}

Test(statistics, products_that_are_refused)
{
  tsr_array x = grid(), v = tsr_slice(x, "1");
  cr_expect_not(tsr_ok(tsr_vecdot(x, x, 2)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2 is out of range");
  cr_expect_not(tsr_ok(tsr_vecdot(x, tsr_slice(v, ":2"))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the axes have different lengths", "`tsr_vecdot`");
  cr_expect_not(tsr_ok(tsr_vecdot(3, v)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "vectors are needed, not a number");
  cr_expect_not(tsr_ok(tsr_cross(tsr_ones(TSR_SHAPE(4)), v)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "vectors of two or three elements are needed", "`tsr_cross`");
  cr_expect_not(tsr_ok(tsr_kron(tsr_ones(TSR_SHAPE(1, 1, 1, 1, 1)), v)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "two axes for each of the operands'", "`tsr_kron`");
  cr_expect_not(tsr_ok(tsr_trace(v)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the diagonal of an array of 1 axis");
  EXPECT_VALUES(x, TSR_SHAPE(2, 3), 3, 0, -1, 4, 2, 7);
}

/* Products beyond the largest float16 meet in the sum: 435 = 90000 - 90000 + 160000 - 159600 +
 * 35. */
Test(statistics, products_of_float16_are_rounded_once)
{
  const float x[] = {300, -300, 400, -399, 5}, y[] = {300, 300, 400, 400, 7};
  const int8_t z[] = {100, 100, 100, 100, 7};
  const tsr_array a = tsr_astype(tsr_from_host(x, TSR_FLOAT32, TSR_SHAPE(5)), TSR_FLOAT16);
  const tsr_array b = tsr_astype(tsr_from_host(y, TSR_FLOAT32, TSR_SHAPE(5)), TSR_FLOAT16);
  const tsr_array c = tsr_from_host(z, TSR_INT8, TSR_SHAPE(5)), a4 = tsr_multiply(a, 4);
  const struct {
    tsr_array made;
    double value;
  } cases[] = {{tsr_dot(a, b), 435},     {tsr_inner(a, b), 435},         {tsr_vdot(a, b), 435},
               {tsr_matmul(a, b), 435},  {tsr_einsum("i,i", a, b), 435}, {tsr_dot(c, a4), 540},
               {tsr_inner(c, a4), 540},  {tsr_vdot(c, a4), 540},         {tsr_vdot(a4, c), 540},
               {tsr_matmul(c, a4), 540}, {tsr_einsum("i,i", c, a4), 540}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cr_expect_eq(tsr_dtype_of(cases[i].made), TSR_FLOAT16);
    EXPECT_VALUES(cases[i].made, TSR_SHAPE(), cases[i].value);
  }
}

/* Quantiles of n elements against a sort: few distinct values, infinities, NaN. */
enum { MANY = 70001 };

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void many_quantiles(void *arg, int rank)
{
  const int64_t n = *(const int64_t *)arg;
  double *x = malloc((size_t)n * sizeof *x);
  for (int kind = 0; kind < 4; kind++) {
    for (int64_t i = 0; i < n; i++) {
      const int64_t drawn = (i + 1) * 2654435761 % 1000003;
      x[i] = kind == 0 ? (double)drawn : kind == 1 ? (double)(drawn % 5 - 2) : sin((double)drawn);
      if (kind == 3 && drawn % 3 == 0) x[i] = drawn % 2 ? INFINITY : -INFINITY;
    }
    tsr_array a = tsr_from_host(x, TSR_FLOAT64, TSR_SHAPE(n));
    const double middle = tsr_item_f64(tsr_median(a)), low = tsr_item_f64(tsr_quantile(a, 0.2)),
                 holed = tsr_item_f64(tsr_nanmedian(tsr_where(tsr_greater(a, 1e9), NAN, a)));
    cr_expect(isnan(tsr_item_f64(tsr_median(tsr_where(tsr_equal(a, x[n / 3]), NAN, a)))));
    qsort(x, (size_t)n, sizeof *x, by_value);
    int64_t n_finite = n;
    while (x[n_finite - 1] > 1e9) n_finite--;
    cr_expect_eq(middle, (x[(n - 1) / 2] + x[n / 2]) / 2, "%d of %d, rank %d", kind, (int)n, rank);
    cr_expect_eq(holed, (x[(n_finite - 1) / 2] + x[n_finite / 2]) / 2, "%d of %d", kind, (int)n);
    cr_expect_eq(low, x[(n - 1) / 5], "%d of %d: %g", kind, (int)n,
                 low); /* n - 1: a multiple of 5 */
  }
  free(x);
}

Test(statistics, quantiles_of_many, .timeout = 120)
{
  no_devices_asked_for();
  for (int64_t n = 11; n <= 701; n += 230)
    for (int n_ranks = 1; n_ranks <= 2; n_ranks++)
      RUN_RANKS(n_ranks, many_quantiles, &n, "threads", "1", "replicate_max", "0", "tile_min", "4");
  int64_t n = MANY; /* one rank selects, two count */
  for (int n_ranks = 1; n_ranks <= 2; n_ranks++)
    RUN_RANKS(n_ranks, many_quantiles, &n, "threads", "1");
}

Test(statistics, quantiles)
{
  tsr_array x = grid();
  EXPECT_VALUES(tsr_median(x), TSR_SHAPE(), 2.5);
  EXPECT_VALUES(tsr_median(x, TSR_AXES(1)), TSR_SHAPE(2), 0, 4);
  EXPECT_VALUES(tsr_median(x, TSR_AXES(0), TSR_KEEPDIMS), TSR_SHAPE(1, 3), 3.5, 1, 3);
  EXPECT_VALUES(tsr_quantile(x, 0), TSR_SHAPE(), -1);
  EXPECT_VALUES(tsr_quantile(x, 1), TSR_SHAPE(), 7);
  EXPECT_VALUES(tsr_quantile(x, 0.25), TSR_SHAPE(), 0.5);
  EXPECT_VALUES(tsr_quantile(x, 0.75, TSR_AXES(1)), TSR_SHAPE(2), 1.5, 5.5);
  EXPECT_VALUES(tsr_median(tsr_slice(holes(), ":, 1:")), TSR_SHAPE(), NAN);
  EXPECT_VALUES(tsr_median(tsr_zeros(TSR_SHAPE(0, 2)), TSR_AXES(0)), TSR_SHAPE(2), NAN, NAN);
  EXPECT_VALUES(tsr_median(7), TSR_SHAPE(), 7);
  tsr_array wide = VECTOR(INFINITY, -INFINITY, -1e300, 5e-324, -5e-324);
  EXPECT_VALUES(tsr_median(wide), TSR_SHAPE(), -5e-324);
  EXPECT_VALUES(tsr_quantile(wide, 0.75), TSR_SHAPE(), 5e-324);
  EXPECT_VALUES(tsr_quantile(wide, 1), TSR_SHAPE(), INFINITY);
  EXPECT_VALUES(tsr_median(tsr_astype(x, TSR_INT32)), TSR_SHAPE(), 2.5);
  cr_expect_eq(tsr_dtype_of(tsr_median(tsr_astype(x, TSR_FLOAT32))), TSR_FLOAT32);
  EXPECT_VALUES(tsr_percentile(x, 25), TSR_SHAPE(), 0.5);
  EXPECT_VALUES(tsr_nanmedian(x), TSR_SHAPE(), 2.5);
  EXPECT_VALUES(tsr_nanmedian(holes()), TSR_SHAPE(), 2);
  EXPECT_VALUES(tsr_nanmedian(holes(), TSR_AXES(1)), TSR_SHAPE(3), 2.5, 2, NAN);
  EXPECT_VALUES(tsr_nanquantile(holes(), 0.75, TSR_AXES(0), TSR_KEEPDIMS), TSR_SHAPE(1, 3), NAN, 1,
                3.5);
  EXPECT_VALUES(tsr_nanpercentile(holes(), 50, TSR_AXES(1)), TSR_SHAPE(3), 2.5, 2, NAN);
  EXPECT_VALUES(tsr_nanquantile(tsr_zeros(TSR_SHAPE(0, 2)), 1, TSR_AXES(0)), TSR_SHAPE(2), NAN,
                NAN);
  cr_expect_not(tsr_ok(tsr_nanpercentile(x, 101)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the percentile 101 is not in [0, 100]");
  cr_expect_not(tsr_ok(tsr_nanquantile(x, NAN)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the quantile nan is not in [0, 1]");
  cr_expect_not(tsr_ok(tsr_quantile(x, 25)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the quantile 25 is not in [0, 1]",
               "help: percent are hundredths: 0.25");
}

Test(statistics, errors)
{
  tsr_array x = grid();
  cr_expect_not(tsr_ok(tsr_ptp(tsr_greater(x, 0))));
  EXPECT_ERROR(TSR_ERR_DTYPE, "subtract does not take bool", "`tsr_ptp`");
  cr_expect_not(tsr_ok(tsr_ptp(tsr_zeros(TSR_SHAPE(0)))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the max of no elements");
  cr_expect_not(tsr_ok(tsr_var(x, TSR_AXES(2))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2 is out of range for an array of 2 axes", "`tsr_var`");
  tsr_array number = tsr_full(TSR_SHAPE(), 3, TSR_INT32);
  EXPECT_VALUES(tsr_nanmean(number), TSR_SHAPE(), 3);
  EXPECT_VALUES(tsr_nanvar(tsr_full(TSR_SHAPE(), 3.0), TSR_AXES(0)), TSR_SHAPE(), 0);
  cr_expect_not(tsr_ok(tsr_nanmean(number, TSR_AXES(0))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 0 is out of range for an array of 0 axes", "`tsr_nanmean`");
  cr_expect_not(tsr_ok(tsr_nanvar(number, TSR_AXES(-1))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis -1 is out of range for an array of 0 axes", "`tsr_nanvar`");
  cr_expect_not(tsr_ok(tsr_nanstd(tsr_greater(number, 2), TSR_AXES(0))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 0 is out of range for an array of 0 axes", "`tsr_nanstd`");
  cr_expect_not(tsr_ok(tsr_std(x, TSR_AXES(0), TSR_AXES(1))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axes are given twice");
  cr_expect_not(tsr_ok(tsr_norm(x, TSR_ORD(2))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "there is no norm of order 2 of a matrix here",
               "help: of matrices there are the orders");
  cr_expect_not(tsr_ok(tsr_norm(tsr_zeros(TSR_SHAPE(2, 2, 2)), TSR_ORD(1))));
  EXPECT_ERROR(TSR_ERR_AXIS, "a norm of an order is over one axis or two, not 3",
               "help: name them");
  cr_expect_not(tsr_ok(tsr_median(tsr_null())));
  cr_expect_not(tsr_ok(tsr_var(tsr_null(), TSR_AXES(0))));
  cr_expect_not(tsr_ok(tsr_dot(x, tsr_null())));
  cr_expect_not(tsr_ok(tsr_cumsum(tsr_null())));
}

Test(statistics, as_text)
{
  tsr_array x = grid();
  EXPECT_VALUES(tsr_eval("np.std(x, axis=0)", x), TSR_SHAPE(3), 0.5, 1, 4);
  EXPECT_VALUES(tsr_eval("x.var(axis=0, ddof=1, keepdims=True)", x), TSR_SHAPE(1, 3), 0.5, 2, 32);
  EXPECT_VALUES(tsr_eval("cumsum(x, axis=1)[:, -1] - x.sum(1)", x), TSR_SHAPE(2), 0, 0);
  EXPECT_VALUES(tsr_eval("median(x) + count_nonzero(x > 2)", x), TSR_SHAPE(), 5.5);
  EXPECT_VALUES(tsr_eval("norm(x[0] * 0 + 2) ** 2 - 12 < 1e-12", x), TSR_SHAPE(), 1);
  cr_expect_not(tsr_ok(tsr_eval("sum(x, ddof=1)", x)));
  EXPECT_ERROR(TSR_ERR_SYNTAX, "`sum` has no option `ddof`",
               "help: its parameters are a, axis, dtype, keepdims");
  cr_expect_not(tsr_ok(tsr_eval("var(x, dof=1)", x)));
  EXPECT_ERROR(TSR_ERR_SYNTAX, "`var` has no option `dof`",
               "help: its parameters are a, axis, dtype, ddof, keepdims");
  cr_expect_not(tsr_ok(tsr_eval("cumsum(x, keepdims=True)", x)));
  EXPECT_ERROR(TSR_ERR_SYNTAX, "`cumsum` has no option `keepdims`", "a, axis, dtype");
  cr_expect_not(tsr_ok(tsr_eval("nanmeen(x)", x)));
  EXPECT_ERROR(TSR_ERR_NAME, "there is no function `nanmeen`", "help: did you mean `nanmean`?");
}

enum { N_RESULTS = 14, N_EACH = 64 };

/* Rows that several tasks scan: of equal zeros the last stays, and from a NaN on NaN. */
Test(statistics, running_extremes_of_long_rows)
{
  enum { N = 40000 };
  static double x[2 * N], least[2 * N], most[2 * N], got[2 * N];
  for (int i = 0; i < 2 * N; i++)
    x[i] = i % 7 == 0 ? 0.0 : i % 11 == 0 ? -0.0 : sin(i) * (i / 9000);
  x[2 * N - 100] = NAN;
  for (int i = 0; i < 2 * N; i++) {
    const bool first = i % N == 0;
    const double low = first ? x[i] : least[i - 1], high = first ? x[i] : most[i - 1];
    least[i] = low < x[i] || isnan(low) ? low : x[i];
    most[i] = high > x[i] || isnan(high) ? high : x[i];
  }
  tsr_array rows = tsr_from_host(x, TSR_FLOAT64, TSR_SHAPE(2, N));
  cr_assert_eq(tsr_to_host(tsr_cummin(rows, 1), got), TSR_OK);
  cr_expect_eq(memcmp(got, least, sizeof got), 0);
  cr_assert_eq(tsr_to_host(tsr_cummax(rows, 1), got), TSR_OK);
  cr_expect_eq(memcmp(got, most, sizeof got), 0);
  tsr_array bytes = tsr_astype(tsr_multiply(tsr_arange(5), 100), TSR_UINT8);
  EXPECT_VALUES(tsr_cummax(bytes), TSR_SHAPE(5), 0, 100, 200, 200, 200);
}

static void program(void *arg, int rank)
{
  double values[N_RESULTS][N_EACH] = {{0}};
  tsr_rng rng = tsr_default_rng(77);
  tsr_array x = tsr_rng_normal(&rng, 1, 2, TSR_SHAPE(61, 64));
  tsr_array y = tsr_where(tsr_greater(x, 4), (double)NAN, x);
  const tsr_array results[N_RESULTS] = {tsr_var(x, TSR_AXES(0), TSR_DDOF(1)),
                                        tsr_nanstd(y, TSR_AXES(0)),
                                        tsr_nanmean(y, TSR_AXES(0)),
                                        tsr_norm(x, TSR_ORD(3), TSR_AXES(0)),
                                        tsr_slice(tsr_cumsum(x, 0), "-1"),
                                        tsr_slice(tsr_cumsum(x, 1), "7"),
                                        tsr_slice(tsr_cumprod(tsr_multiply(x, 0.5), 0), "40"),
                                        tsr_slice(tsr_cummax(x, 0), "30"),
                                        tsr_slice(tsr_cummin(x, 1), "7"),
                                        tsr_median(x, TSR_AXES(0)),
                                        tsr_quantile(x, 0.9, TSR_AXES(0)),
                                        tsr_nanquantile(tsr_sqrt(x), 0.3, TSR_AXES(0)),
                                        tsr_dot(tsr_slice(x, "3, :61"), x),
                                        tsr_trapezoid(x, 0.1, 0)};
  for (int i = 0; i < N_RESULTS; i++)
    cr_assert_eq(tsr_to_host(results[i], values[i]), TSR_OK, "%d: %s", i, tsr_last_error());
  if (rank == 0) memcpy(arg, values, sizeof values);
}

Test(statistics_on_ranks, give_the_same_bits, .timeout = 300)
{
  static const char *const cut[] = {"threads", "1", "replicate_max", "0", "tile_min", "1", NULL};
  static const char *const plain[] = {
      "threads", "2", "replicate_max", "0", "tile_min", "1", "fusion", "0", NULL};
  static double expected[N_RESULTS][N_EACH], got[N_RESULTS][N_EACH];
  RUN_RANKS(1, program, expected, "threads", "1");
  for (int n = 1; n <= 4; n++) {
    for (int c = 0; c < 2; c++) {
      memset(got, 0, sizeof got);
      cr_assert_eq(tsr_run_ranks(n, c ? plain : cut, program, got), TSR_OK);
      for (int i = 0; i < N_RESULTS; i++)
        cr_expect_arr_eq(got[i], expected[i], sizeof got[i], "%d ranks, result %d", n, i);
    }
  }
}

/* As of 100 elements and k = 13, no q next to k / (n - 1) gives k when it is multiplied by n - 1,
 * so an element cannot be had from the linear method. */
Test(statistics, methods_that_choose_give_elements)
{
  enum { N = 100 };
  int32_t data[N], got[2];
  for (int i = 0; i < N; i++) data[i * 7 % N] = 3 * i - N / 2;
  for (int k = 0; k < N - 1; k++) {
    TSR_SCOPE();
    const double q = (k + 0.5) / (N - 1);
    tsr_array x = tsr_from_host(data, TSR_INT32, TSR_SHAPE(N));
    tsr_to_host(tsr_quantile(x, q, TSR_METHOD("lower")), &got[0]);
    tsr_to_host(tsr_quantile(x, q, TSR_METHOD("higher")), &got[1]);
    for (int i = 0; i < 2; i++)
      cr_expect_eq(got[i], 3 * (k + i) - N / 2, "k = %d: %d", k + i, got[i]);
  }
}

Test(statistics, methods_of_quantiles)
{
  static const double data[] = {1, 2, 4, 8, 16, 32};
  tsr_array x = tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(6));
  EXPECT_VALUES(tsr_quantile(x, 0.3, TSR_METHOD("linear")), TSR_SHAPE(), 3);
  EXPECT_VALUES(tsr_quantile(x, 0.3, TSR_METHOD("lower")), TSR_SHAPE(), 2);
  EXPECT_VALUES(tsr_quantile(x, 0.3, TSR_METHOD("higher")), TSR_SHAPE(), 4);
  EXPECT_VALUES(tsr_quantile(x, 0.3, TSR_METHOD("midpoint")), TSR_SHAPE(), 3);
  EXPECT_VALUES(tsr_quantile(x, 0.3, TSR_METHOD("nearest")), TSR_SHAPE(), 4);
  EXPECT_VALUES(tsr_percentile(x, 50, TSR_METHOD("inverted_cdf")), TSR_SHAPE(), 4);
  EXPECT_VALUES(tsr_percentile(x, 50, TSR_METHOD("averaged_inverted_cdf")), TSR_SHAPE(), 6);
  EXPECT_VALUES(tsr_percentile(x, 40, TSR_METHOD("closest_observation")), TSR_SHAPE(), 2);
  EXPECT_VALUES(tsr_percentile(x, 25, TSR_METHOD("hazen")), TSR_SHAPE(), 2);
  EXPECT_VALUES(tsr_percentile(x, 25, TSR_METHOD("weibull")), TSR_SHAPE(), 1.75);
  tsr_array y = tsr_reshape(x, TSR_SHAPE(2, 3));
  EXPECT_VALUES(tsr_quantile(y, 0.5, 0, TSR_METHOD("lower"), TSR_KEEPDIMS), TSR_SHAPE(1, 3), 1, 2,
                4);
  EXPECT_VALUES(tsr_eval("quantile(x, 0.3, method='higher')", x), TSR_SHAPE(), 4);
  cr_expect_eq(tsr_dtype_of(tsr_quantile(tsr_astype(x, TSR_INT32), 0.3, TSR_METHOD("lower"))),
               TSR_INT32);
  cr_expect_not(tsr_ok(tsr_quantile(x, 0.5, TSR_METHOD("middling"))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "there is no method middling of quantiles", "median_unbiased");
  cr_expect_not(tsr_ok(tsr_nanquantile(x, 0.5, TSR_METHOD("middling"))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "there is no method middling of quantiles");
  cr_expect_not(tsr_ok(tsr_median(x, TSR_METHOD("lower"))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_METHOD is no option");
}

/* Rows of 0 to 5 numbers among NaN, against the quantile of these numbers alone. */
static void quantiles_without_nan(void *arg, int rank)
{
  static const char *const methods[] = {"linear",
                                        "interpolated_inverted_cdf",
                                        "hazen",
                                        "weibull",
                                        "median_unbiased",
                                        "normal_unbiased",
                                        "inverted_cdf",
                                        "averaged_inverted_cdf",
                                        "closest_observation",
                                        "lower",
                                        "higher",
                                        "midpoint",
                                        "nearest"};
  enum { ROWS = 6, COLUMNS = 5 };
  double data[ROWS][COLUMNS], numbers[ROWS][COLUMNS];
  for (int r = 0; r < ROWS; r++)
    for (int c = 0, n = 0; c < COLUMNS; c++) {
      data[r][c] = (c * 3 + r) % COLUMNS < r ? (double)((c * 7 + r * r) % 11) - 5 : NAN;
      if (!isnan(data[r][c])) numbers[r][n++] = data[r][c];
    }
  tsr_array x = tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(ROWS, COLUMNS));
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    for (int tenth = 0; tenth <= 10; tenth += 3) {
      const double q = tenth / 10.0;
      double got[ROWS];
      cr_assert_eq(tsr_to_host(tsr_nanquantile(x, q, 1, TSR_METHOD(methods[m])), got), TSR_OK);
      cr_expect(isnan(got[0]), "%s, rank %d: %g", methods[m], rank, got[0]);
      for (int r = 1; r < ROWS; r++) {
        tsr_array row = tsr_from_host(numbers[r], TSR_FLOAT64, TSR_SHAPE(r));
        const double want = tsr_item_f64(tsr_quantile(row, q, TSR_METHOD(methods[m])));
        cr_expect_eq(got[r], want, "%s of %d, q %g: %g not %g", methods[m], r, q, got[r], want);
      }
    }
}

Test(statistics, methods_of_quantiles_without_nan, .timeout = 120)
{
  for (int n_ranks = 1; n_ranks <= 2; n_ranks++)
    RUN_RANKS(n_ranks, quantiles_without_nan, NULL, "threads", "1", "replicate_max", "0",
              "tile_min", "4");
}

Test(statistics, quantiles_of_an_array_of_q)
{
  static const double data[] = {1, 2, 4, 8, 16, 32}, of[] = {0, 0.5, 0.9, 1};
  tsr_array x = tsr_reshape(tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(6)), TSR_SHAPE(2, 3));
  tsr_array q = tsr_from_host(of, TSR_FLOAT64, TSR_SHAPE(4));
  EXPECT_VALUES(tsr_quantile(x, q, TSR_METHOD("higher")), TSR_SHAPE(4), 1, 8, 32, 32);
  EXPECT_VALUES(tsr_quantile(x, q, 1, TSR_METHOD("lower")), TSR_SHAPE(4, 2), 1, 8, 2, 16, 2, 16, 4,
                32);
  EXPECT_VALUES(tsr_quantile(x, tsr_reshape(q, TSR_SHAPE(2, 2)), 0, TSR_KEEPDIMS),
                TSR_SHAPE(2, 2, 1, 3), 1, 2, 4, 4.5, 9, 18, 1 + 0.9 * 7, 2 + 0.9 * 14,
                32 - 0.1 * 28, 8, 16, 32);
  EXPECT_VALUES(tsr_percentile(x, tsr_arange(0, 101, 50)), TSR_SHAPE(3), 1, 6, 32);
  EXPECT_VALUES(tsr_percentile(x, tsr_arange(50, 51)), TSR_SHAPE(1), 6);
  EXPECT_VALUES(tsr_nanquantile(x, tsr_slice(q, "1")), TSR_SHAPE(), 6);
  EXPECT_VALUES(tsr_eval("quantile(x, q[:2], axis=1)", x, q), TSR_SHAPE(2, 2), 1, 8, 2, 16);
  const double half = 0.5;
  EXPECT_VALUES(tsr_eval("quantile(x, (0, half), axis=1)", x, half), TSR_SHAPE(2, 2), 1, 8, 2, 16);
  EXPECT_VALUES(tsr_eval("percentile(x, [50, 100], 1, method='lower')", x), TSR_SHAPE(2, 2), 2, 16,
                4, 32);
  EXPECT_VALUES(tsr_eval("nanquantile(x, (0.5,))", x), TSR_SHAPE(1), 6);
  cr_expect_eq(tsr_size(tsr_eval("nanpercentile(x, (), axis=1)", x)), 0);
  cr_expect_not(tsr_ok(tsr_eval("quantile(x, (0.5, 2))", x)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the quantile 2 is not in [0, 1]");
  cr_expect_not(tsr_ok(tsr_quantile(x, tsr_multiply(q, 2))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the quantile 1.8 is not in [0, 1]");
  const tsr_array none = tsr_quantile(x, tsr_zeros(TSR_SHAPE(0)), 1, TSR_KEEPDIMS);
  const tsr_dims of_none = tsr_shape(none);
  cr_expect(of_none.ndim == 3 && of_none.n[0] == 0 && of_none.n[1] == 2 && of_none.n[2] == 1);
  cr_expect_eq(tsr_dtype_of(none), TSR_FLOAT64);
  cr_expect_not(tsr_ok(tsr_quantile(x, tsr_zeros(TSR_SHAPE(65537)))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "q has 65537 numbers, at most 65536");
  cr_expect_not(tsr_ok(tsr_quantile(x, tsr_complex(q, 0))));
  EXPECT_ERROR(TSR_ERR_DTYPE, "q are real numbers");
  cr_expect_not(tsr_ok(tsr_quantile(x, I)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "q is a real number");
  cr_expect_not(tsr_ok(tsr_quantile(x, tsr_null())));
}

/* Values as of NumPy 2.4. */
static void weighted_quantiles(void *arg, int rank)
{
  static const double data[] = {5, 1, 4, 2, 3, 9}, heavy[] = {1, 0, 2, 3, 0.5, 1.5},
                      three[] = {0, 1, 3};
  tsr_array x = tsr_reshape(tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(6)), TSR_SHAPE(2, 3));
  tsr_array w = tsr_reshape(tsr_from_host(heavy, TSR_FLOAT64, TSR_SHAPE(6)), TSR_SHAPE(2, 3));
  tsr_array along = tsr_from_host(three, TSR_FLOAT64, TSR_SHAPE(3));
  const tsr_axes cdf = TSR_METHOD("inverted_cdf");
  EXPECT_VALUES(tsr_quantile(x, 0.5, cdf, TSR_WEIGHTS(w)), TSR_SHAPE(), 4);
  EXPECT_VALUES(tsr_quantile(x, 0, cdf, TSR_WEIGHTS(w)), TSR_SHAPE(), 2);
  EXPECT_VALUES(tsr_quantile(x, 1, cdf, TSR_WEIGHTS(w)), TSR_SHAPE(), 9);
  EXPECT_VALUES(tsr_quantile(x, 0.25, cdf, TSR_WEIGHTS(along), 1), TSR_SHAPE(2), 1, 3);
  EXPECT_VALUES(tsr_quantile(x, 0.26, cdf, TSR_WEIGHTS(along), 1, TSR_KEEPDIMS), TSR_SHAPE(2, 1), 4,
                9);
  EXPECT_VALUES(tsr_percentile(x, tsr_arange(30, 70, 30), cdf, TSR_WEIGHTS(w), 0), TSR_SHAPE(2, 3),
                2, 3, 4, 2, 3, 9);
  EXPECT_VALUES(tsr_eval("quantile(x, 0.5, method='inverted_cdf', weights=w)", x, w), TSR_SHAPE(),
                4);
  EXPECT_VALUES(tsr_quantile(tsr_where(tsr_equal(x, 9), NAN, x), 0.5, cdf, TSR_WEIGHTS(w)),
                TSR_SHAPE(), NAN);
  EXPECT_VALUES(tsr_nanquantile(tsr_where(tsr_greater(x, 3), NAN, x), 1, cdf, TSR_WEIGHTS(w)),
                TSR_SHAPE(), 3);
  const tsr_array whole = tsr_quantile(tsr_astype(x, TSR_INT32), 0.5, cdf, TSR_WEIGHTS(w));
  cr_expect_eq(tsr_dtype_of(whole), TSR_INT32);
  EXPECT_VALUES(whole, TSR_SHAPE(), 4);
}

Test(statistics, quantiles_with_weights)
{
  for (int n_ranks = 1; n_ranks <= 2; n_ranks++)
    RUN_RANKS(n_ranks, weighted_quantiles, NULL, "threads", "1", "replicate_max", "0", "tile_min",
              "1");
}

Test(statistics, weights_that_are_none)
{
  tsr_array x = tsr_arange(0, 6), w = tsr_ones(6);
  const tsr_axes cdf = TSR_METHOD("inverted_cdf");
  cr_expect_not(tsr_ok(tsr_quantile(x, 0.5, TSR_WEIGHTS(w))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "weights are of the method inverted_cdf alone");
  cr_expect_not(tsr_ok(tsr_quantile(x, 0.5, cdf, TSR_WEIGHTS(tsr_subtract(w, 1)))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the weights sum to 0");
  tsr_array beside = tsr_where(tsr_less(x, 5), x, NAN), last = tsr_equal(x, 5);
  cr_expect_not(tsr_ok(tsr_nanquantile(beside, 0.5, cdf, TSR_WEIGHTS(last))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the weights sum to 0");
  EXPECT_VALUES(tsr_nanquantile(tsr_full(6, NAN), 0.5, cdf, TSR_WEIGHTS(w)), TSR_SHAPE(), NAN);
  cr_expect_not(tsr_ok(tsr_quantile(x, 0.5, cdf, TSR_WEIGHTS(tsr_subtract(w, x)))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a weight is -4");
  cr_expect_not(tsr_ok(tsr_quantile(x, 0.5, cdf, TSR_WEIGHTS(tsr_ones(5)))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "neither the array's shape");
  cr_expect_not(tsr_ok(tsr_quantile(x, 0.5, cdf, TSR_WEIGHTS(tsr_complex(w, 0)))));
  EXPECT_ERROR(TSR_ERR_DTYPE, "weights");
  cr_expect_not(tsr_ok(tsr_sum(x, TSR_WEIGHTS(w))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_WEIGHTS is no option of this call");
}

/* The operand is cast before, as in NumPy: int8 wraps, and float32 is rounded. */
Test(statistics, computes_in_another_dtype)
{
  const int64_t of_x[] = {100, 27, 3, 126};
  tsr_array x = tsr_from_host(of_x, TSR_INT64, TSR_SHAPE(2, 2));
  tsr_array sum = tsr_sum(x, 1, TSR_DTYPE(TSR_INT8)), mean = tsr_mean(x, TSR_DTYPE(TSR_FLOAT32));
  cr_expect_eq(tsr_dtype_of(sum), TSR_INT8);
  EXPECT_VALUES(sum, TSR_SHAPE(2), 127, -127);
  cr_expect_eq(tsr_dtype_of(mean), TSR_FLOAT32);
  EXPECT_VALUES(mean, TSR_SHAPE(), 64);
  EXPECT_VALUES(tsr_prod(x, TSR_DTYPE(TSR_UINT8), TSR_AXES(0)), TSR_SHAPE(2), 44, 74);
  EXPECT_VALUES(tsr_sum(x, TSR_DTYPE(TSR_FLOAT64), TSR_WHERE(tsr_less(x, 50)), TSR_KEEPDIMS),
                TSR_SHAPE(1, 1), 30);
  cr_expect_eq(tsr_dtype_of(tsr_nansum(x, TSR_DTYPE(TSR_FLOAT32))), TSR_FLOAT32);
  cr_expect_eq(tsr_dtype_of(tsr_var(x, TSR_DTYPE(TSR_FLOAT32))), TSR_FLOAT32);
  tsr_array run = tsr_cumsum(x, TSR_ONLY_AXIS, TSR_INT8);
  cr_expect_eq(tsr_dtype_of(run), TSR_INT8);
  EXPECT_VALUES(run, TSR_SHAPE(4), 100, 127, -126, 0);
  EXPECT_VALUES(tsr_cumprod(x, 1, TSR_FLOAT32), TSR_SHAPE(2, 2), 100, 2700, 3, 378);
  cr_expect_not(tsr_ok(tsr_mean(x, TSR_DTYPE(TSR_INT32))));
  EXPECT_ERROR(TSR_ERR_DTYPE, "the dtype of this result is a float or complex");
  cr_expect_not(tsr_ok(tsr_var(x, TSR_DTYPE(TSR_BOOL))));
  EXPECT_ERROR(TSR_ERR_DTYPE, "the dtype of this result is a float or complex");
  cr_expect_not(tsr_ok(tsr_max(x, TSR_DTYPE(TSR_INT32))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_DTYPE is no option of this call");
}

/* An element is that element, also beside an infinite one; next to it the result is infinite. */
Test(statistics, quantiles_beside_infinities)
{
  const double data[] = {1, 3, (double)INFINITY, -(double)INFINITY, 2};
  const tsr_array x = tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(5));
  EXPECT_VALUES(tsr_eval("quantile(x, (0.0, 0.25, 0.5, 0.75, 1.0))", x), TSR_SHAPE(5),
                -(double)INFINITY, 1, 2, 3, (double)INFINITY);
  EXPECT_VALUES(tsr_eval("quantile(x, (0.125, 0.8))", x), TSR_SHAPE(2), -(double)INFINITY,
                (double)INFINITY);
  EXPECT_VALUES(tsr_quantile(tsr_where(tsr_equal(x, 2), NAN, x), 0.25), TSR_SHAPE(), (double)NAN);
}
