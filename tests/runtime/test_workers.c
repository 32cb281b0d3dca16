/* Workers: every chunk of a job runs once, numbers are in range and not shared, and jobs run at the
 * same time, nested, with more threads than cores, and when no helper comes in time. */
#include "runtime/machine/workers.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_THREADS = 32, MAX_CHUNKS = 64 };

typedef struct job {
  int n_chunks, max_threads;
  atomic_int next;
  atomic_int inside;             /* threads that are in work() now */
  atomic_int calls[MAX_THREADS]; /* calls of work(), per number */
  int done[MAX_CHUNKS];          /* not atomic: the end of the job must order it before the read */
  atomic_bool wrong;
} job;

static void work(void *arg, int worker)
{
  job *j = arg;
  atomic_fetch_add(&j->inside, 1);
  if (worker < 0 || worker >= j->max_threads)
    atomic_store(&j->wrong, true);
  else
    atomic_fetch_add(&j->calls[worker], 1);
  for (;;) {
    int i = atomic_fetch_add(&j->next, 1);
    if (i >= j->n_chunks) break;
    j->done[i]++;
    if (i % 16 == 0) sched_yield();
  }
  atomic_fetch_sub(&j->inside, 1);
}

/* Runs one job and checks everything that must hold after it. Returns what failed. */
static const char *run_job(tsr_workers *w, int n_chunks, int max_threads)
{
  job j = {.n_chunks = n_chunks, .max_threads = max_threads};
  tsr__workers_run(w, max_threads, work, &j);
  if (atomic_load(&j.wrong)) return "a number out of range";
  if (atomic_load(&j.inside)) return "a helper is still inside";
  if (atomic_load(&j.calls[0]) != 1) return "the caller is not worker 0";
  for (int i = 0; i < MAX_THREADS; i++)
    if (atomic_load(&j.calls[i]) > 1) return "a worker took part twice";
  for (int i = 0; i < n_chunks; i++)
    if (j.done[i] != 1) return "a chunk did not run once";
  return NULL;
}

static tsr_workers *create(int n_threads, bool oversubscribed)
{
  tsr_workers *w = NULL;
  cr_assert_eq(tsr__workers_create(n_threads, NULL, 0, oversubscribed, &w), TSR_OK);
  cr_assert_eq(tsr__workers_count(w), n_threads);
  return w;
}

static void run_many(int n_threads, int max_threads, bool oversubscribed, int n_jobs)
{
  tsr_workers *w = create(n_threads, oversubscribed);
  for (int i = 0; i < n_jobs; i++) {
    const char *failure = run_job(w, i % MAX_CHUNKS, max_threads);
    cr_assert_null(failure, "%s", failure);
  }
  tsr__workers_destroy(w);
}

Test(workers, alone, .timeout = 60)
{
  run_many(1, 1, false, 1000);
}

Test(workers, many_small_jobs, .timeout = 60)
{
  run_many(2, 2, false, 20000);
}

Test(workers, fewer_places_than_helpers, .timeout = 60)
{
  run_many(4, 2, true, 5000);
  run_many(5, 3, true, 5000);
}

Test(workers, oversubscribed, .timeout = 60)
{
  run_many(16, 16, true, 1000);
}

Test(workers, oversubscribed_without_being_told, .timeout = 60)
{
  run_many(8, 8, false, 500);
}

Test(workers, sleeping_helpers_wake, .timeout = 60)
{
  tsr_workers *w = create(4, false);
  for (int i = 0; i < 100; i++) {
    const char *failure = run_job(w, MAX_CHUNKS, 4);
    cr_assert_null(failure, "%s", failure);
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); /* longer than helpers stay awake */
  }
  tsr__workers_destroy(w);
}

Test(workers, create_and_destroy_at_once, .timeout = 60)
{
  for (int i = 0; i < 50; i++) {
    tsr_workers *w = create(1 + i % 5, i % 2);
    if (i % 3 == 0) cr_assert_null(run_job(w, 3, 1 + i % 5));
    tsr__workers_destroy(w);
  }
  tsr__workers_destroy(NULL);
}

/* All threads must be inside together: if only the caller ran the job, it would wait for ever. */
typedef struct meeting {
  const tsr_workers *pool;
  int n;
  atomic_int arrived;
} meeting;

