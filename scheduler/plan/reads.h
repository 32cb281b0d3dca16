/* Reads: which values are computed again where they are read, and what an op reads then.
 *
 * Reads: ops, views and liveness. Writes: plan->recompute, plan->n_recomputed. */
#ifndef TSR_PLAN_READS_H
#define TSR_PLAN_READS_H

#include "scheduler/state.h"

typedef struct tsr_plan tsr_plan;

/** Which values an operand of a recomputed op has: those that it had where the op stands in the
 * program. */
typedef struct tsr_version_ref {
  int32_t version; /* renames of the region before */
  int32_t after;   /* first group after all writes that the op sees */
} tsr_version_ref;

/** What is read of a region for one op, directly or to recompute one of its operands. */
typedef struct tsr_read {
  int32_t region;
  const tsr_view *view;           /* domain -> region; borrowed, or in the plan's arena */
  const tsr_view *cut_view;       /* that by which a cut follows from the region's: without rolls */
  const tsr_version_ref *version; /* NULL: the region as it stands */
  bool partial; /* only where the domain meets `within`: elsewhere it leads nowhere */
  tsr_box within;
  bool stale;  /* the region has been renamed since: group.c */
  tsr_box box; /* what is read, if not stale: group.c */
} tsr_read;

typedef struct tsr_reads {
  tsr_read *v;
  int32_t n, capacity;
  int32_t n_again; /* ops that are computed again for it */
} tsr_reads;

/** Which values are recomputed where they are read (recompute.c). */
typedef struct tsr_recompute {
  int32_t *maker; /* [n_regions of the window] the op that is computed again, or -1: it has memory
                     or is forwarded */
  tsr_version_ref *
      *versions;     /* [n_ops] of ops that are computed again, one per operand (group.c); NULL */
  bool *must_rename; /* [n_ops] its write must leave the old version to those who recompute */
  int32_t n_regions;
} tsr_recompute;

/** Decide which values are recomputed; the window's regions are in the plan. */
void tsr__plan_recompute(tsr_plan *plan, const tsr_window *w, const tsr_selection *sel);

/** All that is read for an op (recompute.c). */
void tsr__plan_reads(tsr_plan *plan, const tsr_window *w, int32_t op, tsr_reads *out);

/** Part `piece`, 0 or 1, of what a roll reads: the box of its index space, and the view there,
 * which is the operand's moved along the axis (recompute.c). */
void tsr__roll_piece(const tsr_op *op, int piece, tsr_box *box, tsr_view *view);

/** The domain where a view leads into the box, of what lies `within`; false: nowhere. */
bool tsr__within(const tsr_view *outer, const tsr_box *box, bool partial, const tsr_box *within,
                 tsr_box *out);

/** The op that computes the region again wherever it is read, or -1. */
int32_t tsr__recomputed_by(const tsr_plan *plan, int32_t region);

/** May a write of this box go to a fresh buffer? exact: the box holds only points written. */
bool tsr__may_rename(const tsr_plan *plan, int32_t region, const tsr_box *box, bool exact);

#endif
