/* Calls that a careful program does not make: nothing crashes, hangs or passes in silence. */
#include "array_test.h"
#include "tests/support/sanitized.h"

#include <math.h>

TestSuite(hostile, .init = begin, .fini = end, .timeout = 120);

Test(hostile, null_texts_and_pointers)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(3));
  cr_expect_not(tsr_ok(tsr_slice(x, (const char *)NULL)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the slice's text is NULL", "`tsr_slice`");
  cr_expect_not(tsr_ok(tsr_eval(NULL, x)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the text is NULL");
  cr_expect_not(tsr_ok(tsr_from_host(NULL, TSR_FLOAT64, TSR_SHAPE(3))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the data is NULL");
  cr_expect_eq(tsr_to_host(x, NULL), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the buffer is NULL");
}

Test(hostile, empty_arrays_go_everywhere)
{
  TSR_SCOPE();
  tsr_array e = tsr_zeros(TSR_SHAPE(0, 5)), f = tsr_ones(TSR_SHAPE(3, 0, 4), TSR_INT32);
  cr_expect_eq(tsr_item_f64(tsr_sum(e)), 0);
  EXPECT_VALUES(tsr_sum(e, TSR_AXES(0)), TSR_SHAPE(5), 0, 0, 0, 0, 0);
  cr_expect_eq(tsr_item_i64(tsr_sum(tsr_prod(f, TSR_AXES(1)))), 12);
  cr_expect_eq(tsr_size(tsr_max(e, TSR_AXES(1))), 0);
  cr_expect(isnan(tsr_item_f64(tsr_mean(e))));
  cr_expect_not(signbit(tsr_item_f64(tsr_mean(e))), "printf would show -nan");
  cr_expect_eq(tsr_assign(e, tsr_add(e, tsr_slice(e, "::-1"))), TSR_OK);
  cr_expect_eq(tsr_iadd(tsr_slice(f, "::-1, :, 1:3"), 4), TSR_OK);
  cr_expect_eq(tsr_exec("e[:] = e[::-1]*2", e), TSR_OK);
  cr_expect_eq(tsr_size(tsr_diagonal(e)), 0);
  cr_expect_eq(tsr_size(tsr_transpose(f)), 0);
  cr_expect_eq(tsr_to_host(e, NULL), TSR_OK);
  cr_expect(tsr_ok(tsr_from_host(NULL, TSR_FLOAT64, TSR_SHAPE(0))));
  tsr_local_tile tile;
  cr_expect_eq(tsr_local(e, NULL, true, &tile), TSR_OK);
  cr_expect_eq(tile.n[0], 0);
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
}

Test(hostile, null_variables)
{
  tsr_array x = tsr_ones(TSR_SHAPE(3));
  cr_expect(isnan(tsr_read_end(NULL)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the read is NULL");
  tsr_array *none = NULL;
  static const tsr_location here = {.op = "tsr_release"};
  tsr_release_at(&here, none);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the array's variable is NULL", "`tsr_release`");
  tsr_replace_at(&here, none, x);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the array's variable is NULL");
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 3);
  cr_expect_eq(tsr_split(none, x, 3), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the place for the parts is NULL", "`tsr_split`");
  cr_expect_eq(tsr_array_split(none, x, 2), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the place for the parts is NULL");
  cr_expect_eq(tsr_split_indices(none, x, 1, (const int64_t[]){1}), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the place for the parts is NULL");
  cr_expect_eq(tsr_broadcast_arrays(none, TSR_ARRAYS(x, x)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the place for the views is NULL");
  cr_expect_eq(tsr_meshgrid(none, TSR_ARRAYS(x, x)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the place for the views is NULL");
  cr_expect_eq(tsr_divmod(none, x, 2), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the place for the two results is NULL");
  cr_expect_eq(tsr_frexp(none, x), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the place for the two results is NULL");
  cr_expect_eq(tsr_modf(none, x), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the place for the two results is NULL");
  cr_expect_eq(tsr_local(x, NULL, false, NULL), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the tile is NULL");
  cr_expect_eq(tsr_to_host(1.0, NULL), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the buffer is NULL");
}

Test(hostile, numbers_at_the_end_of_their_range)
{
  tsr_array x = tsr_ones(TSR_SHAPE(6)), made[3] = {{0}}, many = tsr_ones(TSR_SHAPE(1 << 22));
  cr_expect_eq(tsr_meshgrid(made, TSR_ARRAYS(many, many, many)), TSR_ERR_SIZE);
  EXPECT_ERROR(TSR_ERR_SIZE, "is larger than any machine's memory", "`tsr_meshgrid`");
  cr_expect_not(tsr_ok(made[0]));
  EXPECT_VALUES(tsr_arange(9223372036854775808ULL, 9223372036854800000ULL, 8192ULL), TSR_SHAPE(3),
                9223372036854775808.0, 9223372036854783998.0, 9223372036854792190.0);
  cr_expect_not(tsr_ok(tsr_median(x, (tsr_axes){.n = 100})));
  EXPECT_ERROR(TSR_ERR_AXIS, "100 axes are named; an array has at most 8");
  cr_expect_not(tsr_ok(tsr_roll(x, 1, (tsr_axes){.n = 9})));
  EXPECT_ERROR(TSR_ERR_AXIS, "9 axes are named; an array has at most 8");
  cr_expect_not(tsr_ok(tsr_pad(tsr_zeros(TSR_SHAPE(0)), INT64_MAX, 1, "edge")));
  EXPECT_ERROR(TSR_ERR_SHAPE, "axis 0 is empty: there is nothing to repeat in its padding");
  tsr_array square = tsr_ones(TSR_SHAPE(3, 4));
  cr_expect_eq(tsr_size(tsr_diagonal(square, INT64_MIN)), 0);
  cr_expect_eq(tsr_size(tsr_diagonal(square, INT64_MAX)), 0);
  tsr_local_tile tile;
  cr_expect_eq(tsr_local(tsr_slice(x, "::3"), (int64_t[]){INT64_MAX}, false, &tile), TSR_OK);
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
}

/* Of memory that a call takes beside its arrays. */
static void more_than_a_rank_has(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_rng rng = tsr_default_rng(1);
  tsr_array one = tsr_ones(TSR_SHAPE(1)), z = tsr_broadcast_to(one, TSR_SHAPE(1LL << 42));
  cr_expect_not(tsr_ok(tsr_rng_permutation(&rng, z)));
  EXPECT_ERROR(TSR_ERR_MEMORY, "are more than the memory limit of", "`tsr_rng_permutation`");
  cr_expect_not(tsr_ok(tsr_rng_choice(&rng, z, TSR_SHAPE(2), true)));
  EXPECT_ERROR(TSR_ERR_MEMORY, "are more than the memory limit of");
  cr_expect_eq(tsr_rng_shuffle(&rng, z), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, "the target repeats elements", "`tsr_rng_shuffle`");
  tsr_array wide = tsr_broadcast_to(one, TSR_SHAPE(2, 1LL << 42));
  tsr_array middle = tsr_median(wide, TSR_AXES(0));
  cr_expect(tsr_ok(middle));
  cr_expect_eq(tsr_flush(), TSR_ERR_MEMORY);
  const bool is_alone = tsr_context_current()->world.n_places == 1;
  EXPECT_ERROR(TSR_ERR_MEMORY, is_alone
                                   ? "out of memory: `tsr_median` needs 32.0 TiB more per rank"
                                   : "out of memory: `tsr_median` needs 16.0 TiB more per place");
}

Test(hostile, more_than_the_memory_of_a_rank)
{
  RUN_RANKS(1, more_than_a_rank_has, NULL, "memory", "1T");
}

/* With files behind the memory there is no limit but the system's. */
static void more_than_the_system_has(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_rng rng = tsr_default_rng(1);
  tsr_array z = tsr_broadcast_to(tsr_ones(TSR_SHAPE(1), TSR_BOOL), TSR_SHAPE(1LL << 46));
  cr_expect_not(tsr_ok(tsr_rng_permutation(&rng, z)));
  EXPECT_ERROR(TSR_ERR_MEMORY, "bytes on each rank are more than the system's memory has room for",
               "`tsr_rng_permutation`", "not taken from the files");
}

Test(hostile, more_than_the_memory_of_a_rank_with_files)
{
  const char *directory = getenv("TMPDIR");
  if (directory == NULL || directory[0] == '\0') directory = P_tmpdir;
  RUN_RANKS(1, more_than_the_system_has, NULL, "spill_dir", directory);
}

Test(hostile, a_failed_lending_leaves_an_empty_tile)
{
  tsr_local_tile tile;
  memset(&tile, 0x5a, sizeof tile);
  cr_expect_eq(tsr_local(tsr_null(), NULL, true, &tile), TSR_ERR_HANDLE);
  cr_expect_null(tile.data);
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
}

static int64_t grow(int n, tsr_array x)
{
  TSR_SCOPE();
  tsr_array y = tsr_add(x, 1);
  if (n == 0) return tsr_item_i64(tsr_slice(y, "0"));
  return grow(n - 1, y) + tsr_item_i64(tsr_slice(y, "1"));
}

Test(hostile, scopes_recurse)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(2));
  cr_expect_eq(grow(200, x), 201 + 200 * 201 / 2);
  cr_expect_eq(tsr__context_n_arrays(), 1);
}

Test(hostile, thousands_of_steps_without_a_read)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(10)), last = x;
  {
    TSR_SCOPE();
    for (int i = 0; i < 5000; i++) last = tsr_add(last, 1);
    cr_expect_eq(tsr_item_f64(tsr_slice(last, "5")), 5000);
  }
  for (int i = 0; i < 5000; i++) tsr_replace(&x, tsr_add(x, 1));
  cr_expect_eq(tsr_item_f64(tsr_slice(x, "5")), 5000);
}

Test(hostile, assignments_between_dtypes_of_one_array_overlap)
{
  enum { N = 1000 };
  int32_t expected[N], old[N], got[N];
  tsr_array i = tsr_arange(0, N, 1, TSR_INT32), b = tsr_zeros(TSR_SHAPE(N), TSR_BOOL);
  for (int k = 0; k < N; k++) expected[k] = k;
  for (int s = 1; s < 20; s++) {
    tsr_assign(tsr_slice(i, "$:", s), tsr_slice(i, ":$", -s));
    memcpy(old, expected, sizeof old);
    for (int k = s; k < N; k++) expected[k] = old[k - s];
    tsr_assign(tsr_slice(i, "::2"), tsr_subtract(tsr_slice(i, "::-2"), tsr_slice(i, "1::2")));
    memcpy(old, expected, sizeof old);
    for (int k = 0; k < N / 2; k++) expected[2 * k] = old[N - 1 - 2 * k] - old[2 * k + 1];
    tsr_assign(b, tsr_less(i, 3));
    tsr_iadd(tsr_slice(i, "1:"), tsr_slice(b, ":-1"));
    memcpy(old, expected, sizeof old);
    for (int k = 1; k < N; k++) expected[k] += old[k - 1] < 3;
  }
  cr_assert_eq(tsr_to_host(i, got), TSR_OK);
  for (int k = 0; k < N; k++) cr_assert_eq(got[k], expected[k], "%d", k);
}

Test(hostile, eight_axes_backwards)
{
  enum { N = 6561 };
  double *data = malloc(sizeof(double) * N), *got = malloc(sizeof(double) * N);
  for (int i = 0; i < N; i++) data[i] = i;
  tsr_array x = tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(3, 3, 3, 3, 3, 3, 3, 3));
  tsr_assign(x, tsr_transpose(x));
  cr_assert_eq(tsr_to_host(x, got), TSR_OK);
  for (int i = 0; i < N; i++) {
    int turned = 0;
    for (int k = i, d = 0; d < 8; d++, k /= 3) turned = 3 * turned + k % 3;
    cr_assert_eq(got[i], data[turned], "%d", i);
  }
  free(data);
  free(got);
}

/* More than any machine has, but not absurd: an error of the run, after which all goes on. */
static void more_than_memory(void *arg, int rank)
{
  int *failures = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array kept = tsr_ones(TSR_SHAPE(10)), huge = tsr_zeros(TSR_SHAPE(INT64_C(1) << 40));
  char text[1024];
  if (!isnan(tsr_item_f64(tsr_slice(huge, "7")))) __atomic_add_fetch(failures, 1, 5);
  if (tsr_take_error(text, sizeof text) != TSR_ERR_MEMORY || !strstr(text, "out of memory"))
    __atomic_add_fetch(failures, 1, 5);
  if (!isnan(tsr_item_f64(tsr_slice(huge, "7")))) __atomic_add_fetch(failures, 1, 5);
  if (tsr_take_error(text, sizeof text) != TSR_ERR_MEMORY || !strstr(text, "lost to an earlier"))
    __atomic_add_fetch(failures, 1, 5);
  if (tsr_item_f64(tsr_sum(kept)) != 10) __atomic_add_fetch(failures, 1, 5);
}

static void no_data(void *arg, int rank)
{
  int *failures = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array kept = tsr_ones(TSR_SHAPE(1000));
  if (tsr_ok(tsr_from_host(NULL, TSR_FLOAT64, TSR_SHAPE(300)))) __atomic_add_fetch(failures, 1, 5);
  char text[1024];
  if (tsr_take_error(text, sizeof text) == TSR_OK || !strstr(text, "the data is NULL"))
    __atomic_add_fetch(failures, 1, 5);
  if (tsr_item_f64(tsr_sum(kept)) != 1000) __atomic_add_fetch(failures, 1, 5);
}

Test(hostile, ranks_agree_on_what_went_wrong)
{
  static const char *const settings[][9] = {
      {NULL},
      {"replicate_max", "0", "tile_min", "1", "chunk_bytes", "1", "inline_elems", "0", NULL},
      {"threads", IS_SANITIZED ? "8" : "64", NULL},
      {"replan", "1", "replicate_max", "0", "tile_min", "8", NULL}};
  tsr_context *mine = tsr_context_set_current(NULL);
  int failures = 0;
  for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++)
    for (int n = 1; n <= 8; n += n < 3 ? 1 : 5) {
      cr_expect_eq(tsr_run_ranks(n, settings[s], more_than_memory, &failures), TSR_OK);
      cr_expect_eq(tsr_run_ranks(n, settings[s], no_data, &failures), TSR_OK);
    }
  cr_expect_eq(failures, 0);
  tsr_context_set_current(mine);
}

/* Lists that a program has lost. */
Test(hostile, lists_of_arrays_that_are_null)
{
  tsr_array out[4];
  const tsr_arrays lost = TSR_ARRAYS_OF(3, NULL);
#define EXPECT_LOST(call)                                                                          \
  cr_expect_not(tsr_ok(call));                                                                     \
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the list of arrays is NULL")
  EXPECT_LOST(tsr_concatenate(lost));
  EXPECT_LOST(tsr_stack(lost));
  EXPECT_LOST(tsr_vstack(lost));
  EXPECT_LOST(tsr_hstack(lost));
  EXPECT_LOST(tsr_dstack(lost));
  EXPECT_LOST(tsr_column_stack(lost));
  EXPECT_LOST(tsr_panels(lost));
  cr_expect_eq(tsr_broadcast_arrays(out, lost), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the list of arrays is NULL");
  cr_expect_eq(tsr_meshgrid(out, lost), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the list of arrays is NULL");
  cr_expect_not(tsr_ok(tsr_concatenate(TSR_ARRAYS_OF(-3, out))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "no arrays to join");
}

/* Operands that are no values. */
Test(hostile, operands_of_no_kind)
{
  const tsr_operand odd = {.kind = 77};
  const tsr_array x = tsr_ones(TSR_SHAPE(3));
#define EXPECT_ODD(call)                                                                           \
  cr_expect_not(tsr_ok(call));                                                                     \
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an operand has the kind 77, which is none")
  EXPECT_ODD(tsr_add(x, odd));
  EXPECT_ODD(tsr_full(3, odd));
  EXPECT_ODD(tsr_arange(0, odd, 1));
  EXPECT_ODD(tsr_linspace(odd, 1));
  EXPECT_ODD(tsr_sum(odd));
  EXPECT_ODD(tsr_where(x, odd, 0));
  EXPECT_ODD(tsr_quantile(x, odd));
  cr_expect_eq(tsr_assign(x, odd), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an operand has the kind 77");
  EXPECT_VALUES(x, TSR_SHAPE(3), 1, 1, 1);
}
