/* Users' tasks: every rule on ranks and in boxes against loops over host memory, what is written
 * where arguments meet, empty and small arrays, and functions that fail. */
#include "runtime/base/text.h"
#include "task_test.h"

TestSuite(task, .init = begin, .fini = end, .timeout = 120);

/* Functions. */

/* Where element `at` of an argument lies. */
static void *place(const tsr_task_argument *a, const int64_t *at)
{
  char *p = a->data;
  for (int k = 0; k < a->ndim; k++) p += at[k] * a->stride_bytes[k];
  return p;
}

static double value(const tsr_task_argument *a, const int64_t *at)
{
  const void *p = place(a, at);
  switch (a->dtype) {
  case TSR_FLOAT64:
    return *(const double *)p;
  case TSR_FLOAT32:
    return (double)*(const float *)p;
  case TSR_INT64:
    return (double)*(const int64_t *)p;
  default:
    return (double)*(const int32_t *)p;
  }
}

static void put(const tsr_task_argument *a, const int64_t *at, double v)
{
  void *p = place(a, at);
  switch (a->dtype) {
  case TSR_FLOAT64:
    *(double *)p = v;
    return;
  case TSR_FLOAT32:
    *(float *)p = (float)v;
    return;
  case TSR_INT64:
    *(int64_t *)p = (int64_t)v;
    return;
  default:
    *(int32_t *)p = (int32_t)v;
  }
}

/* The next point of the box; false: there is none. */
static bool next(const tsr_task_box *box, int64_t *at)
{
  for (int k = box->ndim - 1; k >= 0; k--) {
    if (++at[k] < box->shape[k]) return true;
    at[k] = 0;
  }
  return false;
}

/* y = 2 a + b */
static int axpy(const tsr_task_box *box)
{
  int64_t at[TSR_MAX_NDIM] = {0};
  do put(&box->out[0], at, 2 * value(&box->in[0], at) + value(&box->in[1], at));
  while (next(box, at));
  return 0;
}

/* y: the sum of what there is of the halo around x, the farther the less; z: how many. */
static int around(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0];
  int64_t at[TSR_MAX_NDIM] = {0};
  do {
    double sum = 0;
    int64_t from[TSR_MAX_NDIM], to[TSR_MAX_NDIM], here[TSR_MAX_NDIM], n = 0;
    for (int k = 0; k < box->ndim; k++) {
      /* 2 before and 1 behind along axis 0, 1 on either side of the others */
      const int64_t i = box->offset[k] + at[k], before = k == 0 ? 2 : 1;
      from[k] = here[k] = at[k] - (i < before ? i : before);
      to[k] = at[k] + (i + 1 < box->domain[k]);
      if (from[k] < -x->before[k] || to[k] >= box->shape[k] + x->after[k]) return 1;
    }
    for (int k = 0; k >= 0; n++) {
      sum += value(x, here) * (double)(n + 1);
      for (k = box->ndim - 1; k >= 0; k--) {
        if (++here[k] <= to[k]) break;
        here[k] = from[k];
      }
    }
    put(&box->out[0], at, sum);
    put(&box->out[1], at, (double)n);
  } while (next(box, at));
  return 0;
}

/* y = table[k mod its length, axis 1 alone being read] */
static int look_up(const tsr_task_box *box)
{
  const tsr_task_argument *k = &box->in[0], *table = &box->in[1];
  int64_t at[TSR_MAX_NDIM] = {0};
  if (table->data == NULL) return 5;
  do {
    const int64_t which[2] = {0, (int64_t)value(k, at) % table->shape[1]};
    put(&box->out[0], at, value(table, which));
  } while (next(box, at));
  return 0;
}

/* x += 2 y, z = x as it was */
static int update(const tsr_task_box *box)
{
  int64_t at[TSR_MAX_NDIM] = {0};
  do {
    const double x = value(&box->in[0], at);
    put(&box->in[0], at, x + 2 * value(&box->in[1], at));
    if (box->n_in > 2) put(&box->in[2], at, x);
  } while (next(box, at));
  return 0;
}

/* The block's sum of x, its largest, and how many there are. */
static int measure(const tsr_task_box *box)
{
  int64_t at[TSR_MAX_NDIM] = {0}, n = 0;
  double sum = 0, most = value(&box->in[0], at);
  do {
    const double v = value(&box->in[0], at);
    sum += v;
    if (v > most) most = v;
    n++;
  } while (next(box, at));
  put(&box->out[0], NULL, sum);
  put(&box->out[1], NULL, most);
  put(&box->out[2], NULL, (double)n);
  return 0;
}

typedef struct settings {
  double factor;
  int64_t fails_at; /* the point of this number along axis 0 */
} settings;

