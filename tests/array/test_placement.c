/* What runs where, beside a device: by cost, by scope, by what the device refuses. The same bits
 * everywhere; what happened is read off the counters.
 *
 * Costs here: a host of 10 GB/s; a device of 1,000, 10 us to launch; 20 us and 10 GB/s between
 * them. A pass is the host's up to about 100 KB. */
#include "array_test.h"
#include "kernel/cpu/isa.h"
#include "tests/support/sanitized.h"

#include <dirent.h>
#include <locale.h>
#include <setjmp.h>
#include <sys/stat.h>

#define COSTS                                                                                      \
  "host_gbs=10,host_gips=1e6,device_gbs=1000,device_gips=1e6,launch_us=10,link_us=20,link_gbs=10"

enum { SMALL = 100, LARGE = 1 << 18, N_STEPS = 12 };

typedef struct case_of {
  void (*program)(struct case_of *c);
  double result;
  uint64_t host_runs, device_runs, running_on, moved, staged, tasks;
} case_of;

static void run_case(void *arg, int rank)
{
  case_of *c = arg, mine = {.program = c->program};
  c->program(&mine);
  cr_expect_str_eq(tsr_last_error(), "");
  const tsr_counters *did = tsr__context_counters();
  mine.host_runs = did->n_host_runs;
  mine.device_runs = did->n_device_runs;
  mine.running_on = did->n_running_on;
  mine.moved = did->n_moved;
  mine.staged = did->n_streamed_runs;
  mine.tasks = did->n_task_runs;
  if (rank == 0) *c = mine;
}

/* With these settings, and beside it on the host alone, for the bits. */
static case_of run_on(int n_ranks, const char *const *more, void (*program)(case_of *))
{
  const char *settings[24] = {"threads", "2", "bind", "0", "jit", "off"};
  int n = 6;
  case_of host = {.program = program}, c = host;
  cr_assert_eq(tsr_run_ranks(1, settings, run_case, &host), TSR_OK);
  for (; *more != NULL; more++) settings[n++] = *more;
  cr_assert_eq(tsr_run_ranks(n_ranks, settings, run_case, &c), TSR_OK);
  cr_expect_eq(memcmp(&c.result, &host.result, sizeof host.result), 0, "%.17g, not %.17g", c.result,
               host.result);
  return c;
}

#define BY_COST "device", "check", "placement", "cost", "costs", COSTS
#define RUN(n_ranks, program, ...)                                                                 \
  run_on(n_ranks, (const char *const[]){__VA_ARGS__, NULL}, program)

static void relax(tsr_array u, int n_steps)
{
  for (int i = 0; i < n_steps; i++) {
    tsr_iadd(u, tsr_multiply(0.25, u));
    cr_assert_eq(tsr_flush(), TSR_OK);
  }
}

static void small_only(case_of *c)
{
  tsr_array u = tsr_add(tsr_arange(SMALL), 1.0);
  relax(u, N_STEPS);
  c->result = tsr_item_f64(tsr_sum(u));
}

Test(placement, small_arrays_never_see_the_device)
{
  for (int n = 1; n <= 2; n++) {
    const case_of c = RUN(n, small_only, BY_COST);
    cr_expect_eq(c.device_runs, 0);
    cr_expect_eq(c.moved, 0);
    cr_expect_geq(c.host_runs, N_STEPS);
  }
}

/* One thread of this host takes 24 us for a step, two take half of that and 2 us to hand it
 * over. */
static void of_thousand(case_of *c)
{
  tsr_array u = tsr_add(tsr_arange(1000), 1.0);
  relax(u, N_STEPS);
  c->result = tsr_item_f64(tsr_sum(u));
}

Test(placement, threads_cost_a_hand_over)
{
#define SLOW_HOST                                                                                  \
  "device", "check", "placement", "cost", "costs",                                                 \
      "host_gbs=1e6,host_gips=0.5,device_gbs=1e6,device_gips=1e6,link_us=0.001,link_gbs=1e6,"      \
      "launch_us="
  const case_of host = RUN(1, of_thousand, SLOW_HOST "23"),
                device = RUN(1, of_thousand, SLOW_HOST "13");
  cr_expect_eq(host.device_runs, 0, "14 us are less than a launch of 23");
  cr_expect_geq(device.device_runs, N_STEPS, "14 us are more than a launch of 13");
#undef SLOW_HOST
}

