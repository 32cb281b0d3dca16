/* What counters prove: temporaries that never exist, messages and bytes of a halo, reads that do
 * not wait, memory that stays flat, dumps that are there. */
#include "array_test.h"
#include "tests/support/sanitized.h"

#include <dirent.h>
#include <math.h>

TestSuite(counters, .init = begin, .fini = end, .timeout = 300);

enum { GRID = IS_SANITIZED ? 2000 : 8000, SMALL_STEPS = IS_SANITIZED ? 20000 : 1000000 };

Test(counters, a_scalar_read_stores_no_temporary)
{
  enum { N = 1 << 20 };
  tsr_array x = tsr_full(TSR_SHAPE(N), 3.0);
  cr_assert_eq(tsr_flush(), TSR_OK);
  size_t before = tsr__context_memory().in_use_bytes;
  uint64_t transient = tsr__context_counters()->n_transient;
  for (int i = 0; i < 4; i++) {
    TSR_SCOPE();
    tsr_array y = tsr_multiply(x, 2.0), z = tsr_subtract(y, x), w = tsr_add(z, y);
    cr_expect_eq(tsr_item_f64(tsr_max(w)), 9);
    cr_expect_eq(tsr__context_memory().in_use_bytes - before < N, true, "y, z, w are recipes");
  }
  cr_expect_geq(tsr__context_counters()->n_transient - transient, 4 * 3);
  size_t more = tsr__context_memory().peak_bytes - before;
  cr_expect_lt(more, N * sizeof(double) / 8, "a temporary was allocated: %zu bytes", more);
}

/* The cap comes with the assignment of a statement, whose temporaries die at its end. */
Test(counters, a_window_that_is_full_in_a_scope_stores_no_temporary)
{
  enum { N = 1 << 16, STEPS = 600 };
  const int64_t cap = tsr_context_current()->world.config.window_cap;
  cr_assert(cap % 4 == 0 && cap < 4 * STEPS);
  tsr_array x = tsr_arange(0, N, 1.0);
  cr_assert_eq(tsr_flush(), TSR_OK);
  const uint64_t transient = tsr__context_counters()->n_transient;
  {
    TSR_SCOPE();
    for (int i = 0; i < STEPS; i++)
      tsr_assign(tsr_slice(x, ":-1"), tsr_add(tsr_multiply(0.25, tsr_slice(x, "1:")),
                                              tsr_multiply(0.75, tsr_slice(x, ":-1"))));
  }
  cr_assert_eq(tsr_flush(), TSR_OK);
  cr_expect_eq(tsr__context_counters()->n_transient - transient, 3 * STEPS);
}

Test(counters, a_read_of_an_earlier_step_runs_nothing)
{
  tsr_array x = tsr_ones(TSR_SHAPE(100)), total = tsr_sum(x);
  tsr_read earlier = tsr_read_begin(total);
  cr_assert_eq(tsr_flush(), TSR_OK);
  tsr_assign(x, 2.0);
  uint64_t flushes = tsr__context_counters()->n_flushes;
  cr_expect_eq(tsr_read_end(&earlier), 100);
  cr_expect_eq(tsr__context_counters()->n_flushes, flushes, "the assignment still waits");
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 200);
}

Test(counters, a_small_loop_leaves_memory_flat)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(10));
  size_t before = 0, at_most = 0;
  for (int i = 0; i < SMALL_STEPS; i++) {
    tsr_assign(x, tsr_multiply(0.5, tsr_add(x, 1.0)));
    if (i == SMALL_STEPS / 100) before = tsr__context_memory().peak_bytes;
  }
  at_most = tsr__context_memory().peak_bytes;
  cr_expect_eq(at_most, before, "%zu, then %zu bytes", before, at_most);
  cr_expect_eq(tsr__context_n_arrays(), 1);
  cr_expect_eq(tsr_item_f64(tsr_slice(x, "0")), 1);
}

/* On several ranks. */

typedef struct halo_numbers {
  int64_t n;
  int steps, n_ranks;
  uint64_t messages, bytes; /* of all ranks */
  size_t peak;              /* of the rank that needs most */
  _Atomic int failures;
} halo_numbers;

