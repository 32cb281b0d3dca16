/* Slots: which version of a region each access touches.
 *
 * Reads: groups, accesses, the regions' storage. Writes: plan->slots, plan->copies of what renames
 * leave, each access's slot, each group's part, each region's tile, alloc and slot. */
#ifndef TSR_PLAN_SLOTS_H
#define TSR_PLAN_SLOTS_H

#include "scheduler/plan/ghosts.h"
#include "scheduler/memory/instance.h"
#include "scheduler/plan/plan.h"

/** One version of a region in memory, or a gathered copy. */
typedef struct tsr_plan_slot {
  int32_t region;
  int32_t version; /* renames of the region before */
  int32_t buffer;
  int32_t first_group, last_group; /* live range, inclusive */
  bool existing;                   /* bound to the region's storage */
  bool final;                      /* becomes it */
  bool gathered;                   /* a private copy: `shape` is set when it is made */
  bool block;                      /* of them: what one strip of a group writes (blocking.c) */
  bool renamed;                    /* the version that a rename made */
  bool in_place;                   /* of them: it stays in the buffer of slot `before` */
  int32_t before;
  int32_t after;      /* slot that had the buffer before, or -1 */
  int64_t aligned;    /* as in the shape */
  tsr_instance shape; /* data unused: filled by the binding */
  size_t agreed_bytes;
  tsr_ghosts ghosts; /* as the plan goes on; final state goes to the storage */
} tsr_plan_slot;

/** Copy of a box from one slot to another: boundary of a renamed region, own part of a gathered
 * copy. */
typedef struct tsr_plan_copy {
  int32_t group, from, to;
  tsr_box box;
} tsr_plan_copy;

void tsr__plan_slots(tsr_plan *plan, const tsr_selection *sel);

#endif
