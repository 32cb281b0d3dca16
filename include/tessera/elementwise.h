/* Elementwise operations: one public function, _at form and macro per row of kernel/ops/ops.def.
 *
 * All of them: collective. Operands are arrays or C scalars and broadcast to one shape by NumPy's
 * rule (0-d and empty arrays included). Dtypes promote by NumPy's rule; a scalar takes part by its
 * kind only (NEP 50): int32 + 1 is int32, int32 + 1.5 is float64, float32 + 1.5 is float32. (In C,
 * `true` is an int: write (bool)1 for a bool operand.) They record and return a lazy array owned by
 * the current scope, and do not wait. The null handle, silently, if an operand is the null handle;
 * null with an error on TSR_ERR_BROADCAST, TSR_ERR_DTYPE, TSR_ERR_HANDLE, and TSR_ERR_ARGUMENT for
 * an integer that the promoted integer dtype cannot hold. Cost: under a microsecond each; a chain
 * runs as one pass over memory. The function forms, `(tsr_add)(x, y)`, take arrays: for pointers,
 * bindings and debuggers. */
#ifndef TESSERA_ELEMENTWISE_H
#define TESSERA_ELEMENTWISE_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __cplusplus
/** Sum, left to right: 2 to 16 operands. bool + bool is logical or, as in NumPy. Source: numpy.add.
 */
TSR_API tsr_array tsr_add(tsr_array x, tsr_array y);
/** First minus second. Two bools are TSR_ERR_DTYPE, with advice, as in NumPy. Source:
 * numpy.subtract. */
TSR_API tsr_array tsr_subtract(tsr_array x, tsr_array y);
/** Product, left to right: 2 to 16 operands. bool * bool is logical and. Source: numpy.multiply. */
TSR_API tsr_array tsr_multiply(tsr_array x, tsr_array y);
/** True division: integers and bools divide in float64. Source: numpy.divide. */
TSR_API tsr_array tsr_divide(tsr_array x, tsr_array y);
/** Minus x. bool is TSR_ERR_DTYPE. Source: numpy.negative. */
TSR_API tsr_array tsr_negative(tsr_array x);
/** Absolute value; the least integer stays itself. Source: numpy.absolute. */
TSR_API tsr_array tsr_absolute(tsr_array x);
/** The smaller of two; NaN if either is NaN. Source: numpy.minimum. */
TSR_API tsr_array tsr_minimum(tsr_array x, tsr_array y);
/** The larger of two; NaN if either is NaN. Source: numpy.maximum. */
TSR_API tsr_array tsr_maximum(tsr_array x, tsr_array y);
/** Square root, correctly rounded; NaN below 0; integers in float64. Source: numpy.sqrt. */
TSR_API tsr_array tsr_sqrt(tsr_array x);
/** x times x; bool is TSR_ERR_DTYPE. Source: numpy.square. */
TSR_API tsr_array tsr_square(tsr_array x);
/** e to the power x; integers in float64. Source: numpy.exp. */
TSR_API tsr_array tsr_exp(tsr_array x);
/** exp(x) - 1, exact near 0; integers in float64. Source: numpy.expm1. */
TSR_API tsr_array tsr_expm1(tsr_array x);
/** Natural logarithm; NaN below 0; integers in float64. Source: numpy.log. */
TSR_API tsr_array tsr_log(tsr_array x);
/** log(1 + x), exact near 0; NaN below -1; integers in float64. Source: numpy.log1p. */
TSR_API tsr_array tsr_log1p(tsr_array x);
/** Hyperbolic tangent; integers in float64. Source: numpy.tanh. */
TSR_API tsr_array tsr_tanh(tsr_array x);
/** Error function; integers in float64. Source: scipy.special.erf. */
TSR_API tsr_array tsr_erf(tsr_array x);
/** 1 - erf(x) without cancellation; integers in float64. Source: scipy.special.erfc. */
TSR_API tsr_array tsr_erfc(tsr_array x);
/** Sine of radians, of any size; integers in float64. Source: numpy.sin. */
TSR_API tsr_array tsr_sin(tsr_array x);
/** Cosine of radians, of any size; integers in float64. Source: numpy.cos. */
TSR_API tsr_array tsr_cos(tsr_array x);
/** x to the power y; two bools are TSR_ERR_DTYPE. Integers stay integers and wrap; there a negative
 * scalar exponent is TSR_ERR_ARGUMENT, as in NumPy, but negative exponents in an array give what is
 * left of the fraction: 1 or -1 for those bases, else 0. A scalar y of 2, 3 or 4, for integers of up
 * to 16, makes a product, within 1.5 ulp. Source: numpy.power; C's pow for special values. */
TSR_API tsr_array tsr_power(tsr_array x, tsr_array y);
/** sqrt(x*x + y*y) without overflow between; integers in float64. Source: numpy.hypot. */
TSR_API tsr_array tsr_hypot(tsr_array x, tsr_array y);
/** x == y, as bool. Source: numpy.equal. */
TSR_API tsr_array tsr_equal(tsr_array x, tsr_array y);
/** x != y, as bool. Source: numpy.not_equal. */
TSR_API tsr_array tsr_not_equal(tsr_array x, tsr_array y);
/** x < y, as bool. Source: numpy.less. */
TSR_API tsr_array tsr_less(tsr_array x, tsr_array y);
/** x <= y, as bool. Source: numpy.less_equal. */
TSR_API tsr_array tsr_less_equal(tsr_array x, tsr_array y);
/** x > y, as bool. Source: numpy.greater. */
TSR_API tsr_array tsr_greater(tsr_array x, tsr_array y);
/** x >= y, as bool. Source: numpy.greater_equal. */
TSR_API tsr_array tsr_greater_equal(tsr_array x, tsr_array y);
/** Whether both are non-zero, as bool. Source: numpy.logical_and. */
TSR_API tsr_array tsr_logical_and(tsr_array x, tsr_array y);
/** Whether one is non-zero, as bool. Source: numpy.logical_or. */
TSR_API tsr_array tsr_logical_or(tsr_array x, tsr_array y);
/** Whether one is non-zero and the other zero, as bool. Source: numpy.logical_xor. */
TSR_API tsr_array tsr_logical_xor(tsr_array x, tsr_array y);
/** Whether x is zero, as bool. Source: numpy.logical_not. */
TSR_API tsr_array tsr_logical_not(tsr_array x);
/** y where the condition is non-zero, else z: tsr_where(condition, y, z). An integer scalar beyond
 * the dtype of an array of integers counts modulo its range: -1 is 255 of uint8. Source:
 * numpy.where. */
TSR_API tsr_array tsr_where(tsr_array condition, tsr_array y, tsr_array z);

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/elementwise.h"

#endif
