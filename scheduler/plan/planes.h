/* Planes: what an op touches of an array that has more axes than the op, such as a border.
 *
 * Reads: views, the regions of a plan, agreed settings. Writes: the planes that are passed in. */
#ifndef TSR_PLAN_PLANES_H
#define TSR_PLAN_PLANES_H

#include "scheduler/plan/plan.h"

/** A plane of a region that an op writes or, with is_read, makes a value of. `any` false: the op
 * touches no plane, and goes with all others. */
typedef struct tsr_plane {
  bool any, is_read;
  int32_t region, ndim;     /* ndim: of the region */
  uint32_t moving;          /* bit k: the plane lies along axis k */
  int64_t at[TSR_MAX_NDIM]; /* the index of the other axes */
} tsr_plane;

/** May passes over an array of so many bytes be tiled over time, so that its planes matter? The
 * answer is the same on all ranks. */
bool tsr__may_have_steps(const tsr_world *world, int n_places, double bytes);

/** May passes over the region's array be tiled over time? The answer is the same on all ranks. */
bool tsr__has_steps(const tsr_plan *plan, int32_t region);

/** The axes of an array along which a plane may be a border, as bits. A plane along an axis of a
 * few points is a component, as f[k] of f[9, n, n]: components are updated in one pass. */
uint32_t tsr__axes_of_borders(int ndim, const int64_t *shape);

/** Set `plane` to what a view of the region touches, if it is one of nothing, if passes over the
 * region may be tiled over time, and if the view stands still along an axis of more points than
 * components have. */
void tsr__plane_of(const tsr_plan *plan, int32_t region, const tsr_view *view, bool is_read,
                   tsr_plane *plane);

/** May an op of the plane `next` join a group that has the plane `plane`? Writes join if they are
 * of the same plane, and a write joins what its value is made of. What reads begins a group, for it
 * is not known yet where it will be written. How far apart planes are is not asked: a remembered
 * plan serves other places in its arrays, and other extents. */
bool tsr__plane_joins(const tsr_plane *plane, const tsr_plane *next);

#endif
