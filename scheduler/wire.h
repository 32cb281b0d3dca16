/* What messages between ranks look like: a header, and a tag that both ends find. */
#ifndef TSR_WIRE_H
#define TSR_WIRE_H

#include "scheduler/state.h"

/** The first bytes of every message of a run. */
typedef struct tsr_header {
  uint64_t hash;  /* of the sender's op stream at this flush */
  int32_t status; /* not TSR_OK: the message is poisoned, and nothing follows the header */
  uint32_t tag;   /* the message's number among all of the program's, to compare */
} tsr_header;

/** Tags of data messages wrap around at this number: it is within what every MPI allows, and far
 * above the number of messages under way at once. */
#define TSR_N_TAGS (1u << 22)

/** The tag on the wire of message `number` of the program, between two places. */
static inline uint32_t tsr__wire_tag(const tsr_world *w, uint32_t number, int from, int to)
{
  const uint32_t n = (uint32_t)w->n_places;
  return number % (TSR_N_TAGS / (n * n)) * (n * n) + (uint32_t)from % n * n + (uint32_t)to % n;
}

#endif