static void jacobi(tsr_array u, int steps)
{
  tsr_array center = tsr_slice(u, "1:-1, 1:-1"), north = tsr_slice(u, "0:-2, 1:-1"),
            east = tsr_slice(u, "1:-1, 2:"), west = tsr_slice(u, "1:-1, 0:-2"),
            south = tsr_slice(u, "2:, 1:-1");
  for (int i = 0; i < steps; i++)
    tsr_assign(center, tsr_multiply(0.2, tsr_add(center, north, east, west, south)));
  tsr_flush();
  tsr_release(&center);
  tsr_release(&north);
  tsr_release(&east);
  tsr_release(&west);
  tsr_release(&south);
}

static void count_halos(void *arg, int rank)
{
  halo_numbers *h = arg;
  tsr_array u = tsr_zeros(TSR_SHAPE(h->n + 2, h->n + 2));
  tsr_assign(tsr_slice(u, "0, :"), 40.0);
  jacobi(u, 1);
  uint64_t messages = tsr__context_counters()->n_messages,
           bytes = tsr__context_counters()->bytes_sent;
  for (int i = 0; i < h->steps; i++) jacobi(u, 1);
  __atomic_add_fetch(&h->messages, tsr__context_counters()->n_messages - messages, 5);
  __atomic_add_fetch(&h->bytes, tsr__context_counters()->bytes_sent - bytes, 5);
  size_t peak = tsr__context_memory().peak_bytes, seen = __atomic_load_n(&h->peak, 5);
  while (peak > seen && !__atomic_compare_exchange_n(&h->peak, &seen, peak, false, 5, 5)) continue;
  if (tsr_barrier() != TSR_OK || rank >= tsr_n_ranks()) h->failures++;
}

static halo_numbers halos_of(int n_ranks, int64_t n, int steps, const char *const *settings)
{
  halo_numbers h = {.n = n, .steps = steps, .n_ranks = n_ranks};
  tsr_context *mine = tsr_context_set_current(NULL);
  cr_assert_eq(tsr_run_ranks(n_ranks, settings, count_halos, &h), TSR_OK);
  tsr_context_set_current(mine);
  cr_expect_eq(h.failures, 0);
  return h;
}

/* Bands of rows: two ranks share one face, four share three. Six are a grid of 3 x 2: seven pairs
 * of tiles, which meet along three faces of the array. One message each way per step. */
Test(counters, one_message_per_neighbour_and_step_of_the_faces)
{
  no_devices_asked_for();
  enum { N = 510, STEPS = 5 };
  static const char *const settings[] = {"window_ops", "1", "threads", "1", NULL};
  const struct {
    int n_ranks;
    uint64_t pairs, faces; /* tiles that meet; faces of the array along which they do */
  } grids[] = {{2, 1, 1}, {4, 3, 3}, {6, 7, 3}};
  for (int i = 0; i < 3; i++) {
    const uint64_t faces = 2 * STEPS * grids[i].faces;
    halo_numbers h = halos_of(grids[i].n_ranks, N, STEPS, settings);
    cr_expect_eq(h.messages, 2 * STEPS * grids[i].pairs, "%d", (int)h.messages);
    cr_expect_leq(h.bytes, faces * (N + 2) * sizeof(double), "%d", (int)h.bytes);
    cr_expect_geq(h.bytes, faces * N * sizeof(double), "%d", (int)h.bytes);
  }
}

static void lend_halos(void *arg, int rank)
{
  halo_numbers *h = arg;
  const tsr_counters *c = tsr__context_counters();
  const int64_t halo[] = {1, 1};
  tsr_array u = tsr_zeros(TSR_SHAPE(h->n, h->n));
  uint64_t messages = 0, misses = 0;
  for (int i = -3; i < h->steps; i++) { /* the first three plan */
    tsr_local_tile tile;
    if (i == 0) messages = c->n_messages, misses = c->n_plan_misses;
    tsr_assign(u, (double)i);
    if (tsr_local(u, halo, false, &tile) != TSR_OK) h->failures++;
    const int64_t beside = (rank == 0 ? tile.n[0] : -1) * tile.stride_bytes[0];
    if (tile.data == NULL || *(double *)((char *)tile.data + beside) != i) h->failures++;
    if (tsr_local_end(&tile) != TSR_OK) h->failures++;
  }
  __atomic_add_fetch(&h->messages, c->n_messages - messages, 5);
  if (c->n_plan_misses != misses) h->failures++;
}

