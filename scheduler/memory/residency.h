/* Residency: which memory space the tile of an array is in, where that of a place is short. */
#ifndef TSR_MEMORY_RESIDENCY_H
#define TSR_MEMORY_RESIDENCY_H

#include "scheduler/run/bind.h"

/** Memory of a place, as long as there is some without moving anything (residency.c). */
void *tsr__residency_alloc(tsr_scheduler *s, int here, tsr_space space, size_t bytes);

/** Memory for an array of this rank's place `here`: its own, for which arrays that were used longer
 * ago leave it, but for the n_kept of `kept`; else, or where it is to be `on_host`, the host's or a
 * file's. NULL: none of them has it (residency.c). */
void *tsr__residency_take(tsr_scheduler *s, int here, size_t bytes, bool on_host,
                          tsr_region *const *kept, int32_t n_kept, tsr_space *space);

/** Memory of the host for a copy of what is lent, read or imported, and whose it is; NULL: none. */
void *tsr__residency_mirror(const tsr_scheduler *s, size_t bytes, tsr_memory **from);

/** Memory for the buffers that a binding still lacks, all of it or none, and where its placement
 * wants them: some of the plan's arrays may move. */
tsr_status tsr__residency_make(tsr_plan *plan, tsr_binding *b);

/** The binding's own buffers leave the place's memory, with their values, if there is any other. */
void tsr__residency_leave(tsr_plan *plan, tsr_binding *b);

/** May an array of so many bytes be in the host's memory because it is faster there? Half of it is
 * left to what has to be there. */
bool tsr__host_has_room(const tsr_scheduler *s, size_t bytes);

/** Where an array of so many bytes that the program gives is to begin. */
bool tsr__begins_on_host(const tsr_scheduler *s, size_t agreed_bytes);

#endif
