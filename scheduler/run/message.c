/* Messages of a run, one state after another (message.h).
 *
 * Each message on the path BYTES begins with a header that carries the sender's op-stream hash and
 * status. A poisoned message is that header alone; a rank that has failed sends nothing else, and
 * drops what it receives.
 *
 * Memory: where the transport has memory of its own for messages, one is packed there and unpacked
 * from there. Else, up to MOST_RETAINED bytes a message keeps its own, with the plan. A larger one
 * has array memory while it is under way, since hundreds of plans are remembered; what a device
 * unpacks in its own time, for the run. Of large receives a few from each place have memory at a
 * time, since the system clears the pages of each. What the limit has no space for comes from the
 * system, since who lacks it could not send what others wait for: so no message ever waits for
 * memory. */
#include "scheduler/run/ranges.h"
#include "scheduler/run/run_int.h"
#include "scheduler/run/pack.h"
#include "scheduler/run/reduce.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_RETAINED = 1 << 20, /* bytes of the largest message whose memory a plan keeps */
  MOST_POSTED = 2          /* larger receives from one place that are posted at a time */
};

/* The table. */

static int32_t n_messages_of(const tsr_plan_reduction *r)
{
  const int32_t n_up = r->up < 0 ? 0 : r->spread == TSR_SPREAD_TREE ? 2 : 1;
  return r->n_sources + n_up + r->n_down;
}

static void add_message(tsr_messages *t, const tsr_run_message *m)
{
  tsr_run_message *to = &t->v[t->n++];
  memcpy(to, m, offsetof(tsr_run_message, path)); /* what it is */
}

static void add_reduction(tsr_messages *t, const tsr_plan_reduction *r, int32_t what)
{
  tsr_run_message m = {.payload = TSR_PAYLOAD_PARTIALS, .what = what, .tag = r->tag_up};
  t->first_of[what] = t->n;
  for (int32_t i = 0; i < r->n_sources; i++) {
    m.peer = r->sources[i];
    m.n_bytes = r->source_bytes[i];
    add_message(t, &m);
  }
  m.send = true;
  m.peer = r->up;
  m.n_bytes = r->up_bytes;
  if (r->up >= 0) add_message(t, &m);
  if (r->spread != TSR_SPREAD_TREE) return;
  m.payload = TSR_PAYLOAD_RESULT;
  m.tag = r->tag_down;
  m.n_bytes = tsr__reduction_result_bytes(r);
  m.send = false;
  if (r->up >= 0) add_message(t, &m);
  m.send = true;
  for (int32_t i = 0; i < r->n_down; i++) {
    m.peer = r->down[i];
    add_message(t, &m);
  }
}

/* What goes by the transport. */
static size_t whole_bytes(const tsr_run_message *m)
{
  return sizeof(tsr_header) + (m->path == TSR_PATH_LINK ? 0 : m->n_bytes);
}

static bool is_retained(const tsr_run_message *m)
{
  return !m->throttled && whole_bytes(m) <= MOST_RETAINED;
}

/* Finds which large receive follows which: MOST_POSTED further on among those from one place. */
static void link_large(tsr_messages *t)
{
  int32_t *large = tsr__malloc(((size_t)t->n + 1) * sizeof *large), n = 0;
  for (int32_t i = 0; i < t->n; i++) {
    const tsr_run_message *m = &t->v[i];
    if (m->send || m->payload != TSR_PAYLOAD_PIECES || m->throttled || is_retained(m)) continue;
    int32_t before = 0;
    for (int32_t k = n - 1; k >= 0 && before < MOST_POSTED; k--)
      if (t->v[large[k]].peer == m->peer && ++before == MOST_POSTED) t->v[large[k]].follower = i;
    t->v[i].is_later = before == MOST_POSTED;
    large[n++] = i;
  }
  free(large);
}

