/* The device features that a kernel needs (tsr__device_supports). */
#ifndef TSR_KERNEL_TRAITS_H
#define TSR_KERNEL_TRAITS_H

#include "kernel/ir/kernel.h"
#include "runtime/device/traits.h"

/** Returns the kernel's dtypes and features. For a kernel that declares the accesses of a task, the
 * feature that marks a task is missing. */
tsr_kernel_traits tsr__kernel_traits(const tsr_kernel *k);

#endif
