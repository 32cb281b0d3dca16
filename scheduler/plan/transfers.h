/* Transfers: the messages of each group.
 *
 * Reads: accesses, slots, layouts. Writes: plan->messages, each group's margins, gathered copies
 * (slots and each access's gather), the ghosts of slots, the regions' alloc, where partial sums
 * go. */
#ifndef TSR_PLAN_TRANSFERS_H
#define TSR_PLAN_TRANSFERS_H

#include "scheduler/plan/plan.h"

typedef struct tsr_piece {
  int32_t slot;
  tsr_box box;
} tsr_piece;

/** Bytes between this place and a peer in one phase: all pieces of all accesses of a group. */
typedef struct tsr_message {
  int32_t group, peer; /* peer: a place */
  bool send;
  uint32_t tag;
  tsr_piece *pieces;
  int32_t n_pieces, cap_pieces;
  size_t bytes; /* payload */
} tsr_message;

/** The margins of a group's part that wait for messages, in points of the domain from its lower and
 * upper ends. Written by transfers.c. */
typedef struct tsr_margins {
  int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM];
} tsr_margins;

void tsr__plan_transfers(tsr_plan *plan);

/** Transfers of a plan that only widens the halo of its one region (plan->regions[0]) by `expand`
 * cells per axis. */
void tsr__plan_halo(tsr_plan *plan, const int64_t *expand);

#endif
