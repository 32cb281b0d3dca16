/* Messages of a run. Receives are posted at the start, except those of library's tasks, which are
 * posted when the task of the message is ready. Sends are packed when their task is ready, and
 * begin when they are packed, which a device does in its own time. Idle workers poll, one thread at
 * a time. Each message begins with a header that carries the sender's op-stream hash and status.
 * A poisoned message is that header alone; a rank that has failed sends nothing else, and drops
 * what it receives.
 *
 * Between two devices of a rank that can copy from each other the transport is not used. The send
 * offers its pieces; the receive waits for the sender's queue and puts copies of them into its own
 * device's queues; the send is over when these are done. */
#include "scheduler/run/run_int.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static void comm_acquire(tsr_run *run)
{
  bool waits = false;
  for (; atomic_flag_test_and_set_explicit(&run->comm_lock, memory_order_acquire); waits = true)
    sched_yield();
  run->n_locked++;
  run->n_contended += waits;
}

static void comm_release(tsr_run *run)
{
  atomic_flag_clear_explicit(&run->comm_lock, memory_order_release);
}

/* The number of a message among all of the program's, before it is folded into a tag of the wire. */
static uint32_t number_of(const tsr_run *run, uint32_t tag)
{
  return run->binding->tag_base + tag;
}

/* Writes the header of a message with n bytes of payload. Returns the bytes to send: a poisoned
 * message has no payload. */
static size_t seal(const tsr_run *run, tsr_flight *f, uint32_t tag, size_t n)
{
  const tsr_header h = {
      .hash = run->hash, .status = atomic_load(run->failure), .tag = number_of(run, tag)};
  memcpy(f->bytes, &h, sizeof h);
  return sizeof h + (h.status == TSR_OK ? n : 0);
}

uint32_t tsr__wire_tag(const tsr_world *w, uint32_t number, int from, int to)
{
  const uint32_t n = (uint32_t)w->n_places;
  return number % (TSR_N_TAGS / (n * n)) * (n * n) + (uint32_t)from % n * n + (uint32_t)to % n;
}

static uint32_t tag_to(const tsr_run *run, int peer, uint32_t tag)
{
  return tsr__wire_tag(run->world, number_of(run, tag), run->plan->place, peer);
}

static uint32_t tag_from(const tsr_run *run, int peer, uint32_t tag)
{
  return tsr__wire_tag(run->world, number_of(run, tag), peer, run->plan->place);
}

static int rank_of(const tsr_run *run, int place)
{
  return tsr__world_rank_of(run->world, place);
}

/* Takes memory for a large message: array memory, in the pool's sizes and huge pages, or, where the
 * limit has no room for it, any memory. */
static void take_array_memory(tsr_run *run, tsr_flight *f, size_t bytes)
{
  f->bytes = tsr__memory_alloc(run->world->staging, bytes);
  f->capacity = bytes;
  if (f->bytes != NULL) return;
  f->bytes = tsr__malloc(bytes);
  f->capacity = 0;
}

static void give_array_memory(tsr_run *run, tsr_flight *f)
{
  if (f->capacity > 0)
    tsr__memory_free(run->world->staging, f->bytes, f->capacity);
  else
    free(f->bytes);
  f->bytes = NULL;
}

static void borrow(tsr_run *run, tsr_flight *f, size_t bytes)
{
  if (f->borrowed) take_array_memory(run, f, bytes);
}

static void give_back(tsr_run *run, tsr_flight *f)
{
  if (f->borrowed) give_array_memory(run, f);
}

/* Ends a message. Called with comm_lock, or by the only thread. */
static void flight_done(tsr_run *run, tsr_flight *f)
{
  enum { MOST = 64 * 1024 }; /* as much as partials keep */
  if (f->kept) return;
  if (run->spare != NULL && f->capacity <= MOST) {
    f->next = *run->spare;
    *run->spare = f;
    return;
  }
  free(f->bytes);
  free(f);
}

/* A message with room for so many bytes, header included. */
static tsr_flight *take_flight(tsr_run *run, size_t bytes)
{
  tsr_flight *f = NULL;
  comm_acquire(run);
  if (run->spare != NULL && *run->spare != NULL) {
    f = *run->spare;
    *run->spare = f->next;
  }
  comm_release(run);
  if (f == NULL) f = tsr__calloc(1, sizeof *f);
  if (f->capacity < bytes) {
    free(f->bytes);
    f->bytes = tsr__malloc(bytes);
    f->capacity = bytes;
  }
  return f;
}

