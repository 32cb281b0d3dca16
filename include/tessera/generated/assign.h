/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/assign.h, which is the manual and includes this file. */
#include "tessera/assign.h"

#ifndef TESSERA_GENERATED_ASSIGN_H
#define TESSERA_GENERATED_ASSIGN_H

#include "tessera/lifetime.h"

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_status tsr_assign_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_iadd_at(const tsr_location *where, tsr_array x, tsr_operand y);
TSR_API tsr_status tsr_isub_at(const tsr_location *where, tsr_array x, tsr_operand y);
TSR_API tsr_status tsr_imul_at(const tsr_location *where, tsr_array x, tsr_operand y);
TSR_API tsr_status tsr_idiv_at(const tsr_location *where, tsr_array x, tsr_operand y);
TSR_API tsr_status tsr_ifloordiv_at(const tsr_location *where, tsr_array x, tsr_operand y);
TSR_API tsr_status tsr_imod_at(const tsr_location *where, tsr_array x, tsr_operand y);
TSR_API tsr_status tsr_ipow_at(const tsr_location *where, tsr_array x, tsr_operand y);
TSR_API tsr_status tsr_iand_at(const tsr_location *where, tsr_array x, tsr_operand y);
TSR_API tsr_status tsr_ior_at(const tsr_location *where, tsr_array x, tsr_operand y);
TSR_API tsr_status tsr_ixor_at(const tsr_location *where, tsr_array x, tsr_operand y);
TSR_API tsr_status tsr_ilshift_at(const tsr_location *where, tsr_array x, tsr_operand y);
TSR_API tsr_status tsr_irshift_at(const tsr_location *where, tsr_array x, tsr_operand y);
TSR_API double tsr_item_f64_at(const tsr_location *where, tsr_operand x);
TSR_API int64_t tsr_item_i64_at(const tsr_location *where, tsr_operand x);
TSR_API bool tsr_item_bool_at(const tsr_location *where, tsr_operand x);
TSR_API tsr_parts tsr_item_c128_at(const tsr_location *where, tsr_operand x);
TSR_API tsr_read tsr_read_begin_at(const tsr_location *where, tsr_operand x);
TSR_API double tsr_read_end_at(const tsr_location *where, tsr_read *read);
TSR_API tsr_status tsr_local_at(const tsr_location *where, tsr_array x, const int64_t *halo,
                                bool writable, tsr_local_tile *tile);
TSR_API tsr_status tsr_local_device_at(const tsr_location *where, tsr_array x, const int64_t *halo,
                                       bool writable, tsr_local_tile *tile);

#ifdef __cplusplus
}

namespace tessera {
inline tsr_status assign(tsr_array target, ::tessera::operand value)
{
  return ::tessera::checked(tsr_assign_at(value.at.record("tsr_assign"), target, value.value));
}
} /* namespace tessera */
#define tsr_assign(...) (::tessera::statement(true), ::tessera::assign(__VA_ARGS__))

namespace tessera {
inline tsr_status iadd(tsr_array x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_iadd_at(y.at.record("tsr_iadd"), x, y.value));
}
} /* namespace tessera */
#define tsr_iadd(...) (::tessera::statement(true), ::tessera::iadd(__VA_ARGS__))

namespace tessera {
inline tsr_status isub(tsr_array x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_isub_at(y.at.record("tsr_isub"), x, y.value));
}
} /* namespace tessera */
#define tsr_isub(...) (::tessera::statement(true), ::tessera::isub(__VA_ARGS__))

namespace tessera {
inline tsr_status imul(tsr_array x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_imul_at(y.at.record("tsr_imul"), x, y.value));
}
} /* namespace tessera */
#define tsr_imul(...) (::tessera::statement(true), ::tessera::imul(__VA_ARGS__))

namespace tessera {
inline tsr_status idiv(tsr_array x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_idiv_at(y.at.record("tsr_idiv"), x, y.value));
}
} /* namespace tessera */
#define tsr_idiv(...) (::tessera::statement(true), ::tessera::idiv(__VA_ARGS__))

