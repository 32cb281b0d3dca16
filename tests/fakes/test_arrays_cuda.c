/* Arrays on the device `cuda`, over the stand-ins: what a user is told when something lacks. */
#include "array/core/array_int.h"
#include "kernel/compile/jit.h"
#include "kernel/cuda/reduce.h"
#include "runtime/machine/machine.h"
#include "tests/fakes/known.h"
#include "tests/support/child.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, WELL = 10, WRONG = 11 };

/* The sum of 2 i + 1 for all i below N. */
static double sum_of_odd(void)
{
  tsr_array x = tsr_arange(N);
  return tsr_item_f64(tsr_sum(tsr_add(tsr_add(x, x), tsr_full(TSR_SHAPE(1), 1.0))));
}

static bool runs_on_cuda(int n, const char *jit, void (*fn)(void *, int), void *arg)
{
  return tsr_run_ranks(n,
                       (const char *const[]){"device", "cuda", "placement", "all", "places", "1",
                                             "threads", "1", "jit", jit, NULL},
                       fn, arg) == TSR_OK;
}

/* The table of compiled code. */

static void fill_table(tsr_jit *jit)
{
  tsr_kernel *k = tsr__cuda_node_kernel(1, TSR_DTYPE_FLOAT64, false);
  for (int i = 0; i < TSR_JIT_MOST_ENTRIES; i++) {
    tsr_cuda_launch launch = {.n_form = sizeof i};
    memcpy(&launch.form, &i, sizeof i);
    tsr__jit_want_launch(jit, k, &launch);
  }
  tsr__kernel_destroy(k);
}

static void compute_with_full_table(void *arg, int rank)
{
  const tsr_world *w = &tsr_context_current()->world;
  const tsr_device *d = w->places[0].device;
  fill_table(tsr__jit_of_cuda(w->machine, d->ops->architecture(d)));
  bool *is_right = arg;
  *is_right = sum_of_odd() == (double)N * N && sum_of_odd() == (double)N * N;
}

static void run_with_full_table(void)
{
  bool is_right = false;
  _exit(runs_on_cuda(1, "held", compute_with_full_table, &is_right) && is_right ? WELL : WRONG);
}

/* The host computes what has no place in the table any more, and it is said once. */
Test(arrays_cuda, a_full_table_of_code_is_said, .timeout = 120)
{
  char text[4000];
  cr_expect_eq(run_in_child(NULL, run_with_full_table, text, sizeof text), WELL, "%s", text);
  const char *said =
      strstr(text, "this process has 4096 kernels and forms of them for device cuda, "
                   "the most that it keeps; the host runs what is new");
  cr_assert_not_null(said, "%s", text);
  cr_expect_null(strstr(said + 1, "this process has 4096"), "said once: %s", text);
}

/* A device that fails. */

static const char *failing;

/* An array whose memory is the host's. */
static tsr_array array_on_the_host(const double values[N])
{
  tsr_device_scope("cpu");
  const tsr_array x = tsr_hold(tsr_from_host(values, TSR_FLOAT64, TSR_SHAPE(N)));
  cr_assert_eq(tsr_flush(), TSR_OK);
  return x;
}

/* What is left of four arrays after the device failed: one that it made, one on the host, and what
 * was computed with them. */
