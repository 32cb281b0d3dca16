/* Whole programs of steps that are tiled over time: the same bits as without, on any number of
 * threads and ranks, and most of their groups tiled. */
#include "step_programs.h"
#include "tests/support/sanitized.h"

typedef struct outcome {
  const step_program *program;
  double values[MOST_VALUES];
  uint64_t n_tiled, n_groups; /* of rank 0 */
} outcome;

static void run_rank(void *arg, int rank)
{
  outcome *o = arg;
  tsr_array u = tsr_zeros(step_shape(o->program));
  tsr_flush();
  const tsr_counters before = *tsr__context_counters();
  o->program->run(u);
  tsr_flush();
  const tsr_counters *after = tsr__context_counters();
  double *values = rank == 0 ? o->values : calloc(MOST_VALUES, sizeof *values);
  cr_assert_leq(tsr_size(u), MOST_VALUES);
  cr_assert_eq(tsr_to_host(u, values), TSR_OK, "%s", tsr_last_error());
  if (rank > 0) {
    free(values);
    return;
  }
  o->n_tiled = after->n_tiled - before.n_tiled;
  o->n_groups = after->n_groups - before.n_groups;
}

static void run(outcome *o, int n_ranks, const char *threads, const char *steps, const char *bytes)
{
  RUN_RANKS(n_ranks, run_rank, o, "device", "cpu", "places", "1", "threads", threads,
            "replicate_max", "0", "inline_elems", "0", "window_ops", "1000", "window_cap", "1000",
            "time_steps", steps, "chunk_bytes", bytes, "replan", "1");
}

Test(time_tiling, bits_of_programs, .timeout = 240)
{
  static const char *const steps[] = {"2", "5", "128"};
  for (int i = 0; i < N_STEP_PROGRAMS; i++) {
    outcome *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
    want->program = got->program = &step_programs[i];
    run(want, 1, "1", "1", "2K");
    cr_expect_eq(want->n_tiled, 0);
    for (int s = IS_SANITIZED; s < (IS_SANITIZED ? 2 : 3); s++)
      for (int ranks = 1; ranks <= 3; ranks += 2) {
        run(got, ranks, s == 1 ? "2" : "1", steps[s], s == 2 ? "6K" : "1K");
        cr_expect_arr_eq(got->values, want->values, sizeof want->values,
                         "%s in %s steps on %d ranks", step_programs[i].name, steps[s], ranks);
        if (ranks > 1 || got->n_tiled * 10 >= got->n_groups * 7) continue;
        cr_expect(!step_programs[i].is_tiled, "%s in %s steps: %d of %d groups are tiled",
                  step_programs[i].name, steps[s], (int)got->n_tiled, (int)got->n_groups);
      }
    free(want);
    free(got);
  }
}

/* On several ranks the steps between two exchanges are tiled, though the margins that ranks compute
 * beside their tiles become narrower with each step. */
Test(time_tiling, between_exchanges, .timeout = 240)
{
  for (int i = 0; i < N_STEP_PROGRAMS; i++) {
    if (!step_programs[i].is_tiled || step_programs[i].is_shallow) continue;
    outcome *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
    want->program = got->program = &step_programs[i];
    run(want, 1, "1", "1", "2K");
    for (int ranks = 2; ranks <= 3; ranks++) {
      RUN_RANKS(ranks, run_rank, got, "device", "cpu", "places", "1", "threads", "1",
                "replicate_max", "0", "tile_min", "1", "inline_elems", "0", "window_ops", "1000",
                "window_cap", "1000", "halo_max", "64", "halo_steps", "64", "time_steps", "128",
                "chunk_bytes", "2K", "replan", "1");
      cr_expect_arr_eq(got->values, want->values, sizeof want->values, "%s on %d ranks",
                       step_programs[i].name, ranks);
      cr_expect_geq(got->n_tiled * 10, got->n_groups * 6,
                    "%s on %d ranks: %d of %d groups are tiled", step_programs[i].name, ranks,
                    (int)got->n_tiled, (int)got->n_groups);
    }
    free(want);
    free(got);
  }
}

/* How many plans so many steps over n x n points make. */
typedef struct windows {
  int64_t n;
  bool is_displaced, is_fed; /* fed: each step adds an array that comes from the host */
  bool is_row;               /* a step writes a row */
  int every;                 /* so many steps there is a sum; 0: there is none */
  const char *cap;           /* of a window; NULL: 1000 */
  uint64_t n_flushes;
} windows;

