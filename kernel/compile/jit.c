/* The table of kernels to compile, being compiled, and ready. It uses open addressing and only
 * grows. A look-up takes no lock; insertions and the queue are under `lock`, which no thread holds
 * while it waits or works. One thread takes the whole queue, renders it, looks in the cache, and
 * passes the rest to one run of the compiler. An entry is ready when its `code` is set, with
 * release order. Computing threads only try the lock, since in a forked process it may be held for
 * ever. */
#include "kernel/compile/jit_int.h"
#include "runtime/base/alloc.h"
#include "runtime/base/table.h"
#include "runtime/base/error.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TABLE_SIZE = 1 << 13, MOST_ENTRIES = TABLE_SIZE / 2 };

/* Starts the thread if there is none. The thread takes none of the program's signals. Called under
 * the lock. */
static bool start_thread(tsr_jit *jit)
{
  if (jit->started) return true;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  jit->started = pthread_create(&jit->thread, NULL, tsr__jit_thread, jit) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!jit->started) jit->broken = true;
  return jit->started;
}

static uint64_t hash_of(const tsr_kernel *k, const tsr_nest *nest)
{
  uint64_t hash = k->hash;
  for (int s = 0; s < nest->axes.n_streams; s++) hash = tsr__hash_word(hash, nest->classes[s]);
  return hash;
}

static bool same_classes(const tsr_jit_entry *e, const tsr_nest *nest)
{
  return memcmp(e->classes, nest->classes, (size_t)nest->axes.n_streams) == 0;
}

/* Returns the entry, or NULL with its place in *slot. */
static tsr_jit_entry *look_up(const tsr_jit *jit, const tsr_kernel *k, const tsr_nest *nest,
                              uint64_t hash, size_t *slot)
{
  for (*slot = hash % TABLE_SIZE;; *slot = (*slot + 1) % TABLE_SIZE) {
    tsr_jit_entry *e = __atomic_load_n(&jit->table[*slot], __ATOMIC_ACQUIRE);
    if (!e) return NULL;
    if (e->hash == hash && tsr__kernel_equal(e->kernel, k) && same_classes(e, nest)) return e;
  }
}

static tsr_jit_entry *entry_create(const tsr_jit *jit, const tsr_kernel *k, const tsr_nest *nest,
                                   uint64_t hash)
{
  tsr_jit_entry *e = tsr__calloc(1, sizeof *e);
  e->hash = hash;
  e->kernel = tsr__kernel_copy(k);
  e->n_streams = nest->axes.n_streams;
  e->lanes = tsr__render_lanes(k, jit->target);
  e->classes = tsr__malloc((size_t)nest->axes.n_streams + 1);
  memcpy(e->classes, nest->classes, (size_t)nest->axes.n_streams);
  e->call = tsr__calloc((size_t)k->n_instrs + 1, sizeof *e->call);
  tsr__render_calls(k, jit->target, e->call);
  return e;
}

static bool enter(tsr_jit *jit)
{
  if (jit->eager) return pthread_mutex_lock(&jit->lock) == 0;
  return pthread_mutex_trylock(&jit->lock) == 0;
}