static void large_only(case_of *c)
{
  tsr_array u = tsr_add(tsr_arange(LARGE), 1.0);
  for (int i = 0; i < 4; i++) {
    relax(u, 1);
    tsr_assign(tsr_slice(u, "0"), tsr_slice(u, "1")); /* one point: not worth moving u for */
    cr_assert_eq(tsr_flush(), TSR_OK);
  }
  c->result = tsr_item_f64(tsr_sum(u));
}

Test(placement, large_arrays_are_the_devices_and_so_is_a_point_of_them)
{
  const case_of c = RUN(1, large_only, BY_COST);
  cr_expect_eq(c.host_runs, 0);
  cr_expect_eq(c.moved, 0);
  cr_expect_geq(c.device_runs, 9);
}

static void small_joins_large(case_of *c)
{
  tsr_array row = tsr_add(tsr_arange(512), 1.0); /* 4 KB */
  tsr_array u = tsr_ones(TSR_SHAPE(512, 512));
  relax(row, 2);
  for (int i = 0; i < 4; i++) {
    tsr_iadd(u, row);
    cr_assert_eq(tsr_flush(), TSR_OK);
  }
  c->result = tsr_item_f64(tsr_sum(u));
}

Test(placement, a_small_array_moves_once_to_the_large_one_that_it_is_used_with)
{
  no_devices_asked_for();
  const case_of c = RUN(1, small_joins_large, BY_COST);
  cr_expect_eq(c.moved, 1);
  cr_expect_eq(c.staged, 0);
  cr_expect_gt(c.host_runs, 0);
  cr_expect_gt(c.device_runs, 0);
}

/* As many sums as rows, and twice them. */
static void sums_of_rows(case_of *c)
{
  tsr_array u = tsr_ones(TSR_SHAPE(4096, 64)), sums = tsr_zeros(TSR_SHAPE(4096));
  for (int i = 0; i < 4; i++) {
    tsr_exec("u += 1; sums[...] = 2*sum(u, axis=1)", u, sums);
    cr_assert_eq(tsr_flush(), TSR_OK);
  }
  c->result = tsr_item_f64(tsr_sum(sums));
}

Test(placement, many_results_are_where_they_come_to_be)
{
  no_devices_asked_for();
  const case_of c = RUN(1, sums_of_rows, BY_COST);
  cr_expect_eq(c.host_runs, 0, "%d", (int)c.host_runs);
  cr_expect_eq(c.moved, 0);
  cr_expect_gt(c.device_runs, 8);
}

/* A sum of all of a large array, and twice that: a single value. */
static void sums_of_all(case_of *c)
{
  tsr_array u = tsr_ones(TSR_SHAPE(4096, 64)), sum = tsr_zeros(TSR_SHAPE(1));
  for (int i = 0; i < 4; i++) {
    tsr_exec("u += 1; sum[...] = 2*sum(u)", u, sum);
    cr_assert_eq(tsr_flush(), TSR_OK);
  }
  c->result = tsr_item_f64(tsr_sum(sum));
}

Test(placement, few_results_are_the_hosts)
{
  no_devices_asked_for();
  for (int n = 1; n <= 2; n++) {
    const case_of c = RUN(n, sums_of_all, BY_COST);
    cr_expect_geq(c.host_runs, 4, "%d", (int)c.host_runs);
    cr_expect_eq(c.moved, 0);
    cr_expect_gt(c.device_runs, 3);
  }
}

/* A device that launches kernels keeps a single value, too, so that no step waits for it. */
Test(placement, few_results_stay_where_kernels_are_launched)
{
  no_devices_asked_for();
  if (tsr__isa_get(0) == TSR_ISA_BASELINE) cr_skip_test("there is no fused multiply-add");
  const case_of c = RUN(1, sums_of_all, BY_COST, "check_code", "cuda", "jit", "eager");
  cr_expect_eq(c.host_runs, 0, "%d", (int)c.host_runs);
  cr_expect_geq(c.running_on, 4, "%d", (int)c.running_on);
}

static void small_leaves_again(case_of *c)
{
  tsr_array row = tsr_add(tsr_arange(512), 1.0);
  tsr_array u = tsr_ones(TSR_SHAPE(512, 512));
  tsr_iadd(u, row);
  cr_assert_eq(tsr_flush(), TSR_OK);
  relax(row, N_STEPS);
  c->result = tsr_item_f64(tsr_sum(tsr_multiply(u, 2))) + tsr_item_f64(tsr_sum(row));
}

