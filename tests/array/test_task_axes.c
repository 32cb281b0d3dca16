/* Users' tasks with axes that are not cut, and with reduced outputs that have an extent: on ranks
 * and in boxes against loops over host memory, the same bits on any ranks, and calls that are
 * wrong. */
#include "task_test.h"

#include <math.h>

TestSuite(task_axes, .init = begin, .fini = end, .timeout = 120);

enum { ROWS = 37, COLUMNS = 53 };

static double *at2(const tsr_task_argument *a, int64_t i, int64_t j)
{
  return (double *)((char *)a->data + i * a->stride_bytes[0] + j * a->stride_bytes[1]);
}

static tsr_array ramp(tsr_dims shape)
{
  int64_t n = 1;
  for (int k = 0; k < shape.ndim; k++) n *= shape.n[k];
  tsr_array x = tsr_arange(0, (double)n, 1, TSR_FLOAT64);
  x = tsr_sqrt(tsr_add(tsr_remainder(tsr_multiply(x, 7), 31), 0.25));
  return tsr_copy(tsr_reshape(x, shape));
}

/* Whole axes. */

/* y: x and half of the y before it along the axis that box->data names, of which all must be there.
 * If x is written, y is x. */
static int along(const tsr_task_box *box)
{
  const int axis = *(const int *)box->data, other = 1 - axis;
  const tsr_task_argument *x = &box->in[0], *y = box->n_out > 0 ? &box->out[0] : x;
  if (box->offset[axis] != 0 || box->shape[axis] != box->domain[axis]) return 1;
  for (int64_t o = 0; o < box->shape[other]; o++) {
    double last = 0;
    for (int64_t k = 0; k < box->shape[axis]; k++) {
      const int64_t i = axis == 0 ? k : o, j = axis == 0 ? o : k;
      last = *at2(y, i, j) = *at2(x, i, j) + 0.5 * last;
    }
  }
  return 0;
}

static void along_on_host(int axis, const double *x, int64_t row, int64_t column, int n, int m,
                          double *y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      const double last = axis == 0 ? (i > 0 ? y[(i - 1) * m + j] : 0)
                          : j > 0   ? y[i * m + j - 1]
                                    : 0;
      y[i * m + j] = x[i * row + j * column] + 0.5 * last;
    }
}

static void whole_axes(shared *s)
{
  static const char *const inputs[2][2] = {{"float64 x, whole(0)", "whole(-2), float64 x"},
                                           {"float64 x, whole(1)", "whole(-1), float64 x"}};
  double host[ROWS][COLUMNS], want[ROWS * COLUMNS];
  tsr_array x = ramp(TSR_SHAPE(ROWS, COLUMNS)), y;
  CHECK(s, tsr_to_host(x, host) == TSR_OK);
  for (int axis = 0; axis < 2; axis++)
    for (int k = 0; k < 4; k++) {
      const tsr_function f = tsr_task("along", inputs[axis][k / 2], "float64 y", along);
      CHECK(s, tsr_call_data(&y, f, &axis, sizeof axis, x) == TSR_OK);
      along_on_host(axis, host[0], COLUMNS, 1, ROWS, COLUMNS, want);
      CHECK(s, same(y, want, ROWS * COLUMNS));
      CHECK(s, tsr_call_data(&y, f, &axis, sizeof axis,
                             tsr_multiply(tsr_transpose(tsr_slice(x, "::2, ::-3")), 2)) == TSR_OK);
      along_on_host(axis, &host[0][COLUMNS - 1], -3, 2 * COLUMNS, 18, 19, want);
      for (int i = 0; i < 18 * 19; i++) want[i] *= 2;
      CHECK(s, same(y, want, 18 * 19));
    }
}

/* What is written, and read before, lies where its layout cuts the axis. */
static void whole_axes_of_what_is_written(shared *s)
{
  double host[ROWS][COLUMNS], want[ROWS * COLUMNS];
  tsr_array x = ramp(TSR_SHAPE(ROWS, COLUMNS));
  CHECK(s, tsr_to_host(x, host) == TSR_OK);
  for (int axis = 0; axis < 2; axis++) {
    const tsr_function f = tsr_task(
        "along", axis == 0 ? "inout float64 x, whole(0)" : "inout float64 x, whole(1)", "", along);
    for (int k = 0; k < 2; k++) {
      CHECK(s, tsr_call_data(NULL, f, &axis, sizeof axis, x) == TSR_OK);
      along_on_host(axis, host[0], COLUMNS, 1, ROWS, COLUMNS, want);
      memcpy(host, want, sizeof host);
      CHECK(s, same(x, want, ROWS * COLUMNS));
    }
  }
}

