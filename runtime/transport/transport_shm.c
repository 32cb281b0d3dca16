/* The transport over memory that the ranks of a node share: a ring from each rank to each other
 * (shm_peer.h). Messages to other nodes, and to the rank itself, go the way of the transport that
 * was there before, the inner one.
 *
 * Locks: one mutex around all rings, which test() and idle() only try.
 *
 * Crowded: where ranks share cores, a rank that waits yields its core for a moment and then sleeps
 * on its doorbell. Senders ring the doorbell behind a message, and readers when they have made
 * space in a ring that was full. */
#include "runtime/transport/transport_shm.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/alloc.h"
#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/spin.h"
#include "runtime/transport/shm_peer.h"

/* Fruitless turns until a rank with a core of its own yields it to other processes. */
enum { SPIN_TURNS = 64 };

/* How a crowded rank waits. It yields its core to the ranks that it shares it with, for up to
 * YIELD_NS. But a yield to a process that computes lasts until that one's time slice ends, as no
 * message wakes who yields: after one of SLOW_NS the next N_SLEEPS waits spin for SPIN_NS and then
 * sleep, as all waits do in the end. POLL_NS: how long it sleeps where MPI must be asked, too. */
enum { YIELD_NS = 50000, SLOW_NS = 1000000, SPIN_NS = 2000, N_SLEEPS = 1000, POLL_NS = 100000 };

typedef struct transport_shm {
  tsr_transport base;
  tsr_transport *inner;
  tsr_segment segment;
  tsr_shm_peer *peers;    /* [node_size] */
  int *number_of;         /* [size] of another rank on this node; -1: any other rank */
  tsr_doorbell *doorbell; /* own */
  size_t most;            /* largest message in place */
  tsr_shm_shared shared;
  unsigned n_inner; /* requests under way in the inner transport; atomic */
  unsigned heard;   /* how often the own doorbell had rung when all rings were last empty; atomic */
  /* the turns that found nothing since a request ended: how many, n_over then, since when */
  unsigned fruitless, n_over;
  uint64_t idle_since_ns;
  unsigned n_sleeps;    /* waits to come that do not yield */
  pthread_mutex_t lock; /* around all fields but base, and the peers' */
} transport_shm;

static transport_shm *shm_of(tsr_transport *t)
{
  return (transport_shm *)t;
}

/* The peer, if the rank is another one of this node. */
static tsr_shm_peer *peer_of(const transport_shm *s, int rank)
{
  const int number = s->number_of[rank];
  return number < 0 ? NULL : &s->peers[number];
}

/* Counts a request that has begun in the inner transport, and may be over already. */
static tsr_status note_begun(transport_shm *s, const tsr_request *req, tsr_status status)
{
  if (req->active) __atomic_fetch_add(&s->n_inner, 1, __ATOMIC_RELAXED);
  return status;
}

static tsr_status send_shm(tsr_transport *t, int rank, uint32_t tag, const void *data, size_t bytes,
                           tsr_request *req)
{
  transport_shm *s = shm_of(t);
  tsr_shm_peer *p = peer_of(s, rank);
  pthread_mutex_lock(&s->lock);
  t->n_sent++;
  t->bytes_sent += bytes;
  if (p != NULL) {
    tsr__shm_begin(req, true, rank, tag, data, bytes);
    tsr__shm_send(p, req);
  }
  pthread_mutex_unlock(&s->lock);
  if (p != NULL) return TSR_OK;
  return note_begun(s, req, s->inner->ops->send(s->inner, rank, tag, data, bytes, req));
}

static size_t in_place_shm(const tsr_transport *t, int rank)
{
  const transport_shm *s = (const transport_shm *)t;
  return peer_of(s, rank) != NULL ? s->most : 0;
}

/* A message that was packed in the ring must not overtake one in the queue. */
static void *reserve_shm(tsr_transport *t, int rank, size_t bytes)
{
  transport_shm *s = shm_of(t);
  tsr_shm_peer *p = peer_of(s, rank);
  void *data = NULL;
  pthread_mutex_lock(&s->lock);
  if (p->queued == NULL) data = tsr__ring_reserve(&p->out, bytes);
  pthread_mutex_unlock(&s->lock);
  return data;
}

/* Empties all rings. What has come may end a request that is tested later, so the rings of the
 * doorbell count as heard only if nothing has come. */
static void exchange_all(transport_shm *s)
{
  const unsigned rings = tsr__doorbell_rings(s->doorbell);
  bool any = false;
  for (int i = 0; i < s->base.node_size; i++)
    if (i != s->base.node_rank && tsr__shm_exchange(&s->peers[i])) any = true;
  if (!any) __atomic_store_n(&s->heard, rings, __ATOMIC_RELAXED);
}

