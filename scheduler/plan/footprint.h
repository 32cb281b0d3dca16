/* Footprints: how what a group touches stands to the caches.
 *
 * Reads: accesses, a box of the group's part, slots' buffers. Writes: each group's footprint. */
#ifndef TSR_PLAN_FOOTPRINT_H
#define TSR_PLAN_FOOTPRINT_H

#include "scheduler/plan/plan.h"

/** How what a group touches stands to the caches. Written by footprint.c. */
typedef struct tsr_footprint {
  /* bit a < 64: what the kernel's access a stores is larger than the caches, and may bypass them */
  uint64_t stream_store_mask;
  bool from_memory; /* the group touches more memory than the caches keep */
  /* bytes of memory that a point takes, each array counted once; >= 1 */
  int64_t point_bytes;
  int64_t cached_bytes; /* the same without the stores that may bypass the caches */
  /* bytes that pass between memory and caches per point, if every point has cache lines of its own,
   * as the points of a column have; else 0 */
  int64_t line_bytes;
} tsr_footprint;

/** The bytes of memory that a point of the group takes, each array counted once. */
int64_t tsr__point_bytes(const tsr_group *g);

/** Find the group's footprint. box: what the group runs at once, its part or the first block of
 * it. */
void tsr__plan_footprint(const tsr_plan *plan, tsr_group *g, const tsr_box *box);

/** Find the footprint of a group of a plan that is resized: of the box only the number of points
 * counts. */
void tsr__resize_footprint(const tsr_plan *plan, tsr_group *g, const tsr_box *box);

/** The group is a step of a chain that is tiled over time: its stores are read by the next step
 * while they are in a cache, and so is what it loads, but for the first one's. */
void tsr__chain_footprint(tsr_group *g, bool is_first);

/** Lets the group's stores stay in the caches where the chunks of `reader`, which run soon after
 * those of the group, load at each point what was stored there. */
void tsr__read_at_once(const tsr_plan *plan, tsr_group *g, const tsr_group *reader);

/** How far apart the group's loads of one array lie along an axis of the domain, in its indices;
 * loads from beyond the end of an axis do not count. */
int64_t tsr__reach_along(const tsr_group *g, int axis);

/** The box that the group touches over a piece of its domain by access i and by later accesses of
 * the same slot and kind, as long as one box holds little else: displaced loads are joined,
 * opposite borders are not. number_of: [accesses] less than 0 where an access has no box yet;
 * `number` is written for those that this box serves. */
tsr_box tsr__joined_box(const tsr_group *g, int32_t i, const tsr_box *piece, int32_t number,
                        int32_t *number_of);

#endif
