/* TESSERA_REPLAN: two checks that end the job with TSR_FATAL on a difference. */
#ifndef TSR_RUN_REPLAY_CHECK_H
#define TSR_RUN_REPLAY_CHECK_H

#include "scheduler/run/bind.h"

/** Two checks of TESSERA_REPLAN, which end the job with TSR_FATAL on a difference. Plan again and
 * compare the texts: */
void tsr__replan_check(tsr_scheduler *s, const tsr_selection *sel, const tsr_plan *plan);

/** Run the plan on copies of its memory (collective; uses plan->n_tags tags): the values that its
 * final slots get, to compare. NULL if this run failed. */
tsr_binding *tsr__replay_check_run(tsr_plan *plan, const tsr_selection *sel);
void tsr__replay_check_compare(tsr_plan *plan, tsr_binding *replay_check, const tsr_binding *b);

#endif
