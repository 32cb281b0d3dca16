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

TSR_API tsr_array tsr_empty_like_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype);
TSR_API tsr_array tsr_zeros_like_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype);
TSR_API tsr_array tsr_ones_like_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype);
TSR_API tsr_array tsr_full_like_at(const tsr_location *where, tsr_operand x, tsr_operand value,
                                   tsr_dtype dtype);
TSR_API tsr_array tsr_linspace_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                                  int64_t num, bool endpoint, tsr_dtype dtype);
TSR_API tsr_array tsr_logspace_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                                  int64_t num, bool endpoint, double base, tsr_dtype dtype);
TSR_API tsr_array tsr_geomspace_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                                   int64_t num, bool endpoint, tsr_dtype dtype);
TSR_API tsr_array tsr_eye_at(const tsr_location *where, int64_t n, int64_t m, int64_t k,
                             tsr_dtype dtype);
TSR_API tsr_array tsr_identity_at(const tsr_location *where, int64_t n, tsr_dtype dtype);
TSR_API tsr_array tsr_tri_at(const tsr_location *where, int64_t n, int64_t m, int64_t k,
                             tsr_dtype dtype);
TSR_API tsr_array tsr_tril_at(const tsr_location *where, tsr_array x, int64_t k);
TSR_API tsr_array tsr_triu_at(const tsr_location *where, tsr_array x, int64_t k);
TSR_API tsr_array tsr_diag_at(const tsr_location *where, tsr_array x, int64_t k);
TSR_API tsr_array tsr_indices_at(const tsr_location *where, tsr_dims shape, tsr_dtype dtype);
TSR_API tsr_status tsr_meshgrid_at(const tsr_location *where, tsr_array *out, tsr_arrays arrays,
                                   const char *indexing);

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
 * num), (…, endpoint), (…, dtype); 50 numbers, with the endpoint, float64.
 *
 *  C scalars; computed in float64 as NumPy does, then cast (integers: rounded down).
 * TSR_ERR_ARGUMENT: num below 0. Source: numpy.linspace. */
TSR_API tsr_array tsr_linspace(double start, double stop);
/** `base` to the powers that tsr_linspace gives: tsr_logspace(start, stop), (start, stop, num),
 * (…, endpoint), (…, base), (…, dtype); base 10. Source: numpy.logspace. */
TSR_API tsr_array tsr_logspace(double start, double stop);
/** `num` numbers from start to stop, each the one before times the same factor: arguments as
 * tsr_linspace. Both ends are exact. TSR_ERR_ARGUMENT: an end of 0. Source: numpy.geomspace. */
TSR_API tsr_array tsr_geomspace(double start, double stop);
/** Ones where column - row is k, zeros elsewhere: tsr_eye(n), (n, m), (n, m, k), (n, m, k, dtype).
 * n rows, m columns (TSR_SQUARE: n), float64. Source: numpy.eye. */
TSR_API tsr_array tsr_eye(int64_t n);
/** tsr_eye(n): tsr_identity(n), tsr_identity(n, dtype). Source: numpy.identity. */
TSR_API tsr_array tsr_identity(int64_t n);
/** Ones where column - row is at most k; arguments as tsr_eye. Source: numpy.tri. */
TSR_API tsr_array tsr_tri(int64_t n);
/** x with zeros where column - row is above k: tsr_tril(x), tsr_tril(x, k); the last two axes.
 * TSR_ERR_SHAPE without axes. Source: numpy.tril. */
TSR_API tsr_array tsr_tril(tsr_array x);
/** x with zeros where column - row is below k. As tsr_tril. Source: numpy.triu. */
TSR_API tsr_array tsr_triu(tsr_array x);
/** The diagonal of a matrix, a view as tsr_diagonal; of a vector a new matrix with it there and
 * zeros elsewhere: tsr_diag(x), tsr_diag(x, k). TSR_ERR_SHAPE for other arrays. Source: numpy.diag.
 */
TSR_API tsr_array tsr_diag(tsr_array x);
/** result[a] is the index along axis a: tsr_indices(shape), tsr_indices(shape, dtype); int64.
 * TSR_ERR_SHAPE: over 7 axes. Source: numpy.indices. */
TSR_API tsr_array tsr_indices(tsr_dims shape);
/** The coordinates of a grid: tsr_meshgrid(out, TSR_ARRAYS(x, y)), (out, arrays, "ij").
 *
 *  arrays: vectors; others as tsr_ravel has them; out [out] as many arrays, each a view that
 * repeats its vector along the other axes (NumPy's copy=False). indexing: "xy", as without it,
 * swaps the first two axes. Returns TSR_ERR_SHAPE (over 8 arrays), TSR_ERR_ARGUMENT,
 * TSR_ERR_HANDLE. Source: numpy.meshgrid. */
TSR_API tsr_status tsr_meshgrid(tsr_array *out, tsr_arrays arrays, const char *indexing);

#define tsr_empty_like(...)                                                                        \
  TSR__LIKE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_empty_like, #__VA_ARGS__, __VA_ARGS__)
#define tsr_zeros_like(...)                                                                        \
  TSR__LIKE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_zeros_like, #__VA_ARGS__, __VA_ARGS__)
