/* The pool of array memory of one rank.
 *
 * Requests are rounded up to a size class (eight per doubling: at most 1/8 is unused). They are
 * served from the class's list of freed blocks, newest first, else from the system: by malloc below
 * 4 MB (1 MB, if devices copy from and to them: what they pin is whole pages), by anonymous
 * mappings that ask for huge pages from there on.
 *
 * From 64 KB on the offset of a block in its page is chosen (page_offset.h), which takes up to two
 * pages more; blocks of a page and more begin at multiples of 1 KB, so that their offsets are equal
 * or far apart. Large blocks also begin some pages behind a 2 MB boundary, each elsewhere, because
 * arrays that a loop goes through side by side would otherwise meet in the same sets of the caches
 * and banks of memory at every step.
 *
 * Fresh pages are what makes temporaries slow, so freed blocks stay, under two bounds: bytes handed
 * out and cached stay together below the limit, and below 5/4 of the most ever handed out at once
 * plus a constant. Over a bound the block that was freed longest ago goes back first.
 *
 * A device's blocks are not the host's to write to: they come from the device and go back to it.
 * Blocks in files go back to the system, too.
 *
 * Memory that the program lends is counted like a block, and given back where it is freed.
 *
 * The limit and the counters are in requested bytes, which is what the ranks can agree on. One lock
 * guards all. */
#include "runtime/base/alloc.h"
#include "runtime/machine/memory.h"
#include "runtime/device/device.h"
#include "runtime/base/error.h"
#include "runtime/machine/file_memory.h"
#include "runtime/machine/page_offset.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define HIDE(p, n) ASAN_POISON_MEMORY_REGION(p, n)
#define SHOW(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#else
#define HIDE(p, n) ((void)(p), (void)(n))
#define SHOW(p, n) ((void)(p), (void)(n))
#endif

enum { N_STEPS = 8, N_CLASSES = 64 * N_STEPS };
#define ALIGN_BYTES ((size_t)64)
#define SMALL_BYTES (ALIGN_BYTES * N_STEPS) /* sizes up to which classes are ALIGN_BYTES apart */
#define LARGE_BYTES ((size_t)4 << 20)
#define PINNED_BYTES ((size_t)1 << 20)
#define HUGE_PAGE_BYTES ((size_t)2 << 20)
/* Sizes of blocks from which on the offset in a page is a multiple of 1 KB, and is chosen. */
#define ALIGNED_BYTES TSR_PAGE_BYTES
#define CHOSEN_BYTES ((size_t)64 << 10)
/* The distance between the starts of large blocks, but for their offsets in a page. */
#define STAGGER_BYTES (3 * TSR_PAGE_BYTES)
enum { N_STAGGERS = 8 };
#define MAP_BYTES ((size_t)64 << 10) /* whole pages on every machine */
#define SLACK_BYTES ((size_t)64 << 20)

/* Memory that somebody else has got, and gets back. */
typedef struct adopted_block {
  struct adopted_block *next;
  void *p;
  void (*release)(void *arg);
  void *arg;
} adopted_block;

/* The header at the start of a freed block. */
typedef struct free_block {
  struct free_block *newer, *older;             /* in the order of being freed, over all classes */
  struct free_block *class_newer, *class_older; /* in the order of being freed, in the class */
  size_t bytes;
  int size_class;
} free_block;

_Static_assert(sizeof(free_block) <= ALIGN_BYTES, "fits the smallest block");

struct tsr_memory {
  tsr_device *device; /* NULL: the host's memory */
  char *directory;    /* owned: the directory of memory in files; NULL: this is no such memory */
  tsr_pins *pins;     /* borrowed: is told of mappings; NULL: nobody is */
  pthread_mutex_t lock;
  size_t limit;
  tsr_memory_stats stats;
  uint64_t fail_at; /* allocations until one fails; 0: off */
  adopted_block *adopted;
  atomic_int n_adopted; /* written under the lock */
  free_block *newest, *oldest;
  free_block *class_newest[N_CLASSES];
  uint8_t n_system[N_CLASSES]; /* blocks of the class that came from the system, modulo 256 */
};

