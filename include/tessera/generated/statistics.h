/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/statistics.h, which is the manual and includes this file. */
#include "tessera/statistics.h"

#ifndef TESSERA_GENERATED_STATISTICS_H
#define TESSERA_GENERATED_STATISTICS_H

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_count_nonzero_at(const tsr_location *where, tsr_operand x, int n_options,
                                       const tsr_axes *options);
TSR_API tsr_array tsr_ptp_at(const tsr_location *where, tsr_operand x, int n_options,
                             const tsr_axes *options);
TSR_API tsr_array tsr_var_at(const tsr_location *where, tsr_operand x, int n_options,
                             const tsr_axes *options);
TSR_API tsr_array tsr_std_at(const tsr_location *where, tsr_operand x, int n_options,
                             const tsr_axes *options);
TSR_API tsr_array tsr_nansum_at(const tsr_location *where, tsr_operand x, int n_options,
                                const tsr_axes *options);
TSR_API tsr_array tsr_nanprod_at(const tsr_location *where, tsr_operand x, int n_options,
                                 const tsr_axes *options);
TSR_API tsr_array tsr_nanmin_at(const tsr_location *where, tsr_operand x, int n_options,
                                const tsr_axes *options);
TSR_API tsr_array tsr_nanmax_at(const tsr_location *where, tsr_operand x, int n_options,
                                const tsr_axes *options);
TSR_API tsr_array tsr_nanmean_at(const tsr_location *where, tsr_operand x, int n_options,
                                 const tsr_axes *options);
TSR_API tsr_array tsr_nanvar_at(const tsr_location *where, tsr_operand x, int n_options,
                                const tsr_axes *options);
TSR_API tsr_array tsr_nanstd_at(const tsr_location *where, tsr_operand x, int n_options,
                                const tsr_axes *options);
TSR_API tsr_array tsr_nanargmin_at(const tsr_location *where, tsr_operand x, int n_options,
                                   const tsr_axes *options);
TSR_API tsr_array tsr_nanargmax_at(const tsr_location *where, tsr_operand x, int n_options,
                                   const tsr_axes *options);
TSR_API tsr_array tsr_norm_at(const tsr_location *where, tsr_operand x, int n_options,
                              const tsr_axes *options);
TSR_API tsr_array tsr_average_at(const tsr_location *where, tsr_operand x, tsr_operand weights,
                                 int n_options, const tsr_axes *options);
TSR_API tsr_array tsr_median_at(const tsr_location *where, tsr_operand x, int n_options,
                                const tsr_axes *options);
TSR_API tsr_array tsr_quantile_at(const tsr_location *where, tsr_operand x, tsr_operand q,
                                  int n_options, const tsr_axes *options);
TSR_API tsr_array tsr_percentile_at(const tsr_location *where, tsr_operand x, tsr_operand q,
                                    int n_options, const tsr_axes *options);
TSR_API tsr_array tsr_nanmedian_at(const tsr_location *where, tsr_operand x, int n_options,
                                   const tsr_axes *options);
TSR_API tsr_array tsr_nanquantile_at(const tsr_location *where, tsr_operand x, tsr_operand q,
                                     int n_options, const tsr_axes *options);
TSR_API tsr_array tsr_nanpercentile_at(const tsr_location *where, tsr_operand x, tsr_operand q,
                                       int n_options, const tsr_axes *options);
TSR_API tsr_array tsr_cumsum_at(const tsr_location *where, tsr_operand x, int axis,
                                tsr_dtype dtype);
TSR_API tsr_array tsr_cumprod_at(const tsr_location *where, tsr_operand x, int axis,
                                 tsr_dtype dtype);
TSR_API tsr_array tsr_cummax_at(const tsr_location *where, tsr_operand x, int axis);
TSR_API tsr_array tsr_cummin_at(const tsr_location *where, tsr_operand x, int axis);
TSR_API tsr_array tsr_diff_at(const tsr_location *where, tsr_operand x, int times, int axis,
                              tsr_operand prepend, tsr_operand append);
TSR_API tsr_array tsr_trapezoid_at(const tsr_location *where, tsr_operand y, tsr_operand x,
                                   int axis);
