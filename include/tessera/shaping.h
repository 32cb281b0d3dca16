/* Other shapes of the same elements: axes moved, dropped and merged, arrays cut and joined. */
#ifndef TESSERA_SHAPING_H
#define TESSERA_SHAPING_H

#include <limits.h>

#include "tessera/base.h"
#include "tessera/lifetime.h"
#include "tessera/operand.h"
#include "tessera/views.h"

#ifdef __cplusplus
extern "C" {
#endif

/** As the axis of tsr_concatenate: the arrays in flat order (NumPy's axis=None). */
#define TSR_FLAT INT_MIN

TSR_API tsr_array tsr_squeeze_at(const tsr_location *where, tsr_array x, tsr_axes axes);
TSR_API tsr_array tsr_moveaxis_at(const tsr_location *where, tsr_array x, tsr_axes source,
                                  tsr_axes destination);
TSR_API tsr_array tsr_swapaxes_at(const tsr_location *where, tsr_array x, int axis1, int axis2);
TSR_API tsr_array tsr_flipud_at(const tsr_location *where, tsr_array x);
TSR_API tsr_array tsr_fliplr_at(const tsr_location *where, tsr_array x);
TSR_API tsr_array tsr_rot90_at(const tsr_location *where, tsr_array x, int k, tsr_axes axes);
TSR_API tsr_array tsr_atleast_1d_at(const tsr_location *where, tsr_operand x);
TSR_API tsr_array tsr_atleast_2d_at(const tsr_location *where, tsr_operand x);
TSR_API tsr_array tsr_atleast_3d_at(const tsr_location *where, tsr_operand x);
TSR_API tsr_status tsr_broadcast_arrays_at(const tsr_location *where, tsr_array *out,
                                           tsr_arrays arrays);
TSR_API tsr_array tsr_reshape_at(const tsr_location *where, tsr_array x, tsr_dims shape);
TSR_API tsr_array tsr_ravel_at(const tsr_location *where, tsr_array x);
TSR_API tsr_array tsr_flatten_at(const tsr_location *where, tsr_array x);
TSR_API tsr_array tsr_roll_at(const tsr_location *where, tsr_array x, tsr_dims shift,
                              tsr_axes axes);
TSR_API tsr_array tsr_concatenate_at(const tsr_location *where, tsr_arrays arrays, int axis);
TSR_API tsr_array tsr_stack_at(const tsr_location *where, tsr_arrays arrays, int axis);
TSR_API tsr_array tsr_vstack_at(const tsr_location *where, tsr_arrays arrays);
TSR_API tsr_array tsr_hstack_at(const tsr_location *where, tsr_arrays arrays);
TSR_API tsr_array tsr_dstack_at(const tsr_location *where, tsr_arrays arrays);
TSR_API tsr_status tsr_split_at(const tsr_location *where, tsr_array *out, tsr_array x,
                                int64_t sections, int axis);
TSR_API tsr_status tsr_array_split_at(const tsr_location *where, tsr_array *out, tsr_array x,
                                      int64_t sections, int axis);
TSR_API tsr_status tsr_split_indices_at(const tsr_location *where, tsr_array *out, tsr_array x,
                                        int n, const int64_t *indices, int axis);
TSR_API tsr_array tsr_tile_at(const tsr_location *where, tsr_array x, tsr_dims repeats);
TSR_API tsr_array tsr_repeat_at(const tsr_location *where, tsr_array x, int64_t repeats,
                                tsr_axes axis);
TSR_API tsr_array tsr_repeat_counts_at(const tsr_location *where, tsr_array x, int64_t n,
                                       const int64_t *counts, tsr_axes axis);
TSR_API tsr_array tsr_pad_at(const tsr_location *where, tsr_array x, tsr_dims before,
                             tsr_dims after, const char *mode, tsr_operand value);
TSR_API bool tsr_allclose_at(const tsr_location *where, tsr_operand x, tsr_operand y, double rtol,
                             double atol, bool equal_nan);
TSR_API bool tsr_array_equal_at(const tsr_location *where, tsr_operand x, tsr_operand y,
                                bool equal_nan);

#ifndef __cplusplus
/** x without its axes of length 1, tsr_squeeze(x), or without those given, tsr_squeeze(x, axis),
 * (x, TSR_AXES(0, 2)). A view. TSR_ERR_SHAPE: one of those has another length. Source:
 * numpy.squeeze. */
TSR_API tsr_array tsr_squeeze(tsr_array x);
/** Axes put elsewhere, the others in order: tsr_moveaxis(x, source, destination), each an axis or
 * TSR_AXES(…). A view. TSR_ERR_AXIS: out of range, named twice, not as many. Source:
 * numpy.moveaxis. */
TSR_API tsr_array tsr_moveaxis(tsr_array x, int source, int destination);
/** Two axes exchanged. A view. Source: numpy.swapaxes. */
TSR_API tsr_array tsr_swapaxes(tsr_array x, int axis1, int axis2);
/** Axis 0 backwards. A view. TSR_ERR_SHAPE without axes. Source: numpy.flipud. */
TSR_API tsr_array tsr_flipud(tsr_array x);
/** Axis 1 backwards. A view. TSR_ERR_SHAPE with fewer than 2 axes. Source: numpy.fliplr. */
TSR_API tsr_array tsr_fliplr(tsr_array x);
/** k quarter turns from the first towards the second of two axes: tsr_rot90(x), (x, k), (x, k,
 * TSR_AXES(a, b)). A view. Source: numpy.rot90. */
TSR_API tsr_array tsr_rot90(tsr_array x);
/** x, or an axis for a scalar or 0-d array. A view. Source: numpy.atleast_1d. */
TSR_API tsr_array tsr_atleast_1d(tsr_array x);
/** x with axes of length 1 in front until there are 2. A view. Source: numpy.atleast_2d. */
TSR_API tsr_array tsr_atleast_2d(tsr_array x);
/** x with axes of length 1 as in (1, n, 1) and (n, m, 1) until there are 3. A view. Source:
 * numpy.atleast_3d. */
TSR_API tsr_array tsr_atleast_3d(tsr_array x);
/** Views of all arrays with their common shape: tsr_broadcast_arrays(out, TSR_ARRAYS(x, y)); out
 * [out] as many. TSR_ERR_BROADCAST. Source: numpy.broadcast_arrays. */
TSR_API tsr_status tsr_broadcast_arrays(tsr_array *out, tsr_arrays arrays);

#define tsr_squeeze(...) TSR__SQUEEZE(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__SQUEEZE(id, text, ...)                                                                \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_squeeze, 1, 2, __VA_ARGS__);                                              \
    TSR__HERE(id, "tsr_squeeze", text);                                                            \
    tsr_squeeze_at(&id, TSR__FIRST(tsr_null(), __VA_ARGS__),                                       \
                   TSR__AXES_OF(TSR__SECOND(TSR__ALL_AXES, __VA_ARGS__)));                         \
  }))
