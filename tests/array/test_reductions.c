/* Reductions: axes, shapes, dtypes, empty ones. The tree itself is tested with the kernels. */
#include "array_test.h"

#include <math.h>

TestSuite(reductions, .init = begin, .fini = end);

static tsr_array grid(void) /* [[0, 1, 2], [3, 4, 5]] */
{
  static const double data[] = {0, 1, 2, 3, 4, 5};
  return tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(2, 3));
}

Test(reductions, axes_and_keepdims)
{
  tsr_array x = grid();
  EXPECT_VALUES(tsr_sum(x), TSR_SHAPE(), 15);
  EXPECT_VALUES(tsr_sum(x, TSR_AXES(0)), TSR_SHAPE(3), 3, 5, 7);
  EXPECT_VALUES(tsr_sum(x, TSR_AXES(-1)), TSR_SHAPE(2), 3, 12);
  EXPECT_VALUES(tsr_sum(x, TSR_AXES(1, 0)), TSR_SHAPE(), 15);
  EXPECT_VALUES(tsr_sum(x, TSR_KEEPDIMS), TSR_SHAPE(1, 1), 15);
  EXPECT_VALUES(tsr_sum(x, TSR_AXES(1), TSR_KEEPDIMS), TSR_SHAPE(2, 1), 3, 12);
  EXPECT_VALUES(tsr_sum(x, TSR_KEEPDIMS, TSR_AXES(1)), TSR_SHAPE(2, 1), 3, 12);
  EXPECT_VALUES(tsr_sum(x, TSR_AXES()), TSR_SHAPE(2, 3), 0, 1, 2, 3, 4, 5);
  EXPECT_VALUES(tsr_sum(4), TSR_SHAPE(), 4);
}

Test(reductions, each)
{
  tsr_array x = grid();
  EXPECT_VALUES(tsr_prod(x, TSR_AXES(0)), TSR_SHAPE(3), 0, 4, 10);
  EXPECT_VALUES(tsr_min(x, TSR_AXES(1)), TSR_SHAPE(2), 0, 3);
  EXPECT_VALUES(tsr_max(x), TSR_SHAPE(), 5);
  EXPECT_VALUES(tsr_mean(x, TSR_AXES(0)), TSR_SHAPE(3), 1.5, 2.5, 3.5);
  EXPECT_VALUES(tsr_any(x, TSR_AXES(0)), TSR_SHAPE(3), 1, 1, 1);
  EXPECT_VALUES(tsr_all(x, TSR_AXES(0)), TSR_SHAPE(3), 0, 1, 1);
  EXPECT_VALUES(tsr_argmax(x), TSR_SHAPE(), 5);
  EXPECT_VALUES(tsr_argmin(x, TSR_AXES(1), TSR_KEEPDIMS), TSR_SHAPE(2, 1), 0, 0);
  EXPECT_VALUES(tsr_argmax(tsr_negative(x), TSR_AXES(0)), TSR_SHAPE(3), 0, 0, 0);
  EXPECT_VALUES(tsr_argmin(7), TSR_SHAPE(), 0);
}

Test(reductions, dtypes)
{
  tsr_array b = tsr_ones(TSR_SHAPE(3), TSR_BOOL), i = tsr_ones(TSR_SHAPE(3), TSR_INT32);
  tsr_array f = tsr_ones(TSR_SHAPE(3), TSR_FLOAT32);
  cr_expect_eq(tsr_dtype_of(tsr_sum(b)), TSR_INT64);
  cr_expect_eq(tsr_dtype_of(tsr_prod(i)), TSR_INT64);
  cr_expect_eq(tsr_dtype_of(tsr_max(i)), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_mean(i)), TSR_FLOAT64);
  cr_expect_eq(tsr_dtype_of(tsr_mean(f)), TSR_FLOAT32);
  cr_expect_eq(tsr_dtype_of(tsr_argmin(f)), TSR_INT64);
  cr_expect_eq(tsr_dtype_of(tsr_any(f)), TSR_BOOL);
  cr_expect_eq(tsr_item_i64(tsr_sum(b)), 3);
  cr_expect_eq(tsr_item_i64(tsr_sum(tsr_full(TSR_SHAPE(4), INT32_MAX, TSR_INT32))),
               4LL * INT32_MAX);
  cr_expect_eq(tsr_item_f64(tsr_mean(tsr_arange(0, 4, 1, TSR_INT64))), 1.5);
}

