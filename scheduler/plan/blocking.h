/* In-place blocking: a renamed write that runs without a second buffer where memory is short.
 *
 * Reads: accesses, slots. Writes: each group's in_place, the slots of its accesses, and slots and
 * copies of blocks. */
#ifndef TSR_PLAN_BLOCKING_H
#define TSR_PLAN_BLOCKING_H

#include "scheduler/plan/plan.h"

/** Blocks whose slots are alive at once: their buffers are a ring. */
enum { TSR_RING = 3 };

/** How a group runs in place: its part in blocks along one axis, one after the other. Written by
 * blocking.c; all zero for a group that is not blocked. */
typedef struct tsr_in_place {
  int axis;          /* of the domain */
  int64_t thickness; /* indices of a block along it, alike on all ranks; the last may have fewer */
  int32_t n_blocks;  /* of this place's part; 0: it has none */
} tsr_in_place;

/** Let the groups that rename run in place, in blocks, where that takes less memory. Returns
 * false if there is no such group; then the plan is as it was. */
bool tsr__plan_blocking(tsr_plan *plan);

#endif
