/* The thread that compiles. It takes the queue, renders the kernels, looks in the cache, and passes
 * the others to the compiler: many kernels per run, since the start of a run costs much more than a
 * small kernel, and two runs at a time if there are two cores. */
#include "kernel/compile/jit_int.h"
#include "runtime/base/launcher_env.h"
#include "runtime/base/error.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/transport/transport.h"

/* MOST_AT_ONCE: kernels taken from the queue at once. MOST_RUNS: runs of the compiler at a time.
 * The cost of a run is at most MOST_COST, and at least LEAST_COST if another run is beside it. A
 * small kernel costs 1, a call of a function FUNCTION_COST. */
enum { MOST_AT_ONCE = 256, MOST_RUNS = 2, MOST_COST = 128, LEAST_COST = 16, FUNCTION_COST = 4 };

void tsr__jit_note(const tsr_jit *jit, const char *text, const char *what)
{
  if (jit->config.debug >= 1) fprintf(stderr, "tessera: %s%s\n", text, what);
}

static void settle_entry(tsr_jit *jit, tsr_jit_entry *e, tsr_code code)
{
  pthread_mutex_lock(&jit->lock);
  TSR_ASSERT(e->state == TSR_JIT_WANTED);
  __atomic_store_n(&e->code, code, __ATOMIC_RELEASE);
  __atomic_store_n(&e->state, code ? TSR_JIT_READY : TSR_JIT_FAILED, __ATOMIC_RELEASE);
  if (!code) jit->stats.n_failed++;
  pthread_cond_broadcast(&jit->done);
  pthread_mutex_unlock(&jit->lock);
  tsr__text_free(&e->source);
}

/* Finds the compiler and reads what identifies it. Returns false, from then on, if there is
 * none. */
static bool prepare(tsr_jit *jit)
{
  if (jit->prelude.s) return true;
  const tsr_code_maker *maker = jit->kind->maker;
  tsr_text identity = {0};
  tsr__text_add(&identity, "tessera kernel 1 %s\n", jit->kind->name);
  if (!maker->find(jit, &identity)) {
    tsr__text_free(&identity);
    return false;
  }
  char dir[TSR_PATH_BYTES];
  tsr__cache_open(&jit->cache, tsr__cache_dir(&jit->config, dir, sizeof dir),
                  jit->config.cache_bytes);
  jit->cache.suffix = maker->suffix;
  jit->cache.load = maker->load;
  jit->kind->add_prelude(jit->target, &jit->prelude);
  tsr__text_add(&identity, "\n%s", jit->prelude.s);
  tsr__digest_begin(&jit->identity);
  tsr__digest_add(&jit->identity, identity.s, identity.n);
  tsr__text_free(&identity);
  pthread_mutex_lock(&jit->lock);
  jit->is_prepared = true;
  pthread_mutex_unlock(&jit->lock);
  return true;
}

/* Renders the entry's source and makes its name. Returns false if the entry has no compiled form,
 * after marking it as failed. */
static bool render(tsr_jit *jit, tsr_jit_entry *e)
{
  e->uses = (tsr_function_uses){0};
  if (!jit->kind->render(e->kernel, e->form, jit->target, "kernel", &e->source, &e->uses)) {
    pthread_mutex_lock(&jit->lock);
    jit->stats.n_formless++;
    pthread_mutex_unlock(&jit->lock);
    settle_entry(jit, e, NULL);
    return false;
  }
  tsr_digest d = jit->identity;
  tsr_text functions = {0};
  /* The program's own text is compiled alone: names and macros of two such texts may be the
   * same. */
  e->cost = e->kernel->n_source > 0 ? MOST_COST : 1 + FUNCTION_COST * e->uses.n_calls;
  jit->kind->add_functions(jit->target, &e->uses, &functions);
  if (functions.n) tsr__digest_add(&d, functions.s, functions.n);
  tsr__digest_add(&d, e->source.s, e->source.n);
  tsr__text_free(&functions);
  memcpy(e->name, "k_", 2);
  tsr__digest_end(&d, e->name + 2);
  e->source.n = 0;
  e->uses = (tsr_function_uses){0};
  jit->kind->render(e->kernel, e->form, jit->target, e->name, &e->source, &e->uses);
  return true;
}

