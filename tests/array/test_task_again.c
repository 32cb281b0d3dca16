/* Calls of users' tasks that are like earlier ones, and almost like them: each is what it would be
 * without those before it. */
#include "array_test.h"

TestSuite(task_again, .init = begin, .fini = end, .timeout = 120);

enum { N = 24, TURNS = 8 };

/* y = factor * a + b, where the data is the factor, or 2 without data */
static int scaled_sum(const tsr_task_box *box)
{
  const double factor = box->data ? *(const double *)box->data : 2;
  const tsr_task_argument *a = &box->in[0], *b = &box->in[1], *y = &box->out[0];
  for (int64_t i = 0; i < box->shape[0]; i++) {
    const double *u = (const double *)((const char *)a->data + i * a->stride_bytes[0]);
    const double *v = (const double *)((const char *)b->data + i * b->stride_bytes[0]);
    *(double *)((char *)y->data + i * y->stride_bytes[0]) = factor * *u + *v;
  }
  return 0;
}

/* x += y */
static int add_to(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0], *y = &box->in[1];
  for (int64_t i = 0; i < box->shape[0]; i++)
    *(double *)((char *)x->data + i * x->stride_bytes[0]) +=
        *(const double *)((const char *)y->data + i * y->stride_bytes[0]);
  return 0;
}

/* y = how long the table is, and its last element */
static int last(const tsr_task_box *box)
{
  const tsr_task_argument *table = &box->in[1], *y = &box->out[0];
  const int64_t n = table->shape[0];
  const double *end =
      (const double *)((const char *)table->data + (n - 1) * table->stride_bytes[0]);
  for (int64_t i = 0; i < box->shape[0]; i++)
    *(double *)((char *)y->data + i * y->stride_bytes[0]) = (double)(1000 * n) + *end;
  return 0;
}

static void expect(tsr_array x, const double *values, int n)
{
  double got[2 * N];
  cr_assert(n <= 2 * N);
  cr_assert_eq(tsr_size(x), n);
  cr_assert_eq(tsr_to_host(x, got), TSR_OK, "%s", tsr_last_error());
  for (int i = 0; i < n; i++) cr_assert_eq(got[i], values[i], "element %d", i);
}

Test(task_again, takes_the_arrays_and_data_of_each_call)
{
  tsr_function f = tsr_task("scaled_sum", "float64 a, float64 b", "float64 y", scaled_sum);
  tsr_array x = tsr_arange(0, N, 1, TSR_FLOAT64), ones = tsr_ones(TSR_SHAPE(N)), y[TURNS];
  double values[N];
  for (int turn = 0; turn < TURNS; turn++) {
    const double factor = 1 + turn;
    cr_assert_eq(tsr_call_data(&y[turn], f, &factor, sizeof factor, turn % 2 ? ones : x, x),
                 TSR_OK);
  }
  for (int turn = 0; turn < TURNS; turn++) {
    for (int i = 0; i < N; i++) values[i] = (1 + turn) * (turn % 2 ? 1.0 : i) + i;
    expect(y[turn], values, N);
  }
}

Test(task_again, tells_scalars_shapes_views_and_dtypes_apart)
{
  tsr_function f = tsr_task("scaled_sum", "float64 a, float64 b", "float64 y", scaled_sum);
  tsr_array x = tsr_arange(0, N, 1, TSR_FLOAT64), half = tsr_slice(x, ":12"),
            back = tsr_slice(x, "::-1"), narrow = tsr_astype(x, TSR_FLOAT32);
  double values[N];
  for (int turn = 0; turn < 3; turn++) {
    const double b = turn == 1 ? 0.25 : 0.5; /* not that of the turn before */
    tsr_array of_all = tsr_call(f, x, b), of_half = tsr_call(f, half, b),
              of_back = tsr_call(f, back, b), of_narrow = tsr_call(f, narrow, b),
              of_two = tsr_call(f, b, x);
    for (int i = 0; i < N; i++) values[i] = 2 * i + b;
    expect(of_all, values, N);
    expect(of_narrow, values, N);
    expect(of_half, values, N / 2);
    for (int i = 0; i < N; i++) values[i] = 2 * (N - 1 - i) + b;
    expect(of_back, values, N);
    for (int i = 0; i < N; i++) values[i] = 2 * b + i;
    expect(of_two, values, N);
  }
}

