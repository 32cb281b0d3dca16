/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/assign.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_status(tsr_assign)(tsr_array target, tsr_array value)
{
  SITE(tsr_assign);
  return tsr_assign_at(&site, target, tsr_box_array(value));
}

tsr_status(tsr_iadd)(tsr_array x, tsr_array y)
{
  SITE(tsr_iadd);
  return tsr_iadd_at(&site, x, tsr_box_array(y));
}

tsr_status(tsr_isub)(tsr_array x, tsr_array y)
{
  SITE(tsr_isub);
  return tsr_isub_at(&site, x, tsr_box_array(y));
}

tsr_status(tsr_imul)(tsr_array x, tsr_array y)
{
  SITE(tsr_imul);
  return tsr_imul_at(&site, x, tsr_box_array(y));
}

tsr_status(tsr_idiv)(tsr_array x, tsr_array y)
{
  SITE(tsr_idiv);
  return tsr_idiv_at(&site, x, tsr_box_array(y));
}

tsr_status(tsr_ifloordiv)(tsr_array x, tsr_array y)
{
  SITE(tsr_ifloordiv);
  return tsr_ifloordiv_at(&site, x, tsr_box_array(y));
}

tsr_status(tsr_imod)(tsr_array x, tsr_array y)
{
  SITE(tsr_imod);
  return tsr_imod_at(&site, x, tsr_box_array(y));
}

tsr_status(tsr_ipow)(tsr_array x, tsr_array y)
{
  SITE(tsr_ipow);
  return tsr_ipow_at(&site, x, tsr_box_array(y));
}

tsr_status(tsr_iand)(tsr_array x, tsr_array y)
{
  SITE(tsr_iand);
  return tsr_iand_at(&site, x, tsr_box_array(y));
}

tsr_status(tsr_ior)(tsr_array x, tsr_array y)
{
  SITE(tsr_ior);
  return tsr_ior_at(&site, x, tsr_box_array(y));
}

tsr_status(tsr_ixor)(tsr_array x, tsr_array y)
{
  SITE(tsr_ixor);
  return tsr_ixor_at(&site, x, tsr_box_array(y));
}

tsr_status(tsr_ilshift)(tsr_array x, tsr_array y)
{
  SITE(tsr_ilshift);
  return tsr_ilshift_at(&site, x, tsr_box_array(y));
}

tsr_status(tsr_irshift)(tsr_array x, tsr_array y)
{
  SITE(tsr_irshift);
  return tsr_irshift_at(&site, x, tsr_box_array(y));
}

double(tsr_item_f64)(tsr_array x)
{
  SITE(tsr_item_f64);
  return tsr_item_f64_at(&site, tsr_box_array(x));
}

int64_t(tsr_item_i64)(tsr_array x)
{
  SITE(tsr_item_i64);
  return tsr_item_i64_at(&site, tsr_box_array(x));
}

bool(tsr_item_bool)(tsr_array x)
{
  SITE(tsr_item_bool);
  return tsr_item_bool_at(&site, tsr_box_array(x));
}

tsr_read(tsr_read_begin)(tsr_array x)
{
  SITE(tsr_read_begin);
  return tsr_read_begin_at(&site, tsr_box_array(x));
}

double(tsr_read_end)(tsr_read *read)
{
  SITE(tsr_read_end);
  return tsr_read_end_at(&site, read);
}

tsr_status(tsr_local)(tsr_array x, const int64_t *halo, bool writable, tsr_local_tile *tile)
{
  SITE(tsr_local);
  return tsr_local_at(&site, x, halo, writable, tile);
}

tsr_status(tsr_local_device)(tsr_array x, const int64_t *halo, bool writable, tsr_local_tile *tile)
{
  SITE(tsr_local_device);
  return tsr_local_device_at(&site, x, halo, writable, tile);
}
