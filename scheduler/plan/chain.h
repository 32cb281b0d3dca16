/* Chains: consecutive groups that are cut into chunks together, and the box of each chunk.
 *
 * Reads: nothing but itself. Written by chunks.c. */
#ifndef TSR_PLAN_CHAIN_H
#define TSR_PLAN_CHAIN_H

#include "scheduler/plan/plan.h"

/** A box of the domain that is cut into a regular grid: at the multiples of a step along each axis.
 * Its boxes are numbered row by row, the last axis fastest. */
typedef struct tsr_chain_piece {
  int64_t lo[TSR_MAX_NDIM], end[TSR_MAX_NDIM]; /* [lo, end) along each axis; never empty */
  int64_t step[TSR_MAX_NDIM];                  /* >= 1; unused where n is 1 */
  int32_t n[TSR_MAX_NDIM];                     /* boxes along each axis */
  int32_t first;                               /* number of the chunk that is its first box */
} tsr_chain_piece;

/** A run of consecutive groups whose parts are cut into chunks together; today it is one group.
 * A chunk is one task per group. Its pieces are disjoint and cover the part: few, however many
 * chunks there are. Where a group runs in blocks (blocking.h), the pieces of a block follow
 * those of the one before it. */
struct tsr_chain {
  int32_t first_group, n_groups;
  int32_t ndim;     /* of the groups' domains */
  int32_t n_chunks; /* 0: this place has no part */
  int32_t n_pieces;
  tsr_chain_piece *pieces; /* [n_pieces] in the order of their chunks */
};

/** The box in which a group of the chain runs a chunk. This is the only source of a box. Cost: a
 * division per axis that is cut. */
void tsr__chain_box(const tsr_chain *chain, int32_t group, int32_t chunk, tsr_box *box);

/** The most indices that a chunk of the chain has along an axis; 0 without chunks. */
int64_t tsr__chain_longest(const tsr_chain *chain, int axis);

#endif