TSR_API tsr_array tsr_inner_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API tsr_array tsr_dot_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API tsr_array tsr_vdot_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API tsr_array tsr_outer_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API tsr_array tsr_vecdot_at(const tsr_location *where, tsr_operand x, tsr_operand y, int axis);
TSR_API tsr_array tsr_cross_at(const tsr_location *where, tsr_operand x, tsr_operand y, int axis);
TSR_API tsr_array tsr_kron_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API tsr_array tsr_trace_at(const tsr_location *where, tsr_operand x, int64_t offset, int axis1,
                               int axis2);

#ifdef __cplusplus
}

[[nodiscard]] inline tsr_array tsr_count_nonzero(::tessera::operand x,
                                                 ::tessera::axes_arg a = ::tessera::all_axes(),
                                                 ::tessera::axes_arg b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value};
  return ::tessera::checked(
      tsr_count_nonzero_at(x.at.record("tsr_count_nonzero"), x.value, 2, options));
}

[[nodiscard]] inline tsr_array tsr_ptp(::tessera::operand x,
                                       ::tessera::axes_arg a = ::tessera::all_axes(),
                                       ::tessera::axes_arg b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value};
  return ::tessera::checked(tsr_ptp_at(x.at.record("tsr_ptp"), x.value, 2, options));
}

[[nodiscard]] inline tsr_array tsr_var(::tessera::operand x,
                                       ::tessera::axes_arg a = ::tessera::all_axes(),
                                       ::tessera::axes_arg b = ::tessera::all_axes(),
                                       ::tessera::axes_arg c = ::tessera::all_axes(),
                                       ::tessera::axes_arg d = ::tessera::all_axes(),
                                       ::tessera::axes_arg e = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value, e.value};
  return ::tessera::checked(tsr_var_at(x.at.record("tsr_var"), x.value, 5, options));
}

[[nodiscard]] inline tsr_array tsr_std(::tessera::operand x,
                                       ::tessera::axes_arg a = ::tessera::all_axes(),
                                       ::tessera::axes_arg b = ::tessera::all_axes(),
                                       ::tessera::axes_arg c = ::tessera::all_axes(),
                                       ::tessera::axes_arg d = ::tessera::all_axes(),
                                       ::tessera::axes_arg e = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value, e.value};
  return ::tessera::checked(tsr_std_at(x.at.record("tsr_std"), x.value, 5, options));
}

[[nodiscard]] inline tsr_array tsr_nansum(::tessera::operand x,
                                          ::tessera::axes_arg a = ::tessera::all_axes(),
                                          ::tessera::axes_arg b = ::tessera::all_axes(),
                                          ::tessera::axes_arg c = ::tessera::all_axes(),
                                          ::tessera::axes_arg d = ::tessera::all_axes(),
                                          ::tessera::axes_arg e = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value, e.value};
  return ::tessera::checked(tsr_nansum_at(x.at.record("tsr_nansum"), x.value, 5, options));
}

[[nodiscard]] inline tsr_array tsr_nanprod(::tessera::operand x,
                                           ::tessera::axes_arg a = ::tessera::all_axes(),
                                           ::tessera::axes_arg b = ::tessera::all_axes(),
                                           ::tessera::axes_arg c = ::tessera::all_axes(),
                                           ::tessera::axes_arg d = ::tessera::all_axes(),
                                           ::tessera::axes_arg e = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value, e.value};
  return ::tessera::checked(tsr_nanprod_at(x.at.record("tsr_nanprod"), x.value, 5, options));
}

[[nodiscard]] inline tsr_array tsr_nanmin(::tessera::operand x,
                                          ::tessera::axes_arg a = ::tessera::all_axes(),
                                          ::tessera::axes_arg b = ::tessera::all_axes(),
                                          ::tessera::axes_arg c = ::tessera::all_axes(),
                                          ::tessera::axes_arg d = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value};
  return ::tessera::checked(tsr_nanmin_at(x.at.record("tsr_nanmin"), x.value, 4, options));
}

[[nodiscard]] inline tsr_array tsr_nanmax(::tessera::operand x,
                                          ::tessera::axes_arg a = ::tessera::all_axes(),
                                          ::tessera::axes_arg b = ::tessera::all_axes(),
                                          ::tessera::axes_arg c = ::tessera::all_axes(),
                                          ::tessera::axes_arg d = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value};
  return ::tessera::checked(tsr_nanmax_at(x.at.record("tsr_nanmax"), x.value, 4, options));
}

[[nodiscard]] inline tsr_array tsr_nanmean(::tessera::operand x,
                                           ::tessera::axes_arg a = ::tessera::all_axes(),
                                           ::tessera::axes_arg b = ::tessera::all_axes(),
                                           ::tessera::axes_arg c = ::tessera::all_axes(),
                                           ::tessera::axes_arg d = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value};
  return ::tessera::checked(tsr_nanmean_at(x.at.record("tsr_nanmean"), x.value, 4, options));
}

