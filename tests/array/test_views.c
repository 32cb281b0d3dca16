/* Views against a plain model: every slice of short axes, and each kind of view. */
#include "array_test.h"

TestSuite(views, .init = begin, .fini = end);

/* Python's own definition: the indices of range(length)[start:stop:step], by walking. */
static int walk(int length, const int *start, const int *stop, int step, double *out)
{
  int n = 0, from, to;
  if (step > 0) {
    from = start ? (*start < 0 ? *start + length : *start) : 0;
    to = stop ? (*stop < 0 ? *stop + length : *stop) : length;
    if (from < 0) from = 0;
    if (to > length) to = length;
    for (int i = from; i < to; i += step) out[n++] = i;
  } else {
    from = start ? (*start < 0 ? *start + length : *start) : length - 1;
    to = stop ? (*stop < 0 ? *stop + length : *stop) : -1;
    if (from >= length) from = length - 1;
    if (to < -1) to = -1;
    for (int i = from; i > to; i += step) out[n++] = i;
  }
  return n;
}

static void check_slice(tsr_array x, int length, const int *start, const int *stop, int step)
{
  TSR_SCOPE();
  char text[64], a[16] = "", b[16] = "";
  double expected[16];
  if (start) snprintf(a, sizeof a, "%d", *start);
  if (stop) snprintf(b, sizeof b, "%d", *stop);
  snprintf(text, sizeof text, "%s:%s:%d", a, b, step);
  int n = walk(length, start, stop, step, expected);
  expect_values(tsr_slice(x, text), TSR_SHAPE(n), expected);
}

Test(views, every_slice_of_short_axes)
{
  for (int length = 0; length <= 5; length++) {
    tsr_array x = tsr_arange(0, length, 1);
    for (int step = -3; step <= 3; step++) {
      if (step == 0) continue;
      for (int start = -7; start <= 7; start++) {
        check_slice(x, length, &start, NULL, step);
        check_slice(x, length, NULL, &start, step);
        for (int stop = -7; stop <= 7; stop += 2) check_slice(x, length, &start, &stop, step);
      }
      check_slice(x, length, NULL, NULL, step);
    }
  }
}

static tsr_array grid(void) /* [[0, 1, 2], [3, 4, 5]] */
{
  static const double data[] = {0, 1, 2, 3, 4, 5};
  return tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(2, 3));
}

Test(views, slices_of_several_axes)
{
  tsr_array x = grid();
  EXPECT_VALUES(tsr_slice(x, "1"), TSR_SHAPE(3), 3, 4, 5);
  EXPECT_VALUES(tsr_slice(x, "-1, -2"), TSR_SHAPE(), 4);
  EXPECT_VALUES(tsr_slice(x, "..., 0"), TSR_SHAPE(2), 0, 3);
  EXPECT_VALUES(tsr_slice(x, "::-1, ::2"), TSR_SHAPE(2, 2), 3, 5, 0, 2);
  EXPECT_VALUES(tsr_slice(x, "newaxis, 0, newaxis, 1:, newaxis"), TSR_SHAPE(1, 1, 2, 1), 1, 2);
  EXPECT_VALUES(tsr_slice(x, "newaxis, ..., newaxis, 2"), TSR_SHAPE(1, 2, 1), 2, 5);
  for (int i = 0; i < 2; i++) {
    for (long j = -3; j < 3; j++)
      cr_expect_eq(tsr_item_f64(tsr_slice(x, "$, $", i, j)), 3 * i + (j + 3) % 3);
  }
  EXPECT_VALUES(tsr_slice(tsr_slice(x, "::-1, ::-1"), "0, 1:"), TSR_SHAPE(2), 4, 3);
}

