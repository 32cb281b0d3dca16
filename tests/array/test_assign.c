/* Writing through views, and reading values back. */
#include "array_test.h"

#include <math.h>

TestSuite(assign, .init = begin, .fini = end);

Test(assign, overlapping_reads_come_before_the_write)
{
  tsr_array x = tsr_arange(0, 6, 1);
  tsr_iadd(tsr_slice(x, "1:"), tsr_slice(x, ":-1"));
  EXPECT_VALUES(x, TSR_SHAPE(6), 0, 1, 3, 5, 7, 9);
  tsr_assign(x, tsr_flip(x));
  EXPECT_VALUES(x, TSR_SHAPE(6), 9, 7, 5, 3, 1, 0);
  tsr_assign(tsr_slice(x, "::2"), tsr_slice(x, "1::2"));
  EXPECT_VALUES(x, TSR_SHAPE(6), 7, 7, 3, 3, 0, 0);
  tsr_assign(x, x);
  EXPECT_VALUES(x, TSR_SHAPE(6), 7, 7, 3, 3, 0, 0);
}

Test(assign, the_value_broadcasts_to_the_target)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(2, 3));
  tsr_assign(x, tsr_arange(0, 3, 1));
  EXPECT_VALUES(x, TSR_SHAPE(2, 3), 0, 1, 2, 0, 1, 2);
  tsr_assign(tsr_slice(x, "0"), tsr_full(TSR_SHAPE(1, 1, 3), 7));
  EXPECT_VALUES(x, TSR_SHAPE(2, 3), 7, 7, 7, 0, 1, 2);
  cr_expect_eq(tsr_assign(tsr_slice(x, "0"), tsr_zeros(TSR_SHAPE(2, 3))), TSR_ERR_BROADCAST);
  EXPECT_ERROR(TSR_ERR_BROADCAST, "cannot broadcast shape (2, 3) to the target's (3,)",
               "by tsr_slice(x, \"0\")");
  cr_expect_eq(tsr_iadd(tsr_slice(x, "0"), x), TSR_ERR_BROADCAST);
  EXPECT_ERROR(TSR_ERR_BROADCAST, "`tsr_iadd`");
}

Test(assign, casts_within_a_kind_and_upwards)
{
  tsr_array i = tsr_zeros(TSR_SHAPE(2), TSR_INT32), f = tsr_zeros(TSR_SHAPE(2), TSR_FLOAT32);
  tsr_array b = tsr_zeros(TSR_SHAPE(2), TSR_BOOL);
  cr_expect_eq(tsr_assign(i, tsr_full(TSR_SHAPE(2), 5, TSR_INT64)), TSR_OK);
  cr_expect_eq(tsr_assign(f, tsr_add(i, 0.25)), TSR_OK);
  cr_expect_eq(tsr_assign(b, true), TSR_OK);
  EXPECT_VALUES(f, TSR_SHAPE(2), 5.25, 5.25);
  EXPECT_VALUES(b, TSR_SHAPE(2), 1, 1);
  cr_expect_eq(tsr_assign(i, f), TSR_ERR_CAST);
  EXPECT_ERROR(TSR_ERR_CAST, "TSR0202", "cannot store float32 in an array of int32",
               "i: (2,) int32", "f: (2,) float32", "help: tsr_astype");
  cr_expect_eq(tsr_assign(i, 1.5), TSR_ERR_CAST);
  EXPECT_ERROR(TSR_ERR_CAST, "float64", "int32");
  cr_expect_eq(tsr_assign(b, 2), TSR_ERR_CAST);
  EXPECT_ERROR(TSR_ERR_CAST, "bool");
  cr_expect_eq(tsr_idiv(i, 2), TSR_ERR_CAST);
  EXPECT_ERROR(TSR_ERR_CAST, "`tsr_idiv`");
  cr_expect_eq(tsr_isub(b, b), TSR_ERR_DTYPE);
  EXPECT_ERROR(TSR_ERR_DTYPE, "subtract does not take bool");
  EXPECT_VALUES(i, TSR_SHAPE(2), 5, 5);
}

