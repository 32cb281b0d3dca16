/* Elided copies: the result of a task or a reduction is written straight into the array to which it
 * is only copied.
 *
 * Reads: ops, plan->reads, the regions' layouts. Writes nothing. Tells group.c which ops leave the
 * groups, and what is written into which array. */
#ifndef TSR_PLAN_ELIDE_H
#define TSR_PLAN_ELIDE_H

#include "program/canonical.h"
#include "scheduler/plan/plan.h"

/** Take out of the groups the copies of whole results to whole arrays. Nothing else reads the
 * result; the array has its shape, dtype and layout; no group touches the array from the one that
 * makes the result to the copy. All ranks take out the same copies. Cost: a look at each op and
 * what it reads. */
void tsr__plan_elide(tsr_plan *plan, const tsr_program *p);

/** The region that an op writes, or reads, where the program names this one. A plan that is made
 * has dropped the last regions, which are written into no other. */
static inline int32_t tsr__written_into(const tsr_plan *plan, int32_t region)
{
  return region >= 0 && region < plan->n_regions ? plan->regions[region].into : region;
}

/** Is the op a copy that no group makes, since what it copies is written into its result? */
static inline bool tsr__is_elided(const tsr_plan *plan, const tsr_program_op *op)
{
  return op->kind == TSR_OPKIND_COPY && op->in[0].region >= 0 && op->in[0].region != op->out &&
         tsr__written_into(plan, op->in[0].region) == op->out;
}

#endif
