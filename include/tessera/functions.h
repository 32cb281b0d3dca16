/* Elementwise functions: rounding, division to whole numbers, tests, exponents, logarithms, angles,
 * hyperbolic and special functions. What tessera/elementwise.h says of operands, dtypes, results,
 * errors and cost holds for them, too. Functions that are not exact give the same bits in every
 * configuration; "within n ulp" is of the true value, for float64 and float32.
 *
 * sqrt, exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, sinh, cosh, tanh, arcsin, arccos,
 * arctan, arcsinh, arccosh, arctanh, sinc, power, sign, reciprocal, positive, rint, isnan, isinf
 * and isfinite take complex numbers: within a few ulp of each part (exp2, expm1, log1p, sinc of the
 * number; power of exp(|y log x|) times that, sinc of pi |y| times that), with the branch cuts,
 * signed zeros and infinities of C's Annex G, which are NumPy's; complex64 is rounded once from
 * float64. rint rounds each part. The other functions give TSR_ERR_DTYPE of them. */
#ifndef TESSERA_FUNCTIONS_H
#define TESSERA_FUNCTIONS_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __cplusplus
/** x itself; bool is TSR_ERR_DTYPE. Source: numpy.positive. */
TSR_API tsr_array tsr_positive(tsr_array x);
/** -1, 0 or 1 as x is below, at or above 0; NaN of NaN; of complex numbers x / |x|; bool is
 * TSR_ERR_DTYPE. Source: numpy.sign of NumPy 2. */
TSR_API tsr_array tsr_sign(tsr_array x);
/** 1 / x; of integers its whole part, and the least integer of 0; bool is TSR_ERR_DTYPE. Source:
 * numpy.reciprocal. */
TSR_API tsr_array tsr_reciprocal(tsr_array x);
/** The greatest whole number not above x / y, `//` in text. Integers stay integers: 0 where y is 0,
 * and the least one divided by -1 wraps. bool is TSR_ERR_DTYPE. Source: numpy.floor_divide. */
TSR_API tsr_array tsr_floor_divide(tsr_array x, tsr_array y);
/** x - y * floor_divide(x, y), of the sign of y, `%` in text; integers: 0 where y is 0. bool is
 * TSR_ERR_DTYPE. Source: numpy.remainder. */
TSR_API tsr_array tsr_remainder(tsr_array x, tsr_array y);
/** What division leaves, of the sign of x, exactly; integers: 0 where y is 0. bool is
 * TSR_ERR_DTYPE. Source: numpy.fmod. */
TSR_API tsr_array tsr_fmod(tsr_array x, tsr_array y);
/** The smaller of two; the other one where one is NaN. Source: numpy.fmin. */
TSR_API tsr_array tsr_fmin(tsr_array x, tsr_array y);
/** The larger of two; the other one where one is NaN. Source: numpy.fmax. */
TSR_API tsr_array tsr_fmax(tsr_array x, tsr_array y);
/** minimum(maximum(x, low), high), the three promoted together; NaN where one is; of x and a bound
 * that are zeros, x. TSR_NONE in place of a bound: there is none. Source: numpy.clip. */
TSR_API tsr_array tsr_clip(tsr_array x, tsr_array low, tsr_array high);
/** The greatest whole number not above x; integers and bools stay as they are. Source: numpy.floor.
 */
TSR_API tsr_array tsr_floor(tsr_array x);
/** The least whole number not below x; integers and bools stay as they are. Source: numpy.ceil. */
TSR_API tsr_array tsr_ceil(tsr_array x);
/** x without its fraction; integers and bools stay as they are. Source: numpy.trunc. */
TSR_API tsr_array tsr_trunc(tsr_array x);
/** The nearest whole number, the even one of two; integers in float64. Source: numpy.rint. */
TSR_API tsr_array tsr_rint(tsr_array x);
/** Whether x is NaN, as bool. Source: numpy.isnan. */
TSR_API tsr_array tsr_isnan(tsr_array x);
/** Whether x is infinite, as bool. Source: numpy.isinf. */
TSR_API tsr_array tsr_isinf(tsr_array x);
/** Whether x is neither infinite nor NaN, as bool. Source: numpy.isfinite. */
TSR_API tsr_array tsr_isfinite(tsr_array x);
/** Whether x has its sign set, as bool: that of -0 is. NaN has no sign here, since processors
 * disagree on it. Source: numpy.signbit. */
