/* Borders of large arrays, whose passes are apart so that steps can be tiled over time: which
 * borders are one pass may not depend on what a rank, or an earlier window, happens to remember. */
#include "array_test.h"

enum { ROWS = 4000, COLUMNS = 400 };

static void write_columns(const tsr_array v[4], int64_t j, int64_t k)
{
  tsr_assign(tsr_slice(v[0], "900:1100, $", j),
             tsr_multiply(2.0, tsr_slice(v[1], "900:1100, $", j)));
  tsr_assign(tsr_slice(v[2], "900:1100, $", k), tsr_add(1.0, tsr_slice(v[3], "900:1100, $", k)));
  tsr_flush();
}

/* Rank 0 gets a larger tile of v[1] than it had, so that it alone does not find the first plan. */
static void remember_on_some_ranks(void *arg, int rank)
{
  TSR_SCOPE();
  tsr_array v[5];
  for (int i = 0; i < 5; i++) {
    v[i] = tsr_ones(TSR_SHAPE(ROWS, COLUMNS));
    tsr_assign(v[i], i + 1.0);
  }
  write_columns(v, 3, 3);
  for (int64_t j = 0; j < 64; j++) {
    tsr_assign(tsr_slice(v[4], "900:1100, $", j), tsr_slice(v[1], "901:1101, $", j));
    tsr_flush();
  }
  tsr_assign(v[1], 2.5);
  tsr_flush();
  const uint64_t before = tsr_n_passes();
  write_columns(v, 3, 180);
  ((uint64_t *)arg)[rank] = tsr_n_passes() - before;
  tsr_assign(tsr_slice(v[4], "1:, :"), tsr_slice(v[3], ":-1, :"));
  cr_expect_eq(tsr_item_f64(tsr_sum(v[4])), 4.0 * (ROWS - 1) * COLUMNS + 5.0 * COLUMNS, "rank %d",
               rank);
}

Test(planes, ranks_agree_whatever_they_remember, .timeout = 60)
{
  uint64_t n_passes[4] = {0};
  no_devices_asked_for();
  RUN_RANKS(4, remember_on_some_ranks, n_passes, "threads", "1", "stall_s", "10");
  for (int i = 1; i < 4; i++)
    cr_expect_eq(n_passes[i], n_passes[0], "%d and %d", (int)n_passes[i], (int)n_passes[0]);
}

/* The passes of two borders of an array of n rows. */
static uint64_t passes_of_borders(int64_t n, int64_t n_columns)
{
  TSR_SCOPE();
  tsr_array u = tsr_zeros(TSR_SHAPE(n, n_columns));
  tsr_assign(u, 1.0);
  tsr_flush();
  const uint64_t before = tsr_n_passes();
  tsr_assign(tsr_slice(u, "0, 1:-1"), tsr_multiply(2.0, tsr_slice(u, "1, 1:-1")));
  tsr_assign(tsr_slice(u, "-1, 1:-1"), tsr_multiply(2.0, tsr_slice(u, "-2, 1:-1")));
  tsr_flush();
  return tsr_n_passes() - before;
}

static void many_extents(void *arg, int rank)
{
  /* 64 rows of 32 KB are 2 MB, and arrays count as large beyond. */
  for (int64_t n = 48; n < 80; n++) {
    const uint64_t n_passes = passes_of_borders(n, 4096);
    cr_expect_eq(n_passes, n > 64 ? 2 : 1, "%d rows: %d passes", (int)n, (int)n_passes);
  }
  /* Up to 32 rows are components of a large array, which are no borders. */
  for (int64_t n = 20; n < 44; n++) {
    const uint64_t n_passes = passes_of_borders(n, 16384);
    cr_expect_eq(n_passes, n > 32 ? 2 : 1, "%d long rows: %d passes", (int)n, (int)n_passes);
  }
}

/* A plan that is resized for other extents is the one that these would have had. */
Test(planes, extents_have_their_own_passes, .timeout = 60)
{
  no_devices_asked_for();
  RUN_RANKS(1, many_extents, NULL, "threads", "1", "time_steps", "0");
}

/* The passes of a step over n components, each updated by what all of them add up to. */
static uint64_t passes_of_components(int64_t n)
{
  TSR_SCOPE();
  tsr_array f = tsr_ones(TSR_SHAPE(n, 512, 512));
  tsr_flush();
  const uint64_t before = tsr_n_passes();
  {
    TSR_SCOPE();
    tsr_array all = tsr_sum(f, 0);
    for (int64_t k = 0; k < n; k++) tsr_iadd(tsr_slice(f, "$", k), tsr_multiply((double)k, all));
  }
  tsr_flush();
  const uint64_t n_passes = tsr_n_passes() - before;
  for (int64_t k = 0; k < n; k++)
    cr_expect_eq(tsr_item_f64(tsr_sum(tsr_slice(f, "$", k))),
                 512.0 * 512 * (1.0 + (double)(k * n)));
  return n_passes;
}

static void components(void *arg, int rank)
{
  cr_expect_eq(passes_of_components(3), 1, "components are updated in one pass");
  cr_expect_eq(passes_of_components(9), 1, "many of them, too");
}

Test(planes, components_are_updated_in_one_pass, .timeout = 60)
{
  no_devices_asked_for();
  RUN_RANKS(1, components, NULL, "threads", "1", "time_steps", "0");
  RUN_RANKS(2, components, NULL, "threads", "1", "time_steps", "0");
}

/* The passes of the borders of two arrays, as a cavity has them. */
static uint64_t passes_of_cavity(int64_t n)
{
  TSR_SCOPE();
  tsr_array u = tsr_zeros(TSR_SHAPE(n, n)), v = tsr_ones(TSR_SHAPE(n, n));
  tsr_flush();
  const uint64_t before = tsr_n_passes();
  tsr_exec("u[0, 1:-1] = 2*u[1, 1:-1]", u);
  tsr_exec("u[-1, 1:-1] = 2*u[-2, 1:-1]", u);
  tsr_exec("v[1:-1, 0] = 2*v[1:-1, 1]", v);
  tsr_exec("v[1:-1, -1] = 2*v[1:-1, -2]", v);
  tsr_flush();
  return tsr_n_passes() - before;
}

static void cavities(void *arg, int rank)
{
  cr_expect_eq(passes_of_cavity(1024), 4, "planes that lie apart stay apart, to be tiled");
  cr_expect_eq(passes_of_cavity(64), 1, "small ones are one pass");
}

Test(planes, borders_of_a_cavity_have_their_own_passes, .timeout = 60)
{
  no_devices_asked_for();
  RUN_RANKS(1, cavities, NULL, "threads", "1", "time_steps", "0");
}