static void lose_a_device(void *arg, int rank)
{
  int *n_right = arg;
  char text[4000] = "";
  double values[N], back[N];
  for (int i = 0; i < N; i++) values[i] = i;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  const tsr_array host = array_on_the_host(values);
  tsr_array made = tsr_add(tsr_arange(N), tsr_full(TSR_SHAPE(N), 1.0));
  (void)tsr_flush();
  tsr_array later = tsr_sin(made);
  (void)tsr_item_f64(tsr_sum(later));
  const tsr_status first = tsr_take_error(text, sizeof text);
  bool right = first == (tsr_n_ranks() > 1 ? TSR_ERR_PEER : TSR_ERR_DEVICE);
  right = right && strstr(text, "failed with TSR0503: device cuda ") != NULL &&
          strstr(text, "test_arrays_cuda.c:") != NULL &&
          strstr(text, "arrays on devices are lost") != NULL;
  /* a copy that one rank alone waits for is the read's own */
  if (tsr_n_ranks() > 1 || strncmp(failing, "kernel", 6) == 0)
    right = right && strstr(text, "it ran `tsr_") != NULL;
  if (strncmp(failing, "kernel", 6) == 0)
    right = right && strstr(text, "help: run the program under `compute-sanitizer`") != NULL;
  if (rank == 0 && !right) fprintf(stderr, "first: %s\n", text);
  const bool was_read =
      tsr_to_host(host, back) == TSR_OK && tsr_take_error(text, sizeof text) == TSR_OK;
  if (!was_read || memcmp(back, values, sizeof values) != 0) {
    fprintf(stderr, "host: %s\n", text);
    right = false;
  }
  if (tsr_to_host(made, back) == TSR_OK || tsr_take_error(text, sizeof text) != TSR_ERR_MEMORY ||
      strstr(text, "the value was lost to an earlier failure") == NULL) {
    fprintf(stderr, "made: %s\n", text);
    right = false;
  }
  (void)tsr_item_f64(tsr_sum(host));
  if (tsr_take_error(text, sizeof text) != TSR_ERR_DEVICE ||
      strstr(text, "a device failed before, and nothing runs any more") == NULL) {
    fprintf(stderr, "computed: %s\n", text);
    right = false;
  }
  if (tsr_to_host(host, back) != TSR_OK || memcmp(back, values, sizeof values) != 0) right = false;
  __atomic_fetch_add(n_right, right, __ATOMIC_RELAXED);
}

static void run_one_that_fails(void)
{
  int n_right = 0;
  setenv("FAKE_CUDA_FAIL", failing, 1);
  _exit(runs_on_cuda(1, "lazy", lose_a_device, &n_right) && n_right == 1 ? WELL : WRONG);
}

static void run_two_that_fail(void)
{
  int n_right = 0;
  setenv("FAKE_CUDA_FAIL", failing, 1);
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  setenv("TESSERA_REPLICATE_MAX", "0", 1);
  setenv("TESSERA_TILE_MIN", "64", 1);
  _exit(runs_on_cuda(2, "lazy", lose_a_device, &n_right) && n_right == 2 ? WELL : WRONG);
}

/* One error with the operation and its line; arrays on devices are lost, on all ranks, and those on
 * the host are as they were. */
Test(arrays_cuda, a_device_that_fails_is_one_error, .timeout = 200)
{
  static const char *const entries[] = {"kernel:1",
                                        "kernel:2",
                                        "cuLaunchKernel:2",
                                        "cuEventRecord:1",
                                        "cuEventSynchronize:1",
                                        "cuMemcpyDtoHAsync_v2:1"};
  char text[8000];
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    failing = entries[i];
    cr_expect_eq(run_in_child(NULL, run_one_that_fails, text, sizeof text), WELL,
                 "%s on 1 rank: %s", failing, text);
    cr_expect_eq(run_in_child(NULL, run_two_that_fail, text, sizeof text), WELL,
                 "%s on 2 ranks: %s", failing, text);
  }
}

/* The device fails in a copy that one rank alone makes, for a read to one rank: an error of all
 * ranks, after which arrays on the host, and what is lent, are as they were. */

static bool lends_first;

static size_t host_bytes_in_use(void)
{
  return tsr__memory_stats(tsr_context_current()->world.staging).in_use_bytes;
}

static void lose_in_a_read(void *arg, int rank)
{
  int *n_right = arg;
  char text[4000] = "";
  double values[N], back[N];
  tsr_local_tile tile = {.data = NULL};
  for (int i = 0; i < N; i++) values[i] = i;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  const tsr_array host = array_on_the_host(values);
  tsr_array made = tsr_add(tsr_arange(N), tsr_full(TSR_SHAPE(N), 1.0));
  cr_assert_eq(tsr_flush(), TSR_OK);
  if (lends_first) cr_assert_eq(tsr_local(made, NULL, false, &tile), TSR_OK);
  const tsr_status read = tsr_to_host(made, back, TSR_ON(0));
  const tsr_status first = tsr_take_error(text, sizeof text);
  const tsr_status expected = tsr_n_ranks() > 1 ? TSR_ERR_PEER : TSR_ERR_DEVICE;
  bool right = read < 0 && first == expected && strstr(text, "failed with TSR0503: device cuda ");
  if (!right) fprintf(stderr, "rank %d, %d: %s\n", rank, (int)first, text);
  if (lends_first) {
    const size_t kept = host_bytes_in_use();
    for (int64_t i = 0; i < tile.n[0]; i++)
      right = right && ((const double *)tile.data)[i] == (double)(tile.lo[0] + i + 1);
    right = tsr_local_end(&tile) == TSR_OK && right;
    right = right && kept >= host_bytes_in_use() + (size_t)tile.n[0] * sizeof(double);
    if (!right)
      fprintf(stderr, "rank %d: %d bytes of %d\n", rank, (int)host_bytes_in_use(), (int)kept);
  }
  for (int to_one = 0; to_one < 2; to_one++) {
    memset(back, 0, sizeof back);
    right =
        (to_one ? tsr_to_host(host, back, TSR_ON(0)) : tsr_to_host(host, back)) == TSR_OK && right;
    if (!to_one || rank == 0) right = right && memcmp(back, values, sizeof values) == 0;
  }
  right = tsr_to_host(made, back) < 0 && right;
  (void)tsr_take_error(text, sizeof text);
  __atomic_fetch_add(n_right, right, __ATOMIC_RELAXED);
}

