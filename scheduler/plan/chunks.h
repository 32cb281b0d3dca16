/* Chunks: a group's part of the domain is cut into boxes, one task each.
 *
 * Reads: accesses, part and margins. Writes: each group's chunks, plan->work, plan->in_line. */
#ifndef TSR_PLAN_CHUNKS_H
#define TSR_PLAN_CHUNKS_H

#include "scheduler/plan/plan.h"

/** The boxes in which a group runs, one task each. Written by chunks.c. */
typedef struct tsr_chunks {
  tsr_box *v;
  int32_t n;
  uint64_t stream_store_mask; /* bit a < 64: the store of access a is larger than the caches */
  bool from_memory;           /* what the group touches is more than the caches keep */
} tsr_chunks;

void tsr__plan_chunks(tsr_plan *plan);

#endif
