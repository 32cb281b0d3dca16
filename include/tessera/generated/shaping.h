/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/shaping.h, which is the manual and includes this file. */
#include "tessera/shaping.h"

#ifndef TESSERA_GENERATED_SHAPING_H
#define TESSERA_GENERATED_SHAPING_H

#include "tessera/lifetime.h"

#ifdef __cplusplus
extern "C" {
#endif

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
TSR_API tsr_array tsr_column_stack_at(const tsr_location *where, tsr_arrays arrays);
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
                             tsr_dims after, const char *mode, tsr_operand value, int n_options,
                             const tsr_padding *options);
TSR_API bool tsr_allclose_at(const tsr_location *where, tsr_operand x, tsr_operand y, double rtol,
                             double atol, bool equal_nan);
TSR_API bool tsr_shares_memory_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API bool tsr_may_share_memory_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API bool tsr_array_equal_at(const tsr_location *where, tsr_operand x, tsr_operand y,
                                bool equal_nan);

#ifdef __cplusplus
}

[[nodiscard]] inline tsr_array tsr_squeeze(tsr_array x,
                                           ::tessera::axes_arg axes = ::tessera::all_axes(),
                                           ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_squeeze_at(at.record("tsr_squeeze"), x, axes.value));
}

[[nodiscard]] inline tsr_array tsr_moveaxis(tsr_array x, ::tessera::axes_arg source,
                                            ::tessera::axes_arg destination,
                                            ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(
      tsr_moveaxis_at(at.record("tsr_moveaxis"), x, source.value, destination.value));
}

[[nodiscard]] inline tsr_array tsr_swapaxes(tsr_array x, ::tessera::axis_arg axis1,
                                            ::tessera::axis_arg axis2,
                                            ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(
      tsr_swapaxes_at(at.record("tsr_swapaxes"), x, axis1.value, axis2.value));
}

[[nodiscard]] inline tsr_array tsr_flipud(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_flipud_at(at.record("tsr_flipud"), x));
}

[[nodiscard]] inline tsr_array tsr_fliplr(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_fliplr_at(at.record("tsr_fliplr"), x));
}

[[nodiscard]] inline tsr_array tsr_rot90(tsr_array x, int k = 1,
                                         ::tessera::axes_arg axes = ::tessera::all_axes(),
                                         ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_rot90_at(at.record("tsr_rot90"), x, k, axes.value));
}

[[nodiscard]] inline tsr_array tsr_atleast_1d(::tessera::operand x)
{
  return ::tessera::checked(tsr_atleast_1d_at(x.at.record("tsr_atleast_1d"), x.value));
}

[[nodiscard]] inline tsr_array tsr_atleast_2d(::tessera::operand x)
{
  return ::tessera::checked(tsr_atleast_2d_at(x.at.record("tsr_atleast_2d"), x.value));
}

[[nodiscard]] inline tsr_array tsr_atleast_3d(::tessera::operand x)
{
  return ::tessera::checked(tsr_atleast_3d_at(x.at.record("tsr_atleast_3d"), x.value));
}

inline tsr_status tsr_broadcast_arrays(tsr_array *out, const ::tessera::arrays &arrays,
                                       ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(
      tsr_broadcast_arrays_at(at.record("tsr_broadcast_arrays"), out, arrays));
}

[[nodiscard]] inline tsr_array tsr_reshape(tsr_array x, ::tessera::dims_arg shape,
                                           ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_reshape_at(at.record("tsr_reshape"), x, shape.value));
}

[[nodiscard]] inline tsr_array tsr_ravel(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_ravel_at(at.record("tsr_ravel"), x));
}

[[nodiscard]] inline tsr_array tsr_flatten(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_flatten_at(at.record("tsr_flatten"), x));
}

[[nodiscard]] inline tsr_array tsr_roll(tsr_array x, ::tessera::dims_arg shift,
                                        ::tessera::axes_arg axes = ::tessera::all_axes(),
                                        ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_roll_at(at.record("tsr_roll"), x, shift.value, axes.value));
}

