/* Statistics, norms, products, scans: made of reductions and elementwise operations, so that their
 * bits depend on shape and values only, never on ranks, threads and tiles.
 *
 * All of them: collective. x: an array, or a C scalar, of any shape unless it says otherwise.
 * Options, in any order: TSR_AXES(0, -1) (all axes, if none are given), TSR_KEEPDIMS, and where it
 * says so TSR_DDOF(n), TSR_ORD(p). They record and return a lazy array owned by the current scope;
 * null on TSR_ERR_AXIS (out of range, named twice), TSR_ERR_SHAPE, TSR_ERR_DTYPE, TSR_ERR_HANDLE,
 * and silently if an operand is the null handle. They do not wait, but where it says so. */
#ifndef TESSERA_STATISTICS_H
#define TESSERA_STATISTICS_H

#include <limits.h>

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** In place of an axis: the only one there is. */
#define TSR_ONLY_AXIS INT_MIN

/* options: n_options, borrowed. */
#define TSR__STATISTIC(name)                                                                       \
  TSR_API tsr_array tsr_##name##_at(const tsr_location *where, tsr_operand x, int n_options,       \
                                    const tsr_axes *options)
TSR__STATISTIC(count_nonzero);
TSR__STATISTIC(ptp);
TSR__STATISTIC(var);
TSR__STATISTIC(std);
TSR__STATISTIC(nansum);
TSR__STATISTIC(nanprod);
TSR__STATISTIC(nanmin);
TSR__STATISTIC(nanmax);
TSR__STATISTIC(nanmean);
TSR__STATISTIC(nanvar);
TSR__STATISTIC(nanstd);
TSR__STATISTIC(nanargmin);
TSR__STATISTIC(nanargmax);
TSR__STATISTIC(norm);
TSR__STATISTIC(median);
TSR__STATISTIC(nanmedian);
#undef TSR__STATISTIC
TSR_API tsr_array tsr_average_at(const tsr_location *where, tsr_operand x, tsr_operand weights,
                                 int n_options, const tsr_axes *options);
#define TSR__QUANTILE(name)                                                                        \
  TSR_API tsr_array tsr_##name##_at(const tsr_location *where, tsr_operand x, double q,            \
                                    int n_options, const tsr_axes *options)
TSR__QUANTILE(quantile);
TSR__QUANTILE(nanquantile);
TSR__QUANTILE(percentile);
TSR__QUANTILE(nanpercentile);
#undef TSR__QUANTILE
TSR_API tsr_array tsr_cumsum_at(const tsr_location *where, tsr_operand x, int axis);
TSR_API tsr_array tsr_cumprod_at(const tsr_location *where, tsr_operand x, int axis);
TSR_API tsr_array tsr_cummax_at(const tsr_location *where, tsr_operand x, int axis);
TSR_API tsr_array tsr_cummin_at(const tsr_location *where, tsr_operand x, int axis);
TSR_API tsr_array tsr_diff_at(const tsr_location *where, tsr_operand x, int times, int axis);
TSR_API tsr_array tsr_trapezoid_at(const tsr_location *where, tsr_operand y, tsr_operand x,
                                   int axis);
TSR_API tsr_array tsr_inner_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API tsr_array tsr_dot_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API tsr_array tsr_vdot_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API tsr_array tsr_outer_at(const tsr_location *where, tsr_operand x, tsr_operand y);

#ifndef __cplusplus
/** Number of elements that are not zero, as int64; NaN is not zero. Source: numpy.count_nonzero. */
TSR_API tsr_array tsr_count_nonzero(tsr_array x);
/** Greatest less least element. bool: TSR_ERR_DTYPE; no elements: TSR_ERR_SHAPE. Source: numpy.ptp.
 */
TSR_API tsr_array tsr_ptp(tsr_array x);
/** Variance: tsr_var(x, TSR_AXES(0), TSR_DDOF(1)).
 *
 *  Mean of the squared distances from the mean, over the number of elements less ddof (0 if left
 *  out); integers and bools in float64. NaN or infinity where that number is not above 0. Two
 * passes over x. Source: numpy.var. */