[[nodiscard]] inline tsr_array tsr_nanvar(::tessera::operand x,
                                          ::tessera::axes_arg a = ::tessera::all_axes(),
                                          ::tessera::axes_arg b = ::tessera::all_axes(),
                                          ::tessera::axes_arg c = ::tessera::all_axes(),
                                          ::tessera::axes_arg d = ::tessera::all_axes(),
                                          ::tessera::axes_arg e = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value, e.value};
  return ::tessera::checked(tsr_nanvar_at(x.at.record("tsr_nanvar"), x.value, 5, options));
}

[[nodiscard]] inline tsr_array tsr_nanstd(::tessera::operand x,
                                          ::tessera::axes_arg a = ::tessera::all_axes(),
                                          ::tessera::axes_arg b = ::tessera::all_axes(),
                                          ::tessera::axes_arg c = ::tessera::all_axes(),
                                          ::tessera::axes_arg d = ::tessera::all_axes(),
                                          ::tessera::axes_arg e = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value, e.value};
  return ::tessera::checked(tsr_nanstd_at(x.at.record("tsr_nanstd"), x.value, 5, options));
}

[[nodiscard]] inline tsr_array tsr_nanargmin(::tessera::operand x,
                                             ::tessera::axes_arg a = ::tessera::all_axes(),
                                             ::tessera::axes_arg b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value};
  return ::tessera::checked(tsr_nanargmin_at(x.at.record("tsr_nanargmin"), x.value, 2, options));
}

[[nodiscard]] inline tsr_array tsr_nanargmax(::tessera::operand x,
                                             ::tessera::axes_arg a = ::tessera::all_axes(),
                                             ::tessera::axes_arg b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value};
  return ::tessera::checked(tsr_nanargmax_at(x.at.record("tsr_nanargmax"), x.value, 2, options));
}

[[nodiscard]] inline tsr_array tsr_norm(::tessera::operand x,
                                        ::tessera::axes_arg a = ::tessera::all_axes(),
                                        ::tessera::axes_arg b = ::tessera::all_axes(),
                                        ::tessera::axes_arg c = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value};
  return ::tessera::checked(tsr_norm_at(x.at.record("tsr_norm"), x.value, 3, options));
}

[[nodiscard]] inline tsr_array tsr_average(::tessera::operand x, ::tessera::operand weights,
                                           ::tessera::axes_arg a = ::tessera::all_axes(),
                                           ::tessera::axes_arg b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value};
  return ::tessera::checked(
      tsr_average_at(x.at.record("tsr_average"), x.value, weights.value, 2, options));
}

[[nodiscard]] inline tsr_array tsr_median(::tessera::operand x,
                                          ::tessera::axes_arg a = ::tessera::all_axes(),
                                          ::tessera::axes_arg b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value};
  return ::tessera::checked(tsr_median_at(x.at.record("tsr_median"), x.value, 2, options));
}

[[nodiscard]] inline tsr_array tsr_quantile(::tessera::operand x, ::tessera::operand q,
                                            ::tessera::axes_arg a = ::tessera::all_axes(),
                                            ::tessera::axes_arg b = ::tessera::all_axes(),
                                            ::tessera::axes_arg c = ::tessera::all_axes(),
                                            ::tessera::axes_arg d = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value};
  return ::tessera::checked(
      tsr_quantile_at(x.at.record("tsr_quantile"), x.value, q.value, 4, options));
}

[[nodiscard]] inline tsr_array tsr_percentile(::tessera::operand x, ::tessera::operand q,
                                              ::tessera::axes_arg a = ::tessera::all_axes(),
                                              ::tessera::axes_arg b = ::tessera::all_axes(),
                                              ::tessera::axes_arg c = ::tessera::all_axes(),
                                              ::tessera::axes_arg d = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value};
  return ::tessera::checked(
      tsr_percentile_at(x.at.record("tsr_percentile"), x.value, q.value, 4, options));
}

[[nodiscard]] inline tsr_array tsr_nanmedian(::tessera::operand x,
                                             ::tessera::axes_arg a = ::tessera::all_axes(),
                                             ::tessera::axes_arg b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value};
  return ::tessera::checked(tsr_nanmedian_at(x.at.record("tsr_nanmedian"), x.value, 2, options));
}

