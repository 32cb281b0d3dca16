/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/lifetime.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_keep)(tsr_array x)
{
  SITE(tsr_keep);
  return tsr_keep_at(&site, x);
}

tsr_array(tsr_hold)(tsr_array x)
{
  SITE(tsr_hold);
  return tsr_hold_at(&site, x);
}

void(tsr_release)(tsr_array *x)
{
  SITE(tsr_release);
  tsr_release_at(&site, x);
}

void(tsr_replace)(tsr_array *x, tsr_array y)
{
  SITE(tsr_replace);
  tsr_replace_at(&site, x, y);
}
