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

TSR_API tsr_array tsr_add_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_subtract_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_multiply_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_divide_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_negative_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_absolute_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_minimum_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_maximum_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_sqrt_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_square_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_exp_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_expm1_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_log_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_log1p_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_tanh_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_erf_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_erfc_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_sin_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_cos_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_power_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_hypot_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_equal_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_not_equal_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_less_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_less_equal_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_greater_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_greater_equal_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_logical_and_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_logical_or_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_logical_not_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_where_at(const tsr_location *where, int n, const tsr_operand *xs);

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
 * left of the fraction: 1 or -1 for those bases, else 0. Source: numpy.power; C's pow for special
 * values. */
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
/** Whether x is zero, as bool. Source: numpy.logical_not. */
TSR_API tsr_array tsr_logical_not(tsr_array x);
/** y where the condition is non-zero, else z: tsr_where(condition, y, z). An integer scalar beyond
 * the dtype of an array of integers counts modulo its range: -1 is 255 of uint8. Source:
 * numpy.where. */
TSR_API tsr_array tsr_where(tsr_array condition, tsr_array y, tsr_array z);

#define tsr_add(...) TSR__CALL(tsr_add, 2, 16, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_subtract(...) TSR__CALL(tsr_subtract, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_multiply(...) TSR__CALL(tsr_multiply, 2, 16, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_divide(...) TSR__CALL(tsr_divide, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_negative(...) TSR__CALL(tsr_negative, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_absolute(...) TSR__CALL(tsr_absolute, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_minimum(...) TSR__CALL(tsr_minimum, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_maximum(...) TSR__CALL(tsr_maximum, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_sqrt(...) TSR__CALL(tsr_sqrt, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_square(...) TSR__CALL(tsr_square, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_exp(...) TSR__CALL(tsr_exp, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_expm1(...) TSR__CALL(tsr_expm1, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_log(...) TSR__CALL(tsr_log, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_log1p(...) TSR__CALL(tsr_log1p, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_tanh(...) TSR__CALL(tsr_tanh, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_erf(...) TSR__CALL(tsr_erf, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_erfc(...) TSR__CALL(tsr_erfc, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_sin(...) TSR__CALL(tsr_sin, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_cos(...) TSR__CALL(tsr_cos, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_power(...) TSR__CALL(tsr_power, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_hypot(...) TSR__CALL(tsr_hypot, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_equal(...) TSR__CALL(tsr_equal, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_not_equal(...) TSR__CALL(tsr_not_equal, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_less(...) TSR__CALL(tsr_less, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_less_equal(...) TSR__CALL(tsr_less_equal, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_greater(...) TSR__CALL(tsr_greater, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_greater_equal(...)                                                                     \
  TSR__CALL(tsr_greater_equal, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_logical_and(...)                                                                       \
  TSR__CALL(tsr_logical_and, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_logical_or(...) TSR__CALL(tsr_logical_or, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_logical_not(...)                                                                       \
  TSR__CALL(tsr_logical_not, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_where(...) TSR__CALL(tsr_where, 3, 3, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#endif

#ifdef __cplusplus
}
#endif
#endif
