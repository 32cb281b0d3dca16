/* Functions of indices, other shapes and joins from C++17 (tessera/cpp.h). */
#ifndef TESSERA_CPP_SHAPING_H
#define TESSERA_CPP_SHAPING_H

#ifdef __cplusplus

#include "tessera/cpp.h"
#include "tessera/grids.h"
#include "tessera/shaping.h"

namespace tessera {

/** Arrays of a call, TSR_ARRAYS(x, y): lives as long as the call. */
class arrays {
public:
  template <class... T>
  explicit arrays(T... xs) : n_(static_cast<int>(sizeof...(T))), v_{xs..., tsr_array{}}
  {
    static_assert(sizeof...(T) <= 32, "TSR_ARRAYS: too many arrays");
  }
  operator tsr_arrays() const
  {
    return tsr_arrays{n_, v_};
  }

private:
  int n_;
  tsr_array v_[33];
};

/** Axes, or one of them as a number. */
struct axes_arg {
  tsr_axes value;
  axes_arg(tsr_axes axes) : value(axes)
  {
  }
  axes_arg(int axis) : value(axes_of(axis))
  {
  }
};

/** Lengths, TSR_SHAPE(2, 5) or {2, 5}, or one of them as a number. */
struct dims_arg {
  tsr_dims value;
  dims_arg(tsr_dims dims) : value(dims)
  {
  }
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
  dims_arg(T n) : value(shape_of(n))
  {
  }
  dims_arg(std::initializer_list<int64_t> lengths) : value(lengths)
  {
  }
};

} // namespace tessera

#define TSR_ARRAYS(...) (::tessera::arrays(__VA_ARGS__))

/* Functions of indices. */

[[nodiscard]] inline tsr_array tsr_empty_like(::tessera::operand x,
                                              tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return tsr_empty_like_at(x.at.record("tsr_empty_like"), x.value, dtype);
}

[[nodiscard]] inline tsr_array tsr_zeros_like(::tessera::operand x,
                                              tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return tsr_zeros_like_at(x.at.record("tsr_zeros_like"), x.value, dtype);
}

[[nodiscard]] inline tsr_array tsr_ones_like(::tessera::operand x, tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return tsr_ones_like_at(x.at.record("tsr_ones_like"), x.value, dtype);
}

[[nodiscard]] inline tsr_array tsr_full_like(::tessera::operand x, ::tessera::operand value,
                                             tsr_dtype dtype = TSR_DTYPE_LIKE)
{
  return tsr_full_like_at(x.at.record("tsr_full_like"), x.value, value.value, dtype);
}

[[nodiscard]] inline tsr_array tsr_linspace(::tessera::operand start, ::tessera::operand stop,
                                            int64_t num = 50, bool endpoint = true,
                                            tsr_dtype dtype = TSR_FLOAT64)
{
  return tsr_linspace_at(start.at.record("tsr_linspace"), start.value, stop.value, num, endpoint,
                         dtype);
}

[[nodiscard]] inline tsr_array tsr_geomspace(::tessera::operand start, ::tessera::operand stop,
                                             int64_t num = 50, bool endpoint = true,
                                             tsr_dtype dtype = TSR_FLOAT64)
{
  return tsr_geomspace_at(start.at.record("tsr_geomspace"), start.value, stop.value, num, endpoint,
                          dtype);
}

[[nodiscard]] inline tsr_array tsr_logspace(::tessera::operand start, ::tessera::operand stop,
                                            int64_t num = 50, bool endpoint = true,
                                            double base = 10, tsr_dtype dtype = TSR_FLOAT64)
{
  return tsr_logspace_at(start.at.record("tsr_logspace"), start.value, stop.value, num, endpoint,
                         base, dtype);
}

[[nodiscard]] inline tsr_array tsr_eye(int64_t n, int64_t m = TSR_SQUARE, int64_t k = 0,
                                       tsr_dtype dtype = TSR_FLOAT64,
                                       ::tessera::place at = ::tessera::place())
{
  return tsr_eye_at(at.record("tsr_eye"), n, m, k, dtype);
}

[[nodiscard]] inline tsr_array tsr_tri(int64_t n, int64_t m = TSR_SQUARE, int64_t k = 0,
                                       tsr_dtype dtype = TSR_FLOAT64,
                                       ::tessera::place at = ::tessera::place())
{
  return tsr_tri_at(at.record("tsr_tri"), n, m, k, dtype);
}

