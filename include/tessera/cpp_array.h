/* Arrays that own, from C++17: tessera::array, its slices, operators and functions.
 *
 *   tessera::session session(&argc, &argv);
 *   using namespace tessera::literals;
 *   tessera::array u = tessera::zeros({n, n});
 *   u(0, _) = 40;
 *   u(tessera::slice(1, -1), _) += 0.5 * tessera::sqrt(u(tessera::slice(2, tessera::none), _));
 *
 * A tsr_array is a handle, which belongs to a scope; a tessera::array owns one, whatever scopes
 * end, and releases it when it dies. The functions without the prefix give arrays that own, and
 * so do operators with such an array. Wherever a call takes a handle it takes an array. */
#ifndef TESSERA_CPP_ARRAY_H
#define TESSERA_CPP_ARRAY_H

#include "tessera/assign.h"
#include "tessera/composed.h"
#include "tessera/creation.h"
#include "tessera/elementwise.h"
#include "tessera/files.h"
#include "tessera/functions.h"
#include "tessera/grids.h"
#include "tessera/host.h"
#include "tessera/kernels.h"
#include "tessera/linear.h"
#include "tessera/output.h"
#include "tessera/random.h"
#include "tessera/reductions.h"
#include "tessera/shaping.h"
#include "tessera/statistics.h"
#include "tessera/ufuncs.h"
#include "tessera/views.h"

#ifdef __cplusplus
namespace tessera {

class part;

/* What stands between the brackets of u(…): an integer, slice(start, stop, step), _ (a whole
 * axis), newaxis, ellipsis. */
struct none_type {};
struct every_type {};
struct newaxis_type {};
struct ellipsis_type {};
/** A bound of a slice that is not given. */
inline constexpr none_type none{};
inline constexpr newaxis_type newaxis{};
/** As many whole axes as are left. */
inline constexpr ellipsis_type ellipsis{};

inline namespace literals {
/** A whole axis. */
inline constexpr every_type _{};
/** An index: `1_i`. A plain integer is the same. */
constexpr int64_t operator""_i(unsigned long long i)
{
  return static_cast<int64_t>(i);
}
} /* namespace literals */

/** Python's slice, from start to before stop; they count from the end where they are negative. */
class slice {
public:
  template <class Start, class Stop, class Step = none_type>
  slice(Start start, Stop stop, Step step = Step())
      : item_{TSR_SLICE_RANGE, is_whole<Start>, is_whole<Stop>, is_whole<Step>,
              number(start),   number(stop),    number(step)}
  {
  }
  const tsr_slice_item &item() const
  {
    return item_;
  }

private:
  template <class T> static int64_t number(T x)
  {
    static_assert(is_whole<T> || std::is_same_v<T, none_type>,
                  "tessera::slice takes integers and tessera::none");
    if constexpr (is_whole<T>)
      return static_cast<int64_t>(x);
    else
      return 0;
  }
  tsr_slice_item item_;
};

/** One of them, and where it was given. */
struct subscript {
  tsr_slice_item item;
  place at;
  template <class T, class = if_whole<T>>
  subscript(T i, place p = place())
      : item{TSR_SLICE_INDEX, true, false, false, static_cast<int64_t>(i), 0, 0}, at(p)
  {
  }
  subscript(const slice &s, place p = place()) : item(s.item()), at(p)
  {
  }
  subscript(every_type, place p = place())
      : item{TSR_SLICE_RANGE, false, false, false, 0, 0, 0}, at(p)
  {
  }
  subscript(newaxis_type, place p = place())
      : item{TSR_SLICE_NEWAXIS, false, false, false, 0, 0, 0}, at(p)
  {
  }
  subscript(ellipsis_type, place p = place())
      : item{TSR_SLICE_ELLIPSIS, false, false, false, 0, 0, 0}, at(p)
  {
  }
};

/** An array that owns its handle. A copy is another handle of the same elements, as NumPy's `b =
 * a`: what is written through one is read through the other; tessera::copy(x) copies elements.
 * Assigning gives the variable another array; `u(_) = x` writes into the one that is there. A
 * const array is always that one; its elements may be written. An array that outlives its context
 * owns nothing any more. */
class array {
public:
  /** No array: a variable to be assigned to. */
  array() noexcept : x_{}
  {
  }
  /** Takes over the handle that a call gives. */
  array(tsr_array &&x, place at = place()) : x_(x)
  {
    if (tsr_ok(x_)) x_ = checked(tsr_hold_at(at.record("tessera::array"), x_));
    x = tsr_array{};
  }
  /** Another handle beside one that stays the program's. */
  array(const tsr_array &x, place at = place()) : x_(x)
  {
    if (!tsr_ok(x)) return;
    const tsr_location *where = at.record("tessera::array");
    x_ = checked(tsr_hold_at(where, checked(tsr_slice_items_at(where, x, 0, nullptr))));
  }
  array(const array &other, place at = place()) : array(other.x_, at)
  {
  }
  array(array &&other) noexcept : x_(other.x_)
  {
    other.x_ = tsr_array{};
  }
  ~array()
  {
    /* No record by tsr_site: a statement's temporaries die before the next statement begins. */
    static const tsr_location here = {nullptr, nullptr, 0, "tessera::array", ""};
    if (tsr_n_views(x_) > 0) tsr_release_at(&here, &x_); /* 0: its context has ended */
  }
  array &operator=(const array &other)
  {
    return *this = array(other);
  }
  array &operator=(array &&other) noexcept
  {
    const tsr_array mine = x_;
    x_ = other.x_;
    other.x_ = mine;
    return *this;
  }

