/* The order of tasks. A worker takes the tasks of messages first, then the newest of its own list,
 * then the first of the plan of its later tasks, then the oldest or the first later one of others,
 * then chunks of library's tasks. A task that is complete makes ready those that waited for it only:
 * such as belong to a later stretch (stretches.h) than the worker is at become its later tasks. Runs
 * by lists are lists.c's.
 *
 * Where chunks are streamed, a task is complete as soon as it is in a device's queue. The newest ready
 * task would then wait in its queue for the task that has just made it ready. So all workers share
 * one list, of which they take the task that comes first in the plan: between the two the queues get
 * the tasks of other blocks.
 *
 * Each list has a lock of its own, held for a few loads and stores. */
#include "scheduler/run/order.h"
#include "runtime/base/heap.h"
#include "scheduler/plan/tasks.h"
#include "scheduler/run/stretches.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Runs by deques: of a new plan before its first run by lists; the fewest after a run whose lists
 * waited, twice as many after each next one, and the most. After GOOD_RUNS runs of several workers
 * that did not wait their number is halved: waits that are rare, as where a thread loses its core
 * now and then, do not add up. */
enum { FIRST_RUNS = 2, LEAST_RUNS = 4, MOST_RUNS = 4096, GOOD_RUNS = 16 };

/* All workers share the first two lists, whose oldest task is taken first. Behind them is one list
 * per worker: its owner takes the newest task, other workers steal the oldest. Behind those is
 * another list per worker, a heap, of later tasks. */
enum {
  MESSAGES, /* before all others: whoever waits for one has nothing else to do */
  LONG,     /* chunks of library's tasks, after all others and in plan order, so that their messages
             * leave in the order in which they are read */
  OWN       /* the list of worker 0; the other workers' follow, and the later ones of all workers */
};

static int later_of(const tsr_order *o, int worker)
{
  return OWN + o->n_workers + worker;
}

/* Spins, since the lock is held for a few loads and stores only; yields in case its holder lost the
 * core. */
static void lock(tsr_ready *r)
{
  int turn = 0;
  for (; atomic_flag_test_and_set_explicit(&r->lock, memory_order_acquire); turn++)
    if (turn >= 100) sched_yield();
  r->n_locked++;
  r->n_contended += turn > 0;
}

static void unlock(tsr_ready *r)
{
  atomic_flag_clear_explicit(&r->lock, memory_order_release);
}

/* The list that a task goes to: of the worker's own tasks, or its later ones. A seeded order is one
 * of all tasks, so there is one list. */
static int list_of(const tsr_order *o, int worker, int32_t task)
{
  const tsr_task *t = &o->plan->tasks[task];
  if (o->random != 0) return OWN + worker;
  if (o->by_number) worker = 0;
  if (t->kind == TSR_TASK_SEND || t->kind == TSR_TASK_RECV) return MESSAGES;
  if (t->kind == TSR_TASK_CHUNK && tsr__is_throttled(&o->plan->groups[t->group])) return LONG;
  const bool is_later = !o->by_number && o->stretch_of[t->group] > o->stretch[worker];
  return is_later ? later_of(o, worker) : OWN + worker;
}

/* Is the task taken first that comes first in the plan? */
static bool is_heap(const tsr_order *o, int list)
{
  return list >= later_of(o, 0) || (o->by_number && list == OWN);
}

static void push(tsr_order *o, int list, int32_t task)
{
  tsr_ready *r = &o->ready[list];
  TSR_ASSERT(list < OWN + 2 * o->n_workers && task >= 0 && task < o->plan->n_tasks);
  lock(r);
  TSR_ASSERT(r->end < o->plan->n_tasks);
  if (is_heap(o, list))
    tsr__heap_add(r->v, &r->end, task);
  else
    r->v[r->end++] = task;
  atomic_store_explicit(&r->n, r->end - r->first, memory_order_relaxed);
  unlock(r);
}

static uint64_t next_random(tsr_order *o)
{
  o->random ^= o->random << 13;
  o->random ^= o->random >> 7;
  o->random ^= o->random << 17;
  return o->random;
}

