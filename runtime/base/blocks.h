/* Blocks of memory for arenas that come and go, and of which many are kept. */
#ifndef TSR_BLOCKS_H
#define TSR_BLOCKS_H

#include "runtime/base/arena.h"

/** Blocks that arenas begin with: those of an arena that ended are the next ones', and after the
 * first half MB new ones come from huge pages, because the system takes longer to give a fresh page
 * than a plan takes to fill it. All zero: none yet. Not thread-safe. */
typedef struct tsr_blocks {
  struct tsr_arena_block *free;
  struct tsr_chunk *chunks; /* owned, newest first */
  size_t total_bytes;       /* of the chunks */
  size_t left_bytes;        /* of the newest, at its end */
} tsr_blocks;

/** Give an empty arena its first block. It ends by tsr__blocks_end. */
void tsr__blocks_begin(tsr_blocks *b, tsr_arena *a);
/** As tsr__arena_destroy, of such an arena. */
void tsr__blocks_end(tsr_blocks *b, tsr_arena *a);
/** The arenas have ended. */
void tsr__blocks_free(tsr_blocks *b);

#endif
