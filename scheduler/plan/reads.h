/* Reads: how the domain of each op leads to what is read for it, through recomputed values.
 *
 * Views are composed here and nowhere else in planning: group.c places an op by its reads, and
 * lower.c lowers the very operands that these are the leaves of.
 *
 * Reads: ops and views, plan->recompute. Writes: plan->reads. */
#ifndef TSR_PLAN_READS_H
#define TSR_PLAN_READS_H

#include "scheduler/plan/recompute.h"

/** A piecewise view: one view, or several bounded ones, each with a box of the index space. */
typedef struct tsr_pieces {
  int32_t n;
  tsr_view_ref *const *view; /* [n] borrowed from an op, or owned by plan->reads */
} tsr_pieces;

/** A value that an op which is computed in a group takes. */
typedef struct tsr_plan_operand {
  int32_t region;           /* plan region; -1: a scalar */
  tsr_pieces by;            /* domain of the group -> region */
  const tsr_view *cut_view; /* the pieces as one view: the cut of the domain follows from it */
  const tsr_version_ref *version;   /* NULL: the newest version */
  const struct tsr_computed *again; /* the operand is computed again; NULL: it lies in memory */
} tsr_plan_operand;

/** An op that is computed in a group, for its own sake or again for a reader. */
typedef struct tsr_computed {
  int32_t op;           /* number in the program */
  tsr_plan_operand *in; /* [tsr__program_n_values of the op] */
} tsr_computed;

/** One view by which memory is read for an op. Written by reads.c where no other file is named. */
typedef struct tsr_plan_read {
  int32_t region;                 /* plan region */
  const tsr_view *view;           /* domain -> region; bounded if it is one of a piecewise view */
  const tsr_view *cut_view;       /* as in the operand */
  const tsr_version_ref *version; /* NULL: the newest version */
  bool stale;                     /* the region has been renamed since (group.c) */
  tsr_box box;                    /* of the region: what is read, if not stale (group.c) */
} tsr_plan_read;

/** What is read for one op: by the op itself, or to compute its operands again. */
typedef struct tsr_reads {
  tsr_computed computed; /* the op */
  tsr_plan_read *v;      /* [n] the views of all operands that lie in memory, each once */
  int32_t n, capacity;
  int32_t n_again; /* ops that are computed again for it; of a fold, also what combines elements */
} tsr_reads;

/** What all ops of a program read. It lies in the plan's scratch, but for the composed views. */
typedef struct tsr_all_reads {
  tsr_reads *of;           /* [n_ops] zero for ops that no group computes */
  tsr_view_ref **composed; /* [n_composed] counted */
  int32_t n_composed, capacity;
} tsr_all_reads;

/** Find what each op reads that runs and is not recomputed by its readers. */
void tsr__plan_reads(tsr_plan *plan, const tsr_program *program);
/** Drop the composed views, once accesses have taken those that they need. */
void tsr__plan_reads_end(tsr_plan *plan);

#endif
