/* Shapes on several ranks: every element against its index in flat order, however the arrays are
 * cut. */
#include "array_test.h"

#include <stdatomic.h>

typedef struct shared {
  _Atomic int n_ran, failures;
  int n_groups; /* of rank 0 */
} shared;

/* The element of the result at an index; `shape` is the result's. */
typedef double (*element)(const int64_t *at);

static void check(shared *s, const char *what, tsr_array x, tsr_dims shape, element want)
{
  int64_t n = 1, at[TSR_MAX_NDIM];
  for (int k = 0; k < shape.ndim; k++) n *= shape.n[k];
  double *got = calloc((size_t)n + 1, sizeof *got);
  if (tsr_size(x) != n || tsr_to_host(x, got) != TSR_OK) {
    fprintf(stderr, "%s: %s\n", what, tsr_last_error());
    s->failures++;
    free(got);
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    for (int64_t k = shape.ndim - 1, rest = i; k >= 0; k--) {
      at[k] = rest % shape.n[k];
      rest /= shape.n[k];
    }
    if (got[i] == want(at)) continue;
    fprintf(stderr, "%s: rank %d, element %d is %g, not %g\n", what, tsr_rank(), (int)i, got[i],
            want(at));
    s->failures++;
    break;
  }
  free(got);
}

enum { N = 24, M = 30 };

static int64_t turn(int64_t i, int64_t n)
{
  return (i % n + n) % n;
}

static double flat(const int64_t *at)
{
  return (double)at[0];
}
static double flat_transposed(const int64_t *at)
{
  return (double)(at[0] % N * M + at[0] / N);
}
static double split3(const int64_t *at)
{
  return (double)((at[0] * 40 + at[1]) * 3 + at[2]);
}
static double rolled_rows(const int64_t *at)
{
  return (double)(turn(at[0] - 5, N) * M + at[1]);
}
static double rolled_both(const int64_t *at)
{
  return (double)(turn(at[0] + 1, N) * M + turn(at[1] - 2, M));
}
static double rolled_flat(const int64_t *at)
{
  return (double)turn(at[0] * M + at[1] - 7, N * M);
}
static double joined(const int64_t *at)
{
  return at[0] < N ? (double)(at[0] * M + at[1]) : -(double)((at[0] - N) * M + at[1]);
}
static double stacked(const int64_t *at)
{
  return (at[2] ? -1.0 : 1.0) * (double)(at[0] * M + at[1]);
}
static double tiled(const int64_t *at)
{
  return (double)(at[0] % N * M + at[1] % M);
}
static double repeated(const int64_t *at)
{
  return (double)(at[0] * M + at[1] / 3);
}
static int64_t mirror(int64_t i, int64_t n)
{
  i = turn(i, 2 * n - 2);
  return i < n ? i : 2 * n - 2 - i;
}
static double reflected(const int64_t *at)
{
  return (double)(mirror(at[0] - 3, N) * M + mirror(at[1] - 2, M));
}
static double wrapped(const int64_t *at)
{
  return (double)(turn(at[0] - 30, N) * M + turn(at[1] - 2, M));
}
static double laplacian(const int64_t *at)
{
  int64_t i = at[0], j = at[1];
  return (double)(turn(i - 1, N) * M + j + turn(i + 1, N) * M + j + i * M + turn(j - 1, M) + i * M +
                  turn(j + 1, M) - 4 * (i * M + j));
}
static double written(const int64_t *at)
{
  return (double)(at[0] % 9 == 0 ? 1 : at[0] * 2);
}
static double triangle(const int64_t *at)
{
  return at[1] <= at[0] + 2 ? (double)(at[0] * M + at[1]) : 0;
}

