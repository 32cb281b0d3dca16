/* Elements that go to the program and come from it: to one rank, with strides, column-major, and as
 * tensors of DLPack. */
#include "array_test.h"

TestSuite(host, .init = begin, .fini = end);

enum { ROWS = 60, COLUMNS = 50, N = ROWS * COLUMNS };

static tsr_array numbered(void)
{
  return tsr_reshape(tsr_arange(0, N, 1), TSR_SHAPE(ROWS, COLUMNS));
}

/* The bytes that this rank has received so far. */
static uint64_t received(void)
{
  return tsr__current->world.transport->bytes_received;
}

/* Reads x to rank 1 and to all ranks, which is the same there; no other rank hears of an
 * element. */
static void to_rank_1(tsr_array x)
{
  const size_t bytes = (size_t)tsr_size(x) * 8;
  char *one = calloc(1, bytes + 8), *all = calloc(1, bytes + 8);
  cr_assert_eq(tsr_flush(), TSR_OK);
  const bool mine = tsr_rank() == 1;
  cr_expect_eq(tsr_to_host(x, mine ? one : NULL, TSR_ON(1)), TSR_OK, "%s", tsr_last_error());
  cr_expect_eq(tsr_to_host(x, all), TSR_OK);
  if (mine) cr_expect(memcmp(one, all, bytes) == 0);
  free(one);
  free(all);
}

static void read_views_on_one_rank(void *arg, int rank)
{
  tsr_array u = tsr_hold(tsr_multiply(numbered(), 1)), v = tsr_hold(tsr_arange(0, N, 1));
  to_rank_1(u);
  to_rank_1(tsr_transpose(u));
  to_rank_1(tsr_slice(u, "::-1, 3::2"));
  to_rank_1(tsr_slice(u, "7"));
  to_rank_1(tsr_slice(u, "59, 49"));
  to_rank_1(tsr_diagonal(u, 3));
  to_rank_1(tsr_broadcast_to(tsr_expand_dims(v, 0), TSR_SHAPE(3, N)));
  to_rank_1(tsr_broadcast_to(tsr_expand_dims(tsr_slice(u, ":, 0"), 1), TSR_SHAPE(ROWS, 4)));
  to_rank_1(tsr_reshape(v, TSR_SHAPE(10, 6, 50)));
  to_rank_1(tsr_slice(tsr_reshape(v, TSR_SHAPE(10, 6, 50)), "::-2, 1:, ::7"));
  to_rank_1(tsr_slice(u, "3:3"));
  to_rank_1(tsr_add(u, tsr_slice(u, "::-1")));
  to_rank_1(tsr_sum(u));
}

Test(host, views_on_one_rank_are_those_on_all)
{
  for (int n = 2; n <= 4; n++)
    RUN_RANKS(n, read_views_on_one_rank, NULL, "threads", "1", "replicate_max", "0", "tile_min",
              "16");
}

static void count_what_is_received(void *arg, int rank)
{
  enum { LONG = 400000 };
  double *got = rank == 2 ? calloc(LONG, sizeof *got) : NULL;
  tsr_array x = tsr_zeros(TSR_SHAPE(LONG));
  tsr_assign(x, tsr_arange(0, LONG, 1));
  cr_assert_eq(tsr_flush(), TSR_OK);
  cr_assert_eq(tsr_barrier(), TSR_OK);
  const uint64_t before = received();
  cr_expect_eq(tsr_to_host(x, got, TSR_ON(2)), TSR_OK);
  const uint64_t bytes = received() - before, missing = LONG / 4 * 3 * sizeof *got;
  if (rank == 2)
    cr_expect(bytes >= missing && bytes < missing + 4096, "%llu bytes", (unsigned long long)bytes);
  else
    cr_expect(bytes < 4096, "%llu bytes came to rank %d", (unsigned long long)bytes, rank);
  int64_t wrong = 0;
  for (int64_t i = 0; rank == 2 && i < LONG; i++) wrong += got[i] != (double)i;
  cr_expect_eq(wrong, 0);
  free(got);
}