static tsr_status recv_shm(tsr_transport *t, int rank, uint32_t tag, void *data, size_t capacity,
                           tsr_request *req)
{
  transport_shm *s = shm_of(t);
  tsr_shm_peer *p = peer_of(s, rank);
  if (p == NULL)
    return note_begun(s, req, s->inner->ops->recv(s->inner, rank, tag, data, capacity, req));
  tsr__shm_begin(req, false, rank, tag, data, capacity);
  if (tsr__shm_is_in_place(req)) return TSR_OK;
  pthread_mutex_lock(&s->lock);
  tsr__shm_receive(p, req);
  pthread_mutex_unlock(&s->lock);
  return TSR_OK;
}

/* Counts a request that is over in the inner transport. */
static void note_inner(transport_shm *s, const tsr_request *req)
{
  __atomic_fetch_sub(&s->n_inner, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&s->shared.n_over, 1, __ATOMIC_RELAXED);
  if (req->is_send) return;
  __atomic_fetch_add(&s->base.n_received, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&s->base.bytes_received, req->bytes, __ATOMIC_RELAXED);
}

static bool test_shm(tsr_transport *t, tsr_request *req)
{
  transport_shm *s = shm_of(t);
  if (!req->active) return true;
  tsr_shm_peer *p = peer_of(s, req->peer);
  if (p == NULL) {
    if (!s->inner->ops->test(s->inner, req)) return false;
    note_inner(s, req);
    return true;
  }
  if (!tsr__shm_is_over(req)) {
    if (pthread_mutex_trylock(&s->lock) != 0) return false;
    if (t->crowded)
      exchange_all(s);
    else
      tsr__shm_exchange(p);
    if (!tsr__shm_is_over(req) && tsr__shm_is_in_place(req)) tsr__shm_find(p, req);
    pthread_mutex_unlock(&s->lock);
    if (!tsr__shm_is_over(req)) return false;
  }
  req->active = false;
  return true;
}

static void give_back_shm(tsr_transport *t, tsr_request *req)
{
  transport_shm *s = shm_of(t);
  tsr_shm_peer *p = peer_of(s, req->peer);
  pthread_mutex_lock(&s->lock);
  tsr__shm_give_back(p, req->data);
  pthread_mutex_unlock(&s->lock);
  req->data = NULL;
}

/* Waiting. */

/* Is there something that only the inner transport can bring? */
static bool has_inner(const transport_shm *s)
{
  return __atomic_load_n(&s->n_inner, __ATOMIC_RELAXED) > 0;
}

static bool has_news_shm(tsr_transport *t)
{
  const transport_shm *s = shm_of(t);
  if (!t->crowded ||
      tsr__doorbell_rings(s->doorbell) != __atomic_load_n(&s->heard, __ATOMIC_RELAXED))
    return true;
  return has_inner(s) && (s->inner->ops->has_news == NULL || s->inner->ops->has_news(s->inner));
}

/* Asks the readers of full rings to ring when there is space. Returns whether there is some
 * already. */
static bool want_space(transport_shm *s)
{
  bool any = false;
  for (int i = 0; i < s->base.node_size; i++) {
    tsr_shm_peer *p = &s->peers[i];
    if (p->queued == NULL) continue;
    atomic_store(&p->out.ring->wanted, 1);
    any = any || atomic_load(&p->out.ring->given_back) != p->out.given_back;
  }
  return any;
}

/* A turn of a rank that shares its core with others. The caller holds the lock, but not while the
 * rank gives up its core. */
static void idle_crowded(transport_shm *s)
{
  const uint64_t now = tsr__now_ns();
  if (s->fruitless == 1) {
    s->idle_since_ns = now;
    if (s->n_sleeps > 0) s->n_sleeps--;
  }
  const uint64_t idle_ns = now - s->idle_since_ns;
  if (s->n_sleeps > 0 && idle_ns < SPIN_NS) {
    for (int i = 0; i < 16; i++) tsr__cpu_pause();
    return;
  }
  const bool yields = s->n_sleeps == 0 && idle_ns < YIELD_NS;
  const int64_t nap = s->base.nap_ns, most = has_inner(s) && nap > POLL_NS ? POLL_NS : nap;
  const bool has_space = !yields && want_space(s);
  const unsigned heard = s->heard;
  pthread_mutex_unlock(&s->lock);
  if (yields)
    sched_yield();
  else if (!has_space)
    tsr__doorbell_sleep(s->doorbell, heard, most);
  pthread_mutex_lock(&s->lock);
  if (yields && tsr__now_ns() - now > SLOW_NS) s->n_sleeps = N_SLEEPS;
}

static void idle_shm(tsr_transport *t)
{
  transport_shm *s = shm_of(t);
  if (has_inner(s)) s->inner->ops->idle(s->inner);
  if (pthread_mutex_trylock(&s->lock) != 0) return;
  exchange_all(s);
  const unsigned n_over = __atomic_load_n(&s->shared.n_over, __ATOMIC_RELAXED);
  s->fruitless = n_over == s->n_over ? s->fruitless + 1 : 0;
  s->n_over = n_over;
  const bool yields = !t->crowded && s->fruitless >= SPIN_TURNS;
  if (t->crowded && s->fruitless > 0) idle_crowded(s);
  pthread_mutex_unlock(&s->lock);
  if (yields) sched_yield();
}

