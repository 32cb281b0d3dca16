/* Borders: the points that a store into a renamed region leaves out are copied from the old
 * version.
 *
 * Reads: groups, slots, messages, buffers. Writes: plan->copies. */
#ifndef TSR_PLAN_BORDERS_H
#define TSR_PLAN_BORDERS_H

#include "scheduler/plan/plan.h"

/** Drop or shrink the copies of borders that are overwritten before anyone reads them. Runs after
 * transfers. */
void tsr__plan_dead_borders(tsr_plan *plan);
/** Drop the copies of borders whose values the new version's buffer has already, since it held the
 * version before the last. Runs after buffers. */
void tsr__plan_kept_borders(tsr_plan *plan);

/** The first copy, or message, of the group or a later one; their number if there is none. Of copies,
 * once kept borders have been found: they are in the order of their groups then. Cost: a binary search. */
int32_t tsr__first_copy(const tsr_plan *plan, int32_t group);
int32_t tsr__first_message(const tsr_plan *plan, int32_t group);

#endif