TSR_API tsr_array tsr_var(tsr_array x);
/** Standard deviation: the square root of tsr_var. Source: numpy.std. */
TSR_API tsr_array tsr_std(tsr_array x);
/** Sum, NaN counting as 0. Source: numpy.nansum. */
TSR_API tsr_array tsr_nansum(tsr_array x);
/** Product, NaN counting as 1. Source: numpy.nanprod. */
TSR_API tsr_array tsr_nanprod(tsr_array x);
/** Least element that is not NaN; NaN if there is none, without NumPy's warning. No elements:
 * TSR_ERR_SHAPE. Source: numpy.nanmin. */
TSR_API tsr_array tsr_nanmin(tsr_array x);
/** Greatest element that is not NaN, as tsr_nanmin. Source: numpy.nanmax. */
TSR_API tsr_array tsr_nanmax(tsr_array x);
/** Mean of what is not NaN; NaN if there is nothing. Source: numpy.nanmean. */
TSR_API tsr_array tsr_nanmean(tsr_array x);
/** Variance of what is not NaN, with TSR_DDOF(n); NaN where no more than ddof elements are left.
 * Source: numpy.nanvar. */
TSR_API tsr_array tsr_nanvar(tsr_array x);
/** Square root of tsr_nanvar. Source: numpy.nanstd. */
TSR_API tsr_array tsr_nanstd(tsr_array x);
/** Position of the least element, NaN counting as infinity, as tsr_argmin; 0 where all are NaN
 * (NumPy raises, which needs a look at the values). Source: numpy.nanargmin. */
TSR_API tsr_array tsr_nanargmin(tsr_array x);
/** Position of the greatest element, NaN counting as minus infinity. Source: numpy.nanargmax. */
TSR_API tsr_array tsr_nanargmax(tsr_array x);
/** Norm: tsr_norm(x), tsr_norm(x, TSR_ORD(1)), tsr_norm(x, TSR_ORD(INFINITY), TSR_AXES(-1)).
 *
 *  Without an order: the square root of the sum of the squares (for matrices Frobenius' norm).
 *  Over one axis: any order; 0 counts what is not zero, +-infinity is the largest and least
 * absolute value. Over two axes, rows and columns: 1, -1, infinity and -infinity; the orders 2 and
 * -2, which need singular values, are TSR_ERR_ARGUMENT. float, or float64 of integers. No scaling:
 * overflows where a square does. Source: numpy.linalg.norm. */
TSR_API tsr_array tsr_norm(tsr_array x);
/** Weighted mean: tsr_average(x, weights), … options).
 *
 *  weights: of x's shape, 0-d, or one axis as long as the one axis that TSR_AXES names
 *  (TSR_ERR_SHAPE if not). Of the dtype that x (float64, if integers) and the weights promote to.
 *  Weights whose sum is 0 give NaN or infinity (NumPy raises). Source: numpy.average. */
TSR_API tsr_array tsr_average(tsr_array x, tsr_array weights);
/** The middle element in order, or the mean of the two in the middle; NaN if there is one, or no
 * element. As tsr_quantile. Source: numpy.median. */
TSR_API tsr_array tsr_median(tsr_array x);
/** The number that the fraction q of the elements lies below: tsr_quantile(x, q, … options).
 *
 *  q: a C number in [0, 1] (TSR_ERR_ARGUMENT). Between two elements of the order: linearly, NumPy's
 *  default method; NaN if there is one, or no element. Integers in float64. Exact: by counting, not
 *  by a sort. Cost: 22 rounds, each a pass over x that counts it against seven candidates, and a
 *  wait; the results, but not x, must fit each rank's memory. Source: numpy.quantile. */
TSR_API tsr_array tsr_quantile(tsr_array x, double q);
/** tsr_quantile(x, q / 100): q in [0, 100]. Source: numpy.percentile. */
TSR_API tsr_array tsr_percentile(tsr_array x, double q);
/** Of the elements that are not NaN; NaN where all are. Otherwise as tsr_median, tsr_quantile,
 * tsr_percentile. Source: numpy.nanmedian, numpy.nanquantile, numpy.nanpercentile. */
TSR_API tsr_array tsr_nanmedian(tsr_array x);
TSR_API tsr_array tsr_nanquantile(tsr_array x, double q);
TSR_API tsr_array tsr_nanpercentile(tsr_array x, double q);

