/* Shapes of the same elements: axes moved, split and merged, arrays cut, joined, padded and rolled;
 * and the text of each error. Values of the larger ones: tests/array/test_shaping_ranks.c. */
#include "array_test.h"

#include <inttypes.h>
#include <math.h>

TestSuite(shaping, .init = begin, .fini = end);

static tsr_array ramp(int64_t n, int64_t m)
{
  return tsr_made(tsr_reshape(tsr_arange(0, n * m, 1), TSR_SHAPE(n, m)));
}

static tsr_dims dims(int ndim, int64_t a, int64_t b, int64_t c)
{
  return (tsr_dims){.ndim = ndim, .n = {a, b, c}};
}

static void expect_shape(tsr_array x, tsr_dims want)
{
  tsr_dims got = tsr_shape(x);
  cr_expect_eq(got.ndim, want.ndim);
  for (int k = 0; k < want.ndim; k++)
    cr_expect_eq(got.n[k], want.n[k], "axis %d: %d, not %d", k, (int)got.n[k], (int)want.n[k]);
}

Test(shaping, axes_move)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(2, 3, 4)), one = tsr_zeros(TSR_SHAPE(1, 3, 1));
  expect_shape(tsr_squeeze(one), dims(1, 3, 0, 0));
  expect_shape(tsr_squeeze(one, -1), dims(2, 1, 3, 0));
  expect_shape(tsr_squeeze(one, TSR_AXES(0, 2)), dims(1, 3, 0, 0));
  expect_shape(tsr_moveaxis(x, 0, -1), dims(3, 3, 4, 2));
  expect_shape(tsr_moveaxis(x, TSR_AXES(2, 0), TSR_AXES(0, 1)), dims(3, 4, 2, 3));
  expect_shape(tsr_swapaxes(x, 0, 2), dims(3, 4, 3, 2));
  expect_shape(tsr_atleast_1d(4.0), dims(1, 1, 0, 0));
  expect_shape(tsr_atleast_2d(tsr_zeros(TSR_SHAPE(5))), dims(2, 1, 5, 0));
  expect_shape(tsr_atleast_3d(tsr_zeros(TSR_SHAPE(5))), dims(3, 1, 5, 1));
  expect_shape(tsr_atleast_3d(tsr_zeros(TSR_SHAPE(5, 6))), dims(3, 5, 6, 1));
  expect_shape(tsr_atleast_3d(tsr_zeros(TSR_SHAPE())), dims(3, 1, 1, 1));
  tsr_array a = ramp(2, 3);
  EXPECT_VALUES(tsr_flipud(a), TSR_SHAPE(2, 3), 3, 4, 5, 0, 1, 2);
  EXPECT_VALUES(tsr_fliplr(a), TSR_SHAPE(2, 3), 2, 1, 0, 5, 4, 3);
  EXPECT_VALUES(tsr_rot90(a), TSR_SHAPE(3, 2), 2, 5, 1, 4, 0, 3);
  EXPECT_VALUES(tsr_rot90(a, 2), TSR_SHAPE(2, 3), 5, 4, 3, 2, 1, 0);
  EXPECT_VALUES(tsr_rot90(a, -1), TSR_SHAPE(3, 2), 3, 0, 4, 1, 5, 2);
  EXPECT_VALUES(tsr_rot90(a, 1, TSR_AXES(1, 0)), TSR_SHAPE(3, 2), 3, 0, 4, 1, 5, 2);
  EXPECT_VALUES(tsr_rot90(a, 4), TSR_SHAPE(2, 3), 0, 1, 2, 3, 4, 5);
}

Test(shaping, reshape)
{
  tsr_array a = ramp(4, 6);
  EXPECT_VALUES(tsr_slice(tsr_reshape(a, TSR_SHAPE(8, 3)), "1:3"), TSR_SHAPE(2, 3), 3, 4, 5, 6, 7,
                8);
  expect_shape(tsr_reshape(a, TSR_SHAPE(2, -1, 3)), dims(3, 2, 4, 3));
  expect_shape(tsr_reshape(a, -1), dims(1, 24, 0, 0));
  EXPECT_VALUES(tsr_ravel(tsr_transpose(ramp(2, 3))), TSR_SHAPE(6), 0, 3, 1, 4, 2, 5);
  EXPECT_VALUES(tsr_flatten(tsr_slice(ramp(2, 3), ":, ::-2")), TSR_SHAPE(4), 2, 0, 5, 3);
  EXPECT_VALUES(tsr_reshape(tsr_broadcast_to(tsr_arange(0, 2, 1), TSR_SHAPE(2, 2)), TSR_SHAPE(4)),
                TSR_SHAPE(4), 0, 1, 0, 1);
  EXPECT_VALUES(tsr_reshape(tsr_full(TSR_SHAPE(), 7), TSR_SHAPE(1, 1)), TSR_SHAPE(1, 1), 7);
  EXPECT_VALUES(tsr_reshape(tsr_full(TSR_SHAPE(1, 1), 7), TSR_SHAPE()), TSR_SHAPE(), 7);
  expect_shape(tsr_reshape(tsr_zeros(TSR_SHAPE(0, 3)), TSR_SHAPE(3, 0)), dims(2, 3, 0, 0));
  expect_shape(tsr_reshape(tsr_zeros(TSR_SHAPE(0, 3)), TSR_SHAPE(-1, 3)), dims(2, 0, 3, 0));
}

/* Splitting axes is a view: what is written through it is written there. */
Test(shaping, reshaped_views_write)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(6)), v = tsr_reshape(x, TSR_SHAPE(2, 3));
  tsr_assign(v, tsr_arange(1, 4, 1));
  EXPECT_VALUES(x, TSR_SHAPE(6), 1, 2, 3, 1, 2, 3);
  tsr_iadd(v, tsr_reshape(tsr_arange(0, 2, 1), TSR_SHAPE(2, 1)));
  EXPECT_VALUES(x, TSR_SHAPE(6), 1, 2, 3, 2, 3, 4);
  tsr_assign(tsr_ravel(v), 5);
  EXPECT_VALUES(x, TSR_SHAPE(6), 5, 5, 5, 5, 5, 5);
  tsr_assign(tsr_slice(v, "1"), 0);
  EXPECT_VALUES(x, TSR_SHAPE(6), 5, 5, 5, 0, 0, 0);
  tsr_assign(tsr_slice(v, ":, 0"), 9);
  EXPECT_VALUES(x, TSR_SHAPE(6), 9, 5, 5, 9, 0, 0);
  cr_expect_eq(tsr_assign(tsr_slice(v, ":, 1:"), 0), TSR_ERR_READONLY);
  EXPECT_ERROR(
      TSR_ERR_READONLY, "the target is part of a reshaped view, which cannot be written",
      "help: assign to the array itself, or to the whole view; the copy of a reshaped array "
      "can be written in part");
  tsr_array own = tsr_copy(v);
  cr_expect_eq(tsr_assign(tsr_slice(own, ":, 1:"), 0), TSR_OK);
  EXPECT_VALUES(own, TSR_SHAPE(2, 3), 9, 0, 0, 9, 0, 0);
}

