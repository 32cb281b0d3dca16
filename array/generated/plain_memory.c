/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/memory.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_memory_use(tsr_memory_info)(int place)
{
  SITE(tsr_memory_info);
  return tsr_memory_info_at(&site, place);
}