Test(counters, the_halo_of_a_lent_array_is_a_plan_that_is_remembered)
{
  no_devices_asked_for();
  static const char *const settings[] = {"threads", "1", "replan", "0", "memo", "1", NULL};
  halo_numbers h = {.n = 300, .steps = 5, .n_ranks = 2};
  tsr_context *mine = tsr_context_set_current(NULL);
  cr_assert_eq(tsr_run_ranks(2, settings, lend_halos, &h), TSR_OK);
  tsr_context_set_current(mine);
  cr_expect_eq(h.failures, 0, "%d", (int)h.failures);
  cr_expect_eq(h.messages, 2 * 5, "%d", (int)h.messages);
}

Test(counters, memory_is_shared_among_ranks)
{
  no_devices_asked_for();
  const double grid = (GRID + 2.0) * (GRID + 2.0) * sizeof(double);
  halo_numbers one = halos_of(1, GRID, 2, NULL), two = halos_of(2, GRID, 2, NULL);
  cr_expect_leq((double)one.peak, 2.2 * grid, "%g times the grid", (double)one.peak / grid);
  cr_expect_leq((double)two.peak, 0.6 * (double)one.peak, "%zu of %zu", two.peak, one.peak);
  cr_expect_leq(two.bytes, 2 * 2 * (GRID + 2) * sizeof(double));
}

/* Arrays of ever new shapes, and some that stay, with ghosts that stay valid. */
static void ever_new_shapes(void *arg, int rank)
{
  enum { N_SHAPES = 6000, MOST_LAYOUTS = 4096 + 100 };
  const tsr_scheduler *s = tsr_context_current()->scheduler;
  tsr_array u = tsr_arange(4000), v = tsr_zeros(TSR_SHAPE(4000)), total = tsr_zeros(TSR_SHAPE(1));
  uint32_t most = 0;
  bool swept = false;
  for (int i = 0; i < N_SHAPES; i++) {
    TSR_SCOPE();
    tsr_array x = tsr_zeros(TSR_SHAPE(100 + i));
    tsr_assign(tsr_slice(x, ":50"), tsr_slice(u, "50:100"));
    tsr_iadd(total, tsr_slice(x, "1:2"));
    if (i % 500 == 0)
      tsr_assign(tsr_slice(v, "1:-1"), tsr_add(tsr_slice(u, ":-2"), tsr_slice(u, "2:")));
    cr_assert_eq(tsr_flush(), TSR_OK);
    const uint32_t n = tsr__scheduler_layouts(s);
    swept = swept || n < most;
    if (n > most) most = n;
  }
  cr_expect(swept);
  cr_expect_lt(most, MOST_LAYOUTS);
  EXPECT_VALUES(total, TSR_SHAPE(1), 51.0 * N_SHAPES);
  EXPECT_VALUES(tsr_slice(v, "1:-1:1000"), TSR_SHAPE(4), 2, 2002, 4002, 6002);
}

Test(counters, layouts_of_arrays_that_are_gone_go)
{
  const char *const settings[] = {"threads",       "1", "bind",     "0",  "jit", "off",
                                  "replicate_max", "0", "tile_min", "16", NULL};
  tsr_context *mine = tsr_context_set_current(NULL);
  for (int n = IS_SANITIZED ? 2 : 1; n <= (IS_SANITIZED ? 2 : 3); n++)
    cr_expect_eq(tsr_run_ranks(n, settings, ever_new_shapes, NULL), TSR_OK);
  tsr_context_set_current(mine);
}

/* A loop over many rows, several times: each time it resizes the plans that it has, which are of
 * some sizes of what is multiplied. */
static void rows_again(void *arg, int rank)
{
  enum { N = 400, N_SWEEPS = 4 };
  const tsr_counters *did = tsr__context_counters();
  tsr_array l = tsr_ones(TSR_SHAPE(N, N)), y = tsr_zeros(TSR_SHAPE(N));
  tsr_array z = tsr_zeros(TSR_SHAPE(N));
  uint64_t misses[N_SWEEPS];
  for (int sweep = 0; sweep < N_SWEEPS; sweep++) {
    for (int64_t i = 0; i < N; i++) {
      tsr_exec("y[i] = 1.0 + l[i,:i] @ y[:i]; z[i+1:] += l[i+1:,:i] @ y[:i]", y, z, l, i);
      if (i % 10 == 9) cr_assert_eq(tsr_flush(), TSR_OK);
    }
    misses[sweep] = did->n_plan_misses;
  }
  cr_expect_lt(misses[1], N / 10, "%d windows, %d plans", N / 10, (int)misses[1]);
  EXPECT_VALUES(tsr_slice(z, ":5"), TSR_SHAPE(5), 0, 0, 4, 16, 44);
  cr_expect_eq(misses[N_SWEEPS - 1], misses[1], "%d more plans",
               (int)(misses[N_SWEEPS - 1] - misses[1]));
  EXPECT_VALUES(tsr_slice(y, ":5"), TSR_SHAPE(5), 1, 2, 4, 8, 16);
}

