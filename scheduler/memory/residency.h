/* Residency: which memory space the tile of an array is in, where a place's own is short. */
#ifndef TSR_MEMORY_RESIDENCY_H
#define TSR_MEMORY_RESIDENCY_H

#include "scheduler/run/bind.h"

/** Memory of a place in `space`, if there is some without moving anything; else NULL. */
void *tsr__residency_alloc(tsr_scheduler *s, int here, tsr_space space, size_t bytes);

/** Memory for an array of this rank's place `here`. It is the place's own, for which arrays that
 * were used longer ago are spilled, but not the n_kept in `kept`; or else, or where it is to be
 * `on_host`, the host's or a file's. Sets *space. NULL: there is none. */
void *tsr__residency_take(tsr_scheduler *s, int here, size_t bytes, bool on_host,
                          tsr_region *const *kept, int32_t n_kept, tsr_space *space);

/** Memory of the host for a mirror of what is lent, read or imported. Sets *from to the pool to
 * give it back to. NULL: there is none. */
void *tsr__residency_mirror(const tsr_scheduler *s, size_t bytes, tsr_memory **from);

/** Get memory for the buffers that the binding still lacks, all or none, where its placement wants
 * them; some of the plan's arrays may move. TSR_ERR_MEMORY if there is too little. */
tsr_status tsr__residency_make(tsr_plan *plan, tsr_binding *b);

/** Spill the binding's own buffers, with their values, as far as there is other memory. */
void tsr__residency_leave(tsr_plan *plan, tsr_binding *b);

/** May an array of so many bytes be in the host's memory only because it is faster there? Half of
 * that memory is left to what must be there. */
bool tsr__host_has_room(const tsr_scheduler *s, size_t bytes);

/** Does an array of so many bytes that the program gives begin in the host's memory? */
bool tsr__begins_on_host(const tsr_scheduler *s, size_t agreed_bytes);

#endif