static void run_windows(void *arg, int rank)
{
  windows *w = arg;
  tsr_array u = tsr_full(TSR_SHAPE(w->n, w->n), 0.5);
  tsr_flush();
  const uint64_t before = tsr__context_counters()->n_flushes;
  double *more = w->is_fed ? calloc((size_t)(w->n * w->n), sizeof *more) : NULL;
  tsr_array sums[96];
  int n_sums = 0;
  for (int i = 0; i < 96; i++) {
    if (w->every > 0 && i % w->every == w->every - 1) sums[n_sums++] = tsr_sum(u);
    if (w->is_fed) {
      TSR_SCOPE();
      tsr_array fed = tsr_from_host(more, TSR_FLOAT64, TSR_SHAPE(w->n, w->n));
      tsr_exec("u[1:-1, 1:-1] = 0.5*(u[:-2, 1:-1] + u[2:, 1:-1]) + fed[1:-1, 1:-1]", u, fed);
    } else if (w->is_row)
      tsr_exec("u[i + 1, 1:] -= u[i + 1, 0] * u[i, 1:]", u, i);
    else if (w->is_displaced)
      tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
    else
      tsr_exec("u[1:-1, 1:-1] = 0.25*(u[1:-1, 1:-1] + 0.5*u[1:-1, 1:-1])", u);
  }
  tsr_flush();
  for (int i = 0; i < n_sums; i++) cr_expect(tsr_ok(sums[i]));
  if (rank == 0) w->n_flushes = tsr__context_counters()->n_flushes - before;
  free(more);
}

static uint64_t flushes_in(windows w, int n_ranks, const char *time_steps)
{
  RUN_RANKS(n_ranks, run_windows, &w, "device", "cpu", "places", "1", "threads", "1", "window_ops",
            "64", "window_cap", w.cap ? w.cap : "1000", "time_steps", time_steps, "halo_steps", "1",
            "inorder", "0");
  return w.n_flushes;
}

static uint64_t flushes_of(int n_ranks, int64_t n, bool is_displaced, const char *time_steps)
{
  return flushes_in((windows){.n = n, .is_displaced = is_displaced}, n_ranks, time_steps);
}

static void run_sums(void *arg, int rank)
{
  tsr_array u = tsr_full(TSR_SHAPE(2100, 2100), 0.5), sums[8];
  tsr_flush();
  const uint64_t before = tsr__context_counters()->n_tiled;
  for (int i = 0; i < 16; i++) {
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
    if (i % 2 == 1) sums[i / 2] = tsr_sum(u);
  }
  tsr_flush();
  *(uint64_t *)arg = tsr__context_counters()->n_tiled - before;
  for (int i = 0; i < 8; i++) cr_expect_eq(tsr_item_f64(sums[i]), 0.5 * 2100 * 2100);
}

/* By cost, too, steps are tiled with a sum every two of them: without it one chain would have
 * two. */
Test(time_tiling, sums_every_two_steps, .timeout = 60)
{
  uint64_t n_tiled = 0;
  RUN_RANKS(1, run_sums, &n_tiled, "device", "cpu", "places", "1", "threads", "1", "window_ops",
            "1000", "window_cap", "1000", "time_steps", "0", "inorder", "0", "fusion", "1",
            "recompute", "0");
  cr_expect_geq(n_tiled, 12, "%d groups", (int)n_tiled);
}

/** Sums that an array keeps, and how many chains end at what a chain reduces. */
typedef struct kept_sums {
  bool is_read; /* by the step that follows */
  uint64_t n_tiled, n_ends;
} kept_sums;

static void run_kept_sums(void *arg, int rank)
{
  enum { N = 400, STEPS = 24, EVERY = 4 };
  kept_sums *k = arg;
  double got[STEPS];
  tsr_array u = tsr_full(TSR_SHAPE(N, N), 0.5), kept = tsr_zeros(TSR_SHAPE(STEPS));
  tsr_flush();
  const tsr_counters before = *tsr__context_counters();
  for (int i = 0; i < STEPS; i++) {
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
    if (i % EVERY != EVERY - 1) continue;
    tsr_exec("kept[i] = sum(u)", kept, u, i);
    if (k->is_read) tsr_exec("u[0, 0] = kept[i] - 79999.5", u, kept, i);
  }
  tsr_flush();
  const tsr_counters *after = tsr__context_counters();
  if (rank == 0) k->n_tiled = after->n_tiled - before.n_tiled;
  if (rank == 0)
    k->n_ends = after->n_chain_ends[TSR_END_REDUCTION] - before.n_chain_ends[TSR_END_REDUCTION];
  cr_assert_eq(tsr_to_host(kept, got), TSR_OK);
  for (int i = 0; i < STEPS; i++)
    cr_expect_eq(got[i], i % EVERY == EVERY - 1 ? 0.5 * N * N : 0.0, "%d: %g", i, got[i]);
}

