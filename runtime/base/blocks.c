/* Blocks that arenas share: cut off chunks, and cached by their sizes when an arena ends. */
#include "runtime/base/blocks.h"
#include "runtime/base/alloc.h"
#include "runtime/base/error.h"

#include <stdlib.h>
#include <sys/mman.h>

typedef struct tsr_chunk {
  struct tsr_chunk *next;
  size_t bytes; /* of the chunk, this header included */
} tsr_chunk;

enum {
  CHUNK_BYTES = 64 * 1024,
  HUGE_BYTES = 2 * 1024 * 1024,
  MANY_BYTES = 512 * 1024, /* total bytes of the chunks from which on new chunks are huge */
  LEAST_BYTES = 32 * 1024,
  SHORT_BYTES = 64 /* blocks are so much shorter than 32 KB, 64 KB ...: a chunk has a header, too */
};
_Static_assert(sizeof(tsr_chunk) <= SHORT_BYTES && sizeof(tsr_chunk) % TSR_ARENA_ALIGN == 0 &&
                   SHORT_BYTES % TSR_ARENA_ALIGN == 0,
               "blocks stay aligned, and fill a chunk");

/* Bytes of a block with its header. */
static size_t block_bytes(int size)
{
  return ((size_t)LEAST_BYTES << size) - SHORT_BYTES;
}

/* The least size of blocks with such a capacity; TSR_BLOCK_SIZES: none is as large. */
static int size_of_capacity(size_t capacity)
{
  int size = 0;
  while (size < TSR_BLOCK_SIZES && block_bytes(size) - sizeof(tsr_arena_block) < capacity) size++;
  return size;
}

static void add_free(tsr_blocks *b, tsr_arena_block *block, int size)
{
  *block = (tsr_arena_block){.next = b->free[size], .capacity = block_bytes(size) - sizeof *block};
  b->free[size] = block;
}

/* Takes a block of the newest chunk, which has space for it. */
static tsr_arena_block *carve(tsr_blocks *b, int size)
{
  tsr_arena_block *block =
      (tsr_arena_block *)((char *)b->chunks + b->chunks->bytes - b->left_bytes);
  b->left_bytes -= block_bytes(size);
  return block;
}

/* Adds a chunk with space for a block. What was left of the last one becomes free blocks. */
static void add_chunk(tsr_blocks *b, int for_size)
{
  for (int size = TSR_BLOCK_SIZES - 1; size >= 0; size--)
    while (b->left_bytes >= block_bytes(size)) add_free(b, carve(b, size), size);
  size_t bytes = HUGE_BYTES;
  tsr_chunk *chunk = NULL;
  if (b->total_bytes >= MANY_BYTES) chunk = aligned_alloc(HUGE_BYTES, HUGE_BYTES);
  if (chunk) {
    madvise(chunk, HUGE_BYTES, MADV_HUGEPAGE); /* the result is ignored: only speed depends on it */
  } else {
    bytes = block_bytes(for_size) + SHORT_BYTES;
    if (bytes < CHUNK_BYTES) bytes = CHUNK_BYTES;
    chunk = tsr__malloc(bytes);
  }
  *chunk = (tsr_chunk){.next = b->chunks, .bytes = bytes};
  b->chunks = chunk;
  b->total_bytes += bytes;
  b->left_bytes = bytes - sizeof *chunk;
}

tsr_arena_block *tsr__blocks_take(tsr_blocks *b, size_t capacity)
{
  const int size = size_of_capacity(capacity);
  if (size == TSR_BLOCK_SIZES) return NULL;
  if (b->free[size] == NULL) {
    if (b->left_bytes < block_bytes(size)) add_chunk(b, size);
    add_free(b, carve(b, size), size);
  }
  tsr_arena_block *block = b->free[size];
  b->free[size] = block->next;
  block->next = NULL;
  return block;
}

void tsr__blocks_begin(tsr_blocks *b, tsr_arena *a)
{
  tsr_arena_block *block = tsr__blocks_take(b, 1);
  *a = (tsr_arena){.first = block, .current = block, .pool = b};
}

void tsr__blocks_end(tsr_blocks *b, tsr_arena *a)
{
  TSR_ASSERT(a->pool == b);
  for (tsr_arena_block *block = a->first; block;) {
    tsr_arena_block *next = block->next;
    const int size = size_of_capacity(block->capacity);
    if (size < TSR_BLOCK_SIZES)
      add_free(b, block, size);
    else
      free(block);
    block = next;
  }
  *a = (tsr_arena){0};
}

void tsr__blocks_free(tsr_blocks *b)
{
  for (tsr_chunk *chunk = b->chunks; chunk;) {
    tsr_chunk *next = chunk->next;
    free(chunk);
    chunk = next;
  }
  *b = (tsr_blocks){0};
}