static int n_that_read;

static void run_a_read_that_fails(void)
{
  int n_right = 0;
  setenv("FAKE_CUDA_FAIL", failing, 1);
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  setenv("TESSERA_REPLICATE_MAX", "0", 1);
  setenv("TESSERA_TILE_MIN", "64", 1);
  _exit(runs_on_cuda(n_that_read, "lazy", lose_in_a_read, &n_right) && n_right == n_that_read
            ? WELL
            : WRONG);
}

Test(arrays_cuda, a_device_that_fails_in_the_read_of_one_rank_is_agreed, .timeout = 200)
{
  static const char *const entries[2][2] = {{"cuMemcpyDtoHAsync_v2:1", "cuMemcpyDtoHAsync_v2:2"},
                                            {"cuMemcpyDtoHAsync_v2:3", "cuMemcpyDtoHAsync_v2:4"}};
  char text[8000];
  n_that_read = 2;
  for (int lends = 0; lends < 2; lends++)
    for (int i = 0; i < 2; i++) {
      lends_first = lends;
      failing = entries[lends][i];
      cr_expect_eq(run_in_child(NULL, run_a_read_that_fails, text, sizeof text), WELL,
                   "%s, lent: %d: %s", failing, lends, text);
    }
  n_that_read = 1;
  lends_first = false;
  failing = entries[0][0];
  cr_expect_eq(run_in_child(NULL, run_a_read_that_fails, text, sizeof text), WELL, "%s", text);
}

/* TESSERA_DEVICE=auto. */

enum { LARGE = 1 << 18 };

typedef struct choice {
  bool is_right;
  char device[8];
  uint64_t n_small, n_large; /* runs on the device, of all ranks, for small and for large arrays */
} choice;

static void compute_small_and_large(void *arg, int rank)
{
  choice *c = arg;
  const tsr_counters *did = tsr__context_counters();
  const bool is_right = sum_of_odd() == (double)N * N;
  __atomic_fetch_add(&c->n_small, did->n_cuda_runs, __ATOMIC_RELAXED);
  const double sum = tsr_item_f64(tsr_sum(tsr_multiply(tsr_arange(LARGE), 2.0)));
  __atomic_fetch_add(&c->n_large, did->n_cuda_runs, __ATOMIC_RELAXED);
  if (rank != 0) return;
  c->is_right = is_right && sum == (double)LARGE * (LARGE - 1);
  snprintf(c->device, sizeof c->device, "%s", tsr_context_current()->world.config.device);
}

/* Some costs are left to be measured. */
static choice choose(int n)
{
  choice c = {.is_right = false};
  const bool is_well =
      tsr_run_ranks(n,
                    (const char *const[]){"device", "auto", "places", "1", "threads", "1", "debug",
                                          "1", "cache", "/dev/null/none", "costs",
                                          "host_gbs=0.001,device_gbs=1000,device_gips=1000,"
                                          "launch_us=1,link_us=1,link_gbs=1000",
                                          NULL},
                    compute_small_and_large, &c) == TSR_OK;
  c.is_right = c.is_right && is_well;
  return c;
}

/* A program of small arrays starts no device, though there is one; large ones are computed
 * there. */
Test(arrays_cuda, auto_starts_a_device_for_large_arrays, .timeout = 120)
{
  for (int n = 1; n <= 2; n++) {
    const choice c = choose(n);
    cr_expect(c.is_right);
    cr_expect_str_eq(c.device, "cuda");
    cr_expect_eq(c.n_small, 0);
    cr_expect_gt(c.n_large, 0);
  }
}

