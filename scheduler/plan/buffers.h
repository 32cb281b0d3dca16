/* Buffers: slots get memory by their live ranges.
 *
 * Reads: slots, the regions' layout and alloc, plan->gathered_bytes. Writes: plan->buffers, each
 * slot's buffer, after, aligned, shape and agreed bytes, and the plan's fields about the memory
 * limit. Where second buffers are too much it runs blocking.h. */
#ifndef TSR_PLAN_BUFFERS_H
#define TSR_PLAN_BUFFERS_H

#include "runtime/machine/page_offset.h"
#include "scheduler/plan/plan.h"

/** Memory that slots use one after another. Written by buffers.c. */
typedef struct tsr_buffer {
  /* what the largest slot takes here; what it counts against the limit */
  size_t bytes, agreed_bytes;
  tsr_pitch pitch; /* of that slot */
  int32_t region;  /* the plan region whose existing storage it is, or -1: allocated */
  /* newest slot in it and that slot's last group: for assignment only */
  int32_t last_slot, free_after;
} tsr_buffer;

/** Give every slot a buffer, and decide whether second buffers for renames fit into the memory
 * limit. If they do not, groups run blocked in place (blocking.h), and plan->over says if even
 * that is too much. */
void tsr__plan_buffers(tsr_plan *plan);

/** Find anew how a slot lies in memory, of a plan that is resized; then the bytes of all
 * buffers. */
void tsr__lay_out_slot(const tsr_plan *plan, tsr_plan_slot *slot);
void tsr__resize_buffers(tsr_plan *plan);

/** Would the plan be given the answers of `capacity` now, too? The same on every rank. */
bool tsr__is_capacity_same(const tsr_scheduler *s, const tsr_capacity *capacity);

#endif
