/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/views.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define HERE(name) static const tsr_location here = {.op = #name}

tsr_array(tsr_slice_items)(tsr_array x, int n, const tsr_slice_item *items)
{
  HERE(tsr_slice_items);
  return tsr_slice_items_at(&here, x, n, items);
}

tsr_array(tsr_transpose)(tsr_array x, tsr_axes axes)
{
  HERE(tsr_transpose);
  return tsr_transpose_at(&here, x, axes);
}

tsr_array(tsr_flip)(tsr_array x, tsr_axes axes)
{
  HERE(tsr_flip);
  return tsr_flip_at(&here, x, axes);
}

tsr_array(tsr_broadcast_to)(tsr_array x, tsr_dims shape)
{
  HERE(tsr_broadcast_to);
  return tsr_broadcast_to_at(&here, x, shape);
}

tsr_array(tsr_diagonal)(tsr_array x, int64_t offset, int axis1, int axis2)
{
  HERE(tsr_diagonal);
  return tsr_diagonal_at(&here, x, offset, axis1, axis2);
}

tsr_array(tsr_expand_dims)(tsr_array x, tsr_axes axis)
{
  HERE(tsr_expand_dims);
  return tsr_expand_dims_at(&here, x, axis);
}
