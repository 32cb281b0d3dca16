/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/linear.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_matmul)(tsr_array x, tsr_array y)
{
  SITE(tsr_matmul);
  return tsr_matmul_at(&site, tsr_box_array(x), tsr_box_array(y));
}

tsr_status(tsr_matmul_into)(tsr_array target, tsr_array x, tsr_array y)
{
  SITE(tsr_matmul_into);
  return tsr_matmul_into_at(&site, target, tsr_box_array(x), tsr_box_array(y));
}

tsr_array(tsr_einsum)(const char *subscripts, tsr_array x, tsr_array y)
{
  SITE(tsr_einsum);
  const tsr_operand xs[] = {tsr_box_array(x), tsr_box_array(y)};
  return tsr_einsum_at(&site, subscripts, 1 + tsr_ok(y), xs);
}
