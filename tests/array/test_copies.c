/* Copies that stand for views: a write to one is an error while its source lives. */
#include "array_test.h"

#include <stdatomic.h>

TestSuite(copies, .init = begin, .fini = end);

#define LOST "a write to a copy that stands for a view would be lost"

Test(copies, writes_that_would_be_lost_are_errors)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4, 6));
  tsr_array y = tsr_reshape(x, TSR_SHAPE(24)), z = tsr_ravel(x);
  cr_expect_eq(tsr_assign(tsr_slice(y, "3:5"), 1), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, "TSR0207", LOST, "`tsr_assign`", "test_copies.c:14",
               "the copy, (24,) float64, was made by tsr_reshape at ", "test_copies.c:13",
               "the array itself, (4, 6) float64, was made by tsr_zeros at ", "test_copies.c:12",
               "help: write to the array itself; or write to a copy");
  cr_expect_eq(tsr_iadd(z, 1), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, LOST, "`tsr_iadd`", "made by tsr_ravel");
  cr_expect_eq(tsr_exec("y[0] = 2", y), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, LOST);
  tsr_local_tile tile;
  cr_expect_eq(tsr_local(y, NULL, true, &tile), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, LOST);
  cr_expect_eq(tsr_item_f64(tsr_sum(tsr_add(y, z))), 0); /* nothing was written */
  cr_expect_eq(tsr_assign(x, 3), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 72);
}

Test(copies, parts_of_complex_numbers)
{
  tsr_array z = tsr_full(TSR_SHAPE(5), tsr_box_complex(1, 2), TSR_COMPLEX128),
            x = tsr_zeros(TSR_SHAPE(5));
  tsr_array parts[] = {tsr_real(z), tsr_imag(z), tsr_real(x)};
  for (int i = 0; i < 3; i++) {
    cr_expect_eq(tsr_assign(parts[i], 7), TSR_ERR_READONLY);
    EXPECT_ERROR(TSR_ERR_READONLY, LOST, i == 1 ? "made by tsr_imag" : "made by tsr_real");
  }
  EXPECT_VALUES(parts[1], TSR_SHAPE(5), 2, 2, 2, 2, 2);
  /* Elements with gaps between them: NumPy's reshape is a view of them, its ravel a copy. */
  cr_expect_eq(tsr_assign(tsr_ravel(tsr_reshape(parts[0], TSR_SHAPE(5, 1))), 7), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, LOST);
}

Test(copies, what_numpy_copies_can_be_written)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4, 6));
  tsr_array of[] = {tsr_reshape(tsr_transpose(x), TSR_SHAPE(24)), tsr_ravel(tsr_slice(x, ":, 1:3")),
                    tsr_flatten(x), tsr_copy(tsr_ravel(x)), tsr_add(tsr_ravel(x), 1)};
  for (int i = 0; i < 5; i++) {
    cr_expect_eq(tsr_assign(tsr_slice(of[i], "1:"), 1), TSR_OK, "array %d", i);
    cr_expect_eq(tsr_item_f64(tsr_slice(of[i], "-1")), 1);
  }
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 0);
  /* NumPy lays x.T + 1 out column by column, so that its flat one is a copy. */
  tsr_array turned = tsr_ravel(tsr_add(tsr_transpose(x), 1)),
            flat = tsr_ravel(tsr_astype(tsr_transpose(x), TSR_FLOAT32));
  cr_expect_eq(tsr_assign(tsr_slice(turned, "0"), 5), TSR_OK, "%s", tsr_last_error());
  cr_expect_eq(tsr_assign(tsr_slice(flat, "0"), 5), TSR_OK, "%s", tsr_last_error());
  cr_expect_eq(tsr_item_f64(tsr_slice(turned, "0")), 5);
  cr_expect_eq(tsr_assign(tsr_ravel(tsr_copy(tsr_transpose(x))), 5), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, LOST);
  /* Every other row: NumPy has a view in another shape, but no flat one. */
  tsr_array rows = tsr_slice(x, "::2"), three = tsr_reshape(rows, TSR_SHAPE(2, 3, 2));
  cr_expect_eq(tsr_assign(three, 1), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 12);
}

Test(copies, of_a_source_that_is_gone)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4, 6)), row = tsr_slice(x, "0"), y = tsr_ravel(x);
  tsr_release(&x);
  cr_expect_eq(tsr_assign(y, 1), TSR_ERR_READONLY); /* `row` still sees the source */
  EXPECT_ERROR(TSR_ERR_READONLY, LOST);
  tsr_release(&row);
  cr_expect_eq(tsr_assign(y, 1), TSR_OK);
  cr_expect_eq(tsr_iadd(y, 1), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(y)), 48);
  tsr_array z = tsr_zeros(TSR_SHAPE(4, 6));
  tsr_replace(&z, tsr_ravel(z));
  cr_expect_eq(tsr_assign(tsr_slice(z, "0"), 1), TSR_OK);
}

Test(copies, of_copies)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4, 6)), y = tsr_ravel(x), z = tsr_real(y);
  tsr_release(&y);
  cr_expect_eq(tsr_assign(z, 1), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, LOST, "the array itself, (4, 6) float64");
  tsr_release(&x);
  cr_expect_eq(tsr_assign(z, 1), TSR_OK);
  /* A binding says it of its own copies. */
  tsr_array a = tsr_zeros(TSR_SHAPE(3)), b = tsr_copy(a);
  tsr_stand_for_view(b, a);
  tsr_stand_for_view(a, a);
  tsr_stand_for_view(tsr_null(), a);
  cr_expect_eq(tsr_assign(b, 1), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, LOST);
  cr_expect_eq(tsr_assign(a, 1), TSR_OK);
  cr_expect(tsr_stands_for_view(b) && !tsr_stands_for_view(a) && !tsr_stands_for_view(tsr_null()));
  tsr_release(&a);
  cr_expect(!tsr_stands_for_view(b));
}

