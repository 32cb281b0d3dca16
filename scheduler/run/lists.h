/* Lists: the order of a plan that is run again and again. All tasks are brought into one order, in
 * which each is behind those that it waits for; each list has some of them, in that order, and is
 * run by one worker. A task waits until so many tasks of another list are done; that
 * is left out where an earlier task of its own list waited for as many. Whoever runs a list
 * publishes one counter, after the tasks that others wait for; runs are numbered, so nothing is set
 * back between them.
 *
 * No run stops: of the tasks that are not done the first in that order waits for nobody, because
 * whatever a task waits for is before it, and so is what is before it in its own list.
 * A worker that finds no task to run also takes on a list that nobody has taken yet, so a thread
 * that does not come is not waited for, but for a small share of what a run takes: until its list
 * is done, that worker does the work of both. */
#ifndef TSR_RUN_LISTS_H
#define TSR_RUN_LISTS_H

#include "runtime/machine/workers.h"
#include "scheduler/plan/tasks.h"

#include <stdatomic.h>

enum { TSR_LISTS_MOST = 64 };

/** Before a task runs, `count` tasks of list `of` are done. */
typedef struct tsr_list_wait {
  int32_t of, count;
} tsr_list_wait;

typedef struct tsr_list_task {
  int32_t task;
  int32_t first_wait; /* of the list's waits; the next task's are behind its own */
  bool is_awaited;    /* another list waits until this task is done */
} tsr_list_task;

typedef struct tsr_list {
  int32_t n_tasks, n_waits;
  tsr_list_task *tasks;  /* [n_tasks + 1] */
  tsr_list_wait *waits;  /* [n_waits] */
  char apart[128];       /* what runs write is apart from what they read, and from other lists */
  _Atomic uint64_t done; /* tasks, of all runs, up to the last one that is awaited */
  _Atomic uint64_t run;  /* the last run that a worker took the list in */
  char behind[128];
} tsr_list;

/** The lists of one plan. Made by lists.c; kept between its runs. */
typedef struct tsr_lists {
  int n;
  uint64_t run;               /* number of this run, from 1 on */
  _Atomic uint64_t waited_ns; /* in this run, by all workers, but for short waits */
  atomic_bool is_taken_on;    /* in this run a worker has more lists than its own */
  uint64_t patience_ns;       /* for how long a thread that was called is waited for */
  tsr_list *v;                /* [n] */
} tsr_lists;

/** What a worker has of a run. All zero when it begins. */
typedef struct tsr_list_turn {
  int n_held, last; /* lists that it runs; the one whose task it ran last */
  struct {
    int32_t list, next; /* next: its next task */
  } held[TSR_LISTS_MOST];
} tsr_list_turn;

/** Make n lists, at most TSR_LISTS_MOST. next: for each task the range of those that wait for it,
 * as in a plan; order: the order of all tasks; list_of[t]: the list of task t. */
tsr_lists *tsr__lists_create(int n, int32_t n_tasks, const tsr_task *tasks, const int32_t *next,
                             const int32_t *order, const int32_t *list_of);
/** Make n lists of the tasks of a plan (lists_plan.c). stretch_of: of each group (stretches.h). */
tsr_lists *tsr__lists_of_plan(const tsr_plan *plan, int n, const int32_t *stretch_of);
void tsr__lists_destroy(tsr_lists *lists);
/** Is every task that another one waits for before it in the order of the lists? Returns what is
 * wrong, to be freed; NULL: nothing. */
char *tsr__lists_verify(const tsr_lists *lists, int32_t n_tasks, const tsr_task *tasks,
                        const int32_t *next);

/** A run begins. One thread. */
static inline void tsr__lists_start(tsr_lists *lists)
{
  lists->run++;
  atomic_store_explicit(&lists->waited_ns, 0, memory_order_relaxed);
  atomic_store_explicit(&lists->is_taken_on, false, memory_order_relaxed);
}
/** Wait for the worker's next task; -1: every list is run by somebody, and this worker's are done.
 */
int32_t tsr__lists_take(tsr_lists *lists, tsr_list_turn *turn, int worker, tsr_workers *workers);
/** The task that was taken is done. */
void tsr__lists_complete(tsr_lists *lists, tsr_list_turn *turn);

#endif
