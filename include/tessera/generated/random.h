/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/random.h, which is the manual and includes this file. */
#include "tessera/random.h"

#ifndef TESSERA_GENERATED_RANDOM_H
#define TESSERA_GENERATED_RANDOM_H

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_rng_uniform_at(const tsr_location *where, tsr_rng *rng, tsr_operand low,
                                     tsr_operand high, tsr_dims shape, tsr_dtype dtype);
TSR_API tsr_array tsr_rng_normal_at(const tsr_location *where, tsr_rng *rng, tsr_operand loc,
                                    tsr_operand scale, tsr_dims shape, tsr_dtype dtype);
TSR_API tsr_array tsr_rng_exponential_at(const tsr_location *where, tsr_rng *rng, tsr_operand scale,
                                         tsr_dims shape, tsr_dtype dtype);
TSR_API tsr_array tsr_rng_integers_at(const tsr_location *where, tsr_rng *rng, tsr_operand low,
                                      tsr_operand high, tsr_dims shape, tsr_dtype dtype);
TSR_API tsr_array tsr_rng_permutation_at(const tsr_location *where, tsr_rng *rng, tsr_operand x);
TSR_API tsr_status tsr_rng_shuffle_at(const tsr_location *where, tsr_rng *rng, tsr_array x);
TSR_API tsr_array tsr_rng_choice_at(const tsr_location *where, tsr_rng *rng, tsr_operand x,
                                    tsr_dims shape, bool replace);

#ifdef __cplusplus
}

[[nodiscard]] inline tsr_array tsr_rng_uniform(tsr_rng *rng, ::tessera::operand low,
                                               ::tessera::operand high, ::tessera::dims_arg shape,
                                               tsr_dtype dtype = TSR_FLOAT64)
{
  return ::tessera::checked(tsr_rng_uniform_at(low.at.record("tsr_rng_uniform"), rng, low.value,
                                               high.value, shape.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_rng_normal(tsr_rng *rng, ::tessera::operand loc,
                                              ::tessera::operand scale, ::tessera::dims_arg shape,
                                              tsr_dtype dtype = TSR_FLOAT64)
{
  return ::tessera::checked(tsr_rng_normal_at(loc.at.record("tsr_rng_normal"), rng, loc.value,
                                              scale.value, shape.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_rng_exponential(tsr_rng *rng, ::tessera::operand scale,
                                                   ::tessera::dims_arg shape,
                                                   tsr_dtype dtype = TSR_FLOAT64)
{
  return ::tessera::checked(tsr_rng_exponential_at(scale.at.record("tsr_rng_exponential"), rng,
                                                   scale.value, shape.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_rng_integers(tsr_rng *rng, ::tessera::operand low,
                                                ::tessera::operand high, ::tessera::dims_arg shape,
                                                tsr_dtype dtype = TSR_INT64)
{
  return ::tessera::checked(tsr_rng_integers_at(low.at.record("tsr_rng_integers"), rng, low.value,
                                                high.value, shape.value, dtype));
}

[[nodiscard]] inline tsr_array tsr_rng_permutation(tsr_rng *rng, ::tessera::operand x)
{
  return ::tessera::checked(
      tsr_rng_permutation_at(x.at.record("tsr_rng_permutation"), rng, x.value));
}

inline tsr_status tsr_rng_shuffle(tsr_rng *rng, tsr_array x,
                                  ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_rng_shuffle_at(at.record("tsr_rng_shuffle"), rng, x));
}

[[nodiscard]] inline tsr_array tsr_rng_choice(tsr_rng *rng, ::tessera::operand x,
                                              ::tessera::dims_arg shape, bool replace = true)
{
  return ::tessera::checked(
      tsr_rng_choice_at(x.at.record("tsr_rng_choice"), rng, x.value, shape.value, replace));
}

#else

#define TSR__AS_rng_uniform(id, op, text, ...)                                                     \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 4, 5 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_rng *id##_rng = (TSR__OR1(0, __VA_ARGS__));                                                \
    const tsr_operand id##_low = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                             \
    const tsr_operand id##_high = TSR__BOX((TSR__OR3(0, __VA_ARGS__)));                            \
    const tsr_dims id##_shape = TSR__DIMS_OF((TSR__OR4(0, __VA_ARGS__)));                          \
    __auto_type id##_dtype = (TSR__OR5(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_rng, id##_low, id##_high, id##_shape, id##_dtype);                           \
  }))
#define tsr_rng_uniform(...)                                                                       \
  TSR__DO(TSR__AS_rng_uniform, tsr_rng_uniform, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_rng_normal(id, op, text, ...)                                                      \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 4, 5 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_rng *id##_rng = (TSR__OR1(0, __VA_ARGS__));                                                \
    const tsr_operand id##_loc = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                             \
    const tsr_operand id##_scale = TSR__BOX((TSR__OR3(0, __VA_ARGS__)));                           \
    const tsr_dims id##_shape = TSR__DIMS_OF((TSR__OR4(0, __VA_ARGS__)));                          \
    __auto_type id##_dtype = (TSR__OR5(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_rng, id##_loc, id##_scale, id##_shape, id##_dtype);                          \
  }))
#define tsr_rng_normal(...)                                                                        \
  TSR__DO(TSR__AS_rng_normal, tsr_rng_normal, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_rng_exponential(id, op, text, ...)                                                 \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 3, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_rng *id##_rng = (TSR__OR1(0, __VA_ARGS__));                                                \
    const tsr_operand id##_scale = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                           \
    const tsr_dims id##_shape = TSR__DIMS_OF((TSR__OR3(0, __VA_ARGS__)));                          \
    __auto_type id##_dtype = (TSR__OR4(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_rng, id##_scale, id##_shape, id##_dtype);                                    \
  }))
#define tsr_rng_exponential(...)                                                                   \
  TSR__DO(TSR__AS_rng_exponential, tsr_rng_exponential, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_rng_integers(id, op, text, ...)                                                    \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 4, 5 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_rng *id##_rng = (TSR__OR1(0, __VA_ARGS__));                                                \
    const tsr_operand id##_low = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                             \
    const tsr_operand id##_high = TSR__BOX((TSR__OR3(0, __VA_ARGS__)));                            \
    const tsr_dims id##_shape = TSR__DIMS_OF((TSR__OR4(0, __VA_ARGS__)));                          \
    __auto_type id##_dtype = (TSR__OR5(TSR_INT64, __VA_ARGS__));                                   \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    op##_at(&id, id##_rng, id##_low, id##_high, id##_shape, id##_dtype);                           \
  }))
