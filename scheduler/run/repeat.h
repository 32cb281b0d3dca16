/* Repeats: a plan that has run before, once more. */
#ifndef TSR_RUN_REPEAT_H
#define TSR_RUN_REPEAT_H

#include "scheduler/run/run_int.h"

/** A run in line is over: note what it comes to, if another one will differ in addresses and
 * scalars only. */
void tsr__repeat_note(const tsr_run *run);

/** Bind, run and commit the plan, as tsr__bind, tsr__execute and tsr__bind_commit do; *status is
 * what tsr__execute returns. False, with nothing done: no run was noted that this one would repeat,
 * or memory is short. */
bool tsr__repeat(tsr_plan *plan, const tsr_window *w, const tsr_names *names, tsr_status *status);

#endif
