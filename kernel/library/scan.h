/* The tasks that scan rows (kernel/library/task.h): the operand and the result have the dtype in
 * which the reduction computes. */
#ifndef TSR_SCAN_H
#define TSR_SCAN_H

#include "kernel/library/task.h"

/** The functions of TSR_TASK_CODE_CUMSUM and those behind it. Cost: one pass over the elements up
 * to the box. */
void tsr__scan_grain(const tsr_task_shape *t, int64_t *lengths);
void tsr__cumsum_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                     const tsr_task_pause *pause);
void tsr__cumprod_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                      const tsr_task_pause *pause);
void tsr__cummin_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                     const tsr_task_pause *pause);
void tsr__cummax_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                     const tsr_task_pause *pause);

#endif
