/* Planes: what an op touches of an array that has more axes than the op, such as a border.
 *
 * Reads: views, the regions of a plan, agreed settings. Writes: the planes that are passed in. */
#ifndef TSR_PLAN_PLANES_H
#define TSR_PLAN_PLANES_H

#include "scheduler/plan/plan.h"

/** Where some planes lie that are alike: along which axes of their arrays, and between which indices
 * of the others. A plane of nothing, `any` false, is like all others. */
typedef struct tsr_plane {
  bool any;
  int32_t ndim;                               /* of the arrays */
  uint32_t moving;                            /* bit k: the plane lies along axis k */
  int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM]; /* of the other axes */
} tsr_plane;

/** Add what a view of the region touches to `plane`, if that is a plane of nothing, and if passes over
 * the region may be tiled over time. The answer is the same on all ranks. */
void tsr__plane_of(const tsr_plan *plan, int32_t region, const tsr_view *view, tsr_plane *plane);

/** Do the planes lie along the same axes, and so near that steps over them may be one? */
bool tsr__planes_are_near(const tsr_plane *a, const tsr_plane *b);
/** Add near planes to `to`. */
void tsr__planes_add(tsr_plane *to, const tsr_plane *more);

#endif
