/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/ufuncs.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define HERE(name) static const tsr_location here = {.op = #name}

tsr_array(tsr_ufunc_reduce)(const char *ufunc, tsr_array x, tsr_axes options)
{
  HERE(tsr_ufunc_reduce);
  return tsr_ufunc_reduce_at(&here, ufunc, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_ufunc_accumulate)(const char *ufunc, tsr_array x, int axis, tsr_dtype dtype)
{
  HERE(tsr_ufunc_accumulate);
  return tsr_ufunc_accumulate_at(&here, ufunc, tsr_box_array(x), axis, dtype);
}

tsr_array(tsr_ufunc_outer)(const char *ufunc, tsr_array x, tsr_array y)
{
  HERE(tsr_ufunc_outer);
  return tsr_ufunc_outer_at(&here, ufunc, tsr_box_array(x), tsr_box_array(y));
}
