/* Long expressions: which ops may share a group of more than a few, and where an expression is cut
 * that is too long for one kernel.
 *
 * Reads: ops, plan->reads, plan->regions. Writes: plan->split. */
#ifndef TSR_PLAN_SPLIT_H
#define TSR_PLAN_SPLIT_H

#include "scheduler/plan/reads.h"

/** The parts that long expressions have been cut into. Written by split.c. */
typedef struct tsr_split {
  int32_t *part;  /* [n_ops] the part that the op belongs to, from 1 on; 0: of no long expression */
  int32_t *order; /* [n_ops] in which ops are put into groups; NULL: by number */
  int32_t most_ops;       /* of a group that no long expression belongs to */
  int32_t n_parts, n_cut; /* n_cut: expressions of several parts */
  /* bytes per point of what the cuts store, and the least that as few parts could store */
  int64_t stored_bytes, least_bytes;
} tsr_split;

/** Find the long expressions and cut those that are too long. */
void tsr__plan_split(tsr_plan *plan, const tsr_program *program);

/** The part of a long expression that the op belongs to, or 0. */
static inline int32_t tsr__part_of(const tsr_split *s, int32_t op)
{
  return s->part != NULL ? s->part[op] : 0;
}

#endif
