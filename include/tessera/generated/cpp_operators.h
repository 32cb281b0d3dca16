/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/cpp_array.h: the operators of handles, whose results are handles, and those with an owning
 * array, whose results own. The built-in operators keep numbers among themselves. */
#include "tessera/cpp_array.h"

#ifndef TESSERA_GENERATED_CPP_OPERATORS_H
#define TESSERA_GENERATED_CPP_OPERATORS_H
#ifdef __cplusplus

[[nodiscard]] inline tsr_array operator+(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_add_at(x.at.record("operator+"), 2, xs));
}

[[nodiscard]] inline tsr_array operator-(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_subtract_at(x.at.record("operator-"), 2, xs));
}

[[nodiscard]] inline tsr_array operator*(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_multiply_at(x.at.record("operator*"), 2, xs));
}

[[nodiscard]] inline tsr_array operator/(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_divide_at(x.at.record("operator/"), 2, xs));
}

[[nodiscard]] inline tsr_array operator%(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_remainder_at(x.at.record("operator%"), 2, xs));
}

[[nodiscard]] inline tsr_array operator==(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_equal_at(x.at.record("operator=="), 2, xs));
}

[[nodiscard]] inline tsr_array operator!=(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_not_equal_at(x.at.record("operator!="), 2, xs));
}

[[nodiscard]] inline tsr_array operator<(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_less_at(x.at.record("operator<"), 2, xs));
}

[[nodiscard]] inline tsr_array operator<=(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_less_equal_at(x.at.record("operator<="), 2, xs));
}

[[nodiscard]] inline tsr_array operator>(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_greater_at(x.at.record("operator>"), 2, xs));
}

[[nodiscard]] inline tsr_array operator>=(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_greater_equal_at(x.at.record("operator>="), 2, xs));
}

[[nodiscard]] inline tsr_array operator&(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_bitwise_and_at(x.at.record("operator&"), 2, xs));
}

[[nodiscard]] inline tsr_array operator|(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_bitwise_or_at(x.at.record("operator|"), 2, xs));
}

[[nodiscard]] inline tsr_array operator^(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_bitwise_xor_at(x.at.record("operator^"), 2, xs));
}

[[nodiscard]] inline tsr_array operator<<(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_left_shift_at(x.at.record("operator<<"), 2, xs));
}

[[nodiscard]] inline tsr_array operator>>(::tessera::handle_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return ::tessera::checked(tsr_right_shift_at(x.at.record("operator>>"), 2, xs));
}

[[nodiscard]] inline tsr_array operator-(::tessera::handle_operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_negative_at(x.at.record("operator-"), 1, xs));
}

[[nodiscard]] inline tsr_array operator~(::tessera::handle_operand x)
{
  const tsr_operand xs[] = {x.value};
  return ::tessera::checked(tsr_invert_at(x.at.record("operator~"), 1, xs));
}

