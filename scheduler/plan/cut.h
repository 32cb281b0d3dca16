/* Cuts: the layouts of fresh arrays, and of what merges axes. */
#ifndef TSR_PLAN_CUT_H
#define TSR_PLAN_CUT_H

#include "scheduler/plan/plan.h"

/** Every which place gets a tile of a fresh array of so many elements: of few tiles every rank has
 * as many; where ranks share cores, small ones are with one rank per core, and the others receive
 * what they read. */
int32_t tsr__rank_step(const tsr_scheduler *s, int64_t n_elems);

/** Layout that a fresh array of this shape gets: replicated if small, else cut. */
const tsr_layout *tsr__layout_for(tsr_scheduler *s, int ndim, const int64_t *shape);

/** The cut of an op's domain where `view`, to what it makes, merges axes: `cut` (or NULL) if that
 * will do, else a fresh one; and the layout of what is made (cut.c). */
const tsr_layout *tsr__merge_cut(tsr_scheduler *s, const tsr_view *view, const tsr_layout *cut);

const tsr_layout *tsr__merged_layout(tsr_plan *plan, const tsr_view *view, int ndim,
                                     const int64_t *shape, const tsr_layout *cut);

#endif
