/* The memory that the ranks of a node share: a doorbell for each rank, and a ring from each to
 * each. Private to runtime/transport. */
#ifndef TSR_SEGMENT_H
#define TSR_SEGMENT_H

#include "runtime/transport/doorbell.h"
#include "runtime/transport/ring.h"
#include "runtime/transport/transport.h"

typedef struct tsr_segment {
  void *base;
  size_t bytes;
  int n;             /* ranks that share it */
  size_t capacity;   /* of a ring */
  atomic_int *users; /* memory of this process: the threads that use it; NULL: it is mapped */
} tsr_segment;

/** A segment of the process's own memory for n ranks that are its threads. */
tsr_segment tsr__segment_in_process(int n);
/** A segment in POSIX shared memory for the ranks of each node. Collective over t. A node with one
 * rank needs none. *error: the errno of the rank that could not have it, or 0: of the ranks of this
 * node or, if `anywhere`, of all nodes. out->base is NULL on all ranks of a node without a
 * segment. */
tsr_status tsr__segment_on_node(tsr_transport *t, tsr_segment *out, bool anywhere, int *error);
/** The last user of a segment of the process frees it, each user of a mapped one its mapping. */
void tsr__segment_close(tsr_segment *segment);

tsr_doorbell *tsr__segment_doorbell(const tsr_segment *segment, int rank);
/** The shared memory of the ring between two ranks, by their numbers on the node. */
void *tsr__segment_ring(const tsr_segment *segment, int from, int to);

#endif
