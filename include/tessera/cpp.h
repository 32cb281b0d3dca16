/* Tessera from C++17: the same names as overloads with the call site as a default argument,
 * operators, and a scope class. Calls that open a statement scope, and tsr_eval and tsr_exec (which
 * need their arguments' source text), stay macros: a scope must open before the arguments are
 * evaluated, which no function can do. */
#ifndef TESSERA_CPP_H
#define TESSERA_CPP_H

#ifdef __cplusplus

/* This file: operands, scopes, lifetimes, statements, text. By topic: cpp_elementwise.h (with
 * operators and reductions), cpp_functions.h, cpp_creation.h (with views), cpp_shaping.h,
 * cpp_random.h, cpp_statistics.h, cpp_kernels.h. */
#include <complex>
#include <type_traits>

#include "tessera/assign.h"
#include "tessera/base.h"
#include "tessera/context.h"
#include "tessera/creation.h"
#include "tessera/device.h"
#include "tessera/elementwise.h"
#include "tessera/files.h"
#include "tessera/lifetime.h"
#include "tessera/memory.h"
#include "tessera/operand.h"
#include "tessera/output.h"
#include "tessera/random.h"
#include "tessera/reductions.h"
#include "tessera/statistics.h"
#include "tessera/text.h"
#include "tessera/views.h"

namespace tessera {

/** Where a call stands; as a default argument, where the caller stands. */
struct place {
  const char *file;
  const char *function;
  int line;
  place(const char *file_ = __builtin_FILE(), const char *function_ = __builtin_FUNCTION(),
        int line_ = __builtin_LINE())
      : file(file_), function(function_), line(line_)
  {
  }
  const tsr_location *record(const char *op) const
  {
    return tsr_site(file, line, function, op);
  }
};

inline tsr_operand box(tsr_array x)
{
  return tsr_box_array(x);
}

inline tsr_operand box(tsr_operand x)
{
  return x;
}

/* C++ knows `true` from 1. */
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> tsr_operand box(T x)
{
  if constexpr (std::is_same_v<T, bool>)
    return tsr_box_bool(x);
  else if constexpr (std::is_floating_point_v<T>)
    return tsr_box_float(static_cast<double>(x));
  else if constexpr (std::is_unsigned_v<T>)
    return tsr_box_uint(x);
  else
    return tsr_box_int(x);
}

template <class T> tsr_operand box(std::complex<T> x)
{
  return tsr_box_complex(static_cast<double>(x.real()), static_cast<double>(x.imag()));
}

/** An operand and where it was given: what an array or a C scalar converts to. */
struct operand {
  tsr_operand value;
  place at;
  operand(tsr_array x, place p = place()) : value(box(x)), at(p)
  {
  }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  operand(T x, place p = place()) : value(box(x)), at(p)
  {
  }
  template <class T> operand(std::complex<T> x, place p = place()) : value(box(x)), at(p)
  {
  }
};

/** A scope: arrays made while it lives are released with it. */
class scope {
public:
  explicit scope(place at = place()) : scope_(tsr_scope_open(at.record("tessera::scope")))
  {
  }
  ~scope()
  {
    tsr_scope_close(&scope_);
  }
  scope(const scope &) = delete;
  scope &operator=(const scope &) = delete;

private:
  tsr_scope scope_;
};

/** A scope whose operations run on the device of that name (tessera/device.h). */
class device_scope {
public:
  explicit device_scope(const char *device, place at = place())
      : choice_(tsr_device_scope_open(at.record("tessera::device_scope"), device))
  {
  }
  ~device_scope()
  {
    tsr_device_scope_close(&choice_);
  }
  device_scope(const device_scope &) = delete;
  device_scope &operator=(const device_scope &) = delete;

private:
  tsr_device_choice choice_;
};

/* A statement scope, for the macros below: lives to the end of the full expression. */
class statement {
public:
  explicit statement(bool writes) : writes_(writes)
  {
    tsr_statement_begin();
  }
  ~statement()
  {
    if (writes_)
      (void)tsr_statement_end(TSR_OK);
    else
      tsr_statement_drop();
  }
  statement(const statement &) = delete;
  statement &operator=(const statement &) = delete;

private:
  bool writes_;
};

inline tsr_axes all_axes()
{
  tsr_axes a = {};
  a.n = -1;
  return a;
}

template <class... T> tsr_dims shape_of(T... lengths)
{
  static_assert(sizeof...(T) <= TSR_MAX_NDIM, "TSR_SHAPE: too many axes");
  return tsr_dims{static_cast<int64_t>(lengths)...};
}

template <class... T> tsr_axes axes_of(T... axes)
{
  static_assert(sizeof...(T) <= TSR_MAX_NDIM, "TSR_AXES: too many axes");
  return tsr_axes{static_cast<int>(sizeof...(T)), {static_cast<int>(axes)...}, false, false, 0, 0};
}

inline tsr_axes keepdims()
{
  tsr_axes a = all_axes();
  a.keepdims = true;
  return a;
}

} /* namespace tessera */

