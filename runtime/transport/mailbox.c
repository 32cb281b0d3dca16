/* A mailbox: messages that arrived before their receive, and receives that were posted before their
 * message, each in a queue per hash of (sender, tag), in order.
 *
 * A waiting receive is the caller's own tsr_request, linked through impl[]. A waiting message is a
 * node of a free list that keeps its buffer, so that a steady exchange allocates nothing.
 *
 * Locks: one mutex per box guards queues, free list and turn. Bytes are copied outside it, since a
 * matched pair belongs to the thread that matched it. The thread that completes a request stores
 * impl[DONE] last, with release; test() reads it with acquire, without the lock.
 *
 * Seeded: nothing is matched at send or recv, but only in test(), one turn each, once the message
 * is due. */
#include "runtime/transport/mailbox.h"
#include "runtime/base/alloc.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

enum { DATA = 0, NEXT = 1, DONE = 2 }; /* indices of tsr_request.impl */
enum { N_BUCKETS = 32 };

/* A buffer larger than this is given back instead of cached with its node. */
static const size_t keep_bytes = (size_t)1 << 20;

/* There are spare nodes for messages up to this size. */
static const size_t spare_bytes = (size_t)1 << 14;
enum { N_SPARE = 8 };

typedef struct mail {
  struct mail *next;
  int from;
  uint32_t tag;
  size_t bytes;
  const void *data; /* points to `own`, or to the sender's own memory */
  void *own;        /* owned; `capacity` bytes */
  size_t capacity;
  tsr_request *sender; /* completed by the receive; NULL: it is complete already */
  uint64_t due;        /* the receiver's turn from which on the message may be received */
} mail;

typedef struct bucket {
  mail *first, *last;                /* messages without a receive */
  tsr_request *posted, *last_posted; /* receives without a message */
} bucket;

struct tsr_mailbox {
  pthread_mutex_t lock;
  bucket buckets[N_BUCKETS];
  mail *unused;
  size_t unused_bytes; /* bytes that unused nodes have space for; at most spare_bytes */
  int owner;           /* the owner's rank */
  bool seeded;
  uint64_t turn, rng; /* seeded: calls of test so far; state of the random numbers */
};