static void compute_small(void *arg, int rank)
{
  bool *is_right = arg;
  const bool mine = sum_of_odd() == (double)N * N;
  if (rank == 0) *is_right = mine;
}

static bool compute_small_on(const char *device)
{
  bool is_right = false;
  return tsr_run_ranks(2,
                       (const char *const[]){"device", device, "cache", "/dev/null/none", "places",
                                             "1", "threads", "1", NULL},
                       compute_small, &is_right) == TSR_OK &&
         is_right;
}

static const char *device_of_child;

static void run_without_context(void)
{
  setenv("FAKE_CUDA_FAIL", "cuDevicePrimaryCtxRetain:1", 1);
  _exit(compute_small_on(device_of_child) ? WELL : WRONG);
}

static void run_cut_without_context(void)
{
  setenv("TESSERA_REPLICATE_MAX", "0", 1);
  setenv("TESSERA_TILE_MIN", "64", 1);
  run_without_context();
}

Test(arrays_cuda, small_programs_never_pay_for_auto, .timeout = 120)
{
  char text[4000];
  device_of_child = "auto";
  cr_expect_eq(run_in_child(NULL, run_without_context, text, sizeof text), WELL, "%s", text);
  cr_expect_eq(run_in_child(NULL, run_cut_without_context, text, sizeof text), WELL,
               "messages are not pinned either: %s", text);
  device_of_child = "cuda";
  cr_expect_eq(run_in_child(NULL, run_without_context, text, sizeof text), WRONG);
  cr_expect_not_null(strstr(text, "cuDevicePrimaryCtxRetain gives"), "%s", text);
}

static int n_ranks_of_child;

static void run_refused(void)
{
  setenv("FAKE_CUDA_FAIL", "cuDevicePrimaryCtxRetain:1", 1);
  const choice c = choose(n_ranks_of_child);
  _exit(c.is_right && c.n_large == 0 ? WELL : WRONG);
}

/* A device that nobody asked for, and that starts for one of the ranks at most, is of no use to
 * all. */
Test(arrays_cuda, auto_stays_with_the_host_where_a_device_is_refused, .timeout = 120)
{
  char text[4000];
  for (n_ranks_of_child = 1; n_ranks_of_child <= 2; n_ranks_of_child++) {
    cr_expect_eq(run_in_child(NULL, run_refused, text, sizeof text), WELL, "%s", text);
    cr_expect_not_null(strstr(text, "the host computes: device cuda 0: cuDevicePrimaryCtxRetain "),
                       "%s", text);
  }
}

static void run_without_device(void)
{
  setenv("FAKE_CUDA_DEVICES", "0", 1);
  const choice c = choose(2);
  _exit(c.is_right && strcmp(c.device, "cpu") == 0 ? WELL : WRONG);
}

Test(arrays_cuda, auto_is_the_host_where_there_is_no_device, .timeout = 120)
{
  char text[4000];
  cr_expect_eq(run_in_child(NULL, run_without_device, text, sizeof text), WELL, "%s", text);
  cr_expect_not_null(strstr(text, "tessera[0]: TESSERA_DEVICE=auto is cpu: there is no device: "),
                     "%s", text);
  cr_expect_null(strstr(text, "tessera[1]: TESSERA_DEVICE=auto is cpu"), "%s", text);
}

/* What a step whose plan is remembered asks of the driver. */

enum { SIDE = 100, ROUND = 25, WARM_UP = 8, ROUNDS = 4 };

typedef struct asked {
  int of_all, launches, graphs, sets, events, contexts; /* calls of entries */
  double sum;
} asked;

static asked asked_now(void)
{
  return (asked){.of_all = n_calls(""),
                 .launches = n_calls("cuLaunchKernel"),
                 .graphs = n_calls("cuGraphLaunch"),
                 .sets = n_calls("cuGraphExecKernelNodeSetParams"),
                 .events = n_calls("cuEventRecord") + n_calls("cuEventQuery") +
                           n_calls("cuStreamWaitEvent"),
                 .contexts = n_calls("cuCtxPushCurrent") + n_calls("cuCtxPopCurrent")};
}

