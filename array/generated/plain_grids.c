/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/grids.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_empty_like)(tsr_array x, tsr_dtype dtype)
{
  SITE(tsr_empty_like);
  return tsr_empty_like_at(&site, tsr_box_array(x), dtype);
}

tsr_array(tsr_zeros_like)(tsr_array x, tsr_dtype dtype)
{
  SITE(tsr_zeros_like);
  return tsr_zeros_like_at(&site, tsr_box_array(x), dtype);
}

tsr_array(tsr_ones_like)(tsr_array x, tsr_dtype dtype)
{
  SITE(tsr_ones_like);
  return tsr_ones_like_at(&site, tsr_box_array(x), dtype);
}

tsr_array(tsr_full_like)(tsr_array x, double value, tsr_dtype dtype)
{
  SITE(tsr_full_like);
  return tsr_full_like_at(&site, tsr_box_array(x), tsr_box_float(value), dtype);
}

tsr_array(tsr_linspace)(double start, double stop, int64_t num, bool endpoint, tsr_dtype dtype,
                        int axis)
{
  SITE(tsr_linspace);
  return tsr_linspace_at(&site, tsr_box_float(start), tsr_box_float(stop), num, endpoint, dtype,
                         axis);
}

tsr_array(tsr_logspace)(double start, double stop, int64_t num, bool endpoint, double base,
                        tsr_dtype dtype, int axis)
{
  SITE(tsr_logspace);
  return tsr_logspace_at(&site, tsr_box_float(start), tsr_box_float(stop), num, endpoint, base,
                         dtype, axis);
}

tsr_array(tsr_geomspace)(double start, double stop, int64_t num, bool endpoint, tsr_dtype dtype,
                         int axis)
{
  SITE(tsr_geomspace);
  return tsr_geomspace_at(&site, tsr_box_float(start), tsr_box_float(stop), num, endpoint, dtype,
                          axis);
}

tsr_array(tsr_eye)(int64_t n, int64_t m, int64_t k, tsr_dtype dtype)
{
  SITE(tsr_eye);
  return tsr_eye_at(&site, n, m, k, dtype);
}

tsr_array(tsr_identity)(int64_t n, tsr_dtype dtype)
{
  SITE(tsr_identity);
  return tsr_identity_at(&site, n, dtype);
}

tsr_array(tsr_tri)(int64_t n, int64_t m, int64_t k, tsr_dtype dtype)
{
  SITE(tsr_tri);
  return tsr_tri_at(&site, n, m, k, dtype);
}

tsr_array(tsr_tril)(tsr_array x, int64_t k)
{
  SITE(tsr_tril);
  return tsr_tril_at(&site, x, k);
}

tsr_array(tsr_triu)(tsr_array x, int64_t k)
{
  SITE(tsr_triu);
  return tsr_triu_at(&site, x, k);
}

tsr_array(tsr_diag)(tsr_array x, int64_t k)
{
  SITE(tsr_diag);
  return tsr_diag_at(&site, x, k);
}

tsr_array(tsr_indices)(tsr_dims shape, tsr_dtype dtype)
{
  SITE(tsr_indices);
  return tsr_indices_at(&site, shape, dtype);
}

tsr_status(tsr_meshgrid)(tsr_array *out, tsr_arrays arrays, const char *indexing)
{
  SITE(tsr_meshgrid);
  return tsr_meshgrid_at(&site, out, arrays, indexing);
}
