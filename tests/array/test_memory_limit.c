/* Steps that would take second buffers, where memory is short: in place, in blocks or over
 * temporaries, with the same bits; and where even that is too much, an error before anything ran.
 */
#include "array_test.h"
#include "tests/support/sanitized.h"

enum { ROWS = 512, COLUMNS = 256, N_FIELDS = 4, N_STEPS = 6 };
#define FIELD_BYTES ((size_t)ROWS * COLUMNS * sizeof(double)) /* 1 MiB */

typedef struct outcome {
  uint64_t n_renamed, n_in_place, n_hits;
  size_t peak_bytes; /* of the rank that needs most */
  double total, residual;
  double *values; /* of all fields */
} outcome;

typedef struct limited {
  void (*steps)(tsr_array *fields, outcome *out);
  outcome of_rank[4];
} limited;

static void run_steps(void *arg, int rank)
{
  limited *l = arg;
  outcome *out = &l->of_rank[rank];
  tsr_array fields[N_FIELDS];
  for (int i = 0; i < N_FIELDS; i++) {
    fields[i] = tsr_zeros(TSR_SHAPE(ROWS, COLUMNS));
    tsr_assign(fields[i], tsr_sin(tsr_add(tsr_expand_dims(tsr_arange(0, ROWS, 1), 1),
                                          tsr_multiply(i + 0.3, tsr_arange(0, COLUMNS, 1)))));
    tsr_flush();
  }
  l->steps(fields, out);
  tsr_flush();
  out->n_renamed = tsr__context_counters()->n_renamed;
  out->n_in_place = tsr__context_counters()->n_in_place;
  out->n_hits = tsr__context_counters()->n_plan_hits;
  out->peak_bytes = tsr__context_memory().peak_bytes;
  out->values = calloc(N_FIELDS, FIELD_BYTES);
  for (int i = 0; i < N_FIELDS; i++)
    for (int r = 0; r < ROWS; r += 32) /* what is read has to fit, too */
      tsr_to_host(tsr_slice(fields[i], "$:$", r, r + 32),
                  out->values + ((size_t)i * ROWS + (size_t)r) * COLUMNS);
  cr_expect_str_eq(tsr_last_error(), "");
}

/* Runs on n ranks with so many fields' memory for all ranks together; 0: no limit. */
static outcome run_limited(int n, double n_fields, limited *l)
{
  char bytes[32];
  snprintf(bytes, sizeof bytes, "%zu", (size_t)(n_fields * FIELD_BYTES / n));
  RUN_RANKS(n, run_steps, l, "threads", "2", "replicate_max", "0", "tile_min", "64", "inline_elems",
            "0", "chunk_bytes", "16384", "memory", bytes, "bind", "0");
  outcome out = l->of_rank[0];
  for (int r = 1; r < n; r++) {
    if (out.peak_bytes < l->of_rank[r].peak_bytes) out.peak_bytes = l->of_rank[r].peak_bytes;
    cr_expect_eq(out.n_renamed, l->of_rank[r].n_renamed);
    cr_expect_eq(out.n_in_place, l->of_rank[r].n_in_place);
    free(l->of_rank[r].values);
  }
  return out;
}

static void expect_same(const outcome *got, const outcome *expected, int n)
{
  cr_expect_eq(memcmp(got->values, expected->values, N_FIELDS * FIELD_BYTES), 0, "%d ranks", n);
  cr_expect_eq(memcmp(&got->total, &expected->total, sizeof got->total), 0, "%d ranks", n);
  cr_expect_eq(memcmp(&got->residual, &expected->residual, sizeof got->residual), 0);
}

#define STENCIL(x) #x "[:-2,1:-1] + " #x "[2:,1:-1] + " #x "[1:-1,:-2] + " #x "[1:-1,2:]"