/* One box has all, on one rank, and each axis of three. */
static int all_of_it(const tsr_task_box *box)
{
  const int mask = *(const int *)box->data;
  for (int k = 0; k < box->ndim; k++)
    if (mask >> k & 1 && box->shape[k] != box->domain[k]) return 1;
  const tsr_task_argument *x = &box->in[0], *y = &box->out[0];
  int64_t at[3] = {0};
  for (bool more = true; more;) {
    const char *from = x->data;
    char *to = y->data;
    for (int k = 0; k < box->ndim; k++) from += at[k] * x->stride_bytes[k];
    for (int k = 0; k < box->ndim; k++) to += at[k] * y->stride_bytes[k];
    *(double *)to = 2 * *(const double *)from;
    int k = box->ndim - 1;
    for (; k >= 0; k--) {
      if (++at[k] < box->shape[k]) break;
      at[k] = 0;
    }
    more = k >= 0;
  }
  return 0;
}

static void several_whole_axes(shared *s)
{
  static const char *const inputs[] = {"float64 x halo(1)",
                                       "float64 x halo(1), whole(0)",
                                       "float64 x halo(1), whole(1)",
                                       "float64 x, whole(1, 0)",
                                       "float64 x halo(1), whole(2)",
                                       "float64 x, whole(-3), whole(2)",
                                       "float64 x halo(1), whole(1, -1)",
                                       "float64 x halo(1), whole(0, 1, 2)"};
  double host[11 * 12 * 13];
  tsr_array x = ramp(TSR_SHAPE(11, 12, 13)), y;
  CHECK(s, tsr_to_host(x, host) == TSR_OK);
  for (int i = 0; i < 11 * 12 * 13; i++) host[i] *= 2;
  for (int mask = 0; mask < 8; mask++) {
    const tsr_function f = tsr_task("all_of_it", inputs[mask], "float64 y", all_of_it);
    CHECK(s, tsr_call_data(&y, f, &mask, sizeof mask, x) == TSR_OK);
    CHECK(s, same(y, host, 11 * 12 * 13));
  }
  const int mask = 1;
  const tsr_function f = tsr_task("all_of_it", "float64 x, whole(0)", "float64 y", all_of_it);
  CHECK(s, tsr_call_data(&y, f, &mask, sizeof mask, tsr_slice(x, "0, 0")) == TSR_OK);
  CHECK(s, same(y, host, 13));
}

/* Extents. */

/* What each value adds to four outputs: its weight by class, how many are of a class and parity,
 * the least of a class, and the sum of all. */
static int classes(const tsr_task_box *box)
{
  const tsr_task_argument *o = box->out;
  int64_t at[TSR_MAX_NDIM] = {0};
  for (int i = 0; i < 5; i++)
    if (*(double *)((char *)o[0].data + i * o[0].stride_bytes[0]) != 0) return 1;
  if (o[1].ndim != 2 || o[1].shape[0] != 3 || o[1].shape[1] != 2 || o[3].ndim != 0) return 2;
  for (bool more = true; more;) {
    const char *from = box->in[0].data;
    for (int k = 0; k < box->ndim; k++) from += at[k] * box->in[0].stride_bytes[k];
    const double v = *(const double *)from;
    const int class = (int)(v * v);
    *(double *)((char *)o[0].data + class % 5 * o[0].stride_bytes[0]) += v;
    ++*(int64_t *)((char *)o[1].data + class % 3 * o[1].stride_bytes[0] +
                   class % 2 * o[1].stride_bytes[1]);
    int32_t *least = (int32_t *)((char *)o[2].data + class % 4 * o[2].stride_bytes[0]);
    if (class < *least) *least = class;
    *(double *)o[3].data += v;
    int k = box->ndim - 1;
    for (; k >= 0; k--) {
      if (++at[k] < box->shape[k]) break;
      at[k] = 0;
    }
    more = k >= 0;
  }
  return 0;
}

enum { N_SHAPES = 4 };
typedef struct tallies {
  double weight[5], sum;
} tallies;
static tallies of_one_rank[N_SHAPES];