/* What only keeps a result waits, so that the chain goes on; a step that reads it ends the
 * chain. */
Test(time_tiling, sums_that_an_array_keeps, .timeout = 60)
{
  for (int ranks = 1; ranks <= 3; ranks++)
    for (int is_read = 0; is_read < 2; is_read++) {
      kept_sums k = {.is_read = is_read};
      RUN_RANKS(ranks, run_kept_sums, &k, "device", "cpu", "places", "1", "threads", "1",
                "window_ops", "1000", "window_cap", "1000", "time_steps", "128", "halo_max", "64",
                "halo_steps", "64", "tile_min", "1", "inline_elems", "0", "inorder", "0", "fusion",
                "1", "recompute", "0", "rename", "1", "replan", "1");
      if (is_read) {
        cr_expect_geq(k.n_ends, 5, "%d ranks: %d", ranks, (int)k.n_ends);
      } else {
        cr_expect_leq(k.n_ends, 1, "%d ranks: %d", ranks, (int)k.n_ends);
        cr_expect_geq(k.n_tiled, 24, "%d ranks: %d", ranks, (int)k.n_tiled);
      }
    }
}

/* The array, and the second one that steps take turns with. */
static void run_in_memory(void *arg, int rank)
{
  double *share = arg; /* of the grid, at most */
  enum { N = 1000, N_TILED = 96 };
  tsr_array u = tsr_full(TSR_SHAPE(N, N), 0.5);
  const uint64_t before = tsr__context_counters()->n_tiled;
  for (int i = 0; i < N_TILED; i++)
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
  tsr_flush();
  cr_assert_eq(rank, 0);
  const uint64_t n_tiled = tsr__context_counters()->n_tiled - before;
  cr_expect_geq(n_tiled, N_TILED - 1, "%d", (int)n_tiled);
  *share = (double)tsr_memory_info(0).peak_bytes / (N * N * sizeof(double));
}

Test(time_tiling, steps_take_no_more_memory, .timeout = 60)
{
  double share = 0;
  RUN_RANKS(1, run_in_memory, &share, "device", "cpu", "places", "1", "threads", "2", "window_ops",
            "64", "window_cap", "1000", "time_steps", "16", "inorder", "0");
  cr_expect_leq(share, 2.2, "%.2f of the grid", share);
  cr_expect_gt(share, 1.9, "%.2f of the grid", share);
}

/* Steps over a large array go on in one window, so that many of them are tiled. */
Test(time_tiling, windows_of_steps_are_longer)
{
  const uint64_t small = flushes_of(1, 400, true, "0");
  cr_expect_geq(small, 4, "%d", (int)small);
  cr_expect_leq(flushes_of(1, 600, true, "0"), 1);
  cr_expect_geq(flushes_of(1, 600, false, "0"), small, "each point of its own");
  cr_expect_geq(flushes_in((windows){.n = 600, .is_row = true}, 1, "0"), 3, "rows are no steps");
  cr_expect_eq(flushes_of(1, 600, true, "1"), small, "nothing is tiled");
  cr_expect_eq(flushes_of(2, 600, true, "0"), small, "too small for each of two");
  cr_expect_leq(flushes_of(2, 800, true, "0"), 1);
  cr_expect_leq(flushes_in((windows){.n = 600, .is_displaced = true, .cap = "500"}, 1, "0"), 1);
  cr_expect_geq(flushes_in((windows){.n = 600, .is_fed = true}, 1, "0"), small, "arrays wait");
  windows summed = {.n = 600, .is_displaced = true, .every = 1};
  cr_expect_geq(flushes_in(summed, 1, "0"), small, "steps that all reduce are not tiled");
  cr_expect_leq(flushes_in(summed, 1, "16"), 1, "unless it is asked for");
  summed.every = 2;
  cr_expect_leq(flushes_in(summed, 1, "0"), 1, "sums every two steps are tiled with them");
  summed.every = 12;
  cr_expect_leq(flushes_in(summed, 1, "0"), 1, "few steps reduce");
}

static int halve(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0], *y = &box->out[0];
  for (int64_t i = 0; i < box->shape[0]; i++)
    for (int64_t j = 0; j < box->shape[1]; j++) {
      const char *from = (const char *)x->data + i * x->stride_bytes[0] + j * x->stride_bytes[1];
      char *to = (char *)y->data + i * y->stride_bytes[0] + j * y->stride_bytes[1];
      *(double *)to = 0.5 * *(const double *)from;
    }
  return 0;
}

