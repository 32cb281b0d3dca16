/* Reductions of few elements are folds: the same bits as by partial results, for every reduction,
 * dtype and form of the operand, on any ranks and places; and nothing is stored for them. */
#include "array_test.h"
#include "tests/support/sanitized.h"

#include <math.h>

enum { MOST_BYTES = 1 << 20 };

/** A result read back. */
typedef struct result {
  tsr_dtype dtype;
  size_t bytes;
  char *values;
} result;

typedef struct case_of {
  int ndim;
  int64_t shape[4];
  const char *text; /* of a view of x, or of an expression */
  int n_axes, axes[3];
  bool keepdims;
} case_of;

/* Short axes in every place, alone and together; lengths that are no powers of two, 1, and more
 * than a fold has; views with steps, flips and repetition; values that the window makes. */
static const case_of cases[] = {
    {3, {9, 5, 8}, "x", 1, {0}, false},
    {3, {5, 9, 8}, "x", 1, {1}, false},
    {3, {5, 8, 9}, "x", 1, {2}, false},
    {3, {5, 8, 9}, "x", 1, {2}, true},
    {3, {41, 3, 3}, "x", 2, {1, 2}, false},
    {3, {41, 3, 3}, "x", 2, {1, 2}, true},
    {3, {3, 41, 3}, "x", 2, {0, 2}, false},
    {4, {3, 5, 2, 2}, "x", 3, {0, 2, 3}, false},
    {3, {2, 70, 7}, "x", 2, {2, 0}, false},
    {2, {1, 70}, "x", 1, {0}, false},
    {2, {70, 1}, "x", 1, {1}, true},
    {2, {16, 70}, "x", 1, {0}, false},
    {2, {70, 16}, "x", 1, {1}, false},
    {2, {17, 70}, "x", 1, {0}, false},
    {2, {70, 17}, "x", 1, {1}, false},
    {2, {64, 33}, "x", 1, {0}, false},
    {2, {33, 64}, "x", 1, {1}, false},
    {2, {65, 9}, "x", 1, {0}, false},
    {2, {0, 5}, "x", 1, {0}, false},
    {2, {5, 0}, "x", 1, {0}, false},
    {2, {1, 7}, "x", 1, {1}, false},
    {3, {12, 7, 9}, "x[::2, ::-1, ::3]", 1, {0}, false},
    {3, {12, 7, 9}, "x[::-3, :, 1:-1]", 1, {2}, false},
    {3, {12, 7, 9}, "x.T", 1, {0}, false},
    {3, {12, 7, 9}, "x.transpose(1, 2, 0)", 1, {2}, false},
    {3, {12, 7, 9}, "broadcast_to(x[:, :1, :], (12, 5, 9))", 1, {1}, false},
    {3, {12, 7, 9}, "broadcast_to(x[:, :1, :], (12, 5, 9))", 1, {0}, false},
    {2, {31, 6}, "roll(x, 2, axis=1)", 1, {1}, false},
    {2, {31, 6}, "roll(x, 7, axis=0)", 1, {1}, false},
    {2, {31, 6}, "roll(roll(x, 5, axis=0), 1, axis=1)", 1, {1}, false},
    {2, {6, 31}, "concatenate((x[2:], x[:3]))", 1, {0}, false},
    {3, {31, 2, 3}, "x[:, :, ::-1] + x", 2, {1, 2}, false},
    {3, {31, 2, 3}, "x * x", 1, {2}, false},
    {3, {3, 31, 3}, "(x * x + x) * (x + x[::-1])", 1, {0}, false},
    {3, {2, 31, 3}, "((x * x + x) * x + x) * ((x + x) * x + x * x) + x", 2, {0, 2}, false},
};
enum { N_CASES = sizeof cases / sizeof *cases };

static const tsr_dtype dtypes[] = {TSR_BOOL,    TSR_INT8,      TSR_INT32,     TSR_INT64,
                                   TSR_UINT8,   TSR_UINT64,    TSR_FLOAT16,   TSR_FLOAT32,
                                   TSR_FLOAT64, TSR_COMPLEX64, TSR_COMPLEX128};
enum { N_DTYPES = sizeof dtypes / sizeof *dtypes };

