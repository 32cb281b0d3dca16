/* The interpreter: runs any kernel without compilation, block by block, using the tables of vector
 * loops. */
#ifndef TSR_INTERP_H
#define TSR_INTERP_H

#include "kernel/cpu/loops.h"
#include "kernel/ir/kernel.h"

/** Prepares a kernel for the interpreter (register allocation, direct operands). Idempotent; not
 * thread-safe. */
tsr_status tsr__kernel_prepare(tsr_kernel *k);
/** Prepares a kernel as tsr__kernel_prepare does, with a given table of loops. */
tsr_status tsr__kernel_prepare_with(tsr_kernel *k, const tsr_loops *loops);
/** Returns the bytes of scratch memory (64-byte aligned) that tsr__kernel_run and compiled code of
 * the kernel need. They depend on the kernel only, which is prepared. */
size_t tsr__kernel_scratch_bytes(const tsr_kernel *k);
/** Runs all points of the box. Thread-safe if stores are disjoint; each thread has its own scratch.
 * Cost: one dispatch per instruction and block of a few hundred elements. Loads and stores of unit
 * stride are used in place, others are gathered and scattered. Adjacent axes that are contiguous
 * in every access are merged first. */
void tsr__kernel_run(const tsr_kernel *k, const tsr_kernel_bind *bind, void *scratch);

#endif
