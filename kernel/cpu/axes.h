/* The axes of a run: what the interpreter and compiled code step through. */
#ifndef TSR_LOOP_AXES_H
#define TSR_LOOP_AXES_H

#include "kernel/ir/kernel.h"

/** The axes of a box, inner first: those of length 1 dropped, adjacent ones merged where every
 *  stream is contiguous across them. Streams: the kernel's accesses, then one per axis that IOTA
 *  reads, in order: a number that moves by 1 along its axis, kept as a pointer, so that merging and
 *  reordering need no care for it. Any order of points is right, because no point of a kernel sees
 *  another's store. */
typedef struct tsr_loop_axes {
  int32_t n_streams, n_axes;     /* n_axes >= 1 */
  int64_t n[TSR_MAX_NDIM];       /* points */
  int64_t *stride[TSR_MAX_NDIM]; /* [n_streams] bytes; in memory of the caller's */
} tsr_loop_axes;

int tsr__loop_axes_n_streams(const tsr_kernel *k);
/** The stream of IOTA along an axis of the kernel. */
int tsr__loop_axes_iota_stream(const tsr_kernel *k, int axis);
/** Fill `axes` and at[n_streams], where each stream is at the first point. False, with nothing
 *  usable, if the box is empty. strides: room for n_streams times the kernel's axes, one at least;
 *  it must outlive `axes`. */
bool tsr__loop_axes_make(const tsr_kernel *k, const tsr_kernel_bind *bind, int64_t *strides,
                         tsr_loop_axes *axes, char **at);

/** Estimated costs of an inner axis: of a stream 1 where it is contiguous or does not move, so much
 *  where it is strided within a cache line or beyond; of a row. */
typedef struct tsr_axis_costs {
  int64_t strided, far, row;
  int64_t
      step; /* points taken at once: shorter axes are not inner ones; a cost is that of a step */
  int64_t most; /* points of a row that share its cost */
} tsr_axis_costs;
/** The axis that costs least inside, the first of those alike; its cost is put into *least. */
int tsr__loop_axes_find_inner(const tsr_loop_axes *axes, const tsr_kernel *k,
                              const tsr_axis_costs *costs, int64_t *least);
/** Make an axis the inner one; the others keep their order. */
void tsr__loop_axes_move_inside(tsr_loop_axes *axes, int axis);
/** Move on to the next point of the axes from `first` on, `first` fastest. False, with all back at
 *  the first point, behind the last one. index: zeros at first. */
bool tsr__loop_axes_next(const tsr_loop_axes *axes, int first, int64_t *index, char **at);

#endif