/* As NumPy's, whatever views they are made of. */
Test(shaping, results_are_written_in_part)
{
  tsr_array a = ramp(2, 3), b = tsr_reshape(tsr_arange(0, 12, 1), TSR_SHAPE(2, 2, 3));
  tsr_array row = tsr_arange(0, 3, 1);
  tsr_array all[] = {tsr_roll(a, 2),
                     tsr_roll(a, 0),
                     tsr_roll(a, 1, TSR_AXES(0, 1)),
                     tsr_tile(a, TSR_SHAPE(2, 2)),
                     tsr_repeat(a, 2, 1),
                     tsr_pad(a, 1, 1),
                     tsr_stack(TSR_ARRAYS(a, a)),
                     tsr_outer(a, a),
                     tsr_dot(b, tsr_transpose(a)),
                     tsr_inner(b, a),
                     tsr_einsum("abk,jk->abj", b, a),
                     tsr_einsum("abk,k->ab", b, tsr_arange(0, 3, 1)),
                     tsr_einsum("abk->ba", b),
                     tsr_einsum("ak,bj->abkj", a, a),
                     tsr_cumsum(a, 0),
                     tsr_diff(a, 1, 1),
                     tsr_tile(row, TSR_SHAPE(2, 2)),
                     tsr_tile(row, TSR_SHAPE(3, 1, 2)),
                     tsr_repeat(tsr_tile(row, TSR_SHAPE(1, 2)), 3, 0),
                     tsr_concatenate(TSR_ARRAYS(tsr_broadcast_to(row, TSR_SHAPE(2, 3)), a)),
                     tsr_copy(tsr_broadcast_to(row, TSR_SHAPE(2, 3))),
                     tsr_full_like(tsr_broadcast_to(row, TSR_SHAPE(2, 3)), 4)};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    tsr_array before = tsr_copy(all[i]);
    cr_expect_eq(tsr_assign(tsr_slice(all[i], "-1"), -5), TSR_OK, "result %zu", i);
    cr_expect(tsr_array_equal(tsr_slice(all[i], ":-1"), tsr_slice(before, ":-1")),
              "a row of result %zu is another's, too", i);
    cr_expect_eq(tsr_assign(tsr_slice(all[i], "..., 1:"), -7), TSR_OK, "result %zu", i);
    const double sum = tsr_item_f64(tsr_sum(tsr_slice(all[i], "..., 1:")));
    cr_expect_eq(sum, -7.0 * (double)tsr_size(tsr_slice(all[i], "..., 1:")), "result %zu", i);
  }
  tsr_array rolled = tsr_roll(a, 1);
  tsr_assign(tsr_slice(rolled, ":, :2"), 9);
  EXPECT_VALUES(rolled, TSR_SHAPE(2, 3), 9, 9, 1, 9, 9, 4);
  EXPECT_VALUES(a, TSR_SHAPE(2, 3), 0, 1, 2, 3, 4, 5);
}

Test(shaping, roll)
{
  tsr_array a = ramp(2, 3), v = tsr_arange(0, 5, 1);
  EXPECT_VALUES(tsr_roll(v, 2), TSR_SHAPE(5), 3, 4, 0, 1, 2);
  EXPECT_VALUES(tsr_roll(v, -1, 0), TSR_SHAPE(5), 1, 2, 3, 4, 0);
  EXPECT_VALUES(tsr_roll(v, 12), TSR_SHAPE(5), 3, 4, 0, 1, 2);
  EXPECT_VALUES(tsr_roll(v, 5), TSR_SHAPE(5), 0, 1, 2, 3, 4);
  EXPECT_VALUES(tsr_roll(a, 1), TSR_SHAPE(2, 3), 5, 0, 1, 2, 3, 4);
  EXPECT_VALUES(tsr_roll(a, 1, 1), TSR_SHAPE(2, 3), 2, 0, 1, 5, 3, 4);
  EXPECT_VALUES(tsr_roll(a, TSR_SHAPE(1, -1), TSR_AXES(0, 1)), TSR_SHAPE(2, 3), 4, 5, 3, 1, 2, 0);
  EXPECT_VALUES(tsr_roll(a, 1, TSR_AXES(0, 1)), TSR_SHAPE(2, 3), 5, 3, 4, 2, 0, 1);
  EXPECT_VALUES(tsr_roll(a, 1, TSR_AXES(1, 1)), TSR_SHAPE(2, 3), 1, 2, 0, 4, 5, 3);
  expect_shape(tsr_roll(tsr_zeros(TSR_SHAPE(0, 3)), 1, 0), dims(2, 0, 3, 0));
  EXPECT_VALUES(tsr_roll(tsr_full(TSR_SHAPE(), 3), 4), TSR_SHAPE(), 3);
  tsr_assign(v, tsr_roll(v, 1)); /* read wholly before it is written */
  EXPECT_VALUES(v, TSR_SHAPE(5), 4, 0, 1, 2, 3);
}

static tsr_counters counted(void)
{
  tsr_flush();
  return *tsr__context_counters();
}

/* roll is a periodic read: a step of a stencil is one pass, which reads one buffer and writes the
 * other, and no rolled array is stored. */
