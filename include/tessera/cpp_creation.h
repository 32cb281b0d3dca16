/* New arrays, their attributes, and slices and views from C++17 (tessera/cpp.h). */
#ifndef TESSERA_CPP_CREATION_H
#define TESSERA_CPP_CREATION_H

#ifdef __cplusplus

#include "tessera/cpp.h"
#include "tessera/creation.h"
#include "tessera/files.h"
#include "tessera/views.h"

/* Creation and attributes. */

[[nodiscard]] inline tsr_array tsr_empty(tsr_dims shape, tsr_dtype dtype = TSR_FLOAT64,
                                         ::tessera::place at = ::tessera::place())
{
  return tsr_empty_at(at.record("tsr_empty"), shape, dtype);
}

[[nodiscard]] inline tsr_array tsr_zeros(tsr_dims shape, tsr_dtype dtype = TSR_FLOAT64,
                                         ::tessera::place at = ::tessera::place())
{
  return tsr_zeros_at(at.record("tsr_zeros"), shape, dtype);
}

[[nodiscard]] inline tsr_array tsr_ones(tsr_dims shape, tsr_dtype dtype = TSR_FLOAT64,
                                        ::tessera::place at = ::tessera::place())
{
  return tsr_ones_at(at.record("tsr_ones"), shape, dtype);
}

template <class T>
[[nodiscard]] tsr_array tsr_full(tsr_dims shape, T value, tsr_dtype dtype = TSR_FLOAT64,
                                 ::tessera::place at = ::tessera::place())
{
  return tsr_full_at(at.record("tsr_full"), shape, ::tessera::box(value), dtype);
}

[[nodiscard]] inline tsr_array tsr_arange(::tessera::operand stop)
{
  return tsr_arange_at(stop.at.record("tsr_arange"), tsr_box_int(0), stop.value, tsr_box_int(1),
                       TSR_FLOAT64);
}

[[nodiscard]] inline tsr_array tsr_arange(::tessera::operand start, ::tessera::operand stop)
{
  return tsr_arange_at(start.at.record("tsr_arange"), start.value, stop.value, tsr_box_int(1),
                       TSR_FLOAT64);
}

[[nodiscard]] inline tsr_array tsr_arange(::tessera::operand start, ::tessera::operand stop,
                                          ::tessera::operand step, tsr_dtype dtype = TSR_FLOAT64)
{
  return tsr_arange_at(start.at.record("tsr_arange"), start.value, stop.value, step.value, dtype);
}

[[nodiscard]] inline tsr_array tsr_copy(::tessera::operand x)
{
  return tsr_copy_at(x.at.record("tsr_copy"), x.value);
}

[[nodiscard]] inline tsr_array tsr_astype(::tessera::operand x, tsr_dtype dtype)
{
  return tsr_astype_at(x.at.record("tsr_astype"), x.value, dtype);
}

[[nodiscard]] inline tsr_array tsr_load_npy(const char *path,
                                            ::tessera::place at = ::tessera::place())
{
  return tsr_load_npy_at(at.record("tsr_load_npy"), path);
}

[[nodiscard]] inline tsr_xdmf *tsr_xdmf_open(const char *path,
                                             ::tessera::place at = ::tessera::place())
{
  return tsr_xdmf_open_at(at.record("tsr_xdmf_open"), path);
}

inline tsr_status tsr_xdmf_close(tsr_xdmf **series, ::tessera::place at = ::tessera::place())
{
  return tsr_xdmf_close_at(at.record("tsr_xdmf_close"), series);
}

[[nodiscard]] inline tsr_array tsr_from_host(const void *data, tsr_dtype dtype, tsr_dims shape,
                                             ::tessera::place at = ::tessera::place())
{
  return tsr_from_host_at(at.record("tsr_from_host"), data, dtype, shape);
}

[[nodiscard]] inline int tsr_ndim(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return tsr_ndim_at(at.record("tsr_ndim"), x);
}

[[nodiscard]] inline tsr_dims tsr_shape(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return tsr_shape_at(at.record("tsr_shape"), x);
}

[[nodiscard]] inline int64_t tsr_size(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return tsr_size_at(at.record("tsr_size"), x);
}

[[nodiscard]] inline tsr_dtype tsr_dtype_of(tsr_array x, ::tessera::place at = ::tessera::place())
{
  return tsr_dtype_of_at(at.record("tsr_dtype_of"), x);
}

/* Views. */

/* A slice's text and where it stands. */
namespace tessera {
struct slice_text {
  const char *text;
  place at;
  slice_text(const char *text_, place p = place()) : text(text_), at(p)
  {
  }
};
} /* namespace tessera */

template <class... T>
[[nodiscard]] tsr_array tsr_slice(tsr_array x, ::tessera::slice_text text, T... ints)
{
  const int64_t values[] = {static_cast<int64_t>(ints)..., 0};
  return tsr_slice_at(text.at.record("tsr_slice"), x, text.text, static_cast<int>(sizeof...(T)),
                      values);
}

[[nodiscard]] inline tsr_array tsr_slice_items(tsr_array x, int n, const tsr_slice_item *items,
                                               ::tessera::place at = ::tessera::place())
{
  return tsr_slice_items_at(at.record("tsr_slice_items"), x, n, items);
}

[[nodiscard]] inline tsr_array tsr_transpose(tsr_array x, tsr_axes axes = ::tessera::all_axes(),
                                             ::tessera::place at = ::tessera::place())
{
  return tsr_transpose_at(at.record("tsr_transpose"), x, axes);
}

[[nodiscard]] inline tsr_array tsr_flip(tsr_array x, tsr_axes axes = ::tessera::all_axes(),
                                        ::tessera::place at = ::tessera::place())
{
  return tsr_flip_at(at.record("tsr_flip"), x, axes);
}

[[nodiscard]] inline tsr_array tsr_broadcast_to(tsr_array x, tsr_dims shape,
                                                ::tessera::place at = ::tessera::place())
{
  return tsr_broadcast_to_at(at.record("tsr_broadcast_to"), x, shape);
}

[[nodiscard]] inline tsr_array tsr_diagonal(tsr_array x, int64_t offset = 0, int axis1 = 0,
                                            int axis2 = 1, ::tessera::place at = ::tessera::place())
{
  return tsr_diagonal_at(at.record("tsr_diagonal"), x, offset, axis1, axis2);
}

[[nodiscard]] inline tsr_array tsr_expand_dims(tsr_array x, int axis,
                                               ::tessera::place at = ::tessera::place())
{
  return tsr_expand_dims_at(at.record("tsr_expand_dims"), x, axis);
}

[[nodiscard]] inline tsr_array tsr_expand_dims(tsr_array x, tsr_axes axes,
                                               ::tessera::place at = ::tessera::place())
{
  return tsr_expand_dims_axes_at(at.record("tsr_expand_dims"), x, axes);
}

#endif
#endif
