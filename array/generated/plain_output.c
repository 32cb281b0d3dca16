/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/output.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define HERE(name) static const tsr_location here = {.op = #name}

tsr_status(tsr_print)(tsr_array x)
{
  HERE(tsr_print);
  return tsr_print_at(&here, tsr_box_array(x));
}

tsr_status(tsr_save_png)(tsr_array x, const char *path, double vmin, double vmax,
                         tsr_colours colours)
{
  HERE(tsr_save_png);
  return tsr_save_png_at(&here, tsr_box_array(x), path, vmin, vmax, colours);
}