#define tsr_moveaxis(x, source, destination)                                                       \
  TSR__VIEW(TSR__PASTE(tsr_at_, __COUNTER__), tsr_moveaxis, #x ", " #source ", " #destination, x,  \
            TSR__AXES_OF(source), TSR__AXES_OF(destination))
#define tsr_swapaxes(x, axis1, axis2)                                                              \
  TSR__VIEW(TSR__PASTE(tsr_at_, __COUNTER__), tsr_swapaxes, #x ", " #axis1 ", " #axis2, x, axis1,  \
            axis2)
#define tsr_flipud(x) TSR__VIEW(TSR__PASTE(tsr_at_, __COUNTER__), tsr_flipud, #x, x)
#define tsr_fliplr(x) TSR__VIEW(TSR__PASTE(tsr_at_, __COUNTER__), tsr_fliplr, #x, x)
#define tsr_rot90(...) TSR__ROT90(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__ROT90(id, text, ...)                                                                  \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_rot90, 1, 3, __VA_ARGS__);                                                \
    TSR__HERE(id, "tsr_rot90", text);                                                              \
    tsr_rot90_at(&id, TSR__FIRST(tsr_null(), __VA_ARGS__), TSR__SECOND(1, __VA_ARGS__),            \
                 TSR__THIRD(TSR__ALL_AXES, __VA_ARGS__));                                          \
  }))