static void program(void *arg, int rank)
{
  shared *s = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array line = tsr_arange(0, N * M, 1), x = tsr_zeros(TSR_SHAPE(N, M));
  tsr_assign(x, tsr_reshape(line, TSR_SHAPE(N, M)));
  const tsr_dims shape = TSR_SHAPE(N, M);
  check(s, "ravel", tsr_ravel(x), TSR_SHAPE(N * M), flat);
  check(s, "ravel of a transpose", tsr_ravel(tsr_transpose(x)), TSR_SHAPE(N * M), flat_transposed);
  check(s, "reshape", tsr_reshape(x, TSR_SHAPE(6, 40, 3)), TSR_SHAPE(6, 40, 3), split3);
  check(s, "reshape of a sum", tsr_add(tsr_reshape(tsr_add(x, 1), TSR_SHAPE(6, 40, 3)), -1),
        TSR_SHAPE(6, 40, 3), split3);
  check(s, "roll of rows", tsr_roll(x, 5, 0), shape, rolled_rows);
  check(s, "roll of both", tsr_roll(x, TSR_SHAPE(-1, 2), TSR_AXES(0, 1)), shape, rolled_both);
  check(s, "roll of a sum", tsr_add(tsr_roll(tsr_add(x, 1), TSR_SHAPE(-1, 2), TSR_AXES(0, 1)), -1),
        shape, rolled_both);
  check(s, "roll in flat order", tsr_roll(x, 7), shape, rolled_flat);
  check(s, "concatenate", tsr_concatenate(TSR_ARRAYS(x, tsr_negative(x))), TSR_SHAPE(2 * N, M),
        joined);
  check(s, "stack", tsr_stack(TSR_ARRAYS(x, tsr_negative(x)), 2), TSR_SHAPE(N, M, 2), stacked);
  check(s, "tile", tsr_tile(x, TSR_SHAPE(2, 3)), TSR_SHAPE(2 * N, 3 * M), tiled);
  check(s, "repeat", tsr_repeat(x, 3, 1), TSR_SHAPE(N, 3 * M), repeated);
  check(s, "reflect", tsr_pad(x, TSR_SHAPE(3, 2), TSR_SHAPE(4, 5), "reflect"),
        TSR_SHAPE(N + 7, M + 7), reflected);
  check(s, "wrap", tsr_pad(x, TSR_SHAPE(30, 2), TSR_SHAPE(0, 5), "wrap"), TSR_SHAPE(N + 30, M + 7),
        wrapped);
  tsr_array north = tsr_roll(x, 1, 0), south = tsr_roll(x, -1, 0), west = tsr_roll(x, 1, 1);
  check(s, "periodic stencil",
        tsr_subtract(tsr_add(north, south, west, tsr_roll(x, -1, 1)), tsr_multiply(4, x)), shape,
        laplacian);
  check(s, "tril", tsr_tril(x, 2), shape, triangle);
  tsr_array y = tsr_zeros(TSR_SHAPE(N * M)), v = tsr_reshape(y, TSR_SHAPE(N * M / 9, 9));
  tsr_assign(v, tsr_reshape(line, TSR_SHAPE(-1, 9)));
  tsr_imul(v, 2);
  tsr_assign(tsr_slice(v, ":, 0"), 1);
  check(s, "writes through a reshaped view", y, TSR_SHAPE(N * M), written);
  s->n_ran++;
}

static void run(int n, const char *const *settings)
{
  shared s = {0};
  cr_expect_eq(tsr_run_ranks(n, settings, program, &s), TSR_OK);
  cr_expect_eq(s.n_ran, n);
  cr_expect_eq(s.failures, 0, "%d ranks", n);
}

Test(shaping_ranks, every_element_is_where_it_belongs, .timeout = 240)
{
  static const char *const cut[] = {"threads", "1", "replicate_max", "0", "tile_min", "1", NULL};
  static const char *const plain[] = {"threads", "2",      "replicate_max", "0", "tile_min",
                                      "1",       "fusion", "off",           NULL};
  for (int n = 1; n <= 4; n++) {
    run(n, cut);
    run(n, plain);
  }
}

/* Rows 0 and 5 of 8: of four places, the second and the fourth own neither. */
static double stepped(const int64_t *at)
{
  return (double)(at[0] * 5 * 7 + 2);
}

static void gather_steps(void *arg, int rank)
{
  shared *s = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  double host[8 * 7];
  for (int i = 0; i < 8 * 7; i++) host[i] = i;
  tsr_array x = tsr_from_host(host, TSR_FLOAT64, TSR_SHAPE(8, 7));
  check(s, "steps over whole tiles", tsr_slice(x, ":6:5, -5"), TSR_SHAPE(2), stepped);
  s->n_ran++;
}

