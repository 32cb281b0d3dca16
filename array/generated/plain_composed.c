/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/composed.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define HERE(name) static const tsr_location here = {.op = #name}

tsr_array(tsr_isclose)(tsr_array x, tsr_array y, double rtol, double atol, bool equal_nan)
{
  HERE(tsr_isclose);
  return tsr_isclose_at(&here, tsr_box_array(x), tsr_box_array(y), rtol, atol, equal_nan);
}

tsr_array(tsr_round)(tsr_array x, int decimals)
{
  HERE(tsr_round);
  return tsr_round_at(&here, tsr_box_array(x), decimals);
}

tsr_array(tsr_angle)(tsr_array x)
{
  HERE(tsr_angle);
  return tsr_angle_at(&here, tsr_box_array(x));
}

tsr_array(tsr_logaddexp2)(tsr_array x, tsr_array y)
{
  HERE(tsr_logaddexp2);
  return tsr_logaddexp2_at(&here, tsr_box_array(x), tsr_box_array(y));
}

tsr_array(tsr_float_power)(tsr_array x, tsr_array y)
{
  HERE(tsr_float_power);
  return tsr_float_power_at(&here, tsr_box_array(x), tsr_box_array(y));
}

tsr_status(tsr_divmod)(tsr_array *out, tsr_array x, tsr_array y)
{
  HERE(tsr_divmod);
  return tsr_divmod_at(&here, out, tsr_box_array(x), tsr_box_array(y));
}

tsr_status(tsr_frexp)(tsr_array *out, tsr_array x)
{
  HERE(tsr_frexp);
  return tsr_frexp_at(&here, out, tsr_box_array(x));
}

tsr_status(tsr_modf)(tsr_array *out, tsr_array x)
{
  HERE(tsr_modf);
  return tsr_modf_at(&here, out, tsr_box_array(x));
}
