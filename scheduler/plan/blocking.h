/* In-place blocking: a renamed write that runs without a second buffer where memory is short.
 *
 * Reads: accesses, slots. Writes: each group's blocks, in_place and before of slots,
 * plan->n_in_place. Tells slots.c of the slots and copies of blocks, and which stores touch
 * them. */
#ifndef TSR_PLAN_BLOCKING_H
#define TSR_PLAN_BLOCKING_H

#include "scheduler/plan/chain.h"

/** Blocks whose slots are alive at once: their buffers are a ring. */
enum { TSR_RING = 3 };

/** Let the groups that rename run in place, in blocks, where that takes less memory. Returns
 * false if there is no such group; then the plan is as it was. */
bool tsr__plan_blocking(tsr_plan *plan);

#endif
