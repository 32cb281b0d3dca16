/* Copies of points on a grid from one memory to another: what packs and unpacks messages, and what
 * devices do between their memory and the host's. */
#ifndef TSR_POINTS_H
#define TSR_POINTS_H

#include "tessera/base.h"

/** n[0] x … points of elem_bytes (at most 16), in two memories that do not overlap; steps: bytes
 * per index, of any sign, zero in the source only. */
typedef struct tsr_points {
  int ndim;
  int64_t n[TSR_MAX_NDIM];
  char *dst;
  const char *src;
  int64_t dst_step[TSR_MAX_NDIM], src_step[TSR_MAX_NDIM];
  size_t elem_bytes;
} tsr_points;

/** n bytes, one behind the other. */
tsr_points tsr__points_of_bytes(void *dst, const void *src, size_t n);
/** Copy them, by the calling thread. */
void tsr__points_copy(const tsr_points *p);
/** The bytes that are touched in one of the memories: from `low` on; 0 if there are no points. */
size_t tsr__points_reach(const tsr_points *p, bool dst, const char **low);
/** Do they lie one behind the other in that memory, in order? */
bool tsr__points_are_run(const tsr_points *p, bool dst);

#endif
