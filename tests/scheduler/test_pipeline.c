/* The pipeline end to end on bare windows: fusion, renaming, halos, reductions, deferred values, on
 * 1 to 4 ranks. */
#include "harness.h"

#include <stdio.h>

enum { N = 37, M = 150, STEPS = 5 };

/* The Jacobi step of the design: grid[1:-1, 1:-1] = 0.2 * (five points), borders again each step.
 */
static void jacobi_reference(double *u)
{
  double *v = malloc(sizeof(double) * N * M);
  for (int i = 0; i < N * M; i++) u[i] = (double)(i % 17) - 3.5;
  for (int s = 0; s < STEPS; s++) {
    memcpy(v, u, sizeof(double) * N * M);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < M - 1; j++)
        u[i * M + j] =
            0.2 * ((((v[i * M + j] + v[(i - 1) * M + j]) + v[i * M + j + 1]) + v[i * M + j - 1]) +
                   v[(i + 1) * M + j]);
    for (int j = 0; j < M; j++) u[j] = 40.0 + s;
  }
  free(v);
}

static void jacobi(rank_world *w)
{
  const int64_t shape[2] = {N, M};
  double *expected = malloc(sizeof(double) * N * M), *got = malloc(sizeof(double) * N * M);
  for (int i = 0; i < N * M; i++) got[i] = (double)(i % 17) - 3.5;
  HELD u = make(w, TSR_FLOAT64, 2, shape, true);
  cr_assert_eq(import_dense(w->scheduler, u.region, &here, got), TSR_OK);
  const int64_t box[5][2][3] = {{{1, N - 2, 1}, {1, M - 2, 1}},
                                {{0, N - 2, 1}, {1, M - 2, 1}},
                                {{1, N - 2, 1}, {2, M - 2, 1}},
                                {{1, N - 2, 1}, {0, M - 2, 1}},
                                {{2, N - 2, 1}, {1, M - 2, 1}}};
  const int64_t top_box[2][3] = {{0, 1, 1}, {0, M, 1}};
  array v[5], top = slice(u, top_box);
  for (int i = 0; i < 5; i++) v[i] = slice(u, box[i]);
  for (int s = 0; s < STEPS; s++) {
    array sum = make(w, TSR_FLOAT64, 2, v[0].view->view.shape, false);
    array scaled = make(w, TSR_FLOAT64, 2, v[0].view->view.shape, false);
    tsr_op_in in[5];
    for (int i = 0; i < 5; i++) in[i] = in_array(v[i]);
    tsr__record_map(&w->window, &here, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, 5, in, sum.region,
                    sum.view, true);
    map2(w, TSR_OP_MULTIPLY, in_f64(0.2), in_array(sum), scaled, true);
    tsr_op_in value = in_array(scaled);
    tsr__record_copy(&w->window, &here, &value, u.region, v[0].view, false);
    drop(sum);
    drop(scaled);
    fill(w, top, 40.0 + s, false);
  }
  cr_assert_eq(tsr__read(w->scheduler, u.region, &u.view->view, &here, got), TSR_OK);
  jacobi_reference(expected);
  for (int i = 0; i < N * M; i++)
    cr_assert_eq(got[i], expected[i], "rank %d of %d: [%d, %d] is %.17g, not %.17g", w->world.rank,
                 w->world.size, i / M, i % M, got[i], expected[i]);
  const tsr_counters *c = tsr__scheduler_counters(w->scheduler);
  if (w->world.config.fusion) cr_assert_eq(c->n_renamed, STEPS);
  if (w->world.config.fusion) cr_assert_eq(c->n_transient, 2 * STEPS);
  if (w->world.size > 1 && w->world.config.replicate_max == 0) cr_assert_gt(c->bytes_sent, 0);
  for (int i = 0; i < 5; i++) tsr__view_ref_drop(v[i].view);
  tsr__view_ref_drop(top.view);
  free(expected);
  free(got);
}

Test(pipeline, jacobi_everywhere)
{
  for (int n = 1; n <= 4; n++)
    for (int threads = 1; threads <= 2; threads++)
      for (int mode = 0; mode < 4; mode++)
        RUN_RANKS(n, jacobi, NULL, "replicate_max", "0", "tile_min", "64", "chunk_bytes",
                  mode & 2 ? "512" : "262144", "inline_elems", "0", "threads",
                  threads == 1 ? "1" : "2", "fusion", mode & 1 ? "off" : "on");
}

Test(pipeline, jacobi_replicated_in_line)
{
  for (int n = 1; n <= 3; n++) run_ranks(n, NULL, jacobi, NULL);
}

Test(pipeline, jacobi_seeded)
{
  for (int seed = 1; seed < 20; seed++) {
    char text[16];
    snprintf(text, sizeof text, "%d", seed);
    RUN_RANKS(3, jacobi, NULL, "replicate_max", "0", "tile_min", "64", "chunk_bytes", "512",
              "inline_elems", "0", "seed", text);
  }
}

