/* Storage of a region on this rank: the memory of its places' tiles, and which of its ghosts are
 * valid. */
#ifndef TSR_MEMORY_STORAGE_H
#define TSR_MEMORY_STORAGE_H

#include "scheduler/plan/instance.h"
#include "program/ghosts.h"

/** Memory that a tile was lent in, kept for those who have its address until the lending ends: the
 * memory that the tile was in before its region moved, or, of devices and of several places, the
 * host mirror of it. A list, newest first. */
typedef struct tsr_lent_memory {
  struct tsr_lent_memory *next;
  tsr_memory *memory; /* the pool that it is of */
  tsr_instance instance;
} tsr_lent_memory;

/** Storage of one region. Owned by the region. */
typedef struct tsr_storage {
  tsr_scheduler *scheduler;
  const tsr_layout *layout; /* of the region over the places */
  tsr_ghosts ghosts;        /* which ghosts are valid, for every place; set by run/bind.c */
  size_t agreed_bytes;      /* of the largest tile, alike on every rank: counts against the limit */
  tsr_lent_memory *lent;    /* list, owned until the last lending ends (lend.c) */
  bool on_host; /* the last plan that used it placed it in the host's memory (run/place.c) */
  /* ns that its present side has cost more than the other side would have (run/place.c) */
  double lost_ns;
  /* s->n_plans of the last plan that wrote it, and that used it; alike on every rank */
  uint64_t written, touched;
  struct tsr_storage *next;  /* in the scheduler's list of free ones, or of lost ones */
  const tsr_region *lost_by; /* of a lost one: the region, which is lent */
  tsr_instance instance[];   /* [world's n_places] of this rank's places */
} tsr_storage;

/** A storage without memory, from the scheduler's free list if there is one. */
tsr_storage *tsr__storage_new(tsr_scheduler *s, const tsr_layout *layout);

/** Give its memory back to the pool, and itself to the scheduler's free list. */
void tsr__storage_release(tsr_storage *storage);
/** Take the storage from a region that loses its value. What is lent of it stays until the lending
 * ends: the program has its address. */
void tsr__storage_lose(tsr_region *r);
/** The last lending of a region has ended: free what it lost meanwhile. NULL: of all regions. */
void tsr__storage_free_lost(tsr_scheduler *s, const tsr_region *r);
/** Free the free list. At the end. */
void tsr__storages_free(tsr_scheduler *s);

/** Does a rank lend its tile itself, as it lies in memory? Else it lends a copy. */
bool tsr__lends_itself(const tsr_scheduler *s);

/** The last lending has ended: free the memory that was kept for it. */
void tsr__storage_end_lending(tsr_storage *storage);

/** Keep the memory of an instance, of that pool, until the last lending ends. */
void tsr__storage_keep_lent(tsr_storage *storage, tsr_memory *memory, const tsr_instance *i);

#endif