namespace tessera {
inline tsr_status ifloordiv(tsr_array x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_ifloordiv_at(y.at.record("tsr_ifloordiv"), x, y.value));
}
} /* namespace tessera */
#define tsr_ifloordiv(...) (::tessera::statement(true), ::tessera::ifloordiv(__VA_ARGS__))

namespace tessera {
inline tsr_status imod(tsr_array x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_imod_at(y.at.record("tsr_imod"), x, y.value));
}
} /* namespace tessera */
#define tsr_imod(...) (::tessera::statement(true), ::tessera::imod(__VA_ARGS__))

namespace tessera {
inline tsr_status ipow(tsr_array x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_ipow_at(y.at.record("tsr_ipow"), x, y.value));
}
} /* namespace tessera */
#define tsr_ipow(...) (::tessera::statement(true), ::tessera::ipow(__VA_ARGS__))

namespace tessera {
inline tsr_status iand(tsr_array x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_iand_at(y.at.record("tsr_iand"), x, y.value));
}
} /* namespace tessera */
#define tsr_iand(...) (::tessera::statement(true), ::tessera::iand(__VA_ARGS__))

namespace tessera {
inline tsr_status ior(tsr_array x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_ior_at(y.at.record("tsr_ior"), x, y.value));
}
} /* namespace tessera */
#define tsr_ior(...) (::tessera::statement(true), ::tessera::ior(__VA_ARGS__))

namespace tessera {
inline tsr_status ixor(tsr_array x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_ixor_at(y.at.record("tsr_ixor"), x, y.value));
}
} /* namespace tessera */
#define tsr_ixor(...) (::tessera::statement(true), ::tessera::ixor(__VA_ARGS__))

namespace tessera {
inline tsr_status ilshift(tsr_array x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_ilshift_at(y.at.record("tsr_ilshift"), x, y.value));
}
} /* namespace tessera */
#define tsr_ilshift(...) (::tessera::statement(true), ::tessera::ilshift(__VA_ARGS__))

namespace tessera {
inline tsr_status irshift(tsr_array x, ::tessera::operand y)
{
  return ::tessera::checked(tsr_irshift_at(y.at.record("tsr_irshift"), x, y.value));
}
} /* namespace tessera */
#define tsr_irshift(...) (::tessera::statement(true), ::tessera::irshift(__VA_ARGS__))

namespace tessera {
inline double item_f64(::tessera::operand x)
{
  return ::tessera::checked(tsr_item_f64_at(x.at.record("tsr_item_f64"), x.value));
}
} /* namespace tessera */
#define tsr_item_f64(...) (::tessera::statement(false), ::tessera::item_f64(__VA_ARGS__))

namespace tessera {
inline int64_t item_i64(::tessera::operand x)
{
  return ::tessera::checked(tsr_item_i64_at(x.at.record("tsr_item_i64"), x.value));
}
} /* namespace tessera */
#define tsr_item_i64(...) (::tessera::statement(false), ::tessera::item_i64(__VA_ARGS__))

namespace tessera {
inline bool item_bool(::tessera::operand x)
{
  return ::tessera::checked(tsr_item_bool_at(x.at.record("tsr_item_bool"), x.value));
}
} /* namespace tessera */
#define tsr_item_bool(...) (::tessera::statement(false), ::tessera::item_bool(__VA_ARGS__))

namespace tessera {
inline tsr_read read_begin(::tessera::operand x)
{
  return ::tessera::checked(tsr_read_begin_at(x.at.record("tsr_read_begin"), x.value));
}
} /* namespace tessera */
#define tsr_read_begin(...) (::tessera::statement(false), ::tessera::read_begin(__VA_ARGS__))

inline double tsr_read_end(tsr_read *read, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_read_end_at(at.record("tsr_read_end"), read));
}

inline tsr_status tsr_local(tsr_array x, const int64_t *halo, bool writable, tsr_local_tile *tile,
                            ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_local_at(at.record("tsr_local"), x, halo, writable, tile));
}

