/* The tasks of a plan, one by one. */
#ifndef TSR_RUN_TASK_H
#define TSR_RUN_TASK_H

#include "scheduler/run/run_int.h"

/** Run one task. False: it waits for a message and is in `waiting` now. */
bool tsr__run_task(tsr_run *run, int32_t task, int worker);

#endif