/* Loads the kernels that the cache has; returns the list of the others. */
static tsr_jit_entry *load_cached(tsr_jit *jit, tsr_jit_entry *list)
{
  tsr_jit_entry *left = NULL, **end = &left;
  for (tsr_jit_entry *next; list; list = next) {
    next = list->next;
    const uint64_t refused = jit->cache.n_refused;
    tsr_object object;
    tsr_code code = NULL;
    if (tsr__cache_load(&jit->cache, list->name + 2, &object)) {
      code = jit->kind->maker->find_code(object, list->name);
      tsr__objects_keep(&jit->objects, object);
    }
    pthread_mutex_lock(&jit->lock);
    jit->stats.n_refused += jit->cache.n_refused - refused;
    jit->stats.n_cached += code != NULL;
    pthread_mutex_unlock(&jit->lock);
    if (code) {
      settle_entry(jit, list, code);
    } else {
      *end = list;
      end = &list->next;
    }
  }
  *end = NULL;
  return left;
}

/* Returns whether an entry before e has the same source. Kernels may differ in properties that
 * their code does not show. */
static bool is_repeated(const tsr_jit_entry *list, const tsr_jit_entry *e)
{
  for (; list != e; list = list->next)
    if (!strcmp(list->name, e->name)) return true;
  return false;
}

static bool write_source(const tsr_jit *jit, const tsr_jit_entry *list, const char *dir)
{
  char path[TSR_PATH_BYTES + 8];
  snprintf(path, sizeof path, "%s/k.c", dir);
  FILE *f = fopen(path, "wxe");
  if (!f) return false;
  tsr_text plain = {0}, functions = {0}, with_functions = {0};
  tsr_function_uses uses = {0};
  for (const tsr_jit_entry *e = list; e; e = e->next) {
    if (is_repeated(list, e)) continue;
    char *text = tsr__kernel_text(e->kernel);
    tsr__text_add(e->uses.n_calls ? &with_functions : &plain, "\n/*\n%s*/\n%s", text, e->source.s);
    free(text);
    tsr__function_uses_add(&uses, &e->uses);
  }
  jit->kind->add_functions(jit->target, &uses, &functions);
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
  if (jit->warned || (!tsr__launcher_is_first() && jit->config.debug < 1)) return;
  jit->warned = true;
  char path[TSR_PATH_BYTES + 8], said[200] = "";
  snprintf(path, sizeof path, "%s/log", dir);
  FILE *f = fopen(path, "re");
  if (f && fgets(said, sizeof said, f)) said[strcspn(said, "\n")] = 0;
  if (f) fclose(f);
  fprintf(stderr, "tessera: warning: %s %s%s%s; kernels stay interpreted\n", jit->compiler, what,
          said[0] ? ": " : "", said);
}

/* Says what the compiler said about CUDA C that the program gives. */
static void warn_source(const tsr_jit *jit, const char *dir)
{
  if (!tsr__launcher_is_first() && jit->config.debug < 1) return;
  enum { MOST_LINES = 24 };
  char path[TSR_PATH_BYTES + 8], said[400];
  snprintf(path, sizeof path, "%s/log", dir);
  tsr_text t = {0};
  tsr__text_add(&t,
                "tessera: warning: the CUDA C of a task does not compile, so the host runs its C "
                "function:\n");
  FILE *f = fopen(path, "re");
  for (int i = 0; f && i < MOST_LINES && fgets(said, sizeof said, f); i++)
    tsr__text_add(&t, "  %.*s\n", (int)strcspn(said, "\n"), said);
  if (f) fclose(f);
  fputs(t.s, stderr);
  tsr__text_free(&t);
}