Test(host, no_other_rank_receives_the_elements)
{
  no_devices_asked_for();
  RUN_RANKS(4, count_what_is_received, NULL, "threads", "1", "replicate_max", "1000", "tile_min",
            "1000");
}

/* A picture's pixels go to rank 0, which draws it, and to no other. */
static void draw_on_rank_0(void *arg, int rank)
{
  const char *path = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x =
      tsr_hold(tsr_multiply(tsr_reshape(tsr_arange(0, 250000, 1), TSR_SHAPE(500, 500)), 1));
  cr_assert_eq(tsr_flush(), TSR_OK);
  cr_assert_eq(tsr_barrier(), TSR_OK);
  const uint64_t before = received();
  if (tsr_save_png(x, path) < 0) /* the library was built without libpng */
    EXPECT_ERROR(TSR_ERR_IO, "libpng");
  const uint64_t bytes = received() - before;
  if (rank > 0) cr_expect(bytes < 4096, "%llu bytes", (unsigned long long)bytes);
  if (rank == 0) cr_expect(bytes > 250000 / 3 * 2 * 8 - 9000);
}

Test(host, pictures_are_drawn_by_rank_0_alone)
{
  char path[64];
  no_devices_asked_for();
  snprintf(path, sizeof path, "/tmp/tsr_host_%d.png", (int)getpid());
  RUN_RANKS(3, draw_on_rank_0, path, "threads", "1", "replicate_max", "1000", "tile_min", "1000");
  unlink(path);
}

/* A tile's part goes in several messages where it is long. */
static void read_long_parts(void *arg, int rank)
{
  enum { WIDE = 1 << 19, HIGH = 5 };
  tsr_array x = tsr_zeros(TSR_SHAPE(WIDE, HIGH));
  tsr_assign(tsr_transpose(x), tsr_arange(0, WIDE, 1));
  double *got = rank == 0 ? calloc((size_t)WIDE * HIGH, sizeof *got) : NULL;
  cr_expect_eq(tsr_to_host(x, got, TSR_ON(0), TSR_COLUMN_MAJOR), TSR_OK);
  int64_t wrong = 0;
  for (int64_t i = 0; rank == 0 && i < (int64_t)WIDE * HIGH; i++)
    wrong += got[i] != (double)(i % WIDE);
  cr_expect_eq(wrong, 0);
  free(got);
}

Test(host, a_long_part_is_several_messages)
{
  RUN_RANKS(2, read_long_parts, NULL, "threads", "1");
}

static void fail_on_one_rank(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_hold(tsr_multiply(numbered(), 1));
  double got[N];
  cr_expect_lt(tsr_to_host(x, rank == 0 ? got : NULL, TSR_ON(1)), 0);
  EXPECT_ERROR(TSR_ERR_PEER, "rank 1 failed with TSR0101", "the buffer is NULL");
  cr_expect_eq(tsr_to_host(x, got, TSR_ON(2)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "there is no rank 2, only 0 to 1");
  cr_expect_eq(tsr_to_host(x, got, TSR_ON(-1)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "there is no rank -1");
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), (double)N * (N - 1) / 2, "the values are still there");
  tsr_dlpack *tensor = NULL;
  cr_expect_eq(tsr_to_dlpack(x, &tensor), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "no rank has all elements", "x: (60, 50) float64", "tsr_local",
               "TSR_ON(rank)");
  cr_expect_null(tensor);
  cr_expect_lt(tsr_to_host(x, got, TSR_ON(rank)), 0);
  EXPECT_ERROR(TSR_ERR_DIVERGED, "the ranks did not make the same calls", "to rank 0", "to rank 1");
}

Test(host, errors_of_one_rank_are_all_ranks_errors)
{
  const char *settings[] = {"threads", "1", "replicate_max", "0", "tile_min", "16", NULL};
  cr_expect_eq(tsr_run_ranks(2, settings, fail_on_one_rank, NULL), TSR_OK);
}