static tsr_jit_entry *find(tsr_jit *jit, const tsr_kernel *k, const tsr_nest *nest)
{
  const uint64_t hash = hash_of(k, nest);
  size_t slot;
  tsr_jit_entry *e = look_up(jit, k, nest, hash, &slot);
  if (e || !enter(jit)) return e;
  e = look_up(jit, k, nest, hash, &slot);
  if (!e && jit->n_entries < MOST_ENTRIES) {
    TSR_ASSERT(jit->n_entries < TABLE_SIZE - 1); /* a search ends at a free place */
    jit->n_entries++;
    e = entry_create(jit, k, nest, hash);
    __atomic_store_n(&jit->table[slot], e, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&jit->lock);
  return e;
}

/* Queues the kernel, unless it was queued before. Called under the lock. */
static void put_in_queue(tsr_jit *jit, tsr_jit_entry *e)
{
  if (e->state != TSR_JIT_IDLE) return;
  if (jit->broken || !start_thread(jit)) {
    __atomic_store_n(&e->state, TSR_JIT_FAILED, __ATOMIC_RELEASE);
    jit->stats.n_failed++;
    return;
  }
  __atomic_store_n(&e->state, TSR_JIT_WANTED, __ATOMIC_RELEASE);
  e->next = NULL;
  TSR_ASSERT(*jit->queue_end == NULL);
  *jit->queue_end = e;
  jit->queue_end = &e->next;
}

/* Tells the thread to take the queue. Called under the lock. */
static void call_thread(tsr_jit *jit)
{
  jit->called = jit->queue != NULL;
  pthread_cond_signal(&jit->wanted);
}

/* Counts a run without compiled code, and queues the kernel once its runs reach the limit. */
static void consider(tsr_jit *jit, tsr_jit_entry *e, const tsr_nest *nest)
{
  int64_t work = e->kernel->n_instrs;
  for (int axis = 0; axis < nest->axes.n_axes; axis++) work *= nest->axes.n[axis];
  if (__atomic_load_n(&e->state, __ATOMIC_ACQUIRE) >= TSR_JIT_READY) return;
  if (__atomic_add_fetch(&e->work, work, __ATOMIC_RELAXED) < jit->config.jit_after && !jit->eager)
    return;
  if (__atomic_load_n(&e->state, __ATOMIC_RELAXED) == TSR_JIT_WANTED && !jit->eager) return;
  /* A forked process has no thread that would compile. */
  if (jit->eager && jit->pid != getpid()) return;
  if (!enter(jit)) return;
  put_in_queue(jit, e);
  call_thread(jit);
  while (jit->eager && e->state == TSR_JIT_WANTED) pthread_cond_wait(&jit->done, &jit->lock);
  pthread_mutex_unlock(&jit->lock);
}

bool tsr__jit_is_eager(const tsr_jit *jit)
{
  return jit && jit->eager;
}

void tsr__jit_want(tsr_jit *jit, const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  tsr_nest nest;
  const int lanes = tsr__render_lanes(k, jit->target);
  if (jit->pid != getpid() || !tsr__nest_make(k, bind, lanes, &nest)) return;
  tsr_jit_entry *e = find(jit, k, &nest);
  if (!e) return;
  pthread_mutex_lock(&jit->lock);
  put_in_queue(jit, e);
  pthread_mutex_unlock(&jit->lock);
}

bool tsr__jit_run(tsr_jit *jit, const tsr_kernel *k, const tsr_kernel_bind *bind, void *scratch)
{
  tsr_nest nest;
  const int lanes = jit ? tsr__render_lanes(k, jit->target) : 0;
  if (jit && tsr__nest_make(k, bind, lanes, &nest)) {
    tsr_jit_entry *e = __atomic_load_n((tsr_jit_entry *const *)&k->compiled, __ATOMIC_ACQUIRE);
    if (!e || !same_classes(e, &nest)) {
      e = find(jit, k, &nest);
      if (e) __atomic_store_n((tsr_jit_entry **)&k->compiled, e, __ATOMIC_RELEASE);
    }
    tsr_row_code code = e ? __atomic_load_n(&e->code, __ATOMIC_ACQUIRE) : NULL;
    if (e && !code) {
      consider(jit, e, &nest);
      code = __atomic_load_n(&e->code, __ATOMIC_ACQUIRE);
    }
    if (code) {
      tsr__nest_run(&nest, k, code, lanes, bind->scalars, e->call, scratch);
      return true;
    }
  }
  tsr__kernel_run(k, bind, scratch);
  return false;
}

tsr_replay *tsr__jit_replay(const tsr_jit *jit, const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  tsr_nest nest;
  const int lanes = jit ? tsr__render_lanes(k, jit->target) : 0;
  const tsr_jit_entry *e = __atomic_load_n((tsr_jit_entry *const *)&k->compiled, __ATOMIC_ACQUIRE);
  if (!jit || !e || !tsr__nest_make(k, bind, lanes, &nest) || !same_classes(e, &nest)) return NULL;
  tsr_row_code code = __atomic_load_n(&e->code, __ATOMIC_ACQUIRE);
  return code ? tsr__replay_make(&nest, k, code, lanes, e->call) : NULL;
}

tsr_jit *tsr__jit_create_for(const tsr_config *config, const tsr_target *target)
{
  if (!strcmp(config->jit, "off")) return NULL;
  tsr_jit *jit = tsr__calloc(1, sizeof *jit);
  jit->config = *config;
  jit->target = target;
  jit->eager = !strcmp(config->jit, "eager");
  jit->pid = getpid();
  jit->table = tsr__calloc(TABLE_SIZE, sizeof *jit->table);
  jit->queue_end = &jit->queue;
  pthread_mutex_init(&jit->lock, NULL);
  pthread_cond_init(&jit->wanted, NULL);
  pthread_cond_init(&jit->done, NULL);
  return jit;
}

tsr_jit *tsr__jit_create(const tsr_config *config)
{
  return tsr__jit_create_for(config, tsr__target_get(0));
}

static void entry_destroy(tsr_jit_entry *e)
{
  tsr__kernel_destroy(e->kernel);
  tsr__text_free(&e->source);
  free(e->classes);
  free(e->call);
  free(e);
}

void tsr__jit_destroy(tsr_jit *jit)
{
  /* A forked process has no thread, and its lock may be held for ever. */
  if (!jit || jit->pid != getpid()) return;
  pthread_mutex_lock(&jit->lock);
  __atomic_store_n(&jit->stop, true, __ATOMIC_RELAXED);
  pthread_cond_signal(&jit->wanted);
  const bool started = jit->started;
  pthread_mutex_unlock(&jit->lock);
  if (started) pthread_join(jit->thread, NULL);
  for (size_t i = 0; i < TABLE_SIZE; i++)
    if (jit->table[i]) entry_destroy(jit->table[i]);
  tsr__objects_unload(&jit->objects);
  pthread_cond_destroy(&jit->wanted);
  pthread_cond_destroy(&jit->done);
  pthread_mutex_destroy(&jit->lock);
  tsr__text_free(&jit->prelude);
  free(jit->table);
  free(jit);
}

static void destroy_of_machine(void *jit)
{
  tsr__jit_destroy(jit);
}

tsr_jit *tsr__jit_of(tsr_machine *machine)
{
  tsr_jit *jit = __atomic_load_n((tsr_jit **)&machine->jit, __ATOMIC_ACQUIRE);
  if (jit || !strcmp(machine->config.jit, "off")) return jit;
  tsr_jit *mine = tsr__jit_create(&machine->config);
  mine->topology = &machine->topology;
  __atomic_store_n(&machine->jit_destroy, destroy_of_machine, __ATOMIC_RELAXED);
  if (__atomic_compare_exchange_n((tsr_jit **)&machine->jit, &jit, mine, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return mine;
  tsr__jit_destroy(mine);
  return jit;
}

tsr_jit_stats tsr__jit_stats(tsr_jit *jit)
{
  pthread_mutex_lock(&jit->lock);
  const tsr_jit_stats stats = jit->stats;
  pthread_mutex_unlock(&jit->lock);
  return stats;
}

void tsr__jit_wait(tsr_jit *jit)
{
  pthread_mutex_lock(&jit->lock);
  if (jit->queue) call_thread(jit);
  while (jit->queue || jit->busy) pthread_cond_wait(&jit->done, &jit->lock);
  pthread_mutex_unlock(&jit->lock);
}
