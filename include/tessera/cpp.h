/* Tessera from C++17: what the overloads of C's macros take. They have the same names, with the
 * call site as a default argument; each header's are in tessera/generated. Calls that open a
 * statement scope, and tsr_eval and tsr_exec (which need their arguments' source text), stay
 * macros: a scope must open before the arguments are evaluated, which no function can do. */
#ifndef TESSERA_CPP_H
#define TESSERA_CPP_H

#ifdef __cplusplus

#include <complex>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "tessera/base.h"
#include "tessera/operand.h"

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

/** An array that owns: tessera/cpp_array.h. */
class array;

inline tsr_operand box(tsr_array x)
{
  return tsr_box_array(x);
}

inline tsr_operand box(tsr_operand x)
{
  return x;
}

inline tsr_operand box(const array &x);

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

/** An operand and where it was given: what a handle or a C scalar converts to. */
struct handle_operand {
  tsr_operand value;
  place at;
  handle_operand(tsr_array x, place p = place()) : value(box(x)), at(p)
  {
  }
  handle_operand(tsr_operand x, place p = place()) : value(x), at(p) /* TSR_NONE */
  {
  }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  handle_operand(T x, place p = place()) : value(box(x)), at(p)
  {
  }
  template <class T> handle_operand(std::complex<T> x, place p = place()) : value(box(x)), at(p)
  {
  }
};

/** The same, and what an owning array converts to. */
struct operand : handle_operand {
  operand(tsr_array x, place p = place()) : handle_operand(x, p)
  {
  }
  operand(tsr_operand x, place p = place()) : handle_operand(x, p)
  {
  }
  inline operand(const array &x, place p = place());
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  operand(T x, place p = place()) : handle_operand(x, p)
  {
  }
  template <class T> operand(std::complex<T> x, place p = place()) : handle_operand(x, p)
  {
  }
};

/** What a call throws while a tessera::exceptions lives: what() is the whole text. */
class error : public std::exception {
public:
  error(tsr_status code, const char *text) : code_(code), text_(text)
  {
  }
  /** TSR_ERR_SHAPE, … */
  tsr_status code() const noexcept
  {
    return code_;
  }
  const char *what() const noexcept override
  {
    return text_.c_str();
  }

private:
  tsr_status code_;
  std::string text_;
};

/* Throws the context's error, if there is one to throw. */
inline void check();

/* Hands the result of a call through. Of arrays the null handle alone can mean an error. */
inline tsr_array checked(tsr_array x)
{
  if (static_cast<uint32_t>(x.id) == 0) check();
  return x;
}
template <class T> T checked(T result)
{
  check();
  return result;
}

/* Integers: lengths and axes are no other numbers. */
template <class T> inline constexpr bool is_whole = std::is_integral_v<T> || std::is_enum_v<T>;
template <class T> using if_whole = std::enable_if_t<is_whole<T>>;

inline tsr_axes all_axes()
{
  tsr_axes a = {};
  a.n = -1;
  return a;
}

template <class... T> tsr_dims shape_of(T... lengths)
{
  static_assert(sizeof...(T) <= TSR_MAX_NDIM, "TSR_SHAPE: too many axes");
  static_assert((is_whole<T> && ...), "TSR_SHAPE: the lengths are integers");
  return tsr_dims{static_cast<int64_t>(lengths)...};
}

template <class... T> tsr_axes axes_of(T... axes)
{
  static_assert(sizeof...(T) <= TSR_MAX_NDIM, "TSR_AXES: too many axes");
  static_assert((is_whole<T> && ...), "TSR_AXES: the axes are integers");
  const int given[] = {static_cast<int>(axes)..., 0};
  tsr_axes a = all_axes();
  a.n = static_cast<int>(sizeof...(T));
  for (int i = 0; i < a.n; i++) a.axis[i] = given[i];
  return a;
}

inline tsr_axes keepdims()
{
  tsr_axes a = all_axes();
  a.keepdims = true;
  return a;
}

inline tsr_axes computed_in(tsr_dtype dtype)
{
  tsr_axes a = all_axes();
  a.has_dtype = true;
  a.dtype = static_cast<unsigned char>(dtype);
  return a;
}

inline tsr_axes chosen_by(operand mask)
{
  tsr_axes a = all_axes();
  a.has_where = true;
  a.where = mask.value;
  return a;
}

inline tsr_axes weighted_by(operand weights)
{
  tsr_axes a = all_axes();
  a.has_weights = true;
  a.where = weights.value;
  return a;
}

inline tsr_axes beginning_with(operand initial)
{
  tsr_axes a = all_axes();
  a.has_initial = true;
  a.initial = initial.value;
  return a;
}

/** Arrays of a call, TSR_ARRAYS(x, y), tessera::arrays{x, y} or tessera::arrays(vector): lives as
 * long as the call, and owns none of them. */
class arrays {
public:
  template <class... T,
            class = std::enable_if_t<(std::is_convertible<const T &, tsr_array>::value && ...)>>
  explicit arrays(const T &...xs) : v_{static_cast<tsr_array>(xs)...}
  {
  }
  arrays(std::initializer_list<tsr_array> xs) : v_(xs)
  {
  }
  /** Of arrays that own or of handles. */
  template <class T> arrays(const std::vector<T> &xs) : v_(xs.begin(), xs.end())
  {
  }
  arrays(const tsr_arrays &all) : v_(all.v, all.v + (all.v && all.n > 0 ? all.n : 0))
  {
  }
  operator tsr_arrays() const
  {
    return tsr_arrays{static_cast<int>(v_.size()), v_.data()};
  }

private:
  std::vector<tsr_array> v_;
};

/** Axes, or one of them as a number. */
struct axes_arg {
  tsr_axes value;
  axes_arg(tsr_axes axes) : value(axes)
  {
  }
  template <class T, class = if_whole<T>> axes_arg(T axis) : value(axes_of(axis))
  {
  }
};

/** One axis, a number or TSR_AXES of one. */
struct axis_arg {
  int value;
  axis_arg(tsr_axes axes) : value(axes.n == 1 ? axes.axis[0] : TSR_NOT_ONE_AXIS)
  {
  }
  template <class T, class = if_whole<T>> axis_arg(T axis) : value(static_cast<int>(axis))
  {
  }
};

/** Lengths, TSR_SHAPE(2, 5) or {2, 5}, or one of them as a number. */
struct dims_arg {
  tsr_dims value;
  dims_arg(tsr_dims dims) : value(dims)
  {
  }
  template <class T, class = if_whole<T>> dims_arg(T n) : value(shape_of(n))
  {
  }
  dims_arg(std::initializer_list<int64_t> lengths) : value(lengths)
  {
  }
};

} /* namespace tessera */

#define TSR_SHAPE(...) (::tessera::shape_of(__VA_ARGS__))
#define TSR_AXES(...) (::tessera::axes_of(__VA_ARGS__))
#define TSR_KEEPDIMS (::tessera::keepdims())
#define TSR_DTYPE(of) (::tessera::computed_in(of))
#define TSR_WHERE(mask) (::tessera::chosen_by(mask))
#define TSR_INITIAL(value) (::tessera::beginning_with(value))
#define TSR_ALL_AXES (::tessera::all_axes())
#define TSR_ARRAYS(...) (::tessera::arrays(__VA_ARGS__))
#define TSR_ARRAYS_OF(count, handles) (tsr_arrays{(count), (handles)})

#include "tessera/context.h"

#endif /* __cplusplus */
#endif
