/* The functions of tessera/grids.h and tessera/shaping.h for pointers and bindings: the arguments
 * without which NumPy does not go, and its defaults for the others. */
#include "array/core/array_int.h"

#define HERE(name) static const tsr_location here = {.op = #name}
static const tsr_axes all_axes = {.n = -1};

#define LIKE(name)                                                                                 \
  tsr_array(name)(tsr_array x, tsr_dtype dtype)                                                    \
  {                                                                                                \
    HERE(name);                                                                                    \
    return name##_at(&here, tsr_box_array(x), dtype);                                              \
  }
LIKE(tsr_empty_like)
LIKE(tsr_zeros_like)
LIKE(tsr_ones_like)

tsr_array(tsr_full_like)(tsr_array x, double value, tsr_dtype dtype)
{
  HERE(tsr_full_like);
  return tsr_full_like_at(&here, tsr_box_array(x), tsr_box_float(value), dtype);
}

tsr_array(tsr_linspace)(double start, double stop)
{
  HERE(tsr_linspace);
  return tsr_linspace_at(&here, tsr_box_float(start), tsr_box_float(stop), 50, true, TSR_FLOAT64);
}

tsr_array(tsr_logspace)(double start, double stop)
{
  HERE(tsr_logspace);
  return tsr_logspace_at(&here, tsr_box_float(start), tsr_box_float(stop), 50, true, 10,
                         TSR_FLOAT64);
}

tsr_array(tsr_geomspace)(double start, double stop)
{
  HERE(tsr_geomspace);
  return tsr_geomspace_at(&here, tsr_box_float(start), tsr_box_float(stop), 50, true, TSR_FLOAT64);
}

tsr_array(tsr_eye)(int64_t n)
{
  HERE(tsr_eye);
  return tsr_eye_at(&here, n, TSR_SQUARE, 0, TSR_FLOAT64);
}

tsr_array(tsr_identity)(int64_t n)
{
  HERE(tsr_identity);
  return tsr_identity_at(&here, n, TSR_FLOAT64);
}

tsr_array(tsr_tri)(int64_t n)
{
  HERE(tsr_tri);
  return tsr_tri_at(&here, n, TSR_SQUARE, 0, TSR_FLOAT64);
}

tsr_array(tsr_indices)(tsr_dims shape)
{
  HERE(tsr_indices);
  return tsr_indices_at(&here, shape, TSR_INT64);
}

tsr_status(tsr_meshgrid)(tsr_array *out, tsr_arrays arrays, const char *indexing)
{
  HERE(tsr_meshgrid);
  return tsr_meshgrid_at(&here, out, arrays, indexing);
}

/* One array, the rest as NumPy has it. */
#define OF_ARRAY(name, ...)                                                                        \
  tsr_array(name)(tsr_array x)                                                                     \
  {                                                                                                \
    HERE(name);                                                                                    \
    return name##_at(&here, x __VA_OPT__(, ) __VA_ARGS__);                                         \
  }
OF_ARRAY(tsr_tril, 0)
OF_ARRAY(tsr_triu, 0)
OF_ARRAY(tsr_diag, 0)
OF_ARRAY(tsr_squeeze, all_axes)
OF_ARRAY(tsr_flipud)
OF_ARRAY(tsr_fliplr)
OF_ARRAY(tsr_rot90, 1, all_axes)
OF_ARRAY(tsr_ravel)
OF_ARRAY(tsr_flatten)

#define OF_OPERAND(name)                                                                           \
  tsr_array(name)(tsr_array x)                                                                     \
  {                                                                                                \
    HERE(name);                                                                                    \
    return name##_at(&here, tsr_box_array(x));                                                     \
  }
OF_OPERAND(tsr_atleast_1d)
OF_OPERAND(tsr_atleast_2d)
OF_OPERAND(tsr_atleast_3d)

tsr_array(tsr_moveaxis)(tsr_array x, int source, int destination)
{
  HERE(tsr_moveaxis);
  return tsr_moveaxis_at(&here, x, tsr_axes_of_one(source), tsr_axes_of_one(destination));
}

tsr_array(tsr_swapaxes)(tsr_array x, int axis1, int axis2)
{
  HERE(tsr_swapaxes);
  return tsr_swapaxes_at(&here, x, axis1, axis2);
}

tsr_status(tsr_broadcast_arrays)(tsr_array *out, tsr_arrays arrays)
{
  HERE(tsr_broadcast_arrays);
  return tsr_broadcast_arrays_at(&here, out, arrays);
}

tsr_array(tsr_reshape)(tsr_array x, tsr_dims shape)
{
  HERE(tsr_reshape);
  return tsr_reshape_at(&here, x, shape);
}

tsr_array(tsr_roll)(tsr_array x, int64_t shift, int axis)
{
  HERE(tsr_roll);
  return tsr_roll_at(&here, x, tsr_dims_of_one(shift), tsr_axes_of_one(axis));
}

#define OF_ARRAYS(name, ...)                                                                       \
  tsr_array(name)(tsr_arrays arrays)                                                               \
  {                                                                                                \
    HERE(name);                                                                                    \
    return name##_at(&here, arrays __VA_OPT__(, ) __VA_ARGS__);                                    \
  }
OF_ARRAYS(tsr_concatenate, 0)
OF_ARRAYS(tsr_stack, 0)
OF_ARRAYS(tsr_vstack)
OF_ARRAYS(tsr_hstack)
OF_ARRAYS(tsr_dstack)

tsr_status(tsr_split)(tsr_array *out, tsr_array x, int64_t sections, int axis)
{
  HERE(tsr_split);
  return tsr_split_at(&here, out, x, sections, axis);
}

tsr_status(tsr_array_split)(tsr_array *out, tsr_array x, int64_t sections, int axis)
{
  HERE(tsr_array_split);
  return tsr_array_split_at(&here, out, x, sections, axis);
}

tsr_status(tsr_split_indices)(tsr_array *out, tsr_array x, int n, const int64_t *indices, int axis)
{
  HERE(tsr_split_indices);
  return tsr_split_indices_at(&here, out, x, n, indices, axis);
}

tsr_array(tsr_tile)(tsr_array x, tsr_dims repeats)
{
  HERE(tsr_tile);
  return tsr_tile_at(&here, x, repeats);
}

tsr_array(tsr_repeat)(tsr_array x, int64_t repeats)
{
  HERE(tsr_repeat);
  return tsr_repeat_at(&here, x, repeats, all_axes);
}

tsr_array(tsr_repeat_counts)(tsr_array x, int64_t n, const int64_t *counts)
{
  HERE(tsr_repeat_counts);
  return tsr_repeat_counts_at(&here, x, n, counts, all_axes);
}

tsr_array(tsr_pad)(tsr_array x, tsr_dims before, tsr_dims after, const char *mode)
{
  HERE(tsr_pad);
  return tsr_pad_at(&here, x, before, after, mode, tsr_box_int(0));
}

bool(tsr_allclose)(tsr_array x, tsr_array y)
{
  HERE(tsr_allclose);
  return tsr_allclose_at(&here, tsr_box_array(x), tsr_box_array(y), 1e-5, 1e-8, false);
}

bool(tsr_array_equal)(tsr_array x, tsr_array y)
{
  HERE(tsr_array_equal);
  return tsr_array_equal_at(&here, tsr_box_array(x), tsr_box_array(y), false);
}