TSR_API tsr_array tsr_signbit(tsr_array x);
/** The size of x with the sign of y, that of NaN taken as positive; integers in float64. Source:
 * numpy.copysign. */
TSR_API tsr_array tsr_copysign(tsr_array x, tsr_array y);
/** The number next to x in direction of y, of their dtype; integers in float64, those of 8 bits in
 * float16, of 16 in float32. Source: numpy.nextafter. */
TSR_API tsr_array tsr_nextafter(tsr_array x, tsr_array y);
/** x times 2 to the power n, rounded once. n: integers, else TSR_ERR_DTYPE; the result has the
 * dtype of x, float64 for integers. Source: numpy.ldexp. */
TSR_API tsr_array tsr_ldexp(tsr_array x, tsr_array n);
/** The first result of tsr_frexp. Source: numpy.frexp. */
TSR_API tsr_array tsr_frexp_mantissa(tsr_array x);
/** The second result of tsr_frexp, as a number of the dtype of the first. Source: numpy.frexp. */
TSR_API tsr_array tsr_frexp_exponent(tsr_array x);
/** 0 where x is below 0, 1 where above, y where it is 0; NaN of NaN; integers in float64. Source:
 * numpy.heaviside. */
TSR_API tsr_array tsr_heaviside(tsr_array x, tsr_array y);
/** 2 to the power x, within 1.5 ulp, exact for whole x; integers in float64. Source: numpy.exp2. */
TSR_API tsr_array tsr_exp2(tsr_array x);
/** Logarithm to base 2, within 1.5 ulp, exact for powers of 2; NaN below 0; integers in float64.
 * Source: numpy.log2. */
TSR_API tsr_array tsr_log2(tsr_array x);
/** Logarithm to base 10, within 1.5 ulp; NaN below 0; integers in float64. Source: numpy.log10. */
TSR_API tsr_array tsr_log10(tsr_array x);
/** Cube root, within 1.5 ulp; integers in float64. Source: numpy.cbrt. */
TSR_API tsr_array tsr_cbrt(tsr_array x);
/** log(exp(x) + exp(y)) without overflow between, within 1.5 ulp, also where the operands all but
 * cancel; integers in float64. Source: numpy.logaddexp. */
TSR_API tsr_array tsr_logaddexp(tsr_array x, tsr_array y);
/** Tangent of radians, of any size, within 1.5 ulp; integers in float64. Source: numpy.tan. */
TSR_API tsr_array tsr_tan(tsr_array x);
/** Inverse sine in radians, within 1.5 ulp; NaN beyond -1 and 1; integers in float64. Source:
 * numpy.arcsin. */
TSR_API tsr_array tsr_arcsin(tsr_array x);
/** Inverse cosine in radians, within 1.5 ulp; NaN beyond -1 and 1; integers in float64. Source:
 * numpy.arccos. */
TSR_API tsr_array tsr_arccos(tsr_array x);
/** Inverse tangent in radians, within 1.5 ulp; integers in float64. Source: numpy.arctan. */
TSR_API tsr_array tsr_arctan(tsr_array x);
/** The angle in radians of the point (x, y), -pi to pi, within 1.5 ulp; integers in float64.
 * Source: numpy.arctan2; C for special values. */
TSR_API tsr_array tsr_arctan2(tsr_array y, tsr_array x);
/** Hyperbolic sine, within 1.5 ulp; integers in float64. Source: numpy.sinh. */
TSR_API tsr_array tsr_sinh(tsr_array x);
/** Hyperbolic cosine, within 1.5 ulp; integers in float64. Source: numpy.cosh. */
TSR_API tsr_array tsr_cosh(tsr_array x);
/** Inverse hyperbolic sine, within 1.5 ulp; integers in float64. Source: numpy.arcsinh. */
TSR_API tsr_array tsr_arcsinh(tsr_array x);
/** Inverse hyperbolic cosine, within 1.5 ulp; NaN below 1; integers in float64. Source:
 * numpy.arccosh. */
