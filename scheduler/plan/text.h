/* A plan as text. */
#ifndef TSR_PLAN_TEXT_H
#define TSR_PLAN_TEXT_H

#include "scheduler/plan/plan.h"

/** Text of a plan, peers and boxes relative to its place, so that interior ranks read alike.
 * malloc'd. */
char *tsr__plan_text(const tsr_plan *plan);

/** The same as a Graphviz graph of tasks. malloc'd. */
char *tsr__plan_dot(const tsr_plan *plan);
char *tsr__groups_text(const tsr_plan *plan, const tsr_window *w);

#endif