static tallies tally(shared *s, const char *inputs, tsr_dims shape)
{
  static const char outputs[] =
      "float64 weight[5] sum, int64 count[3, 2] sum, int32 least[7] min, float64 total sum";
  tallies got = {.sum = 0};
  double weight[5] = {0}, sum = 0;
  int64_t count[3][2] = {{0}}, n = 1, got_count[3][2];
  int32_t least[7], got_least[7];
  for (int i = 0; i < 7; i++) least[i] = INT32_MAX;
  for (int k = 0; k < shape.ndim; k++) n *= shape.n[k];
  double *host = malloc((size_t)n * sizeof *host);
  tsr_array x = ramp(shape), out[4];
  CHECK(s, tsr_to_host(x, host) == TSR_OK);
  for (int64_t i = 0; i < n; i++) {
    const int class = (int)(host[i] * host[i]);
    weight[class % 5] += host[i];
    count[class % 3][class % 2]++;
    if (class < least[class % 4]) least[class % 4] = class;
    sum += host[i];
  }
  free(host);
  const tsr_function f = tsr_task("classes", inputs, outputs, classes);
  for (int turn = 0; turn < 2; turn++) { /* the second is remembered */
    CHECK(s, tsr_call_outputs(out, f, x) == TSR_OK);
    CHECK(s, tsr_ndim(out[0]) == 1 && tsr_ndim(out[1]) == 2 && tsr_ndim(out[3]) == 0);
    CHECK(s, tsr_to_host(out[0], got.weight) == TSR_OK && tsr_to_host(out[1], got_count) == TSR_OK);
    CHECK(s, tsr_to_host(out[2], got_least) == TSR_OK);
    got.sum = tsr_item_f64(out[3]);
    for (int i = 0; i < 5; i++) CHECK(s, fabs(got.weight[i] - weight[i]) <= 1e-12 * weight[i]);
    CHECK(s, fabs(got.sum - sum) <= 1e-12 * sum);
    CHECK(s, memcmp(count, got_count, sizeof count) == 0);
    CHECK(s, memcmp(least, got_least, sizeof least) == 0);
  }
  return got;
}

static void extents(shared *s)
{
  const tallies got[N_SHAPES] = {tally(s, "float64 x", TSR_SHAPE(ROWS, COLUMNS)),
                                 tally(s, "float64 x", TSR_SHAPE(20011)),
                                 tally(s, "float64 x, grain(100)", TSR_SHAPE(9, 40, 61)),
                                 tally(s, "float64 x, grain(64), whole(0)", TSR_SHAPE(9, 40, 61))};
  for (int i = 0; i < N_SHAPES && tsr_n_ranks() > 1; i++)
    CHECK(s, memcmp(&got[i], &of_one_rank[i], sizeof got[i]) == 0);
  for (int i = 0; i < N_SHAPES && tsr_n_ranks() == 1; i++) of_one_rank[i] = got[i];
}

/* The sums of a block's columns, which are as many as x has, and how many rows there are. */
static int of_columns(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0], *sums = &box->out[0];
  if (box->shape[1] != box->domain[1] || sums->shape[0] != box->domain[1]) return 1;
  for (int64_t i = 0; i < box->shape[0]; i++)
    for (int64_t j = 0; j < box->shape[1]; j++)
      *(double *)((char *)sums->data + j * sums->stride_bytes[0]) += *at2(x, i, j);
  *(int32_t *)box->out[1].data = (int32_t)box->shape[0];
  return 0;
}

static void blocks(shared *s)
{
  tsr_array x = ramp(TSR_SHAPE(ROWS, COLUMNS)), out[2];
  const tsr_function f = tsr_task("of_columns", "float64 x, whole(1), grain(256)",
                                  "float64 sums[53] blocks, int32 rows blocks", of_columns);
  CHECK(s, tsr_call_outputs(out, f, x) == TSR_OK);
  CHECK(s, tsr_ndim(out[0]) == 3 && tsr_ndim(out[1]) == 2);
  CHECK(s, tsr_shape(out[0]).n[0] == (ROWS + 3) / 4 && tsr_shape(out[0]).n[1] == 1 &&
               tsr_shape(out[0]).n[2] == COLUMNS);
  CHECK(s, tsr_item_i64(tsr_sum(out[1])) == ROWS && tsr_item_i64(tsr_max(out[1])) == 4);
  const tsr_array sums = tsr_sum(out[0], TSR_AXES(0, 1)), want = tsr_sum(x, TSR_AXES(0));
  CHECK(s, tsr_item_f64(tsr_max(tsr_absolute(tsr_subtract(sums, want)))) < 1e-11);
}

static void every_rule(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  whole_axes(arg);
  whole_axes_of_what_is_written(arg);
  several_whole_axes(arg);
  extents(arg);
  blocks(arg);
}

static const char *const tiny[] = {"REPLICATE_MAX", "0", "TILE_MIN", "1", "CHUNK_BYTES", "512",
                                   "INLINE_ELEMS",  "0", NULL};

