/* One element of the reference: integers, bools and comparisons. */
#include "cells.h"

#include <math.h>

/* Bits in the width of the dtype; a shift by its width or more leaves the sign alone. */
static uint64_t bits(tsr_opcode op, tsr_dtype d, int64_t a, int64_t b)
{
  const __int128 by = wide(b, d);
  const bool out = by < 0 || by >= 8 * (int64_t)dtype_bytes(d);
  switch (op) {
  case TSR_OP_BITWISE_AND:
    return (uint64_t)(a & b);
  case TSR_OP_BITWISE_OR:
    return (uint64_t)(a | b);
  case TSR_OP_BITWISE_XOR:
    return (uint64_t)(a ^ b);
  case TSR_OP_INVERT:
    return d == TSR_BOOL ? a == 0 : ~(uint64_t)a;
  case TSR_OP_LEFT_SHIFT:
    return out ? 0 : (uint64_t)a << b;
  case TSR_OP_RIGHT_SHIFT:
    return out ? (uint64_t) - (wide(a, d) < 0) : (uint64_t)(wide(a, d) >> b);
  default:
    return op == TSR_OP_IMAG ? 0 : (uint64_t)a;
  }
}

/* By squaring; the exponent is not negative. */
static uint64_t power(uint64_t x, uint64_t e)
{
  uint64_t result = 1;
  for (; e; e >>= 1, x *= x) result *= e & 1 ? x : 1;
  return result;
}

/* The greatest common divisor by Euclid's algorithm, or the least common multiple. */
static uint64_t divisor(bool is_multiple, __int128 a, __int128 b)
{
  const __int128 x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  for (a = x, b = y; b != 0;) {
    const __int128 rest = a % b;
    a = b;
    b = rest;
  }
  return (uint64_t)(is_multiple && a != 0 ? x / a * y : a);
}

cell cell_integer(tsr_opcode op, tsr_dtype d, const cell *x)
{
  const bool one = map_arity(op) == 1;
  const uint64_t a = (uint64_t)x[0].v.i, b = one ? 0 : (uint64_t)x[1].v.i;
  const bool less = wide((int64_t)a, d) < wide((int64_t)b, d);
  uint64_t r = a;
  if (op == TSR_OP_ADD) r = d == TSR_BOOL ? a | b : a + b;
  if (op == TSR_OP_SUBTRACT) r = a - b;
  if (op == TSR_OP_SQUARE) r = a * a;
  if (op == TSR_OP_MULTIPLY) r = d == TSR_BOOL ? a & b : a * b;
  if (op == TSR_OP_POWER) r = power(a, b);
  if (op == TSR_OP_NEGATIVE || (op == TSR_OP_ABSOLUTE && less)) r = 0 - a;
  if (op == TSR_OP_MINIMUM) r = less ? a : b;
  if (op == TSR_OP_MAXIMUM) r = less ? b : a;
  if (op >= TSR_OP_BITWISE_AND && op <= TSR_OP_IMAG) r = bits(op, d, (int64_t)a, (int64_t)b);
  if (op == TSR_OP_GCD || op == TSR_OP_LCM)
    r = divisor(op == TSR_OP_LCM, wide((int64_t)a, d), wide((int64_t)b, d));
  double err = one || !isinf(x[1].err) ? x[0].err : INFINITY;
  return (cell){.v.i = wrap(r, d), .err = err};
}

static bool relation(tsr_opcode op, int order)
{
  switch (op) {
  case TSR_OP_EQUAL:
    return order == 0;
  case TSR_OP_NOT_EQUAL:
    return order != 0;
  case TSR_OP_LESS:
    return order == -1;
  case TSR_OP_LESS_EQUAL:
    return order == -1 || order == 0;
  case TSR_OP_GREATER:
    return order == 1;
  default:
    return order == 1 || order == 0;
  }
}

cell cell_compare(tsr_opcode op, tsr_dtype d, const cell *x)
{
  enum { UNORDERED = 2 };
  int order;
  double err = x[0].err > x[1].err ? x[0].err : x[1].err;
  if (is_float(d)) {
    double a = x[0].v.f, b = x[1].v.f;
    order = isnan(a) || isnan(b) ? UNORDERED : a < b ? -1 : a > b;
    bool nan = (isnan(a) && x[0].err == 0) || (isnan(b) && x[1].err == 0);
    if (err > 0) err = nan || fabs(a - b) > x[0].err + x[1].err ? 0 : INFINITY;
  } else {
    const __int128 a = wide(x[0].v.i, d), b = wide(x[1].v.i, d);
    order = a < b ? -1 : a > b;
  }
  return (cell){.v.i = relation(op, order), .err = err};
}