static void meet(void *arg, int worker)
{
  meeting *m = arg;
  atomic_fetch_add(&m->arrived, 1);
  unsigned turns = 0;
  while (atomic_load(&m->arrived) < m->n) tsr__workers_relax(m->pool, &turns);
}

Test(workers, all_helpers_join_a_long_job, .timeout = 60)
{
  for (int oversubscribed = 0; oversubscribed < 2; oversubscribed++) {
    tsr_workers *w = create(6, oversubscribed);
    for (int i = 0; i < 20; i++) {
      meeting m = {.pool = w, .n = 6};
      tsr__workers_run(w, 6, meet, &m);
      cr_assert_eq(atomic_load(&m.arrived), 6);
    }
    tsr__workers_destroy(w);
  }
}

typedef struct rank_thread {
  tsr_workers *pool;
  int max_threads, n_jobs;
} rank_thread;

static void *rank_main(void *arg)
{
  rank_thread *r = arg;
  for (int i = 0; i < r->n_jobs; i++) {
    const char *failure = run_job(r->pool, i % MAX_CHUNKS, r->max_threads);
    if (failure) return (void *)failure;
  }
  return NULL;
}

static void run_concurrently(int n_ranks, int n_threads, int max_threads, int n_jobs)
{
  tsr_workers *w = create(n_threads, true);
  pthread_t threads[40];
  rank_thread r = {w, max_threads, n_jobs};
  for (int i = 0; i < n_ranks; i++) pthread_create(&threads[i], NULL, rank_main, &r);
  for (int i = 0; i < n_ranks; i++) {
    void *failure;
    pthread_join(threads[i], &failure);
    cr_assert_null(failure, "%s", (char *)failure);
  }
  tsr__workers_destroy(w);
}

Test(workers, four_concurrent_jobs, .timeout = 60)
{
  run_concurrently(4, 5, 2, 3000);
  run_concurrently(4, 4, 4, 1000);
}

Test(workers, more_jobs_than_the_pool_has, .timeout = 60)
{
  run_concurrently(40, 3, 3, 100);
}

typedef struct nest {
  tsr_workers *pool;
  atomic_int failures;
} nest;

static void run_inner(void *arg, int worker)
{
  nest *n = arg;
  if (run_job(n->pool, 20, 3)) atomic_fetch_add(&n->failures, 1);
}

Test(workers, nested_jobs, .timeout = 60)
{
  tsr_workers *w = create(3, true);
  nest n = {.pool = w};
  for (int i = 0; i < 200; i++) tsr__workers_run(w, 3, run_inner, &n);
  cr_assert_eq(atomic_load(&n.failures), 0);
  tsr__workers_destroy(w);
}

typedef struct where {
  atomic_int cpu[MAX_THREADS];
  meeting all;
} where;

static void note_cpu(void *arg, int worker)
{
  where *x = arg;
  meet(&x->all, worker);
  atomic_store(&x->cpu[worker], sched_getcpu());
}

Test(workers, helpers_keep_to_their_cpus, .timeout = 60)
{
  cpu_set_t allowed;
  cr_assert_eq(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  int last = 0;
  for (int c = 0; c < CPU_SETSIZE; c++)
    if (CPU_ISSET(c, &allowed)) last = c;
  tsr_workers *w = NULL;
  cr_assert_eq(tsr__workers_create(4, &last, 1, true, &w), TSR_OK);
  for (int i = 0; i < 10; i++) {
    where x = {.all = {.pool = w, .n = 4}};
    tsr__workers_run(w, 4, note_cpu, &x);
    for (int k = 1; k < 4; k++) cr_assert_eq(atomic_load(&x.cpu[k]), last);
  }
  tsr__workers_destroy(w);
}

Test(workers, a_cpu_that_is_not_there_binds_nobody, .timeout = 60)
{
  int cpu = 5000;
  tsr_workers *w = NULL;
  cr_assert_eq(tsr__workers_create(3, &cpu, 1, true, &w), TSR_OK);
  meeting m = {.pool = w, .n = 3};
  tsr__workers_run(w, 3, meet, &m);
  cr_assert_eq(atomic_load(&m.arrived), 3);
  tsr__workers_destroy(w);
}
