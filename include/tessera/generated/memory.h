/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/memory.h, which is the manual and includes this file. */
#include "tessera/memory.h"

#ifndef TESSERA_GENERATED_MEMORY_H
#define TESSERA_GENERATED_MEMORY_H

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_memory_use tsr_memory_info_at(const tsr_location *where, int place);

#ifdef __cplusplus
}

inline tsr_memory_use tsr_memory_info(int place, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_memory_info_at(at.record("tsr_memory_info"), place));
}

#else

#define TSR__AS_memory_info(id, op, text, ...)                                                     \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const int id##_place = (TSR__OR1(0, __VA_ARGS__));                                             \
    op##_at(&id, id##_place);                                                                      \
  })
#define tsr_memory_info(...)                                                                       \
  TSR__DO(TSR__AS_memory_info, tsr_memory_info, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
