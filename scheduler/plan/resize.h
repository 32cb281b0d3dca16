/* Resizing: the plan of a window becomes that of another one whose form is the same
 * (scheduler/flush/form.h), so that planning asks nothing whose answer differs. What the passes
 * decided stays; the numbers that they wrote are written anew.
 *
 * Reads: the program, whose numbers are the other window's. Writes: of the plan's regions, groups,
 * accesses, reductions, slots, buffers and chains all that shapes, views and layouts decide. */
#ifndef TSR_PLAN_RESIZE_H
#define TSR_PLAN_RESIZE_H

#include "scheduler/plan/plan.h"

/** Find out whether the plan can be resized, and what that needs: it runs in line, each group in
 * one chunk, without copies, messages or ghosts, and every region is whole on its place. */
void tsr__plan_may_resize(tsr_plan *plan, const tsr_program *program);

/** Would the plan still be one that can be resized with the numbers of this window? */
bool tsr__plan_can_resize(const tsr_plan *plan, const tsr_window *w);

/** Write the plan's numbers anew for its program, which has those of another window. Cost: a pass
 * over the groups and their accesses. */
void tsr__plan_resize(tsr_plan *plan, const tsr_program *program);

#endif