void tsr__messages_create(tsr_messages *t, const tsr_plan *plan)
{
  int32_t n = plan->n_messages;
  for (int32_t i = 0; i < plan->n_reductions; i++) n += n_messages_of(&plan->reductions[i]);
  *t = (tsr_messages){.pins = plan->scheduler->world->pins,
                      .v = tsr__calloc((size_t)n + 1, sizeof *t->v),
                      .first_of = tsr__calloc((size_t)plan->n_reductions + 1, sizeof(int32_t))};
  for (int32_t i = 0; i < plan->n_messages; i++) {
    const tsr_message *m = &plan->messages[i];
    add_message(t, &(tsr_run_message){.payload = TSR_PAYLOAD_PIECES,
                                      .send = m->send,
                                      .throttled = tsr__is_throttled(&plan->groups[m->group]),
                                      .what = i,
                                      .peer = m->peer,
                                      .tag = m->tag,
                                      .n_bytes = m->bytes});
  }
  for (int32_t i = 0; i < plan->n_reductions; i++) add_reduction(t, &plan->reductions[i], i);
  TSR_ASSERT(t->n == n);
  link_large(t);
}

void tsr__messages_free(tsr_messages *t)
{
  for (int32_t i = 0; i < t->n; i++)
    tsr__pins_free(t->pins, t->v[i].retained, whole_bytes(&t->v[i]));
  free(t->v);
  free(t->first_of);
}

static tsr_run_message *message_of(const tsr_run *run, int32_t reduction, int32_t i)
{
  const tsr_plan_reduction *r = &run->plan->reductions[reduction];
  TSR_ASSERT(i >= 0 && i < n_messages_of(r));
  (void)r;
  return &run->messages->v[run->messages->first_of[reduction] + i];
}

tsr_run_message *tsr__message_from_source(const tsr_run *run, int32_t reduction, int32_t s)
{
  return message_of(run, reduction, s);
}

tsr_run_message *tsr__message_up(const tsr_run *run, int32_t reduction)
{
  return message_of(run, reduction, run->plan->reductions[reduction].n_sources);
}

tsr_run_message *tsr__message_result(const tsr_run *run, int32_t reduction)
{
  return message_of(run, reduction, run->plan->reductions[reduction].n_sources + 1);
}

tsr_run_message *tsr__message_down(const tsr_run *run, int32_t reduction, int32_t d)
{
  const tsr_plan_reduction *r = &run->plan->reductions[reduction];
  return message_of(run, reduction, n_messages_of(r) - r->n_down + d);
}

/* Paths. */

static bool are_resident(const tsr_run *run, const tsr_message *m)
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

/* The other end of the message, if devices copy between the memories of the two ends; both
 * ends find the same answer. Else NULL. */
static tsr_run_message *other_end(const tsr_run *run, tsr_run_message *m)
{
  if (m->payload != TSR_PAYLOAD_PIECES || run->device == NULL || !run->world->copies_peers)
    return NULL;
  const tsr_run *other = run->first;
  while (other != NULL && other->plan->place != m->peer) other = other->beside;
  if (other == NULL) return NULL;
  const tsr_message *mine = &run->plan->messages[m->what];
  if (m->counterpart == 0) {
    m->counterpart = find_counterpart(run, mine, other) + 1;
    run->plan->scheduler->counters.n_lookups++;
  }
  TSR_ASSERT(m->counterpart > 0);
  const tsr_message *its = &other->plan->messages[m->counterpart - 1];
  TSR_ASSERT(its->bytes == mine->bytes && its->n_pieces == mine->n_pieces);
  if (!are_resident(run, mine) || !are_resident(other, its)) return NULL;
  return &other->plan->workspace->messages.v[m->counterpart - 1];
}

/* Does the message lie in the transport's memory? What a device copies in its own time, and a
 * result, which goes further down, need memory that stays longer. */
static bool fits_in_place(const tsr_run *run, const tsr_run_message *m)
{
  const tsr_transport *t = run->world->transport;
  const bool stays = run->device != NULL || (m->payload == TSR_PAYLOAD_RESULT && !m->send);
  if (t->ops->in_place == NULL || stays || m->throttled) return false;
  return whole_bytes(m) <= t->ops->in_place(t, tsr__world_rank_of(run->world, m->peer));
}

