/* A rank's exchange with one other rank of its node (shm_peer.h).
 *
 * A send copies its message into the ring, or has packed it there, and is over. One that finds no
 * space waits in the queue; a long one goes in pieces. What comes goes to the receive that waits
 * for it, or stays in the ring until there is one. Should messages that nobody has taken fill more
 * than half of the ring, they move into memory of their own: so a ring never stays full, and no
 * order of receives can stop the ranks. */
#include "runtime/transport/shm_peer.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/alloc.h"
#include "runtime/base/error.h"

/* Ends a request. */
static void complete(tsr_shm_peer *p, tsr_request *req, size_t bytes, tsr_status status)
{
  tsr_transport *t = p->shared->owner;
  if (!req->is_send) {
    req->bytes = bytes;
    __atomic_fetch_add(&t->n_received, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&t->bytes_received, bytes, __ATOMIC_RELAXED);
  }
  req->status = status;
  __atomic_fetch_add(&p->shared->n_over, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&req->impl[TSR_SHM_OVER], req, __ATOMIC_RELEASE);
}

static void give_back_record(tsr_shm_peer *p, char *data)
{
  if (tsr__ring_give_back(&p->in, data)) tsr__doorbell_ring(p->doorbell);
}

/* Puts the rest of a send into the ring, as far as there is space. Returns whether all of it is
 * there. */
static bool push_message(tsr_shm_peer *p, tsr_request *req)
{
  const size_t most = tsr__ring_most(p->out.capacity);
  uintptr_t sent = (uintptr_t)req->impl[TSR_SHM_SENT];
  bool any = false;
  do {
    const size_t left = req->bytes - sent, n = left < most ? left : most;
    char *to = tsr__ring_reserve(&p->out, n);
    if (to == NULL) break;
    if (n > 0) memcpy(to, (const char *)req->impl[TSR_SHM_DATA] + sent, n);
    tsr__ring_publish(to, req->tag, n, req->bytes);
    sent += n;
    any = true;
  } while (sent < req->bytes);
  req->impl[TSR_SHM_SENT] = (void *)sent;
  if (any) tsr__doorbell_ring(p->doorbell);
  return any && sent == req->bytes;
}

static void push_queued(tsr_shm_peer *p)
{
  while (p->queued != NULL) {
    tsr_request *req = p->queued, *next = req->impl[TSR_SHM_NEXT];
    if (!push_message(p, req)) return;
    p->queued = next;
    complete(p, req, req->bytes, TSR_OK);
  }
}

static void enqueue(tsr_shm_peer *p, tsr_request *req)
{
  if (p->queued == NULL)
    p->queued = req;
  else
    p->last_queued->impl[TSR_SHM_NEXT] = req;
  p->last_queued = req;
}

void tsr__shm_begin(tsr_request *req, bool is_send, int rank, uint32_t tag, const void *data,
                    size_t bytes)
{
  *req =
      (tsr_request){.active = true, .is_send = is_send, .peer = rank, .tag = tag, .bytes = bytes};
  req->impl[TSR_SHM_DATA] = (void *)data;
}

void tsr__shm_send(tsr_shm_peer *p, tsr_request *req)
{
  char *data = req->impl[TSR_SHM_DATA];
  if (tsr__ring_holds(p->out.bytes, p->out.capacity, data)) {
    tsr__ring_publish(data, req->tag, req->bytes, req->bytes);
    tsr__doorbell_ring(p->doorbell);
  } else if (p->queued != NULL || !push_message(p, req)) {
    enqueue(p, req);
    return;
  }
  complete(p, req, req->bytes, TSR_OK);
}

/* Takes the first receive with this tag out of the list of those that wait. */
static tsr_request *take_posted(tsr_shm_peer *p, uint32_t tag)
{
  tsr_request *before = NULL;
  for (tsr_request *req = p->posted; req != NULL; before = req, req = req->impl[TSR_SHM_NEXT]) {
    if (req->tag != tag) continue;
    if (before == NULL)
      p->posted = req->impl[TSR_SHM_NEXT];
    else
      before->impl[TSR_SHM_NEXT] = req->impl[TSR_SHM_NEXT];
    if (p->last_posted == req) p->last_posted = before;
    return req;
  }
  return NULL;
}

/* Takes the first message with this tag out of the list of those that wait. */
static tsr_shm_early *take_early(tsr_shm_peer *p, uint32_t tag)
{
  tsr_shm_early *before = NULL;
  for (tsr_shm_early *e = p->first; e != NULL; before = e, e = e->next) {
    if (e->tag != tag) continue;
    if (before == NULL)
      p->first = e->next;
    else
      before->next = e->next;
    if (p->last == e) p->last = before;
    return e;
  }
  return NULL;
}

static bool is_in_ring(const tsr_shm_peer *p, const void *data)
{
  return tsr__ring_holds(p->in.bytes, p->in.capacity, data);
}

/* Keeps the node of a message whose bytes are another's now. */
static void early_keep(tsr_shm_peer *p, tsr_shm_early *e)
{
  e->next = p->unused;
  p->unused = e;
}

static void early_free(tsr_shm_peer *p, tsr_shm_early *e)
{
  if (is_in_ring(p, e->data))
    give_back_record(p, e->data);
  else
    free(e->data);
  early_keep(p, e);
}

static tsr_shm_early *early_add(tsr_shm_peer *p, uint32_t tag, size_t bytes, char *data)
{
  tsr_shm_early *e = p->unused;
  if (e != NULL)
    p->unused = e->next;
  else
    e = tsr__malloc(sizeof *e);
  *e = (tsr_shm_early){.tag = tag, .bytes = bytes, .data = data};
  if (p->first == NULL)
    p->first = e;
  else
    p->last->next = e;
  p->last = e;
  return e;
}

