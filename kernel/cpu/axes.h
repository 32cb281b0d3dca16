/* The axes of a run, through which the interpreter and compiled code step. */
#ifndef TSR_LOOP_AXES_H
#define TSR_LOOP_AXES_H

#include "kernel/ir/kernel.h"

/** The axes of a box, inner first. Axes of length 1 are dropped, and adjacent axes are merged if
 * every stream is contiguous across them. The streams are the kernel's accesses, followed by one
 * per axis that IOTA reads. An IOTA stream is a number that moves by 1 along its axis and is kept
 * as a pointer, so that merging and reordering treat all streams alike. Any order of points is
 * valid, because no point of a kernel reads another's store. */
typedef struct tsr_loop_axes {
  int32_t n_streams, n_axes;     /* n_axes >= 1 */
  int64_t n[TSR_MAX_NDIM];       /* number of points */
  int64_t *stride[TSR_MAX_NDIM]; /* [n_streams] bytes; in the caller's memory */
} tsr_loop_axes;

int tsr__loop_axes_n_streams(const tsr_kernel *k);
/** Returns the stream of IOTA along an axis of the kernel. */
int tsr__loop_axes_iota_stream(const tsr_kernel *k, int axis);
/** Fills `axes` and at[n_streams], the position of each stream at the first point. Returns false,
 * with both undefined, if the box is empty. strides: room for n_streams times the kernel's axes,
 * at least one; it must outlive `axes`. */
bool tsr__loop_axes_make(const tsr_kernel *k, const tsr_kernel_bind *bind, int64_t *strides,
                         tsr_loop_axes *axes, char **at);

/** Estimated costs of an inner axis: `strided` or `far` for a stream that is strided within a cache
 * line or beyond it, where a contiguous or unmoved one costs 1; `row` for a row. */
typedef struct tsr_axis_costs {
  int64_t strided, far, row;
  int64_t far_store; /* as far, of a store: it waits where a load goes on */
  int64_t step; /* points computed at once: the least length of an inner axis; a cost is per step */
  int64_t most; /* the most points of a row that share its cost */
} tsr_axis_costs;
/** Returns the inner axis of least cost, the first one on a tie. *least: its cost. */
int tsr__loop_axes_find_inner(const tsr_loop_axes *axes, const tsr_kernel *k,
                              const tsr_axis_costs *costs, int64_t *least);
/** Makes an axis the inner one. The others keep their order. */
void tsr__loop_axes_move_inside(tsr_loop_axes *axes, int axis);
/** Moves to the next point of the axes from `first` on, of which `first` is the fastest. Returns
 * false after the last point, with all streams back at the first one. index: zeros initially. */
bool tsr__loop_axes_next(const tsr_loop_axes *axes, int first, int64_t *index, char **at);

#endif
