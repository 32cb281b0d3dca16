/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/host.h, which is the manual and includes this file. */
#include "tessera/host.h"

#ifndef TESSERA_GENERATED_HOST_H
#define TESSERA_GENERATED_HOST_H

#include "tessera/lifetime.h"

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_from_host_at(const tsr_location *where, const void *data, tsr_dtype dtype,
                                   tsr_dims shape, int n_options, const tsr_host_option *options);
TSR_API tsr_array tsr_from_tiles_at(const tsr_location *where, int n, const tsr_host_tile *tiles,
                                    tsr_dtype dtype, tsr_dims shape, int n_options,
                                    const tsr_host_option *options);
TSR_API tsr_array tsr_from_dlpack_at(const tsr_location *where, tsr_dlpack *tensor);
TSR_API tsr_status tsr_to_host_at(const tsr_location *where, tsr_operand x, void *buffer,
                                  int n_options, const tsr_host_option *options);
TSR_API tsr_status tsr_to_dlpack_at(const tsr_location *where, tsr_operand x, tsr_dlpack **out);
TSR_API tsr_facts tsr_facts_of_at(const tsr_location *where, tsr_array x);
TSR_API tsr_status tsr_describe_at(const tsr_location *where, tsr_array x, char *text, size_t size);

#ifdef __cplusplus
}

[[nodiscard]] inline tsr_array
tsr_from_host(const void *data, tsr_dtype dtype, ::tessera::dims_arg shape,
              tsr_host_option a = TSR_NO_HOST_OPTION, tsr_host_option b = TSR_NO_HOST_OPTION,
              tsr_host_option c = TSR_NO_HOST_OPTION, ::tessera::place at = ::tessera::place())
{
  const tsr_host_option listed[] = {a, b, c};
  return ::tessera::checked(
      tsr_from_host_at(at.record("tsr_from_host"), data, dtype, shape.value, 3, listed));
}

[[nodiscard]] inline tsr_array tsr_from_tiles(int n, const tsr_host_tile *tiles, tsr_dtype dtype,
                                              ::tessera::dims_arg shape,
                                              tsr_host_option a = TSR_NO_HOST_OPTION,
                                              ::tessera::place at = ::tessera::place())
{
  const tsr_host_option listed[] = {a};
  return ::tessera::checked(
      tsr_from_tiles_at(at.record("tsr_from_tiles"), n, tiles, dtype, shape.value, 1, listed));
}

[[nodiscard]] inline tsr_array tsr_from_dlpack(tsr_dlpack *tensor,
                                               ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_from_dlpack_at(at.record("tsr_from_dlpack"), tensor));
}

namespace tessera {
inline tsr_status to_host(::tessera::operand x, void *buffer,
                          tsr_host_option a = TSR_NO_HOST_OPTION,
                          tsr_host_option b = TSR_NO_HOST_OPTION,
                          tsr_host_option c = TSR_NO_HOST_OPTION)
{
  const tsr_host_option listed[] = {a, b, c};
  return ::tessera::checked(tsr_to_host_at(x.at.record("tsr_to_host"), x.value, buffer, 3, listed));
}
} /* namespace tessera */
#define tsr_to_host(...) (::tessera::statement(false), ::tessera::to_host(__VA_ARGS__))

namespace tessera {
inline tsr_status to_dlpack(::tessera::operand x, tsr_dlpack **out)
{
  return ::tessera::checked(tsr_to_dlpack_at(x.at.record("tsr_to_dlpack"), x.value, out));
}
} /* namespace tessera */
#define tsr_to_dlpack(...) (::tessera::statement(false), ::tessera::to_dlpack(__VA_ARGS__))

inline tsr_facts tsr_facts_of(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_facts_of_at(at.record("tsr_facts_of"), x));
}

inline tsr_status tsr_describe(tsr_array x, char *text, size_t size,
                               ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_describe_at(at.record("tsr_describe"), x, text, size));
}

#else