static int scaled(const tsr_task_box *box)
{
  const settings *s = box->data;
  int64_t at[TSR_MAX_NDIM] = {0};
  if (box->data_bytes != sizeof *s) return -1;
  do {
    if (box->offset[0] + at[0] == s->fails_at) return 42;
    put(&box->out[0], at, s->factor * value(&box->in[0], at));
  } while (next(box, at));
  return 0;
}

/* Values on ranks. */

enum { ROWS = 37, COLUMNS = 53 };

static tsr_array ramp(tsr_dims shape)
{
  int64_t n = 1;
  for (int k = 0; k < shape.ndim; k++) n *= shape.n[k];
  tsr_array x = tsr_arange(0, (double)n, 1, TSR_FLOAT64);
  x = tsr_add(tsr_remainder(tsr_multiply(x, 7), 31), 0.25);
  return tsr_copy(tsr_reshape(x, shape));
}

static void points(shared *s)
{
  double host[ROWS][COLUMNS], out[ROWS][COLUMNS];
  tsr_array x = ramp(TSR_SHAPE(ROWS, COLUMNS));
  CHECK(s, tsr_to_host(x, host) == TSR_OK);
  tsr_function f = tsr_task("axpy", "T a, float64 b", "float64 y", axpy);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) out[i][j] = 2 * host[i][j] + host[3][j];
  CHECK(s, same(tsr_call(f, x, tsr_slice(x, "3")), out[0], ROWS * COLUMNS));
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) out[i][j] = 2 * host[i][COLUMNS - 1 - j] + host[i][5];
  CHECK(s,
        same(tsr_call(f, tsr_slice(x, ":, ::-1"), tsr_slice(x, ":, 5:6")), out[0], ROWS * COLUMNS));
  double turned[COLUMNS * ROWS];
  int64_t n = 0;
  for (int j = 1; j < COLUMNS; j += 3)
    for (int i = 0; i < ROWS; i += 2) turned[n++] = 2 * host[i][j] + 0.5;
  tsr_array part = tsr_transpose(tsr_slice(x, "::2, 1::3"));
  CHECK(s, same(tsr_call(f, part, 0.5), turned, n));
  CHECK(s, same(tsr_call(f, tsr_astype(part, TSR_FLOAT32), 0.5), turned, n));
  part = tsr_add(part, 0); /* made by the window that the task runs in */
  CHECK(s, same(tsr_add(tsr_call(f, part, tsr_full(TSR_SHAPE(), 0.5)), 0), turned, n));
}

/* Any strides: element [i][j] of n x m lies at base + i*row + j*column. */
static void around_on_host(const double *base, int64_t row, int64_t column, int n, int m,
                           double *sums, double *counts)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0;
      int count = 0;
      for (int a = i - 2 > 0 ? i - 2 : 0; a <= i + 1 && a < n; a++)
        for (int b = j - 1 > 0 ? j - 1 : 0; b <= j + 1 && b < m; b++)
          sum += base[a * row + b * column] * ++count;
      sums[i * m + j] = sum;
      counts[i * m + j] = count;
    }
}

static void halos(shared *s)
{
  double host[ROWS][COLUMNS], sums[ROWS * COLUMNS], counts[ROWS * COLUMNS];
  tsr_array x = ramp(TSR_SHAPE(ROWS, COLUMNS)), out[2];
  CHECK(s, tsr_to_host(x, host) == TSR_OK);
  tsr_function f = tsr_task("around", "float64 x halo(2:1, 1)", "float64 y, int32 n", around);
  around_on_host(host[0], COLUMNS, 1, ROWS, COLUMNS, sums, counts);
  for (int i = 0; i < 3; i++) { /* remembered from the second on */
    CHECK(s, tsr_call_outputs(out, f, x) == TSR_OK);
    CHECK(s, same(out[0], sums, ROWS * COLUMNS));
    CHECK(s, same(out[1], counts, ROWS * COLUMNS));
    CHECK(s, tsr_dtype_of(out[1]) == TSR_INT32);
  }
  /* what lies outside a view is not its halo */
  around_on_host(&host[5][50], COLUMNS, -2, 20, 20, sums, counts);
  CHECK(s, tsr_call_outputs(out, f, tsr_slice(x, "5:25, 50:10:-2")) == TSR_OK);
  CHECK(s, same(out[0], sums, 400) && same(out[1], counts, 400));
  around_on_host(&host[30][1], -2 * COLUMNS, 5, 16, 10, sums, counts);
  CHECK(s, tsr_call_outputs(out, f, tsr_slice(x, "30::-2, 1:50:5")) == TSR_OK);
  CHECK(s, same(out[0], sums, 160) && same(out[1], counts, 160));
  around_on_host(&host[2][3], 3, 2 * COLUMNS, 16, 17, sums, counts);
  tsr_array turned = tsr_transpose(tsr_slice(x, "2:36:2, 3:51:3"));
  CHECK(s, tsr_call_outputs(out, f, turned) == TSR_OK);
  CHECK(s, same(out[1], counts, 16 * 17) && same(out[0], sums, 16 * 17));
  around_on_host(host[0], COLUMNS, 1, 2, 1, sums, counts); /* as wide as there is */
  CHECK(s, tsr_call_outputs(out, f, tsr_slice(x, ":2, :1")) == TSR_OK);
  CHECK(s, same(out[0], sums, 2) && same(out[1], counts, 2));
}

