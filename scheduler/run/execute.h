/* Running bound plans. */
#ifndef TSR_RUN_EXECUTE_H
#define TSR_RUN_EXECUTE_H

#include "scheduler/run/bind.h"

/** The first bytes of every message between ranks. */
typedef struct tsr_header {
  uint64_t hash;  /* of the sender's op stream at this flush */
  int32_t status; /* not TSR_OK: the message is poisoned, and nothing follows the header */
  uint32_t tag;   /* as tsr__wire_tag gives it, to compare */
} tsr_header;

/** Tags of data messages wrap around at this number: it is within what every MPI allows, and far
 * above the number of messages under way at once. */
#define TSR_N_TAGS (1u << 22)
/** The tag on the wire of message `number` of the program, between two places. */
uint32_t tsr__wire_tag(const tsr_world *w, uint32_t number, int from, int to);

/** Run all tasks of the plans of this rank's places. bindings: one per place. Waits for them.
 *
 * status: TSR_OK, or why this rank cannot run the plans, whose bindings are empty then. From a
 * failure on, whether it is that one or comes up in the run, chunks, copies and reductions do
 * nothing; what the plans send are headers with the status alone, and what they receive is dropped.
 * So no rank waits, and the others hear of it.
 *
 * Returns `status`, or the first failure met, such as a poisoned message. */
tsr_status tsr__execute(tsr_plan *plan, const tsr_binding *bindings, tsr_status status);

#endif
