/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/ufuncs.h, which is the manual and includes this file. */
#include "tessera/ufuncs.h"

#ifndef TESSERA_GENERATED_UFUNCS_H
#define TESSERA_GENERATED_UFUNCS_H

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_ufunc_reduce_at(const tsr_location *where, const char *ufunc, tsr_operand x,
                                      int n_options, const tsr_axes *options);
TSR_API tsr_array tsr_ufunc_accumulate_at(const tsr_location *where, const char *ufunc,
                                          tsr_operand x, int axis, tsr_dtype dtype);
TSR_API tsr_array tsr_ufunc_outer_at(const tsr_location *where, const char *ufunc, tsr_operand x,
                                     tsr_operand y);

#ifdef __cplusplus
}

[[nodiscard]] inline tsr_array tsr_ufunc_reduce(const char *ufunc, ::tessera::operand x,
                                                ::tessera::axes_arg a = ::tessera::all_axes(),
                                                ::tessera::axes_arg b = ::tessera::all_axes(),
                                                ::tessera::axes_arg c = ::tessera::all_axes(),
                                                ::tessera::axes_arg d = ::tessera::all_axes(),
                                                ::tessera::axes_arg e = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value, e.value};
  return ::tessera::checked(
      tsr_ufunc_reduce_at(x.at.record("tsr_ufunc_reduce"), ufunc, x.value, 5, options));
}

[[nodiscard]] inline tsr_array tsr_ufunc_accumulate(const char *ufunc, ::tessera::operand x,
                                                    ::tessera::axis_arg axis = 0,
                                                    tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return ::tessera::checked(tsr_ufunc_accumulate_at(x.at.record("tsr_ufunc_accumulate"), ufunc,
                                                    x.value, axis.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_ufunc_outer(const char *ufunc, ::tessera::operand x,
                                               ::tessera::operand y)
{
  return ::tessera::checked(
      tsr_ufunc_outer_at(x.at.record("tsr_ufunc_outer"), ufunc, x.value, y.value));
}

#else

#define TSR__AS_ufunc_reduce(id, op, text, ...)                                                    \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 7 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const char *id##_ufunc = (TSR__OR1(0, __VA_ARGS__));                                           \
    const tsr_operand id##_x = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    tsr_axes id##_options[5];                                                                      \
    id##_options[0] = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[1] = TSR__AXES_OF((TSR__OR4(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[2] = TSR__AXES_OF((TSR__OR5(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[3] = TSR__AXES_OF((TSR__OR6(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[4] = TSR__AXES_OF((TSR__OR7(TSR_ALL_AXES, __VA_ARGS__)));                         \
    op##_at(&id, id##_ufunc, id##_x, 5, id##_options);                                             \
  }))
#define tsr_ufunc_reduce(...)                                                                      \
  TSR__DO(TSR__AS_ufunc_reduce, tsr_ufunc_reduce, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_ufunc_accumulate(id, op, text, ...)                                                \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const char *id##_ufunc = (TSR__OR1(0, __VA_ARGS__));                                           \
    const tsr_operand id##_x = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    const int id##_axis = TSR__AXIS_OF((TSR__OR3(0, __VA_ARGS__)));                                \
    __auto_type id##_dtype = (TSR__OR4(TSR_DTYPE_LIKE, __VA_ARGS__));                              \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_ufunc, id##_x, id##_axis, id##_dtype);                                       \
  }))
#define tsr_ufunc_accumulate(...)                                                                  \
  TSR__DO(TSR__AS_ufunc_accumulate, tsr_ufunc_accumulate, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_ufunc_outer(id, op, text, ...)                                                     \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 3, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const char *id##_ufunc = (TSR__OR1(0, __VA_ARGS__));                                           \
    const tsr_operand id##_x = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    const tsr_operand id##_y = TSR__BOX((TSR__OR3(0, __VA_ARGS__)));                               \
    op##_at(&id, id##_ufunc, id##_x, id##_y);                                                      \
  }))
#define tsr_ufunc_outer(...)                                                                       \
  TSR__DO(TSR__AS_ufunc_outer, tsr_ufunc_outer, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