/* On the host, whose plans alone are resized. */
Test(counters, a_loop_over_rows_is_planned_once)
{
  no_devices_asked_for();
  const char *const settings[] = {"threads", "1", "bind", "0", "jit", "off", NULL};
  tsr_context *mine = tsr_context_set_current(NULL);
  cr_expect_eq(tsr_run_ranks(1, settings, rows_again, NULL), TSR_OK);
  tsr_context_set_current(mine);
}

/* Windows of many sizes that take turns, whose plans cannot be resized: each gets one that stays. */
static void sizes_take_turns(void *arg, int rank)
{
  enum { N = 4000, N_SIZES = 60, N_SWEEPS = 5 };
  const tsr_counters *did = tsr__context_counters();
  tsr_array u = tsr_zeros(TSR_SHAPE(N));
  uint64_t misses[N_SWEEPS];
  for (int sweep = 0; sweep < N_SWEEPS; sweep++) {
    for (int i = 1; i <= N_SIZES; i++) {
      tsr_iadd(tsr_slice(u, ":$", 2000 + 10 * i), 1.0);
      cr_assert_eq(tsr_flush(), TSR_OK);
    }
    misses[sweep] = did->n_plan_misses;
  }
  cr_expect_eq(did->n_plan_resizes, 0);
  cr_expect_eq(misses[N_SWEEPS - 1], misses[2], "%d more plans",
               (int)(misses[N_SWEEPS - 1] - misses[2]));
  EXPECT_VALUES(tsr_slice(u, "0::2599"), TSR_SHAPE(2), N_SIZES * N_SWEEPS, N_SWEEPS);
}

Test(counters, sizes_that_take_turns_are_planned_twice)
{
  const char *const settings[] = {"threads",      "1", "bind",     "0",  "jit", "off", "seed", "1",
                                  "inline_elems", "0", "tile_min", "64", NULL};
  tsr_context *mine = tsr_context_set_current(NULL);
  cr_expect_eq(tsr_run_ranks(1, settings, sizes_take_turns, NULL), TSR_OK);
  tsr_context_set_current(mine);
}

/* A step of more layouts than the table takes before it is swept. */
static void many_shapes(void *arg, int rank)
{
  enum { N = 5000, N_STEPS = 4 };
  const tsr_counters *did = tsr__context_counters();
  const tsr_scheduler *s = tsr_context_current()->scheduler;
  tsr_array u = tsr_zeros(TSR_SHAPE(N));
  uint64_t misses[N_STEPS];
  for (int step = 0; step < N_STEPS; step++) {
    for (int i = 1; i <= N; i++) {
      TSR_SCOPE();
      tsr_iadd(tsr_slice(u, ":$", i), 1.0);
      if (i % 500 == 0) cr_assert_eq(tsr_flush(), TSR_OK);
    }
    misses[step] = did->n_plan_misses;
  }
  cr_expect_gt(tsr__scheduler_layouts(s), 4096);
  cr_expect_eq(misses[N_STEPS - 1], misses[1], "%d more plans",
               (int)(misses[N_STEPS - 1] - misses[1]));
  EXPECT_VALUES(tsr_slice(u, "::1000"), TSR_SHAPE(5), 20000, 16000, 12000, 8000, 4000);
}

Test(counters, a_step_of_many_layouts_is_planned_once)
{
  const char *const settings[] = {
      "threads", "1",        "bind", "0",          "jit", "off", "replicate_max",
      "0",       "tile_min", "16",   "window_ops", "512", NULL};
  tsr_context *mine = tsr_context_set_current(NULL);
  for (int n = 1; n <= 3; n++) cr_expect_eq(tsr_run_ranks(n, settings, many_shapes, NULL), TSR_OK);
  tsr_context_set_current(mine);
}