TSR_API tsr_array tsr_arccosh(tsr_array x);
/** Inverse hyperbolic tangent, within 1.5 ulp; NaN beyond -1 and 1; integers in float64. Source:
 * numpy.arctanh. */
TSR_API tsr_array tsr_arctanh(tsr_array x);
/** Gamma function, within 1.5 ulp; NaN at negative integers; integers in float64. Source:
 * scipy.special.gamma; C's tgamma for special values. */
TSR_API tsr_array tsr_gamma(tsr_array x);
/** log(|gamma(x)|), within 1.5 ulp, also next to its zeros; infinity at 0 and negative integers;
 * integers in float64. Source: scipy.special.gammaln; C's lgamma for special values. */
TSR_API tsr_array tsr_lgamma(tsr_array x);
/** Radians of degrees, within 1 ulp; integers in float64. Source: numpy.deg2rad. */
TSR_API tsr_array tsr_deg2rad(tsr_array x);
/** Degrees of radians, within 1 ulp; integers in float64. Source: numpy.rad2deg. */
TSR_API tsr_array tsr_rad2deg(tsr_array x);
/** sin(pi x) / (pi x), 1 at 0, NaN at infinity, within 1.5 ulp, also next to its zeros; integers in
 * float64. Source: numpy.sinc. */
TSR_API tsr_array tsr_sinc(tsr_array x);
/** The bits that both have, of integers and bools; floats are TSR_ERR_DTYPE. Source:
 * numpy.bitwise_and. */
TSR_API tsr_array tsr_bitwise_and(tsr_array x, tsr_array y);
/** The bits that x or y has. As tsr_bitwise_and. Source: numpy.bitwise_or. */
TSR_API tsr_array tsr_bitwise_or(tsr_array x, tsr_array y);
/** The bits that one of x and y has. As tsr_bitwise_and. Source: numpy.bitwise_xor. */
TSR_API tsr_array tsr_bitwise_xor(tsr_array x, tsr_array y);
/** The bits that x has not; of bools logical not. As tsr_bitwise_and. Source: numpy.invert. */
TSR_API tsr_array tsr_invert(tsr_array x);
/** x with its bits moved up by y places: x * 2**y, wrapped; 0 from the type's width on, and where y
 * is negative. bools in int8; floats are TSR_ERR_DTYPE. Source: numpy.left_shift. */
TSR_API tsr_array tsr_left_shift(tsr_array x, tsr_array y);
/** x with its bits moved down by y places: x // 2**y; from the type's width on, and where y is
 * negative, 0, of negative numbers -1. As tsr_left_shift. Source: numpy.right_shift. */
TSR_API tsr_array tsr_right_shift(tsr_array x, tsr_array y);
/** The greatest common divisor of whole numbers, of the operands' common dtype; 0 where both
 * are 0: tsr_gcd(x, y). TSR_ERR_DTYPE of floats and bools. Source: numpy.gcd. */
TSR_API tsr_array tsr_gcd(tsr_array x, tsr_array y);
/** The least common multiple of whole numbers, as tsr_gcd; 0 where one is 0. It wraps where the
 * dtype does not hold it. Source: numpy.lcm. */
TSR_API tsr_array tsr_lcm(tsr_array x, tsr_array y);
/** The real part, of the float of complex numbers' parts; a real number itself. A copy, where NumPy
 * gives a view. Source: numpy.real. */
TSR_API tsr_array tsr_real(tsr_array x);
/** The imaginary part, as tsr_real; of real numbers 0. Source: numpy.imag. */
TSR_API tsr_array tsr_imag(tsr_array x);
/** The complex conjugate; a real number itself, of bools in int8. Source: numpy.conj. */
TSR_API tsr_array tsr_conj(tsr_array x);
/** The complex number of a real part, x, and an imaginary one, y, neither of which is computed
 * with: tsr_assign(z, tsr_complex(re, tsr_imag(z))) sets the real parts alone. complex64 where the
 * parts promote to float16 or float32, or to integers of up to 16 bits, else complex128. Complex
 * operands: TSR_ERR_DTYPE. NumPy has z.real = re. */
TSR_API tsr_array tsr_complex(tsr_array x, tsr_array y);

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/functions.h"

#endif