/* Both ranks get the error of rank 1, and go on. */
static void expect_told(bool failed, const char *text)
{
  cr_expect(failed, "%s", text);
  EXPECT_ERROR(TSR_ERR_PEER, "rank 1 failed with TSR0101", text);
}

static void give_wrong_arguments_on_one_rank(void *arg, int rank)
{
  const bool bad = rank == 1;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_hold(tsr_multiply(numbered(), 1)), two = tsr_hold(tsr_ones(TSR_SHAPE(2, 3)));
  tsr_array none = tsr_zeros(TSR_SHAPE(0, 3));
  double got[N], number;
  const double data[N] = {0};
  for (int again = 0; again < 2; again++) {
    expect_told(tsr_to_host(two, got, TSR_STRIDES(24, bad ? 4 : 8)) < 0, "lie on each other");
    expect_told(tsr_to_host(two, bad ? NULL : got) < 0, "the buffer is NULL");
    expect_told(tsr_to_host(x, bad ? NULL : got) < 0, "the buffer is NULL");
    expect_told(tsr_to_host(tsr_add(x, again), bad ? NULL : got) < 0, "the buffer is NULL");
    expect_told(
        tsr_to_host(none, got, TSR_STRIDES(24, 8), bad ? TSR_COLUMN_MAJOR : TSR_NO_HOST_OPTION) < 0,
        "both say");
  }
  expect_told(tsr_to_host(3.0, bad ? NULL : &number, TSR_ON(1)) < 0, "the buffer is NULL");
  cr_expect_eq(tsr_to_host(3.0, bad ? &number : NULL, TSR_ON(1)), TSR_OK);
  expect_told(!tsr_ok(tsr_from_host(data, TSR_FLOAT64, N, TSR_STRIDES(8),
                                    bad ? TSR_STRIDES(8) : TSR_NO_HOST_OPTION)),
              "an option is given twice");
  const tsr_host_tile half = {.lo = {rank * N / 2}, .n = {N / 2}, .data = data};
  expect_told(!tsr_ok(tsr_from_tiles(1, &half, TSR_FLOAT64, N,
                                     bad ? TSR_COLUMN_MAJOR : TSR_NO_HOST_OPTION)),
              "TSR_COLUMN_MAJOR is no option of this call");
  int64_t n = N;
  tsr_dlpack tensor = {.version = {1, 0},
                       .tensor = {.data = got,
                                  .device = {bad ? 2 : TSR_DLPACK_CPU, 0},
                                  .ndim = 1,
                                  .dtype = {TSR_DLPACK_FLOAT, 64, 1},
                                  .shape = &n}};
  expect_told(!tsr_ok(tsr_from_dlpack(&tensor)), "the tensor lies on DLPack's device 2");
  tensor.tensor.device.type = TSR_DLPACK_CPU;
  expect_told(!tsr_ok(tsr_from_dlpack(bad ? NULL : &tensor)), "the tensor is NULL");
  cr_expect(tsr_ok(tsr_from_dlpack(&tensor)), "%s", tsr_last_error());
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), (double)N * (N - 1) / 2, "the values are still there");
  cr_expect_eq(tsr_item_f64(tsr_sum(two)), 6);
}

Test(host, arguments_that_are_wrong_on_one_rank_alone, .timeout = 60)
{
  const char *split[] = {"threads", "1", "replicate_max", "0", "tile_min", "16", NULL};
  const char *whole[] = {"threads", "1", NULL};
  cr_expect_eq(tsr_run_ranks(2, split, give_wrong_arguments_on_one_rank, NULL), TSR_OK);
  cr_expect_eq(tsr_run_ranks(2, whole, give_wrong_arguments_on_one_rank, NULL), TSR_OK);
}

