/* Stretches: consecutive groups of which a chunk of each fits three quarters of a thread's share of
 * the last-level cache together, or six large ones.
 *
 * A worker that takes the newest ready task goes on with what it has just written, group after
 * group, and comes back to the first group's next chunk when nothing more is ready: so between two
 * chunks of a group it touches a chunk of each group in turn. Within a stretch these are still in
 * the cache then. Over all groups of a long plan they are not, and every chunk would come from
 * memory. */
#ifndef TSR_RUN_STRETCHES_H
#define TSR_RUN_STRETCHES_H

#include "scheduler/plan/plan.h"

/** For each group the number of its stretch, from 0 on; [n_groups], to be freed. */
int32_t *tsr__stretches_of_plan(const tsr_plan *plan);

#endif
