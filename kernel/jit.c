/* Which kernels are wanted, being compiled, ready. Entries live in an open-addressing table that
 * only grows: looking up takes no lock; adding, and the queue, are under `lock`, which nobody holds
 * while it waits or works. One thread takes all that is wanted, renders it, asks the cache, and
 * gives the rest to one run of the compiler; a ready entry has its `code` set, with release order.
 * Computing threads only try the lock: in a process forked from this one it may be held for ever.
 */
#include "kernel/jit_int.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TABLE_SIZE = 1 << 13, MOST_ENTRIES = TABLE_SIZE / 2, MOST_AT_ONCE = 64 };

typedef enum entry_state { ENTRY_IDLE, ENTRY_WANTED, ENTRY_READY, ENTRY_FAILED } entry_state;

/** One kernel and the classes of its streams: what one function is made for. */
typedef struct entry {
  uint64_t hash;
  tsr_kernel *kernel; /* a copy */
  int32_t n_streams, lanes;
  uint8_t *classes;
  tsr_loop *call;
  tsr_row_code code;  /* atomic; NULL until ready */
  int state;          /* entry_state; atomic, written under the lock */
  int64_t work;       /* points times instructions run so far; atomic */
  struct entry *next; /* in the queue */
  tsr_text source;    /* the thread's, while it works on it */
  char name[TSR_DIGEST_HEX + 3];
} entry;

struct tsr_jit {
  tsr_config config;
  const tsr_target *target;
  bool eager;
  pid_t pid;
  const tsr_topology *topology; /* of its machine; may be NULL */
  entry **table;                /* [TABLE_SIZE], atomic */
  int n_entries;
  pthread_mutex_t lock;
  pthread_cond_t wanted, done;
  pthread_t thread;
  bool started, busy;
  bool stop;   /* atomic */
  bool broken; /* there is no compiler, or it hung: nothing is wanted any more */
  entry *queue, **queue_end;
  tsr_jit_stats stats;
  /* the thread's own */
  tsr_cache cache;
  char compiler[TSR_PATH_BYTES];
  tsr_text prelude;
  tsr_digest identity; /* of all but the function */
  void **handles;
  size_t n_handles, cap_handles;
  bool warned;
};

static void note(const tsr_jit *jit, const char *text, const char *what)
{
  if (jit->config.debug >= 1) fprintf(stderr, "tessera: %s%s\n", text, what);
}

/* --- the thread --------------------------------------------------------------------------------
 */

static void settle(tsr_jit *jit, entry *e, tsr_row_code code)
{
  pthread_mutex_lock(&jit->lock);
  __atomic_store_n(&e->code, code, __ATOMIC_RELEASE);
  __atomic_store_n(&e->state, code ? ENTRY_READY : ENTRY_FAILED, __ATOMIC_RELEASE);
  if (!code) jit->stats.n_failed++;
  pthread_cond_broadcast(&jit->done);
  pthread_mutex_unlock(&jit->lock);
  tsr__text_free(&e->source);
}

static void keep_handle(tsr_jit *jit, void *handle)
{
  if (jit->n_handles == jit->cap_handles) {
    jit->cap_handles = jit->cap_handles ? 2 * jit->cap_handles : 16;
    jit->handles = tsr__realloc(jit->handles, jit->cap_handles * sizeof *jit->handles);
  }
  jit->handles[jit->n_handles++] = handle;
}

static tsr_row_code find_code(void *handle, const char *name)
{
  tsr_row_code code;
  void *symbol = dlsym(handle, name);
  memcpy(&code, &symbol, sizeof code);
  return code;
}

