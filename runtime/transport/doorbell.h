/* Doorbells: how a rank sleeps until another rank of its node has something for it. A doorbell is a
 * word in memory that the ranks share. Private to runtime/transport. */
#ifndef TSR_DOORBELL_H
#define TSR_DOORBELL_H

#include "tessera/base.h"

#include <stdatomic.h>
#include <stdbool.h>

/** One rank's doorbell, in a cache line of its own. All bytes zero: a doorbell that never rang, to
 * which nobody listens. */
typedef struct tsr_doorbell {
  _Alignas(64) atomic_uint rings;
  atomic_uint sleepers;
  atomic_bool listens; /* the owner waits for rings */
} tsr_doorbell;

/** Say whether the owner of the doorbell waits for rings. Until it says so, the doorbell does not
 * ring. */
static inline void tsr__doorbell_listen(tsr_doorbell *doorbell, bool listens)
{
  atomic_store(&doorbell->listens, listens);
}
/** Ring another rank's doorbell, behind what it is to find. */
void tsr__doorbell_ring(tsr_doorbell *doorbell);
/** The number of rings. Whoever looks for news reads it first. */
static inline unsigned tsr__doorbell_rings(const tsr_doorbell *doorbell)
{
  return atomic_load_explicit(&((tsr_doorbell *)doorbell)->rings, memory_order_acquire);
}
/** Sleep until the doorbell rings, unless it has rung since it had rung `heard` times, or until the
 * time is over. It may return early. */
void tsr__doorbell_sleep(tsr_doorbell *doorbell, unsigned heard, int64_t most_ns);

#endif
