/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/linear.h, which is the manual and includes this file. */
#include "tessera/linear.h"

#ifndef TESSERA_GENERATED_LINEAR_H
#define TESSERA_GENERATED_LINEAR_H

#include "tessera/lifetime.h"

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_matmul_at(const tsr_location *where, tsr_operand x, tsr_operand y);
TSR_API tsr_status tsr_matmul_into_at(const tsr_location *where, tsr_array target, tsr_operand x,
                                      tsr_operand y);
TSR_API tsr_array tsr_einsum_at(const tsr_location *where, const char *subscripts, int n,
                                const tsr_operand *xs);

#ifdef __cplusplus
}

[[nodiscard]] inline tsr_array tsr_matmul(::tessera::operand x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_matmul_at(x.at.record("tsr_matmul"), x.value, y.value));
}

namespace tessera {
inline tsr_status matmul_into(tsr_array target, ::tessera::operand x, ::tessera::operand y)
{
  return ::tessera::checked(
      tsr_matmul_into_at(x.at.record("tsr_matmul_into"), target, x.value, y.value));
}
} /* namespace tessera */
#define tsr_matmul_into(...) (::tessera::statement(true), ::tessera::matmul_into(__VA_ARGS__))

template <class... T>
[[nodiscard]] tsr_array tsr_einsum(const char *subscripts, ::tessera::operand x, const T &...more)
{
  static_assert(sizeof...(T) <= 1, "tsr_einsum: wrong number of arguments (takes 1 to 2)");
  const tsr_operand xs[] = {x.value, ::tessera::box(more)...};
  return ::tessera::checked(
      tsr_einsum_at(x.at.record("tsr_einsum"), subscripts, static_cast<int>(sizeof...(T)) + 1, xs));
}

#else

#define TSR__AS_matmul(id, op, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_operand id##_y = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    op##_at(&id, id##_x, id##_y);                                                                  \
  }))
#define tsr_matmul(...) TSR__DO(TSR__AS_matmul, tsr_matmul, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_matmul_into(id, op, text, ...)                                                     \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 3, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_array id##_target = (TSR__OR1(tsr_null(), __VA_ARGS__));                             \
    const tsr_operand id##_x = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    const tsr_operand id##_y = TSR__BOX((TSR__OR3(0, __VA_ARGS__)));                               \
    tsr_statement_end(op##_at(&id, id##_target, id##_x, id##_y));                                  \
  })
#define tsr_matmul_into(...)                                                                       \
  TSR__DO(TSR__AS_matmul_into, tsr_matmul_into, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_einsum(id, op, text, subscripts, ...)                                              \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const char *id##_subscripts = (subscripts);                                                    \
    tsr_operand id##_xs[TSR__COUNT(__VA_ARGS__) + !TSR__COUNT(__VA_ARGS__)];                       \
    TSR__BOXES(id##_xs __VA_OPT__(, ) __VA_ARGS__)                                                 \
    op##_at(&id, id##_subscripts, TSR__COUNT(__VA_ARGS__), id##_xs);                               \
  }))
#define tsr_einsum(subscripts, ...)                                                                \
  TSR__DO(TSR__AS_einsum, tsr_einsum, #subscripts ", " #__VA_ARGS__,                               \
          subscripts __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