static tsr_message_path find_path(tsr_run *run, tsr_run_message *m)
{
  m->other = other_end(run, m);
  if (m->other != NULL) return TSR_PATH_COPY;
  if (m->is_linked == 0) m->is_linked = tsr__is_linked(run, m) ? 1 : -1;
  return m->is_linked > 0 ? TSR_PATH_LINK : TSR_PATH_BYTES;
}

void tsr__messages_start(tsr_run *run)
{
  for (int32_t i = 0; i < run->messages->n; i++) {
    tsr_run_message *m = &run->messages->v[i];
    m->run = run;
    m->path = (uint8_t)find_path(run, m);
    m->in_place = fits_in_place(run, m);
    m->until = m->send && !m->throttled && m->path != TSR_PATH_COPY ? TSR_MESSAGE_POSTED
                                                                    : TSR_MESSAGE_DONE;
    m->bytes = NULL;
    atomic_init(&m->has_header, false);
    atomic_init(&m->state, TSR_MESSAGE_IDLE);
    atomic_flag_clear_explicit(&m->is_claimed, memory_order_relaxed);
  }
}

/* A device keeps the bytes of what it unpacks, so nothing is gained by posting it later. */
void tsr__messages_post(tsr_run *run)
{
  for (int32_t i = 0; i < run->messages->n; i++) {
    tsr_run_message *m = &run->messages->v[i];
    if (m->send || m->throttled || (m->is_later && run->device == NULL)) continue;
    tsr__message_advance(run, m, TSR_MESSAGE_POSTED);
  }
}

/* Memory. */

/* Gets memory for a send in place. False: the transport has none just now. */
static bool reserve_in_place(tsr_run *run, tsr_run_message *m)
{
  tsr_transport *t = run->world->transport;
  m->bytes = t->ops->reserve(t, tsr__world_rank_of(run->world, m->peer), whole_bytes(m));
  return m->bytes != NULL;
}

/* A send of a run that has failed is a header: a rank that lacks memory must not need any. */
static void take_memory(tsr_run *run, tsr_run_message *m)
{
  const bool is_header = m->send && !is_retained(m) && tsr__run_has_failed(run);
  if (m->path == TSR_PATH_COPY || m->bytes != NULL) return;
  if (m->in_place && (!m->send || reserve_in_place(run, m))) return;
  m->in_place = false;
  m->capacity = is_header ? sizeof(tsr_header) : whole_bytes(m);
  if (!is_retained(m)) {
    m->bytes = tsr__residency_host_bytes(run->plan->scheduler, m->capacity, &m->from);
    return;
  }
  if (m->retained == NULL) {
    m->retained = tsr__pins_alloc(run->messages->pins, m->capacity);
    __atomic_fetch_add(&run->plan->scheduler->counters.bytes_buffered, m->capacity,
                       __ATOMIC_RELAXED);
  }
  m->bytes = m->retained;
}

static void give_memory(tsr_run *run, tsr_run_message *m)
{
  if (m->bytes == NULL) return;
  if (m->in_place && !m->send)
    run->world->transport->ops->give_back(run->world->transport, &m->request);
  else if (!m->in_place && !is_retained(m))
    tsr__residency_give_bytes(m->bytes, m->capacity, m->from);
  m->bytes = NULL;
}

/* Is nobody interested in the bytes of a message that is done? A device unpacks in its own time,
 * and a result is sent on. */
static bool is_used_up(const tsr_run *run, const tsr_run_message *m)
{
  if (m->send || m->throttled || m->in_place) return true;
  return run->device == NULL && m->payload != TSR_PAYLOAD_RESULT;
}

void tsr__messages_end(tsr_run *run)
{
  for (int32_t i = 0; run->messages != NULL && i < run->messages->n; i++) {
    if (tsr__message_state(&run->messages->v[i]) != TSR_MESSAGE_DONE)
      tsr__fatal("a message of rank %d is still under way when its run ends", run->world->rank);
    give_memory(run, &run->messages->v[i]);
  }
}

/* On the wire. */

/* The number of a message among all of the program's, before it is folded into a tag of the
 * wire. */
