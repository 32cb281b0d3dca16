/* The order of tasks: which task of a run is next. This is the only source of an order.
 *
 *   in line   plan order, for one worker: a plan that is small, alone, without counted dependencies
 *   seeded    one worker draws among all ready tasks (TESSERA_SEED)
 *   deques    lists of ready tasks: those of messages, each worker's own and its later ones, those
 *             of library's tasks
 *   by number the same, with one list of all workers, whose first task of the plan is next
 *   lists     each worker's tasks in one order, with counted waits between them (lists.h): a plan
 *             that is replayed, without messages and library's tasks
 *
 * The order never changes a result: whatever two tasks share is ordered by their dependencies.
 * Which of them it is follows from the plan and from what tsr__order_start is given. */
#ifndef TSR_RUN_ORDER_H
#define TSR_RUN_ORDER_H

#include "scheduler/plan/plan.h"
#include "scheduler/run/lists.h"

#include <stdatomic.h>

/** One list of ready tasks: v[first] up to v[end], under its lock. */
typedef struct tsr_ready {
  atomic_flag lock;
  atomic_int n; /* tasks in it; read without the lock it is a hint */
  int32_t *v;   /* [n_tasks] */
  int32_t first, end;
  uint32_t n_locked, n_contended; /* times that the lock was taken, and found taken, in this run */
} tsr_ready;

/** The order of the tasks of one plan. Kept between its runs; all but the counts of tasks is
 * written by order.c. */
typedef struct tsr_order {
  const tsr_plan *plan;
  int n_workers;     /* that take tasks in this run */
  uint64_t random;   /* state of the seeded order; 0: natural */
  bool by_number;    /* all workers share the first one's list, a heap; the others' are empty */
  int32_t next;      /* in line: the next task */
  atomic_int n_left; /* tasks that are not complete; not counted in line */
  atomic_int *deps;  /* [n_tasks] dependencies that are not complete; NULL: in line */
  tsr_ready *ready;  /* [lists]: the first two are of all workers, two of each worker follow */
  int most_workers;
  int32_t *stretch_of;  /* [n_groups] stretches.h; NULL: in line */
  int32_t *stretch;     /* [most_workers] that of the task that each took last; its own to write */
  int32_t *ready_tasks; /* memory of all lists */
  tsr_lists *lists;     /* of this run, if it goes by lists */
  tsr_lists *of_all;    /* owned: of most_workers; NULL: none were made yet */
  tsr_lists *of_one;    /* owned: of one of several workers, made with them */
  bool may_have_lists;  /* none of the plan's tasks waits for a message, nor is a library's */
  uint32_t n_first;     /* runs that are left of a new plan's, which go by deques */
  uint32_t n_deques;    /* runs by deques that come before the next of several workers by lists */
  uint32_t pause;       /* how many come after a run by lists that waited */
  uint32_t n_good;      /* runs by lists that did not wait, one after the other */
} tsr_order;

/** Get memory for runs of the plan by at most n_workers workers. */
void tsr__order_create(tsr_order *order, const tsr_plan *plan, int n_workers);
void tsr__order_destroy(tsr_order *order);

/** A run begins: make the tasks ready that wait for nothing. seed: 0 for the natural order, which
 * may be by the tasks' numbers. One thread. */
void tsr__order_start(tsr_order *order, int n_workers, uint64_t seed, bool by_number);
/** As tsr__order_take, for an order that counts dependencies: seeded, or of deques. */
int32_t tsr__order_take_ready(tsr_order *order, int worker);
/** Take a ready task for the worker, who runs it; -1: none is ready, or all have been taken. */
static inline int32_t tsr__order_take(tsr_order *order, int worker)
{
  if (order->deps != NULL) return tsr__order_take_ready(order, worker);
  return order->next < order->plan->n_tasks ? order->next++ : -1;
}
/** May a run by n_workers workers go by lists? By all or by one it may; the lists of both are made
 * when the first are needed, so that later runs allocate nothing. */
bool tsr__order_may_list(tsr_order *order, int n_workers);
/** Does the next run, which may, go by lists? Not a plan's first runs, nor, of several workers,
 * those after runs in which workers waited. */
bool tsr__order_wants_lists(tsr_order *order, int n_workers);
/** A run by lists begins, which lists.h goes on with. One thread. */
void tsr__order_start_lists(tsr_order *order);
/** A run by lists is over, which took so long: where its workers waited for more than a tenth of
 * the time, the next runs go by deques. */
void tsr__order_note_lists(tsr_order *order, uint64_t ns);
/** Take a ready task of a message only; -1: none is ready. Not for an order in
 * line, which has no messages. */
int32_t tsr__order_take_message(tsr_order *order);
/** The task is complete: make ready the tasks that waited for it only. */
void tsr__order_complete(tsr_order *order, int32_t task, int worker);
/** The number of tasks that are not complete. Not for an order in line, which does not count. */
static inline int tsr__order_n_left(const tsr_order *order)
{
  return atomic_load_explicit(&order->n_left, memory_order_acquire);
}
/** Add the locks that the run took to the counters. */
void tsr__order_count(tsr_order *order, tsr_counters *counters);

#endif
