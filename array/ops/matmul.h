/* Matrix products for calls that are made of them. */
#ifndef TSR_ARRAY_MATMUL_H
#define TSR_ARRAY_MATMUL_H

#include "array/core/steps.h"

/** The two operands of a product as arrays, with their shapes. */
typedef struct tsr_pair {
  tsr_array x, y;
  tsr_dims nx, ny;
} tsr_pair;

/** Makes the pair of a call's operands. Returns false if one is null. */
bool tsr__step_pair(const tsr_steps *s, tsr_operand a, tsr_operand b, tsr_pair *out);
/** Returns the product of (…, m, k) and (…, k, n) in their promoted dtype: (…, m, n). The shapes
 * must fit: at least two axes, and leading axes that broadcast. Returns null on TSR_ERR_SHAPE
 * (more axes than the tasks can have) and TSR_ERR_SIZE, and without an error if an operand is
 * null. */
tsr_array tsr__step_matmul(const tsr_steps *s, tsr_array x, tsr_array y);
/** Returns the product with a vector, as numpy.matmul and numpy.dot have it: the last axis of x is
 * summed with the only one of y, or the only one of x with the second last of y. The lengths must
 * fit. Of the pair, x and y may be replaced. Null without an error if an operand is null. */
tsr_array tsr__step_with_vector(const tsr_steps *s, tsr_pair *p);
/** Returns the sum of x over axes in the dtype of x, which wraps; for bools whether any is true. */
tsr_array tsr__step_sum(const tsr_steps *s, tsr_array x, unsigned n_axes, const int *axes);

#endif
