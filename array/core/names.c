/* The names of functions: the table's, and other names that NumPy has for them. */
#include "array/core/names.h"

#include <stddef.h>
#include <string.h>

#include "kernel/ir/op.h"

#include "array/generated/other_names.inc"

enum { N_OTHER_NAMES = sizeof other_names / sizeof *other_names };

const char *tsr__plain_name(const char *word)
{
  for (int k = 0; k < N_OTHER_NAMES; k++)
    if (strcmp(other_names[k][0], word) == 0) return other_names[k][1];
  return word;
}

const char *tsr__other_name(int i)
{
  return i < N_OTHER_NAMES ? other_names[i][0] : NULL;
}

int tsr__op_named(const char *name)
{
  const int op = tsr__op_find(tsr__plain_name(name));
  return op < TSR_N_CALLED_OPS ? op : -1;
}