/* Finds the compiler and reads what identifies it. False, once and for all, if there is none. */
static bool prepare(tsr_jit *jit)
{
  if (jit->prelude.s) return true;
  char path[TSR_PATH_BYTES], *real = NULL;
  struct stat st;
  if (tsr__program_find(jit->config.compiler, path, sizeof path)) real = realpath(path, NULL);
  if (!real || stat(real, &st) < 0) {
    if (strcmp(jit->config.compiler, "cc") != 0) /* somebody asked for it */
      fprintf(stderr,
              "tessera: warning: TESSERA_COMPILER=%s is no program that can be run; kernels "
              "stay interpreted\n",
              jit->config.compiler);
    else
      note(jit, "no C compiler, kernels stay interpreted: ", jit->config.compiler);
    free(real);
    return false;
  }
  snprintf(jit->compiler, sizeof jit->compiler, "%s", path);
  char dir[TSR_PATH_BYTES];
  tsr__cache_open(&jit->cache, tsr__cache_dir(&jit->config, dir, sizeof dir),
                  jit->config.cache_bytes);
  tsr__render_prelude(jit->target, &jit->prelude);
  tsr_text identity = {0};
  tsr__text_add(&identity, "tessera kernel 1\n%s %lld %lld.%09ld\n%s\n%s %s\n%s", real,
                (long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
                tsr__compile_flags, jit->target->name, jit->target->flags, jit->prelude.s);
  tsr__digest_begin(&jit->identity);
  tsr__digest_add(&jit->identity, identity.s, identity.n);
  tsr__text_free(&identity);
  free(real);
  return true;
}

/* Source and name; settles what has no compiled form. */
static bool render(tsr_jit *jit, entry *e)
{
  if (!tsr__render_c(e->kernel, e->classes, jit->target, "kernel", &e->source)) {
    settle(jit, e, NULL);
    return false;
  }
  tsr_digest d = jit->identity;
  tsr_text functions = {0};
  tsr__render_functions(jit->target, e->source.s, &functions);
  if (functions.n) tsr__digest_add(&d, functions.s, functions.n);
  tsr__digest_add(&d, e->source.s, e->source.n);
  tsr__text_free(&functions);
  memcpy(e->name, "k_", 2);
  tsr__digest_end(&d, e->name + 2);
  e->source.n = 0;
  tsr__render_c(e->kernel, e->classes, jit->target, e->name, &e->source);
  return true;
}

/* Takes out of the list what the cache has. */
static entry *load_cached(tsr_jit *jit, entry *list)
{
  entry *left = NULL, **end = &left;
  for (entry *next; list; list = next) {
    next = list->next;
    const uint64_t refused = jit->cache.n_refused;
    void *handle = tsr__cache_load(&jit->cache, list->name + 2);
    tsr_row_code code = handle ? find_code(handle, list->name) : NULL;
    if (handle) keep_handle(jit, handle);
    pthread_mutex_lock(&jit->lock);
    jit->stats.n_refused += jit->cache.n_refused - refused;
    jit->stats.n_cached += code != NULL;
    pthread_mutex_unlock(&jit->lock);
    if (code) {
      settle(jit, list, code);
    } else {
      *end = list;
      end = &list->next;
    }
  }
  *end = NULL;
  return left;
}

static bool write_source(const tsr_jit *jit, const entry *list, const char *dir)
{
  char path[TSR_PATH_BYTES + 8];
  snprintf(path, sizeof path, "%s/k.c", dir);
  FILE *f = fopen(path, "wxe");
  if (!f) return false;
  tsr_text plain = {0}, functions = {0}, with_functions = {0};
  for (; list; list = list->next) {
    functions.n = 0;
    tsr__render_functions(jit->target, list->source.s, &functions);
    char *text = tsr__kernel_text(list->kernel);
    tsr__text_add(functions.n ? &with_functions : &plain, "\n/*\n%s*/\n%s", text, list->source.s);
    free(text);
  }
  functions.n = 0;
  if (with_functions.n) tsr__render_functions(jit->target, with_functions.s, &functions);
  const tsr_text *parts[] = {&jit->prelude, &plain, &functions, &with_functions};
  bool ok = true;
  for (int i = 0; i < 4; i++)
    if (parts[i]->n) ok = fwrite(parts[i]->s, 1, parts[i]->n, f) == parts[i]->n && ok;
  tsr__text_free(&plain);
  tsr__text_free(&functions);
  tsr__text_free(&with_functions);
  return fclose(f) == 0 && ok;
}

static void warn_failed(tsr_jit *jit, const char *dir, const char *what)
{
  if (jit->warned) return;
  jit->warned = true;
  char path[TSR_PATH_BYTES + 8], said[200] = "";
  snprintf(path, sizeof path, "%s/log", dir);
  FILE *f = fopen(path, "re");
  if (f && fgets(said, sizeof said, f)) said[strcspn(said, "\n")] = 0;
  if (f) fclose(f);
  fprintf(stderr, "tessera: warning: %s %s%s%s; kernels stay interpreted\n", jit->compiler, what,
          said[0] ? ": " : "", said);
}

/* Loads k.so for all of the list; false if it is no such thing. */
static bool load_compiled(tsr_jit *jit, entry *list, const char *dir)
{
  char path[TSR_PATH_BYTES + 8];
  snprintf(path, sizeof path, "%s/k.so", dir);
  const bool sealed = tsr__cache_seal(path);
  void *handle = sealed ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!handle) return false;
  keep_handle(jit, handle);
  for (entry *next; list; list = next) {
    next = list->next;
    const tsr_row_code code = find_code(handle, list->name);
    if (code) tsr__cache_store(&jit->cache, dir, list->name + 2);
    pthread_mutex_lock(&jit->lock);
    jit->stats.n_compiled += code != NULL;
    pthread_mutex_unlock(&jit->lock);
    settle(jit, list, code);
  }
  return true;
}