#define TSR_SHAPE(...) (::tessera::shape_of(__VA_ARGS__))
#define TSR_AXES(...) (::tessera::axes_of(__VA_ARGS__))
#define TSR_KEEPDIMS (::tessera::keepdims())
#define TSR_SCOPE() ::tessera::scope TSR__PASTE(tsr_scope_, __COUNTER__)
#define tsr_device_scope(device)                                                                   \
  ::tessera::device_scope TSR__PASTE(tsr_device_, __COUNTER__)(device)

/* Waiting. */

inline tsr_status tsr_flush(::tessera::place at = ::tessera::place())
{
  return tsr_flush_at(at.record("tsr_flush"));
}

inline tsr_status tsr_barrier(::tessera::place at = ::tessera::place())
{
  return tsr_barrier_at(at.record("tsr_barrier"));
}

inline double tsr_time(::tessera::place at = ::tessera::place())
{
  return tsr_time_at(at.record("tsr_time"));
}

inline tsr_memory_use tsr_memory_info(int number, ::tessera::place at = ::tessera::place())
{
  return tsr_memory_info_at(at.record("tsr_memory_info"), number);
}

/* Lifetimes. */

inline tsr_array tsr_keep(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return tsr_keep_at(at.record("tsr_keep"), x);
}

inline tsr_array tsr_hold(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return tsr_hold_at(at.record("tsr_hold"), x);
}

inline void tsr_release(tsr_array *x, ::tessera::place at = ::tessera::place())
{
  tsr_release_at(at.record("tsr_release"), x);
}

inline double tsr_read_end(tsr_read *read, ::tessera::place at = ::tessera::place())
{
  return tsr_read_end_at(at.record("tsr_read_end"), read);
}

inline tsr_status tsr_local(tsr_array x, const int64_t *halo, bool writable, tsr_local_tile *tile,
                            ::tessera::place at = ::tessera::place())
{
  return tsr_local_at(at.record("tsr_local"), x, halo, writable, tile);
}

/* Statements: the scope opens first, then the arguments are evaluated. */

