/* Doorbells: how a rank sleeps until another rank of its node has something for it. A bell is a
 * word in memory that the ranks share. Private to runtime/transport. */
#ifndef TSR_BELL_H
#define TSR_BELL_H

#include "tessera/base.h"

#include <stdatomic.h>
#include <stdbool.h>

/** One rank's bell, in a cache line of its own. All bytes zero: a bell that never rang, to which
 * nobody listens. */
typedef struct tsr_bell {
  _Alignas(64) atomic_uint rings;
  atomic_uint sleepers;
  atomic_bool listens; /* the owner waits for rings */
} tsr_bell;

/** Say whether the owner of the bell waits for rings. Until it says so, the bell does not ring. */
static inline void tsr__bell_listen(tsr_bell *bell, bool listens)
{
  atomic_store(&bell->listens, listens);
}
/** Ring another rank's bell, behind what it is to find. */
void tsr__bell_ring(tsr_bell *bell);
/** The number of rings. Whoever looks for news reads it first. */
static inline unsigned tsr__bell_rings(const tsr_bell *bell)
{
  return atomic_load_explicit(&((tsr_bell *)bell)->rings, memory_order_acquire);
}
/** Sleep until the bell rings, unless it has rung since it had rung `heard` times, or until the
 * time is over. It may return early. */
void tsr__bell_sleep(tsr_bell *bell, unsigned heard, int64_t most_ns);

#endif