Test(reductions, of_no_elements)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(0, 2));
  EXPECT_VALUES(tsr_sum(x, TSR_AXES(0)), TSR_SHAPE(2), 0, 0);
  EXPECT_VALUES(tsr_prod(x), TSR_SHAPE(), 1);
  EXPECT_VALUES(tsr_all(x), TSR_SHAPE(), 1);
  EXPECT_VALUES(tsr_any(x), TSR_SHAPE(), 0);
  EXPECT_VALUES(tsr_max(x, TSR_AXES(1)), TSR_SHAPE(0), 0);
  cr_expect(isnan(tsr_item_f64(tsr_mean(x))));
  cr_expect_not(tsr_ok(tsr_min(x)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the min of no elements", "`tsr_min`", "x: (0, 2) float64");
  cr_expect_not(tsr_ok(tsr_argmax(x, TSR_AXES(0))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the argmax of no elements");
}

Test(reductions, wrong_axes)
{
  tsr_array x = grid();
  cr_expect_not(tsr_ok(tsr_sum(x, TSR_AXES(2))));
  EXPECT_ERROR(TSR_ERR_AXIS, "TSR0205", "axis 2 is out of range for an array of 2 axes",
               "`tsr_sum`", "x: (2, 3)");
  cr_expect_not(tsr_ok(tsr_sum(x, TSR_AXES(0, -2))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis -2 is named twice");
  cr_expect_not(tsr_ok(tsr_sum(x, TSR_AXES(0), TSR_AXES(1))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axes are given twice");
  cr_expect_not(tsr_ok(tsr_argmax(x, TSR_AXES(0, 1))));
  EXPECT_ERROR(TSR_ERR_AXIS, "argmax takes one axis or none, not 2");
}

/* NumPy's axis=0 of what has none. */
Test(reductions, an_axis_of_0d_arrays)
{
  tsr_array x = tsr_full(TSR_SHAPE(), 3.0);
  EXPECT_VALUES(tsr_sum(x, TSR_AXES(0)), TSR_SHAPE(), 3);
  EXPECT_VALUES(tsr_prod(x, TSR_AXES(-1), TSR_KEEPDIMS), TSR_SHAPE(), 3);
  EXPECT_VALUES(tsr_sum(true, TSR_AXES(0)), TSR_SHAPE(), 1);
  EXPECT_VALUES(tsr_any(x, TSR_AXES(0)), TSR_SHAPE(), 1);
  EXPECT_VALUES(tsr_max(5, TSR_AXES(0)), TSR_SHAPE(), 5);
  EXPECT_VALUES(tsr_argmin(x, TSR_AXES(-1)), TSR_SHAPE(), 0);
  EXPECT_VALUES(tsr_count_nonzero(x, TSR_AXES(0)), TSR_SHAPE(), 1);
  EXPECT_VALUES(tsr_ptp(x, TSR_AXES(0)), TSR_SHAPE(), 0);
  EXPECT_VALUES(tsr_nanmean(x, TSR_AXES(0)), TSR_SHAPE(), 3);
  EXPECT_VALUES(tsr_nanstd(x, TSR_AXES(0)), TSR_SHAPE(), 0);
  EXPECT_VALUES(tsr_eval("sum(x, axis=0) + x.min(axis=-1)", x), TSR_SHAPE(), 6);
  cr_expect_eq(tsr_dtype_of(tsr_sum(true, TSR_AXES(0))), TSR_INT64);
  tsr_array wrong[] = {tsr_sum(x, TSR_AXES(1)),      tsr_sum(x, TSR_AXES(0, 0)),
                       tsr_mean(x, TSR_AXES(0)),     tsr_var(x, TSR_AXES(-1)),
                       tsr_norm(x, TSR_AXES(0)),     tsr_average(x, 1, TSR_AXES(0)),
                       tsr_nanmedian(x, TSR_AXES(0))};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) cr_expect_not(tsr_ok(wrong[i]));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 1 is out of range for an array of 0 axes", "`tsr_sum`");
}

Test(reductions, a_scalar_result_is_an_operand)
{
  tsr_array x = grid();
  tsr_array centred = tsr_subtract(x, tsr_mean(x));
  EXPECT_VALUES(centred, TSR_SHAPE(2, 3), -2.5, -1.5, -0.5, 0.5, 1.5, 2.5);
}

/* A reduction reads what lies dense in memory where it lies, anything else from a kernel: the same
 * bits. */
Test(reductions, views_and_values_agree)
{
  tsr_array rows = tsr_slice(tsr_arange(0, 130, 1), ":, newaxis");
  tsr_array x = tsr_sin(tsr_add(tsr_multiply(rows, 7.3), tsr_arange(0, 200, 1)));
  const char *const slices[] = {":, :",     "3:70, :",    "5, :", "5, 3:131",   "1:-1, 1:-1",
                                "::2, ::3", "::-1, ::-1", ":, 7", "64:128, :64"};
  for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
    tsr_array view = tsr_slice(x, slices[i]), copy = tsr_copy(view);
    tsr_array value = tsr_add(view, 0.0);
    const double sum = tsr_item_f64(tsr_sum(view)), least = tsr_item_f64(tsr_min(view));
    cr_expect_eq(tsr_item_f64(tsr_sum(copy)), sum, "%s", slices[i]);
    cr_expect_eq(tsr_item_f64(tsr_sum(value)), sum, "%s", slices[i]);
    cr_expect_eq(tsr_item_f64(tsr_min(copy)), least, "%s", slices[i]);
    cr_expect_eq(tsr_item_f64(tsr_sum(tsr_mean(view, TSR_AXES(0)))),
                 tsr_item_f64(tsr_sum(tsr_mean(value, TSR_AXES(0)))), "%s", slices[i]);
    cr_expect_eq(tsr_item_i64(tsr_argmax(view)), tsr_item_i64(tsr_argmax(value)), "%s", slices[i]);
  }
}

/* What a reduction reads is what was there when it was recorded, also where the same window
 * overwrites it. */
Test(reductions, then_overwritten)
{
  tsr_array x = tsr_arange(0, 1000, 1);
  tsr_array before = tsr_sum(x);
  tsr_assign(x, tsr_multiply(2, x));
  tsr_array after = tsr_sum(x);
  cr_expect_eq(tsr_item_f64(before), 499500);
  cr_expect_eq(tsr_item_f64(after), 999000);
}

/* Products of few elements whose operands lie row by row, or column by column. */
enum { TALL = 1500, N_LAYOUTS = 4 };
typedef struct tall_products {
  double v[N_LAYOUTS][4 * 4 + 3 * 2 + 1 * 8 + 5 * 1 + 5 * 3 + 7 + 7];
} tall_products;

static tsr_array as_columns(tsr_array x)
{
  return tsr_transpose(tsr_copy(tsr_transpose(x)));
}

static void multiply_tall(void *arg, int rank)
{
  static const int shapes[][2] = {{4, 4}, {3, 2}, {1, 8}, {5, 1}, {5, 3}};
  tall_products *out = arg;
  tall_products mine;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  for (int k = 0; k < N_LAYOUTS; k++) {
    TSR_SCOPE();
    double *to = mine.v[k];
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; to += shapes[i][0] * shapes[i][1], i++) {
      const int64_t m = shapes[i][0], n = shapes[i][1];
      tsr_array x = tsr_sin(tsr_reshape(tsr_arange(TALL * m), TSR_SHAPE(TALL, m)));
      tsr_array y = tsr_cos(tsr_reshape(tsr_arange(TALL * n), TSR_SHAPE(TALL, n)));
      if (k & 1) x = as_columns(x);
      if (k & 2) y = as_columns(y);
      const tsr_array product = tsr_matmul(tsr_transpose(x), y);
      cr_assert_eq(tsr_to_host(product, to), TSR_OK);
      tsr_array flat = tsr_reshape(product, TSR_SHAPE(-1)); /* a view of a row or a column only */
      tsr_assign(flat, 0);
      cr_expect_eq(tsr_take_error(NULL, 0), m == 1 || n == 1 ? TSR_OK : TSR_ERR_READONLY);
    }
    tsr_array x = tsr_sin(tsr_reshape(tsr_arange(TALL * 7), TSR_SHAPE(TALL, 7)));
    const tsr_array v = tsr_cos(tsr_arange(TALL));
    if (k & 1) x = as_columns(x);
    cr_assert_eq(tsr_to_host(tsr_matmul(tsr_transpose(x), v), to), TSR_OK);
    cr_assert_eq(tsr_to_host(tsr_matmul(v, x), to + 7), TSR_OK);
  }
  if (rank == 0) *out = mine;
}

Test(reductions, products_of_a_row_may_have_all_axes)
{
  const tsr_array x = tsr_ones(TSR_SHAPE(1, 1, 1, 1, 1, 1, 1, 3)),
                  y = tsr_ones(TSR_SHAPE(1, 1, 1, 1, 1, 1, 3, 2));
  cr_expect_eq(tsr_item_f64(tsr_sum(tsr_matmul(x, y))), 6);
  cr_expect_eq(tsr_item_f64(tsr_sum(tsr_matmul(tsr_swapaxes(y, -1, -2), tsr_swapaxes(x, -1, -2)))),
               6);
}

Test(reductions, products_have_the_same_bits_however_their_operands_lie)
{
  tall_products one;
  RUN_RANKS(1, multiply_tall, &one, "threads", "1");
  for (int k = 1; k < N_LAYOUTS; k++) cr_expect_arr_eq(one.v[k], one.v[0], sizeof one.v[0]);
  for (int n = 2; n <= 3; n++) {
    tall_products some;
    RUN_RANKS(n, multiply_tall, &some, "threads", "2", "replicate_max", "0");
    cr_expect_arr_eq(&some, &one, sizeof one);
  }
}

/* What steps through memory in rows is reduced in rows: sum(m.T, axis=1) as sum(m, axis=0), also
 * where the matrices are part of a stack. */
Test(reductions, of_a_transposed_matrix_go_along_memory)
{
  tsr_rng rng = tsr_default_rng(1);
  tsr_array m = tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(3, 130, 70), TSR_FLOAT64);
  tsr_array turned = tsr_swapaxes(m, 1, 2);
  cr_assert_eq(tsr_flush(), TSR_OK);
  for (int axis = 1; axis <= 2; axis++) {
    const int other = 3 - axis;
    tsr_array sum = tsr_sum(turned, TSR_AXES(axis));
    char *text = tsr__context_window_text();
    cr_expect(strstr(text, axis == 2 ? "axes=0x2" : "axes=0x4"), "%s", text);
    cr_expect_not(strchr(strstr(text, "sum(") + 5, '{'), "%s", text);
    free(text);
    cr_expect(tsr_item_bool(tsr_all(tsr_equal(sum, tsr_sum(m, TSR_AXES(other))))));
    cr_expect(tsr_item_bool(
        tsr_all(tsr_equal(tsr_argmax(turned, TSR_AXES(axis)), tsr_argmax(m, TSR_AXES(other))))));
    cr_expect(tsr_item_bool(
        tsr_all(tsr_equal(tsr_max(turned, TSR_AXES(0, axis)), tsr_max(m, TSR_AXES(0, other))))));
  }
}

/* From the third time on, a statement of one chunk is repeated without partial results. */
Test(reductions, that_are_repeated_have_the_bits_of_the_first_time)
{
  static const char *const texts[] = {"sum(x)",
                                      "sum(x, 0)",
                                      "sum(x, 1)",
                                      "prod(1 + x / 64, 0)",
                                      "count_nonzero(x)",
                                      "max(x, 0)",
                                      "argmin(x)",
                                      "argmax(x, 1)",
                                      "any(x > 2, 1)",
                                      "mean(x, 0)",
                                      "x @ x[3]",
                                      "sum(x * x, 1)",
                                      "sum(x, keepdims=True)",
                                      "ptp(x, 1)",
                                      "var(x, 0)",
                                      "sum(x[::2, 1:])"};
  tsr_rng rng = tsr_default_rng(7);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    TSR_SCOPE();
    tsr_array even = tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(13, 70));
    tsr_array odd = tsr_copy(tsr_negative(even)), first = tsr_null();
    for (int turn = 0; turn < 8; turn++) {
      const tsr_array x = turn % 2 == 0 ? even : odd;
      const tsr_array got = tsr_eval(texts[i], x);
      cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
      if (turn == 0) first = got;
      if (turn % 2 == 0) cr_expect(tsr_array_equal(first, got), "%s, turn %d", texts[i], turn);
    }
  }
}
