/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/statistics.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_count_nonzero)(tsr_array x, tsr_axes options)
{
  SITE(tsr_count_nonzero);
  return tsr_count_nonzero_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_ptp)(tsr_array x, tsr_axes options)
{
  SITE(tsr_ptp);
  return tsr_ptp_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_var)(tsr_array x, tsr_axes options)
{
  SITE(tsr_var);
  return tsr_var_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_std)(tsr_array x, tsr_axes options)
{
  SITE(tsr_std);
  return tsr_std_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_nansum)(tsr_array x, tsr_axes options)
{
  SITE(tsr_nansum);
  return tsr_nansum_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_nanprod)(tsr_array x, tsr_axes options)
{
  SITE(tsr_nanprod);
  return tsr_nanprod_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_nanmin)(tsr_array x, tsr_axes options)
{
  SITE(tsr_nanmin);
  return tsr_nanmin_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_nanmax)(tsr_array x, tsr_axes options)
{
  SITE(tsr_nanmax);
  return tsr_nanmax_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_nanmean)(tsr_array x, tsr_axes options)
{
  SITE(tsr_nanmean);
  return tsr_nanmean_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_nanvar)(tsr_array x, tsr_axes options)
{
  SITE(tsr_nanvar);
  return tsr_nanvar_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_nanstd)(tsr_array x, tsr_axes options)
{
  SITE(tsr_nanstd);
  return tsr_nanstd_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_nanargmin)(tsr_array x, tsr_axes options)
{
  SITE(tsr_nanargmin);
  return tsr_nanargmin_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_nanargmax)(tsr_array x, tsr_axes options)
{
  SITE(tsr_nanargmax);
  return tsr_nanargmax_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_norm)(tsr_array x, tsr_axes options)
{
  SITE(tsr_norm);
  return tsr_norm_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_average)(tsr_array x, tsr_array weights, tsr_axes options)
{
  SITE(tsr_average);
  return tsr_average_at(&site, tsr_box_array(x), tsr_box_array(weights), 1, &options);
}

tsr_array(tsr_median)(tsr_array x, tsr_axes options)
{
  SITE(tsr_median);
  return tsr_median_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_quantile)(tsr_array x, double q, tsr_axes options)
{
  SITE(tsr_quantile);
  return tsr_quantile_at(&site, tsr_box_array(x), tsr_box_float(q), 1, &options);
}

tsr_array(tsr_percentile)(tsr_array x, double q, tsr_axes options)
{
  SITE(tsr_percentile);
  return tsr_percentile_at(&site, tsr_box_array(x), tsr_box_float(q), 1, &options);
}

tsr_array(tsr_nanmedian)(tsr_array x, tsr_axes options)
{
  SITE(tsr_nanmedian);
  return tsr_nanmedian_at(&site, tsr_box_array(x), 1, &options);
}

tsr_array(tsr_nanquantile)(tsr_array x, double q, tsr_axes options)
{
  SITE(tsr_nanquantile);
  return tsr_nanquantile_at(&site, tsr_box_array(x), tsr_box_float(q), 1, &options);
}

tsr_array(tsr_nanpercentile)(tsr_array x, double q, tsr_axes options)
{
  SITE(tsr_nanpercentile);
  return tsr_nanpercentile_at(&site, tsr_box_array(x), tsr_box_float(q), 1, &options);
}

tsr_array(tsr_cumsum)(tsr_array x, int axis, tsr_dtype dtype)
{
  SITE(tsr_cumsum);
  return tsr_cumsum_at(&site, tsr_box_array(x), axis, dtype);
}

tsr_array(tsr_cumprod)(tsr_array x, int axis, tsr_dtype dtype)
{
  SITE(tsr_cumprod);
  return tsr_cumprod_at(&site, tsr_box_array(x), axis, dtype);
}

tsr_array(tsr_cummax)(tsr_array x, int axis)
{
  SITE(tsr_cummax);
  return tsr_cummax_at(&site, tsr_box_array(x), axis);
}

tsr_array(tsr_cummin)(tsr_array x, int axis)
{
  SITE(tsr_cummin);
  return tsr_cummin_at(&site, tsr_box_array(x), axis);
}

tsr_array(tsr_diff)(tsr_array x, int times, int axis, tsr_array prepend, tsr_array append)
{
  SITE(tsr_diff);
  return tsr_diff_at(&site, tsr_box_array(x), times, axis,
                     tsr_ok(prepend) ? tsr_box_array(prepend) : TSR_NONE,
                     tsr_ok(append) ? tsr_box_array(append) : TSR_NONE);
}

tsr_array(tsr_trapezoid)(tsr_array y, double x, int axis)
{
  SITE(tsr_trapezoid);
  return tsr_trapezoid_at(&site, tsr_box_array(y), tsr_box_float(x), axis);
}

tsr_array(tsr_inner)(tsr_array x, tsr_array y)
{
  SITE(tsr_inner);
  return tsr_inner_at(&site, tsr_box_array(x), tsr_box_array(y));
}

tsr_array(tsr_dot)(tsr_array x, tsr_array y)
{
  SITE(tsr_dot);
  return tsr_dot_at(&site, tsr_box_array(x), tsr_box_array(y));
}

tsr_array(tsr_vdot)(tsr_array x, tsr_array y)
{
  SITE(tsr_vdot);
  return tsr_vdot_at(&site, tsr_box_array(x), tsr_box_array(y));
}

tsr_array(tsr_outer)(tsr_array x, tsr_array y)
{
  SITE(tsr_outer);
  return tsr_outer_at(&site, tsr_box_array(x), tsr_box_array(y));
}

tsr_array(tsr_vecdot)(tsr_array x, tsr_array y, int axis)
{
  SITE(tsr_vecdot);
  return tsr_vecdot_at(&site, tsr_box_array(x), tsr_box_array(y), axis);
}

tsr_array(tsr_cross)(tsr_array x, tsr_array y, int axis)
{
  SITE(tsr_cross);
  return tsr_cross_at(&site, tsr_box_array(x), tsr_box_array(y), axis);
}

tsr_array(tsr_kron)(tsr_array x, tsr_array y)
{
  SITE(tsr_kron);
  return tsr_kron_at(&site, tsr_box_array(x), tsr_box_array(y));
}

tsr_array(tsr_trace)(tsr_array x, int64_t offset, int axis1, int axis2)
{
  SITE(tsr_trace);
  return tsr_trace_at(&site, tsr_box_array(x), offset, axis1, axis2);
}