Test(views, slices_as_data)
{
  tsr_array x = grid();
  const tsr_slice_item items[] = {{.kind = TSR_SLICE_INDEX, .start = 1},
                                  {.kind = TSR_SLICE_NEWAXIS},
                                  {.kind = TSR_SLICE_RANGE, .has_step = true, .step = -1}};
  EXPECT_VALUES(tsr_slice_items(x, 3, items), TSR_SHAPE(1, 3), 5, 4, 3);
  const tsr_slice_item zero = {.kind = TSR_SLICE_RANGE, .has_step = true};
  cr_expect_not(tsr_ok(tsr_slice_items(x, 1, &zero)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a step of 0");
}

Test(views, extreme_numbers)
{
  tsr_array x = tsr_arange(0, 4, 1);
  EXPECT_VALUES(tsr_slice(x, "$:$:$", INT64_MIN, INT64_MAX, INT64_MAX), TSR_SHAPE(1), 0);
  EXPECT_VALUES(tsr_slice(x, "::$", INT64_MIN), TSR_SHAPE(1), 3);
  EXPECT_VALUES(tsr_slice(x, "$:", INT64_MAX), TSR_SHAPE(0), 0);
}

Test(views, eight_axes_are_the_most)
{
  tsr_array x = tsr_ones(TSR_SHAPE(1, 1, 1, 1, 1, 1, 1, 2));
  EXPECT_VALUES(tsr_slice(x, "newaxis, 0, ..., newaxis, 1"), TSR_SHAPE(1, 1, 1, 1, 1, 1, 1, 1), 1);
  cr_expect_not(tsr_ok(tsr_slice(x, "newaxis")));
  EXPECT_ERROR(TSR_ERR_SHAPE, "a view of 9 axes; at most 8");
  cr_expect_not(tsr_ok(tsr_expand_dims(x, 0)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "a view of 9 axes");
}

Test(views, wrong_slices)
{
  tsr_array x = grid();
  cr_expect_not(tsr_ok(tsr_slice(x, "2")));
  EXPECT_ERROR(TSR_ERR_INDEX, "TSR0206", "index 2 is out of range for axis 0 of length 2",
               "x: (2, 3) float64");
  cr_expect_not(tsr_ok(tsr_slice(x, ":, $", -4)));
  EXPECT_ERROR(TSR_ERR_INDEX, "index -4 is out of range for axis 1 of length 3");
  cr_expect_not(tsr_ok(tsr_slice(x, "newaxis, ..., 3")));
  EXPECT_ERROR(TSR_ERR_INDEX, "index 3 is out of range for axis 1");
  cr_expect_not(tsr_ok(tsr_slice(x, "0, 0, 0")));
  EXPECT_ERROR(TSR_ERR_SHAPE, "too many indices: 3 for an array of 2 axes");
  cr_expect_not(tsr_ok(tsr_slice(x, "0, 1;2")));
  EXPECT_ERROR(TSR_ERR_SYNTAX, "TSR0301", "`tsr_slice`", "0, 1;2\n", "     ^");
  cr_expect_not(tsr_ok(tsr_slice(x, "$")));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "`tsr_slice`");
}

/* One call site for many slices: what it remembers of the last one must not show in the next. */
static tsr_array slice_here(tsr_array x, const char *text)
{
  return tsr_slice(x, text);
}

Test(views, one_call_site_with_other_texts_and_arrays)
{
  tsr_array x = grid(), y = tsr_arange(0, 4, 1), z = tsr_transpose(x);
  char text[16] = "0";
  expect_values(slice_here(x, text), TSR_SHAPE(3), (double[]){0, 1, 2});
  expect_values(slice_here(x, text), TSR_SHAPE(3), (double[]){0, 1, 2});
  text[0] = '1'; /* at the same address */
  expect_values(slice_here(x, text), TSR_SHAPE(3), (double[]){3, 4, 5});
  expect_values(slice_here(z, text), TSR_SHAPE(2), (double[]){1, 4});
  expect_values(slice_here(y, text), TSR_SHAPE(), (double[]){1});
  expect_values(slice_here(x, text), TSR_SHAPE(3), (double[]){3, 4, 5});
}

Test(views, moving_indices)
{
  static const int64_t rows[] = {0, 1, -1, -2, 1, 1};
  tsr_array x = grid(), z = tsr_transpose(x);
  for (int i = 0; i < 6; i++) {
    const int64_t row = rows[i], at = row < 0 ? row + 2 : row;
    double a[2] = {3.0 * (double)at + 2, 3.0 * (double)at + 1}, b[3];
    for (int k = 0; k < 3; k++) b[k] = (double)(3 * at + k);
    expect_values(tsr_slice(x, "$, :0:-1", row), TSR_SHAPE(2), a);
    expect_values(tsr_slice(x, "newaxis, $, $:", row, i % 2), TSR_SHAPE(1, 3 - i % 2), b + i % 2);
    expect_values(tsr_slice(z, "..., $", row), TSR_SHAPE(3), b);
    expect_values(tsr_eval("x[row, :]", x, row), TSR_SHAPE(3), b);
    expect_values(tsr_eval("z[row % 2:, row]", z, row), TSR_SHAPE(3 - (int)at), b + at);
  }
}

/* One call site whose ranges and indices all move: lengths grow, shrink, become 0 and come back. */
Test(views, moving_ranges)
{
  enum { N = 6, M = 5 };
  tsr_array x = tsr_reshape(tsr_arange(0, N * M, 1), TSR_SHAPE(N, M)), y = tsr_zeros(TSR_SHAPE(N));
  double count[N] = {0};
  uint32_t random = 1;
  for (int turn = 0; turn < 200; turn++) {
    TSR_SCOPE();
    int64_t a[3];
    for (int i = 0; i < 3; i++)
      a[i] = (int64_t)((random = random * 1664525 + 1013904223) >> 8) % 17 - 8;
    const int64_t from = a[0] < -N  ? 0
                         : a[0] < 0 ? a[0] + N
                         : a[0] > N ? N
                                    : a[0],
                  end = a[1] < -N  ? 0
                        : a[1] < 0 ? a[1] + N
                        : a[1] > N ? N
                                   : a[1],
                  n = end > from ? end - from : 0, at = (a[2] + 10) % M;
    double rows[N * M], column[N];
    for (int64_t i = 0; i < n; i++) {
      for (int64_t j = 0; j < M; j++) rows[i * M + j] = (double)((from + i) * M + j);
      column[i] = rows[i * M + at];
      count[from + i]++;
    }
    const int64_t low = a[0], high = a[1], back = at - M;
    expect_values(tsr_eval("x[low:high]", x, low, high), TSR_SHAPE(n, M), rows);
    expect_values(tsr_eval("x[low:high, newaxis, back]", x, low, high, back), TSR_SHAPE(n, 1),
                  column);
    expect_values(tsr_slice(x, "$:$, $", low, high, at), TSR_SHAPE(n), column);
    expect_values(tsr_eval("x.T[..., low:high][at]", x, low, high, at), TSR_SHAPE(n), column);
    cr_assert_eq(tsr_exec("y[low:high] += 1", y, low, high), TSR_OK);
  }
  expect_values(y, TSR_SHAPE(N), count);
}

/* What repeats its elements is no target, however long a part of it was before. */
Test(views, a_moving_range_of_repeated_elements)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(1)), wide = tsr_broadcast_to(x, TSR_SHAPE(8));
  for (int64_t n = 1; n < 4; n++) {
    expect_values(tsr_eval("wide[:n]", wide, n), TSR_SHAPE(n), (double[]){0, 0, 0});
    cr_expect_neq(tsr_exec("wide[:n] = 1", wide, n), TSR_OK);
    EXPECT_ERROR(TSR_ERR_READONLY, "");
  }
}

