/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/output.h, which is the manual and includes this file. */
#include "tessera/output.h"

#ifndef TESSERA_GENERATED_OUTPUT_H
#define TESSERA_GENERATED_OUTPUT_H

#include "tessera/lifetime.h"

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_status tsr_print_at(const tsr_location *where, tsr_operand x);
TSR_API tsr_status tsr_save_png_at(const tsr_location *where, tsr_operand x, const char *path,
                                   double vmin, double vmax, tsr_colours colours);

#ifdef __cplusplus
}

namespace tessera {
inline tsr_status print(::tessera::operand x)
{
  return tsr_print_at(x.at.record("tsr_print"), x.value);
}
} /* namespace tessera */
#define tsr_print(...) (::tessera::statement(false), ::tessera::print(__VA_ARGS__))

namespace tessera {
inline tsr_status save_png(::tessera::operand x, const char *path, double vmin = __builtin_nan(""),
                           double vmax = __builtin_nan(""), tsr_colours colours = TSR_VIRIDIS)
{
  return tsr_save_png_at(x.at.record("tsr_save_png"), x.value, path, vmin, vmax, colours);
}
} /* namespace tessera */
#define tsr_save_png(...) (::tessera::statement(false), ::tessera::save_png(__VA_ARGS__))

#else

#define TSR__AS_print(id, op, text, ...)                                                           \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__HERE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_status id##_got = op##_at(&id, id##_x);                                              \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_print(...) TSR__DO(TSR__AS_print, tsr_print, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_save_png(id, op, text, ...)                                                        \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 5 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__HERE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const char *id##_path = (TSR__OR2(0, __VA_ARGS__));                                            \
    const double id##_vmin = (TSR__OR3(__builtin_nan(""), __VA_ARGS__));                           \
    const double id##_vmax = (TSR__OR4(__builtin_nan(""), __VA_ARGS__));                           \
    const tsr_colours id##_colours = (TSR__OR5(TSR_VIRIDIS, __VA_ARGS__));                         \
    const tsr_status id##_got =                                                                    \
        op##_at(&id, id##_x, id##_path, id##_vmin, id##_vmax, id##_colours);                       \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_save_png(...)                                                                          \
  TSR__DO(TSR__AS_save_png, tsr_save_png, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif
#endif
