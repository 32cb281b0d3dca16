/* A plan as text, for dumps and golden tests. */
#ifndef TSR_PLAN_TEXT_H
#define TSR_PLAN_TEXT_H

#include "scheduler/plan/plan.h"

/** The text of a plan. Peers and boxes are relative to its place, so that interior ranks read
 * alike. malloc'd. */
char *tsr__plan_text(const tsr_plan *plan);
/** The numbers of a plan that tsr__plan_text leaves out: where accesses begin and how they move,
 * the trees of reductions, bytes, chunks. malloc'd. Two plans of one window have the same. */
char *tsr__plan_numbers(const tsr_plan *plan);

/** The chains: which groups go tile by tile, by which lines of the program, and what ended each.
 * malloc'd. Only while the plan's window is there. */
char *tsr__chains_text(const tsr_plan *plan);

/** The plan's tasks as a Graphviz graph. malloc'd. */
char *tsr__plan_dot(const tsr_plan *plan);
/** The groups with their ops, as they are before lowering. malloc'd. */
char *tsr__groups_text(const tsr_plan *plan, const tsr_program *p);

#endif