typedef tsr_array (*reduction)(const tsr_location *, tsr_operand, int, const tsr_axes *);
static const reduction reductions[] = {
    tsr_sum_at, tsr_prod_at, tsr_min_at,           tsr_max_at,    tsr_any_at,
    tsr_all_at, tsr_mean_at, tsr_count_nonzero_at, tsr_argmin_at, tsr_argmax_at};
enum { N_REDUCTIONS = sizeof reductions / sizeof *reductions };

typedef struct results {
  const case_of *of;
  tsr_dtype dtype;
  result v[N_REDUCTIONS];
} results;

/* Small numbers with many equal ones, zeros of both signs, and now and then infinities and NaN. */
static tsr_array operand(const case_of *c, tsr_dtype dtype)
{
  static const double some[] = {0.0, -0.0, 1.0, -1.0, 0.1, 2.5, -3.75, 0.0, -0.0, 7.0};
  const bool is_complex = dtype == TSR_COMPLEX64 || dtype == TSR_COMPLEX128;
  const bool is_float =
      is_complex || dtype == TSR_FLOAT16 || dtype == TSR_FLOAT32 || dtype == TSR_FLOAT64;
  int64_t n = 1;
  tsr_dims shape = {.ndim = c->ndim};
  for (int k = 0; k < c->ndim; k++) n *= shape.n[k] = c->shape[k];
  double *v = calloc(2 * (size_t)n + 2, sizeof *v);
  uint64_t state = 12345 + (uint64_t)n;
  for (int64_t i = 0; i < 2 * n; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const unsigned draw = (unsigned)(state >> 40);
    v[i] = some[draw % 10] * (draw / 10 % 5 == 0 ? 1 + (double)(draw % 1000) / 999 : 1);
    if (is_float && draw % 97 == 0) v[i] = draw % 2 ? (double)NAN : (double)INFINITY;
    if (!is_float && dtype >= TSR_UINT8) v[i] = fabs(v[i]);
  }
  tsr_array x = is_complex ? tsr_astype(tsr_from_host(v, TSR_COMPLEX128, shape), dtype)
                           : tsr_astype(tsr_from_host(v, TSR_FLOAT64, shape), dtype);
  free(v);
  return x;
}

static void reduce_all(void *arg, int rank)
{
  results *r = arg;
  const case_of *c = r->of;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_copy(operand(c, r->dtype));
  tsr_flush();
  for (int i = 0; i < N_REDUCTIONS; i++) {
    static const tsr_location here = {.file = __FILE__};
    tsr_axes options[2] = {{.n = c->n_axes}, TSR_KEEPDIMS};
    for (int k = 0; k < c->n_axes; k++) options[0].axis[k] = c->axes[k];
    if (i >= N_REDUCTIONS - 2) options[0].n = 1; /* argmin and argmax take one axis */
    const tsr_array of = tsr_eval(c->text, x);
    cr_assert(tsr_ok(of), "%s: %s", c->text, tsr_last_error());
    const tsr_array y = reductions[i](&here, tsr_box_array(of), 1 + c->keepdims, options);
    char text[1024];
    if (!tsr_ok(y)) { /* of no elements */
      cr_assert_neq(tsr_take_error(text, sizeof text), TSR_OK);
      continue;
    }
    const size_t bytes = (size_t)tsr_size(y) * tsr__dtype_size(tsr_dtype_of(y));
    char *values = calloc(bytes + 1, 1);
    cr_assert_eq(tsr_to_host(y, values), TSR_OK);
    if (rank == 0)
      r->v[i] = (result){tsr_dtype_of(y), bytes, values};
    else
      free(values);
  }
}

/* The same bits; a NaN is a NaN. */
static bool same(const result *a, const result *b)
{
  if (a->bytes != b->bytes || (a->values == NULL) != (b->values == NULL)) return false;
  if (a->values == NULL) return true;
  const tsr_dtype part = tsr__dtype_part(a->dtype);
  const size_t size = tsr__dtype_size(part);
  for (size_t at = 0; at < a->bytes; at += size) {
    if (memcmp(a->values + at, b->values + at, size) == 0) continue;
    if (!tsr__dtype_is_inexact(part)) return false;
    const tsr_scalar x = tsr__scalar_load(part, a->values + at);
    const tsr_scalar y = tsr__scalar_load(part, b->values + at);
    if (!isnan(tsr__scalar_cast(x, TSR_FLOAT64).u.f) ||
        !isnan(tsr__scalar_cast(y, TSR_FLOAT64).u.f))
      return false;
  }
  return true;
}