tsr_flight *tsr__exchange_flight(tsr_run *run, size_t n)
{
  return take_flight(run, sizeof(tsr_header) + n);
}

void *tsr__exchange_payload(tsr_flight *f)
{
  return f->bytes + sizeof(tsr_header);
}

void tsr__exchange_drop_flight(tsr_run *run, tsr_flight *f)
{
  comm_acquire(run);
  flight_done(run, f);
  comm_release(run);
}

static void post_receive(tsr_run *run, int32_t message)
{
  const tsr_message *m = &run->plan->messages[message];
  tsr_flight *f = &run->flights[message];
  tsr_transport *t = run->world->transport;
  const size_t bytes = sizeof(tsr_header) + m->bytes;
  borrow(run, f, bytes);
  tsr_status status = t->ops->recv(t, rank_of(run, m->peer), tag_from(run, m->peer, m->tag),
                                   f->bytes, bytes, &f->request);
  if (status < 0) tsr__run_fail(run, status);
}

static bool is_near(const tsr_run *run, const tsr_message *m)
{
  for (int32_t i = 0; i < m->n_pieces; i++)
    if (run->binding->instances[m->pieces[i].slot].space != TSR_SPACE_PLACE) return false;
  return true;
}

/* The number of the other run's message that is the other end of this one. */
static int32_t find_counterpart(const tsr_run *run, const tsr_message *m, const tsr_run *other)
{
  for (int32_t i = 0; i < other->plan->n_messages; i++) {
    const tsr_message *o = &other->plan->messages[i];
    if (o->send != m->send && o->peer == run->plan->place && o->tag == m->tag) return i;
  }
  return -1;
}

/* The run at the other end of the message, if devices copy between the memories of the two ends;
 * both ends find the same answer. Else NULL. */
static tsr_run *find_direct(tsr_run *run, int32_t message)
{
  const tsr_message *m = &run->plan->messages[message];
  if (run->device == NULL || !(run->device->ops->caps & TSR_DEVICE_COPIES_PEERS)) return NULL;
  tsr_run *other = run->first;
  while (other != NULL && other->plan->place != m->peer) other = other->beside;
  if (other == NULL) return NULL;
  tsr_flight *f = &run->flights[message];
  if (f->counterpart == 0) {
    f->counterpart = find_counterpart(run, m, other) + 1;
    run->plan->scheduler->counters.n_lookups++;
  }
  TSR_ASSERT(f->counterpart > 0 && other->plan->messages[f->counterpart - 1].bytes == m->bytes);
  return is_near(run, m) && is_near(other, &other->plan->messages[f->counterpart - 1]) ? other
                                                                                       : NULL;
}

/* Has the queue of another place's device come to the event? */
static bool is_there(const tsr_run *run, tsr_device *d, tsr_device_event event)
{
  if (run->world->config.seed != 0 && tsr__device_sync(d) < 0) tsr__fatal("%s", d->message);
  return tsr__device_is_over(d, event);
}

static bool try_direct(tsr_run *run, int32_t message)
{
  tsr_flight *f = &run->flights[message], *sent = &f->direct->flights[f->counterpart - 1];
  if (!atomic_load_explicit(&sent->is_offered, memory_order_acquire)) return false;
  const tsr_run *from = f->direct;
  if (!is_there(run, from->device, sent->packed)) return false;
  sent->taken = tsr__run_is_poisoned(run) ? (tsr_device_event){0}
                                          : tsr__pack_take(run, message, from, f->counterpart - 1);
  __atomic_fetch_add(&run->plan->scheduler->counters.bytes_between,
                     run->plan->messages[message].bytes, __ATOMIC_RELAXED);
  atomic_store_explicit(&sent->is_taken, true, memory_order_release);
  return true;
}

enum { MOST_KEPT = 1 << 20 }; /* bytes of the largest message whose memory a plan keeps */

static size_t message_bytes(const tsr_run *run, int32_t message)
{
  return sizeof(tsr_header) + run->plan->messages[message].bytes;
}

/* Takes memory for a message's bytes. A small message keeps it, a large one has it for the run
 * only, since hundreds of plans are remembered. A message from device to device needs none. */
