/* The device `check`: a pretend accelerator that finds out what a real one would not forgive. The
 * host cannot touch its memory (check_memory.c). Each of its queues is a thread, which begins what
 * it is given only after the call has returned, and looks up every address that it is given. Memory
 * of the host that a copy in the queue of kernels reads must be unchanged since the copy was asked
 * for. Memory that such a copy writes is filled with NaNs until then, and must still hold them.
 *
 * The first failure stays; after it the queues only let waiting threads go. One lock guards all
 * queues, whose entries are lists in order. One thread at a time runs entries of a queue: one that
 * waits for the queue, or the queue's own. The latter is woken only now and then, and when somebody
 * has asked in vain whether an event is over, since a switch of threads costs more than most
 * entries. A thread that waits while another one runs the queue notes how far that has to come, and
 * is woken only then, because that may be many entries away. */
#include "runtime/device/check_code.h"
#include "runtime/device/check_graph.h"
#include "runtime/device/check_memory.h"
#include "runtime/device/device.h"
#include "runtime/base/alloc.h"
#include "runtime/base/error.h"
#include "runtime/base/table.h"
#include "runtime/base/walk.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The entries of a queue after one of which its thread is woken. ThreadSanitizer finds a host that
 * does not wait for a queue only where another thread runs that. */
#ifdef __SANITIZE_THREAD__
enum { WAKE_EVERY = 1 };
#else
enum { WAKE_EVERY = 8 };
#endif

typedef struct entry {
  struct entry *next;
  tsr_device_fn fn; /* NULL: the entry is no call of a function */
  void *arg;
  tsr_block_code code; /* NULL: the entry is a copy, or nothing if it `follows` */
  uint32_t grid[2], shared_bytes;
  int64_t *words; /* owned: the argument block of `code`; it stays for the next use of the entry */
  int n_words, capacity; /* capacity: words that `words` has memory for */
  bool follows;
  tsr_device_event event; /* the event that the entry follows */
  tsr_direction direction;
  struct device_check *from; /* device whose memory TSR_COPY_WITHIN reads; NULL: its own */
  void *freed;               /* the block that the entry frees, of so many bytes; NULL: none */
  size_t freed_bytes;
  bool is_watched; /* the host's memory is watched by its hash */
  uint64_t hash;
  tsr_points points;
} entry;

typedef struct queue {
  struct device_check *device;
  pthread_t thread;
  pthread_cond_t more;
  entry *first, **last;
  bool runs;                /* a thread runs the first entry */
  bool wakes;               /* the queue's thread is to run all entries */
  uint64_t n_asked, n_over; /* number of entries; n_over is atomic, to be read without the lock */
  pthread_cond_t progress;  /* signalled when n_over has come to `wanted` */
  uint64_t wanted;          /* the least number that a thread waits for; UINT64_MAX: none waits */
} queue;

typedef struct device_check {
  tsr_device base;
  tsr_check_memory *memory;
  tsr_check_code *code;
  /* launches of code, from which the order of blocks is drawn; of the thread that runs the queue */
  uint64_t n_launches;
  pthread_mutex_t lock;
  queue queues[TSR_N_QUEUES];
  int n_queues; /* queues whose threads run */
  entry *spare;
  bool closing;
} device_check;

static device_check *of(tsr_device *d)
{
  return (device_check *)d;
}

/* A hash of the host's memory that a copy reads, or is going to write. */
static uint64_t hash_host(const tsr_points *p, bool dst)
{
  const int64_t *step = dst ? p->dst_step : p->src_step;
  const char *at = dst ? p->dst : p->src;
  uint64_t hash = 0;
  for (int k = 0; k < p->ndim; k++)
    if (p->n[k] <= 0) return hash;
  const int inner = p->ndim - 1;
  const bool is_run = inner >= 0 && step[inner] == (int64_t)p->elem_bytes;
  const int n_outer = is_run ? inner : p->ndim;
  const size_t run = p->elem_bytes * (is_run ? (size_t)p->n[inner] : 1);
  tsr_walk w = tsr__walk_rows(n_outer, p->n);
  for (;;) {
    hash = tsr__hash_bytes(hash, at, run);
    const int k = tsr__walk_next(&w);
    if (k < 0) return hash;
    at += tsr__walk_change(&w, k, step);
  }
}

