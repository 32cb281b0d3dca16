/* Blocks of memory that arenas begin with and hand on when they end. */
#ifndef TSR_BLOCKS_H
#define TSR_BLOCKS_H

#include "runtime/base/arena.h"

/** Blocks that arenas begin with. The blocks of an arena that ended serve the next ones. After the
 * first half MB new blocks come from huge pages, because the system takes longer to give a fresh
 * page than a plan takes to fill it. All fields zero: there are none yet. Not thread-safe. */
typedef struct tsr_blocks {
  struct tsr_arena_block *free;
  struct tsr_chunk *chunks; /* owned, newest first */
  size_t total_bytes;       /* bytes of all chunks */
  size_t left_bytes;        /* unused bytes at the end of the newest chunk */
} tsr_blocks;

/** Give an empty arena its first block. Such an arena ends by tsr__blocks_end. */
void tsr__blocks_begin(tsr_blocks *b, tsr_arena *a);
/** End an arena that tsr__blocks_begin began: it frees what tsr__arena_destroy would free. */
void tsr__blocks_end(tsr_blocks *b, tsr_arena *a);
/** Free all chunks. The arenas that began with their blocks must have ended. */
void tsr__blocks_free(tsr_blocks *b);

#endif
