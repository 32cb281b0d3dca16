/* Folds: reductions of few elements, computed point by point of the result.
 *
 * A reduction of at most FOLD_MAX elements per result becomes an op with an operand for each of
 * them: a view of what is reduced, at one index of the reduced axes. So all that elementwise ops
 * have (fusion, transfers, kernels) is theirs, and no partial results are kept. The operands are
 * combined along the tree of kernel/reduce/reduce.h, which gives the same bits.
 *
 * Reads: ops, views, layouts of regions, plan->recompute. Writes: plan->folds, and a program that
 * the passes after it plan. */
#ifndef TSR_PLAN_FOLD_H
#define TSR_PLAN_FOLD_H

#include "kernel/reduce/reduce.h"
#include "program/canonical.h"
#include "runtime/base/config.h"

typedef struct tsr_plan tsr_plan;

typedef struct tsr_folds {
  uint8_t *n_elems;     /* [n_ops] elements of a reduction that may be a fold; else 0. NULL: none */
  tsr_view_ref **views; /* [n_views] counted: those of the folds' operands */
  int32_t n_views, cap_views;
  /* with folds in place of reductions, in the plan's scratch; NULL: there is none yet, or no
   * more */
  const tsr_program *program;
} tsr_folds;

/** The elements per result of a reduction that has few of them and more than one result, so that it
 * may be a fold; else 0. view: of what is reduced. */
int32_t tsr__few_elems(const tsr_config *config, tsr_reduction code, const tsr_view *view,
                       uint32_t axes_mask, int64_t n_results);

/** Find the reductions that may be folds: of few elements, more than one result, and not along an
 * axis that the operand's layout cuts. */
void tsr__plan_find_folds(tsr_plan *plan, const tsr_program *p);

/** The elements per result of an op that may be a fold; 0: it may not. */
int32_t tsr__fold_elems(const tsr_plan *plan, int32_t op);

/** Make the program that has folds in place of those reductions whose operand lies in memory anyway
 * or is recomputed where it is read. It shares the rest with `p`. */
void tsr__plan_fold(tsr_plan *plan, const tsr_program *p);

/** Drop the folds' views, once accesses have taken those that they need. */
void tsr__plan_fold_end(tsr_plan *plan);

#endif
