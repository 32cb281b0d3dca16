/* Bases: where each access begins in memory and how it moves there.
 *
 * Reads: accesses, the slots' shapes. Writes: each access's origin, each group's strides. */
#ifndef TSR_PLAN_BASES_H
#define TSR_PLAN_BASES_H

#include "scheduler/plan/plan.h"

/** Fill in the origins and strides of all accesses, so that running a chunk is a few additions per
 * access. Runs after buffers, which fix the shapes of slots. */
void tsr__plan_bases(tsr_plan *plan);

#endif
