/* Buffers: whose memory a version takes, how it lies there, and with which size it goes back. */
#include "harness.h"
#include "scheduler/plan/buffers.h"

static void add_displaced(rank_world *w, array from, int64_t by, array out)
{
  const int64_t n = from.region->shape[0];
  const int64_t left[1][3] = {{0, n - 2 * by, 1}}, right[1][3] = {{2 * by, n - 2 * by, 1}},
                middle[1][3] = {{by, n - 2 * by, 1}};
  SLICE l = slice(from, left), r = slice(from, right), m = slice(out, middle);
  map2(w, TSR_OP_ADD, in_array(l), in_array(r), m, false);
}

/* A temporary with a wide halo leaves its memory to a new version of u, which needs less of it. */
static void after_a_wider_one(rank_world *w)
{
  const int64_t n[1] = {4096};
  array u = make(w, TSR_FLOAT64, 1, n, true), v = make(w, TSR_FLOAT64, 1, n, true);
  fill(w, u, 1, true);
  fill(w, v, 0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int i = 0; i < 3; i++) {
    array t = make(w, TSR_FLOAT64, 1, n, false);
    if (i == 0) map2(w, TSR_OP_MULTIPLY, in_array(u), in_f64(1), t, true);
    if (i == 0) add_displaced(w, t, 20, v);
    drop(t);
    add_displaced(w, u, 1, u);
    cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  }
  double middle;
  const int64_t at[1][3] = {{2000, 1, 1}};
  SLICE one = slice(u, at);
  cr_assert_eq(tsr__read(w->scheduler, u.region, &one.view->view, &here, &middle), TSR_OK);
  cr_assert_eq(middle, 8);
  cr_assert_eq(tsr__scheduler_counters(w->scheduler)->n_renamed, 3);
  size_t in_use = tsr__memory_stats(w->world.places[0].memory).in_use_bytes;
  cr_assert_leq(in_use, 2 * 8 * (4096 / (size_t)w->world.size + 64));
  drop(u);
  drop(v); /* the harness checks that nothing is in use now */
}

Test(buffers, a_version_after_a_wider_temporary)
{
  for (int n = 1; n <= 3; n++)
    RUN_RANKS(n, after_a_wider_one, NULL, "replicate_max", "0", "tile_min", "64");
}

/* A chain of copies, each of which turns the axes of the one before: no two that are alive lie
 * alike. */
static void turn_about(rank_world *w)
{
  const int64_t n[4] = {16, 8, 16, 136};
  HELD u = make(w, TSR_FLOAT64, 4, n, true);
  fill(w, u, 1, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  array last = u;
  for (int i = 0; i < 8; i++) {
    tsr_view v = last.view->view;
    tsr__view_transpose(&v, (const int[]){1, 2, 3, 0});
    array t = make(w, TSR_FLOAT64, 4, v.shape, i == 7);
    tsr_op_in in = {.region = last.region, .view = tsr__view_ref_new(&w->window, &v)};
    map2(w, TSR_OP_ADD, in, in_f64(1), t, true);
    tsr__view_ref_drop(in.view);
    if (i > 0) drop(last);
    last = t;
  }
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  const size_t most = tsr__memory_stats(w->world.places[0].memory).peak_bytes;
  const size_t one =
      8 * 16 * 128 * 136; /* of u, two that take turns, and the last, which is kept */
  cr_expect_lt(most, 4 * one + one / 2, "%zu bytes at most, of which an array has %zu", most, one);
  double value;
  const int64_t at[4][3] = {{10, 1, 1}, {5, 1, 1}, {7, 1, 1}, {100, 1, 1}};
  SLICE element = slice(last, at);
  cr_assert_eq(tsr__read(w->scheduler, last.region, &element.view->view, &here, &value), TSR_OK);
  cr_assert_eq(value, 9);
  drop(last);
}

Test(buffers, large_versions_of_other_layouts_share_memory)
{
  RUN_RANKS(1, turn_about, NULL, "replicate_max", "0", "recompute", "0", "threads", "1");
}

/* An array that was filled as a whole begins with a cache line. Steps store its interior: each of
 * their versions lies for that, also those that take the array's memory. */
static void after_a_fill(rank_world *w)
{
  const int64_t n[1] = {4096};
  HELD u = make(w, TSR_FLOAT64, 1, n, true);
  fill(w, u, 1, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int i = 0; i < 4; i++) add_displaced(w, u, 1, u);
  tsr_arena arena = {0};
  tsr_program program;
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  cr_assert_eq(plan->n_slots, 5);
  for (int32_t s = 0; s < plan->n_slots; s++) {
    cr_expect_eq(plan->slots[s].existing, s == 0);
    cr_expect_eq(plan->slots[s].aligned, s == 0 ? 0 : 1, "slot %d", s);
  }
  cr_expect_eq(plan->n_buffers, 2);
  tsr__plan_destroy(plan);
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
}

Test(buffers, a_step_after_a_fill_lies_for_its_own_store)
{
  RUN_RANKS(1, after_a_fill, NULL, "device", "cpu", "places", "1", "replicate_max", "0",
            "inline_elems", "0", "memo", "0", "time_steps", "4");
}
