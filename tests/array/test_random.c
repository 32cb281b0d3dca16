/* Random numbers: their distributions by chi-squared and Kolmogorov-Smirnov tests with fixed seeds,
 * the same bits on any ranks and in any configuration, orders, errors. */
#include "array_test.h"

#include <math.h>

#include "kernel/ops/ops_random.h"

TestSuite(random_numbers, .init = begin, .fini = end);

enum { N = 200000 };

static double *values_of(tsr_array x)
{
  double *buffer = calloc((size_t)tsr_size(x) + 1, sizeof *buffer);
  cr_assert_eq(tsr_to_host(tsr_astype(x, TSR_FLOAT64), buffer), TSR_OK, "%s", tsr_last_error());
  return buffer;
}

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Probability of a distance at least this large between n numbers' distribution and theirs
 * (Kolmogorov's limit, with Stephens' correction). */
static double ks_p(tsr_array x, double (*cdf)(double))
{
  const int64_t n = tsr_size(x);
  double *v = values_of(x), distance = 0;
  qsort(v, (size_t)n, sizeof *v, by_value);
  for (int64_t i = 0; i < n; i++) {
    const double f = cdf(v[i]);
    distance = fmax(distance, fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
  }
  free(v);
  const double root = sqrt((double)n), t = (root + 0.12 + 0.11 / root) * distance;
  double p = 0;
  for (int k = 1; k < 100; k++) p += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * t * t);
  return p > 1 ? 1 : p;
}

/* Probability of a chi-squared at least this large (Wilson and Hilferty's approximation). */
static double chi_squared_p(int n, const int64_t *counts, double expected)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
  const double k = n - 1, z = (cbrt(sum / k) - (1 - 2 / (9 * k))) / sqrt(2 / (9 * k));
  return 0.5 * erfc(z / sqrt(2));
}

static void expect_p(double p, const char *what)
{
  cr_expect(p > 0.001 && p < 0.9999, "%s: p = %g", what, p);
}

static double uniform_cdf(double x)
{
  return x;
}

static double normal_cdf(double x)
{
  return 0.5 * erfc(-x / sqrt(2));
}

static double exponential_cdf(double x)
{
  return 1 - exp(-x);
}

Test(random_numbers, follow_their_distributions)
{
  for (uint64_t seed = 1; seed <= 3; seed++) {
    tsr_rng rng = tsr_default_rng(seed * 1000003);
    for (int i = 0; i < 2; i++) {
      const tsr_dtype dtype = i ? TSR_FLOAT32 : TSR_FLOAT64;
      expect_p(ks_p(tsr_rng_uniform(&rng, 0, 1, TSR_SHAPE(N), dtype), uniform_cdf), "uniform");
      expect_p(ks_p(tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(N), dtype), normal_cdf), "normal");
      expect_p(ks_p(tsr_rng_exponential(&rng, 1, TSR_SHAPE(N), dtype), exponential_cdf),
               "exponential");
    }
    cr_expect_eq(rng.n_draws, 6);
  }
}

Test(random_numbers, have_no_serial_order)
{
  /* Pairs of neighbours, and of the same index in two draws, fall evenly into 16 x 16 boxes. */
  tsr_rng rng = tsr_default_rng(31);
  double *x = values_of(tsr_rng_uniform(&rng, 0, 16, TSR_SHAPE(N)));
  double *y = values_of(tsr_rng_uniform(&rng, 0, 16, TSR_SHAPE(N)));
  int64_t serial[256] = {0}, between[256] = {0};
  for (int i = 0; i < N; i += 2) serial[(int)x[i] * 16 + (int)x[i + 1]]++;
  for (int i = 0; i < N; i++) between[(int)x[i] * 16 + (int)y[i]]++;
  expect_p(chi_squared_p(256, serial, N / 2 / 256.0), "serial pairs");
  expect_p(chi_squared_p(256, between, N / 256.0), "pairs of two draws");
  free(x);
  free(y);
}

