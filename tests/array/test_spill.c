/* Less memory than the arrays take: a device that has a part of it, and files behind the host's.
 * The same bits as with room for all. */
#include "array_test.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>

enum { N = 64, N_STEPS = 3 };

/* Where files go: none is left behind. */
static char directory[1000];

static void make_directory(void)
{
  const char *parent = getenv("TMPDIR");
  snprintf(directory, sizeof directory, "%s/tessera-spill-XXXXXX",
           parent != NULL && parent[0] != '\0' ? parent : P_tmpdir);
  cr_assert_not_null(mkdtemp(directory), "%s", directory);
}

static void remove_directory(void)
{
  cr_expect_eq(rmdir(directory), 0, "%s is not empty", directory);
}

TestSuite(spill, .init = make_directory, .fini = remove_directory);

typedef struct outcome {
  double field[N * N], product[N * N], few[10];
  uint64_t n_streamed_runs, n_evicted, n_task_runs, n_in_place;
  size_t near_peak_bytes, far_bytes;
} outcome;

static tsr_array filled(int factor)
{
  double start[N * N];
  for (int i = 0; i < N * N; i++) start[i] = 0.25 + (double)(i * factor % 101) / 64;
  return tsr_from_host(start, TSR_FLOAT64, TSR_SHAPE(N, N));
}

static void change_tile(tsr_array u)
{
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(u, NULL, true, &tile), TSR_OK, "%s", tsr_last_error());
  for (int64_t i = 0; i < tile.n[0]; i++)
    for (int64_t j = 0; j < tile.n[1]; j++)
      *(double *)((char *)tile.data + i * tile.stride_bytes[0] + j * tile.stride_bytes[1]) += 0.5;
  cr_assert_eq(tsr_local_end(&tile), TSR_OK);
}

/* Displaced loads, columns, a roll, a diagonal, values of reductions, tasks, scans, other dtypes.
 */
static void step(tsr_array u, tsr_array v)
{
  TSR_SCOPE();
  tsr_assign(tsr_slice(u, "1:-1, 1:-1"),
             tsr_multiply(0.25, tsr_add(tsr_slice(u, ":-2, 1:-1"), tsr_slice(u, "2:, 1:-1"),
                                        tsr_slice(u, "1:-1, :-2"), tsr_slice(u, "1:-1, 2:"))));
  tsr_iadd(v, tsr_multiply(u, tsr_roll(v, 3, 1)));
  tsr_assign(tsr_slice(v, ":, 0"), tsr_slice(u, ":, 5"));
  tsr_assign(tsr_slice(v, "::2, ::3"), tsr_slice(u, "::-2, ::3"));
  tsr_assign(tsr_diagonal(v), tsr_slice(u, "7, :"));
  tsr_assign(v, tsr_divide(v, tsr_add(1, tsr_max(v))));
  tsr_flush();
}

static void program(void *arg, int rank)
{
  tsr_array u = filled(37), v = filled(53), w = tsr_astype(filled(11), TSR_FLOAT32);
  for (int i = 0; i < N_STEPS; i++) step(u, v);
  change_tile(u);
  tsr_array product = tsr_matmul(u, tsr_transpose(v));
  tsr_array sums = tsr_cumsum(tsr_add(u, w), 0);
  outcome out = {
      .few = {tsr_item_f64(tsr_sum(u)), tsr_item_f64(tsr_sum(v)), tsr_item_f64(tsr_sum(w)),
              tsr_item_f64(tsr_slice(sums, "-1, -1")), tsr_item_f64(tsr_median(v)),
              tsr_item_f64(tsr_max(tsr_mean(u, TSR_AXES(1)))), tsr_item_f64(tsr_std(v))}};
  tsr_to_host(tsr_slice(u, "::-1, ::-1"), out.field);
  tsr_to_host(product, out.product);
  const tsr_counters *did = tsr__context_counters();
  const tsr_world *world = &tsr_context_current()->world;
  out.n_streamed_runs = did->n_streamed_runs;
  out.n_evicted = did->n_evicted;
  out.n_task_runs = did->n_task_runs;
  out.n_in_place = did->n_in_place;
  out.near_peak_bytes = tsr__memory_stats(world->places[0].memory).peak_bytes;
  if (world->files != NULL) out.far_bytes = tsr__memory_stats(world->files).peak_bytes;
  cr_expect_str_eq(tsr_last_error(), "");
  if (rank == 0) *(outcome *)arg = out;
}

