/* Statistics, norms, products, scans: made of reductions and elementwise operations, so that their
 * bits depend on shape and values only, never on ranks, threads and tiles.
 *
 * All of them: collective. x: an array, or a C scalar, of any shape unless a function says
 * otherwise. Options, in any order: an axis or TSR_AXES(0, -1) (all axes, if none are given),
 * TSR_KEEPDIMS, and where a function says so TSR_DDOF(n), TSR_ORD(p); the function forms,
 * `(tsr_var)(x, options)`, take one. They record and return a lazy array owned by the current
 * scope; null on TSR_ERR_AXIS (out of range, named twice), TSR_ERR_ARGUMENT (an option that the
 * call does not take), TSR_ERR_SHAPE, TSR_ERR_DTYPE, TSR_ERR_HANDLE, and silently if an operand is
 * the null handle. They do not wait, but where a function says so. */
#ifndef TESSERA_STATISTICS_H
#define TESSERA_STATISTICS_H

#include <limits.h>

#include "tessera/base.h"
#include "tessera/grids.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** In place of an axis: the only one there is, of all elements in flat order where there are
 * several. */
#define TSR_ONLY_AXIS INT_MIN

#ifndef __cplusplus
/** Number of elements that are not zero, as int64; NaN is not zero. Source: numpy.count_nonzero. */
TSR_API tsr_array tsr_count_nonzero(tsr_array x, tsr_axes options);
/** Greatest less least element. bool: TSR_ERR_DTYPE; no elements: TSR_ERR_SHAPE. Source: numpy.ptp.
 */
TSR_API tsr_array tsr_ptp(tsr_array x, tsr_axes options);
/** Variance: tsr_var(x, TSR_AXES(0), TSR_DDOF(1)).
 *
 *  Mean of the squared distances from the mean, over the number of elements less ddof (0 if left
 *  out); integers and bools in float64. NaN or infinity where that number is not above 0. Two
 *  passes over x. Source: numpy.var. */
TSR_API tsr_array tsr_var(tsr_array x, tsr_axes options);
/** Standard deviation: the square root of tsr_var. Source: numpy.std. */
TSR_API tsr_array tsr_std(tsr_array x, tsr_axes options);
/** Sum, NaN counting as 0. Source: numpy.nansum. */
TSR_API tsr_array tsr_nansum(tsr_array x, tsr_axes options);
/** Product, NaN counting as 1. Source: numpy.nanprod. */
TSR_API tsr_array tsr_nanprod(tsr_array x, tsr_axes options);
/** Least element that is not NaN; NaN if there is none, without NumPy's warning. No elements:
 * TSR_ERR_SHAPE. Source: numpy.nanmin. */
TSR_API tsr_array tsr_nanmin(tsr_array x, tsr_axes options);
/** Greatest element that is not NaN, as tsr_nanmin. Source: numpy.nanmax. */
TSR_API tsr_array tsr_nanmax(tsr_array x, tsr_axes options);
/** Mean of what is not NaN; NaN if there is nothing. Source: numpy.nanmean. */
TSR_API tsr_array tsr_nanmean(tsr_array x, tsr_axes options);
/** Variance of what is not NaN, with TSR_DDOF(n); NaN where no more than ddof elements are left.
 * Source: numpy.nanvar. */
TSR_API tsr_array tsr_nanvar(tsr_array x, tsr_axes options);
/** Square root of tsr_nanvar. Source: numpy.nanstd. */
TSR_API tsr_array tsr_nanstd(tsr_array x, tsr_axes options);
/** Position of the least element, NaN counting as infinity, as tsr_argmin; 0 where all are NaN
 * (NumPy raises, which needs a look at the values). Source: numpy.nanargmin. */
TSR_API tsr_array tsr_nanargmin(tsr_array x, tsr_axes options);
/** Position of the greatest element, NaN counting as minus infinity. Source: numpy.nanargmax. */
TSR_API tsr_array tsr_nanargmax(tsr_array x, tsr_axes options);
/** Norm: tsr_norm(x), tsr_norm(x, TSR_ORD(1)), tsr_norm(x, TSR_ORD(INFINITY), TSR_AXES(-1)).
 *
 *  Without an order: the square root of the sum of the squares (for matrices Frobenius' norm). Over
 *  one axis: any order; 0 counts what is not zero, +-infinity is the largest and least absolute
 *  value. Over two axes, rows and columns: 1, -1, infinity and -infinity; the orders 2 and -2,
 *  which need singular values, are TSR_ERR_ARGUMENT. float, or float64 of integers. No scaling:
 *  overflows where a square does. Source: numpy.linalg.norm. */
