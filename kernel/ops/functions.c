/* Looking up functions' text. */
#include "kernel/ops/functions.h"

#include <string.h>

int tsr__function_find(const char *name, int n)
{
  for (int i = 0; i < tsr__n_functions; i++)
    if (!strncmp(tsr__functions[i].name, name, (size_t)n) && !tsr__functions[i].name[n]) return i;
  return -1;
}