/* A sum of an array that would be cut over several places. */
static void one_place(rank_world *w)
{
  const int64_t n = 1000;
  HELD a = make(w, TSR_FLOAT64, 1, &n, true), sum = make(w, TSR_FLOAT64, 0, NULL, true);
  fill(w, a, 0.5, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  const uint64_t before = tsr__scheduler_counters(w->scheduler)->n_inline_plans;
  tsr_op_in in = in_array(a);
  tsr__record_reduce(&w->window, &here, TSR_REDUCE_SUM, TSR_FLOAT64, TSR_FLOAT64, &in, 1, false,
                     sum.region, sum.view);
  double got;
  cr_assert_eq(tsr__read(w->scheduler, sum.region, &sum.view->view, &here, &got), TSR_OK);
  cr_assert_eq(got, 500.0);
  cr_assert_eq(tsr__scheduler_counters(w->scheduler)->n_inline_plans - before, w->world.size == 1,
               "a place that is alone waits for no partials");
}

Test(pipeline, reduction_of_one_place_runs_in_line)
{
  const char *settings[] = {"replicate_max", "0", "tile_min", "64", NULL};
  for (int n = 1; n <= 2; n++) run_ranks(n, settings, one_place, NULL);
}

/* a[1:] += a[:-1] as one op: it reads displaced what it writes. */
static void displaced(rank_world *w)
{
  enum { L = 1000 };
  const int64_t shape[1] = {L};
  double data[L], got[L];
  for (int i = 0; i < L; i++) data[i] = i * 0.5 - 100.0;
  HELD a = make(w, TSR_FLOAT64, 1, shape, true);
  cr_assert_eq(import_dense(w->scheduler, a.region, &here, data), TSR_OK);
  const int64_t late[1][3] = {{1, L - 1, 1}}, early[1][3] = {{0, L - 1, 1}},
                mirror[1][3] = {{L - 1, L, -1}};
  SLICE x = slice(a, late), y = slice(a, early), z = slice(a, mirror);
  map2(w, TSR_OP_ADD, in_array(x), in_array(y), x, false);
  tsr_op_in in = in_array(z);
  tsr__record_copy(&w->window, &here, &in, a.region, a.view, false); /* a[:] = a[::-1] */
  cr_assert_eq(tsr__read(w->scheduler, a.region, &a.view->view, &here, got), TSR_OK);
  for (int i = 0; i < L; i++) {
    int j = L - 1 - i;
    cr_assert_eq(got[i], j == 0 ? data[0] : data[j] + data[j - 1]);
  }
}

Test(pipeline, displaced_writes)
{
  for (int n = 1; n <= 4; n++)
    for (int mode = 0; mode < 4; mode++)
      RUN_RANKS(n, displaced, NULL, "replicate_max", "0", "tile_min", "64", "chunk_bytes", "512",
                "inline_elems", "0", "rename", mode & 1 ? "off" : "on", "fusion",
                mode & 2 ? "off" : "on");
}

/* Sums over both axes and over one axis, and a 0-d result used as an operand. */
static void reductions(rank_world *w)
{
  enum { R = 70, C = 90 };
  const int64_t shape[2] = {R, C}, row[1] = {C};
  static const int64_t none[1];
  double *data = malloc(sizeof(double) * R * C), *got = malloc(sizeof(double) * R * C), total = 0,
         column[C] = {0};
  for (int i = 0; i < R * C; i++) data[i] = (i * 7 % 101) - 50;
  for (int i = 0; i < R * C; i++) total += data[i];
  for (int i = 0; i < R * C; i++) column[i % C] += data[i];
  HELD a = make(w, TSR_FLOAT64, 2, shape, true);
  cr_assert_eq(import_dense(w->scheduler, a.region, &here, data), TSR_OK);
  HELD s = make(w, TSR_FLOAT64, 0, none, false), c = make(w, TSR_FLOAT64, 1, row, false);
  HELD b = make(w, TSR_FLOAT64, 2, shape, true);
  tsr_op_in in = in_array(a);
  tsr__record_reduce(&w->window, &here, TSR_REDUCE_SUM, TSR_FLOAT64, TSR_FLOAT64, &in, 3, false,
                     s.region, s.view);
  tsr__record_reduce(&w->window, &here, TSR_REDUCE_SUM, TSR_FLOAT64, TSR_FLOAT64, &in, 1, false,
                     c.region, c.view);
  tsr_view wide = s.view->view;
  cr_assert(tsr__view_broadcast(&wide, 2, shape));
  array s2 = {s.region, tsr__view_ref_new(&w->window, &wide)};
  map2(w, TSR_OP_ADD, in_array(a), in_array(s2), b, true);
  double one, row_got[C];
  cr_assert_eq(tsr__read(w->scheduler, s.region, &s.view->view, &here, &one), TSR_OK);
  cr_assert_eq(one, total, "%g %g", one, total);
  cr_assert_eq(tsr__read(w->scheduler, c.region, &c.view->view, &here, row_got), TSR_OK);
  for (int i = 0; i < C; i++)
    cr_assert_eq(row_got[i], column[i], "%d: %g %g", i, row_got[i], column[i]);
  cr_assert_eq(tsr__read(w->scheduler, b.region, &b.view->view, &here, got), TSR_OK);
  for (int i = 0; i < R * C; i++) cr_assert_eq(got[i], data[i] + total);
  tsr__view_ref_drop(s2.view);
  free(data);
  free(got);
}

Test(pipeline, reductions_everywhere)
{
  for (int n = 1; n <= 5; n++)
    for (int mode = 0; mode < 4; mode++)
      RUN_RANKS(n, reductions, NULL, "replicate_max", mode & 1 ? "1000" : "0", "tile_min", "64",
                "chunk_bytes", "512", "inline_elems", "0", "threads", mode & 2 ? "2" : "1");
}

/* Every plan is made twice and runs on two bindings: a difference ends the process. */
Test(pipeline, plans_are_relocatable)
{
  for (int n = 1; n <= 4; n++) {
    const char *settings[] = {
        "replicate_max",        "0",      "tile_min", "64", "chunk_bytes", "512", "inline_elems",
        n & 1 ? "0" : "100000", "replan", "on",       NULL};
    run_ranks(n, settings, jacobi, NULL);
    run_ranks(n, settings, reductions, NULL);
    run_ranks(n, settings, displaced, NULL);
  }
}