/* Loads the run's code for all entries of the list; returns false if it cannot be loaded. */
static bool load_compiled(tsr_jit *jit, tsr_jit_entry *list, const char *dir)
{
  const tsr_code_maker *maker = jit->kind->maker;
  char path[TSR_PATH_BYTES + 16];
  snprintf(path, sizeof path, "%s/k%s", dir, maker->suffix);
  const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  tsr_object object;
  if (fd < 0) return false;
  if (!maker->is_whole(fd) || !tsr__cache_seal(fd) || !maker->load(fd, &object)) {
    close(fd);
    return false;
  }
  for (tsr_jit_entry *next; list; list = next) {
    next = list->next;
    const tsr_code code = maker->find_code(object, list->name);
    if (code)
      tsr__cache_store(&jit->cache, dir, list->name + 2);
    else
      warn_failed(jit, dir, "wrote a shared object without the kernels");
    pthread_mutex_lock(&jit->lock);
    jit->stats.n_compiled += code != NULL;
    pthread_mutex_unlock(&jit->lock);
    settle_entry(jit, list, code);
  }
  tsr__objects_keep(&jit->objects, object);
  return true;
}

static void fail_all(tsr_jit *jit, tsr_jit_entry *list)
{
  for (tsr_jit_entry *next; list; list = next) {
    next = list->next;
    settle_entry(jit, list, NULL);
  }
}

/* One run of the compiler. */
typedef struct compiler_run {
  tsr_jit_entry *list;
  char dir[TSR_PATH_BYTES]; /* empty: none */
  tsr_compiler compiler;
} compiler_run;

/* Begins a run for the list, which it takes. */
static void begin_run(tsr_jit *jit, tsr_jit_entry *list, compiler_run *run)
{
  *run = (compiler_run){.list = list, .compiler = {-1, -1}};
  if (!tsr__work_make(&jit->cache, run->dir)) {
    tsr__jit_note(jit, "no directory to compile in, kernels stay interpreted: ", run->dir);
    run->dir[0] = 0;
  } else if (write_source(jit, list, run->dir)) {
    run->compiler = jit->kind->maker->start(jit, run->dir);
  }
}

/* Waits for the run and settles its entries. If the compiler refuses several kernels together, they
 * are compiled one by one. */
static void end_run(tsr_jit *jit, compiler_run *run)
{
  tsr_jit_entry *list = run->list;
  if (!run->dir[0]) {
    fail_all(jit, list);
    return;
  }
  const tsr_compile_result result = jit->kind->maker->wait(jit, run->compiler);
  pthread_mutex_lock(&jit->lock);
  jit->stats.n_compilers++;
  if (result == TSR_COMPILE_HUNG) jit->broken = true;
  pthread_mutex_unlock(&jit->lock);
  const bool done = result == TSR_COMPILE_OK && load_compiled(jit, list, run->dir);
  const bool alone = !list->next, ended = result >= TSR_COMPILE_HUNG;
  if (result == TSR_COMPILE_HUNG)
    warn_failed(jit, run->dir, "took longer than TESSERA_JIT_LIMIT_S");
  else if (result == TSR_COMPILE_FAILED && alone && list->kernel->n_source > 0)
    warn_source(jit, run->dir);
  else if (!done && result != TSR_COMPILE_STOPPED && alone)
    warn_failed(jit, run->dir,
                result == TSR_COMPILE_OK ? "wrote no whole shared object" : "failed");
  tsr__work_remove(run->dir);
  if (done) return;
  if (alone || ended) {
    fail_all(jit, list);
    return;
  }
  for (tsr_jit_entry *next; list; list = next) {
    next = list->next;
    list->next = NULL;
    compiler_run single;
    begin_run(jit, list, &single);
    end_run(jit, &single);
  }
}

