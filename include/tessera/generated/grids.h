/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/grids.h, which is the manual and includes this file. */
#include "tessera/grids.h"

#ifndef TESSERA_GENERATED_GRIDS_H
#define TESSERA_GENERATED_GRIDS_H

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_empty_like_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype);
TSR_API tsr_array tsr_zeros_like_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype);
TSR_API tsr_array tsr_ones_like_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype);
TSR_API tsr_array tsr_full_like_at(const tsr_location *where, tsr_operand x, tsr_operand value,
                                   tsr_dtype dtype);
TSR_API tsr_array tsr_linspace_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                                  int64_t num, bool endpoint, tsr_dtype dtype, int axis);
TSR_API tsr_array tsr_logspace_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                                  int64_t num, bool endpoint, double base, tsr_dtype dtype,
                                  int axis);
TSR_API tsr_array tsr_geomspace_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                                   int64_t num, bool endpoint, tsr_dtype dtype, int axis);
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

#ifdef __cplusplus
}

[[nodiscard]] inline tsr_array tsr_empty_like(::tessera::operand x,
                                              tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return ::tessera::checked(tsr_empty_like_at(x.at.record("tsr_empty_like"), x.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_zeros_like(::tessera::operand x,
                                              tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return ::tessera::checked(tsr_zeros_like_at(x.at.record("tsr_zeros_like"), x.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_ones_like(::tessera::operand x, tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return ::tessera::checked(tsr_ones_like_at(x.at.record("tsr_ones_like"), x.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_full_like(::tessera::operand x, ::tessera::operand value,
                                             tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return ::tessera::checked(
      tsr_full_like_at(x.at.record("tsr_full_like"), x.value, value.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_linspace(::tessera::operand start, ::tessera::operand stop,
                                            int64_t num = 50, bool endpoint = true,
                                            tsr_dtype dtype = TSR_FLOAT64,
                                            ::tessera::axis_arg axis = 0)
{
  return ::tessera::checked(tsr_linspace_at(start.at.record("tsr_linspace"), start.value,
                                            stop.value, num, endpoint, dtype, axis.value));
}

[[nodiscard]] inline tsr_array tsr_logspace(::tessera::operand start, ::tessera::operand stop,
                                            int64_t num = 50, bool endpoint = true,
                                            double base = 10, tsr_dtype dtype = TSR_FLOAT64,
                                            ::tessera::axis_arg axis = 0)
{
  return ::tessera::checked(tsr_logspace_at(start.at.record("tsr_logspace"), start.value,
                                            stop.value, num, endpoint, base, dtype, axis.value));
}

[[nodiscard]] inline tsr_array tsr_geomspace(::tessera::operand start, ::tessera::operand stop,
                                             int64_t num = 50, bool endpoint = true,
                                             tsr_dtype dtype = TSR_FLOAT64,
                                             ::tessera::axis_arg axis = 0)
{
  return ::tessera::checked(tsr_geomspace_at(start.at.record("tsr_geomspace"), start.value,
                                             stop.value, num, endpoint, dtype, axis.value));
}

[[nodiscard]] inline tsr_array tsr_eye(int64_t n, int64_t m = TSR_SQUARE, int64_t k = 0,
                                       tsr_dtype dtype = TSR_FLOAT64,
                                       ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_eye_at(at.record("tsr_eye"), n, m, k, dtype));
}

[[nodiscard]] inline tsr_array tsr_identity(int64_t n, tsr_dtype dtype = TSR_FLOAT64,
                                            ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_identity_at(at.record("tsr_identity"), n, dtype));
}

[[nodiscard]] inline tsr_array tsr_tri(int64_t n, int64_t m = TSR_SQUARE, int64_t k = 0,
                                       tsr_dtype dtype = TSR_FLOAT64,
                                       ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_tri_at(at.record("tsr_tri"), n, m, k, dtype));
}

[[nodiscard]] inline tsr_array tsr_tril(tsr_array x, int64_t k = 0,
                                        ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_tril_at(at.record("tsr_tril"), x, k));
}

[[nodiscard]] inline tsr_array tsr_triu(tsr_array x, int64_t k = 0,
                                        ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_triu_at(at.record("tsr_triu"), x, k));
}

[[nodiscard]] inline tsr_array tsr_diag(tsr_array x, int64_t k = 0,
                                        ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_diag_at(at.record("tsr_diag"), x, k));
}

[[nodiscard]] inline tsr_array tsr_indices(::tessera::dims_arg shape, tsr_dtype dtype = TSR_INT64,
                                           ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_indices_at(at.record("tsr_indices"), shape.value, dtype));
}

inline tsr_status tsr_meshgrid(tsr_array *out, const ::tessera::arrays &arrays,
                               const char *indexing = "xy",
                               ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_meshgrid_at(at.record("tsr_meshgrid"), out, arrays, indexing));
}

#else

#define TSR__AS_empty_like(id, op, text, ...)                                                      \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    __auto_type id##_dtype = (TSR__OR2(TSR_DTYPE_LIKE, __VA_ARGS__));                              \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_x, id##_dtype);                                                              \
  }))
#define tsr_empty_like(...)                                                                        \
  TSR__DO(TSR__AS_empty_like, tsr_empty_like, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_zeros_like(...)                                                                        \
  TSR__DO(TSR__AS_empty_like, tsr_zeros_like, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_ones_like(...)                                                                         \
  TSR__DO(TSR__AS_empty_like, tsr_ones_like, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_full_like(id, op, text, ...)                                                       \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_operand id##_value = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                           \
    __auto_type id##_dtype = (TSR__OR3(TSR_DTYPE_LIKE, __VA_ARGS__));                              \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_x, id##_value, id##_dtype);                                                  \
  }))
#define tsr_full_like(...)                                                                         \
  TSR__DO(TSR__AS_full_like, tsr_full_like, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_linspace(id, op, text, ...)                                                        \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 6 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_start = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                           \
    const tsr_operand id##_stop = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                            \
    const int64_t id##_num = (TSR__OR3(50, __VA_ARGS__));                                          \
    const bool id##_endpoint = (TSR__OR4(true, __VA_ARGS__));                                      \
    __auto_type id##_dtype = (TSR__OR5(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    const int id##_axis = TSR__AXIS_OF((TSR__OR6(0, __VA_ARGS__)));                                \
    op##_at(&id, id##_start, id##_stop, id##_num, id##_endpoint, id##_dtype, id##_axis);           \
  }))