static void fill_host(const tsr_points *points)
{
  static const uint64_t set[2] = {UINT64_MAX, UINT64_MAX};
  tsr_points p = *points;
  p.src = (const char *)set;
  memset(p.src_step, 0, sizeof p.src_step);
  tsr__points_copy(&p);
}

/* What the queue's thread does. */

/* of: the device whose memory it is to be. */
static bool may_use_of(device_check *c, const device_check *of, const char *who, const char *p,
                       size_t bytes)
{
  const char *wrong = tsr__check_memory_uses(of->memory, p, bytes);
  if (wrong == NULL) return true;
  tsr__device_fail(&c->base, TSR_ERR_INTERNAL, "%s uses %zu bytes of memory that %s", who, bytes,
                   wrong);
  return false;
}

static bool may_use(device_check *c, const char *who, const char *p, size_t bytes)
{
  return may_use_of(c, c, who, p, bytes);
}

static void run_copy(device_check *c, const entry *e)
{
  const device_check *from = e->from != NULL ? e->from : c;
  tsr_points p = e->points;
  const char *low = NULL;
  const bool reads = e->direction != TSR_COPY_IN, writes = e->direction != TSR_COPY_OUT;
  size_t bytes = tsr__points_extent(&p, false, &low);
  if (bytes == 0) return;
  const char *who = from != c ? "a copy from another device" : "a copy from the device";
  if (reads && !may_use_of(c, from, who, low, bytes)) return;
  bytes = tsr__points_extent(&p, true, &low);
  if (writes && !may_use(c, "a copy to the device", low, bytes)) return;
  if (e->is_watched && !reads && hash_host(&p, false) != e->hash) {
    tsr__device_fail(&c->base, TSR_ERR_INTERNAL,
                     "the host changed memory that a copy to the device was still to read");
    return;
  }
  if (e->is_watched && !writes && hash_host(&p, true) != e->hash) {
    tsr__device_fail(&c->base, TSR_ERR_INTERNAL,
                     "the host wrote to memory that a copy from the device was still to write");
    return;
  }
  if (reads) p.src += from->base.shift_bytes;
  if (writes) p.dst += c->base.shift_bytes;
  tsr__points_copy(&p);
}

/* Runs code. An argument that is an address of the device's memory becomes that of its view; it has
 * to be in a live block. */
static void run_code(device_check *c, const entry *e)
{
  for (int i = 0; i < e->n_words; i++) {
    const char *p = (const char *)(intptr_t)e->words[i];
    if (!tsr__check_memory_has(c->memory, p)) continue;
    if (!may_use(c, "a kernel", p, 1)) return;
    e->words[i] += c->base.shift_bytes;
  }
  tsr__blocks_run(e->code, e->grid, e->shared_bytes, e->words,
                  tsr__hash_word(c->base.seed, c->n_launches++));
}

static bool is_past(const device_check *c, tsr_device_event event)
{
  return __atomic_load_n(&c->queues[event.queue].n_over, __ATOMIC_ACQUIRE) >= event.number;
}

static void run_entry(device_check *c, const entry *e);

