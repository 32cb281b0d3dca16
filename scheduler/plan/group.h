/* Groups: ops over one iteration domain become one loop nest.
 *
 * Reads: ops, views, the regions' layouts, plan->recompute. Writes: plan->regions (all but slot,
 * tile and alloc), and of each group its domain, cut, ops and renames. */
#ifndef TSR_PLAN_GROUP_H
#define TSR_PLAN_GROUP_H

#include "scheduler/plan/blocking.h"
#include "scheduler/plan/chunks.h"
#include "scheduler/plan/lower.h"
#include "scheduler/plan/placement.h"
#include "scheduler/plan/transfers.h"

/** An op, or half of one: an op that reads, displaced, the memory that it writes is split over a
 * temporary. */
typedef enum tsr_part { TSR_PART_WHOLE, TSR_PART_TO_TEMP, TSR_PART_FROM_TEMP } tsr_part;

typedef struct tsr_gop {
  int32_t op; /* index in the window */
  uint8_t part;
  int32_t temp; /* plan region of the temporary, or -1 */
} tsr_gop;

/** How firmly a group's cut is chosen: from nothing, by an operand, by the existing memory that it
 * writes. */
typedef enum tsr_strength { TSR_CUT_FREE, TSR_CUT_OPERAND, TSR_CUT_FIXED } tsr_strength;

/** Ops over one iteration domain that run as one loop nest. What is not in a struct of its own is
 * written by group.c. */
typedef struct tsr_group {
  int32_t ndim;
  int64_t shape[TSR_MAX_NDIM];
  const tsr_layout *cut; /* of the domain */
  tsr_box part;          /* this place's piece of the domain; empty if none (slots.c) */
  uint8_t strength;
  uint8_t side; /* tsr_side of its ops */
  bool is_task; /* runs a function over its accesses, in the order of the op's operands, then its
                   results; the kernel only declares them */
  bool is_user; /* of tasks: a user's */
  tsr_gop *ops;
  int32_t n_ops, cap_ops;
  int32_t n_again;   /* ops that are computed again for these */
  int32_t n_strands; /* ops that read nothing that others of the group did or made before */
  int32_t *renames;  /* plan regions that get a fresh buffer here */
  int32_t n_renames, cap_renames;
  tsr_accesses accesses;
  tsr_margins margins;
  tsr_in_place in_place;
  tsr_chunks chunks;
  tsr_placed placed;
} tsr_group;

/** A task of the library's: messages and chunks keep to plan order, so that what is gathered for a
 * chain of them is of two. A user's is run as a kernel is. */
static inline bool tsr__is_throttled(const tsr_group *g)
{
  return g->is_task && !g->is_user;
}

/* The passes. */
void tsr__plan_group(tsr_plan *plan, const tsr_window *w, const tsr_selection *sel);

#endif
