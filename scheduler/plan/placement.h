/* Placement: clusters of groups that share memory, and what they cost on either side.
 *
 * Reads: accesses, buffers, agreed costs. Writes: plan->clusters, each group's placed. */
#ifndef TSR_PLAN_PLACEMENT_H
#define TSR_PLAN_PLACEMENT_H

#include "scheduler/plan/plan.h"

/** Groups that share memory, and that memory (placement.c). */
typedef struct tsr_cluster {
  double side_ns[TSR_N_SIDES]; /* that its groups take */
  bool is_devices;             /* the program wants some of it there */
  double cost_ns[TSR_N_SIDES]; /* of the run under way: with what has to be moved first */
  bool on_host;
} tsr_cluster;

/** Where a group may run, and what it takes there. Written by placement.c. */
typedef struct tsr_placed {
  bool is_hosts;   /* the program wants it on the host, or the device refuses it */
  bool is_refused; /* by the device */
  int32_t cluster; /* of the others; -1: it touches no memory */
  double side_ns[TSR_N_SIDES];
} tsr_placed;

/** Clusters, and what they cost on either side (placement.c). */
void tsr__plan_placement(tsr_plan *plan);

/** What a group touches, by i below n_touched: of each access its memory, and its gathered copy. -1:
 * none. */
int32_t tsr__n_touched(const tsr_group *g);
int32_t tsr__touched(const tsr_plan *plan, const tsr_group *g, int32_t i);

/** Does a group that only the host may run touch the buffer? */
bool tsr__is_hosts_only(const tsr_plan *plan, int32_t buffer);

/** Bytes of what groups that the device refuses touch, of the rank's places together. */
size_t tsr__refused_bytes(const tsr_plan *plan);

#endif
