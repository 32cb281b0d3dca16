/* Transfers: the messages of each group, and with them how wide halos are (the hull of what a place
 * receives around a tile: tsr__region_widen_alloc).
 *
 * Reads: accesses, slots, layouts. Writes: plan->messages, each group's rims, each access's
 * gather, the ghosts of slots, where partials of reductions go, plan->gathered_bytes. Tells slots.c
 * of gathered copies, and what regions' memory is to hold. */
#ifndef TSR_PLAN_TRANSFERS_H
#define TSR_PLAN_TRANSFERS_H

#include "scheduler/plan/plan.h"

/** A box of a slot that a message carries. */
typedef struct tsr_piece {
  int32_t slot;
  tsr_box box; /* in region space */
} tsr_piece;

/** All bytes between this place and a peer for one group: the pieces of all its accesses. Written
 * by transfers.c, alike on both ends. */
typedef struct tsr_message {
  int32_t group, peer; /* group that reads what comes; the other place, among all ranks' places */
  bool send;           /* this place sends; else it receives */
  uint32_t tag;        /* number within the plan, the same on both ends */
  tsr_piece *pieces;   /* [n_pieces], packed in this order */
  int32_t n_pieces, cap_pieces;
  size_t bytes; /* payload */
} tsr_message;

/** Derive the messages of all groups, and where reductions send their partials. Cost: grows with
 * the neighbours, not with the ranks. */
void tsr__plan_transfers(tsr_plan *plan);
/** Decide where a reduction's partials go, and where its result goes. */
void tsr__plan_spread(tsr_plan *plan, tsr_plan_reduction *r);
/** The first message of the group or of a later one; n_messages if there is none. Cost: a binary
 * search. */
int32_t tsr__first_message(const tsr_plan *plan, int32_t group);

#endif