#define tsr_atleast_1d(x)                                                                          \
  TSR__VIEW(TSR__PASTE(tsr_at_, __COUNTER__), tsr_atleast_1d, #x, TSR__BOX(x))
#define tsr_atleast_2d(x)                                                                          \
  TSR__VIEW(TSR__PASTE(tsr_at_, __COUNTER__), tsr_atleast_2d, #x, TSR__BOX(x))
#define tsr_atleast_3d(x)                                                                          \
  TSR__VIEW(TSR__PASTE(tsr_at_, __COUNTER__), tsr_atleast_3d, #x, TSR__BOX(x))
/* TSR_ARRAYS has commas of its own. */
#define tsr_broadcast_arrays(...)                                                                  \
  TSR__STATUS(TSR__PASTE(tsr_at_, __COUNTER__), tsr_broadcast_arrays, #__VA_ARGS__, __VA_ARGS__)
#define TSR__STATUS(id, op, text, ...)                                                             \
  __extension__({                                                                                  \
    TSR__HERE(id, #op, text);                                                                      \
    op##_at(&id, __VA_ARGS__);                                                                     \
  })
/** x's elements in flat (row-major) order with another shape; one length may be -1, for what
 * follows: tsr_reshape(x, TSR_SHAPE(n, -1)), tsr_reshape(x, n).
 *
 *  A view where axes are split, or merged that a split made; else a copy: one pass, in which ranks
 * exchange what changes its place. A view that splits axes can be written as a whole, in ranges of
 * the first axis of a split (v[2:5]), and at one index of the axes behind it (v[:, 0]); other parts
 * of it (v[:, 1:]) are TSR_ERR_READONLY: write to the array itself. TSR_ERR_SHAPE: another number
 * of elements, two lengths of -1, negative ones. Source: numpy.reshape. */
TSR_API tsr_array tsr_reshape(tsr_array x, tsr_dims shape);
/** x as a vector in flat order; a view where tsr_reshape gives one. Source: numpy.ravel. */
TSR_API tsr_array tsr_ravel(tsr_array x);
/** x as a vector in flat order, always a new array. Source: numpy.ndarray.flatten. */
TSR_API tsr_array tsr_flatten(tsr_array x);
/** Elements moved along axes, those beyond the end to the beginning: tsr_roll(x, shift) in flat
 * order, tsr_roll(x, shift, axis), tsr_roll(x, TSR_SHAPE(1, -2), TSR_AXES(0, 1)).
 *
 *  A new value. TSR_ERR_AXIS: an axis out of range; TSR_ERR_ARGUMENT: not as many shifts as axes.
 * Source: numpy.roll. */
TSR_API tsr_array tsr_roll(tsr_array x, int64_t shift, int axis);
/** Arrays one after the other along an axis: tsr_concatenate(TSR_ARRAYS(a, b)), (arrays, axis);
 * axis 0; TSR_FLAT: of any shapes, each in flat order. Dtypes promote. TSR_ERR_ARGUMENT: no arrays;
 * TSR_ERR_SHAPE: other lengths differ, no axes; TSR_ERR_AXIS. Source: numpy.concatenate. */
TSR_API tsr_array tsr_concatenate(tsr_arrays arrays);
/** Arrays of one shape along a new axis: tsr_stack(arrays), (arrays, axis); axis 0. Errors as
 * tsr_concatenate. Source: numpy.stack. */
TSR_API tsr_array tsr_stack(tsr_arrays arrays);
/** Arrays of at least 2 axes (tsr_atleast_2d) along axis 0. Source: numpy.vstack. */
TSR_API tsr_array tsr_vstack(tsr_arrays arrays);
/** Arrays along axis 1, vectors along axis 0. Source: numpy.hstack. */
TSR_API tsr_array tsr_hstack(tsr_arrays arrays);
/** Arrays of at least 3 axes (tsr_atleast_3d) along axis 2. Source: numpy.dstack. */
TSR_API tsr_array tsr_dstack(tsr_arrays arrays);
/** x in equal sections along an axis, as views: tsr_split(out, x, sections), (…, axis); axis 0.
 * out [out] `sections` arrays. TSR_ERR_SHAPE if they are not equal, TSR_ERR_ARGUMENT: under 1,
 * TSR_ERR_AXIS. Source: numpy.split. */
TSR_API tsr_status tsr_split(tsr_array *out, tsr_array x, int64_t sections, int axis);
/** The same; the first sections are longer by one where they are not equal. Source:
 * numpy.array_split. */
TSR_API tsr_status tsr_array_split(tsr_array *out, tsr_array x, int64_t sections, int axis);
/** x cut before each of n indices, as views: tsr_split_indices(out, x, n, indices), (…, axis); axis
 * 0. Part i is x[indices[i - 1]:indices[i]], so that indices below 0 count from the end, those
 * beyond it are the end, and a part may be empty. out [out] n + 1 arrays; indices [in] n, borrowed.
 * TSR_ERR_ARGUMENT: n below 0, or NULL; TSR_ERR_AXIS. Source: numpy.split with indices. */
TSR_API tsr_status tsr_split_indices(tsr_array *out, tsr_array x, int n, const int64_t *indices,
                                     int axis);
/** x repeated as a whole along its axes: tsr_tile(x, n), tsr_tile(x, TSR_SHAPE(2, 3)); missing
 * leading ones are 1. One pass. TSR_ERR_SHAPE: negative. Source: numpy.tile.
 */
TSR_API tsr_array tsr_tile(tsr_array x, tsr_dims repeats);
/** Each element `repeats` times: tsr_repeat(x, n) in flat order, tsr_repeat(x, n, axis). One pass.
 * TSR_ERR_ARGUMENT: negative; TSR_ERR_AXIS. Source: numpy.repeat (one number for all). */
TSR_API tsr_array tsr_repeat(tsr_array x, int64_t repeats);
/** Element i counts[i] times: tsr_repeat_counts(x, n, counts) in flat order, (…, axis); n is the
 * length of what is repeated. counts [in] n numbers, borrowed, the same on every rank. Where equal
 * counts follow each other, one assignment for each element or each repetition, whichever are
 * fewer. TSR_ERR_ARGUMENT: another n, a count below 0, or NULL; TSR_ERR_AXIS. Source: numpy.repeat
 * (a count for each element). */
TSR_API tsr_array tsr_repeat_counts(tsr_array x, int64_t n, const int64_t *counts);
/** x with a border: tsr_pad(x, before, after), (…, mode), (…, mode, value).
 *
 *  before, after: its widths, one for all axes or TSR_SHAPE(…), one each. mode: "constant"
 * (`value`, 0), "edge" (the outermost element), "wrap" (from the other end), "reflect" (mirrored at
 * the outermost element). TSR_ERR_SHAPE: not as many widths as axes, an empty axis to repeat;
 * TSR_ERR_ARGUMENT: negative widths, no such mode; TSR_ERR_CAST: a value of a higher kind. Source:
 * numpy.pad. */
TSR_API tsr_array tsr_pad(tsr_array x, tsr_dims before, tsr_dims after, const char *mode);
/** Whether |x - y| <= atol + rtol*|y| everywhere: tsr_allclose(x, y), (x, y, rtol), (…, atol), (…,
 * equal_nan); 1e-5, 1e-8, false. Collective; waits. False on errors (TSR_ERR_BROADCAST,
 * TSR_ERR_HANDLE). Source: numpy.allclose. */
TSR_API bool tsr_allclose(tsr_array x, tsr_array y);
/** Whether x and y have one shape and equal elements: tsr_array_equal(x, y), (x, y, equal_nan).
 * Collective; waits. Source: numpy.array_equal. */
TSR_API bool tsr_array_equal(tsr_array x, tsr_array y);

#define tsr_reshape(...)                                                                           \
  TSR__RESHAPE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_reshape, #__VA_ARGS__, __VA_ARGS__)
#define tsr_tile(...)                                                                              \
  TSR__RESHAPE(TSR__PASTE(tsr_at_, __COUNTER__), tsr_tile, #__VA_ARGS__, __VA_ARGS__)
#define TSR__RESHAPE(id, op, text, ...)                                                            \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 2, __VA_ARGS__);                                                       \
    TSR__HERE(id, #op, text);                                                                      \
    op##_at(&id, TSR__FIRST(tsr_null(), __VA_ARGS__), TSR__DIMS_OF(TSR__SECOND(0, __VA_ARGS__)));  \
  }))
#define tsr_ravel(x) TSR__VIEW(TSR__PASTE(tsr_at_, __COUNTER__), tsr_ravel, #x, x)
#define tsr_flatten(x) TSR__VIEW(TSR__PASTE(tsr_at_, __COUNTER__), tsr_flatten, #x, x)
#define tsr_roll(...) TSR__ROLL(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__ROLL(id, text, ...)                                                                   \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_roll, 2, 3, __VA_ARGS__);                                                 \
    TSR__HERE(id, "tsr_roll", text);                                                               \
    tsr_roll_at(&id, TSR__FIRST(tsr_null(), __VA_ARGS__),                                          \
                TSR__DIMS_OF(TSR__SECOND(0, __VA_ARGS__)),                                         \
                TSR__AXES_OF(TSR__THIRD(TSR__ALL_AXES, __VA_ARGS__)));                             \
  }))

/* TSR_ARRAYS has commas of its own: the axis is what follows it. */
#define tsr_concatenate(...)                                                                       \
  TSR__JOIN(TSR__PASTE(tsr_at_, __COUNTER__), tsr_concatenate, #__VA_ARGS__, __VA_ARGS__)
#define tsr_stack(...)                                                                             \
  TSR__JOIN(TSR__PASTE(tsr_at_, __COUNTER__), tsr_stack, #__VA_ARGS__, __VA_ARGS__)
#define TSR__JOIN(id, op, text, ...)                                                               \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2, __VA_ARGS__);                                                       \
    TSR__HERE(id, #op, text);                                                                      \
    op##_at(&id, TSR__ARG1(__VA_ARGS__, 0), TSR__SECOND(0, __VA_ARGS__));                          \
  }))
#define tsr_vstack(...)                                                                            \
  TSR__VIEW(TSR__PASTE(tsr_at_, __COUNTER__), tsr_vstack, #__VA_ARGS__, __VA_ARGS__)
#define tsr_hstack(...)                                                                            \
  TSR__VIEW(TSR__PASTE(tsr_at_, __COUNTER__), tsr_hstack, #__VA_ARGS__, __VA_ARGS__)
#define tsr_dstack(...)                                                                            \
  TSR__VIEW(TSR__PASTE(tsr_at_, __COUNTER__), tsr_dstack, #__VA_ARGS__, __VA_ARGS__)

#define tsr_split(...)                                                                             \
  TSR__SPLIT(TSR__PASTE(tsr_at_, __COUNTER__), tsr_split, #__VA_ARGS__, __VA_ARGS__)
#define tsr_array_split(...)                                                                       \
  TSR__SPLIT(TSR__PASTE(tsr_at_, __COUNTER__), tsr_array_split, #__VA_ARGS__, __VA_ARGS__)
#define TSR__SPLIT(id, op, text, ...)                                                              \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 3, 4, __VA_ARGS__);                                                       \
    TSR__HERE(id, #op, text);                                                                      \
    op##_at(&id, TSR__ARG1(__VA_ARGS__, 0), TSR__ARG2(__VA_ARGS__, 0), TSR__THIRD(1, __VA_ARGS__), \
            TSR__FOURTH(0, __VA_ARGS__));                                                          \
  })

#define tsr_split_indices(...)                                                                     \
  TSR__SPLIT_INDICES(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__SPLIT_INDICES(id, text, ...)                                                          \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(tsr_split_indices, 4, 5, __VA_ARGS__);                                        \
    TSR__HERE(id, "tsr_split_indices", text);                                                      \
    tsr_split_indices_at(&id, TSR__ARG1(__VA_ARGS__, 0), TSR__ARG2(__VA_ARGS__, 0),                \
                         TSR__THIRD(0, __VA_ARGS__), TSR__FOURTH(NULL, __VA_ARGS__),               \
                         TSR__FIFTH(0, __VA_ARGS__));                                              \
  })

#define tsr_repeat(...) TSR__REPEAT(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__REPEAT(id, text, ...)                                                                 \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_repeat, 2, 3, __VA_ARGS__);                                               \
    TSR__HERE(id, "tsr_repeat", text);                                                             \
    tsr_repeat_at(&id, TSR__FIRST(tsr_null(), __VA_ARGS__), TSR__SECOND(1, __VA_ARGS__),           \
                  TSR__AXES_OF(TSR__THIRD(TSR__ALL_AXES, __VA_ARGS__)));                           \
  }))

