/* Loop nests: what a run of compiled code becomes before the code takes its rows. */
#ifndef TSR_NEST_H
#define TSR_NEST_H

#include "kernel/cpu/axes.h"
#include "kernel/cpu/loops.h"
#include "kernel/ir/kernel.h"

/** Kernels of more streams than this are interpreted. */
#define TSR_NEST_STREAMS 96

/** How a stream moves along the inner axis, as compiled code must know it. */
typedef enum tsr_class {
  TSR_CLASS_UNIT,         /* by one element */
  TSR_CLASS_ZERO,         /* not at all */
  TSR_CLASS_ANY,          /* by a stride given at run time; of IOTA: numbers in memory */
  TSR_CLASS_STREAM_STORE, /* as UNIT: a store that goes around the caches */
  TSR_CLASS_AHEAD         /* as UNIT: what comes from memory is asked for ahead */
} tsr_class;

/** The loop nest of one run: its axes, the best one inside. It points into itself: not to be
 * copied. */
typedef struct tsr_nest {
  tsr_loop_axes axes;
  int64_t strides[TSR_MAX_NDIM * TSR_NEST_STREAMS]; /* the memory that `axes` points to */
  char *base[TSR_NEST_STREAMS];                     /* where each stream is at the first point */
  uint8_t classes[TSR_NEST_STREAMS];                /* tsr_class */
  bool any_strided;                                 /* a stream of TSR_CLASS_ANY */
  /* Short inner axes taken together (nest_panel.c): */
  /* number of whole axes in a panel, 0: no panels; it has some rows of the axis behind, too */
  int32_t n_panel_axes;
  int64_t panel_points, panel_rows; /* points of those axes together; rows of a panel */
  uint8_t copied[TSR_NEST_STREAMS]; /* tsr_copied */
} tsr_nest;

/** How a panel has a stream. */
typedef enum tsr_copied {
  TSR_COPIED_NOT, /* in its own memory */
  TSR_COPIED,     /* in scratch memory, for each panel */
  TSR_COPIED_ONCE /* the same for all panels along their last axis */
} tsr_copied;
/** Most points of a panel. */
#define TSR_PANEL_MOST 512

/** False if the box is empty or the kernel has too many streams. lanes: points that compiled code
 * takes at once; the inner axis has so many, or there is a panel. */
bool tsr__nest_make(const tsr_kernel *k, const tsr_kernel_bind *bind, int lanes, tsr_nest *nest);
/** Does the kernel store the access's buffer? */
bool tsr__nest_stores(const tsr_kernel *k, int access);
/** Take inner axes together and classify the streams, if that costs less than best_cost (in the
 * measure of nest.c); else false, and nothing is changed. */
bool tsr__panel_make(const tsr_kernel *k, int lanes, int64_t best_cost, tsr_nest *nest);
/** Scratch memory that tsr__panel_run needs, in bytes. */
size_t tsr__panel_scratch_bytes(const tsr_kernel *k);

/** Compiled code: `n_rows` rows of n points each. base, row (bytes to the next row) and step (bytes
 * to the next point) per stream. n is at least the kernel's lanes. */
typedef void (*tsr_row_code)(int64_t n_rows, int64_t n, char *const *base, const int64_t *row,
                             const int64_t *step, const tsr_scalar *scalars, const tsr_loop *call);
/** Run the nest by code made for its classes. scratch: as for tsr__kernel_run. */
void tsr__nest_run(const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code, int lanes,
                   const tsr_scalar *scalars, const tsr_loop *call, void *scratch);
void tsr__panel_run(const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code, int lanes,
                    const tsr_scalar *scalars, const tsr_loop *call, void *scratch);

#endif
