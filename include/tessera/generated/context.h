/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/context.h, which is the manual and includes this file. */
#include "tessera/context.h"

#ifndef TESSERA_GENERATED_CONTEXT_H
#define TESSERA_GENERATED_CONTEXT_H

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_status tsr_flush_at(const tsr_location *where);
TSR_API tsr_status tsr_barrier_at(const tsr_location *where);
TSR_API double tsr_time_at(const tsr_location *where);

#ifdef __cplusplus
}

inline tsr_status tsr_flush(::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_flush_at(at.record("tsr_flush")));
}

inline tsr_status tsr_barrier(::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_barrier_at(at.record("tsr_barrier")));
}

inline double tsr_time(::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_time_at(at.record("tsr_time")));
}

#else

#define TSR__AS_flush(id, op, text, ...)                                                           \
  __extension__({                                                                                  \
    TSR__SITE(id, #op, text);                                                                      \
    op##_at(&id);                                                                                  \
  })
#define tsr_flush() TSR__DO(TSR__AS_flush, tsr_flush, "")
#define tsr_barrier() TSR__DO(TSR__AS_flush, tsr_barrier, "")
#define tsr_time() TSR__DO(TSR__AS_flush, tsr_time, "")

#endif

#endif
