/* Copies between the memory spaces of a place, waited for. */
#ifndef TSR_MEMORY_MOVE_H
#define TSR_MEMORY_MOVE_H

#include "scheduler/memory/instance.h"

/** A copy between arrays' memory and the host's, or within the former, waited for. */
void tsr__move(const tsr_place *p, tsr_direction direction, const tsr_points *points);

/** The same between two instances of a place, wherever they are: points; a box. */
void tsr__move_between(const tsr_world *w, int here, const tsr_instance *dst,
                       const tsr_instance *src, const tsr_points *points);

void tsr__move_across(const tsr_world *w, int here, const tsr_instance *dst,
                      const tsr_instance *src, const tsr_box *box, size_t elem_bytes);

/** A box between an instance of a place and a copy of it in the host's memory, which may be itself.
 */
void tsr__move_mirror(const tsr_place *p, const tsr_instance *i, const tsr_instance *mirror,
                      tsr_direction direction, const tsr_box *box, size_t elem_bytes);

/** Out of an instance of a place, to the host's memory. */
void tsr__move_out(const tsr_place *p, const tsr_instance *i, const tsr_points *points);

/** Dense row-major values of a box of an instance to the host. */
void tsr__fetch(const tsr_place *p, const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                void *out);

#endif
