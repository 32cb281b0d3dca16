/* The interpreter: runs any kernel at once, block by block, over the tables of vector loops. */
#ifndef TSR_INTERP_H
#define TSR_INTERP_H

#include "kernel/cpu/loops.h"
#include "kernel/ir/kernel.h"

/** Make the interpreter's form (register allocation, direct operands). Idempotent; not thread-safe.
 */
tsr_status tsr__kernel_prepare(tsr_kernel *k);
/** As tsr__kernel_prepare, with a given table of loops. */
tsr_status tsr__kernel_prepare_with(tsr_kernel *k, const tsr_loops *loops);
/** Scratch that tsr__kernel_run and compiled code of the kernel need, in bytes (64-byte aligned). A
 *  function of the kernel only, which is prepared. */
size_t tsr__kernel_scratch_bytes(const tsr_kernel *k);
/** Run all points of the box. Thread-safe for disjoint stores; each thread brings its own scratch.
 *  Cost: one dispatch per instruction and block of a few hundred elements; loads and stores of unit
 *  stride are used in place, others are gathered and scattered. Adjacent axes that are contiguous
 *  in every access are merged first. */
void tsr__kernel_run(const tsr_kernel *k, const tsr_kernel_bind *bind, void *scratch);

#endif
