/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/ufuncs.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_ufunc_reduce)(const char *ufunc, tsr_array x, tsr_axes options)
{
  SITE(tsr_ufunc_reduce);
  return tsr_ufunc_reduce_at(&site, ufunc, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_ufunc_accumulate)(const char *ufunc, tsr_array x, int axis, tsr_dtype dtype)
{
  SITE(tsr_ufunc_accumulate);
  return tsr_ufunc_accumulate_at(&site, ufunc, tsr_box_array(x), axis, dtype);
}

tsr_array(tsr_ufunc_outer)(const char *ufunc, tsr_array x, tsr_array y)
{
  SITE(tsr_ufunc_outer);
  return tsr_ufunc_outer_at(&site, ufunc, tsr_box_array(x), tsr_box_array(y));
}
