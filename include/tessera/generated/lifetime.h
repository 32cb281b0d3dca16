/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/lifetime.h, which is the manual and includes this file. */
#include "tessera/lifetime.h"

#ifndef TESSERA_GENERATED_LIFETIME_H
#define TESSERA_GENERATED_LIFETIME_H

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_keep_at(const tsr_location *where, tsr_array x);
TSR_API tsr_array tsr_hold_at(const tsr_location *where, tsr_array x);
TSR_API void tsr_release_at(const tsr_location *where, tsr_array *x);
TSR_API void tsr_replace_at(const tsr_location *where, tsr_array *x, tsr_array y);

#ifdef __cplusplus
}

inline tsr_array tsr_keep(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_keep_at(at.record("tsr_keep"), x));
}

inline tsr_array tsr_hold(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_hold_at(at.record("tsr_hold"), x));
}

inline void tsr_release(tsr_array *x, ::tessera::place at = ::tessera::place())
{
  tsr_release_at(at.record("tsr_release"), x);
}

namespace tessera {
inline void replace(tsr_array *x, tsr_array y, ::tessera::place at = ::tessera::place())
{
  tsr_replace_at(at.record("tsr_replace"), x, y);
  ::tessera::check();
}
} /* namespace tessera */
#define tsr_replace(...) (::tessera::statement(true), ::tessera::replace(__VA_ARGS__))

#else

#define TSR__AS_keep(id, op, text, ...)                                                            \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    op##_at(&id, id##_x);                                                                          \
  })
#define tsr_keep(...) TSR__DO(TSR__AS_keep, tsr_keep, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_hold(...) TSR__DO(TSR__AS_keep, tsr_hold, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_release(id, op, text, ...)                                                         \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_array *id##_x = (TSR__OR1(0, __VA_ARGS__));                                                \
    op##_at(&id, id##_x);                                                                          \
  })
#define tsr_release(...)                                                                           \
  TSR__DO(TSR__AS_release, tsr_release, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_replace(id, op, text, ...)                                                         \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    tsr_array *id##_x = (TSR__OR1(0, __VA_ARGS__));                                                \
    const tsr_array id##_y = (TSR__OR2(tsr_null(), __VA_ARGS__));                                  \
    op##_at(&id, id##_x, id##_y);                                                                  \
    (void)tsr_statement_end(TSR_OK);                                                               \
  })
#define tsr_replace(...)                                                                           \
  TSR__DO(TSR__AS_replace, tsr_replace, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
