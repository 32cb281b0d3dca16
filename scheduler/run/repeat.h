/* Repeats: a plan that has run before, once more. */
#ifndef TSR_RUN_REPEAT_H
#define TSR_RUN_REPEAT_H

#include "scheduler/run/run_int.h"

/** A run in line is over: note what it comes to, if another one will differ in addresses and
 * scalars only. */
void tsr__repeat_note(const tsr_run *run);

/** Was a run of the plan noted? */
static inline bool tsr__has_repeat(const tsr_plan *plan)
{
  return plan->workspace != NULL && plan->workspace->repeat != NULL;
}

/** Bind, run and commit a plan that has a repeat, as tsr__bind, tsr__execute and tsr__bind_commit do;
 * *status is what tsr__execute returns. False, with nothing done: this run would not repeat what was
 * noted, or memory is short. */
bool tsr__repeat(tsr_plan *plan, const tsr_window *w, const tsr_names *names, tsr_status *status);

#endif
