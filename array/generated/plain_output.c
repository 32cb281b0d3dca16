/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/output.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_status(tsr_print)(tsr_array x)
{
  SITE(tsr_print);
  return tsr_print_at(&site, tsr_box_array(x));
}

tsr_status(tsr_save_png)(tsr_array x, const char *path, tsr_drawing option)
{
  SITE(tsr_save_png);
  return tsr_save_png_at(&site, tsr_box_array(x), path, 1, &option);
}

tsr_array(tsr_picture)(tsr_array x, tsr_drawing option)
{
  SITE(tsr_picture);
  return tsr_picture_at(&site, tsr_box_array(x), 1, &option);
}

tsr_array(tsr_panels)(tsr_arrays pictures, int columns)
{
  SITE(tsr_panels);
  return tsr_panels_at(&site, pictures, columns);
}

tsr_array(tsr_load_png)(const char *path)
{
  SITE(tsr_load_png);
  return tsr_load_png_at(&site, path);
}

void(tsr_progress)(int64_t done, int64_t total)
{
  SITE(tsr_progress);
  tsr_progress_at(&site, done, total);
}