static void take_differently(void *arg, int rank)
{
  const double data[N] = {0};
  const tsr_host_tile all = {.n = {N}, .data = data};
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  if (*(bool *)arg) {
    cr_expect(!tsr_ok(tsr_from_host(data, TSR_FLOAT64, N, TSR_ON(rank))));
    EXPECT_ERROR(TSR_ERR_DIVERGED, "the ranks did not make the same calls",
                 "rank 0:", "(3000,) float64\n", "rank 1:", "(3000,) float64, of rank 1");
  } else {
    tsr_array x =
        rank == 0 ? tsr_from_host(data, TSR_FLOAT64, N) : tsr_from_tiles(1, &all, TSR_FLOAT64, N);
    cr_expect(!tsr_ok(x));
    EXPECT_ERROR(TSR_ERR_DIVERGED, "the ranks did not make the same calls", "rank 0: tsr_from_host",
                 "rank 1: tsr_from_tiles");
  }
}

Test(host, imports_that_differ_are_said, .timeout = 60)
{
  const char *settings[] = {"threads", "1", NULL};
  for (int i = 0; i < 2; i++) {
    bool by_rank = i;
    cr_expect_neq(tsr_run_ranks(2, settings, take_differently, &by_rank), TSR_ERR_MPI);
  }
}

static void take_from_rank_1(void *arg, int rank)
{
  double data[N];
  for (int i = 0; i < N; i++) data[i] = rank == 1 ? i : -1;
  tsr_array x =
      tsr_from_host(rank == 1 ? data : NULL, TSR_FLOAT64, TSR_SHAPE(ROWS, COLUMNS), TSR_ON(1));
  cr_assert(tsr_ok(x));
  cr_expect_eq(tsr_item_f64(tsr_sum(tsr_absolute(tsr_subtract(x, numbered())))), 0);
  tsr_array y =
      tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(COLUMNS, ROWS), TSR_COLUMN_MAJOR, TSR_ON(1));
  cr_expect_eq(tsr_item_f64(tsr_sum(tsr_absolute(tsr_subtract(tsr_transpose(y), x)))), 0);
}

Test(host, any_rank_may_have_the_data)
{
  RUN_RANKS(2, take_from_rank_1, NULL, "threads", "1", "replicate_max", "0", "tile_min", "16");
  RUN_RANKS(3, take_from_rank_1, NULL, "threads", "1");
}

