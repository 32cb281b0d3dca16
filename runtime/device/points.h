/* Copies of points on a grid from one memory to another. They pack and unpack messages, and move
 * data between a device's memory and the host's. */
#ifndef TSR_POINTS_H
#define TSR_POINTS_H

#include "tessera/base.h"

/** A copy of n[0] x … points of elem_bytes (at most 16) between memories that do not overlap. Steps
 * are bytes per index, of any sign; only the source's may be zero. */
typedef struct tsr_points {
  int ndim;
  int64_t n[TSR_MAX_NDIM];
  char *dst;
  const char *src;
  int64_t dst_step[TSR_MAX_NDIM], src_step[TSR_MAX_NDIM];
  size_t elem_bytes;
} tsr_points;

/** A copy of n adjacent bytes. */
tsr_points tsr__points_of_bytes(void *dst, const void *src, size_t n);
/** Copy the points; the calling thread does it. */
void tsr__points_copy(const tsr_points *p);
/** The axes of a copy, innermost first, without those of length 1 and merged where they lie one in
 * the other in both memories. */
typedef struct tsr_copy_axes {
  int n_axes;                                                                /* at least 1 */
  int64_t n[TSR_MAX_NDIM + 1], dst[TSR_MAX_NDIM + 1], src[TSR_MAX_NDIM + 1]; /* bytes per index */
} tsr_copy_axes;
/** Find the axes. Returns false if there are no points. */
bool tsr__points_axes(const tsr_points *p, tsr_copy_axes *axes);
/** The bytes, from `low` on, that the copy touches in one of the memories; 0 without points. */
size_t tsr__points_extent(const tsr_points *p, bool dst, const char **low);
/** The bytes of all points. */
size_t tsr__points_bytes(const tsr_points *p);
/** Are the points adjacent and in order in that memory? */
bool tsr__points_are_run(const tsr_points *p, bool dst);

#endif
