/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/files.h, which is the manual and includes this file. */
#include "tessera/files.h"

#ifndef TESSERA_GENERATED_FILES_H
#define TESSERA_GENERATED_FILES_H

#include "tessera/lifetime.h"

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_status tsr_save_npy_at(const tsr_location *where, tsr_operand x, const char *path);
TSR_API tsr_array tsr_load_npy_at(const tsr_location *where, const char *path);
TSR_API tsr_xdmf *tsr_xdmf_open_at(const tsr_location *where, const char *path);
TSR_API tsr_status tsr_xdmf_grid_at(const tsr_location *where, tsr_xdmf *series, tsr_point origin,
                                    tsr_point spacing);
TSR_API tsr_status tsr_xdmf_write_at(const tsr_location *where, tsr_xdmf *series, double time,
                                     const char *name, tsr_operand x);
TSR_API tsr_status tsr_xdmf_close_at(const tsr_location *where, tsr_xdmf **series);

#ifdef __cplusplus
}

namespace tessera {
inline tsr_status save_npy(::tessera::operand x, const char *path)
{
  return ::tessera::checked(tsr_save_npy_at(x.at.record("tsr_save_npy"), x.value, path));
}
} /* namespace tessera */
#define tsr_save_npy(...) (::tessera::statement(false), ::tessera::save_npy(__VA_ARGS__))

[[nodiscard]] inline tsr_array tsr_load_npy(const char *path,
                                            ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_load_npy_at(at.record("tsr_load_npy"), path));
}

[[nodiscard]] inline tsr_xdmf *tsr_xdmf_open(const char *path,
                                             ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_xdmf_open_at(at.record("tsr_xdmf_open"), path));
}

inline tsr_status tsr_xdmf_grid(tsr_xdmf *series, tsr_point origin, tsr_point spacing,
                                ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_xdmf_grid_at(at.record("tsr_xdmf_grid"), series, origin, spacing));
}

namespace tessera {
inline tsr_status xdmf_write(tsr_xdmf *series, double time, const char *name, ::tessera::operand x)
{
  return ::tessera::checked(
      tsr_xdmf_write_at(x.at.record("tsr_xdmf_write"), series, time, name, x.value));
}
} /* namespace tessera */
#define tsr_xdmf_write(...) (::tessera::statement(false), ::tessera::xdmf_write(__VA_ARGS__))

inline tsr_status tsr_xdmf_close(tsr_xdmf **series, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_xdmf_close_at(at.record("tsr_xdmf_close"), series));
}

#else

#define TSR__AS_save_npy(id, op, text, ...)                                                        \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const char *id##_path = (TSR__OR2(0, __VA_ARGS__));                                            \
    const tsr_status id##_got = op##_at(&id, id##_x, id##_path);                                   \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_save_npy(...)                                                                          \
  TSR__DO(TSR__AS_save_npy, tsr_save_npy, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_load_npy(id, op, text, ...)                                                        \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const char *id##_path = (TSR__OR1(0, __VA_ARGS__));                                            \
    op##_at(&id, id##_path);                                                                       \
  }))
#define tsr_load_npy(...)                                                                          \
  TSR__DO(TSR__AS_load_npy, tsr_load_npy, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_xdmf_open(id, op, text, ...)                                                       \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const char *id##_path = (TSR__OR1(0, __VA_ARGS__));                                            \
    op##_at(&id, id##_path);                                                                       \
  })
#define tsr_xdmf_open(...)                                                                         \
  TSR__DO(TSR__AS_xdmf_open, tsr_xdmf_open, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_xdmf_grid(id, op, text, ...)                                                       \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 3, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_xdmf *id##_series = (TSR__OR1(0, __VA_ARGS__));                                            \
    const tsr_point id##_origin = (TSR__OR2(TSR_POINT(0), __VA_ARGS__));                           \
    const tsr_point id##_spacing = (TSR__OR3(TSR_POINT(0), __VA_ARGS__));                          \
    op##_at(&id, id##_series, id##_origin, id##_spacing);                                          \
  })
#define tsr_xdmf_grid(...)                                                                         \
  TSR__DO(TSR__AS_xdmf_grid, tsr_xdmf_grid, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_xdmf_write(id, op, text, ...)                                                      \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 4, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    tsr_xdmf *id##_series = (TSR__OR1(0, __VA_ARGS__));                                            \
    const double id##_time = (TSR__OR2(0, __VA_ARGS__));                                           \
    const char *id##_name = (TSR__OR3(0, __VA_ARGS__));                                            \
    const tsr_operand id##_x = TSR__BOX((TSR__OR4(0, __VA_ARGS__)));                               \
    const tsr_status id##_got = op##_at(&id, id##_series, id##_time, id##_name, id##_x);           \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_xdmf_write(...)                                                                        \
  TSR__DO(TSR__AS_xdmf_write, tsr_xdmf_write, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_xdmf_close(id, op, text, ...)                                                      \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_xdmf **id##_series = (TSR__OR1(0, __VA_ARGS__));                                           \
    op##_at(&id, id##_series);                                                                     \
  })
#define tsr_xdmf_close(...)                                                                        \
  TSR__DO(TSR__AS_xdmf_close, tsr_xdmf_close, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
