/* The table of tasks. */
#include "kernel/library/task.h"

#include "kernel/library/matmul.h"
#include "kernel/library/scan.h"
#include "kernel/library/select.h"
#include "runtime/base/error.h"

enum { BOX_POINTS = 1 << 14 };

static const tsr_task_info infos[TSR_N_TASK_CODES] = {
    [TSR_TASK_CODE_MATMUL] = {"matmul", tsr__matmul_grain, tsr__matmul_scratch_bytes,
                              tsr__matmul_run},
    [TSR_TASK_CODE_TAKE] = {"take", tsr__take_grain, tsr__task_no_scratch, tsr__take_run},
    [TSR_TASK_CODE_QUANTILE] = {"quantile", tsr__select_grain, tsr__select_scratch_bytes,
                                tsr__quantile_run},
    [TSR_TASK_CODE_NANQUANTILE] = {"nanquantile", tsr__select_grain, tsr__select_scratch_bytes,
                                   tsr__nanquantile_run},
    [TSR_TASK_CODE_MEDIAN] = {"median", tsr__select_grain, tsr__select_scratch_bytes,
                              tsr__median_run},
    [TSR_TASK_CODE_NANMEDIAN] = {"nanmedian", tsr__select_grain, tsr__select_scratch_bytes,
                                 tsr__nanmedian_run},
    [TSR_TASK_CODE_ELEMENT] = {"element", tsr__select_grain, tsr__select_scratch_bytes,
                               tsr__element_run},
    [TSR_TASK_CODE_CUMSUM] = {"cumsum", tsr__scan_grain, tsr__task_no_scratch, tsr__cumsum_run},
    [TSR_TASK_CODE_CUMPROD] = {"cumprod", tsr__scan_grain, tsr__task_no_scratch, tsr__cumprod_run},
    [TSR_TASK_CODE_CUMMIN] = {"cummin", tsr__scan_grain, tsr__task_no_scratch, tsr__cummin_run},
    [TSR_TASK_CODE_CUMMAX] = {"cummax", tsr__scan_grain, tsr__task_no_scratch, tsr__cummax_run},
};

void tsr__task_grain(const tsr_task_shape *t, int n_cut, int n_counted, int64_t *lengths)
{
  int64_t left = BOX_POINTS;
  TSR_ASSERT(n_cut >= 0 && n_cut <= n_counted && n_counted <= t->ndim);
  for (int k = t->ndim - 1; k >= 0; k--) {
    const int64_t all = t->shape[k] > 0 ? t->shape[k] : 1;
    lengths[k] = k >= n_cut || all < left ? all : left;
    if (k < n_counted) left /= lengths[k];
    if (left < 1) left = 1;
  }
}

size_t tsr__task_no_scratch(const tsr_task_shape *t)
{
  (void)t;
  return 0;
}

const tsr_task_info *tsr__task_info(tsr_task_code code)
{
  TSR_ASSERT((unsigned)code < TSR_TASK_CODE_USER); /* a user's task has no row */
  return &infos[code];
}
