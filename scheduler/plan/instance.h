/* Instances: how a tile lies in memory, as geometry. Whose memory it is, scheduler/memory knows. */
#ifndef TSR_PLAN_INSTANCE_H
#define TSR_PLAN_INSTANCE_H

#include "runtime/machine/page_offset.h"
#include "scheduler/state.h"

/** The memory of a place's tile: row-major over `alloc`, which is the tile and its halo, clipped to
 * the region. All but data, bytes and space are written by instance.c. */
typedef struct tsr_instance {
  void *data;    /* owned through the pool of its memory space; NULL: the place owns nothing */
  size_t bytes;  /* that data was allocated with */
  tsr_box alloc; /* in region space */
  int64_t stride_bytes[TSR_MAX_NDIM];
  int64_t lead_bytes; /* bytes from data to the first element of alloc */
  int64_t aligned;    /* index along the last axis of elements that begin a cache line */
  tsr_space space;    /* which of the place's memory spaces data is in (residency.c) */
} tsr_instance;

/** Copy an instance: what it says of the axes that it has. */
static inline void tsr__instance_copy(tsr_instance *to, const tsr_instance *from)
{
  to->data = from->data;
  to->bytes = from->bytes;
  to->lead_bytes = from->lead_bytes;
  to->aligned = from->aligned;
  to->space = from->space;
  to->alloc.ndim = from->alloc.ndim;
  for (int k = 0; k < from->alloc.ndim; k++) {
    to->alloc.lo[k] = from->alloc.lo[k];
    to->alloc.n[k] = from->alloc.n[k];
    to->alloc.step[k] = from->alloc.step[k];
    to->stride_bytes[k] = from->stride_bytes[k];
  }
}

/** Lay out rows of `alloc` for elements of elem_bytes: sets all but data and space. aligned: any
 * index along the last axis, whose elements begin a cache line. */
void tsr__instance_shape(const tsr_scheduler *s, tsr_instance *i, const tsr_box *alloc,
                         int64_t aligned, size_t elem_bytes);

/** How far apart its rows and planes are. */
tsr_pitch tsr__instance_pitch(const tsr_instance *i);

/** As tsr__instance_shape, without any padding. */
void tsr__instance_dense(tsr_instance *i, const tsr_box *alloc, size_t elem_bytes);

/** Dense row-major bytes of the host's over a dense box, as an instance. Whoever gives bytes that
 * must not change only reads it. */
tsr_instance tsr__instance_of_bytes(const tsr_box *box, size_t elem_bytes, const void *bytes);

/** Where a box begins along the last axis; 0 without axes. */
int64_t tsr__first_column(const tsr_box *box);

/** Address of region index `at` (within alloc or on its lower edge). */
char *tsr__instance_at(const tsr_instance *i, const int64_t *at);
/** Address of a view's index, of which the instance has the element, and the bytes from there to the
 * next index along each of the view's axes. */
char *tsr__instance_seen(const tsr_instance *i, const tsr_view *v, const int64_t *index);
void tsr__instance_strides(const tsr_instance *i, const tsr_view *v, int64_t *stride_bytes);

/** The points of `box` (strided, region space, inside the instances), for a copy from one instance
 * to the other. */
tsr_points tsr__instance_points(const tsr_instance *dst, const tsr_instance *src,
                                const tsr_box *box, size_t elem_bytes);

/** The points of `box` for a copy to dense row-major bytes. */
tsr_points tsr__instance_points_out(const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                                    void *out);

/** The points of `box` for a copy from dense row-major bytes. */
tsr_points tsr__instance_points_in(const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                                   const void *in);

/** An upper bound, alike on all ranks, of the bytes of a box that is at most n long. */
size_t tsr__agreed_box_bytes(const tsr_scheduler *s, int ndim, const int64_t *n, size_t elem_bytes);
/** An upper bound, alike on all ranks, of the bytes of the layout's largest tile without halo. */
size_t tsr__agreed_bytes(const tsr_scheduler *s, const tsr_layout *layout, size_t elem_bytes);

#endif
