/* Arithmetic, comparisons, operators and reductions from C++17 (tessera/cpp.h). */
#ifndef TESSERA_CPP_ELEMENTWISE_H
#define TESSERA_CPP_ELEMENTWISE_H

#ifdef __cplusplus

#include "tessera/cpp.h"
#include "tessera/elementwise.h"
#include "tessera/reductions.h"

/* Elementwise. */

template <class... T>
[[nodiscard]] tsr_array tsr_add(::tessera::operand x, ::tessera::operand y, T... more)
{
  static_assert(sizeof...(T) + 2 <= TSR_MAX_OPERANDS,
                "tsr_add: wrong number of arguments (takes 2 to 16)");
  const tsr_operand xs[] = {x.value, y.value, ::tessera::box(more)...};
  return tsr_add_at(x.at.record("tsr_add"), static_cast<int>(sizeof...(T)) + 2, xs);
}

template <class... T> [[nodiscard]] tsr_dtype tsr_result_type(::tessera::operand x, T... more)
{
  const tsr_operand xs[] = {x.value, ::tessera::box(more)...};
  return tsr_result_type_at(x.at.record("tsr_result_type"), static_cast<int>(sizeof...(T)) + 1, xs);
}

[[nodiscard]] inline tsr_array tsr_subtract(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_subtract_at(x.at.record("tsr_subtract"), 2, xs);
}

template <class... T>
[[nodiscard]] tsr_array tsr_multiply(::tessera::operand x, ::tessera::operand y, T... more)
{
  static_assert(sizeof...(T) + 2 <= TSR_MAX_OPERANDS,
                "tsr_multiply: wrong number of arguments (takes 2 to 16)");
  const tsr_operand xs[] = {x.value, y.value, ::tessera::box(more)...};
  return tsr_multiply_at(x.at.record("tsr_multiply"), static_cast<int>(sizeof...(T)) + 2, xs);
}