/* Its values live in its scope: a flush inside would have to store them. */
static void coupled_step(tsr_array *f, tsr_array largest)
{
  TSR_SCOPE();
  tsr_array a = f[0], b = f[1], c = f[2], d = f[3];
  tsr_array da = tsr_eval("0.2 * (" STENCIL(a) " - 4*a[1:-1,1:-1]) + 0.1 * b[1:-1,1:-1]", a, b);
  tsr_array db = tsr_eval("0.1 * (" STENCIL(b) " - 4*b[1:-1,1:-1]) - 0.1 * c[1:-1,2:]", b, c);
  tsr_array dc = tsr_eval("0.3 * (" STENCIL(c) " - 4*c[1:-1,1:-1]) + 0.1 * d[:-2,1:-1]", c, d);
  tsr_array dd = tsr_eval("0.4 * (" STENCIL(d) " - 4*d[1:-1,1:-1]) - 0.1 * a[1:-1,1:-1]", d, a);
  tsr_assign(largest, tsr_max(tsr_multiply(dd, dd)));
  tsr_exec("a[1:-1,1:-1] += da; b[1:-1,1:-1] += db; c[1:-1,1:-1] += dc; d[1:-1,1:-1] += dd", a, b,
           c, d, da, db, dc, dd);
}

static void coupled_steps(tsr_array *f, outcome *out)
{
  tsr_array largest = tsr_full(TSR_SHAPE(), 0.0);
  for (int i = 0; i < N_STEPS; i++) {
    coupled_step(f, largest);
    tsr_flush();
  }
  out->residual = tsr_item_f64(largest);
  out->total = tsr_item_f64(tsr_sum(f[0]));
}

Test(memory_limit, four_fields_in_blocks, .timeout = 300)
{
  no_devices_asked_for();
  limited l = {.steps = coupled_steps};
  outcome expected = run_limited(1, 0, &l);
  cr_expect_eq(expected.n_renamed, N_FIELDS * N_STEPS);
  cr_expect_eq(expected.n_in_place, 0);
  cr_expect_geq(expected.peak_bytes, 2 * N_FIELDS * FIELD_BYTES);
  for (int n = 1; n <= 4; n += IS_SANITIZED ? 3 : 1) {
    /* A rank's tile moves once, to a buffer with room for ghosts: a fifth field for a moment. */
    outcome got = run_limited(n, N_FIELDS + 2.0, &l);
    cr_expect_eq(got.n_renamed, 0);
    cr_expect_eq(got.n_in_place, N_FIELDS * N_STEPS, "%d ranks: %d", n, (int)got.n_in_place);
    cr_expect_gt(got.n_hits, 0);
    size_t most = (N_FIELDS + (n == 1 ? 1 : 2)) * FIELD_BYTES / (size_t)n;
    cr_expect_leq(got.peak_bytes, most, "%d ranks: %zu bytes", n, got.peak_bytes);
    expect_same(&got, &expected, n);
    free(got.values);
  }
  free(expected.values);
}

/* The same loop with room, without, and with room again: one window, two plans. */
static void squeezed_steps(tsr_array *f, outcome *out)
{
  const tsr_counters *c = tsr__context_counters();
  tsr_array u = f[0];
  uint64_t renamed = 0, in_place = 0, misses = 0;
  for (int phase = 0; phase < 4; phase++) {
    tsr_array filler = {0};
    if (phase % 2 == 1) {
      filler = tsr_zeros(TSR_SHAPE(ROWS, COLUMNS));
      tsr_hold(filler);
      tsr_flush();
    }
    renamed = c->n_renamed;
    in_place = c->n_in_place;
    misses = c->n_plan_misses;
    for (int i = 0; i < N_STEPS; i++) {
      tsr_exec("u[1:-1,1:-1] = 0.25 * (" STENCIL(u) ")", u);
      tsr_flush();
    }
    cr_expect_eq(c->n_renamed - renamed, phase % 2 ? 0 : N_STEPS, "phase %d", phase);
    cr_expect_eq(c->n_in_place - in_place, phase % 2 ? N_STEPS : 0, "phase %d", phase);
    if (phase >= 2) cr_expect_eq(c->n_plan_misses, misses, "phase %d", phase);
    if (phase % 2 == 1) tsr_release(&filler);
    tsr_flush();
  }
  out->total = tsr_item_f64(tsr_sum(u));
}

Test(memory_limit, a_plan_fits_the_room_that_there_is, .timeout = 120)
{
  no_devices_asked_for();
  limited l = {.steps = squeezed_steps};
  for (int n = 1; n <= 2; n++) free(run_limited(n, N_FIELDS + 1.5, &l).values);
}

/* No blocks: every point needs one from far away. Temporaries of one step after the other share
 * memory. */