/* Each launch costs 10 us more than the call on the host, moving 20.4: after three of them. */
Test(placement, a_small_array_that_is_used_alone_comes_back)
{
  no_devices_asked_for();
  const case_of c = RUN(1, small_leaves_again, BY_COST);
  cr_expect_eq(c.moved, 1, "%d", (int)c.moved);
  cr_expect_geq(c.host_runs, N_STEPS - 4);
}

static void large_comes(case_of *c)
{
  tsr_array u;
  {
    tsr_device_scope("cpu");
    u = tsr_add(tsr_arange(LARGE), 1.0);
    relax(u, 2);
  }
  relax(u, N_STEPS);
  c->result = tsr_item_f64(tsr_sum(u));
}

/* A step takes 420 us there and 14 here, moving 230: it pays off in the first. */
Test(placement, a_large_array_of_the_hosts_moves_when_its_data_will_stay)
{
  no_devices_asked_for();
  const case_of c = RUN(1, large_comes, BY_COST);
  cr_expect_eq(c.moved, 1, "%d", (int)c.moved);
  cr_expect_geq(c.device_runs, N_STEPS - 1);
  cr_expect_geq(c.host_runs, 2);
}

static void scoped(case_of *c)
{
  tsr_array u = tsr_add(tsr_arange(4096), 1.0), v = tsr_ones(TSR_SHAPE(4096));
  {
    tsr_device_scope("cpu");
    tsr_iadd(u, v); /* on the host */
    {
      tsr_device_scope("device");
      tsr_iadd(v, 2.0); /* on the device */
      tsr_device_scope("auto");
      tsr_iadd(v, 3.0);
    }
    tsr_iadd(u, tsr_multiply(v, u)); /* on the host again */
  }
  tsr_iadd(u, v);
  c->result = tsr_item_f64(tsr_sum(tsr_multiply(u, v)));
}

Test(placement, scopes_say_where_and_nothing_else)
{
  for (int n = 1; n <= 3; n++)
    for (int places = 1; places <= 2; places++) {
      const char *p = places == 1 ? "1" : "2";
      const case_of all =
          RUN(n, scoped, "device", "check", "places", p, "replicate_max", "0", "tile_min", "64");
      cr_expect_gt(all.host_runs, 0);
      cr_expect_gt(all.device_runs, 0);
      cr_expect_gt(all.staged, 0, "both sides use one array in one plan");
      const case_of tight = RUN(n, scoped, "device", "check", "places", p, "replicate_max", "0",
                                "tile_min", "64", "device_memory", "10K");
      cr_expect_gt(tight.host_runs, 0);
      const case_of cost = RUN(n, scoped, BY_COST, "places", p, "replicate_max", "0");
      cr_expect_gt(cost.host_runs, 0);
      cr_expect_gt(cost.device_runs, 0, "the innermost scope counts");
    }
}

/* What a scope asks of the host, and the host has no room for, is the device's all the same. */
Test(placement, a_scope_asks_for_more_than_the_host_has)
{
  for (int n = 1; n <= 3; n++)
    for (int places = 1; places <= 2; places++) {
      const char *p = places == 1 ? "1" : "2";
      const case_of all = RUN(n, scoped, "device", "check", "places", p, "replicate_max", "0",
                              "tile_min", "64", "memory", "1K", "device_memory", "1M");
      cr_expect_gt(all.device_runs, 0);
      cr_expect_eq(all.host_runs, 0);
      const case_of one = RUN(n, scoped, "device", "check", "places", p, "replicate_max", "0",
                              "tile_min", "64", "memory", "36K", "device_memory", "1M");
      cr_expect_gt(one.device_runs, 0);
      cr_expect_eq(one.host_runs > 0, n * places > 1, "both tiles of an operation have room");
    }
}

/* A result that had room there, and came back with what had none. */
static void back_again(void *arg, int rank)
{
  tsr_array u = tsr_ones(TSR_SHAPE(4096)), v = tsr_ones(TSR_SHAPE(4096));
  cr_assert_eq(tsr_flush(), TSR_OK);
  for (int i = 0; i < 3; i++) {
    TSR_SCOPE();
    tsr_device_scope("cpu");
    tsr_array w = tsr_hold(tsr_add(tsr_slice(u, "::4"), tsr_slice(v, "::4")));
    cr_assert_eq(tsr_flush(), TSR_OK);
    const tsr_memory_use use = tsr_memory_info(0);
    cr_expect_eq(use.on_host_bytes + use.spilled_host_bytes, 0);
    tsr_release(&w);
  }
  cr_expect_eq(tsr__context_counters()->n_host_runs, 0);
  tsr_device_scope("cpu");
  tsr_array x = tsr_ones(TSR_SHAPE(2048));
  EXPECT_VALUES(tsr_slice(x, ":2"), TSR_SHAPE(2), 1, 1);
  cr_expect_gt(tsr__context_counters()->n_host_runs, 0, "half of the room is free");
}

