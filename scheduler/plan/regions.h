/* Regions of a plan, and their versions.
 *
 * Version 0 of a region is what exists before the plan, or what a group makes; each rename makes
 * the next one. Versions are counted here and nowhere else: the groups that rename a region are
 * listed in order, so the version that a group finds is how many of them come before it.
 *
 * Reads: the program's regions. Writes: plan->regions as it begins, renamed_by. */
#ifndef TSR_PLAN_REGIONS_H
#define TSR_PLAN_REGIONS_H

#include "program/canonical.h"
#include "scheduler/plan/plan.h"

/** Fill plan->regions with the program's regions, as they are before the plan. */
void tsr__plan_regions(tsr_plan *plan, const tsr_program *program);

/** Add a temporary, which the program does not name. Returns its number. */
int32_t tsr__plan_add_region(tsr_plan *plan, tsr_dtype dtype, int ndim, const int64_t *shape);

/** May a write of this box go to a new version? exact: every point of the box is written. */
bool tsr__may_rename(const tsr_plan *plan, int32_t region, const tsr_box *box, bool exact);

/** Note that the group gives the region a new version. Groups come in order. Returns false if it
 * was noted before. */
bool tsr__plan_rename(tsr_plan *plan, int32_t region, int32_t group);

/** The newest version of the region when the group begins. What the group itself writes is of the
 * version that the next group finds. */
int32_t tsr__version_at(const tsr_plan *plan, int32_t region, int32_t group);

/** Does the view show all elements of a region of this shape, each where it is? */
bool tsr__views_all(const tsr_view *view, const int64_t *shape);

/** Keep the groups order[0, n), in this order; no region names one that goes as its maker or as one
 * that renames it. What
 * names groups by number is written anew: created_by and renamed_by of regions, and the groups of
 * reductions. */
void tsr__plan_keep_groups(tsr_plan *plan, const int32_t *order, int32_t n);

#endif
