/* Boxes that the host runs on copies of what is in a device's memory. */
#ifndef TSR_RUN_STAGED_H
#define TSR_RUN_STAGED_H

#include "scheduler/run/run_int.h"

/** Run a box on this thread on copies of what is in the device's memory. at: as for
 * tsr__run_launch. Waits for the queues. */
void tsr__run_staged(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                     int worker);

#endif
