/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/composed.h, which is the manual and includes this file. */
#include "tessera/composed.h"

#ifndef TESSERA_GENERATED_COMPOSED_H
#define TESSERA_GENERATED_COMPOSED_H

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_isclose_at(const tsr_location *where, tsr_operand x, tsr_operand y,
                                 double rtol, double atol, bool equal_nan);
TSR_API tsr_array tsr_round_at(const tsr_location *where, tsr_operand x, int decimals);
TSR_API tsr_array tsr_angle_at(const tsr_location *where, tsr_operand x);
TSR_API tsr_array tsr_logaddexp2_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API tsr_array tsr_float_power_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API tsr_status tsr_divmod_at(const tsr_location *where, tsr_array *out, tsr_operand x,
                                 tsr_operand y);
TSR_API tsr_status tsr_frexp_at(const tsr_location *where, tsr_array *out, tsr_operand x);
TSR_API tsr_status tsr_modf_at(const tsr_location *where, tsr_array *out, tsr_operand x);

#ifdef __cplusplus
}

[[nodiscard]] inline tsr_array tsr_isclose(::tessera::operand x, ::tessera::operand y,
                                           double rtol = 1e-5, double atol = 1e-8,
                                           bool equal_nan = false)
{
  return ::tessera::checked(
      tsr_isclose_at(x.at.record("tsr_isclose"), x.value, y.value, rtol, atol, equal_nan));
}

[[nodiscard]] inline tsr_array tsr_round(::tessera::operand x, int decimals = 0)
{
  return ::tessera::checked(tsr_round_at(x.at.record("tsr_round"), x.value, decimals));
}

[[nodiscard]] inline tsr_array tsr_angle(::tessera::operand x)
{
  return ::tessera::checked(tsr_angle_at(x.at.record("tsr_angle"), x.value));
}

[[nodiscard]] inline tsr_array tsr_logaddexp2(::tessera::operand x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_logaddexp2_at(x.at.record("tsr_logaddexp2"), x.value, y.value));
}

[[nodiscard]] inline tsr_array tsr_float_power(::tessera::operand x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_float_power_at(x.at.record("tsr_float_power"), x.value, y.value));
}

inline tsr_status tsr_divmod(tsr_array *out, ::tessera::operand x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_divmod_at(x.at.record("tsr_divmod"), out, x.value, y.value));
}

inline tsr_status tsr_frexp(tsr_array *out, ::tessera::operand x)
{
  return ::tessera::checked(tsr_frexp_at(x.at.record("tsr_frexp"), out, x.value));
}

inline tsr_status tsr_modf(tsr_array *out, ::tessera::operand x)
{
  return ::tessera::checked(tsr_modf_at(x.at.record("tsr_modf"), out, x.value));
}

#else

#define TSR__AS_isclose(id, op, text, ...)                                                         \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 5 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_operand id##_y = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    const double id##_rtol = (TSR__OR3(1e-5, __VA_ARGS__));                                        \
    const double id##_atol = (TSR__OR4(1e-8, __VA_ARGS__));                                        \
    const bool id##_equal_nan = (TSR__OR5(false, __VA_ARGS__));                                    \
    op##_at(&id, id##_x, id##_y, id##_rtol, id##_atol, id##_equal_nan);                            \
  }))
#define tsr_isclose(...)                                                                           \
  TSR__DO(TSR__AS_isclose, tsr_isclose, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_round(id, op, text, ...)                                                           \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const int id##_decimals = (TSR__OR2(0, __VA_ARGS__));                                          \
    op##_at(&id, id##_x, id##_decimals);                                                           \
  }))
#define tsr_round(...) TSR__DO(TSR__AS_round, tsr_round, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_angle(id, op, text, ...)                                                           \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    op##_at(&id, id##_x);                                                                          \
  }))
#define tsr_angle(...) TSR__DO(TSR__AS_angle, tsr_angle, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_logaddexp2(id, op, text, ...)                                                      \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_operand id##_y = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    op##_at(&id, id##_x, id##_y);                                                                  \
  }))
#define tsr_logaddexp2(...)                                                                        \
  TSR__DO(TSR__AS_logaddexp2, tsr_logaddexp2, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_float_power(...)                                                                       \
  TSR__DO(TSR__AS_logaddexp2, tsr_float_power, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_divmod(id, op, text, ...)                                                          \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 3, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_array *id##_out = (TSR__OR1(0, __VA_ARGS__));                                              \
    const tsr_operand id##_x = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    const tsr_operand id##_y = TSR__BOX((TSR__OR3(0, __VA_ARGS__)));                               \
    op##_at(&id, id##_out, id##_x, id##_y);                                                        \
  })
#define tsr_divmod(...) TSR__DO(TSR__AS_divmod, tsr_divmod, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_frexp(id, op, text, ...)                                                           \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_array *id##_out = (TSR__OR1(0, __VA_ARGS__));                                              \
    const tsr_operand id##_x = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    op##_at(&id, id##_out, id##_x);                                                                \
  })
#define tsr_frexp(...) TSR__DO(TSR__AS_frexp, tsr_frexp, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_modf(...) TSR__DO(TSR__AS_frexp, tsr_modf, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#define tsr_around tsr_round

#endif
