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

/** An option of tsr_pad: TSR_STAT_LENGTH(n), TSR_STAT_LENGTHS(…), TSR_REFLECT_TYPE(type). */
typedef struct tsr_padding {
  int kind;               /* TSR_PADDING_… */
  const char *text;       /* borrowed for the call: the type, or the value's name */
  tsr_dims before, after; /* of TSR_STAT_LENGTH: as the widths */
} tsr_padding;
enum {
  TSR_PADDING_NONE = 0,
  TSR_PADDING_STAT_LENGTH = 1,
  TSR_PADDING_REFLECT_TYPE = 2,
  TSR_PADDING_VALUE = 3 /* `value` is NumPy's "constant_values" or "end_values": for bindings */
};

/* What the macros of options make of their arguments. */
static inline tsr_padding tsr_padding_make(int kind, const char *text, tsr_dims before,
                                           tsr_dims after)
{
  tsr_padding padding;
  padding.kind = kind;
  padding.text = text;
  padding.before = before;
  padding.after = after;
  return padding;
}

/** The statistics of the modes "maximum", "mean", "median" and "minimum" are of so many elements
 * next to the border; without it of all along the axis. NumPy's stat_length. */
#define TSR_STAT_LENGTH(n) TSR_STAT_LENGTHS(TSR_SHAPE(n), TSR_SHAPE(n))
/** The same for each side: TSR_STAT_LENGTHS(TSR_SHAPE(3), TSR_SHAPE(2)), one length or one for each
 * axis. */
#define TSR_STAT_LENGTHS(before, after)                                                            \
  (tsr_padding_make(TSR_PADDING_STAT_LENGTH, NULL, (before), (after)))
/** Of the modes "reflect" and "symmetric": "even", or "odd": twice the outermost element less the
 * mirrored one. */
#define TSR_REFLECT_TYPE(type)                                                                     \
  (tsr_padding_make(TSR_PADDING_REFLECT_TYPE, (type), TSR_SHAPE(), TSR_SHAPE()))
#define TSR_NO_PADDING (tsr_padding_make(TSR_PADDING_NONE, NULL, TSR_SHAPE(), TSR_SHAPE()))

#ifndef __cplusplus
/** x without its axes of length 1, tsr_squeeze(x), or without those given, tsr_squeeze(x, axis),
 * (x, TSR_AXES(0, 2)). A view. TSR_ERR_SHAPE: one of those has another length. Source:
 * numpy.squeeze. */
TSR_API tsr_array tsr_squeeze(tsr_array x, tsr_axes axes);
/** Axes put elsewhere, the others in order: tsr_moveaxis(x, source, destination), each an axis or
 * TSR_AXES(…). A view. TSR_ERR_AXIS: out of range, named twice, not as many. Source:
 * numpy.moveaxis. */
TSR_API tsr_array tsr_moveaxis(tsr_array x, tsr_axes source, tsr_axes destination);
/** Two axes exchanged. A view. Source: numpy.swapaxes. */
TSR_API tsr_array tsr_swapaxes(tsr_array x, int axis1, int axis2);
/** Axis 0 backwards. A view. TSR_ERR_SHAPE without axes. Source: numpy.flipud. */
TSR_API tsr_array tsr_flipud(tsr_array x);
/** Axis 1 backwards. A view. TSR_ERR_SHAPE with fewer than 2 axes. Source: numpy.fliplr. */
TSR_API tsr_array tsr_fliplr(tsr_array x);
/** k quarter turns from the first towards the second of two axes: tsr_rot90(x), (x, k), (x, k,
 * TSR_AXES(a, b)). A view. Source: numpy.rot90. */
TSR_API tsr_array tsr_rot90(tsr_array x, int k, tsr_axes axes);
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

/** x's elements in flat (row-major) order with another shape; one length may be -1, for what
 * follows: tsr_reshape(x, TSR_SHAPE(n, -1)), tsr_reshape(x, n).
 *
 *  A view where axes are split, or merged that a split made; else a copy: one pass, in which ranks
 *  exchange what changes its place. A view that splits axes can be written as a whole, in ranges of
 *  the first axis of a split (v[2:5]), and at one index of the axes behind it (v[:, 0]); other
 *  parts of it (v[:, 1:]) are TSR_ERR_READONLY: write to the array itself. TSR_ERR_SHAPE: another
 *  number of elements, two lengths of -1, negative ones. Source: numpy.reshape. */
TSR_API tsr_array tsr_reshape(tsr_array x, tsr_dims shape);
/** x as a vector in flat order; a view where tsr_reshape gives one. Source: numpy.ravel. */
TSR_API tsr_array tsr_ravel(tsr_array x);
/** x as a vector in flat order, always a new array. Source: numpy.ndarray.flatten. */
TSR_API tsr_array tsr_flatten(tsr_array x);
/** Elements moved along axes, those beyond the end to the beginning: tsr_roll(x, shift) in flat
 * order, tsr_roll(x, shift, axis), tsr_roll(x, TSR_SHAPE(1, -2), TSR_AXES(0, 1)).
 *
 *  A new value. TSR_ERR_AXIS: an axis out of range; TSR_ERR_ARGUMENT: not as many shifts as axes.
 *  Source: numpy.roll. */
