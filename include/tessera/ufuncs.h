/* Methods of elementwise functions of two operands: NumPy's ufunc.reduce, accumulate and outer.
 *
 * ufunc: the function by NumPy's name, such as "add", "hypot" or "bitwise_xor", or one of its other
 * names; borrowed for the call. Texts write it as NumPy does, "hypot.reduce(x, axis=1)". All of
 * them: collective. They record and return a lazy array owned by the current scope, and do not
 * wait; null on TSR_ERR_ARGUMENT (no such function, one that has not two operands, an option that
 * the call does not take), TSR_ERR_DTYPE, TSR_ERR_AXIS, TSR_ERR_SHAPE, TSR_ERR_HANDLE, and silently
 * if an operand is the null handle. */
#ifndef TESSERA_UFUNCS_H
#define TESSERA_UFUNCS_H

#include "tessera/base.h"
#include "tessera/grids.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __cplusplus
/** The function of all elements along the axes: tsr_ufunc_reduce("hypot", x, TSR_AXES(0)).
 *
 *  Options in any order: an axis or TSR_AXES(…) (all axes, if none are given; NumPy's default, and
 *  that of texts, is axis 0), TSR_KEEPDIMS, TSR_DTYPE(dtype), TSR_INITIAL(number),
 *  TSR_WHERE(mask). "add", "multiply", "minimum", "maximum", "logical_and" and "logical_or" are
 *  tsr_sum, tsr_prod, tsr_min, tsr_max, tsr_all and tsr_any. "subtract" and "divide" put the first
 *  element, or the initial one, together with the sum or the product of the others. A function that
 *  may be put in any brackets ("logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "fmin",
 *  "fmax", "gcd", "lcm", "hypot", "logaddexp", "logaddexp2") combines neighbours, then pairs of
 *  these: log2(n) steps, the same bits on any cut. Any other is applied to one element after the
 *  other, of at most 4,096, along one axis (TSR_ERR_SHAPE, TSR_ERR_AXIS). TSR_ERR_DTYPE: comparisons
 *  of other dtypes than bool, since their results are bools. No elements: the function's neutral
 *  element or the initial one;
 *  TSR_ERR_SHAPE where there is neither. Source: numpy.ufunc.reduce. */
TSR_API tsr_array tsr_ufunc_reduce(const char *ufunc, tsr_array x, tsr_axes options);
/** The function of all elements up to each one along an axis, 0 if left out:
 * tsr_ufunc_accumulate("subtract", x, 1), … axis, dtype).
 *
 *  "add", "multiply", "minimum" and "maximum" are tsr_cumsum, tsr_cumprod, tsr_cummin and
 *  tsr_cummax; the others follow tsr_ufunc_reduce, functions in any brackets by the network of
 *  tsr_cumsum. TSR_ERR_AXIS also of a 0-d array. Source: numpy.ufunc.accumulate. */
TSR_API tsr_array tsr_ufunc_accumulate(const char *ufunc, tsr_array x, int axis, tsr_dtype dtype);
/** The function of each element of x with each one of y: the shapes are joined, at most
 * TSR_MAX_NDIM axes in all (TSR_ERR_SHAPE). Source: numpy.ufunc.outer. */
TSR_API tsr_array tsr_ufunc_outer(const char *ufunc, tsr_array x, tsr_array y);
#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/ufuncs.h"

#endif
