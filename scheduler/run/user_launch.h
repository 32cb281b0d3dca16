/* Users' tasks with CUDA C, on devices that run no C. */
#ifndef TSR_RUN_USER_LAUNCH_H
#define TSR_RUN_USER_LAUNCH_H

#include "scheduler/run/run_int.h"

/** Put a chunk of a user's task with CUDA C into the queue of a device that runs no C. */
void tsr__run_launch_user(tsr_run *run, const tsr_group *g, const tsr_box *chunk);

#endif
