/* Calls that one rank alone makes, or that ranks make with other arguments: every rank is told
 * which, and none waits for ever. */
#include "array_test.h"

#include <math.h>

typedef struct program {
  void (*run)(int rank);
  const char *said[3]; /* of the error's text */
} program;

static void on_rank(void *arg, int rank)
{
  const program *p = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  p->run(rank);
  tsr_barrier();
  char text[4096];
  cr_expect_eq(tsr_take_error(text, sizeof text), TSR_ERR_DIVERGED, "rank %d: %s", rank, text);
  cr_expect_not_null(strstr(text, "the ranks did not make the same calls"), "%s", text);
  for (int i = 0; i < 3 && p->said[i]; i++)
    cr_expect_not_null(strstr(text, p->said[i]), "no \"%s\" in: %s", p->said[i], text);
}

static void expect_diverged(program p)
{
  const char *settings[] = {"threads", "1", "bind", "0", NULL};
  for (int n = 2; n <= 3; n++) tsr_run_ranks(n, settings, on_rank, &p);
}
#define EXPECT_DIVERGED(run, ...) expect_diverged((program){run, {__VA_ARGS__}})

/* Set before the ranks begin. */
static char path[200];

static void set_path(void)
{
  begin();
  snprintf(path, sizeof path, "%s/diverged_%ld.xdmf", P_tmpdir, (long)getpid());
}

static void unset_path(void)
{
  remove(path);
  end();
}

TestSuite(diverged, .init = set_path, .fini = unset_path);

static void load_alone(int rank)
{
  if (rank == 0) cr_expect(!tsr_ok(tsr_load_npy("/nowhere")));
}

static void open_alone(int rank)
{
  if (rank == 0) cr_expect_null(tsr_xdmf_open(path));
}

static void close_alone(int rank)
{
  tsr_xdmf *s = tsr_xdmf_open(path);
  if (rank == 0) tsr_xdmf_close(&s);
  tsr_item_f64(tsr_sum(tsr_ones(TSR_SHAPE(3))));
  tsr_xdmf_close(&s);
}

Test(diverged, files)
{
  EXPECT_DIVERGED(load_alone, "tsr_load_npy(\"/nowhere\") at", "tsr_barrier() at");
  EXPECT_DIVERGED(open_alone, "tsr_xdmf_open(path) at", "tsr_barrier() at");
  EXPECT_DIVERGED(close_alone, "tsr_xdmf_close(&s) at", "tsr_ones(TSR_SHAPE(3)) at");
}

/* The end of the program meets them, too. */
static void load_alone_at_the_end(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  load_alone(rank);
}

Test(diverged, at_the_end)
{
  const char *settings[] = {"threads", "1", NULL};
  cr_expect_eq(tsr_run_ranks(2, settings, load_alone_at_the_end, NULL), TSR_ERR_DIVERGED);
}

static void print_alone(int rank)
{
  tsr_array x = tsr_arange(0, 10, 1);
  if (rank == 0) tsr_print(x);
}

static void flush_much(int rank)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(100000));
  tsr_assign(x, 1);
  if (rank == 0) tsr_item_f64(tsr_sum(x));
}

static void time_alone(int rank)
{
  if (rank == 0) cr_expect(tsr_time() > 0);
  tsr_item_f64(tsr_sum(tsr_ones(TSR_SHAPE(3))));
}

Test(diverged, barrier_and_time)
{
  EXPECT_DIVERGED(print_alone, "rank 0: tsr_print(x) at", "rank 1: tsr_barrier() at");
  EXPECT_DIVERGED(flush_much, "rank 0: tsr_sum(x) at", "rank 1: tsr_barrier() at");
  EXPECT_DIVERGED(time_alone, "rank 0: tsr_time() at", "rank 1: tsr_ones(TSR_SHAPE(3)) at");
}

static void import_other_shapes(int rank)
{
  double x[5] = {0};
  cr_expect(!tsr_ok(tsr_from_host(x, TSR_FLOAT64, TSR_SHAPE(rank == 0 ? 4 : 5))));
}

static void import_other_dtypes(int rank)
{
  double x[5] = {0};
  cr_expect(!tsr_ok(tsr_from_host(x, rank == 0 ? TSR_FLOAT64 : TSR_FLOAT32, TSR_SHAPE(5))));
}

static void write_at_other_times(int rank)
{
  tsr_xdmf *s = tsr_xdmf_open(path);
  cr_assert_not_null(s);
  cr_expect_eq(tsr_xdmf_write(s, rank, "a", tsr_ones(TSR_SHAPE(3, 4))), TSR_ERR_DIVERGED);
  tsr_xdmf_close(&s);
}

static void write_other_names(int rank)
{
  tsr_xdmf *s = tsr_xdmf_open(path);
  cr_assert_not_null(s);
  cr_expect_eq(tsr_xdmf_write(s, 1, rank ? "a" : "b", tsr_ones(TSR_SHAPE(3, 4))), TSR_ERR_DIVERGED);
  tsr_xdmf_close(&s);
}

