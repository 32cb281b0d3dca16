/* The table of tasks. */
#include "kernel/library/task.h"

#include "kernel/library/matmul.h"
#include "runtime/base/error.h"

static const tsr_task_info infos[TSR_N_TASK_CODES] = {
    [TSR_TASK_CODE_MATMUL] = {"matmul", tsr__matmul_grain, tsr__matmul_scratch_bytes,
                              tsr__matmul_run},
    [TSR_TASK_CODE_TAKE] = {"take", tsr__take_grain, tsr__take_scratch_bytes, tsr__take_run},
};

const tsr_task_info *tsr__task_info(tsr_task_code code)
{
  TSR_ASSERT((unsigned)code < TSR_TASK_CODE_USER); /* a user's task has no row */
  return &infos[code];
}
