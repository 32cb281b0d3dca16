/* The plan verifier: an oracle that knows nothing of how the passes decide.
 *
 * It follows a plan point by point without running it: instead of a value, each byte of a buffer
 * holds a tag that says which value of which point of which region it is. Beside the buffers it
 * keeps what the program means by each version of a region. Whatever the plan reads must be what
 * the program means there.
 *
 * Each check returns NULL, or what is wrong (malloc'd). Debug builds, and TESSERA_REPLAN=1, run the
 * checks after the passes and end the job on a defect. Plans that are too large for that are left
 * out. */
#ifndef TSR_PLAN_VERIFY_H
#define TSR_PLAN_VERIFY_H

#include "scheduler/plan/plan.h"

/** Is the plan small enough to be followed point by point? most_points: of all its regions and
 * domains. */
bool tsr__verify_fits(const tsr_plan *plan, int64_t most_points);
/** After group.c: every op that runs is in one group, as a whole or in two halves, unless its
 * readers compute it; a group's ops have its domain and are in program order. */
char *tsr__verify_groups(const tsr_plan *plan, const tsr_program *p);
/** After lower.c: no access leaves its region, each names a version that there is, and of those
 * that take turns exactly one is active in each point of the domain. */
char *tsr__verify_accesses(const tsr_plan *plan);
/** After slots.c: every access, copy and result has a version of its region that is alive then. */
char *tsr__verify_slots(const tsr_plan *plan);
/** After transfers.c and borders.c: every message carries points that this place holds. */
char *tsr__verify_transfers(const tsr_plan *plan);
/** After buffers.c: every access stays inside its buffer, every value that is read or sent has been
 * made and is the one that the program means, and what the plan leaves behind is that, too, with
 * the ghosts that it calls valid. */
char *tsr__verify_values(const tsr_plan *plan, const tsr_program *program);
/** After chunks.c: every point of this place's part of a group is in exactly one of its chunks. */
char *tsr__verify_chunks(const tsr_plan *plan);
/** After tasks.c: of any two tasks that touch the same bytes, one of them writing, one waits for
 * the other; and reductions wait for the chunks that they reduce. */
char *tsr__verify_order(const tsr_plan *plan);
/** Of the plans of two places for one window: each message of one to the other is the other's, too,
 * with the same tag, bytes and boxes; and so are the partials of reductions. */
char *tsr__verify_messages(const tsr_plan *a, const tsr_plan *b);

/** Ends the job with what is wrong, if anything is, and the plan's text; frees `defect`. */
void tsr__verify_or_die(const tsr_plan *plan, const char *after, char *defect);

#endif