Test(diverged, arguments)
{
  EXPECT_DIVERGED(import_other_shapes, "tsr_from_host(x, TSR_FLOAT64, TSR_SHAPE(");
  EXPECT_DIVERGED(import_other_dtypes, "tsr_from_host(x, ");
  EXPECT_DIVERGED(write_at_other_times, "tsr_xdmf_write(s, rank, \"a\"");
  EXPECT_DIVERGED(write_other_names, "tsr_xdmf_write(s, 1, ");
}

static void other_scalars(int rank)
{
  const tsr_array x = tsr_add(tsr_ones(TSR_SHAPE(3)), 0.5 + rank);
  (void)tsr_item_f64(tsr_sum(x));
}

static void other_integers(int rank)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(3), TSR_INT32);
  tsr_assign(x, rank - 1);
  (void)tsr_item_f64(tsr_sum(x));
}

static void other_shapes(int rank)
{
  const tsr_array x = tsr_ones(TSR_SHAPE(3, 4 + rank));
  (void)tsr_item_f64(tsr_sum(x));
}

static void other_slices(int rank)
{
  const tsr_array x = tsr_ones(TSR_SHAPE(8));
  const tsr_array y = tsr_add(tsr_slice(x, "$:$", rank, rank + 3), 1);
  (void)tsr_item_f64(tsr_sum(y));
}

static void other_seeds(int rank)
{
  tsr_rng rng = tsr_default_rng(77 + (uint64_t)rank);
  (void)tsr_item_f64(tsr_sum(tsr_rng_uniform(&rng, 0, 1, TSR_SHAPE(5))));
}

static void other_lengths(int rank)
{
  (void)tsr_item_f64(tsr_sum(tsr_arange(10 + rank)));
}

static void other_quantiles(int rank)
{
  const tsr_array x = tsr_arange(0, 8, 1);
  (void)tsr_item_f64(tsr_percentile(x, rank == 0 ? 25 : 50));
}

static void other_paths_saved(int rank)
{
  char own[300];
  snprintf(own, sizeof own, "%s%d", path, rank);
  tsr_save_npy(tsr_ones(TSR_SHAPE(3)), own);
  remove(own);
}

static void other_paths_loaded(int rank)
{
  (void)!tsr_ok(tsr_load_npy(rank == 0 ? "/nowhere/a" : "/nowhere/b"));
}

static void other_paths_drawn(int rank)
{
  char own[300];
  snprintf(own, sizeof own, "%s%d", path, rank);
  tsr_save_png(tsr_ones(TSR_SHAPE(3, 3)), own);
  remove(own);
}

static void other_series(int rank)
{
  char own[300];
  snprintf(own, sizeof own, "%s%d", path, rank);
  tsr_xdmf *series = tsr_xdmf_open(own);
  tsr_xdmf_close(&series);
  remove(own);
}

/* The calls read alike: what they got is shown for both ranks. */
Test(diverged, values)
{
  EXPECT_DIVERGED(other_scalars, "other_scalars(): from (3,) float64, 0.5 to (3,) float64",
                  "other_scalars(): from (3,) float64, 1.5 to (3,) float64",
                  "help: only a number differs, behind `from (3,) float64, `: 0.5 on rank 0, "
                  "1.5 on rank 1\n");
  EXPECT_DIVERGED(other_integers, "from -1 to (3,) int32", "from 0 to (3,) int32",
                  "behind `from `: -1 on rank 0, 0 on rank 1\n");
  EXPECT_DIVERGED(other_shapes, "other_shapes(): from 1 to (3, 4) float64",
                  "other_shapes(): from 1 to (3, 5) float64",
                  "behind `from 1 to (3, `: 4 on rank 0, 5 on rank 1\n");
  EXPECT_DIVERGED(other_slices, "from (3,) float64 at [0:3] of (8,), 1 to",
                  "from (3,) float64 at [1:4] of (8,), 1 to");
  EXPECT_DIVERGED(other_seeds, "other_seeds(): seed 77, after 0 draws",
                  "other_seeds(): seed 78, after 0 draws");
  EXPECT_DIVERGED(other_lengths, "other_lengths(): along axis 0 to (10,) int64",
                  "other_lengths(): along axis 0 to (11,) int64");
  EXPECT_DIVERGED(other_quantiles, "other_quantiles(): q 0.25", "other_quantiles(): q 0.5");
  EXPECT_DIVERGED(other_paths_saved, "tsr_save_npy", "other_paths_saved(): path ", ".xdmf1");
  EXPECT_DIVERGED(other_paths_loaded, "path /nowhere/a", "path /nowhere/b");
  EXPECT_DIVERGED(other_paths_drawn, "tsr_save_png", "other_paths_drawn(): path ", ".xdmf1");
  EXPECT_DIVERGED(other_series, "tsr_xdmf_open", "other_series(): path ", ".xdmf1");
}

