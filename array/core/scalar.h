/* Converts operands that are C numbers. */
#ifndef TSR_ARRAY_SCALAR_H
#define TSR_ARRAY_SCALAR_H

#include "tessera/operand.h"

/** Returns a C number that is not complex, rounded to float64. */
static inline double tsr__double_of(tsr_operand x)
{
  switch (x.kind) {
  case TSR_OPERAND_BOOL:
    return x.as.b;
  case TSR_OPERAND_INT:
    return (double)x.as.i;
  case TSR_OPERAND_UINT:
    return (double)x.as.u;
  default:
    return x.as.f;
  }
}

#endif
