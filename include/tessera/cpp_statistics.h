/* Statistics, scans and products from C++17 (tessera/cpp.h). */
#ifndef TESSERA_CPP_STATISTICS_H
#define TESSERA_CPP_STATISTICS_H

#ifdef __cplusplus

#include "tessera/cpp.h"
#include "tessera/linear.h"
#include "tessera/statistics.h"

namespace tessera {

inline tsr_axes ddof(double n)
{
  tsr_axes a = all_axes();
  a.ddof = n;
  return a;
}

inline tsr_axes ord(double p)
{
  tsr_axes a = all_axes();
  a.has_ord = true;
  a.ord = p;
  return a;
}

} // namespace tessera

#define TSR_DDOF(n) (::tessera::ddof(n))
#define TSR_ORD(p) (::tessera::ord(p))

#define TSR__CPP_STATISTIC(name)                                                                   \
  [[nodiscard]] inline tsr_array tsr_##name(                                                       \
      ::tessera::operand x, tsr_axes a = ::tessera::all_axes(),                                    \
      tsr_axes b = ::tessera::all_axes(), tsr_axes c = ::tessera::all_axes())                      \
  {                                                                                                \
    const tsr_axes options[] = {a, b, c};                                                          \
    return tsr_##name##_at(x.at.record("tsr_" #name), x.value, 3, options);                        \
  }
TSR__CPP_STATISTIC(count_nonzero)
TSR__CPP_STATISTIC(ptp)
TSR__CPP_STATISTIC(var)
TSR__CPP_STATISTIC(std)
TSR__CPP_STATISTIC(nansum)
TSR__CPP_STATISTIC(nanprod)
TSR__CPP_STATISTIC(nanmin)
TSR__CPP_STATISTIC(nanmax)
TSR__CPP_STATISTIC(nanmean)
TSR__CPP_STATISTIC(nanvar)
TSR__CPP_STATISTIC(nanstd)
TSR__CPP_STATISTIC(nanargmin)
TSR__CPP_STATISTIC(nanargmax)
TSR__CPP_STATISTIC(norm)
TSR__CPP_STATISTIC(median)
TSR__CPP_STATISTIC(nanmedian)
#undef TSR__CPP_STATISTIC

[[nodiscard]] inline tsr_array tsr_average(::tessera::operand x, ::tessera::operand weights,
                                           tsr_axes a = ::tessera::all_axes(),
                                           tsr_axes b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a, b};
  return tsr_average_at(x.at.record("tsr_average"), x.value, weights.value, 2, options);
}

#define TSR__CPP_QUANTILE(name)                                                                    \
  [[nodiscard]] inline tsr_array tsr_##name(::tessera::operand x, double q,                        \
                                            tsr_axes a = ::tessera::all_axes(),                    \
                                            tsr_axes b = ::tessera::all_axes())                    \
  {                                                                                                \
    const tsr_axes options[] = {a, b};                                                             \
    return tsr_##name##_at(x.at.record("tsr_" #name), x.value, q, 2, options);                     \
  }
TSR__CPP_QUANTILE(quantile)
TSR__CPP_QUANTILE(nanquantile)
TSR__CPP_QUANTILE(percentile)
TSR__CPP_QUANTILE(nanpercentile)
#undef TSR__CPP_QUANTILE

#define TSR__CPP_SCAN(name)                                                                        \
  [[nodiscard]] inline tsr_array tsr_##name(::tessera::operand x, int axis = TSR_ONLY_AXIS)        \
  {                                                                                                \
    return tsr_##name##_at(x.at.record("tsr_" #name), x.value, axis);                              \
  }
TSR__CPP_SCAN(cumsum)
TSR__CPP_SCAN(cumprod)
TSR__CPP_SCAN(cummax)
TSR__CPP_SCAN(cummin)
#undef TSR__CPP_SCAN

[[nodiscard]] inline tsr_array tsr_diff(::tessera::operand x, int times = 1, int axis = -1)
{
  return tsr_diff_at(x.at.record("tsr_diff"), x.value, times, axis);
}

[[nodiscard]] inline tsr_array tsr_trapezoid(::tessera::operand y, ::tessera::operand x = 1,
                                             int axis = -1)
{
  return tsr_trapezoid_at(y.at.record("tsr_trapezoid"), y.value, x.value, axis);
}

#define TSR__CPP_PRODUCT(name)                                                                     \
  [[nodiscard]] inline tsr_array tsr_##name(::tessera::operand x, ::tessera::operand y)            \
  {                                                                                                \
    return tsr_##name##_at(x.at.record("tsr_" #name), x.value, y.value);                           \
  }
TSR__CPP_PRODUCT(inner)
TSR__CPP_PRODUCT(dot)
TSR__CPP_PRODUCT(vdot)
TSR__CPP_PRODUCT(outer)
TSR__CPP_PRODUCT(matmul)
#undef TSR__CPP_PRODUCT

[[nodiscard]] inline tsr_array tsr_einsum(const char *subscripts, ::tessera::operand x)
{
  return tsr_einsum_at(x.at.record("tsr_einsum"), subscripts, 1, &x.value);
}

[[nodiscard]] inline tsr_array tsr_einsum(const char *subscripts, ::tessera::operand x,
                                          ::tessera::operand y)
{
  const tsr_operand xs[] = {x.value, y.value};
  return tsr_einsum_at(x.at.record("tsr_einsum"), subscripts, 2, xs);
}

namespace tessera {
inline tsr_status matmul_into(tsr_array target, operand x, operand y)
{
  return tsr_matmul_into_at(x.at.record("tsr_matmul_into"), target, x.value, y.value);
}
} /* namespace tessera */
#define tsr_matmul_into(...) (::tessera::statement(true), ::tessera::matmul_into(__VA_ARGS__))

#endif
#endif
