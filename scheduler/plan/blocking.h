/* In-place blocking: a renamed write where memory is short.
 *
 * Reads: accesses, slots. Writes: the groups anew, their in_place, and slots and copies of
 * blocks. */
#ifndef TSR_PLAN_BLOCKING_H
#define TSR_PLAN_BLOCKING_H

#include "scheduler/plan/plan.h"

/** Of a group that runs in place, block by block: each block is a group. Written by blocking.c. */
typedef struct tsr_in_place {
  int32_t number; /* of this block; kernel and views are those of block 0 */
  bool more;      /* it is not the last one */
} tsr_in_place;

/** Turn the groups that rename into strips in place, where that takes less memory; false: none. */
bool tsr__plan_blocking(tsr_plan *plan);

#endif
