/* One element of the reference at a time: casts, operations, and how far NumPy's value may lie.
 *
 * The error is the radius of an interval around our value that NumPy's value lies in. It is 0 until
 * a float reduction or exp brings one in, and from there on grows by interval arithmetic and one
 * rounding per operation, so that an exact comparison stays exact for whatever does not depend on
 * such values, and the outcome of a comparison, a cast or a choice is open only where the intervals
 * leave it open. Bounds are generous by a few ulps, never too small. */
#include "random.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double ulp_of(double x, tsr_dtype dtype)
{
  x = fabs(x);
  if (dtype == TSR_FLOAT32) return x < FLT_MIN ? (double)FLT_TRUE_MIN : x * FLT_EPSILON;
  return x < DBL_MIN ? DBL_TRUE_MIN : x * DBL_EPSILON;
}

/* What NumPy's functions may be away, and ours. */
enum { FUNCTION_ULPS = 4 };

static double as_dtype(double x, tsr_dtype dtype)
{
  return dtype == TSR_FLOAT32 ? (double)(float)x : x;
}

/* A float result with its error; what overflows or is not finite cannot be bounded. */
static cell made(double value, double err, tsr_dtype dtype)
{
  cell out = {.v.f = as_dtype(value, dtype), .err = err};
  double most = dtype == TSR_FLOAT32 ? (double)FLT_MAX : DBL_MAX;
  if (err == 0) return out;
  if (!isfinite(out.v.f) || !(fabs(out.v.f) + err < most)) out.err = INFINITY;
  return out;
}

/* The same with one rounding more. An error is never rounded to 0: it may be in the sign of a zero.
 */
static cell rounded(double value, double err, tsr_dtype dtype)
{
  double reach = fabs(as_dtype(value, dtype)) + err;
  return made(value, err > 0 ? err + ulp_of(reach, dtype) : 0, dtype);
}

static bool is_zero_tie(double a, double b)
{
  return a == 0 && b == 0 && signbit(a) != signbit(b);
}

/* --- casts -------------------------------------------------------------------------------------
 */

static int64_t to_integer(double x, tsr_dtype to)
{
  if (to == TSR_INT32) return x > -2147483649.0 && x < 2147483648.0 ? (int32_t)x : INT32_MIN;
  return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (int64_t)x : INT64_MIN;
}

static int64_t wrap(int64_t x, tsr_dtype dtype)
{
  return dtype == TSR_INT32 ? (int64_t)(int32_t)(uint32_t)(uint64_t)x : x;
}

cell cell_cast(cell x, tsr_dtype from, tsr_dtype to)
{
  cell out = {.err = x.err};
  if (from == to) return x;
  if (is_float(from) && is_float(to)) return rounded(x.v.f, x.err, to);
  if (!is_float(from)) {
    if (to == TSR_BOOL)
      out.v.i = x.v.i != 0;
    else if (to == TSR_FLOAT32)
      out.v.f = (double)(float)x.v.i;
    else if (to == TSR_FLOAT64)
      out.v.f = (double)x.v.i;
    else
      out.v.i = wrap(x.v.i, to);
    return out;
  }
  if (to == TSR_BOOL) {
    out.v.i = x.v.f != 0;
    if (x.err > 0) out.err = fabs(x.v.f) > x.err ? 0 : INFINITY;
    return out;
  }
  out.v.i = to_integer(x.v.f, to);
  if (x.err > 0) {
    bool same =
        to_integer(x.v.f - x.err, to) == out.v.i && to_integer(x.v.f + x.err, to) == out.v.i;
    out.err = same && out.v.i != INT32_MIN && out.v.i != INT64_MIN ? 0 : INFINITY;
  }
  return out;
}

/* --- operations on floats ----------------------------------------------------------------------
 */

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

/* The C library's functions, within one ulp; ours and NumPy's are only ever compared within the
 * error. */
static double function_value(tsr_opcode op, double a, double b)
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
  default:
    return hypot(a, b);
  }
}

