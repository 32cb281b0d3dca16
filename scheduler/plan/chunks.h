/* Chunks: this place's part of a group's domain is cut into boxes, one task each.
 *
 * Reads: accesses, part, rims and blocks, whether there are messages, and how reductions spread.
 * Writes: plan->chains, each group's chain, plan->work, plan->in_line, by_chunk of
 * reductions. Runs footprint.h and tiling.h. */
#ifndef TSR_PLAN_CHUNKS_H
#define TSR_PLAN_CHUNKS_H

#include "scheduler/plan/plan.h"

/** The most reductions of a group whose results a chunk makes as a whole. */
enum { TSR_MOST_WHOLE = 8 };

/** Cut the parts of all groups. A local choice: no result and no message depends on it. */
void tsr__plan_chunks(tsr_plan *plan);

/** Find the first seam of a piecewise view through the box: an end of a view's bounds. False: there
 * is none. */
bool tsr__find_seam(const tsr_group *g, const tsr_box *box, int *axis, int64_t *at);

/** Cut the box at `at`: returns the side before it; *box becomes the other side. */
tsr_box tsr__cut_off(tsr_box *box, int axis, int64_t at);

/** Points times instructions of a group whose part of the domain has so many points. */
int64_t tsr__group_work(const tsr_group *g, int64_t n_points);

/** Find the work of the largest group. */
void tsr__plan_find_work(tsr_plan *plan);

/** Find anew the chunk of a group whose part has changed, and its footprint, in a plan that runs in
 * line. */
void tsr__resize_chunk(const tsr_plan *plan, tsr_group *g);

#endif