/* The number of the class that holds `bytes`, and the size of its blocks. */
static int class_of(size_t bytes, size_t *class_bytes)
{
  if (bytes <= SMALL_BYTES) {
    size_t k = bytes ? (bytes - 1) / ALIGN_BYTES : 0;
    *class_bytes = (k + 1) * ALIGN_BYTES;
    return (int)k;
  }
  int doubling = 63 - __builtin_clzll(bytes - 1); /* 2^doubling < bytes <= 2^(doubling+1) */
  size_t base = (size_t)1 << doubling, step = base / N_STEPS;
  size_t k = (bytes - base - 1) / step;
  *class_bytes = base + (k + 1) * step;
  return (doubling - 8) * N_STEPS + (int)k;
}

static bool is_mapped(const tsr_memory *m, size_t bytes)
{
  return bytes >= (m->pins != NULL ? PINNED_BYTES : LARGE_BYTES);
}

/* The alignment of what malloc gives for a block. */
static size_t alignment_of(size_t bytes)
{
  if (bytes >= CHOSEN_BYTES) return TSR_PAGE_BYTES;
  return bytes >= ALIGNED_BYTES ? 1024 : ALIGN_BYTES;
}

/* A block of less than what is mapped. offset: in its page, if it is chosen. */
static void *heap_alloc(size_t bytes, size_t offset)
{
  const size_t alignment = alignment_of(bytes), before = bytes >= CHOSEN_BYTES ? offset : 0;
  const size_t all = tsr__round_up(before + bytes, alignment);
  char *start = aligned_alloc(alignment, all);
  if (start == NULL) return NULL;
  HIDE(start, before);
  HIDE(start + before + bytes, all - before - bytes);
  return start + before;
}

static void heap_free(char *p, size_t bytes)
{
  const size_t before = bytes >= CHOSEN_BYTES ? (size_t)p % TSR_PAGE_BYTES : 0;
  SHOW(p - before, tsr__round_up(before + bytes, alignment_of(bytes)));
  free(p - before);
}

/* A block from the system. number: so many of its class came from it before. */
static void *system_alloc(tsr_memory *m, size_t bytes, unsigned number, tsr_pitch pitch)
{
  const size_t offset = tsr__page_offset(number, pitch);
  if (!is_mapped(m, bytes)) return heap_alloc(bytes, offset);
  const size_t ahead = number % N_STAGGERS * STAGGER_BYTES + offset;
  const size_t used = tsr__round_up(ahead + bytes, MAP_BYTES);
  size_t mapped = used + HUGE_PAGE_BYTES;
  char *start = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return NULL;
  size_t head = -(size_t)start & (HUGE_PAGE_BYTES - 1);
  if (head) munmap(start, head);
  munmap(start + head + used, mapped - head - used);
  madvise(start + head, used, MADV_HUGEPAGE); /* the result is ignored: only speed depends on it */
  tsr__pins_add(m->pins, start + head, used);
  return start + head + ahead;
}

static void system_free(tsr_memory *m, void *p, size_t bytes)
{
  if (!is_mapped(m, bytes)) {
    heap_free(p, bytes);
    return;
  }
  const size_t ahead = (size_t)p & (HUGE_PAGE_BYTES - 1);
  tsr__pins_remove(m->pins, (char *)p - ahead);
  munmap((char *)p - ahead, tsr__round_up(ahead + bytes, MAP_BYTES));
}

static void push_block(tsr_memory *m, free_block *b)
{
  b->newer = NULL;
  b->older = m->newest;
  *(m->newest ? &m->newest->newer : &m->oldest) = b;
  m->newest = b;
  free_block **top = &m->class_newest[b->size_class];
  b->class_newer = NULL;
  b->class_older = *top;
  if (*top) (*top)->class_newer = b;
  *top = b;
  m->stats.cached_bytes += b->bytes;
}