#define tsr_linspace(...)                                                                          \
  TSR__DO(TSR__AS_linspace, tsr_linspace, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_logspace(id, op, text, ...)                                                        \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 7 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_start = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                           \
    const tsr_operand id##_stop = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                            \
    const int64_t id##_num = (TSR__OR3(50, __VA_ARGS__));                                          \
    const bool id##_endpoint = (TSR__OR4(true, __VA_ARGS__));                                      \
    const double id##_base = (TSR__OR5(10, __VA_ARGS__));                                          \
    __auto_type id##_dtype = (TSR__OR6(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    const int id##_axis = TSR__AXIS_OF((TSR__OR7(0, __VA_ARGS__)));                                \
    op##_at(&id, id##_start, id##_stop, id##_num, id##_endpoint, id##_base, id##_dtype,            \
            id##_axis);                                                                            \
  }))
#define tsr_logspace(...)                                                                          \
  TSR__DO(TSR__AS_logspace, tsr_logspace, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_geomspace(...)                                                                         \
  TSR__DO(TSR__AS_linspace, tsr_geomspace, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_eye(id, op, text, ...)                                                             \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const int64_t id##_n = (TSR__OR1(0, __VA_ARGS__));                                             \
    const int64_t id##_m = (TSR__OR2(TSR_SQUARE, __VA_ARGS__));                                    \
    const int64_t id##_k = (TSR__OR3(0, __VA_ARGS__));                                             \
    __auto_type id##_dtype = (TSR__OR4(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_n, id##_m, id##_k, id##_dtype);                                              \
  }))
#define tsr_eye(...) TSR__DO(TSR__AS_eye, tsr_eye, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_identity(id, op, text, ...)                                                        \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const int64_t id##_n = (TSR__OR1(0, __VA_ARGS__));                                             \
    __auto_type id##_dtype = (TSR__OR2(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_n, id##_dtype);                                                              \
  }))
#define tsr_identity(...)                                                                          \
  TSR__DO(TSR__AS_identity, tsr_identity, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_tri(...) TSR__DO(TSR__AS_eye, tsr_tri, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_tril(id, op, text, ...)                                                            \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const int64_t id##_k = (TSR__OR2(0, __VA_ARGS__));                                             \
    op##_at(&id, id##_x, id##_k);                                                                  \
  }))
#define tsr_tril(...) TSR__DO(TSR__AS_tril, tsr_tril, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_triu(...) TSR__DO(TSR__AS_tril, tsr_triu, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_diag(...) TSR__DO(TSR__AS_tril, tsr_diag, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_indices(id, op, text, ...)                                                         \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_dims id##_shape = TSR__DIMS_OF((TSR__OR1(0, __VA_ARGS__)));                          \
    __auto_type id##_dtype = (TSR__OR2(TSR_INT64, __VA_ARGS__));                                   \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_shape, id##_dtype);                                                          \
  }))
#define tsr_indices(...)                                                                           \
  TSR__DO(TSR__AS_indices, tsr_indices, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_meshgrid(id, op, text, ...)                                                        \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_array *id##_out = (TSR__OR1(0, __VA_ARGS__));                                              \
    const tsr_arrays id##_arrays = (TSR__OR2(TSR_ARRAYS(), __VA_ARGS__));                          \
    const char *id##_indexing = (TSR__OR3("xy", __VA_ARGS__));                                     \
    op##_at(&id, id##_out, id##_arrays, id##_indexing);                                            \
  })
#define tsr_meshgrid(...)                                                                          \
  TSR__DO(TSR__AS_meshgrid, tsr_meshgrid, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