static void turned_steps(tsr_array *f, outcome *out)
{
  tsr_array a = f[0], b = f[1], c = f[2], d = f[3];
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("a[:,:] = 0.5 * (a + a[::-1,::-1]) + 1; b[:,:] = 0.5 * (b + b[::-1,::-1]) + a", a, b);
    tsr_exec("c[:,:] = 0.5 * (c + c[::-1,::-1]) + b; d[:,:] = 0.5 * (d + d[::-1,::-1]) + c", b, c,
             d);
    tsr_flush();
  }
  out->total = tsr_item_f64(tsr_sum(d));
}

Test(memory_limit, temporaries_where_strips_do_not_help, .timeout = 120)
{
  no_devices_asked_for();
  limited l = {.steps = turned_steps};
  outcome expected = run_limited(1, 0, &l), got = run_limited(1, N_FIELDS + 2.5, &l);
  cr_expect_eq(expected.n_renamed, N_FIELDS * N_STEPS);
  cr_expect_eq(got.n_renamed + got.n_in_place, 0);
  cr_expect_leq(got.peak_bytes, (size_t)((N_FIELDS + 2.5) * FIELD_BYTES));
  expect_same(&got, &expected, 1);
  free(got.values);
  free(expected.values);
}

/* Nothing fits. */

static void too_much(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array u = tsr_full(TSR_SHAPE(ROWS, COLUMNS), 3.0);
  cr_expect_eq(tsr_flush(), TSR_OK);
  tsr_exec("u[1:-1,1:-1] = 0.5 * (" STENCIL(u) ")", u);
  cr_expect_eq(tsr_flush(), TSR_ERR_MEMORY);
  EXPECT_ERROR(TSR_ERR_MEMORY, "out of memory: `tsr_assign` needs ", arg,
               " held by (512, 256) float64, made at ", "the array keeps its values",
               "raise TESSERA_MEMORY", "TESSERA_SPILL_DIR");
  cr_expect_eq(tsr_item_f64(tsr_min(u)), 3.0, "nothing has changed");
  cr_expect_eq(tsr_item_f64(tsr_max(u)), 3.0);
}

Test(memory_limit, an_error_before_anything_ran, .timeout = 60)
{
  no_devices_asked_for();
  static const char *const said[] = {" more per rank, the limit is 1.0 MiB",
                                     " more per rank, the limit is 522.2 KiB",
                                     " more per rank, the limit is 348.2 KiB"};
  for (int n = 1; n <= 3; n++) {
    char bytes[32];
    snprintf(bytes, sizeof bytes, "%zu", (size_t)(1.02 * FIELD_BYTES / n));
    RUN_RANKS(n, too_much, (void *)(uintptr_t)said[n - 1], "threads", "1", "replicate_max", "0",
              "tile_min", "64", "memory", bytes);
  }
}

/* An update that does not fit: what does not depend on it runs, what does is lost. */
static void one_too_large(void *arg, int rank)
{
  enum { N = ROWS * COLUMNS };
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array u = tsr_full(TSR_SHAPE(N), 3.0), c = tsr_zeros(TSR_SHAPE(N)), d, e;
  tsr_assign(tsr_slice(u, "0"), 4.0);
  cr_expect_eq(tsr_flush(), TSR_OK);
  tsr_exec("c += 1", c);
  d = tsr_multiply(tsr_slice(c, ":100"), 2);
  tsr_exec("u[:] = u[::-1]", u);
  e = tsr_add(tsr_slice(u, "-1"), 1);
  tsr_exec("c += 1", c);
  cr_expect_eq(tsr_flush(), TSR_ERR_MEMORY);
  EXPECT_ERROR(TSR_ERR_MEMORY, "out of memory: `tsr_assign` needs ", "test_memory_limit.c",
               "the array keeps its values; only what is computed from the change is lost");
  cr_expect_eq(tsr_item_f64(tsr_sum(c)), 2.0 * N);
  cr_expect_eq(tsr_item_f64(tsr_sum(d)), 200);
  cr_expect_eq(tsr_item_f64(tsr_slice(u, "0")), 4, "it is as it was");
  cr_expect_eq(tsr_item_f64(tsr_slice(u, "-1")), 3);
  cr_expect_eq(tsr_take_error(NULL, 0), TSR_OK);
  (void)tsr_item_f64(e);
  cr_expect_eq(tsr_take_error(NULL, 0), TSR_ERR_MEMORY);
  tsr_exec("u += 1", u);
  cr_expect_eq(tsr_item_f64(tsr_slice(u, "0")), 5, "and goes on");
}

