/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/assign.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define HERE(name) static const tsr_location here = {.op = #name}

tsr_status(tsr_assign)(tsr_array target, tsr_array value)
{
  HERE(tsr_assign);
  return tsr_assign_at(&here, target, tsr_box_array(value));
}

tsr_status(tsr_iadd)(tsr_array x, tsr_array y)
{
  HERE(tsr_iadd);
  return tsr_iadd_at(&here, x, tsr_box_array(y));
}

tsr_status(tsr_isub)(tsr_array x, tsr_array y)
{
  HERE(tsr_isub);
  return tsr_isub_at(&here, x, tsr_box_array(y));
}

tsr_status(tsr_imul)(tsr_array x, tsr_array y)
{
  HERE(tsr_imul);
  return tsr_imul_at(&here, x, tsr_box_array(y));
}

tsr_status(tsr_idiv)(tsr_array x, tsr_array y)
{
  HERE(tsr_idiv);
  return tsr_idiv_at(&here, x, tsr_box_array(y));
}

tsr_status(tsr_ifloordiv)(tsr_array x, tsr_array y)
{
  HERE(tsr_ifloordiv);
  return tsr_ifloordiv_at(&here, x, tsr_box_array(y));
}

tsr_status(tsr_imod)(tsr_array x, tsr_array y)
{
  HERE(tsr_imod);
  return tsr_imod_at(&here, x, tsr_box_array(y));
}

tsr_status(tsr_ipow)(tsr_array x, tsr_array y)
{
  HERE(tsr_ipow);
  return tsr_ipow_at(&here, x, tsr_box_array(y));
}

tsr_status(tsr_iand)(tsr_array x, tsr_array y)
{
  HERE(tsr_iand);
  return tsr_iand_at(&here, x, tsr_box_array(y));
}

tsr_status(tsr_ior)(tsr_array x, tsr_array y)
{
  HERE(tsr_ior);
  return tsr_ior_at(&here, x, tsr_box_array(y));
}

tsr_status(tsr_ixor)(tsr_array x, tsr_array y)
{
  HERE(tsr_ixor);
  return tsr_ixor_at(&here, x, tsr_box_array(y));
}

tsr_status(tsr_ilshift)(tsr_array x, tsr_array y)
{
  HERE(tsr_ilshift);
  return tsr_ilshift_at(&here, x, tsr_box_array(y));
}

tsr_status(tsr_irshift)(tsr_array x, tsr_array y)
{
  HERE(tsr_irshift);
  return tsr_irshift_at(&here, x, tsr_box_array(y));
}

double(tsr_item_f64)(tsr_array x)
{
  HERE(tsr_item_f64);
  return tsr_item_f64_at(&here, tsr_box_array(x));
}

int64_t(tsr_item_i64)(tsr_array x)
{
  HERE(tsr_item_i64);
  return tsr_item_i64_at(&here, tsr_box_array(x));
}

bool(tsr_item_bool)(tsr_array x)
{
  HERE(tsr_item_bool);
  return tsr_item_bool_at(&here, tsr_box_array(x));
}

tsr_read(tsr_read_begin)(tsr_array x)
{
  HERE(tsr_read_begin);
  return tsr_read_begin_at(&here, tsr_box_array(x));
}

double(tsr_read_end)(tsr_read *read)
{
  HERE(tsr_read_end);
  return tsr_read_end_at(&here, read);
}

tsr_status(tsr_local)(tsr_array x, const int64_t *halo, bool writable, tsr_local_tile *tile)
{
  HERE(tsr_local);
  return tsr_local_at(&here, x, halo, writable, tile);
}

tsr_status(tsr_local_device)(tsr_array x, const int64_t *halo, bool writable, tsr_local_tile *tile)
{
  HERE(tsr_local_device);
  return tsr_local_device_at(&here, x, halo, writable, tile);
}
