/* The bump allocator for planning: a chain of blocks, which a reset keeps and reuses in order.
 * Allocations are 16-byte aligned, because the block's header and all sizes are multiples of 16. */
#include "runtime/base/blocks.h"
#include "runtime/base/error.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { ARENA_BLOCK_BYTES = 16 * 1024 };

static tsr_arena_block *new_block(tsr_arena *a, size_t capacity)
{
  tsr_arena_block *block = a->pool != NULL ? tsr__blocks_take(a->pool, capacity) : NULL;
  if (block != NULL) return block;
  block = tsr__malloc(sizeof *block + capacity);
  *block = (tsr_arena_block){.capacity = capacity};
  return block;
}

/* The sizes of blocks double, so that a large plan takes few of them. A block that is too small for
 * a request is passed over. */
static void next_block(tsr_arena *a, size_t bytes)
{
  while (a->current && a->current->next) {
    a->current = a->current->next;
    a->used = 0;
    if (a->current->capacity >= bytes) return;
  }
  size_t capacity = a->current ? 2 * a->current->capacity : ARENA_BLOCK_BYTES;
  if (capacity < bytes) capacity = bytes;
  tsr_arena_block *block = new_block(a, capacity);
  if (a->current)
    a->current->next = block;
  else
    a->first = block;
  a->current = block;
  a->used = 0;
}

static size_t aligned(size_t bytes)
{
  return (bytes + TSR_ARENA_ALIGN - 1) & ~(size_t)(TSR_ARENA_ALIGN - 1);
}

void *tsr__arena_alloc(tsr_arena *a, size_t bytes)
{
  if (bytes > SIZE_MAX / 2) tsr__fatal("cannot allocate %zu bytes from an arena", bytes);
  bytes = aligned(bytes);
  if (!a->current || a->current->capacity - a->used < bytes) next_block(a, bytes);
  void *p = (char *)(a->current + 1) + a->used;
  a->used += bytes;
  return p;
}

void *tsr__arena_calloc(tsr_arena *a, size_t n, size_t bytes)
{
  size_t total;
  if (__builtin_mul_overflow(n, bytes, &total))
    tsr__fatal("cannot allocate %zu times %zu bytes from an arena", n, bytes);
  void *p = tsr__arena_alloc(a, total);
  return memset(p, 0, total);
}

/* Lengthens what was allocated last. False: it was not, or the block has no space. */
static bool lengthen(tsr_arena *a, const void *v, size_t old_bytes, size_t bytes)
{
  if (v == NULL || a->current == NULL || bytes > SIZE_MAX / 2) return false;
  const char *end = (const char *)(a->current + 1) + a->used;
  const size_t more = aligned(bytes) - aligned(old_bytes);
  if ((const char *)v + aligned(old_bytes) != end || a->current->capacity - a->used < more)
    return false;
  a->used += more;
  return true;
}

void *tsr__arena_enlarge(tsr_arena *arena, void *v, int32_t n, int32_t *capacity, size_t elem_bytes)
{
  const int32_t before = *capacity;
  *capacity = before ? 2 * before : 8;
  const size_t bytes = (size_t)*capacity * elem_bytes;
  if (lengthen(arena, v, (size_t)before * elem_bytes, bytes)) return v;
  void *w = tsr__arena_alloc(arena, bytes);
  if (n > 0) memcpy(w, v, (size_t)n * elem_bytes);
  return w;
}

void *tsr__arena_reserve(tsr_arena *a, int32_t n, int32_t *capacity, size_t elem_bytes)
{
  *capacity = n;
  return tsr__arena_alloc(a, (size_t)n * elem_bytes);
}

void tsr__arena_reset(tsr_arena *a)
{
  a->current = a->first;
  a->used = 0;
}

void tsr__arena_destroy(tsr_arena *a)
{
  for (tsr_arena_block *block = a->first; block;) {
    tsr_arena_block *next = block->next;
    free(block);
    block = next;
  }
  *a = (tsr_arena){0};
}