static void run_with(int n_ranks, const char *const *more, outcome *out)
{
  const char *settings[40] = {"threads", "2",        "bind", "0",           "replicate_max",
                              "0",       "tile_min", "64",   "chunk_bytes", "512"};
  int n = 10;
  for (; *more != NULL; more++) settings[n++] = *more;
  settings[n] = NULL;
  *out = (outcome){.field = {0}};
  cr_assert_eq(tsr_run_ranks(n_ranks, settings, program, out), TSR_OK);
}

static void same_bits(const outcome *a, const outcome *b, const char *what)
{
  cr_expect_arr_eq(a->field, b->field, sizeof a->field, "%s", what);
  cr_expect_arr_eq(a->product, b->product, sizeof a->product, "%s", what);
  cr_expect_arr_eq(a->few, b->few, sizeof a->few, "%s", what);
}

/* Four arrays of 32 KiB and more are alive at once. */
Test(spill, a_device_with_a_quarter_of_the_memory_has_the_bits_of_the_host)
{
  static outcome host, device;
  run_with(1, (const char *[]){"device", "cpu", NULL}, &host);
  static const char *const limits[] = {"40K", "20K", "5K"};
  static const char *const places[] = {"1", "2"};
  for (int n = 1; n <= 3; n++)
    for (int p = 0; p < 2; p++)
      for (int in_line = 0; in_line < 2; in_line++) {
        run_with(n,
                 (const char *[]){"device", "check", "device_memory", limits[n * (p + 1) / 3],
                                  "places", places[p], "inline_elems", in_line ? "1M" : "0", NULL},
                 &device);
        char what[80];
        snprintf(what, sizeof what, "%d ranks, %s places, %s", n, places[p],
                 limits[n * (p + 1) / 3]);
        same_bits(&device, &host, what);
        cr_expect_gt(device.n_streamed_runs, 0, "%s: nothing was brought over", what);
        cr_expect_gt(device.n_evicted, 0, "%s: nothing had to leave", what);
        cr_expect_gt(device.n_task_runs, 0);
        cr_expect_leq(device.near_peak_bytes, 40 << 10);
      }
}

enum { LARGE_N = 192, LARGE_STEPS = 3 };
typedef struct in_place {
  double field[LARGE_N * LARGE_N];
  uint64_t n_in_place, n_streamed_runs;
  uint64_t n_waits; /* in the first step, which reads nothing that was streamed back before */
  uint64_t n_stalls;
} in_place;

/* Steps in place, of an array that a device's memory is too small for, in blocks along its rows. */
static void step_in_place(void *arg, int rank)
{
  static double start[LARGE_N * LARGE_N];
  for (int i = 0; i < LARGE_N * LARGE_N; i++) start[i] = i * 37 % 101 / 64.0;
  tsr_array s = tsr_from_host(start, TSR_FLOAT64, TSR_SHAPE(LARGE_N, LARGE_N));
  const tsr_counters before = *tsr__context_counters(), *did = tsr__context_counters();
  in_place *out = arg;
  for (int i = 0; i < LARGE_STEPS; i++) {
    tsr_exec("s[1:-1,1:-1] = 0.2*(s[1:-1,1:-1] + s[:-2,1:-1] + s[2:,1:-1] + s[1:-1,:-2] + "
             "s[1:-1,2:])",
             s);
    tsr_flush();
    if (rank == 0 && i == 0) out->n_waits = did->n_streamed_waits - before.n_streamed_waits;
  }
  if (rank > 0) return;
  out->n_in_place = did->n_in_place - before.n_in_place;
  out->n_streamed_runs = did->n_streamed_runs - before.n_streamed_runs;
  out->n_stalls = did->n_streamed_stalls - before.n_streamed_stalls;
  tsr_to_host(s, out->field);
}

