/* What the C function of a user's task sees (tsr_task, tessera/kernels.h): a box of the points, and
 * of each argument the elements there. */
#ifndef TESSERA_TASK_H
#define TESSERA_TASK_H

#include "tessera/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One argument within the box. All is borrowed for the length of the call. */
typedef struct tsr_task_argument {
  /** The element at the box's first index; of a raw input its element 0; of an output that is
   * reduced the block's first value, which has begun as the value of no points. Elements lie at
   * data + sum of index[k] * stride_bytes[k] over the axes. NULL if there are no elements. To be
   * written only of outputs and of inputs declared `inout` or `out`. */
  void *data;
  tsr_dtype dtype;
  int ndim; /* that of the box; of a raw input its own; of a reduced output that of its extent */
  /** The box's; of a raw input its own; of a reduced output its extent. */
  int64_t shape[TSR_MAX_NDIM];
  int64_t stride_bytes[TSR_MAX_NDIM]; /* any, also negative; 0 along an axis that broadcasts */
  /** How many more elements before index 0 and behind index shape - 1 may be read: the widths of
   * its halo, less where the array ends. All corners are there, too. */
  int64_t before[TSR_MAX_NDIM], after[TSR_MAX_NDIM];
} tsr_task_argument;

/** One call of a task's function: a box of its points. */
typedef struct tsr_task_box {
  int ndim;
  int64_t shape[TSR_MAX_NDIM];  /* of the box: no length is 0 */
  int64_t offset[TSR_MAX_NDIM]; /* index of its first point among all */
  int64_t domain[TSR_MAX_NDIM]; /* how many points there are in all */
  int n_in, n_out;
  const tsr_task_argument *in;  /* [n_in] in the order of the declarations */
  const tsr_task_argument *out; /* [n_out] */
  const void *data;             /* the call's (tsr_call_data): a copy, aligned to 16; or NULL */
  size_t data_bytes;
} tsr_task_box;

/** A task's function: 0, or any other number for a failure, which becomes TSR_ERR_TASK with it.
 *
 *  Called on worker threads, from several at once with boxes whose outputs do not meet, on ranks
 *  alike or not: it must not wait for another of its calls, call Tessera, nor depend on anything
 *  but the box. How often it is called, and with which boxes, is open (but see `reduced` outputs).
 */
typedef int (*tsr_task_function)(const tsr_task_box *box);

#ifdef __cplusplus
}
#endif
#endif
