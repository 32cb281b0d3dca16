/* Gathers: what the private copies of any rank take of the agreed memory limit.
 *
 * Reads: accesses, layouts. Writes: plan->gathers. */
#ifndef TSR_PLAN_GATHERS_H
#define TSR_PLAN_GATHERS_H

#include "scheduler/plan/lower.h"

/** A private copy that some rank may make of what a group reads (gathers.c). */
typedef struct tsr_gather {
  int32_t first_group, last_group; /* live range */
  int32_t op;                      /* the first of the group */
  size_t bytes;                    /* at most, of any rank */
} tsr_gather;

enum { TSR_NEAR_WORDS = 12, TSR_NEAR_KEPT = 128 };

/** An answer of gathers.c, kept because it takes a look at every tile along an axis. */
typedef struct tsr_near {
  int64_t question[TSR_NEAR_WORDS];
  bool known, yes;
} tsr_near;

/** Before the transfers of a load: note the copy that a rank may make for it (gathers.c). */
void tsr__gathers_note(tsr_plan *plan, int32_t group, const tsr_access *a);

/** The first group in which the copies for a group are alive: a chain of tasks gathers for the next
 * while one runs, and two sets of buffers take turns. */
int32_t tsr__gather_begins(const tsr_plan *plan, int32_t group);

/** What all that was noted takes. */
size_t tsr__gathers_bytes(const tsr_plan *plan);

#endif
