/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/context.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_status(tsr_flush)(void)
{
  SITE(tsr_flush);
  return tsr_flush_at(&site);
}

tsr_status(tsr_barrier)(void)
{
  SITE(tsr_barrier);
  return tsr_barrier_at(&site);
}

double(tsr_time)(void)
{
  SITE(tsr_time);
  return tsr_time_at(&site);
}