/* A loop: each step reads what the one before wrote, and the first output of one is never read. */
static void steps(shared *s)
{
  double a[ROWS * COLUMNS], b[ROWS * COLUMNS], counts[ROWS * COLUMNS];
  tsr_array x = ramp(TSR_SHAPE(ROWS, COLUMNS));
  CHECK(s, tsr_to_host(x, a) == TSR_OK);
  tsr_function f = tsr_task("around", "float64 x halo(2:1, 1)", "float64 y, int32 n", around);
  for (int i = 0; i < 6; i++) {
    TSR_SCOPE();
    tsr_array out[2];
    CHECK(s, tsr_call_outputs(out, f, tsr_multiply(x, 0.125)) == TSR_OK);
    for (int k = 0; k < ROWS * COLUMNS; k++) a[k] *= 0.125;
    around_on_host(a, COLUMNS, 1, ROWS, COLUMNS, b, counts);
    for (int k = 0; k < ROWS * COLUMNS; k++) a[k] = b[k] + (i == 3 ? counts[k] : 0);
    tsr_assign(x, i == 3 ? tsr_add(out[0], out[1]) : out[0]);
  }
  CHECK(s, same(x, a, ROWS * COLUMNS));
}

static void tables(shared *s)
{
  double host[ROWS][COLUMNS], out[ROWS * COLUMNS];
  tsr_array x = ramp(TSR_SHAPE(ROWS, COLUMNS));
  CHECK(s, tsr_to_host(x, host) == TSR_OK);
  tsr_function f = tsr_task("look_up", "T k, raw float64 table", "float64 y", look_up);
  for (int i = 0; i < ROWS * COLUMNS; i++) out[i] = host[4][(int)((double *)host)[i] % COLUMNS];
  CHECK(s, same(tsr_call(f, x, tsr_slice(x, "4:5")), out, ROWS * COLUMNS));
  for (int i = 0; i < ROWS * COLUMNS; i++)
    out[i] = host[36 - 2 * ((int)((double *)host)[i] % 19)][7];
  tsr_array column = tsr_transpose(tsr_slice(x, "::-2, 7:"));
  CHECK(s, same(tsr_call(f, x, column), out, ROWS * COLUMNS));
  CHECK(s, same(tsr_call(f, 5, tsr_slice(x, ":1, :5")), host[0], 1));
  CHECK(s, same(tsr_call(f, tsr_full(TSR_SHAPE(2), 10, TSR_INT64), tsr_multiply(x, 1)),
                (const double[]){host[0][10], host[0][10]}, 2));
}

static void written(shared *s)
{
  double host[ROWS][COLUMNS], old[ROWS][COLUMNS];
  tsr_array x = ramp(TSR_SHAPE(ROWS, COLUMNS)), y = tsr_zeros(TSR_SHAPE(COLUMNS, ROWS));
  CHECK(s, tsr_to_host(x, host) == TSR_OK);
  tsr_function in_place = tsr_task("update", "inout float64 x, float64 y", "", update);
  CHECK(s, tsr_call_outputs(NULL, in_place, x, 0.5) == TSR_OK);
  for (int i = 0; i < ROWS * COLUMNS; i++) ((double *)host)[i] += 1;
  CHECK(s, same(x, host[0], ROWS * COLUMNS));
  /* a part of it, backwards, and by a row of itself */
  memcpy(old, host, sizeof old);
  CHECK(s, tsr_call_outputs(NULL, in_place, tsr_slice(x, "1::2, ::-3"), tsr_slice(x, "3, :18")) ==
               TSR_OK);
  for (int i = 1; i < ROWS; i += 2)
    for (int j = COLUMNS - 1, k = 0; j >= 0; j -= 3, k++) host[i][j] += 2 * old[3][k];
  CHECK(s, same(x, host[0], ROWS * COLUMNS));
  /* its neighbour's values as they were */
  memcpy(old, host, sizeof old);
  CHECK(s, tsr_call_outputs(NULL, in_place, tsr_slice(x, "1:"), tsr_slice(x, ":-1")) == TSR_OK);
  for (int i = 1; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) host[i][j] += 2 * old[i - 1][j];
  CHECK(s, same(x, host[0], ROWS * COLUMNS));
  /* two, one of them transposed */
  tsr_function two = tsr_task("update", "inout float64 x, float64 y, out float64 z", "", update);
  CHECK(s, tsr_call_outputs(NULL, two, tsr_transpose(x), 1, y) == TSR_OK);
  double before[COLUMNS * ROWS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) before[j * ROWS + i] = host[i][j];
  CHECK(s, same(y, before, ROWS * COLUMNS));
  for (int i = 0; i < ROWS * COLUMNS; i++) ((double *)host)[i] += 2;
  CHECK(s, same(x, host[0], ROWS * COLUMNS));
}