static tsr_array row_here(tsr_array x, int64_t row, bool as_text)
{
  return as_text ? tsr_eval("x[row]", x, row) : tsr_slice(x, "$, :", row);
}

Test(views, an_index_out_of_range_in_between)
{
  static const int64_t rows[] = {1, 2, 1, -3, -2};
  tsr_array x = grid();
  for (int i = 0; i < 10; i++) {
    const int64_t row = rows[i % 5];
    tsr_array got = row_here(x, row, i >= 5);
    if (row == 2 || row == -3) {
      cr_expect_not(tsr_ok(got));
      EXPECT_ERROR(TSR_ERR_INDEX, "is out of range for axis 0 of length 2");
      continue;
    }
    double first = row == 1 ? 3 : 0;
    expect_values(got, TSR_SHAPE(3), (double[]){first, first + 1, first + 2});
  }
  for (int64_t step = 2; step >= -1; step--) {
    cr_expect_eq(tsr_ok(tsr_slice(x, "0, ::$", step)), step != 0);
    if (step == 0) EXPECT_ERROR(TSR_ERR_SYNTAX, "the step of a slice cannot be 0");
  }
}

/* One call site: the numbers of a call that failed are not those of the view that it kept. */
Test(views, a_failed_slice_leaves_nothing_behind)
{
  tsr_array x = tsr_arange(0, 10, 1), gone = tsr_arange(0, 10, 1), same = gone;
  tsr_release(&gone);
  const tsr_array arrays[] = {x, x, same, x};
  const int64_t starts[] = {3, 1, 8, 8};
  for (int i = 0; i < 4; i++) {
    tsr_array from = tsr_slice(arrays[i], "$:", starts[i]),
              at = tsr_slice(arrays[i], "$", starts[i]);
    if (i == 2) {
      cr_expect_not(tsr_ok(from) || tsr_ok(at));
      EXPECT_ERROR(TSR_ERR_HANDLE, "released");
      continue;
    }
    cr_expect_eq(tsr_item_f64(tsr_sum(from)), starts[i] == 3 ? 42 : starts[i] == 1 ? 45 : 17);
    cr_expect_eq(tsr_item_f64(at), (double)starts[i]);
  }
  const int rows[] = {0, 1, 4, 4};
  for (int k = 0; k < 4; k++) {
    tsr_array y = arrays[k];
    const int row = rows[k];
    cr_expect_eq(tsr_exec("y[row] += 100", y, row) == TSR_OK, k != 2);
    if (k == 2) EXPECT_ERROR(TSR_ERR_HANDLE, "released");
  }
  EXPECT_VALUES(x, TSR_SHAPE(10), 100, 101, 2, 3, 104, 5, 6, 7, 8, 9);
}

