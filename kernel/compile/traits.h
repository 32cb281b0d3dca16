/* What a kernel takes of the device that is to run it (tsr__device_supports). */
#ifndef TSR_KERNEL_TRAITS_H
#define TSR_KERNEL_TRAITS_H

#include "kernel/ir/kernel.h"
#include "runtime/device/traits.h"

/** The kernel's dtypes and features. Of the kernel that declares a task's accesses it is all but
 *  the feature that tells that it is a task. */
tsr_kernel_traits tsr__kernel_traits(const tsr_kernel *k);

#endif