static void take_bytes(tsr_run *run, int32_t message)
{
  tsr_flight *f = &run->flights[message];
  const size_t bytes = message_bytes(run, message);
  if (f->borrowed || f->direct != NULL || f->bytes != NULL) return;
  if (bytes > MOST_KEPT) {
    take_array_memory(run, f, bytes);
    return;
  }
  f->bytes = tsr__malloc(bytes);
  run->plan->scheduler->counters.bytes_buffered += bytes;
}

void tsr__exchange_end(tsr_run *run)
{
  for (int32_t i = 0; i < run->plan->n_messages; i++)
    if (run->flights[i].bytes != NULL && message_bytes(run, i) > MOST_KEPT)
      give_array_memory(run, &run->flights[i]);
}

void tsr__exchange_start(tsr_run *run)
{
  tsr__pack_start(run);
  for (int32_t i = 0; i < run->plan->n_messages; i++) {
    tsr_flight *f = &run->flights[i];
    f->direct = find_direct(run, i);
    take_bytes(run, i);
    atomic_init(&f->is_offered, false);
    atomic_init(&f->is_taken, false);
    if (!run->plan->messages[i].send && !f->borrowed && f->direct == NULL) post_receive(run, i);
  }
}

/* Sends f->bytes and keeps it until complete. */
static void send_flight(tsr_run *run, tsr_flight *f, int peer, uint32_t tag, size_t n)
{
  tsr_transport *t = run->world->transport;
  tsr_status status =
      t->ops->send(t, rank_of(run, peer), tag_to(run, peer, tag), f->bytes, n, &f->request);
  if (status < 0) tsr__run_fail(run, status);
  atomic_fetch_add(&run->n_comm, 1);
  comm_acquire(run);
  f->next = run->sends;
  run->sends = f;
  comm_release(run);
}

/* Sends a message whose bytes are packed. Returns whether its task is over. */
static bool send_packed(tsr_run *run, tsr_flight *f, const tsr_message *m)
{
  const size_t bytes = seal(run, f, m->tag, m->bytes);
  if (!f->borrowed) {
    send_flight(run, f, m->peer, m->tag, bytes);
    return true;
  }
  tsr_transport *t = run->world->transport;
  const tsr_status status = t->ops->send(t, rank_of(run, m->peer), tag_to(run, m->peer, m->tag),
                                         f->bytes, bytes, &f->request);
  if (status == TSR_OK) return false;
  tsr__run_fail(run, status); /* nothing is under way */
  give_back(run, f);
  return true;
}

bool tsr__exchange_send(tsr_run *run, int32_t message)
{
  const tsr_message *m = &run->plan->messages[message];
  tsr_flight *f = &run->flights[message];
  const bool is_poisoned = tsr__run_is_poisoned(run);
  f->packed = (tsr_device_event){0};
  if (f->direct != NULL) {
    if (!is_poisoned) f->packed = tsr__pack_offer(run, message);
    atomic_store_explicit(&f->is_offered, true, memory_order_release);
    return false;
  }
  borrow(run, f, sizeof(tsr_header) + m->bytes);
  if (!is_poisoned) f->packed = tsr__pack_out(run, message, f->bytes + sizeof(tsr_header));
  if (run->device == NULL) return send_packed(run, f, m);
  f->packing = true;
  return false;
}

void tsr__exchange_send_bytes(tsr_run *run, int peer, uint32_t tag, const void *bytes, size_t n)
{
  tsr_flight *f = tsr__exchange_flight(run, n);
  if (n > 0) memcpy(tsr__exchange_payload(f), bytes, n);
  tsr__exchange_send_flight(run, f, peer, tag, n);
}

void tsr__exchange_send_flight(tsr_run *run, tsr_flight *f, int peer, uint32_t tag, size_t n)
{
  send_flight(run, f, peer, tag, seal(run, f, tag, n));
}

void tsr__exchange_wait(tsr_run *run, int32_t task)
{
  const tsr_task *t = &run->plan->tasks[task];
  if (t->kind == TSR_TASK_RECV && run->flights[t->what].borrowed &&
      run->flights[t->what].direct == NULL)
    post_receive(run, t->what);
  atomic_fetch_add(&run->n_comm, 1);
  comm_acquire(run);
  run->waiting[run->n_waiting++] = task;
  comm_release(run);
}

