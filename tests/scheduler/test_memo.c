/* Memoised plans: a loop hits, another state misses, scalars are not part of the key, the cache is
 * bounded. */
#include "harness.h"

enum { L = 500 };

/* a = 0.5*a + s, with s another scalar each time; the same plan each time. */
static void loop(rank_world *w)
{
  const int64_t shape[1] = {L};
  array a = make(w, TSR_FLOAT64, 1, shape, true);
  double expected = 1.0, got[L];
  fill(w, a, expected, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int i = 0; i < 50; i++) {
    array t = make(w, TSR_FLOAT64, 1, shape, false);
    map2(w, TSR_OP_MULTIPLY, in_f64(0.5), in_array(a), t, true);
    map2(w, TSR_OP_ADD, in_array(t), in_f64(i), a, false);
    drop(w, t);
    cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
    expected = 0.5 * expected + i;
  }
  const tsr_counters *c = tsr__scheduler_counters(w->scheduler);
  if (w->world.config.memo) {
    cr_assert_eq(c->n_plan_misses, 2);
    cr_assert_eq(c->n_plan_hits, 49);
  } else {
    cr_assert_eq(c->n_plan_hits, 0);
  }
  cr_assert_eq(c->n_transient, 50, "replays count what they save");
  cr_assert_eq(tsr__read(w->scheduler, a.region, &a.view->view, &here, got), TSR_OK);
  for (int i = 0; i < L; i++) cr_assert_eq(got[i], expected);
  drop(w, a);
}

Test(memo, a_loop_is_planned_once)
{
  for (int n = 1; n <= 3; n++)
    for (int memo = 0; memo <= 1; memo++) {
      const char *settings[] = {"replicate_max", n == 2 ? "0" : "16384", "tile_min", "64",
                                "memo",          memo ? "on" : "off",    NULL};
      run_ranks(n, settings, loop, NULL);
    }
}

/* The first exchange grows the halo, later ones find it: the state is part of the key, and settles.
 */
static void stencil_loop(rank_world *w)
{
  const int64_t shape[1] = {L}, n = L - 2;
  const int64_t mid[1][3] = {{1, n, 1}}, left[1][3] = {{0, n, 1}}, right[1][3] = {{2, n, 1}};
  double u[L], v[L], got[L];
  for (int i = 0; i < L; i++) u[i] = i % 7;
  array a = make(w, TSR_FLOAT64, 1, shape, true);
  cr_assert_eq(tsr__import(w->scheduler, a.region, &here, u), TSR_OK);
  array m = slice(a, mid), l = slice(a, left), r = slice(a, right);
  for (int s = 0; s < 40; s++) {
    array t = make(w, TSR_FLOAT64, 1, &n, false);
    map2(w, TSR_OP_ADD, in_array(l), in_array(r), t, true);
    map2(w, TSR_OP_MULTIPLY, in_array(t), in_f64(0.5), m, false);
    drop(w, t);
    cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
    memcpy(v, u, sizeof u);
    for (int i = 1; i < L - 1; i++) u[i] = (v[i - 1] + v[i + 1]) * 0.5;
  }
  cr_assert_geq(tsr__scheduler_counters(w->scheduler)->n_plan_hits, 36);
  cr_assert_eq(tsr__read(w->scheduler, a.region, &a.view->view, &here, got), TSR_OK);
  for (int i = 0; i < L; i++) cr_assert_eq(got[i], u[i], "rank %d: %d", w->world.rank, i);
  tsr__view_ref_drop(m.view);
  tsr__view_ref_drop(l.view);
  tsr__view_ref_drop(r.view);
  drop(w, a);
}

Test(memo, halos_settle)
{
  for (int n = 1; n <= 4; n++) {
    const char *settings[] = {"replicate_max", "0", "tile_min", "64", NULL};
    run_ranks(n, settings, stencil_loop, NULL);
  }
}

/* More windows than the cache holds: still right, and the memory of plans is bounded. */
static void many_windows(rank_world *w)
{
  for (int64_t i = 1; i <= 700; i++) {
    array a = make(w, TSR_FLOAT64, 1, &i, true);
    fill(w, a, (double)i, true);
    double got[700];
    cr_assert_eq(tsr__read(w->scheduler, a.region, &a.view->view, &here, got), TSR_OK);
    cr_assert_eq(got[i - 1], (double)i);
    drop(w, a);
  }
  cr_assert_eq(tsr__scheduler_counters(w->scheduler)->n_plan_misses, 700);
}

Test(memo, is_bounded)
{
  run_ranks(1, NULL, many_windows, NULL);
}