Test(assign, in_place_arithmetic)
{
  tsr_array x = tsr_full(TSR_SHAPE(2), 6), i = tsr_full(TSR_SHAPE(2), 6, TSR_INT32);
  tsr_iadd(x, 1);
  tsr_isub(x, 3);
  tsr_imul(x, tsr_arange(1, 3, 1));
  tsr_idiv(x, 4);
  EXPECT_VALUES(x, TSR_SHAPE(2), 1, 2);
  tsr_imul(i, tsr_full(TSR_SHAPE(), 3, TSR_INT64));
  EXPECT_VALUES(i, TSR_SHAPE(2), 18, 18);
  cr_expect_eq(tsr_dtype_of(i), TSR_INT32);
}

Test(assign, repeated_elements_are_read_only)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(3)), many = tsr_broadcast_to(x, TSR_SHAPE(2, 3));
  cr_expect_eq(tsr_assign(many, 1.0), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, "TSR0207", "repeats elements", "many: (2, 3)");
  cr_expect_eq(tsr_iadd(many, 1.0), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, "`tsr_iadd`");
}

Test(assign, empty_targets)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(3));
  cr_expect_eq(tsr_assign(tsr_slice(x, "3:"), 1.0), TSR_OK);
  cr_expect_eq(tsr_iadd(tsr_slice(x, ":0"), tsr_zeros(TSR_SHAPE(0))), TSR_OK);
  EXPECT_VALUES(x, TSR_SHAPE(3), 0, 0, 0);
}

Test(assign, items)
{
  tsr_array x = tsr_full(TSR_SHAPE(1, 1), -2.75);
  cr_expect_eq(tsr_item_f64(x), -2.75);
  cr_expect_eq(tsr_item_i64(x), -2);
  cr_expect(tsr_item_bool(x));
  cr_expect_eq(tsr_item_f64(3), 3);
  cr_expect(isnan(tsr_item_f64(tsr_zeros(TSR_SHAPE(2)))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "one element is wanted, but the shape is (2,)", "`tsr_item_f64`");
  cr_expect_eq(tsr_item_i64(tsr_zeros(TSR_SHAPE(0))), 0);
  EXPECT_ERROR(TSR_ERR_SHAPE, "(0,)");
}

Test(assign, a_value_of_an_earlier_step)
{
  tsr_array x = tsr_ones(TSR_SHAPE(4));
  tsr_read before = tsr_read_begin(tsr_sum(x));
  tsr_assign(x, 5.0);
  tsr_read after = tsr_read_begin(tsr_slice(x, "2:3"));
  cr_expect_eq(tsr_read_end(&before), 4);
  cr_expect_eq(tsr_read_end(&after), 5);
  cr_expect(isnan(tsr_read_end(&after)));
  cr_expect_eq(tsr__context_n_arrays(), 1);
  tsr_read none = tsr_read_begin(x);
  EXPECT_ERROR(TSR_ERR_SHAPE, "`tsr_read_begin`");
  cr_expect(isnan(tsr_read_end(&none)));
}

Test(assign, a_rank_works_on_its_own_tile)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4, 6));
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, true, &tile), TSR_OK);
  cr_assert_eq(tile.ndim, 2);
  cr_expect_eq(tile.dtype, TSR_FLOAT64);
  cr_assert_eq(tile.n[0] * tile.n[1], 24, "one rank owns all");
  for (int64_t i = 0; i < tile.n[0]; i++) {
    for (int64_t j = 0; j < tile.n[1]; j++) {
      char *at = (char *)tile.data + i * tile.stride_bytes[0] + j * tile.stride_bytes[1];
      *(double *)at = (double)(10 * i + j);
    }
  }
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
  EXPECT_VALUES(tsr_slice(x, "2"), TSR_SHAPE(6), 20, 21, 22, 23, 24, 25);
  cr_expect_eq(tsr_local_end(&tile), TSR_OK, "ends once");
  const int64_t halo[] = {1, -1};
  cr_expect_eq(tsr_local(x, halo, false, &tile), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the halo of axis 1 is negative");
  cr_expect_eq(tsr_local(tsr_broadcast_to(x, TSR_SHAPE(2, 4, 6)), NULL, false, &tile),
               TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, "repeats elements");
  cr_expect_eq(tsr__context_n_arrays(), 3);
}
