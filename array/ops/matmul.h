/* Matrix products for calls that are made of them. */
#ifndef TSR_ARRAY_MATMUL_H
#define TSR_ARRAY_MATMUL_H

#include "array/core/steps.h"

/** Returns the product of (…, m, k) and (…, k, n) in their promoted dtype: (…, m, n). The shapes
 * must fit: at least two axes, and leading axes that broadcast. Returns null on TSR_ERR_SHAPE
 * (more axes than the tasks can have) and TSR_ERR_SIZE, and without an error if an operand is
 * null. */
tsr_array tsr__step_matmul(const tsr_steps *s, tsr_array x, tsr_array y);
/** Returns the sum of x over axes in the dtype of x, which wraps; for bools whether any is true. */
tsr_array tsr__step_sum(const tsr_steps *s, tsr_array x, unsigned n_axes, const int *axes);

#endif
