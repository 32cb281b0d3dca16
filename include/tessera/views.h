/* Views: other ways to index the same elements. None copies; writing through one (tsr_assign)
 * writes the array. */
#ifndef TESSERA_VIEWS_H
#define TESSERA_VIEWS_H

#include "tessera/base.h"
#include "tessera/operand.h"
#include "tessera/slice.h"

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_slice_at(const tsr_location *where, tsr_array x, const char *text, int n_ints,
                               const int64_t *ints);

#ifndef __cplusplus
/** Python's slice of x: tsr_slice(x, "1:-1, ::-2, 0, newaxis, ..."); each `$` takes the next
 * integer argument: tsr_slice(x, "$, 1:-1", i).
 *
 *  Returns a view owned by the current scope; null on TSR_ERR_SYNTAX (with a caret), TSR_ERR_INDEX,
 *  TSR_ERR_SHAPE (more items than axes, or over 8 axes). Ranges are cut to the axis as in Python.
 *  Cost: under a microsecond. Source: numpy's basic indexing. */
TSR_API tsr_array tsr_slice(tsr_array x, const char *text);
/** The same, of n items as data (tessera/slice.h); borrowed. */
TSR_API tsr_array tsr_slice_items(tsr_array x, int n, const tsr_slice_item *items);
/** Axes reversed, tsr_transpose(x), or in the order given, tsr_transpose(x, TSR_AXES(0, 2, 1)).
 * TSR_ERR_AXIS unless every axis is named once. Source: numpy.transpose. */
TSR_API tsr_array tsr_transpose(tsr_array x, tsr_axes axes);
/** All axes backwards, tsr_flip(x), or those given, tsr_flip(x, TSR_AXES(0)). Source: numpy.flip.
 */
TSR_API tsr_array tsr_flip(tsr_array x, tsr_axes axes);
/** x seen with `shape`, repeating axes of length 1 and new leading ones. It and its views
 * cannot be written: TSR_ERR_READONLY. TSR_ERR_BROADCAST if it does not broadcast. Source:
 * numpy.broadcast_to. */
TSR_API tsr_array tsr_broadcast_to(tsr_array x, tsr_dims shape);
/** The diagonal: tsr_diagonal(x), (x, offset), (x, offset, axis1, axis2); axes 0 and 1 by default.
 * The two axes go, the diagonal is the last axis. TSR_ERR_AXIS if they are out of range or equal.
 * Source: numpy.diagonal (writable here). */
TSR_API tsr_array tsr_diagonal(tsr_array x, int64_t offset, int axis1, int axis2);
/** New axes of length 1 at positions of the result: tsr_expand_dims(x, axis), (x, TSR_AXES(0, -1)).
 * TSR_ERR_AXIS: out of range, named twice; TSR_ERR_SHAPE: over 8 axes. Source: numpy.expand_dims.
 */
TSR_API tsr_array tsr_expand_dims(tsr_array x, tsr_axes axis);

#define tsr_slice(...) TSR__SLICE(TSR__PASTE(tsr_at_, __COUNTER__), #__VA_ARGS__, __VA_ARGS__)
#define TSR__SLICE(id, text, ...)                                                                  \
  TSR__SLICE_(id, TSR__PASTE(tsr_ints_, __COUNTER__), text, __VA_ARGS__)
#define TSR__SLICE_(id, ints, text, ...)                                                           \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_slice, 2, 34, __VA_ARGS__);                                               \
    _Static_assert(_Generic(TSR__OR2("", __VA_ARGS__), char * : 1, const char * : 1, default : 0), \
                   "tsr_slice: the slice is text, such as \"1:, $\"");                             \
    TSR__SITE(id, "tsr_slice", text);                                                              \
    const int64_t ints[] = {TSR__AFTER_SECOND(__VA_ARGS__ __VA_OPT__(, ) 0, 0, 0)};                \
    tsr_slice_at(&id, TSR__OR1(tsr_null(), __VA_ARGS__), TSR__OR2("", __VA_ARGS__),                \
                 TSR__COUNT(__VA_ARGS__) - 2, ints);                                               \
  }))
#define TSR__AFTER_SECOND(a, b, ...) __VA_ARGS__

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/views.h"

#ifdef __cplusplus
namespace tessera {

/* A slice's text and where it stands. */
struct slice_text {
  const char *text;
  place at;
  slice_text(const char *text_, place p = place()) : text(text_), at(p)
  {
  }
};

} /* namespace tessera */

template <class... T>
[[nodiscard]] tsr_array tsr_slice(tsr_array x, ::tessera::slice_text text, T... ints)
{
  const int64_t values[] = {static_cast<int64_t>(ints)..., 0};
  return ::tessera::checked(tsr_slice_at(text.at.record("tsr_slice"), x, text.text,
                                         static_cast<int>(sizeof...(T)), values));
}
#endif

#endif