static uint32_t number_of(const tsr_run *run, const tsr_run_message *m)
{
  return run->binding->tag_base + m->tag;
}

static void post_receive(tsr_run *run, tsr_run_message *m)
{
  tsr_transport *t = run->world->transport;
  const uint32_t tag = tsr__wire_tag(run->world, number_of(run, m), m->peer, run->plan->place);
  const tsr_status status = t->ops->recv(t, tsr__world_rank_of(run->world, m->peer), tag, m->bytes,
                                         whole_bytes(m), &m->request);
  if (status < 0) tsr__run_fail(run, status);
}

static void post_send(tsr_run *run, tsr_run_message *m)
{
  tsr_transport *t = run->world->transport;
  (void)tsr__run_note_lost_device(run); /* the bytes may be none of its */
  const tsr_header h = {
      .hash = run->hash, .status = atomic_load(run->failure), .tag = number_of(run, m)};
  memcpy(m->bytes, &h, sizeof h);
  const size_t n = h.status == TSR_OK ? whole_bytes(m) : sizeof h;
  TSR_ASSERT(m->in_place || n <= m->capacity);
  const uint32_t tag = tsr__wire_tag(run->world, h.tag, run->plan->place, m->peer);
  const tsr_status status =
      t->ops->send(t, tsr__world_rank_of(run->world, m->peer), tag, m->bytes, n, &m->request);
  if (status < 0) tsr__run_fail(run, status);
}

/* Is what arrived good to use? If not, notes the failure. */
static bool is_good(tsr_run *run, const tsr_run_message *m)
{
  tsr_header h;
  tsr_status status = TSR_OK;
  if (m->request.status < 0 || m->request.bytes < sizeof h) {
    tsr__run_fail(run, TSR_ERR_MPI);
    return false;
  }
  memcpy(&h, m->bytes, sizeof h);
  if (h.tag != number_of(run, m) || (h.hash != run->hash && run->world->config.guard))
    status = TSR_ERR_DIVERGED;
  else if (h.status != TSR_OK)
    status = TSR_ERR_PEER;
  else if (m->request.bytes != whole_bytes(m))
    status = TSR_ERR_DIVERGED;
  if (status < 0) tsr__run_fail(run, status);
  return status == TSR_OK;
}

/* Values in and out. */

static void pack(tsr_run *run, tsr_run_message *m)
{
  if (tsr__run_has_failed(run)) return;
  tsr__range_message(run, m, "to");
  switch ((tsr_payload)m->payload) {
  case TSR_PAYLOAD_PIECES:
    m->event = m->path == TSR_PATH_COPY   ? tsr__pack_offer(run, m)
               : m->path == TSR_PATH_LINK ? tsr__pack_linked(run, m)
                                          : tsr__pack_out(run, m);
    break;
  case TSR_PAYLOAD_PARTIALS:
    TSR_ASSERT(tsr__partials_pack_bytes(run->totals[m->what]) == m->n_bytes);
    tsr__partials_pack(run->totals[m->what], tsr__message_payload(m));
    break;
  case TSR_PAYLOAD_RESULT:
    memcpy(tsr__message_payload(m), m->values, m->n_bytes);
    break;
  }
  tsr__range_end(run->world);
}

static void unpack_pieces(tsr_run *run, tsr_run_message *m)
{
  if (m->path == TSR_PATH_BYTES) {
    tsr__pack_in(run, m);
    if (m->throttled) tsr__run_sync(run); /* its memory is given back */
    return;
  }
  if (m->path == TSR_PATH_LINK) {
    m->event = tsr__pack_linked(run, m);
    return;
  }
  m->event = tsr__pack_take(run, m, m->other);
  __atomic_fetch_add(&run->plan->scheduler->counters.n_between, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&run->plan->scheduler->counters.bytes_between, m->n_bytes, __ATOMIC_RELAXED);
}

