/* One element of the reference: the functions of ops.def whose results are exact, POSITIVE to
 * HEAVISIDE. From operands that are not exact those follow which a step or a choice leaves clear;
 * any other result is open. */
#include "cells.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool is_exact_function(int op)
{
  return op >= TSR_OP_POSITIVE && op <= TSR_OP_HEAVISIDE;
}

/* NumPy's divmod, in the dtype's arithmetic. */
static double quotient_or_rest(bool want_rest, double a, double b, tsr_dtype d)
{
  double rest = fmod(a, b);
  double q = as_dtype(as_dtype(a - rest, d) / b, d);
  if (!want_rest && b == 0) return as_dtype(a / b, d);
  if (rest == 0) {
    rest = copysign(0, b);
  } else if ((b < 0) != (rest < 0)) {
    rest = as_dtype(rest + b, d);
    q = as_dtype(q - 1, d);
  }
  if (want_rest) return rest;
  if (q == 0) return copysign(0, as_dtype(a / b, d));
  return q - floor(q) > 0.5 ? floor(q) + 1 : floor(q);
}

static double value(tsr_opcode op, tsr_dtype d, double a, double b, double c)
{
  int e = 0;
  switch (op) {
  case TSR_OP_SIGN:
    return isnan(a) ? a : (double)((a > 0) - (a < 0));
  case TSR_OP_RECIPROCAL:
    return as_dtype(1 / a, d);
  case TSR_OP_FLOOR_DIVIDE:
    return quotient_or_rest(false, a, b, d);
  case TSR_OP_REMAINDER:
    return quotient_or_rest(true, a, b, d);
  case TSR_OP_FMOD:
    return fmod(a, b);
  case TSR_OP_FMIN:
    return a <= b || isnan(b) ? a : b;
  case TSR_OP_FMAX:
    return a >= b || isnan(b) ? a : b;
  case TSR_OP_CLIP:
    a = a >= b || isnan(a) ? a : b;
    return a <= c || isnan(a) ? a : c;
  case TSR_OP_FLOOR:
    return floor(a);
  case TSR_OP_CEIL:
    return ceil(a);
  case TSR_OP_TRUNC:
    return trunc(a);
  case TSR_OP_RINT:
    return rint(a);
  case TSR_OP_COPYSIGN:
    return copysign(a, isnan(b) ? 1 : b);
  case TSR_OP_NEXTAFTER:
    return d == TSR_FLOAT32 ? (double)nextafterf((float)a, (float)b) : nextafter(a, b);
  case TSR_OP_LDEXP:
    return isnan(b) ? b : as_dtype(ldexp(a, (int)rint(fmax(-9999, fmin(b, 9999)))), d);
  case TSR_OP_FREXP_MANTISSA:
    return isfinite(a) ? frexp(a, &e) : a;
  case TSR_OP_FREXP_EXPONENT:
    if (isfinite(a)) (void)frexp(a, &e);
    return e;
  case TSR_OP_HEAVISIDE:
    return isnan(a) ? a : a == 0 ? b : (double)(a > 0);
  case TSR_OP_POSITIVE:
    return a;
  default:
    fprintf(stderr, "the reference has no exact function %d\n", op);
    abort();
  }
}

static bool truth(tsr_opcode op, double a)
{
  return op == TSR_OP_ISNAN      ? isnan(a) != 0
         : op == TSR_OP_ISINF    ? isinf(a) != 0
         : op == TSR_OP_ISFINITE ? isfinite(a) != 0
                                 : !isnan(a) && signbit(a);
}

