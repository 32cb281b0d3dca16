/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/elementwise.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_add)(tsr_array x, tsr_array y)
{
  SITE(tsr_add);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_add_at(&site, 2, xs);
}

tsr_array(tsr_subtract)(tsr_array x, tsr_array y)
{
  SITE(tsr_subtract);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_subtract_at(&site, 2, xs);
}

tsr_array(tsr_multiply)(tsr_array x, tsr_array y)
{
  SITE(tsr_multiply);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_multiply_at(&site, 2, xs);
}

tsr_array(tsr_divide)(tsr_array x, tsr_array y)
{
  SITE(tsr_divide);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_divide_at(&site, 2, xs);
}

tsr_array(tsr_negative)(tsr_array x)
{
  SITE(tsr_negative);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_negative_at(&site, 1, xs);
}

tsr_array(tsr_absolute)(tsr_array x)
{
  SITE(tsr_absolute);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_absolute_at(&site, 1, xs);
}

tsr_array(tsr_minimum)(tsr_array x, tsr_array y)
{
  SITE(tsr_minimum);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_minimum_at(&site, 2, xs);
}

tsr_array(tsr_maximum)(tsr_array x, tsr_array y)
{
  SITE(tsr_maximum);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_maximum_at(&site, 2, xs);
}

tsr_array(tsr_sqrt)(tsr_array x)
{
  SITE(tsr_sqrt);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_sqrt_at(&site, 1, xs);
}

tsr_array(tsr_square)(tsr_array x)
{
  SITE(tsr_square);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_square_at(&site, 1, xs);
}

tsr_array(tsr_exp)(tsr_array x)
{
  SITE(tsr_exp);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_exp_at(&site, 1, xs);
}

tsr_array(tsr_expm1)(tsr_array x)
{
  SITE(tsr_expm1);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_expm1_at(&site, 1, xs);
}

tsr_array(tsr_log)(tsr_array x)
{
  SITE(tsr_log);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_log_at(&site, 1, xs);
}

tsr_array(tsr_log1p)(tsr_array x)
{
  SITE(tsr_log1p);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_log1p_at(&site, 1, xs);
}

tsr_array(tsr_tanh)(tsr_array x)
{
  SITE(tsr_tanh);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_tanh_at(&site, 1, xs);
}

tsr_array(tsr_erf)(tsr_array x)
{
  SITE(tsr_erf);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_erf_at(&site, 1, xs);
}

tsr_array(tsr_erfc)(tsr_array x)
{
  SITE(tsr_erfc);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_erfc_at(&site, 1, xs);
}

tsr_array(tsr_sin)(tsr_array x)
{
  SITE(tsr_sin);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_sin_at(&site, 1, xs);
}

tsr_array(tsr_cos)(tsr_array x)
{
  SITE(tsr_cos);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_cos_at(&site, 1, xs);
}

tsr_array(tsr_power)(tsr_array x, tsr_array y)
{
  SITE(tsr_power);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_power_at(&site, 2, xs);
}

tsr_array(tsr_hypot)(tsr_array x, tsr_array y)
{
  SITE(tsr_hypot);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_hypot_at(&site, 2, xs);
}

tsr_array(tsr_equal)(tsr_array x, tsr_array y)
{
  SITE(tsr_equal);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_equal_at(&site, 2, xs);
}

tsr_array(tsr_not_equal)(tsr_array x, tsr_array y)
{
  SITE(tsr_not_equal);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_not_equal_at(&site, 2, xs);
}

tsr_array(tsr_less)(tsr_array x, tsr_array y)
{
  SITE(tsr_less);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_less_at(&site, 2, xs);
}

tsr_array(tsr_less_equal)(tsr_array x, tsr_array y)
{
  SITE(tsr_less_equal);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_less_equal_at(&site, 2, xs);
}

tsr_array(tsr_greater)(tsr_array x, tsr_array y)
{
  SITE(tsr_greater);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_greater_at(&site, 2, xs);
}

tsr_array(tsr_greater_equal)(tsr_array x, tsr_array y)
{
  SITE(tsr_greater_equal);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_greater_equal_at(&site, 2, xs);
}

tsr_array(tsr_logical_and)(tsr_array x, tsr_array y)
{
  SITE(tsr_logical_and);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_logical_and_at(&site, 2, xs);
}

tsr_array(tsr_logical_or)(tsr_array x, tsr_array y)
{
  SITE(tsr_logical_or);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_logical_or_at(&site, 2, xs);
}

tsr_array(tsr_logical_xor)(tsr_array x, tsr_array y)
{
  SITE(tsr_logical_xor);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_logical_xor_at(&site, 2, xs);
}

tsr_array(tsr_logical_not)(tsr_array x)
{
  SITE(tsr_logical_not);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_logical_not_at(&site, 1, xs);
}

tsr_array(tsr_where)(tsr_array condition, tsr_array y, tsr_array z)
{
  SITE(tsr_where);
  const tsr_operand xs[] = {tsr_box_array(condition), tsr_box_array(y), tsr_box_array(z)};
  return tsr_where_at(&site, 3, xs);
}
