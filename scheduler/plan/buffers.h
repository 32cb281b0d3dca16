/* Buffers: slots get memory by their live ranges.
 *
 * Reads: slots. Writes: plan->buffers, each slot's buffer, shape and agreed bytes, and what the
 * plan says of the memory limit. */
#ifndef TSR_PLAN_BUFFERS_H
#define TSR_PLAN_BUFFERS_H

#include "scheduler/plan/plan.h"

typedef struct tsr_buffer {
  size_t bytes, agreed_bytes;
  int32_t region;                /* of the existing storage that it starts as, or -1: allocated */
  int32_t last_slot, free_after; /* during assignment */
} tsr_buffer;

void tsr__plan_buffers(tsr_plan *plan);

/** Would so many new bytes go over what a place's own memory holds now? The same on every rank. */
bool tsr__is_tight(const tsr_scheduler *s, size_t new_bytes);

#endif