Test(placement, what_comes_back_from_a_host_without_room_leaves_nothing_there)
{
  RUN_RANKS(1, back_again, NULL, "device", "check", "memory", "36K", "device_memory", "1M");
}

static void only_the_hosts(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array v = tsr_ones(TSR_SHAPE(4096));
  cr_assert_eq(tsr_flush(), TSR_OK);
  tsr_array u = tsr_astype(tsr_arange(4096), TSR_FLOAT16);
  tsr_iadd(u, 1);
  float x[4096];
  cr_expect_lt(tsr_to_host(tsr_astype(u, TSR_FLOAT32), x), 0);
  EXPECT_ERROR(tsr_n_ranks() > 1 ? TSR_ERR_PEER : TSR_ERR_MEMORY,
               "must be the host's, whose limit is 1.0 KiB (TESSERA_MEMORY): `check` does not run "
               "all of it");
  EXPECT_VALUES(tsr_slice(v, ":2"), TSR_SHAPE(2), 1, 1);
}

static void much_in_a_scope_of_the_hosts(case_of *c)
{
  tsr_device_scope("cpu");
  tsr_array u = tsr_hold(tsr_add(tsr_arange(1 << 20), 0.5));
  c->result = tsr_item_f64(tsr_sum(u));
  tsr_release(&u);
}

/* A chunk of a device that launches kernels is as large as can be; the host's are for threads. */
Test(placement, what_the_host_runs_beside_a_device_that_launches_is_cut_for_its_threads)
{
  no_devices_asked_for();
  const case_of c = RUN(1, much_in_a_scope_of_the_hosts, "device", "check", "check_code", "cuda");
  cr_expect_geq(c.host_runs, 8, "%d", (int)c.host_runs);
}

/* What the device does not run has nowhere else to go. */
Test(placement, what_is_refused_and_has_no_room_on_the_host_is_an_error_that_says_so)
{
  for (int n = 1; n <= 2; n++)
    RUN_RANKS(n, only_the_hosts, NULL, "device", "check", "refuse", "float16", "memory", "1K",
              "device_memory", "1M");
}

static void misnamed(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array u = tsr_ones(TSR_SHAPE(8));
  {
    tsr_device_scope("cuda:0");
    EXPECT_ERROR(TSR_ERR_ARGUMENT, "there is no device `cuda:0`", "`check`", "\"device\"");
    tsr_device_scope("null");
    EXPECT_ERROR(TSR_ERR_ARGUMENT, "this run has no device `null`", "`check`", "TESSERA_DEVICE");
    tsr_device_scope(NULL);
    EXPECT_ERROR(TSR_ERR_ARGUMENT, "NULL");
    tsr_iadd(u, 1.0);
  }
  cr_assert_eq(tsr_flush(), TSR_OK);
  cr_expect_eq(tsr__context_counters()->n_host_runs, 0, "a refused scope has no effect");
  static const tsr_location here = {.file = "test", .line = 1, .op = "tsr_device_scope"};
  tsr_device_choice outer = tsr_device_scope_open(&here, "cpu");
  tsr_device_choice inner = tsr_device_scope_open(&here, "device");
  tsr_device_scope_close(&outer);
  EXPECT_ERROR(TSR_ERR_SCOPE, "a device scope is closed before 1 scope inside it");
  tsr_device_scope_close(&inner);
  EXPECT_ERROR(TSR_ERR_SCOPE, "after the scope around it");
  tsr_device_scope_close(&inner); /* it is closed */
  tsr_device_scope_close(NULL);
  tsr_iadd(u, 1.0);
  EXPECT_VALUES(u, TSR_SHAPE(8), 3, 3, 3, 3, 3, 3, 3, 3);
  cr_expect_eq(tsr__context_counters()->n_host_runs, 0);
}

static int host_runs_of_one_step(tsr_array u)
{
  const int64_t before = (int64_t)tsr__context_counters()->n_host_runs;
  tsr_iadd(u, 1.0);
  cr_assert_eq(tsr_flush(), TSR_OK);
  return (int)((int64_t)tsr__context_counters()->n_host_runs - before);
}

