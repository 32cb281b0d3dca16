/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/cpp_array.h: the functions that give an array, without the prefix: their results own. */
#include "tessera/cpp_array.h"

#ifndef TESSERA_GENERATED_CPP_FUNCTIONS_H
#define TESSERA_GENERATED_CPP_FUNCTIONS_H
#ifdef __cplusplus
namespace tessera {

[[nodiscard]] inline array empty(dims_arg shape, tsr_dtype dtype = TSR_FLOAT64, place at = place())
{
  return array(tsr_empty(shape, dtype, at), at);
}
[[nodiscard]] inline array zeros(dims_arg shape, tsr_dtype dtype = TSR_FLOAT64, place at = place())
{
  return array(tsr_zeros(shape, dtype, at), at);
}
[[nodiscard]] inline array ones(dims_arg shape, tsr_dtype dtype = TSR_FLOAT64, place at = place())
{
  return array(tsr_ones(shape, dtype, at), at);
}
[[nodiscard]] inline array full(dims_arg shape, operand value, tsr_dtype dtype = TSR_FLOAT64)
{
  return array(tsr_full(shape, value, dtype), value.at);
}
[[nodiscard]] inline array copy(operand x)
{
  return array(tsr_copy(x), x.at);
}
[[nodiscard]] inline array astype(operand x, tsr_dtype dtype)
{
  return array(tsr_astype(x, dtype), x.at);
}
[[nodiscard]] inline array from_host(const void *data, tsr_dtype dtype, dims_arg shape,
                                     tsr_host_option a = TSR_NO_HOST_OPTION,
                                     tsr_host_option b = TSR_NO_HOST_OPTION,
                                     tsr_host_option c = TSR_NO_HOST_OPTION, place at = place())
{
  return array(tsr_from_host(data, dtype, shape, a, b, c, at), at);
}
[[nodiscard]] inline array from_tiles(int n, const tsr_host_tile *tiles, tsr_dtype dtype,
                                      dims_arg shape, tsr_host_option a = TSR_NO_HOST_OPTION,
                                      place at = place())
{
  return array(tsr_from_tiles(n, tiles, dtype, shape, a, at), at);
}
[[nodiscard]] inline array from_dlpack(tsr_dlpack *tensor, place at = place())
{
  return array(tsr_from_dlpack(tensor, at), at);
}
[[nodiscard]] inline array slice_items(tsr_array x, int n, const tsr_slice_item *items,
                                       place at = place())
{
  return array(tsr_slice_items(x, n, items, at), at);
}
[[nodiscard]] inline array transpose(tsr_array x, axes_arg axes = all_axes(), place at = place())
{
  return array(tsr_transpose(x, axes, at), at);
}
[[nodiscard]] inline array flip(tsr_array x, axes_arg axes = all_axes(), place at = place())
{
  return array(tsr_flip(x, axes, at), at);
}
[[nodiscard]] inline array broadcast_to(tsr_array x, dims_arg shape, place at = place())
{
  return array(tsr_broadcast_to(x, shape, at), at);
}
[[nodiscard]] inline array diagonal(tsr_array x, int64_t offset = 0, axis_arg axis1 = 0,
                                    axis_arg axis2 = 1, place at = place())
{
  return array(tsr_diagonal(x, offset, axis1, axis2, at), at);
}
[[nodiscard]] inline array expand_dims(tsr_array x, axes_arg axis, place at = place())
{
  return array(tsr_expand_dims(x, axis, at), at);
}
[[nodiscard]] inline array empty_like(operand x, tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return array(tsr_empty_like(x, dtype), x.at);
}
[[nodiscard]] inline array zeros_like(operand x, tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return array(tsr_zeros_like(x, dtype), x.at);
}
[[nodiscard]] inline array ones_like(operand x, tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return array(tsr_ones_like(x, dtype), x.at);
}
[[nodiscard]] inline array full_like(operand x, operand value, tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return array(tsr_full_like(x, value, dtype), x.at);
}
[[nodiscard]] inline array linspace(operand start, operand stop, int64_t num = 50,
                                    bool endpoint = true, tsr_dtype dtype = TSR_FLOAT64,
                                    axis_arg axis = 0)
{
  return array(tsr_linspace(start, stop, num, endpoint, dtype, axis), start.at);
}
[[nodiscard]] inline array logspace(operand start, operand stop, int64_t num = 50,
                                    bool endpoint = true, double base = 10,
                                    tsr_dtype dtype = TSR_FLOAT64, axis_arg axis = 0)
{
  return array(tsr_logspace(start, stop, num, endpoint, base, dtype, axis), start.at);
}
[[nodiscard]] inline array geomspace(operand start, operand stop, int64_t num = 50,
                                     bool endpoint = true, tsr_dtype dtype = TSR_FLOAT64,
                                     axis_arg axis = 0)
{
  return array(tsr_geomspace(start, stop, num, endpoint, dtype, axis), start.at);
}
[[nodiscard]] inline array eye(int64_t n, int64_t m = TSR_SQUARE, int64_t k = 0,
                               tsr_dtype dtype = TSR_FLOAT64, place at = place())
{
  return array(tsr_eye(n, m, k, dtype, at), at);
}
[[nodiscard]] inline array identity(int64_t n, tsr_dtype dtype = TSR_FLOAT64, place at = place())
{
  return array(tsr_identity(n, dtype, at), at);
}
[[nodiscard]] inline array tri(int64_t n, int64_t m = TSR_SQUARE, int64_t k = 0,
                               tsr_dtype dtype = TSR_FLOAT64, place at = place())
{
  return array(tsr_tri(n, m, k, dtype, at), at);
}
[[nodiscard]] inline array tril(tsr_array x, int64_t k = 0, place at = place())
{
  return array(tsr_tril(x, k, at), at);
}
[[nodiscard]] inline array triu(tsr_array x, int64_t k = 0, place at = place())
{
  return array(tsr_triu(x, k, at), at);
}
[[nodiscard]] inline array diag(tsr_array x, int64_t k = 0, place at = place())
{
  return array(tsr_diag(x, k, at), at);
}
[[nodiscard]] inline array indices(dims_arg shape, tsr_dtype dtype = TSR_INT64, place at = place())
{
  return array(tsr_indices(shape, dtype, at), at);
}
[[nodiscard]] inline array squeeze(tsr_array x, axes_arg axes = all_axes(), place at = place())
{
  return array(tsr_squeeze(x, axes, at), at);
}
[[nodiscard]] inline array moveaxis(tsr_array x, axes_arg source, axes_arg destination,
                                    place at = place())
{
  return array(tsr_moveaxis(x, source, destination, at), at);
}
[[nodiscard]] inline array swapaxes(tsr_array x, axis_arg axis1, axis_arg axis2, place at = place())
{
  return array(tsr_swapaxes(x, axis1, axis2, at), at);
}
[[nodiscard]] inline array flipud(tsr_array x, place at = place())
{
  return array(tsr_flipud(x, at), at);
}
[[nodiscard]] inline array fliplr(tsr_array x, place at = place())
{
  return array(tsr_fliplr(x, at), at);
}
[[nodiscard]] inline array rot90(tsr_array x, int k = 1, axes_arg axes = all_axes(),
                                 place at = place())
{
  return array(tsr_rot90(x, k, axes, at), at);
}
[[nodiscard]] inline array atleast_1d(operand x)
{
  return array(tsr_atleast_1d(x), x.at);
}
[[nodiscard]] inline array atleast_2d(operand x)
{
  return array(tsr_atleast_2d(x), x.at);
}
[[nodiscard]] inline array atleast_3d(operand x)
{
  return array(tsr_atleast_3d(x), x.at);
}
[[nodiscard]] inline array reshape(tsr_array x, dims_arg shape, place at = place())
{
  return array(tsr_reshape(x, shape, at), at);
}
[[nodiscard]] inline array ravel(tsr_array x, place at = place())
{
  return array(tsr_ravel(x, at), at);
}
[[nodiscard]] inline array flatten(tsr_array x, place at = place())
{
  return array(tsr_flatten(x, at), at);
}
[[nodiscard]] inline array roll(tsr_array x, dims_arg shift, axes_arg axes = all_axes(),
                                place at = place())
{
  return array(tsr_roll(x, shift, axes, at), at);
}
[[nodiscard]] inline array concatenate(const arrays &arrays, axis_arg axis = 0, place at = place())
{
  return array(tsr_concatenate(arrays, axis, at), at);
}
[[nodiscard]] inline array stack(const arrays &arrays, axis_arg axis = 0, place at = place())
{
  return array(tsr_stack(arrays, axis, at), at);
}
[[nodiscard]] inline array vstack(const arrays &arrays, place at = place())
{
  return array(tsr_vstack(arrays, at), at);
}
[[nodiscard]] inline array hstack(const arrays &arrays, place at = place())
{
  return array(tsr_hstack(arrays, at), at);
}
[[nodiscard]] inline array dstack(const arrays &arrays, place at = place())
{
  return array(tsr_dstack(arrays, at), at);
}
[[nodiscard]] inline array column_stack(const arrays &arrays, place at = place())
{
  return array(tsr_column_stack(arrays, at), at);
}
[[nodiscard]] inline array tile(tsr_array x, dims_arg repeats, place at = place())
{
  return array(tsr_tile(x, repeats, at), at);
}
[[nodiscard]] inline array repeat(tsr_array x, int64_t repeats, axes_arg axis = all_axes(),
                                  place at = place())
{
  return array(tsr_repeat(x, repeats, axis, at), at);
}
[[nodiscard]] inline array repeat_counts(tsr_array x, int64_t n, const int64_t *counts,
                                         axes_arg axis = all_axes(), place at = place())
{
  return array(tsr_repeat_counts(x, n, counts, axis, at), at);
}
[[nodiscard]] inline array pad(tsr_array x, dims_arg before, dims_arg after,
                               const char *mode = "constant", operand value = 0,
                               tsr_padding a = TSR_NO_PADDING, tsr_padding b = TSR_NO_PADDING)
{
  return array(tsr_pad(x, before, after, mode, value, a, b), value.at);
}
template <class... T> [[nodiscard]] array add(operand x, operand y, const T &...more)
{
  return array(tsr_add(x, y, more...), x.at);
}
[[nodiscard]] inline array subtract(operand x, operand y)
{
  return array(tsr_subtract(x, y), x.at);
}
template <class... T> [[nodiscard]] array multiply(operand x, operand y, const T &...more)
{
  return array(tsr_multiply(x, y, more...), x.at);
}
[[nodiscard]] inline array divide(operand x, operand y)
{
  return array(tsr_divide(x, y), x.at);
}
[[nodiscard]] inline array negative(operand x)
{
  return array(tsr_negative(x), x.at);
}
[[nodiscard]] inline array absolute(operand x)
{
  return array(tsr_absolute(x), x.at);
}
[[nodiscard]] inline array minimum(operand x, operand y)
{
  return array(tsr_minimum(x, y), x.at);
}
[[nodiscard]] inline array maximum(operand x, operand y)
{
  return array(tsr_maximum(x, y), x.at);
}
[[nodiscard]] inline array sqrt(operand x)
{
  return array(tsr_sqrt(x), x.at);
}
[[nodiscard]] inline array square(operand x)
{
  return array(tsr_square(x), x.at);
}
[[nodiscard]] inline array exp(operand x)
{
  return array(tsr_exp(x), x.at);
}
[[nodiscard]] inline array expm1(operand x)
{
  return array(tsr_expm1(x), x.at);
}
[[nodiscard]] inline array log(operand x)
{
  return array(tsr_log(x), x.at);
}
[[nodiscard]] inline array log1p(operand x)
{
  return array(tsr_log1p(x), x.at);
}
[[nodiscard]] inline array tanh(operand x)
{
  return array(tsr_tanh(x), x.at);
}
[[nodiscard]] inline array erf(operand x)
{
  return array(tsr_erf(x), x.at);
}
[[nodiscard]] inline array erfc(operand x)
{
  return array(tsr_erfc(x), x.at);
}
[[nodiscard]] inline array sin(operand x)
{
  return array(tsr_sin(x), x.at);
}
[[nodiscard]] inline array cos(operand x)
{
  return array(tsr_cos(x), x.at);
}
[[nodiscard]] inline array power(operand x, operand y)
{
  return array(tsr_power(x, y), x.at);
}
[[nodiscard]] inline array hypot(operand x, operand y)
{
  return array(tsr_hypot(x, y), x.at);
}
[[nodiscard]] inline array equal(operand x, operand y)
{
  return array(tsr_equal(x, y), x.at);
}
[[nodiscard]] inline array not_equal(operand x, operand y)
{
  return array(tsr_not_equal(x, y), x.at);
}
[[nodiscard]] inline array less(operand x, operand y)
{
  return array(tsr_less(x, y), x.at);
}
[[nodiscard]] inline array less_equal(operand x, operand y)
{
  return array(tsr_less_equal(x, y), x.at);
}
[[nodiscard]] inline array greater(operand x, operand y)
{
  return array(tsr_greater(x, y), x.at);
}
[[nodiscard]] inline array greater_equal(operand x, operand y)
{
  return array(tsr_greater_equal(x, y), x.at);
}
[[nodiscard]] inline array logical_and(operand x, operand y)
{
  return array(tsr_logical_and(x, y), x.at);
}
[[nodiscard]] inline array logical_or(operand x, operand y)
{
  return array(tsr_logical_or(x, y), x.at);
}
[[nodiscard]] inline array logical_xor(operand x, operand y)
{
  return array(tsr_logical_xor(x, y), x.at);
}
[[nodiscard]] inline array logical_not(operand x)
{
  return array(tsr_logical_not(x), x.at);
}
[[nodiscard]] inline array where(operand condition, operand y, operand z)
{
  return array(tsr_where(condition, y, z), condition.at);
}
[[nodiscard]] inline array positive(operand x)
{
  return array(tsr_positive(x), x.at);
}
[[nodiscard]] inline array sign(operand x)
{
  return array(tsr_sign(x), x.at);
}
[[nodiscard]] inline array reciprocal(operand x)
{
  return array(tsr_reciprocal(x), x.at);
}
[[nodiscard]] inline array floor_divide(operand x, operand y)
{
  return array(tsr_floor_divide(x, y), x.at);
}
[[nodiscard]] inline array remainder(operand x, operand y)
{
  return array(tsr_remainder(x, y), x.at);
}
[[nodiscard]] inline array fmod(operand x, operand y)
{
  return array(tsr_fmod(x, y), x.at);
}
[[nodiscard]] inline array fmin(operand x, operand y)
{
  return array(tsr_fmin(x, y), x.at);
}
[[nodiscard]] inline array fmax(operand x, operand y)
{
  return array(tsr_fmax(x, y), x.at);
}
[[nodiscard]] inline array clip(operand x, operand low, operand high)
{
  return array(tsr_clip(x, low, high), x.at);
}
[[nodiscard]] inline array floor(operand x)
{
  return array(tsr_floor(x), x.at);
}
[[nodiscard]] inline array ceil(operand x)
{
  return array(tsr_ceil(x), x.at);
}
[[nodiscard]] inline array trunc(operand x)
{
  return array(tsr_trunc(x), x.at);
}
[[nodiscard]] inline array rint(operand x)
{
  return array(tsr_rint(x), x.at);
}
[[nodiscard]] inline array isnan(operand x)
{
  return array(tsr_isnan(x), x.at);
}
[[nodiscard]] inline array isinf(operand x)
{
  return array(tsr_isinf(x), x.at);
}
[[nodiscard]] inline array isfinite(operand x)
{
  return array(tsr_isfinite(x), x.at);
}
[[nodiscard]] inline array signbit(operand x)
{
  return array(tsr_signbit(x), x.at);
}
[[nodiscard]] inline array copysign(operand x, operand y)
{
  return array(tsr_copysign(x, y), x.at);
}
[[nodiscard]] inline array nextafter(operand x, operand y)
{
  return array(tsr_nextafter(x, y), x.at);
}
[[nodiscard]] inline array ldexp(operand x, operand n)
{
  return array(tsr_ldexp(x, n), x.at);
}
[[nodiscard]] inline array frexp_mantissa(operand x)
{
  return array(tsr_frexp_mantissa(x), x.at);
}
[[nodiscard]] inline array frexp_exponent(operand x)
{
  return array(tsr_frexp_exponent(x), x.at);
}
[[nodiscard]] inline array heaviside(operand x, operand y)
{
  return array(tsr_heaviside(x, y), x.at);
}
[[nodiscard]] inline array exp2(operand x)
{
  return array(tsr_exp2(x), x.at);
}
[[nodiscard]] inline array log2(operand x)
{
  return array(tsr_log2(x), x.at);
}
[[nodiscard]] inline array log10(operand x)
{
  return array(tsr_log10(x), x.at);
}
[[nodiscard]] inline array cbrt(operand x)
{
  return array(tsr_cbrt(x), x.at);
}
[[nodiscard]] inline array logaddexp(operand x, operand y)
{
  return array(tsr_logaddexp(x, y), x.at);
}
[[nodiscard]] inline array tan(operand x)
{
  return array(tsr_tan(x), x.at);
}
[[nodiscard]] inline array arcsin(operand x)
{
  return array(tsr_arcsin(x), x.at);
}
[[nodiscard]] inline array arccos(operand x)
{
  return array(tsr_arccos(x), x.at);
}
[[nodiscard]] inline array arctan(operand x)
{
  return array(tsr_arctan(x), x.at);
}
[[nodiscard]] inline array arctan2(operand y, operand x)
{
  return array(tsr_arctan2(y, x), y.at);
}
[[nodiscard]] inline array sinh(operand x)
{
  return array(tsr_sinh(x), x.at);
}
[[nodiscard]] inline array cosh(operand x)
{
  return array(tsr_cosh(x), x.at);
}
[[nodiscard]] inline array arcsinh(operand x)
{
  return array(tsr_arcsinh(x), x.at);
}
[[nodiscard]] inline array arccosh(operand x)
{
  return array(tsr_arccosh(x), x.at);
}
[[nodiscard]] inline array arctanh(operand x)
{
  return array(tsr_arctanh(x), x.at);
}
[[nodiscard]] inline array gamma(operand x)
{
  return array(tsr_gamma(x), x.at);
}
[[nodiscard]] inline array lgamma(operand x)
{
  return array(tsr_lgamma(x), x.at);
}
[[nodiscard]] inline array deg2rad(operand x)
{
  return array(tsr_deg2rad(x), x.at);
}
[[nodiscard]] inline array rad2deg(operand x)
{
  return array(tsr_rad2deg(x), x.at);
}
[[nodiscard]] inline array sinc(operand x)
{
  return array(tsr_sinc(x), x.at);
}
[[nodiscard]] inline array bitwise_and(operand x, operand y)
{
  return array(tsr_bitwise_and(x, y), x.at);
}
[[nodiscard]] inline array bitwise_or(operand x, operand y)
{
  return array(tsr_bitwise_or(x, y), x.at);
}
[[nodiscard]] inline array bitwise_xor(operand x, operand y)
{
  return array(tsr_bitwise_xor(x, y), x.at);
}
[[nodiscard]] inline array invert(operand x)
{
  return array(tsr_invert(x), x.at);
}
[[nodiscard]] inline array left_shift(operand x, operand y)
{
  return array(tsr_left_shift(x, y), x.at);
}
[[nodiscard]] inline array right_shift(operand x, operand y)
{
  return array(tsr_right_shift(x, y), x.at);
}
[[nodiscard]] inline array gcd(operand x, operand y)
{
  return array(tsr_gcd(x, y), x.at);
}
[[nodiscard]] inline array lcm(operand x, operand y)
{
  return array(tsr_lcm(x, y), x.at);
}
[[nodiscard]] inline array real(operand x)
{
  return array(tsr_real(x), x.at);
}
[[nodiscard]] inline array imag(operand x)
{
  return array(tsr_imag(x), x.at);
}
[[nodiscard]] inline array conj(operand x)
{
  return array(tsr_conj(x), x.at);
}
[[nodiscard]] inline array complex(operand x, operand y)
{
  return array(tsr_complex(x, y), x.at);
}
[[nodiscard]] inline array isclose(operand x, operand y, double rtol = 1e-5, double atol = 1e-8,
                                   bool equal_nan = false)
{
  return array(tsr_isclose(x, y, rtol, atol, equal_nan), x.at);
}
[[nodiscard]] inline array round(operand x, int decimals = 0)
{
  return array(tsr_round(x, decimals), x.at);
}
[[nodiscard]] inline array angle(operand x)
{
  return array(tsr_angle(x), x.at);
}
[[nodiscard]] inline array logaddexp2(operand x, operand y)
{
  return array(tsr_logaddexp2(x, y), x.at);
}
[[nodiscard]] inline array float_power(operand x, operand y)
{
  return array(tsr_float_power(x, y), x.at);
}
[[nodiscard]] inline array sum(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                               axes_arg c = all_axes(), axes_arg d = all_axes(),
                               axes_arg e = all_axes())
{
  return array(tsr_sum(x, a, b, c, d, e), x.at);
}
[[nodiscard]] inline array prod(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                                axes_arg c = all_axes(), axes_arg d = all_axes(),
                                axes_arg e = all_axes())
{
  return array(tsr_prod(x, a, b, c, d, e), x.at);
}
[[nodiscard]] inline array min(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                               axes_arg c = all_axes(), axes_arg d = all_axes())
{
  return array(tsr_min(x, a, b, c, d), x.at);
}
[[nodiscard]] inline array max(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                               axes_arg c = all_axes(), axes_arg d = all_axes())
{
  return array(tsr_max(x, a, b, c, d), x.at);
}
[[nodiscard]] inline array mean(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                                axes_arg c = all_axes(), axes_arg d = all_axes())
{
  return array(tsr_mean(x, a, b, c, d), x.at);
}
[[nodiscard]] inline array any(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                               axes_arg c = all_axes())
{
  return array(tsr_any(x, a, b, c), x.at);
}
[[nodiscard]] inline array all(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                               axes_arg c = all_axes())
{
  return array(tsr_all(x, a, b, c), x.at);
}
[[nodiscard]] inline array argmin(operand x, axes_arg a = all_axes(), axes_arg b = all_axes())
{
  return array(tsr_argmin(x, a, b), x.at);
}
[[nodiscard]] inline array argmax(operand x, axes_arg a = all_axes(), axes_arg b = all_axes())
{
  return array(tsr_argmax(x, a, b), x.at);
}
[[nodiscard]] inline array rng_uniform(tsr_rng *rng, operand low, operand high, dims_arg shape,
                                       tsr_dtype dtype = TSR_FLOAT64)
{
  return array(tsr_rng_uniform(rng, low, high, shape, dtype), low.at);
}
[[nodiscard]] inline array rng_normal(tsr_rng *rng, operand loc, operand scale, dims_arg shape,
                                      tsr_dtype dtype = TSR_FLOAT64)
{
  return array(tsr_rng_normal(rng, loc, scale, shape, dtype), loc.at);
}
[[nodiscard]] inline array rng_exponential(tsr_rng *rng, operand scale, dims_arg shape,
                                           tsr_dtype dtype = TSR_FLOAT64)
{
  return array(tsr_rng_exponential(rng, scale, shape, dtype), scale.at);
}
[[nodiscard]] inline array rng_integers(tsr_rng *rng, operand low, operand high, dims_arg shape,
                                        tsr_dtype dtype = TSR_INT64)
{
  return array(tsr_rng_integers(rng, low, high, shape, dtype), low.at);
}
[[nodiscard]] inline array rng_permutation(tsr_rng *rng, operand x)
{
  return array(tsr_rng_permutation(rng, x), x.at);
}
[[nodiscard]] inline array rng_choice(tsr_rng *rng, operand x, dims_arg shape, bool replace = true)
{
  return array(tsr_rng_choice(rng, x, shape, replace), x.at);
}
[[nodiscard]] inline array count_nonzero(operand x, axes_arg a = all_axes(),
                                         axes_arg b = all_axes())
{
  return array(tsr_count_nonzero(x, a, b), x.at);
}
[[nodiscard]] inline array ptp(operand x, axes_arg a = all_axes(), axes_arg b = all_axes())
{
  return array(tsr_ptp(x, a, b), x.at);
}
[[nodiscard]] inline array var(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                               axes_arg c = all_axes(), axes_arg d = all_axes(),
                               axes_arg e = all_axes())
{
  return array(tsr_var(x, a, b, c, d, e), x.at);
}
[[nodiscard]] inline array std(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                               axes_arg c = all_axes(), axes_arg d = all_axes(),
                               axes_arg e = all_axes())
{
  return array(tsr_std(x, a, b, c, d, e), x.at);
}
[[nodiscard]] inline array nansum(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                                  axes_arg c = all_axes(), axes_arg d = all_axes(),
                                  axes_arg e = all_axes())
{
  return array(tsr_nansum(x, a, b, c, d, e), x.at);
}
[[nodiscard]] inline array nanprod(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                                   axes_arg c = all_axes(), axes_arg d = all_axes(),
                                   axes_arg e = all_axes())
{
  return array(tsr_nanprod(x, a, b, c, d, e), x.at);
}
[[nodiscard]] inline array nanmin(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                                  axes_arg c = all_axes(), axes_arg d = all_axes())
{
  return array(tsr_nanmin(x, a, b, c, d), x.at);
}
[[nodiscard]] inline array nanmax(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                                  axes_arg c = all_axes(), axes_arg d = all_axes())
{
  return array(tsr_nanmax(x, a, b, c, d), x.at);
}
[[nodiscard]] inline array nanmean(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                                   axes_arg c = all_axes(), axes_arg d = all_axes())
{
  return array(tsr_nanmean(x, a, b, c, d), x.at);
}
[[nodiscard]] inline array nanvar(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                                  axes_arg c = all_axes(), axes_arg d = all_axes(),
                                  axes_arg e = all_axes())
{
  return array(tsr_nanvar(x, a, b, c, d, e), x.at);
}
[[nodiscard]] inline array nanstd(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                                  axes_arg c = all_axes(), axes_arg d = all_axes(),
                                  axes_arg e = all_axes())
{
  return array(tsr_nanstd(x, a, b, c, d, e), x.at);
}
[[nodiscard]] inline array nanargmin(operand x, axes_arg a = all_axes(), axes_arg b = all_axes())
{
  return array(tsr_nanargmin(x, a, b), x.at);
}
[[nodiscard]] inline array nanargmax(operand x, axes_arg a = all_axes(), axes_arg b = all_axes())
{
  return array(tsr_nanargmax(x, a, b), x.at);
}
[[nodiscard]] inline array norm(operand x, axes_arg a = all_axes(), axes_arg b = all_axes(),
                                axes_arg c = all_axes())
{
  return array(tsr_norm(x, a, b, c), x.at);
}
[[nodiscard]] inline array average(operand x, operand weights, axes_arg a = all_axes(),
                                   axes_arg b = all_axes())
{
  return array(tsr_average(x, weights, a, b), x.at);
}
[[nodiscard]] inline array median(operand x, axes_arg a = all_axes(), axes_arg b = all_axes())
{
  return array(tsr_median(x, a, b), x.at);
}
[[nodiscard]] inline array quantile(operand x, operand q, axes_arg a = all_axes(),
                                    axes_arg b = all_axes(), axes_arg c = all_axes(),
                                    axes_arg d = all_axes())
{
  return array(tsr_quantile(x, q, a, b, c, d), x.at);
}
[[nodiscard]] inline array percentile(operand x, operand q, axes_arg a = all_axes(),
                                      axes_arg b = all_axes(), axes_arg c = all_axes(),
                                      axes_arg d = all_axes())
{
  return array(tsr_percentile(x, q, a, b, c, d), x.at);
}
[[nodiscard]] inline array nanmedian(operand x, axes_arg a = all_axes(), axes_arg b = all_axes())
{
  return array(tsr_nanmedian(x, a, b), x.at);
}
[[nodiscard]] inline array nanquantile(operand x, operand q, axes_arg a = all_axes(),
                                       axes_arg b = all_axes(), axes_arg c = all_axes(),
                                       axes_arg d = all_axes())
{
  return array(tsr_nanquantile(x, q, a, b, c, d), x.at);
}
[[nodiscard]] inline array nanpercentile(operand x, operand q, axes_arg a = all_axes(),
                                         axes_arg b = all_axes(), axes_arg c = all_axes(),
                                         axes_arg d = all_axes())
{
  return array(tsr_nanpercentile(x, q, a, b, c, d), x.at);
}
[[nodiscard]] inline array cumsum(operand x, axis_arg axis = TSR_ONLY_AXIS,
                                  tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return array(tsr_cumsum(x, axis, dtype), x.at);
}
[[nodiscard]] inline array cumprod(operand x, axis_arg axis = TSR_ONLY_AXIS,
                                   tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return array(tsr_cumprod(x, axis, dtype), x.at);
}
[[nodiscard]] inline array cummax(operand x, axis_arg axis = TSR_ONLY_AXIS)
{
  return array(tsr_cummax(x, axis), x.at);
}
[[nodiscard]] inline array cummin(operand x, axis_arg axis = TSR_ONLY_AXIS)
{
  return array(tsr_cummin(x, axis), x.at);
}
[[nodiscard]] inline array diff(operand x, int times = 1, axis_arg axis = -1,
                                operand prepend = TSR_NONE, operand append = TSR_NONE)
{
  return array(tsr_diff(x, times, axis, prepend, append), x.at);
}
[[nodiscard]] inline array trapezoid(operand y, operand x = 1, axis_arg axis = -1)
{
  return array(tsr_trapezoid(y, x, axis), y.at);
}
[[nodiscard]] inline array inner(operand x, operand y)
{
  return array(tsr_inner(x, y), x.at);
}
[[nodiscard]] inline array dot(operand x, operand y)
{
  return array(tsr_dot(x, y), x.at);
}
[[nodiscard]] inline array vdot(operand x, operand y)
{
  return array(tsr_vdot(x, y), x.at);
}
[[nodiscard]] inline array outer(operand x, operand y)
{
  return array(tsr_outer(x, y), x.at);
}
[[nodiscard]] inline array vecdot(operand x, operand y, axis_arg axis = -1)
{
  return array(tsr_vecdot(x, y, axis), x.at);
}
[[nodiscard]] inline array cross(operand x, operand y, axis_arg axis = -1)
{
  return array(tsr_cross(x, y, axis), x.at);
}
[[nodiscard]] inline array kron(operand x, operand y)
{
  return array(tsr_kron(x, y), x.at);
}
[[nodiscard]] inline array trace(operand x, int64_t offset = 0, axis_arg axis1 = 0,
                                 axis_arg axis2 = 1)
{
  return array(tsr_trace(x, offset, axis1, axis2), x.at);
}
[[nodiscard]] inline array ufunc_reduce(const char *ufunc, operand x, axes_arg a = all_axes(),
                                        axes_arg b = all_axes(), axes_arg c = all_axes(),
                                        axes_arg d = all_axes(), axes_arg e = all_axes())
{
  return array(tsr_ufunc_reduce(ufunc, x, a, b, c, d, e), x.at);
}
[[nodiscard]] inline array ufunc_accumulate(const char *ufunc, operand x, axis_arg axis = 0,
                                            tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return array(tsr_ufunc_accumulate(ufunc, x, axis, dtype), x.at);
}
[[nodiscard]] inline array ufunc_outer(const char *ufunc, operand x, operand y)
{
  return array(tsr_ufunc_outer(ufunc, x, y), x.at);
}
[[nodiscard]] inline array matmul(operand x, operand y)
{
  return array(tsr_matmul(x, y), x.at);
}
template <class... T>
[[nodiscard]] array einsum(const char *subscripts, operand x, const T &...more)
{
  return array(tsr_einsum(subscripts, x, more...), x.at);
}
template <class... T> [[nodiscard]] array call(tsr_function f, operand x, const T &...more)
{
  return array(tsr_call(f, x, more...), x.at);
}
template <class... T>
[[nodiscard]] array call_axes(tsr_function f, axes_arg axes, bool keepdims, operand x,
                              const T &...more)
{
  return array(tsr_call_axes(f, axes, keepdims, x, more...), x.at);
}
template <class... T> [[nodiscard]] array picture(operand x, T... options)
{
  return array(tsr_picture(x, options...), x.at);
}
[[nodiscard]] inline array panels(const arrays &pictures, int columns = 0, place at = place())
{
  return array(tsr_panels(pictures, columns, at), at);
}
[[nodiscard]] inline array load_png(const char *path, place at = place())
{
  return array(tsr_load_png(path, at), at);
}
[[nodiscard]] inline array load_npy(const char *path, place at = place())
{
  return array(tsr_load_npy(path, at), at);
}

} /* namespace tessera */
#endif
#endif
