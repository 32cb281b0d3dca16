/* The order of tasks of a long plan: stretch by stretch, and within one of them group after group
 * on what lies in a cache. */
#include "scheduler/run/order.h"
#include "scheduler/plan/verify.h"
#include "scheduler/run/stretches.h"
#include "tests/scheduler/harness.h"

enum { N = 512, N_SWEEPS = 40, L3_BYTES = 2 << 20 };

static array grid(rank_world *w, double value)
{
  const int64_t shape[2] = {N, N};
  array a = make(w, TSR_FLOAT64, 2, shape, true);
  fill(w, a, value, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  return a;
}

/* Sweeps from u to v and back, which are not tiled. */
static tsr_plan *plan_of_sweeps(rank_world *w, array u, array v, tsr_arena *arena,
                                tsr_program *program)
{
  const int64_t before[2][3] = {{0, N - 2, 1}, {0, N, 1}},
                behind[2][3] = {{2, N - 2, 1}, {0, N, 1}}, inner[2][3] = {{1, N - 2, 1}, {0, N, 1}};
  for (int i = 0; i < N_SWEEPS; i++) {
    array in = i % 2 ? v : u, out = i % 2 ? u : v;
    SLICE x = slice(in, before), y = slice(in, behind), z = slice(out, inner);
    map2(w, TSR_OP_ADD, in_array(x), in_array(y), z, false);
  }
  program_of(&w->window, arena, program);
  return tsr__plan_create(w->scheduler, program);
}

/* Takes all tasks, and checks that each waits for none that comes later. */
static int32_t *take_all(const tsr_plan *plan)
{
  tsr_order o;
  int32_t *taken = calloc((size_t)plan->n_tasks, sizeof *taken),
          *at = calloc((size_t)plan->n_tasks, sizeof *at);
  tsr__order_create(&o, plan, 1);
  tsr__order_start(&o, 1, 0, false);
  for (int32_t i = 0; i < plan->n_tasks; i++) {
    taken[i] = tsr__order_take(&o, 0);
    cr_assert(taken[i] >= 0, "task %d of %d", i, plan->n_tasks);
    at[taken[i]] = i;
    tsr__order_complete(&o, taken[i], 0);
  }
  cr_assert_eq(tsr__order_take(&o, 0), -1);
  cr_assert_eq(tsr__order_n_left(&o), 0);
  for (int32_t t = 0; t < plan->n_tasks; t++)
    for (int32_t i = 0; i < plan->tasks[t].n_next; i++)
      cr_expect(at[plan->next[plan->tasks[t].first_next + i]] > at[t]);
  tsr__order_destroy(&o);
  free(at);
  return taken;
}

/* Stretches come one after the other; within one, a later group begins before its first is done. */
static void expect_stretches(const tsr_plan *plan, const int32_t *taken, const int32_t *stretch_of)
{
  int n_early = 0, n_in_turn = 0;
  for (int32_t i = 1; i < plan->n_tasks; i++) {
    const tsr_task *last = &plan->tasks[taken[i - 1]], *task = &plan->tasks[taken[i]];
    n_early += stretch_of[task->group] < stretch_of[last->group];
    n_in_turn += task->group < last->group;
  }
  cr_expect_eq(n_early, 0, "no task is taken after one of a later stretch");
  cr_expect_gt(n_in_turn, plan->n_tasks / 20, "groups take turns on what lies in a cache");
}

static void try_order(rank_world *w)
{
  tsr_arena arena = {0};
  tsr_program program;
  array u = grid(w, 1.0), v = grid(w, 0.0);
  w->world.machine->topology.l3_bytes = L3_BYTES;
  w->world.machine->topology.n_cores_node = 1;
  tsr_plan *plan = plan_of_sweeps(w, u, v, &arena, &program);
  cr_assert_eq(plan->n_groups, N_SWEEPS);
  int32_t *stretch_of = tsr__stretches_of_plan(plan), *taken = take_all(plan);
  const int64_t bytes = tsr__box_volume(&plan->groups[0].part) *
                        plan->groups[0].footprint.point_bytes /
                        tsr__chain_of(plan, &plan->groups[0])->n_chunks;
  for (int32_t g = 0; g < N_SWEEPS; g++)
    cr_expect_eq(stretch_of[g], g / (L3_BYTES / 4 * 3 / bytes), "group %d of %ld bytes a chunk", g,
                 (long)bytes);
  cr_expect_gt(stretch_of[N_SWEEPS - 1], 1);
  expect_stretches(plan, taken, stretch_of);

  tsr_lists *lists = tsr__lists_of_plan(plan, 1, stretch_of);
  char *defect = tsr__lists_verify(lists, plan->n_tasks, plan->tasks, plan->next);
  cr_expect_null(defect, "%s", defect);
  free(defect);
  cr_assert_eq(lists->v[0].n_tasks, plan->n_tasks);
  for (int32_t i = 0; i < plan->n_tasks; i++) taken[i] = lists->v[0].tasks[i].task;
  expect_stretches(plan, taken, stretch_of);
  tsr__lists_destroy(lists);

  free(taken);
  free(stretch_of);
  end_plan(w, plan, &arena, &program, u, v);
}

Test(order, stretches_come_one_after_the_other)
{
  const char *const settings[] = {
      "device",       "cpu",  "places",    "1", "threads", "1", "replicate_max", "0",
      "inline_elems", "0",    "recompute", "0", "memo",    "0", "time_steps",    "1",
      "chunk_bytes",  "128K", NULL};
  run_ranks(1, settings, try_order, NULL);
}

/* How many of n_runs runs of two workers go by lists, where one of so many waits. */
static int n_by_lists(tsr_order *o, int n_runs, int one_of)
{
  int n = 0;
  for (int i = 0; i < n_runs; i++) {
    if (!tsr__order_wants_lists(o, 2)) continue;
    cr_assert(tsr__order_may_list(o, 2));
    tsr__order_start_lists(o);
    o->lists->waited_ns = ++n % one_of == 0 ? 1000000 : 0;
    tsr__order_note_lists(o, 1000);
  }
  return n;
}

static void try_waits(rank_world *w)
{
  tsr_arena arena = {0};
  tsr_program program;
  array u = grid(w, 1.0), v = grid(w, 0.0);
  tsr_plan *plan = plan_of_sweeps(w, u, v, &arena, &program);
  tsr_order o;
  tsr__order_create(&o, plan, 2);
  cr_expect_eq(n_by_lists(&o, 10000, 10001), 9998, "but for the first two runs");
  cr_expect_gt(n_by_lists(&o, 10000, 50), 9000, "waits that are rare do not add up");
  cr_expect_lt(n_by_lists(&o, 10000, 1), 30, "where all wait, few runs are tried");
  cr_expect(!tsr__order_wants_lists(&o, 2));
  cr_expect(tsr__order_wants_lists(&o, 1), "one worker waits for nobody");
  const tsr_lists *of_two = o.lists;
  cr_assert(tsr__order_may_list(&o, 1));
  cr_expect_eq(o.lists->n, 1);
  cr_assert(tsr__order_may_list(&o, 2));
  cr_expect_eq(o.lists, of_two, "the lists of each number of workers are kept");
  tsr__order_destroy(&o);
  end_plan(w, plan, &arena, &program, u, v);
}

Test(order, lists_that_wait_make_way_to_deques)
{
  const char *const settings[] = {
      "device",       "cpu", "places",    "1", "threads", "1", "replicate_max", "0",
      "inline_elems", "0",   "recompute", "0", "memo",    "0", "time_steps",    "1",
      "chunk_bytes",  "64K", NULL};
  run_ranks(1, settings, try_waits, NULL);
}