#define TSR__AS_from_host(id, op, text, ...)                                                       \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 3, 6 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const void *id##_data = (TSR__OR1(0, __VA_ARGS__));                                            \
    __auto_type id##_dtype = (TSR__OR2(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    const tsr_dims id##_shape = TSR__DIMS_OF((TSR__OR3(0, __VA_ARGS__)));                          \
    tsr_host_option id##_options[3];                                                               \
    id##_options[0] = (TSR__OR4(TSR_NO_HOST_OPTION, __VA_ARGS__));                                 \
    id##_options[1] = (TSR__OR5(TSR_NO_HOST_OPTION, __VA_ARGS__));                                 \
    id##_options[2] = (TSR__OR6(TSR_NO_HOST_OPTION, __VA_ARGS__));                                 \
    op##_at(&id, id##_data, id##_dtype, id##_shape, 3, id##_options);                              \
  }))
#define tsr_from_host(...)                                                                         \
  TSR__DO(TSR__AS_from_host, tsr_from_host, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_from_tiles(id, op, text, ...)                                                      \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 4, 5 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const int id##_n = (TSR__OR1(0, __VA_ARGS__));                                                 \
    const tsr_host_tile *id##_tiles = (TSR__OR2(0, __VA_ARGS__));                                  \
    __auto_type id##_dtype = (TSR__OR3(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    const tsr_dims id##_shape = TSR__DIMS_OF((TSR__OR4(0, __VA_ARGS__)));                          \
    tsr_host_option id##_options[1];                                                               \
    id##_options[0] = (TSR__OR5(TSR_NO_HOST_OPTION, __VA_ARGS__));                                 \
    op##_at(&id, id##_n, id##_tiles, id##_dtype, id##_shape, 1, id##_options);                     \
  }))
#define tsr_from_tiles(...)                                                                        \
  TSR__DO(TSR__AS_from_tiles, tsr_from_tiles, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_from_dlpack(id, op, text, ...)                                                     \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_dlpack *id##_tensor = (TSR__OR1(0, __VA_ARGS__));                                          \
    op##_at(&id, id##_tensor);                                                                     \
  }))
#define tsr_from_dlpack(...)                                                                       \
  TSR__DO(TSR__AS_from_dlpack, tsr_from_dlpack, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_to_host(id, op, text, ...)                                                         \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 5 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    void *id##_buffer = (TSR__OR2(0, __VA_ARGS__));                                                \
    tsr_host_option id##_options[3];                                                               \
    id##_options[0] = (TSR__OR3(TSR_NO_HOST_OPTION, __VA_ARGS__));                                 \
    id##_options[1] = (TSR__OR4(TSR_NO_HOST_OPTION, __VA_ARGS__));                                 \
    id##_options[2] = (TSR__OR5(TSR_NO_HOST_OPTION, __VA_ARGS__));                                 \
    const tsr_status id##_got = op##_at(&id, id##_x, id##_buffer, 3, id##_options);                \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_to_host(...)                                                                           \
  TSR__DO(TSR__AS_to_host, tsr_to_host, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_to_dlpack(id, op, text, ...)                                                       \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    tsr_dlpack **id##_out = (TSR__OR2(0, __VA_ARGS__));                                            \
    const tsr_status id##_got = op##_at(&id, id##_x, id##_out);                                    \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_to_dlpack(...)                                                                         \
  TSR__DO(TSR__AS_to_dlpack, tsr_to_dlpack, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_facts_of(id, op, text, ...)                                                        \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    op##_at(&id, id##_x);                                                                          \
  })
#define tsr_facts_of(...)                                                                          \
  TSR__DO(TSR__AS_facts_of, tsr_facts_of, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_describe(id, op, text, ...)                                                        \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 3, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    char *id##_text = (TSR__OR2(0, __VA_ARGS__));                                                  \
    const size_t id##_size = (TSR__OR3(0, __VA_ARGS__));                                           \
    op##_at(&id, id##_x, id##_text, id##_size);                                                    \
  })
#define tsr_describe(...)                                                                          \
  TSR__DO(TSR__AS_describe, tsr_describe, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
