/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/functions.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_positive)(tsr_array x)
{
  SITE(tsr_positive);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_positive_at(&site, 1, xs);
}

tsr_array(tsr_sign)(tsr_array x)
{
  SITE(tsr_sign);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_sign_at(&site, 1, xs);
}

tsr_array(tsr_reciprocal)(tsr_array x)
{
  SITE(tsr_reciprocal);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_reciprocal_at(&site, 1, xs);
}

tsr_array(tsr_floor_divide)(tsr_array x, tsr_array y)
{
  SITE(tsr_floor_divide);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_floor_divide_at(&site, 2, xs);
}

tsr_array(tsr_remainder)(tsr_array x, tsr_array y)
{
  SITE(tsr_remainder);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_remainder_at(&site, 2, xs);
}

tsr_array(tsr_fmod)(tsr_array x, tsr_array y)
{
  SITE(tsr_fmod);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_fmod_at(&site, 2, xs);
}

tsr_array(tsr_fmin)(tsr_array x, tsr_array y)
{
  SITE(tsr_fmin);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_fmin_at(&site, 2, xs);
}

tsr_array(tsr_fmax)(tsr_array x, tsr_array y)
{
  SITE(tsr_fmax);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_fmax_at(&site, 2, xs);
}

tsr_array(tsr_clip)(tsr_array x, tsr_array low, tsr_array high)
{
  SITE(tsr_clip);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(low), tsr_box_array(high)};
  return tsr_clip_at(&site, 3, xs);
}

tsr_array(tsr_floor)(tsr_array x)
{
  SITE(tsr_floor);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_floor_at(&site, 1, xs);
}

tsr_array(tsr_ceil)(tsr_array x)
{
  SITE(tsr_ceil);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_ceil_at(&site, 1, xs);
}

tsr_array(tsr_trunc)(tsr_array x)
{
  SITE(tsr_trunc);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_trunc_at(&site, 1, xs);
}

tsr_array(tsr_rint)(tsr_array x)
{
  SITE(tsr_rint);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_rint_at(&site, 1, xs);
}

tsr_array(tsr_isnan)(tsr_array x)
{
  SITE(tsr_isnan);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_isnan_at(&site, 1, xs);
}

tsr_array(tsr_isinf)(tsr_array x)
{
  SITE(tsr_isinf);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_isinf_at(&site, 1, xs);
}

tsr_array(tsr_isfinite)(tsr_array x)
{
  SITE(tsr_isfinite);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_isfinite_at(&site, 1, xs);
}

tsr_array(tsr_signbit)(tsr_array x)
{
  SITE(tsr_signbit);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_signbit_at(&site, 1, xs);
}

tsr_array(tsr_copysign)(tsr_array x, tsr_array y)
{
  SITE(tsr_copysign);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_copysign_at(&site, 2, xs);
}

tsr_array(tsr_nextafter)(tsr_array x, tsr_array y)
{
  SITE(tsr_nextafter);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_nextafter_at(&site, 2, xs);
}

tsr_array(tsr_ldexp)(tsr_array x, tsr_array n)
{
  SITE(tsr_ldexp);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(n)};
  return tsr_ldexp_at(&site, 2, xs);
}

tsr_array(tsr_frexp_mantissa)(tsr_array x)
{
  SITE(tsr_frexp_mantissa);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_frexp_mantissa_at(&site, 1, xs);
}

tsr_array(tsr_frexp_exponent)(tsr_array x)
{
  SITE(tsr_frexp_exponent);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_frexp_exponent_at(&site, 1, xs);
}

tsr_array(tsr_heaviside)(tsr_array x, tsr_array y)
{
  SITE(tsr_heaviside);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_heaviside_at(&site, 2, xs);
}

tsr_array(tsr_exp2)(tsr_array x)
{
  SITE(tsr_exp2);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_exp2_at(&site, 1, xs);
}

tsr_array(tsr_log2)(tsr_array x)
{
  SITE(tsr_log2);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_log2_at(&site, 1, xs);
}

tsr_array(tsr_log10)(tsr_array x)
{
  SITE(tsr_log10);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_log10_at(&site, 1, xs);
}

tsr_array(tsr_cbrt)(tsr_array x)
{
  SITE(tsr_cbrt);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_cbrt_at(&site, 1, xs);
}

tsr_array(tsr_logaddexp)(tsr_array x, tsr_array y)
{
  SITE(tsr_logaddexp);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_logaddexp_at(&site, 2, xs);
}

