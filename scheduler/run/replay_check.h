/* The checks of TESSERA_REPLAN. They end the job with TSR_FATAL on a difference. */
#ifndef TSR_RUN_REPLAY_CHECK_H
#define TSR_RUN_REPLAY_CHECK_H

#include "scheduler/run/bind.h"

/** Plan the window again, and compare the two plans' texts. */
void tsr__replan_check(tsr_scheduler *s, const tsr_program *p, const tsr_plan *plan);

/** Run the plan on copies of its memory (collective; uses plan->n_tags tags). Returns the values
 * that its final slots get, for tsr__replay_check_compare. NULL: this run failed, by *status. */
tsr_binding *tsr__replay_check_run(tsr_plan *plan, const tsr_names *names, tsr_status *status);
/** Compare the values of that run with those of the true run, which is bound to `b`. */
void tsr__replay_check_compare(tsr_plan *plan, tsr_binding *replay_check, const tsr_binding *b);

#endif