/* The bits do not depend on ranks and boxes: sums of numbers that do not add up exactly. */
static double reduced(shared *s, tsr_dims shape)
{
  tsr_array x = tsr_sqrt(ramp(shape)), out[3];
  tsr_function f =
      tsr_task("measure", "float64 x", "float64 sum sum, float64 most max, int64 n sum", measure);
  CHECK(s, tsr_call_outputs(out, f, x) == TSR_OK);
  CHECK(s, tsr_ndim(out[0]) == 0 && tsr_dtype_of(out[2]) == TSR_INT64);
  CHECK(s, tsr_item_i64(out[2]) == tsr_size(x));
  CHECK(s, tsr_item_f64(out[1]) == tsr_item_f64(tsr_max(x)));
  const double sum = tsr_item_f64(out[0]), expected = tsr_item_f64(tsr_sum(x));
  CHECK(s, sum > expected * (1 - 1e-12) && sum < expected * (1 + 1e-12));
  f = tsr_task("measure", "float64 x", "float64 sum blocks, float64 most max, int64 n blocks",
               measure);
  CHECK(s, tsr_call_outputs(out, f, x) == TSR_OK);
  CHECK(s, tsr_ndim(out[0]) == shape.ndim && tsr_item_i64(tsr_sum(out[2])) == tsr_size(x));
  CHECK(s, tsr_item_f64(tsr_sum(out[0])) == sum);
  return sum;
}

static double sums[3]; /* of one rank */

static void reductions(shared *s)
{
  const double got[] = {reduced(s, TSR_SHAPE(ROWS, COLUMNS)), reduced(s, TSR_SHAPE(20011)),
                        reduced(s, TSR_SHAPE(9, 40, 61))};
  for (int i = 0; i < 3 && tsr_n_ranks() > 1; i++) CHECK(s, got[i] == sums[i]);
  for (int i = 0; i < 3 && tsr_n_ranks() == 1; i++) sums[i] = got[i];
}

static void data(shared *s)
{
  double host[ROWS], out[ROWS];
  tsr_array x = ramp(TSR_SHAPE(ROWS)), y;
  CHECK(s, tsr_to_host(x, host) == TSR_OK);
  tsr_function f = tsr_task("scaled", "float64 x", "float64 y", scaled);
  for (int k = 1; k < 4; k++) {
    settings how = {.factor = k, .fails_at = -1};
    CHECK(s, tsr_call_data(&y, f, &how, sizeof how, x) == TSR_OK);
    how.factor = 1000; /* it is a copy */
    for (int i = 0; i < ROWS; i++) out[i] = k * host[i];
    CHECK(s, same(y, out, ROWS));
  }
}

static int sum_of_all(const tsr_task_box *box)
{
  const double *extra = box->data;
  for (int64_t i = 0; i < box->shape[0]; i++) {
    double sum = *extra;
    for (int k = 0; k < 16; k++)
      sum += *(const double *)((const char *)box->in[k].data + i * box->in[k].stride_bytes[0]);
    *(double *)((char *)box->out[0].data + i * box->out[0].stride_bytes[0]) = sum;
  }
  return 0;
}

Test(task, takes_as_many_inputs_as_may_be_beside_data)
{
  tsr_text inputs = {0};
  for (int k = 0; k < 16; k++) tsr__text_add(&inputs, "%sfloat64 x%d", k > 0 ? ", " : "", k);
  tsr_function f = tsr_task("sum_of_all", inputs.s, "float64 y", sum_of_all);
  tsr__text_free(&inputs);
  tsr_array x = tsr_arange(3.), y;
  const double one = 1;
  cr_assert_eq(
      tsr_call_data(&y, f, &one, sizeof one, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x),
      TSR_OK);
  EXPECT_VALUES(y, TSR_SHAPE(3), 1, 17, 33);
}

static void every_rule(void *arg, int rank)
{
  shared *s = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  points(s);
  halos(s);
  steps(s);
  tables(s);
  written(s);
  reductions(s);
  data(s);
}

/* Each test is a process: one rank says what reductions give on several. */
static void run_on_one_and(int n, const char *const *settings)
{
  run_on(1, NULL, every_rule);
  run_on(n, settings, every_rule);
}

static const char *const tiny[] = {"REPLICATE_MAX", "0", "TILE_MIN", "1", "CHUNK_BYTES", "512",
                                   "INLINE_ELEMS",  "0", NULL};