/* A scope that its outer one has ended is not one that was opened since at its depth. */
static void stale(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  static const tsr_location here = {.file = "test", .line = 1, .op = "tsr_device_scope"};
  tsr_array u = tsr_ones(TSR_SHAPE(8));
  tsr_device_choice outer = tsr_device_scope_open(&here, "device");
  tsr_device_choice inner = tsr_device_scope_open(&here, "device");
  tsr_device_scope_close(&outer);
  EXPECT_ERROR(TSR_ERR_SCOPE, "a device scope is closed before 1 scope inside it");
  tsr_device_choice next = tsr_device_scope_open(&here, "device");
  tsr_device_choice last = tsr_device_scope_open(&here, "cpu");
  tsr_device_scope_close(&inner);
  EXPECT_ERROR(TSR_ERR_SCOPE, "a device scope is closed after the scope around it");
  cr_expect_eq(host_runs_of_one_step(u), 1, "the last scope is still open");
  tsr_device_scope_close(&last);
  tsr_device_scope_close(&next);
  cr_expect_str_eq(tsr_last_error(), "");
  cr_expect_eq(host_runs_of_one_step(u), 0);
}

Test(placement, a_stale_scope_ends_none_that_was_opened_since)
{
  no_devices_asked_for();
  RUN_RANKS(2, stale, NULL, "device", "check");
}

static void leap(jmp_buf *back)
{
  tsr_device_scope("cpu");
  longjmp(*back, 1);
}

static void leap_from_block(jmp_buf *back)
{
  TSR_SCOPE();
  tsr_device_scope("cpu");
  TSR_SCOPE();
  longjmp(*back, 1);
}

/* What a jump leaves open ends with the scope of either kind around it. */
static void leaps(void *arg, int rank)
{
  jmp_buf back;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array u = tsr_ones(TSR_SHAPE(8));
  {
    TSR_SCOPE();
    if (setjmp(back) == 0) leap(&back);
    cr_expect_eq(host_runs_of_one_step(u), 1, "it is still open");
  }
  EXPECT_ERROR(TSR_ERR_SCOPE, "a scope is closed before 1 scope inside it");
  cr_expect_eq(host_runs_of_one_step(u), 0);
  {
    tsr_device_scope("device");
    if (setjmp(back) == 0) leap(&back);
  }
  EXPECT_ERROR(TSR_ERR_SCOPE, "a device scope is closed before 1 scope inside it");
  cr_expect_eq(host_runs_of_one_step(u), 0);
  const int32_t n_open = tsr_context_current()->n_scopes;
  tsr_array kept = tsr_null(), gone = tsr_null();
  {
    tsr_device_scope("device");
    kept = tsr_ones(TSR_SHAPE(3));
    if (setjmp(back) == 0) leap_from_block(&back);
    gone = tsr_ones(TSR_SHAPE(3));
  }
  EXPECT_ERROR(TSR_ERR_SCOPE, "a device scope is closed before 3 scopes inside it");
  cr_expect_eq(tsr_context_current()->n_scopes, n_open);
  EXPECT_VALUES(kept, TSR_SHAPE(3), 1, 1, 1);
  cr_expect_eq(tsr_ndim(gone), 0);
  EXPECT_ERROR(TSR_ERR_HANDLE, "");
  cr_expect_eq(host_runs_of_one_step(u), 0);
  {
    tsr_device_scope("cpu");
    {
      TSR_SCOPE();
    }
    cr_expect_eq(host_runs_of_one_step(u), 1, "scopes end what was opened in them only");
  }
}

Test(placement, a_jump_leaves_a_device_scope_open_until_the_scope_around_it_ends)
{
  no_devices_asked_for();
  RUN_RANKS(1, leaps, NULL, "device", "check");
}

Test(placement, a_scope_of_no_device_is_refused)
{
  no_devices_asked_for();
  RUN_RANKS(2, misnamed, NULL, "device", "check");
}

static void different_scopes(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array u = tsr_ones(TSR_SHAPE(8));
  tsr_device_scope(rank == 0 ? "cpu" : "device");
  tsr_iadd(u, 1.0);
  cr_expect(tsr_item_f64(tsr_sum(u)) != 16.0);
  EXPECT_ERROR(TSR_ERR_DIVERGED, "");
}

Test(placement, ranks_open_the_same_scopes)
{
  tsr_run_ranks(2, (const char *[]){"device", "check", NULL}, different_scopes, NULL);
}

