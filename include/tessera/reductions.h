/* Reductions by one fixed binary tree: the same bits for any number of ranks, threads and tiles.
 *
 * All of them: collective. Options in any order: tsr_sum(x), tsr_sum(x, 0), tsr_sum(x,
 * TSR_KEEPDIMS), tsr_sum(x, TSR_AXES(0, -1), TSR_KEEPDIMS); the function form, `(tsr_sum)(x,
 * options)`, takes one. x: an array of any shape, or a C scalar; result: x without the axes
 * given (all, if none are given), of length 1 there with TSR_KEEPDIMS. Of a 0-d array one axis,
 * 0 or -1, may be named, as NumPy's axis=0, but for tsr_mean. Of all but the positions
 * TSR_WHERE(mask), and of sums, products and extremes TSR_INITIAL(value), which operand.h
 * explains. They record and return a lazy array owned by the current scope; null on TSR_ERR_AXIS
 * (out of range, named twice), TSR_ERR_ARGUMENT (another option: the text says which are taken),
 * TSR_ERR_SHAPE, TSR_ERR_HANDLE, and silently if x is the null handle. Cost: one pass, fused
 * with what makes x; partial trees travel between ranks. A 0-d result is an operand like any
 * other: it need not be read to be used. */
#ifndef TESSERA_REDUCTIONS_H
#define TESSERA_REDUCTIONS_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __cplusplus
/** Sum. bool and int32 give int64. Source: numpy.sum. */
TSR_API tsr_array tsr_sum(tsr_array x, tsr_axes options);
/** Product. bool and int32 give int64. Source: numpy.prod. */
TSR_API tsr_array tsr_prod(tsr_array x, tsr_axes options);
/** Least element; NaN if there is one; -0 before +0. No elements: TSR_ERR_SHAPE. Source: numpy.min.
 */
TSR_API tsr_array tsr_min(tsr_array x, tsr_axes options);
/** Greatest element; NaN if there is one; +0 after -0. No elements: TSR_ERR_SHAPE. Source:
 * numpy.max. */
TSR_API tsr_array tsr_max(tsr_array x, tsr_axes options);
/** Sum divided by the number of elements; integers and bools in float64. No elements: NaN. Source:
 * numpy.mean. */
TSR_API tsr_array tsr_mean(tsr_array x, tsr_axes options);
/** Whether an element is non-zero, as bool. Source: numpy.any. */
TSR_API tsr_array tsr_any(tsr_array x, tsr_axes options);
/** Whether every element is non-zero, as bool. Source: numpy.all. */
TSR_API tsr_array tsr_all(tsr_array x, tsr_axes options);
/** Position of the least element (the first NaN, if there is one; else the first of equals), as
 * int64: along one axis, or in row-major order over all. No elements: TSR_ERR_SHAPE. Source:
 * numpy.argmin. */
TSR_API tsr_array tsr_argmin(tsr_array x, tsr_axes options);
/** Position of the greatest element, as tsr_argmin. Source: numpy.argmax. */
TSR_API tsr_array tsr_argmax(tsr_array x, tsr_axes options);

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/reductions.h"

#endif
