/* While a tile is lent, nothing else writes the array or moves its memory; while it is lent to be
 * written, nothing reads it. */
#include "array_test.h"

#include <math.h>

TestSuite(lent, .init = begin, .fini = end);

enum { N = 100000 };

Test(lent, no_other_array_gets_the_memory)
{
  tsr_array x = tsr_arange(0, N, 1);
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, true, &tile), TSR_OK);
  cr_expect_eq(tsr_exec("x[1:-1] = 0.5*(x[:-2] + x[2:])", x), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an array is used while its tile is lent in `tsr_add`",
               "x[:-2]: (99998,) float64", "lent to be written at", "test_lent.c", "tsr_local",
               "help:", "tsr_local_end");
  tsr_array y = tsr_zeros(TSR_SHAPE(N));
  cr_expect_eq(tsr_flush(), TSR_OK);
  for (int i = 0; i < N; i++) ((double *)tile.data)[i] = 7;
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 7.0 * N);
  cr_expect_eq(tsr_item_f64(tsr_sum(y)), 0);
  cr_expect_eq(tsr_exec("x[1:-1] = 0.5*(x[:-2] + x[2:])", x), TSR_OK);
}

/* Where a device has the tile its memory is lent, which the host may not touch; else the host's. */
Test(lent, on_the_device_where_one_has_it)
{
  tsr_array x = tsr_arange(0, N, 1);
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, false, &tile), TSR_OK);
  cr_expect_eq(tile.device, -1);
  cr_expect_null(tile.stream);
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
  cr_assert_eq(tsr_local_device(x, NULL, true, &tile), TSR_OK);
  if (tile.device < 0) ((double *)tile.data)[7] = 70;
  const double wanted = tile.device < 0 ? 70 : 7;
  cr_expect_eq(tsr_iadd(x, 1), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an array is used while its tile is lent", "tsr_local_device");
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_slice(x, "7")), wanted);
}

Test(lent, to_be_written_refuses_all)
{
  tsr_array x = tsr_ones(TSR_SHAPE(4, 6)), row = tsr_slice(x, "1"), y = tsr_zeros(TSR_SHAPE(4, 6));
  tsr_local_tile tile, other;
  double values[24];
  cr_assert_eq(tsr_local(row, NULL, true, &tile), TSR_OK);
#define EXPECT_LENT(call, word)                                                                    \
  do {                                                                                             \
    cr_expect_eq(call, TSR_ERR_ARGUMENT);                                                          \
    EXPECT_ERROR(TSR_ERR_ARGUMENT, "an array is " word " while its tile is lent");                 \
  } while (0)
  EXPECT_LENT(tsr_local(x, NULL, true, &other), "used");
  EXPECT_LENT(tsr_local(tsr_slice(x, "2"), NULL, false, &other), "used");
  cr_expect_eq(tsr_local_end(&other), TSR_OK, "it was not filled");
  EXPECT_LENT(tsr_iadd(x, 1), "used");
  EXPECT_LENT(tsr_assign(tsr_slice(x, "2"), 1), "used");
  EXPECT_LENT(tsr_assign(y, x), "used");
  EXPECT_LENT(tsr_to_host(x, values), "used");
  EXPECT_LENT(tsr_print(x), "used");
  cr_expect(isnan(tsr_item_f64(tsr_slice(x, "0, 0"))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an array is used while its tile is lent in `tsr_item_f64`");
  cr_expect(!tsr_ok(tsr_add(x, 1)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an array is used while its tile is lent in `tsr_add`");
  cr_expect_eq(tsr_size(x), 24, "its shape is no secret");
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
  cr_expect_eq(tsr_iadd(x, 1), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 48);
}

Test(lent, to_be_read_may_be_read)
{
  tsr_array x = tsr_arange(0, 10, 1);
  tsr_local_tile tile, other;
  cr_assert_eq(tsr_local(x, NULL, false, &tile), TSR_OK);
  cr_assert_eq(tsr_local(x, NULL, false, &other), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 45);
  EXPECT_LENT(tsr_local(x, NULL, true, &(tsr_local_tile){0}), "written");
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
  EXPECT_LENT(tsr_assign(x, 1), "written");
  cr_expect_eq(((const double *)other.data)[9], 9);
  cr_expect_eq(tsr_local_end(&other), TSR_OK);
  cr_expect_eq(tsr_assign(x, 1), TSR_OK);
}

Test(lent, what_waits_has_the_values_from_before)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(N));
  tsr_flush();
  TSR_SCOPE();
  tsr_array y = tsr_add(x, 1), z = tsr_multiply(y, 2);
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, true, &tile), TSR_OK);
  for (int i = 0; i < N; i++) ((double *)tile.data)[i] = 7;
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(y)), N);
  cr_expect_eq(tsr_item_f64(tsr_sum(z)), 2.0 * N);
}