uint64_t tsr__random_next(uint64_t *state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static bucket *bucket_of(tsr_mailbox *box, int peer, uint32_t tag)
{
  uint32_t h = ((uint32_t)peer * 0x9e3779b1u) ^ (tag * 0x85ebca6bu);
  return &box->buckets[(h >> 16) % N_BUCKETS];
}

tsr_mailbox *tsr__mailbox_create(int owner, uint64_t seed)
{
  tsr_mailbox *box = tsr__calloc(1, sizeof *box);
  pthread_mutex_init(&box->lock, NULL);
  box->owner = owner;
  box->seeded = seed != 0;
  box->rng = seed + (uint64_t)owner; /* neighbours' sequences differ from their first number on */
  return box;
}

static void mail_free_list(mail *m)
{
  while (m) {
    mail *next = m->next;
    free(m->own);
    free(m);
    m = next;
  }
}

void tsr__mailbox_destroy(tsr_mailbox *box)
{
  if (!box) return;
  for (int b = 0; b < N_BUCKETS; b++) mail_free_list(box->buckets[b].first);
  mail_free_list(box->unused);
  pthread_mutex_destroy(&box->lock);
  free(box);
}

static tsr_request *request_next(const tsr_request *req)
{
  return req->impl[NEXT];
}

static void request_begin(tsr_request *req, bool is_send, int peer, uint32_t tag, const void *data,
                          size_t bytes)
{
  *req =
      (tsr_request){.active = true, .is_send = is_send, .peer = peer, .tag = tag, .bytes = bytes};
  req->impl[DATA] = (void *)data;
}

static void request_complete(tsr_request *req, tsr_status status)
{
  req->status = status;
  __atomic_store_n(&req->impl[DONE], (void *)req, __ATOMIC_RELEASE);
}

/* Hands a message to its receive. */
static void receive(tsr_request *req, const void *data, size_t bytes)
{
  tsr_status status = bytes > req->bytes ? TSR_ERR_MPI : TSR_OK;
  if (bytes < req->bytes) req->bytes = bytes;
  if (req->bytes) memcpy(req->impl[DATA], data, req->bytes);
  request_complete(req, status);
}

static tsr_request *posted_find(bucket *b, int peer, uint32_t tag, tsr_request **before)
{
  *before = NULL;
  tsr_request *req = b->posted;
  for (; req && (req->peer != peer || req->tag != tag); req = request_next(req)) *before = req;
  return req;
}

static void posted_unlink(bucket *b, tsr_request *req, tsr_request *before)
{
  if (before)
    before->impl[NEXT] = req->impl[NEXT];
  else
    b->posted = request_next(req);
  if (b->last_posted == req) b->last_posted = before;
}

static void posted_append(bucket *b, tsr_request *req)
{
  req->impl[NEXT] = NULL;
  if (b->last_posted)
    b->last_posted->impl[NEXT] = req;
  else
    b->posted = req;
  b->last_posted = req;
}

static mail *mail_find(bucket *b, int from, uint32_t tag, mail **before)
{
  *before = NULL;
  mail *m = b->first;
  for (; m && (m->from != from || m->tag != tag); m = m->next) *before = m;
  return m;
}

static void mail_unlink(bucket *b, mail *m, mail *before)
{
  if (before)
    before->next = m->next;
  else
    b->first = m->next;
  if (b->last == m) b->last = before;
}

static void mail_append(bucket *b, mail *m)
{
  m->next = NULL;
  if (b->last)
    b->last->next = m;
  else
    b->first = m;
  b->last = m;
}

static void mail_reserve(mail *m, size_t bytes)
{
  if (m->capacity >= bytes) return;
  free(m->own);
  m->capacity = bytes;
  m->own = tsr__malloc(bytes);
}

/* Gives a node back. The caller holds the lock. */
static void mail_recycle(tsr_mailbox *box, mail *m)
{
  if (m->capacity > keep_bytes) {
    free(m->own);
    m->own = NULL;
    m->capacity = 0;
  }
  mail_reserve(m, box->unused_bytes);
  m->next = box->unused;
  box->unused = m;
}

/* Gives all unused nodes space for such a message. How far a sender runs ahead is a matter of time:
 * if all nodes get what one needs, a steady exchange soon needs no more. The caller locks. */
static void mail_provide(tsr_mailbox *box, size_t bytes)
{
  const bool spare = bytes <= spare_bytes;
  if (spare && bytes > box->unused_bytes) box->unused_bytes = bytes;
  for (mail *m = box->unused; m; m = m->next) mail_reserve(m, box->unused_bytes);
  if (!box->unused)
    for (int i = 0; i < (spare ? N_SPARE : 1); i++) mail_recycle(box, tsr__calloc(1, sizeof(mail)));
  mail_reserve(box->unused, bytes);
}

/* A node with space for a message. The caller holds the lock. */
static mail *mail_take(tsr_mailbox *box, size_t bytes)
{
  if (!box->unused || box->unused->capacity < bytes) mail_provide(box, bytes);
  mail *m = box->unused;
  box->unused = m->next;
  return m;
}

/* Unlinks and returns the receive that a message from `from` with `tag` completes right now; NULL
 * if there is none. The caller holds the lock. */
static tsr_request *posted_take(tsr_mailbox *box, int from, uint32_t tag)
{
  if (box->seeded) return NULL;
  bucket *b = bucket_of(box, from, tag);
  tsr_request *before, *req = posted_find(b, from, tag, &before);
  if (req) posted_unlink(b, req, before);
  return req;
}

/* The number of turns that a new message waits: mostly few, sometimes many. */
static uint64_t random_delay(tsr_mailbox *box)
{
  uint64_t r = tsr__random_next(&box->rng);
  return (r >> 32) % ((r & 7) == 0 ? 64 : 8);
}

void tsr__mailbox_send(tsr_mailbox *box, int from, uint32_t tag, const void *data, size_t bytes,
                       tsr_request *req)
{
  request_begin(req, true, box->owner, tag, data, bytes);
  pthread_mutex_lock(&box->lock);
  tsr_request *to = posted_take(box, from, tag);
  mail *m = NULL;
  bool waits = false;
  uint64_t due = 0;
  if (!to) {
    if (box->seeded) {
      due = box->turn + random_delay(box);
      waits = tsr__random_next(&box->rng) & 1;
    }
    m = mail_take(box, waits ? 0 : bytes);
  }
  pthread_mutex_unlock(&box->lock);

  if (!to) {
    m->from = from;
    m->tag = tag;
    m->bytes = bytes;
    m->due = due;
    m->sender = waits ? req : NULL;
    m->data = waits ? data : m->own;
    if (!waits && bytes) memcpy(m->own, data, bytes);
    pthread_mutex_lock(&box->lock);
    to = posted_take(box, from, tag); /* it was posted while the bytes were copied */
    if (to)
      mail_recycle(box, m);
    else
      mail_append(bucket_of(box, from, tag), m);
    pthread_mutex_unlock(&box->lock);
  }
  if (to) receive(to, data, bytes);
  if (!waits) request_complete(req, TSR_OK);
}

/* Completes a receive with a message that is in no queue any more. */
static void deliver(tsr_mailbox *box, mail *m, tsr_request *req)
{
  receive(req, m->data, m->bytes);
  if (m->sender) request_complete(m->sender, TSR_OK);
  pthread_mutex_lock(&box->lock);
  mail_recycle(box, m);
  pthread_mutex_unlock(&box->lock);
}

void tsr__mailbox_recv(tsr_mailbox *box, int peer, uint32_t tag, void *data, size_t capacity,
                       tsr_request *req)
{
  request_begin(req, false, peer, tag, data, capacity);
  bucket *b = bucket_of(box, peer, tag);
  pthread_mutex_lock(&box->lock);
  mail *before, *m = box->seeded ? NULL : mail_find(b, peer, tag, &before);
  if (m)
    mail_unlink(b, m, before);
  else
    posted_append(b, req);
  if (capacity > box->unused_bytes && capacity <= spare_bytes) mail_provide(box, capacity);
  pthread_mutex_unlock(&box->lock);
  if (m) deliver(box, m, req);
}

/* One turn of the owner completes, oldest first, the receives that are due from `peer`, `tag`. */
static void take_turn(tsr_mailbox *box, int peer, uint32_t tag)
{
  bucket *b = bucket_of(box, peer, tag);
  pthread_mutex_lock(&box->lock);
  box->turn++;
  for (;;) {
    mail *before, *m = mail_find(b, peer, tag, &before);
    if (!m || m->due > box->turn) break;
    tsr_request *before_posted, *req = posted_find(b, peer, tag, &before_posted);
    if (!req) break;
    mail_unlink(b, m, before);
    posted_unlink(b, req, before_posted);
    receive(req, m->data, m->bytes);
    if (m->sender) request_complete(m->sender, TSR_OK);
    mail_recycle(box, m);
  }
  pthread_mutex_unlock(&box->lock);
}

bool tsr__mailbox_test(tsr_mailbox *box, tsr_request *req)
{
  if (!req->active) return true;
  if (box->seeded && !__atomic_load_n(&req->impl[DONE], __ATOMIC_ACQUIRE))
    take_turn(box, req->peer, req->tag);
  if (!__atomic_load_n(&req->impl[DONE], __ATOMIC_ACQUIRE)) return false;
  req->active = false;
  return true;
}

void tsr__mailbox_abandon(tsr_mailbox *box)
{
  pthread_mutex_lock(&box->lock);
  for (int b = 0; b < N_BUCKETS; b++) box->buckets[b].posted = box->buckets[b].last_posted = NULL;
  pthread_mutex_unlock(&box->lock);
}

void tsr__mailbox_describe(tsr_mailbox *box, tsr_text *text)
{
  pthread_mutex_lock(&box->lock);
  for (int b = 0; b < N_BUCKETS; b++) {
    for (const tsr_request *req = box->buckets[b].posted; req; req = request_next(req))
      tsr__text_add(text, "   rank %d waits for a message from rank %d with tag %#x (%zu bytes)\n",
                    box->owner, req->peer, req->tag, req->bytes);
    for (const mail *m = box->buckets[b].first; m; m = m->next)
      tsr__text_add(text, "   rank %d has not received %zu bytes of rank %d with tag %#x%s\n",
                    box->owner, m->bytes, m->from, m->tag,
                    m->sender ? ", which waits for that" : "");
  }
  pthread_mutex_unlock(&box->lock);
}