[[nodiscard]] inline tsr_array tsr_concatenate(const ::tessera::arrays &arrays,
                                               ::tessera::axis_arg axis = 0,
                                               ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_concatenate_at(at.record("tsr_concatenate"), arrays, axis.value));
}

[[nodiscard]] inline tsr_array tsr_stack(const ::tessera::arrays &arrays,
                                         ::tessera::axis_arg axis = 0,
                                         ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_stack_at(at.record("tsr_stack"), arrays, axis.value));
}

[[nodiscard]] inline tsr_array tsr_vstack(const ::tessera::arrays &arrays,
                                          ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_vstack_at(at.record("tsr_vstack"), arrays));
}

[[nodiscard]] inline tsr_array tsr_hstack(const ::tessera::arrays &arrays,
                                          ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_hstack_at(at.record("tsr_hstack"), arrays));
}

[[nodiscard]] inline tsr_array tsr_dstack(const ::tessera::arrays &arrays,
                                          ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_dstack_at(at.record("tsr_dstack"), arrays));
}

[[nodiscard]] inline tsr_array tsr_column_stack(const ::tessera::arrays &arrays,
                                                ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_column_stack_at(at.record("tsr_column_stack"), arrays));
}

inline tsr_status tsr_split(tsr_array *out, tsr_array x, int64_t sections,
                            ::tessera::axis_arg axis = 0, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_split_at(at.record("tsr_split"), out, x, sections, axis.value));
}

inline tsr_status tsr_array_split(tsr_array *out, tsr_array x, int64_t sections,
                                  ::tessera::axis_arg axis = 0,
                                  ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(
      tsr_array_split_at(at.record("tsr_array_split"), out, x, sections, axis.value));
}

inline tsr_status tsr_split_indices(tsr_array *out, tsr_array x, int n, const int64_t *indices,
                                    ::tessera::axis_arg axis = 0,
                                    ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(
      tsr_split_indices_at(at.record("tsr_split_indices"), out, x, n, indices, axis.value));
}

[[nodiscard]] inline tsr_array tsr_tile(tsr_array x, ::tessera::dims_arg repeats,
                                        ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_tile_at(at.record("tsr_tile"), x, repeats.value));
}

[[nodiscard]] inline tsr_array tsr_repeat(tsr_array x, int64_t repeats,
                                          ::tessera::axes_arg axis = ::tessera::all_axes(),
                                          ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_repeat_at(at.record("tsr_repeat"), x, repeats, axis.value));
}

[[nodiscard]] inline tsr_array tsr_repeat_counts(tsr_array x, int64_t n, const int64_t *counts,
                                                 ::tessera::axes_arg axis = ::tessera::all_axes(),
                                                 ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(
      tsr_repeat_counts_at(at.record("tsr_repeat_counts"), x, n, counts, axis.value));
}

[[nodiscard]] inline tsr_array tsr_pad(tsr_array x, ::tessera::dims_arg before,
                                       ::tessera::dims_arg after, const char *mode = "constant",
                                       ::tessera::operand value = 0, tsr_padding a = TSR_NO_PADDING,
                                       tsr_padding b = TSR_NO_PADDING)
{
  const tsr_padding listed[] = {a, b};
  return ::tessera::checked(tsr_pad_at(value.at.record("tsr_pad"), x, before.value, after.value,
                                       mode, value.value, 2, listed));
}

namespace tessera {
inline bool allclose(::tessera::operand x, ::tessera::operand y, double rtol = 1e-5,
                     double atol = 1e-8, bool equal_nan = false)
{
  return ::tessera::checked(
      tsr_allclose_at(x.at.record("tsr_allclose"), x.value, y.value, rtol, atol, equal_nan));
}
} /* namespace tessera */
#define tsr_allclose(...) (::tessera::statement(false), ::tessera::allclose(__VA_ARGS__))

