/* What a kernel, or a task, takes of the device that is to run it (tsr__device_supports). */
#ifndef TSR_KERNEL_TRAITS_H
#define TSR_KERNEL_TRAITS_H

#include "kernel/task.h"
#include "runtime/traits.h"

tsr_kernel_traits tsr__kernel_traits(const tsr_kernel *k);
/** Of a user's function the dtype is that of its result alone. */
tsr_kernel_traits tsr__task_traits(tsr_task_code code, const tsr_task_shape *shape);

#endif
