/* Long expressions: one pass, or few that store little for one another, with the same bits as
 * operation by operation. */
#include "array_test.h"
#include "tests/support/draw.h"
#include "tests/support/sanitized.h"

enum { N = 600, MOST_VALUES = 1200, N_RESULTS = 3 };

/** An expression, and what came of it. */
typedef struct program {
  int n_ops;
  tsr_dtype dtype;
  uint64_t seed;
  void (*record)(const struct program *, tsr_array *x, tsr_array *out);
  unsigned char got[N_RESULTS][N * 16];
  tsr_counters did;
} program;

static uint64_t draw(uint64_t *state, uint64_t n)
{
  return draw_31(state) % n;
}

/* Operations on values drawn at random, of which late ones are drawn more often: wide and deep
 * graphs in which many values are read several times. */
static void record_drawn(const program *p, tsr_array *start, tsr_array *out)
{
  static const char *const texts[] = {
      "x + y",     "x * y",     "x - y",           "where(x == y, x, y)",
      "x * y + x", "x + 3 * y", "(x != y) * x + y"};
  static const char *const bools[] = {"x | y", "x & y",  "x ^ y", "where(x == y, x, y)",
                                      "x | y", "x & ~y", "x != y"};
  tsr_array values[MOST_VALUES];
  uint64_t state = p->seed;
  int n = 0;
  for (; n < 3; n++) values[n] = start[n];
  for (; n < p->n_ops; n++) {
    const uint64_t late = n < 40 || draw(&state, 8) == 0 ? (uint64_t)n : 40;
    tsr_array x = values[n - 1 - (int)draw(&state, late)];
    tsr_array y = values[n - 1 - (int)draw(&state, late)];
    const uint64_t k = draw(&state, 7);
    values[n] = tsr_eval(p->dtype == TSR_BOOL ? bools[k] : texts[k], x, y);
    if (!tsr_ok(values[n])) cr_assert_fail("%s", tsr_last_error());
  }
  for (int i = 0; i < N_RESULTS; i++) tsr_assign(out[i], values[n - 1 - 7 * i]);
}

static void run_program(void *arg, int rank)
{
  program *p = arg;
  tsr_array x[3], out[N_RESULTS];
  for (int i = 0; i < 3; i++) {
    tsr_array numbers = tsr_eval("(arange($1) * $2 + $2) % 7", N, 3 + 2 * i);
    x[i] = tsr_astype(numbers, p->dtype);
  }
  for (int i = 0; i < N_RESULTS; i++) out[i] = tsr_zeros(TSR_SHAPE(N), p->dtype);
  tsr_flush();
  const tsr_counters before = *tsr__context_counters();
  {
    TSR_SCOPE();
    p->record(p, x, out);
  }
  tsr_flush();
  tsr_counters did = *tsr__context_counters();
  unsigned char got[N_RESULTS][N * 16] = {{0}};
  for (int i = 0; i < N_RESULTS; i++)
    cr_assert_eq(tsr_to_host(out[i], got[i]), TSR_OK, "%s", tsr_last_error());
  if (rank > 0) return;
  memcpy(p->got, got, sizeof got);
  did.n_groups -= before.n_groups;
  did.n_cut -= before.n_cut;
  did.cut_bytes -= before.cut_bytes;
  did.cut_bytes_least -= before.cut_bytes_least;
  p->did = did;
}

static void run_in_small_windows(program *p)
{
  RUN_RANKS(1, run_program, p, "threads", "1", "replicate_max", "0", "tile_min", "64", "window_ops",
            "64", "window_cap", "500");
}

static void run(int n_ranks, const char *fusion, const char *group_ops, program *p)
{
  RUN_RANKS(n_ranks, run_program, p, "threads", "1", "replicate_max", "0", "tile_min", "64",
            "window_ops", "8000", "window_cap", "8000", "fusion", fusion, "group_ops", group_ops,
            "replan", "1");
}