static int32_t take_task(tsr_order *o, int list, bool newest)
{
  tsr_ready *r = &o->ready[list];
  int32_t task = -1;
  if (atomic_load_explicit(&r->n, memory_order_relaxed) == 0) return task;
  lock(r);
  if (r->first < r->end) {
    if (o->random != 0) {
      int32_t at = r->first + (int32_t)(next_random(o) % (uint64_t)(r->end - r->first));
      task = r->v[at];
      r->v[at] = r->v[--r->end];
    } else if (is_heap(o, list)) {
      task = tsr__heap_take(r->v, &r->end);
    } else {
      task = newest ? r->v[--r->end] : r->v[r->first++];
    }
    if (r->first == r->end) r->first = r->end = 0;
    atomic_store_explicit(&r->n, r->end - r->first, memory_order_relaxed);
  }
  unlock(r);
  return task;
}

void tsr__order_complete(tsr_order *o, int32_t task, int worker)
{
  const tsr_plan *plan = o->plan;
  const tsr_task *t = &plan->tasks[task];
  if (o->deps == NULL) return; /* in line */
  for (int32_t i = t->n_next - 1; i >= 0; i--) {
    const int32_t next = plan->next[t->first_next + i];
    TSR_ASSERT(next > task);
    if (atomic_fetch_sub_explicit(&o->deps[next], 1, memory_order_acq_rel) == 1)
      push(o, list_of(o, worker, next), next);
  }
  atomic_fetch_sub_explicit(&o->n_left, 1, memory_order_acq_rel);
}

int32_t tsr__order_take_message(tsr_order *o)
{
  TSR_ASSERT(o->deps != NULL);
  return take_task(o, MESSAGES, false);
}

int32_t tsr__order_take_ready(tsr_order *o, int worker)
{
  TSR_ASSERT(worker >= 0 && worker < o->n_workers);
  int32_t task = take_task(o, MESSAGES, false);
  if (task >= 0) return task;
  task = take_task(o, OWN + worker, true);
  if (task < 0) task = take_task(o, later_of(o, worker), false);
  for (int w = 1; w < o->n_workers && task < 0; w++) {
    const int other = (worker + w) % o->n_workers;
    task = take_task(o, OWN + other, false);
    if (task < 0) task = take_task(o, later_of(o, other), false);
  }
  if (task < 0) return take_task(o, LONG, false);
  o->stretch[worker] = o->stretch_of[o->plan->tasks[task].group];
  return task;
}

/* The worker that a ready chunk starts on: the one that has its share of the group. */
static int worker_of(const tsr_order *o, const tsr_task *task)
{
  if (task->kind != TSR_TASK_CHUNK) return 0;
  const tsr_chain *chain = tsr__chain_of(o->plan, &o->plan->groups[task->group]);
  return (int)((int64_t)task->what * o->n_workers / chain->n_chunks);
}

/* Each worker's own tasks are pushed in reverse, so that it takes them in plan order. */
static void make_ready(tsr_order *o)
{
  const tsr_plan *plan = o->plan;
  for (int32_t t = plan->n_tasks - 1; t >= 0; t--) {
    const tsr_task *task = &plan->tasks[t];
    atomic_init(&o->deps[t], task->n_deps);
    if (task->n_deps > 0) continue;
    const int list = list_of(o, worker_of(o, task), t);
    if (list >= OWN) push(o, list, t);
  }
  for (int32_t t = 0; t < plan->n_tasks; t++) {
    const int list = list_of(o, 0, t);
    if (plan->tasks[t].n_deps == 0 && list < OWN) push(o, list, t);
  }
}

/* Lists wait for no message: none of the plan's tasks may. */
static bool may_have_lists(const tsr_plan *plan)
{
  bool may = plan->n_messages == 0;
  for (int32_t r = 0; may && r < plan->n_reductions; r++)
    may = plan->reductions[r].spread == TSR_SPREAD_LOCAL;
  for (int32_t g = 0; may && g < plan->n_groups; g++) may = !tsr__is_throttled(&plan->groups[g]);
  return may;
}

