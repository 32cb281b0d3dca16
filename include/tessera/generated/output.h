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
                                   int n_options, const tsr_drawing *options);
TSR_API tsr_array tsr_picture_at(const tsr_location *where, tsr_operand x, int n_options,
                                 const tsr_drawing *options);
TSR_API tsr_array tsr_panels_at(const tsr_location *where, tsr_arrays pictures, int columns);
TSR_API tsr_array tsr_load_png_at(const tsr_location *where, const char *path);
TSR_API void tsr_progress_at(const tsr_location *where, int64_t done, int64_t total);

#ifdef __cplusplus
}

namespace tessera {
inline tsr_status print(::tessera::operand x)
{
  return ::tessera::checked(tsr_print_at(x.at.record("tsr_print"), x.value));
}
} /* namespace tessera */
#define tsr_print(...) (::tessera::statement(false), ::tessera::print(__VA_ARGS__))

namespace tessera {
template <class... T> tsr_status save_png(::tessera::operand x, const char *path, T... options)
{
  static_assert(sizeof...(T) <= 6, "tsr_save_png: at most 6 options");
  const tsr_drawing listed[] = {::tessera::drawing_of(options)..., TSR_NO_DRAWING};
  return ::tessera::checked(tsr_save_png_at(x.at.record("tsr_save_png"), x.value, path,
                                            static_cast<int>(sizeof...(T)), listed));
}
} /* namespace tessera */
#define tsr_save_png(...) (::tessera::statement(false), ::tessera::save_png(__VA_ARGS__))

template <class... T> [[nodiscard]] tsr_array tsr_picture(::tessera::operand x, T... options)
{
  static_assert(sizeof...(T) <= 6, "tsr_picture: at most 6 options");
  const tsr_drawing listed[] = {::tessera::drawing_of(options)..., TSR_NO_DRAWING};
  return ::tessera::checked(
      tsr_picture_at(x.at.record("tsr_picture"), x.value, static_cast<int>(sizeof...(T)), listed));
}

[[nodiscard]] inline tsr_array tsr_panels(const ::tessera::arrays &pictures, int columns = 0,
                                          ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_panels_at(at.record("tsr_panels"), pictures, columns));
}

[[nodiscard]] inline tsr_array tsr_load_png(const char *path,
                                            ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_load_png_at(at.record("tsr_load_png"), path));
}

inline void tsr_progress(int64_t done, int64_t total, ::tessera::place at = ::tessera::place())
{
  tsr_progress_at(at.record("tsr_progress"), done, total);
  ::tessera::check();
}

#else

#define TSR__AS_print(id, op, text, ...)                                                           \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_status id##_got = op##_at(&id, id##_x);                                              \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_print(...) TSR__DO(TSR__AS_print, tsr_print, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_save_png(id, op, text, ...)                                                        \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 8 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const char *id##_path = (TSR__OR2(0, __VA_ARGS__));                                            \
    tsr_drawing id##_options[6];                                                                   \
    id##_options[0] = TSR__DRAWING_OF((TSR__OR3(TSR_NO_DRAWING, __VA_ARGS__)));                    \
    id##_options[1] = TSR__DRAWING_OF((TSR__OR4(TSR_NO_DRAWING, __VA_ARGS__)));                    \
    id##_options[2] = TSR__DRAWING_OF((TSR__OR5(TSR_NO_DRAWING, __VA_ARGS__)));                    \
    id##_options[3] = TSR__DRAWING_OF((TSR__OR6(TSR_NO_DRAWING, __VA_ARGS__)));                    \
    id##_options[4] = TSR__DRAWING_OF((TSR__OR7(TSR_NO_DRAWING, __VA_ARGS__)));                    \
    id##_options[5] = TSR__DRAWING_OF((TSR__OR8(TSR_NO_DRAWING, __VA_ARGS__)));                    \
    const tsr_status id##_got = op##_at(&id, id##_x, id##_path, 6, id##_options);                  \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_save_png(...)                                                                          \
  TSR__DO(TSR__AS_save_png, tsr_save_png, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_picture(id, op, text, ...)                                                         \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 7 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    tsr_drawing id##_options[6];                                                                   \
    id##_options[0] = TSR__DRAWING_OF((TSR__OR2(TSR_NO_DRAWING, __VA_ARGS__)));                    \
    id##_options[1] = TSR__DRAWING_OF((TSR__OR3(TSR_NO_DRAWING, __VA_ARGS__)));                    \
    id##_options[2] = TSR__DRAWING_OF((TSR__OR4(TSR_NO_DRAWING, __VA_ARGS__)));                    \
    id##_options[3] = TSR__DRAWING_OF((TSR__OR5(TSR_NO_DRAWING, __VA_ARGS__)));                    \
    id##_options[4] = TSR__DRAWING_OF((TSR__OR6(TSR_NO_DRAWING, __VA_ARGS__)));                    \
    id##_options[5] = TSR__DRAWING_OF((TSR__OR7(TSR_NO_DRAWING, __VA_ARGS__)));                    \
    op##_at(&id, id##_x, 6, id##_options);                                                         \
  }))
#define tsr_picture(...)                                                                           \
  TSR__DO(TSR__AS_picture, tsr_picture, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_panels(id, op, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_arrays id##_pictures = (TSR__OR1(TSR_ARRAYS(), __VA_ARGS__));                        \
    const int id##_columns = (TSR__OR2(0, __VA_ARGS__));                                           \
    op##_at(&id, id##_pictures, id##_columns);                                                     \
  }))
#define tsr_panels(...) TSR__DO(TSR__AS_panels, tsr_panels, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_load_png(id, op, text, ...)                                                        \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const char *id##_path = (TSR__OR1(0, __VA_ARGS__));                                            \
    op##_at(&id, id##_path);                                                                       \
  }))
#define tsr_load_png(...)                                                                          \
  TSR__DO(TSR__AS_load_png, tsr_load_png, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_progress(id, op, text, ...)                                                        \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const int64_t id##_done = (TSR__OR1(0, __VA_ARGS__));                                          \
    const int64_t id##_total = (TSR__OR2(0, __VA_ARGS__));                                         \
    op##_at(&id, id##_done, id##_total);                                                           \
  })
#define tsr_progress(...)                                                                          \
  TSR__DO(TSR__AS_progress, tsr_progress, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
