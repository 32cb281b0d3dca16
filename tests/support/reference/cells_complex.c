/* One element of the reference: complex numbers, by NumPy's formulas and order. The error is a
 * bound for both parts. NumPy may fuse the multiplications and additions of a product, so products
 * are exact only where there is nothing to round. */
#include "cells.h"

#include <math.h>
#include <string.h>

#include "tests/support/complex_numbers.h"

static cell part_of(cell x, bool imaginary)
{
  return (cell){.v.f = imaginary ? x.im : x.v.f, .err = x.err};
}

static bool is_finite(cell x)
{
  return isfinite(x.v.f) && isfinite(x.im) && isfinite(x.err);
}

static double size_of(cell x)
{
  return hypot(x.v.f, x.im);
}

/* Two parts, each a product less or plus another, all rounded. */
static cell multiply(cell x, cell y, tsr_dtype d)
{
  const double re = as_dtype(x.v.f * y.v.f, d), ii = as_dtype(x.im * y.im, d);
  const double ri = as_dtype(x.v.f * y.im, d), ir = as_dtype(x.im * y.v.f, d);
  cell out = {.v.f = as_dtype(re - ii, d), .im = as_dtype(ri + ir, d), .err = INFINITY};
  const double a = size_of(x), b = size_of(y);
  if (!is_finite(x) || !is_finite(y) || !((a + x.err) * (b + y.err) < dtype_most(d) / 8))
    return out;
  out.err = 2 * (a * y.err + b * x.err + x.err * y.err) + 4 * dtype_epsilon(d) * a * b +
            4 * dtype_tiny(d);
  return out;
}

/* Smith's. */
static cell divide(cell x, cell y, tsr_dtype d)
{
  const double re = fabs(y.v.f), im = fabs(y.im);
  const bool by_re = re >= im;
  cell out = {.v.f = as_dtype(x.v.f / re, d), .im = as_dtype(x.im / re, d), .err = INFINITY};
  if (re == 0 && im == 0) return out;
  const double large = by_re ? y.v.f : y.im, small = by_re ? y.im : y.v.f;
  const double ratio = as_dtype(small / large, d);
  const double scale = as_dtype(1 / as_dtype(large + as_dtype(small * ratio, d), d), d);
  const double u = as_dtype(x.v.f * ratio, d), v = as_dtype(x.im * ratio, d);
  const double p = by_re ? as_dtype(x.v.f + v, d) : as_dtype(u + x.im, d);
  const double q = by_re ? as_dtype(x.im - u, d) : as_dtype(v - x.v.f, d);
  out.v.f = as_dtype(p * scale, d);
  out.im = as_dtype(q * scale, d);
  const double a = size_of(x), b = size_of(y), most = dtype_most(d);
  if (!is_finite(x) || !is_finite(y) || !is_finite(out) || !(b - y.err > 8 / most) ||
      !(a + b < most / 8) || !((a + x.err) / (b - y.err) < most / 8))
    return out;
  out.err = 2 * (x.err + a / b * y.err) / (b - y.err) + 16 * dtype_epsilon(d) * (a / b) +
            8 * dtype_tiny(d) * (1 + 1 / b);
  return out;
}

static cell add(tsr_opcode op, cell x, cell y, tsr_dtype d)
{
  cell part[2];
  for (int k = 0; k < 2; k++) {
    const cell pair[2] = {part_of(x, k), part_of(y, k)};
    part[k] = cell_map(op, d, pair);
  }
  return (cell){.v.f = part[0].v.f, .im = part[1].v.f, .err = fmax(part[0].err, part[1].err)};
}

/* By the real part, then the imaginary one; with NaN in either, in no order. */
static bool relation(tsr_opcode op, cell x, cell y)
{
  const bool nan = isnan(x.im) || isnan(y.im), same = x.v.f == y.v.f;
  switch (op) {
  case TSR_OP_EQUAL:
    return same && x.im == y.im;
  case TSR_OP_NOT_EQUAL:
    return !same || x.im != y.im;
  case TSR_OP_LESS:
    return (x.v.f < y.v.f && !nan) || (same && x.im < y.im);
  case TSR_OP_LESS_EQUAL:
    return (x.v.f < y.v.f && !nan) || (same && x.im <= y.im);
  case TSR_OP_GREATER:
    return relation(TSR_OP_LESS, y, x);
  default:
    return relation(TSR_OP_LESS_EQUAL, y, x);
  }
}