Test(host, strides_in_and_out)
{
  struct particle {
    double x;
    float mass;
    int32_t id;
  } all[12], back[12];
  for (int i = 0; i < 12; i++) all[i] = (struct particle){i, (float)i / 2, 100 + i};
  memset(back, 0x7f, sizeof back);
  const int each = sizeof *all;
  tsr_array x = tsr_from_host(&all[0].x, TSR_FLOAT64, TSR_SHAPE(3, 4), TSR_STRIDES(4 * each, each));
  EXPECT_VALUES(x, TSR_SHAPE(3, 4), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  tsr_array mass = tsr_from_host(&all[11].mass, TSR_FLOAT32, 12, TSR_STRIDES(-each));
  EXPECT_VALUES(tsr_slice(mass, ":3"), TSR_SHAPE(3), 5.5, 5, 4.5);
  tsr_array same = tsr_from_host(&all[2].x, TSR_FLOAT64, TSR_SHAPE(2, 2), TSR_STRIDES(0, each));
  EXPECT_VALUES(same, TSR_SHAPE(2, 2), 2, 3, 2, 3);
  cr_expect_eq(tsr_to_host(tsr_multiply(x, 2), &back[0].x, TSR_STRIDES(4 * each, each)), TSR_OK);
  cr_expect_eq(tsr_to_host(mass, &back[11].mass, TSR_ON(0), TSR_STRIDES(-each)), TSR_OK);
  for (int i = 0; i < 12; i++) {
    cr_expect_eq(back[i].x, 2.0 * i);
    cr_expect_eq(back[i].mass, (float)i / 2);
    cr_expect_eq(back[i].id, 0x7f7f7f7f, "what lies between the elements stays");
  }
}

Test(host, column_major)
{
  const int32_t fortran[] = {1, 2, 3, 4, 5, 6};
  int32_t back[6] = {0};
  tsr_array x = tsr_from_host(fortran, TSR_INT32, TSR_SHAPE(2, 3), TSR_COLUMN_MAJOR);
  EXPECT_VALUES(x, TSR_SHAPE(2, 3), 1, 3, 5, 2, 4, 6);
  cr_expect_eq(tsr_to_host(x, back, TSR_COLUMN_MAJOR), TSR_OK);
  cr_expect(memcmp(back, fortran, sizeof back) == 0);
  cr_expect_eq(tsr_to_host(tsr_transpose(x), back), TSR_OK);
  cr_expect(memcmp(back, fortran, sizeof back) == 0);
}

static void never(void *arg)
{
  *(bool *)arg = true;
}

Test(host, options_that_a_call_does_not_take)
{
  double buffer[6] = {0};
  bool was_released = false;
  tsr_array x = tsr_zeros(TSR_SHAPE(2, 3));
  cr_expect_eq(tsr_to_host(x, buffer, TSR_LENT(never, &was_released)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_LENT is no option of this call, which takes TSR_ON, "
                                 "TSR_STRIDES and TSR_COLUMN_MAJOR");
  cr_expect(!was_released);
  cr_expect(!tsr_ok(tsr_from_tiles(0, NULL, TSR_FLOAT64, 3, TSR_ON(0))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_ON is no option of this call, which takes TSR_LENT");
  cr_expect_eq(tsr_to_host(x, buffer, TSR_ON(0), TSR_ON(0)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an option is given twice");
  cr_expect_eq(tsr_to_host(x, buffer, TSR_COLUMN_MAJOR, TSR_STRIDES(8, 16)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_STRIDES and TSR_COLUMN_MAJOR both say");
  cr_expect_eq(tsr_to_host(x, buffer, TSR_STRIDES(8)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_STRIDES has 1 numbers, the array 2 axes");
  cr_expect_eq(tsr_to_host(x, buffer, TSR_STRIDES(24, 4)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT,
               "elements of 8 bytes lie on each other: the stride of axis 1 is 4");
  double many[40 * 100];
  cr_expect_eq(tsr_to_host(tsr_zeros(TSR_SHAPE(40, 100)), many, TSR_STRIDES(8, 8)),
               TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "elements of 8 bytes lie on each other");
  cr_expect_eq(tsr_to_host(x, buffer, TSR_ON(1)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "there is no rank 1, only 0 to 0");
  cr_expect_eq(tsr_to_host(x, NULL, TSR_ON(0)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the buffer is NULL");
  cr_expect(!tsr_ok(tsr_from_host(NULL, TSR_FLOAT64, 3, TSR_STRIDES(8))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the data is NULL");
  cr_expect_eq((tsr_to_host)(x, buffer, TSR_COLUMN_MAJOR), TSR_OK, "the function takes one");
}

/* DLPack. */

Test(host, tensors_of_every_dtype)
{
  for (int d = 0; d < TSR_N_DTYPES; d++) {
    tsr_array x = tsr_astype(tsr_slice(numbered(), "1::20, ::-9"), (tsr_dtype)d);
    tsr_dlpack *t = NULL;
    cr_assert_eq(tsr_to_dlpack(x, &t), TSR_OK);
    cr_expect_eq(t->version.major, 1);
    cr_expect_eq(t->flags, TSR_DLPACK_IS_COPIED);
    cr_expect_eq(t->tensor.ndim, 2);
    cr_expect_eq(t->tensor.shape[0] * 100 + t->tensor.shape[1], 306);
    cr_expect_eq(t->tensor.strides[0] * 100 + t->tensor.strides[1], 601);
    cr_expect_eq(t->tensor.device.type, TSR_DLPACK_CPU);
    cr_expect_eq((uintptr_t)t->tensor.data % 256, 0);
    tsr_array y = tsr_from_dlpack(t);
    cr_assert(tsr_ok(y), "%s", tsr_last_error());
    cr_expect_eq(tsr_dtype_of(y), (tsr_dtype)d);
    cr_expect(tsr_array_equal(x, y));
    tsr_release(&x);
    tsr_release(&y);
  }
  tsr_dlpack *empty = NULL, *one = NULL;
  cr_assert_eq(tsr_to_dlpack(tsr_zeros(TSR_SHAPE(0, 3)), &empty), TSR_OK);
  cr_expect_null(empty->tensor.data);
  EXPECT_VALUES(tsr_from_dlpack(empty), TSR_SHAPE(0, 3), 0);
  cr_assert_eq(tsr_to_dlpack(2.5, &one), TSR_OK);
  cr_expect_eq(one->tensor.ndim, 0);
  cr_expect_eq(*(const double *)one->tensor.data, 2.5);
  one->deleter(one);
}

static void count_end(tsr_dlpack *t)
{
  ++*(int *)t->manager_ctx;
}

Test(host, tensors_of_others)
{
  int64_t data[] = {-1, 0, 1, 2, 3, 4, 5}, shape[] = {2, 3}, strides[] = {-3, 1};
  int ended = 0;
  tsr_dlpack t = {.version = {1, 9},
                  .manager_ctx = &ended,
                  .deleter = count_end,
                  .tensor = {.data = data,
                             .device = {TSR_DLPACK_CPU, 0},
                             .ndim = 2,
                             .dtype = {TSR_DLPACK_INT, 64, 1},
                             .shape = shape,
                             .strides = strides,
                             .byte_offset = 32}};
  EXPECT_VALUES(tsr_from_dlpack(&t), TSR_SHAPE(2, 3), 3, 4, 5, 0, 1, 2);
  t.tensor.strides = NULL;
  t.tensor.byte_offset = 8;
  EXPECT_VALUES(tsr_from_dlpack(&t), TSR_SHAPE(2, 3), 0, 1, 2, 3, 4, 5);
  cr_expect_eq(ended, 2);
  int64_t one[] = {1, 3}, far[] = {INT64_MAX / 3, 1};
  t.tensor.shape = one;
  t.tensor.strides = far; /* of the axis of one element no step is taken */
  EXPECT_VALUES(tsr_from_dlpack(&t), TSR_SHAPE(1, 3), 0, 1, 2);
  t.tensor.shape = shape;
  t.tensor.strides = NULL;
  ended = 2;
  t.version.major = 2;
  cr_expect(!tsr_ok(tsr_from_dlpack(&t)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the tensor follows version 2 of DLPack; 1 is known");
  t.version.major = 1;
  t.tensor.device.type = 2;
  cr_expect(!tsr_ok(tsr_from_dlpack(&t)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the tensor lies on DLPack's device 2");
  t.tensor.device.type = 1;
  t.tensor.dtype.lanes = 4;
  cr_expect(!tsr_ok(tsr_from_dlpack(&t)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "there is no dtype for DLPack's code 0 of 64 bits in vectors");
  t.tensor.dtype.lanes = 1;
  t.tensor.ndim = 9;
  cr_expect(!tsr_ok(tsr_from_dlpack(&t)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "a tensor of 9 axes; an array has at most 8");
  cr_expect_eq(ended, 6, "the deleter is called whether the call fails or not");
  cr_expect(!tsr_ok(tsr_from_dlpack(NULL)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the tensor is NULL");
  cr_expect_eq(tsr_to_dlpack(tsr_zeros(3), NULL), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the address of the tensor is NULL");
}

/* What is known of an array. */

static void expect_text(tsr_array x, const char *const *pieces, int n_lines)
{
  char text[1000];
  cr_assert_eq(tsr_describe(x, text, sizeof text), TSR_OK);
  const char *at = text;
  for (; *pieces; pieces++) {
    const char *found = strstr(at, *pieces);
    cr_expect_not_null(found, "no \"%s\" in: %s", *pieces, text);
    if (found) at = found + strlen(*pieces);
  }
  int n = 0;
  for (const char *c = text; *c; c++) n += *c == '\n';
  cr_expect_eq(n, n_lines, "%s", text);
}
#define EXPECT_TEXT(x, n_lines, ...)                                                               \
  expect_text(x, (const char *const[]){__VA_ARGS__, NULL}, n_lines)

static void describe_alone(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  TSR_SCOPE();
  tsr_array u = tsr_zeros(TSR_SHAPE(ROWS, COLUMNS), TSR_FLOAT32);
  cr_assert_eq(tsr_flush(), TSR_OK);
  tsr_array v = tsr_add(u, 1), row = tsr_slice(u, "3, ::2");
  const int64_t n_ops = tsr__current->window.n_ops;
  const uint64_t seq = tsr__current->world.seq;
  EXPECT_TEXT(v, 3, "(60, 50) float32, 11.7 KiB, made at ", "test_host.c:", "by tsr_add\n",
              "deferred: it is computed when it is needed\n", "owned by the scope of a block\n");
  cr_expect(!tsr_facts_of(v).is_stored);
  cr_expect_eq(tsr_facts_of(v).n_waiting, 1);
  cr_expect_eq(tsr__current->window.n_ops, n_ops);
  cr_expect_eq(tsr__current->world.seq, seq, "nothing is recorded");
  cr_expect_eq(tsr_item_f64(tsr_sum(v)), N);
  tsr_hold(u);
  tsr_flush();
  EXPECT_TEXT(row, 5, "(25,) float32, 100 bytes", "a view of (60, 50)\n", "in one piece");
  const tsr_facts f = tsr_facts_of(row);
  cr_expect(f.is_view && f.is_stored);
  tsr_assign(row, 7);
  EXPECT_TEXT(u, 4, "; 1 recorded operation will write it\n", "held until it is released\n",
              "rank 0 has [0:60,0:50], 11.7 KiB, on cpu\n");
  tsr_array late = u;
  tsr_release(&u);
  char text[20] = "?";
  cr_expect_eq(tsr_describe(late, text, sizeof text), TSR_ERR_HANDLE);
  EXPECT_ERROR(TSR_ERR_HANDLE, "released");
  cr_expect_eq(tsr_facts_of(late).n_bytes, 0);
  EXPECT_ERROR(TSR_ERR_HANDLE, "released");
  cr_expect_eq(tsr_describe(v, NULL, 0), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the text is NULL");
  cr_expect_eq(tsr_describe(v, text, sizeof text), TSR_OK);
  cr_expect_eq(strlen(text), sizeof text - 1, "as much as there is room for");
}

Test(host, an_array_is_described_without_computing_it)
{
  no_devices_asked_for();
  RUN_RANKS(1, describe_alone, NULL, "threads", "1");
}

static void describe_on_ranks(void *arg, int rank)
{
  tsr_array x = tsr_hold(tsr_multiply(numbered(), 1)), s = tsr_hold(tsr_sum(x));
  cr_assert_eq(tsr_flush(), TSR_OK);
  char mine[64], part[32];
  snprintf(part, sizeof part, "[%d:%d,0:50]", rank * 30, rank * 30 + 30);
  snprintf(mine, sizeof mine, "rank %d has %s, 11.7 KiB, on cpu\n", rank, part);
  EXPECT_TEXT(x, 4, "stored, cut 2 x 1 on ranks 0 to 1\n", mine);
  EXPECT_TEXT(s, 4, "stored, whole on every rank\n");
  const tsr_facts f = tsr_facts_of(tsr_slice(x, "10:20, 5:"));
  cr_expect_eq(f.n_tiles.n[0] * 10 + f.n_tiles.n[1], 21);
  cr_expect_eq(f.n_bytes, 10 * 45 * 8);
  cr_expect_eq(f.n_bytes_here, rank == 0 ? f.n_bytes : 0);
  cr_expect_eq(f.lo[0] + f.n[0] * 100 + f.n[1], rank == 0 ? 1045 : 0);
  cr_expect(!f.is_replicated);
  if (rank == 0) (void)tsr_facts_of(x); /* not collective */
  cr_expect_eq(tsr_item_f64(s), (double)N * (N - 1) / 2);
}

Test(host, what_is_cut_is_described)
{
  no_devices_asked_for();
  RUN_RANKS(2, describe_on_ranks, NULL, "threads", "1", "replicate_max", "100", "tile_min", "64");
}
