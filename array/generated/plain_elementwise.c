/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/elementwise.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define HERE(name) static const tsr_location here = {.op = #name}

tsr_array(tsr_add)(tsr_array x, tsr_array y)
{
  HERE(tsr_add);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_add_at(&here, 2, xs);
}

tsr_array(tsr_subtract)(tsr_array x, tsr_array y)
{
  HERE(tsr_subtract);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_subtract_at(&here, 2, xs);
}

tsr_array(tsr_multiply)(tsr_array x, tsr_array y)
{
  HERE(tsr_multiply);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_multiply_at(&here, 2, xs);
}

tsr_array(tsr_divide)(tsr_array x, tsr_array y)
{
  HERE(tsr_divide);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_divide_at(&here, 2, xs);
}

tsr_array(tsr_negative)(tsr_array x)
{
  HERE(tsr_negative);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_negative_at(&here, 1, xs);
}

tsr_array(tsr_absolute)(tsr_array x)
{
  HERE(tsr_absolute);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_absolute_at(&here, 1, xs);
}

tsr_array(tsr_minimum)(tsr_array x, tsr_array y)
{
  HERE(tsr_minimum);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_minimum_at(&here, 2, xs);
}

tsr_array(tsr_maximum)(tsr_array x, tsr_array y)
{
  HERE(tsr_maximum);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_maximum_at(&here, 2, xs);
}

tsr_array(tsr_sqrt)(tsr_array x)
{
  HERE(tsr_sqrt);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_sqrt_at(&here, 1, xs);
}

tsr_array(tsr_square)(tsr_array x)
{
  HERE(tsr_square);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_square_at(&here, 1, xs);
}

tsr_array(tsr_exp)(tsr_array x)
{
  HERE(tsr_exp);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_exp_at(&here, 1, xs);
}

tsr_array(tsr_expm1)(tsr_array x)
{
  HERE(tsr_expm1);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_expm1_at(&here, 1, xs);
}

tsr_array(tsr_log)(tsr_array x)
{
  HERE(tsr_log);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_log_at(&here, 1, xs);
}

tsr_array(tsr_log1p)(tsr_array x)
{
  HERE(tsr_log1p);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_log1p_at(&here, 1, xs);
}

tsr_array(tsr_tanh)(tsr_array x)
{
  HERE(tsr_tanh);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_tanh_at(&here, 1, xs);
}

tsr_array(tsr_erf)(tsr_array x)
{
  HERE(tsr_erf);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_erf_at(&here, 1, xs);
}

tsr_array(tsr_erfc)(tsr_array x)
{
  HERE(tsr_erfc);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_erfc_at(&here, 1, xs);
}

tsr_array(tsr_sin)(tsr_array x)
{
  HERE(tsr_sin);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_sin_at(&here, 1, xs);
}

tsr_array(tsr_cos)(tsr_array x)
{
  HERE(tsr_cos);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_cos_at(&here, 1, xs);
}

tsr_array(tsr_power)(tsr_array x, tsr_array y)
{
  HERE(tsr_power);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_power_at(&here, 2, xs);
}

tsr_array(tsr_hypot)(tsr_array x, tsr_array y)
{
  HERE(tsr_hypot);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_hypot_at(&here, 2, xs);
}

tsr_array(tsr_equal)(tsr_array x, tsr_array y)
{
  HERE(tsr_equal);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_equal_at(&here, 2, xs);
}

tsr_array(tsr_not_equal)(tsr_array x, tsr_array y)
{
  HERE(tsr_not_equal);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_not_equal_at(&here, 2, xs);
}

tsr_array(tsr_less)(tsr_array x, tsr_array y)
{
  HERE(tsr_less);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_less_at(&here, 2, xs);
}

tsr_array(tsr_less_equal)(tsr_array x, tsr_array y)
{
  HERE(tsr_less_equal);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_less_equal_at(&here, 2, xs);
}

tsr_array(tsr_greater)(tsr_array x, tsr_array y)
{
  HERE(tsr_greater);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_greater_at(&here, 2, xs);
}

tsr_array(tsr_greater_equal)(tsr_array x, tsr_array y)
{
  HERE(tsr_greater_equal);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_greater_equal_at(&here, 2, xs);
}

tsr_array(tsr_logical_and)(tsr_array x, tsr_array y)
{
  HERE(tsr_logical_and);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_logical_and_at(&here, 2, xs);
}

tsr_array(tsr_logical_or)(tsr_array x, tsr_array y)
{
  HERE(tsr_logical_or);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_logical_or_at(&here, 2, xs);
}

tsr_array(tsr_logical_xor)(tsr_array x, tsr_array y)
{
  HERE(tsr_logical_xor);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_logical_xor_at(&here, 2, xs);
}

tsr_array(tsr_logical_not)(tsr_array x)
{
  HERE(tsr_logical_not);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_logical_not_at(&here, 1, xs);
}

tsr_array(tsr_where)(tsr_array condition, tsr_array y, tsr_array z)
{
  HERE(tsr_where);
  const tsr_operand xs[] = {tsr_box_array(condition), tsr_box_array(y), tsr_box_array(z)};
  return tsr_where_at(&here, 3, xs);
}
