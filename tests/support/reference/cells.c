/* One element of the reference at a time: casts, operations, and how far NumPy's value may lie.
 *
 * The error is the radius of an interval around our value that NumPy's value lies in. It is 0 until
 * a float reduction or exp brings one in, and from there on grows by interval arithmetic and one
 * rounding per operation, so that an exact comparison stays exact for whatever does not depend on
 * such values, and the outcome of a comparison, a cast or a choice is open only where the intervals
 * leave it open. Bounds are generous by a few ulps, never too small. */
#include "cells.h"

#include <float.h>
#include <math.h>

/* A float result with its error; what overflows or is not finite cannot be bounded. */
cell cell_made(double value, double err, tsr_dtype dtype)
{
  cell out = {.v.f = as_dtype(value, dtype), .err = err};
  if (err == 0) return out;
  if (!isfinite(out.v.f) || !(fabs(out.v.f) + err < dtype_most(dtype))) out.err = INFINITY;
  return out;
}

/* The same with one rounding more. An error is never rounded to 0: it may be in the sign of a zero.
 */
static cell rounded(double value, double err, tsr_dtype dtype)
{
  double reach = fabs(as_dtype(value, dtype)) + err;
  return cell_made(value, err > 0 ? err + ulp_of(reach, dtype) : 0, dtype);
}

static bool is_zero_tie(double a, double b)
{
  return a == 0 && b == 0 && signbit(a) != signbit(b);
}

/* Casts. */

static cell cast_integer(cell x, tsr_dtype from, tsr_dtype to)
{
  const uint64_t u = (uint64_t)x.v.i;
  const bool huge = from == TSR_UINT64;
  cell out = {.err = x.err};
  if (to == TSR_BOOL)
    out.v.i = u != 0;
  else if (to == TSR_FLOAT64)
    out.v.f = huge ? (double)u : (double)x.v.i;
  else if (is_float(to))
    out.v.f = as_dtype(huge ? (double)(float)u : (double)(float)x.v.i, to);
  else
    out.v.i = wrap(u, to);
  return out;
}

cell cell_cast(cell x, tsr_dtype from, tsr_dtype to)
{
  cell out = {.err = x.err};
  if (from == to) return x;
  if (is_complex(from) || is_complex(to)) return cell_cast_complex(x, from, to);
  if (!is_float(from)) return cast_integer(x, from, to);
  if (to == TSR_FLOAT16) {
    out = rounded(half_of(x.v.f), x.err, to);
    return out;
  }
  if (is_float(to)) return rounded(x.v.f, x.err, to);
  if (to == TSR_BOOL) {
    out.v.i = x.v.f != 0;
    if (x.err > 0) out.err = fabs(x.v.f) > x.err ? 0 : INFINITY;
    return out;
  }
  out.v.i = int_of_float(x.v.f, to);
  if (x.err > 0) out.err = int_of_float_is_clear(x.v.f, x.err, to) ? 0 : INFINITY;
  if (!int_of_float_is_defined(x.v.f, to)) out.err = INFINITY;
  return out;
}

/* Operations on floats. */

static cell divide(cell x, cell y, tsr_dtype d)
{
  double q = as_dtype(x.v.f / y.v.f, d);
  double ax = fabs(x.v.f), ay = fabs(y.v.f);
  if (ay <= y.err || isinf(ax))
    return (cell){.v.f = q, .err = isinf(ax) && ay > y.err ? 0 : INFINITY};
  if (isinf(ay)) return (cell){.v.f = q, .err = ax > x.err ? 0 : ulp_of(0, d)};
  double err = (x.err + fabs(q) * y.err) / (ay - y.err) * (1 + 4 * DBL_EPSILON);
  return rounded(q, err + ulp_of(0, d), d);
}