Test(task_axes, on_few_ranks)
{
  run_on(1, NULL, every_rule);
  run_on(3, NULL, every_rule); /* all of it on every rank */
  for (int n = 1; n <= 4; n++) run_on(n, tiny, every_rule);
}

Test(task_axes, on_many_ranks_and_threads)
{
  static const char *const split[] = {"REPLICATE_MAX", "0", "TILE_MIN", "16", "THREADS", "3", NULL};
  static const char *const twice[] = {"REPLICATE_MAX", "0", "TILE_MIN", "1", "REPLAN", "1",
                                      "HALO_MAX",      "0", NULL};
  run_on(1, NULL, every_rule);
  run_on(8, tiny, every_rule);
  run_on(4, split, every_rule);
  run_on(2, twice, every_rule);
}

/* The cut. */

static void is_cut_elsewhere(void *arg, int rank)
{
  shared *s = arg;
  for (int axis = 0; axis < 2; axis++) {
    const tsr_function f = tsr_task(
        "along", axis == 0 ? "float64 x, whole(0), grain(8)" : "float64 x, whole(1), grain(8)",
        "float64 y", along);
    tsr_array x = ramp(TSR_SHAPE(64, 64)), y;
    const uint64_t before = tsr__context_counters()->n_task_runs;
    CHECK(s, tsr_call_data(&y, f, &axis, sizeof axis, x) == TSR_OK);
    CHECK(s, tsr_flush() == TSR_OK);
    tsr_local_tile tile;
    CHECK(s, tsr_local(y, NULL, false, &tile) == TSR_OK);
    CHECK(s, tile.n[axis] == 64 && tile.n[1 - axis] == 64 / tsr_n_ranks());
    CHECK(s, tsr_local_end(&tile) == TSR_OK);
    CHECK(s, tsr__context_counters()->n_task_runs - before > 1); /* chunks of it */
  }
}

Test(task_axes, the_other_axis_is_cut)
{
  static const char *const cut[] = {"REPLICATE_MAX", "0",    "TILE_MIN",     "64",  "THREADS", "2",
                                    "PLACES",        "1",    "DEVICE",       "cpu", "REPLAN",  "0",
                                    "CHUNK_BYTES",   "4000", "INLINE_ELEMS", "0",   NULL};
  for (int n = 1; n <= 4; n *= 2) run_on(n, cut, is_cut_elsewhere);
}

/* Edges and mistakes. */

Test(task_axes, of_no_points)
{
  tsr_array none = tsr_zeros(TSR_SHAPE(0, 3)), out[2];
  tsr_function f = tsr_task("f", "float64 x", "float64 a[4] sum, int32 b[2, 2] prod", classes);
  cr_assert_eq(tsr_call_outputs(out, f, none), TSR_OK);
  EXPECT_VALUES(out[0], TSR_SHAPE(4), 0, 0, 0, 0);
  EXPECT_VALUES(out[1], TSR_SHAPE(2, 2), 1, 1, 1, 1);
  f = tsr_task("f", "float64 x, whole(1)", "float64 y", along);
  EXPECT_VALUES(tsr_call(f, none), TSR_SHAPE(0, 3), 0);
}

/* Leaves the outputs as they are. */
static int nothing(const tsr_task_box *box)
{
  return box->n_out == 0;
}

Test(task_axes, outputs_begin_as_the_value_of_no_points)
{
  tsr_array out[8];
  const tsr_function f =
      tsr_task("nothing", "float64 x",
               "float64 a[2] sum, float32 b[2] prod, uint8 c[2] min, int16 d[2] max, "
               "float64 e[2] min, bool f[2] any, bool g[2] all, complex128 h[2] prod",
               nothing);
  cr_assert_eq(tsr_call_outputs(out, f, tsr_ones(TSR_SHAPE(5000))), TSR_OK);
  EXPECT_VALUES(out[0], TSR_SHAPE(2), 0, 0);
  EXPECT_VALUES(out[1], TSR_SHAPE(2), 1, 1);
  EXPECT_VALUES(out[2], TSR_SHAPE(2), 255, 255);
  EXPECT_VALUES(out[3], TSR_SHAPE(2), -32768, -32768);
  EXPECT_VALUES(out[4], TSR_SHAPE(2), (double)INFINITY, (double)INFINITY);
  EXPECT_VALUES(out[5], TSR_SHAPE(2), 0, 0);
  EXPECT_VALUES(out[6], TSR_SHAPE(2), 1, 1);
  EXPECT_VALUES(tsr_real(out[7]), TSR_SHAPE(2), 1, 1);
}

