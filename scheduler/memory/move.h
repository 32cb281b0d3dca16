/* Copies between the memory spaces of a place. Each function waits for its copy. */
#ifndef TSR_MEMORY_MOVE_H
#define TSR_MEMORY_MOVE_H

#include "scheduler/memory/instance.h"

/** Copy points between arrays' memory and the host's, or within the former. */
void tsr__move(const tsr_place *p, tsr_direction direction, const tsr_points *points);

/** Copy points between two instances of a place, in whatever memory spaces they are. */
void tsr__move_between(const tsr_world *w, int here, const tsr_instance *dst,
                       const tsr_instance *src, const tsr_points *points);

/** The same for a box. */
void tsr__move_across(const tsr_world *w, int here, const tsr_instance *dst,
                      const tsr_instance *src, const tsr_box *box, size_t elem_bytes);

/** Copy a box between an instance of a place and its host mirror, which may be the instance itself:
 * then nothing is done. */
void tsr__move_mirror(const tsr_place *p, const tsr_instance *i, const tsr_instance *mirror,
                      tsr_direction direction, const tsr_box *box, size_t elem_bytes);

/** Copy points out of an instance of a place to the host's memory. */
void tsr__move_out(const tsr_place *p, const tsr_instance *i, const tsr_points *points);

/** Copy a box of an instance to `out` in the host's memory, dense and row-major. */
void tsr__fetch(const tsr_place *p, const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                void *out);

#endif