static void unlink_block(tsr_memory *m, free_block *b)
{
  *(b->newer ? &b->newer->older : &m->newest) = b->older;
  *(b->older ? &b->older->newer : &m->oldest) = b->newer;
  *(b->class_newer ? &b->class_newer->class_older : &m->class_newest[b->size_class]) =
      b->class_older;
  if (b->class_older) b->class_older->class_newer = b->class_newer;
  m->stats.cached_bytes -= b->bytes;
}

static void drop_oldest(tsr_memory *m)
{
  free_block *b = m->oldest;
  unlink_block(m, b);
  SHOW(b, b->bytes);
  system_free(m, b, b->bytes);
}

/* Give blocks back until what is held, with `more` bytes of a new block, is within both bounds. */
static void shrink(tsr_memory *m, size_t more)
{
  size_t peak = m->stats.in_use_bytes + more;
  if (peak < m->stats.peak_bytes) peak = m->stats.peak_bytes;
  size_t most = peak + peak / 4 + SLACK_BYTES;
  if (m->limit && most > m->limit) most = m->limit;
  while (m->oldest && m->stats.in_use_bytes + m->stats.cached_bytes + more > most) drop_oldest(m);
}

tsr_memory *tsr__memory_create(size_t limit_bytes)
{
  tsr_memory *m = tsr__calloc(1, sizeof *m);
  pthread_mutex_init(&m->lock, NULL);
  m->limit = limit_bytes;
  return m;
}

tsr_memory *tsr__memory_create_on(tsr_device *device, size_t limit_bytes)
{
  tsr_memory *m = tsr__memory_create(limit_bytes);
  m->device = device;
  return m;
}

tsr_memory *tsr__memory_create_in(const char *directory, size_t limit_bytes)
{
  tsr_memory *m = tsr__memory_create(limit_bytes);
  m->directory = tsr__strdup(directory);
  return m;
}

void tsr__memory_pin_by(tsr_memory *m, tsr_pins *pins)
{
  TSR_ASSERT(m->stats.n_system == 0);
  m->pins = pins;
}

void tsr__memory_destroy(tsr_memory *m)
{
  if (!m) return;
  tsr__memory_trim(m);
  pthread_mutex_destroy(&m->lock);
  free(m->directory);
  free(m);
}

static bool must_fail(tsr_memory *m)
{
  return m->fail_at && --m->fail_at == 0;
}

/* A block of the pool: cached, or from the system. */
static void *block_alloc(tsr_memory *m, size_t bytes, tsr_pitch pitch)
{
  size_t class_bytes;
  int size_class = class_of(bytes, &class_bytes);
  void *p = m->class_newest[size_class];
  if (p) {
    unlink_block(m, p);
  } else {
    shrink(m, class_bytes);
    m->stats.n_system++;
    const unsigned number = m->n_system[size_class]++;
    p = system_alloc(m, class_bytes, number, pitch);
    if (!p && m->oldest) {
      while (m->oldest) drop_oldest(m);
      p = system_alloc(m, class_bytes, number, pitch);
    }
    if (!p) return NULL;
  }
  SHOW(p, class_bytes);
  HIDE((char *)p + bytes, class_bytes - bytes);
  return p;
}

/* A block of a memory that is no pool, but a device or files. */
static void *whole_alloc(tsr_memory *m, size_t bytes)
{
  m->stats.n_system++;
  return m->device ? m->device->ops->alloc(m->device, bytes)
                   : tsr__file_memory_alloc(m->directory, bytes);
}

/* Is there space for so many more bytes? */
static bool has_space(tsr_memory *m, size_t bytes)
{
  m->stats.n_allocs++;
  if (must_fail(m) || bytes > SIZE_MAX / 4) return false;
  return m->limit == 0 || bytes <= m->limit - m->stats.in_use_bytes;
}

static void count_in_use(tsr_memory *m, size_t bytes)
{
  m->stats.in_use_bytes += bytes;
  if (m->stats.in_use_bytes > m->stats.peak_bytes) m->stats.peak_bytes = m->stats.in_use_bytes;
}

/* Allocates; the caller holds the lock. */
static void *alloc_locked(tsr_memory *m, size_t bytes, tsr_pitch pitch)
{
  if (!has_space(m, bytes)) return NULL;
  void *p = m->device || m->directory ? whole_alloc(m, bytes) : block_alloc(m, bytes, pitch);
  if (p) count_in_use(m, bytes);
  return p;
}

