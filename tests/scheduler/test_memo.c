/* Memoised plans: a loop hits, another state misses, scalars are not part of the key, the cache is
 * bounded. */
#include "harness.h"

enum { L = 500 };

/* Runs a = 0.5*a + s with another scalar s each time: the plan is the same each time. */
static void loop(rank_world *w)
{
  const int64_t shape[1] = {L};
  HELD a = make(w, TSR_FLOAT64, 1, shape, true);
  double expected = 1.0, got[L];
  fill(w, a, expected, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int i = 0; i < 50; i++) {
    array t = make(w, TSR_FLOAT64, 1, shape, false);
    map2(w, TSR_OP_MULTIPLY, in_f64(0.5), in_array(a), t, true);
    map2(w, TSR_OP_ADD, in_array(t), in_f64(i), a, false);
    drop(t);
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
}

Test(memo, a_loop_is_planned_once)
{
  for (int n = 1; n <= 3; n++)
    for (int memo = 0; memo <= 1; memo++)
      RUN_RANKS(n, loop, NULL, "replicate_max", n == 2 ? "0" : "16384", "tile_min", "64", "memo",
                memo ? "on" : "off");
}

/* The first exchange widens the halo, later ones find it wide: this state is part of the key, and
 * it settles. */
static void stencil_loop(rank_world *w)
{
  const int64_t shape[1] = {L}, n = L - 2;
  const int64_t mid[1][3] = {{1, n, 1}}, left[1][3] = {{0, n, 1}}, right[1][3] = {{2, n, 1}};
  double u[L], v[L], got[L];
  for (int i = 0; i < L; i++) u[i] = i % 7;
  HELD a = make(w, TSR_FLOAT64, 1, shape, true);
  cr_assert_eq(import_dense(w->scheduler, a.region, &here, u), TSR_OK);
  SLICE m = slice(a, mid), l = slice(a, left), r = slice(a, right);
  for (int s = 0; s < 40; s++) {
    array t = make(w, TSR_FLOAT64, 1, &n, false);
    map2(w, TSR_OP_ADD, in_array(l), in_array(r), t, true);
    map2(w, TSR_OP_MULTIPLY, in_array(t), in_f64(0.5), m, false);
    drop(t);
    cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
    memcpy(v, u, sizeof u);
    for (int i = 1; i < L - 1; i++) u[i] = (v[i - 1] + v[i + 1]) * 0.5;
  }
  cr_assert_geq(tsr__scheduler_counters(w->scheduler)->n_plan_hits, 36);
  cr_assert_eq(tsr__read(w->scheduler, a.region, &a.view->view, &here, got), TSR_OK);
  for (int i = 0; i < L; i++) cr_assert_eq(got[i], u[i], "rank %d: %d", w->world.rank, i);
}

Test(memo, halos_settle)
{
  for (int n = 1; n <= 4; n++)
    RUN_RANKS(n, stencil_loop, NULL, "replicate_max", "0", "tile_min", "64");
}

/* There are more windows than the cache holds: results stay right, and the memory of plans is
 * bounded. */
static void many_windows(rank_world *w)
{
  enum { N = 1500 };
  const int64_t n = N;
  double got[N];
  HELD a = make(w, TSR_FLOAT64, 1, &n, true);
  fill(w, a, 0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  const uint64_t before = tsr__scheduler_counters(w->scheduler)->n_plan_misses;
  for (int64_t i = 1; i <= 700; i++) { /* Another step is another form. */
    SLICE s = slice(a, (const int64_t[1][3]){{0, 2, i + 1}});
    fill(w, s, (double)i, false);
    cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  }
  cr_assert_eq(tsr__scheduler_counters(w->scheduler)->n_plan_misses - before, 700);
  cr_assert_eq(tsr__read(w->scheduler, a.region, &a.view->view, &here, got), TSR_OK);
  for (int i = 2; i <= 701; i++) cr_assert_eq(got[i], i - 1.0);
}

Test(memo, is_bounded)
{
  run_ranks(1, NULL, many_windows, NULL);
}

/* Two hundred windows, and then a hundred of a form whose plans cannot be resized: those that are met
 * once drive out none of the others, and those that come back stay. */
static void windows_met_once(rank_world *w)
{
  const int64_t n = 1500;
  double got[1500];
  HELD a = make(w, TSR_FLOAT64, 1, &n, true);
  fill(w, a, 0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  const tsr_counters *c = tsr__scheduler_counters(w->scheduler);
  uint64_t misses = 0;
  for (int64_t i = 0; i < 506; i++) {
    if (i == 300 || i == 502) misses = c->n_plan_misses;
    const bool is_long = (i >= 200 && i < 300) || i >= 500;
    const int64_t length = i >= 500 ? 1000 : 800 + i;
    SLICE s = slice(a, (const int64_t[1][3]){{0, is_long ? length : 2, is_long ? 1 : i % 300 + 2}});
    fill(w, s, (double)i, false);
    cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
    if (i == 499) cr_assert_eq(c->n_plan_misses, misses, "a loop's plans were driven out");
  }
  cr_assert_eq(c->n_plan_misses, misses, "what came back was not kept");
  cr_assert_eq(c->n_plan_resizes, 0);
  cr_assert_eq(tsr__read(w->scheduler, a.region, &a.view->view, &here, got), TSR_OK);
  for (int i = 0; i < 1099; i++) cr_assert_eq(got[i], i < 1000 ? 505 : 299, "%d", i);
}

Test(memo, windows_met_once_do_not_stay)
{
  run_ranks(1, (const char *[]){"device", "cpu", "inline_elems", "1", NULL}, windows_met_once,
            NULL);
}

/* A step of a loop whose slices grow: y[k] = max(x[:k] * y[:k]), then y[k:] = x[k:] * y[k]. */
static void growing_step(rank_world *w, array x, array y, int64_t n, int64_t k)
{
  const int64_t low[1][3] = {{0, k, 1}}, at[1][3] = {{k, 1, 1}}, high[1][3] = {{k, n - k, 1}};
  array xl = slice(x, low), yl = slice(y, low), yk = slice(y, at), xh = slice(x, high),
        yh = slice(y, high), t = make(w, TSR_FLOAT64, 1, &k, false),
        s = make(w, TSR_FLOAT64, 0, NULL, false);
  map2(w, TSR_OP_MULTIPLY, in_array(xl), in_array(yl), t, true);
  tsr_op_in in = in_array(t);
  tsr__record_reduce(&w->window, &here, TSR_REDUCE_MAX, TSR_FLOAT64, TSR_FLOAT64, &in, 1, false,
                     s.region, s.view);
  tsr_view one;
  tsr__view_copy(&one, &s.view->view);
  tsr__view_broadcast(&one, 1, (const int64_t[]){1});
  array most = {s.region, tsr__view_ref_new(&w->window, &one)};
  in = in_array(most);
  tsr__record_copy(&w->window, &here, &in, y.region, yk.view, false);
  tsr__view_copy(&one, &yk.view->view);
  tsr__view_broadcast(&one, 1, (const int64_t[]){n - k});
  array all = {y.region, tsr__view_ref_new(&w->window, &one)};
  map2(w, TSR_OP_MULTIPLY, in_array(xh), in_array(all), yh, false);
  array views[] = {xl, yl, yk, xh, yh, most, all};
  for (size_t i = 0; i < sizeof views / sizeof *views; i++) tsr__view_ref_drop(views[i].view);
  drop(t);
  drop(s);
}

/* Loops whose slices change their extents from turn to turn. Few plans serve all windows; a window
 * that comes back has its own. arg: not NULL where thresholds lie between the extents. Plans with
 * devices are not resized. */
static void growing(rank_world *w)
{
  enum { N = 600, TURNS = 300 };
  const int64_t n = N, few[3] = {200, 300, 400};
  double xs[N], ys[N], got[N];
  for (int i = 0; i < N; i++) xs[i] = i % 3 - 1.0, ys[i] = i % 5;
  HELD x = make(w, TSR_FLOAT64, 1, &n, true), y = make(w, TSR_FLOAT64, 1, &n, true);
  cr_assert_eq(import_dense(w->scheduler, x.region, &here, xs), TSR_OK);
  cr_assert_eq(import_dense(w->scheduler, y.region, &here, ys), TSR_OK);
  const tsr_counters *c = tsr__scheduler_counters(w->scheduler);
  uint64_t misses = 0, resizes = 0;
  for (int i = 0; i < 2 * TURNS; i++) {
    const int64_t k = i < TURNS ? i + 160 : few[i % 3];
    if (i == TURNS + 9) misses = c->n_plan_misses, resizes = c->n_plan_resizes;
    growing_step(w, x, y, n, k);
    cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
    double most = xs[0] * ys[0];
    for (int64_t j = 1; j < k; j++) most = xs[j] * ys[j] > most ? xs[j] * ys[j] : most;
    for (int64_t j = n - 1; j >= k; j--) ys[j] = xs[j] * most;
    if (i != TURNS - 1 || w->arg != NULL) continue;
    cr_assert_gt(c->n_plan_resizes, TURNS - 20);
    cr_assert_lt(c->n_plan_misses, 20);
  }
  cr_assert_eq(c->n_plan_misses, misses, "sizes that come back have plans of their own");
  cr_assert_eq(c->n_plan_resizes, resizes);
  cr_assert_eq(tsr__read(w->scheduler, y.region, &y.view->view, &here, got), TSR_OK);
  for (int i = 0; i < N; i++) cr_assert_eq(got[i], ys[i]);
}

Test(memo, plans_are_resized)
{
  for (int n = 1; n <= 2; n++)
    for (int replan = 0; replan <= 1; replan++)
      RUN_RANKS(n, growing, NULL, "replan", replan ? "1" : "0", "device", "cpu");
}

Test(memo, plans_are_resized_between_thresholds)
{
  for (int n = 1; n <= 2; n++)
    RUN_RANKS(n, growing, "thresholds", "replan", "1", "replicate_max", n == 1 ? "250" : "650",
              "inline_elems", "900", "tile_min", "64");
}

/* Runs h[t, :] = 0.5 * x[t - 1, :]: the plan of one row serves the others. */
static void moving_slice(rank_world *w)
{
  enum { R = 60, C = 40 };
  const int64_t shape[2] = {R, C};
  double data[R * C], got[R * C];
  for (int i = 0; i < R * C; i++) data[i] = i;
  HELD x = make(w, TSR_FLOAT64, 2, shape, true), h = make(w, TSR_FLOAT64, 2, shape, true);
  cr_assert_eq(import_dense(w->scheduler, x.region, &here, data), TSR_OK);
  fill(w, h, -1.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int t = 1; t < R; t++) {
    const int64_t to[2][3] = {{t, 1, 1}, {0, C, 1}}, from[2][3] = {{t - 1, 1, 1}, {C - 1, C, -1}};
    SLICE a = slice(h, to), b = slice(x, from);
    map2(w, TSR_OP_MULTIPLY, in_f64(0.5), in_array(b), a, false);
    cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  }
  if (w->world.size == 1) cr_assert_eq(tsr__scheduler_counters(w->scheduler)->n_plan_misses, 2);
  cr_assert_eq(tsr__read(w->scheduler, h.region, &h.view->view, &here, got), TSR_OK);
  for (int t = 0; t < R; t++)
    for (int c = 0; c < C; c++)
      cr_assert_eq(got[t * C + c], t == 0 ? -1.0 : 0.5 * data[(t - 1) * C + C - 1 - c], "[%d, %d]",
                   t, c);
}

Test(memo, a_moving_slice_hits)
{
  for (int n = 1; n <= 3; n++)
    for (int replicate = 0; replicate <= 1; replicate++)
      RUN_RANKS(n, moving_slice, NULL, "replicate_max", replicate ? "16384" : "0", "tile_min",
                "64");
}

/* Runs a[o:o+n, 1:] = 2*a[o:o+n, :-1] over most of the region: the new version is a new buffer,
 * wherever the views lie. */
static void moving_rename(rank_world *w)
{
  enum { R = 40, C = 64 };
  const int64_t shape[2] = {R, C};
  double *data = malloc(sizeof(double) * R * C), *got = malloc(sizeof(double) * R * C);
  for (int i = 0; i < R * C; i++) data[i] = i % 11;
  HELD a = make(w, TSR_FLOAT64, 2, shape, true);
  cr_assert_eq(import_dense(w->scheduler, a.region, &here, data), TSR_OK);
  for (int64_t c = 1; c >= 0; c--) {
    const int64_t to[2][3] = {{0, R, 1}, {c, C - 4, 1}},
                  from[2][3] = {{0, R, 1}, {c + 3, C - 4, 1}};
    SLICE x = slice(a, to), y = slice(a, from);
    map2(w, TSR_OP_MULTIPLY, in_f64(2.0), in_array(y), x, false);
    cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
    for (int i = 0; i < R; i++)
      for (int64_t j = c; j < c + C - 4; j++) data[i * C + j] = 2.0 * data[i * C + j + 3];
  }
  cr_assert_eq(tsr__read(w->scheduler, a.region, &a.view->view, &here, got), TSR_OK);
  for (int i = 0; i < R * C; i++) cr_assert_eq(got[i], data[i], "%d", i);
  free(data);
  free(got);
}

Test(memo, a_renamed_region_does_not_move)
{
  for (int n = 1; n <= 4; n++)
    RUN_RANKS(n, moving_rename, NULL, "replicate_max", "0", "tile_min", "64");
}
