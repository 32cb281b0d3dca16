/* What the files of runtime/machine share among themselves only. */
#ifndef TSR_RUNTIME_INT_H
#define TSR_RUNTIME_INT_H

#include "runtime/base/config.h"
#include "runtime/machine/machine.h"

/** The last step of tsr__topology_read, with and without hwloc. It fills memory_bytes (hwloc's sum
 * over NUMA nodes misses memory that was plugged in later), at most the control group's limit, and
 * available_bytes, at most what the group has left. It takes the group's CPU quota off n_cores;
 * cpus then becomes NULL, since a quota names no cores to bind to. system: the directory that holds
 * /proc and /sys; "" but in tests. */
void tsr__topology_apply_limits(tsr_topology *t, const char *system);

/** The node's cores that one process takes, as a half-open range of topology.cpus. */
typedef struct tsr_core_share {
  int first, n;        /* n >= 1 */
  bool known;          /* the range is this process's own, so that its threads may be bound to it */
  bool oversubscribed; /* there are more processes than cores */
  int per_core;        /* processes that share a core; 1 if none do */
} tsr_core_share;

/** Even shares by node rank. Where the launcher has bound its ranks to parts of the node, these
 * parts are respected: a process takes all of its part if the parts are apart, and an even number
 * of its cores (it is not known which) if ranks share it. */
tsr_core_share tsr__core_share(const tsr_topology *t, int node_rank, int node_size);

#endif
