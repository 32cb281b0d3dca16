/* Elementwise functions that are made of others: closeness, rounding to decimals, and those with
 * two results. What tessera/elementwise.h says of operands, dtypes, errors and cost holds; what is
 * recorded fuses into one pass. */
#ifndef TESSERA_COMPOSED_H
#define TESSERA_COMPOSED_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_isclose_at(const tsr_location *where, tsr_operand x, tsr_operand y,
                                 double rtol, double atol, bool equal_nan);
TSR_API tsr_array tsr_round_at(const tsr_location *where, tsr_operand x, int decimals);
TSR_API tsr_status tsr_divmod_at(const tsr_location *where, tsr_array *out, tsr_operand x,
                                 tsr_operand y);
TSR_API tsr_status tsr_frexp_at(const tsr_location *where, tsr_array *out, tsr_operand x);
TSR_API tsr_array tsr_angle_at(const tsr_location *where, tsr_operand x);
TSR_API tsr_status tsr_modf_at(const tsr_location *where, tsr_array *out, tsr_operand x);

#ifndef __cplusplus
/** Where |x - y| <= atol + rtol*|y|, of bool: tsr_isclose(x, y), (x, y, rtol), (…, atol), (…,
 * equal_nan); 1e-5, 1e-8, false. Infinities are close where they are equal, NaN where equal_nan
 * and both are. TSR_ERR_BROADCAST. Source: numpy.isclose. */
TSR_API tsr_array tsr_isclose(tsr_array x, tsr_array y);
/** x rounded to a number of decimals: tsr_round(x) to whole ones, tsr_round(x, decimals).
 *
 *  Halves go to the even neighbour. By NumPy's rule: x times 10^decimals (or over 10^-decimals
 * where decimals are negative) is rounded and scaled back, so that 2.675 may round either way as it
 * is stored. Integers stay integers, and themselves unless decimals are negative. Of complex
 * numbers each part. bools become float16; with decimals they are TSR_ERR_DTYPE. Source:
 * numpy.round. */
TSR_API tsr_array tsr_round(tsr_array x, int decimals);
/** The angle of a complex number in the plane, in (-pi, pi]; of a real number 0 or, below 0, pi.
 * Source: numpy.angle. */
TSR_API tsr_array tsr_angle(tsr_array x);
/** Quotient and remainder: tsr_divmod(out, x, y); out[0] = tsr_floor_divide(x, y), out[1] =
 * tsr_remainder(x, y). out is written on success only; errors as theirs. Source: numpy.divmod. */
TSR_API tsr_status tsr_divmod(tsr_array *out, tsr_array x, tsr_array y);
/** Mantissa in [0.5, 1) and exponent: tsr_frexp(out, x); x = out[0] * 2^out[1], out[1] of int32 (0
 * where x is 0, infinite or NaN, which out[0] then is). Source: numpy.frexp. */
TSR_API tsr_status tsr_frexp(tsr_array *out, tsr_array x);
/** Fraction and whole part, both with x's sign: tsr_modf(out, x); x = out[0] + out[1]. The fraction
 * of an infinity is 0. Integers and bools are taken as floats, as by
 * tsr_sqrt. Source: numpy.modf. */
TSR_API tsr_status tsr_modf(tsr_array *out, tsr_array x);

#define tsr_isclose(...) TSR__ISCLOSE(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__ISCLOSE(id, text, ...)                                                                \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_isclose, 2, 5, __VA_ARGS__);                                              \
    TSR__HERE(id, "tsr_isclose", text);                                                            \
    tsr_isclose_at(&id, TSR__BOX((TSR__FIRST(0, __VA_ARGS__))),                                    \
                   TSR__BOX((TSR__SECOND(0, __VA_ARGS__))), TSR__THIRD(1e-5, __VA_ARGS__),         \
                   TSR__FOURTH(1e-8, __VA_ARGS__), TSR__FIFTH(false, __VA_ARGS__));                \
  }))
#define tsr_round(...) TSR__ROUND(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__ROUND(id, text, ...)                                                                  \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_round, 1, 2, __VA_ARGS__);                                                \
    TSR__HERE(id, "tsr_round", text);                                                              \
    tsr_round_at(&id, TSR__BOX((TSR__FIRST(0, __VA_ARGS__))), TSR__SECOND(0, __VA_ARGS__));        \
  }))
#define tsr_angle(x) TSR__ANGLE(TSR__PASTE(tsr_at_, __COUNTER__), #x, x)
#define TSR__ANGLE(id, text, x)                                                                    \
  tsr_made(__extension__({                                                                         \
    TSR__HERE(id, "tsr_angle", text);                                                              \
    tsr_angle_at(&id, TSR__BOX(x));                                                                \
  }))
#define tsr_divmod(out, x, y)                                                                      \
  TSR__TWO(TSR__PASTE(tsr_at_, __COUNTER__), tsr_divmod, #out ", " #x ", " #y, out, TSR__BOX(x),   \
           TSR__BOX(y))
#define tsr_frexp(out, x)                                                                          \
  TSR__TWO(TSR__PASTE(tsr_at_, __COUNTER__), tsr_frexp, #out ", " #x, out, TSR__BOX(x))
#define tsr_modf(out, x)                                                                           \
  TSR__TWO(TSR__PASTE(tsr_at_, __COUNTER__), tsr_modf, #out ", " #x, out, TSR__BOX(x))
#define TSR__TWO(id, op, text, ...)                                                                \
  __extension__({                                                                                  \
    TSR__HERE(id, #op, text);                                                                      \
    op##_at(&id, __VA_ARGS__);                                                                     \
  })
#endif

#ifdef __cplusplus
}
#endif
#endif
