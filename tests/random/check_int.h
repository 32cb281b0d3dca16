/* Inside the checks: what types.c gives check.c. */
#ifndef RANDOM_CHECK_INT_H
#define RANDOM_CHECK_INT_H

#include "random.h"

bool dims_equal(const tsr_dims *a, const tsr_dims *b);
/* Does `from` broadcast to exactly `to`? leading: `from` may have more axes, of length 1. */
bool dims_fit(tsr_dims from, const tsr_dims *to, bool leading);
/* May the scalar be an operand of an operation that computes in `compute`? Arrays may. */
bool scalar_fits(const node *n, tsr_dtype compute);
/* What two operands of the operation are cast to. */
tsr_dtype promote_operands(int op, const type *a, const type *b);
/* The dtypes of the operation on operands of `promoted`; false if it does not take that. */
bool map_result(int op, tsr_dtype promoted, tsr_dtype *compute, tsr_dtype *result);

#endif
