/* What a kernel takes of the device that is to run it (tsr__device_supports). */
#ifndef TSR_KERNEL_TRAITS_H
#define TSR_KERNEL_TRAITS_H

#include "kernel/ir/kernel.h"
#include "runtime/device/traits.h"

/** Of the kernel that declares a task's accesses all but that it is one. */
tsr_kernel_traits tsr__kernel_traits(const tsr_kernel *k);

#endif
