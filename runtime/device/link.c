/* The kinds of links. */
#include "runtime/device/link.h"

#include <string.h>

const tsr_link_ops *tsr__link_kind(int i)
{
  static const tsr_link_ops *const kinds[] = {&tsr__link_ipc, &tsr__link_nccl, NULL};
  return kinds[i];
}

const tsr_link_ops *tsr__link_find(const char *name)
{
  int i = 0;
  while (tsr__link_kind(i) != NULL && strcmp(tsr__link_kind(i)->name, name) != 0) i++;
  return tsr__link_kind(i);
}
