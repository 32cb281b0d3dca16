/* Deep halos: several steps of a stencil between two exchanges.
 *
 * A place computes, beside its tile, points around it that the next steps need, and receives once
 * what would else come a row at a time, step by step.
 *
 * Reads: groups and their cuts, accesses and slots, the regions' layouts. Writes: each group's
 * margins `wide`, interval_end, and which loads are early; the regions' `wide`; plan->wide_copies,
 * plan->n_wide. Tells slots.c to widen parts, and to have copies with margins in place of
 * others. */
#ifndef TSR_PLAN_DEEPEN_H
#define TSR_PLAN_DEEPEN_H

#include "program/ghosts.h"
#include "scheduler/plan/plan.h"

/** The copy of what a rename leaves out, with margins around the tile: every place copies what it
 * needs. Made by deepen.c; transfers.c brings in what is missing of the source. */
typedef struct tsr_wide_copy {
  int32_t group, from,
      to;        /* as in tsr_plan_copy; to -1: it is only brought, by the group's messages */
  bool early;    /* the source is there when its interval begins */
  tsr_need need; /* its view is counted */
} tsr_wide_copy;

/** Do margins pay for the groups [first, end), an interval? The answer is the same on all ranks
 * (deepen_cost.c). */
bool tsr__margins_pay(const tsr_plan *plan, int32_t first, int32_t end);

/** Choose how wide the parts of groups are. All places choose alike, from layouts and views.
 * Whatever is chosen is right, since the ghosts' logs say what each place has (transfers.c). Cost:
 * some hundred nanoseconds per load. */
void tsr__plan_deepen(tsr_plan *plan);
/** Drop the views of the wide copies, once transfers.c has used them. */
void tsr__plan_deepen_end(tsr_plan *plan);

#endif