/* A block comes in while others go back: it reads none of what they write, and what it computes
 * goes where the block before the last one was. */
Test(spill, blocks_of_a_step_in_place_come_in_beside_those_that_go_back)
{
  static in_place host, device;
  RUN_RANKS(1, step_in_place, &host, "device", "cpu");
  static const char *const threads[] = {"1", "2"};
  for (int t = 0; t < 2; t++) {
    RUN_RANKS(1, step_in_place, &device, "device", "check", "device_memory", "64K", "places", "1",
              "placement", "all", "inline_elems", "0", "threads", threads[t], "chunk_bytes", "8K");
    cr_expect_arr_eq(device.field, host.field, sizeof host.field);
    cr_expect_geq(device.n_in_place, LARGE_STEPS);
    cr_expect_gt(device.n_streamed_runs, 10 * LARGE_STEPS);
    cr_expect_eq(device.n_waits, 0);
    if (t == 0) cr_expect_eq(device.n_stalls, 0, "%d", (int)device.n_stalls);
  }
}

enum { CUBE = 64 };

/* Bytes that a seven-point step between two cubes moves. */
static void step_of_cube(void *arg, int rank)
{
  tsr_array u = tsr_full(TSR_SHAPE(CUBE, CUBE, CUBE), 0.5), v = tsr_zeros_like(u);
  tsr_flush();
  const uint64_t before = tsr__context_counters()->bytes_streamed;
  tsr_exec("v[1:-1,1:-1,1:-1] = u[:-2,1:-1,1:-1] + u[2:,1:-1,1:-1] + u[1:-1,:-2,1:-1] + "
           "u[1:-1,2:,1:-1] + u[1:-1,1:-1,:-2] + u[1:-1,1:-1,2:]",
           v, u);
  tsr_flush();
  if (rank == 0) *(uint64_t *)arg = tsr__context_counters()->bytes_streamed - before;
}

/* An entry of the ring is too small for three planes, so pieces are cut where few neighbours come
 * twice. */
Test(spill, pieces_bring_few_neighbours_twice)
{
  uint64_t bytes = 0;
  RUN_RANKS(1, step_of_cube, &bytes, "device", "check", "device_memory", "192K", "places", "1",
            "placement", "all", "threads", "1");
  const uint64_t least = 2 * CUBE * CUBE * CUBE * sizeof(double);
  cr_expect_gt(bytes, least / 2, "%d", (int)bytes);
  cr_expect_lt(bytes, 1.8 * (double)least, "%d of %d", (int)bytes, (int)least);
}

enum { WIDE_ROWS = 62, WIDE = 28 };

/* A group of few loads, streamed through three entries, and one of many, through one, in turn. */
static void read_many(void *arg, int rank)
{
  double x[WIDE_ROWS * WIDE];
  for (int i = 0; i < WIDE_ROWS * WIDE; i++) x[i] = i * 7 % 41 / 4.0;
  tsr_array a = tsr_from_host(x, TSR_FLOAT64, TSR_SHAPE(WIDE_ROWS, WIDE));
  for (int i = 0; i < 3; i++) tsr_iadd(a, tsr_std(a, TSR_AXES(0)));
  double *sums = arg;
  if (rank == 0) tsr_to_host(tsr_std(a, TSR_AXES(-2)), sums);
  cr_expect_str_eq(tsr_last_error(), "");
}