Test(shaping_ranks, a_gather_sends_nothing_for_tiles_that_its_steps_leap_over)
{
  for (int n = 1; n <= 4; n++) {
    shared s = {0};
    RUN_RANKS(n, gather_steps, &s, "device", "cpu", "places", "1", "replicate_max", "50",
              "tile_min", "1", "replan", "1");
    cr_expect_eq(s.n_ran, n);
    cr_expect_eq(s.failures, 0, "%d ranks", n);
  }
}

/* One step of a Stockham transform: sums in even rows of the result, differences in odd ones. */
static double woven(const int64_t *at)
{
  const int64_t i = at[0], j = at[1] % M, is_odd = at[1] / M;
  const double a = (double)(i * M + j), b = (double)((i + N / 2) * M + j);
  return is_odd ? (a - b) * (double)(i + 1) : a + b;
}

static void weave(void *arg, int rank)
{
  shared *s = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  const int64_t h = N / 2;
  tsr_array y = tsr_zeros(TSR_SHAPE(N, M)), w = tsr_zeros(TSR_SHAPE(h, 1));
  tsr_assign(y, tsr_reshape(tsr_arange(0, N * M, 1), TSR_SHAPE(N, M)));
  tsr_assign(w, tsr_reshape(tsr_arange(1, h + 1, 1), TSR_SHAPE(h, 1)));
  tsr_flush();
  const uint64_t before = tsr__context_counters()->n_groups;
  tsr_array a = tsr_slice(y, ":$", h), b = tsr_slice(y, "$:", h), out = tsr_null();
  {
    TSR_SCOPE();
    out = tsr_keep(
        tsr_reshape(tsr_stack(TSR_ARRAYS(tsr_add(a, b), tsr_multiply(tsr_subtract(a, b), w)), 1),
                    TSR_SHAPE(h, 2 * M)));
  }
  tsr_flush();
  if (rank == 0) s->n_groups = (int)(tsr__context_counters()->n_groups - before);
  check(s, "a step of Stockham", out, TSR_SHAPE(h, 2 * M), woven);
  s->n_ran++;
}

Test(shaping_ranks, what_is_stacked_and_reshaped_is_one_pass)
{
  for (int n = 1; n <= 4; n++) {
    shared s = {0};
    RUN_RANKS(n, weave, &s, "device", "cpu", "places", "1", "replicate_max", "0", "tile_min", "1",
              "replan", "1");
    cr_expect_eq(s.n_ran, n);
    cr_expect_eq(s.failures, 0, "%d ranks", n);
    /* Where the columns are cut, the two halves lie on other ranks. */
    cr_expect_eq(s.n_groups, n == 1 ? 1 : 2, "%d groups on %d ranks", s.n_groups, n);
  }
}

/* Rows of a filled array are written one by one, of arrays that differ by one row: in the first,
 * the rows cover all of it. */
static void fill_rows(void *arg, int rank)
{
  shared *s = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  enum { WIDTH = 100 };
  for (int turn = 0; turn < 6; turn++) {
    const int64_t n = turn < 4 ? 2 : turn - 1;
    TSR_SCOPE();
    tsr_array x = tsr_full(TSR_SHAPE(n, WIDTH), 7.0);
    for (int64_t i = 0; i < 2; i++) tsr_assign(tsr_slice(x, "$", i), (double)i);
    double got[4 * WIDTH];
    if (tsr_to_host(x, got) != TSR_OK) s->failures++;
    for (int64_t i = 0; i < n * WIDTH; i++)
      s->failures += got[i] != (i < 2 * WIDTH ? (double)(i / WIDTH) : 7.0);
  }
  s->n_ran++;
}

Test(shaping_ranks, rows_cover_one_array_and_not_the_next)
{
  for (int n = 1; n <= 2; n++) {
    shared s = {0};
    RUN_RANKS(n, fill_rows, &s, "memo", "1");
    cr_expect_eq(s.n_ran, n);
    cr_expect_eq(s.failures, 0, "%d ranks: %d elements", n, s.failures);
  }
}
