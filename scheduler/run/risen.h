/* Reductions on devices that run no C: what is reduced goes up the trees there. */
#ifndef TSR_RUN_RISEN_H
#define TSR_RUN_RISEN_H

#include "scheduler/run/run_int.h"

/** Put a kernel with reductions into the queue of a device that runs no C: it goes up the trees there, and
 * the nodes that are left come to the host. Returns false, with nothing done, if the host has
 * to. */
bool tsr__run_rise(tsr_run *run, const tsr_group *g, const tsr_kernel_bind *bind);
/** Ask for the code that this needs. */
void tsr__run_want_rise(tsr_run *run, const tsr_group *g, const tsr_kernel_bind *bind);
/** Will there be the reduction's result in the device's memory, so that the host has nothing to
 * add? */
bool tsr__risen_is_result(tsr_run *run, int32_t reduction);
/** Let the device's queue store that result in its slot. Returns false if there is none. */
bool tsr__risen_store(tsr_run *run, int32_t reduction);
/** Add a reduction's nodes that came to the host. The queues are empty. */
void tsr__risen_add(tsr_run *run, int32_t reduction, tsr_partials *total);
/** Forget those that are left. The queues are empty. */
void tsr__risen_end(tsr_run *run);

#endif
