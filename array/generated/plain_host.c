/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/host.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define HERE(name) static const tsr_location here = {.op = #name}

tsr_array(tsr_from_host)(const void *data, tsr_dtype dtype, tsr_dims shape, tsr_host_option option)
{
  HERE(tsr_from_host);
  return tsr_from_host_at(&here, data, dtype, shape, 1, &option);
}

tsr_array(tsr_from_tiles)(int n, const tsr_host_tile *tiles, tsr_dtype dtype, tsr_dims shape,
                          tsr_host_option option)
{
  HERE(tsr_from_tiles);
  return tsr_from_tiles_at(&here, n, tiles, dtype, shape, 1, &option);
}

tsr_array(tsr_from_dlpack)(tsr_dlpack *tensor)
{
  HERE(tsr_from_dlpack);
  return tsr_from_dlpack_at(&here, tensor);
}

tsr_status(tsr_to_host)(tsr_array x, void *buffer, tsr_host_option option)
{
  HERE(tsr_to_host);
  return tsr_to_host_at(&here, tsr_box_array(x), buffer, 1, &option);
}

tsr_status(tsr_to_dlpack)(tsr_array x, tsr_dlpack **out)
{
  HERE(tsr_to_dlpack);
  return tsr_to_dlpack_at(&here, tsr_box_array(x), out);
}

tsr_facts(tsr_facts_of)(tsr_array x)
{
  HERE(tsr_facts_of);
  return tsr_facts_of_at(&here, x);
}

tsr_status(tsr_describe)(tsr_array x, char *text, size_t size)
{
  HERE(tsr_describe);
  return tsr_describe_at(&here, x, text, size);
}
