/* Borders: the points that a store into a renamed region leaves out are copied from the old
 * version.
 *
 * Reads: groups, slots, messages, buffers. Writes nothing. Tells slots.c which copies stay. */
#ifndef TSR_PLAN_BORDERS_H
#define TSR_PLAN_BORDERS_H

#include "scheduler/plan/plan.h"

/** Drop or shrink the copies of borders that are overwritten before anyone reads them. Runs after
 * transfers. */
void tsr__plan_dead_borders(tsr_plan *plan);
/** Drop the copies of borders whose values the new version's buffer has already, since it held the
 * version before the last. Runs after buffers. Leaves all copies in the order of their groups. */
void tsr__plan_drop_borders(tsr_plan *plan);

#endif