Test(shaping, roll_fuses)
{
  tsr_array u = tsr_zeros(TSR_SHAPE(64, 64));
  tsr_assign(u, tsr_arange(0, 64, 1));
  tsr_counters before = counted();
  for (int i = 0; i < 4; i++)
    tsr_assign(u, tsr_multiply(0.25, tsr_add(tsr_roll(u, 1, 0), tsr_roll(u, -1, 0),
                                             tsr_roll(u, 1, 1), tsr_roll(u, -1, 1))));
  tsr_counters after = counted();
  cr_expect_eq(after.n_groups - before.n_groups, 4);
  cr_expect_eq(after.n_renamed - before.n_renamed, 4);
  cr_expect_eq(after.n_transient - before.n_transient, 4 * 6, "rolls, sum and product");
  /* Along two axes, and of a value that has no memory: computed again where it is read. */
  before = after;
  tsr_assign(u, tsr_add(tsr_roll(u, 1, TSR_AXES(0, 1)), tsr_roll(tsr_square(u), -1, 0)));
  after = counted();
  cr_expect_eq(after.n_groups - before.n_groups, 1);
  cr_expect_eq(after.n_recomputed - before.n_recomputed, 2);
}

/* The shift is part of a remembered plan, as a coefficient is not. */
/* Each piece of the roll leads to the one element; debug builds look at where it leads. */
Test(shaping, roll_of_what_reads_one_element)
{
  tsr_array x = tsr_keep(tsr_arange(0, 30, 1)), one = tsr_keep(tsr_sum(x));
  double got[30];
  {
    TSR_SCOPE();
    tsr_array rolled = tsr_roll(tsr_add(x, one), 3, 0);
    tsr_to_host(tsr_multiply(rolled, 2.0), got);
  }
  for (int i = 0; i < 30; i++) cr_expect_eq(got[i], 2.0 * ((i + 27) % 30 + 435), "%d", i);
}

Test(shaping, roll_by_another_shift_in_one_place)
{
  tsr_array u = tsr_arange(0, 5, 1);
  for (int i = 1; i < 5; i++) {
    tsr_array v = tsr_roll(tsr_add(u, i), i);
    cr_expect_eq(tsr_item_f64(tsr_slice(v, "0")), 5 - i + i);
    cr_expect_eq(tsr_item_f64(tsr_slice(v, "$", i)), i);
  }
}

Test(shaping, joins)
{
  tsr_array a = tsr_arange(0, 2, 1), b = tsr_arange(5, 8, 1, TSR_INT32);
  tsr_array ab = tsr_concatenate(TSR_ARRAYS(a, b, a));
  EXPECT_VALUES(ab, TSR_SHAPE(7), 0, 1, 5, 6, 7, 0, 1);
  cr_expect_eq(tsr_dtype_of(ab), TSR_FLOAT64);
  EXPECT_VALUES(tsr_concatenate(TSR_ARRAYS(ramp(2, 1), ramp(2, 2)), -1), TSR_SHAPE(2, 3), 0, 0, 1,
                1, 2, 3);
  EXPECT_VALUES(tsr_stack(TSR_ARRAYS(a, a)), TSR_SHAPE(2, 2), 0, 1, 0, 1);
  EXPECT_VALUES(tsr_stack(TSR_ARRAYS(a, tsr_add(a, 5)), -1), TSR_SHAPE(2, 2), 0, 5, 1, 6);
  EXPECT_VALUES(tsr_vstack(TSR_ARRAYS(a, ramp(1, 2))), TSR_SHAPE(2, 2), 0, 1, 0, 1);
  EXPECT_VALUES(tsr_hstack(TSR_ARRAYS(a, b)), TSR_SHAPE(5), 0, 1, 5, 6, 7);
  EXPECT_VALUES(tsr_hstack(TSR_ARRAYS(ramp(2, 1), ramp(2, 1))), TSR_SHAPE(2, 2), 0, 0, 1, 1);
  EXPECT_VALUES(tsr_dstack(TSR_ARRAYS(a, a)), TSR_SHAPE(1, 2, 2), 0, 0, 1, 1);
  EXPECT_VALUES(tsr_concatenate(TSR_ARRAYS(tsr_zeros(TSR_SHAPE(0)), a)), TSR_SHAPE(2), 0, 1);
}

/* What is stacked is computed in its place, together with the rest of the stack. */
Test(shaping, stacks_are_one_pass)
{
  tsr_array a = tsr_copy(ramp(60, 70)), b = tsr_full(TSR_SHAPE(60, 70), 2.0);
  tsr_flush();
  for (int axis = 0; axis < 3; axis++) {
    const uint64_t before = tsr_n_passes();
    tsr_array both = tsr_stack(TSR_ARRAYS(tsr_add(a, b), tsr_multiply(a, b)), axis);
    tsr_flush();
    cr_expect_eq(tsr_n_passes() - before, 1, "axis %d", axis);
    tsr_array sum = axis == 0   ? tsr_slice(both, "0, 3, 4")
                    : axis == 1 ? tsr_slice(both, "3, 0, 4")
                                : tsr_slice(both, "3, 4, 0");
    cr_expect_eq(tsr_item_f64(sum), 3 * 70 + 4 + 2);
    cr_expect_eq(tsr_item_f64(tsr_sum(both)), (60 * 70 - 1) * 60 * 70 / 2 * 3 + 2 * 60 * 70);
  }
}