/** Running sum: tsr_cumsum(x), tsr_cumsum(x, axis).
 *
 *  Without an axis x has at most one (TSR_ERR_AXIS; NumPy flattens). bool and int32 give int64.
 *  Element i is the sum of the aligned blocks of power-of-two lengths that make up [0, i], longest
 *  first, each summed by halves: the same on any cut, and within a few roundings of the exact sum.
 *  Cost: 2 log2 n passes over shrinking strided parts. Source: numpy.cumsum. */
TSR_API tsr_array tsr_cumsum(tsr_array x, int axis);
/** Running product, as tsr_cumsum. Source: numpy.cumprod. */
TSR_API tsr_array tsr_cumprod(tsr_array x, int axis);
/** Running maximum, of x's dtype; from a NaN on NaN. Source: numpy.maximum.accumulate. */
TSR_API tsr_array tsr_cummax(tsr_array x, int axis);
/** Running minimum. Source: numpy.minimum.accumulate. */
TSR_API tsr_array tsr_cummin(tsr_array x, int axis);
/** Differences of neighbours along an axis: tsr_diff(x), tsr_diff(x, times), tsr_diff(x, times,
 * axis); once and along the last, if left out. Of bools: whether they differ. 0-d: TSR_ERR_SHAPE;
 * times < 0: TSR_ERR_ARGUMENT. Source: numpy.diff. */
TSR_API tsr_array tsr_diff(tsr_array x, int times, int axis);
/** Integral by trapezoids along an axis: tsr_trapezoid(y), tsr_trapezoid(y, x), … x, axis).
 *
 *  x: the distance of the points, or an array of them, of one axis or of y's shape; 1 if left out.
 *  axis: the last, if left out. Neighbours are added in y's dtype, so narrow integers wrap, as
 *  NumPy's. Source: numpy.trapezoid. */
TSR_API tsr_array tsr_trapezoid(tsr_array y, double dx, int axis);
/** Sums of products along both last axes: [.., k] and [.., k] give [.., ..]. TSR_ERR_SHAPE if they
 * differ in length. 0-d: the product. Source: numpy.inner. */
TSR_API tsr_array tsr_inner(tsr_array x, tsr_array y);
/** Sums of products along x's last axis and y's second last (or only) one: [m, k] and [k, n] give
 *  [m, n]. TSR_ERR_SHAPE if they differ in length, or for more axes than tsr_matmul takes, which
 *  computes it. Source: numpy.dot. */
TSR_API tsr_array tsr_dot(tsr_array x, tsr_array y);
/** Sum of the products of conj(x) and y, both flattened where their shapes differ. TSR_ERR_SHAPE
 * unless they have as many elements. Source: numpy.vdot. */
TSR_API tsr_array tsr_vdot(tsr_array x, tsr_array y);
/** All products of two arrays, flattened: of m and n elements [m, n]. Source: numpy.outer. */
TSR_API tsr_array tsr_outer(tsr_array x, tsr_array y);

/** Options of tsr_var, tsr_std, tsr_nanvar, tsr_nanstd: what is taken off the number of elements.
 */
#define TSR_DDOF(n_less) ((tsr_axes){.n = -1, .ddof = (n_less)})
/** Option of tsr_norm: the order. */
#define TSR_ORD(p) ((tsr_axes){.n = -1, .has_ord = true, .ord = (p)})

#define TSR__STATISTIC(op, text, ...)                                                              \
  TSR__STATISTIC_(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_axes_, __COUNTER__), op, text,  \
                  __VA_ARGS__)
#define TSR__STATISTIC_(id, options, op, text, ...)                                                \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 4, __VA_ARGS__);                                                       \
    TSR__HERE(id, #op, text);                                                                      \
    tsr_axes options[3];                                                                           \
    options[0] = TSR__SECOND(TSR__ALL_AXES, __VA_ARGS__);                                          \
    options[1] = TSR__THIRD(TSR__ALL_AXES, __VA_ARGS__);                                           \
    options[2] = TSR__FOURTH(TSR__ALL_AXES, __VA_ARGS__);                                          \
    op##_at(&id, TSR__BOX(TSR__FIRST(0, __VA_ARGS__)), 3, options);                                \
  }))
