/* Operators on arrays from C++17. At least one operand is a tsr_array: the built-in operators keep
 * numbers among themselves. */
#ifndef TESSERA_CPP_OPERATORS_H
#define TESSERA_CPP_OPERATORS_H

#ifdef __cplusplus

#include "tessera/elementwise.h"
#include "tessera/functions.h"

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

#endif
#endif