/* NumPy's functions that lose more than a few ulps of the result: in absolute terms. */
static double more_error(tsr_opcode op, tsr_dtype d, cell x, cell y)
{
  const double a = fabs(x.v.f);
  if (op == TSR_OP_LOGADDEXP) return 4 * ulp_of(1 + fmax(a, fabs(y.v.f)), d);
  if (op == TSR_OP_SINC) return a < 1e30 ? 8 * ulp_of(1, d) : INFINITY;
  if (op == TSR_OP_GAMMA) return 64 * ulp_of(function_value(op, x.v.f, 0), d);
  if (op == TSR_OP_LGAMMA) return 32 * ulp_of(16 + a, TSR_FLOAT64);
  return 0;
}

/* All are monotone in each operand over the intervals that get here, but for sine and cosine, which
 * are no steeper than 1, and hypot, no steeper than 1 in each (cosh grows away from 0 on both
 * sides): the corners of the intervals bound the values between. */
static double function_error(tsr_opcode op, tsr_dtype d, cell x, cell y)
{
  double value = as_dtype(function_value(op, x.v.f, y.v.f), d), err = 0;
  bool exact = x.err == 0 && y.err == 0;
  if (exact && (isinf(x.v.f) || isinf(y.v.f) || isnan(value))) return 0;
  if (isinf(value)) {
    /* A pole, or beyond the largest number by more than rounding. */
    bool is_log = op == TSR_OP_LOG || op == TSR_OP_LOG2 || op == TSR_OP_LOG10;
    bool pole = (is_log && x.v.f == 0) || (op == TSR_OP_LOG1P && x.v.f == -1) ||
                (op == TSR_OP_POWER && x.v.f == 0) || (op == TSR_OP_ARCTANH && fabs(x.v.f) == 1);
    bool beyond = d == TSR_FLOAT32 ? fabs(function_value(op, x.v.f, y.v.f)) > 3.5e38
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
      double away = fabs(function_value(op, a, b) - value);
      if (!(away < INFINITY)) return INFINITY; /* also NaN: outside of log's domain */
      err = away > err ? away : err;
    }
  }
  err = err * 1.01 + more_error(op, d, x, y);
  return made(value, err + FUNCTION_ULPS * ulp_of(fabs(value) + err, d), d).err;
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
  case TSR_OP_MINIMUM:
    return a < b || isnan(a) ? a : b;
  case TSR_OP_MAXIMUM:
    return a > b || isnan(a) ? a : b;
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
    return as_dtype(function_value(op, a, b), d);
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
    return function_error(op, d, x[0], two ? x[1] : (cell){.v.f = 0});
  }
}

static bool is_binary(tsr_opcode op)
{
  return map_arity(op) == 2;
}

static cell map_float(tsr_opcode op, tsr_dtype d, const cell *x)
{
  bool two = is_binary(op);
  return (cell){.v.f = float_value(op, d, x[0].v.f, two ? x[1].v.f : 0),
                .err = float_error(op, d, x, two)};
}

/* --- integers, bools, comparisons --------------------------------------------------------------
 */

/* Bits in the width of the dtype; a shift by its width or more leaves the sign alone. */
static uint64_t bits(tsr_opcode op, tsr_dtype d, int64_t a, int64_t b)
{
  const int64_t width = d == TSR_INT32 ? 32 : 64;
  const bool out = b < 0 || b >= width;
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
    return (uint64_t)(a >> (out ? 63 : b));
  default:
    return op == TSR_OP_IMAG ? 0 : (uint64_t)a;
  }
}