/* Runs on 1 to 3 ranks, which have memory for 2.2 fields together. */
static void run_over_limit(void (*program)(void *arg, int rank))
{
  no_devices_asked_for();
  for (int n = 1; n <= 3; n++) {
    char bytes[32];
    snprintf(bytes, sizeof bytes, "%zu", (size_t)(2.2 * FIELD_BYTES / n));
    RUN_RANKS(n, program, NULL, "threads", "1", "replicate_max", "0", "tile_min", "64", "memory",
              bytes);
  }
}

Test(memory_limit, what_does_not_depend_on_a_lost_update_runs, .timeout = 60)
{
  run_over_limit(one_too_large);
}

/* What is given up is what needs the memory, whatever else its group changes. */
static void beside_too_large(void *arg, int rank)
{
  enum { N = ROWS * COLUMNS };
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array a = tsr_full(TSR_SHAPE(1, N), 3.0), x = tsr_full(TSR_SHAPE(1, N), 10.0), y;
  cr_expect_eq(tsr_flush(), TSR_OK);
  y = tsr_reshape(tsr_stack(TSR_ARRAYS(tsr_add(a, 1), tsr_add(a, 2))), TSR_SHAPE(2 * N));
  tsr_exec("x += a", x, a);
  cr_expect_eq(tsr_flush(), TSR_ERR_MEMORY);
  /* Of three ranks, whose cuts do not meet, the reshaped array is one more and needs most. */
  EXPECT_ERROR(TSR_ERR_MEMORY,
               tsr_n_ranks() < 3 ? "out of memory: `tsr_stack` needs "
                                 : "out of memory: `tsr_reshape` needs ",
               "computed from that, is lost");
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 13.0 * N);
  tsr_take_error(NULL, 0);
  (void)tsr_item_f64(tsr_slice(y, "0"));
  cr_expect_eq(tsr_take_error(NULL, 0), TSR_ERR_MEMORY);
}

Test(memory_limit, what_shares_a_group_with_a_lost_value_runs, .timeout = 60)
{
  run_over_limit(beside_too_large);
}

/* What fitted ran, what was given up is named. */
static void too_many(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array u = tsr_full(TSR_SHAPE(ROWS, COLUMNS), 3.0), copies[4];
  cr_expect_eq(tsr_flush(), TSR_OK);
  for (int i = 0; i < 4; i++) copies[i] = tsr_multiply(u, i + 1);
  cr_expect_eq(tsr_flush(), TSR_ERR_MEMORY);
  EXPECT_ERROR(TSR_ERR_MEMORY, "out of memory: `tsr_multiply` needs ", " MiB more in all",
               "lost, too: (512, 256) float64, of ");
  int n_lost = 0;
  for (int i = 0; i < 4; i++) {
    const double least = tsr_item_f64(tsr_min(copies[i]));
    n_lost += least != least;
    if (least == least) cr_expect_eq(least, 3.0 * (i + 1));
    tsr_take_error(NULL, 0);
  }
  cr_expect_eq(n_lost, 3, "one of four fits beside u, %d were lost", n_lost);
  cr_expect_eq(tsr_item_f64(tsr_max(u)), 3.0);
}

Test(memory_limit, every_lost_value_is_named, .timeout = 60)
{
  one_place_each();
  for (int n = 1; n <= 2; n++) {
    char bytes[32];
    RUN_RANKS(n, too_many, NULL, "threads", "1", "replicate_max", "0", "tile_min", "64", "memory",
              memory_of_each(n, (size_t)(2.2 * FIELD_BYTES / n), bytes));
  }
}

/* Of many arrays none is large: their line is named, also where they are still to be made. */
static void many_small(void *arg, int rank)
{
  enum { N_SMALL = 60, N_ROWS = ROWS / 32 };
  const bool computed = *(const bool *)arg;
  char said[200];
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array kept[N_SMALL], one = tsr_full(TSR_SHAPE(N_ROWS, COLUMNS), 3.0), two;
  for (int i = 0; i < N_SMALL; i++) {
    kept[i] = tsr_add(one, i);
    if (computed && i % 20 == 0) cr_expect_eq(tsr_flush(), TSR_OK);
  }
  const int line = __LINE__ - 3;
  two = tsr_multiply(one, 2);
  cr_expect_eq(tsr_flush(), TSR_ERR_MEMORY);
  snprintf(said, sizeof said, "test_memory_limit.c:%d made most of it: 60 arrays of ", line);
  EXPECT_ERROR(TSR_ERR_MEMORY, "out of memory: `tsr_", said, " in all");
  for (int i = 0; i < N_SMALL; i++) tsr_release(&kept[i]);
  tsr_release(&two);
}

