/* A pool of a device's memory. All of it is pieces, each taken from the source at once. A slab is
 * a piece that is cut into blocks of one size class: eight classes of up to 4 KB, then four per
 * doubling. A block beyond the largest class is a piece of its own, rounded up; one that is freed
 * serves blocks that would leave at most an eighth of it unused. Unused pieces go back to the
 * source when it has no more, or when more than the limit would be held. Nothing is stored in the
 * memory itself. One lock guards the table of pieces, which is ordered by address. */
#include "runtime/device/pool.h"
#include "runtime/base/alloc.h"
#include "runtime/base/error.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
  UNIT_BYTES = 512,
  N_UNIT_CLASSES = 8, /* of one to eight units */
  STEPS = 4,          /* classes per doubling after that */
  N_CLASSES = N_UNIT_CLASSES + 6 * STEPS,
  SLAB_BYTES = 2 << 20,
  SMALL_ROUND = 128 << 10, /* what large blocks are rounded to, below a slab's size and above it */
  LARGE_ROUND = 2 << 20,
  MOST_UNUSED = 8 /* an unused piece serves blocks that leave at most 1 / MOST_UNUSED of it */
};
_Static_assert(SLAB_BYTES / UNIT_BYTES <= UINT16_MAX, "numbers of blocks are 16 bits");

typedef struct piece {
  char *at;
  size_t bytes;
  int class; /* -1: one large block */
  int n_used, n_unused;
  struct piece *next; /* of the list of slabs of the class that have an unused block */
  uint16_t unused[];  /* [n_unused] of a slab: the numbers of unused blocks */
} piece;

struct tsr_device_pool {
  pthread_mutex_t lock;
  tsr_pool_source source;
  size_t limit, in_use, held;
  piece **all; /* ordered by address */
  int n, capacity;
  piece *open[N_CLASSES]; /* slabs that have an unused block */
};

static size_t class_bytes(int class)
{
  if (class < N_UNIT_CLASSES) return (size_t)(class + 1) * UNIT_BYTES;
  const int doublings = (class - N_UNIT_CLASSES) / STEPS, step = (class - N_UNIT_CLASSES) % STEPS;
  const size_t from = (size_t)N_UNIT_CLASSES * UNIT_BYTES << doublings;
  return from + from / STEPS * (size_t)(step + 1);
}

/* The class of a block; -1: it is large. */
static int class_of(size_t bytes)
{
  for (int class = 0; class < N_CLASSES; class ++)
    if (bytes <= class_bytes(class)) return class;
  return -1;
}

static size_t large_bytes(size_t bytes)
{
  const size_t round = bytes < SLAB_BYTES ? SMALL_ROUND : LARGE_ROUND;
  return bytes > SIZE_MAX - round ? bytes : tsr__round_up(bytes, round);
}