/* Runs the queue's first entry, which no other thread runs. The caller holds the lock. */
static void run_first(device_check *c, queue *q)
{
  entry *e = q->first;
  TSR_ASSERT(e != NULL && !q->runs);
  q->runs = true;
  pthread_mutex_unlock(&c->lock);
  run_entry(c, e);
  pthread_mutex_lock(&c->lock);
  q->runs = false;
  q->first = e->next;
  if (q->first == NULL) {
    q->last = &q->first;
    q->wakes = false;
  }
  e->next = c->spare;
  c->spare = e;
  __atomic_store_n(&q->n_over, q->n_over + 1, __ATOMIC_RELEASE);
  if (q->n_over < q->wanted) return;
  q->wanted = UINT64_MAX;         /* threads that wait for more note it again */
  pthread_mutex_unlock(&c->lock); /* a thread that wakes would wait for it */
  pthread_cond_broadcast(&q->progress);
  pthread_mutex_lock(&c->lock);
}

static void wait_for_event(device_check *c, tsr_device_event event)
{
  queue *q = &c->queues[event.queue];
  if (is_past(c, event)) return;
  pthread_mutex_lock(&c->lock);
  while (!is_past(c, event)) {
    if (!q->runs) {
      run_first(c, q);
      continue;
    }
    if (q->wanted > event.number) q->wanted = event.number;
    pthread_cond_wait(&q->progress, &c->lock);
  }
  if (q->wanted != UINT64_MAX) q->wakes = true;
  const bool wakes = q->wakes && q->first != NULL && !q->runs;
  pthread_mutex_unlock(&c->lock);
  if (wakes) pthread_cond_signal(&q->more); /* without the lock, for which it would wait */
}

static void free_block(device_check *c, const void *p, size_t bytes)
{
  const char *wrong = tsr__check_memory_free(c->memory, p, bytes);
  if (wrong != NULL)
    tsr__device_fail(&c->base, TSR_ERR_INTERNAL, "%zu bytes are freed, but that memory %s", bytes,
                     wrong);
}

static void run_entry(device_check *c, const entry *e)
{
  if (e->follows) wait_for_event(c, e->event);
  if (e->freed != NULL) {
    free_block(c, e->freed, e->freed_bytes);
    return;
  }
  if (e->follows || tsr__device_status(&c->base) < 0) return;
  if (e->fn != NULL)
    e->fn(e->arg, &c->base);
  else if (e->code != NULL)
    run_code(c, e);
  else
    run_copy(c, e);
}