TSR_API tsr_array tsr_roll(tsr_array x, tsr_dims shift, tsr_axes axes);
/** Arrays one after the other along an axis: tsr_concatenate(TSR_ARRAYS(a, b)), (arrays, axis);
 * axis 0; TSR_FLAT: of any shapes, each in flat order. Dtypes promote. TSR_ERR_ARGUMENT: no arrays;
 * TSR_ERR_SHAPE: other lengths differ, no axes; TSR_ERR_AXIS. Source: numpy.concatenate. */
TSR_API tsr_array tsr_concatenate(tsr_arrays arrays, int axis);
/** Arrays of one shape along a new axis: tsr_stack(arrays), (arrays, axis); axis 0. Errors as
 * tsr_concatenate. Source: numpy.stack. */
TSR_API tsr_array tsr_stack(tsr_arrays arrays, int axis);
/** Arrays of at least 2 axes (tsr_atleast_2d) along axis 0. Source: numpy.vstack. */
TSR_API tsr_array tsr_vstack(tsr_arrays arrays);
/** Arrays along axis 1, vectors along axis 0. Source: numpy.hstack. */
TSR_API tsr_array tsr_hstack(tsr_arrays arrays);
/** Arrays of at least 3 axes (tsr_atleast_3d) along axis 2. Source: numpy.dstack. */
TSR_API tsr_array tsr_dstack(tsr_arrays arrays);
/** Matrices side by side, along axis 1; a vector, or a number, is a column. Source:
 * numpy.column_stack. */
TSR_API tsr_array tsr_column_stack(tsr_arrays arrays);
/** x in equal sections along an axis, as views: tsr_split(out, x, sections), (…, axis); axis 0. out
 * [out] `sections` arrays. TSR_ERR_SHAPE if they are not equal, TSR_ERR_ARGUMENT: under 1,
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
 * leading ones are 1. One pass. TSR_ERR_SHAPE: negative. Source: numpy.tile. */
TSR_API tsr_array tsr_tile(tsr_array x, tsr_dims repeats);
/** Each element `repeats` times: tsr_repeat(x, n) in flat order, tsr_repeat(x, n, axis). One pass.
 * TSR_ERR_ARGUMENT: negative; TSR_ERR_AXIS. Source: numpy.repeat (one number for all). */
TSR_API tsr_array tsr_repeat(tsr_array x, int64_t repeats, tsr_axes axis);
/** Element i counts[i] times: tsr_repeat_counts(x, n, counts) in flat order, (…, axis); n is the
 * length of what is repeated. counts [in] n numbers, borrowed, the same on every rank. Where equal
 * counts follow each other, one assignment for each element or each repetition, whichever are
 * fewer. TSR_ERR_ARGUMENT: another n, a count below 0, or NULL; TSR_ERR_AXIS. Source: numpy.repeat
 * (a count for each element). */
TSR_API tsr_array tsr_repeat_counts(tsr_array x, int64_t n, const int64_t *counts, tsr_axes axis);
/** x with a border: tsr_pad(x, before, after), (…, mode), (…, mode, value), (…, mode, value,
 * options).
 *
 *  before, after: its widths, one for all axes or TSR_SHAPE(…), one each. mode: "constant"
 *  (`value`, 0), "empty" (0), "edge" (the outermost element), "linear_ramp" (from `value`, 0, at
 *  the outside to the outermost element), "wrap" (from the other end), "reflect" (mirrored at the
 *  outermost element), "symmetric" (mirrored with that element), "maximum", "mean", "median",
 *  "minimum" (of the elements along the axis). value: a scalar, or an array that broadcasts to
 *  [axes, 2]: one for before and one for after each axis. Options: TSR_STAT_LENGTH(n),
 *  TSR_REFLECT_TYPE("odd"). TSR_ERR_SHAPE: not as many widths as axes, an empty axis to repeat;
 *  TSR_ERR_ARGUMENT: negative widths, no such mode, an option of another mode; TSR_ERR_CAST: a
 *  scalar of a higher kind; an array of values is cast. Cost: an assignment for each side, "median"
 *  waits. Source: numpy.pad. */
TSR_API tsr_array tsr_pad(tsr_array x, tsr_dims before, tsr_dims after, const char *mode,
                          tsr_operand value, tsr_padding option);
/** Whether |x - y| <= atol + rtol*|y| everywhere: tsr_allclose(x, y), (x, y, rtol), (…, atol), (…,
 * equal_nan); 1e-5, 1e-8, false. Collective; waits. False on errors (TSR_ERR_BROADCAST,
 * TSR_ERR_HANDLE). Source: numpy.allclose. */
TSR_API bool tsr_allclose(tsr_array x, tsr_array y, double rtol, double atol, bool equal_nan);
/** Whether x and y have one shape and equal elements: tsr_array_equal(x, y), (x, y, equal_nan).
 * Collective; waits. Source: numpy.array_equal. */
TSR_API bool tsr_array_equal(tsr_array x, tsr_array y, bool equal_nan);
/** Whether a write to x may change y: are both views that have an element in common? Collective;
 * does not wait. False on errors (TSR_ERR_HANDLE). Source: numpy.shares_memory. */
TSR_API bool tsr_shares_memory(tsr_array x, tsr_array y);
/** As tsr_shares_memory, by the first and the last element of each in the array that both are views
 * of: true also where the elements between them differ. Source: numpy.may_share_memory. */
TSR_API bool tsr_may_share_memory(tsr_array x, tsr_array y);

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/shaping.h"

#endif