Test(spill, a_point_that_needs_most_of_a_device_goes_through_one_entry)
{
  double host[WIDE] = {0}, device[WIDE] = {1};
  const char *const on_host[] = {"device", "cpu", NULL};
  const char *const on_device[] = {"device", "check", "device_memory", "2K", NULL};
  cr_assert_eq(tsr_run_ranks(1, on_host, read_many, host), TSR_OK);
  cr_assert_eq(tsr_run_ranks(1, on_device, read_many, device), TSR_OK);
  cr_expect_arr_eq(host, device, sizeof host);
  cr_expect_gt(host[0], 1);
}

/* Half of what is alive fits; the rest is where it is said to be. */
static void tell_memory(void *arg, int rank)
{
  const bool in_files = *(const bool *)arg;
  tsr_array x = filled(3), y = filled(5);
  cr_assert_eq(tsr_flush(), TSR_OK);
  const tsr_memory_use use = tsr_memory_info(0);
  const int64_t spilled = in_files ? use.spilled_file_bytes : use.spilled_host_bytes;
  cr_expect_eq(in_files ? use.spilled_host_bytes : use.spilled_file_bytes, 0);
  cr_expect_geq(spilled, N * N * 8);
  cr_expect_lt(spilled, 2 * N * N * 8);
  cr_expect_leq(use.in_use_bytes, use.limit_bytes);
  tsr_release(&x);
  tsr_release(&y);
  cr_expect_eq(tsr_memory_info(0).spilled_host_bytes + tsr_memory_info(0).spilled_file_bytes, 0);
}

Test(spill, what_is_where_is_said)
{
  no_devices_asked_for();
  RUN_RANKS(1, tell_memory, &(bool){false}, "device", "check", "device_memory", "50K");
  RUN_RANKS(1, tell_memory, &(bool){true}, "memory", "50K", "spill_dir", directory);
}

/* A tile in a file is lent as it lies, and stays there while others leave room for it. */
static void lend_spilled(void *arg, int rank)
{
  tsr_array x = filled(3), y = filled(5); /* for which x leaves */
  const double sum = tsr_item_f64(tsr_sum(x));
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, false, &tile), TSR_OK);
  tsr_release(&y);
  for (int i = 0; i < 8; i++) cr_expect_eq(tsr_item_f64(tsr_sum(x)), sum, "turn %d", i);
  cr_expect_geq(tsr_memory_info(0).spilled_file_bytes, N * N * 8);
  double same = 0;
  for (int64_t i = 0; i < tile.n[0] * tile.n[1]; i++) same += ((const double *)tile.data)[i];
  cr_expect(fabs(same - sum) < 1e-9);
  cr_assert_eq(tsr_local_end(&tile), TSR_OK);
}

Test(spill, a_lent_tile_stays_in_its_file)
{
  no_devices_asked_for();
  RUN_RANKS(1, lend_spilled, NULL, "memory", "50K", "spill_dir", directory);
}

/* What is lent of a device is a copy: the tile may leave for one that is used. */
static void lend_of_device(void *arg, int rank)
{
  tsr_array x = filled(3), y = filled(5); /* for which x leaves */
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(y, NULL, false, &tile), TSR_OK);
  uint64_t n_staged = 0;
  for (int i = 0; i < 8; i++) {
    n_staged = tsr__context_counters()->n_streamed_runs;
    tsr_item_f64(tsr_max(x));
  }
  cr_expect_eq(tsr__context_counters()->n_streamed_runs, n_staged, "x is there by now");
  cr_assert_eq(tsr_local_end(&tile), TSR_OK);
}

Test(spill, a_tile_whose_copy_is_lent_may_leave)
{
  RUN_RANKS(1, lend_of_device, NULL, "device", "check", "device_memory", "40K");
}