namespace tessera {
inline tsr_status assign(tsr_array target, operand value, place at = place())
{
  return tsr_assign_at(at.record("tsr_assign"), target, value.value);
}

inline tsr_status iadd(tsr_array target, operand value, place at = place())
{
  return tsr_iadd_at(at.record("tsr_iadd"), target, value.value);
}

inline tsr_status isub(tsr_array target, operand value, place at = place())
{
  return tsr_isub_at(at.record("tsr_isub"), target, value.value);
}

inline tsr_status imul(tsr_array target, operand value, place at = place())
{
  return tsr_imul_at(at.record("tsr_imul"), target, value.value);
}

inline tsr_status idiv(tsr_array target, operand value, place at = place())
{
  return tsr_idiv_at(at.record("tsr_idiv"), target, value.value);
}

inline tsr_status ifloordiv(tsr_array target, operand value, place at = place())
{
  return tsr_ifloordiv_at(at.record("tsr_ifloordiv"), target, value.value);
}

inline tsr_status imod(tsr_array target, operand value, place at = place())
{
  return tsr_imod_at(at.record("tsr_imod"), target, value.value);
}

inline tsr_status ipow(tsr_array target, operand value, place at = place())
{
  return tsr_ipow_at(at.record("tsr_ipow"), target, value.value);
}

inline tsr_status iand(tsr_array target, operand value, place at = place())
{
  return tsr_iand_at(at.record("tsr_iand"), target, value.value);
}

inline tsr_status ior(tsr_array target, operand value, place at = place())
{
  return tsr_ior_at(at.record("tsr_ior"), target, value.value);
}

inline tsr_status ixor(tsr_array target, operand value, place at = place())
{
  return tsr_ixor_at(at.record("tsr_ixor"), target, value.value);
}

inline tsr_status ilshift(tsr_array target, operand value, place at = place())
{
  return tsr_ilshift_at(at.record("tsr_ilshift"), target, value.value);
}

inline tsr_status irshift(tsr_array target, operand value, place at = place())
{
  return tsr_irshift_at(at.record("tsr_irshift"), target, value.value);
}

inline void replace(tsr_array *x, tsr_array y, place at = place())
{
  tsr_replace_at(at.record("tsr_replace"), x, y);
}

inline double item_f64(operand x, place at = place())
{
  return tsr_item_f64_at(at.record("tsr_item_f64"), x.value);
}

inline int64_t item_i64(operand x, place at = place())
{
  return tsr_item_i64_at(at.record("tsr_item_i64"), x.value);
}

inline bool item_bool(operand x, place at = place())
{
  return tsr_item_bool_at(at.record("tsr_item_bool"), x.value);
}

inline std::complex<double> item_c128(operand x, place at = place())
{
  const tsr_parts value = tsr_item_c128_at(at.record("tsr_item_c128"), x.value);
  return {value.re, value.im};
}

inline tsr_read read_begin(operand x, place at = place())
{
  return tsr_read_begin_at(at.record("tsr_read_begin"), x.value);
}

inline tsr_status to_host(operand x, void *buffer, place at = place())
{
  return tsr_to_host_at(at.record("tsr_to_host"), x.value, buffer);
}

inline tsr_status print(operand x, place at = place())
{
  return tsr_print_at(at.record("tsr_print"), x.value);
}

inline tsr_status save_png(operand x, const char *path, double vmin = __builtin_nan(""),
                           double vmax = __builtin_nan(""), tsr_colours colours = TSR_VIRIDIS,
                           place at = place())
{
  return tsr_save_png_at(at.record("tsr_save_png"), x.value, path, vmin, vmax, colours);
}

inline tsr_status save_npy(operand x, const char *path, place at = place())
{
  return tsr_save_npy_at(at.record("tsr_save_npy"), x.value, path);
}

inline tsr_status xdmf_write(tsr_xdmf *series, double time, const char *name, operand x,
                             place at = place())
{
  return tsr_xdmf_write_at(at.record("tsr_xdmf_write"), series, time, name, x.value);
}

/* The names of the arguments make one static record per call site. */
template <class... T> tsr_array eval(const tsr_location *where, const char *text, T... xs)
{
  static_assert(sizeof...(T) <= TSR_MAX_OPERANDS,
                "tsr_eval: wrong number of arguments (takes 0 to 16)");
  const tsr_operand values[] = {box(xs)..., tsr_box_int(0)};
  return tsr_eval_at(where, text, static_cast<int>(sizeof...(T)), values);
}

template <class... T> tsr_status exec(const tsr_location *where, const char *text, T... xs)
{
  static_assert(sizeof...(T) <= TSR_MAX_OPERANDS,
                "tsr_exec: wrong number of arguments (takes 0 to 16)");
  const tsr_operand values[] = {box(xs)..., tsr_box_int(0)};
  return tsr_exec_at(where, text, static_cast<int>(sizeof...(T)), values);
}
} /* namespace tessera */

