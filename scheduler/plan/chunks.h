/* Chunks: this place's part of a group's domain is cut into boxes, one task each.
 *
 * Reads: accesses, part and margins. Writes: plan->chains, each group's chain and footprint,
 * plan->work, plan->in_line. */
#ifndef TSR_PLAN_CHUNKS_H
#define TSR_PLAN_CHUNKS_H

#include "scheduler/plan/plan.h"

/** How what a group touches stands to the caches. Written by chunks.c. */
typedef struct tsr_footprint {
  uint64_t stream_store_mask; /* bit a < 64: what access a stores is larger than the caches */
  bool from_memory;           /* the group touches more memory than the caches keep */
} tsr_footprint;

/** Cut the parts of all groups. A local choice: no result and no message depends on it. */
void tsr__plan_chunks(tsr_plan *plan);

#endif
