/* The phases of the runs of a rank's places (link.h). They are the same in every run of a plan.
 *
 * The areas of a place's buffer are handed out phase by phase. Where a phase finds no space behind
 * the last one, it begins at the front again, and its areas are written when all phases before it
 * are over. The buffer is large enough for any phase: it has as much space as the 2 (members - 1)
 * messages that a phase has at most. */
#include "scheduler/run/link.h"

#include "scheduler/run/run_int.h"
#include "scheduler/run/pack.h"

#include <stdlib.h>
#include <string.h>

typedef struct phase {
  int32_t first, end; /* its messages */
  int32_t after;      /* as many phases must be over before its areas are written */
} phase;

struct tsr_linked {
  tsr_link *link;
  pthread_mutex_t lock; /* of what changes in a run */
  tsr_run_message **v;  /* [n] owned, by phase */
  int32_t n;
  phase *phases;              /* [n_phases] owned */
  tsr_link_message *messages; /* [n] owned: of the phase that is put into the queue */
  int32_t n_phases;
  atomic_int n_put, n_over; /* phases in the queue; those whose areas may be written again */
};

bool tsr__is_linked(const tsr_run *run, const tsr_run_message *m)
{
  const tsr_world *w = run->world;
  if (w->link == NULL || m->payload != TSR_PAYLOAD_PIECES || m->throttled) return false;
  const tsr_plan *plan = run->plan;
  if (tsr__world_rank_of(w, m->peer) == w->rank) return false;
  return tsr__link_joins(w->link, plan->place, m->peer) &&
         !plan->groups[plan->messages[m->what].group].cut->replicated &&
         tsr__pack_linked_bytes(run, m) <= w->link->most_bytes;
}

static int by_phase(const void *a, const void *b)
{
  const tsr_run_message *x = *(tsr_run_message *const *)a, *y = *(tsr_run_message *const *)b;
  if (x->tag != y->tag) return x->tag < y->tag ? -1 : 1;
  if (x->run != y->run) return x->run->plan->here < y->run->plan->here ? -1 : 1;
  if (x->peer != y->peer) return x->peer < y->peer ? -1 : 1;
  return (int)x->send - (int)y->send;
}

static void find_phases(tsr_linked *l)
{
  for (int32_t i = 0; i < l->n; i++) {
    if (i == 0 || l->v[i]->tag != l->v[i - 1]->tag) l->phases[l->n_phases++] = (phase){.first = i};
    l->v[i]->phase = l->n_phases - 1;
    l->phases[l->n_phases - 1].end = i + 1;
  }
}

/* Hands out the buffers for one phase from at[], by place. Returns false if one is too small. */
static bool hand_out(tsr_linked *l, const phase *p, size_t *at)
{
  for (int32_t i = p->first; i < p->end; i++) {
    tsr_run_message *m = l->v[i];
    const int here = m->run->plan->here;
    m->link_bytes = tsr__pack_linked_bytes(m->run, m);
    if (m->link_bytes > l->link->buffer_bytes - at[here]) return false;
    m->area = l->link->buffers[here] + at[here];
    at[here] += tsr__round_up(m->link_bytes, TSR_LINK_UNIT_BYTES);
    if (at[here] > l->link->buffer_bytes) at[here] = l->link->buffer_bytes;
  }
  return true;
}

static void hand_out_all(tsr_linked *l)
{
  size_t at[TSR_MAX_PLACES] = {0};
  int32_t after = 0;
  for (int32_t i = 0; i < l->n_phases; i++) {
    if (!hand_out(l, &l->phases[i], at)) {
      after = i;
      memset(at, 0, sizeof at);
      const bool fits = hand_out(l, &l->phases[i], at);
      TSR_ASSERT(fits);
      (void)fits;
    }
    l->phases[i].after = after;
  }
}

static tsr_linked *create(tsr_run *first)
{
  tsr_linked *l = tsr__calloc(1, sizeof *l);
  l->link = first->world->link;
  pthread_mutex_init(&l->lock, NULL);
  int32_t most = 0;
  for (const tsr_run *run = first; run != NULL; run = run->beside) most += run->messages->n;
  l->v = tsr__calloc((size_t)most + 1, sizeof(tsr_run_message *));
  for (const tsr_run *run = first; run != NULL; run = run->beside)
    for (int32_t i = 0; i < run->messages->n; i++)
      if (run->messages->v[i].path == TSR_PATH_LINK) l->v[l->n++] = &run->messages->v[i];
  l->phases = tsr__calloc((size_t)l->n + 1, sizeof *l->phases);
  l->messages = tsr__calloc((size_t)l->n + 1, sizeof *l->messages);
  qsort(l->v, (size_t)l->n, sizeof(tsr_run_message *), by_phase);
  find_phases(l);
  hand_out_all(l);
  return l;
}