/* Steps, of which every so many are followed by what no chain goes on with. */
static void run_ended(void *arg, int rank)
{
  uint64_t *n = arg;
  tsr_array u = tsr_full(TSR_SHAPE(400, 400), 0.5);
  tsr_flush();
  const tsr_counters before = *tsr__context_counters();
  for (int i = 0; i < 18; i++) {
    tsr_exec("u[1:-1, 1:-1] = 0.5*(u[:-2, 1:-1] + u[2:, 1:-1])", u);
    if (i == 3) tsr_exec("u[0, :] = 0.0025*sum(u, 0)", u);
    if (i == 7) tsr_exec("u[:, :] = 0.5*u.T + 0.25", u);
    if (i == 11) tsr_exec("u[:, :] = 0.001*matmul(u, u)", u);
    if (i == 14) tsr_exec("u[:, :] = 0.5*(u + roll(u, 150, 0))", u);
    if (i == 16)
      tsr_assign(u, tsr_call(tsr_task("halve", "float64 x, whole(0)", "float64 y", halve), u));
  }
  tsr_flush();
  const tsr_counters *after = tsr__context_counters();
  for (int e = 0; e < TSR_N_CHAIN_ENDS && rank == 0; e++)
    n[e] = after->n_chain_ends[e] - before.n_chain_ends[e];
}

Test(time_tiling, what_ends_a_chain_is_counted)
{
  uint64_t n[TSR_N_CHAIN_ENDS] = {0};
  RUN_RANKS(1, run_ended, n, "device", "cpu", "places", "1", "threads", "1", "inline_elems", "0",
            "window_ops", "1000", "window_cap", "1000", "time_steps", "16", "chunk_bytes", "2K",
            "recompute", "0", "fold_max", "0");
  cr_expect_geq(n[TSR_END_REDUCTION], 1);
  cr_expect_geq(n[TSR_END_DISTANCE], 1);
  cr_expect_geq(n[TSR_END_TASK], 3, "a matrix product, and a task with a whole axis");
  cr_expect_geq(n[TSR_END_PIECES], 1);
  cr_expect_eq(n[TSR_END_WINDOW], 1);
  cr_expect_eq(n[TSR_END_NONE] + n[TSR_END_CACHED] + n[TSR_END_PROFIT], 0, "TESSERA_TIME_STEPS");
}

/** Steps over arrays, and how many of their groups are tiled. */
typedef struct tried {
  const char *inputs; /* of a task between the steps; NULL: the steps of another array are */
  int64_t n;
  uint64_t n_tiled;
} tried;

enum { TRIED_STEPS = 24 };

/* The caches are small, so that the arrays are in memory. */
static void run_tried(void *arg, int rank)
{
  tried *t = arg;
  tsr_topology *caches = &tsr_context_current()->world.machine->topology;
  const tsr_topology kept = *caches;
  caches->l2_bytes = 128 << 10;
  caches->l3_bytes = 256 << 10;
  tsr_array v[2] = {tsr_full(TSR_SHAPE(t->n, t->n), 0.5), tsr_ones(TSR_SHAPE(t->n + 1, t->n - 1))};
  tsr_flush();
  const uint64_t before = tsr__context_counters()->n_tiled;
  for (int i = 0; i < 2 * TRIED_STEPS; i++) {
    TSR_SCOPE();
    tsr_array u = v[t->inputs == NULL ? i % 2 : 0];
    if (t->inputs != NULL && i % 2 == 1)
      tsr_assign(u, tsr_call(tsr_task("halve", t->inputs, "float64 y", halve), u));
    else
      tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
  }
  tsr_flush();
  cr_assert_eq(rank, 0);
  t->n_tiled = tsr__context_counters()->n_tiled - before;
  caches->l2_bytes = kept.l2_bytes; /* the rest is read by the compiler's thread */
  caches->l3_bytes = kept.l3_bytes;
}

/* Arrays that are swept in turn, and tasks between steps, with a grain or without. What is so small
 * that it would run in line is tiled, too, if that is asked for. */
Test(time_tiling, whatever_is_between_the_steps, .timeout = 60)
{
  static const char *const inputs[] = {NULL, "float64 x halo(1)", "float64 x halo(1), grain(500)"};
  for (int i = 0; i < 3; i++)
    for (int is_small = 0; is_small < 2; is_small++) {
      tried t = {.inputs = inputs[i], .n = is_small ? 60 : 600};
      RUN_RANKS(1, run_tried, &t, "device", "cpu", "places", "1", "threads", "1", "window_ops",
                "1000", "window_cap", "1000", "time_steps", is_small ? "7" : "0", "inorder", "0",
                "fusion", "1", "recompute", "0", "rename", "1");
      cr_expect_geq(t.n_tiled, 2 * TRIED_STEPS - 4, "%s: %d", inputs[i] ? inputs[i] : "two arrays",
                    (int)t.n_tiled);
    }
}