/* Is the message good to use? If not, notes the failure. */
static bool header_is_good(tsr_run *run, const char *bytes, const tsr_request *request,
                           uint32_t tag, size_t expected)
{
  tsr_header h;
  if (request->status < 0 || request->bytes < sizeof h) {
    tsr__run_fail(run, TSR_ERR_MPI);
    return false;
  }
  memcpy(&h, bytes, sizeof h);
  if (h.tag != number_of(run, tag) || (h.hash != run->hash && run->world->config.guard)) {
    tsr__run_fail(run, TSR_ERR_DIVERGED);
    return false;
  }
  if (h.status != TSR_OK) {
    tsr__run_fail(run, TSR_ERR_PEER);
    return false;
  }
  if (expected != 0 && request->bytes != expected) {
    tsr__run_fail(run, TSR_ERR_DIVERGED);
    return false;
  }
  return true;
}

static bool try_receive(tsr_run *run, int32_t message)
{
  tsr_flight *f = &run->flights[message];
  const tsr_message *m = &run->plan->messages[message];
  tsr_transport *t = run->world->transport;
  if (f->direct != NULL) return try_direct(run, message);
  if (!tsr__test(t, &f->request)) return false;
  if (header_is_good(run, f->bytes, &f->request, m->tag, sizeof(tsr_header) + m->bytes) &&
      !tsr__run_is_poisoned(run)) {
    tsr__pack_in(run, message, f->bytes + sizeof(tsr_header));
    if (f->borrowed) tsr__run_sync(run);
  }
  give_back(run, f);
  return true;
}

static bool try_sent(tsr_run *run, int32_t message)
{
  tsr_flight *f = &run->flights[message];
  tsr_transport *t = run->world->transport;
  if (f->direct != NULL)
    return atomic_load_explicit(&f->is_taken, memory_order_acquire) &&
           is_there(run, f->direct->device, f->taken);
  if (f->packing) {
    if (run->world->config.seed != 0) tsr__run_sync(run); /* the seed decides the order */
    if (!tsr__device_is_over(run->device, f->packed)) return false;
    f->packing = false;
    if (send_packed(run, f, &run->plan->messages[message])) return true;
  }
  if (!tsr__test(t, &f->request)) return false;
  give_back(run, f);
  return true;
}

/* The size is not known here: look for the message, then take it. NULL: it is not there yet. */
tsr_flight *tsr__exchange_take(tsr_run *run, int peer, uint32_t tag)
{
  tsr_transport *t = run->world->transport;
  size_t n = 0;
  const int rank = rank_of(run, peer);
  const uint32_t wire_tag = tag_from(run, peer, tag);
  if (!t->ops->probe(t, rank, wire_tag, &n)) return NULL;
  tsr_flight *f = take_flight(run, n);
  tsr_status status = t->ops->recv(t, rank, wire_tag, f->bytes, n, &f->request);
  if (status < 0)
    f->request.status = status;
  else
    tsr__wait(t, &f->request);
  return f;
}

static bool try_partials(tsr_run *run, const tsr_task *task)
{
  const tsr_plan_reduction *r = &run->plan->reductions[task->what];
  tsr_flight *f = tsr__exchange_take(run, r->sources[task->arg], r->tag_up);
  if (f == NULL) return false;
  if (header_is_good(run, f->bytes, &f->request, r->tag_up, 0) && !tsr__run_is_poisoned(run)) {
    TSR_ASSERT(run->totals[task->what] != NULL);
    tsr_status status = tsr__partials_merge_packed(
        run->totals[task->what], tsr__exchange_payload(f), f->request.bytes - sizeof(tsr_header));
    if (status < 0) tsr__run_fail(run, status);
  }
  tsr__exchange_drop_flight(run, f);
  return true;
}

static bool try_result(tsr_run *run, const tsr_task *task)
{
  const tsr_plan_reduction *r = &run->plan->reductions[task->what];
  tsr_flight *f = tsr__exchange_take(run, r->up, r->tag_down);
  if (f == NULL) return false;
  size_t n = tsr__reduction_result_bytes(r);
  bool good = header_is_good(run, f->bytes, &f->request, r->tag_down, sizeof(tsr_header) + n);
  if (good && !tsr__run_is_poisoned(run)) tsr__reduction_store(run, r, tsr__exchange_payload(f));
  for (int32_t i = 0; i < r->n_down; i++)
    tsr__exchange_send_bytes(run, r->down[i], r->tag_down, tsr__exchange_payload(f), good ? n : 0);
  tsr__exchange_drop_flight(run, f);
  return true;
}

