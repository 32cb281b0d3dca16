/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/files.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_status(tsr_save_npy)(tsr_array x, const char *path)
{
  SITE(tsr_save_npy);
  return tsr_save_npy_at(&site, tsr_box_array(x), path);
}

tsr_array(tsr_load_npy)(const char *path)
{
  SITE(tsr_load_npy);
  return tsr_load_npy_at(&site, path);
}

tsr_xdmf *(tsr_xdmf_open)(const char *path)
{
  SITE(tsr_xdmf_open);
  return tsr_xdmf_open_at(&site, path);
}

tsr_status(tsr_xdmf_grid)(tsr_xdmf *series, tsr_point origin, tsr_point spacing)
{
  SITE(tsr_xdmf_grid);
  return tsr_xdmf_grid_at(&site, series, origin, spacing);
}

tsr_status(tsr_xdmf_write)(tsr_xdmf *series, double time, const char *name, tsr_array x)
{
  SITE(tsr_xdmf_write);
  return tsr_xdmf_write_at(&site, series, time, name, tsr_box_array(x));
}

tsr_status(tsr_xdmf_close)(tsr_xdmf **series)
{
  SITE(tsr_xdmf_close);
  return tsr_xdmf_close_at(&site, series);
}