static void fail_all(tsr_jit *jit, entry *list)
{
  for (entry *next; list; list = next) {
    next = list->next;
    settle(jit, list, NULL);
  }
}

/* One run of the compiler. What it refuses in company it is asked for one by one. */
static void compile(tsr_jit *jit, entry *list)
{
  char dir[TSR_PATH_BYTES];
  if (!tsr__work_make(&jit->cache, dir)) {
    note(jit, "no directory to compile in, kernels stay interpreted: ", dir);
    fail_all(jit, list);
    return;
  }
  const uint64_t began = tsr__now_ns();
  tsr_compile_result result = TSR_COMPILE_FAILED;
  if (write_source(jit, list, dir))
    result = tsr__compile(jit->compiler, jit->target, dir, jit->config.jit_limit_s, &jit->stop);
  pthread_mutex_lock(&jit->lock);
  jit->stats.n_compilers++;
  jit->stats.compilers_ns += tsr__now_ns() - began;
  if (result == TSR_COMPILE_HUNG) jit->broken = true;
  pthread_mutex_unlock(&jit->lock);
  if (result == TSR_COMPILE_OK && load_compiled(jit, list, dir)) {
    tsr__work_remove(dir);
    return;
  }
  const bool alone = !list->next;
  if (result == TSR_COMPILE_HUNG)
    warn_failed(jit, dir, "took longer than TESSERA_JIT_LIMIT_S");
  else if (result != TSR_COMPILE_STOPPED && alone)
    warn_failed(jit, dir, "failed");
  tsr__work_remove(dir);
  if (alone || result == TSR_COMPILE_HUNG || result == TSR_COMPILE_STOPPED) {
    fail_all(jit, list);
    return;
  }
  for (entry *next; list; list = next) {
    next = list->next;
    list->next = NULL;
    compile(jit, list);
  }
}

static void work_on(tsr_jit *jit, entry *list)
{
  if (jit->broken || !prepare(jit)) {
    pthread_mutex_lock(&jit->lock);
    jit->broken = true;
    pthread_mutex_unlock(&jit->lock);
    fail_all(jit, list);
    return;
  }
  entry *rendered = NULL, **end = &rendered;
  for (entry *next; list; list = next) {
    next = list->next;
    if (!render(jit, list)) continue;
    *end = list;
    end = &list->next;
  }
  *end = NULL;
  entry *left = load_cached(jit, rendered);
  if (!left) return;
  const int lock = tsr__cache_lock(&jit->cache, jit->config.jit_limit_s, &jit->stop);
  if (lock >= 0) left = load_cached(jit, left); /* what another process made meanwhile */
  if (left) {
    compile(jit, left);
    tsr__cache_trim(&jit->cache);
  }
  tsr__cache_unlock(lock);
}

