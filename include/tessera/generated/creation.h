/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/creation.h, which is the manual and includes this file. */
#include "tessera/creation.h"

#ifndef TESSERA_GENERATED_CREATION_H
#define TESSERA_GENERATED_CREATION_H

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_empty_at(const tsr_location *where, tsr_dims shape, tsr_dtype dtype);
TSR_API tsr_array tsr_zeros_at(const tsr_location *where, tsr_dims shape, tsr_dtype dtype);
TSR_API tsr_array tsr_ones_at(const tsr_location *where, tsr_dims shape, tsr_dtype dtype);
TSR_API tsr_array tsr_full_at(const tsr_location *where, tsr_dims shape, tsr_operand value,
                              tsr_dtype dtype);
TSR_API tsr_array tsr_arange_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                                tsr_operand step, tsr_dtype dtype);
TSR_API tsr_array tsr_copy_at(const tsr_location *where, tsr_operand x);
TSR_API tsr_array tsr_astype_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype);
TSR_API int tsr_ndim_at(const tsr_location *where, tsr_array x);
TSR_API tsr_dims tsr_shape_at(const tsr_location *where, tsr_array x);
TSR_API int64_t tsr_size_at(const tsr_location *where, tsr_array x);
TSR_API tsr_dtype tsr_dtype_of_at(const tsr_location *where, tsr_array x);
TSR_API tsr_dtype tsr_result_type_at(const tsr_location *where, int n, const tsr_operand *xs);

#ifdef __cplusplus
}

[[nodiscard]] inline tsr_array tsr_empty(::tessera::dims_arg shape, tsr_dtype dtype = TSR_FLOAT64,
                                         ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_empty_at(at.record("tsr_empty"), shape.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_zeros(::tessera::dims_arg shape, tsr_dtype dtype = TSR_FLOAT64,
                                         ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_zeros_at(at.record("tsr_zeros"), shape.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_ones(::tessera::dims_arg shape, tsr_dtype dtype = TSR_FLOAT64,
                                        ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_ones_at(at.record("tsr_ones"), shape.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_full(::tessera::dims_arg shape, ::tessera::operand value,
                                        tsr_dtype dtype = TSR_FLOAT64)
{
  return ::tessera::checked(
      tsr_full_at(value.at.record("tsr_full"), shape.value, value.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_copy(::tessera::operand x)
{
  return ::tessera::checked(tsr_copy_at(x.at.record("tsr_copy"), x.value));
}

[[nodiscard]] inline tsr_array tsr_astype(::tessera::operand x, tsr_dtype dtype)
{
  return ::tessera::checked(tsr_astype_at(x.at.record("tsr_astype"), x.value, dtype));
}

[[nodiscard]] inline int tsr_ndim(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_ndim_at(at.record("tsr_ndim"), x));
}

[[nodiscard]] inline tsr_dims tsr_shape(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_shape_at(at.record("tsr_shape"), x));
}

[[nodiscard]] inline int64_t tsr_size(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_size_at(at.record("tsr_size"), x));
}

[[nodiscard]] inline tsr_dtype tsr_dtype_of(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_dtype_of_at(at.record("tsr_dtype_of"), x));
}

template <class... T>
[[nodiscard]] tsr_dtype tsr_result_type(::tessera::operand x, const T &...more)
{
  static_assert(sizeof...(T) <= 15, "tsr_result_type: wrong number of arguments (takes 1 to 16)");
  const tsr_operand xs[] = {x.value, ::tessera::box(more)...};
  return ::tessera::checked(
      tsr_result_type_at(x.at.record("tsr_result_type"), static_cast<int>(sizeof...(T)) + 1, xs));
}

#else

#define TSR__AS_empty(id, op, text, ...)                                                           \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_dims id##_shape = TSR__DIMS_OF((TSR__OR1(0, __VA_ARGS__)));                          \
    __auto_type id##_dtype = (TSR__OR2(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_shape, id##_dtype);                                                          \
  }))
#define tsr_empty(...) TSR__DO(TSR__AS_empty, tsr_empty, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_zeros(...) TSR__DO(TSR__AS_empty, tsr_zeros, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_ones(...) TSR__DO(TSR__AS_empty, tsr_ones, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_full(id, op, text, ...)                                                            \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_dims id##_shape = TSR__DIMS_OF((TSR__OR1(0, __VA_ARGS__)));                          \
    const tsr_operand id##_value = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                           \
    __auto_type id##_dtype = (TSR__OR3(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_shape, id##_value, id##_dtype);                                              \
  }))
#define tsr_full(...) TSR__DO(TSR__AS_full, tsr_full, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_copy(id, op, text, ...)                                                            \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    op##_at(&id, id##_x);                                                                          \
  }))
#define tsr_copy(...) TSR__DO(TSR__AS_copy, tsr_copy, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_astype(id, op, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    __auto_type id##_dtype = (TSR__OR2(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_x, id##_dtype);                                                              \
  }))
#define tsr_astype(...) TSR__DO(TSR__AS_astype, tsr_astype, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_ndim(id, op, text, ...)                                                            \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    op##_at(&id, id##_x);                                                                          \
  })
#define tsr_ndim(...) TSR__DO(TSR__AS_ndim, tsr_ndim, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_shape(...) TSR__DO(TSR__AS_ndim, tsr_shape, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_size(...) TSR__DO(TSR__AS_ndim, tsr_size, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_dtype_of(...)                                                                          \
  TSR__DO(TSR__AS_ndim, tsr_dtype_of, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_result_type(id, op, text, ...)                                                     \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 16 __VA_OPT__(, ) __VA_ARGS__);                                        \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_operand id##_xs[TSR__COUNT(__VA_ARGS__) + !TSR__COUNT(__VA_ARGS__)];                       \
    TSR__BOXES(id##_xs __VA_OPT__(, ) __VA_ARGS__) op##_at(&id, TSR__COUNT(__VA_ARGS__), id##_xs); \
  })
#define tsr_result_type(...)                                                                       \
  TSR__DO(TSR__AS_result_type, tsr_result_type, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