static void drop(results *r)
{
  for (int i = 0; i < N_REDUCTIONS; i++) free(r->v[i].values);
}

/** How folds are run. */
typedef struct way {
  int n_ranks;
  const char *places, *jit;
  int every; /* dtypes and cases: each of them, or every second, … */
} way;

static void run_case(const case_of *c, tsr_dtype dtype, const way *w, const char *most, results *r)
{
  *r = (results){.of = c, .dtype = dtype};
  RUN_RANKS(w->n_ranks, reduce_all, r, "threads", "1", "replicate_max", "4", "tile_min", "8",
            "places", w->places, "fold_max", most, "jit", w->jit, "inline_elems", "0");
}

/* Compares folds with partial results on one rank. */
static void compare(way w)
{
  static const way alone = {1, "1", "off", 1};
  int n_compared = 0, n_runs = 0;
  no_devices_asked_for();
  if (IS_SANITIZED) w.every = 5;
  for (int d = 0; d < N_DTYPES; d += w.every)
    for (int i = d / w.every % w.every; i < N_CASES; i += w.every, n_runs++) {
      results partials, folds;
      run_case(&cases[i], dtypes[d], &alone, "0", &partials);
      run_case(&cases[i], dtypes[d], &w, "64", &folds);
      for (int k = 0; k < N_REDUCTIONS; k++) {
        n_compared += partials.v[k].values != NULL;
        cr_expect(same(&partials.v[k], &folds.v[k]), "case %d, %s, %s, reduction %d, %d ranks", i,
                  cases[i].text, tsr__dtype_info(dtypes[d])->name, k, w.n_ranks);
      }
      drop(&partials);
      drop(&folds);
    }
  cr_expect_gt(n_compared, n_runs * (N_REDUCTIONS - 1));
}

Test(folds, bits_of_partial_results, .timeout = 300)
{
  compare((way){1, "1", "off", 1});
}

Test(folds, bits_on_three_ranks, .timeout = 300)
{
  compare((way){3, "1", "off", 2});
}

Test(folds, bits_on_two_ranks_of_two_places, .timeout = 300)
{
  compare((way){2, "2", "off", 2});
}

Test(folds, bits_of_compiled_kernels, .timeout = 300)
{
  compare((way){1, "1", "eager", 3});
}

/* Slices that shrink from turn to turn: many of their elements are no fold's, few are. Their plans
 * are resized, but none that has partial results becomes that of a fold. */
static void shrinking_slices(void *arg, int rank)
{
  enum { MANY = 90, SOME = 8 };
  tsr_array x = tsr_reshape(tsr_arange(0, MANY * SOME, 1), TSR_SHAPE(MANY, SOME)),
            turned = tsr_copy(tsr_transpose(x));
  tsr_array down = tsr_zeros(TSR_SHAPE(MANY, SOME)), along = tsr_zeros(TSR_SHAPE(MANY, SOME));
  double got[2][MANY][SOME];
  cr_assert_eq(tsr_flush(), TSR_OK);
  for (int64_t i = MANY - 1; i > 0; i--) {
    tsr_assign(tsr_slice(down, "$", i), tsr_sum(tsr_slice(x, ":$", i), TSR_AXES(0)));
    cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
    tsr_assign(tsr_slice(along, "$", i), tsr_max(tsr_slice(turned, ":, :$", i), TSR_AXES(1)));
    cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
  }
  cr_expect_gt(tsr__context_counters()->n_plan_resizes, MANY / 2);
  cr_assert_eq(tsr_to_host(down, got[0]), TSR_OK);
  cr_assert_eq(tsr_to_host(along, got[1]), TSR_OK);
  for (int64_t i = 1; i < MANY; i++)
    for (int64_t j = 0; j < SOME; j++) {
      cr_assert_eq(got[0][i][j], (double)(i * j + SOME * (i * (i - 1) / 2)), "rank %d", rank);
      cr_assert_eq(got[1][i][j], (double)((i - 1) * SOME + j), "rank %d", rank);
    }
}

Test(folds, of_shrinking_slices)
{
  no_devices_asked_for();
  for (int n = 1; n <= 2; n++) RUN_RANKS(n, shrinking_slices, NULL, "threads", "1", "replan", "1");
}
