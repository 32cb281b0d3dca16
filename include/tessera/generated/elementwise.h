/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/elementwise.h, which is the manual and includes this file. */
#include "tessera/elementwise.h"

#ifndef TESSERA_GENERATED_ELEMENTWISE_H
#define TESSERA_GENERATED_ELEMENTWISE_H

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
TSR_API tsr_array tsr_logical_xor_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_logical_not_at(const tsr_location *where, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_where_at(const tsr_location *where, int n, const tsr_operand *xs);

#ifdef __cplusplus
}

template <class... T>
[[nodiscard]] tsr_array tsr_add(::tessera::operand x, ::tessera::operand y, const T &...more)
{
  static_assert(sizeof...(T) <= 14, "tsr_add: wrong number of arguments (takes 2 to 16)");
  const tsr_operand xs[] = {x.value, y.value, ::tessera::box(more)...};
  return ::tessera::checked(
      tsr_add_at(x.at.record("tsr_add"), static_cast<int>(sizeof...(T)) + 2, xs));
}

[[nodiscard]] inline tsr_array tsr_subtract(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_subtract_at(x.at.record("tsr_subtract"), 2, xs));
}

template <class... T>
[[nodiscard]] tsr_array tsr_multiply(::tessera::operand x, ::tessera::operand y, const T &...more)
{
  static_assert(sizeof...(T) <= 14, "tsr_multiply: wrong number of arguments (takes 2 to 16)");
  const tsr_operand xs[] = {x.value, y.value, ::tessera::box(more)...};
  return ::tessera::checked(
      tsr_multiply_at(x.at.record("tsr_multiply"), static_cast<int>(sizeof...(T)) + 2, xs));
}

[[nodiscard]] inline tsr_array tsr_divide(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_divide_at(x.at.record("tsr_divide"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_negative(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_negative_at(x.at.record("tsr_negative"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_absolute(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_absolute_at(x.at.record("tsr_absolute"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_minimum(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_minimum_at(x.at.record("tsr_minimum"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_maximum(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_maximum_at(x.at.record("tsr_maximum"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_sqrt(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_sqrt_at(x.at.record("tsr_sqrt"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_square(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_square_at(x.at.record("tsr_square"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_exp(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_exp_at(x.at.record("tsr_exp"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_expm1(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_expm1_at(x.at.record("tsr_expm1"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_log(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_log_at(x.at.record("tsr_log"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_log1p(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_log1p_at(x.at.record("tsr_log1p"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_tanh(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_tanh_at(x.at.record("tsr_tanh"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_erf(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_erf_at(x.at.record("tsr_erf"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_erfc(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_erfc_at(x.at.record("tsr_erfc"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_sin(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_sin_at(x.at.record("tsr_sin"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_cos(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_cos_at(x.at.record("tsr_cos"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_power(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_power_at(x.at.record("tsr_power"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_hypot(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_hypot_at(x.at.record("tsr_hypot"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_equal(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_equal_at(x.at.record("tsr_equal"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_not_equal(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_not_equal_at(x.at.record("tsr_not_equal"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_less(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_less_at(x.at.record("tsr_less"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_less_equal(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_less_equal_at(x.at.record("tsr_less_equal"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_greater(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_greater_at(x.at.record("tsr_greater"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_greater_equal(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_greater_equal_at(x.at.record("tsr_greater_equal"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_logical_and(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_logical_and_at(x.at.record("tsr_logical_and"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_logical_or(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_logical_or_at(x.at.record("tsr_logical_or"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_logical_xor(::tessera::operand x, ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_logical_xor_at(x.at.record("tsr_logical_xor"), 2, xs));
}

[[nodiscard]] inline tsr_array tsr_logical_not(::tessera::operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_logical_not_at(x.at.record("tsr_logical_not"), 1, xs));
}

[[nodiscard]] inline tsr_array tsr_where(::tessera::operand condition, ::tessera::operand y,
                                         ::tessera::operand z)
{
  const tsr_operand xs[] = {condition.value, y.value, z.value};
  return ::tessera::checked(tsr_where_at(condition.at.record("tsr_where"), 3, xs));
}

#else

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
#define tsr_logical_xor(...)                                                                       \
  TSR__CALL(tsr_logical_xor, 2, 2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_logical_not(...)                                                                       \
  TSR__CALL(tsr_logical_not, 1, 1, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_where(...) TSR__CALL(tsr_where, 3, 3, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#define tsr_true_divide tsr_divide
#define tsr_abs tsr_absolute
#define tsr_pow tsr_power

#endif