Test(long_expressions, bits_of_all_dtypes)
{
  static const char *const group_ops[] = {"16", "64", "100", "1K"};
  for (int d = 0; d < TSR_N_DTYPES; d++) {
    static program plain, fused;
    plain = fused = (program){.n_ops = 100 + 50 * d, .dtype = d, .seed = d, .record = record_drawn};
    run(1, "0", "1K", &plain);
    for (int i = IS_SANITIZED; i < (IS_SANITIZED ? 2 : 4); i++) {
      run(1 + i % 3, "1", group_ops[i], &fused);
      cr_expect_arr_eq(fused.got, plain.got, sizeof plain.got, "dtype %d, groups of %s", d,
                       group_ops[i]);
    }
  }
}

/* A chain: each operation reads what the one before made. */
static void record_chain(const program *p, tsr_array *x, tsr_array *out)
{
  tsr_array v = tsr_multiply(x[0], x[1]);
  for (int i = 2; i < p->n_ops; i++) v = i % 2 ? tsr_add(v, x[0]) : tsr_multiply(v, x[1]);
  tsr_assign(out[0], v);
}

/* Polynomials of x0, which all are there before a polynomial of x1 takes the first of them. */
static void record_polynomials(const program *p, tsr_array *x, tsr_array *out)
{
  enum { DEGREE = 6 };
  tsr_array part[MOST_VALUES];
  const int n = p->n_ops / (2 * DEGREE + 2);
  for (int i = 0; i < n; i++) {
    part[i] = tsr_multiply(x[0], i);
    for (int j = 1; j < 2 * DEGREE; j++)
      part[i] = j % 2 ? tsr_add(part[i], j) : tsr_multiply(part[i], x[0]);
  }
  tsr_array v = part[n - 1];
  for (int i = n - 2; i >= 0; i--) v = tsr_add(part[i], tsr_multiply(x[1], v));
  tsr_assign(out[0], v);
}

/* Chains that grow in turn, and a sum of them. */
static void record_side_by_side(const program *p, tsr_array *x, tsr_array *out)
{
  enum { N_LINKS = 18 };
  tsr_array v[MOST_VALUES];
  const int n = p->n_ops / (N_LINKS + 2);
  for (int i = 0; i < n; i++) v[i] = tsr_multiply(x[0], i);
  for (int j = 0; j < N_LINKS; j++)
    for (int i = 0; i < n; i++) v[i] = j % 2 ? tsr_add(v[i], x[1]) : tsr_multiply(v[i], x[0]);
  tsr_array sum = v[0];
  for (int i = 1; i < n; i++) sum = tsr_add(sum, v[i]);
  tsr_assign(out[0], sum);
}

static void (*const shapes[])(const program *, tsr_array *, tsr_array *) = {
    record_chain, record_polynomials, record_side_by_side};

Test(long_expressions, are_one_pass)
{
  for (int s = 0; s < 3; s++) {
    static program p;
    p = (program){.n_ops = 1000, .dtype = TSR_FLOAT64, .record = shapes[s]};
    run(2, "1", "1K", &p);
    cr_expect_eq(p.did.n_groups, 1, "shape %d: %d groups", s, (int)p.did.n_groups);
    cr_expect_eq(p.did.n_cut, 0);
  }
}

Test(long_expressions, are_cut_where_little_is_stored)
{
  static const struct {
    int n_ops;
    const char *group_ops;
  } cuts[] = {{1900, "1K"}, {1900, "300"}, {700, "128"}};
  for (int s = 0; s < 3; s++)
    for (int c = 0; c < 3; c++) {
      static program plain, p;
      plain = p = (program){.n_ops = cuts[c].n_ops, .dtype = TSR_INT64, .record = shapes[s]};
      run(1, "0", "1K", &plain);
      run(2, "1", cuts[c].group_ops, &p);
      cr_expect_arr_eq(p.got, plain.got, sizeof plain.got);
      cr_expect_eq(p.did.n_cut, 1);
      cr_expect_leq(4 * p.did.cut_bytes, 5 * p.did.cut_bytes_least,
                    "shape %d, groups of %s: %d bytes stored, at least %d", s, cuts[c].group_ops,
                    (int)p.did.cut_bytes, (int)p.did.cut_bytes_least);
    }
}

/* Functions, each of which counts as 24 operations. */
static void record_functions(const program *p, tsr_array *x, tsr_array *out)
{
  tsr_array v = x[0];
  for (int i = 0; i < p->n_ops; i++) v = i % 2 ? tsr_multiply(v, 0.25) : tsr_exp(v);
  tsr_assign(out[0], v);
}