/* The thread that wants the first kernel may be bound to a core, which it needs: the compiler may
 * use any of the process. */
static void spread(const tsr_jit *jit)
{
  if (!jit->topology || !jit->topology->cpus) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < jit->topology->n_cores; i++) CPU_SET(jit->topology->cpus[i], &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

static void *thread_main(void *arg)
{
  tsr_jit *jit = arg;
  spread(jit);
  pthread_mutex_lock(&jit->lock);
  for (;;) {
    while (!jit->queue && !jit->stop) pthread_cond_wait(&jit->wanted, &jit->lock);
    if (jit->stop) break;
    entry *list = jit->queue, *last = list;
    for (int i = 1; i < MOST_AT_ONCE && last->next; i++) last = last->next;
    jit->queue = last->next;
    if (!jit->queue) jit->queue_end = &jit->queue;
    last->next = NULL;
    jit->busy = true;
    pthread_mutex_unlock(&jit->lock);
    work_on(jit, list);
    pthread_mutex_lock(&jit->lock);
    jit->busy = false;
    pthread_cond_broadcast(&jit->done);
  }
  pthread_mutex_unlock(&jit->lock);
  return NULL;
}

/* Under the lock. The program's signals are not this thread's. */
static bool start_thread(tsr_jit *jit)
{
  if (jit->started) return true;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  jit->started = pthread_create(&jit->thread, NULL, thread_main, jit) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!jit->started) jit->broken = true;
  return jit->started;
}

/* --- the table ---------------------------------------------------------------------------------
 */