Test(views, items_are_checked)
{
  tsr_array x = grid();
  const tsr_slice_item odd = {.kind = 99};
  cr_expect_not(tsr_ok(tsr_slice_items(x, 1, &odd)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an item is of no known kind");
  cr_expect_not(tsr_ok(tsr_slice_items(x, 1, NULL)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "items are NULL");
  cr_expect_not(tsr_ok(tsr_slice_items(x, -5, &odd)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a negative number of items");
}

Test(views, transpose_and_flip)
{
  tsr_array x = grid();
  EXPECT_VALUES(tsr_transpose(x), TSR_SHAPE(3, 2), 0, 3, 1, 4, 2, 5);
  EXPECT_VALUES(tsr_transpose(tsr_expand_dims(x, 0), TSR_AXES(2, 0, -2)), TSR_SHAPE(3, 1, 2), 0, 3,
                1, 4, 2, 5);
  EXPECT_VALUES(tsr_flip(x), TSR_SHAPE(2, 3), 5, 4, 3, 2, 1, 0);
  EXPECT_VALUES(tsr_flip(x, TSR_AXES(-1)), TSR_SHAPE(2, 3), 2, 1, 0, 5, 4, 3);
  EXPECT_VALUES(tsr_flip(x, TSR_AXES()), TSR_SHAPE(2, 3), 0, 1, 2, 3, 4, 5);
  cr_expect_not(tsr_ok(tsr_transpose(x, TSR_AXES(0))));
  EXPECT_ERROR(TSR_ERR_AXIS, "1 axes are named, the array has 2");
  cr_expect_not(tsr_ok(tsr_transpose(x, TSR_AXES(0, -2))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis -2 is named twice");
  cr_expect_not(tsr_ok(tsr_flip(x, TSR_AXES(2))));
  EXPECT_ERROR(TSR_ERR_AXIS, "TSR0205", "axis 2 is out of range for 2 axes");
}

Test(views, broadcast_and_expand)
{
  tsr_array x = tsr_arange(0, 3, 1);
  EXPECT_VALUES(tsr_broadcast_to(x, TSR_SHAPE(2, 3)), TSR_SHAPE(2, 3), 0, 1, 2, 0, 1, 2);
  EXPECT_VALUES(tsr_expand_dims(x, -1), TSR_SHAPE(3, 1), 0, 1, 2);
  EXPECT_VALUES(tsr_add(tsr_expand_dims(x, 1), x), TSR_SHAPE(3, 3), 0, 1, 2, 1, 2, 3, 2, 3, 4);
  cr_expect_not(tsr_ok(tsr_broadcast_to(x, TSR_SHAPE(3, 2))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "TSR0203", "shape (3,) does not broadcast to (3, 2)");
}

Test(views, diagonals)
{
  tsr_array x = grid();
  EXPECT_VALUES(tsr_diagonal(x), TSR_SHAPE(2), 0, 4);
  EXPECT_VALUES(tsr_diagonal(x, 1), TSR_SHAPE(2), 1, 5);
  EXPECT_VALUES(tsr_diagonal(x, -1), TSR_SHAPE(1), 3);
  EXPECT_VALUES(tsr_diagonal(x, 9), TSR_SHAPE(0), 0);
  EXPECT_VALUES(tsr_diagonal(x, 1, 1, 0), TSR_SHAPE(1), 3);
  tsr_assign(tsr_diagonal(x), -1.0);
  EXPECT_VALUES(x, TSR_SHAPE(2, 3), -1, 1, 2, 3, -1, 5);
  cr_expect_not(tsr_ok(tsr_diagonal(x, 0, 1, -1)));
  EXPECT_ERROR(TSR_ERR_AXIS, "named twice");
  cr_expect_not(tsr_ok(tsr_diagonal(tsr_slice(x, "0"))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the diagonal of an array of 1 axis");
}

/* Transposed copies of matrices with few rows and columns, by compiled kernels: blocks of a
 * vector's elements are transposed, what is left at the ends is copied one by one. */
static void copy_transposed(void *arg, int rank)
{
  static const int64_t shapes[][2] = {{25, 40}, {16, 16}, {17, 33}, {1, 5}, {31, 2}, {3, 63}};
  static const tsr_dtype dtypes[] = {TSR_UINT8, TSR_INT16, TSR_FLOAT32, TSR_FLOAT64,
                                     TSR_COMPLEX128};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
      for (int turn = 0; turn < 3; turn++) {
        TSR_SCOPE();
        const int64_t rows = shapes[s][0], columns = shapes[s][1];
        tsr_array x = tsr_remainder(tsr_arange(0, rows * columns, 1), 251);
        x = tsr_reshape(tsr_astype(x, dtypes[d]), TSR_SHAPE(rows, columns));
        cr_assert_eq(tsr_flush(), TSR_OK);
        double got[1024];
        const tsr_array y = tsr_copy(tsr_transpose(x));
        cr_assert_eq(tsr_flush(), TSR_OK);
        tsr_to_host(tsr_astype(tsr_real(y), TSR_FLOAT64), got);
        for (int64_t i = 0; i < rows; i++)
          for (int64_t j = 0; j < columns; j++)
            cr_assert_eq(got[j * rows + i], (i * columns + j) % 251, "[%d, %d] of %d x %d", (int)i,
                         (int)j, (int)rows, (int)columns);
      }
}

Test(views, small_transposed_copies)
{
  RUN_RANKS(1, copy_transposed, NULL, "jit", "eager", "jit_after", "0");
}
