/* Reads: which values are recomputed where they are read, and what an op reads then.
 *
 * Reads: ops, views and liveness. Writes: plan->recompute, plan->n_recomputed. */
#ifndef TSR_PLAN_READS_H
#define TSR_PLAN_READS_H

#include "program/canonical.h"
#include "scheduler/state.h"

typedef struct tsr_plan tsr_plan;

/** The version of a region that an operand of a recomputed op has: the one from where the op stands
 * in the program, however late it is recomputed. Written by group.c. */
typedef struct tsr_version_ref {
  int32_t version; /* renames of the region before */
  int32_t after;   /* first group after all writes that the op sees */
} tsr_version_ref;

/** What is read of a region for one op: by the op itself, or to recompute one of its operands. */
typedef struct tsr_read {
  int32_t region; /* plan region */
  /* domain -> region; borrowed, or in the plan's arena. Bounded if it is a part of a piecewise view */
  const tsr_view *view;
  const tsr_view *cut_view; /* the same without rolls: the cut of the domain follows from it */
  const tsr_version_ref *version; /* NULL: the newest version */
  bool stale;                     /* the region has been renamed since (group.c) */
  tsr_box box;                    /* of the region: what is read, if not stale (group.c) */
} tsr_read;

typedef struct tsr_reads {
  tsr_read *v;
  int32_t n, capacity;
  int32_t n_again; /* ops that are recomputed for the reading op */
} tsr_reads;

/** Which values are recomputed where they are read. Written by recompute.c. */
typedef struct tsr_recompute {
  /* [n_regions of the program] the op that is recomputed, or -1: the region has memory, or its
   * value is forwarded within a group */
  int32_t *maker;
  tsr_version_ref *
      /* [n_ops] one entry per operand of a recomputed op (group.c); NULL for other ops */
      *versions;
  /* [n_ops] the write must rename, which leaves the old version to those who recompute from it */
  bool *must_rename;
  int32_t n_regions;
} tsr_recompute;

/** Decide which values are recomputed. The program's regions are in the plan already. */
void tsr__plan_recompute(tsr_plan *plan, const tsr_program *p);

/** Fill `out` with everything that is read for op `op`. */
void tsr__plan_reads(tsr_plan *plan, const tsr_program *p, int32_t op, tsr_reads *out);

/** Part `piece`, 0 or 1, of what a roll reads: the operand's view, moved along the axis and bounded
 * to one side of the seam. */
void tsr__roll_piece(const tsr_program_op *op, int piece, tsr_view *view);

/** The op that is recomputed wherever the region is read, or -1. */
int32_t tsr__recomputed_by(const tsr_plan *plan, int32_t region);

/** May a write of this box go to a new version? exact: every point of the box is written. */
bool tsr__may_rename(const tsr_plan *plan, int32_t region, const tsr_box *box, bool exact);

#endif
