/* Array memory of one rank: a pool over large blocks, with an agreed limit and counters. Freed
 * blocks are cached and reused by size class, so that a steady loop never faults fresh pages; large
 * blocks ask for huge pages. */
#ifndef TSR_MEMORY_H
#define TSR_MEMORY_H

#include "runtime/machine/page_offset.h"
#include "tessera/base.h"

typedef struct tsr_memory tsr_memory;

typedef struct tsr_memory_stats {
  size_t in_use_bytes; /* bytes handed out now */
  size_t peak_bytes;   /* the most bytes ever handed out at once */
  size_t cached_bytes; /* bytes of free blocks that are cached for reuse */
  uint64_t n_allocs;   /* calls of alloc */
  uint64_t n_system;   /* calls of alloc that asked the system */
} tsr_memory_stats;

/** A pool. limit_bytes: the most that alloc hands out together; 0: no limit. */
tsr_memory *tsr__memory_create(size_t limit_bytes);
/** Memory of a device (borrowed), which keeps freed blocks as it likes. */
struct tsr_device;
tsr_memory *tsr__memory_create_on(struct tsr_device *device, size_t limit_bytes);
/** Memory in files of a directory, for what the system's memory has no space for. Each block is a
 * file of its own without a name, which is mapped. Nothing that is freed is cached. */
tsr_memory *tsr__memory_create_in(const char *directory, size_t limit_bytes);
/** Tell `pins` (borrowed, NULL: none) of the large blocks that a pool of the host's memory takes
 * from the system. Before its first use. */
struct tsr_pins;
void tsr__memory_pin_by(tsr_memory *m, struct tsr_pins *pins);
void tsr__memory_destroy(tsr_memory *m);
/** Allocate; contents are undefined, 64-byte aligned. NULL if over the limit or the system refuses
 * (cached blocks are dropped first). bytes 0 gives a valid pointer. Thread-safe. */
void *tsr__memory_alloc(tsr_memory *m, size_t bytes);
/** As tsr__memory_alloc, for an array: where blocks begin is chosen so that loops which store one
 * array and load the points around it from another of the same kind run fast. */
void *tsr__memory_alloc_pitched(tsr_memory *m, size_t bytes, tsr_pitch pitch);
/** Count memory that somebody else has got as the pool's: `bytes` from p on, 64-byte aligned. Where
 * tsr__memory_free gets it, release(arg) is called once, in its thread, and nothing is cached.
 * False, without a call of release: over the limit, or the pool is not of the host's memory. */
bool tsr__memory_adopt(tsr_memory *m, void *p, size_t bytes, void (*release)(void *arg), void *arg);
void tsr__memory_free(tsr_memory *m, void *p, size_t bytes); /* as alloc got them; NULL is
                                                                ignored */
void tsr__memory_trim(tsr_memory *m);                        /* give cached blocks back */
tsr_memory_stats tsr__memory_stats(const tsr_memory *m);
size_t tsr__memory_limit(const tsr_memory *m);
/** For tests: let the n-th alloc from now on fail once (1: the next); 0 turns it off. */
void tsr__memory_fail_at(tsr_memory *m, uint64_t n);

#endif
