/* Regions of a plan, and their versions.
 *
 * Version 0 of a region is what exists before the plan, or what a group makes; each rename makes
 * the next one. Versions are counted here and nowhere else: the groups that rename a region are
 * listed in order, so the version that a group finds is how many of them come before it.
 *
 * Reads: the program's regions. Writes: plan->regions, but for the fields that name another file;
 * what later passes find out of a region they tell this one. */
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

/** The group makes the region, in place of whichever was to do so before. */
void tsr__plan_make_region(tsr_plan *plan, int32_t region, int32_t group);
/** Give the region a layout, in place of what it had. */
void tsr__plan_lay_out_region(tsr_plan *plan, int32_t region, const tsr_layout *layout);
/** Let what makes region `from` write `to` in its place; makes: it makes `to`, too. */
void tsr__plan_redirect_region(tsr_plan *plan, int32_t from, int32_t to, bool makes);
/** Give a region the shape and the layout that it has in a program of other numbers. shape: the
 * region's there. Returns whether it is another one, or may be. */
bool tsr__plan_resize_region(tsr_plan *plan, const tsr_program *program, int32_t region,
                             const int64_t *shape);

/** The newest version of the region when the group begins. What the group itself writes is of the
 * version that the next group finds. */
int32_t tsr__version_at(const tsr_plan *plan, int32_t region, int32_t group);

/** Does the view show all elements of a region of this shape, each where it is? */
bool tsr__views_all(const tsr_view *view, const int64_t *shape);

/** Write the numbers of groups anew: created_by and renamed_by. now: [n_groups] of each before. */
void tsr__plan_renumber_regions(tsr_plan *plan, const int32_t *now);

#endif
