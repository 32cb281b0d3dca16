/* For the tests of kernels: plain scalar C, one point at a time, and awkward values. */
#ifndef TSR_TEST_REFERENCE_H
#define TSR_TEST_REFERENCE_H

#include "kernel/ir/kernel.h"

/** The operation on scalars of its compute dtype (LOGICAL and the condition of WHERE: bool).
 * exp to hypot, which test_math.c and test_accuracy.c test: by the loops of every machine. */
tsr_scalar reference_op(tsr_opcode op, tsr_dtype compute, int n, const tsr_scalar *args);
/** The random function, as its description says (test_random.c). */
uint64_t reference_random_function(tsr_random f, const tsr_scalar *args);
/** The kernel over a box, point by point, instruction by instruction. */
void reference_run(const tsr_kernel *k, const tsr_kernel_bind *bind);
/** The same bits, or both NaN. */
bool reference_same(tsr_scalar a, tsr_scalar b);
/** xorshift; *state must not be 0. */
uint64_t reference_random(uint64_t *state);
/** Special values, values of any magnitude, and small ones that meet often. */
tsr_scalar reference_value(uint64_t *state, tsr_dtype dtype);
/** Run with its own scratch. */
void reference_interpret(const tsr_kernel *k, const tsr_kernel_bind *bind);

#endif