Test(shaping, splits)
{
  tsr_array parts[3], x = tsr_arange(0, 7, 1);
  cr_expect_eq(tsr_array_split(parts, x, 3), TSR_OK);
  EXPECT_VALUES(parts[0], TSR_SHAPE(3), 0, 1, 2);
  EXPECT_VALUES(parts[2], TSR_SHAPE(2), 5, 6);
  tsr_array m = tsr_copy(ramp(2, 6));
  cr_expect_eq(tsr_split(parts, m, 3, 1), TSR_OK);
  EXPECT_VALUES(parts[1], TSR_SHAPE(2, 2), 2, 3, 8, 9);
  tsr_assign(parts[1], 0);
  EXPECT_VALUES(m, TSR_SHAPE(2, 6), 0, 1, 0, 0, 4, 5, 6, 7, 0, 0, 10, 11);
  cr_expect_eq(tsr_split(parts, x, 3), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "axis 0 of length 7 does not divide into 3 equal sections",
               "tsr_split", "help: tsr_array_split makes the first ones longer");
  const int64_t at[] = {2, 1, -1, 99};
  tsr_array cut[5], six = tsr_arange(6);
  cr_expect_eq(tsr_split_indices(cut, six, 4, at), TSR_OK);
  EXPECT_VALUES(cut[0], TSR_SHAPE(2), 0, 1);
  EXPECT_VALUES(cut[1], TSR_SHAPE(0), 0);
  EXPECT_VALUES(cut[2], TSR_SHAPE(4), 1, 2, 3, 4);
  EXPECT_VALUES(cut[3], TSR_SHAPE(1), 5);
  EXPECT_VALUES(cut[4], TSR_SHAPE(0), 0);
  cr_expect_eq(tsr_split_indices(cut, tsr_reshape(six, TSR_SHAPE(2, 3)), 1, at, -1), TSR_OK);
  EXPECT_VALUES(cut[1], TSR_SHAPE(2, 1), 2, 5);
  cr_expect_eq(tsr_split_indices(cut, six, 0, NULL), TSR_OK);
  cr_expect_eq(tsr_size(cut[0]), 6);
  cr_expect_eq(tsr_split_indices(cut, six, 1, NULL), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the list of indices is NULL", "`tsr_split_indices`");
  cr_expect_eq(tsr_split_indices(cut, six, -1, at), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "-1 indices; there are 0 or more");
  cr_expect_eq(tsr_split_indices(cut, six, 1, at, 1), TSR_ERR_AXIS);
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 1", "`tsr_split_indices`");
  cr_expect_eq(tsr_split(parts, x, 0), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "0 sections; there is 1 or more");
  cr_expect_eq(tsr_array_split(parts, x, 3, 1), TSR_ERR_AXIS);
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 1 is out of range for 1 axis");
}

/* There is no axis to spare for the repeats of 8 axes. */
Test(shaping, repeats_of_eight_axes)
{
  const tsr_dims shape = TSR_SHAPE(1, 2, 1, 3, 1, 2, 1, 1);
  const tsr_array x = tsr_reshape(tsr_arange(0, 12, 1), shape),
                  flat = tsr_reshape(x, TSR_SHAPE(2, 3, 2));
  for (int k = 0; k < 3; k++) {
    const int axis = 2 * k + 1;
    tsr_dims wide = shape;
    wide.n[axis] *= 2;
    cr_expect(tsr_array_equal(tsr_repeat(x, 2, axis), tsr_reshape(tsr_repeat(flat, 2, k), wide)));
    wide.n[axis] = 0;
    cr_expect(tsr_array_equal(tsr_repeat(x, 0, axis), tsr_zeros(wide)));
  }
  const tsr_array tiled = tsr_tile(x, TSR_SHAPE(1, 2, 1, 1, 1, 3, 1, 1));
  cr_expect(tsr_array_equal(
      tiled, tsr_reshape(tsr_tile(flat, TSR_SHAPE(2, 1, 3)), TSR_SHAPE(1, 4, 1, 3, 1, 6, 1, 1))));
}

Test(shaping, repeats)
{
  tsr_array a = ramp(2, 2), v = tsr_arange(0, 3, 1);
  EXPECT_VALUES(tsr_tile(v, 2), TSR_SHAPE(6), 0, 1, 2, 0, 1, 2);
  EXPECT_VALUES(tsr_tile(v, TSR_SHAPE(2, 1)), TSR_SHAPE(2, 3), 0, 1, 2, 0, 1, 2);
  EXPECT_VALUES(tsr_tile(a, TSR_SHAPE(2, 2)), TSR_SHAPE(4, 4), 0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1,
                2, 3, 2, 3);
  EXPECT_VALUES(tsr_repeat(a, 2), TSR_SHAPE(8), 0, 0, 1, 1, 2, 2, 3, 3);
  EXPECT_VALUES(tsr_repeat(a, 2, 0), TSR_SHAPE(4, 2), 0, 1, 0, 1, 2, 3, 2, 3);
  EXPECT_VALUES(tsr_repeat(a, 2, 1), TSR_SHAPE(2, 4), 0, 0, 1, 1, 2, 2, 3, 3);
  EXPECT_VALUES(tsr_repeat(a, 1, 1), TSR_SHAPE(2, 2), 0, 1, 2, 3);
  expect_shape(tsr_repeat(a, 0, 1), dims(2, 2, 0, 0));
  expect_shape(tsr_tile(v, 0), dims(1, 0, 0, 0));
}

Test(shaping, repeats_by_counts)
{
  tsr_array a = ramp(2, 3), six = tsr_arange(0, 6, 1), none = tsr_zeros(TSR_SHAPE(0));
  const int64_t counts[] = {1, 0, 3, 2, 2, 1}, runs[] = {4, 4, 1, 1, 1, 0}, zeros[6] = {0};
  const int64_t ones[] = {1, 1, 1, 1, 1, 1};
  EXPECT_VALUES(tsr_repeat_counts(six, 6, counts), TSR_SHAPE(9), 0, 2, 2, 2, 3, 3, 4, 4, 5);
  EXPECT_VALUES(tsr_repeat_counts(six, 6, runs), TSR_SHAPE(11), 0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 4);
  EXPECT_VALUES(tsr_repeat_counts(a, 6, counts), TSR_SHAPE(9), 0, 2, 2, 2, 3, 3, 4, 4, 5);
  EXPECT_VALUES(tsr_repeat_counts(a, 2, counts + 2, 0), TSR_SHAPE(5, 3), 0, 1, 2, 0, 1, 2, 0, 1, 2,
                3, 4, 5, 3, 4, 5);
  EXPECT_VALUES(tsr_repeat_counts(a, 3, counts, -1), TSR_SHAPE(2, 4), 0, 2, 2, 2, 3, 5, 5, 5);
  EXPECT_VALUES(tsr_eval("repeat(a, (1, 0, 3), axis=1)", a), TSR_SHAPE(2, 4), 0, 2, 2, 2, 3, 5, 5,
                5);
  EXPECT_VALUES(tsr_repeat_counts(tsr_full(TSR_SHAPE(), 7.0), 1, counts + 2), TSR_SHAPE(3), 7, 7,
                7);
  expect_shape(tsr_repeat_counts(six, 6, zeros), dims(1, 0, 0, 0));
  expect_shape(tsr_repeat_counts(none, 0, NULL), dims(1, 0, 0, 0));
  tsr_array whole = tsr_repeat_counts(six, 6, ones);
  tsr_assign(six, -1.0); /* it is a copy */
  EXPECT_VALUES(whole, TSR_SHAPE(6), 0, 1, 2, 3, 4, 5);
}

Test(shaping, pads)
{
  tsr_array v = tsr_arange(1, 4, 1), a = ramp(2, 2);
  EXPECT_VALUES(tsr_pad(v, 1, 2), TSR_SHAPE(6), 0, 1, 2, 3, 0, 0);
  EXPECT_VALUES(tsr_pad(v, 1, 2, "constant", 7), TSR_SHAPE(6), 7, 1, 2, 3, 7, 7);
  EXPECT_VALUES(tsr_pad(v, 2, 1, "edge"), TSR_SHAPE(6), 1, 1, 1, 2, 3, 3);
  EXPECT_VALUES(tsr_pad(v, 2, 4, "wrap"), TSR_SHAPE(9), 2, 3, 1, 2, 3, 1, 2, 3, 1);
  EXPECT_VALUES(tsr_pad(v, 5, 4, "wrap"), TSR_SHAPE(12), 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1);
  EXPECT_VALUES(tsr_pad(v, 2, 5, "reflect"), TSR_SHAPE(10), 3, 2, 1, 2, 3, 2, 1, 2, 3, 2);
  EXPECT_VALUES(tsr_pad(v, 1, 9, "reflect"), TSR_SHAPE(13), 2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3, 2);
  tsr_array many = tsr_pad(tsr_arange(0, 5, 1), 20000, 20001, "wrap"), n = tsr_arange(0, 40006, 1);
  cr_expect(tsr_array_equal(many, tsr_remainder(n, 5)));
  many = tsr_pad(tsr_arange(0, 5, 1), 20000, 20001, "reflect");
  n = tsr_remainder(n, 8);
  cr_expect(tsr_array_equal(many, tsr_minimum(n, tsr_subtract(8, n))));
  EXPECT_VALUES(tsr_pad(tsr_full(TSR_SHAPE(1), 4), 2, 1, "reflect"), TSR_SHAPE(4), 4, 4, 4, 4);
  EXPECT_VALUES(tsr_pad(a, TSR_SHAPE(1, 0), TSR_SHAPE(0, 1), "edge"), TSR_SHAPE(3, 3), 0, 1, 1, 0,
                1, 1, 2, 3, 3);
  EXPECT_VALUES(tsr_pad(a, 1, 1, "reflect"), TSR_SHAPE(4, 4), 3, 2, 3, 2, 1, 0, 1, 0, 3, 2, 3, 2, 1,
                0, 1, 0);
}

/* The extremes of integers that float64 does not hold are exact, of every dtype. */
Test(shaping, pads_integers_by_their_exact_extremes)
{
  const int64_t big[] = {INT64_MAX - 4, INT64_MAX - 2, INT64_MIN + 1, INT64_MIN + 3};
  const uint64_t huge[] = {UINT64_MAX - 4, UINT64_MAX - 2, UINT64_MAX - 7, UINT64_MAX - 1};
  int64_t got[6];
  uint64_t got_huge[6];
  tsr_array x = tsr_from_host(big, TSR_INT64, TSR_SHAPE(4));
  tsr_array u = tsr_from_host(huge, TSR_UINT64, TSR_SHAPE(4));
  cr_assert_eq(tsr_to_host(tsr_pad(x, 1, 1, "maximum", 0, TSR_STAT_LENGTH(2)), got), TSR_OK);
  cr_expect(got[0] == INT64_MAX - 2 && got[5] == INT64_MIN + 3, "%" PRId64 ", %" PRId64, got[0],
            got[5]);
  cr_assert_eq(tsr_to_host(tsr_pad(x, 1, 1, "minimum", 0, TSR_STAT_LENGTH(2)), got), TSR_OK);
  cr_expect(got[0] == INT64_MAX - 4 && got[5] == INT64_MIN + 1, "%" PRId64 ", %" PRId64, got[0],
            got[5]);
  cr_assert_eq(tsr_to_host(tsr_pad(u, 1, 1, "maximum", 0, TSR_STAT_LENGTH(2)), got_huge), TSR_OK);
  cr_expect(got_huge[0] == UINT64_MAX - 2 && got_huge[5] == UINT64_MAX - 1, "%" PRIu64 ", %" PRIu64,
            got_huge[0], got_huge[5]);
  cr_assert_eq(tsr_to_host(tsr_pad(u, 1, 1, "minimum", 0, TSR_STAT_LENGTH(2)), got_huge), TSR_OK);
  cr_expect(got_huge[0] == UINT64_MAX - 4 && got_huge[5] == UINT64_MAX - 7, "%" PRIu64 ", %" PRIu64,
            got_huge[0], got_huge[5]);
}

/* The other modes of NumPy's, with its values. */
Test(shaping, pads_by_every_mode)
{
  const double of_x[] = {1, 2, 4, 8, 16};
  const int64_t of_i[] = {1, 9, 2, 4, 7, 3};
  tsr_array x = tsr_from_host(of_x, TSR_FLOAT64, TSR_SHAPE(5));
  tsr_array i = tsr_from_host(of_i, TSR_INT64, TSR_SHAPE(3, 2));
  tsr_array sides = tsr_reshape(tsr_arange(5, 9, 1, TSR_INT64), TSR_SHAPE(2, 2));
  EXPECT_VALUES(tsr_pad(x, 2, 7, "symmetric"), TSR_SHAPE(14), 2, 1, 1, 2, 4, 8, 16, 16, 8, 4, 2, 1,
                1, 2);
  EXPECT_VALUES(tsr_pad(x, 12, 13, "reflect", 0, TSR_REFLECT_TYPE("odd")), TSR_SHAPE(30), -44, -36,
                -32, -30, -29, -28, -26, -22, -14, -6, -2, 0, 1, 2, 4, 8, 16, 24, 28, 30, 31, 32,
                34, 38, 46, 54, 58, 60, 61, 62);
  EXPECT_VALUES(tsr_pad(x, 2, 11, "symmetric", 0, TSR_REFLECT_TYPE("odd")), TSR_SHAPE(18), 0, 1, 1,
                2, 4, 8, 16, 16, 24, 28, 30, 31, 31, 32, 34, 38, 46, 46);
  EXPECT_VALUES(tsr_pad(x, 4, 2, "linear_ramp", -3), TSR_SHAPE(11), -3, -2, -1, 0, 1, 2, 4, 8, 16,
                6.5, -3);
  EXPECT_VALUES(tsr_pad(i, 2, 1, "linear_ramp", 6), TSR_SHAPE(6, 5), 6, 6, 6, 6, 6, 6, 4, 3, 7, 6,
                6, 3, 1, 9, 6, 6, 4, 2, 4, 6, 6, 6, 7, 3, 6, 6, 6, 6, 6, 6);
  EXPECT_VALUES(tsr_pad(x, 1, 2, "maximum", 0, TSR_STAT_LENGTH(2)), TSR_SHAPE(8), 2, 1, 2, 4, 8, 16,
                16, 16);
  EXPECT_VALUES(tsr_pad(x, 1, 2, "minimum", 0, TSR_STAT_LENGTHS(TSR_SHAPE(3), TSR_SHAPE(2))),
                TSR_SHAPE(8), 1, 1, 2, 4, 8, 16, 8, 8);
  EXPECT_VALUES(tsr_pad(i, TSR_SHAPE(1, 0), TSR_SHAPE(0, 1), "mean"), TSR_SHAPE(4, 3), 3, 5, 4, 1,
                9, 5, 2, 4, 3, 7, 3, 5);
  EXPECT_VALUES(tsr_pad(i, 1, 1, "median", 0, TSR_STAT_LENGTHS(TSR_SHAPE(2, 1), TSR_SHAPE(1, 2))),
                TSR_SHAPE(5, 4), 2, 2, 6, 4, 1, 1, 9, 5, 2, 2, 4, 3, 7, 7, 3, 5, 7, 7, 3, 5);
  EXPECT_VALUES(tsr_pad(x, 1, 2, "empty"), TSR_SHAPE(8), 0, 1, 2, 4, 8, 16, 0, 0);
  EXPECT_VALUES(tsr_pad(i, 1, 1, "constant", sides), TSR_SHAPE(5, 4), 7, 5, 5, 8, 7, 1, 9, 8, 7, 2,
                4, 8, 7, 7, 3, 8, 7, 6, 6, 8);
  EXPECT_VALUES(tsr_pad(i, 1, 1, "constant", tsr_slice(sides, "0")), TSR_SHAPE(5, 4), 5, 5, 5, 6, 5,
                1, 9, 6, 5, 2, 4, 6, 5, 7, 3, 6, 5, 6, 6, 6);
  EXPECT_VALUES(tsr_pad(i, 1, 1, "constant", tsr_slice(sides, "0, 1")), TSR_SHAPE(5, 4), 6, 6, 6, 6,
                6, 1, 9, 6, 6, 2, 4, 6, 6, 7, 3, 6, 6, 6, 6, 6);
  EXPECT_VALUES(tsr_pad(tsr_full(TSR_SHAPE(1), 4), 2, 1, "symmetric", 0, TSR_REFLECT_TYPE("odd")),
                TSR_SHAPE(4), 4, 4, 4, 4);
}

Test(shaping, comparisons)
{
  tsr_array x = tsr_arange(0, 4, 1), y = tsr_add(x, 1e-9);
  cr_expect(tsr_allclose(x, y));
  cr_expect_not(tsr_allclose(x, tsr_add(x, 1e-3)));
  cr_expect(tsr_allclose(x, tsr_add(x, 1e-3), 0, 0.01));
  tsr_array nan = tsr_full(TSR_SHAPE(2), NAN), inf = tsr_full(TSR_SHAPE(2), INFINITY);
  cr_expect_not(tsr_allclose(nan, nan));
  cr_expect(tsr_allclose(nan, nan, 1e-5, 1e-8, true));
  cr_expect(tsr_allclose(inf, inf));
  cr_expect_not(tsr_allclose(inf, 1.0));
  cr_expect_not(tsr_allclose(inf, tsr_negative(inf)));
  cr_expect(tsr_allclose(tsr_astype(x, TSR_INT32), x));
  cr_expect(tsr_array_equal(x, tsr_astype(x, TSR_INT32)));
  cr_expect_not(tsr_array_equal(x, y));
  cr_expect_not(tsr_array_equal(x, tsr_slice(x, ":2")));
  cr_expect_not(tsr_array_equal(nan, nan));
  cr_expect(tsr_array_equal(nan, nan, true));
  cr_expect_not(tsr_allclose(x, tsr_zeros(TSR_SHAPE(3))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "cannot broadcast shapes (4,) and (3,) in `tsr_allclose`");
}

Test(shaping, errors_of_axes)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(2, 3)), out[2];
  cr_expect_not(tsr_ok(tsr_squeeze(x, 1)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "axis 1 has length 3, not 1", "tsr_squeeze", "x: (2, 3) float64");
  cr_expect_not(tsr_ok(tsr_squeeze(x, 2)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2 is out of range for 2 axes");
  cr_expect_not(tsr_ok(tsr_squeeze(x, TSR_AXES(0, -2))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis -2 is named twice");
  cr_expect_not(tsr_ok(tsr_moveaxis(x, TSR_AXES(0, 1), 0)));
  EXPECT_ERROR(TSR_ERR_AXIS, "2 axes are to move to 1 places");
  cr_expect_not(tsr_ok(tsr_swapaxes(x, 0, -3)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis -3 is out of range for 2 axes");
  cr_expect_not(tsr_ok(tsr_fliplr(tsr_zeros(TSR_SHAPE(3)))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "an array of 1 axis, where 2 or more are needed");
  cr_expect_not(tsr_ok(tsr_rot90(x, 1, TSR_AXES(0, 0))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 0 is named twice");
  cr_expect_not(tsr_ok(tsr_rot90(x, 1, TSR_AXES(0))));
  EXPECT_ERROR(TSR_ERR_AXIS, "a rotation takes 2 axes, not 1");
  cr_expect_eq(tsr_broadcast_arrays(out, TSR_ARRAYS(x, tsr_zeros(TSR_SHAPE(2)))),
               TSR_ERR_BROADCAST);
  EXPECT_ERROR(TSR_ERR_BROADCAST, "cannot broadcast shapes (2, 3) and (2,)");
  cr_expect_not(tsr_ok(tsr_roll(x, 1, 2)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2 is out of range for 2 axes");
  cr_expect_not(tsr_ok(tsr_roll(x, TSR_SHAPE(1, 2, 3), TSR_AXES(0, 1))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "3 shifts for 2 axes");
}

Test(shaping, errors_of_shapes)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(2, 3));
  cr_expect_not(tsr_ok(tsr_reshape(x, TSR_SHAPE(4, 2))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "cannot reshape (2, 3), 6 elements, into (4, 2)", "tsr_reshape",
               "help: -1 stands for the length that follows from the others");
  cr_expect_not(tsr_ok(tsr_reshape(x, TSR_SHAPE(4, -1))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "cannot reshape (2, 3), 6 elements, into (4, -1)");
  cr_expect_not(tsr_ok(tsr_reshape(x, TSR_SHAPE(-1, -1))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "shape (-1, -1) has two unknown lengths (-1)");
  cr_expect_not(tsr_ok(tsr_reshape(x, TSR_SHAPE(-2, 3))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "shape (-2, 3) has a negative length");
  cr_expect_not(tsr_ok(tsr_concatenate(TSR_ARRAYS())));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "no arrays to join");
  tsr_array scalar = tsr_zeros(TSR_SHAPE());
  cr_expect_not(tsr_ok(tsr_concatenate(TSR_ARRAYS(scalar, scalar))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "arrays without axes cannot be concatenated",
               "help: tsr_stack makes an axis of them");
  cr_expect_not(tsr_ok(tsr_concatenate(TSR_ARRAYS(x, tsr_zeros(TSR_SHAPE(2, 4))))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "cannot join shapes (2, 3) and (2, 4): array 1 differs along axis 1",
               "all lengths but those along the axis that is joined must agree");
  cr_expect_not(tsr_ok(tsr_concatenate(TSR_ARRAYS(x, tsr_zeros(TSR_SHAPE(2))))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "cannot join shapes (2, 3) and (2,): array 1 has 1 axis, not 2");
  cr_expect_not(tsr_ok(tsr_concatenate(TSR_ARRAYS(x, x), 2)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2 is out of range for 2 axes");
  cr_expect_not(tsr_ok(tsr_stack(TSR_ARRAYS(x, tsr_zeros(TSR_SHAPE(3, 2))))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "cannot join shapes (2, 3) and (3, 2): array 1 has another shape");
  cr_expect_not(tsr_ok(tsr_stack(TSR_ARRAYS(x, x), 3)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 3 is out of range for 3 axes");
  cr_expect_not(tsr_ok(tsr_repeat(x, -1)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "-1 repeats; there are 0 or more");
  const int64_t counts[] = {1, -2};
  cr_expect_not(tsr_ok(tsr_repeat_counts(x, 2, counts, 0)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "count 1 is -2; there are 0 or more");
  cr_expect_not(tsr_ok(tsr_repeat_counts(x, 2, counts)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "2 counts for 6 elements: give one for each");
  cr_expect_not(tsr_ok(tsr_repeat_counts(x, 2, NULL, 0)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the list of counts is NULL");
  cr_expect_not(tsr_ok(tsr_repeat_counts(x, 1, counts, 2)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2 is out of range for 2 axes");
  cr_expect_not(tsr_ok(tsr_repeat(x, 2, 2)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2 is out of range for 2 axes");
  cr_expect_not(tsr_ok(tsr_tile(x, TSR_SHAPE(2, -1))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "axis 1 of shape (2, -1) has a negative length");
  cr_expect_not(tsr_ok(tsr_pad(x, 1, 1, "mirror")));
  EXPECT_ERROR(
      TSR_ERR_ARGUMENT,
      "there is no mode \"mirror\"; the modes are constant, edge, wrap, reflect, symmetric, "
      "linear_ramp, maximum, mean, median, minimum and empty");
  cr_expect_not(tsr_ok(tsr_pad(x, TSR_SHAPE(1, 1, 1), 1)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "3 widths before an array of 2 axes");
  cr_expect_not(tsr_ok(tsr_pad(x, 1, -1)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the width -1 after axis 0 is negative");
  cr_expect_not(tsr_ok(tsr_pad(tsr_zeros(TSR_SHAPE(0)), 1, 1, "edge")));
  EXPECT_ERROR(TSR_ERR_SHAPE, "axis 0 is empty: there is nothing to repeat in its padding");
  cr_expect_not(tsr_ok(tsr_pad(x, 1, 1, "edge", 0, TSR_STAT_LENGTH(2))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the mode \"edge\" takes no stat_length");
  cr_expect_not(tsr_ok(tsr_pad(x, 1, 1, "wrap", 0, TSR_REFLECT_TYPE("odd"))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the mode \"wrap\" takes no reflect_type");
  cr_expect_not(tsr_ok(tsr_pad(x, 1, 1, "reflect", 0, TSR_REFLECT_TYPE("both"))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "reflect_type is \"even\" or \"odd\", not \"both\"");
  cr_expect_not(tsr_ok(tsr_pad(x, 1, 1, "maximum", 0, TSR_STAT_LENGTH(0))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the maximum of no elements: a stat_length of 0");
  cr_expect_not(tsr_ok(tsr_pad(x, 1, 1, "mean", 0, TSR_STAT_LENGTH(-1))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "of stat_length before axis 0 is negative");
  cr_expect_not(tsr_ok(tsr_pad(x, 1, 1, "constant", tsr_ones(3))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "(2, 2)");
}

/* Each element by itself: an operation without axes reads on one side of the seam only. */
Test(shaping, elements_of_a_roll)
{
  tsr_array x = tsr_arange(0, 7, 1);
  for (int i = 0; i < 7; i++) {
    tsr_array one = tsr_slice(tsr_roll(tsr_slice(x, "1:6"), 2, 0), "$", i % 5);
    cr_expect_eq(tsr_item_f64(tsr_rint(one)), 1 + (i % 5 + 3) % 5);
    tsr_array twice = tsr_slice(tsr_roll(tsr_roll(x, 3, 0), 2, 0), "$", i);
    cr_expect_eq(tsr_item_f64(tsr_add(twice, 0.5)), (i + 2) % 7 + 0.5);
  }
}

Test(shaping, several_new_axes)
{
  tsr_array x = tsr_reshape(tsr_arange(0, 6, 1), TSR_SHAPE(2, 3));
  EXPECT_VALUES(tsr_expand_dims(x, TSR_AXES(0, -1)), TSR_SHAPE(1, 2, 3, 1), 0, 1, 2, 3, 4, 5);
  EXPECT_VALUES(tsr_expand_dims(x, TSR_AXES(2, 1)), TSR_SHAPE(2, 1, 1, 3), 0, 1, 2, 3, 4, 5);
  EXPECT_VALUES(tsr_expand_dims(x, TSR_AXES()), TSR_SHAPE(2, 3), 0, 1, 2, 3, 4, 5);
  EXPECT_VALUES(tsr_expand_dims(x, 1), TSR_SHAPE(2, 1, 3), 0, 1, 2, 3, 4, 5);
  tsr_assign(tsr_expand_dims(x, TSR_AXES(0, 1)), 7);
  EXPECT_VALUES(x, TSR_SHAPE(2, 3), 7, 7, 7, 7, 7, 7);
  cr_expect_not(tsr_ok(tsr_expand_dims(x, TSR_AXES(0, -4))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis -4 is named twice", "`tsr_expand_dims`", "(2, 3) float64");
  cr_expect_not(tsr_ok(tsr_expand_dims(x, TSR_AXES(0, 4))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 4 is out of range for 4 axes");
  cr_expect_not(tsr_ok(tsr_expand_dims(x, TSR_AXES(0, 1, 2, 3, 4, 5, 6))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "a view of 9 axes; at most 8 are possible");
}

Test(shaping, joins_in_flat_order)
{
  tsr_array x = tsr_reshape(tsr_arange(0, 4, 1), TSR_SHAPE(2, 2)), y = tsr_full(TSR_SHAPE(), 9);
  EXPECT_VALUES(tsr_concatenate(TSR_ARRAYS(tsr_transpose(x), y), TSR_FLAT), TSR_SHAPE(5), 0, 2, 1,
                3, 9);
  cr_expect_not(tsr_ok(tsr_concatenate(TSR_ARRAYS(), TSR_FLAT)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "no arrays to join");
}

/* A null handle makes null handles, and no message of its own. */
Test(shaping, null_handles)
{
  const tsr_array no = tsr_null(), x = tsr_ones(TSR_SHAPE(3)), *both = (const tsr_array[]){x, no};
  const tsr_arrays arrays = {.n = 2, .v = both};
  tsr_array out[2];
  const tsr_array made[] = {tsr_squeeze(no),
                            tsr_moveaxis(no, 0, 1),
                            tsr_swapaxes(no, 0, 1),
                            tsr_flipud(no),
                            tsr_fliplr(no),
                            tsr_rot90(no),
                            tsr_atleast_1d(no),
                            tsr_atleast_2d(no),
                            tsr_atleast_3d(no),
                            tsr_reshape(no, 3),
                            tsr_ravel(no),
                            tsr_flatten(no),
                            tsr_roll(no, 1),
                            tsr_concatenate(arrays),
                            tsr_stack(arrays),
                            tsr_vstack(arrays),
                            tsr_hstack(arrays),
                            tsr_dstack(arrays),
                            tsr_tile(no, 2),
                            tsr_repeat(no, 2),
                            tsr_pad(no, 1, 1),
                            tsr_expand_dims(no, 0),
                            tsr_tril(no),
                            tsr_triu(no),
                            tsr_diag(no),
                            tsr_zeros_like(no),
                            tsr_full_like(no, 2),
                            tsr_linspace(no, 1),
                            tsr_cumsum(no, 0),
                            tsr_cummax(no, 0),
                            tsr_diff(no),
                            tsr_median(no),
                            tsr_quantile(no, 0.5),
                            tsr_count_nonzero(no),
                            tsr_var(no),
                            tsr_nanmin(no),
                            tsr_average(x, no),
                            tsr_norm(no),
                            tsr_trapezoid(no),
                            tsr_dot(x, no),
                            tsr_outer(no, x),
                            tsr_vecdot(no, x),
                            tsr_cross(x, no),
                            tsr_kron(x, no),
                            tsr_trace(no),
                            tsr_column_stack(arrays),
                            tsr_inner(x, no),
                            tsr_round(no, 1),
                            tsr_isclose(no, x),
                            tsr_expand_dims(no, TSR_AXES(0, 1))};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) cr_expect_not(tsr_ok(made[i]), "%zu", i);
  cr_expect_eq(tsr_broadcast_arrays(out, arrays), TSR_ERR_HANDLE);
  cr_expect_eq(tsr_split(out, no, 2), TSR_ERR_HANDLE);
  cr_expect_eq(tsr_meshgrid(out, arrays), TSR_ERR_HANDLE);
  cr_expect_not(tsr_allclose(no, x));
  cr_expect_str_eq(tsr_last_error(), "");
}

Test(shaping, shared_memory)
{
  tsr_array a = ramp(4, 6), b = ramp(4, 6), d = tsr_diagonal(a);
  cr_expect(tsr_shares_memory(a, a));
  cr_expect_not(tsr_shares_memory(a, b));
  cr_expect_not(tsr_may_share_memory(a, b));
  cr_expect_not(tsr_shares_memory(a, tsr_copy(a)));
  cr_expect_not(tsr_shares_memory(a, tsr_roll(a, 1)));
  cr_expect_not(tsr_shares_memory(a, 3));
  tsr_array even = tsr_slice(a, "::2"), odd = tsr_slice(a, "1::2");
  cr_expect_not(tsr_shares_memory(even, odd));
  cr_expect(tsr_may_share_memory(even, odd));
  cr_expect_not(tsr_may_share_memory(tsr_slice(a, ":2"), tsr_slice(a, "2:")));
  cr_expect(tsr_shares_memory(even, tsr_transpose(tsr_slice(a, "2"))));
  /* A diagonal is no box of points. */
  cr_expect(tsr_shares_memory(d, tsr_slice(a, "2, 2:")));
  cr_expect_not(tsr_shares_memory(d, tsr_slice(a, "1:, :1")));
  cr_expect_not(tsr_shares_memory(d, tsr_diagonal(a, 1)));
  cr_expect(tsr_shares_memory(tsr_flip(d), tsr_slice(d, "1:2")));
  cr_expect_not(tsr_shares_memory(tsr_slice(a, "0:0"), a));
  cr_expect(tsr_shares_memory(tsr_slice(a, "1, 1"), d));
  cr_expect_not(tsr_shares_memory(tsr_slice(a, "1, 2"), d));
  tsr_assign(tsr_slice(d, "1"), 9); /* what they say of views is so */
  EXPECT_VALUES(tsr_slice(a, "1, :2"), TSR_SHAPE(2), 6, 9);
  cr_expect_not(tsr_shares_memory(tsr_null(), a));
}
