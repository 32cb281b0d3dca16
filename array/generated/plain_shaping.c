/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/shaping.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_squeeze)(tsr_array x, tsr_axes axes)
{
  SITE(tsr_squeeze);
  return tsr_squeeze_at(&site, x, axes);
}

tsr_array(tsr_moveaxis)(tsr_array x, tsr_axes source, tsr_axes destination)
{
  SITE(tsr_moveaxis);
  return tsr_moveaxis_at(&site, x, source, destination);
}

tsr_array(tsr_swapaxes)(tsr_array x, int axis1, int axis2)
{
  SITE(tsr_swapaxes);
  return tsr_swapaxes_at(&site, x, axis1, axis2);
}

tsr_array(tsr_flipud)(tsr_array x)
{
  SITE(tsr_flipud);
  return tsr_flipud_at(&site, x);
}

tsr_array(tsr_fliplr)(tsr_array x)
{
  SITE(tsr_fliplr);
  return tsr_fliplr_at(&site, x);
}

tsr_array(tsr_rot90)(tsr_array x, int k, tsr_axes axes)
{
  SITE(tsr_rot90);
  return tsr_rot90_at(&site, x, k, axes);
}

tsr_array(tsr_atleast_1d)(tsr_array x)
{
  SITE(tsr_atleast_1d);
  return tsr_atleast_1d_at(&site, tsr_box_array(x));
}

tsr_array(tsr_atleast_2d)(tsr_array x)
{
  SITE(tsr_atleast_2d);
  return tsr_atleast_2d_at(&site, tsr_box_array(x));
}

tsr_array(tsr_atleast_3d)(tsr_array x)
{
  SITE(tsr_atleast_3d);
  return tsr_atleast_3d_at(&site, tsr_box_array(x));
}

tsr_status(tsr_broadcast_arrays)(tsr_array *out, tsr_arrays arrays)
{
  SITE(tsr_broadcast_arrays);
  return tsr_broadcast_arrays_at(&site, out, arrays);
}

tsr_array(tsr_reshape)(tsr_array x, tsr_dims shape)
{
  SITE(tsr_reshape);
  return tsr_reshape_at(&site, x, shape);
}

tsr_array(tsr_ravel)(tsr_array x)
{
  SITE(tsr_ravel);
  return tsr_ravel_at(&site, x);
}

tsr_array(tsr_flatten)(tsr_array x)
{
  SITE(tsr_flatten);
  return tsr_flatten_at(&site, x);
}

tsr_array(tsr_roll)(tsr_array x, tsr_dims shift, tsr_axes axes)
{
  SITE(tsr_roll);
  return tsr_roll_at(&site, x, shift, axes);
}

tsr_array(tsr_concatenate)(tsr_arrays arrays, int axis)
{
  SITE(tsr_concatenate);
  return tsr_concatenate_at(&site, arrays, axis);
}

tsr_array(tsr_stack)(tsr_arrays arrays, int axis)
{
  SITE(tsr_stack);
  return tsr_stack_at(&site, arrays, axis);
}

tsr_array(tsr_vstack)(tsr_arrays arrays)
{
  SITE(tsr_vstack);
  return tsr_vstack_at(&site, arrays);
}

tsr_array(tsr_hstack)(tsr_arrays arrays)
{
  SITE(tsr_hstack);
  return tsr_hstack_at(&site, arrays);
}

tsr_array(tsr_dstack)(tsr_arrays arrays)
{
  SITE(tsr_dstack);
  return tsr_dstack_at(&site, arrays);
}

tsr_array(tsr_column_stack)(tsr_arrays arrays)
{
  SITE(tsr_column_stack);
  return tsr_column_stack_at(&site, arrays);
}

tsr_status(tsr_split)(tsr_array *out, tsr_array x, int64_t sections, int axis)
{
  SITE(tsr_split);
  return tsr_split_at(&site, out, x, sections, axis);
}

tsr_status(tsr_array_split)(tsr_array *out, tsr_array x, int64_t sections, int axis)
{
  SITE(tsr_array_split);
  return tsr_array_split_at(&site, out, x, sections, axis);
}

tsr_status(tsr_split_indices)(tsr_array *out, tsr_array x, int n, const int64_t *indices, int axis)
{
  SITE(tsr_split_indices);
  return tsr_split_indices_at(&site, out, x, n, indices, axis);
}

tsr_array(tsr_tile)(tsr_array x, tsr_dims repeats)
{
  SITE(tsr_tile);
  return tsr_tile_at(&site, x, repeats);
}

tsr_array(tsr_repeat)(tsr_array x, int64_t repeats, tsr_axes axis)
{
  SITE(tsr_repeat);
  return tsr_repeat_at(&site, x, repeats, axis);
}

tsr_array(tsr_repeat_counts)(tsr_array x, int64_t n, const int64_t *counts, tsr_axes axis)
{
  SITE(tsr_repeat_counts);
  return tsr_repeat_counts_at(&site, x, n, counts, axis);
}

tsr_array(tsr_pad)(tsr_array x, tsr_dims before, tsr_dims after, const char *mode,
                   tsr_operand value, tsr_padding option)
{
  SITE(tsr_pad);
  return tsr_pad_at(&site, x, before, after, mode, value, 1, &option);
}

bool(tsr_allclose)(tsr_array x, tsr_array y, double rtol, double atol, bool equal_nan)
{
  SITE(tsr_allclose);
  return tsr_allclose_at(&site, tsr_box_array(x), tsr_box_array(y), rtol, atol, equal_nan);
}

bool(tsr_shares_memory)(tsr_array x, tsr_array y)
{
  SITE(tsr_shares_memory);
  return tsr_shares_memory_at(&site, tsr_box_array(x), tsr_box_array(y));
}

bool(tsr_may_share_memory)(tsr_array x, tsr_array y)
{
  SITE(tsr_may_share_memory);
  return tsr_may_share_memory_at(&site, tsr_box_array(x), tsr_box_array(y));
}

bool(tsr_array_equal)(tsr_array x, tsr_array y, bool equal_nan)
{
  SITE(tsr_array_equal);
  return tsr_array_equal_at(&site, tsr_box_array(x), tsr_box_array(y), equal_nan);
}