static void *queue_main(void *arg)
{
  queue *q = arg;
  device_check *c = q->device;
  pthread_mutex_lock(&c->lock);
  while (q->first != NULL || !c->closing) {
    if (!q->runs && q->first != NULL && (q->wakes || c->closing))
      run_first(c, q);
    else
      pthread_cond_wait(&q->more, &c->lock);
  }
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

/* What the host's threads do. */

static void put_entry(device_check *c, tsr_queue queue, const entry *what)
{
  pthread_mutex_lock(&c->lock);
  entry *e = c->spare;
  if (e != NULL)
    c->spare = e->next;
  else
    e = tsr__calloc(1, sizeof *e);
  int64_t *words = e->words;
  int capacity = e->capacity;
  if (capacity < what->n_words) {
    capacity = what->n_words;
    words = tsr__realloc(words, (size_t)capacity * sizeof *words);
  }
  if (what->n_words > 0) memcpy(words, what->words, (size_t)what->n_words * sizeof *words);
  *e = *what;
  e->words = words;
  e->capacity = capacity;
  e->next = NULL;
  *c->queues[queue].last = e;
  c->queues[queue].last = &e->next;
  const bool wakes = ++c->queues[queue].n_asked % WAKE_EVERY == 0;
  if (wakes) c->queues[queue].wakes = true;
  pthread_mutex_unlock(&c->lock);
  if (wakes) pthread_cond_signal(&c->queues[queue].more);
}

static void note_points(tsr_device *d, const tsr_points *points)
{
  if (!tsr__points_are_run(points, false) || !tsr__points_are_run(points, true))
    __atomic_fetch_add(&d->n_strided, 1, __ATOMIC_RELAXED);
}

static void check_copy(tsr_device *d, tsr_queue queue, tsr_direction direction,
                       const tsr_points *points)
{
  entry e = {.direction = direction,
             .points = *points,
             .is_watched = queue == TSR_QUEUE_RUN && direction != TSR_COPY_WITHIN};
  if (e.is_watched && direction == TSR_COPY_OUT) fill_host(points);
  if (e.is_watched) e.hash = hash_host(points, direction == TSR_COPY_OUT);
  if (direction != TSR_COPY_WITHIN) note_points(d, points);
  put_entry(of(d), queue, &e);
}

static void check_copy_peer(tsr_device *d, tsr_queue queue, tsr_device *from,
                            const tsr_points *points)
{
  note_points(d, points);
  put_entry(of(d), queue,
            &(entry){.direction = TSR_COPY_WITHIN, .from = of(from), .points = *points});
}

static void check_launch(tsr_device *d, tsr_device_fn fn, void *arg)
{
  if (d->only_code)
    tsr__device_fail(d, TSR_ERR_INTERNAL, "a C function was put into a queue that runs none");
  else
    put_entry(of(d), TSR_QUEUE_RUN, &(entry){.fn = fn, .arg = arg});
}

static void *check_load(tsr_device *d, const void *image, size_t bytes, const char *name,
                        uint32_t shared_bytes, char *message, size_t size)
{
  (void)shared_bytes; /* a launch has what it asks for */
  const tsr_block_code code = tsr__check_code_load(of(d)->code, image, bytes, name, message, size);
  void *loaded;
  memcpy(&loaded, &code, sizeof loaded);
  return loaded;
}

static void check_launch_code(tsr_device *d, const tsr_code_launch *launch)
{
  enum { BLOCK_THREADS = 256 }; /* as many as the code runs */
  TSR_ASSERT(launch->threads == BLOCK_THREADS);
  entry e = {.grid = {launch->grid[0], launch->grid[1]},
             .shared_bytes = launch->shared_bytes,
             .n_words = launch->n_words};
  memcpy(&e.code, &launch->code, sizeof launch->code);
  memcpy(&e.words, &launch->words, sizeof launch->words); /* put copies them */
  put_entry(of(d), TSR_QUEUE_RUN, &e);
}

static const char *check_architecture(const tsr_device *d)
{
  (void)d;
  return "c";
}

static void check_follow(tsr_device *d, tsr_queue queue, tsr_device_event event)
{
  if (event.queue != queue && !is_past(of(d), event))
    put_entry(of(d), queue, &(entry){.follows = true, .event = event});
}

static bool check_supports(const tsr_device *d, const tsr_kernel_traits *kernel)
{
  return (kernel->dtypes & d->refuses.dtypes) == 0 && (kernel->features & d->refuses.features) == 0;
}

static void check_uses(tsr_device *d, const void *p, size_t bytes)
{
  may_use(of(d), "a kernel", p, bytes);
}

static tsr_device_event check_record(tsr_device *d, tsr_queue queue)
{
  device_check *c = of(d);
  pthread_mutex_lock(&c->lock);
  const tsr_device_event event = {c->queues[queue].n_asked, queue};
  pthread_mutex_unlock(&c->lock);
  return event;
}

static bool check_is_over(tsr_device *d, tsr_device_event event)
{
  if (is_past(of(d), event)) return true;
  device_check *c = of(d);
  queue *q = &c->queues[event.queue];
  pthread_mutex_lock(&c->lock);
  const bool wakes = q->first != NULL && !q->wakes; /* it may be over by now */
  q->wakes |= wakes;
  pthread_mutex_unlock(&c->lock);
  if (wakes) pthread_cond_signal(&q->more);
  return false;
}

static void check_wait(tsr_device *d, tsr_device_event event)
{
  wait_for_event(of(d), event);
}

/* Blocks that are freed in the queue of kernels may be what is lacking. */
static void *check_alloc(tsr_device *d, size_t bytes)
{
  void *p = tsr__check_memory_alloc(of(d)->memory, bytes);
  if (p != NULL || !tsr__device_runs_on(d)) return p;
  check_wait(d, check_record(d, TSR_QUEUE_RUN));
  return tsr__check_memory_alloc(of(d)->memory, bytes);
}

/* While kernels run on, a block is freed behind them, so that one that used it later would show. */
static void check_free(tsr_device *d, void *p, size_t bytes)
{
  if (p == NULL) return;
  if (tsr__device_runs_on(d))
    put_entry(of(d), TSR_QUEUE_RUN, &(entry){.freed = p, .freed_bytes = bytes});
  else
    free_block(of(d), p, bytes);
}

static void check_close(tsr_device *d)
{
  if (d == NULL) return;
  device_check *c = of(d);
  pthread_mutex_lock(&c->lock);
  c->closing = true;
  for (int q = 0; q < c->n_queues; q++) pthread_cond_signal(&c->queues[q].more);
  pthread_mutex_unlock(&c->lock);
  for (int q = 0; q < c->n_queues; q++) pthread_join(c->queues[q].thread, NULL);
  tsr__check_memory_destroy(c->memory);
  tsr__check_code_destroy(c->code);
  for (entry *e = c->spare, *next; e != NULL; e = next) {
    next = e->next;
    free(e->words);
    free(e);
  }
  for (int q = 0; q < TSR_N_QUEUES; q++) {
    pthread_cond_destroy(&c->queues[q].more);
    pthread_cond_destroy(&c->queues[q].progress);
  }
  pthread_mutex_destroy(&c->lock);
  free(c);
}

static tsr_status check_open(int number, size_t limit_bytes, tsr_device **out, char *message,
                             size_t size)
{
  device_check *c = tsr__calloc(1, sizeof *c);
  c->base = (tsr_device){.ops = &tsr__device_check, .number = number};
  c->memory = tsr__check_memory_create(limit_bytes);
  c->code = tsr__check_code_create();
  pthread_mutex_init(&c->lock, NULL);
  for (int i = 0; i < TSR_N_QUEUES; i++) {
    queue *q = &c->queues[i];
    q->device = c;
    q->last = &q->first;
    q->wanted = UINT64_MAX;
    pthread_cond_init(&q->more, NULL);
    pthread_cond_init(&q->progress, NULL);
  }
  while (c->memory != NULL && c->n_queues < TSR_N_QUEUES) {
    queue *q = &c->queues[c->n_queues];
    if (pthread_create(&q->thread, NULL, queue_main, q) != 0) break;
    c->n_queues++;
  }
  if (c->n_queues == TSR_N_QUEUES) {
    c->base.shift_bytes = tsr__check_memory_shift(c->memory);
    *out = &c->base;
    return TSR_OK;
  }
  snprintf(message, size, "the system has no %s for device check %d",
           c->memory != NULL ? "thread" : "memory", number);
  check_close(&c->base);
  return TSR_ERR_MEMORY;
}

const tsr_device_ops tsr__device_check = {
    .name = "check",
    .caps = TSR_DEVICE_RUNS_C | TSR_DEVICE_IS_TEST | TSR_DEVICE_COPIES_PEERS,
    .about = "a pretend accelerator that watches how it is used, for tests",
    .open = check_open,
    .close = check_close,
    .alloc = check_alloc,
    .free = check_free,
    .copy = check_copy,
    .copy_peer = check_copy_peer,
    .launch = check_launch,
    .load = check_load,
    .launch_code = check_launch_code,
    .graph_make = tsr__check_graph_make,
    .graph_set = tsr__check_graph_set,
    .graph_put = tsr__check_graph_put,
    .graph_free = tsr__check_graph_free,
    .architecture = check_architecture,
    .supports = check_supports,
    .uses = check_uses,
    .record = check_record,
    .follow = check_follow,
    .is_over = check_is_over,
    .wait = check_wait,
};