Test(long_expressions, have_few_functions)
{
  static program plain, p;
  plain = p = (program){.n_ops = 300, .dtype = TSR_FLOAT64, .record = record_functions};
  run(1, "0", "1K", &plain);
  run(2, "1", "1K", &p);
  cr_expect_arr_eq(p.got, plain.got, sizeof plain.got);
  cr_expect_eq(p.did.n_groups, 4, "%d groups", (int)p.did.n_groups);
  cr_expect_eq(p.did.cut_bytes, 24);
}

/* An expression may have twice as many operations as a window. */
Test(long_expressions, are_not_cut_by_windows)
{
  for (int s = 0; s < 3; s++) {
    static program plain, p;
    plain = p = (program){.n_ops = 900, .dtype = TSR_INT32, .record = shapes[s]};
    run(1, "0", "1K", &plain);
    run_in_small_windows(&p);
    cr_expect_arr_eq(p.got, plain.got, sizeof plain.got);
    cr_expect_eq(p.did.n_groups, 1, "shape %d: %d groups", s, (int)p.did.n_groups);
  }
}

/* Rows that share no values gain nothing from larger groups. */
static void record_rows(const program *p, tsr_array *x, tsr_array *out)
{
  for (int i = 0; i < p->n_ops; i++)
    tsr_assign(tsr_slice(out[i % 2], "$:$", i, i + 1),
               tsr_multiply(2, tsr_slice(x[0], "$:$", i, i + 1)));
}

Test(long_expressions, short_ones_keep_their_groups)
{
  static program few, many;
  few = many = (program){.n_ops = 300, .dtype = TSR_FLOAT64, .record = record_rows};
  run(1, "1", "64", &few);
  run(1, "1", "1K", &many);
  cr_expect_eq(many.did.n_groups, few.did.n_groups);
  cr_expect_gt(few.did.n_groups, 3);
  cr_expect_arr_eq(many.got, few.got, sizeof few.got);
}

/* A value is read backwards by an operation that would like to come before it. */
static void record_displaced(const program *p, tsr_array *x, tsr_array *out)
{
  tsr_array t = tsr_add(x[0], x[1]);
  tsr_array a = tsr_multiply(x[0], x[1]), b = tsr_multiply(x[1], x[2]);
  tsr_array c = tsr_multiply(a, b), d = tsr_add(c, tsr_slice(t, "::-1"));
  tsr_array v = tsr_add(d, tsr_add(t, x[2]));
  for (int i = 0; i < p->n_ops; i++) v = tsr_add(tsr_multiply(v, 3), x[i % 3]);
  tsr_assign(out[0], v);
}

Test(long_expressions, keep_values_before_those_who_read_them_elsewhere)
{
  static const char *const group_ops[] = {"3", "6", "64", "1K"};
  static program plain, p;
  plain = p = (program){.n_ops = 60, .dtype = TSR_INT64, .record = record_displaced};
  run(1, "0", "1K", &plain);
  for (int i = 0; i < 4; i++) {
    run(1 + i % 2, "1", group_ops[i], &p);
    cr_expect_arr_eq(p.got, plain.got, sizeof plain.got, "groups of %s", group_ops[i]);
  }
}

/* Values that pile up in a scope, with reads between them, are stored in the end. */
static void pile_up(void *arg, int rank)
{
  enum { N_VALUES = 3000, LONGEST = 400 };
  TSR_SCOPE();
  tsr_array x = tsr_arange(0, 10, 1), sum = tsr_null();
  int64_t most = 0;
  for (int i = 0; i < N_VALUES; i++) {
    tsr_array v = tsr_multiply(x, i);
    if (i % 50 == 0) sum = tsr_sum(v);
    if (i % 50 == 0) cr_assert_eq(tsr_item_i64(sum), 45 * i);
    const int64_t n = tsr_context_current()->window.n_ops;
    most = n > most ? n : most;
  }
  cr_expect_leq(most, LONGEST, "%d operations wait", (int)most);
}

Test(long_expressions, that_are_none_do_not_pile_up)
{
  RUN_RANKS(1, pile_up, NULL, "threads", "1", "window_ops", "64", "window_cap", "100");
}
