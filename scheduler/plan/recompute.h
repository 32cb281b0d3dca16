/* Recomputed values: temporaries that are never made, since their readers compute them again.
 *
 * Reads: ops, views, liveness, plan->regions. Writes: plan->recompute (but for the versions of
 * operands), plan->n_recomputed. */
#ifndef TSR_PLAN_RECOMPUTE_H
#define TSR_PLAN_RECOMPUTE_H

#include "program/canonical.h"
#include "scheduler/state.h"

typedef struct tsr_plan tsr_plan;

/** The version of a region that an operand of a recomputed op has: the one from where the op stands
 * in the program, however late it is recomputed. Written by group.c. */
typedef struct tsr_version_ref {
  int32_t version; /* renames of the region before; INT32_MAX: not known yet */
  int32_t after;   /* first group after all writes that the op sees */
} tsr_version_ref;

/** Which values are recomputed where they are read. Written by recompute.c. */
typedef struct tsr_recompute {
  /* [n_regions of the program] the op that is recomputed, or -1: the region has memory, or its
   * value is forwarded within a group */
  int32_t *maker;
  /* [n_ops] one entry per operand of a recomputed op (group.c); NULL for other ops */
  tsr_version_ref **versions;
  /* [n_ops] the write must rename, which leaves the old version to those who recompute from it */
  bool *must_rename;
  int32_t n_regions;
} tsr_recompute;

/** Decide which values are recomputed. The program's regions are in the plan already. */
void tsr__plan_recompute(tsr_plan *plan, const tsr_program *p);

/** The op that is recomputed wherever the region is read, or -1. */
int32_t tsr__recomputed_by(const tsr_plan *plan, int32_t region);

#endif