#define tsr_count_nonzero(...) TSR__STATISTIC(tsr_count_nonzero, #__VA_ARGS__, __VA_ARGS__)
#define tsr_ptp(...) TSR__STATISTIC(tsr_ptp, #__VA_ARGS__, __VA_ARGS__)
#define tsr_var(...) TSR__STATISTIC(tsr_var, #__VA_ARGS__, __VA_ARGS__)
#define tsr_std(...) TSR__STATISTIC(tsr_std, #__VA_ARGS__, __VA_ARGS__)
#define tsr_nansum(...) TSR__STATISTIC(tsr_nansum, #__VA_ARGS__, __VA_ARGS__)
#define tsr_nanprod(...) TSR__STATISTIC(tsr_nanprod, #__VA_ARGS__, __VA_ARGS__)
#define tsr_nanmin(...) TSR__STATISTIC(tsr_nanmin, #__VA_ARGS__, __VA_ARGS__)
#define tsr_nanmax(...) TSR__STATISTIC(tsr_nanmax, #__VA_ARGS__, __VA_ARGS__)
#define tsr_nanmean(...) TSR__STATISTIC(tsr_nanmean, #__VA_ARGS__, __VA_ARGS__)
#define tsr_nanvar(...) TSR__STATISTIC(tsr_nanvar, #__VA_ARGS__, __VA_ARGS__)
#define tsr_nanstd(...) TSR__STATISTIC(tsr_nanstd, #__VA_ARGS__, __VA_ARGS__)
#define tsr_nanargmin(...) TSR__STATISTIC(tsr_nanargmin, #__VA_ARGS__, __VA_ARGS__)
#define tsr_nanargmax(...) TSR__STATISTIC(tsr_nanargmax, #__VA_ARGS__, __VA_ARGS__)
#define tsr_norm(...) TSR__STATISTIC(tsr_norm, #__VA_ARGS__, __VA_ARGS__)
#define tsr_median(...) TSR__STATISTIC(tsr_median, #__VA_ARGS__, __VA_ARGS__)
#define tsr_nanmedian(...) TSR__STATISTIC(tsr_nanmedian, #__VA_ARGS__, __VA_ARGS__)

#define tsr_average(x, ...)                                                                        \
  TSR__AVERAGE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_axes_, __COUNTER__),               \
               TSR__PASTE(tsr_x_, __COUNTER__), #x ", " #__VA_ARGS__, x, __VA_ARGS__)
#define TSR__AVERAGE(id, options, boxed, text, x, ...)                                             \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_average, 1, 3, __VA_ARGS__);                                              \
    TSR__HERE(id, "tsr_average", text);                                                            \
    tsr_axes options[2];                                                                           \
    const tsr_operand boxed = TSR__BOX(x);                                                         \
    options[0] = TSR__SECOND(TSR__ALL_AXES, __VA_ARGS__);                                          \
    options[1] = TSR__THIRD(TSR__ALL_AXES, __VA_ARGS__);                                           \
    tsr_average_at(&id, boxed, TSR__BOX(TSR__FIRST(0, __VA_ARGS__)), 2, options);                  \
  }))
#define TSR__QUANTILE(op, text, ...)                                                               \
  TSR__QUANTILE_(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_axes_, __COUNTER__), op, text,   \
                 __VA_ARGS__)
#define TSR__QUANTILE_(id, options, op, text, x, ...)                                              \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 3, __VA_ARGS__);                                                       \
    TSR__HERE(id, #op, text);                                                                      \
    tsr_axes options[2];                                                                           \
    options[0] = TSR__SECOND(TSR__ALL_AXES, __VA_ARGS__);                                          \
    options[1] = TSR__THIRD(TSR__ALL_AXES, __VA_ARGS__);                                           \
    op##_at(&id, TSR__BOX(x), TSR__FIRST(0, __VA_ARGS__), 2, options);                             \
  }))