#define tsr_repeat_counts(...)                                                                     \
  TSR__REPEAT_COUNTS(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__REPEAT_COUNTS(id, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_repeat_counts, 3, 4, __VA_ARGS__);                                        \
    TSR__HERE(id, "tsr_repeat_counts", text);                                                      \
    tsr_repeat_counts_at(&id, TSR__FIRST(tsr_null(), __VA_ARGS__), TSR__SECOND(0, __VA_ARGS__),    \
                         TSR__THIRD(NULL, __VA_ARGS__),                                            \
                         TSR__AXES_OF(TSR__FOURTH(TSR__ALL_AXES, __VA_ARGS__)));                   \
  }))

#define tsr_pad(...) TSR__PAD(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__PAD(id, text, ...)                                                                    \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_pad, 3, 5, __VA_ARGS__);                                                  \
    TSR__HERE(id, "tsr_pad", text);                                                                \
    tsr_pad_at(&id, TSR__FIRST(tsr_null(), __VA_ARGS__),                                           \
               TSR__DIMS_OF(TSR__SECOND(0, __VA_ARGS__)),                                          \
               TSR__DIMS_OF(TSR__THIRD(0, __VA_ARGS__)), TSR__FOURTH("constant", __VA_ARGS__),     \
               TSR__BOX((TSR__FIFTH(0, __VA_ARGS__))));                                            \
  }))

