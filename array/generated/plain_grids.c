/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/grids.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define HERE(name) static const tsr_location here = {.op = #name}

tsr_array(tsr_empty_like)(tsr_array x, tsr_dtype dtype)
{
  HERE(tsr_empty_like);
  return tsr_empty_like_at(&here, tsr_box_array(x), dtype);
}

tsr_array(tsr_zeros_like)(tsr_array x, tsr_dtype dtype)
{
  HERE(tsr_zeros_like);
  return tsr_zeros_like_at(&here, tsr_box_array(x), dtype);
}

tsr_array(tsr_ones_like)(tsr_array x, tsr_dtype dtype)
{
  HERE(tsr_ones_like);
  return tsr_ones_like_at(&here, tsr_box_array(x), dtype);
}

tsr_array(tsr_full_like)(tsr_array x, double value, tsr_dtype dtype)
{
  HERE(tsr_full_like);
  return tsr_full_like_at(&here, tsr_box_array(x), tsr_box_float(value), dtype);
}

tsr_array(tsr_linspace)(double start, double stop, int64_t num, bool endpoint, tsr_dtype dtype,
                        int axis)
{
  HERE(tsr_linspace);
  return tsr_linspace_at(&here, tsr_box_float(start), tsr_box_float(stop), num, endpoint, dtype,
                         axis);
}

tsr_array(tsr_logspace)(double start, double stop, int64_t num, bool endpoint, double base,
                        tsr_dtype dtype, int axis)
{
  HERE(tsr_logspace);
  return tsr_logspace_at(&here, tsr_box_float(start), tsr_box_float(stop), num, endpoint, base,
                         dtype, axis);
}

tsr_array(tsr_geomspace)(double start, double stop, int64_t num, bool endpoint, tsr_dtype dtype,
                         int axis)
{
  HERE(tsr_geomspace);
  return tsr_geomspace_at(&here, tsr_box_float(start), tsr_box_float(stop), num, endpoint, dtype,
                          axis);
}

tsr_array(tsr_eye)(int64_t n, int64_t m, int64_t k, tsr_dtype dtype)
{
  HERE(tsr_eye);
  return tsr_eye_at(&here, n, m, k, dtype);
}

tsr_array(tsr_identity)(int64_t n, tsr_dtype dtype)
{
  HERE(tsr_identity);
  return tsr_identity_at(&here, n, dtype);
}

tsr_array(tsr_tri)(int64_t n, int64_t m, int64_t k, tsr_dtype dtype)
{
  HERE(tsr_tri);
  return tsr_tri_at(&here, n, m, k, dtype);
}

tsr_array(tsr_tril)(tsr_array x, int64_t k)
{
  HERE(tsr_tril);
  return tsr_tril_at(&here, x, k);
}

tsr_array(tsr_triu)(tsr_array x, int64_t k)
{
  HERE(tsr_triu);
  return tsr_triu_at(&here, x, k);
}

tsr_array(tsr_diag)(tsr_array x, int64_t k)
{
  HERE(tsr_diag);
  return tsr_diag_at(&here, x, k);
}

tsr_array(tsr_indices)(tsr_dims shape, tsr_dtype dtype)
{
  HERE(tsr_indices);
  return tsr_indices_at(&here, shape, dtype);
}

tsr_status(tsr_meshgrid)(tsr_array *out, tsr_arrays arrays, const char *indexing)
{
  HERE(tsr_meshgrid);
  return tsr_meshgrid_at(&here, out, arrays, indexing);
}
