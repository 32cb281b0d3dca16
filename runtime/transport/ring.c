/* Rings of messages (ring.h).
 *
 * No shared count says how far the writer is: each record's header has a word that is zero until
 * the record is published, so that a small message is one cache line that goes from core to core.
 * The header behind the last reserved record is therefore always zero, and belongs to the writer.
 * A record that would reach over the end of the ring begins at its beginning, and the rest of the
 * ring becomes a record without a message. */
#include "runtime/transport/ring.h"

#include <string.h>

#include "runtime/base/alloc.h"
#include "runtime/base/error.h"

enum { UNIT = 64 }; /* records begin at multiples of a cache line */

typedef enum record_state {
  STATE_EMPTY,     /* the writer's: not published yet */
  STATE_PUBLISHED, /* the reader's */
  STATE_SKIPPED,   /* published, without a message */
  STATE_DONE       /* given back, behind records that are not */
} record_state;

typedef struct header {
  atomic_uint state; /* record_state */
  uint32_t tag;
  uint32_t bytes; /* of the message in this record */
  uint32_t span;  /* of the record in the ring, this header included */
  uint64_t total;
  uint64_t unused;
} header;
_Static_assert(sizeof(header) == 32, "a small message and its header are one cache line");

static header *header_at(char *bytes, size_t capacity, uint64_t at)
{
  return (header *)(bytes + at % capacity);
}

static header *header_of(char *data)
{
  return (header *)(data - sizeof(header));
}

size_t tsr__ring_size(size_t capacity)
{
  TSR_ASSERT(capacity % UNIT == 0);
  return sizeof(tsr_ring) + capacity;
}

size_t tsr__ring_most(size_t capacity)
{
  return capacity / 4 - sizeof(header);
}

tsr_ring_writer tsr__ring_writer(void *shared, size_t capacity)
{
  return (tsr_ring_writer){
      .ring = shared, .bytes = (char *)shared + sizeof(tsr_ring), .capacity = capacity};
}

tsr_ring_reader tsr__ring_reader(void *shared, size_t capacity)
{
  return (tsr_ring_reader){
      .ring = shared, .bytes = (char *)shared + sizeof(tsr_ring), .capacity = capacity};
}

/* Are there so many bytes, and a header behind them? */
static bool has_free(tsr_ring_writer *w, size_t bytes)
{
  const size_t needed = bytes + UNIT;
  if (w->capacity - (size_t)(w->at - w->given_back) >= needed) return true;
  w->given_back = atomic_load_explicit(&w->ring->given_back, memory_order_acquire);
  return w->capacity - (size_t)(w->at - w->given_back) >= needed;
}

char *tsr__ring_reserve(tsr_ring_writer *w, size_t bytes)
{
  TSR_ASSERT(bytes <= tsr__ring_most(w->capacity));
  const size_t span = tsr__round_up(sizeof(header) + bytes, UNIT);
  const size_t to_end = w->capacity - (size_t)(w->at % w->capacity);
  const size_t skipped = span > to_end ? to_end : 0;
  if (!has_free(w, skipped + span)) return NULL;
  header *first = header_at(w->bytes, w->capacity, w->at);
  header *mine = header_at(w->bytes, w->capacity, w->at + skipped);
  header *next = header_at(w->bytes, w->capacity, w->at + skipped + span);
  atomic_store_explicit(&next->state, STATE_EMPTY, memory_order_relaxed);
  if (skipped > 0) {
    atomic_store_explicit(&mine->state, STATE_EMPTY, memory_order_relaxed);
    first->span = (uint32_t)skipped;
    atomic_store_explicit(&first->state, STATE_SKIPPED, memory_order_release);
  }
  mine->span = (uint32_t)span;
  w->at += skipped + span;
  return (char *)(mine + 1);
}

void tsr__ring_publish(char *data, uint32_t tag, size_t bytes, uint64_t total)
{
  header *h = header_of(data);
  TSR_ASSERT(sizeof *h + bytes <= h->span);
  h->tag = tag;
  h->bytes = (uint32_t)bytes;
  h->total = total;
  atomic_store_explicit(&h->state, STATE_PUBLISHED, memory_order_release);
}

bool tsr__ring_holds(const char *bytes, size_t capacity, const void *data)
{
  return (uintptr_t)data - (uintptr_t)bytes < capacity;
}

bool tsr__ring_next(tsr_ring_reader *r, tsr_ring_record *out)
{
  for (;;) {
    header *h = header_at(r->bytes, r->capacity, r->at);
    const unsigned state = atomic_load_explicit(&h->state, memory_order_acquire);
    if (state == STATE_EMPTY) return false;
    TSR_ASSERT(state == STATE_PUBLISHED || state == STATE_SKIPPED);
    r->at += h->span;
    if (state == STATE_SKIPPED) continue;
    *out = (tsr_ring_record){
        .tag = h->tag, .bytes = h->bytes, .total = h->total, .data = (char *)(h + 1)};
    return true;
  }
}

bool tsr__ring_give_back(tsr_ring_reader *r, char *data)
{
  const uint64_t before = r->given_back;
  atomic_store_explicit(&header_of(data)->state, STATE_DONE, memory_order_relaxed);
  while (r->given_back < r->at) {
    const header *h = header_at(r->bytes, r->capacity, r->given_back);
    const unsigned state = atomic_load_explicit(&h->state, memory_order_relaxed);
    if (state == STATE_PUBLISHED) break;
    r->given_back += h->span;
  }
  if (r->given_back == before) return false;
  atomic_store(&r->ring->given_back, r->given_back);
  return atomic_load(&r->ring->wanted) != 0 && atomic_exchange(&r->ring->wanted, 0) != 0;
}