static void with_a_task(case_of *c)
{
  tsr_array u = tsr_reshape(tsr_add(tsr_arange(64 * 64), 1.0), TSR_SHAPE(64, 64));
  for (int i = 0; i < 3; i++) {
    tsr_array product = tsr_matmul(u, tsr_transpose(u));
    tsr_assign(u, tsr_divide(product, tsr_max(product)));
    tsr_iadd(u, tsr_sqrt(u));
  }
  c->result = tsr_item_f64(tsr_sum(u));
}

Test(placement, what_the_device_refuses_the_host_runs)
{
  for (int n = 1; n <= 3; n++)
    for (int places = 1; places <= 2; places++) {
      const char *p = places == 1 ? "1" : "2";
      const case_of c = RUN(n, with_a_task, "device", "check", "places", p, "refuse", "task",
                            "replicate_max", "0", "tile_min", "64");
      cr_expect_gt(c.tasks, 0);
      cr_expect_gt(c.host_runs, 0);
      cr_expect_gt(c.device_runs, 0, "the rest is the device's");
      const case_of tight = RUN(n, with_a_task, "device", "check", "places", p, "refuse", "task",
                                "replicate_max", "0", "tile_min", "64", "device_memory", "20K");
      cr_expect_gt(tight.host_runs, 0);
    }
}

static void in_float16(case_of *c)
{
  tsr_array u = tsr_astype(tsr_arange(1000), TSR_FLOAT16);
  tsr_iadd(u, 1);
  c->result = tsr_item_f64(tsr_sum(tsr_astype(u, TSR_FLOAT64)));
}

Test(placement, a_dtype_that_the_device_lacks_is_the_hosts)
{
  const case_of c = RUN(1, in_float16, "device", "check", "refuse", "float16,complex");
  cr_expect_gt(c.host_runs, 0);
  cr_expect_eq(RUN(1, in_float16, "device", "check", "refuse", "complex").host_runs, 0);
}

/* What lies with the host because it is small is not short of room. */
static void tell_memory(void *arg, int rank)
{
  tsr_array u = tsr_ones(TSR_SHAPE(SMALL));
  cr_assert_eq(tsr_flush(), TSR_OK);
  const tsr_memory_use use = tsr_memory_info(0);
  cr_expect_eq(use.spilled_host_bytes, 0);
  cr_expect_eq(use.in_use_bytes, 0);
  cr_expect_geq(use.on_host_bytes, SMALL * 8);
  tsr_release(&u);
  cr_expect_eq(tsr_memory_info(0).on_host_bytes, 0);
}

Test(placement, what_is_where_is_said)
{
  RUN_RANKS(1, tell_memory, NULL, BY_COST);
}

/* A result of a reduction lies with the host already. */
static void sum_small(void *arg, int rank)
{
  tsr_array u = tsr_ones(TSR_SHAPE(SMALL)), sum = tsr_sum(u);
  cr_assert_eq(tsr_flush(), TSR_OK);
  cr_expect_eq(tsr_memory_info(0).in_use_bytes, 0);
  cr_expect_eq(tsr_item_f64(tsr_add(sum, 1.0)), SMALL + 1);
  cr_expect_eq(tsr__context_counters()->n_moved, 0);
}

Test(placement, results_of_small_arrays_are_with_them)
{
  no_devices_asked_for();
  RUN_RANKS(1, sum_small, NULL, BY_COST);
}

/* 64 KB each, which only a launch keeps from the device, and 512 KB of the host's memory. */
static void fill_the_host(void *arg, int rank)
{
  enum { N_ARRAYS = 20, N_ELEMS = 8192 };
  double ones[N_ELEMS];
  tsr_array u[N_ARRAYS];
  for (int i = 0; i < N_ELEMS; i++) ones[i] = 1;
  for (int i = 0; i < N_ARRAYS; i++) {
    u[i] =
        i % 2 ? tsr_from_host(ones, TSR_FLOAT64, TSR_SHAPE(N_ELEMS)) : tsr_ones(TSR_SHAPE(N_ELEMS));
    tsr_iadd(u[i], 1.0 * i);
    cr_assert_eq(tsr_flush(), TSR_OK, "%d: %s", i, tsr_last_error());
  }
  for (int i = 0; i < N_ARRAYS; i++) cr_expect_eq(tsr_item_f64(tsr_sum(u[i])), N_ELEMS * (1.0 + i));
  cr_expect_gt(tsr_memory_info(0).in_use_bytes, 0);
  cr_expect_gt(tsr_memory_info(0).on_host_bytes, 0);
}

