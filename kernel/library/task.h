/* Tasks: C functions over a box of an iteration domain, where a kernel would be an expression over
 * its points. The domain has the axes of the result and, behind them, those that the result lacks:
 * no layout cuts them, so whoever computes an element sees all of them. What a box reads of an
 * operand is the operand's view of that box, as for any kernel: an axis along which the view does
 * not move broadcasts. */
#ifndef TSR_TASK_H
#define TSR_TASK_H

#include "kernel/ir/kernel.h"
#include "tessera/task.h"

typedef enum tsr_task_code {
  TSR_TASK_CODE_MATMUL, /* over (…, m, n, k): (…, m, k) and (…, k, n) give (…, m, n), which is added
                           to a third operand if there is one */
  TSR_TASK_CODE_TAKE, /* over (…, n): the elements of the first operand, (n), whose numbers are in
                         the second, (…) of int64; 0 where a number is not below n */
  TSR_TASK_CODE_USER, /* a function of the user's: it has no row in the table (tsr_task_call) */
  TSR_N_TASK_CODES
} tsr_task_code;

/** What a task is called for, alike for all of its boxes. */
typedef struct tsr_task_shape {
  tsr_dtype dtype; /* of the result, and of operands but for numbers of elements */
  int n_in, ndim;
  int64_t shape[TSR_MAX_NDIM]; /* of the domain */
  struct tsr_blas *blas;       /* for matrix products (blas.h); NULL: by our own loops */
} tsr_task_shape;

/** What a task that runs long calls every few dozen microseconds: messages move only when somebody
 *  looks. */
typedef struct tsr_task_pause {
  void (*call)(void *arg);
  void *arg;
} tsr_task_pause;

typedef struct tsr_task_info {
  const char *name;
  /** Lengths, one per axis, of the boxes anchored at index 0 that it computes as a whole: where to
   * cut it. All positive; of an axis that is not to be cut at least its length. */
  void (*grain)(const tsr_task_shape *t, int64_t *lengths);
  size_t (*scratch_bytes)(const tsr_task_shape *t); /* 64-byte aligned */
  /** Any thread. The accesses of `bind` are the operands, in order, then the result; any strides.
   * The bits of an element depend on the operands and the shape, never on the box. */
  void (*run)(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
              const tsr_task_pause *pause);
} tsr_task_info;
const tsr_task_info *tsr__task_info(tsr_task_code code);

/** TSR_TASK_CODE_TAKE. */
void tsr__take_grain(const tsr_task_shape *t, int64_t *lengths);
size_t tsr__take_scratch_bytes(const tsr_task_shape *t);
void tsr__take_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                   const tsr_task_pause *pause);

/** Products are summed in panels of this many along k, each by one task that adds to the last. */
#define TSR_MATMUL_PANEL 512
#endif
