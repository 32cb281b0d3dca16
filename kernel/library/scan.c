/* The tasks that scan rows. The domain has the axes of the result, of which the last is scanned,
 * and behind them that axis once more, which is not cut: a box of the result that starts within a
 * row reads the row up to its end. */
#include "kernel/library/scan.h"
#include "kernel/reduce/reduce.h"
#include "runtime/base/error.h"
#include "runtime/base/walk.h"

void tsr__scan_grain(const tsr_task_shape *t, int64_t *lengths)
{
  tsr__task_grain(t, t->ndim - 2, t->ndim - 1, lengths);
}

static void run_scan(const tsr_task_shape *t, const tsr_kernel_bind *bind,
                     const tsr_task_pause *pause, tsr_reduction op)
{
  enum { FROM, TO, BETWEEN_PAUSES = 1 << 16 };
  const int axis = t->ndim - 2;
  const int64_t elem = (int64_t)tsr__dtype_size(t->dtype), from = bind->lo[axis];
  const int64_t end = from + bind->n[axis];
  TSR_ASSERT(axis >= 0 && bind->lo[axis + 1] == 0 && end <= bind->n[axis + 1]);
  const int64_t *x_stride = bind->stride_bytes[FROM], *y_stride = bind->stride_bytes[TO];
  const char *x = bind->base[FROM];
  char *y = bind->base[TO];
  tsr_walk w = tsr__walk_rows(axis, bind->n);
  for (int64_t n = end;; n += end) {
    tsr__scan(op, t->dtype, y, y_stride[axis] / elem, x, x_stride[axis + 1] / elem, end, from);
    const int k = tsr__walk_next(&w);
    if (k < 0) return;
    if (n >= BETWEEN_PAUSES) pause->call(pause->arg), n = 0;
    x += tsr__walk_change(&w, k, x_stride);
    y += tsr__walk_change(&w, k, y_stride);
  }
}

void tsr__cumsum_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                     const tsr_task_pause *pause)
{
  (void)scratch;
  run_scan(t, bind, pause, TSR_REDUCE_SUM);
}

void tsr__cumprod_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                      const tsr_task_pause *pause)
{
  (void)scratch;
  run_scan(t, bind, pause, TSR_REDUCE_PROD);
}

void tsr__cummin_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                     const tsr_task_pause *pause)
{
  (void)scratch;
  run_scan(t, bind, pause, TSR_REDUCE_MIN);
}

void tsr__cummax_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                     const tsr_task_pause *pause)
{
  (void)scratch;
  run_scan(t, bind, pause, TSR_REDUCE_MAX);
}