tsr_array(tsr_tan)(tsr_array x)
{
  SITE(tsr_tan);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_tan_at(&site, 1, xs);
}

tsr_array(tsr_arcsin)(tsr_array x)
{
  SITE(tsr_arcsin);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_arcsin_at(&site, 1, xs);
}

tsr_array(tsr_arccos)(tsr_array x)
{
  SITE(tsr_arccos);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_arccos_at(&site, 1, xs);
}

tsr_array(tsr_arctan)(tsr_array x)
{
  SITE(tsr_arctan);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_arctan_at(&site, 1, xs);
}

tsr_array(tsr_arctan2)(tsr_array y, tsr_array x)
{
  SITE(tsr_arctan2);
  const tsr_operand xs[] = {tsr_box_array(y), tsr_box_array(x)};
  return tsr_arctan2_at(&site, 2, xs);
}

tsr_array(tsr_sinh)(tsr_array x)
{
  SITE(tsr_sinh);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_sinh_at(&site, 1, xs);
}

tsr_array(tsr_cosh)(tsr_array x)
{
  SITE(tsr_cosh);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_cosh_at(&site, 1, xs);
}

tsr_array(tsr_arcsinh)(tsr_array x)
{
  SITE(tsr_arcsinh);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_arcsinh_at(&site, 1, xs);
}

tsr_array(tsr_arccosh)(tsr_array x)
{
  SITE(tsr_arccosh);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_arccosh_at(&site, 1, xs);
}

tsr_array(tsr_arctanh)(tsr_array x)
{
  SITE(tsr_arctanh);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_arctanh_at(&site, 1, xs);
}

tsr_array(tsr_gamma)(tsr_array x)
{
  SITE(tsr_gamma);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_gamma_at(&site, 1, xs);
}

tsr_array(tsr_lgamma)(tsr_array x)
{
  SITE(tsr_lgamma);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_lgamma_at(&site, 1, xs);
}

tsr_array(tsr_deg2rad)(tsr_array x)
{
  SITE(tsr_deg2rad);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_deg2rad_at(&site, 1, xs);
}

tsr_array(tsr_rad2deg)(tsr_array x)
{
  SITE(tsr_rad2deg);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_rad2deg_at(&site, 1, xs);
}

tsr_array(tsr_sinc)(tsr_array x)
{
  SITE(tsr_sinc);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_sinc_at(&site, 1, xs);
}

tsr_array(tsr_bitwise_and)(tsr_array x, tsr_array y)
{
  SITE(tsr_bitwise_and);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_bitwise_and_at(&site, 2, xs);
}

tsr_array(tsr_bitwise_or)(tsr_array x, tsr_array y)
{
  SITE(tsr_bitwise_or);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_bitwise_or_at(&site, 2, xs);
}

tsr_array(tsr_bitwise_xor)(tsr_array x, tsr_array y)
{
  SITE(tsr_bitwise_xor);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_bitwise_xor_at(&site, 2, xs);
}

tsr_array(tsr_invert)(tsr_array x)
{
  SITE(tsr_invert);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_invert_at(&site, 1, xs);
}

tsr_array(tsr_left_shift)(tsr_array x, tsr_array y)
{
  SITE(tsr_left_shift);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_left_shift_at(&site, 2, xs);
}

tsr_array(tsr_right_shift)(tsr_array x, tsr_array y)
{
  SITE(tsr_right_shift);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_right_shift_at(&site, 2, xs);
}

tsr_array(tsr_gcd)(tsr_array x, tsr_array y)
{
  SITE(tsr_gcd);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_gcd_at(&site, 2, xs);
}

tsr_array(tsr_lcm)(tsr_array x, tsr_array y)
{
  SITE(tsr_lcm);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_lcm_at(&site, 2, xs);
}

tsr_array(tsr_real)(tsr_array x)
{
  SITE(tsr_real);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_real_at(&site, 1, xs);
}

tsr_array(tsr_imag)(tsr_array x)
{
  SITE(tsr_imag);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_imag_at(&site, 1, xs);
}

tsr_array(tsr_conj)(tsr_array x)
{
  SITE(tsr_conj);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_conj_at(&site, 1, xs);
}

tsr_array(tsr_complex)(tsr_array x, tsr_array y)
{
  SITE(tsr_complex);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_complex_at(&site, 2, xs);
}