#define tsr_ones_like(...)                                                                         \
  TSR__LIKE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_ones_like, #__VA_ARGS__, __VA_ARGS__)
#define TSR__LIKE(id, op, text, ...)                                                               \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2, __VA_ARGS__);                                                       \
    TSR__HERE(id, #op, text);                                                                      \
    op##_at(&id, TSR__BOX((TSR__FIRST(0, __VA_ARGS__))),                                           \
            TSR__SECOND(TSR_DTYPE_LIKE, __VA_ARGS__));                                             \
  }))
#define tsr_full_like(...)                                                                         \
  TSR__FULL_LIKE(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__FULL_LIKE(id, text, ...)                                                              \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_full_like, 2, 3, __VA_ARGS__);                                            \
    TSR__HERE(id, "tsr_full_like", text);                                                          \
    tsr_full_like_at(&id, TSR__BOX((TSR__FIRST(0, __VA_ARGS__))),                                  \
                     TSR__BOX((TSR__SECOND(0, __VA_ARGS__))),                                      \
                     TSR__THIRD(TSR_DTYPE_LIKE, __VA_ARGS__));                                     \
  }))

#define tsr_linspace(...)                                                                          \
  TSR__SPACE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_linspace, #__VA_ARGS__, __VA_ARGS__)
#define tsr_geomspace(...)                                                                         \
  TSR__SPACE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_geomspace, #__VA_ARGS__, __VA_ARGS__)
#define TSR__SPACE(id, op, text, ...)                                                              \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 5, __VA_ARGS__);                                                       \
    TSR__HERE(id, #op, text);                                                                      \
    op##_at(&id, TSR__BOX((TSR__FIRST(0, __VA_ARGS__))), TSR__BOX((TSR__SECOND(0, __VA_ARGS__))),  \
            TSR__THIRD(50, __VA_ARGS__), TSR__FOURTH(true, __VA_ARGS__),                           \
            TSR__FIFTH(TSR_FLOAT64, __VA_ARGS__));                                                 \
  }))
#define tsr_logspace(...) TSR__LOGSPACE(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__LOGSPACE(id, text, ...)                                                               \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_logspace, 2, 6, __VA_ARGS__);                                             \
    TSR__HERE(id, "tsr_logspace", text);                                                           \
    tsr_logspace_at(&id, TSR__BOX((TSR__FIRST(0, __VA_ARGS__))),                                   \
                    TSR__BOX((TSR__SECOND(0, __VA_ARGS__))), TSR__THIRD(50, __VA_ARGS__),          \
                    TSR__FOURTH(true, __VA_ARGS__), TSR__FIFTH(10, __VA_ARGS__),                   \
                    TSR__SIXTH(TSR_FLOAT64, __VA_ARGS__));                                         \
  }))

#define tsr_eye(...)                                                                               \
  TSR__PLANE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_eye, #__VA_ARGS__, __VA_ARGS__)
#define tsr_tri(...)                                                                               \
  TSR__PLANE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_tri, #__VA_ARGS__, __VA_ARGS__)
#define TSR__PLANE(id, op, text, ...)                                                              \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 4, __VA_ARGS__);                                                       \
    TSR__HERE(id, #op, text);                                                                      \
    op##_at(&id, TSR__FIRST(0, __VA_ARGS__), TSR__SECOND(TSR_SQUARE, __VA_ARGS__),                 \
            TSR__THIRD(0, __VA_ARGS__), TSR__FOURTH(TSR_FLOAT64, __VA_ARGS__));                    \
  }))
#define tsr_identity(...)                                                                          \
  TSR__WITH_ONE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_identity, TSR_FLOAT64, #__VA_ARGS__,         \
                __VA_ARGS__)
#define tsr_tril(...)                                                                              \
  TSR__WITH_ONE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_tril, 0, #__VA_ARGS__, __VA_ARGS__)
#define tsr_triu(...)                                                                              \
  TSR__WITH_ONE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_triu, 0, #__VA_ARGS__, __VA_ARGS__)
#define tsr_diag(...)                                                                              \
  TSR__WITH_ONE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_diag, 0, #__VA_ARGS__, __VA_ARGS__)
#define tsr_indices(...)                                                                           \
  TSR__WITH_ONE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_indices, TSR_INT64, #__VA_ARGS__, __VA_ARGS__)
/* One argument, and one that may be left out. */
#define TSR__WITH_ONE(id, op, second, text, ...)                                                   \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2, __VA_ARGS__);                                                       \
    TSR__HERE(id, #op, text);                                                                      \
    op##_at(&id, TSR__ARG1(__VA_ARGS__, 0), TSR__SECOND(second, __VA_ARGS__));                     \
  }))

#define tsr_meshgrid(...) TSR__MESHGRID(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__MESHGRID(id, text, ...)                                                               \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(tsr_meshgrid, 2, 3, __VA_ARGS__);                                             \
    TSR__HERE(id, "tsr_meshgrid", text);                                                           \
    tsr_meshgrid_at(&id, TSR__ARG1(__VA_ARGS__, 0), TSR__ARG2(__VA_ARGS__, 0),                     \
                    TSR__THIRD("xy", __VA_ARGS__));                                                \
  })
#endif

#ifdef __cplusplus
}
#endif
#endif
