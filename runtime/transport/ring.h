/* A ring of messages from one rank to another, in memory that both share. The writer puts records
 * behind one another, and the reader takes them in that order and gives them back in any. A record
 * is a header and its bytes, which lie in one piece, so that values can be packed straight into it
 * and unpacked straight out of it. Private to runtime/transport. */
#ifndef TSR_RING_H
#define TSR_RING_H

#include "tessera/base.h"

#include <stdatomic.h>

/** The shared part, in front of the ring's bytes. All bytes zero: an empty ring. */
typedef struct tsr_ring {
  /* bytes that the reader has given back since the beginning; the reader writes it */
  _Alignas(64) _Atomic(uint64_t) given_back;
  /* the writer waits for the reader to give some back; the reader takes it down */
  _Alignas(64) atomic_uint wanted;
} tsr_ring;

/** The writer's part, in its own memory. */
typedef struct tsr_ring_writer {
  tsr_ring *ring;
  char *bytes;
  size_t capacity;
  uint64_t at;         /* bytes written since the beginning */
  uint64_t given_back; /* of the ring's, when it was last looked at */
} tsr_ring_writer;

/** The reader's part, in its own memory. */
typedef struct tsr_ring_reader {
  tsr_ring *ring;
  char *bytes;
  size_t capacity;
  uint64_t at;         /* bytes that next() has passed */
  uint64_t given_back; /* the ring's; the reader alone changes it */
} tsr_ring_reader;

/** What a record says of its message. A message longer than most records is several in a row. */
typedef struct tsr_ring_record {
  uint32_t tag;
  size_t bytes;   /* in this record */
  uint64_t total; /* of the whole message */
  char *data;
} tsr_ring_record;

/** Bytes of shared memory for a ring of `capacity` bytes, a multiple of 64. */
size_t tsr__ring_size(size_t capacity);
tsr_ring_writer tsr__ring_writer(void *shared, size_t capacity);
tsr_ring_reader tsr__ring_reader(void *shared, size_t capacity);
/** The largest record: several fit, so that writer and reader need not take turns. */
size_t tsr__ring_most(size_t capacity);

/** Memory for a record of up to `bytes`, at most tsr__ring_most(); NULL: the reader must give some
 * back first. It is aligned to 32 bytes. Records are read in the order of their reservations. */
char *tsr__ring_reserve(tsr_ring_writer *w, size_t bytes);
/** Let the reader see a record that was reserved; any thread of the writer may call it. */
void tsr__ring_publish(char *data, uint32_t tag, size_t bytes, uint64_t total);
/** Is the pointer a record's? */
bool tsr__ring_holds(const char *bytes, size_t capacity, const void *data);

/** The next record that the writer has published. False: there is none yet. */
bool tsr__ring_next(tsr_ring_reader *r, tsr_ring_record *out);
/** Give a record back. Returns whether the writer waits for memory. */
bool tsr__ring_give_back(tsr_ring_reader *r, char *data);

#endif