static void run_rounds(tsr_array g, int n)
{
  for (int round = 0; round < n; round++) {
    for (int i = 0; i < ROUND; i++)
      tsr_exec("g[1:-1,1:-1] = 0.2*(g[1:-1,1:-1] + g[:-2,1:-1] + g[2:,1:-1] + g[1:-1,:-2] "
               "+ g[1:-1,2:])",
               g);
    tsr_flush();
  }
}

static void run_stencil(void *arg, int rank)
{
  asked *out = arg;
  tsr_array grid = tsr_full(TSR_SHAPE(SIDE, SIDE), 1.0);
  run_rounds(grid, WARM_UP);
  const asked before = asked_now();
  run_rounds(grid, ROUNDS);
  const asked now = asked_now();
  *out = (asked){.of_all = now.of_all - before.of_all,
                 .launches = now.launches - before.launches,
                 .graphs = now.graphs - before.graphs,
                 .sets = now.sets - before.sets,
                 .events = now.events - before.events,
                 .contexts = now.contexts - before.contexts,
                 .sum = tsr_item_f64(tsr_sum(grid))};
}

/* It launches kernels or graphs of them, and records and follows events: it allocates, copies and
 * compiles nothing, and waits for nothing. */
Test(arrays_cuda, a_remembered_step_only_launches, .timeout = 120)
{
  for (int graphs = 0; graphs < 2; graphs++) {
    asked a = {.of_all = 0};
    cr_assert_eq(tsr_run_ranks(1,
                               (const char *const[]){"device", "cuda", "placement", "all", "places",
                                                     "1", "threads", "1", "jit", "eager", "graphs",
                                                     graphs ? "1" : "0", NULL},
                               run_stencil, &a),
                 TSR_OK);
    cr_expect_eq(a.sum, (double)SIDE * SIDE);
    cr_expect_eq(a.of_all, a.launches + a.graphs + a.sets + a.events + a.contexts,
                 "graphs %d: %d calls, of which %d launches, %d of graphs, %d set nodes, %d of "
                 "events, %d of contexts",
                 graphs, a.of_all, a.launches, a.graphs, a.sets, a.events, a.contexts);
    cr_expect_eq(a.graphs > 0, graphs == 1);
    if (!graphs) cr_expect_geq(a.launches, ROUND * ROUNDS);
  }
}

/* What the dump says of sides. */

static void sum_on_both_sides(void *arg, int rank)
{
  tsr_array x = tsr_add(tsr_arange(N), 1.0);
  cr_assert_eq(tsr_flush(), TSR_OK);
  tsr_device_scope("cpu");
  *(double *)arg = tsr_item_f64(tsr_sum(tsr_multiply(x, 2.0)));
}

static const char *dumped_by(const char *placement, char *text, size_t size)
{
  char directory[] = "/tmp/tessera-sides-XXXXXX", command[200];
  double sum = 0;
  cr_assert_not_null(mkdtemp(directory));
  cr_assert_eq(tsr_run_ranks(1,
                             (const char *const[]){"device", "cuda", "placement", placement,
                                                   "places", "1", "threads", "1", "costs",
                                                   "host_gbs=10,host_gips=1,device_gbs=1000,"
                                                   "device_gips=1000,launch_us=1000,link_us=1,"
                                                   "link_gbs=1000",
                                                   "dump", directory, NULL},
                             sum_on_both_sides, &sum),
               TSR_OK);
  cr_expect_eq(sum, (double)N * (N + 1));
  snprintf(command, sizeof command, "cat %s/*-10-sides.rank0.txt; rm -r %s", directory, directory);
  FILE *f = popen(command, "r");
  cr_assert_not_null(f);
  text[fread(text, 1, size - 1, f)] = '\0';
  pclose(f);
  return text;
}

Test(arrays_cuda, a_dump_says_where_groups_run_and_why, .timeout = 60)
{
  char text[8000];
  const char *all = dumped_by("all", text, sizeof text);
  cr_expect_not_null(strstr(all, " device, launched: all that can runs there; "), "%s", all);
  cr_expect_not_null(strstr(all, " host: the program wants it there; "), "%s", all);
  cr_expect_not_null(strstr(all, "test_arrays_cuda.c:"), "%s", all);
  const char *by_cost = dumped_by("cost", text, sizeof text);
  cr_expect_not_null(strstr(by_cost, " us on the host, 100"), "%s", by_cost);
  cr_expect_null(strstr(by_cost, " device, launched: "), "%s", by_cost);
}
