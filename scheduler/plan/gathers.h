/* Gathers: how much of the agreed memory limit the gathered copies of any rank take.
 *
 * Reads: accesses, layouts. Writes: plan->gathers. */
#ifndef TSR_PLAN_GATHERS_H
#define TSR_PLAN_GATHERS_H

#include "scheduler/plan/lower.h"

/** A gathered copy that some rank may make of what a group reads. Written by gathers.c, the same on
 * every rank. */
typedef struct tsr_gather {
  int32_t first_group, last_group; /* live range, inclusive */
  int32_t region;                  /* plan region that is read */
  size_t bytes;                    /* the most that any rank's copy takes */
} tsr_gather;

/** May any rank make a copy of what load `a` of a group without margins of its own reads? Else
 * every rank finds it in its tile and the halo around it. */
bool tsr__is_gathered(const tsr_plan *plan, const tsr_group *g, const tsr_access *a);

/** Note the copy that any rank may make for load `a` of the group. Runs before the transfers of
 * that load. */
void tsr__gathers_note(tsr_plan *plan, int32_t group, const tsr_access *a);

/** The first group in which the gathered copies for `group` are alive: a chain of tasks gathers for
 * the next task while one runs, so two sets of buffers take turns. */
int32_t tsr__gather_begins(const tsr_plan *plan, int32_t group);

/** The most bytes that all noted copies take at once. */
size_t tsr__gathers_bytes(const tsr_plan *plan);

#endif