TSR_API tsr_array tsr_norm(tsr_array x, tsr_axes options);
/** Weighted mean: tsr_average(x, weights), … options).
 *
 *  weights: of x's shape, 0-d, or the axes that TSR_AXES names, in the order in which it names them
 *  and as long as these (TSR_ERR_SHAPE if not). Of the dtype that x (float64, if integers) and the
 *  weights promote to. Weights whose sum is 0 give NaN or infinity (NumPy raises). Source:
 *  numpy.average. */
TSR_API tsr_array tsr_average(tsr_array x, tsr_array weights, tsr_axes options);
/** The middle element in order, or the mean of the two in the middle; NaN if there is one, or no
 * element. As tsr_quantile. Source: numpy.median. */
TSR_API tsr_array tsr_median(tsr_array x, tsr_axes options);
/** The number that the fraction q of the elements lies below: tsr_quantile(x, q, … options).
 *
 *  q: a C number in [0, 1] (TSR_ERR_ARGUMENT), or an array of up to 65,536 of them (TSR_ERR_SHAPE),
 *  borrowed, which the call reads and so waits for: the result then has the axes of q before the
 *  others, and costs what so many calls cost. Texts take a tuple, quantile(x, (0.25, 0.75)).
 *  Complex numbers are TSR_ERR_DTYPE. Between two elements of the order: linearly, NumPy's default
 *  method; NaN if there is one, or no element. What is an element is that element, also beside an
 *  infinite one, where NumPy's difference of infinite neighbours is NaN. Integers in float64.
 *  Exact. Cost: where up to 65,536 elements belong to a result (2^20 on one rank), about two passes
 *  over them by the rank that has the result, which gathers them; nobody waits. Else 22 rounds,
 *  each a pass over x that counts it against seven candidates, and a wait; the results, but not x,
 *  must fit each rank's memory. Source: numpy.quantile. */
TSR_API tsr_array tsr_quantile(tsr_array x, double q, tsr_axes options);
/** tsr_quantile(x, q / 100): q in [0, 100]. Source: numpy.percentile. */
TSR_API tsr_array tsr_percentile(tsr_array x, double q, tsr_axes options);
/** Of the elements that are not NaN; NaN where all are. Otherwise as tsr_median, tsr_quantile,
 * tsr_percentile; with a method other than "linear" always by the rounds that wait. Source:
 * numpy.nanmedian, numpy.nanquantile, numpy.nanpercentile. */
TSR_API tsr_array tsr_nanmedian(tsr_array x, tsr_axes options);
TSR_API tsr_array tsr_nanquantile(tsr_array x, double q, tsr_axes options);
TSR_API tsr_array tsr_nanpercentile(tsr_array x, double q, tsr_axes options);

/** Running sum: tsr_cumsum(x), tsr_cumsum(x, axis), tsr_cumsum(x, axis, dtype).
 *
 *  Without an axis all elements in flat order, a vector. bool and int32 give int64; x is cast to a
 *  dtype that is given, in which the sum is computed.
 *  Element i is the sum of the aligned blocks of power-of-two lengths that make up [0, i], longest
 *  first, each summed by halves: the same on any cut, and within a few roundings of the exact sum.
 *  Cost: one pass along the last axis where a place may gather rows (of up to 65,536 elements; 2^20
 *  on one place), else 2 log2 n passes over shrinking strided parts. Source: numpy.cumsum. */
TSR_API tsr_array tsr_cumsum(tsr_array x, int axis, tsr_dtype dtype);
/** Running product, as tsr_cumsum. Source: numpy.cumprod. */
TSR_API tsr_array tsr_cumprod(tsr_array x, int axis, tsr_dtype dtype);
/** Running maximum, of x's dtype; from a NaN on NaN. It costs what tsr_cumsum does; of float16,
 * complex numbers and bools, 2 log2 n passes. Source: numpy.maximum.accumulate. */
TSR_API tsr_array tsr_cummax(tsr_array x, int axis);
/** Running minimum. Source: numpy.minimum.accumulate. */
TSR_API tsr_array tsr_cummin(tsr_array x, int axis);
/** Differences of neighbours along an axis: tsr_diff(x), tsr_diff(x, times), tsr_diff(x, times,
 * axis); once and along the last, if left out. Of bools: whether they differ. 0-d: TSR_ERR_SHAPE;
 * times < 0: TSR_ERR_ARGUMENT.
 *
 *  prepend, append: values before and behind x along the axis, joined with it as by
 *  tsr_concatenate before the differences are taken; a number, or an array of one element without
 *  axes, stands once before (behind) each row. TSR_NONE, if left out: none. Source: numpy.diff. */
