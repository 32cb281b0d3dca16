/* Tasks and their counted dependencies.
 *
 * Reads: chunks, copies, messages, reductions, slots' buffers. Writes: plan->tasks, plan->next. */
#ifndef TSR_PLAN_TASKS_H
#define TSR_PLAN_TASKS_H

#include "scheduler/plan/plan.h"

typedef enum tsr_task_kind {
  TSR_TASK_NONE, /* only gathers dependencies */
  TSR_TASK_COPY,
  TSR_TASK_SEND,
  TSR_TASK_RECV,
  TSR_TASK_CHUNK,
  TSR_TASK_REDUCE,      /* merge the workers' partials */
  TSR_TASK_REDUCE_RECV, /* merge one source's partials */
  TSR_TASK_REDUCE_DONE, /* finish, or send up and wait for the result; then send down */
} tsr_task_kind;

typedef struct tsr_task {
  uint8_t kind;
  int32_t group;
  int32_t what; /* copy, message, chunk of the group, or reduction */
  int32_t arg;  /* REDUCE_RECV: source number */
  int32_t n_deps;
  int32_t first_next, n_next; /* in plan->next */
} tsr_task;

void tsr__plan_tasks(tsr_plan *plan);

#endif