static cell map_integer(tsr_opcode op, tsr_dtype d, const cell *x)
{
  bool one = !is_binary(op);
  uint64_t a = (uint64_t)x[0].v.i, b = one ? 0 : (uint64_t)x[1].v.i;
  uint64_t r = a;
  bool less = x[0].v.i < (int64_t)b;
  if (op == TSR_OP_ADD) r = d == TSR_BOOL ? a | b : a + b;
  if (op == TSR_OP_SUBTRACT) r = a - b;
  if (op == TSR_OP_SQUARE) r = a * a;
  if (op == TSR_OP_MULTIPLY) r = d == TSR_BOOL ? a & b : a * b;
  if (op == TSR_OP_NEGATIVE || (op == TSR_OP_ABSOLUTE && less)) r = 0 - a;
  if (op == TSR_OP_MINIMUM) r = less ? a : b;
  if (op == TSR_OP_MAXIMUM) r = less ? b : a;
  if (op >= TSR_OP_BITWISE_AND && op <= TSR_OP_IMAG) r = bits(op, d, x[0].v.i, (int64_t)b);
  double err = one || !isinf(x[1].err) ? x[0].err : INFINITY;
  return (cell){.v.i = wrap((int64_t)r, d), .err = err};
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

static cell compare(tsr_opcode op, tsr_dtype d, const cell *x)
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
    order = x[0].v.i < x[1].v.i ? -1 : x[0].v.i > x[1].v.i;
  }
  return (cell){.v.i = relation(op, order), .err = err};
}

cell cell_map(tsr_opcode op, tsr_dtype compute, const cell *x)
{
  double err;
  if (is_exact_function(op)) return cell_exact(op, compute, map_arity(op), x);
  switch (op) {
  case TSR_OP_EQUAL:
  case TSR_OP_NOT_EQUAL:
  case TSR_OP_LESS:
  case TSR_OP_LESS_EQUAL:
  case TSR_OP_GREATER:
  case TSR_OP_GREATER_EQUAL:
    return compare(op, compute, x);
  case TSR_OP_LOGICAL_NOT:
    return (cell){.v.i = !x[0].v.i, .err = x[0].err};
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
    return is_float(compute) ? map_float(op, compute, x) : map_integer(op, compute, x);
  }
}

/* --- elements that come from the host ----------------------------------------------------------
 */

static double host_float(rng *r, int style)
{
  double sign = rng_chance(r, 50) ? 1 : -1;
  double unit = (double)(rng_next(r) >> 11) * 0x1p-53;
  if (style == 0) return sign * (double)rng_below(r, 20) / 4;
  if (style == 1) return sign * unit;
  if (style == 3 && rng_chance(r, 12)) {
    static const double special[] = {0.0, 1.0, INFINITY, NAN, 1e300, 1e-310, 3e38, 1e-42};
    return sign * special[rng_below(r, 8)];
  }
  return sign * ldexp(1 + unit, (int)rng_range(r, -30, 30));
}

static int64_t host_int(rng *r, int style, tsr_dtype dtype)
{
  if (style <= 1) return rng_range(r, -9, 9);
  if (style == 3 && rng_chance(r, 15)) {
    bool narrow = dtype == TSR_INT32;
    int64_t least = narrow ? INT32_MIN : INT64_MIN, most = narrow ? INT32_MAX : INT64_MAX;
    return rng_chance(r, 50) ? least : most;
  }
  return wrap((int64_t)rng_next(r) >> rng_below(r, 60), dtype);
}

cell host_cell(const node *n, int64_t i)
{
  rng r = rng_seeded(n->seed, (uint64_t)i);
  if (n->dtype == TSR_BOOL) return (cell){.v.i = rng_chance(&r, 50)};
  if (!is_float(n->dtype)) return (cell){.v.i = host_int(&r, n->style, n->dtype)};
  return (cell){.v.f = as_dtype(host_float(&r, n->style), n->dtype)};
}

void cell_store(cell x, tsr_dtype dtype, void *out)
{
  uint8_t b = x.v.i != 0;
  int32_t i = (int32_t)(uint32_t)(uint64_t)x.v.i;
  float f = (float)x.v.f;
  switch (dtype) {
  case TSR_BOOL:
    memcpy(out, &b, sizeof b);
    break;
  case TSR_INT32:
    memcpy(out, &i, sizeof i);
    break;
  case TSR_FLOAT32:
    memcpy(out, &f, sizeof f);
    break;
  default:
    memcpy(out, &x.v, sizeof x.v);
  }
}