typedef struct turning {
  double sum;
  uint64_t bytes_sent, bytes_buffered;
  size_t in_use;
} turning;

/* Half of the array goes to the other rank, in one message. */
static void turned(void *arg, int rank)
{
  enum { N = 1024 };
  const tsr_counters *did = tsr__context_counters(), before = *did;
  tsr_array u = tsr_reshape(tsr_arange(N * N), TSR_SHAPE(N, N)), v = tsr_zeros(TSR_SHAPE(N, N));
  for (int i = 0; i < 5; i++) {
    tsr_assign(v, tsr_add(u, tsr_transpose(u)));
    tsr_iadd(u, 1.0);
    cr_assert_eq(tsr_flush(), TSR_OK);
  }
  turning mine = {.bytes_sent = did->bytes_sent - before.bytes_sent,
                  .bytes_buffered = did->bytes_buffered - before.bytes_buffered,
                  .in_use = tsr__context_memory().in_use_bytes};
  mine.sum = tsr_item_f64(tsr_sum(tsr_multiply(v, u)));
  cr_expect_str_eq(tsr_last_error(), "");
  if (rank == 0) *(turning *)arg = mine;
}

/* Also where the limit has no room for them. */
Test(counters, large_messages_have_memory_for_their_run_only)
{
  static const char *const ample[] = {"threads", "1", "places", "1", NULL};
  turning one, two, small;
  char bytes[32];
  tsr_context *mine = tsr_context_set_current(NULL);
  cr_assert_eq(tsr_run_ranks(1, ample, turned, &one), TSR_OK);
  cr_assert_eq(tsr_run_ranks(2, ample, turned, &two), TSR_OK);
  RUN_RANKS(2, turned, &small, "threads", "1", "places", "1", "memory",
            memory_of_each(2, 25u << 20, bytes));
  tsr_context_set_current(mine);
  cr_expect(two.sum == one.sum && small.sum == one.sum);
  cr_expect_gt(two.bytes_sent, 5u << 21);
  cr_expect_eq(two.bytes_buffered, 0);
  cr_expect_eq(small.bytes_buffered, 0);
  cr_expect_eq(small.in_use, two.in_use);
  cr_expect_lt(two.in_use, 11u << 20);
}

/* Dumps and modes. */

static void dumped(void *arg, int rank)
{
  tsr_array u = tsr_zeros(TSR_SHAPE(300, 300));
  jacobi(u, 2);
}

Test(counters, every_pass_dumps_what_it_leaves)
{
  char folder[] = "/tmp/tessera-dump-XXXXXX";
  cr_assert_not_null(mkdtemp(folder));
  const char *const settings[] = {"dump", folder, NULL};
  tsr_context *mine = tsr_context_set_current(NULL);
  cr_expect_eq(tsr_run_ranks(2, settings, dumped, NULL), TSR_OK);
  tsr_context_set_current(mine);
  static const char *const names[] = {
      "1-window.rank0.txt", "2-select.rank0.txt",    "3-group.rank0.txt",   "4-lower.rank0.txt",
      "5-slots.rank0.txt",  "6-transfers.rank1.txt", "7-buffers.rank1.txt", "8-chunks.rank1.txt",
      "8-chains.rank0.txt", "9-tasks.rank1.txt",     "9-tasks.rank0.dot"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    char path[256];
    snprintf(path, sizeof path, "%s/0001-%s", folder, names[i]);
    FILE *f = fopen(path, "r");
    cr_expect_not_null(f, "%s", path);
    if (f == NULL) continue;
    cr_expect_neq(fgetc(f), EOF, "%s is empty", path);
    fclose(f);
  }
  DIR *d = opendir(folder);
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (e->d_name[0] != '.') unlink(path);
  }
  closedir(d);
  rmdir(folder);
}

/* What a run of one rank writes to stderr; terminated. */
static void say_while_dumping(const char *const *settings, char *text, size_t size)
{
  FILE *said = tmpfile();
  cr_assert_not_null(said);
  fflush(stderr);
  const int kept = dup(STDERR_FILENO);
  dup2(fileno(said), STDERR_FILENO);
  const tsr_status status = tsr_run_ranks(1, settings, dumped, NULL);
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  rewind(said);
  text[fread(text, 1, size - 1, said)] = '\0';
  fclose(said);
  cr_expect_eq(status, TSR_OK);
}