namespace tessera {

[[nodiscard]] inline array operator+(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_add_at(x.at.record("operator+"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator+(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_add_at(x.at.record("operator+"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator+(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_add_at(x.at.record("operator+"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator-(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_subtract_at(x.at.record("operator-"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator-(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_subtract_at(x.at.record("operator-"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator-(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_subtract_at(x.at.record("operator-"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator*(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_multiply_at(x.at.record("operator*"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator*(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_multiply_at(x.at.record("operator*"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator*(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_multiply_at(x.at.record("operator*"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator/(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_divide_at(x.at.record("operator/"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator/(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_divide_at(x.at.record("operator/"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator/(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_divide_at(x.at.record("operator/"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator%(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_remainder_at(x.at.record("operator%"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator%(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_remainder_at(x.at.record("operator%"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator%(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_remainder_at(x.at.record("operator%"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator==(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_equal_at(x.at.record("operator=="), 2, xs)), x.at);
}

[[nodiscard]] inline array operator==(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_equal_at(x.at.record("operator=="), 2, xs)), x.at);
}

[[nodiscard]] inline array operator==(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_equal_at(x.at.record("operator=="), 2, xs)), x.at);
}

[[nodiscard]] inline array operator!=(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_not_equal_at(x.at.record("operator!="), 2, xs)), x.at);
}

[[nodiscard]] inline array operator!=(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_not_equal_at(x.at.record("operator!="), 2, xs)), x.at);
}

[[nodiscard]] inline array operator!=(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_not_equal_at(x.at.record("operator!="), 2, xs)), x.at);
}

[[nodiscard]] inline array operator<(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_less_at(x.at.record("operator<"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator<(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_less_at(x.at.record("operator<"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator<(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_less_at(x.at.record("operator<"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator<=(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_less_equal_at(x.at.record("operator<="), 2, xs)), x.at);
}

[[nodiscard]] inline array operator<=(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_less_equal_at(x.at.record("operator<="), 2, xs)), x.at);
}

[[nodiscard]] inline array operator<=(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_less_equal_at(x.at.record("operator<="), 2, xs)), x.at);
}

[[nodiscard]] inline array operator>(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_greater_at(x.at.record("operator>"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator>(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_greater_at(x.at.record("operator>"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator>(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_greater_at(x.at.record("operator>"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator>=(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_greater_equal_at(x.at.record("operator>="), 2, xs)), x.at);
}

[[nodiscard]] inline array operator>=(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_greater_equal_at(x.at.record("operator>="), 2, xs)), x.at);
}

[[nodiscard]] inline array operator>=(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_greater_equal_at(x.at.record("operator>="), 2, xs)), x.at);
}

[[nodiscard]] inline array operator&(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_bitwise_and_at(x.at.record("operator&"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator&(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_bitwise_and_at(x.at.record("operator&"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator&(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_bitwise_and_at(x.at.record("operator&"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator|(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_bitwise_or_at(x.at.record("operator|"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator|(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_bitwise_or_at(x.at.record("operator|"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator|(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_bitwise_or_at(x.at.record("operator|"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator^(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_bitwise_xor_at(x.at.record("operator^"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator^(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_bitwise_xor_at(x.at.record("operator^"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator^(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_bitwise_xor_at(x.at.record("operator^"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator<<(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_left_shift_at(x.at.record("operator<<"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator<<(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_left_shift_at(x.at.record("operator<<"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator<<(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_left_shift_at(x.at.record("operator<<"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator>>(::tessera::array_operand x, ::tessera::handle_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_right_shift_at(x.at.record("operator>>"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator>>(::tessera::handle_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_right_shift_at(x.at.record("operator>>"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator>>(::tessera::array_operand x, ::tessera::array_operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return array(::tessera::checked(tsr_right_shift_at(x.at.record("operator>>"), 2, xs)), x.at);
}

[[nodiscard]] inline array operator-(::tessera::array_operand x)
{
  const tsr_operand xs[] = {x.value};
  return array(::tessera::checked(tsr_negative_at(x.at.record("operator-"), 1, xs)), x.at);
}

[[nodiscard]] inline array operator~(::tessera::array_operand x)
{
  const tsr_operand xs[] = {x.value};
  return array(::tessera::checked(tsr_invert_at(x.at.record("operator~"), 1, xs)), x.at);
}

inline const array &operator+=(const array &x, operand y)
{
  written(tsr_iadd_at(y.at.record("operator+="), x, y.value));
  return x;
}

inline const array &operator-=(const array &x, operand y)
{
  written(tsr_isub_at(y.at.record("operator-="), x, y.value));
  return x;
}

inline const array &operator*=(const array &x, operand y)
{
  written(tsr_imul_at(y.at.record("operator*="), x, y.value));
  return x;
}

inline const array &operator/=(const array &x, operand y)
{
  written(tsr_idiv_at(y.at.record("operator/="), x, y.value));
  return x;
}

inline const array &operator%=(const array &x, operand y)
{
  written(tsr_imod_at(y.at.record("operator%="), x, y.value));
  return x;
}

inline const array &operator&=(const array &x, operand y)
{
  written(tsr_iand_at(y.at.record("operator&="), x, y.value));
  return x;
}

inline const array &operator|=(const array &x, operand y)
{
  written(tsr_ior_at(y.at.record("operator|="), x, y.value));
  return x;
}

inline const array &operator^=(const array &x, operand y)
{
  written(tsr_ixor_at(y.at.record("operator^="), x, y.value));
  return x;
}

inline const array &operator<<=(const array &x, operand y)
{
  written(tsr_ilshift_at(y.at.record("operator<<="), x, y.value));
  return x;
}

inline const array &operator>>=(const array &x, operand y)
{
  written(tsr_irshift_at(y.at.record("operator>>="), x, y.value));
  return x;
}

} /* namespace tessera */
#endif
#endif