Test(task, every_rule_on_few_ranks)
{
  run_on_one_and(3, NULL); /* all of it on every rank */
  for (int n = 1; n <= 3; n++) run_on(n, tiny, every_rule);
}

Test(task, every_rule_on_many_ranks)
{
  run_on_one_and(4, tiny);
  run_on(8, tiny, every_rule);
}

Test(task, every_rule_on_threads)
{
  static const char *const split[] = {"REPLICATE_MAX", "0", "TILE_MIN", "16", "THREADS", "3", NULL};
  run_on_one_and(4, split);
}

Test(task, every_rule_twice)
{
  static const char *const twice[] = {"REPLICATE_MAX", "0", "TILE_MIN", "1", "REPLAN", "1",
                                      "HALO_MAX",      "0", NULL};
  run_on_one_and(2, twice);
  run_on(5, twice, every_rule);
}

/* A grain. */

/* Smooths few points three times: each rank has its tile of them, and each thread its boxes. */
static void of_grain(shared *s, int n_threads, int64_t n, int64_t grain, const char *inputs)
{
  const tsr_function f = tsr_task("around", inputs, "float64 y, int32 n", around);
  double host[64], sums[64], counts[64];
  TSR_SCOPE();
  tsr_array x = ramp(TSR_SHAPE(n)), out[2];
  CHECK(s, tsr_to_host(x, host) == TSR_OK);
  const uint64_t before = tsr__context_counters()->n_task_runs,
                 sent = tsr__context_counters()->n_messages;
  for (int step = 0; step < 3; step++) {
    around_on_host(host, 1, 0, (int)n, 1, sums, counts);
    memcpy(host, sums, sizeof host);
    CHECK(s, tsr_call_outputs(out, f, x) == TSR_OK);
    tsr_replace(&x, out[0]);
    tsr_release(&out[1]);
  }
  CHECK(s, tsr_flush() == TSR_OK);
  const int64_t most = n / grain, ranks = tsr_n_ranks(), tiles = most < ranks ? most : ranks;
  const uint64_t runs = tsr__context_counters()->n_task_runs - before;
  tsr_local_tile tile;
  CHECK(s, tsr_local(x, NULL, false, &tile) == TSR_OK);
  if (tiles <= 1) {
    CHECK(s, tsr__context_counters()->n_messages == sent);
  } else {
    CHECK(s, tile.n[0] < n);
    CHECK(s, tile.n[0] == 0 || tsr__context_counters()->n_messages > sent);
    CHECK(s, tiles < ranks || (tile.n[0] >= grain && tile.n[0] <= n / tiles + 1));
  }
  const bool is_cut = tile.n[0] >= 2 * grain && n_threads > 1;
  CHECK(s, is_cut ? runs > 3 : runs >= 3 || tile.n[0] == 0);
  CHECK(s, n_threads == 0 || runs <= (uint64_t)(3 * (tile.n[0] / grain + 2)));
  CHECK(s, tsr_local_end(&tile) == TSR_OK);
  CHECK(s, same(x, host, n));
}

static void grains(shared *s, int n_threads)
{
  of_grain(s, n_threads, 8, 1, "float64 x halo(2:1), grain(1)");
  of_grain(s, n_threads, 32, 1, "grain(1), float64 x halo(2:1)");
  of_grain(s, n_threads, 64, 16, "float64 x halo(2:1), grain(16)");
  of_grain(s, n_threads, 30, 64, "float64 x halo(2:1), grain(64)");
  double total = 0;
  tsr_array x = ramp(TSR_SHAPE(10)), out[3];
  const tsr_function f = tsr_task("measure", "float64 x, grain(3)",
                                  "float64 s blocks, float64 m blocks, int64 n blocks", measure);
  CHECK(s, tsr_call_outputs(out, f, x) == TSR_OK);
  CHECK(s, tsr_size(out[0]) == 4); /* blocks of a grain */
  for (int i = 0; i < 10; i++) total += i * 7 % 31 + 0.25;
  CHECK(s, tsr_item_f64(tsr_sum(out[0])) == total);
}

static void grains_of_one_thread(void *arg, int rank)
{
  grains(arg, 1);
}

static void grains_of_two_threads(void *arg, int rank)
{
  grains(arg, 2);
}

/* What is planned again is run again, so boxes are not counted. */
static void grains_of_any_threads(void *arg, int rank)
{
  grains(arg, 0);
}

Test(task, of_a_grain_is_cut_down_to_it)
{
  static const char *const one[] = {"THREADS", "1", "PLACES", "1", "TIME_STEPS", "1", NULL};
  static const char *const two[] = {"THREADS", "2", "PLACES", "1", "TIME_STEPS", "1", NULL};
  static const char *const again[] = {"THREADS", "2",          "PLACES", "1", "REPLAN",
                                      "1",       "TIME_STEPS", "1",      NULL};
  for (int n = 1; n <= 4; n++) {
    run_on(n, one, grains_of_one_thread);
    run_on(n, two, grains_of_two_threads);
    run_on(n, again, grains_of_any_threads);
  }
}

