/* Ranks that are threads of one process, with a mailbox each. Sends copy their bytes and complete
 * at once.
 *
 * Seeded: the mailboxes delay and reorder deliveries (mailbox.c), and a baton lets one rank run at
 * a time. The holder gives it up only in idle() and leave(); the seed picks the next among the
 * ranks that have not left. Nobody runs before all have entered, so that the order in which the
 * system starts threads has no say. A deadlock (all ranks only idle, nothing is delivered) ends the
 * process with a list of who waits for what.
 *
 * What the baton consists of (live, rng, since_ns) is its holder's alone: no lock guards it, and
 * the semaphore that hands the baton over orders what two holders do. group.lock guards n_entered;
 * each mailbox has its own lock. The last close frees the group and all of its ends. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/base/error.h"
#include "runtime/base/clock.h"
#include "runtime/transport/mailbox.h"
#include "runtime/base/alloc.h"

/* A seeded run is a deadlock after so many idle turns without a delivery, and so much time. Both
 * must have passed, because turns alone say nothing about a rank whose other threads compute. */
static const uint64_t deadlock_turns = 200000;
static const uint64_t deadlock_ns = 2000000000;
/* Fruitless turns until an unseeded rank yields its core (about a microsecond), and until a rank
 * sleeps instead, sooner where ranks share cores: what it has waited for that long computes or
 * compiles, and needs the core more. */
static const unsigned spin_turns = 200, nap_turns = 2000, crowded_nap_turns = 100;
enum { NAP_NS = 50000 };

typedef struct local_group local_group;

typedef struct local_end {
  tsr_transport base;
  local_group *group;
  tsr_mailbox *box;
  unsigned fruitless; /* idle turns since the last completion; atomic */
  pthread_t thread;   /* the thread that entered */
  bool entered, left;
  sem_t my_turn; /* posted by whoever passes the baton to this rank */
} local_end;

struct local_group {
  int n;
  int n_open; /* ends that are not closed yet; atomic */
  bool seeded, crowded;
  pthread_mutex_t lock;
  int n_entered, n_live;
  int *live; /* the ranks that have not left */
  uint64_t rng;
  uint64_t idles;    /* idle turns since the last delivery or send; atomic */
  uint64_t since_ns; /* time at which these idle turns began */
  local_end ends[];
};

static local_end *end_of(tsr_transport *t)
{
  return (local_end *)t;
}

/* Notes that something moved: neither this rank nor the group is stuck. */
static void note_progress(local_end *end)
{
  __atomic_store_n(&end->fruitless, 0, __ATOMIC_RELAXED);
  if (end->group->seeded) __atomic_store_n(&end->group->idles, 0, __ATOMIC_RELAXED);
}

static tsr_status send_local(tsr_transport *t, int peer, uint32_t tag, const void *data,
                             size_t bytes, tsr_request *req)
{
  local_end *end = end_of(t);
  TSR_ASSERT(peer >= 0 && peer < t->size);
  __atomic_fetch_add(&t->n_sent, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&t->bytes_sent, bytes, __ATOMIC_RELAXED);
  note_progress(end);
  tsr__mailbox_send(end->group->ends[peer].box, t->rank, tag, data, bytes, req);
  return TSR_OK;
}

static tsr_status recv_local(tsr_transport *t, int peer, uint32_t tag, void *data, size_t capacity,
                             tsr_request *req)
{
  TSR_ASSERT(peer >= 0 && peer < t->size);
  tsr__mailbox_recv(end_of(t)->box, peer, tag, data, capacity, req);
  return TSR_OK;
}

static bool test_local(tsr_transport *t, tsr_request *req)
{
  if (!req->active) return true;
  if (!tsr__mailbox_test(end_of(t)->box, req)) return false;
  note_progress(end_of(t));
  if (!req->is_send) {
    __atomic_fetch_add(&t->n_received, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&t->bytes_received, req->bytes, __ATOMIC_RELAXED);
  }
  return true;
}

static _Noreturn void deadlock(local_group *group)
{
  tsr_text text = {0};
  for (int i = 0; i < group->n_live; i++) {
    local_end *end = &group->ends[group->live[i]];
    tsr__mailbox_describe(end->box, &text);
  }
  tsr__fatal("deadlock: %d of %d ranks are left, and all only wait\n%s", group->n_live, group->n,
             text.s ? text.s : "   (no receive is posted and no message is under way)\n");
}

/* Picks the next holder, which may be the caller, and wakes it. From here on the baton is not the
 * caller's. */
static void baton_pass(local_group *group)
{
  if (group->n_live == 0) return;
  const int next = group->live[tsr__random_next(&group->rng) % (uint64_t)group->n_live];
  sem_post(&group->ends[next].my_turn);
}

