/* The tasks that find quantiles (kernel/library/task.h): the operands are the elements, float32 or
 * float64, and the fraction, or the number of an element, one float64. */
#ifndef TSR_SELECT_H
#define TSR_SELECT_H

#include "kernel/library/task.h"

/** The functions of TSR_TASK_CODE_QUANTILE and the like. Cost: about one and a half passes over the
 * elements of a result. */
void tsr__select_grain(const tsr_task_shape *t, int64_t *lengths);
size_t tsr__select_scratch_bytes(const tsr_task_shape *t);
void tsr__quantile_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                       const tsr_task_pause *pause);
void tsr__nanquantile_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                          const tsr_task_pause *pause);
void tsr__median_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                     const tsr_task_pause *pause);
void tsr__nanmedian_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                        const tsr_task_pause *pause);
void tsr__element_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                      const tsr_task_pause *pause);

#endif
