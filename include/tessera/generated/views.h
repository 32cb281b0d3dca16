/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/views.h, which is the manual and includes this file. */
#include "tessera/views.h"

#ifndef TESSERA_GENERATED_VIEWS_H
#define TESSERA_GENERATED_VIEWS_H

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_slice_items_at(const tsr_location *where, tsr_array x, int n,
                                     const tsr_slice_item *items);
TSR_API tsr_array tsr_transpose_at(const tsr_location *where, tsr_array x, tsr_axes axes);
TSR_API tsr_array tsr_flip_at(const tsr_location *where, tsr_array x, tsr_axes axes);
TSR_API tsr_array tsr_broadcast_to_at(const tsr_location *where, tsr_array x, tsr_dims shape);
TSR_API tsr_array tsr_diagonal_at(const tsr_location *where, tsr_array x, int64_t offset, int axis1,
                                  int axis2);
TSR_API tsr_array tsr_expand_dims_at(const tsr_location *where, tsr_array x, tsr_axes axis);

#ifdef __cplusplus
}

[[nodiscard]] inline tsr_array tsr_slice_items(tsr_array x, int n, const tsr_slice_item *items,
                                               ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_slice_items_at(at.record("tsr_slice_items"), x, n, items));
}

[[nodiscard]] inline tsr_array tsr_transpose(tsr_array x,
                                             ::tessera::axes_arg axes = ::tessera::all_axes(),
                                             ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_transpose_at(at.record("tsr_transpose"), x, axes.value));
}

[[nodiscard]] inline tsr_array tsr_flip(tsr_array x,
                                        ::tessera::axes_arg axes = ::tessera::all_axes(),
                                        ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_flip_at(at.record("tsr_flip"), x, axes.value));
}

[[nodiscard]] inline tsr_array tsr_broadcast_to(tsr_array x, ::tessera::dims_arg shape,
                                                ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_broadcast_to_at(at.record("tsr_broadcast_to"), x, shape.value));
}

[[nodiscard]] inline tsr_array tsr_diagonal(tsr_array x, int64_t offset = 0,
                                            ::tessera::axis_arg axis1 = 0,
                                            ::tessera::axis_arg axis2 = 1,
                                            ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(
      tsr_diagonal_at(at.record("tsr_diagonal"), x, offset, axis1.value, axis2.value));
}

[[nodiscard]] inline tsr_array tsr_expand_dims(tsr_array x, ::tessera::axes_arg axis,
                                               ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_expand_dims_at(at.record("tsr_expand_dims"), x, axis.value));
}

#else

#define TSR__AS_slice_items(id, op, text, ...)                                                     \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 3, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const int id##_n = (TSR__OR2(0, __VA_ARGS__));                                                 \
    const tsr_slice_item *id##_items = (TSR__OR3(0, __VA_ARGS__));                                 \
    op##_at(&id, id##_x, id##_n, id##_items);                                                      \
  }))
#define tsr_slice_items(...)                                                                       \
  TSR__DO(TSR__AS_slice_items, tsr_slice_items, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_transpose(id, op, text, ...)                                                       \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const tsr_axes id##_axes = TSR__AXES_OF((TSR__OR2(TSR_ALL_AXES, __VA_ARGS__)));                \
    op##_at(&id, id##_x, id##_axes);                                                               \
  }))
#define tsr_transpose(...)                                                                         \
  TSR__DO(TSR__AS_transpose, tsr_transpose, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_flip(...) TSR__DO(TSR__AS_transpose, tsr_flip, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_broadcast_to(id, op, text, ...)                                                    \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const tsr_dims id##_shape = TSR__DIMS_OF((TSR__OR2(0, __VA_ARGS__)));                          \
    op##_at(&id, id##_x, id##_shape);                                                              \
  }))
#define tsr_broadcast_to(...)                                                                      \
  TSR__DO(TSR__AS_broadcast_to, tsr_broadcast_to, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_diagonal(id, op, text, ...)                                                        \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const int64_t id##_offset = (TSR__OR2(0, __VA_ARGS__));                                        \
    const int id##_axis1 = TSR__AXIS_OF((TSR__OR3(0, __VA_ARGS__)));                               \
    const int id##_axis2 = TSR__AXIS_OF((TSR__OR4(1, __VA_ARGS__)));                               \
    op##_at(&id, id##_x, id##_offset, id##_axis1, id##_axis2);                                     \
  }))
#define tsr_diagonal(...)                                                                          \
  TSR__DO(TSR__AS_diagonal, tsr_diagonal, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_expand_dims(id, op, text, ...)                                                     \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const tsr_axes id##_axis = TSR__AXES_OF((TSR__OR2(0, __VA_ARGS__)));                           \
    op##_at(&id, id##_x, id##_axis);                                                               \
  }))
#define tsr_expand_dims(...)                                                                       \
  TSR__DO(TSR__AS_expand_dims, tsr_expand_dims, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#define tsr_permute_dims tsr_transpose

#endif