static void baton_await(local_end *end)
{
  while (sem_wait(&end->my_turn) != 0 && errno == EINTR) continue;
}

static bool has_baton(const local_end *end)
{
  return end->entered && !end->left && pthread_equal(end->thread, pthread_self());
}

static void idle_seeded(local_end *end)
{
  local_group *group = end->group;
  uint64_t idles = __atomic_add_fetch(&group->idles, 1, __ATOMIC_RELAXED);
  if (idles == 1) group->since_ns = tsr__now_ns();
  if (idles >= deadlock_turns && idles % 1024 == 0 &&
      tsr__now_ns() - group->since_ns >= deadlock_ns)
    deadlock(group);
  /* The holder mostly stays: a delivery takes several turns of its receiver, and waking a thread
   * costs as much as a hundred turns. */
  if (tsr__random_next(&group->rng) % 8 == 0) {
    baton_pass(group);
    baton_await(end);
  }
}

static void idle_local(tsr_transport *t)
{
  local_end *end = end_of(t);
  if (has_baton(end)) {
    idle_seeded(end);
    return;
  }
  unsigned fruitless = __atomic_add_fetch(&end->fruitless, 1, __ATOMIC_RELAXED);
  if (fruitless >= (end->group->crowded ? crowded_nap_turns : nap_turns))
    nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
  else if (end->group->crowded || end->group->seeded || fruitless >= spin_turns)
    sched_yield();
}

static void abort_local(tsr_transport *t, int code)
{
  (void)t;
  fflush(NULL);
  _Exit(code);
}

static void group_free(local_group *group)
{
  for (int r = 0; r < group->n; r++) {
    tsr__mailbox_destroy(group->ends[r].box);
    sem_destroy(&group->ends[r].my_turn);
  }
  pthread_mutex_destroy(&group->lock);
  free(group->live);
  free(group);
}

static void close_local(tsr_transport *t)
{
  local_end *end = end_of(t);
  local_group *group = end->group;
  tsr__transport_local_leave(t);
  tsr__mailbox_abandon(end->box);
  if (__atomic_sub_fetch(&group->n_open, 1, __ATOMIC_ACQ_REL) == 0) group_free(group);
}

static const tsr_transport_ops ops_local = {
    .name = "local",
    .send = send_local,
    .recv = recv_local,
    .test = test_local,
    .idle = idle_local,
    .abort = abort_local,
    .close = close_local,
};

/* The number of cores that this process may use. */
static int n_cores(void)
{
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

tsr_status tsr__transport_local(int n, uint64_t seed, tsr_transport **ends)
{
  if (n < 1) return TSR_ERR_ARGUMENT;
  local_group *group = tsr__calloc(1, sizeof *group + (size_t)n * sizeof group->ends[0]);
  group->n = group->n_open = group->n_live = n;
  group->seeded = seed != 0;
  group->crowded = n > n_cores();
  group->rng = seed;
  group->live = tsr__malloc((size_t)n * sizeof *group->live);
  pthread_mutex_init(&group->lock, NULL);
  for (int r = 0; r < n; r++) {
    local_end *end = &group->ends[r];
    end->base = (tsr_transport){.ops = &ops_local,
                                .rank = r,
                                .size = n,
                                .node_rank = r,
                                .node_size = n,
                                .in_process = true};
    end->group = group;
    end->box = tsr__mailbox_create(r, seed);
    sem_init(&end->my_turn, 0, 0);
    group->live[r] = r;
    ends[r] = &end->base;
  }
  return TSR_OK;
}

/* The end of a seeded local transport, or NULL. */
static local_end *seeded_end(tsr_transport *t)
{
  return t->ops == &ops_local && end_of(t)->group->seeded ? end_of(t) : NULL;
}

void tsr__transport_local_enter(tsr_transport *t)
{
  local_end *end = seeded_end(t);
  if (!end || end->entered) return;
  local_group *group = end->group;
  pthread_mutex_lock(&group->lock);
  end->thread = pthread_self();
  end->entered = true;
  const bool is_last = ++group->n_entered == group->n;
  pthread_mutex_unlock(&group->lock);
  if (is_last) baton_pass(group);
  baton_await(end);
}

void tsr__transport_local_leave(tsr_transport *t)
{
  local_end *end = seeded_end(t);
  if (!end || !has_baton(end)) return;
  local_group *group = end->group;
  end->left = true;
  int i = 0;
  while (group->live[i] != t->rank) i++;
  group->live[i] = group->live[--group->n_live];
  __atomic_store_n(&group->idles, 0, __ATOMIC_RELAXED);
  baton_pass(group);
}
