/* The placement of one run: the side on which each cluster of the plan runs. */
#ifndef TSR_RUN_PLACE_H
#define TSR_RUN_PLACE_H

#include "scheduler/run/bind.h"

/** Fill in on_host, is_hosts and is_mixed of the binding of a plan with clusters. Nothing is moved.
 */
void tsr__place(tsr_plan *plan, tsr_binding *b);

/** The host's memory has no space for some buffers, which the caller has taken out of `is_hosts`:
 * let the device run their groups, and take out what only these groups touch, too. False: the
 * device cannot run one of the groups. */
bool tsr__place_without(tsr_plan *plan, tsr_binding *b);

/** Where each group runs and why, as text, a line each; owned by the caller. NULL where there is
 * only the host. The window is still the plan's. */
char *tsr__place_text(const tsr_plan *plan, const tsr_binding *b);

/** After a run: note in the storages what the plan's arrays remember of their placement. */
void tsr__place_commit(tsr_plan *plan, const tsr_binding *b);

#endif