Test(placement, a_host_without_room_leaves_the_device_more)
{
  no_devices_asked_for();
  for (int n = 1; n <= 2; n++)
    cr_assert_eq(
        tsr_run_ranks(n,
                      (const char *[]){"device", "check", "placement", "cost", "memory", "512K",
                                       "device_memory", "64M", "costs",
                                       "host_gbs=10,host_gips=10,device_gbs=11,device_gips=11,"
                                       "launch_us=1000,link_us=10,link_gbs=10",
                                       NULL},
                      fill_the_host, NULL),
        TSR_OK);
}

/* Steps until an array of the host's is moved: 420 us each there, 14 on the device, and a move of
 * 2,230. */
static void count_steps(void *arg, int rank)
{
  tsr_array u;
  {
    tsr_device_scope("cpu");
    u = tsr_ones(TSR_SHAPE(LARGE * tsr_n_places()));
    cr_assert_eq(tsr_flush(), TSR_OK);
  }
  int n = 0;
  for (; n < 30 && tsr__context_counters()->n_moved == 0; n++) relax(u, 1);
  if (rank == 0) *(int *)arg = n;
}

Test(placement, an_array_of_two_tiles_waits_as_long_as_one_of_one)
{
  no_devices_asked_for();
  static const char costs[] = "host_gbs=10,host_gips=1e6,device_gbs=1000,device_gips=1e6,"
                              "launch_us=10,link_us=2020,link_gbs=10";
  int one = 0, two = 0;
  RUN_RANKS(1, count_steps, &one, "device", "check", "placement", "cost", "places", "1", "costs",
            costs);
  RUN_RANKS(1, count_steps, &two, "device", "check", "placement", "cost", "places", "2", "costs",
            costs);
  cr_expect_gt(one, 2);
  cr_expect_lt(one, 30);
  cr_expect_eq(two, one, "%d, not %d", two, one);
}

static void plan_only(void *arg, int rank)
{
  static const double values[] = {1, 2};
  tsr_device_scope("cpu");
  tsr_array u = tsr_from_host(values, TSR_FLOAT64, TSR_SHAPE(2));
  tsr_iadd(u, 1.0);
  cr_expect_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
}

Test(placement, plans_alone_have_no_side)
{
  no_devices_asked_for();
  RUN_RANKS(1, plan_only, NULL, "device", "null");
}

/* Costs that are measured and kept. */

static const char marked[] = COSTS "\n";

static bool is_marked(const tsr_costs *c)
{
  return c->launch_ns == 10000 && c->link_ns == 20000;
}

/* Measured costs may say anything; those that are marked, that small arrays stay. */
static void small_measured(void *arg, int rank)
{
  const tsr_costs *costs = &tsr_context_current()->world.costs;
  tsr_array u = tsr_add(tsr_arange(16), 1.0);
  relax(u, 2);
  if (is_marked(costs)) cr_expect_eq(tsr__context_counters()->n_device_runs, 0);
  if (rank == 0) *(tsr_costs *)arg = *costs;
}

static void run_measured(const char *cache, int n_ranks, tsr_costs *costs)
{
  RUN_RANKS(n_ranks, small_measured, costs, "device", "check", "placement", "cost", "cache", cache);
  cr_expect(tsr__costs_are_complete(costs));
}

/* The one file of costs there is. */
static void costs_path(const char *cache, char *path, size_t size)
{
  int n = 0;
  DIR *d = opendir(cache);
  cr_assert_not_null(d);
  for (struct dirent *e; (e = readdir(d)) != NULL;)
    if (strncmp(e->d_name, "costs-", 6) == 0) {
      snprintf(path, size, "%s/%s", cache, e->d_name);
      n++;
    }
  closedir(d);
  cr_assert_eq(n, 1, "%d files", n);
}

static void write_text(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");
  cr_assert_not_null(f);
  fputs(text, f);
  fclose(f);
}

/* A locale that has a comma for the point, in the directory: of text that needs no other of the
 * system's. */