Test(memory_limit, the_line_that_made_most_is_named, .timeout = 60)
{
  no_devices_asked_for();
  for (int n = 1; n <= 2; n++) {
    char bytes[32];
    snprintf(bytes, sizeof bytes, "%zu", (size_t)(1.7 * FIELD_BYTES / n));
    for (int computed = 0; computed < 2; computed++)
      RUN_RANKS(n, many_small, &(bool){computed}, "threads", "1", "replicate_max", "0", "tile_min",
                "64", "memory", bytes);
  }
}

/* One array with many versions is one array, which the error names already. */
static void one_updated(void *arg, int rank)
{
  char text[4096];
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array u = tsr_full(TSR_SHAPE(ROWS, COLUMNS), 3.0);
  for (int i = 0; i < (IS_SANITIZED ? 200 : 1000); i++) tsr_exec("u[1:-1] = u[:-2] + u[2:]", u);
  tsr_flush();
  cr_expect_eq(tsr_take_error(text, sizeof text), TSR_ERR_MEMORY);
  cr_expect_null(strstr(text, "made most of it"), "%s", text);
  tsr_release(&u);
}

Test(memory_limit, versions_of_one_array_are_one_array, .timeout = 60)
{
  no_devices_asked_for();
  for (int n = 1; n <= 2; n++) {
    char bytes[32];
    snprintf(bytes, sizeof bytes, "%zu", (size_t)(0.5 * FIELD_BYTES / n));
    RUN_RANKS(n, one_updated, NULL, "threads", "1", "replicate_max", "0", "tile_min", "64",
              "memory", bytes);
  }
}

/* Gathered copies. */

enum { SIDE = 768 };

typedef struct gathering {
  tsr_status status[4];
  double sum[4];
  char text[4][2048];
} gathering;

/* x and its transpose: on n ranks each gathers all of its columns. */
static void add_transpose(void *arg, int rank)
{
  gathering *g = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_zeros(TSR_SHAPE(SIDE, SIDE));
  tsr_assign(x,
             tsr_add(tsr_multiply(SIDE, tsr_expand_dims(tsr_arange(SIDE), 1)), tsr_arange(SIDE)));
  tsr_flush();
  tsr_array y = tsr_add(x, tsr_transpose(x));
  g->status[rank] = tsr_flush();
  tsr_take_error(g->text[rank], sizeof g->text[rank]);
  tsr_release(&y);
  g->sum[rank] = tsr_item_f64(tsr_sum(x)); /* what was there before is there still */
  cr_expect_str_eq(tsr_last_error(), "");
}

/* Memory per rank for a multiple of a rank's tile of x. */
static void run_gathering(int n, double n_tiles, gathering *g)
{
  char bytes[32];
  snprintf(bytes, sizeof bytes, "%zu", (size_t)(n_tiles * SIDE * SIDE * sizeof(double) / n));
  memset(g, 0, sizeof *g);
  RUN_RANKS(n, add_transpose, g, "threads", "1", "replicate_max", "0", "tile_min", "64", "memory",
            bytes, "bind", "0");
}

Test(memory_limit, gathered_copies_count_on_every_rank, .timeout = 120)
{
  no_devices_asked_for();
  static gathering g;
  const double total = (double)SIDE * SIDE * ((double)SIDE * SIDE - 1) / 2;
  for (int n = 2; n <= 4; n++) {
    run_gathering(n, 3.3, &g); /* x, y, the copy */
    for (int r = 0; r < n; r++) {
      cr_expect_eq(g.status[r], TSR_OK, "%d ranks: %s", n, g.text[r]);
      cr_expect_eq(g.sum[r], total);
    }
    run_gathering(n, 2.6, &g);
    for (int r = 0; r < n; r++) {
      cr_expect_eq(g.status[r], TSR_ERR_MEMORY, "%d ranks: %d", n, (int)g.status[r]);
      cr_expect_not_null(strstr(g.text[r], "out of memory: `tsr_add` needs"), "%s", g.text[r]);
      cr_expect_eq(g.sum[r], total);
    }
  }
}