Test(task_axes, declarations_that_are_wrong)
{
  static const struct {
    const char *inputs, *outputs;
    tsr_status status;
    const char *says[5]; /* NULL-terminated, in this order */
  } rows[] = {
      {"float64 x, whole 1", "float64 y", TSR_ERR_SYNTAX, {"expected `(` and an axis", "whole 1"}},
      {"float64 x, whole(x)",
       "float64 y",
       TSR_ERR_SYNTAX,
       {"an axis is a whole number from -8 to 7", "whole(x)", "^", "help: whole(1)"}},
      {"float64 x, whole(8)", "float64 y", TSR_ERR_SYNTAX, {"an axis is a whole number"}},
      {"float64 x, whole(-9)", "float64 y", TSR_ERR_SYNTAX, {"an axis is a whole number"}},
      {"float64 x, whole(-0)", "float64 y", TSR_ERR_SYNTAX, {"an axis is a whole number"}},
      {"float64 x, whole(1", "float64 y", TSR_ERR_SYNTAX, {"expected `,` or `)`"}},
      {"float64 x, whole(0,1,2,3,4,5,6,7,0)",
       "float64 y",
       TSR_ERR_SYNTAX,
       {"at most 8 whole axes"}},
      {"float64 x", "float64 y, whole(1)", TSR_ERR_SYNTAX, {"whole axes stand among the inputs"}},
      {"float64 x[3]", "float64 y", TSR_ERR_SYNTAX, {"expected `,` or the end", "float64 x[3]"}},
      {"float64 x",
       "float64 y[3]",
       TSR_ERR_SYNTAX,
       {"an output with an extent is reduced", "float64 y[3]", "help: sum, prod"}},
      {"float64 x", "float64 y[3], float64 z sum", TSR_ERR_SYNTAX, {"with an extent is reduced"}},
      {"float64 x",
       "float64 y[0] sum",
       TSR_ERR_SYNTAX,
       {"a length is a whole number, 1 or more", "float64 y[0] sum", "^"}},
      {"float64 x", "float64 y[n] sum", TSR_ERR_SYNTAX, {"a length is a whole number"}},
      {"float64 x", "float64 y[] sum", TSR_ERR_SYNTAX, {"a length is a whole number"}},
      {"float64 x", "float64 y[65536, 65536] sum", TSR_ERR_SYNTAX, {"at most 2^31"}},
      {"float64 x", "float64 y[1,1,1,1,1,1,1,1] sum", TSR_ERR_SYNTAX, {"at most 7 axes"}},
      {"float64 x", "float64 y[3 sum", TSR_ERR_SYNTAX, {"expected `,` or `]`"}},
      {"float64 x", "float64 y[3] halo(1)", TSR_ERR_SYNTAX, {"an unknown rule"}},
      {"float64 x",
       "float64 z, float64 y[3] sum",
       TSR_ERR_ARGUMENT,
       {"outputs of its points and of its blocks"}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cr_expect_eq(tsr_task("f", rows[i].inputs, rows[i].outputs, nothing).id, 0, "row %d", (int)i);
    expect_error(rows[i].status, rows[i].says);
  }
}

Test(task_axes, calls_that_are_wrong)
{
  tsr_array x = tsr_ones(TSR_SHAPE(2, 3));
  tsr_function f = tsr_task("f", "float64 x, whole(2)", "float64 y", nothing);
  cr_expect_not(tsr_ok(tsr_call(f, x)));
  EXPECT_ERROR(TSR_ERR_AXIS, "task f is whole along axis 2, but its points have 2 axes");
  f = tsr_task("f", "float64 x, whole(-2)", "float64 y", nothing);
  cr_expect_not(tsr_ok(tsr_call(f, tsr_slice(x, "0"))));
  EXPECT_ERROR(TSR_ERR_AXIS, "task f is whole along axis -2, but its points have 1 axis");
  f = tsr_task("f", "float64 x", "float64 y[3] sum", nothing);
  cr_expect_not(tsr_ok(tsr_call(f, tsr_ones(TSR_SHAPE(1, 1, 1, 1, 1, 1, 1, 2)))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the blocks' values of output `y` of task f have 9 axes");
  f = tsr_task("f", "float64 x", "float64 y[1, 1, 1] blocks", nothing);
  cr_expect_not(tsr_ok(tsr_call(f, tsr_ones(TSR_SHAPE(1, 1, 1, 1, 1, 2)))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "of task f have 9 axes");
}
