/* Groups that wait until others need them.
 *
 * What only takes the results of reductions elsewhere (`hist[i] = sum(u)`) is small as a rule, and
 * nobody needs it soon. Where it stands it would end a chain of steps that are tiled over time
 * (tiling.h), since a result is there when all of the chain has run.
 *
 * Reads: groups and their accesses, the regions' layouts. Writes nothing. Tells group.c
 * the new order. */
#ifndef TSR_PLAN_POSTPONE_H
#define TSR_PLAN_POSTPONE_H

#include "scheduler/plan/plan.h"

/** Put such groups behind those that follow them, up to the first that touches what they touch, or
 * else to the end of the plan. Their own order stays. The answer is the same on all ranks. Cost: a
 * look at each access. */
void tsr__plan_postpone(tsr_plan *plan);

#endif