static uint64_t hash_of(const tsr_kernel *k, const tsr_nest *nest)
{
  uint64_t hash = k->hash;
  for (int s = 0; s < nest->n_streams; s++)
    hash = (hash ^ nest->classes[s]) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

static bool same_classes(const entry *e, const tsr_nest *nest)
{
  return memcmp(e->classes, nest->classes, (size_t)nest->n_streams) == 0;
}

/* The entry, or NULL with *slot where it would go. */
static entry *look_up(const tsr_jit *jit, const tsr_kernel *k, const tsr_nest *nest, uint64_t hash,
                      size_t *slot)
{
  for (*slot = hash % TABLE_SIZE;; *slot = (*slot + 1) % TABLE_SIZE) {
    entry *e = __atomic_load_n(&jit->table[*slot], __ATOMIC_ACQUIRE);
    if (!e) return NULL;
    if (e->hash == hash && tsr__kernel_equal(e->kernel, k) && same_classes(e, nest)) return e;
  }
}

static entry *entry_create(const tsr_jit *jit, const tsr_kernel *k, const tsr_nest *nest,
                           uint64_t hash)
{
  entry *e = tsr__calloc(1, sizeof *e);
  e->hash = hash;
  e->kernel = tsr__kernel_copy(k);
  e->n_streams = nest->n_streams;
  e->lanes = tsr__render_lanes(k, jit->target);
  e->classes = tsr__malloc((size_t)nest->n_streams + 1);
  memcpy(e->classes, nest->classes, (size_t)nest->n_streams);
  e->call = tsr__calloc((size_t)k->n_instrs + 1, sizeof *e->call);
  tsr__render_calls(k, jit->target, e->call);
  return e;
}

static bool enter(tsr_jit *jit)
{
  if (jit->eager) return pthread_mutex_lock(&jit->lock) == 0;
  return pthread_mutex_trylock(&jit->lock) == 0;
}

static entry *find(tsr_jit *jit, const tsr_kernel *k, const tsr_nest *nest)
{
  const uint64_t hash = hash_of(k, nest);
  size_t slot;
  entry *e = look_up(jit, k, nest, hash, &slot);
  if (e || !enter(jit)) return e;
  e = look_up(jit, k, nest, hash, &slot);
  if (!e && jit->n_entries < MOST_ENTRIES) {
    jit->n_entries++;
    e = entry_create(jit, k, nest, hash);
    __atomic_store_n(&jit->table[slot], e, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&jit->lock);
  return e;
}

/* Counts a run without compiled code, and wants the kernel once it has earned it. */
static void consider(tsr_jit *jit, entry *e, const tsr_nest *nest)
{
  int64_t work = e->kernel->n_instrs;
  for (int axis = 0; axis < nest->n_axes; axis++) work *= nest->n[axis];
  if (__atomic_load_n(&e->state, __ATOMIC_ACQUIRE) >= ENTRY_READY) return;
  if (__atomic_add_fetch(&e->work, work, __ATOMIC_RELAXED) < jit->config.jit_after && !jit->eager)
    return;
  if (__atomic_load_n(&e->state, __ATOMIC_RELAXED) == ENTRY_WANTED && !jit->eager) return;
  if (jit->eager && jit->pid != getpid()) return; /* nobody would answer */
  if (!enter(jit)) return;
  if (e->state == ENTRY_IDLE) {
    if (jit->broken || !start_thread(jit)) {
      __atomic_store_n(&e->state, ENTRY_FAILED, __ATOMIC_RELEASE);
      jit->stats.n_failed++;
    } else {
      __atomic_store_n(&e->state, ENTRY_WANTED, __ATOMIC_RELEASE);
      e->next = NULL;
      *jit->queue_end = e;
      jit->queue_end = &e->next;
      pthread_cond_signal(&jit->wanted);
    }
  }
  while (jit->eager && e->state == ENTRY_WANTED) pthread_cond_wait(&jit->done, &jit->lock);
  pthread_mutex_unlock(&jit->lock);
}

bool tsr__jit_run(tsr_jit *jit, const tsr_kernel *k, const tsr_kernel_bind *bind, void *scratch)
{
  tsr_nest nest;
  const int lanes = jit ? jit->target->vector_bytes / k->widest_bytes : 0;
  if (jit && tsr__nest_make(k, bind, lanes, &nest) && nest.n[0] >= lanes) {
    entry *e = __atomic_load_n((entry *const *)&k->compiled, __ATOMIC_ACQUIRE);
    if (!e || !same_classes(e, &nest)) {
      e = find(jit, k, &nest);
      if (e) __atomic_store_n((entry **)&k->compiled, e, __ATOMIC_RELEASE);
    }
    tsr_row_code code = e ? __atomic_load_n(&e->code, __ATOMIC_ACQUIRE) : NULL;
    if (e && !code) {
      consider(jit, e, &nest);
      code = __atomic_load_n(&e->code, __ATOMIC_ACQUIRE);
    }
    if (code) {
      tsr__nest_run(&nest, code, lanes, bind->scalars, e->call);
      return true;
    }
  }
  tsr__kernel_run(k, bind, scratch);
  return false;
}

/* --- life --------------------------------------------------------------------------------------
 */

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

static void entry_destroy(entry *e)
{
  tsr__kernel_destroy(e->kernel);
  tsr__text_free(&e->source);
  free(e->classes);
  free(e->call);
  free(e);
}

void tsr__jit_destroy(tsr_jit *jit)
{
  /* A forked process has neither the thread nor a lock to rely on. */
  if (!jit || jit->pid != getpid()) return;
  pthread_mutex_lock(&jit->lock);
  __atomic_store_n(&jit->stop, true, __ATOMIC_RELAXED);
  pthread_cond_signal(&jit->wanted);
  const bool started = jit->started;
  pthread_mutex_unlock(&jit->lock);
  if (started) pthread_join(jit->thread, NULL);
  for (size_t i = 0; i < TABLE_SIZE; i++)
    if (jit->table[i]) entry_destroy(jit->table[i]);
  for (size_t i = 0; i < jit->n_handles; i++) dlclose(jit->handles[i]);
  pthread_cond_destroy(&jit->wanted);
  pthread_cond_destroy(&jit->done);
  pthread_mutex_destroy(&jit->lock);
  tsr__text_free(&jit->prelude);
  free(jit->handles);
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
  while (jit->queue || jit->busy) pthread_cond_wait(&jit->done, &jit->lock);
  pthread_mutex_unlock(&jit->lock);
}
