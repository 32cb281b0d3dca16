/* Helper threads and the jobs that they join.
 *
 * The pool has a few jobs, which live as long as it does. One 32-bit word per job says how many
 * openings it has for helpers and how many of them are inside:
 *   openings << 16 | owner-sleeps << 15 | active
 * A helper joins by taking an opening and becoming active in one compare-and-swap; the owner closes
 * the job by clearing the openings, after which nobody can come in, and waits for active to reach 0.
 * Helpers are never needed: if all jobs are taken, the caller works alone.
 *
 * `posted` counts jobs; idle helpers watch it for a moment and then sleep on it. No post is missed:
 * a sleeper first adds itself to n_sleepers and the kernel then compares `posted` with what it saw,
 * a poster first adds to `posted` and then reads n_sleepers (all sequentially consistent).
 *
 * Between the owner and a helper the job's plain fields are ordered by that word (release when
 * opened, acquire when joined; release when left, acquire when seen empty), between two owners by
 * `taken`. */
#include "runtime/machine/workers.h"
#include "runtime/machine/machine.h"
#include "runtime/base/alloc.h"
#include "runtime/base/spin.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  N_JOBS = 16,
  HELPER_SPIN_NS = 40 * 1000,  /* about as long as waking a sleeping thread takes */
  OWNER_PAUSE_NS = 20 * 1000,  /* time after which a waiting owner yields its core */
  OWNER_YIELD_NS = 500 * 1000, /* time after which it sleeps */
  N_YIELDS = 4,                /* turns until an idle helper of an oversubscribed node sleeps */
  N_WAKE = 2                   /* sleepers that a poster and each woken thread wakes: a tree */
};
#define OPENING (1u << 16)
#define OWNER_SLEEPS (1u << 15)
#define ACTIVE (OWNER_SLEEPS - 1)

typedef struct job {
  _Alignas(128) atomic_uint state;
  atomic_uint serial; /* how often the job was opened */
  atomic_bool taken;
  tsr_work_fn work;
  void *arg;
  unsigned openings; /* that it was opened with */
  bool keep_numbers; /* each helper has an opening and its own number, so data stay with cores */
} job;

typedef struct helper {
  struct tsr_workers *pool;
  pthread_t thread;
  int number;              /* from 1 to n_threads - 1 */
  unsigned joined[N_JOBS]; /* serial of each job when last joined; for its own thread */
} helper;

struct tsr_workers {
  job jobs[N_JOBS];
  _Alignas(128) atomic_uint posted;
  atomic_int n_sleepers;
  atomic_bool quit;
  bool oversubscribed;
  int n_threads;
  helper *helpers; /* [n_threads - 1] */
};

