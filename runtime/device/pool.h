/* A pool of a device's memory, which the host cannot touch: blocks from slabs that are taken from
 * the device when they are needed, and given back when others need them. */
#ifndef TSR_DEVICE_POOL_H
#define TSR_DEVICE_POOL_H

#include "tessera/base.h"

typedef struct tsr_device_pool tsr_device_pool;

/** Where a pool's memory comes from. */
typedef struct tsr_pool_source {
  void *context;
  void *(*take)(void *context, size_t bytes); /* aligned to 256; NULL: there is none */
  void (*give)(void *context, void *p);
} tsr_pool_source;

/** Make a pool. limit_bytes: the most that is handed out at once; 0: no limit. */
tsr_device_pool *tsr__device_pool_create(const tsr_pool_source *source, size_t limit_bytes);
void tsr__device_pool_destroy(tsr_device_pool *pool); /* gives back everything; NULL is ignored */
/** A block, aligned to 256 bytes; NULL over the limit, or if the source has no more even after all
 * that is unused was given back. Thread-safe, as tsr__device_pool_free is. */
void *tsr__device_pool_alloc(tsr_device_pool *pool, size_t bytes);
/** Free a block. bytes: as given to alloc. Returns false if the pool has no such block. */
bool tsr__device_pool_free(tsr_device_pool *pool, void *p, size_t bytes);
/** Give all that is unused back to the source. Returns whether there was something. */
bool tsr__device_pool_trim(tsr_device_pool *pool);
/** Bytes that the pool has from its source. */
size_t tsr__device_pool_held_bytes(tsr_device_pool *pool);

#endif