/* Edges. */

static int64_t n_runs(void)
{
  return (int64_t)tsr__context_counters()->n_task_runs;
}

Test(task, of_no_points_does_not_run)
{
  tsr_array none = tsr_zeros(TSR_SHAPE(0, 3)), out[3];
  tsr_function f = tsr_task("axpy", "float64 a, float64 b", "float64 y", axpy);
  EXPECT_VALUES(tsr_call(f, none, 1), TSR_SHAPE(0, 3), 0);
  f = tsr_task("update", "inout float64 x, float64 y", "", update);
  cr_expect_eq(tsr_call_outputs(NULL, f, none, 1), TSR_OK);
  f = tsr_task("measure", "float64 x", "float64 sum sum, float64 most prod, int64 n sum", measure);
  cr_expect_eq(tsr_call_outputs(out, f, none), TSR_OK);
  EXPECT_VALUES(out[0], TSR_SHAPE(), 0);
  EXPECT_VALUES(out[1], TSR_SHAPE(), 1);
  cr_expect_eq(n_runs(), 0);
  f = tsr_task("look_up", "float64 k, raw float64 table", "float64 y", look_up);
  tsr_array y = tsr_call(f, tsr_ones(TSR_SHAPE(2)), none); /* it is told: there is no table */
  cr_expect_eq(tsr_flush(), TSR_OK);
  EXPECT_ERROR(tsr_item_f64(tsr_slice(y, "0")) == 0 ? 0 : TSR_ERR_TASK, "TSR0701", "look_up",
               "returned 5");
}

/* There is no point whose halo could reach beyond the array. */
static void halo_of_nothing(void *arg, int rank)
{
  shared *s = arg;
  TSR_SCOPE();
  tsr_function f = tsr_task("around", "float64 x halo(2:1)", "float64 y, int32 n", around);
  const tsr_dims shapes[] = {TSR_SHAPE(0), TSR_SHAPE(0, 5), TSR_SHAPE(5, 0), TSR_SHAPE(1, 0, 5)};
  for (int i = 0; i < 4; i++) {
    tsr_array out[2];
    CHECK(s, tsr_call_outputs(out, f, tsr_zeros(shapes[i])) == TSR_OK);
    CHECK(s, tsr_shape(out[0]).ndim == shapes[i].ndim && tsr_size(out[0]) == 0);
    CHECK(s, tsr_flush() == TSR_OK);
    CHECK(s, tsr_item_f64(tsr_sum(out[0])) == 0);
  }
  CHECK(s, n_runs() == 0);
}

Test(task, of_no_points_has_any_halo)
{
  static const char *const tiny[] = {"TILE_MIN", "1", "REPLICATE_MAX", "0", NULL};
  for (int n = 1; n <= 3; n++) run_on(n, tiny, halo_of_nothing);
}

Test(task, of_one_point)
{
  tsr_function f = tsr_task("axpy", "float32 a, T b", "T y", axpy);
  tsr_array y = tsr_call(f, 3, tsr_full(TSR_SHAPE(), 4, TSR_INT32));
  cr_expect_eq(tsr_dtype_of(y), TSR_INT32);
  EXPECT_VALUES(y, TSR_SHAPE(), 10);
  tsr_array out[3];
  f = tsr_task("measure", "float64 x", "float64 sum sum, float64 most max, int64 n sum", measure);
  cr_expect_eq(tsr_call_outputs(out, f, 2.5), TSR_OK);
  EXPECT_VALUES(out[0], TSR_SHAPE(), 2.5);
  EXPECT_VALUES(out[2], TSR_SHAPE(), 1);
}

