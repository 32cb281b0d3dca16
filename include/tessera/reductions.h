/* Reductions by one fixed binary tree: the same bits for any number of ranks, threads and tiles.
 *
 * All of them: collective. tsr_sum(x), tsr_sum(x, TSR_AXES(0, -1)), tsr_sum(x, TSR_KEEPDIMS),
 * tsr_sum(x, TSR_AXES(0), TSR_KEEPDIMS). x: an array of any shape, or a C scalar; result: x without
 * the axes given (all, if none are given), of length 1 there with TSR_KEEPDIMS. Of a 0-d array one
 * axis, 0 or -1, may be named, as NumPy's axis=0, but for tsr_mean. They record and
 * return a lazy array owned by the current scope; null on TSR_ERR_AXIS (out of range, named twice),
 * TSR_ERR_SHAPE, TSR_ERR_HANDLE, and silently if x is the null handle. Cost: one pass, fused with
 * what makes x; partial trees travel between ranks. A 0-d result is an operand like any other: it
 * need not be read to be used. */
#ifndef TESSERA_REDUCTIONS_H
#define TESSERA_REDUCTIONS_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/* options: n_options of TSR_AXES / TSR_KEEPDIMS, borrowed. */
TSR_API tsr_array tsr_sum_at(const tsr_location *where, tsr_operand x, int n_options,
                             const tsr_axes *options);
TSR_API tsr_array tsr_prod_at(const tsr_location *where, tsr_operand x, int n_options,
                              const tsr_axes *options);
TSR_API tsr_array tsr_min_at(const tsr_location *where, tsr_operand x, int n_options,
                             const tsr_axes *options);
TSR_API tsr_array tsr_max_at(const tsr_location *where, tsr_operand x, int n_options,
                             const tsr_axes *options);
TSR_API tsr_array tsr_mean_at(const tsr_location *where, tsr_operand x, int n_options,
                              const tsr_axes *options);
TSR_API tsr_array tsr_any_at(const tsr_location *where, tsr_operand x, int n_options,
                             const tsr_axes *options);
TSR_API tsr_array tsr_all_at(const tsr_location *where, tsr_operand x, int n_options,
                             const tsr_axes *options);
TSR_API tsr_array tsr_argmin_at(const tsr_location *where, tsr_operand x, int n_options,
                                const tsr_axes *options);
TSR_API tsr_array tsr_argmax_at(const tsr_location *where, tsr_operand x, int n_options,
                                const tsr_axes *options);

#ifndef __cplusplus
/** Sum. bool and int32 give int64. Source: numpy.sum. */
TSR_API tsr_array tsr_sum(tsr_array x);
/** Product. bool and int32 give int64. Source: numpy.prod. */
TSR_API tsr_array tsr_prod(tsr_array x);
/** Least element; NaN if there is one; -0 before +0. No elements: TSR_ERR_SHAPE. Source: numpy.min.
 */
TSR_API tsr_array tsr_min(tsr_array x);
/** Greatest element; NaN if there is one; +0 after -0. No elements: TSR_ERR_SHAPE. Source:
 * numpy.max. */
TSR_API tsr_array tsr_max(tsr_array x);
/** Sum divided by the number of elements; integers and bools in float64. No elements: NaN. Source:
 * numpy.mean. */
TSR_API tsr_array tsr_mean(tsr_array x);
/** Whether an element is non-zero, as bool. Source: numpy.any. */
TSR_API tsr_array tsr_any(tsr_array x);
/** Whether every element is non-zero, as bool. Source: numpy.all. */
TSR_API tsr_array tsr_all(tsr_array x);
/** Position of the least element (the first NaN, if there is one; else the first of equals), as
 * int64: along one axis, or in row-major order over all. No elements: TSR_ERR_SHAPE. Source:
 * numpy.argmin. */
TSR_API tsr_array tsr_argmin(tsr_array x);
/** Position of the greatest element, as tsr_argmin. Source: numpy.argmax. */
TSR_API tsr_array tsr_argmax(tsr_array x);

#define tsr_sum(...)                                                                               \
  TSR__REDUCTION(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_axes_, __COUNTER__), tsr_sum,    \
                 #__VA_ARGS__, __VA_ARGS__)
#define tsr_prod(...)                                                                              \
  TSR__REDUCTION(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_axes_, __COUNTER__), tsr_prod,   \
                 #__VA_ARGS__, __VA_ARGS__)
#define tsr_min(...)                                                                               \
  TSR__REDUCTION(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_axes_, __COUNTER__), tsr_min,    \
                 #__VA_ARGS__, __VA_ARGS__)
#define tsr_max(...)                                                                               \
  TSR__REDUCTION(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_axes_, __COUNTER__), tsr_max,    \
                 #__VA_ARGS__, __VA_ARGS__)
#define tsr_mean(...)                                                                              \
  TSR__REDUCTION(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_axes_, __COUNTER__), tsr_mean,   \
                 #__VA_ARGS__, __VA_ARGS__)
#define tsr_any(...)                                                                               \
  TSR__REDUCTION(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_axes_, __COUNTER__), tsr_any,    \
                 #__VA_ARGS__, __VA_ARGS__)
#define tsr_all(...)                                                                               \
  TSR__REDUCTION(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_axes_, __COUNTER__), tsr_all,    \
                 #__VA_ARGS__, __VA_ARGS__)
#define tsr_argmin(...)                                                                            \
  TSR__REDUCTION(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_axes_, __COUNTER__), tsr_argmin, \
                 #__VA_ARGS__, __VA_ARGS__)
#define tsr_argmax(...)                                                                            \
  TSR__REDUCTION(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_axes_, __COUNTER__), tsr_argmax, \
                 #__VA_ARGS__, __VA_ARGS__)

#define TSR__REDUCTION(id, options, op, text, ...)                                                 \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 3, __VA_ARGS__);                                                       \
    TSR__HERE(id, #op, text);                                                                      \
    tsr_axes options[2];                                                                           \
    options[0] = TSR__SECOND(TSR__ALL_AXES, __VA_ARGS__);                                          \
    options[1] = TSR__THIRD(TSR__ALL_AXES, __VA_ARGS__);                                           \
    op##_at(&id, TSR__BOX(TSR__FIRST(0, __VA_ARGS__)), 2, options);                                \
  }))
#endif

#ifdef __cplusplus
}
#endif
#endif
