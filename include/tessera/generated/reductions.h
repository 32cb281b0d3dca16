/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/reductions.h, which is the manual and includes this file. */
#include "tessera/reductions.h"

#ifndef TESSERA_GENERATED_REDUCTIONS_H
#define TESSERA_GENERATED_REDUCTIONS_H

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}

[[nodiscard]] inline tsr_array tsr_sum(::tessera::operand x,
                                       ::tessera::axes_arg a = ::tessera::all_axes(),
                                       ::tessera::axes_arg b = ::tessera::all_axes(),
                                       ::tessera::axes_arg c = ::tessera::all_axes(),
                                       ::tessera::axes_arg d = ::tessera::all_axes(),
                                       ::tessera::axes_arg e = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value, e.value};
  return ::tessera::checked(tsr_sum_at(x.at.record("tsr_sum"), x.value, 5, options));
}

[[nodiscard]] inline tsr_array tsr_prod(::tessera::operand x,
                                        ::tessera::axes_arg a = ::tessera::all_axes(),
                                        ::tessera::axes_arg b = ::tessera::all_axes(),
                                        ::tessera::axes_arg c = ::tessera::all_axes(),
                                        ::tessera::axes_arg d = ::tessera::all_axes(),
                                        ::tessera::axes_arg e = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value, e.value};
  return ::tessera::checked(tsr_prod_at(x.at.record("tsr_prod"), x.value, 5, options));
}

[[nodiscard]] inline tsr_array tsr_min(::tessera::operand x,
                                       ::tessera::axes_arg a = ::tessera::all_axes(),
                                       ::tessera::axes_arg b = ::tessera::all_axes(),
                                       ::tessera::axes_arg c = ::tessera::all_axes(),
                                       ::tessera::axes_arg d = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value};
  return ::tessera::checked(tsr_min_at(x.at.record("tsr_min"), x.value, 4, options));
}

[[nodiscard]] inline tsr_array tsr_max(::tessera::operand x,
                                       ::tessera::axes_arg a = ::tessera::all_axes(),
                                       ::tessera::axes_arg b = ::tessera::all_axes(),
                                       ::tessera::axes_arg c = ::tessera::all_axes(),
                                       ::tessera::axes_arg d = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value};
  return ::tessera::checked(tsr_max_at(x.at.record("tsr_max"), x.value, 4, options));
}

[[nodiscard]] inline tsr_array tsr_mean(::tessera::operand x,
                                        ::tessera::axes_arg a = ::tessera::all_axes(),
                                        ::tessera::axes_arg b = ::tessera::all_axes(),
                                        ::tessera::axes_arg c = ::tessera::all_axes(),
                                        ::tessera::axes_arg d = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value, d.value};
  return ::tessera::checked(tsr_mean_at(x.at.record("tsr_mean"), x.value, 4, options));
}

[[nodiscard]] inline tsr_array tsr_any(::tessera::operand x,
                                       ::tessera::axes_arg a = ::tessera::all_axes(),
                                       ::tessera::axes_arg b = ::tessera::all_axes(),
                                       ::tessera::axes_arg c = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value};
  return ::tessera::checked(tsr_any_at(x.at.record("tsr_any"), x.value, 3, options));
}

[[nodiscard]] inline tsr_array tsr_all(::tessera::operand x,
                                       ::tessera::axes_arg a = ::tessera::all_axes(),
                                       ::tessera::axes_arg b = ::tessera::all_axes(),
                                       ::tessera::axes_arg c = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value, c.value};
  return ::tessera::checked(tsr_all_at(x.at.record("tsr_all"), x.value, 3, options));
}

[[nodiscard]] inline tsr_array tsr_argmin(::tessera::operand x,
                                          ::tessera::axes_arg a = ::tessera::all_axes(),
                                          ::tessera::axes_arg b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value};
  return ::tessera::checked(tsr_argmin_at(x.at.record("tsr_argmin"), x.value, 2, options));
}

[[nodiscard]] inline tsr_array tsr_argmax(::tessera::operand x,
                                          ::tessera::axes_arg a = ::tessera::all_axes(),
                                          ::tessera::axes_arg b = ::tessera::all_axes())
{
  const tsr_axes options[] = {a.value, b.value};
  return ::tessera::checked(tsr_argmax_at(x.at.record("tsr_argmax"), x.value, 2, options));
}

#else

#define TSR__AS_sum(id, op, text, ...)                                                             \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 6 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    tsr_axes id##_options[5];                                                                      \
    id##_options[0] = TSR__AXES_OF((TSR__OR2(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[1] = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[2] = TSR__AXES_OF((TSR__OR4(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[3] = TSR__AXES_OF((TSR__OR5(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[4] = TSR__AXES_OF((TSR__OR6(TSR_ALL_AXES, __VA_ARGS__)));                         \
    op##_at(&id, id##_x, 5, id##_options);                                                         \
  }))
#define tsr_sum(...) TSR__DO(TSR__AS_sum, tsr_sum, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_prod(...) TSR__DO(TSR__AS_sum, tsr_prod, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_min(id, op, text, ...)                                                             \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 5 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    tsr_axes id##_options[4];                                                                      \
    id##_options[0] = TSR__AXES_OF((TSR__OR2(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[1] = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[2] = TSR__AXES_OF((TSR__OR4(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[3] = TSR__AXES_OF((TSR__OR5(TSR_ALL_AXES, __VA_ARGS__)));                         \
    op##_at(&id, id##_x, 4, id##_options);                                                         \
  }))
#define tsr_min(...) TSR__DO(TSR__AS_min, tsr_min, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_max(...) TSR__DO(TSR__AS_min, tsr_max, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_mean(...) TSR__DO(TSR__AS_min, tsr_mean, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_any(id, op, text, ...)                                                             \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    tsr_axes id##_options[3];                                                                      \
    id##_options[0] = TSR__AXES_OF((TSR__OR2(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[1] = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[2] = TSR__AXES_OF((TSR__OR4(TSR_ALL_AXES, __VA_ARGS__)));                         \
    op##_at(&id, id##_x, 3, id##_options);                                                         \
  }))
#define tsr_any(...) TSR__DO(TSR__AS_any, tsr_any, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_all(...) TSR__DO(TSR__AS_any, tsr_all, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_argmin(id, op, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    tsr_axes id##_options[2];                                                                      \
    id##_options[0] = TSR__AXES_OF((TSR__OR2(TSR_ALL_AXES, __VA_ARGS__)));                         \
    id##_options[1] = TSR__AXES_OF((TSR__OR3(TSR_ALL_AXES, __VA_ARGS__)));                         \
    op##_at(&id, id##_x, 2, id##_options);                                                         \
  }))
#define tsr_argmin(...) TSR__DO(TSR__AS_argmin, tsr_argmin, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_argmax(...) TSR__DO(TSR__AS_argmin, tsr_argmax, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#define tsr_amin tsr_min
#define tsr_amax tsr_max

#endif