  /** The handle, which stays this array's. */
  operator tsr_array() const noexcept
  {
    return x_;
  }

  /** A view: u(_, 1, slice(1, -1)); by text, u.at("1:-1, $", i). */
  template <class... T> [[nodiscard]] part operator()(subscript first, T... more) const;
  template <class... T> [[nodiscard]] part at(slice_text text, T... integers) const;

  int ndim(place at = place()) const
  {
    return tsr_ndim(x_, at);
  }
  int64_t size(place at = place()) const
  {
    return tsr_size(x_, at);
  }
  tsr_dims shape(place at = place()) const
  {
    return tsr_shape(x_, at);
  }
  tsr_dtype dtype(place at = place()) const
  {
    return tsr_dtype_of(x_, at);
  }
  /** The value of an array of one element, as double, int64_t, bool or std::complex<double>. Waits;
   * collective. */
  template <class T = double> T item(place at = place()) const
  {
    if constexpr (std::is_same_v<T, bool>)
      return checked(tsr_item_bool_at(at.record("tessera::array::item"), box(x_)));
    else if constexpr (std::is_floating_point_v<T>)
      return checked(tsr_item_f64_at(at.record("tessera::array::item"), box(x_)));
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(checked(tsr_item_i64_at(at.record("tessera::array::item"), box(x_))));
    else
      return item_c128(x_, at);
  }

private:
  tsr_array x_;
};

/* The status of a call that wrote from an operator: its statement ends when the temporaries are
 * dead. */
inline void written(tsr_status status)
{
  tsr_statement_end_later();
  (void)checked(status);
}

/** A view of an array, which `=` writes into. It owns its handle as an array does, and may be kept
 * as one. */
class part : public array {
public:
  using array::array;
  part(const part &other) = default;
  part(part &&other) = default;
  const part &operator=(operand value) const
  {
    written(tsr_assign_at(value.at.record("operator="), *this, value.value));
    return *this;
  }
  const part &operator=(const part &other) const
  {
    return *this = operand(other);
  }
};

template <class... T> part array::operator()(subscript first, T... more) const
{
  static_assert(sizeof...(T) < TSR_SLICE_MAX_ITEMS, "too many subscripts");
  const tsr_slice_item items[] = {first.item, subscript(more).item...};
  return part(checked(tsr_slice_items_at(first.at.record("tessera::array()"), x_,
                                         static_cast<int>(sizeof...(T)) + 1, items)),
              first.at);
}

template <class... T> part array::at(slice_text text, T... integers) const
{
  return part(tsr_slice(x_, text, integers...), text.at);
}

inline tsr_operand box(const array &x)
{
  return tsr_box_array(x);
}

inline operand::operand(const array &x, place p) : handle_operand(static_cast<tsr_array>(x), p)
{
}

/** What an owning array alone converts to: by it the operators tell arrays from handles. */
struct array_operand {
  tsr_operand value;
  place at;
  array_operand(const array &x, place p = place()) : value(box(x)), at(p)
  {
  }
};

template <class... T> [[nodiscard]] array arange(operand start, T... more)
{
  return array(tsr_arange(start, more...), start.at);
}

} /* namespace tessera */

#include "tessera/generated/cpp_operators.h"

#include "tessera/generated/cpp_functions.h"
#endif

#endif
