/* The loops of selection of every instruction set, against plain ones: ties, infinities, zeros of
 * both signs, and every length around those of vectors. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/cpu/loops.h"
#include "tests/support/draw.h"

enum { MOST = 70, ROUNDS = 40 };

/* Few different numbers, so that there are ties. */
static double draw(uint64_t *random)
{
  static const double some[] = {-0.0, 0.0, (double)INFINITY, -(double)INFINITY, 1e-320, -1e300};
  const int place = (int)draw_31(random) % 18;
  return place < 6 ? some[place] : place - 11.5;
}

static void expect_same(const double *a, const double *b, int64_t n, const char *what)
{
  cr_assert_eq(memcmp(a, b, (size_t)n * sizeof *a), 0, "%s of %d", what, (int)n);
}

static void check(const tsr_loops_select *loops, const double *x, int64_t n, double low,
                  double high)
{
  int64_t below = 0, up_to = 0, above = 0, n_kept = 0, got_below, got_up_to, got_above;
  double kept[MOST + 1], got[MOST + 1] = {0}, least = (double)INFINITY;
  for (int64_t i = 0; i < n; i++) {
    below += x[i] < low;
    up_to += x[i] <= low;
    above += x[i] > low;
    if (x[i] > low && x[i] < least) least = x[i];
    if (x[i] > low && x[i] < high) kept[n_kept++] = x[i];
  }
  loops->count(x, n, low, &got_below, &got_up_to);
  cr_assert_eq(got_below, below);
  cr_assert_eq(got_up_to, up_to);
  cr_assert_eq(loops->least_above(x, n, low, &got_above), least);
  cr_assert_eq(got_above, above);
  got[n] = 77; /* nothing is written behind the elements */
  cr_assert_eq(loops->keep_between(x, n, low, high, got, &got_up_to), n_kept);
  cr_assert_eq(got_up_to, up_to);
  cr_assert_eq(got[n], 77);
  expect_same(got, kept, n_kept, "keep_between");
  for (int64_t k = 0; k < n; k++) {
    double v[2];
    loops->among_few(x, n, k, n - 1 - k, v);
    for (int i = 0; i < 2; i++) {
      const int64_t number = i == 0 ? k : n - 1 - k;
      loops->count(x, n, v[i], &got_below, &got_up_to);
      cr_assert(got_below <= number && number < got_up_to);
    }
  }
}

/* Some elements are NaN; in place, too. */
static void check_numbers(const tsr_loops_select *loops, double *x, int64_t n, uint64_t *random)
{
  double kept[MOST + 1], got[MOST + 1] = {0};
  int64_t n_kept = 0;
  if (n > 0) x[(*random >> 40) % (uint64_t)n] = (double)NAN;
  for (int64_t i = 0; i < n; i++)
    if (!isnan(x[i])) kept[n_kept++] = x[i];
  got[n] = 77;
  cr_assert_eq(loops->copy_numbers(x, n, got), n_kept);
  cr_assert_eq(got[n], 77);
  expect_same(got, kept, n_kept, "copy_numbers");
  cr_assert_eq(loops->copy_numbers(x, n, x), n_kept);
  expect_same(x, kept, n_kept, "copy_numbers in place");
}

Test(select_loops, find_what_plain_loops_find, .timeout = 120)
{
  uint64_t random = 1;
  double x[MOST + 1], got[MOST + 1];
  int n_sets = 0;
  for (const tsr_loops *loops; (loops = tsr__loops_get(n_sets)) != NULL; n_sets++)
    for (int64_t n = 0; n <= MOST; n++)
      for (int round = 0; round < ROUNDS; round++) {
        for (int64_t i = 0; i < n; i++) x[i] = draw(&random);
        check(&loops->select, x, n, draw(&random), draw(&random));
        cr_assert_eq(loops->select.copy_numbers(x, n, got), n);
        expect_same(got, x, n, "copy_numbers without a NaN");
        check_numbers(&loops->select, x, n, &random);
      }
  cr_assert_gt(n_sets, 0);
}
