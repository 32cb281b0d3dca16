/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/context.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define HERE(name) static const tsr_location here = {.op = #name}

tsr_status(tsr_flush)(void)
{
  HERE(tsr_flush);
  return tsr_flush_at(&here);
}

tsr_status(tsr_barrier)(void)
{
  HERE(tsr_barrier);
  return tsr_barrier_at(&here);
}

double(tsr_time)(void)
{
  HERE(tsr_time);
  return tsr_time_at(&here);
}
