/* How a tile lies in memory, and boxes of it in and out. */
#ifndef TSR_MEMORY_INSTANCE_H
#define TSR_MEMORY_INSTANCE_H

#include "scheduler/state.h"

/** Memory of a place's tile: row-major over `alloc` (the tile and its halo, clipped to the region);
 * instance.c. */
typedef struct tsr_instance {
  void *data; /* owned through the place's pool; NULL if the place owns nothing */
  size_t bytes;
  tsr_box alloc;
  int64_t stride_bytes[TSR_MAX_NDIM];
  int64_t lead_bytes; /* from data to the first element of alloc */
  int64_t aligned;    /* index along the last axis of elements that begin a cache line */
  tsr_space space;    /* which of the place's memories data is in */
} tsr_instance;

/** Lay out rows of `alloc` for a dtype: sets all but data. aligned: any index along the last axis.
 */
void tsr__instance_shape(const tsr_scheduler *s, tsr_instance *i, const tsr_box *alloc,
                         int64_t aligned, size_t elem_bytes);

/** The same without any padding. */
void tsr__instance_dense(tsr_instance *i, const tsr_box *alloc, size_t elem_bytes);

/** Where a box begins along the last axis; 0 without axes. */
int64_t tsr__first_column(const tsr_box *box);

/** Address of region index `at` (within alloc or on its lower edge). */
char *tsr__instance_at(const tsr_instance *i, const int64_t *at);

/** The points of `box` (strided, region space, inside): from one instance to the other; to dense
 * row-major bytes, or from them. */
tsr_points tsr__instance_points(const tsr_instance *dst, const tsr_instance *src,
                                const tsr_box *box, size_t elem_bytes);

tsr_points tsr__instance_points_out(const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                                    void *out);

tsr_points tsr__instance_points_in(const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                                   const void *in);

/** May the host follow its address? */
bool tsr__instance_is_host(const tsr_world *w, const tsr_instance *i);

/** Of this rank's place `here`, in the memory that i->memory space names; NULL is ignored. */
void tsr__instance_free(const tsr_world *w, int here, const tsr_instance *i);

/** The same, copied: of instances in the host's memory. */
void tsr__instance_copy(const tsr_instance *dst, const tsr_instance *src, const tsr_box *box,
                        size_t elem_bytes);
void tsr__instance_pack(const tsr_instance *i, const tsr_box *box, size_t elem_bytes, void *out);

void tsr__instance_unpack(const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                          const void *in);

/** At least the bytes of a box that is at most n long, or of the layout's largest tile without
 * halo: all ranks compute it alike. */
size_t tsr__agreed_box_bytes(const tsr_scheduler *s, int ndim, const int64_t *n, size_t elem_bytes);
size_t tsr__agreed_bytes(const tsr_scheduler *s, const tsr_layout *layout, size_t elem_bytes);

#endif
