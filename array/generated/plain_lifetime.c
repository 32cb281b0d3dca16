/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/lifetime.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define HERE(name) static const tsr_location here = {.op = #name}

tsr_array(tsr_keep)(tsr_array x)
{
  HERE(tsr_keep);
  return tsr_keep_at(&here, x);
}

tsr_array(tsr_hold)(tsr_array x)
{
  HERE(tsr_hold);
  return tsr_hold_at(&here, x);
}

void(tsr_release)(tsr_array *x)
{
  HERE(tsr_release);
  tsr_release_at(&here, x);
}

void(tsr_replace)(tsr_array *x, tsr_array y)
{
  HERE(tsr_replace);
  tsr_replace_at(&here, x, y);
}
