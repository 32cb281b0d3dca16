/* Users' tasks: the function of a program runs over a chunk. */
#ifndef TSR_RUN_USER_TASKS_H
#define TSR_RUN_USER_TASKS_H

#include "scheduler/run/run_int.h"

/** Call the function of a user's task for a chunk. */
void tsr__run_user_task(tsr_run *run, int32_t group, const tsr_box *chunk);
/** Call the function of a user's task for a chunk of a remembered plan on the host, with the
 * arguments as an earlier run laid them out. The chunk's chain is this task's group alone. Returns
 * false, with nothing done, if no arguments are kept. */
bool tsr__run_laid_box(tsr_run *run, int32_t task, int worker);
/** Set the bytes from one element to the next in an access of a user's task. own: the view of the
 * domain that says which elements a point has to itself (program.h). */
void tsr__element_strides(const tsr_run *run, const tsr_group *g, const tsr_view *own, int access,
                          int64_t *stride);
/** Fail the rank's runs by a user's task, with what it did. */
void tsr__run_fail_task(tsr_run *run, const tsr_task_call *call, const char *what);

#endif