static cell compare(tsr_opcode op, cell x, cell y)
{
  const double err = x.err + y.err;
  const bool apart =
      fabs(x.v.f - y.v.f) > err || (op <= TSR_OP_NOT_EQUAL && fabs(x.im - y.im) > err);
  return (cell){.v.i = relation(op, x, y), .err = err == 0 || apart ? 0 : INFINITY};
}

/* The first of equals, and the first NaN. */
static cell extreme(tsr_opcode op, cell x, cell y)
{
  const bool nan = isnan(x.v.f) || isnan(x.im);
  const tsr_opcode order = op == TSR_OP_MINIMUM ? TSR_OP_LESS_EQUAL : TSR_OP_GREATER_EQUAL;
  cell out = nan || relation(order, x, y) ? x : y;
  if (x.err > 0 || y.err > 0) out.err = INFINITY;
  return out;
}

/* What the reductions min and max make of two: the lesser or greater one, a NaN, or of equals and
 * of two NaN that with the greater or lesser bits. Those of numbers take the one that is no NaN. */
static cell extreme_of_bits(tsr_opcode op, tsr_dtype part, cell x, cell y)
{
  const bool max = op == TSR_OP_GREATEST || op == TSR_OP_GREATEST_NUM;
  const bool of_numbers = op == TSR_OP_LEAST_NUM || op == TSR_OP_GREATEST_NUM;
  const bool x_nan = isnan(x.v.f) || isnan(x.im), y_nan = isnan(y.v.f) || isnan(y.im);
  if (x_nan != y_nan) return x_nan != of_numbers ? x : y;
  if (!x_nan && !relation(TSR_OP_EQUAL, x, y))
    return relation(max ? TSR_OP_GREATER : TSR_OP_LESS, x, y) ? x : y;
  const double parts[4] = {x.v.f, y.v.f, x.im, y.im};
  for (int i = 0; i < 4; i += 2) {
    uint64_t bits[2] = {0, 0};
    for (int j = 0; j < 2; j++) {
      const float narrow = (float)parts[i + j];
      memcpy(&bits[j], part == TSR_FLOAT32 ? (const void *)&narrow : &parts[i + j],
             part == TSR_FLOAT32 ? 4 : 8);
    }
    if (bits[0] != bits[1]) return (bits[0] > bits[1]) != max ? x : y;
  }
  return x;
}

/* The C library's functions in more bits. */
static bool function(tsr_opcode op, long double complex z, long double complex w,
                     long double complex *out)
{
  const long double ln2 = logl(2), ln10 = logl(10);
  switch (op) {
  case TSR_OP_SQRT:
    *out = csqrtl(z);
    return true;
  case TSR_OP_SIGN:
    *out = z == 0 ? 0 : z / cabsl(z);
    return true;
  case TSR_OP_RECIPROCAL:
    *out = 1 / z;
    return true;
  case TSR_OP_EXP:
    *out = cexpl(z);
    return true;
  case TSR_OP_EXP2:
    *out = cexpl(z * ln2);
    return true;
  case TSR_OP_EXPM1:
    *out = cexpl(z) - 1;
    return true;
  case TSR_OP_LOG:
    *out = clogl(z);
    return true;
  case TSR_OP_LOG2:
    *out = clogl(z) / ln2;
    return true;
  case TSR_OP_LOG10:
    *out = clogl(z) / ln10;
    return true;
  case TSR_OP_LOG1P:
    *out = clogl(1 + z);
    return true;
  case TSR_OP_SIN:
    *out = csinl(z);
    return true;
  case TSR_OP_COS:
    *out = ccosl(z);
    return true;
  case TSR_OP_TAN:
    *out = ctanl(z);
    return true;
  case TSR_OP_SINH:
    *out = csinhl(z);
    return true;
  case TSR_OP_COSH:
    *out = ccoshl(z);
    return true;
  case TSR_OP_TANH:
    *out = ctanhl(z);
    return true;
  case TSR_OP_POWER:
    *out = cpowl(z, w);
    return true;
  default:
    return false;
  }
}

bool cell_has_complex(tsr_opcode op)
{
  long double complex unused;
  return function(op, 1, 1, &unused);
}

/* Bounded for what is known exactly and of common size; a bound for both parts by the length. */
static cell apply_function(tsr_opcode op, const cell *x, tsr_dtype d)
{
  const bool two = op == TSR_OP_POWER;
  const long double complex z = CMPLXL(x[0].v.f, x[0].im);
  const long double complex w = two ? CMPLXL(x[1].v.f, x[1].im) : 1;
  long double complex value = 0;
  function(op, z, w, &value);
  cell out = {.v.f = as_dtype((double)creall(value), d),
              .im = as_dtype((double)cimagl(value), d),
              .err = INFINITY};
  const double a = size_of(x[0]), b = two ? size_of(x[1]) : 1, c = size_of(out);
  if (x[0].err > 0 || (two && x[1].err > 0)) return out;
  if (!(a > 1e-4 && a < 1e4 && b < 1e2 && c < dtype_most(d) / 1e4)) return out;
  const double lost = two ? 1 + b * (1 + fabs(log(a))) : 1;
  out.err = 32 * dtype_epsilon(d) * (lost * c + (two ? 0 : 1)) + 1e4 * dtype_tiny(d);
  return out;
}

