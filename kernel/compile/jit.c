/* The table of kernels to compile, being compiled, and ready. It uses open addressing and only
 * grows. A look-up takes no lock; insertions and the queue are under `lock`, which no thread holds
 * while it waits or works. One thread takes the whole queue, renders it, looks in the cache, and
 * passes the rest to one run of the compiler. An entry is ready when its `code` is set, with
 * release order. Computing threads only try the lock, since in a forked process it may be held for
 * ever. */
#include "kernel/compile/jit_int.h"
#include "kernel/compile/nvrtc.h"
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

enum { TABLE_SIZE = 2 * TSR_JIT_MOST_ENTRIES };

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

/* A form of a kernel, as it is looked up. */
typedef struct wanted {
  const tsr_kernel *kernel;
  const uint8_t *form;
  int n_form;
  uint64_t hash;
} wanted;

static wanted make_wanted(const tsr_kernel *k, const void *form, int n_form)
{
  return (wanted){k, form, n_form, tsr__hash_bytes(k->hash, form, (size_t)n_form)};
}

static wanted want_nest(const tsr_kernel *k, const tsr_nest *nest)
{
  return make_wanted(k, nest->classes, nest->n_form);
}

static bool has_form(const tsr_jit_entry *e, const void *form, int n_form)
{
  return e->n_form == n_form && memcmp(e->form, form, (size_t)n_form) == 0;
}

static bool has_classes(const tsr_jit_entry *e, const tsr_nest *nest)
{
  return has_form(e, nest->classes, nest->n_form);
}

/* Returns the entry, or NULL with the index of a free one in *index. */
static tsr_jit_entry *look_up(const tsr_jit *jit, const wanted *w, size_t *index)
{
  for (*index = w->hash % TABLE_SIZE;; *index = (*index + 1) % TABLE_SIZE) {
    tsr_jit_entry *e = __atomic_load_n(&jit->table[*index], __ATOMIC_ACQUIRE);
    if (!e) return NULL;
    if (e->hash == w->hash && tsr__kernel_equal(e->kernel, w->kernel) &&
        has_form(e, w->form, w->n_form))
      return e;
  }
}

static tsr_jit_entry *entry_create(const tsr_jit *jit, const wanted *w)
{
  tsr_jit_entry *e = tsr__calloc(1, sizeof *e);
  e->hash = w->hash;
  e->kernel = tsr__kernel_copy(w->kernel);
  e->n_form = w->n_form;
  /* Forms of any kind fit, and no byte is left open. */
  TSR_ASSERT((size_t)w->n_form <= sizeof(tsr_cuda_form) + sizeof((tsr_nest *)0)->classes);
  e->form = tsr__calloc(1, sizeof(tsr_cuda_form) + sizeof((tsr_nest *)0)->classes);
  memcpy(e->form, w->form, (size_t)w->n_form);
  if (jit->kind != &tsr__code_c) return e;
  e->lanes = tsr__render_lanes(w->kernel, jit->target);
  e->call = tsr__calloc((size_t)w->kernel->n_instrs + 1, sizeof *e->call);
  tsr__render_calls(w->kernel, jit->target, e->call);
  return e;
}

static bool enter_lock(tsr_jit *jit)
{
  if (jit->eager) return pthread_mutex_lock(&jit->lock) == 0;
  return pthread_mutex_trylock(&jit->lock) == 0;
}

