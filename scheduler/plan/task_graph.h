/* Tasks while they are made, and who waits for whom.
 *
 * Reads: slots' buffers. Writes: plan->tasks, plan->next. */
#ifndef TSR_PLAN_TASK_GRAPH_H
#define TSR_PLAN_TASK_GRAPH_H

#include "scheduler/plan/tasks.h"

/** One task waits for another. */
typedef struct tsr_edge {
  int32_t from, to;
} tsr_edge;

/** The tasks that have been made, and what they have touched. */
typedef struct tsr_tasking {
  tsr_plan *plan;
  struct tsr_buffer_state *buffers; /* [n_buffers] what has touched them */
  tsr_edge *edges;
  int32_t n_edges, cap_edges;
  int32_t *last_edge; /* [task] the newest task that already waits for it */
  int32_t phase;      /* number of the group, or block of a group, whose tasks are made */
  int32_t chunk;      /* the next chunk of the group */
  int32_t cap_last;
} tsr_tasking;

void tsr__tasking_begin(tsr_tasking *x, tsr_plan *plan);
/** List in the plan who waits for each task, and free what was noted of the buffers. */
void tsr__tasking_end(tsr_tasking *x);

/** Add a task (tasks.h), whose number it returns. */
int32_t tsr__add_task(tsr_tasking *x, tsr_task_kind kind, int32_t group, int32_t what, int32_t arg);
/** Make the later task `to` wait for `from`. */
void tsr__add_edge(tsr_tasking *x, int32_t from, int32_t to);

/** Make the buffer of the slot its own before the tasks of a group, beside other slots that claimed
 * it in the same phase and lie alike. */
void tsr__claim(tsr_tasking *x, int32_t group, int32_t slot);
/** The box, counted from the first point of the slot's instance on. */
tsr_box tsr__from_begin(const tsr_plan *plan, int32_t slot, const tsr_box *box);
/** Note that the task touches a dense box of the slot, and make it wait for earlier tasks that do,
 * where one of the two writes. access: a number for each access of a chunk's task. */
void tsr__touch(tsr_tasking *x, int32_t task, int32_t slot, int32_t access, bool write,
                const tsr_box *touched);
/** Note it as tsr__touch does, of a box that tsr__from_begin gave. */
void tsr__touch_from_begin(tsr_tasking *x, int32_t task, int32_t slot, int32_t access, bool write,
                           const tsr_box *box);
/** Forget what touched the slot's buffer earlier, where the tasks of this phase wrote all of a
 * box. */
void tsr__forget_covered(tsr_tasking *x, int32_t slot);
/** Forget what touched it before a phase, in a box that was written since by tasks that waited. */
void tsr__forget_before(tsr_tasking *x, int32_t slot, int32_t phase, const tsr_box *written);

#endif
