/* Time tiling: consecutive groups that read each other's results at small distances become one
 * chain, which goes through them tile by tile while the tile is in a core's cache.
 *
 * Reads: accesses, part, footprint, slots and their buffers, copies, messages. Writes: a chain of
 * several groups, and of these groups what their footprints say of memory. */
#ifndef TSR_PLAN_TILING_H
#define TSR_PLAN_TILING_H

#include "scheduler/plan/plan.h"

/** Make a chain of the groups from `first` on, if it pays, or if TESSERA_TIME_STEPS asks for it.
 * Returns how many groups are in it; 0: none, and the chain is as it was. *n_seen: the groups from
 * `first` on that were looked at, none of which begins a chain that pays if there is none. A local choice: no
 * result and no message depends on it. Cost: quadratic in the groups of a chain, some 20 ns a
 * pair. */
int32_t tsr__tile_time(tsr_plan *plan, int32_t first, tsr_chain *chain, int32_t *n_seen);

#endif