/* The index of the first piece that begins behind an address. */
static int first_behind(const tsr_device_pool *pool, const char *at)
{
  int low = 0, high = pool->n;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if ((uintptr_t)pool->all[middle]->at > (uintptr_t)at)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static void give_piece(tsr_device_pool *pool, piece *p)
{
  pool->source.give(pool->source.context, p->at);
  pool->held -= p->bytes;
  free(p);
}

/* Gives back all unused pieces. Returns whether there was one. */
static bool trim(tsr_device_pool *pool)
{
  int n = 0;
  memset(pool->open, 0, sizeof pool->open);
  for (int i = 0; i < pool->n; i++) {
    piece *p = pool->all[i];
    if (p->n_used == 0) {
      give_piece(pool, p);
      continue;
    }
    pool->all[n++] = p;
    if (p->class >= 0 && p->n_unused > 0) {
      p->next = pool->open[p->class];
      pool->open[p->class] = p;
    }
  }
  const bool any = n < pool->n;
  pool->n = n;
  return any;
}

/* Takes a piece from the source; NULL if there is none. */
static piece *take_piece(tsr_device_pool *pool, size_t bytes, int class)
{
  if (pool->limit > 0 &&
      bytes > pool->limit - (pool->held < pool->limit ? pool->held : pool->limit))
    trim(pool);
  char *at = pool->source.take(pool->source.context, bytes);
  if (at == NULL && trim(pool)) at = pool->source.take(pool->source.context, bytes);
  if (at == NULL) return NULL;
  const int n_blocks = class < 0 ? 0 : (int)(bytes / class_bytes(class));
  piece *p = tsr__malloc(sizeof *p + (size_t)n_blocks * sizeof *p->unused);
  *p = (piece){.at = at, .bytes = bytes, .class = class, .n_unused = n_blocks};
  for (int i = 0; i < n_blocks; i++) p->unused[i] = (uint16_t)(n_blocks - 1 - i);
  pool->all = tsr__grow(pool->all, &pool->capacity, pool->n + 1, sizeof *pool->all);
  const int i = first_behind(pool, at);
  memmove(&pool->all[i + 1], &pool->all[i], (size_t)(pool->n - i) * sizeof *pool->all);
  pool->all[i] = p;
  pool->n++;
  pool->held += bytes;
  return p;
}

static void *alloc_small(tsr_device_pool *pool, int class)
{
  piece *p = pool->open[class];
  if (p == NULL) {
    p = take_piece(pool, SLAB_BYTES, class);
    if (p == NULL) return NULL;
    p->next = pool->open[class];
    pool->open[class] = p;
  }
  TSR_ASSERT(p->n_unused > 0);
  char *at = p->at + p->unused[--p->n_unused] * class_bytes(class);
  p->n_used++;
  if (p->n_unused == 0) pool->open[class] = p->next;
  return at;
}

static void *alloc_large(tsr_device_pool *pool, size_t bytes)
{
  const size_t wanted = large_bytes(bytes), most = wanted + wanted / (MOST_UNUSED - 1);
  piece *best = NULL;
  for (int i = 0; i < pool->n; i++) {
    piece *p = pool->all[i];
    if (p->class >= 0 || p->n_used > 0 || p->bytes < wanted || p->bytes > most) continue;
    if (best == NULL || p->bytes < best->bytes) best = p;
  }
  if (best == NULL) best = take_piece(pool, wanted, -1);
  if (best == NULL) return NULL;
  best->n_used = 1;
  return best->at;
}

void *tsr__device_pool_alloc(tsr_device_pool *pool, size_t bytes)
{
  void *p = NULL;
  const int class = class_of(bytes);
  pthread_mutex_lock(&pool->lock);
  if (pool->limit == 0 || bytes <= pool->limit - pool->in_use)
    p = class >= 0 ? alloc_small(pool, class) : alloc_large(pool, bytes);
  if (p != NULL) pool->in_use += bytes;
  pthread_mutex_unlock(&pool->lock);
  return p;
}

__attribute__((unused)) static bool is_unused(const piece *p, int block)
{
  for (int i = 0; i < p->n_unused; i++)
    if (p->unused[i] == block) return true;
  return false;
}

static bool free_locked(tsr_device_pool *pool, char *at, size_t bytes)
{
  const int i = first_behind(pool, at) - 1, class = class_of(bytes);
  if (i < 0) return false;
  piece *p = pool->all[i];
  const size_t offset = (size_t)(at - p->at);
  if (p->class != class || p->n_used == 0) return false;
  if (class < 0) {
    if (offset != 0 || bytes > p->bytes) return false;
    p->n_used = 0;
    return true;
  }
  const size_t block = offset / class_bytes(class);
  if (offset % class_bytes(class) != 0 || block >= SLAB_BYTES / class_bytes(class)) return false;
  TSR_ASSERT(!is_unused(p, (int)block));
  if (p->n_unused == 0) {
    p->next = pool->open[class];
    pool->open[class] = p;
  }
  p->unused[p->n_unused++] = (uint16_t)block;
  p->n_used--;
  return true;
}

bool tsr__device_pool_free(tsr_device_pool *pool, void *p, size_t bytes)
{
  pthread_mutex_lock(&pool->lock);
  const bool was_there = free_locked(pool, p, bytes);
  if (was_there) pool->in_use -= bytes;
  pthread_mutex_unlock(&pool->lock);
  return was_there;
}

bool tsr__device_pool_trim(tsr_device_pool *pool)
{
  pthread_mutex_lock(&pool->lock);
  const bool any = trim(pool);
  pthread_mutex_unlock(&pool->lock);
  return any;
}

size_t tsr__device_pool_held_bytes(tsr_device_pool *pool)
{
  pthread_mutex_lock(&pool->lock);
  const size_t held = pool->held;
  pthread_mutex_unlock(&pool->lock);
  return held;
}

tsr_device_pool *tsr__device_pool_create(const tsr_pool_source *source, size_t limit_bytes)
{
  tsr_device_pool *pool = tsr__calloc(1, sizeof *pool);
  pthread_mutex_init(&pool->lock, NULL);
  pool->source = *source;
  pool->limit = limit_bytes;
  return pool;
}

void tsr__device_pool_destroy(tsr_device_pool *pool)
{
  if (pool == NULL) return;
  for (int i = 0; i < pool->n; i++) give_piece(pool, pool->all[i]);
  free(pool->all);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}