/* Ghosts of the other place's rows make the tiles grow. */
static void grow_lent(void *arg, int rank)
{
  int64_t *in_use = arg;
  for (int lent = 0; lent < 2; lent++) {
    tsr_array x = filled(3);
    tsr_local_tile tile;
    if (lent) cr_assert_eq(tsr_local(x, NULL, false, &tile), TSR_OK);
    tsr_item_f64(tsr_sum(tsr_add(tsr_slice(x, "1:"), tsr_slice(x, ":-1"))));
    in_use[lent] = tsr_memory_info(0).in_use_bytes + tsr_memory_info(1).in_use_bytes;
    if (lent) cr_assert_eq(tsr_local_end(&tile), TSR_OK);
    tsr_release(&x);
  }
}

Test(spill, a_tile_that_grows_leaves_nothing_on_its_device)
{
  no_devices_asked_for();
  int64_t in_use[2];
  RUN_RANKS(1, grow_lent, in_use, "device", "check", "places", "2", "replicate_max", "0",
            "tile_min", "64");
  cr_expect_eq(in_use[1], in_use[0]);
  cr_expect_gt(in_use[0], N * N * 8, "one has grown");
}

/* In a child, for who calls has no context. */
static void ask_for_it(void)
{
  _exit(tsr_run_ranks(2, (const char *[]){"spill_dir", "/nowhere/at/all", NULL}, never_run, NULL) !=
        TSR_ERR_CONFIG);
}

Test(spill, a_directory_that_takes_no_file_is_refused)
{
  char text[1000];
  cr_expect_eq(run_in_child(NULL, ask_for_it, text, sizeof text), 0, "not refused: %s", text);
  cr_expect_not_null(
      strstr(text, "error[TSR0501]: TESSERA_SPILL_DIR is /nowhere/at/all: No such file"), "%s",
      text);
}

Test(spill, what_the_host_has_no_room_for_is_in_files)
{
  no_devices_asked_for();
  static outcome host, spilled;
  run_with(1, (const char *[]){"device", "cpu", NULL}, &host);
  for (int n = 1; n <= 2; n++) {
    run_with(n, (const char *[]){"memory", "48K", "spill_dir", directory, NULL}, &spilled);
    same_bits(&spilled, &host, "files behind the host");
    cr_expect_gt(spilled.n_evicted, 0);
    cr_expect_leq(spilled.near_peak_bytes, 48 << 10);
    cr_expect_gt(spilled.far_bytes, 0);
    run_with(n,
             (const char *[]){"device", "check", "device_memory", "16K", "memory", "48K",
                              "spill_dir", directory, NULL},
             &spilled);
    same_bits(&spilled, &host, "files behind the host behind a device");
    cr_expect_gt(spilled.n_streamed_runs, 0);
    cr_expect_gt(spilled.far_bytes, 0);
  }
}

/* Where nothing has room. */

/* A few rows at a time, which have room everywhere. */
static void expect_filled(tsr_array x, int factor, double more)
{
  enum { ROWS = 4 };
  double got[N * N] = {0};
  for (int i = 0; i < N; i += ROWS)
    cr_expect_eq(tsr_to_host(tsr_slice(x, "$:$", i, i + ROWS), &got[i * N]), TSR_OK, "%s",
                 tsr_last_error());
  for (int i = 0; i < N * N; i++)
    cr_expect_eq(got[i], 0.25 + (double)(i * factor % 101) / 64 + more, "element %d", i);
}

/* Of four new values one has no room, neither in memory nor in a file. */
static void make_one_too_large(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = filled(3), y = filled(5);
  cr_assert_eq(tsr_flush(), TSR_OK);
  tsr_array small = tsr_add(x, 1), large = tsr_ones(TSR_SHAPE(2, N, N)), other = tsr_add(y, 2),
            sum = tsr_add(large, x);
  cr_expect_eq(tsr_flush(), TSR_ERR_MEMORY);
  EXPECT_ERROR(TSR_ERR_MEMORY, "out of memory: `tsr_",
               " needs 64.0 KiB more per rank, which no memory has",
               "nor has the TESSERA_SPILL_DIR ", "for it", "held by (64, 64) float64",
               "only what it would have made", arg, "make room in that directory");
  expect_filled(x, 3, 0);
  expect_filled(y, 5, 0);
  expect_filled(small, 3, 1);
  expect_filled(other, 5, 2);
  double lost[2 * N * N];
  cr_expect_eq(tsr_to_host(large, lost), TSR_ERR_MEMORY);
  EXPECT_ERROR(TSR_ERR_MEMORY, "lost");
  cr_expect_eq(tsr_to_host(sum, lost), TSR_ERR_MEMORY);
  EXPECT_ERROR(TSR_ERR_MEMORY, "lost");
}