[[nodiscard]] inline tsr_array tsr_identity(int64_t n, tsr_dtype dtype = TSR_FLOAT64,
                                            ::tessera::place at = ::tessera::place())
{
  return tsr_identity_at(at.record("tsr_identity"), n, dtype);
}

[[nodiscard]] inline tsr_array tsr_tril(tsr_array x, int64_t k = 0,
                                        ::tessera::place at = ::tessera::place())
{
  return tsr_tril_at(at.record("tsr_tril"), x, k);
}

[[nodiscard]] inline tsr_array tsr_triu(tsr_array x, int64_t k = 0,
                                        ::tessera::place at = ::tessera::place())
{
  return tsr_triu_at(at.record("tsr_triu"), x, k);
}

[[nodiscard]] inline tsr_array tsr_diag(tsr_array x, int64_t k = 0,
                                        ::tessera::place at = ::tessera::place())
{
  return tsr_diag_at(at.record("tsr_diag"), x, k);
}

[[nodiscard]] inline tsr_array tsr_indices(tsr_dims shape, tsr_dtype dtype = TSR_INT64,
                                           ::tessera::place at = ::tessera::place())
{
  return tsr_indices_at(at.record("tsr_indices"), shape, dtype);
}

inline tsr_status tsr_meshgrid(tsr_array *out, const ::tessera::arrays &xs,
                               const char *indexing = "xy",
                               ::tessera::place at = ::tessera::place())
{
  return tsr_meshgrid_at(at.record("tsr_meshgrid"), out, xs, indexing);
}

/* Other shapes of the same elements. */

[[nodiscard]] inline tsr_array tsr_squeeze(tsr_array x,
                                           ::tessera::axes_arg axes = ::tessera::all_axes(),
                                           ::tessera::place at = ::tessera::place())
{
  return tsr_squeeze_at(at.record("tsr_squeeze"), x, axes.value);
}

[[nodiscard]] inline tsr_array tsr_moveaxis(tsr_array x, ::tessera::axes_arg source,
                                            ::tessera::axes_arg destination,
                                            ::tessera::place at = ::tessera::place())
{
  return tsr_moveaxis_at(at.record("tsr_moveaxis"), x, source.value, destination.value);
}

[[nodiscard]] inline tsr_array tsr_swapaxes(tsr_array x, int axis1, int axis2,
                                            ::tessera::place at = ::tessera::place())
{
  return tsr_swapaxes_at(at.record("tsr_swapaxes"), x, axis1, axis2);
}

[[nodiscard]] inline tsr_array tsr_flipud(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return tsr_flipud_at(at.record("tsr_flipud"), x);
}

[[nodiscard]] inline tsr_array tsr_fliplr(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return tsr_fliplr_at(at.record("tsr_fliplr"), x);
}

[[nodiscard]] inline tsr_array tsr_rot90(tsr_array x, int k = 1,
                                         tsr_axes axes = ::tessera::all_axes(),
                                         ::tessera::place at = ::tessera::place())
{
  return tsr_rot90_at(at.record("tsr_rot90"), x, k, axes);
}

[[nodiscard]] inline tsr_array tsr_atleast_1d(::tessera::operand x)
{
  return tsr_atleast_1d_at(x.at.record("tsr_atleast_1d"), x.value);
}

[[nodiscard]] inline tsr_array tsr_atleast_2d(::tessera::operand x)
{
  return tsr_atleast_2d_at(x.at.record("tsr_atleast_2d"), x.value);
}

[[nodiscard]] inline tsr_array tsr_atleast_3d(::tessera::operand x)
{
  return tsr_atleast_3d_at(x.at.record("tsr_atleast_3d"), x.value);
}

inline tsr_status tsr_broadcast_arrays(tsr_array *out, const ::tessera::arrays &xs,
                                       ::tessera::place at = ::tessera::place())
{
  return tsr_broadcast_arrays_at(at.record("tsr_broadcast_arrays"), out, xs);
}

[[nodiscard]] inline tsr_array tsr_reshape(tsr_array x, ::tessera::dims_arg shape,
                                           ::tessera::place at = ::tessera::place())
{
  return tsr_reshape_at(at.record("tsr_reshape"), x, shape.value);
}

[[nodiscard]] inline tsr_array tsr_ravel(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return tsr_ravel_at(at.record("tsr_ravel"), x);
}

[[nodiscard]] inline tsr_array tsr_flatten(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return tsr_flatten_at(at.record("tsr_flatten"), x);
}