#define tsr_rng_integers(...)                                                                      \
  TSR__DO(TSR__AS_rng_integers, tsr_rng_integers, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_rng_permutation(id, op, text, ...)                                                 \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_rng *id##_rng = (TSR__OR1(0, __VA_ARGS__));                                                \
    const tsr_operand id##_x = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    op##_at(&id, id##_rng, id##_x);                                                                \
  }))
#define tsr_rng_permutation(...)                                                                   \
  TSR__DO(TSR__AS_rng_permutation, tsr_rng_permutation, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_rng_shuffle(id, op, text, ...)                                                     \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_rng *id##_rng = (TSR__OR1(0, __VA_ARGS__));                                                \
    const tsr_array id##_x = (TSR__OR2(tsr_null(), __VA_ARGS__));                                  \
    op##_at(&id, id##_rng, id##_x);                                                                \
  })
#define tsr_rng_shuffle(...)                                                                       \
  TSR__DO(TSR__AS_rng_shuffle, tsr_rng_shuffle, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_rng_choice(id, op, text, ...)                                                      \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 3, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_rng *id##_rng = (TSR__OR1(0, __VA_ARGS__));                                                \
    const tsr_operand id##_x = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    const tsr_dims id##_shape = TSR__DIMS_OF((TSR__OR3(0, __VA_ARGS__)));                          \
    const bool id##_replace = (TSR__OR4(true, __VA_ARGS__));                                       \
    op##_at(&id, id##_rng, id##_x, id##_shape, id##_replace);                                      \
  }))
#define tsr_rng_choice(...)                                                                        \
  TSR__DO(TSR__AS_rng_choice, tsr_rng_choice, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