#define tsr_assign(...) (::tessera::statement(true), ::tessera::assign(__VA_ARGS__))
#define tsr_iadd(...) (::tessera::statement(true), ::tessera::iadd(__VA_ARGS__))
#define tsr_isub(...) (::tessera::statement(true), ::tessera::isub(__VA_ARGS__))
#define tsr_imul(...) (::tessera::statement(true), ::tessera::imul(__VA_ARGS__))
#define tsr_idiv(...) (::tessera::statement(true), ::tessera::idiv(__VA_ARGS__))
#define tsr_ifloordiv(...) (::tessera::statement(true), ::tessera::ifloordiv(__VA_ARGS__))
#define tsr_imod(...) (::tessera::statement(true), ::tessera::imod(__VA_ARGS__))
#define tsr_ipow(...) (::tessera::statement(true), ::tessera::ipow(__VA_ARGS__))
#define tsr_iand(...) (::tessera::statement(true), ::tessera::iand(__VA_ARGS__))
#define tsr_ior(...) (::tessera::statement(true), ::tessera::ior(__VA_ARGS__))
#define tsr_ixor(...) (::tessera::statement(true), ::tessera::ixor(__VA_ARGS__))
#define tsr_ilshift(...) (::tessera::statement(true), ::tessera::ilshift(__VA_ARGS__))
#define tsr_irshift(...) (::tessera::statement(true), ::tessera::irshift(__VA_ARGS__))
#define tsr_replace(...) (::tessera::statement(true), ::tessera::replace(__VA_ARGS__))
#define tsr_item_f64(...) (::tessera::statement(false), ::tessera::item_f64(__VA_ARGS__))
#define tsr_item_i64(...) (::tessera::statement(false), ::tessera::item_i64(__VA_ARGS__))
#define tsr_item_bool(...) (::tessera::statement(false), ::tessera::item_bool(__VA_ARGS__))
#define tsr_item_c128(...) (::tessera::statement(false), ::tessera::item_c128(__VA_ARGS__))
#define tsr_read_begin(...) (::tessera::statement(false), ::tessera::read_begin(__VA_ARGS__))
#define tsr_print(...) (::tessera::statement(false), ::tessera::print(__VA_ARGS__))
#define tsr_save_png(...) (::tessera::statement(false), ::tessera::save_png(__VA_ARGS__))
#define tsr_save_npy(...) (::tessera::statement(false), ::tessera::save_npy(__VA_ARGS__))
#define tsr_xdmf_write(...) (::tessera::statement(false), ::tessera::xdmf_write(__VA_ARGS__))
#define tsr_to_host(...) (::tessera::statement(false), ::tessera::to_host(__VA_ARGS__))

/* A static record made by a lambda, so that the names of the arguments cost nothing per call. */
#define TSR__CPP_HERE(op, names)                                                                   \
  ([](const char *function) -> const tsr_location * {                                              \
    static const tsr_location here = {__FILE__, function, __LINE__, op, names};                    \
    return &here;                                                                                  \
  }(__func__))
#define tsr_eval(text, ...)                                                                        \
  (::tessera::eval(TSR__CPP_HERE("tsr_eval", #__VA_ARGS__), text __VA_OPT__(, ) __VA_ARGS__))
#define tsr_exec(text, ...)                                                                        \
  (::tessera::statement(true),                                                                     \
   ::tessera::exec(TSR__CPP_HERE("tsr_exec", #__VA_ARGS__), text __VA_OPT__(, ) __VA_ARGS__))

#include "tessera/cpp_elementwise.h"
#include "tessera/cpp_creation.h"
#include "tessera/cpp_shaping.h"
#include "tessera/cpp_random.h"
#include "tessera/cpp_statistics.h"
#include "tessera/cpp_functions.h"
#include "tessera/cpp_kernels.h"

#endif /* __cplusplus */
#endif