[[nodiscard]] inline tsr_array tsr_nanquantile(::tessera::operand x, ::tessera::operand q,
                                               ::tessera::axes_arg a = ::tessera::all_axes(),
                                               ::tessera::axes_arg b = ::tessera::all_axes(),
                                               ::tessera::axes_arg c = ::tessera::all_axes(),
                                               ::tessera::axes_arg d = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value};
  return ::tessera::checked(
      tsr_nanquantile_at(x.at.record("tsr_nanquantile"), x.value, q.value, 4, options));
}

[[nodiscard]] inline tsr_array tsr_nanpercentile(::tessera::operand x, ::tessera::operand q,
                                                 ::tessera::axes_arg a = ::tessera::all_axes(),
                                                 ::tessera::axes_arg b = ::tessera::all_axes(),
                                                 ::tessera::axes_arg c = ::tessera::all_axes(),
                                                 ::tessera::axes_arg d = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value};
  return ::tessera::checked(
      tsr_nanpercentile_at(x.at.record("tsr_nanpercentile"), x.value, q.value, 4, options));
}

[[nodiscard]] inline tsr_array tsr_cumsum(::tessera::operand x,
                                          ::tessera::axis_arg axis = TSR_ONLY_AXIS,
                                          tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return ::tessera::checked(tsr_cumsum_at(x.at.record("tsr_cumsum"), x.value, axis.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_cumprod(::tessera::operand x,
                                           ::tessera::axis_arg axis = TSR_ONLY_AXIS,
                                           tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return ::tessera::checked(tsr_cumprod_at(x.at.record("tsr_cumprod"), x.value, axis.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_cummax(::tessera::operand x,
                                          ::tessera::axis_arg axis = TSR_ONLY_AXIS)
{
  return ::tessera::checked(tsr_cummax_at(x.at.record("tsr_cummax"), x.value, axis.value));
}

[[nodiscard]] inline tsr_array tsr_cummin(::tessera::operand x,
                                          ::tessera::axis_arg axis = TSR_ONLY_AXIS)
{
  return ::tessera::checked(tsr_cummin_at(x.at.record("tsr_cummin"), x.value, axis.value));
}

[[nodiscard]] inline tsr_array tsr_diff(::tessera::operand x, int times = 1,
                                        ::tessera::axis_arg axis = -1,
                                        ::tessera::operand prepend = TSR_NONE,
                                        ::tessera::operand append = TSR_NONE)
{
  return ::tessera::checked(tsr_diff_at(x.at.record("tsr_diff"), x.value, times, axis.value,
                                        prepend.value, append.value));
}

[[nodiscard]] inline tsr_array tsr_trapezoid(::tessera::operand y, ::tessera::operand x = 1,
                                             ::tessera::axis_arg axis = -1)
{
  return ::tessera::checked(
      tsr_trapezoid_at(y.at.record("tsr_trapezoid"), y.value, x.value, axis.value));
}

[[nodiscard]] inline tsr_array tsr_inner(::tessera::operand x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_inner_at(x.at.record("tsr_inner"), x.value, y.value));
}

[[nodiscard]] inline tsr_array tsr_dot(::tessera::operand x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_dot_at(x.at.record("tsr_dot"), x.value, y.value));
}

[[nodiscard]] inline tsr_array tsr_vdot(::tessera::operand x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_vdot_at(x.at.record("tsr_vdot"), x.value, y.value));
}

[[nodiscard]] inline tsr_array tsr_outer(::tessera::operand x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_outer_at(x.at.record("tsr_outer"), x.value, y.value));
}

[[nodiscard]] inline tsr_array tsr_vecdot(::tessera::operand x, ::tessera::operand y,
                                          ::tessera::axis_arg axis = -1)
{
  return ::tessera::checked(tsr_vecdot_at(x.at.record("tsr_vecdot"), x.value, y.value, axis.value));
}

[[nodiscard]] inline tsr_array tsr_cross(::tessera::operand x, ::tessera::operand y,
                                         ::tessera::axis_arg axis = -1)
{
  return ::tessera::checked(tsr_cross_at(x.at.record("tsr_cross"), x.value, y.value, axis.value));
}

[[nodiscard]] inline tsr_array tsr_kron(::tessera::operand x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_kron_at(x.at.record("tsr_kron"), x.value, y.value));
}

[[nodiscard]] inline tsr_array tsr_trace(::tessera::operand x, int64_t offset = 0,
                                         ::tessera::axis_arg axis1 = 0,
                                         ::tessera::axis_arg axis2 = 1)
{
  return ::tessera::checked(
      tsr_trace_at(x.at.record("tsr_trace"), x.value, offset, axis1.value, axis2.value));
}

#else

#define TSR__AS_count_nonzero(id, op, text, ...)                                                   \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    tsr_axes id##_options[2];                                                                      \
    id##_options[0] = TSR__AXES_OF((TSR__OR2(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[1] = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                         \
    op##_at(&id, id##_x, 2, id##_options);                                                         \
  }))
