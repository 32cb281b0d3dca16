/* Blocks of memory that arenas take in turn. */
#ifndef TSR_BLOCKS_H
#define TSR_BLOCKS_H

#include "runtime/base/arena.h"

enum { TSR_BLOCK_SIZES = 6, TSR_ARENA_ALIGN = 16 };

/** A block of an arena, in front of its bytes. */
typedef struct tsr_arena_block {
  struct tsr_arena_block *next;
  size_t capacity; /* bytes of the block after this header */
} tsr_arena_block;
_Static_assert(sizeof(tsr_arena_block) % TSR_ARENA_ALIGN == 0,
               "the data after the header stays aligned");

/** Blocks of 32 KB, 64 KB and so on to 1 MB, which arenas consist of. Those of an arena that ended
 * serve the next ones. After the first half MB new blocks come from huge pages, because the system
 * takes longer to give a fresh page than a plan takes to fill it. All fields zero: there are none
 * yet. Not thread-safe. */
typedef struct tsr_blocks {
  struct tsr_arena_block *free[TSR_BLOCK_SIZES];
  struct tsr_chunk *chunks; /* owned, newest first */
  size_t total_bytes;       /* bytes of all chunks */
  size_t left_bytes;        /* unused bytes at the end of the newest chunk */
} tsr_blocks;

/** Gives an empty arena its first block, and makes it take others here when it grows; blocks of more
 * than 1 MB come from malloc. Such an arena ends by tsr__blocks_end. */
void tsr__blocks_begin(tsr_blocks *b, tsr_arena *a);
/** Ends an arena that tsr__blocks_begin began: it frees what tsr__arena_destroy would free. */
void tsr__blocks_end(tsr_blocks *b, tsr_arena *a);
/** Takes an empty block of at least this capacity, for an arena that grows. NULL: it would be larger
 * than the largest, and comes from malloc. */
tsr_arena_block *tsr__blocks_take(tsr_blocks *b, size_t capacity);
/** Frees all chunks. The arenas that began with their blocks must have ended. */
void tsr__blocks_free(tsr_blocks *b);

#endif