bool tsr__order_wants_lists(tsr_order *o, int n_workers)
{
  uint32_t *left = o->n_first > 0 ? &o->n_first : &o->n_deques;
  if (*left == 0 || (n_workers == 1 && left == &o->n_deques)) return true;
  --*left;
  return false;
}

bool tsr__order_may_list(tsr_order *o, int n_workers)
{
  const int most = o->most_workers;
  if (!o->may_have_lists || (n_workers != most && n_workers != 1)) return false;
  if (o->of_all == NULL) {
    o->of_all = tsr__lists_of_plan(o->plan, most, o->stretch_of);
    if (most > 1) o->of_one = tsr__lists_of_plan(o->plan, 1, o->stretch_of);
  }
  o->lists = n_workers == most ? o->of_all : o->of_one;
  return true;
}

void tsr__order_start_lists(tsr_order *o)
{
  TSR_ASSERT(o->lists != NULL);
  o->n_workers = o->lists->n;
  atomic_init(&o->n_left, 0);
  tsr__lists_start(o->lists);
}

void tsr__order_note_lists(tsr_order *o, uint64_t ns)
{
  enum { PATIENCE = 16 }; /* a run is so many times as long as a thread is waited for */
  tsr_lists *lists = o->lists;
  const uint64_t waited_ns = atomic_load_explicit(&lists->waited_ns, memory_order_relaxed);
  lists->patience_ns = ns / PATIENCE;
  if (lists->n == 1) return;
  if (waited_ns <= ns * (uint64_t)lists->n / 10 &&
      !atomic_load_explicit(&lists->is_taken_on, memory_order_relaxed)) {
    if (++o->n_good % GOOD_RUNS == 0 && o->pause > LEAST_RUNS) o->pause /= 2;
  } else {
    o->n_good = 0;
    o->n_deques = o->pause;
    if (o->pause < MOST_RUNS) o->pause *= 2;
  }
}

void tsr__order_start(tsr_order *o, int n_workers, uint64_t seed, bool by_number)
{
  TSR_ASSERT(n_workers > 0 && (seed == 0 || n_workers == 1));
  o->next = 0;
  o->by_number = by_number && seed == 0;
  if (o->deps == NULL) return;
  TSR_ASSERT(n_workers <= o->most_workers);
  o->n_workers = n_workers;
  o->random = seed;
  memset(o->stretch, 0, (size_t)n_workers * sizeof *o->stretch);
  atomic_init(&o->n_left, o->plan->n_tasks);
  make_ready(o);
}

void tsr__order_create(tsr_order *o, const tsr_plan *plan, int n_workers)
{
  *o = (tsr_order){
      .plan = plan, .most_workers = n_workers, .n_first = FIRST_RUNS, .pause = LEAST_RUNS};
  if (plan->in_line) return;
  o->may_have_lists = n_workers <= TSR_LISTS_MOST && may_have_lists(plan);
  const size_t n = (size_t)plan->n_tasks, n_lists = OWN + 2 * (size_t)n_workers;
  o->stretch_of = tsr__stretches_of_plan(plan);
  o->stretch = tsr__calloc((size_t)n_workers, sizeof *o->stretch);
  o->deps = tsr__malloc((n + 1) * sizeof *o->deps);
  o->ready = tsr__calloc(n_lists, sizeof *o->ready);
  o->ready_tasks = tsr__malloc((n * n_lists + 1) * sizeof *o->ready_tasks);
  for (size_t i = 0; i < n_lists; i++) o->ready[i].v = o->ready_tasks + i * n;
}

void tsr__order_destroy(tsr_order *o)
{
  free(o->stretch_of);
  free(o->stretch);
  free(o->deps);
  free(o->ready);
  free(o->ready_tasks);
  tsr__lists_destroy(o->of_all);
  tsr__lists_destroy(o->of_one);
}

void tsr__order_count(tsr_order *o, tsr_counters *counters)
{
  for (int i = 0; i < OWN + 2 * o->n_workers; i++) {
    tsr_ready *r = &o->ready[i];
    counters->n_locked += r->n_locked;
    counters->n_contended += r->n_contended;
    r->n_locked = r->n_contended = 0;
  }
}
