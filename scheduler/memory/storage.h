/* Storage of a region on this rank: the memory of its tiles, and what is known of its ghosts. */
#ifndef TSR_MEMORY_STORAGE_H
#define TSR_MEMORY_STORAGE_H

#include "scheduler/memory/instance.h"
#include "scheduler/plan/ghosts.h"

/** What a tile was lent in: memory that it was in before its region moved, kept for those who have
 * its address; of devices and of several places, the host's copy of it, newest first. */
typedef struct tsr_lent_memory {
  struct tsr_lent_memory *next;
  tsr_memory *memory; /* that it is of */
  tsr_instance instance;
} tsr_lent_memory;

typedef struct tsr_storage {
  tsr_scheduler *scheduler;
  const tsr_layout *layout;
  tsr_ghosts ghosts;
  size_t agreed_bytes;   /* what the largest tile takes, the same on every rank: counts against the
                            limit */
  tsr_lent_memory *lent; /* until the last lending ends */
  bool on_host; /* where the last plan that used it placed it: in the host's memory (placement.c) */
  double lost_ns;            /* by being there, or on the device, since it came */
  uint64_t written, touched; /* s->n_plans of the last plan that did so; the same on every rank */
  struct tsr_storage *next;  /* in the scheduler's free list */
  tsr_instance instance[];   /* [world's n_places] */
} tsr_storage;

tsr_storage *tsr__storage_new(tsr_scheduler *s, const tsr_layout *layout);

/** Its memory goes back to the pool, itself to the scheduler's free list. */
void tsr__storage_release(tsr_storage *storage);
void tsr__storages_free(tsr_scheduler *s);

/** Is what a rank lends the tile itself, as it lies in memory? Else it is a copy. */
bool tsr__lends_itself(const tsr_scheduler *s);

/** Nobody has the address of its memory any more. */
void tsr__storage_end_lending(tsr_storage *storage);

/** Keep memory, of that pool, until then. */
void tsr__storage_keep_lent(tsr_storage *storage, tsr_memory *memory, const tsr_instance *i);

#endif
