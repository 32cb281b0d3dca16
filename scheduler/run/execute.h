/* Running bound plans, and what a rank sends that cannot run its own. */
#ifndef TSR_RUN_EXECUTE_H
#define TSR_RUN_EXECUTE_H

#include "scheduler/run/bind.h"

/** What every message between ranks begins with. */
typedef struct tsr_header {
  uint64_t hash;  /* of the sender's op stream at this flush */
  int32_t status; /* not TSR_OK: poisoned, no payload */
  uint32_t tag;
} tsr_header;

/** Tags of data messages wrap around here: within what every MPI allows, far above what is under
 * way at once. */
#define TSR_N_TAGS (1u << 22)
/** The tag on the wire of message `number` from a place to a place. */
uint32_t tsr__wire_tag(const tsr_world *w, uint32_t number, int from, int to);

/** Run all tasks of the plans of this rank's places; returns the first failure met (a poisoned or
 * diverged message). */
tsr_status tsr__execute(tsr_plan *plan, const tsr_binding *bindings);

/** Send all that the plans of this rank's places owe, poisoned, and take what they are sent. */
void tsr__execute_poisoned(tsr_plan *plan, uint32_t tag_base, tsr_status status);

#endif