void tsr__linked_destroy(tsr_linked *l)
{
  if (l == NULL) return;
  pthread_mutex_destroy(&l->lock);
  free(l->v);
  free(l->phases);
  free(l->messages);
  free(l);
}

void tsr__linked_start(tsr_run *first)
{
  if (first->world->link == NULL) return;
  tsr_workspace *w = first->plan->workspace;
  if (w->linked == NULL) w->linked = create(first);
  atomic_init(&w->linked->n_put, 0);
  atomic_init(&w->linked->n_over, 0);
  for (tsr_run *run = first; run != NULL; run = run->beside) run->linked = w->linked;
  for (int32_t i = 0; i < w->linked->n && first->plan->workspace->n_runs == 1; i++)
    tsr__pack_want_linked(w->linked->v[i]);
}

/* May the phase go? All that it sends is packed, and all headers that it receives are there. */
static bool can_go(const tsr_linked *l, const phase *p)
{
  if (atomic_load(&l->n_over) < p->after) return false;
  for (int32_t i = p->first; i < p->end; i++) {
    const tsr_run_message *m = l->v[i];
    const bool is_ready = m->send ? tsr__message_state(m) >= TSR_MESSAGE_POSTED
                                  : atomic_load_explicit(&m->has_header, memory_order_acquire);
    if (!is_ready) return false;
  }
  return true;
}

static void put_phase(tsr_linked *l, const phase *p)
{
  char why[400];
  int32_t n = 0;
  for (int32_t i = p->first; i < p->end; i++) {
    const tsr_run_message *m = l->v[i];
    l->messages[n++] = (tsr_link_message){.end = l->link->ends[m->run->plan->here],
                                          .peer = l->link->member[m->peer],
                                          .send = m->send,
                                          .data = m->area,
                                          .bytes = m->link_bytes};
  }
  if (!l->link->ops->exchange(l->messages, n, why, sizeof why))
    tsr__fatal("rank %d has lost its link to other ranks: %s", l->v[p->first]->run->world->rank,
               why);
  for (int32_t i = p->first; i < p->end; i++) {
    tsr_run_message *m = l->v[i];
    tsr_counters *did = &m->run->plan->scheduler->counters;
    m->event = tsr__device_record(m->run->device, TSR_QUEUE_LINK);
    if (!m->send) continue;
    did->n_links++;
    did->bytes_linked += m->n_bytes;
  }
}

static void check_link(const tsr_run *run)
{
  char why[400];
  const tsr_link *link = run->world->link;
  if (tsr__device_status(run->device) < 0) tsr__fatal("%s", run->device->message);
  if (!link->ops->is_well(link->ends[run->plan->here], why, sizeof why))
    tsr__fatal("rank %d has lost its link to other ranks: %s", run->world->rank, why);
}

/* Has the exchange of a message passed the queue? Its phase is put. */
static bool has_passed(const tsr_run_message *m)
{
  if (tsr__device_is_over(m->run->device, m->event)) return true;
  check_link(m->run);
  return false;
}

/* Are the areas of a phase free again? What is received is unpacked then. */
static bool is_exchanged(const tsr_linked *l, const phase *p)
{
  for (int32_t i = p->first; i < p->end; i++) {
    const tsr_run_message *m = l->v[i];
    if (!m->send && tsr__message_state(m) != TSR_MESSAGE_DONE) return false;
    if (!tsr__device_is_over(m->run->device, m->event)) return false;
  }
  return true;
}

/* Puts phases into the queue, and notes those that are over. One thread at a time. */
static void progress(tsr_linked *l)
{
  if (pthread_mutex_trylock(&l->lock) != 0) return;
  for (bool any = true; any;) {
    const int over = atomic_load(&l->n_over), n_put = atomic_load(&l->n_put);
    any = false;
    if (over < n_put && is_exchanged(l, &l->phases[over])) {
      atomic_store(&l->n_over, over + 1);
      any = true;
    }
    if (n_put < l->n_phases && can_go(l, &l->phases[n_put])) {
      put_phase(l, &l->phases[n_put]);
      atomic_store_explicit(&l->n_put, n_put + 1, memory_order_release);
      any = true;
    }
  }
  pthread_mutex_unlock(&l->lock);
}

bool tsr__linked_has_area(tsr_run *run, const tsr_run_message *m)
{
  tsr_linked *l = run->linked;
  const int32_t after = l->phases[m->phase].after;
  if (atomic_load(&l->n_over) < after) progress(l);
  return atomic_load(&l->n_over) >= after;
}

bool tsr__linked_has_crossed(tsr_run *run, const tsr_run_message *m)
{
  tsr_linked *l = run->linked;
  if (atomic_load_explicit(&l->n_put, memory_order_acquire) <= m->phase) progress(l);
  return atomic_load_explicit(&l->n_put, memory_order_acquire) > m->phase && has_passed(m);
}