/* A file may have one and a half times what an array takes. */
Test(spill, what_has_room_survives_what_has_none)
{
  no_devices_asked_for();
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){48 << 10, 48 << 10}), 0);
  const char *const settings[][12] = {
      {"memory", "50K", "spill_dir", directory, NULL},
      {"device", "check", "device_memory", "40K", "memory", "50K", "spill_dir", directory, NULL}};
  char help[2][60] = {"raise TESSERA_MEMORY, or",
                      "raise TESSERA_MEMORY or TESSERA_DEVICE_MEMORY, or"};
  for (int i = 0; i < 2; i++)
    cr_assert_eq(tsr_run_ranks(1, settings[i], make_one_too_large, help[i]), TSR_OK);
}

/* Rank 1's files have room for so much. */
typedef struct bounded {
  size_t bytes;
  tsr_status status;
} bounded;

static void make_where_one_rank_is_short(void *arg, int rank)
{
  bounded *b = arg;
  tsr_world *world = &tsr_context_current()->world;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  if (rank == 1) {
    tsr__memory_destroy(world->files);
    world->files = tsr__memory_create_in(directory, b->bytes);
  }
  tsr_array x = filled(3), y = filled(5);
  cr_assert_eq(tsr_flush(), TSR_OK);
  tsr_array z = tsr_add(x, y), v = tsr_add(x, tsr_transpose(y)), w = tsr_add(tsr_roll(y, 1, 0), x);
  cr_assert_eq(tsr_flush(), TSR_OK, "a rank's own failure waits for the next read");
  double sum = 0;
  const tsr_status status = tsr_to_host(tsr_add(tsr_sum(z), tsr_sum(v), tsr_sum(w)), &sum);
  if (status < 0)
    EXPECT_ERROR(TSR_ERR_PEER, "rank 1 failed with TSR0402", "refuses the buffers of this plan",
                 "nor has the TESSERA_SPILL_DIR ", "what the failed plan made is lost");
  else
    cr_expect_gt(sum, 0);
  if (rank == 0) b->status = status;
  expect_filled(x, 3, 0);
  expect_filled(y, 5, 0);
  tsr_release(&z);
  tsr_release(&v);
  tsr_release(&w);
  tsr_iadd(x, 1);
  expect_filled(x, 3, 1);
}

Test(spill, one_rank_whose_files_are_full_loses_no_value_that_was_there)
{
  no_devices_asked_for();
  const char *const settings[][16] = {
      {"memory", "16K", "spill_dir", directory, "replicate_max", "0", "tile_min", "64", NULL},
      {"device", "check", "device_memory", "16K", "memory", "16K", "spill_dir", directory,
       "replicate_max", "0", "tile_min", "64", NULL}};
  for (int i = 0; i < 2; i++) {
    int n_failed = 0, n_well = 0;
    for (size_t kib = 16; kib <= 160; kib += 12) {
      bounded b = {.bytes = kib << 10};
      cr_assert_eq(tsr_run_ranks(3, settings[i], make_where_one_rank_is_short, &b), TSR_OK);
      n_failed += b.status < 0;
      n_well += b.status == TSR_OK;
    }
    cr_expect(n_failed > 1 && n_well > 1, "of settings %d %d failed and %d did not", i, n_failed,
              n_well);
  }
}
