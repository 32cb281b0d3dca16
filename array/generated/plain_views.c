/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/views.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_slice_items)(tsr_array x, int n, const tsr_slice_item *items)
{
  SITE(tsr_slice_items);
  return tsr_slice_items_at(&site, x, n, items);
}

tsr_array(tsr_transpose)(tsr_array x, tsr_axes axes)
{
  SITE(tsr_transpose);
  return tsr_transpose_at(&site, x, axes);
}

tsr_array(tsr_flip)(tsr_array x, tsr_axes axes)
{
  SITE(tsr_flip);
  return tsr_flip_at(&site, x, axes);
}

tsr_array(tsr_broadcast_to)(tsr_array x, tsr_dims shape)
{
  SITE(tsr_broadcast_to);
  return tsr_broadcast_to_at(&site, x, shape);
}

tsr_array(tsr_diagonal)(tsr_array x, int64_t offset, int axis1, int axis2)
{
  SITE(tsr_diagonal);
  return tsr_diagonal_at(&site, x, offset, axis1, axis2);
}

tsr_array(tsr_expand_dims)(tsr_array x, tsr_axes axis)
{
  SITE(tsr_expand_dims);
  return tsr_expand_dims_at(&site, x, axis);
}
