/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/reductions.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_sum)(tsr_array x, tsr_axes options)
{
  SITE(tsr_sum);
  return tsr_sum_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_prod)(tsr_array x, tsr_axes options)
{
  SITE(tsr_prod);
  return tsr_prod_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_min)(tsr_array x, tsr_axes options)
{
  SITE(tsr_min);
  return tsr_min_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_max)(tsr_array x, tsr_axes options)
{
  SITE(tsr_max);
  return tsr_max_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_mean)(tsr_array x, tsr_axes options)
{
  SITE(tsr_mean);
  return tsr_mean_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_any)(tsr_array x, tsr_axes options)
{
  SITE(tsr_any);
  return tsr_any_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_all)(tsr_array x, tsr_axes options)
{
  SITE(tsr_all);
  return tsr_all_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_argmin)(tsr_array x, tsr_axes options)
{
  SITE(tsr_argmin);
  return tsr_argmin_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_argmax)(tsr_array x, tsr_axes options)
{
  SITE(tsr_argmax);
  return tsr_argmax_at(&site, tsr_box_array(x), 1, &options);
}