[[nodiscard]] inline tsr_array tsr_divide(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_divide_at(x.at.record("tsr_divide"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_negative(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_negative_at(x.at.record("tsr_negative"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_absolute(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_absolute_at(x.at.record("tsr_absolute"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_minimum(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_minimum_at(x.at.record("tsr_minimum"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_maximum(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_maximum_at(x.at.record("tsr_maximum"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_sqrt(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_sqrt_at(x.at.record("tsr_sqrt"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_square(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_square_at(x.at.record("tsr_square"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_exp(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_exp_at(x.at.record("tsr_exp"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_expm1(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_expm1_at(x.at.record("tsr_expm1"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_log(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_log_at(x.at.record("tsr_log"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_log1p(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_log1p_at(x.at.record("tsr_log1p"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_tanh(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_tanh_at(x.at.record("tsr_tanh"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_erf(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_erf_at(x.at.record("tsr_erf"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_erfc(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_erfc_at(x.at.record("tsr_erfc"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_sin(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_sin_at(x.at.record("tsr_sin"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_cos(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_cos_at(x.at.record("tsr_cos"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_power(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_power_at(x.at.record("tsr_power"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_hypot(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_hypot_at(x.at.record("tsr_hypot"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_equal(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_equal_at(x.at.record("tsr_equal"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_not_equal(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_not_equal_at(x.at.record("tsr_not_equal"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_less(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_less_at(x.at.record("tsr_less"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_less_equal(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_less_equal_at(x.at.record("tsr_less_equal"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_greater(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_greater_at(x.at.record("tsr_greater"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_greater_equal(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_greater_equal_at(x.at.record("tsr_greater_equal"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_logical_and(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_logical_and_at(x.at.record("tsr_logical_and"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_logical_or(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_logical_or_at(x.at.record("tsr_logical_or"), 2, xs);
}

[[nodiscard]] inline tsr_array tsr_logical_not(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return tsr_logical_not_at(x.at.record("tsr_logical_not"), 1, xs);
}

[[nodiscard]] inline tsr_array tsr_where(::tessera::operand x, ::tessera::operand y,
                                         ::tessera::operand z)
{
  const tsr_operand xs[] = {x.value, y.value, z.value};
  return tsr_where_at(x.at.record("tsr_where"), 3, xs);
}

/* At least one operand of these is a tsr_array: the built-in operators keep numbers among
 * themselves. */
[[nodiscard]] inline tsr_array operator+(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_add_at(x.at.record("operator+"), 2, xs);
}

[[nodiscard]] inline tsr_array operator-(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_subtract_at(x.at.record("operator-"), 2, xs);
}

[[nodiscard]] inline tsr_array operator*(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_multiply_at(x.at.record("operator*"), 2, xs);
}

[[nodiscard]] inline tsr_array operator/(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_divide_at(x.at.record("operator/"), 2, xs);
}

[[nodiscard]] inline tsr_array operator==(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_equal_at(x.at.record("operator=="), 2, xs);
}

[[nodiscard]] inline tsr_array operator!=(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_not_equal_at(x.at.record("operator!="), 2, xs);
}

[[nodiscard]] inline tsr_array operator<(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_less_at(x.at.record("operator<"), 2, xs);
}

[[nodiscard]] inline tsr_array operator<=(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_less_equal_at(x.at.record("operator<="), 2, xs);
}

[[nodiscard]] inline tsr_array operator>(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_greater_at(x.at.record("operator>"), 2, xs);
}

[[nodiscard]] inline tsr_array operator>=(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_greater_equal_at(x.at.record("operator>="), 2, xs);
}

[[nodiscard]] inline tsr_array operator-(::tessera::operand x)
{
  return tsr_negative_at(x.at.record("operator-"), 1, &x.value);
}

/* Reductions. */

[[nodiscard]] inline tsr_array tsr_sum(::tessera::operand x, tsr_axes a = ::tessera::all_axes(),
                                       tsr_axes b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a, b};
  return tsr_sum_at(x.at.record("tsr_sum"), x.value, 2, options);
}

[[nodiscard]] inline tsr_array tsr_prod(::tessera::operand x, tsr_axes a = ::tessera::all_axes(),
                                        tsr_axes b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a, b};
  return tsr_prod_at(x.at.record("tsr_prod"), x.value, 2, options);
}

[[nodiscard]] inline tsr_array tsr_min(::tessera::operand x, tsr_axes a = ::tessera::all_axes(),
                                       tsr_axes b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a, b};
  return tsr_min_at(x.at.record("tsr_min"), x.value, 2, options);
}

[[nodiscard]] inline tsr_array tsr_max(::tessera::operand x, tsr_axes a = ::tessera::all_axes(),
                                       tsr_axes b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a, b};
  return tsr_max_at(x.at.record("tsr_max"), x.value, 2, options);
}

[[nodiscard]] inline tsr_array tsr_mean(::tessera::operand x, tsr_axes a = ::tessera::all_axes(),
                                        tsr_axes b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a, b};
  return tsr_mean_at(x.at.record("tsr_mean"), x.value, 2, options);
}

[[nodiscard]] inline tsr_array tsr_any(::tessera::operand x, tsr_axes a = ::tessera::all_axes(),
                                       tsr_axes b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a, b};
  return tsr_any_at(x.at.record("tsr_any"), x.value, 2, options);
}

[[nodiscard]] inline tsr_array tsr_all(::tessera::operand x, tsr_axes a = ::tessera::all_axes(),
                                       tsr_axes b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a, b};
  return tsr_all_at(x.at.record("tsr_all"), x.value, 2, options);
}

[[nodiscard]] inline tsr_array tsr_argmin(::tessera::operand x, tsr_axes a = ::tessera::all_axes(),
                                          tsr_axes b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a, b};
  return tsr_argmin_at(x.at.record("tsr_argmin"), x.value, 2, options);
}

[[nodiscard]] inline tsr_array tsr_argmax(::tessera::operand x, tsr_axes a = ::tessera::all_axes(),
                                          tsr_axes b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a, b};
  return tsr_argmax_at(x.at.record("tsr_argmax"), x.value, 2, options);
}

#endif
#endif
