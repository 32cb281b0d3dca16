/* Matrix products, for calls that are made of them. */
#ifndef TSR_ARRAY_MATMUL_H
#define TSR_ARRAY_MATMUL_H

#include "array/core/steps.h"

/** The product of (…, m, k) and (…, k, n) in their promoted dtype: (…, m, n). The shapes fit: two
 * axes at least, leading ones that broadcast. Null on TSR_ERR_SHAPE (over seven axes),
 * TSR_ERR_SIZE, or silently if one of them is null. */
tsr_array tsr__step_matmul(const tsr_steps *s, tsr_array x, tsr_array y);
/** Sum of x along one axis in x's dtype, which wraps; bool: any. */
tsr_array tsr__step_sum(const tsr_steps *s, tsr_array x, unsigned n_axes, const int *axes);

#endif
