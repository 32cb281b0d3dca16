/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/composed.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_isclose)(tsr_array x, tsr_array y, double rtol, double atol, bool equal_nan)
{
  SITE(tsr_isclose);
  return tsr_isclose_at(&site, tsr_box_array(x), tsr_box_array(y), rtol, atol, equal_nan);
}

tsr_array(tsr_round)(tsr_array x, int decimals)
{
  SITE(tsr_round);
  return tsr_round_at(&site, tsr_box_array(x), decimals);
}

tsr_array(tsr_angle)(tsr_array x)
{
  SITE(tsr_angle);
  return tsr_angle_at(&site, tsr_box_array(x));
}

tsr_array(tsr_logaddexp2)(tsr_array x, tsr_array y)
{
  SITE(tsr_logaddexp2);
  return tsr_logaddexp2_at(&site, tsr_box_array(x), tsr_box_array(y));
}

tsr_array(tsr_float_power)(tsr_array x, tsr_array y)
{
  SITE(tsr_float_power);
  return tsr_float_power_at(&site, tsr_box_array(x), tsr_box_array(y));
}

tsr_status(tsr_divmod)(tsr_array *out, tsr_array x, tsr_array y)
{
  SITE(tsr_divmod);
  return tsr_divmod_at(&site, out, tsr_box_array(x), tsr_box_array(y));
}

tsr_status(tsr_frexp)(tsr_array *out, tsr_array x)
{
  SITE(tsr_frexp);
  return tsr_frexp_at(&site, out, tsr_box_array(x));
}

tsr_status(tsr_modf)(tsr_array *out, tsr_array x)
{
  SITE(tsr_modf);
  return tsr_modf_at(&site, out, tsr_box_array(x));
}
