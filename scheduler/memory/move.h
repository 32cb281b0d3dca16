/* Copies between the memory spaces of a place. */
#ifndef TSR_MEMORY_MOVE_H
#define TSR_MEMORY_MOVE_H

#include "scheduler/plan/instance.h"

/** How points go from one memory space to another: by the host, or by the place's device in one of
 * its directions. */
typedef enum tsr_move_kind {
  TSR_MOVE_IN = TSR_COPY_IN,
  TSR_MOVE_OUT = TSR_COPY_OUT,
  TSR_MOVE_WITHIN = TSR_COPY_WITHIN,
  TSR_MOVE_BY_HOST
} tsr_move_kind;

tsr_move_kind tsr__move_kind(const tsr_world *w, tsr_space to, tsr_space from);

/** Copy points from one memory space of this rank's place `here` to another, and wait for it.
 * Points that lie where they are to go stay there. Returns false if the device failed: what was to
 * be copied is not there, and the ranks hear of it when they next agree (failure.h). */
bool tsr__move(const tsr_world *w, int here, tsr_space to, tsr_space from,
               const tsr_points *points);

/** Copy a box from one instance of the place to another, and wait for it. One of them may be bytes
 * of the host's (tsr__instance_of_bytes). */
void tsr__move_box(const tsr_world *w, int here, const tsr_instance *dst, const tsr_instance *src,
                   const tsr_box *box, size_t elem_bytes);

/** May the host follow the instance's address? */
bool tsr__instance_is_host(const tsr_world *w, const tsr_instance *i);
/** Free an instance of this rank's place `here`, in its memory space. NULL data is ignored. */
void tsr__instance_free(const tsr_world *w, int here, const tsr_instance *i);

#endif
