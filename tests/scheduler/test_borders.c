/* Borders: which of the copies that renames ask for a plan keeps. */
#include "harness.h"

/* Records u[i] = u[i - 1] + u[i + 1], but for `left` points at each end. */
static void step(rank_world *w, array u, int64_t left)
{
  const int64_t n = u.region->shape[0] - 2 * left;
  const int64_t before[1][3] = {{left - 1, n, 1}}, after[1][3] = {{left + 1, n, 1}},
                middle[1][3] = {{left, n, 1}};
  SLICE l = slice(u, before), r = slice(u, after), m = slice(u, middle);
  map2(w, TSR_OP_ADD, in_array(l), in_array(r), m, false);
}

/* Records u[to] = u[from]. */
static void point(rank_world *w, array u, int64_t to, int64_t from)
{
  const int64_t to_at[1][3] = {{to, 1, 1}}, from_at[1][3] = {{from, 1, 1}};
  SLICE t = slice(u, to_at), f = slice(u, from_at);
  tsr_op_in in = in_array(f);
  tsr__record_copy(&w->window, &here, &in, t.region, t.view, false);
}

static int32_t n_copies(rank_world *w, int64_t *n_points)
{
  tsr_program program;
  tsr_arena arena = {0};
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  int32_t n = plan->n_copies;
  *n_points = 0;
  for (int32_t i = 0; i < n; i++) *n_points += tsr__box_volume(&plan->copies[i].box);
  tsr__plan_destroy(plan);
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  return n;
}

static void expect(rank_world *w, array u, const double *at)
{
  double *got = malloc((size_t)u.region->n_elems * sizeof *got);
  cr_assert_eq(tsr__read(w->scheduler, u.region, &u.view->view, &here, got), TSR_OK);
  for (int i = 0; i < 3; i++) cr_expect_eq(got[i], at[i], "[%d] is %g", i, got[i]);
  free(got);
}

static void borders(rank_world *w)
{
  enum { N_STEPS = 7 };
  const int64_t n[1] = {4096};
  int64_t n_points;
  HELD u = make(w, TSR_FLOAT64, 1, n, true);
  fill(w, u, 1, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int i = 0; i < N_STEPS; i++) step(w, u, 1);
  cr_expect_eq(n_copies(w, &n_points), 2, "two ends into the second buffer: the first has them");
  expect(w, u, (double[]){1, 44, 78});

  for (int i = 0; i < N_STEPS; i++) {
    step(w, u, 1);
    if (i % 2) fill(w, u, 1, false);
  }
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  fill(w, u, 1, false);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int i = 0; i < N_STEPS; i++) {
    step(w, u, 1);
    point(w, u, 0, 5);
    point(w, u, n[0] - 1, 1);
  }
  cr_expect_eq(n_copies(w, &n_points), 0, "both ends are written anew");

  for (int i = 0; i < N_STEPS; i++) {
    step(w, u, 1);
    point(w, u, 0, n[0] - 1);
    point(w, u, n[0] - 1, 1);
  }
  cr_expect_eq(n_copies(w, &n_points), N_STEPS, "the right end is read first");
}

Test(borders, only_what_is_needed_is_copied)
{
  RUN_RANKS(1, borders, NULL, "threads", "1");
}

/* Ends that nobody reads before they are written anew at last. */
static void dead_ends(rank_world *w)
{
  enum { N_STEPS = 7 };
  const int64_t n[1] = {4096};
  int64_t n_points;
  HELD u = make(w, TSR_FLOAT64, 1, n, true);
  fill(w, u, 1, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int i = 0; i < N_STEPS; i++) step(w, u, 2);
  point(w, u, 0, 5);
  point(w, u, n[0] - 1, n[0] - 6);
  n_copies(w, &n_points);
  cr_expect_leq(n_points, 2 / w->world.size, "one beside each end into the second buffer, not %d",
                (int)n_points);
  const double third[] = {117, 1, 44};
  expect(w, u, third);
}

Test(borders, copies_with_margins_are_as_few)
{
  const char *settings[] = {"threads",       "1", "tile_min", "1", "halo_steps", "64",
                            "replicate_max", "0", NULL};
  for (int n = 1; n <= 2; n++) run_ranks(n, settings, dead_ends, NULL);
}
