/* Running bound plans. */
#ifndef TSR_RUN_EXECUTE_H
#define TSR_RUN_EXECUTE_H

#include "scheduler/run/bind.h"

/** Run all tasks of the plans of this rank's places. bindings: one per place. Waits for them.
 *
 * status: TSR_OK, or why this rank cannot run the plans, whose bindings are empty then. From a
 * failure on, whether it is that one or comes up in the run, chunks, copies and reductions do
 * nothing; what the plans send are headers with the status alone, and what they receive is dropped.
 * So no rank waits, and the others hear of it.
 *
 * Returns `status`, or the first failure met, such as a poisoned message. */
tsr_status tsr__execute(tsr_plan *plan, const tsr_binding *bindings, tsr_status status);

#endif