/* Moves the messages that nobody has taken out of the ring. */
static void move_out(tsr_shm_peer *p)
{
  for (tsr_shm_early *e = p->first; e != NULL; e = e->next) {
    if (!is_in_ring(p, e->data)) continue;
    char *data = tsr__malloc(e->bytes + 1);
    memcpy(data, e->data, e->bytes);
    give_back_record(p, e->data);
    e->data = data;
  }
}

/* Gives a whole message to a receive with memory of its own. */
static void fill_request(tsr_shm_peer *p, tsr_request *req, const char *data, size_t bytes)
{
  const bool fits = bytes <= req->bytes;
  if (fits && bytes > 0) memcpy(req->impl[TSR_SHM_DATA], data, bytes);
  complete(p, req, fits ? bytes : 0, fits ? TSR_OK : TSR_ERR_MPI);
}

/* The first piece of a long message. */
static void begin_incoming(tsr_shm_peer *p, const tsr_ring_record *r)
{
  tsr_request *req = take_posted(p, r->tag);
  p->incoming = (tsr_shm_incoming){.req = req, .total = r->total};
  if (req == NULL) {
    p->incoming.into = tsr__malloc(r->total);
    p->incoming.early = early_add(p, r->tag, r->total, p->incoming.into);
  } else if (r->total <= req->bytes) {
    p->incoming.into = req->impl[TSR_SHM_DATA];
  }
}

static bool is_coming(const tsr_shm_peer *p, const tsr_shm_early *e)
{
  return p->incoming.early == e;
}

/* All pieces have come. */
static void end_incoming(tsr_shm_peer *p)
{
  const tsr_shm_incoming in = p->incoming;
  p->incoming = (tsr_shm_incoming){0};
  if (in.req == NULL) return;
  if (in.early != NULL) {
    fill_request(p, in.req, in.into, in.total);
    early_free(p, in.early);
  } else {
    complete(p, in.req, in.into != NULL ? in.total : 0, in.into != NULL ? TSR_OK : TSR_ERR_MPI);
  }
}

static void take_piece(tsr_shm_peer *p, const tsr_ring_record *r)
{
  tsr_shm_incoming *in = &p->incoming;
  if (in->into != NULL) memcpy(in->into + in->came, r->data, r->bytes);
  in->came += r->bytes;
  give_back_record(p, r->data);
  if (in->came == in->total) end_incoming(p);
}

static void take_record(tsr_shm_peer *p, const tsr_ring_record *r)
{
  if (p->incoming.total > 0 || r->bytes < r->total) {
    if (p->incoming.total == 0) begin_incoming(p, r);
    take_piece(p, r);
    return;
  }
  tsr_request *req = take_posted(p, r->tag);
  if (req == NULL) {
    early_add(p, r->tag, r->bytes, r->data);
    return;
  }
  fill_request(p, req, r->data, r->bytes);
  give_back_record(p, r->data);
}

bool tsr__shm_exchange(tsr_shm_peer *p)
{
  bool any = false;
  push_queued(p);
  for (tsr_ring_record r; tsr__ring_next(&p->in, &r); any = true) {
    take_record(p, &r);
    if (p->in.at - p->in.given_back > p->in.capacity / 2) move_out(p);
  }
  return any;
}

void tsr__shm_receive(tsr_shm_peer *p, tsr_request *req)
{
  tsr_shm_early *e = take_early(p, req->tag);
  if (e != NULL && is_coming(p, e)) {
    p->incoming.req = req;
  } else if (e != NULL) {
    fill_request(p, req, e->data, e->bytes);
    early_free(p, e);
  } else {
    if (p->posted == NULL)
      p->posted = req;
    else
      p->last_posted->impl[TSR_SHM_NEXT] = req;
    p->last_posted = req;
  }
}

void tsr__shm_find(tsr_shm_peer *p, tsr_request *req)
{
  tsr_shm_early *e = p->first;
  while (e != NULL && e->tag != req->tag) e = e->next;
  if (e == NULL || is_coming(p, e)) return;
  e = take_early(p, req->tag);
  if (e->bytes > req->bytes) {
    early_free(p, e);
    complete(p, req, 0, TSR_ERR_MPI);
    return;
  }
  req->data = e->data;
  complete(p, req, e->bytes, TSR_OK);
  early_keep(p, e);
}

void tsr__shm_give_back(tsr_shm_peer *p, void *data)
{
  if (is_in_ring(p, data))
    give_back_record(p, data);
  else
    free(data);
}

tsr_shm_peer tsr__shm_peer(tsr_shm_shared *shared, const tsr_segment *segment, int own, int number)
{
  const size_t capacity = segment->capacity;
  return (tsr_shm_peer){.shared = shared,
                        .out = tsr__ring_writer(tsr__segment_ring(segment, own, number), capacity),
                        .in = tsr__ring_reader(tsr__segment_ring(segment, number, own), capacity),
                        .doorbell = tsr__segment_doorbell(segment, number)};
}

void tsr__shm_peer_end(tsr_shm_peer *p)
{
  TSR_ASSERT(p->queued == NULL && p->posted == NULL);
  while (p->first != NULL) {
    tsr_shm_early *e = take_early(p, p->first->tag);
    if (!is_in_ring(p, e->data)) free(e->data);
    early_keep(p, e);
  }
  for (tsr_shm_early *e; (e = p->unused) != NULL; free(e)) p->unused = e->next;
}
