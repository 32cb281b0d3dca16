/* Elementwise functions that are made of others: closeness, rounding to decimals, common divisors,
 * and those with two results. What tessera/elementwise.h says of operands, dtypes, errors and cost
 * holds; what is recorded fuses into one pass. */
#ifndef TESSERA_COMPOSED_H
#define TESSERA_COMPOSED_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __cplusplus
/** Where |x - y| <= atol + rtol*|y|, of bool: tsr_isclose(x, y), (x, y, rtol), (…, atol), (…,
 * equal_nan); 1e-5, 1e-8, false. Infinities are close where they are equal, NaN where equal_nan and
 * both are. TSR_ERR_BROADCAST. Source: numpy.isclose. */
TSR_API tsr_array tsr_isclose(tsr_array x, tsr_array y, double rtol, double atol, bool equal_nan);
/** x rounded to a number of decimals: tsr_round(x) to whole ones, tsr_round(x, decimals).
 *
 *  Halves go to the even neighbour. By NumPy's rule: x times 10^decimals (or over 10^-decimals
 *  where decimals are negative) is rounded and scaled back, so that 2.675 may round either way as
 *  it is stored. Integers stay integers, and themselves unless decimals are negative. Of complex
 *  numbers each part. bools become float16; with decimals they are TSR_ERR_DTYPE. Source:
 *  numpy.round. */
TSR_API tsr_array tsr_round(tsr_array x, int decimals);
/** The angle of a complex number in the plane, in (-pi, pi]; of a real number 0 or, below 0, pi.
 * Source: numpy.angle. */
TSR_API tsr_array tsr_angle(tsr_array x);
/** The logarithm to base 2 of the sum of 2 to the powers of both, as tsr_logaddexp, without an
 * overflow between. Source: numpy.logaddexp2. */
TSR_API tsr_array tsr_logaddexp2(tsr_array x, tsr_array y);
/** The first operand to the power of the second, in float64, or in complex128 where one is complex;
 * errors as tsr_power. Source: numpy.float_power. */
TSR_API tsr_array tsr_float_power(tsr_array x, tsr_array y);
/** Quotient and remainder: tsr_divmod(out, x, y); out[0] = tsr_floor_divide(x, y), out[1] =
 * tsr_remainder(x, y). out is written on success only; errors as theirs. Source: numpy.divmod. */
TSR_API tsr_status tsr_divmod(tsr_array *out, tsr_array x, tsr_array y);
/** Mantissa in [0.5, 1) and exponent: tsr_frexp(out, x); x = out[0] * 2^out[1], out[1] of int32 (0
 * where x is 0, infinite or NaN, which out[0] then is). Source: numpy.frexp. */
TSR_API tsr_status tsr_frexp(tsr_array *out, tsr_array x);
/** Fraction and whole part, both with x's sign: tsr_modf(out, x); x = out[0] + out[1]. The fraction
 * of an infinity is 0. Integers and bools are taken as floats, as by tsr_sqrt. Source: numpy.modf.
 */
TSR_API tsr_status tsr_modf(tsr_array *out, tsr_array x);

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/composed.h"

#endif
