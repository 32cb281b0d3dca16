/* Cuts: the layouts of fresh arrays, and of ops that merge axes.
 *
 * Reads: views, the regions' layouts. Writes: nothing; group.c keeps the answers. */
#ifndef TSR_PLAN_CUT_H
#define TSR_PLAN_CUT_H

#include "scheduler/plan/plan.h"

/** The largest array, in elements, that every place keeps whole, and the fewest elements of a tile:
 * what the settings say, or, of what a task writes, its grain. grain: 0 for none. */
static inline int64_t tsr__most_replicated(const tsr_scheduler *s, int64_t grain)
{
  return grain > 0 ? grain : s->world->config.replicate_max;
}
static inline int64_t tsr__least_tile(const tsr_scheduler *s, int64_t grain)
{
  return grain > 0 ? grain : s->world->config.tile_min;
}

/** The distance between places that get a tile of a fresh array of n_elems elements, in tiles of at
 * least tile_min: every n-th place has one. Where there are few tiles every rank gets as many;
 * where ranks share cores, small arrays are with one rank per core, and the others receive what
 * they read. */
int32_t tsr__rank_step(const tsr_scheduler *s, int64_t n_elems, int64_t tile_min);

/** The layout that a fresh array of this shape gets: replicated if it is small, else cut. grain: of
 * the task that makes it; 0: none was declared. */
const tsr_layout *tsr__layout_for(tsr_scheduler *s, int ndim, const int64_t *shape, int64_t grain);

/** The cut of an op's domain where `view`, from the domain to the result, merges axes. Returns
 * `cut` (which may be NULL) if that will do, else a fresh one. grain: as of tsr__layout_for. */
const tsr_layout *tsr__merge_cut(tsr_scheduler *s, const tsr_view *view, const tsr_layout *cut,
                                 int64_t grain);

/** The cut of a domain of which some axes are not to be cut, as the bits of `whole` say. Returns
 * `cut` (which may be NULL) if that cuts none of them, else a fresh one. */
const tsr_layout *tsr__whole_cut(tsr_scheduler *s, int ndim, const int64_t *shape, uint32_t whole,
                                 const tsr_layout *cut, int64_t grain);

/** The layout of the result of such an op, whose domain is cut by `cut`; shape: the result's, ndim
 * long. */
const tsr_layout *tsr__merged_layout(tsr_plan *plan, const tsr_view *view, int ndim,
                                     const int64_t *shape, const tsr_layout *cut);

#endif
