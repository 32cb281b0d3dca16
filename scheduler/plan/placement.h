/* Placement: clusters of groups that share memory, and what they cost on the host and on a device.
 *
 * Reads: accesses, buffers, agreed costs. Writes: plan->clusters, plan->cluster_of,
 * plan->any_hosts, each group's placed. */
#ifndef TSR_PLAN_PLACEMENT_H
#define TSR_PLAN_PLACEMENT_H

#include "scheduler/plan/plan.h"

/** A cluster: groups that share memory, together with that memory. It runs on one side as a whole.
 * Written by placement.c. */
typedef struct tsr_cluster {
  double side_ns[TSR_N_SIDES]; /* per side: what its groups take there */
  bool is_devices;             /* the program wants some of its groups on a device */
} tsr_cluster;

/** Where a group may run, and what it takes there. Written by placement.c. */
typedef struct tsr_placed {
  bool is_hosts;   /* only the host may run it: the program wants that, or the device refuses it */
  bool is_refused; /* the device refuses it */
  int32_t cluster; /* its cluster if it is not is_hosts; -1: it touches no memory */
  double side_ns[TSR_N_SIDES]; /* per side */
} tsr_placed;

/** Form the clusters, and estimate what every group and cluster takes on either side. */
void tsr__plan_placement(tsr_plan *plan);

/** The buffers that a group touches, i in [0, n_touched): for each access its memory and its
 * gathered copy. -1: there is none. */
int32_t tsr__n_touched(const tsr_group *g);
int32_t tsr__touched(const tsr_plan *plan, const tsr_group *g, int32_t i);

/** Does a device that runs no C run the group's chunks by launches, if there is code for them? So
 * it runs kernels that have a text, with the reductions that can go up their trees there, products
 * of matrices, and users' tasks with CUDA C that compiles, which it waits for. Devices that run C
 * launch nothing in this sense. */
bool tsr__is_launched(const tsr_plan *plan, const tsr_group *g);

/** Is the buffer touched by a group that only the host may run? */
bool tsr__is_hosts_only(const tsr_plan *plan, int32_t buffer);

/** Bytes of the memory that groups touch which the device refuses, of all places of this rank. */
size_t tsr__refused_bytes(const tsr_plan *plan);

#endif
