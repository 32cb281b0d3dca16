/* Slots: the versions of regions in memory.
 *
 * Reads: groups, accesses and their versions, what the program says of stored regions. Writes:
 * plan->slots and plan->copies, for itself and for the passes behind it, the slot of each access
 * and reduction, each group's part, each region's tile, alloc and slots, plan->n_renamed. */
#ifndef TSR_PLAN_SLOTS_H
#define TSR_PLAN_SLOTS_H

#include "program/ghosts.h"
#include "scheduler/plan/instance.h"
#include "scheduler/plan/plan.h"

#include <stddef.h>

/** One version of a region in memory, or a gathered copy. Written by slots.c where no other file is
 * named; transfers.c adds gathered copies, blocking.c blocks. */
typedef struct tsr_plan_slot {
  int32_t region;                  /* plan region */
  int32_t version;                 /* renames of the region before */
  int32_t buffer;                  /* number of its memory (buffers.c) */
  int32_t first_group, last_group; /* live range, inclusive */
  bool existing;                   /* it is bound to the region's storage */
  bool final;                      /* it becomes the region's storage when the plan has run */
  bool gathered;                   /* a gathered copy; its shape is set when it is made */
  bool block;                      /* a gathered slot: what one block of in-place blocking writes */
  bool renamed;                    /* a rename made this version */
  bool in_place; /* a renamed slot: it stays in the buffer of slot `before` (blocking.c) */
  /* the version before it, if in_place; of a block's slot, that of three blocks before, or -1 */
  int32_t before;
  int32_t after;       /* slot that had the buffer before, or -1 (buffers.c) */
  int64_t wish;        /* index along the last axis that its maker would begin a cache line with */
  int64_t aligned;     /* index that does begin one, where rows are long enough (buffers.c) */
  tsr_instance shape;  /* how it lies in memory; data unused: the binding has it (buffers.c) */
  size_t agreed_bytes; /* what it counts against the limit, alike on all ranks (buffers.c) */
  /* valid at this point of the plan (transfers.c); the final slot's go to the storage */
  tsr_ghosts ghosts;
} tsr_plan_slot;

/** A copy of a box from one slot to another: the border of a renamed region, a place's own tile
 * of a gathered copy, or a block on its way back. Written by slots.c, for itself,
 * transfers.c, deepen.c and blocking.c; borders.c takes some away. */
typedef struct tsr_plan_copy {
  int32_t group, from, to; /* group that it runs before; slots */
  int32_t block;           /* block of the group that it runs before; their number: after all */
  bool is_wide;            /* with margins, which the group's messages may bring (deepen.c) */
  tsr_box box;             /* in region space */
} tsr_plan_copy;

/** The size of an element of a slot. */
size_t tsr__slot_elem_bytes(const tsr_plan *plan, int32_t slot);
/** Does slot b lie in a buffer as slot a does, so that points as far from where each begins are the
 * same bytes, and no others are? Lengths may differ, as those of tiles with margins do: an element
 * of one lies in no two of the other. */
bool tsr__slots_lie_alike(const tsr_plan *plan, int32_t a, int32_t b);

/** Append a slot, whose number it returns, or a copy. */
int32_t tsr__add_slot(tsr_plan *plan, const tsr_plan_slot *slot);
void tsr__add_copy(tsr_plan *plan, const tsr_plan_copy *copy);
/** The first copy of the group or of a later one; n_copies if there is none. The copies are in the
 * order of their groups, as they are once borders have been kept. Cost: a binary search. */
int32_t tsr__first_copy(const tsr_plan *plan, int32_t group);
/** Of n things in the order of their groups, the first of the group or of a later one; n if there
 * is none. first: the group of the first thing; that of the next lies stride_bytes behind it. */
int32_t tsr__first_of_group(const int32_t *first, ptrdiff_t stride_bytes, int32_t n, int32_t group);

/** Give every access its slot, in group order, and every region its tile. */
void tsr__plan_slots(tsr_plan *plan, const tsr_program *program);

/** Find this place's tile of a region that has a layout, or its part of a group's domain. */
void tsr__find_tile(tsr_plan *plan, const tsr_program *program, int32_t region);
void tsr__find_part(const tsr_plan *plan, tsr_group *g);
/** Widen the group's part by its margins. */
void tsr__widen_part(tsr_group *g);
/** The memory of the region's tile at this place is to hold a box, too. */
void tsr__region_widen_alloc(tsr_plan *plan, int32_t region, const tsr_box *box);
/** Let the store touch slots of its own, one for each block, from `first` on. */
void tsr__touch_blocks(tsr_access *a, int32_t first);
/** Have these copies in place of all. */
void tsr__set_copies(tsr_plan *plan, tsr_plan_copy *copies, int32_t n);
/** Drop the copies of the group, or of all groups (-1), into slot `to`. */
void tsr__drop_copies(tsr_plan *plan, int32_t group, int32_t to);

/** Find anew how a slot is aligned, of a plan that is resized. */
void tsr__align_slot(tsr_plan *plan, const tsr_program *program, tsr_plan_slot *slot);

#endif