#define tsr_allclose(...)                                                                          \
  TSR__ALLCLOSE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_v_, __COUNTER__), #__VA_ARGS__,   \
                __VA_ARGS__)
#define TSR__ALLCLOSE(id, got, text, ...)                                                          \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(tsr_allclose, 2, 5, __VA_ARGS__);                                             \
    TSR__HERE(id, "tsr_allclose", text);                                                           \
    tsr_statement_begin();                                                                         \
    const bool got =                                                                               \
        tsr_allclose_at(&id, TSR__BOX((TSR__FIRST(0, __VA_ARGS__))),                               \
                        TSR__BOX((TSR__SECOND(0, __VA_ARGS__))), TSR__THIRD(1e-5, __VA_ARGS__),    \
                        TSR__FOURTH(1e-8, __VA_ARGS__), TSR__FIFTH(false, __VA_ARGS__));           \
    tsr_statement_drop();                                                                          \
    got;                                                                                           \
  })
#define tsr_array_equal(...)                                                                       \
  TSR__ARRAY_EQUAL(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_v_, __COUNTER__),              \
                   #__VA_ARGS__, __VA_ARGS__)
#define TSR__ARRAY_EQUAL(id, got, text, ...)                                                       \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(tsr_array_equal, 2, 3, __VA_ARGS__);                                          \
    TSR__HERE(id, "tsr_array_equal", text);                                                        \
    tsr_statement_begin();                                                                         \
    const bool got = tsr_array_equal_at(&id, TSR__BOX((TSR__FIRST(0, __VA_ARGS__))),               \
                                        TSR__BOX((TSR__SECOND(0, __VA_ARGS__))),                   \
                                        TSR__THIRD(false, __VA_ARGS__));                           \
    tsr_statement_drop();                                                                          \
    got;                                                                                           \
  })
#endif

#ifdef __cplusplus
}
#endif
#endif