namespace tessera {
inline bool shares_memory(::tessera::operand x, ::tessera::operand y)
{
  return ::tessera::checked(
      tsr_shares_memory_at(x.at.record("tsr_shares_memory"), x.value, y.value));
}
} /* namespace tessera */
#define tsr_shares_memory(...) (::tessera::statement(false), ::tessera::shares_memory(__VA_ARGS__))

namespace tessera {
inline bool may_share_memory(::tessera::operand x, ::tessera::operand y)
{
  return ::tessera::checked(
      tsr_may_share_memory_at(x.at.record("tsr_may_share_memory"), x.value, y.value));
}
} /* namespace tessera */
#define tsr_may_share_memory(...)                                                                  \
  (::tessera::statement(false), ::tessera::may_share_memory(__VA_ARGS__))

namespace tessera {
inline bool array_equal(::tessera::operand x, ::tessera::operand y, bool equal_nan = false)
{
  return ::tessera::checked(
      tsr_array_equal_at(x.at.record("tsr_array_equal"), x.value, y.value, equal_nan));
}
} /* namespace tessera */
#define tsr_array_equal(...) (::tessera::statement(false), ::tessera::array_equal(__VA_ARGS__))

#else

#define TSR__AS_squeeze(id, op, text, ...)                                                         \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const tsr_axes id##_axes = TSR__AXES_OF((TSR__OR2(TSR_ALL_AXES, __VA_ARGS__)));                \
    op##_at(&id, id##_x, id##_axes);                                                               \
  }))
#define tsr_squeeze(...)                                                                           \
  TSR__DO(TSR__AS_squeeze, tsr_squeeze, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_moveaxis(id, op, text, ...)                                                        \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 3, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const tsr_axes id##_source = TSR__AXES_OF((TSR__OR2(0, __VA_ARGS__)));                         \
    const tsr_axes id##_destination = TSR__AXES_OF((TSR__OR3(0, __VA_ARGS__)));                    \
    op##_at(&id, id##_x, id##_source, id##_destination);                                           \
  }))
#define tsr_moveaxis(...)                                                                          \
  TSR__DO(TSR__AS_moveaxis, tsr_moveaxis, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_swapaxes(id, op, text, ...)                                                        \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 3, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const int id##_axis1 = TSR__AXIS_OF((TSR__OR2(0, __VA_ARGS__)));                               \
    const int id##_axis2 = TSR__AXIS_OF((TSR__OR3(0, __VA_ARGS__)));                               \
    op##_at(&id, id##_x, id##_axis1, id##_axis2);                                                  \
  }))
#define tsr_swapaxes(...)                                                                          \
  TSR__DO(TSR__AS_swapaxes, tsr_swapaxes, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_flipud(id, op, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    op##_at(&id, id##_x);                                                                          \
  }))
#define tsr_flipud(...) TSR__DO(TSR__AS_flipud, tsr_flipud, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_fliplr(...) TSR__DO(TSR__AS_flipud, tsr_fliplr, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_rot90(id, op, text, ...)                                                           \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const int id##_k = (TSR__OR2(1, __VA_ARGS__));                                                 \
    const tsr_axes id##_axes = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                \
    op##_at(&id, id##_x, id##_k, id##_axes);                                                       \
  }))
#define tsr_rot90(...) TSR__DO(TSR__AS_rot90, tsr_rot90, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_atleast_1d(id, op, text, ...)                                                      \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    op##_at(&id, id##_x);                                                                          \
  }))