#define tsr_count_nonzero(...)                                                                     \
  TSR__DO(TSR__AS_count_nonzero, tsr_count_nonzero, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_ptp(...)                                                                               \
  TSR__DO(TSR__AS_count_nonzero, tsr_ptp, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_var(id, op, text, ...)                                                             \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 6 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    tsr_axes id##_options[5];                                                                      \
    id##_options[0] = TSR__AXES_OF((TSR__OR2(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[1] = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[2] = TSR__AXES_OF((TSR__OR4(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[3] = TSR__AXES_OF((TSR__OR5(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[4] = TSR__AXES_OF((TSR__OR6(TSR_ALL_AXES, __VA_ARGS__)));                         \
    op##_at(&id, id##_x, 5, id##_options);                                                         \
  }))
#define tsr_var(...) TSR__DO(TSR__AS_var, tsr_var, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_std(...) TSR__DO(TSR__AS_var, tsr_std, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_nansum(...) TSR__DO(TSR__AS_var, tsr_nansum, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_nanprod(...) TSR__DO(TSR__AS_var, tsr_nanprod, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_nanmin(id, op, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 5 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    tsr_axes id##_options[4];                                                                      \
    id##_options[0] = TSR__AXES_OF((TSR__OR2(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[1] = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[2] = TSR__AXES_OF((TSR__OR4(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[3] = TSR__AXES_OF((TSR__OR5(TSR_ALL_AXES, __VA_ARGS__)));                         \
    op##_at(&id, id##_x, 4, id##_options);                                                         \
  }))
#define tsr_nanmin(...) TSR__DO(TSR__AS_nanmin, tsr_nanmin, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_nanmax(...) TSR__DO(TSR__AS_nanmin, tsr_nanmax, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_nanmean(...)                                                                           \
  TSR__DO(TSR__AS_nanmin, tsr_nanmean, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_nanvar(...) TSR__DO(TSR__AS_var, tsr_nanvar, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_nanstd(...) TSR__DO(TSR__AS_var, tsr_nanstd, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_nanargmin(...)                                                                         \
  TSR__DO(TSR__AS_count_nonzero, tsr_nanargmin, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_nanargmax(...)                                                                         \
  TSR__DO(TSR__AS_count_nonzero, tsr_nanargmax, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_norm(id, op, text, ...)                                                            \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    tsr_axes id##_options[3];                                                                      \
    id##_options[0] = TSR__AXES_OF((TSR__OR2(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[1] = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[2] = TSR__AXES_OF((TSR__OR4(TSR_ALL_AXES, __VA_ARGS__)));                         \
    op##_at(&id, id##_x, 3, id##_options);                                                         \
  }))
#define tsr_norm(...) TSR__DO(TSR__AS_norm, tsr_norm, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_average(id, op, text, ...)                                                         \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_operand id##_weights = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                         \
    tsr_axes id##_options[2];                                                                      \
    id##_options[0] = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[1] = TSR__AXES_OF((TSR__OR4(TSR_ALL_AXES, __VA_ARGS__)));                         \
    op##_at(&id, id##_x, id##_weights, 2, id##_options);                                           \
  }))
#define tsr_average(...)                                                                           \
  TSR__DO(TSR__AS_average, tsr_average, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_median(...)                                                                            \
  TSR__DO(TSR__AS_count_nonzero, tsr_median, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_quantile(id, op, text, ...)                                                        \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 6 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_operand id##_q = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    tsr_axes id##_options[4];                                                                      \
    id##_options[0] = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[1] = TSR__AXES_OF((TSR__OR4(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[2] = TSR__AXES_OF((TSR__OR5(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[3] = TSR__AXES_OF((TSR__OR6(TSR_ALL_AXES, __VA_ARGS__)));                         \
    op##_at(&id, id##_x, id##_q, 4, id##_options);                                                 \
  }))
