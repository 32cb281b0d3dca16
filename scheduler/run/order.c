/* Lists of ready tasks: those of messages first, then the newest of a worker's own list, then the
 * oldest of others' lists. A task that is complete makes ready those that waited for it. The order
 * never changes a result: whatever two tasks share is ordered by their dependencies.
 *
 * Each list has a lock of its own, held for a few loads and stores. */
#include "scheduler/run/run_int.h"

#include <sched.h>

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

/* The list that a task goes to. A seeded order is one of all tasks, so there is one list. */
static int list_of(const tsr_run *run, int worker, int32_t task)
{
  const tsr_task *t = &run->plan->tasks[task];
  if (run->random != 0) return TSR_READY_OWN + worker;
  if (t->kind == TSR_TASK_SEND || t->kind == TSR_TASK_RECV) return TSR_READY_MESSAGES;
  if (t->kind == TSR_TASK_CHUNK && tsr__is_throttled(&run->plan->groups[t->group]))
    return TSR_READY_LONG;
  return TSR_READY_OWN + worker;
}

static void push(tsr_run *run, int list, int32_t task)
{
  tsr_ready *r = &run->ready[list];
  lock(r);
  r->v[r->end++] = task;
  atomic_store_explicit(&r->n, r->end - r->first, memory_order_relaxed);
  unlock(r);
}

static uint64_t next_random(tsr_run *run)
{
  run->random ^= run->random << 13;
  run->random ^= run->random >> 7;
  run->random ^= run->random << 17;
  return run->random;
}

static int32_t take(tsr_run *run, int list, bool newest)
{
  tsr_ready *r = &run->ready[list];
  int32_t task = -1;
  if (atomic_load_explicit(&r->n, memory_order_relaxed) == 0) return task;
  lock(r);
  if (r->first < r->end) {
    if (run->random != 0) {
      int32_t at = r->first + (int32_t)(next_random(run) % (uint64_t)(r->end - r->first));
      task = r->v[at];
      r->v[at] = r->v[--r->end];
    } else {
      task = newest ? r->v[--r->end] : r->v[r->first++];
    }
    if (r->first == r->end) r->first = r->end = 0;
    atomic_store_explicit(&r->n, r->end - r->first, memory_order_relaxed);
  }
  unlock(r);
  return task;
}

void tsr__run_fail(tsr_run *run, tsr_status status)
{
  int none = TSR_OK;
  atomic_compare_exchange_strong(run->failure, &none, status);
}

void tsr__run_complete(tsr_run *run, int32_t task, int worker)
{
  const tsr_plan *plan = run->plan;
  const tsr_task *t = &plan->tasks[task];
  for (int32_t i = t->n_next - 1; i >= 0; i--) {
    int32_t next = plan->next[t->first_next + i];
    if (atomic_fetch_sub_explicit(&run->deps[next], 1, memory_order_acq_rel) == 1)
      push(run, list_of(run, worker, next), next);
  }
  atomic_fetch_sub_explicit(&run->n_left, 1, memory_order_acq_rel);
}

int32_t tsr__queue_take_message(tsr_run *run)
{
  return take(run, TSR_READY_MESSAGES, false);
}

int32_t tsr__queue_take(tsr_run *run, int worker)
{
  int32_t task = take(run, TSR_READY_MESSAGES, false);
  if (task < 0) task = take(run, TSR_READY_OWN + worker, true);
  for (int w = 1; w < run->n_threads && task < 0; w++)
    task = take(run, TSR_READY_OWN + (worker + w) % run->n_threads, false);
  return task < 0 ? take(run, TSR_READY_LONG, false) : task;
}

/* Each worker's own tasks are pushed in reverse, so that it takes them in plan order. */
void tsr__queue_start(tsr_run *run)
{
  const tsr_plan *plan = run->plan;
  for (int32_t t = plan->n_tasks - 1; t >= 0; t--) {
    const tsr_task *task = &plan->tasks[t];
    atomic_init(&run->deps[t], task->n_deps);
    if (task->n_deps > 0) continue;
    int worker = 0;
    if (task->kind == TSR_TASK_CHUNK)
      worker = (int)((int64_t)task->what * run->n_threads /
                     tsr__chain_of(plan, &plan->groups[task->group])->n_chunks);
    const int list = list_of(run, worker, t);
    if (list >= TSR_READY_OWN) push(run, list, t);
  }
  for (int32_t t = 0; t < plan->n_tasks; t++) {
    const int list = list_of(run, 0, t);
    if (plan->tasks[t].n_deps == 0 && list < TSR_READY_OWN) push(run, list, t);
  }
}

void tsr__queue_count(tsr_run *run)
{
  tsr_counters *counters = &run->plan->scheduler->counters;
  counters->n_locked += run->n_locked;
  counters->n_contended += run->n_contended;
  for (int i = 0; i < TSR_READY_OWN + run->n_threads; i++) {
    tsr_ready *r = &run->ready[i];
    counters->n_locked += r->n_locked;
    counters->n_contended += r->n_contended;
    r->n_locked = r->n_contended = 0;
  }
}
