/* Arrays that are functions of their indices: like another, spaces, identities, triangles, grids.
 * All but tsr_diag and tsr_full_like are operations on index ramps: they fuse with what uses them
 * and take no memory of their own. */
#ifndef TESSERA_GRIDS_H
#define TESSERA_GRIDS_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** As a dtype: that of the array that the result is to be like. */
#define TSR_DTYPE_LIKE ((tsr_dtype)-1)
/** As the number of columns: that of the rows. */
#define TSR_SQUARE INT64_MIN

#ifndef __cplusplus
/** Zeros of x's shape and dtype: tsr_empty_like(x), tsr_empty_like(x, dtype). x: an array, or a
 * scalar for a 0-d one. Errors as tsr_empty. Source: numpy.empty_like. */
TSR_API tsr_array tsr_empty_like(tsr_array x, tsr_dtype dtype);
/** As tsr_empty_like. Source: numpy.zeros_like. */
TSR_API tsr_array tsr_zeros_like(tsr_array x, tsr_dtype dtype);
/** Ones; as tsr_empty_like. Source: numpy.ones_like. */
TSR_API tsr_array tsr_ones_like(tsr_array x, tsr_dtype dtype);
/** `value` everywhere, cast as C casts: tsr_full_like(x, value), tsr_full_like(x, value, dtype).
 * Source: numpy.full_like. */
TSR_API tsr_array tsr_full_like(tsr_array x, double value, tsr_dtype dtype);
/** `num` numbers from start to stop, equally far apart: tsr_linspace(start, stop), (start, stop,
 * num), (…, endpoint), (…, dtype), (…, axis); 50 numbers, with the endpoint, float64.
 *
 *  Computed in float64 as NumPy does, then cast (integers: rounded down). start and stop may be
 *  arrays, which broadcast together: a space between each two of their elements, along a new axis,
 *  the result's `axis`, the first if left out (TSR_ERR_AXIS); complex ones, of TSR_COMPLEX128, too
 *  (TSR_ERR_DTYPE where another kind is asked for). TSR_ERR_ARGUMENT: num below 0. Source:
 *  numpy.linspace. */
TSR_API tsr_array tsr_linspace(double start, double stop, int64_t num, bool endpoint,
                               tsr_dtype dtype, int axis);
/** `base` to the powers that tsr_linspace gives: tsr_logspace(start, stop), (start, stop, num), (…,
 * endpoint), (…, base), (…, dtype), (…, axis); base 10. Source: numpy.logspace. */
TSR_API tsr_array tsr_logspace(double start, double stop, int64_t num, bool endpoint, double base,
                               tsr_dtype dtype, int axis);
/** `num` numbers from start to stop, each the one before times the same factor: arguments as
 * tsr_logspace, without a base. Both ends are exact. TSR_ERR_ARGUMENT: an end of 0, which makes the
 * inner numbers of arrays NaN; TSR_ERR_DTYPE: complex arrays. Source: numpy.geomspace. */
TSR_API tsr_array tsr_geomspace(double start, double stop, int64_t num, bool endpoint,
                                tsr_dtype dtype, int axis);
/** Ones where column - row is k, zeros elsewhere: tsr_eye(n), (n, m), (n, m, k), (n, m, k, dtype).
 * n rows, m columns (TSR_SQUARE: n), float64. Source: numpy.eye. */
TSR_API tsr_array tsr_eye(int64_t n, int64_t m, int64_t k, tsr_dtype dtype);
/** tsr_eye(n): tsr_identity(n), tsr_identity(n, dtype). Source: numpy.identity. */
TSR_API tsr_array tsr_identity(int64_t n, tsr_dtype dtype);
/** Ones where column - row is at most k; arguments as tsr_eye. Source: numpy.tri. */
TSR_API tsr_array tsr_tri(int64_t n, int64_t m, int64_t k, tsr_dtype dtype);
/** x with zeros where column - row is above k: tsr_tril(x), tsr_tril(x, k); the last two axes.
 * TSR_ERR_SHAPE without axes. Source: numpy.tril. */
TSR_API tsr_array tsr_tril(tsr_array x, int64_t k);
/** x with zeros where column - row is below k. As tsr_tril. Source: numpy.triu. */
TSR_API tsr_array tsr_triu(tsr_array x, int64_t k);
/** The diagonal of a matrix, a view as tsr_diagonal; of a vector a new matrix with it there and
 * zeros elsewhere: tsr_diag(x), tsr_diag(x, k). TSR_ERR_SHAPE for other arrays. Source: numpy.diag.
 */
TSR_API tsr_array tsr_diag(tsr_array x, int64_t k);
/** result[a] is the index along axis a: tsr_indices(shape), tsr_indices(shape, dtype); int64.
 * TSR_ERR_SHAPE: over 7 axes. Source: numpy.indices. */
TSR_API tsr_array tsr_indices(tsr_dims shape, tsr_dtype dtype);
/** The coordinates of a grid: tsr_meshgrid(out, TSR_ARRAYS(x, y)), (out, arrays, "ij").
 *
 *  arrays: vectors; others as tsr_ravel has them; out [out] as many arrays, each a view that
 *  repeats its vector along the other axes (NumPy's copy=False). indexing: "xy", as without it,
 *  swaps the first two axes. Returns TSR_ERR_SHAPE (over 8 arrays), TSR_ERR_ARGUMENT,
 *  TSR_ERR_HANDLE. Source: numpy.meshgrid. */
TSR_API tsr_status tsr_meshgrid(tsr_array *out, tsr_arrays arrays, const char *indexing);

/* One argument, and one that may be left out. */

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/grids.h"

#endif