/* Removes the first entries from the list: as many as cost at most `cost` together, but at least
 * one. */
static tsr_jit_entry *take_first(tsr_jit_entry **list, int64_t cost)
{
  tsr_jit_entry *first = *list, *last = first;
  TSR_ASSERT(first && cost > 0);
  for (int64_t sum = last->cost; last->next && sum + last->next->cost <= cost;) {
    last = last->next;
    sum += last->cost;
  }
  *list = last->next;
  last->next = NULL;
  return first;
}

static void compile(tsr_jit *jit, tsr_jit_entry *list)
{
  const int most = jit->topology && jit->topology->n_cores >= MOST_RUNS ? MOST_RUNS : 1;
  while (list) {
    int64_t cost = 0;
    for (const tsr_jit_entry *e = list; e; e = e->next) cost += e->cost;
    cost = (cost + most - 1) / most;
    cost = cost < LEAST_COST ? LEAST_COST : cost > MOST_COST ? MOST_COST : cost;
    compiler_run runs[MOST_RUNS];
    int n = 0;
    while (n < most && list && !jit->broken) begin_run(jit, take_first(&list, cost), &runs[n++]);
    for (int i = 0; i < n; i++) end_run(jit, &runs[i]);
    if (jit->broken || __atomic_load_n(&jit->stop, __ATOMIC_RELAXED)) {
      fail_all(jit, list);
      return;
    }
  }
}

static void work_on(tsr_jit *jit, tsr_jit_entry *list)
{
  if (jit->broken || !prepare(jit)) {
    pthread_mutex_lock(&jit->lock);
    jit->broken = true;
    pthread_mutex_unlock(&jit->lock);
    fail_all(jit, list);
    return;
  }
  tsr_jit_entry *rendered = NULL, **end = &rendered;
  for (tsr_jit_entry *next; list; list = next) {
    next = list->next;
    if (!render(jit, list)) continue;
    *end = list;
    end = &list->next;
  }
  *end = NULL;
  tsr_jit_entry *left = load_cached(jit, rendered);
  if (!left) return;
  const int lock =
      tsr__cache_lock(&jit->cache, left->name + 2, jit->config.jit_limit_s, &jit->stop);
  /* Another process may have compiled some of the kernels since. */
  if (lock >= 0) left = load_cached(jit, left);
  if (left) {
    compile(jit, left);
    tsr__cache_trim(&jit->cache);
  }
  tsr__cache_unlock(lock);
}

/* Finds the compiler before anything is queued. Called under the lock, which it gives up
 * meanwhile. */
static void find_compiler(tsr_jit *jit)
{
  jit->called = false;
  jit->busy = true;
  pthread_mutex_unlock(&jit->lock);
  const bool found = prepare(jit);
  pthread_mutex_lock(&jit->lock);
  if (!found) jit->broken = true;
  jit->called = jit->queue != NULL;
  jit->busy = false;
  pthread_cond_broadcast(&jit->done);
}

/* The thread that queues the first kernel may be bound to a core, which it needs. The compiler may
 * use any core of the process. */
static void spread(const tsr_jit *jit)
{
  if (!jit->topology || !jit->topology->cpus) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < jit->topology->n_cores; i++) CPU_SET(jit->topology->cpus[i], &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

void *tsr__jit_thread(void *arg)
{
  tsr_jit *jit = arg;
  spread(jit);
  pthread_mutex_lock(&jit->lock);
  for (;;) {
    while (!jit->called && !jit->stop) pthread_cond_wait(&jit->wanted, &jit->lock);
    if (jit->stop) break;
    tsr_jit_entry *list = jit->queue, *last = list;
    if (!list) {
      find_compiler(jit);
      continue;
    }
    for (int i = 1; i < MOST_AT_ONCE && last->next; i++) last = last->next;
    jit->queue = last->next;
    if (!jit->queue) jit->queue_end = &jit->queue;
    jit->called = jit->queue != NULL;
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
