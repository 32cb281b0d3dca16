/* Tasks are C functions over a box of an iteration domain, where a kernel is an expression over its
 * points. The domain has the axes of the result, followed by axes that the result lacks. No layout
 * cuts the latter, so the worker that computes an element sees all of them. A box reads of an
 * operand the operand's view of that box, as in any kernel; an axis along which the view does not
 * move broadcasts. */
#ifndef TSR_TASK_H
#define TSR_TASK_H

#include "kernel/ir/kernel.h"
#include "kernel/ir/panel.h"
#include "tessera/task.h"

typedef enum tsr_task_code {
  TSR_TASK_CODE_MATMUL,      /* over (…, m, n, k): (…, m, k) and (…, k, n) give (…, m, n),
                         * which is added to the third operand if there is one */
  TSR_TASK_CODE_TAKE,        /* over (…, n): takes the elements of the first operand, (n), at the
                         * positions in the second, (…) of int64; 0 for a position not below n */
  TSR_TASK_CODE_QUANTILE,    /* over (…, elements …): the quantile of the elements of the first
                           * operand at the fraction that is the second, NaN if one is NaN */
  TSR_TASK_CODE_NANQUANTILE, /* of the elements that are not NaN; NaN if all are */
  TSR_TASK_CODE_MEDIAN,      /* the mean of the two middle elements; the fraction is 0.5 */
  TSR_TASK_CODE_NANMEDIAN,
  /* the element whose number in their order, from 0, is the second operand */
  TSR_TASK_CODE_ELEMENT,
  TSR_TASK_CODE_CUMSUM, /* over (…, n, n): the operand lies along the last axis, its scan along the
                         * one before */
  TSR_TASK_CODE_CUMPROD,
  TSR_TASK_CODE_CUMMIN,
  TSR_TASK_CODE_CUMMAX,
  TSR_TASK_CODE_USER, /* a user's function, without a row in the table (tsr_task_call) */
  TSR_N_TASK_CODES
} tsr_task_code;

/** What a task is called for. It is the same for all of its boxes. */
typedef struct tsr_task_shape {
  tsr_dtype dtype; /* of the result and the operands, except positions of elements */
  int n_in, ndim;
  int n_kept;                  /* the first axes of the domain, which the result has, too */
  int64_t shape[TSR_MAX_NDIM]; /* of the domain */
  struct tsr_blas *blas;       /* for matrix products (blas.h); NULL: the library's own loops */
} tsr_task_shape;

/** A function that a long task calls often, since messages progress only when a thread polls. */
typedef struct tsr_task_pause {
  void (*call)(void *arg);
  void *arg;
} tsr_task_pause;

typedef struct tsr_task_info {
  const char *name;
  /** Returns, per axis, the lengths of the boxes, anchored at index 0, that the task prefers to
   * compute as a whole: where to cut it. All are positive. An axis that is not to be cut has at
   * least its own length. */
  void (*grain)(const tsr_task_shape *t, int64_t *lengths);
  size_t (*scratch_bytes)(const tsr_task_shape *t); /* 64-byte aligned */
  /** Computes a box, on any thread. The accesses of `bind` are the operands in order, then the
   * result, with any strides. The bits of an element depend on the operands and the shape, not on
   * the box. */
  void (*run)(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
              const tsr_task_pause *pause);
} tsr_task_info;
const tsr_task_info *tsr__task_info(tsr_task_code code);

/** A grain of some 16,000 points: the axes from n_cut on are not cut, and those from n_counted on
 * do not count, since the task reads them for each point. */
void tsr__task_grain(const tsr_task_shape *t, int n_cut, int n_counted, int64_t *lengths);
/** The scratch_bytes of tasks that need none. */
size_t tsr__task_no_scratch(const tsr_task_shape *t);

/** The functions of TSR_TASK_CODE_TAKE. */
void tsr__take_grain(const tsr_task_shape *t, int64_t *lengths);
void tsr__take_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                   const tsr_task_pause *pause);
#endif
