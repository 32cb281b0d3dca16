/* The plan verifier: an oracle that knows nothing of how the passes decide.
 *
 * It follows a plan point by point without running it: instead of a value, each byte of a buffer
 * holds a tag that says which value of which point of which region it is. Beside the buffers it
 * keeps what the program means by each version of a region. Whatever the plan reads must be what
 * the program means there.
 *
 * Each pass has a check of what its header promises (passes.h). A check returns NULL, or what is
 * wrong (malloc'd). Debug builds, and TESSERA_REPLAN=1, run the checks after the passes and end the
 * job on a defect. Plans that are too large for that are left
 * out. */
#ifndef TSR_PLAN_VERIFY_H
#define TSR_PLAN_VERIFY_H

#include "scheduler/plan/plan.h"

/** Is the plan small enough to be followed point by point? most_points: of all its regions and
 * domains. */
bool tsr__verify_fits(const tsr_plan *plan, int64_t most_points);
/** Are the tasks so few that tsr__verify_order looks at them? One that has no order needs none. */
bool tsr__verify_fits_order(const tsr_plan *plan);

/* Before grouping (verify_program.c). */

/** After regions.c: they are the program's, and nothing is written yet. */
char *tsr__verify_regions(const tsr_plan *plan, const tsr_program *p);
/** After fold.c looked for them: what may be a fold is a reduction of so many elements. */
char *tsr__verify_found_folds(const tsr_plan *plan, const tsr_program *p);
/** After recompute.c: what is recomputed is made by one op, point by point, and not stored. */
char *tsr__verify_recompute(const tsr_plan *plan, const tsr_program *p);
/** After fold.c: the operands of a fold are the elements that the reduction of p reduces; all other
 * ops are those of p. */
char *tsr__verify_folds(const tsr_plan *plan, const tsr_program *p);
/** After reads.c: each value that an op takes is listed, or computed again, and no view leads
 * outside its region. */
char *tsr__verify_reads(const tsr_plan *plan, const tsr_program *p);
/** After split.c: the order has each op once, behind those on which it depends. */
char *tsr__verify_split(const tsr_plan *plan, const tsr_program *p);

/* Of groups, slots and messages (verify_groups.c, verify_memory.c). */

/** After group.c: every op that runs is in one group, as a whole or in two halves, unless its
 * readers compute it; a group's ops have its domain and are in program order. */
char *tsr__verify_groups(const tsr_plan *plan, const tsr_program *p);
/** After elide.c: nobody reads what is written into another array, which is of the same kind. */
char *tsr__verify_elided(const tsr_plan *plan, const tsr_program *p);
/** After lower.c: no access leaves its region, each names a version that there is, and of those
 * that take turns exactly one is active in each point of the domain. */
char *tsr__verify_accesses(const tsr_plan *plan);
/** After postpone.c: in the order of the groups, each store is of the newest version, and no load
 * of a later one. */
char *tsr__verify_versions(const tsr_plan *plan);
/** After slots.c and deepen.c: parts are this place's tiles, with the margins that groups have;
 * intervals do not overlap. */
char *tsr__verify_parts(const tsr_plan *plan);
/** After slots.c: every access, copy and result has a version of its region that is alive then. */
char *tsr__verify_slots(const tsr_plan *plan);
/** After transfers.c and borders.c: every message carries points that this place holds. */
char *tsr__verify_transfers(const tsr_plan *plan);
/** After borders.c: copies are in the order of their groups, from a version to the next, of points
 * that this place holds. */
char *tsr__verify_copies(const tsr_plan *plan);
/** After buffers.c: slots that are alive at once are in different buffers, which are large enough,
 * and the new ones are what the plan counts. */
char *tsr__verify_buffers(const tsr_plan *plan);
/** After buffers.c and borders.c: every access stays inside its buffer, every value that is read or
 * sent has been made and is the one that the program means, and what the plan leaves behind is
 * that, too, with the ghosts that it calls valid. */
char *tsr__verify_values(const tsr_plan *plan, const tsr_program *program);
/** After chunks.c: every point of this place's part of a group is in exactly one of its chunks. */
char *tsr__verify_chunks(const tsr_plan *plan);
/** After tasks.c: of any two tasks that touch the same bytes, one of them writing, one waits for
 * the other; and reductions wait for the chunks that they reduce. Of too many tasks: NULL. */
char *tsr__verify_order(const tsr_plan *plan);
/** After bases.c: where accesses begin, and how they move, is where their slots' elements are. */
char *tsr__verify_bases(const tsr_plan *plan);
/** After placement.c: what a group touches is of its cluster. */
char *tsr__verify_placement(const tsr_plan *plan);
/** Of the plans of two places for one window: each message of one to the other is the other's, too,
 * with the same tag, bytes and boxes; and so are the partials of reductions. */
char *tsr__verify_messages(const tsr_plan *a, const tsr_plan *b);

/** Ends the job with what is wrong, if anything is, and the plan's text; frees `defect`. */
void tsr__verify_or_die(const tsr_plan *plan, const char *after, char *defect);

#endif
