/* In-place blocking: a renamed write that runs without a second buffer where memory is short.
 *
 * Reads: accesses, slots. Writes: the groups anew, their in_place, and slots and copies of blocks.
 */
#ifndef TSR_PLAN_BLOCKING_H
#define TSR_PLAN_BLOCKING_H

#include "scheduler/plan/plan.h"

/** The place of a group in in-place blocking: a group that is blocked becomes several groups, one
 * per block. Written by blocking.c; all zero for a group that is not blocked. */
typedef struct tsr_in_place {
  int32_t number; /* of this block, from 0; kernel and views are those of block 0 */
  bool more;      /* another block of the same group follows */
} tsr_in_place;

/** Turn the groups that rename into blocks that run in place, where that takes less memory. Returns
 * false if there is no such group; then the plan is as it was. */
bool tsr__plan_blocking(tsr_plan *plan);

#endif