static void write_lost(void *arg, int rank)
{
  tsr_status *reads = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array u = tsr_zeros(TSR_SHAPE(1000)), w = tsr_zeros(TSR_SHAPE(1000)),
            other = tsr_ones(TSR_SHAPE(5));
  tsr_flush();
  tsr_array lost = tsr_multiply(tsr_ones(TSR_SHAPE(2000, 1000)), 2);
  (void)tsr_item_f64(tsr_slice(lost, "5, 6"));
  reads[4 * rank] = tsr_take_error(NULL, 0);
  tsr_exec("u[:] = u + lost[7]; w[:] = 1; w[::2] = lost[7, ::2]; w += 1", u, lost, w);
  (void)tsr_item_f64(tsr_sum(u));
  reads[4 * rank + 1] = tsr_take_error(NULL, 0);
  (void)tsr_item_f64(tsr_slice(w, "1"));
  reads[4 * rank + 2] = tsr_take_error(NULL, 0);
  (void)tsr_item_f64(tsr_sum(other));
  reads[4 * rank + 3] = tsr_take_error(NULL, 0);
}

Test(memory_limit, what_is_written_from_a_lost_value_is_lost, .timeout = 120)
{
  one_place_each();
  for (int n = 1; n <= 2; n++) {
    tsr_status reads[8] = {0};
    RUN_RANKS(n, write_lost, reads, "threads", "1", "replicate_max", "0", "memory", "4000000",
              "bind", "0");
    for (int i = 0; i < 4 * n; i++)
      cr_expect_eq(reads[i], i % 4 == 3 ? TSR_OK : TSR_ERR_MEMORY, "%d ranks, read %d: %d", n, i,
                   (int)reads[i]);
  }
}

/* A step whose group reads where it is, and is computed in place, in blocks of which the last is
 * shorter: so small that it runs in line, again and again. */
static void step_with_places(void *arg, int rank)
{
  enum { N = 20000 };
  double *u = calloc(2 * N, sizeof *u);
  tsr_array x = tsr_zeros(TSR_SHAPE(N)), y = tsr_zeros(TSR_SHAPE(N));
  for (int i = 0; i < 5; i++) {
    tsr_exec("x[1:-1] = 0.5 * (x[:-2] + x[2:]) + arange(19998)", x);
    tsr_exec("y[1:-1] = 0.25 * (y[:-2] + y[2:]) + arange(19998)", y);
    cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
  }
  cr_assert_eq(tsr_to_host(x, u), TSR_OK);
  cr_assert_eq(tsr_to_host(y, u + N), TSR_OK);
  ((uint64_t *)arg)[0] = tsr__context_counters()->n_in_place;
  ((uint64_t *)arg)[1] = tsr__context_counters()->n_compiled_runs;
  memcpy((uint64_t *)arg + 2, u, 2 * N * sizeof *u);
  free(u);
}

Test(memory_limit, blocks_in_line_are_runs_of_their_own)
{
  enum { N_WORDS = 2 + 2 * 20000 };
  static uint64_t plain[N_WORDS], got[N_WORDS];
  RUN_RANKS(1, step_with_places, plain, "device", "cpu", "threads", "1", "jit", "eager",
            "inline_elems", "1M");
  RUN_RANKS(1, step_with_places, got, "device", "cpu", "threads", "1", "jit", "eager",
            "inline_elems", "1M", "rename_max", "1");
  cr_expect_eq(plain[0], 0);
  cr_expect_gt(got[0], 0, "nothing was computed in place");
  cr_expect_gt(got[1], 0);
  cr_expect_arr_eq(got + 2, plain + 2, sizeof got - 2 * sizeof *got);
}

/* Three fields that take turns, of which ranks compute margins where there is room for them. */
static void wave_steps(tsr_array *f, int n_steps)
{
  for (int i = 0; i < n_steps; i++) {
    tsr_array a = f[i % 3], b = f[(i + 1) % 3], c = f[(i + 2) % 3];
    tsr_exec("c[1:-1,1:-1] = 0.25 * (" STENCIL(b) ") - 0.5 * a[1:-1,1:-1]", a, b, c);
  }
  cr_expect_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
}

