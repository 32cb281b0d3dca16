/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/creation.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define HERE(name) static const tsr_location here = {.op = #name}

tsr_array(tsr_empty)(tsr_dims shape, tsr_dtype dtype)
{
  HERE(tsr_empty);
  return tsr_empty_at(&here, shape, dtype);
}

tsr_array(tsr_zeros)(tsr_dims shape, tsr_dtype dtype)
{
  HERE(tsr_zeros);
  return tsr_zeros_at(&here, shape, dtype);
}

tsr_array(tsr_ones)(tsr_dims shape, tsr_dtype dtype)
{
  HERE(tsr_ones);
  return tsr_ones_at(&here, shape, dtype);
}

tsr_array(tsr_full)(tsr_dims shape, double value, tsr_dtype dtype)
{
  HERE(tsr_full);
  return tsr_full_at(&here, shape, tsr_box_float(value), dtype);
}

tsr_array(tsr_copy)(tsr_array x)
{
  HERE(tsr_copy);
  return tsr_copy_at(&here, tsr_box_array(x));
}

tsr_array(tsr_astype)(tsr_array x, tsr_dtype dtype)
{
  HERE(tsr_astype);
  return tsr_astype_at(&here, tsr_box_array(x), dtype);
}

int(tsr_ndim)(tsr_array x)
{
  HERE(tsr_ndim);
  return tsr_ndim_at(&here, x);
}

tsr_dims(tsr_shape)(tsr_array x)
{
  HERE(tsr_shape);
  return tsr_shape_at(&here, x);
}

int64_t(tsr_size)(tsr_array x)
{
  HERE(tsr_size);
  return tsr_size_at(&here, x);
}

tsr_dtype(tsr_dtype_of)(tsr_array x)
{
  HERE(tsr_dtype_of);
  return tsr_dtype_of_at(&here, x);
}

tsr_dtype(tsr_result_type)(tsr_array x)
{
  HERE(tsr_result_type);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_result_type_at(&here, 1, xs);
}
