/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/host.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_from_host)(const void *data, tsr_dtype dtype, tsr_dims shape, tsr_host_option option)
{
  SITE(tsr_from_host);
  return tsr_from_host_at(&site, data, dtype, shape, 1, &option);
}

tsr_array(tsr_from_tiles)(int n, const tsr_host_tile *tiles, tsr_dtype dtype, tsr_dims shape,
                          tsr_host_option option)
{
  SITE(tsr_from_tiles);
  return tsr_from_tiles_at(&site, n, tiles, dtype, shape, 1, &option);
}

tsr_array(tsr_from_dlpack)(tsr_dlpack *tensor)
{
  SITE(tsr_from_dlpack);
  return tsr_from_dlpack_at(&site, tensor);
}

tsr_status(tsr_to_host)(tsr_array x, void *buffer, tsr_host_option option)
{
  SITE(tsr_to_host);
  return tsr_to_host_at(&site, tsr_box_array(x), buffer, 1, &option);
}

tsr_status(tsr_to_dlpack)(tsr_array x, tsr_dlpack **out)
{
  SITE(tsr_to_dlpack);
  return tsr_to_dlpack_at(&site, tsr_box_array(x), out);
}

tsr_facts(tsr_facts_of)(tsr_array x)
{
  SITE(tsr_facts_of);
  return tsr_facts_of_at(&site, x);
}

tsr_status(tsr_describe)(tsr_array x, char *text, size_t size)
{
  SITE(tsr_describe);
  return tsr_describe_at(&site, x, text, size);
}
