/* The ends of reductions: their partial results become results. */
#ifndef TSR_RUN_REDUCE_H
#define TSR_RUN_REDUCE_H

#include "scheduler/run/run_int.h"

/** Has the group reductions, few, each of which one chunk on this place computes, so that none needs
 * partial results? */
bool tsr__reductions_are_whole(const tsr_plan *plan, int32_t group);
/** Run a chunk that has all points which the group's reductions reduce, on the host in a lane, and
 * store what they come to. */
void tsr__reductions_run_whole(tsr_run *run, int32_t group, const tsr_box *chunk, int worker);
/** Merge the partials of all lanes into the run's total. */
void tsr__reduction_merge(tsr_run *run, int32_t reduction);
/** Store this place's part of a reduction's result in its slot. values: dense over it. */
void tsr__reduction_store(tsr_run *run, const tsr_plan_reduction *r, const void *values);
/** Store what was reduced here and send it on: the partials up, or the result down. False: the
 * result comes from above, and is still to be sent down. */
bool tsr__reduction_finish(tsr_run *run, int32_t reduction);
/** Send the result to the places below. values: as for tsr__reduction_store. */
void tsr__reduction_send_down(tsr_run *run, int32_t reduction, const void *values);
/** Bytes of the result, dense. */
size_t tsr__reduction_result_bytes(const tsr_plan_reduction *r);

#endif
