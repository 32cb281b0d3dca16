/* The transport `shm`: the ranks of a node send each other messages through memory that they
 * share. Private to runtime/transport, and to what opens transports. */
#ifndef TSR_TRANSPORT_SHM_H
#define TSR_TRANSPORT_SHM_H

#include "runtime/transport/transport.h"

/** Let the ranks of each node exchange messages in shared memory; *t, which stays the way to other
 * nodes, becomes the new transport's own. Collective. Where a node's ranks cannot share memory,
 * they keep what they have, and message says why, with TSR_OK; with must, all ranks of all nodes
 * get TSR_ERR_MPI then. TSR_ERR_MPI also if the ranks could not agree. *t is there in any case. */
tsr_status tsr__transport_shm(tsr_transport **t, bool must, char *message, size_t size);

/** Let the `n` ends of a local transport exchange messages in the memory that their ranks share.
 * crowded: there are more of them than cores. */
void tsr__transport_shm_threads(int n, bool crowded, tsr_transport **ends);

#endif
