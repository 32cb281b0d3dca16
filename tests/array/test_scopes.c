/* Lifetimes: scopes, statement scopes, keep, hold, release, replace. */
#include "array_test.h"

TestSuite(scopes, .init = begin, .fini = end);

static int64_t n_alive(void)
{
  return tsr__context_n_arrays();
}

/* The region's handles, and how many of them make its value stored. */
static int n_handles(tsr_array x)
{
  return tsr__handle_peek(tsr_context_current(), x)->region->n_handles;
}

static int n_stored(tsr_array x)
{
  return tsr__handle_peek(tsr_context_current(), x)->region->n_stored;
}

Test(scopes, end_with_their_block_however_it_ends)
{
  for (int i = 0; i < 4; i++) {
    TSR_SCOPE();
    tsr_array x = tsr_zeros(TSR_SHAPE(2));
    cr_expect_eq(n_alive(), 1);
    if (i == 1) continue;
    if (i == 3) break;
    tsr_array y = tsr_add(x, 1);
    cr_expect(tsr_ok(y));
    cr_expect_eq(n_alive(), 2);
  }
  cr_expect_eq(n_alive(), 0);
}

static int leave_by_return(void)
{
  TSR_SCOPE();
  tsr_array x = tsr_zeros(TSR_SHAPE(2));
  return tsr_ok(x) ? (int)n_alive() : -1;
}

Test(scopes, end_by_goto_and_return)
{
  int rounds = 0;
again : {
  TSR_SCOPE();
  tsr_array x = tsr_zeros(TSR_SHAPE(2)), y = tsr_add(x, 1);
  cr_expect(tsr_ok(y));
  cr_expect_eq(n_alive(), 2);
  if (rounds++ < 3) goto again;
}
  cr_expect_eq(n_alive(), 0);
  cr_expect_eq(leave_by_return(), 1);
  cr_expect_eq(n_alive(), 0);
}

static tsr_array kept(tsr_array x)
{
  TSR_SCOPE();
  tsr_array y = tsr_add(x, 1), z = tsr_multiply(y, y);
  return tsr_keep(z);
}

Test(scopes, keep_moves_to_the_enclosing_scope)
{
  tsr_array x = tsr_full(TSR_SHAPE(2), 2), z;
  {
    TSR_SCOPE();
    z = kept(x);
    cr_expect_eq(n_alive(), 2);
    cr_expect_eq(n_stored(z), 0);
    EXPECT_VALUES(z, TSR_SHAPE(2), 9, 9);
    cr_expect_eq(tsr_keep(x).id, x.id);
    cr_expect_eq(n_stored(x), 1);
  }
  cr_expect_eq(n_alive(), 1);
  cr_expect_not(tsr_ok(tsr_add(z, 1)));
  EXPECT_ERROR(TSR_ERR_HANDLE, "released at", "test_scopes.c", "by TSR_SCOPE");
}

Test(scopes, hold_lives_until_release)
{
  tsr_array x;
  {
    TSR_SCOPE();
    x = tsr_hold(tsr_full(TSR_SHAPE(), 7));
    cr_expect_eq(n_stored(x), 1);
  }
  cr_expect_eq(tsr_item_f64(x), 7);
  tsr_release(&x);
  cr_expect_eq(n_alive(), 0);
  tsr_release(&x);
}

Test(scopes, statements_release_their_temporaries)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4)), half = tsr_slice(x, ":2");
  for (int i = 0; i < 3; i++) {
    tsr_assign(tsr_slice(x, "1:"),
               tsr_add(tsr_slice(x, ":-1"), tsr_ok(tsr_multiply(half, 0)) ? 1 : 2));
    tsr_iadd(half, tsr_sum(tsr_multiply(half, 0)));
    cr_expect_eq(n_alive(), 2);
  }
  double buffer[4];
  tsr_to_host(tsr_add(x, 1), buffer);
  cr_expect_eq(tsr_item_f64(tsr_max(x)), 3);
  cr_expect_eq(n_alive(), 2);
  cr_expect_eq(n_stored(x), 2);
  cr_expect_eq(n_handles(x), 2);
}

static tsr_array escaped;

static tsr_array escape(tsr_array x)
{
  escaped = x;
  return x;
}

Test(scopes, a_statement_says_what_it_released)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4));
  tsr_assign(x, escape(tsr_add(x, 1)));
  cr_expect_not(tsr_ok(tsr_add(escaped, 1)));
  EXPECT_ERROR(TSR_ERR_HANDLE, "made at", "tsr_add", "released by the end of its statement");
}

