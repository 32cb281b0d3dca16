/* One element of the reference: the functions that are not correctly rounded, EXP and its like, and
 * how far NumPy's may lie from the C library's. */
#include "cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What NumPy's functions may be away, and ours. */
enum { FUNCTION_ULPS = 4 };

/* The C library's functions, within one ulp; ours and NumPy's are only ever compared within the
 * error. */
double cell_function(tsr_opcode op, double a, double b)
{
  switch (op) {
  case TSR_OP_EXP:
    return exp(a);
  case TSR_OP_EXPM1:
    return expm1(a);
  case TSR_OP_LOG:
    return log(a);
  case TSR_OP_LOG1P:
    return log1p(a);
  case TSR_OP_TANH:
    return tanh(a);
  case TSR_OP_ERF:
    return erf(a);
  case TSR_OP_ERFC:
    return erfc(a);
  case TSR_OP_SIN:
    return sin(a);
  case TSR_OP_COS:
    return cos(a);
  case TSR_OP_TAN:
    return tan(a);
  case TSR_OP_SINC: {
    const double half = a - 2 * rint(0.5 * a), pi = 3.14159265358979323846; /* exact: -1 to 1 */
    return a == 0 ? 1 : isinf(a) ? NAN : sin(pi * half) / (pi * a);
  }
  case TSR_OP_GAMMA:
    return a < 0 && (isinf(a) || a == floor(a)) ? NAN : tgamma(a);
  case TSR_OP_LGAMMA:
    return lgamma(a);
  case TSR_OP_EXP2:
    return exp2(a);
  case TSR_OP_LOG2:
    return log2(a);
  case TSR_OP_LOG10:
    return log10(a);
  case TSR_OP_CBRT:
    return cbrt(a);
  case TSR_OP_LOGADDEXP:
    return a == b ? a + log(2) : isnan(a - b) ? a + b : fmax(a, b) + log1p(exp(-fabs(a - b)));
  case TSR_OP_DEG2RAD:
    return a * 0x1.1df46a2529d39p-6;
  case TSR_OP_RAD2DEG:
    return a * 0x1.ca5dc1a63c1f8p+5;
  case TSR_OP_ARCSIN:
    return asin(a);
  case TSR_OP_ARCCOS:
    return acos(a);
  case TSR_OP_ARCTAN:
    return atan(a);
  case TSR_OP_ARCTAN2:
    return atan2(a, b);
  case TSR_OP_SINH:
    return sinh(a);
  case TSR_OP_COSH:
    return cosh(a);
  case TSR_OP_ARCSINH:
    return asinh(a);
  case TSR_OP_ARCCOSH:
    return acosh(a);
  case TSR_OP_ARCTANH:
    return atanh(a);
  case TSR_OP_POWER:
    return pow(a, b);
  case TSR_OP_HYPOT:
    return hypot(a, b);
  default:
    fprintf(stderr, "the reference has no function %d\n", op);
    abort();
  }
}

/* NumPy's functions that lose more than a few ulps of the result: in absolute terms. */
static double more_error(tsr_opcode op, tsr_dtype d, cell x, cell y)
{
  const double a = fabs(x.v.f);
  if (op == TSR_OP_LOGADDEXP) return 4 * ulp_of(1 + fmax(a, fabs(y.v.f)), d);
  if (op == TSR_OP_SINC) return a < 1e30 ? 8 * ulp_of(1, d) : INFINITY;
  if (op == TSR_OP_GAMMA) return 64 * ulp_of(cell_function(op, x.v.f, 0), d);
  if (op == TSR_OP_LGAMMA) return 32 * ulp_of(16 + a, TSR_FLOAT64);
  return 0;
}

/* All are monotone in each operand over the intervals that get here, but for sine and cosine, which
 * are no steeper than 1, and hypot, no steeper than 1 in each (cosh grows away from 0 on both
 * sides): the corners of the intervals bound the values between. */
double cell_function_error(tsr_opcode op, tsr_dtype d, cell x, cell y)
{
  double value = as_dtype(cell_function(op, x.v.f, y.v.f), d), err = 0;
  bool exact = x.err == 0 && y.err == 0;
  if (exact && (isinf(x.v.f) || isinf(y.v.f) || isnan(value))) return 0;
  if (isinf(value)) {
    /* A pole, or beyond the largest number by more than rounding. */
    bool is_log = op == TSR_OP_LOG || op == TSR_OP_LOG2 || op == TSR_OP_LOG10;
    bool pole = (is_log && x.v.f == 0) || (op == TSR_OP_LOG1P && x.v.f == -1) ||
                (op == TSR_OP_POWER && x.v.f == 0) || (op == TSR_OP_ARCTANH && fabs(x.v.f) == 1);
    bool beyond = d != TSR_FLOAT64 ? fabs(cell_function(op, x.v.f, y.v.f)) > 1.03 * dtype_most(d)
                                   : op == TSR_OP_EXP && x.v.f > 709.8;
    return exact && (pole || beyond) ? 0 : INFINITY;
  }
  /* No bound where they are steep, or turn. */
  if (op == TSR_OP_TAN && !exact && (x.err > 0.01 || fabs(value) > 10)) return INFINITY;
  if ((op == TSR_OP_GAMMA || op == TSR_OP_LGAMMA) && !exact && x.v.f - x.err < 2) return INFINITY;
  if (op == TSR_OP_SIN || op == TSR_OP_COS || op == TSR_OP_HYPOT || op == TSR_OP_SINC) {
    err = 2 * (x.err + y.err);
  } else {
    if (op == TSR_OP_POWER && !exact && x.v.f - x.err <= 0) return INFINITY;
    if (op == TSR_OP_ARCTAN2 && !exact) return INFINITY; /* it jumps */
    for (int corner = 0; corner < 4 && !exact; corner++) {
      double a = x.v.f + (corner & 1 ? x.err : -x.err), b = y.v.f + (corner & 2 ? y.err : -y.err);
      double away = fabs(cell_function(op, a, b) - value);
      if (!(away < INFINITY)) return INFINITY; /* also NaN: outside of log's domain */
      err = away > err ? away : err;
    }
  }
  err = err * 1.01 + more_error(op, d, x, y);
  return cell_made(value, err + FUNCTION_ULPS * ulp_of(fabs(value) + err, d), d).err;
}