#define tsr_quantile(...) TSR__QUANTILE(tsr_quantile, #__VA_ARGS__, __VA_ARGS__)
#define tsr_nanquantile(...) TSR__QUANTILE(tsr_nanquantile, #__VA_ARGS__, __VA_ARGS__)
#define tsr_percentile(...) TSR__QUANTILE(tsr_percentile, #__VA_ARGS__, __VA_ARGS__)
#define tsr_nanpercentile(...) TSR__QUANTILE(tsr_nanpercentile, #__VA_ARGS__, __VA_ARGS__)

#define TSR__ALONG(id, op, min, max, text, call, ...)                                              \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, min, max, __VA_ARGS__);                                                   \
    TSR__HERE(id, #op, text);                                                                      \
    call;                                                                                          \
  }))
#define TSR__SCAN(id, op, text, ...)                                                               \
  TSR__ALONG(                                                                                      \
      id, op, 1, 2, text,                                                                          \
      op##_at(&id, TSR__BOX(TSR__FIRST(0, __VA_ARGS__)), TSR__SECOND(TSR_ONLY_AXIS, __VA_ARGS__)), \
      __VA_ARGS__)
#define tsr_cumsum(...)                                                                            \
  TSR__SCAN(TSR__PASTE(tsr_at_, __COUNTER__), tsr_cumsum, #__VA_ARGS__, __VA_ARGS__)
#define tsr_cumprod(...)                                                                           \
  TSR__SCAN(TSR__PASTE(tsr_at_, __COUNTER__), tsr_cumprod, #__VA_ARGS__, __VA_ARGS__)
#define tsr_cummax(...)                                                                            \
  TSR__SCAN(TSR__PASTE(tsr_at_, __COUNTER__), tsr_cummax, #__VA_ARGS__, __VA_ARGS__)
#define tsr_cummin(...)                                                                            \
  TSR__SCAN(TSR__PASTE(tsr_at_, __COUNTER__), tsr_cummin, #__VA_ARGS__, __VA_ARGS__)
#define tsr_diff(...) TSR__DIFF(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__DIFF(id, text, ...)                                                                   \
  TSR__ALONG(id, tsr_diff, 1, 3, text,                                                             \
             tsr_diff_at(&id, TSR__BOX(TSR__FIRST(0, __VA_ARGS__)), TSR__SECOND(1, __VA_ARGS__),   \
                         TSR__THIRD(-1, __VA_ARGS__)),                                             \
             __VA_ARGS__)
#define tsr_trapezoid(...)                                                                         \
  TSR__TRAPEZOID(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_x_, __COUNTER__), #__VA_ARGS__,  \
                 __VA_ARGS__)
#define TSR__TRAPEZOID(id, boxed, text, ...)                                                       \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_trapezoid, 1, 3, __VA_ARGS__);                                            \
    TSR__HERE(id, "tsr_trapezoid", text);                                                          \
    const tsr_operand boxed = TSR__BOX(TSR__FIRST(0, __VA_ARGS__));                                \
    tsr_trapezoid_at(&id, boxed, TSR__BOX((TSR__SECOND(1, __VA_ARGS__))),                          \
                     TSR__THIRD(-1, __VA_ARGS__));                                                 \
  }))
#define TSR__PRODUCT(id, boxed, op, text, x, y)                                                    \
  tsr_made(__extension__({                                                                         \
    TSR__HERE(id, #op, text);                                                                      \
    const tsr_operand boxed = TSR__BOX(x);                                                         \
    op##_at(&id, boxed, TSR__BOX(y));                                                              \
  }))
#define tsr_inner(x, y)                                                                            \
  TSR__PRODUCT(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_x_, __COUNTER__), tsr_inner,       \
               #x ", " #y, x, y)
#define tsr_dot(x, y)                                                                              \
  TSR__PRODUCT(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_x_, __COUNTER__), tsr_dot,         \
               #x ", " #y, x, y)
#define tsr_vdot(x, y)                                                                             \
  TSR__PRODUCT(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_x_, __COUNTER__), tsr_vdot,        \
               #x ", " #y, x, y)
#define tsr_outer(x, y)                                                                            \
  TSR__PRODUCT(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_x_, __COUNTER__), tsr_outer,       \
               #x ", " #y, x, y)
#endif

#ifdef __cplusplus
}
#endif
#endif