static void crowd_shm(tsr_transport *t, bool crowded)
{
  transport_shm *s = shm_of(t);
  tsr__transport_crowd(s->inner, crowded);
  tsr__doorbell_listen(s->doorbell, crowded);
}

static void abort_shm(tsr_transport *t, int code)
{
  transport_shm *s = shm_of(t);
  s->inner->ops->abort(s->inner, code);
}

static void close_shm(tsr_transport *t)
{
  transport_shm *s = shm_of(t);
  for (int i = 0; i < t->node_size; i++)
    if (i != t->node_rank) tsr__shm_peer_end(&s->peers[i]);
  tsr__segment_close(&s->segment);
  s->inner->ops->close(s->inner);
  pthread_mutex_destroy(&s->lock);
  free(s->peers);
  free(s->number_of);
  free(s);
}

static const tsr_transport_ops ops_shm = {
    .name = "shm",
    .send = send_shm,
    .recv = recv_shm,
    .in_place = in_place_shm,
    .reserve = reserve_shm,
    .give_back = give_back_shm,
    .test = test_shm,
    .idle = idle_shm,
    .has_news = has_news_shm,
    .crowd = crowd_shm,
    .abort = abort_shm,
    .close = close_shm,
};

/* The transport over a segment. number_of: [size] owned; the number of each rank on this node, -1
 * for those elsewhere. */
static tsr_transport *shm_new(tsr_transport *inner, const tsr_segment *segment, int *number_of)
{
  enum { NAP_NS = 2000000 };
  transport_shm *s = tsr__calloc(1, sizeof *s);
  s->base = *inner;
  s->base.ops = &ops_shm;
  s->base.n_sent = s->base.bytes_sent = s->base.n_received = s->base.bytes_received = 0;
  s->base.node_size = segment->n;
  s->base.node_rank = number_of[inner->rank];
  s->base.nap_ns = NAP_NS;
  s->inner = inner;
  s->segment = *segment;
  s->number_of = number_of;
  s->most = tsr__ring_most(segment->capacity);
  s->doorbell = tsr__segment_doorbell(segment, s->base.node_rank);
  tsr__doorbell_listen(s->doorbell, s->base.crowded);
  s->peers = tsr__calloc((size_t)segment->n, sizeof *s->peers);
  s->shared.owner = &s->base;
  for (int i = 0; i < segment->n; i++)
    if (i != s->base.node_rank)
      s->peers[i] = tsr__shm_peer(&s->shared, segment, s->base.node_rank, i);
  number_of[inner->rank] = -1;
  pthread_mutex_init(&s->lock, NULL);
  return &s->base;
}

/* The numbers of the other ranks on this node. NULL: the ranks could not tell each other. */
static int *numbers_of(tsr_transport *t)
{
  const int mine[2] = {t->node_first, t->node_rank};
  int *all = tsr__calloc(2 * (size_t)t->size, sizeof *all);
  int *number_of = tsr__calloc((size_t)t->size, sizeof *number_of);
  const tsr_status status = tsr__allgather(t, mine, sizeof mine, all);
  for (int r = 0; r < t->size; r++)
    number_of[r] = all[2 * r] == t->node_first ? all[2 * r + 1] : -1;
  free(all);
  if (status == TSR_OK) return number_of;
  free(number_of);
  return NULL;
}

tsr_status tsr__transport_shm(tsr_transport **t, bool must, char *message, size_t size)
{
  tsr_segment segment;
  int error = 0;
  message[0] = '\0';
  if ((*t)->size == 1) return TSR_OK;
  int *number_of = numbers_of(*t);
  tsr_status status = number_of == NULL ? TSR_ERR_MPI : TSR_OK;
  if (status == TSR_OK) status = tsr__segment_on_node(*t, &segment, must, &error);
  if (status == TSR_OK && segment.base != NULL) {
    *t = shm_new(*t, &segment, number_of);
    return TSR_OK;
  }
  free(number_of);
  if (status < 0) snprintf(message, size, "the ranks could not agree on how to exchange messages");
  if (error == 0) return status;
  snprintf(message, size, "the ranks of a node cannot share %zu bytes of memory: %s", segment.bytes,
           strerror(error));
  return must ? TSR_ERR_MPI : TSR_OK;
}

void tsr__transport_shm_threads(int n, bool crowded, tsr_transport **ends)
{
  const tsr_segment segment = tsr__segment_in_process(n);
  for (int r = 0; r < n; r++) {
    int *number_of = tsr__calloc((size_t)n, sizeof *number_of);
    for (int i = 0; i < n; i++) number_of[i] = i;
    ends[r] = shm_new(ends[r], &segment, number_of);
    tsr__transport_crowd(ends[r], crowded);
  }
}