Test(lent, its_last_handle_may_go)
{
  tsr_array x = tsr_ones(TSR_SHAPE(N));
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, true, &tile), TSR_OK);
  tsr_release(&x);
  tsr_array y = tsr_zeros(TSR_SHAPE(N));
  tsr_flush();
  for (int i = 0; i < N; i++) ((double *)tile.data)[i] = 7;
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(y)), 0);
  cr_expect_eq(tsr__context_n_arrays(), 1);
}

/* A read of the neighbours' cells moves the tile to memory with room for them. */
static void read_beyond_the_tile(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_zeros(TSR_SHAPE(N));
  tsr_assign(x, tsr_arange(0, N, 1));
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, false, &tile), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(tsr_eval("x[2:] - x[:-2]", x))), 2.0 * (N - 2));
  tsr_array y = tsr_full(TSR_SHAPE(N), -1.0);
  cr_expect_eq(tsr_flush(), TSR_OK);
  int64_t wrong = 0;
  for (int64_t i = 0; i < tile.n[0]; i++)
    wrong += ((const double *)tile.data)[i] != (double)(tile.lo[0] + i);
  cr_expect_eq(wrong, 0, "rank %d", rank);
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(y)), -N);
  cr_expect_str_eq(tsr_last_error(), "");
}

Test(lent, a_read_that_moves_the_tile_leaves_what_is_lent)
{
  const char *settings[] = {"threads", "1", "replicate_max", "0", "tile_min", "64", NULL};
  cr_expect_eq(tsr_run_ranks(2, settings, read_beyond_the_tile, NULL), TSR_OK);
}

static void end_on_one_rank(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_ones(TSR_SHAPE(10));
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, true, &tile), TSR_OK);
  if (rank == 1) cr_expect_eq(tsr_local_end(&tile), TSR_ERR_DIVERGED);
  cr_expect(isnan(tsr_item_f64(tsr_sum(tsr_ones(TSR_SHAPE(5))))));
  EXPECT_ERROR(TSR_ERR_DIVERGED, "the ranks did not make the same calls", "tsr_");
}

Test(lent, ended_by_one_rank_only_is_said)
{
  const char *settings[] = {"threads", "1", NULL};
  cr_expect_neq(tsr_run_ranks(2, settings, end_on_one_rank, NULL), TSR_ERR_MPI);
}

/* Wider than what is kept of a neighbour's tile, so that it comes anew with each loan. */
static void lend_wide_halos(void *arg, int rank)
{
  enum { ROWS = 40, COLUMNS = 6 };
  const int64_t halo[] = {7, 1};
  tsr_array u = tsr_zeros(TSR_SHAPE(ROWS, COLUMNS));
  for (int step = 1; step <= 3; step++) {
    tsr_local_tile tile;
    tsr_assign(u, tsr_multiply(step, tsr_reshape(tsr_arange(0, ROWS * COLUMNS, 1),
                                                 TSR_SHAPE(ROWS, COLUMNS))));
    cr_assert_eq(tsr_local(u, halo, false, &tile), TSR_OK, "%s", tsr_last_error());
    cr_assert(tile.n[0] > 0 && tile.n[0] < ROWS);
    for (int64_t i = tile.lo[0] - 7; i < tile.lo[0] + tile.n[0] + 7; i++)
      for (int64_t j = 0; j < COLUMNS && i >= 0 && i < ROWS; j++) {
        const char *at = (const char *)tile.data + (i - tile.lo[0]) * tile.stride_bytes[0] +
                         (j - tile.lo[1]) * tile.stride_bytes[1];
        cr_expect_eq(*(const double *)at, step * (double)(i * COLUMNS + j), "rank %d: %d, %d", rank,
                     (int)i, (int)j);
      }
    cr_assert_eq(tsr_local_end(&tile), TSR_OK);
  }
}

Test(lent, wide_halos_are_brought_in_each_time)
{
  no_devices_asked_for();
  RUN_RANKS(2, lend_wide_halos, NULL, "threads", "1", "replicate_max", "0", "tile_min", "16",
            "halo_max", "0", "replan", "1");
}

/* Memory for the tile, but not for one with so wide a halo. */
static void lend_too_wide(void *arg, int rank)
{
  enum { ROWS = 2048, COLUMNS = 64 };
  const int64_t halo[] = {800, 0};
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array u = tsr_full(TSR_SHAPE(ROWS, COLUMNS), 3.0);
  cr_expect_eq(tsr_flush(), TSR_OK);
  tsr_local_tile tile;
  cr_expect_eq(tsr_local(u, halo, false, &tile), TSR_ERR_PEER);
  EXPECT_ERROR(TSR_ERR_PEER, "failed with TSR0402", "the buffers of this plan, 912.0 KiB",
               "in `tsr_local`");
  cr_expect_eq(tsr_item_f64(tsr_max(u)), 3.0, "nothing has changed");
}

Test(lent, no_memory_for_a_halo, .timeout = 60)
{
  no_devices_asked_for();
  RUN_RANKS(2, lend_too_wide, NULL, "threads", "1", "replicate_max", "0", "tile_min", "64",
            "memory", "700000");
}