typedef struct margins {
  uint64_t n_wide[8]; /* of each flush */
  double sum;
} margins;

static void run_margins(void *arg, int rank)
{
  margins m = {.n_wide = {0}};
  tsr_array f[3], filler = {0};
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  for (int i = 0; i < 3; i++) {
    f[i] = tsr_full(TSR_SHAPE(ROWS, COLUMNS), 0.5 + i);
    tsr_flush();
  }
  for (int i = 0; i < 8; i++) {
    const uint64_t before = tsr__context_counters()->n_wide;
    if (i % 4 == 2) {
      filler = tsr_zeros(TSR_SHAPE(ROWS, COLUMNS));
      tsr_hold(filler);
      tsr_flush();
    }
    wave_steps(f, 12);
    m.n_wide[i] = tsr__context_counters()->n_wide - before;
    if (i % 4 == 3) tsr_release(&filler);
  }
  m.sum = tsr_item_f64(tsr_sum(tsr_add(tsr_slice(f[0], ":8"), tsr_slice(f[2], "8:16"))));
  cr_expect_str_eq(tsr_last_error(), "");
  if (rank == 0) *(margins *)arg = m;
}

static margins margins_within(double n_fields)
{
  char bytes[32];
  margins m;
  snprintf(bytes, sizeof bytes, "%zu", (size_t)(n_fields * FIELD_BYTES / 2));
  RUN_RANKS(2, run_margins, &m, "threads", "1", "places", "1", "replicate_max", "0", "tile_min",
            "64", "memory", bytes, "halo_steps", "64", "halo_max", "64", "window_ops", "512",
            "fusion", "1", "rename_max", "0");
  return m;
}

/* Margins are memory, too: they are asked for, and left out alike on all ranks where they do not
 * fit. Both answers steer which remembered plan fits the room that there is. */
Test(memory_limit, margins_fit_the_room_that_there_is, .timeout = 240)
{
  no_devices_asked_for();
  const margins free = margins_within(0), some = margins_within(5.1), none = margins_within(4.1);
  for (int i = 0; i < 8; i++) {
    cr_expect_gt(free.n_wide[i], 0, "flush %d", i);
    cr_expect_eq(some.n_wide[i] > 0, i % 4 < 2, "flush %d: %d", i, (int)some.n_wide[i]);
    cr_expect_eq(none.n_wide[i], 0, "flush %d", i);
  }
  cr_expect_eq(some.sum, free.sum);
  cr_expect_eq(none.sum, free.sum);
}

/* A name that is given a new value in each turn, in a scope: a view of all of the last value is read,
 * so each is in memory once. What nobody can reach any more leaves its memory to later ones, also
 * where the last value is not stored itself. */
static void rebind(void *arg, int rank)
{
  enum { N = 128, TURNS = 40 };
  double *got = arg;
  TSR_SCOPE();
  tsr_array u = tsr_add(tsr_expand_dims(tsr_arange(0, N, 1), 1), tsr_arange(0, N, 1));
  for (int t = 0; t < TURNS; t++) {
    tsr_array next = tsr_eval("0.75*(u + u[::-1])", u);
    tsr_release(&u);
    u = next;
  }
  const double sum = tsr_item_f64(tsr_sum(u));
  const double again = tsr_item_f64(tsr_max(u)); /* the value is there a second time */
  cr_expect_str_eq(tsr_last_error(), "");
  if (rank == 0) got[0] = sum, got[1] = again;
}

Test(memory_limit, what_a_name_stood_for_is_given_back, .timeout = 60)
{
  no_devices_asked_for();
  double all[2] = {0}, few[2] = {0};
  for (int n = 1; n <= 2; n++) {
    RUN_RANKS(n, rebind, all, "threads", "1", "replicate_max", "0", "tile_min", "64",
              "inline_elems", "0");
    /* An array has 128 KB. */
    RUN_RANKS(n, rebind, few, "threads", "1", "replicate_max", "0", "tile_min", "64",
              "inline_elems", "0", "memory", "700K");
    cr_expect_eq(memcmp(all, few, sizeof all), 0, "%d ranks: %g and %g", n, all[0], few[0]);
    cr_expect(all[0] > 0 && all[1] > 0);
  }
}
