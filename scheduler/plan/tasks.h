/* Tasks: the units that run, and their counted dependencies.
 *
 * Reads: chunks, copies, messages, reductions, slots' buffers. Writes: plan->tasks, plan->next. */
#ifndef TSR_PLAN_TASKS_H
#define TSR_PLAN_TASKS_H

#include "scheduler/plan/group.h"

typedef enum tsr_task_kind {
  TSR_TASK_NONE, /* does nothing; it only joins dependencies */
  TSR_TASK_COPY,
  TSR_TASK_SEND,
  TSR_TASK_RECV,
  TSR_TASK_CHUNK,
  TSR_TASK_REDUCE,      /* merge the partials of this place's workers */
  TSR_TASK_REDUCE_RECV, /* merge the partials of one source */
  TSR_TASK_REDUCE_DONE, /* finish, or send up and wait for the result; then send it down */
} tsr_task_kind;

/** One task. Written by tasks.c; whom it waits for, by task_graph.c. */
typedef struct tsr_task {
  uint8_t kind; /* tsr_task_kind */
  int32_t group;
  int32_t what;   /* number of the copy, message or reduction; of the chunk within the chain */
  int32_t arg;    /* REDUCE_RECV: number of the source */
  int32_t n_deps; /* tasks that it waits for */
  int32_t first_next, n_next; /* range in plan->next: the tasks that wait for it */
} tsr_task;

/** The box of a CHUNK task: that of its chunk in its group's chain. */
static inline void tsr__task_box(const tsr_plan *plan, const tsr_task *task, tsr_box *box)
{
  TSR_ASSERT(task->kind == TSR_TASK_CHUNK);
  tsr__chain_box(tsr__chain_of(plan, &plan->groups[task->group]), task->group, task->what, box);
}

/** Make all tasks, in plan order; each waits for earlier ones only. */
void tsr__plan_tasks(tsr_plan *plan);

#endif
