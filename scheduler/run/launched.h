/* Boxes of groups on devices that run no C: their code is launched. */
#ifndef TSR_RUN_LAUNCHED_H
#define TSR_RUN_LAUNCHED_H

#include "scheduler/run/run_int.h"

/** Put a box of a group into the queue of a device that runs no C. at: where its accesses are; NULL: in the
 * run's own memory. Where there is no code for it, this thread runs it, as lane `worker`. */
void tsr__run_launch(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                     int worker);
/** Ask for the code that this needs over a box, of a group that is launched. */
void tsr__run_want_launch(tsr_run *run, const tsr_group *g, const tsr_box *box);

#endif