Test(counters, a_dump_that_cannot_be_written_is_said_once_per_context)
{
  char file[] = "/tmp/tessera-dump-XXXXXX", folder[64], text[2000], line[256];
  const int fd = mkstemp(file);
  cr_assert_geq(fd, 0);
  close(fd);
  snprintf(folder, sizeof folder, "%s/plans", file);
  snprintf(line, sizeof line,
           "tessera[0]: TESSERA_DUMP: cannot make %s: Not a directory (said once)\n", folder);
  const char *const settings[] = {"dump", folder, NULL};
  tsr_context *mine = tsr_context_set_current(NULL);
  for (int context = 0; context < 2; context++) {
    say_while_dumping(settings, text, sizeof text);
    cr_expect_str_eq(text, line);
  }
  tsr_context_set_current(mine);
  unlink(file);
}

static void in_order(void *arg, int rank)
{
  _Atomic int *failures = arg;
  tsr_array x = tsr_arange(0, 1000, 1);
  uint64_t flushes = tsr__context_counters()->n_flushes,
           fused = tsr__context_counters()->n_fused_ops;
  if (flushes < 1) ++*failures;
  tsr_array y = tsr_add(tsr_multiply(x, 2), 1);
  if (tsr__context_counters()->n_flushes != flushes + 2) ++*failures;
  if (tsr__context_counters()->n_fused_ops != fused) ++*failures;
  if (tsr_item_f64(tsr_slice(y, "999")) != 1999 || rank < 0) ++*failures;
}

Test(counters, in_order_runs_each_operation_at_once)
{
  static const char *const settings[] = {"inorder", "1", "replicate_max", "0", "tile_min",
                                         "1",       NULL};
  _Atomic int failures = 0;
  tsr_context *mine = tsr_context_set_current(NULL);
  for (int n = 1; n <= 3; n++)
    cr_expect_eq(tsr_run_ranks(n, settings, in_order, (void *)&failures), TSR_OK);
  tsr_context_set_current(mine);
  cr_expect_eq(failures, 0);
}

/* A loop whose coefficient changes: the kernels that it has compiled after its first turns and
 * after its last. */
typedef struct compilations {
  const char *cache;
  int after_first, after_last;
} compilations;

static int kernels_in(const char *directory)
{
  int n = 0;
  DIR *d = opendir(directory);
  for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
    const char *end = strrchr(e->d_name, '.');
    n += end != NULL && (strcmp(end, ".so") == 0 || strcmp(end, ".cubin") == 0);
  }
  if (d != NULL) closedir(d);
  return n;
}

static void change_coefficient(void *arg, int rank)
{
  compilations *c = arg;
  tsr_array x = tsr_zeros(TSR_SHAPE(1000)), y = tsr_ones(TSR_SHAPE(1000));
  for (int i = 0; i < 50; i++) {
    tsr_iadd(x, tsr_multiply(0.5 * i, tsr_sqrt(tsr_add(y, 3.0 * i))));
    cr_assert_eq(tsr_flush(), TSR_OK);
    if (i == 10) c->after_first = kernels_in(c->cache);
  }
  c->after_last = kernels_in(c->cache);
  cr_expect_geq(tsr__context_counters()->n_compiled_runs, 50);
}

Test(counters, another_coefficient_compiles_nothing)
{
  char cache[] = "/tmp/tessera-test-XXXXXX", command[80];
  cr_assert_not_null(mkdtemp(cache));
  compilations c = {.cache = cache};
  RUN_RANKS(1, change_coefficient, &c, "jit", "eager", "jit_after", "0", "cache", cache);
  cr_expect_gt(c.after_first, 0);
  cr_expect_eq(c.after_last, c.after_first);
  snprintf(command, sizeof command, "rm -r %s", cache);
  cr_expect_eq(system(command), 0);
}

/* Steps that exchange more than 1 MB each, in one window: how often a rank asked the system for
 * memory. */
