/* The functions of tessera/functions.h and tessera/composed.h as C++ overloads; part of
 * tessera/cpp.h. */
#ifndef TESSERA_CPP_FUNCTIONS_H
#define TESSERA_CPP_FUNCTIONS_H

#ifdef __cplusplus

#include "tessera/composed.h"
#include "tessera/cpp.h"
#include "tessera/functions.h"

[[nodiscard]] inline tsr_array tsr_positive(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_positive_at(x.at.record("tsr_positive"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_sign(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_sign_at(x.at.record("tsr_sign"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_reciprocal(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_reciprocal_at(x.at.record("tsr_reciprocal"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_floor_divide(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_floor_divide_at(x.at.record("tsr_floor_divide"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_remainder(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_remainder_at(x.at.record("tsr_remainder"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_fmod(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_fmod_at(x.at.record("tsr_fmod"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_fmin(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_fmin_at(x.at.record("tsr_fmin"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_fmax(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_fmax_at(x.at.record("tsr_fmax"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_clip(::tessera::operand x, ::tessera::operand low,
                                        ::tessera::operand high)
{
  const tsr_operand xs[] = {x.value, low.value, high.value};
  return tsr_clip_at(x.at.record("tsr_clip"), 3, xs);
}

[[nodiscard]] inline tsr_array tsr_floor(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_floor_at(x.at.record("tsr_floor"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_ceil(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_ceil_at(x.at.record("tsr_ceil"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_trunc(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_trunc_at(x.at.record("tsr_trunc"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_rint(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_rint_at(x.at.record("tsr_rint"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_isnan(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_isnan_at(x.at.record("tsr_isnan"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_isinf(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_isinf_at(x.at.record("tsr_isinf"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_isfinite(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_isfinite_at(x.at.record("tsr_isfinite"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_signbit(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_signbit_at(x.at.record("tsr_signbit"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_copysign(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_copysign_at(x.at.record("tsr_copysign"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_nextafter(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_nextafter_at(x.at.record("tsr_nextafter"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_ldexp(::tessera::operand x, ::tessera::operand n)
{
  const tsr_operand xs[] = {x.value, n.value};
  return tsr_ldexp_at(x.at.record("tsr_ldexp"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_frexp_mantissa(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_frexp_mantissa_at(x.at.record("tsr_frexp_mantissa"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_frexp_exponent(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_frexp_exponent_at(x.at.record("tsr_frexp_exponent"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_heaviside(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_heaviside_at(x.at.record("tsr_heaviside"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_exp2(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_exp2_at(x.at.record("tsr_exp2"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_log2(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_log2_at(x.at.record("tsr_log2"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_log10(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_log10_at(x.at.record("tsr_log10"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_cbrt(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_cbrt_at(x.at.record("tsr_cbrt"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_logaddexp(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_logaddexp_at(x.at.record("tsr_logaddexp"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_tan(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_tan_at(x.at.record("tsr_tan"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_arcsin(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_arcsin_at(x.at.record("tsr_arcsin"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_arccos(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_arccos_at(x.at.record("tsr_arccos"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_arctan(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_arctan_at(x.at.record("tsr_arctan"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_arctan2(::tessera::operand y, ::tessera::operand x)
{
  const tsr_operand xs[] = {y.value, x.value};
  return tsr_arctan2_at(y.at.record("tsr_arctan2"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_sinh(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_sinh_at(x.at.record("tsr_sinh"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_cosh(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_cosh_at(x.at.record("tsr_cosh"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_arcsinh(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_arcsinh_at(x.at.record("tsr_arcsinh"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_arccosh(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_arccosh_at(x.at.record("tsr_arccosh"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_arctanh(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_arctanh_at(x.at.record("tsr_arctanh"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_gamma(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_gamma_at(x.at.record("tsr_gamma"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_lgamma(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_lgamma_at(x.at.record("tsr_lgamma"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_deg2rad(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_deg2rad_at(x.at.record("tsr_deg2rad"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_rad2deg(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_rad2deg_at(x.at.record("tsr_rad2deg"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_sinc(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_sinc_at(x.at.record("tsr_sinc"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_bitwise_and(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_bitwise_and_at(x.at.record("tsr_bitwise_and"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_bitwise_or(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_bitwise_or_at(x.at.record("tsr_bitwise_or"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_bitwise_xor(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_bitwise_xor_at(x.at.record("tsr_bitwise_xor"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_invert(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_invert_at(x.at.record("tsr_invert"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_left_shift(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_left_shift_at(x.at.record("tsr_left_shift"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_right_shift(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_right_shift_at(x.at.record("tsr_right_shift"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_real(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_real_at(x.at.record("tsr_real"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_imag(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_imag_at(x.at.record("tsr_imag"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_conj(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_conj_at(x.at.record("tsr_conj"), 1, xs);
}

/* Of bools and integers. At least one operand is a tsr_array. */
[[nodiscard]] inline tsr_array operator&(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_bitwise_and_at(x.at.record("operator&"), 2, xs);
}

[[nodiscard]] inline tsr_array operator|(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_bitwise_or_at(x.at.record("operator|"), 2, xs);
}

[[nodiscard]] inline tsr_array operator^(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_bitwise_xor_at(x.at.record("operator^"), 2, xs);
}

[[nodiscard]] inline tsr_array operator<<(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_left_shift_at(x.at.record("operator<<"), 2, xs);
}

[[nodiscard]] inline tsr_array operator>>(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_right_shift_at(x.at.record("operator>>"), 2, xs);
}

[[nodiscard]] inline tsr_array operator~(::tessera::operand x)
{
  return tsr_invert_at(x.at.record("operator~"), 1, &x.value);
}

/* Closeness, rounding, two results. */

[[nodiscard]] inline tsr_array tsr_angle(::tessera::operand x)
{
  return tsr_angle_at(x.at.record("tsr_angle"), x.value);
}

[[nodiscard]] inline tsr_array tsr_isclose(::tessera::operand x, ::tessera::operand y,
                                           double rtol = 1e-5, double atol = 1e-8,
                                           bool equal_nan = false)
{
  return tsr_isclose_at(x.at.record("tsr_isclose"), x.value, y.value, rtol, atol, equal_nan);
}

[[nodiscard]] inline tsr_array tsr_round(::tessera::operand x, int decimals = 0)
{
  return tsr_round_at(x.at.record("tsr_round"), x.value, decimals);
}

inline tsr_status tsr_divmod(tsr_array *out, ::tessera::operand x, ::tessera::operand y)
{
  return tsr_divmod_at(x.at.record("tsr_divmod"), out, x.value, y.value);
}

inline tsr_status tsr_frexp(tsr_array *out, ::tessera::operand x)
{
  return tsr_frexp_at(x.at.record("tsr_frexp"), out, x.value);
}

inline tsr_status tsr_modf(tsr_array *out, ::tessera::operand x)
{
  return tsr_modf_at(x.at.record("tsr_modf"), out, x.value);
}

#endif /* __cplusplus */
#endif