static void run_once(void *arg, int rank)
{
  tsr_array x = tsr_arange(0, 6, 1, TSR_FLOAT64), kept = tsr_null();
  tsr_function f = tsr_task("around", "float64 x halo(2:1)", "float64 y, int32 n", around);
  {
    TSR_SCOPE();
    tsr_array out[2];
    cr_assert_eq(tsr_call_outputs(out, f, x), TSR_OK);
  }
  cr_expect_eq(tsr_flush(), TSR_OK);
  cr_expect_eq(n_runs(), 0, "nobody reads it");
  {
    TSR_SCOPE();
    tsr_array out[2];
    cr_assert_eq(tsr_call_outputs(out, f, x), TSR_OK);
    kept = tsr_keep(tsr_add(out[1], 1));
    cr_expect_eq(tsr_flush(), TSR_OK);
    cr_expect_eq(n_runs(), tsr_n_places());
    EXPECT_VALUES(out[1], TSR_SHAPE(6), 2, 3, 4, 4, 4, 3);
    tsr_iadd(x, 100);
    EXPECT_VALUES(out[0], TSR_SHAPE(6), 2, 8, 20, 30, 40, 26);
    cr_expect_eq(n_runs(), tsr_n_places(), "its other output was kept, too");
  }
  EXPECT_VALUES(kept, TSR_SHAPE(6), 3, 4, 5, 5, 5, 4);
  /* a temporary of a recipe */
  tsr_array late = tsr_null();
  {
    TSR_SCOPE();
    tsr_array out[2], twice = tsr_null();
    cr_assert_eq(tsr_call_outputs(out, f, x), TSR_OK);
    twice = tsr_multiply(out[1], 2);
    tsr_release(&out[0]);
    tsr_release(&out[1]);
    cr_expect_eq(tsr_flush(), TSR_OK);
    EXPECT_VALUES(tsr_add(twice, 0), TSR_SHAPE(6), 4, 6, 8, 8, 8, 6);
    late = tsr_keep(twice);
  }
  EXPECT_VALUES(late, TSR_SHAPE(6), 4, 6, 8, 8, 8, 6);
  cr_expect_eq(n_runs(), 2 * tsr_n_places());
}

/* Tiled over time, it would run once for each tile. */
Test(task, runs_once_and_only_for_who_reads)
{
  RUN_RANKS(1, run_once, NULL, "time_steps", "1");
}

Test(task, in_place_where_nothing_else_reads)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(1000)), y = tsr_ones(TSR_SHAPE(1000));
  tsr_function f = tsr_task("update", "inout float64 x, float64 y", "", update);
  cr_assert_eq(tsr_flush(), TSR_OK);
  const uint64_t before = tsr__context_counters()->n_ops;
  cr_assert_eq(tsr_call_outputs(NULL, f, x, y), TSR_OK);
  cr_assert_eq(tsr_flush(), TSR_OK);
  cr_expect_eq(tsr__context_counters()->n_ops - before, 1);
  cr_assert_eq(tsr_call_outputs(NULL, f, x, x), TSR_OK);
  cr_assert_eq(tsr_flush(), TSR_OK);
  cr_expect_eq(tsr__context_counters()->n_ops - before, 3, "and an assignment");
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 6000);
}

/* Failures. */

Test(task, that_fails_loses_what_it_wrote)
{
  tsr_array x = tsr_arange(0, 6, 1, TSR_FLOAT64), y = tsr_null();
  tsr_function f = tsr_task("scaled", "float64 x", "float64 y", scaled);
  const settings how = {.factor = 3, .fails_at = 4};
  cr_assert_eq(tsr_flush(), TSR_OK);
  cr_assert_eq(tsr_call_data(&y, f, &how, sizeof how, x), TSR_OK);
  cr_assert_eq(tsr_flush(), TSR_OK);
  cr_expect(tsr_item_f64(tsr_sum(x)) != 15);
  EXPECT_ERROR(TSR_ERR_TASK, "TSR0701", "task `scaled` returned 42", "test_task.c", "tsr_call_data",
               "what the failed plan made is lost");
  EXPECT_VALUES(x, TSR_SHAPE(6), 0, 1, 2, 3, 4, 5);
  double lost[6];
  cr_expect_neq(tsr_to_host(y, lost), TSR_OK);
  tsr_take_error(NULL, 0);
}

/* What runs after a failed task, and before it is told, is lost, too: on any number of ranks. */
static void write_after_a_failure(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = ramp(TSR_SHAPE(64)), a = tsr_zeros(TSR_SHAPE(64)), other = ramp(TSR_SHAPE(64)), y;
  const settings how = {.factor = 3, .fails_at = 50};
  tsr_function f = tsr_task("scaled", "float64 x", "float64 y", scaled);
  const double sum = tsr_item_f64(tsr_sum(other));
  CHECK((shared *)arg, tsr_call_data(&y, f, &how, sizeof how, x) == TSR_OK);
  CHECK((shared *)arg, tsr_flush() == TSR_OK);
  tsr_exec("a += 1", a);
  (void)tsr_flush();
  tsr_take_error(NULL, 0);
  (void)tsr_item_f64(tsr_sum(a));
  CHECK((shared *)arg, tsr_take_error(NULL, 0) < 0);
  CHECK((shared *)arg, tsr_item_f64(tsr_sum(other)) == sum);
}

Test(task, what_runs_after_a_failure_is_lost)
{
  shared s = {0};
  for (int n = 1; n <= 3; n++)
    RUN_RANKS(n, write_after_a_failure, &s, "threads", "1", "replicate_max", "0", "tile_min", "1");
  cr_expect_eq(s.failures, 0);
}