Test(copies, of_column_major_arrays)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4, 6)), copied, part = tsr_zeros(TSR_SHAPE(2, 2));
  tsr_note_column_major(x);
  tsr_note_column_major(part);
  tsr_note_column_major(tsr_null());
  cr_expect_eq(tsr_assign(tsr_ravel(x), 1), TSR_OK); /* row by row it is a copy of NumPy's */
  cr_expect_eq(tsr_assign(tsr_ravel(tsr_transpose(x)), 1), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, LOST);
  copied = tsr_ravel(tsr_slice(part, "1:"));
  cr_expect_eq(tsr_assign(copied, 1), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(part)), 0);
}

Test(copies, rows_and_columns)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4, 6)), f = tsr_zeros(TSR_SHAPE(4, 6)), t = tsr_transpose(x);
  tsr_note_column_major(f);
  cr_expect(tsr_lies_in_order(x, false) && !tsr_lies_in_order(x, true));
  cr_expect(tsr_lies_in_order(f, true) && !tsr_lies_in_order(f, false));
  cr_expect(tsr_lies_in_order(t, true) && !tsr_lies_in_order(t, false));
  cr_expect(tsr_lies_in_order(tsr_slice(x, "1:3"), false));
  cr_expect(!tsr_lies_in_order(tsr_slice(x, ":, 1:"), false));
  cr_expect(!tsr_lies_in_order(tsr_slice(x, "::2"), false) &&
            !tsr_lies_in_order(tsr_slice(x, "::2"), true));
  cr_expect(tsr_lies_in_order(tsr_slice(x, "1"), true) &&
            tsr_lies_in_order(tsr_slice(x, "1"), false));
  cr_expect(!tsr_lies_in_order(tsr_slice(x, ":, 1"), false));
  cr_expect(tsr_lies_in_order(tsr_slice(x, "::2, 6:"), true)); /* no elements */
  cr_expect(!tsr_lies_in_order(tsr_flip(x), false));
  cr_expect(tsr_lies_in_order(tsr_add(t, t), true) && !tsr_lies_in_order(tsr_add(t, t), false));
  cr_expect(tsr_lies_in_order(tsr_full(TSR_SHAPE(), 1), true));
  cr_expect(!tsr_lies_in_order(tsr_null(), true) && !tsr_lies_in_order(tsr_null(), false));
}

Test(copies, broadcasts_are_read_only)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4)), wide = tsr_broadcast_to(x, TSR_SHAPE(2, 4));
  tsr_array same = tsr_broadcast_to(x, TSR_SHAPE(4)), of[] = {
                                                          same,
                                                          tsr_slice(wide, "1"),
                                                          tsr_reshape(same, TSR_SHAPE(2, 2)),
                                                          tsr_slice(tsr_flip(same), "$:", 1),
                                                          tsr_atleast_2d(same),
                                                      };
  for (int turn = 0; turn < 2; turn++) { /* the second slice is the first one's, remembered */
    for (int i = 0; i < 5; i++) {
      cr_expect_eq(tsr_assign(of[i], 1), TSR_ERR_READONLY, "view %d", i);
      EXPECT_ERROR(TSR_ERR_READONLY, "the target is read only", "help: write to the array itself");
    }
    of[1] = tsr_slice(wide, "1");
  }
  tsr_local_tile tile;
  cr_expect_eq(tsr_local(same, NULL, true, &tile), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, "the target is read only");
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 0);
  cr_expect_eq(tsr_assign(tsr_copy(wide), 1), TSR_OK);
  tsr_array out[2];
  cr_expect_eq(tsr_broadcast_arrays(out, TSR_ARRAYS(x, tsr_zeros(TSR_SHAPE(1)))), TSR_OK);
  cr_expect_eq(tsr_assign(out[0], 1), TSR_OK); /* as NumPy's, which are views, too */
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 4);
}

typedef struct shared {
  _Atomic int n_ran, failures;
} shared;

static void write_on_ranks(void *arg, int rank)
{
  shared *s = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_full(TSR_SHAPE(40, 60), 2), y = tsr_reshape(x, TSR_SHAPE(60, 40));
  s->failures += tsr_assign(tsr_slice(y, "7"), 5) != TSR_ERR_READONLY;
  s->failures += tsr_take_error(NULL, 0) != TSR_ERR_READONLY;
  s->failures += tsr_item_f64(tsr_sum(y)) != 4800;
  tsr_release(&x);
  s->failures += tsr_assign(tsr_slice(y, "7"), 5) != TSR_OK;
  s->failures += tsr_item_f64(tsr_sum(y)) != 4920;
  s->n_ran++;
}

Test(copies, on_ranks)
{
  for (int n = 1; n <= 4; n *= 2) {
    shared s = {0};
    RUN_RANKS(n, write_on_ranks, &s, "tile_min", "16", "replicate_max", "0");
    cr_expect_eq(s.n_ran, n);
    cr_expect_eq(s.failures, 0, "%d ranks", n);
  }
}
