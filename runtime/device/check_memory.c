/* Memory of the device `check`. Blocks are whole pages. The bytes behind a block's end in its last
 * page, and one page after it, stay set, so that a write beyond the end shows when the block is
 * freed. New blocks come from a position that moves on through the whole range, so a freed address
 * is not soon another block's. One lock guards the table of live blocks, ordered by address. */
#include "runtime/device/check_memory.h"
#include "runtime/base/alloc.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RANGE_BYTES ((size_t)16 << 30) /* addresses; pages are made when they are touched */
#define PAGE_BYTES ((size_t)4096)

typedef struct block {
  size_t at, bytes; /* from the range's beginning; as alloc was asked for them */
} block;

struct tsr_check_memory {
  pthread_mutex_t lock;
  char *base, *view;
  size_t limit, in_use, next, highest; /* highest: end of all blocks handed out so far */
  block *live;                         /* ordered by address */
  int n_live, cap_live;
};

/* Bytes of a block's pages and of the guard page behind it. */
static size_t taken_bytes(size_t bytes)
{
  return tsr__round_up(bytes, PAGE_BYTES) + PAGE_BYTES;
}

tsr_check_memory *tsr__check_memory_create(size_t limit_bytes)
{
  return tsr__check_memory_create_in(-1, limit_bytes);
}

tsr_check_memory *tsr__check_memory_create_in(int file, size_t limit_bytes)
{
  const int kind = MAP_SHARED | MAP_NORESERVE | (file < 0 ? MAP_ANONYMOUS : 0);
  tsr_check_memory *m = tsr__calloc(1, sizeof *m);
  *m = (tsr_check_memory){.limit = limit_bytes, .base = MAP_FAILED, .view = MAP_FAILED};
  pthread_mutex_init(&m->lock, NULL);
  if (file < 0 || ftruncate(file, (off_t)RANGE_BYTES) == 0)
    m->base = mmap(NULL, RANGE_BYTES, PROT_READ | PROT_WRITE, kind, file, 0);
  /* Remapping 0 bytes of a shared mapping maps the same pages once more. */
  if (m->base != MAP_FAILED) m->view = mremap(m->base, 0, RANGE_BYTES, MREMAP_MAYMOVE);
  if (m->view != MAP_FAILED && mprotect(m->base, RANGE_BYTES, PROT_NONE) == 0) return m;
  tsr__check_memory_destroy(m);
  return NULL;
}

void tsr__check_memory_destroy(tsr_check_memory *m)
{
  if (m == NULL) return;
  if (m->base != MAP_FAILED) munmap(m->base, RANGE_BYTES);
  if (m->view != MAP_FAILED) munmap(m->view, RANGE_BYTES);
  pthread_mutex_destroy(&m->lock);
  free(m->live);
  free(m);
}

ptrdiff_t tsr__check_memory_shift(const tsr_check_memory *m)
{
  return (ptrdiff_t)((uintptr_t)m->view - (uintptr_t)m->base);
}

char *tsr__check_memory_base(const tsr_check_memory *m)
{
  return m->base;
}

bool tsr__check_memory_has(const tsr_check_memory *m, const void *p)
{
  return (uintptr_t)p - (uintptr_t)m->base < RANGE_BYTES;
}

/* The first live block that begins behind `at`. */
static int first_behind(const tsr_check_memory *m, size_t at)
{
  int low = 0, high = m->n_live;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (m->live[middle].at > at)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* Finds space from `from` on. Returns the index that the block will have, or -1. */
static int find_gap(const tsr_check_memory *m, size_t from, size_t taken, size_t *at)
{
  int i = first_behind(m, from);
  if (i > 0) {
    const size_t end = m->live[i - 1].at + taken_bytes(m->live[i - 1].bytes);
    if (from < end) from = end;
  }
  for (;; i++) {
    const size_t end = i < m->n_live ? m->live[i].at : RANGE_BYTES;
    *at = from;
    if (from <= end && end - from >= taken) return i;
    if (i >= m->n_live) return -1;
    from = m->live[i].at + taken_bytes(m->live[i].bytes);
  }
}

static char *alloc_locked(tsr_check_memory *m, size_t bytes)
{
  if (bytes > RANGE_BYTES / 2 || (m->limit > 0 && bytes > m->limit - m->in_use)) return NULL;
  const size_t taken = taken_bytes(bytes);
  size_t at;
  int i = find_gap(m, m->next, taken, &at);
  if (i < 0) i = find_gap(m, 0, taken, &at);
  if (i < 0) return NULL;
  m->live = tsr__grow(m->live, &m->cap_live, m->n_live + 1, sizeof *m->live);
  memmove(&m->live[i + 1], &m->live[i], (size_t)(m->n_live - i) * sizeof *m->live);
  m->live[i] = (block){at, bytes};
  m->n_live++;
  m->in_use += bytes;
  m->next = at + taken;
  if (m->highest < m->next) m->highest = m->next;
  memset(m->view + at, 0xFF, taken);
  return m->base + at;
}

void *tsr__check_memory_alloc(tsr_check_memory *m, size_t bytes)
{
  pthread_mutex_lock(&m->lock);
  void *p = alloc_locked(m, bytes);
  pthread_mutex_unlock(&m->lock);
  return p;
}

static bool is_set(const char *p, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if ((unsigned char)p[i] != 0xFF) return false;
  return true;
}

/* What is wrong with an address that is in no live block. */
static const char *what_else(const tsr_check_memory *m, size_t at)
{
  if (at >= RANGE_BYTES) return "is not this device's memory";
  return at < m->highest ? "was freed, or lies behind a block's end" : "was never allocated";
}

static const char *free_locked(tsr_check_memory *m, size_t at, size_t bytes)
{
  const int i = first_behind(m, at) - 1;
  if (i < 0 || m->live[i].at != at) return what_else(m, at);
  if (m->live[i].bytes != bytes) return "was allocated with another size";
  const size_t taken = taken_bytes(bytes);
  const bool is_whole = is_set(m->view + at + bytes, taken - bytes);
  m->n_live--;
  memmove(&m->live[i], &m->live[i + 1], (size_t)(m->n_live - i) * sizeof *m->live);
  m->in_use -= bytes;
  madvise(m->view + at, taken, MADV_REMOVE); /* the pages go back to the system */
  return is_whole ? NULL : "was written behind its end";
}

const char *tsr__check_memory_free(tsr_check_memory *m, const void *p, size_t bytes)
{
  pthread_mutex_lock(&m->lock);
  const char *wrong = free_locked(m, (uintptr_t)p - (uintptr_t)m->base, bytes);
  pthread_mutex_unlock(&m->lock);
  return wrong;
}

static const char *uses_locked(const tsr_check_memory *m, size_t at, size_t bytes)
{
  const int i = first_behind(m, at) - 1;
  if (i < 0 || at - m->live[i].at >= taken_bytes(m->live[i].bytes)) return what_else(m, at);
  return bytes <= m->live[i].bytes && at - m->live[i].at <= m->live[i].bytes - bytes
             ? NULL
             : "reaches behind its block's end";
}

const char *tsr__check_memory_uses(tsr_check_memory *m, const void *p, size_t bytes)
{
  if (bytes == 0) return NULL;
  pthread_mutex_lock(&m->lock);
  const char *wrong = uses_locked(m, (uintptr_t)p - (uintptr_t)m->base, bytes);
  pthread_mutex_unlock(&m->lock);
  return wrong;
}
