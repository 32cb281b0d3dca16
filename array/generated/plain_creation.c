/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/creation.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_empty)(tsr_dims shape, tsr_dtype dtype)
{
  SITE(tsr_empty);
  return tsr_empty_at(&site, shape, dtype);
}

tsr_array(tsr_zeros)(tsr_dims shape, tsr_dtype dtype)
{
  SITE(tsr_zeros);
  return tsr_zeros_at(&site, shape, dtype);
}

tsr_array(tsr_ones)(tsr_dims shape, tsr_dtype dtype)
{
  SITE(tsr_ones);
  return tsr_ones_at(&site, shape, dtype);
}

tsr_array(tsr_full)(tsr_dims shape, double value, tsr_dtype dtype)
{
  SITE(tsr_full);
  return tsr_full_at(&site, shape, tsr_box_float(value), dtype);
}

tsr_array(tsr_copy)(tsr_array x)
{
  SITE(tsr_copy);
  return tsr_copy_at(&site, tsr_box_array(x));
}

tsr_array(tsr_astype)(tsr_array x, tsr_dtype dtype)
{
  SITE(tsr_astype);
  return tsr_astype_at(&site, tsr_box_array(x), dtype);
}

int(tsr_ndim)(tsr_array x)
{
  SITE(tsr_ndim);
  return tsr_ndim_at(&site, x);
}

tsr_dims(tsr_shape)(tsr_array x)
{
  SITE(tsr_shape);
  return tsr_shape_at(&site, x);
}

int64_t(tsr_size)(tsr_array x)
{
  SITE(tsr_size);
  return tsr_size_at(&site, x);
}

tsr_dtype(tsr_dtype_of)(tsr_array x)
{
  SITE(tsr_dtype_of);
  return tsr_dtype_of_at(&site, x);
}

tsr_dtype(tsr_result_type)(tsr_array x)
{
  SITE(tsr_result_type);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_result_type_at(&site, 1, xs);
}