/* Of a truth about the parts. */
static cell tell(tsr_opcode op, const cell *x)
{
  const bool nan = isnan(x->v.f) || isnan(x->im), inf = isinf(x->v.f) || isinf(x->im);
  const bool is = op == TSR_OP_ISNAN ? nan : op == TSR_OP_ISINF ? inf : !nan && !inf;
  return (cell){.v.i = is, .err = x->err > 0 ? INFINITY : 0};
}

cell cell_complex(tsr_opcode op, tsr_dtype compute, const cell *x)
{
  const tsr_dtype d = dtype_part(compute);
  switch (op) {
  case TSR_OP_ADD:
  case TSR_OP_SUBTRACT:
    return add(op, x[0], x[1], d);
  case TSR_OP_MULTIPLY:
    return multiply(x[0], x[1], d);
  case TSR_OP_SQUARE:
    return multiply(x[0], x[0], d);
  case TSR_OP_DIVIDE:
    return divide(x[0], x[1], d);
  case TSR_OP_NEGATIVE:
    return (cell){.v.f = -x[0].v.f, .im = -x[0].im, .err = x[0].err};
  case TSR_OP_CONJ:
    return (cell){.v.f = x[0].v.f, .im = -x[0].im, .err = x[0].err};
  case TSR_OP_COMPLEX:
    return (cell){.v.f = x[0].v.f, .im = x[1].v.f, .err = fmax(x[0].err, x[1].err)};
  case TSR_OP_REAL:
  case TSR_OP_IMAG:
    return part_of(x[0], op == TSR_OP_IMAG);
  case TSR_OP_ABSOLUTE: {
    const cell parts[2] = {part_of(x[0], false), part_of(x[0], true)};
    return cell_map(TSR_OP_HYPOT, d, parts);
  }
  case TSR_OP_MINIMUM:
  case TSR_OP_MAXIMUM:
    return extreme(op, x[0], x[1]);
  case TSR_OP_LEAST:
  case TSR_OP_GREATEST:
  case TSR_OP_LEAST_NUM:
  case TSR_OP_GREATEST_NUM:
    return extreme_of_bits(op, d, x[0], x[1]);
  case TSR_OP_ISNAN:
  case TSR_OP_ISINF:
  case TSR_OP_ISFINITE:
    return tell(op, x);
  default:
    return is_comparison(op) ? compare(op, x[0], x[1]) : apply_function(op, x, d);
  }
}

cell cell_cast_complex(cell x, tsr_dtype from, tsr_dtype to)
{
  const bool whole = dtype_kind(from) == KIND_COMPLEX;
  const tsr_dtype have = dtype_part(from), want = dtype_part(to);
  cell re = whole ? part_of(x, false) : x;
  if (to == TSR_BOOL) {
    const bool clear = fmax(fabs(x.v.f), fabs(x.im)) > x.err || x.err == 0;
    return (cell){.v.i = x.v.f != 0 || x.im != 0, .err = clear ? 0 : INFINITY};
  }
  re = cell_cast(re, have, want);
  if (dtype_kind(to) != KIND_COMPLEX || !whole) return re;
  const cell im = cell_cast(part_of(x, true), have, want);
  return (cell){.v.f = re.v.f, .im = im.v.f, .err = fmax(re.err, im.err)};
}

/* Of a product of all: each factor is off by its share, and each product by a few roundings. */
double cell_product_error(tsr_dtype dtype, cell value, const cell *x, int64_t n)
{
  const double eps = dtype_epsilon(dtype), limit = dtype == TSR_COMPLEX128 ? 900 : 100;
  double relative = 8 * (double)n * eps, reach = 0;
  if (n <= 1) return n ? x[0].err : 0;
  for (int64_t i = 0; i < n; i++) {
    const double a = size_of(x[i]);
    if (!is_finite(x[i]) || a == 0 || x[i].err > a / 8) return INFINITY;
    relative += 2 * x[i].err / a;
    reach += fabs(log2(a)) + 1;
  }
  return reach > limit || relative > 0.25 ? INFINITY : 4 * relative * size_of(value);
}