[[nodiscard]] inline tsr_array tsr_roll(tsr_array x, ::tessera::dims_arg shift,
                                        ::tessera::axes_arg axes = ::tessera::all_axes(),
                                        ::tessera::place at = ::tessera::place())
{
  return tsr_roll_at(at.record("tsr_roll"), x, shift.value, axes.value);
}

[[nodiscard]] inline tsr_array tsr_concatenate(const ::tessera::arrays &xs, int axis = 0,
                                               ::tessera::place at = ::tessera::place())
{
  return tsr_concatenate_at(at.record("tsr_concatenate"), xs, axis);
}

[[nodiscard]] inline tsr_array tsr_stack(const ::tessera::arrays &xs, int axis = 0,
                                         ::tessera::place at = ::tessera::place())
{
  return tsr_stack_at(at.record("tsr_stack"), xs, axis);
}

[[nodiscard]] inline tsr_array tsr_vstack(const ::tessera::arrays &xs,
                                          ::tessera::place at = ::tessera::place())
{
  return tsr_vstack_at(at.record("tsr_vstack"), xs);
}

[[nodiscard]] inline tsr_array tsr_hstack(const ::tessera::arrays &xs,
                                          ::tessera::place at = ::tessera::place())
{
  return tsr_hstack_at(at.record("tsr_hstack"), xs);
}

[[nodiscard]] inline tsr_array tsr_dstack(const ::tessera::arrays &xs,
                                          ::tessera::place at = ::tessera::place())
{
  return tsr_dstack_at(at.record("tsr_dstack"), xs);
}

inline tsr_status tsr_split(tsr_array *out, tsr_array x, int64_t sections, int axis = 0,
                            ::tessera::place at = ::tessera::place())
{
  return tsr_split_at(at.record("tsr_split"), out, x, sections, axis);
}

inline tsr_status tsr_array_split(tsr_array *out, tsr_array x, int64_t sections, int axis = 0,
                                  ::tessera::place at = ::tessera::place())
{
  return tsr_array_split_at(at.record("tsr_array_split"), out, x, sections, axis);
}

inline tsr_status tsr_split_indices(tsr_array *out, tsr_array x, int n, const int64_t *indices,
                                    int axis = 0, ::tessera::place at = ::tessera::place())
{
  return tsr_split_indices_at(at.record("tsr_split_indices"), out, x, n, indices, axis);
}

[[nodiscard]] inline tsr_array tsr_tile(tsr_array x, ::tessera::dims_arg repeats,
                                        ::tessera::place at = ::tessera::place())
{
  return tsr_tile_at(at.record("tsr_tile"), x, repeats.value);
}

[[nodiscard]] inline tsr_array tsr_repeat(tsr_array x, int64_t repeats,
                                          ::tessera::axes_arg axis = ::tessera::all_axes(),
                                          ::tessera::place at = ::tessera::place())
{
  return tsr_repeat_at(at.record("tsr_repeat"), x, repeats, axis.value);
}

[[nodiscard]] inline tsr_array tsr_repeat_counts(tsr_array x, int64_t n, const int64_t *counts,
                                                 ::tessera::axes_arg axis = ::tessera::all_axes(),
                                                 ::tessera::place at = ::tessera::place())
{
  return tsr_repeat_counts_at(at.record("tsr_repeat_counts"), x, n, counts, axis.value);
}

[[nodiscard]] inline tsr_array tsr_pad(tsr_array x, ::tessera::dims_arg before,
                                       ::tessera::dims_arg after, const char *mode = "constant",
                                       ::tessera::operand value = 0)
{
  return tsr_pad_at(value.at.record("tsr_pad"), x, before.value, after.value, mode, value.value);
}

namespace tessera {

inline bool allclose(operand x, operand y, double rtol = 1e-5, double atol = 1e-8,
                     bool equal_nan = false)
{
  return tsr_allclose_at(x.at.record("tsr_allclose"), x.value, y.value, rtol, atol, equal_nan);
}

inline bool array_equal(operand x, operand y, bool equal_nan = false)
{
  return tsr_array_equal_at(x.at.record("tsr_array_equal"), x.value, y.value, equal_nan);
}

} // namespace tessera

#define tsr_allclose(...) (::tessera::statement(false), ::tessera::allclose(__VA_ARGS__))
#define tsr_array_equal(...) (::tessera::statement(false), ::tessera::array_equal(__VA_ARGS__))

#endif
#endif
