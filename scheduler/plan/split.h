/* Long expressions: which ops may share a group of more than a few, and where an expression is cut
 * that is too long for one kernel.
 *
 * Reads: ops, plan->reads, plan->regions. Writes: plan->split. */
#ifndef TSR_PLAN_SPLIT_H
#define TSR_PLAN_SPLIT_H

#include "scheduler/plan/reads.h"

/** The subexpressions that long expressions have been cut into. Written by split.c. */
typedef struct tsr_split {
  /* [n_ops] the subexpression that the op belongs to, from 1 on; 0: it is of no long expression */
  int32_t *subexpression;
  int32_t *order;                  /* [n_ops] in which ops are put into groups; NULL: by number */
  int32_t most_ops;                /* of a group that no long expression belongs to */
  int32_t n_subexpressions, n_cut; /* n_cut: expressions of several subexpressions */
  /* bytes per point of what the cuts store, and the least that as few subexpressions could store */
  int64_t stored_bytes, least_bytes;
} tsr_split;

/** Find the long expressions and cut those that are too long. */
void tsr__plan_split(tsr_plan *plan, const tsr_program *program);

/** The subexpression of a long expression that the op belongs to, or 0. */
static inline int32_t tsr__subexpression_of(const tsr_split *s, int32_t op)
{
  return s->subexpression != NULL ? s->subexpression[op] : 0;
}

#endif