Test(scopes, only_the_root_scope_and_held_arrays_are_stored)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4));
  cr_expect_eq(n_stored(x), 1);
  TSR_SCOPE();
  tsr_array y = tsr_add(x, 1), view = tsr_slice(x, "0");
  cr_expect_eq(n_stored(y), 0);
  cr_expect_eq(n_handles(x), 2);
  cr_expect_eq(n_stored(x), 1);
  tsr_hold(view);
  cr_expect_eq(n_stored(x), 2);
  tsr_keep(y);
  cr_expect_eq(n_stored(y), 1);
}

Test(scopes, replace_takes_place_and_scope)
{
  tsr_array x = tsr_full(TSR_SHAPE(2), 1);
  for (int i = 0; i < 3; i++) {
    TSR_SCOPE();
    tsr_replace(&x, tsr_multiply(2, tsr_add(x, x)));
    cr_expect_eq(n_alive(), 1);
    cr_expect_eq(n_stored(x), 1);
  }
  EXPECT_VALUES(x, TSR_SHAPE(2), 64, 64);
  tsr_array none = tsr_null();
  tsr_replace(&none, tsr_add(x, 1));
  cr_expect_eq(n_stored(none), 1);
  tsr_replace(&none, none);
  EXPECT_VALUES(none, TSR_SHAPE(2), 65, 65);
  tsr_replace(&none, tsr_null());
  cr_expect_not(tsr_ok(none));
}

Test(scopes, closing_out_of_order_is_an_error)
{
  static const tsr_location outer_at = {__FILE__, "f", 1, "outer", ""},
                            inner_at = {__FILE__, "f", 2, "inner", ""};
  tsr_scope outer = tsr_scope_open(&outer_at), inner = tsr_scope_open(&inner_at);
  tsr_array x = tsr_zeros(TSR_SHAPE(2));
  cr_expect(tsr_ok(x));
  tsr_scope_close(&outer);
  EXPECT_ERROR(TSR_ERR_SCOPE, "TSR0103", "1 scope inside");
  cr_expect_eq(n_alive(), 0);
  tsr_scope_close(&inner);
  EXPECT_ERROR(TSR_ERR_SCOPE, "TSR0103", "after the scope around it");
}

Test(scopes, may_outlive_their_context)
{
  TSR_SCOPE();
  tsr_array x = tsr_zeros(TSR_SHAPE(2));
  cr_expect(tsr_ok(x));
  cr_assert_eq(tsr_finalize(), TSR_OK);
  begin();
}

/* Every rank makes the same stream: lifetimes are events of it. */
Test(scopes, lifetimes_are_part_of_the_stream)
{
  tsr_context *c = tsr_context_current();
  tsr_array x = tsr_zeros(TSR_SHAPE(2));
  uint64_t seq = c->world.seq, hash = c->world.hash;
  tsr_hold(x);
  cr_expect_eq(c->world.seq, seq + 1);
  cr_expect_neq(c->world.hash, hash);
  tsr_release(&x);
  cr_expect_eq(c->world.seq, seq + 2);
  cr_expect_not(tsr_ok(tsr_zeros(TSR_SHAPE(-1))));
  cr_expect_eq(c->world.seq, seq + 3, "a failing call takes its number");
  tsr_take_error(NULL, 0);
}

Test(scopes, a_kept_recipe_of_an_array_written_twice)
{
  tsr_array a = tsr_ones(TSR_SHAPE(27, 18)), sum_of_a = tsr_sum(a),
            x = tsr_zeros(TSR_SHAPE(9, 6, 5));
  TSR_SCOPE();
  tsr_array one = tsr_stack(TSR_ARRAYS(a), 1), part = tsr_slice(one, "2::8, -1, 1:6");
  tsr_array kept = tsr_add(1.0, part);
  tsr_release(&one);
  tsr_release(&part);
  tsr_array y = tsr_add(x, 1.0);
  tsr_iadd(y, tsr_slice(kept, "0"));
  cr_expect_eq(tsr_item_f64(sum_of_a), 27 * 18);
  cr_expect_eq(tsr_item_f64(tsr_sum(y)), 9 * 6 * 5 * 3);
  cr_expect_eq(tsr_item_f64(tsr_sum(kept)), 4 * 5 * 2);
}

Test(scopes, arrays_that_view_the_same_elements_are_counted)
{
  tsr_array x = tsr_ones(TSR_SHAPE(4, 3));
  cr_expect_eq(tsr_n_views(x), 1);
  tsr_array row = tsr_slice(x, "1"), turned = tsr_transpose(x), other = tsr_copy(x);
  cr_expect_eq(tsr_n_views(x), 3);
  cr_expect_eq(tsr_n_views(row), 3);
  cr_expect_eq(tsr_n_views(other), 1);
  tsr_release(&turned);
  cr_expect_eq(tsr_n_views(x), 2);
  tsr_release(&x);
  cr_expect_eq(tsr_n_views(row), 1);
  cr_expect_eq(tsr_n_views(turned), 0);
  cr_expect_eq(tsr_n_views(tsr_null()), 0);
}
