/* Chunk sizes: how large the pieces of a group's part are cut. Where they must be cut is for
 * chunks.c to say.
 *
 * Reads: accesses, part, footprint, slots, reductions' trees, plan->in_line, the chains of earlier
 * groups. Writes nothing. */
#ifndef TSR_PLAN_CHUNK_SIZE_H
#define TSR_PLAN_CHUNK_SIZE_H

#include "scheduler/plan/plan.h"

/** How large a group's chunks are. */
typedef struct tsr_chunk_size {
  int64_t points;     /* indices of the domain in a chunk, at most; 0: it is not cut for its size */
  int64_t narrow;     /* indices along axis 1 of a chunk that is narrow there; 0: none is */
  int64_t least_last; /* least indices along the last axis, if that is cut */
  uint32_t whole;     /* bits of the axes that are not cut */
  /* of a library's task: the steps that its part is cut in, multiples of its grain */
  bool is_library;
  int64_t task_step[TSR_MAX_NDIM];
} tsr_chunk_size;

/** Choose the size of a group's chunks. After those of earlier groups. A local choice: no
 * result and no message depends on it. box: what the group runs at once, its part or the first
 * block of it. */
tsr_chunk_size tsr__chunk_size(const tsr_plan *plan, const tsr_group *g, const tsr_box *box);

/** Set step[k] to the step in which a box is cut along axis k; 0: it is not. is_rim: the box
 * waits for messages and is not narrow. */
void tsr__chunk_steps(const tsr_chunk_size *size, const tsr_box *box, bool is_rim, int64_t *step);

#endif