static void futex_wait(atomic_uint *word, unsigned seen)
{
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static void futex_wake(atomic_uint *word, int n)
{
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

static void wake_helpers(tsr_workers *w, int openings)
{
  int n = atomic_load(&w->n_sleepers);
  if (n > openings) n = openings;
  if (n > N_WAKE) n = N_WAKE;
  if (n > 0) futex_wake(&w->posted, n);
}

/* Takes an opening in the job and works, unless there is none or the helper was in the job. */
static bool join_job(helper *h, int number)
{
  tsr_workers *w = h->pool;
  job *s = &w->jobs[number];
  unsigned state = atomic_load_explicit(&s->state, memory_order_acquire);
  if (state < OPENING) return false;
  if (atomic_load_explicit(&s->serial, memory_order_relaxed) == h->joined[number]) return false;
  while (!atomic_compare_exchange_weak_explicit(&s->state, &state, state - OPENING + 1,
                                                memory_order_acq_rel, memory_order_acquire))
    if (state < OPENING) return false;
  h->joined[number] = atomic_load_explicit(&s->serial, memory_order_relaxed);
  unsigned left = state / OPENING - 1;
  if (left > 0) wake_helpers(w, (int)left);
  s->work(s->arg, s->keep_numbers ? h->number : (int)(s->openings - left));
  state = atomic_fetch_sub_explicit(&s->state, 1, memory_order_acq_rel);
  if ((state & ACTIVE) == 1 && (state & OWNER_SLEEPS)) futex_wake(&s->state, 1);
  return true;
}

/* Watches for a job that is posted after `seen`, first awake, then asleep. */
static void wait_for_post(tsr_workers *w, unsigned seen)
{
  if (w->oversubscribed) {
    for (int i = 0; i < N_YIELDS; i++) {
      sched_yield();
      if (atomic_load_explicit(&w->posted, memory_order_acquire) != seen) return;
    }
  } else {
    uint64_t end_ns = tsr__now_ns() + HELPER_SPIN_NS;
    do {
      for (int i = 0; i < 16; i++) {
        if (atomic_load_explicit(&w->posted, memory_order_acquire) != seen) return;
        tsr__cpu_pause();
      }
    } while (tsr__now_ns() < end_ns);
  }
  atomic_fetch_add(&w->n_sleepers, 1);
  futex_wait(&w->posted, seen);
  atomic_fetch_sub(&w->n_sleepers, 1);
}

/* Sets the affinity of new helpers. Where the system refuses it, they run anywhere. */
static void keep_to_cpus(pthread_attr_t *attributes, const int *cpus, int n_cpus)
{
  int last = 0;
  for (int i = 0; i < n_cpus; i++) last = cpus[i] > last ? cpus[i] : last;
  cpu_set_t *set = CPU_ALLOC((size_t)last + 1);
  if (!set) return;
  size_t bytes = CPU_ALLOC_SIZE((size_t)last + 1);
  CPU_ZERO_S(bytes, set);
  for (int i = 0; i < n_cpus; i++) CPU_SET_S((size_t)cpus[i], bytes, set);
  pthread_attr_setaffinity_np(attributes, bytes, set);
  CPU_FREE(set);
}

static void *helper_main(void *arg)
{
  helper *h = arg;
  tsr_workers *w = h->pool;
  char name[16];
  snprintf(name, sizeof name, "tessera-%d", h->number);
  pthread_setname_np(pthread_self(), name);
  while (!atomic_load(&w->quit)) {
    unsigned seen = atomic_load(&w->posted);
    bool joined = false;
    for (int number = 0; number < N_JOBS; number++) joined |= join_job(h, number);
    if (!joined && !atomic_load(&w->quit)) wait_for_post(w, seen);
  }
  return NULL;
}

/* Ends and joins the first n helpers. */
static void stop(tsr_workers *w, int n)
{
  atomic_store(&w->quit, true);
  atomic_fetch_add(&w->posted, 1);
  futex_wake(&w->posted, INT_MAX);
  for (int i = 0; i < n; i++) pthread_join(w->helpers[i].thread, NULL);
}

tsr_status tsr__workers_create(int n_threads, const int *cpus, int n_cpus, bool oversubscribed,
                               tsr_workers **out)
{
  TSR_ASSERT(n_threads >= 1);
  size_t bytes = (sizeof(tsr_workers) + 127) & ~(size_t)127;
  tsr_workers *w = aligned_alloc(128, bytes);
  if (!w) return TSR_ERR_MEMORY;
  *w = (tsr_workers){.oversubscribed = oversubscribed, .n_threads = n_threads};
  w->helpers = tsr__calloc((size_t)n_threads, sizeof *w->helpers);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (cpus) keep_to_cpus(&attributes, cpus, n_cpus);
  /* Signals are blocked in helpers: they are for the program's own threads. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = 0, n = 0;
  for (; n < n_threads - 1 && !failed; n++) {
    helper *h = &w->helpers[n];
    *h = (helper){.pool = w, .number = n + 1};
    failed = pthread_create(&h->thread, &attributes, helper_main, h);
    if (failed == EINVAL) failed = pthread_create(&h->thread, NULL, helper_main, h); /* affinity */
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (failed) {
    stop(w, n - 1);
    free(w->helpers);
    free(w);
    return TSR_ERR_MEMORY;
  }
  *out = w;
  return TSR_OK;
}

void tsr__workers_destroy(tsr_workers *w)
{
  if (!w) return;
  stop(w, w->n_threads - 1);
  free(w->helpers);
  free(w);
}

int tsr__workers_count(const tsr_workers *w)
{
  return w->n_threads;
}

bool tsr__workers_oversubscribed(const tsr_workers *w)
{
  return w->oversubscribed;
}

static job *take_job(tsr_workers *w)
{
  for (int i = 0; i < N_JOBS; i++) {
    job *s = &w->jobs[i];
    if (!atomic_load_explicit(&s->taken, memory_order_relaxed) &&
        !atomic_exchange_explicit(&s->taken, true, memory_order_acquire))
      return s;
  }
  return NULL;
}

/* Lets nobody in any more and waits for those inside. */
static void close_job(const tsr_workers *w, job *s)
{
  unsigned state = atomic_fetch_and_explicit(&s->state, OPENING - 1, memory_order_acq_rel);
  if (!(state & ACTIVE)) return;
  uint64_t start_ns = tsr__now_ns();
  for (uint64_t waited_ns = 0; waited_ns < OWNER_YIELD_NS; waited_ns = tsr__now_ns() - start_ns) {
    if (w->oversubscribed || waited_ns >= OWNER_PAUSE_NS) sched_yield();
    for (int i = 0; i < 8; i++) {
      if (!(atomic_load_explicit(&s->state, memory_order_acquire) & ACTIVE)) return;
      tsr__cpu_pause();
    }
  }
  state = atomic_fetch_or_explicit(&s->state, OWNER_SLEEPS, memory_order_acq_rel) | OWNER_SLEEPS;
  while (state & ACTIVE) {
    futex_wait(&s->state, state);
    state = atomic_load_explicit(&s->state, memory_order_acquire);
  }
}

void tsr__workers_run(tsr_workers *w, int max_threads, tsr_work_fn work, void *arg)
{
  if (max_threads > w->n_threads) max_threads = w->n_threads;
  job *s = max_threads > 1 ? take_job(w) : NULL;
  if (!s) {
    work(arg, 0);
    return;
  }
  s->work = work;
  s->arg = arg;
  s->openings = (unsigned)max_threads - 1;
  s->keep_numbers = max_threads == w->n_threads;
  atomic_fetch_add_explicit(&s->serial, 1, memory_order_relaxed);
  atomic_store_explicit(&s->state, s->openings * OPENING, memory_order_release);
  atomic_fetch_add(&w->posted, 1);
  wake_helpers(w, max_threads - 1);
  work(arg, 0);
  close_job(w, s);
  atomic_store_explicit(&s->taken, false, memory_order_release);
}

/* Turns of waiting become longer, because the thread that is waited for may need this core. */
void tsr__workers_relax(const tsr_workers *w, unsigned *turns)
{
  enum { N_PAUSE = 128, N_YIELD = 512 };
  unsigned turn = *turns;
  if (turn < UINT_MAX) *turns = turn + 1;
  if (turn < N_PAUSE && !w->oversubscribed) {
    tsr__cpu_pause();
  } else if (turn < N_YIELD || !w->oversubscribed) {
    sched_yield();
  } else {
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
  }
}