void *tsr__memory_alloc_pitched(tsr_memory *m, size_t bytes, tsr_pitch pitch)
{
  pthread_mutex_lock(&m->lock);
  void *p = alloc_locked(m, bytes, pitch);
  pthread_mutex_unlock(&m->lock);
  return p;
}

void *tsr__memory_alloc(tsr_memory *m, size_t bytes)
{
  return tsr__memory_alloc_pitched(m, bytes, (tsr_pitch){0, 0});
}

static void whole_free(tsr_memory *m, void *p, size_t bytes)
{
  pthread_mutex_lock(&m->lock);
  if (m->device)
    m->device->ops->free(m->device, p, bytes);
  else
    tsr__file_memory_free(p, bytes);
  m->stats.in_use_bytes -= bytes;
  pthread_mutex_unlock(&m->lock);
}

bool tsr__memory_adopt(tsr_memory *m, void *p, size_t bytes, void (*release)(void *arg), void *arg)
{
  if (m->device || m->directory) return false;
  TSR_ASSERT((size_t)p % ALIGN_BYTES == 0);
  adopted_block *b = tsr__malloc(sizeof *b);
  pthread_mutex_lock(&m->lock);
  const bool ok = has_space(m, bytes);
  if (ok) {
    shrink(m, bytes);
    count_in_use(m, bytes);
    *b = (adopted_block){m->adopted, p, release, arg};
    m->adopted = b;
    atomic_fetch_add(&m->n_adopted, 1);
  }
  pthread_mutex_unlock(&m->lock);
  if (!ok) free(b);
  return ok;
}

/* Gives adopted memory back; false: it is none. */
static bool give_back(tsr_memory *m, void *p, size_t bytes)
{
  adopted_block *found = NULL;
  pthread_mutex_lock(&m->lock);
  for (adopted_block **b = &m->adopted; *b; b = &(*b)->next) {
    if ((*b)->p != p) continue;
    found = *b;
    *b = found->next;
    atomic_fetch_sub(&m->n_adopted, 1);
    m->stats.in_use_bytes -= bytes;
    break;
  }
  pthread_mutex_unlock(&m->lock);
  if (found) found->release(found->arg);
  free(found);
  return found != NULL;
}

void tsr__memory_free(tsr_memory *m, void *p, size_t bytes)
{
  if (!p) return;
  if (atomic_load_explicit(&m->n_adopted, memory_order_relaxed) > 0 && give_back(m, p, bytes))
    return;
  if (m->device || m->directory) {
    whole_free(m, p, bytes);
    return;
  }
  size_t class_bytes;
  int size_class = class_of(bytes, &class_bytes);
  SHOW(p, class_bytes);
  free_block *b = p;
  b->bytes = class_bytes;
  b->size_class = size_class;
  HIDE((char *)p + sizeof *b, class_bytes - sizeof *b);
  pthread_mutex_lock(&m->lock);
  TSR_ASSERT(m->stats.in_use_bytes >= bytes);
  m->stats.in_use_bytes -= bytes;
  push_block(m, b);
  shrink(m, 0);
  pthread_mutex_unlock(&m->lock);
}

void tsr__memory_trim(tsr_memory *m)
{
  pthread_mutex_lock(&m->lock);
  while (m->oldest) drop_oldest(m);
  pthread_mutex_unlock(&m->lock);
}

tsr_memory_stats tsr__memory_stats(const tsr_memory *m)
{
  pthread_mutex_t *lock = (pthread_mutex_t *)&m->lock;
  pthread_mutex_lock(lock);
  tsr_memory_stats stats = m->stats;
  pthread_mutex_unlock(lock);
  return stats;
}

size_t tsr__memory_limit(const tsr_memory *m)
{
  return m->limit;
}

void tsr__memory_fail_at(tsr_memory *m, uint64_t n)
{
  pthread_mutex_lock(&m->lock);
  m->fail_at = n;
  pthread_mutex_unlock(&m->lock);
}