static void run_far_steps(void *arg, int rank)
{
  enum { SIDE = 1024, STEPS = 12 }; /* 130 rows of it are more than 1 MB */
  uint64_t *n = arg;
  tsr_array u = tsr_ones(TSR_SHAPE(SIDE, SIDE));
  tsr_flush();
  const tsr_memory *memory = tsr__current->world.places[0].memory;
  const uint64_t sent = tsr__context_counters()->n_messages;
  const uint64_t before = tsr__memory_stats(memory).n_system;
  for (int i = 0; i < STEPS; i++) tsr_exec("u[130:-130] = 0.5*(u[:-260] + u[260:])", u);
  tsr_flush();
  if (rank == 0) n[0] = tsr__context_counters()->n_messages - sent;
  if (rank == 0) n[1] = tsr__memory_stats(memory).n_system - before;
  cr_expect_eq(tsr_item_f64(tsr_sum(u)), (double)SIDE * SIDE);
}

/* Memory of large messages is used again within a run: of receives two are posted at a time. */
Test(counters, large_messages_share_memory)
{
  uint64_t n[2] = {0};
  RUN_RANKS(2, run_far_steps, n, "device", "cpu", "places", "1", "threads", "1", "seed", "0",
            "replicate_max", "0", "window_ops", "1000", "window_cap", "1000", "time_steps", "1",
            "halo_steps", "1", "halo_max", "256", "inorder", "0", "memory", "1G");
  cr_expect_geq(n[0], 12, "%d messages", (int)n[0]);
  cr_expect_leq(n[1], 8, "%d blocks, two of them for the array", (int)n[1]);
}

/* Small steps whose arrays are new each time, and whose scalar changes. Every eighth, memory fails
 * once: what a repeat has taken goes back, and the plan runs as it does the first time. */
static void repeat_steps(void *arg, int rank)
{
  enum { N = 1000, STEPS = 64 };
  tsr_array x = tsr_arange(0, N, 1), y = tsr_zeros(TSR_SHAPE(N));
  double *got = malloc(N * sizeof *got), expected = 0;
  tsr_memory *memory = tsr__current->world.places[0].memory;
  cr_assert_eq(tsr_flush(), TSR_OK);
  const size_t before = tsr__memory_stats(memory).in_use_bytes;
  for (int i = 0; i < STEPS; i++) {
    TSR_SCOPE();
    tsr_array p = tsr_keep(tsr_multiply(x, 0.5 * i)), q = tsr_keep(tsr_sqrt(x));
    tsr_iadd(y, p);
    if (i % 8 == 7) tsr__memory_fail_at(memory, 2);
    cr_assert_eq(tsr_flush(), TSR_OK);
    tsr__memory_fail_at(memory, 0);
    expected += 0.5 * i;
    tsr_to_host(q, got);
    for (int k = 0; k < N; k++) cr_assert_eq(got[k], sqrt(k));
    tsr_release(&p);
    tsr_release(&q);
    cr_assert_eq(tsr__memory_stats(memory).in_use_bytes, before, "nothing stays behind");
  }
  tsr_to_host(y, got);
  for (int k = 0; k < N; k++) cr_assert_eq(got[k], k * expected);
  const uint64_t n = tsr__context_counters()->n_repeats;
  cr_expect_geq(n, STEPS / 2, "%d repeats", (int)n);
  free(got);
}

Test(counters, small_steps_are_repeated)
{
  RUN_RANKS(1, repeat_steps, NULL, "jit", "eager", "jit_after", "0", "device", "cpu", "places", "1",
            "replan", "off", "memory", "1G");
}

/* Small steps that reduce, count and multiply: they are repeated, too, and each has the values of
 * its own operands. */
static void repeat_reductions(void *arg, int rank)
{
  enum { N = 1000, STEPS = 32 };
  tsr_array x = tsr_arange(0, N, 1), y = tsr_zeros(TSR_SHAPE(N));
  cr_assert_eq(tsr_flush(), TSR_OK);
  uint64_t repeats = 0;
  for (int i = 0; i < STEPS; i++) {
    TSR_SCOPE();
    tsr_assign(y, tsr_add(x, (double)i));
    cr_assert_eq(tsr_flush(), TSR_OK);
    if (i == STEPS / 2) repeats = tsr__context_counters()->n_repeats;
    tsr_array sum = tsr_sum(y);
    cr_assert_eq(tsr_flush(), TSR_OK);
    tsr_array product = tsr_dot(x, y);
    cr_assert_eq(tsr_flush(), TSR_OK);
    tsr_array n_above = tsr_count_nonzero(tsr_greater(y, 500.0));
    cr_assert_eq(tsr_flush(), TSR_OK);
    tsr_array at = tsr_argmax(y);
    cr_assert_eq(tsr_flush(), TSR_OK);
    const double all = N * (N - 1) / 2;
    cr_assert_eq(tsr_item_f64(sum), all + N * i);
    cr_assert_eq(tsr_item_f64(product), all * (2 * N - 1) / 3 + all * i);
    cr_assert_eq(tsr_item_i64(n_above), N - 501 + i);
    cr_assert_eq(tsr_item_i64(at), N - 1);
  }
  repeats = tsr__context_counters()->n_repeats - repeats;
  cr_expect_geq(repeats, STEPS / 2 * 4, "%d repeats", (int)repeats);
}