static bool same(double a, double b)
{
  return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

/* How far NumPy's may lie from it. */
static double error(tsr_opcode op, tsr_dtype d, const cell *x, double got)
{
  const double a = x[0].v.f, b = x[1].v.f;
  double most = 0;
  for (int i = 0; i < 3; i++) most = x[i].err > most ? x[i].err : most;
  if (isinf(most)) return INFINITY; /* nothing is known, whatever value stands there */
  switch (op) {
  case TSR_OP_POSITIVE:
    return x[0].err;
  case TSR_OP_FMIN:
  case TSR_OP_FMAX:
  case TSR_OP_CLIP: {
    /* Which of two zeros is given differs between versions of NumPy. */
    bool zeros = got == 0 && (b == 0 || x[2].v.f == 0);
    return zeros && most == 0 ? DBL_TRUE_MIN : most;
  }
  case TSR_OP_COPYSIGN:
    return isnan(b) || (x[1].err > 0 && !(fabs(b) > x[1].err)) ? INFINITY : x[0].err;
  case TSR_OP_FREXP_MANTISSA:
  case TSR_OP_FREXP_EXPONENT:
    return most > 0 || !isfinite(a) ? INFINITY : 0; /* C leaves the exponent of infinity open */
  case TSR_OP_FLOOR:
  case TSR_OP_CEIL:
  case TSR_OP_TRUNC:
  case TSR_OP_RINT:
  case TSR_OP_SIGN:
  case TSR_OP_HEAVISIDE:
    if (x[0].err > 0 && same(value(op, d, a - x[0].err, b, 0), got) &&
        same(value(op, d, a + x[0].err, b, 0), got))
      return op == TSR_OP_HEAVISIDE ? x[1].err : 0;
    break;
  default:
    break;
  }
  return most > 0 ? INFINITY : 0;
}

static cell exact_float(tsr_opcode op, tsr_dtype d, const cell *x)
{
  cell out = {.err = 0};
  if (op >= TSR_OP_ISNAN && op <= TSR_OP_SIGNBIT) {
    const double a = x[0].v.f, r = x[0].err;
    out.v.i = truth(op, a);
    bool clear =
        r == 0 || (r < INFINITY && truth(op, a - r) == out.v.i && truth(op, a + r) == out.v.i);
    if (!clear || (op == TSR_OP_SIGNBIT && isnan(a))) out.err = INFINITY;
    return out;
  }
  const tsr_dtype steps = d == TSR_FLOAT16 ? TSR_FLOAT32 : d;
  out.v.f = as_dtype(value(op, steps, x[0].v.f, x[1].v.f, x[2].v.f), d);
  out.err = error(op, d, x, out.v.f);
  return out;
}

static cell exact_integer(tsr_opcode op, tsr_dtype d, const cell *x)
{
  const __int128 a = wide(x[0].v.i, d), b = wide(x[1].v.i, d), c = wide(x[2].v.i, d);
  const __int128 q = b ? a / b : 0, r = b ? a % b : 0;
  const bool apart = r != 0 && (r < 0) != (b < 0);
  __int128 v = a;
  if (op == TSR_OP_SIGN) v = (a > 0) - (a < 0);
  if (op == TSR_OP_RECIPROCAL) v = a ? 1 / a : int_of_float(INFINITY, d);
  if (op == TSR_OP_FLOOR_DIVIDE) v = q - apart;
  if (op == TSR_OP_REMAINDER) v = apart ? r + b : r;
  if (op == TSR_OP_FMOD) v = r;
  if (op == TSR_OP_FMIN) v = a < b ? a : b;
  if (op == TSR_OP_FMAX) v = a > b ? a : b;
  if (op == TSR_OP_CLIP) v = a > b ? a : b;
  if (op == TSR_OP_CLIP && v > c) v = c;
  cell out = {.v.i = wrap((uint64_t)v, d)};
  for (int i = 0; i < 3; i++) out.err = x[i].err > 0 ? INFINITY : out.err;
  return out;
}

cell cell_exact(tsr_opcode op, tsr_dtype compute, int n, const cell *x)
{
  cell in[3] = {{.v.i = 0}};
  for (int i = 0; i < n; i++) in[i] = x[i];
  return is_float(compute) ? exact_float(op, compute, in) : exact_integer(op, compute, in);
}