#define tsr_quantile(...)                                                                          \
  TSR__DO(TSR__AS_quantile, tsr_quantile, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_percentile(...)                                                                        \
  TSR__DO(TSR__AS_quantile, tsr_percentile, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_nanmedian(...)                                                                         \
  TSR__DO(TSR__AS_count_nonzero, tsr_nanmedian, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_nanquantile(...)                                                                       \
  TSR__DO(TSR__AS_quantile, tsr_nanquantile, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_nanpercentile(...)                                                                     \
  TSR__DO(TSR__AS_quantile, tsr_nanpercentile, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_cumsum(id, op, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const int id##_axis = TSR__AXIS_OF((TSR__OR2(TSR_ONLY_AXIS, __VA_ARGS__)));                    \
    __auto_type id##_dtype = (TSR__OR3(TSR_DTYPE_LIKE, __VA_ARGS__));                              \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_x, id##_axis, id##_dtype);                                                   \
  }))
#define tsr_cumsum(...) TSR__DO(TSR__AS_cumsum, tsr_cumsum, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_cumprod(...)                                                                           \
  TSR__DO(TSR__AS_cumsum, tsr_cumprod, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_cummax(id, op, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const int id##_axis = TSR__AXIS_OF((TSR__OR2(TSR_ONLY_AXIS, __VA_ARGS__)));                    \
    op##_at(&id, id##_x, id##_axis);                                                               \
  }))
#define tsr_cummax(...) TSR__DO(TSR__AS_cummax, tsr_cummax, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_cummin(...) TSR__DO(TSR__AS_cummax, tsr_cummin, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_diff(id, op, text, ...)                                                            \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 5 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const int id##_times = (TSR__OR2(1, __VA_ARGS__));                                             \
    const int id##_axis = TSR__AXIS_OF((TSR__OR3(-1, __VA_ARGS__)));                               \
    const tsr_operand id##_prepend = TSR__BOX((TSR__OR4(TSR_NONE, __VA_ARGS__)));                  \
    const tsr_operand id##_append = TSR__BOX((TSR__OR5(TSR_NONE, __VA_ARGS__)));                   \
    op##_at(&id, id##_x, id##_times, id##_axis, id##_prepend, id##_append);                        \
  }))
#define tsr_diff(...) TSR__DO(TSR__AS_diff, tsr_diff, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_trapezoid(id, op, text, ...)                                                       \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_y = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_operand id##_x = TSR__BOX((TSR__OR2(1, __VA_ARGS__)));                               \
    const int id##_axis = TSR__AXIS_OF((TSR__OR3(-1, __VA_ARGS__)));                               \
    op##_at(&id, id##_y, id##_x, id##_axis);                                                       \
  }))
#define tsr_trapezoid(...)                                                                         \
  TSR__DO(TSR__AS_trapezoid, tsr_trapezoid, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_inner(id, op, text, ...)                                                           \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_operand id##_y = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    op##_at(&id, id##_x, id##_y);                                                                  \
  }))
#define tsr_inner(...) TSR__DO(TSR__AS_inner, tsr_inner, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_dot(...) TSR__DO(TSR__AS_inner, tsr_dot, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_vdot(...) TSR__DO(TSR__AS_inner, tsr_vdot, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_outer(...) TSR__DO(TSR__AS_inner, tsr_outer, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_vecdot(id, op, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_operand id##_y = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    const int id##_axis = TSR__AXIS_OF((TSR__OR3(-1, __VA_ARGS__)));                               \
    op##_at(&id, id##_x, id##_y, id##_axis);                                                       \
  }))
#define tsr_vecdot(...) TSR__DO(TSR__AS_vecdot, tsr_vecdot, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_cross(...) TSR__DO(TSR__AS_vecdot, tsr_cross, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_kron(...) TSR__DO(TSR__AS_inner, tsr_kron, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_trace(id, op, text, ...)                                                           \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const int64_t id##_offset = (TSR__OR2(0, __VA_ARGS__));                                        \
    const int id##_axis1 = TSR__AXIS_OF((TSR__OR3(0, __VA_ARGS__)));                               \
    const int id##_axis2 = TSR__AXIS_OF((TSR__OR4(1, __VA_ARGS__)));                               \
    op##_at(&id, id##_x, id##_offset, id##_axis1, id##_axis2);                                     \
  }))
#define tsr_trace(...) TSR__DO(TSR__AS_trace, tsr_trace, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