static cell multiply(cell x, cell y, tsr_dtype d)
{
  double product = x.v.f * y.v.f, ax = fabs(x.v.f), ay = fabs(y.v.f);
  if (isinf(ax) || isinf(ay)) {
    bool certain = (isinf(ax) || ax > x.err) && (isinf(ay) || ay > y.err);
    return (cell){.v.f = product, .err = certain ? 0 : INFINITY};
  }
  double err = (ax * y.err + ay * x.err + x.err * y.err) * (1 + 4 * DBL_EPSILON);
  return rounded(product, err + ulp_of(0, d), d);
}

static cell add(cell x, cell y, double sign, tsr_dtype d)
{
  double sum = x.v.f + sign * y.v.f;
  if (!isfinite(x.v.f) || !isfinite(y.v.f)) return (cell){.v.f = sum};
  return rounded(sum, x.err + y.err, d);
}

static double extreme_error(cell x, cell y)
{
  double err = x.err > y.err ? x.err : y.err;
  /* Which zero is the smaller differs between versions of NumPy. */
  return is_zero_tie(x.v.f, y.v.f) && err == 0 ? DBL_TRUE_MIN : err;
}

static cell root(cell x, tsr_dtype d)
{
  double s = sqrt(x.v.f);
  if (d == TSR_FLOAT32) s = (double)sqrtf((float)x.v.f);
  if (x.err == 0) return (cell){.v.f = s};
  if (x.v.f + x.err < 0) return (cell){.v.f = NAN};
  if (x.v.f - x.err < 0) return (cell){.v.f = s, .err = INFINITY};
  return rounded(s,
                 (sqrt(x.v.f + x.err) - sqrt(x.v.f - x.err)) * (1 + 8 * DBL_EPSILON) +
                     ulp_of(s, TSR_FLOAT64),
                 d);
}

/* The greater or the lesser of two numbers, of which 0 is greater than -0. */
static double extreme(bool greater, double a, double b)
{
  const bool first = a == b ? !signbit(a) == greater : (a > b) == greater;
  return first ? a : b;
}

/* The value alone. */
static double float_value(tsr_opcode op, tsr_dtype d, double a, double b)
{
  switch (op) {
  case TSR_OP_ADD:
    return as_dtype(a + b, d);
  case TSR_OP_SUBTRACT:
    return as_dtype(a - b, d);
  case TSR_OP_MULTIPLY:
    return as_dtype(a * b, d);
  case TSR_OP_DIVIDE:
    return as_dtype(a / b, d);
  case TSR_OP_NEGATIVE:
    return -a;
  case TSR_OP_ABSOLUTE:
    return fabs(a);
  case TSR_OP_MINIMUM: /* of two zeros the second, of float16 the first */
    return a < b || isnan(a) || (a == b && d == TSR_FLOAT16) ? a : b;
  case TSR_OP_MAXIMUM:
    return a > b || isnan(a) || (a == b && d == TSR_FLOAT16) ? a : b;
  case TSR_OP_LEAST: /* the reductions' min and max */
  case TSR_OP_GREATEST:
    return isnan(a) || isnan(b) ? (double)NAN : extreme(op == TSR_OP_GREATEST, a, b);
  case TSR_OP_LEAST_NUM: /* nanmin and nanmax */
  case TSR_OP_GREATEST_NUM:
    return isnan(a) ? b : isnan(b) ? a : extreme(op == TSR_OP_GREATEST_NUM, a, b);
  case TSR_OP_SQRT:
    return as_dtype(sqrt(a), d);
  case TSR_OP_SQUARE:
    return as_dtype(a * a, d);
  case TSR_OP_REAL:
  case TSR_OP_CONJ:
    return a;
  case TSR_OP_IMAG:
    return 0;
  default:
    return as_dtype(cell_function(op, a, b), d);
  }
}