TSR_API tsr_array tsr_diff(tsr_array x, int times, int axis, tsr_array prepend, tsr_array append);
/** Integral by trapezoids along an axis: tsr_trapezoid(y), tsr_trapezoid(y, x), … x, axis).
 *
 *  x: the distance of the points, or an array of them, of one axis or of y's shape; 1 if left out.
 *  axis: the last, if left out. Neighbours are added in y's dtype, so narrow integers wrap, as
 *  NumPy's. Source: numpy.trapezoid. */
TSR_API tsr_array tsr_trapezoid(tsr_array y, double x, int axis);
/** Sums of products along both last axes: [.., k] and [.., k] give [.., ..]. TSR_ERR_SHAPE if they
 * differ in length. 0-d: the product. Source: numpy.inner. */
TSR_API tsr_array tsr_inner(tsr_array x, tsr_array y);
/** Sums of products along x's last axis and y's second last (or only) one: [m, k] and [k, n] give
 * [m, n]. TSR_ERR_SHAPE if they differ in length, or for more axes than tsr_matmul takes, which
 * computes it. Source: numpy.dot. */
TSR_API tsr_array tsr_dot(tsr_array x, tsr_array y);
/** Sum of the products of conj(x) and y, both flattened where their shapes differ. TSR_ERR_SHAPE
 * unless they have as many elements. Source: numpy.vdot. */
TSR_API tsr_array tsr_vdot(tsr_array x, tsr_array y);
/** All products of two arrays, flattened: of m and n elements [m, n]. Source: numpy.outer. */
TSR_API tsr_array tsr_outer(tsr_array x, tsr_array y);
/** Sums of the products of conj(x) and y along an axis, the last if left out; the others broadcast.
 * TSR_ERR_SHAPE if the axis has two lengths, or an operand has no axes; TSR_ERR_AXIS. Source:
 * numpy.vecdot. */
TSR_API tsr_array tsr_vecdot(tsr_array x, tsr_array y, int axis);
/** Vector products along an axis, the last if left out, of three elements or of two, of which the
 * third is 0; of two and two only the third element, without the axis. The other axes broadcast.
 * TSR_ERR_SHAPE for other lengths. Source: numpy.cross. */
TSR_API tsr_array tsr_cross(tsr_array x, tsr_array y, int axis);
/** Kronecker's product: each element of x times all of y, in blocks; the shapes multiply.
 * TSR_ERR_SHAPE for more than TSR_MAX_NDIM / 2 axes. Source: numpy.kron. */
TSR_API tsr_array tsr_kron(tsr_array x, tsr_array y);
/** The sum along the diagonal that tsr_diagonal(x, offset, axis1, axis2) gives, by tsr_sum.
 * Source: numpy.trace. */
TSR_API tsr_array tsr_trace(tsr_array x, int64_t offset, int axis1, int axis2);

/** Options of tsr_var, tsr_std, tsr_nanvar, tsr_nanstd: what is taken off the number of elements.
 */
#define TSR_DDOF(n_less) ((tsr_axes){.n = -1, .has_ddof = true, .ddof = (n_less)})
/** Option of tsr_quantile and tsr_percentile: the method by NumPy's name, such as "nearest" or
 * "hazen"; "linear" where none is given. TSR_ERR_ARGUMENT for an unknown one: the text has all. */
#define TSR_METHOD(name) ((tsr_axes){.n = -1, .method = (name)})
/** Option of tsr_quantile and its kin but the medians: how much each element counts, an array of
 * the shapes that tsr_average takes (TSR_ERR_SHAPE). With TSR_METHOD("inverted_cdf") alone, as
 * NumPy has it: the least element up to which the weights make up the fraction q of their sum; of q
 * = 0 the least that counts. TSR_ERR_ARGUMENT: another method, a weight below 0, weights that sum
 * to 0 or to no number. Always by the rounds that wait. */
#define TSR_WEIGHTS(w) ((tsr_axes){.n = -1, .has_weights = true, .where = TSR__BOX(w)})
/** Option of tsr_norm: the order. */
#define TSR_ORD(p) ((tsr_axes){.n = -1, .has_ord = true, .ord = (p)})

#endif

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
namespace tessera {

inline tsr_axes ddof(double n)
{
  tsr_axes a = all_axes();
  a.has_ddof = true;
  a.ddof = n;
  return a;
}

inline tsr_axes by_method(const char *name)
{
  tsr_axes a = all_axes();
  a.method = name;
  return a;
}

inline tsr_axes ord(double p)
{
  tsr_axes a = all_axes();
  a.has_ord = true;
  a.ord = p;
  return a;
}

} /* namespace tessera */

#define TSR_DDOF(n) (::tessera::ddof(n))
#define TSR_ORD(p) (::tessera::ord(p))
#define TSR_METHOD(name) (::tessera::by_method(name))
#define TSR_WEIGHTS(w) (::tessera::weighted_by(w))
#endif

#include "tessera/generated/statistics.h"

#endif
