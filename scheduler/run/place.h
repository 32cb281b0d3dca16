/* The placement of one run: on which side each cluster of the plan runs. */
#ifndef TSR_RUN_PLACE_H
#define TSR_RUN_PLACE_H

#include "scheduler/run/bind.h"

/** Of a run: fills on_host, is_hosts and is_mixed. Nothing is moved. */
void tsr__place(tsr_plan *plan, tsr_binding *b);

/** The host's memory has no room for some buffers, which are not `is_hosts` any more: the device
 * runs their groups, and what else is theirs alone is not `is_hosts` either. False if it cannot run
 * one of them. */
bool tsr__place_without(tsr_plan *plan, tsr_binding *b);

/** When it is over: what the plan's arrays remember of it. */
void tsr__place_commit(tsr_plan *plan, const tsr_binding *b);

#endif
