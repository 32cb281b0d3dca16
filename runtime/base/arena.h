/* Arenas: memory for planning that is freed all at once. */
#ifndef TSR_ARENA_H
#define TSR_ARENA_H

#include "tessera/base.h"

/** A bump allocator: a reset frees everything and keeps the memory, a destroy frees that, too.
 * Allocations are 16-byte aligned. Not thread-safe. */
typedef struct tsr_arena {
  struct tsr_arena_block *first, *current;
  size_t used;             /* bytes used of the current block */
  struct tsr_blocks *pool; /* where its blocks come from (blocks.h); NULL: from malloc */
} tsr_arena;
void *tsr__arena_alloc(tsr_arena *a, size_t bytes); /* uninitialised; never NULL */
void *tsr__arena_calloc(tsr_arena *a, size_t n, size_t bytes);
/** As tsr__arena_grow, of an array that is full. */
void *tsr__arena_enlarge(tsr_arena *a, void *v, int32_t n, int32_t *capacity, size_t elem_bytes);
/** A growing array in an arena: v, of n elements, with space for one more. It stays where it is if
 * nothing was allocated behind it. */
static inline void *tsr__arena_grow(tsr_arena *a, void *v, int32_t n, int32_t *capacity,
                                    size_t elem_bytes)
{
  return n < *capacity ? v : tsr__arena_enlarge(a, v, n, capacity, elem_bytes);
}
/** Room for the first n elements of such an array, which is empty yet: what is not written costs
 * nothing. */
void *tsr__arena_reserve(tsr_arena *a, int32_t n, int32_t *capacity, size_t elem_bytes);
void tsr__arena_reset(tsr_arena *a);
void tsr__arena_destroy(tsr_arena *a);

#endif
