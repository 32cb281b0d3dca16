/* Copies of a plan, and between memory spaces. */
#ifndef TSR_RUN_COPY_H
#define TSR_RUN_COPY_H

#include "scheduler/run/run_int.h"

/** Run a copy of the plan, or what of it is in a box. NULL: all of it. */
void tsr__run_copy(tsr_run *run, const tsr_plan_copy *c, const tsr_box *box);
/** Copy points from one memory space to another: in a queue of the device, or, if the host reaches
 * both, at once, behind all that is in the queues. *is_synced: nothing in the queues touches the
 * host's memory; set when that was waited for. */
void tsr__run_move(tsr_run *run, tsr_space to, tsr_space from, tsr_queue queue,
                   const tsr_points *points, bool *is_synced);

#endif
