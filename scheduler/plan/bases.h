/* Bases: where each access begins and how it moves in memory.
 *
 * Reads: accesses, the slots' shapes. Writes: each access's origin, each group's strides. */
#ifndef TSR_PLAN_BASES_H
#define TSR_PLAN_BASES_H

#include "scheduler/plan/plan.h"

void tsr__plan_bases(tsr_plan *plan);

#endif