inline tsr_status tsr_local_device(tsr_array x, const int64_t *halo, bool writable,
                                   tsr_local_tile *tile, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(
      tsr_local_device_at(at.record("tsr_local_device"), x, halo, writable, tile));
}

#else

#define TSR__AS_assign(id, op, text, ...)                                                          \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_array id##_target = (TSR__OR1(tsr_null(), __VA_ARGS__));                             \
    const tsr_operand id##_value = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                           \
    tsr_statement_end(op##_at(&id, id##_target, id##_value));                                      \
  })
#define tsr_assign(...) TSR__DO(TSR__AS_assign, tsr_assign, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_iadd(id, op, text, ...)                                                            \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 2, 2 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const tsr_operand id##_y = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                               \
    tsr_statement_end(op##_at(&id, id##_x, id##_y));                                               \
  })
#define tsr_iadd(...) TSR__DO(TSR__AS_iadd, tsr_iadd, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_isub(...) TSR__DO(TSR__AS_iadd, tsr_isub, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_imul(...) TSR__DO(TSR__AS_iadd, tsr_imul, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_idiv(...) TSR__DO(TSR__AS_iadd, tsr_idiv, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_ifloordiv(...)                                                                         \
  TSR__DO(TSR__AS_iadd, tsr_ifloordiv, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_imod(...) TSR__DO(TSR__AS_iadd, tsr_imod, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_ipow(...) TSR__DO(TSR__AS_iadd, tsr_ipow, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_iand(...) TSR__DO(TSR__AS_iadd, tsr_iand, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_ior(...) TSR__DO(TSR__AS_iadd, tsr_ior, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_ixor(...) TSR__DO(TSR__AS_iadd, tsr_ixor, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_ilshift(...) TSR__DO(TSR__AS_iadd, tsr_ilshift, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_irshift(...) TSR__DO(TSR__AS_iadd, tsr_irshift, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_item_f64(id, op, text, ...)                                                        \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const double id##_got = op##_at(&id, id##_x);                                                  \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_item_f64(...)                                                                          \
  TSR__DO(TSR__AS_item_f64, tsr_item_f64, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_item_i64(id, op, text, ...)                                                        \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const int64_t id##_got = op##_at(&id, id##_x);                                                 \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_item_i64(...)                                                                          \
  TSR__DO(TSR__AS_item_i64, tsr_item_i64, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_item_bool(id, op, text, ...)                                                       \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const bool id##_got = op##_at(&id, id##_x);                                                    \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_item_bool(...)                                                                         \
  TSR__DO(TSR__AS_item_bool, tsr_item_bool, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_read_begin(id, op, text, ...)                                                      \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_operand id##_x = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                               \
    const tsr_read id##_got = op##_at(&id, id##_x);                                                \
    tsr_statement_drop();                                                                          \
    id##_got;                                                                                      \
  })
#define tsr_read_begin(...)                                                                        \
  TSR__DO(TSR__AS_read_begin, tsr_read_begin, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_read_end(id, op, text, ...)                                                        \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 1 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_read *id##_read = (TSR__OR1(0, __VA_ARGS__));                                              \
    op##_at(&id, id##_read);                                                                       \
  })
#define tsr_read_end(...)                                                                          \
  TSR__DO(TSR__AS_read_end, tsr_read_end, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_local(id, op, text, ...)                                                           \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 4, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_array id##_x = (TSR__OR1(tsr_null(), __VA_ARGS__));                                  \
    const int64_t *id##_halo = (TSR__OR2(0, __VA_ARGS__));                                         \
    const bool id##_writable = (TSR__OR3(0, __VA_ARGS__));                                         \
    tsr_local_tile *id##_tile = (TSR__OR4(0, __VA_ARGS__));                                        \
    op##_at(&id, id##_x, id##_halo, id##_writable, id##_tile);                                     \
  })
#define tsr_local(...) TSR__DO(TSR__AS_local, tsr_local, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define tsr_local_device(...)                                                                      \
  TSR__DO(TSR__AS_local, tsr_local_device, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
