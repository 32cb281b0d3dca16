/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/functions.h, which is the manual and includes this file. */
#include "tessera/functions.h"

#ifndef TESSERA_GENERATED_FUNCTIONS_H
#define TESSERA_GENERATED_FUNCTIONS_H

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_positive_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_sign_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_reciprocal_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_floor_divide_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_remainder_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_fmod_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_fmin_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_fmax_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_clip_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_floor_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_ceil_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_trunc_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_rint_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_isnan_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_isinf_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_isfinite_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_signbit_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_copysign_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_nextafter_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_ldexp_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_frexp_mantissa_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_frexp_exponent_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_heaviside_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_exp2_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_log2_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_log10_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_cbrt_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_logaddexp_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_tan_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_arcsin_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_arccos_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_arctan_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_arctan2_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_sinh_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_cosh_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_arcsinh_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_arccosh_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_arctanh_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_gamma_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_lgamma_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_deg2rad_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_rad2deg_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_sinc_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_bitwise_and_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_bitwise_or_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_bitwise_xor_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_invert_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_left_shift_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_right_shift_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_gcd_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_lcm_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_real_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_imag_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_conj_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_complex_at(const tsr_location *where, int n, const tsr_operand *xs);

#ifdef __cplusplus
}

[[nodiscard]] inline tsr_array tsr_positive(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_positive_at(x.at.record("tsr_positive"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_sign(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_sign_at(x.at.record("tsr_sign"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_reciprocal(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_reciprocal_at(x.at.record("tsr_reciprocal"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_floor_divide(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_floor_divide_at(x.at.record("tsr_floor_divide"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_remainder(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_remainder_at(x.at.record("tsr_remainder"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_fmod(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_fmod_at(x.at.record("tsr_fmod"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_fmin(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_fmin_at(x.at.record("tsr_fmin"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_fmax(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_fmax_at(x.at.record("tsr_fmax"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_clip(::tessera::operand x, ::tessera::operand low,
                                        ::tessera::operand high)
{
  const tsr_operand xs[] = {x.value, low.value, high.value};
  return ::tessera::checked(tsr_clip_at(x.at.record("tsr_clip"), 3, xs));
}

[[nodiscard]] inline tsr_array tsr_floor(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_floor_at(x.at.record("tsr_floor"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_ceil(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_ceil_at(x.at.record("tsr_ceil"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_trunc(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_trunc_at(x.at.record("tsr_trunc"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_rint(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_rint_at(x.at.record("tsr_rint"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_isnan(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_isnan_at(x.at.record("tsr_isnan"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_isinf(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_isinf_at(x.at.record("tsr_isinf"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_isfinite(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_isfinite_at(x.at.record("tsr_isfinite"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_signbit(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_signbit_at(x.at.record("tsr_signbit"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_copysign(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_copysign_at(x.at.record("tsr_copysign"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_nextafter(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_nextafter_at(x.at.record("tsr_nextafter"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_ldexp(::tessera::operand x, ::tessera::operand n)
{
  const tsr_operand xs[] = {x.value, n.value};
  return ::tessera::checked(tsr_ldexp_at(x.at.record("tsr_ldexp"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_frexp_mantissa(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_frexp_mantissa_at(x.at.record("tsr_frexp_mantissa"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_frexp_exponent(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_frexp_exponent_at(x.at.record("tsr_frexp_exponent"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_heaviside(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_heaviside_at(x.at.record("tsr_heaviside"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_exp2(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_exp2_at(x.at.record("tsr_exp2"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_log2(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_log2_at(x.at.record("tsr_log2"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_log10(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_log10_at(x.at.record("tsr_log10"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_cbrt(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_cbrt_at(x.at.record("tsr_cbrt"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_logaddexp(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_logaddexp_at(x.at.record("tsr_logaddexp"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_tan(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_tan_at(x.at.record("tsr_tan"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_arcsin(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_arcsin_at(x.at.record("tsr_arcsin"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_arccos(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_arccos_at(x.at.record("tsr_arccos"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_arctan(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_arctan_at(x.at.record("tsr_arctan"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_arctan2(::tessera::operand y, ::tessera::operand x)
{
  const tsr_operand xs[] = {y.value, x.value};
  return ::tessera::checked(tsr_arctan2_at(y.at.record("tsr_arctan2"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_sinh(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_sinh_at(x.at.record("tsr_sinh"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_cosh(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_cosh_at(x.at.record("tsr_cosh"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_arcsinh(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_arcsinh_at(x.at.record("tsr_arcsinh"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_arccosh(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_arccosh_at(x.at.record("tsr_arccosh"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_arctanh(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_arctanh_at(x.at.record("tsr_arctanh"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_gamma(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_gamma_at(x.at.record("tsr_gamma"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_lgamma(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_lgamma_at(x.at.record("tsr_lgamma"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_deg2rad(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_deg2rad_at(x.at.record("tsr_deg2rad"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_rad2deg(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_rad2deg_at(x.at.record("tsr_rad2deg"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_sinc(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_sinc_at(x.at.record("tsr_sinc"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_bitwise_and(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_bitwise_and_at(x.at.record("tsr_bitwise_and"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_bitwise_or(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_bitwise_or_at(x.at.record("tsr_bitwise_or"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_bitwise_xor(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_bitwise_xor_at(x.at.record("tsr_bitwise_xor"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_invert(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_invert_at(x.at.record("tsr_invert"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_left_shift(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_left_shift_at(x.at.record("tsr_left_shift"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_right_shift(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_right_shift_at(x.at.record("tsr_right_shift"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_gcd(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_gcd_at(x.at.record("tsr_gcd"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_lcm(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_lcm_at(x.at.record("tsr_lcm"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_real(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_real_at(x.at.record("tsr_real"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_imag(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_imag_at(x.at.record("tsr_imag"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_conj(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_conj_at(x.at.record("tsr_conj"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_complex(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_complex_at(x.at.record("tsr_complex"), 2, xs));
}

#else

#define tsr_positive(...) TSR__CALL(tsr_positive, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_sign(...) TSR__CALL(tsr_sign, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_reciprocal(...) TSR__CALL(tsr_reciprocal, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_floor_divide(...)                                                                      \
  TSR__CALL(tsr_floor_divide, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_remainder(...) TSR__CALL(tsr_remainder, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_fmod(...) TSR__CALL(tsr_fmod, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_fmin(...) TSR__CALL(tsr_fmin, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_fmax(...) TSR__CALL(tsr_fmax, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_clip(...) TSR__CALL(tsr_clip, 3, 3, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_floor(...) TSR__CALL(tsr_floor, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_ceil(...) TSR__CALL(tsr_ceil, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_trunc(...) TSR__CALL(tsr_trunc, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_rint(...) TSR__CALL(tsr_rint, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_isnan(...) TSR__CALL(tsr_isnan, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_isinf(...) TSR__CALL(tsr_isinf, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_isfinite(...) TSR__CALL(tsr_isfinite, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_signbit(...) TSR__CALL(tsr_signbit, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_copysign(...) TSR__CALL(tsr_copysign, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_nextafter(...) TSR__CALL(tsr_nextafter, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_ldexp(...) TSR__CALL(tsr_ldexp, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_frexp_mantissa(...)                                                                    \
  TSR__CALL(tsr_frexp_mantissa, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_frexp_exponent(...)                                                                    \
  TSR__CALL(tsr_frexp_exponent, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_heaviside(...) TSR__CALL(tsr_heaviside, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_exp2(...) TSR__CALL(tsr_exp2, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_log2(...) TSR__CALL(tsr_log2, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_log10(...) TSR__CALL(tsr_log10, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_cbrt(...) TSR__CALL(tsr_cbrt, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_logaddexp(...) TSR__CALL(tsr_logaddexp, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_tan(...) TSR__CALL(tsr_tan, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_arcsin(...) TSR__CALL(tsr_arcsin, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_arccos(...) TSR__CALL(tsr_arccos, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_arctan(...) TSR__CALL(tsr_arctan, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_arctan2(...) TSR__CALL(tsr_arctan2, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_sinh(...) TSR__CALL(tsr_sinh, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_cosh(...) TSR__CALL(tsr_cosh, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_arcsinh(...) TSR__CALL(tsr_arcsinh, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_arccosh(...) TSR__CALL(tsr_arccosh, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_arctanh(...) TSR__CALL(tsr_arctanh, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_gamma(...) TSR__CALL(tsr_gamma, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_lgamma(...) TSR__CALL(tsr_lgamma, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_deg2rad(...) TSR__CALL(tsr_deg2rad, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_rad2deg(...) TSR__CALL(tsr_rad2deg, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_sinc(...) TSR__CALL(tsr_sinc, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_bitwise_and(...)                                                                       \
  TSR__CALL(tsr_bitwise_and, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_bitwise_or(...) TSR__CALL(tsr_bitwise_or, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_bitwise_xor(...)                                                                       \
  TSR__CALL(tsr_bitwise_xor, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_invert(...) TSR__CALL(tsr_invert, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_left_shift(...) TSR__CALL(tsr_left_shift, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_right_shift(...)                                                                       \
  TSR__CALL(tsr_right_shift, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_gcd(...) TSR__CALL(tsr_gcd, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_lcm(...) TSR__CALL(tsr_lcm, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_real(...) TSR__CALL(tsr_real, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_imag(...) TSR__CALL(tsr_imag, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_conj(...) TSR__CALL(tsr_conj, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_complex(...) TSR__CALL(tsr_complex, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#define tsr_mod tsr_remainder
#define tsr_asin tsr_arcsin
#define tsr_acos tsr_arccos
#define tsr_atan tsr_arctan
#define tsr_atan2 tsr_arctan2
#define tsr_asinh tsr_arcsinh
#define tsr_acosh tsr_arccosh
#define tsr_atanh tsr_arctanh
#define tsr_radians tsr_deg2rad
#define tsr_degrees tsr_rad2deg
#define tsr_bitwise_not tsr_invert
#define tsr_bitwise_invert tsr_invert
#define tsr_bitwise_left_shift tsr_left_shift
#define tsr_bitwise_right_shift tsr_right_shift
#define tsr_conjugate tsr_conj

#endif