Test(random_numbers, integers_are_even)
{
  tsr_rng rng = tsr_default_rng(5);
  double *x = values_of(tsr_rng_integers(&rng, -3, 94, TSR_SHAPE(N)));
  int64_t counts[97] = {0};
  for (int i = 0; i < N; i++) {
    cr_assert(x[i] >= -3 && x[i] < 94);
    counts[(int)x[i] + 3]++;
  }
  free(x);
  expect_p(chi_squared_p(97, counts, N / 97.0), "integers");
  /* A range that does not divide 2^64: with 64 bits alone the lower half would come twice as often.
   */
  tsr_array wide = tsr_rng_integers(&rng, INT64_MIN / 2, INT64_MAX, TSR_SHAPE(N));
  double share = tsr_item_f64(tsr_mean(tsr_less(wide, INT64_MIN / 2 + (INT64_MAX / 4 * 3))));
  cr_expect_lt(fabs(share - 0.5), 0.006, "%g", share);
  cr_expect_eq(tsr_dtype_of(tsr_rng_integers(&rng, 0, 2, TSR_SHAPE(3), TSR_INT32)), TSR_INT32);
  EXPECT_VALUES(tsr_rng_integers(&rng, 7, 8, TSR_SHAPE(2, 2)), TSR_SHAPE(2, 2), 7, 7, 7, 7);
}

/* The numbers by definition: seed 99's second draw. */
Test(random_numbers, are_functions_of_seed_draw_and_index)
{
  tsr_rng rng = tsr_default_rng(99);
  cr_expect(tsr_ok(tsr_rng_uniform(&rng, 0, 1, TSR_SHAPE(3))));
  tsr_rng again = rng;
  double *x = values_of(tsr_rng_uniform(&rng, 0, 1, TSR_SHAPE(3, 4, 1, 5)));
  for (int i = 0; i < 60; i++)
    cr_expect_eq(x[i], (double)(random_first_u64((u64)i, 99, 1) >> 11) * 0x1p-53);
  free(x);
  double *y = values_of(tsr_rng_uniform(&again, 0, 1, TSR_SHAPE(60)));
  for (int i = 0; i < 60; i++)
    cr_expect_eq(y[i], (double)(random_first_u64((u64)i, 99, 1) >> 11) * 0x1p-53);
  free(y);
  cr_expect_eq(rng.n_draws, 2);
  EXPECT_VALUES(tsr_rng_uniform(&rng, 0, 1, TSR_SHAPE()), TSR_SHAPE(),
                (double)(random_first_u64(0, 99, 2) >> 11) * 0x1p-53);
  cr_expect_eq(tsr_size(tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(0, 3))), 0);
  cr_expect_eq(rng.n_draws, 4);
}

Test(random_numbers, parameters_may_be_arrays)
{
  tsr_rng rng = tsr_default_rng(1), same = rng;
  tsr_array loc = tsr_arange(0, 3, 1);
  tsr_array x = tsr_rng_normal(&rng, loc, 2, TSR_SHAPE(4, 3));
  tsr_array y = tsr_rng_normal(&same, 0, 1, TSR_SHAPE(4, 3));
  cr_expect(tsr_item_bool(tsr_all(tsr_equal(x, tsr_add(loc, tsr_multiply(y, 2))))));
  tsr_array low = tsr_full(TSR_SHAPE(2, 1), 5);
  cr_expect_geq(tsr_item_f64(tsr_min(tsr_rng_uniform(&rng, low, 6, TSR_SHAPE(2, 3)))), 5);
}

/* x holds 0 … n - 1, each once. */
static void expect_order(tsr_array x, int64_t n)
{
  char *taken = calloc((size_t)n + 1, 1);
  double *v = values_of(x);
  cr_assert_eq(tsr_size(x), n);
  for (int64_t i = 0; i < n; i++) {
    cr_assert(v[i] >= 0 && v[i] < (double)n && !taken[(int64_t)v[i]]);
    taken[(int64_t)v[i]] = 1;
  }
  free(taken);
  free(v);
}