static tsr_jit_entry *find_entry(tsr_jit *jit, wanted w)
{
  size_t index;
  tsr_jit_entry *e = look_up(jit, &w, &index);
  if (e || !enter_lock(jit)) return e;
  e = look_up(jit, &w, &index);
  if (!e && jit->n_entries < TSR_JIT_MOST_ENTRIES) {
    TSR_ASSERT(jit->n_entries < TABLE_SIZE - 1); /* a search ends at a free entry */
    e = entry_create(jit, &w);
    e->number = jit->n_entries++;
    __atomic_store_n(&jit->table[index], e, __ATOMIC_RELEASE);
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

static tsr_code ready_code(const tsr_jit_entry *e)
{
  return __atomic_load_n(&e->code, __ATOMIC_ACQUIRE);
}

/* Counts a run of n_points without compiled code, and queues the kernel once its runs reach the
 * limit. Returns its code, if it is ready now. */
static tsr_code consider(tsr_jit *jit, tsr_jit_entry *e, int64_t n_points)
{
  const int64_t work = n_points * e->kernel->n_instrs;
  if (__atomic_load_n(&e->state, __ATOMIC_ACQUIRE) >= TSR_JIT_READY) return ready_code(e);
  if (__atomic_add_fetch(&e->work, work, __ATOMIC_RELAXED) < jit->config.jit_after && !jit->eager)
    return NULL;
  if (__atomic_load_n(&e->state, __ATOMIC_RELAXED) == TSR_JIT_WANTED && !jit->eager) return NULL;
  /* A forked process has no thread that would compile. */
  if (jit->eager && jit->pid != getpid()) return NULL;
  if (!enter_lock(jit)) return NULL;
  put_in_queue(jit, e);
  if (!jit->held) call_thread(jit);
  while (jit->eager && e->state == TSR_JIT_WANTED) pthread_cond_wait(&jit->done, &jit->lock);
  pthread_mutex_unlock(&jit->lock);
  return ready_code(e);
}

bool tsr__jit_is_eager(const tsr_jit *jit)
{
  return jit && jit->eager;
}

static void want(tsr_jit *jit, wanted w)
{
  tsr_jit_entry *e = jit->pid == getpid() ? find_entry(jit, w) : NULL;
  if (!e) return;
  pthread_mutex_lock(&jit->lock);
  put_in_queue(jit, e);
  pthread_mutex_unlock(&jit->lock);
}

void tsr__jit_want(tsr_jit *jit, const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  tsr_nest nest;
  if (tsr__nest_make(k, bind, tsr__render_lanes(k, jit->target), &nest))
    want(jit, want_nest(k, &nest));
}

void tsr__jit_want_launch(tsr_jit *jit, const tsr_kernel *k, const tsr_cuda_launch *launch)
{
  want(jit, make_wanted(k, &launch->form, launch->n_form));
}

bool tsr__jit_run(tsr_jit *jit, const tsr_kernel *k, const tsr_kernel_bind *bind, void *scratch,
                  tsr_recent_runs *recent)
{
  if (jit && recent && tsr__recent_run(recent, k, bind)) return true;
  tsr_nest nest;
  const int lanes = jit ? tsr__render_lanes(k, jit->target) : 0;
  if (jit && tsr__nest_make(k, bind, lanes, &nest)) {
    tsr_jit_entry *e = __atomic_load_n((tsr_jit_entry *const *)&k->compiled, __ATOMIC_ACQUIRE);
    if (!e || !has_classes(e, &nest)) {
      e = find_entry(jit, want_nest(k, &nest));
      if (e) __atomic_store_n((tsr_jit_entry **)&k->compiled, e, __ATOMIC_RELEASE);
    }
    tsr_code code = e ? ready_code(e) : NULL;
    if (e && !code) {
      int64_t n_points = 1;
      for (int axis = 0; axis < nest.axes.n_axes; axis++) n_points *= nest.axes.n[axis];
      code = consider(jit, e, n_points);
    }
    if (code) {
      if (recent) tsr__recent_keep(recent, k, bind, &nest, e);
      tsr__nest_run(&nest, k, (tsr_row_code)code, lanes, bind->scalars, e->call, scratch);
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
  if (!jit || !e || !tsr__nest_make(k, bind, lanes, &nest) || !has_classes(e, &nest)) return NULL;
  const tsr_code code = ready_code(e);
  return code ? tsr__replay_make(&nest, k, (tsr_row_code)code, lanes, e->call) : NULL;
}

bool tsr__jit_code(tsr_jit *jit, const tsr_kernel *k, const tsr_cuda_launch *launch, bool waits,
                   tsr_jit_code *out)
{
  TSR_ASSERT(jit->kind->is_image);
  tsr_jit_entry *e = find_entry(jit, make_wanted(k, &launch->form, launch->n_form));
  *out = (tsr_jit_code){.number = -1};
  if (!e) return false;
  tsr_code code = ready_code(e);
  if (!code && waits) code = consider(jit, e, 0);
  out->is_queued = __atomic_load_n(&e->state, __ATOMIC_ACQUIRE) == TSR_JIT_WANTED;
  memcpy(&out->image, &code, sizeof code);
  out->name = e->name;
  out->number = e->number;
  return code != NULL;
}

bool tsr__jit_has_compiler(tsr_jit *jit)
{
  if (!jit || jit->pid != getpid()) return false;
  pthread_mutex_lock(&jit->lock);
  if (!jit->is_prepared && !jit->broken && start_thread(jit)) {
    jit->called = true;
    pthread_cond_signal(&jit->wanted);
    while (!jit->is_prepared && !jit->broken) pthread_cond_wait(&jit->done, &jit->lock);
  }
  const bool has = jit->is_prepared && !jit->broken;
  pthread_mutex_unlock(&jit->lock);
  return has;
}

tsr_jit *tsr__jit_create_for(const tsr_config *config, const tsr_code_kind *kind,
                             const tsr_target *target)
{
  if (!strcmp(config->jit, "off") || !kind->runs_on(target)) return NULL;
  tsr_jit *jit = tsr__calloc(1, sizeof *jit);
  jit->config = *config;
  jit->kind = kind;
  jit->target = target;
  snprintf(jit->architecture, sizeof jit->architecture, "sm_90");
  jit->held = !strcmp(config->jit, "held");
  /* Devices wait for their code. */
  jit->eager = !jit->held && (kind->is_image || !strcmp(config->jit, "eager"));
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
  return tsr__jit_create_for(config, &tsr__code_c, tsr__target_get(0));
}

tsr_jit *tsr__jit_create_cuda(const tsr_config *config, const char *architecture)
{
  const bool as_c = strcmp(architecture, "c") == 0;
  tsr_jit *jit = tsr__jit_create_for(config, as_c ? &tsr__code_cuda_as_c : &tsr__code_cuda,
                                     tsr__target_get(0));
  if (jit) snprintf(jit->architecture, sizeof jit->architecture, "%s", architecture);
  return jit;
}

static void entry_destroy(tsr_jit_entry *e)
{
  tsr__kernel_destroy(e->kernel);
  tsr__text_free(&e->source);
  free(e->form);
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
  tsr__nvrtc_close(jit->nvrtc);
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

enum { JIT_C, JIT_CUDA, N_JITS };
_Static_assert((int)N_JITS == TSR_N_JITS, "a machine has a pointer for each");

/* Makes `mine` the machine's own, unless another thread was first. mine may be NULL. */
static tsr_jit *keep(tsr_machine *machine, int index, tsr_jit *mine)
{
  tsr_jit **shared = (tsr_jit **)&machine->jit[index], *jit = NULL;
  if (!mine) return NULL;
  mine->topology = &machine->topology;
  __atomic_store_n(&machine->jit_destroy, destroy_of_machine, __ATOMIC_RELAXED);
  if (__atomic_compare_exchange_n(shared, &jit, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return mine;
  tsr__jit_destroy(mine);
  return jit;
}

static tsr_jit *get_jit(tsr_machine *machine, int index)
{
  return __atomic_load_n((tsr_jit **)&machine->jit[index], __ATOMIC_ACQUIRE);
}

tsr_jit *tsr__jit_of(tsr_machine *machine)
{
  tsr_jit *jit = get_jit(machine, JIT_C);
  return jit ? jit : keep(machine, JIT_C, tsr__jit_create(&machine->config));
}

tsr_jit *tsr__jit_of_cuda(tsr_machine *machine, const char *architecture)
{
  tsr_jit *jit = get_jit(machine, JIT_CUDA);
  if (!jit) jit = keep(machine, JIT_CUDA, tsr__jit_create_cuda(&machine->config, architecture));
  if (!jit || !strcmp(jit->architecture, architecture)) return jit;
  fprintf(stderr,
          "tessera: devices of the architectures %s and %s are used together; a process compiles "
          "for one (TESSERA_DEVICES)\n",
          jit->architecture, architecture);
  return NULL;
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
  while (jit->queue || jit->busy) {
    if (jit->queue) call_thread(jit); /* in held mode nobody else does, whoever put it there */
    pthread_cond_wait(&jit->done, &jit->lock);
  }
  pthread_mutex_unlock(&jit->lock);
}
