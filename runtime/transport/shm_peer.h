/* What a rank exchanges with one other rank of its node: a ring in each direction, the requests
 * that wait, and the messages that nobody has asked for yet. The caller of every function holds the
 * transport's lock, but where a function says otherwise. Private to runtime/transport. */
#ifndef TSR_SHM_PEER_H
#define TSR_SHM_PEER_H

#include "runtime/transport/segment.h"

/* Indices of tsr_request.impl. A request that is over points to itself there. */
enum { TSR_SHM_DATA = 0, TSR_SHM_NEXT = 1, TSR_SHM_OVER = 2, TSR_SHM_SENT = 3 };

/** A message that has come before its receive, or whose receive takes it in place. */
typedef struct tsr_shm_early {
  struct tsr_shm_early *next;
  uint32_t tag;
  size_t bytes; /* of the whole message */
  char *data;   /* in the ring, or owned */
} tsr_shm_early;

/** A long message that is coming in pieces. All zero: there is none. */
typedef struct tsr_shm_incoming {
  tsr_request *req;     /* takes it; NULL: nobody does yet */
  tsr_shm_early *early; /* what it began as when nobody took it; NULL: it had a receive */
  char *into;           /* NULL: it is too long for its receive, and is dropped */
  uint64_t came, total;
} tsr_shm_incoming;

/** What all peers of a rank add to. */
typedef struct tsr_shm_shared {
  tsr_transport *owner; /* the counters */
  unsigned n_over;      /* requests that ended; atomic, it may wrap around */
} tsr_shm_shared;

typedef struct tsr_shm_peer {
  tsr_shm_shared *shared;
  tsr_ring_writer out;
  tsr_ring_reader in;
  tsr_doorbell *doorbell;
  tsr_request *queued, *last_queued; /* sends that wait for space in the ring, in order */
  tsr_request *posted, *last_posted; /* receives with memory that wait, in order */
  /* messages that wait, in order; one that is still coming stays until a receive takes it */
  tsr_shm_early *first, *last;
  tsr_shm_early *unused; /* owned: cached, so that a steady exchange allocates nothing */
  tsr_shm_incoming incoming;
} tsr_shm_peer;

/** The peer `number` of the rank `own`, by their numbers on the node. */
tsr_shm_peer tsr__shm_peer(tsr_shm_shared *shared, const tsr_segment *segment, int own, int number);
/** Drop what nobody took. No request is active. */
void tsr__shm_peer_end(tsr_shm_peer *p);

/** Begin a request; any thread may call it without the lock. */
void tsr__shm_begin(tsr_request *req, bool is_send, int rank, uint32_t tag, const void *data,
                    size_t bytes);
/** Is the request over? Any thread may ask without the lock. */
static inline bool tsr__shm_is_over(const tsr_request *req)
{
  return __atomic_load_n(&req->impl[TSR_SHM_OVER], __ATOMIC_ACQUIRE) != NULL;
}
/** Does a receive leave its message in the ring? Asked before it is over. */
static inline bool tsr__shm_is_in_place(const tsr_request *req)
{
  return !req->is_send && req->impl[TSR_SHM_DATA] == NULL && req->bytes > 0;
}

/** Start a send that has begun: into the ring, or into the queue where that has no space. */
void tsr__shm_send(tsr_shm_peer *p, tsr_request *req);
/** Start a receive that has begun and has memory. */
void tsr__shm_receive(tsr_shm_peer *p, tsr_request *req);
/** Take in what has come, and put out what waits. Returns whether anything had come. */
bool tsr__shm_exchange(tsr_shm_peer *p);
/** Give a receive in place its message, if that has come. */
void tsr__shm_find(tsr_shm_peer *p, tsr_request *req);
/** Give back the message of a receive in place. */
void tsr__shm_give_back(tsr_shm_peer *p, void *data);

#endif