Test(random_numbers, orders)
{
  tsr_rng rng = tsr_default_rng(17);
  expect_order(tsr_rng_permutation(&rng, 1000), 1000);
  expect_order(tsr_rng_permutation(&rng, 65536), 65536);
  expect_order(tsr_rng_permutation(&rng, 100003), 100003);
  expect_order(tsr_rng_choice(&rng, 100003, TSR_SHAPE(100003), false), 100003);
  expect_order(tsr_rng_choice(&rng, 12, TSR_SHAPE(3, 4), false), 12);
  cr_expect_eq(tsr_size(tsr_rng_permutation(&rng, 0)), 0);
  tsr_array x = tsr_arange(0, 500, 1), rows = tsr_slice(tsr_arange(0, 5, 1), ":, newaxis");
  cr_expect_eq(tsr_rng_shuffle(&rng, x), TSR_OK);
  expect_order(x, 500);
  rows = tsr_rng_permutation(&rng, tsr_add(tsr_multiply(rows, 10), tsr_arange(0, 2, 1)));
  expect_order(tsr_divide(tsr_slice(rows, ":, 0"), 10), 5);
  cr_expect(tsr_item_bool(
      tsr_all(tsr_equal(tsr_slice(rows, ":, 1"), tsr_add(tsr_slice(rows, ":, 0"), 1)))));
  double *v = values_of(tsr_rng_choice(&rng, tsr_multiply(tsr_arange(0, 4, 1), 3), TSR_SHAPE(50)));
  for (int i = 0; i < 50; i++) cr_expect(fmod(v[i], 3) == 0 && v[i] < 12);
  free(v);
}

Test(random_numbers, orders_are_equally_likely)
{
  tsr_rng rng = tsr_default_rng(23);
  int64_t of_four[24] = {0}, place[50] = {0};
  for (int i = 0; i < 2400; i++) {
    TSR_SCOPE();
    double *v = values_of(tsr_rng_permutation(&rng, 4));
    int code = 0;
    for (int a = 0; a < 3; a++) {
      int smaller = 0;
      for (int b = a + 1; b < 4; b++) smaller += v[b] < v[a];
      code += smaller * (a == 0 ? 6 : a == 1 ? 2 : 1);
    }
    of_four[code]++;
    free(v);
  }
  expect_p(chi_squared_p(24, of_four, 100), "orders of four");
  /* Where the network takes the first 20,000 of 100,000. */
  double *v = values_of(tsr_rng_choice(&rng, 100000, TSR_SHAPE(20000), false));
  for (int i = 0; i < 20000; i++) place[(int)v[i] / 2000]++;
  free(v);
  expect_p(chi_squared_p(50, place, 400), "places of the network");
}

typedef struct shared {
  double sums[7];
  double some[8];
} shared;

static void program(void *arg, int rank)
{
  shared *s = arg;
  tsr_rng rng = tsr_default_rng(2024);
  double sums[7], some[8];
  tsr_array x[7];
  for (int step = 0; step < 3; step++) {
    TSR_SCOPE();
    tsr_array u = tsr_rng_uniform(&rng, -1, 1, TSR_SHAPE(57, 93));
    x[0] = tsr_sum(tsr_multiply(u, tsr_slice(u, ":, ::-1")));
    x[1] = tsr_sum(tsr_rng_normal(&rng, 1, 3, TSR_SHAPE(41, 3, 17), TSR_FLOAT32));
    x[2] = tsr_sum(tsr_rng_exponential(&rng, 2, TSR_SHAPE(5000)));
    x[3] = tsr_sum(tsr_rng_integers(&rng, 0, 1000000007, TSR_SHAPE(3001)));
    x[4] = tsr_sum(tsr_multiply(tsr_rng_permutation(&rng, 70001), tsr_arange(0, 70001, 1)));
    tsr_array y = tsr_rng_permutation(&rng, tsr_slice(u, "5"));
    cr_assert_eq(tsr_rng_shuffle(&rng, y), TSR_OK);
    x[5] = tsr_sum(tsr_multiply(y, tsr_arange(0, 93, 1)));
    x[6] = tsr_sum(tsr_rng_choice(&rng, y, TSR_SHAPE(40)));
    for (int i = 0; i < 7; i++) sums[i] = tsr_item_f64(x[i]);
    cr_assert_eq(tsr_to_host(tsr_slice(u, "50, :8"), some), TSR_OK);
  }
  if (rank != 0) return;
  memcpy(s->sums, sums, sizeof sums);
  memcpy(s->some, some, sizeof some);
}

Test(random_on_ranks, give_the_same_bits, .timeout = 300)
{
  static const char *const configurations[][10] = {
      {"threads", "1", NULL},
      {"threads", "1", "replicate_max", "0", "tile_min", "1", NULL},
      {"threads", "2", "replicate_max", "0", "tile_min", "1", "fusion", "off", NULL},
      {"threads", "1", "replicate_max", "0", "tile_min", "1", "jit", "off", NULL},
      {"threads", "1", "replicate_max", "0", "tile_min", "1", "jit", "eager", NULL},
  };
  shared expected;
  cr_assert_eq(tsr_run_ranks(1, configurations[0], program, &expected), TSR_OK);
  for (int c = 1; c < 5; c++) {
    for (int n = 1; n <= 4; n++) {
      shared got = {{0}, {0}};
      cr_assert_eq(tsr_run_ranks(n, configurations[c], program, &got), TSR_OK);
      for (int i = 0; i < 7; i++)
        cr_expect_eq(got.sums[i], expected.sums[i], "%d ranks, configuration %d, sum %d: %.17g", n,
                     c, i, got.sums[i]);
      cr_expect_arr_eq(got.some, expected.some, sizeof got.some);
    }
  }
}