bool tsr__exchange_try(tsr_run *run, int32_t task)
{
  const tsr_task *t = &run->plan->tasks[task];
  switch (t->kind) {
  case TSR_TASK_SEND:
    return try_sent(run, t->what);
  case TSR_TASK_RECV:
    return try_receive(run, t->what);
  case TSR_TASK_REDUCE_RECV:
    return try_partials(run, t);
  default:
    return try_result(run, t);
  }
}

static bool remove_waiting(tsr_run *run, int32_t task)
{
  for (int32_t j = 0; j < run->n_waiting; j++)
    if (run->waiting[j] == task) {
      memmove(&run->waiting[j], &run->waiting[j + 1],
              (size_t)(run->n_waiting - j - 1) * sizeof *run->waiting);
      run->n_waiting--;
      return true;
    }
  return false;
}

bool tsr__exchange_poll(tsr_run *run, int worker)
{
  if (atomic_load_explicit(&run->n_comm, memory_order_relaxed) == 0) return false;
  if (atomic_flag_test_and_set_explicit(&run->comm_lock, memory_order_acquire)) return false;
  run->n_locked++;
  tsr_transport *t = run->world->transport;
  for (tsr_flight **link = &run->sends; *link != NULL;) {
    tsr_flight *f = *link;
    if (!tsr__test(t, &f->request)) {
      link = &f->next;
      continue;
    }
    *link = f->next;
    flight_done(run, f);
    atomic_fetch_sub(&run->n_comm, 1);
  }
  int32_t candidates[32];
  int32_t n = 0;
  for (int32_t i = 0; i < run->n_waiting && n < 32; i++) candidates[n++] = run->waiting[i];
  bool any = false;
  for (int32_t i = 0; i < n; i++) {
    int32_t task = candidates[i];
    /* The task leaves the list before it is tried without the lock. Another thread may have been
     * faster. */
    if (!remove_waiting(run, task)) continue;
    comm_release(run);
    bool done = tsr__exchange_try(run, task);
    if (done) {
      any = true;
      atomic_fetch_sub(&run->n_comm, 1);
      tsr__order_complete(run->order, task, worker);
      comm_acquire(run);
    } else {
      comm_acquire(run);
      run->waiting[run->n_waiting++] = task;
    }
  }
  comm_release(run);
  return any;
}

/* The rank that a waiting task needs a message of (*is_send: that is to take one). -1: none, as for
 * a message between this rank's places. */
static int peer_of(const tsr_run *run, int32_t task, bool *is_send)
{
  const tsr_plan *plan = run->plan;
  const tsr_task *t = &plan->tasks[task];
  const bool is_message = t->kind == TSR_TASK_SEND || t->kind == TSR_TASK_RECV;
  *is_send = t->kind == TSR_TASK_SEND;
  if (is_message && run->flights[t->what].direct != NULL) return -1;
  if (is_message) return rank_of(run, plan->messages[t->what].peer);
  const tsr_plan_reduction *r = &plan->reductions[t->what];
  return rank_of(run, t->kind == TSR_TASK_REDUCE_RECV ? r->sources[t->arg] : r->up);
}

bool tsr__exchange_waits_for(tsr_run *run, int *peer, bool *is_send)
{
  *peer = -1;
  comm_acquire(run);
  for (int32_t i = 0; i < run->n_waiting && *peer < 0; i++)
    *peer = peer_of(run, run->waiting[i], is_send);
  if (*peer < 0 && run->sends != NULL) {
    *peer = run->sends->request.peer;
    *is_send = true;
  }
  comm_release(run);
  return *peer >= 0 && *peer != run->world->rank;
}

void tsr__exchange_finish(tsr_run *run)
{
  tsr_transport *t = run->world->transport;
  while (run->sends != NULL) {
    tsr_flight *f = run->sends;
    tsr__wait(t, &f->request);
    run->sends = f->next;
    flight_done(run, f);
  }
}