Test(counters, small_reductions_are_repeated)
{
  RUN_RANKS(1, repeat_reductions, NULL, "jit", "eager", "jit_after", "0", "device", "cpu", "places",
            "1", "replan", "off", "memory", "1G", "inorder", "0", "memo", "1");
}

/* Groups of one chunk each run in line on a rank of one thread, however large; not where tasks are
 * asked for. */
static void one_chunk_each(void *arg, int rank)
{
  enum { N = 60000 };
  const bool in_line = *(const bool *)arg;
  tsr_array x = tsr_arange(0, N, 1), y = tsr_zeros(TSR_SHAPE(N));
  cr_assert_eq(tsr_flush(), TSR_OK);
  const uint64_t before = tsr__context_counters()->n_inline_plans;
  tsr_assign(y, tsr_multiply(2.0, x));
  cr_assert_eq(tsr_flush(), TSR_OK);
  tsr_array sum = tsr_sum(y);
  cr_assert_eq(tsr_flush(), TSR_OK);
  cr_expect_eq(tsr__context_counters()->n_inline_plans - before, in_line ? 2 : 0);
  cr_expect_eq(tsr_item_f64(sum), (double)N * (N - 1));
}

Test(counters, one_thread_has_nobody_to_hand_over_to)
{
  RUN_RANKS(1, one_chunk_each, &(bool){true}, "threads", "1", "inline_elems", "1000", "device",
            "cpu", "places", "1", "memo", "1", "chunk_bytes", "256K", "seed", "0");
  RUN_RANKS(1, one_chunk_each, &(bool){false}, "threads", "1", "inline_elems", "0", "device", "cpu",
            "places", "1", "memo", "1", "chunk_bytes", "256K", "seed", "0");
}

/* A step that takes a second buffer: the array's old memory goes back each time. */
static void turn_over(void *arg, int rank)
{
  enum { N = 1000, STEPS = 200 };
  tsr_array a = tsr_zeros(TSR_SHAPE(N));
  tsr_assign(tsr_slice(a, "0"), 1.0);
  tsr_flush();
  size_t before = 0;
  uint64_t repeats = 0;
  for (int i = 0; i < STEPS; i++) {
    tsr_assign(a, tsr_multiply(0.5, tsr_add(tsr_slice(a, "::-1"), 1.0)));
    tsr_flush();
    if (i != STEPS / 2) continue;
    before = tsr__context_memory().in_use_bytes;
    repeats = tsr__context_counters()->n_repeats;
  }
  cr_expect_gt(tsr__context_counters()->n_repeats - repeats, STEPS / 4);
  cr_expect_eq(tsr__context_memory().in_use_bytes, before);
}

Test(counters, repeated_steps_keep_no_memory)
{
  RUN_RANKS(1, turn_over, NULL, "jit", "eager", "jit_after", "0", "device", "cpu", "places", "1",
            "replan", "off", "memory", "1G");
}

Test(counters, passes_are_counted_once_they_have_run)
{
  tsr_array x = tsr_ones(TSR_SHAPE(1000));
  cr_assert_eq(tsr_flush(), TSR_OK);
  const uint64_t before = tsr_n_passes();
  tsr_array y = tsr_add(tsr_multiply(x, 2), 1);
  cr_expect_eq(tsr_n_passes(), before, "it waits");
  cr_expect_eq(tsr_item_f64(tsr_sum(y)), 3000);
  cr_expect_eq(tsr_n_passes(), before + 1, "three operations in one loop");
  tsr_context *c = tsr_context_set_current(NULL);
  cr_expect_eq(tsr_n_passes(), 0);
  tsr_context_set_current(c);
}