Test(random_numbers, errors)
{
  tsr_rng rng = tsr_default_rng(1);
  cr_expect_not(tsr_ok(tsr_rng_uniform(NULL, 0, 1, TSR_SHAPE(3))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the generator is NULL", "`tsr_rng_uniform`",
               "help: tsr_rng rng = tsr_default_rng(seed)");
  cr_expect_not(tsr_ok(tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(-2))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "axis 0 of shape (-2,) has a negative length");
  cr_expect_not(tsr_ok(tsr_rng_uniform(&rng, -1e308, 1e308, TSR_SHAPE(2))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the range from -1e+308 to 1e+308 is no finite number wide");
  cr_expect_not(tsr_ok(tsr_rng_normal(&rng, 0, -1, TSR_SHAPE(2))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the scale -1 is negative");
  cr_expect_not(tsr_ok(tsr_rng_exponential(&rng, -0.5, TSR_SHAPE(2))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the scale -0.5 is negative");
  cr_expect_not(tsr_ok(tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(2), TSR_INT32)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "the dtype is float64 or float32, not int32",
               "help: tsr_rng_integers draws integers");
  cr_expect_not(tsr_ok(tsr_rng_normal(&rng, tsr_zeros(TSR_SHAPE(4, 2)), 1, TSR_SHAPE(2))));
  EXPECT_ERROR(TSR_ERR_BROADCAST,
               "parameters of shape (4, 2) do not broadcast to the shape (2,) that is drawn");
  cr_expect_not(tsr_ok(tsr_rng_integers(&rng, 3, 3, TSR_SHAPE(2))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "there is no integer from 3 up to, but without, 3",
               "help: high itself is never drawn");
  cr_expect_not(tsr_ok(tsr_rng_integers(&rng, 0, 1.5, TSR_SHAPE(2))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "low and high are C integers here");
  cr_expect_not(tsr_ok(tsr_rng_integers(&rng, 0, 2, TSR_SHAPE(2), TSR_FLOAT32)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "float32 is not a dtype of integers");
  cr_expect_not(tsr_ok(tsr_rng_integers(&rng, 0, 1LL << 40, TSR_SHAPE(2), TSR_INT32)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "1099511627775");
  cr_expect_not(tsr_ok(tsr_rng_choice(&rng, 3, TSR_SHAPE(2, 2), false)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "4 elements cannot be drawn from 3 without drawing one twice");
  cr_expect_not(tsr_ok(tsr_rng_choice(&rng, tsr_zeros(TSR_SHAPE(2, 2)), TSR_SHAPE(1))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "an array of one axis is wanted, not of 2", "(2, 2) float64");
  cr_expect_not(tsr_ok(tsr_rng_permutation(&rng, -1)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "-1 is not a number of elements to order or draw from");
  cr_expect_not(tsr_ok(tsr_rng_permutation(&rng, 2.5)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an array or an integer is wanted");
  cr_expect_eq(tsr_rng_shuffle(&rng, tsr_zeros(TSR_SHAPE())), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "an array of at least one axis is wanted, not of 0");
  cr_expect_eq(rng.n_draws, 0);
}

static void differing(void *arg, int rank)
{
  int *told = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_rng rng = tsr_default_rng((uint64_t)rank);
  const double sum = tsr_item_f64(tsr_sum(tsr_rng_uniform(&rng, 0, 1, TSR_SHAPE(3))));
  char text[4096];
  if (isnan(sum) && tsr_take_error(text, sizeof text) == TSR_ERR_DIVERGED && rank == 0) *told = 1;
}

Test(random_on_ranks, are_told_that_their_seeds_differ, .timeout = 60)
{
  static const char *const settings[] = {"threads", "1", NULL};
  int told = 0;
  tsr_run_ranks(2, settings, differing, &told);
  cr_expect_eq(told, 1);
}