static void fail_on_one_rank(void *arg, int rank)
{
  shared *s = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = ramp(TSR_SHAPE(64)), y = tsr_null();
  const double sum = tsr_item_f64(tsr_sum(x));
  tsr_function f = tsr_task("scaled", "float64 x", "float64 y", scaled);
  const settings how = {.factor = 3, .fails_at = 50};
  CHECK(s, tsr_call_data(&y, f, &how, sizeof how, x) == TSR_OK);
  CHECK(s, tsr_flush() == TSR_OK);
  double host[64];
  char text[2048];
  CHECK(s, tsr_to_host(x, host) == TSR_ERR_PEER);
  CHECK(s, tsr_take_error(text, sizeof text) == TSR_ERR_PEER);
  CHECK(s, strstr(text, "failed with TSR0701: task `scaled` returned 42") != NULL);
  CHECK(s, tsr_item_f64(tsr_sum(x)) == sum);
  CHECK(s, tsr_to_host(y, host) < 0);
  tsr_take_error(text, sizeof text);
}

Test(task, that_fails_on_one_rank_fails_on_all)
{
  static const char *const spread[] = {"REPLICATE_MAX", "0", "TILE_MIN", "1", NULL};
  run_on(4, spread, fail_on_one_rank);
  run_on(3, NULL, fail_on_one_rank);
}

/** When a task that counts its calls fails. */
typedef struct turns {
  _Atomic int *n_calls;
  int fails_at; /* number of the call, from 1 on */
} turns;

/* Fails in one call alone, as a task that is out of memory now and then. */
static int fails_once(const tsr_task_box *box)
{
  const turns *t = box->data;
  if (atomic_fetch_add(t->n_calls, 1) + 1 == t->fails_at) return 43;
  int64_t at[TSR_MAX_NDIM] = {0};
  do put(&box->out[0], at, value(&box->in[0], at));
  while (next(box, at));
  return 0;
}

/* Each plan runs twice; a failure of either run is told. */
static void fail_once(void *arg, int rank)
{
  shared *s = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_function f = tsr_task("fails_once", "float64 x", "float64 y", fails_once);
  for (int fails_at = 1; fails_at <= 4; fails_at++) {
    _Atomic int n_calls = 0;
    const turns how = {&n_calls, fails_at};
    TSR_SCOPE();
    tsr_array x = tsr_arange(0, 6, 1, TSR_FLOAT64), y = tsr_null();
    CHECK(s, tsr_flush() == TSR_OK);
    int turn = 0;
    do {
      CHECK(s, tsr_call_data(&y, f, &how, sizeof how, x) == TSR_OK);
      CHECK(s, tsr_flush() == TSR_OK);
      (void)tsr_item_f64(tsr_sum(x));
      turn++;
    } while (turn < 3 && tsr_last_error()[0] == '\0');
    CHECK(s, turn == (fails_at + 1) / 2 && n_calls == 2 * turn);
    char text[2048];
    CHECK(s, tsr_take_error(text, sizeof text) == TSR_ERR_TASK);
    CHECK(s, strstr(text, "task `fails_once` returned 43") != NULL);
  }
}

Test(task, that_fails_in_either_run_of_a_check_has_failed)
{
  static const char *const twice[] = {"REPLAN", "1", "THREADS", "1", "PLACES", "1", NULL};
  run_on(1, twice, fail_once);
}

static void other_data(void *arg, int rank)
{
  shared *s = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = ramp(TSR_SHAPE(64)), y;
  tsr_function f = tsr_task("scaled", "float64 x", "float64 y", scaled);
  const settings how = {.factor = rank, .fails_at = -1};
  CHECK(s, tsr_call_data(&y, f, &how, sizeof how, x) == TSR_OK);
  CHECK(s, tsr_item_f64(tsr_sum(y)) != 0); /* NaN */
  char text[2048];
  CHECK(s, tsr_take_error(text, sizeof text) == TSR_ERR_DIVERGED);
  CHECK(s, strstr(text, "tsr_call_data") != NULL);
}

Test(task, whose_data_differ_between_ranks_is_named)
{
  shared s = {0};
  tsr_run_ranks(2, NULL, other_data, &s);
  cr_expect_eq(s.failures, 0);
}

static int returns_7(const tsr_task_box *box)
{
  return 7;
}

static void fail_and_end(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_function f = tsr_task("returns_7", "float64 x", "float64 y", returns_7);
  tsr_array y = tsr_hold(tsr_call(f, tsr_ones(TSR_SHAPE(1000))));
  tsr_flush();
  tsr_release(&y);
}

Test(task, a_failure_that_nothing_read_is_that_of_the_end)
{
  for (int n = 1; n <= 2; n++) {
    const tsr_status status = tsr_run_ranks(n, NULL, fail_and_end, NULL);
    cr_expect(status == TSR_ERR_TASK || (n > 1 && status == TSR_ERR_PEER), "%d ranks: %d", n,
              status);
  }
}