#define tsr_atleast_1d(...)                                                                        \
  TSR__DO(TSR__AS_atleast_1d, tsr_atleast_1d, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_atleast_2d(...)                                                                        \
  TSR__DO(TSR__AS_atleast_1d, tsr_atleast_2d, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_atleast_3d(...)                                                                        \
  TSR__DO(TSR__AS_atleast_1d, tsr_atleast_3d, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_broadcast_arrays(id, op, text, ...)                                                \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_array *id##_out = (TSR__OR1(0, __VA_ARGS__));                                              \
    const tsr_arrays id##_arrays = (TSR__OR2(TSR_ARRAYS(), __VA_ARGS__));                          \
    op##_at(&id, id##_out, id##_arrays);                                                           \
  })
#define tsr_broadcast_arrays(...)                                                                  \
  TSR__DO(TSR__AS_broadcast_arrays, tsr_broadcast_arrays, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_reshape(id, op, text, ...)                                                         \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const tsr_dims id##_shape = TSR__DIMS_OF((TSR__OR2(0, __VA_ARGS__)));                          \
    op##_at(&id, id##_x, id##_shape);                                                              \
  }))
#define tsr_reshape(...)                                                                           \
  TSR__DO(TSR__AS_reshape, tsr_reshape, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_ravel(...) TSR__DO(TSR__AS_flipud, tsr_ravel, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_flatten(...)                                                                           \
  TSR__DO(TSR__AS_flipud, tsr_flatten, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_roll(id, op, text, ...)                                                            \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const tsr_dims id##_shift = TSR__DIMS_OF((TSR__OR2(0, __VA_ARGS__)));                          \
    const tsr_axes id##_axes = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                \
    op##_at(&id, id##_x, id##_shift, id##_axes);                                                   \
  }))
#define tsr_roll(...) TSR__DO(TSR__AS_roll, tsr_roll, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_concatenate(id, op, text, ...)                                                     \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_arrays id##_arrays = (TSR__OR1(TSR_ARRAYS(), __VA_ARGS__));                          \
    const int id##_axis = TSR__AXIS_OF((TSR__OR2(0, __VA_ARGS__)));                                \
    op##_at(&id, id##_arrays, id##_axis);                                                          \
  }))
#define tsr_concatenate(...)                                                                       \
  TSR__DO(TSR__AS_concatenate, tsr_concatenate, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_stack(...)                                                                             \
  TSR__DO(TSR__AS_concatenate, tsr_stack, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_vstack(id, op, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_arrays id##_arrays = (TSR__OR1(TSR_ARRAYS(), __VA_ARGS__));                          \
    op##_at(&id, id##_arrays);                                                                     \
  }))
#define tsr_vstack(...) TSR__DO(TSR__AS_vstack, tsr_vstack, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_hstack(...) TSR__DO(TSR__AS_vstack, tsr_hstack, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_dstack(...) TSR__DO(TSR__AS_vstack, tsr_dstack, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_column_stack(...)                                                                      \
  TSR__DO(TSR__AS_vstack, tsr_column_stack, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_split(id, op, text, ...)                                                           \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 3, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_array *id##_out = (TSR__OR1(0, __VA_ARGS__));                                              \
    const tsr_array id##_x = (TSR__OR2(tsr_null(), __VA_ARGS__));                                  \
    const int64_t id##_sections = (TSR__OR3(0, __VA_ARGS__));                                      \
    const int id##_axis = TSR__AXIS_OF((TSR__OR4(0, __VA_ARGS__)));                                \
    op##_at(&id, id##_out, id##_x, id##_sections, id##_axis);                                      \
  })
#define tsr_split(...) TSR__DO(TSR__AS_split, tsr_split, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_array_split(...)                                                                       \
  TSR__DO(TSR__AS_split, tsr_array_split, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_split_indices(id, op, text, ...)                                                   \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 4, 5 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_array *id##_out = (TSR__OR1(0, __VA_ARGS__));                                              \
    const tsr_array id##_x = (TSR__OR2(tsr_null(), __VA_ARGS__));                                  \
    const int id##_n = (TSR__OR3(0, __VA_ARGS__));                                                 \
    const int64_t *id##_indices = (TSR__OR4(0, __VA_ARGS__));                                      \
    const int id##_axis = TSR__AXIS_OF((TSR__OR5(0, __VA_ARGS__)));                                \
    op##_at(&id, id##_out, id##_x, id##_n, id##_indices, id##_axis);                               \
  })
