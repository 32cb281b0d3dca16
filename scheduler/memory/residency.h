/* Residency: the memory space that each tile and buffer of a place is in. Whoever needs memory for
 * an array's tile, for a plan's buffer, or for work between runs asks here. */
#ifndef TSR_MEMORY_RESIDENCY_H
#define TSR_MEMORY_RESIDENCY_H

#include "scheduler/memory/storage.h"

/** Memory of one of this rank's places: of a tile, or for a plan. */
typedef struct tsr_block {
  void *data;      /* owned through the pool of its space; NULL: none yet */
  size_t bytes;    /* that data has, or is to have */
  tsr_space space; /* that data is in */
  bool has_values; /* they go with it when it moves */
  tsr_pitch pitch; /* of the array that it holds or is to hold */
} tsr_block;

/** What may leave a place's own memory for a block. All zero: any tile that no plan and no lending
 * holds in place. */
typedef struct tsr_eviction {
  tsr_region *const *exempt; /* [n_exempt] arrays whose tiles stay */
  int32_t n_exempt;
  bool only_stale; /* only tiles that no plan used lately leave */
} tsr_eviction;

/** Have the block in TSR_SPACE_PLACE, for which other tiles leave as `may` says, or in
 * TSR_SPACE_HOST: the host's memory or, where that has no space, a file. A block that is
 * elsewhere moves there, and one without memory gets some there; if that space is full, the block
 * stays as it is. may: NULL: nothing leaves.
 * Returns whether it is there. */
bool tsr__residency_move_to(tsr_scheduler *s, int here, tsr_block *b, tsr_space space,
                            const tsr_eviction *may);
/** Have the block wherever there is memory: the place's own, or the host's if that is full or the
 * block is to be `on_host`. The n_exempt arrays in `exempt` stay. */
bool tsr__residency_want_any(tsr_scheduler *s, int here, tsr_block *b, bool on_host,
                             tsr_region *const *exempt, int32_t n_exempt);
/** Give the block's memory back to its pool. */
void tsr__residency_release(const tsr_scheduler *s, int here, tsr_block *b);
/** Move the tile that was used longest ago out of the place's own memory. False: none may leave, or
 * there is no space for it elsewhere. */
bool tsr__residency_evict(tsr_scheduler *s, int here, const tsr_eviction *may);

/** Memory of a place in `space`, if there is some without moving anything; else NULL. pitch: of the
 * array that it is for. */
void *tsr__residency_alloc(tsr_scheduler *s, int here, tsr_space space, size_t bytes,
                           tsr_pitch pitch);
/** Is there memory besides the place's own? */
bool tsr__residency_has_other(const tsr_scheduler *s);

/** Memory that a place keeps between runs, where it holds no value: the first that gives way. */
typedef enum tsr_spare {
  TSR_SPARE_PACKING,   /* boxes of messages are packed in it (run/pack.c) */
  TSR_SPARE_STREAMING, /* the ring that chunks are streamed through (run/streaming_ring.c) */
  TSR_SPARE_REDUCING,  /* nodes between two launches of a reduction (run/risen.c) */
  TSR_N_SPARES
} tsr_spare;

/** Have at least so many bytes of spare memory; what there is stays if there are not. A larger
 * block takes the old one's place only if it can be had. Returns the block as it is then. The
 * queues must be empty. */
const tsr_block *tsr__residency_spare(tsr_scheduler *s, int here, tsr_spare which, size_t bytes);
/** Give spare memory back. Returns false if there was none. The queues must be empty. */
bool tsr__residency_drop_spare(tsr_scheduler *s, int here, tsr_spare which);
/** Give all of it back. At the end. */
void tsr__residency_destroy(tsr_scheduler *s);

/** Memory of the host for a mirror of what is lent, read or imported. Sets *from to the pool to
 * give it back to. NULL: there is none. */
void *tsr__residency_mirror(const tsr_scheduler *s, size_t bytes, tsr_memory **from);

/** Memory of the host that must exist, such as that of a message, which others wait for: from the
 * pool of mirrors or, where that has no space, from the system. Sets *from for
 * tsr__residency_give_bytes. */
void *tsr__residency_host_bytes(const tsr_scheduler *s, size_t bytes, tsr_memory **from);
/** Give back what tsr__residency_host_bytes or tsr__residency_mirror gave. NULL is ignored. */
void tsr__residency_give_bytes(void *p, size_t bytes, tsr_memory *from);

/** May an array of so many bytes be in the host's memory only because it is faster there? Half of
 * that memory is left to what must be there. */
bool tsr__host_has_memory(const tsr_scheduler *s, size_t bytes);

/** Does an array of so many bytes that the program gives begin in the host's memory? */
bool tsr__begins_on_host(const tsr_scheduler *s, size_t agreed_bytes);

#endif