/* How far NumPy's may lie from it. */
static double float_error(tsr_opcode op, tsr_dtype d, const cell *x, bool two)
{
  bool exact = true;
  if (op == TSR_OP_IMAG) return 0;
  for (int i = 0; i <= two; i++) {
    if (isnan(x[i].v.f) && x[i].err == 0) return 0;
    exact &= x[i].err == 0;
  }
  for (int i = 0; i <= two; i++) {
    if (isinf(x[i].err)) return INFINITY;
  }
  switch (op) {
  case TSR_OP_ADD:
    return exact ? 0 : add(x[0], x[1], 1, d).err;
  case TSR_OP_SUBTRACT:
    return exact ? 0 : add(x[0], x[1], -1, d).err;
  case TSR_OP_MULTIPLY:
    return exact ? 0 : multiply(x[0], x[1], d).err;
  case TSR_OP_DIVIDE:
    return exact ? 0 : divide(x[0], x[1], d).err;
  case TSR_OP_MINIMUM:
  case TSR_OP_MAXIMUM:
  case TSR_OP_LEAST:
  case TSR_OP_GREATEST:
  case TSR_OP_LEAST_NUM:
  case TSR_OP_GREATEST_NUM:
    return extreme_error(x[0], x[1]);
  case TSR_OP_SQRT:
    return exact ? 0 : root(x[0], d).err;
  case TSR_OP_SQUARE:
    return exact ? 0 : multiply(x[0], x[0], d).err;
  case TSR_OP_NEGATIVE:
  case TSR_OP_ABSOLUTE:
  case TSR_OP_REAL:
  case TSR_OP_CONJ:
    return x[0].err;
  default:
    return cell_function_error(op, d, x[0], two ? x[1] : (cell){.v.f = 0});
  }
}

static cell map_float(tsr_opcode op, tsr_dtype d, const cell *x)
{
  bool two = map_arity(op) == 2;
  return (cell){.v.f = float_value(op, d, x[0].v.f, two ? x[1].v.f : 0),
                .err = float_error(op, d, x, two)};
}

cell cell_map(tsr_opcode op, tsr_dtype compute, const cell *x)
{
  double err;
  if (is_complex(compute) && op != TSR_OP_WHERE) return cell_complex(op, compute, x);
  if (is_exact_function(op)) return cell_exact(op, compute, map_arity(op), x);
  switch (op) {
  case TSR_OP_EQUAL:
  case TSR_OP_NOT_EQUAL:
  case TSR_OP_LESS:
  case TSR_OP_LESS_EQUAL:
  case TSR_OP_GREATER:
  case TSR_OP_GREATER_EQUAL:
    return cell_compare(op, compute, x);
  case TSR_OP_LOGICAL_NOT:
    return (cell){.v.i = !x[0].v.i, .err = x[0].err};
  case TSR_OP_LOGICAL_XOR:
    err = x[0].err > x[1].err ? x[0].err : x[1].err;
    return (cell){.v.i = !x[0].v.i != !x[1].v.i, .err = err};
  case TSR_OP_LOGICAL_AND:
  case TSR_OP_LOGICAL_OR:
    err = x[0].err > x[1].err ? x[0].err : x[1].err;
    return (cell){.v.i = op == TSR_OP_LOGICAL_AND ? x[0].v.i && x[1].v.i : x[0].v.i || x[1].v.i,
                  .err = err};
  case TSR_OP_WHERE: {
    cell out = x[0].v.i ? x[1] : x[2];
    if (x[0].err > 0) out.err = INFINITY;
    return out;
  }
  default:
    return is_float(compute) ? map_float(op, compute, x) : cell_integer(op, compute, x);
  }
}

int map_arity(int op)
{
  static const uint8_t arity[] = {
#define TSR_OP(NAME, name, min_args, ...) min_args,
#define TSR_INNER_OP TSR_OP
#include "kernel/ops/ops.def"
#undef TSR_OP
  };
  return arity[op];
}

bool is_comparison(int op)
{
  return op >= TSR_OP_EQUAL && op <= TSR_OP_GREATER_EQUAL;
}