static void other_axes(int rank)
{
  const tsr_array x = tsr_ones(TSR_SHAPE(5, 5));
  (void)tsr_item_f64(tsr_slice(tsr_sum(x, TSR_AXES(rank > 0)), "0"));
}

static void other_empty_shapes(int rank)
{
  const tsr_array x = tsr_zeros(TSR_SHAPE(0, 3 + rank));
  cr_expect(tsr_ok(x));
}

static void flushed_scalars(int rank)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4));
  tsr_assign(x, 1.5 + rank);
  (void)tsr_flush();
  (void)tsr_item_f64(tsr_sum(x));
}

/* Long before the read, in a window that has run. */
static void early_scalars(int rank)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4));
  for (int i = 0; i < 500; i++) tsr_iadd(x, i == 3 ? 10 + rank : 1);
  (void)tsr_item_f64(tsr_sum(x));
}

static void flushed_slices(int rank)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(4, 9));
  tsr_assign(tsr_slice(x, "$, ::-2", rank), 7);
  (void)tsr_flush();
  (void)tsr_item_f64(tsr_sum(x));
}

/* What is written has gone, too. */
static void flushed_and_released(int rank)
{
  tsr_array x = tsr_hold(tsr_full(TSR_SHAPE(6), 20 + rank));
  (void)tsr_flush();
  tsr_release(&x);
}

/* The calls read alike, and what they got has been computed since. */
Test(diverged, values_that_were_flushed)
{
  EXPECT_DIVERGED(flushed_scalars, "from 1.5 to (4,) float64", "from 2.5 to (4,) float64");
  EXPECT_DIVERGED(early_scalars, "from (4,) float64, 10 to (4,) float64",
                  "from (4,) float64, 11 to (4,) float64");
  EXPECT_DIVERGED(flushed_slices, "to (5,) float64 at [0, 8::-2]", "to (5,) float64 at [1, 8::-2]");
  EXPECT_DIVERGED(flushed_and_released, "from 20 to (6,) float64", "from 21 to (6,) float64");
}

static void read_other_elements(int rank)
{
  const tsr_array x = tsr_arange(0, 8, 1);
  (void)tsr_item_f64(tsr_slice(x, "$", rank));
}

static void read_other_parts(int rank)
{
  double values[2];
  const tsr_array x = tsr_arange(0, 8, 1);
  (void)tsr_to_host(tsr_slice(x, "$:$", rank + 1, rank + 3), values);
}

static void lend_with_other_halos(int rank)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(64, 64));
  const int64_t halo[2] = {1 + rank, 0};
  tsr_local_tile tile;
  if (tsr_local(x, halo, false, &tile) == TSR_OK) tsr_local_end(&tile);
}

/* No operation has them, but every rank must give the same. */
Test(diverged, values_of_reads)
{
  EXPECT_DIVERGED(other_axes, "from (5, 5) float64 over axes 0 to",
                  "from (5, 5) float64 over axes 1 to");
  EXPECT_DIVERGED(other_empty_shapes, "other_empty_shapes(): (0, 3) float64",
                  "other_empty_shapes(): (0, 4) float64");
  EXPECT_DIVERGED(read_other_elements, "read_other_elements(): () float64 at [0]",
                  "read_other_elements(): () float64 at [1]");
  EXPECT_DIVERGED(read_other_parts, "(2,) float64 at [1:3]", "(2,) float64 at [2:4]");
  EXPECT_DIVERGED(lend_with_other_halos, "halo 1, 0", "halo 2, 0");
  EXPECT_DIVERGED(import_other_shapes, "(4,) float64", "(5,) float64");
  EXPECT_DIVERGED(write_at_other_times, "time 0, name a", "time 1, name a");
}

static void order(int rank)
{
  tsr_rng rng = tsr_default_rng((uint64_t)rank);
  tsr_item_i64(tsr_sum(tsr_rng_permutation(&rng, 100)));
}

static void order_of_array(int rank)
{
  tsr_rng rng = tsr_default_rng((uint64_t)rank);
  tsr_item_f64(tsr_sum(tsr_rng_permutation(&rng, tsr_ones(TSR_SHAPE(9)))));
}

static void later_choice(int rank)
{
  tsr_rng rng = tsr_default_rng(1);
  rng.n_draws += (uint64_t)rank;
  tsr_item_i64(tsr_sum(tsr_rng_choice(&rng, 9, TSR_SHAPE(3), false)));
}

Test(diverged, draws)
{
  EXPECT_DIVERGED(order, "tsr_rng_permutation(&rng, 100) at");
  EXPECT_DIVERGED(order_of_array, "tsr_rng_permutation(&rng, tsr_ones(TSR_SHAPE(9))) at");
  EXPECT_DIVERGED(later_choice, "seed 1, after 0 draws", "seed 1, after 1 draws",
                  "tsr_rng_choice(&rng, 9, TSR_SHAPE(3), false) at");
}