Test(task_again, writes_in_place_unless_another_argument_is_the_array)
{
  tsr_function f = tsr_task("add_to", "inout float64 x, float64 y", "", add_to);
  tsr_array x = tsr_ones(TSR_SHAPE(N)), y = tsr_full(TSR_SHAPE(N), 3.0), other = tsr_copy(x);
  tsr_array up = tsr_slice(x, "1:"), down = tsr_slice(x, ":-1"), all = tsr_slice(y, "1:");
  double values[N];
  for (int i = 0; i < N; i++) values[i] = 1;
  for (int turn = 0; turn < TURNS; turn++) {
    cr_assert_eq(tsr_call_outputs(NULL, f, x, y), TSR_OK);
    cr_assert_eq(tsr_call_outputs(NULL, f, turn % 2 ? x : other, turn % 2 ? x : y), TSR_OK);
    cr_assert_eq(tsr_call_outputs(NULL, f, up, turn % 2 ? all : down), TSR_OK);
    for (int i = 0; i < N; i++) values[i] = (turn % 2 ? 2 : 1) * (values[i] + 3);
    for (int i = N - 1; i > 0; i--) values[i] += turn % 2 ? 3 : values[i - 1];
    expect(x, values, N);
  }
  for (int i = 0; i < N; i++) values[i] = 1 + 3 * TURNS / 2;
  expect(other, values, N);
}

Test(task_again, has_the_table_of_each_call)
{
  tsr_function f = tsr_task("last", "float64 x, raw float64 table", "float64 y", last);
  tsr_array x = tsr_zeros(TSR_SHAPE(2)), t = tsr_arange(0, N, 1, TSR_FLOAT64);
  for (int turn = 0; turn < TURNS; turn++) {
    tsr_array table = turn % 3 == 0 ? t : turn % 3 == 1 ? tsr_slice(t, ":5") : tsr_arange(0, 7, 1);
    const double n = turn % 3 == 0 ? N : turn % 3 == 1 ? 5 : 7;
    expect(tsr_call(f, x, table), (const double[]){1001 * n - 1, 1001 * n - 1}, 2);
  }
}

Test(task_again, fails_as_the_first_call_does)
{
  tsr_function f = tsr_task("scaled_sum", "float64 a, float64 b", "float64 y", scaled_sum);
  tsr_function in_place = tsr_task("add_to", "inout float64 x, float64 y", "", add_to);
  tsr_array x = tsr_ones(TSR_SHAPE(N)), y;
  const double factor = 1;
  cr_assert_eq(tsr_call_data(&y, f, &factor, sizeof factor, x, x), TSR_OK);
  cr_assert_eq(tsr_call_outputs(NULL, in_place, x, y), TSR_OK);
  cr_expect_eq(tsr_call_data(&y, f, NULL, sizeof factor, x, x), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the data of task scaled_sum is NULL");
  cr_expect_eq(tsr_call_outputs(NULL, f, x, x), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the place for the outputs is NULL");
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, false, &tile), TSR_OK);
  cr_expect_eq(tsr_call_outputs(NULL, in_place, x, y), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "while its tile is lent");
  tsr_local_end(&tile);
  cr_assert_eq(tsr_local(y, NULL, true, &tile), TSR_OK);
  cr_expect_eq(tsr_call_outputs(NULL, in_place, x, y), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "while its tile is lent");
  tsr_local_end(&tile);
  cr_assert_eq(tsr_call_outputs(NULL, in_place, x, y), TSR_OK);
  double values[N];
  for (int i = 0; i < N; i++) values[i] = 5;
  expect(x, values, N);
}

/* Where the arguments of calls were laid out: the first few places that differ. */
typedef struct places {
  int n;
  const void *v[TURNS];
} places;

/* y = x, noting where the arguments are */
static int note_place(const tsr_task_box *box)
{
  places *p = *(places *const *)box->data;
  int i = 0;
  while (i < p->n && p->v[i] != box->in) i++;
  if (i == p->n && i < TURNS) p->v[p->n++] = box->in;
  for (i = 0; i < box->shape[0]; i++)
    ((double *)box->out[0].data)[i] = ((double *)box->in[0].data)[i];
  return 0;
}

static void lay_out_once(void *arg, int rank)
{
  bool *is_once = arg;
  places p = {.n = 0}, *data = &p;
  tsr_function f = tsr_task("note_place", "float64 x", "float64 y", note_place);
  tsr_array x = tsr_ones(TSR_SHAPE(N)), y = tsr_zeros(TSR_SHAPE(N));
  for (int turn = 0; turn < 4 * TURNS; turn++) {
    TSR_SCOPE();
    if (turn == 2 * TURNS) p.n = 0; /* the plan is remembered by now */
    tsr_array made;
    if (tsr_call_data(&made, f, &data, sizeof data, x) == TSR_OK &&
        tsr_call_data(&made, f, &data, sizeof data, made) == TSR_OK)
      tsr_replace(&y, made);
    tsr_flush();
  }
  *is_once = p.n == 2; /* each of the two calls has its own, in all runs */
}

Test(task_again, arguments_are_laid_out_once)
{
  static const char *const settings[] = {"threads", "1", "device",     "cpu", "places", "1",
                                         "replan",  "0", "time_steps", "1",   NULL};
  bool is_once = false;
  cr_assert_eq(tsr_run_ranks(1, settings, lay_out_once, &is_once), TSR_OK);
  cr_expect(is_once);
}