static void make_comma_locale(const char *directory)
{
  char path[80], command[200];
  snprintf(path, sizeof path, "%s/comma", directory);
  write_text(path, "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\n"
                   "END LC_NUMERIC\n");
  snprintf(path, sizeof path, "%s/ascii", directory);
  FILE *f = fopen(path, "w");
  cr_assert_not_null(f);
  fprintf(f, "<code_set_name> ANSI_X3.4-1968\n<comment_char> %%\n<escape_char> /\nCHARMAP\n");
  for (int i = 0; i < 128; i++) fprintf(f, "<U%04X> /x%02x\n", i, i);
  fprintf(f, "END CHARMAP\n");
  fclose(f);
  snprintf(command, sizeof command,
           "cd %s && localedef -c -i ./comma -f ./ascii ./tsr_TSR >made 2>&1; test -d tsr_TSR",
           directory);
  cr_assert_eq(system(command), 0, "%s", command);
  setenv("LOCPATH", directory, 1);
}

static void read_text(const char *path, char *text, size_t size)
{
  FILE *f = fopen(path, "r");
  cr_assert_not_null(f);
  text[fread(text, 1, size - 1, f)] = '\0';
  fclose(f);
}

Test(placement, kept_costs_have_a_point_in_every_locale)
{
  no_devices_asked_for();
  char cache[] = "/tmp/tessera-costs-XXXXXX", path[600], text[500], again[500], command[80];
  tsr_costs first, next;
  cr_assert_not_null(mkdtemp(cache));
  make_comma_locale(cache);
  cr_assert_not_null(setlocale(LC_ALL, "tsr_TSR"));
  snprintf(text, sizeof text, "%.1f", 1.5);
  cr_assert_str_eq(text, "1,5", "the locale has a comma");
  run_measured(cache, 1, &first);
  costs_path(cache, path, sizeof path);
  read_text(path, text, sizeof text);
  cr_assert_not_null(setlocale(LC_ALL, "C"));
  tsr__costs_text(&first, again, sizeof again - 1);
  cr_expect_str_eq(text, strcat(again, "\n"));
  run_measured(cache, 1, &next);
  cr_expect_str_eq(tsr__costs_text(&next, again, sizeof again - 1), strtok(text, "\n"));

  static const char halves[] = "host_gbs=10.5,host_gips=1.5,device_gbs=100.5,device_gips=2.5,"
                               "launch_us=10.5,link_us=20.5,link_gbs=0.5\n";
  write_text(path, halves);
  cr_assert_not_null(setlocale(LC_ALL, "tsr_TSR"));
  run_measured(cache, 1, &next);
  cr_expect_eq(next.link_bytes_per_ns, 0.5);
  cr_expect_eq(next.link_ns, 20500);
  tsr__costs_text(&next, again, sizeof again - 1);
  cr_expect_str_eq(strcat(again, "\n"), halves);
  read_text(path, text, sizeof text);
  cr_expect_str_eq(text, halves, "they were not measured again");
  snprintf(command, sizeof command, "rm -r %s", cache);
  cr_expect_eq(system(command), 0);
}

Test(placement, costs_are_measured_once_and_kept_where_nobody_else_writes)
{
  no_devices_asked_for();
  char cache[] = "/tmp/tessera-costs-XXXXXX", path[600], other[640], command[80];
  tsr_costs first, next;
  cr_assert_not_null(mkdtemp(cache));
  run_measured(cache, 2, &first);
  cr_expect_not(is_marked(&first));
  costs_path(cache, path, sizeof path);
  struct stat st;
  cr_assert_eq(stat(path, &st), 0);
  cr_expect_eq(st.st_mode & 0777, 0600);

  write_text(path, marked);
  run_measured(cache, 2, &next);
  cr_expect(is_marked(&next), "kept ones are taken");
  run_measured(cache, 1, &next);
  cr_expect_not(is_marked(&next), "they are those of two ranks");

  static const char *const wrong[] = {"",    "launch_us=10",          "launch_us=10\n", COSTS,
                                      "x\n", COSTS ",launch_us=-1\n", COSTS ",\n"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i += IS_SANITIZED ? 3 : 1) {
    write_text(path, wrong[i]);
    run_measured(cache, 2, &next);
    cr_expect_not(is_marked(&next), "\"%s\"", wrong[i]);
  }
  write_text(path, marked);
  chmod(path, 0622);
  run_measured(cache, 2, &next);
  cr_expect_not(is_marked(&next), "others may have written it");
  snprintf(other, sizeof other, "%s.other", path);
  unlink(path);
  write_text(other, marked);
  cr_assert_eq(symlink(other, path), 0);
  run_measured(cache, 2, &next);
  cr_expect_not(is_marked(&next), "it is a link");
  snprintf(command, sizeof command, "rm -r %s", cache);
  cr_expect_eq(system(command), 0);
}
