/* Borders: what a store that renames a region leaves of the old version is copied.
 *
 * Reads: slots, messages, buffers. Writes: plan->copies. */
#ifndef TSR_PLAN_BORDERS_H
#define TSR_PLAN_BORDERS_H

#include "scheduler/plan/plan.h"

/** Copies of borders that nobody needs go (borders.c): that are overwritten unread; that the buffer
 * has already. */
void tsr__plan_dead_borders(tsr_plan *plan);
void tsr__plan_kept_borders(tsr_plan *plan);

#endif