static void unpack(tsr_run *run, tsr_run_message *m)
{
  tsr_status status = TSR_OK;
  if (tsr__run_has_failed(run)) return;
  tsr__range_message(run, m, "from");
  switch ((tsr_payload)m->payload) {
  case TSR_PAYLOAD_PIECES:
    unpack_pieces(run, m);
    break;
  case TSR_PAYLOAD_PARTIALS:
    TSR_ASSERT(run->totals[m->what] != NULL);
    status = tsr__partials_merge_packed(run->totals[m->what], tsr__message_payload(m), m->n_bytes);
    break;
  case TSR_PAYLOAD_RESULT:
    tsr__reduction_store(run, &run->plan->reductions[m->what], tsr__message_payload(m));
    break;
  }
  tsr__range_end(run->world);
  if (status < 0) tsr__run_fail(run, status);
}

/* Has the run's device come to the event? With a seed, the order of tasks alone decides. */
static bool is_over(const tsr_run *run, tsr_device_event event)
{
  if (run->device == NULL) return true;
  if (run->world->config.seed != 0) tsr__run_sync(run);
  return tsr__device_is_over(run->device, event);
}

/* Has a message on the path LINK crossed? The link's phase may need this message's header to go. */
static bool has_crossed_link(tsr_run *run, tsr_run_message *m)
{
  if (!atomic_load(&m->has_header) && tsr__test(run->world->transport, &m->request))
    atomic_store_explicit(&m->has_header, true, memory_order_release);
  return tsr__linked_has_crossed(run, m) && atomic_load(&m->has_header);
}

/* Has a message that is posted gone, or come? */
static bool has_crossed(tsr_run *run, tsr_run_message *m)
{
  if (m->path == TSR_PATH_BYTES) return tsr__test(run->world->transport, &m->request);
  if (m->path == TSR_PATH_LINK) return has_crossed_link(run, m);
  const tsr_message_state state = tsr__message_state(m->other);
  if (!m->send) return state == TSR_MESSAGE_POSTED;
  return state == TSR_MESSAGE_DONE && is_over(m->other->run, m->other->event);
}

/* Takes a message one state on from `state`, if it can go on now. */
static inline bool go_on(tsr_run *run, tsr_run_message *m, tsr_message_state state)
{
  tsr_message_state next = TSR_MESSAGE_DONE;
  switch (state) {
  case TSR_MESSAGE_IDLE:
    if (m->send && m->path == TSR_PATH_LINK && !tsr__linked_has_area(run, m)) return false;
    if (!m->send && atomic_flag_test_and_set(&m->is_claimed)) return false;
    m->event = (tsr_device_event){0};
    take_memory(run, m);
    if (m->send)
      pack(run, m);
    else if (m->path != TSR_PATH_COPY)
      post_receive(run, m);
    next = m->send ? TSR_MESSAGE_PACKING : TSR_MESSAGE_POSTED;
    break;
  case TSR_MESSAGE_PACKING:
    if (!is_over(run, m->event)) return false;
    if (m->path != TSR_PATH_COPY) post_send(run, m);
    next = TSR_MESSAGE_POSTED;
    break;
  case TSR_MESSAGE_POSTED:
    if (!has_crossed(run, m)) return false;
    if (m->in_place && !m->send) m->bytes = m->request.data;
    next = m->send ? TSR_MESSAGE_DONE : TSR_MESSAGE_ARRIVED;
    break;
  case TSR_MESSAGE_ARRIVED:
    if (m->path == TSR_PATH_COPY || is_good(run, m)) unpack(run, m);
    break;
  case TSR_MESSAGE_DONE:
    return false;
  }
  if (next == TSR_MESSAGE_DONE && is_used_up(run, m)) give_memory(run, m);
  atomic_store_explicit(&m->state, (int)next, memory_order_release);
  if (next == TSR_MESSAGE_DONE && m->follower > 0)
    tsr__message_advance(run, &run->messages->v[m->follower], TSR_MESSAGE_POSTED);
  return true;
}

bool tsr__message_advance(tsr_run *run, tsr_run_message *m, tsr_message_state state)
{
  for (tsr_message_state at; (at = tsr__message_state(m)) < state;)
    if (!go_on(run, m, at)) return false;
  return true;
}
