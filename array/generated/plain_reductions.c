/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/reductions.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define HERE(name) static const tsr_location here = {.op = #name}

tsr_array(tsr_sum)(tsr_array x, tsr_axes options)
{
  HERE(tsr_sum);
  return tsr_sum_at(&here, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_prod)(tsr_array x, tsr_axes options)
{
  HERE(tsr_prod);
  return tsr_prod_at(&here, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_min)(tsr_array x, tsr_axes options)
{
  HERE(tsr_min);
  return tsr_min_at(&here, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_max)(tsr_array x, tsr_axes options)
{
  HERE(tsr_max);
  return tsr_max_at(&here, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_mean)(tsr_array x, tsr_axes options)
{
  HERE(tsr_mean);
  return tsr_mean_at(&here, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_any)(tsr_array x, tsr_axes options)
{
  HERE(tsr_any);
  return tsr_any_at(&here, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_all)(tsr_array x, tsr_axes options)
{
  HERE(tsr_all);
  return tsr_all_at(&here, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_argmin)(tsr_array x, tsr_axes options)
{
  HERE(tsr_argmin);
  return tsr_argmin_at(&here, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_argmax)(tsr_array x, tsr_axes options)
{
  HERE(tsr_argmax);
  return tsr_argmax_at(&here, tsr_box_array(x), 1, &options);
}