#define tsr_split_indices(...)                                                                     \
  TSR__DO(TSR__AS_split_indices, tsr_split_indices, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_tile(id, op, text, ...)                                                            \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const tsr_dims id##_repeats = TSR__DIMS_OF((TSR__OR2(0, __VA_ARGS__)));                        \
    op##_at(&id, id##_x, id##_repeats);                                                            \
  }))
#define tsr_tile(...) TSR__DO(TSR__AS_tile, tsr_tile, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_repeat(id, op, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const int64_t id##_repeats = (TSR__OR2(0, __VA_ARGS__));                                       \
    const tsr_axes id##_axis = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                \
    op##_at(&id, id##_x, id##_repeats, id##_axis);                                                 \
  }))
#define tsr_repeat(...) TSR__DO(TSR__AS_repeat, tsr_repeat, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_repeat_counts(id, op, text, ...)                                                   \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 3, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const int64_t id##_n = (TSR__OR2(0, __VA_ARGS__));                                             \
    const int64_t *id##_counts = (TSR__OR3(0, __VA_ARGS__));                                       \
    const tsr_axes id##_axis = TSR__AXES_OF((TSR__OR4(TSR_ALL_AXES, __VA_ARGS__)));                \
    op##_at(&id, id##_x, id##_n, id##_counts, id##_axis);                                          \
  }))
#define tsr_repeat_counts(...)                                                                     \
  TSR__DO(TSR__AS_repeat_counts, tsr_repeat_counts, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_pad(id, op, text, ...)                                                             \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 3, 7 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const tsr_dims id##_before = TSR__DIMS_OF((TSR__OR2(0, __VA_ARGS__)));                         \
    const tsr_dims id##_after = TSR__DIMS_OF((TSR__OR3(0, __VA_ARGS__)));                          \
    const char *id##_mode = (TSR__OR4("constant", __VA_ARGS__));                                   \
    const tsr_operand id##_value = TSR__BOX((TSR__OR5(0, __VA_ARGS__)));                           \
    tsr_padding id##_options[2];                                                                   \
    id##_options[0] = (TSR__OR6(TSR_NO_PADDING, __VA_ARGS__));                                     \
    id##_options[1] = (TSR__OR7(TSR_NO_PADDING, __VA_ARGS__));                                     \
    op##_at(&id, id##_x, id##_before, id##_after, id##_mode, id##_value, 2, id##_options);         \
  }))
#define tsr_pad(...) TSR__DO(TSR__AS_pad, tsr_pad, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_allclose(id, op, text, ...)                                                        \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 5 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_operand id##_y = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    const double id##_rtol = (TSR__OR3(1e-5, __VA_ARGS__));                                        \
    const double id##_atol = (TSR__OR4(1e-8, __VA_ARGS__));                                        \
    const bool id##_equal_nan = (TSR__OR5(false, __VA_ARGS__));                                    \
    const bool id##_got = op##_at(&id, id##_x, id##_y, id##_rtol, id##_atol, id##_equal_nan);      \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_allclose(...)                                                                          \
  TSR__DO(TSR__AS_allclose, tsr_allclose, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_shares_memory(id, op, text, ...)                                                   \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_operand id##_y = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    const bool id##_got = op##_at(&id, id##_x, id##_y);                                            \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_shares_memory(...)                                                                     \
  TSR__DO(TSR__AS_shares_memory, tsr_shares_memory, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_may_share_memory(...)                                                                  \
  TSR__DO(TSR__AS_shares_memory, tsr_may_share_memory, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_array_equal(id, op, text, ...)                                                     \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_operand id##_y = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    const bool id##_equal_nan = (TSR__OR3(false, __VA_ARGS__));                                    \
    const bool id##_got = op##_at(&id, id##_x, id##_y, id##_equal_nan);                            \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_array_equal(...)                                                                       \
  TSR__DO(TSR__AS_array_equal, tsr_array_equal, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#define tsr_concat tsr_concatenate

#endif
