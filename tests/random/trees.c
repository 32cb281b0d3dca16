/* Reductions of the reference: the fixed binary tree, taken from its definition as a recursion over
 * index boxes, and how far a sum in another order may lie.
 *
 * The tree (docs/design/kernel-reduce.md): axes are padded to powers of two; from the root the
 * longest axis that remains is halved, the first of equals; the lowest 6 bits of the last axis that
 * is longer than 1 come below everything else; a half that is outside the shape is left out. */
#include "random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "runtime/base/error.h"

typedef struct group {
  reduction op;
  tsr_dtype dtype;
  int n_axes;
  const int64_t *shape;
  const cell *cells;
  int last, low_bits; /* the axis whose low bits come last, and how many */
} group;

typedef struct part {
  cell x;
  int64_t index; /* of the extreme element */
} part;

/* By the real part, then the imaginary one; NaN first. Of what is alike in that, the signs of zeros
 * say: the order of siblings never shows. */
static bool complex_beats(part y, part x, bool max, bool arg)
{
  const cell a = x.x, b = y.x;
  const bool a_nan = isnan(a.v.f) || isnan(a.im), b_nan = isnan(b.v.f) || isnan(b.im);
  if (a_nan != b_nan) return b_nan;
  if (!a_nan && (a.v.f != b.v.f || a.im != b.im)) {
    const bool less = b.v.f < a.v.f || (b.v.f == a.v.f && b.im < a.im);
    return max != less;
  }
  if (arg) return y.index < x.index;
  if (a_nan) return false;
  if (!signbit(a.v.f) != !signbit(b.v.f)) return max == !signbit(b.v.f);
  return !signbit(a.im) != !signbit(b.im) && max == !signbit(b.im);
}

/* Is y to be preferred to x? */
static bool beats(const group *g, part y, part x)
{
  bool max = g->op == RED_MAX || g->op == RED_ARGMAX, arg = g->op >= RED_ARGMIN;
  if (is_complex(g->dtype)) return complex_beats(y, x, max, arg);
  if (!is_float(g->dtype)) {
    const bool above = wide(y.x.v.i, g->dtype) > wide(x.x.v.i, g->dtype);
    if (x.x.v.i != y.x.v.i) return max == above;
    return arg && y.index < x.index;
  }
  double a = x.x.v.f, b = y.x.v.f;
  if (isnan(a) != isnan(b)) return isnan(b);
  if (!isnan(a) && a != b) return max ? b > a : b < a;
  if (arg) return y.index < x.index;
  if (a == 0 && b == 0 && signbit(a) != signbit(b)) return max ? !signbit(b) : signbit(b);
  return false;
}

static part combine(const group *g, part a, part b)
{
  bool wide = g->dtype == TSR_FLOAT64;
  uint64_t i = (uint64_t)a.x.v.i, k = (uint64_t)b.x.v.i;
  if (is_complex(g->dtype) && g->op <= RED_MEAN && g->op != RED_MIN && g->op != RED_MAX) {
    const cell pair[2] = {a.x, b.x};
    a.x = cell_map(g->op == RED_PROD ? TSR_OP_MULTIPLY : TSR_OP_ADD, g->dtype, pair);
    return a;
  }
  switch (g->op) {
  case RED_SUM:
  case RED_MEAN:
    if (is_float(g->dtype))
      a.x.v.f = wide ? a.x.v.f + b.x.v.f : (double)((float)a.x.v.f + (float)b.x.v.f);
    else
      a.x.v.i = (int64_t)(i + k);
    return a;
  case RED_PROD:
    if (is_float(g->dtype))
      a.x.v.f = wide ? a.x.v.f * b.x.v.f : (double)((float)a.x.v.f * (float)b.x.v.f);
    else
      a.x.v.i = (int64_t)(i * k);
    return a;
  case RED_ANY:
    a.x.v.i = a.x.v.i || b.x.v.i;
    return a;
  case RED_ALL:
    a.x.v.i = a.x.v.i && b.x.v.i;
    return a;
  default:
    return beats(g, b, a) ? b : a;
  }
}

/* The node that starts at `low` and has 2^bits[k] places along axis k. */
static part tree(const group *g, const int64_t *low, const int *bits)
{
  int axis = -1;
  for (int k = 0; k < g->n_axes; k++) {
    if (bits[k] == 0 || (k == g->last && bits[k] <= g->low_bits)) continue;
    if (axis < 0 || bits[k] > bits[axis]) axis = k;
  }
  if (axis < 0 && g->last >= 0 && bits[g->last] > 0) axis = g->last;
  if (axis < 0) {
    int64_t at = 0;
    for (int k = 0; k < g->n_axes; k++) at = at * g->shape[k] + low[k];
    return (part){.x = g->cells[at], .index = at};
  }
  int half[TSR_MAX_NDIM];
  int64_t middle[TSR_MAX_NDIM];
  for (int k = 0; k < g->n_axes; k++) {
    half[k] = bits[k] - (k == axis);
    middle[k] = low[k] + (k == axis ? (int64_t)1 << half[k] : 0);
  }
  part left = tree(g, low, half);
  return middle[axis] < g->shape[axis] ? combine(g, left, tree(g, middle, half)) : left;
}

/* Errors. */

/* What the error needs to know of the elements. */
typedef struct summary {
  int64_t n;
  double err, sum, most_err;     /* of errors; of |x| + error of the finite; the largest error */
  double relative, above, below; /* of errors; binary exponents above 1 and below, in sum */
  bool nan, infinite, zero, both_zeros, open;
} summary;

static summary summarise(const cell *x, int64_t n)
{
  summary s = {.n = n};
  bool plus = false, minus = false;
  for (int64_t i = 0; i < n; i++) {
    double a = fabs(x[i].v.f), e = x[i].err;
    if (isnan(x[i].v.f) && e == 0) s.nan = true;
    if (isinf(e)) s.open = true;
    s.err += e;
    s.most_err = e > s.most_err ? e : s.most_err;
    plus |= x[i].v.f == 0 && !signbit(x[i].v.f);
    minus |= x[i].v.f == 0 && signbit(x[i].v.f);
    s.infinite |= isinf(a);
    s.zero |= a == 0;
    if (!isfinite(a)) continue;
    s.sum += a + e;
    if (e > 0) s.relative += e < a / 4 ? 2 * e / a : INFINITY;
    if (a > 1) s.above += log2(a) + 1;
    if (a > 0 && a < 1) s.below += 1 - log2(a);
  }
  s.both_zeros = plus && minus;
  return s;
}

static double float_error(reduction op, tsr_dtype dtype, double result, const summary *s)
{
  const double eps = dtype_epsilon(dtype), most = dtype_most(dtype), tiny = dtype_tiny(dtype);
  if (op == RED_MIN || op == RED_MAX) {
    if (s->nan) return 0;
    return result == 0 && s->both_zeros && s->most_err == 0 ? DBL_TRUE_MIN : s->most_err;
  }
  if (s->nan) return 0;
  if (s->open) return INFINITY;
  /* Older NumPy starts sums from +0: a sum of -0 is +0. */
  if (result == 0 && s->sum == 0 && (op == RED_SUM || op == RED_MEAN)) return tiny;
  if (s->n <= 1) return s->err;
  if (op == RED_SUM || op == RED_MEAN) {
    if (!(s->sum < most / 2)) return INFINITY;
    return s->infinite ? 0 : s->err + (double)s->n * eps * s->sum + s->err * eps;
  }
  const double limit = dtype == TSR_FLOAT64 ? 1000 : dtype == TSR_FLOAT32 ? 120 : 13;
  if (s->above > limit || s->below > limit || !isfinite(s->relative)) return INFINITY;
  if (s->infinite || s->zero) return 0;
  double rel = s->relative + (double)s->n * eps;
  return rel < 0.25 ? 2 * rel * fabs(result) + tiny : INFINITY;
}

/* Of one part of a complex sum. */
static double part_error(reduction op, tsr_dtype part, double value, const cell *x, int64_t n,
                         bool imaginary)
{
  cell *parts = tsr__malloc((size_t)(n + 1) * sizeof *parts);
  for (int64_t i = 0; i < n; i++)
    parts[i] = (cell){.v.f = imaginary ? x[i].im : x[i].v.f, .err = x[i].err};
  const double err = cell_order_error(op, part, (cell){.v.f = value}, parts, n);
  free(parts);
  return err;
}

/* Of the extreme one: known if all are, but for the signs of zeros. */
static double extreme_error(cell value, const cell *cells, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    if (cells[i].err > 0) return INFINITY;
  return value.v.f == 0 || value.im == 0 ? DBL_TRUE_MIN : 0;
}

double cell_order_error(reduction op, tsr_dtype dtype, cell value, const cell *cells, int64_t n)
{
  if (is_complex(dtype)) {
    if (op == RED_MIN || op == RED_MAX) return extreme_error(value, cells, n);
    if (op == RED_PROD) return cell_product_error(dtype, value, cells, n);
    const tsr_dtype part = dtype_part(dtype);
    return fmax(part_error(op, part, value.v.f, cells, n, false),
                part_error(op, part, value.im, cells, n, true));
  }
  summary s = summarise(cells, n);
  double err = float_error(op, dtype, value.v.f, &s);
  return !isfinite(value.v.f) && err > 0 ? INFINITY : err;
}

/* Could another element be the extreme one? */
static double position_error(const group *g, part best)
{
  double err = 0;
  int64_t n = 1;
  for (int k = 0; k < g->n_axes; k++) n *= g->shape[k];
  for (int64_t i = 0; i < n; i++) {
    const cell *x = &g->cells[i];
    if (x->err == 0 && best.x.err == 0) continue;
    if (i == best.index && isfinite(x->err)) continue;
    bool apart = is_float(g->dtype) && fabs(x->v.f - best.x.v.f) > x->err + best.x.err;
    if (!apart) err = INFINITY;
  }
  return err;
}

cell cell_reduce(reduction op, tsr_dtype dtype, int n_axes, const int64_t *shape, const cell *cells)
{
  group g = {op, dtype, n_axes, shape, cells, -1, 0};
  int64_t n = 1, low[TSR_MAX_NDIM] = {0};
  int bits[TSR_MAX_NDIM] = {0};
  for (int k = 0; k < n_axes; k++) {
    n *= shape[k];
    while ((int64_t)1 << bits[k] < shape[k]) bits[k]++;
    if (bits[k] > 0) g.last = k;
  }
  if (g.last >= 0) g.low_bits = bits[g.last] < 6 ? bits[g.last] : 6;
  cell out = {.v.i = 0};
  if (n == 0) {
    bool one = op == RED_PROD || op == RED_ALL;
    if (dtype_rank(dtype) > 1)
      out.v.f = one;
    else
      out.v.i = one;
    return out;
  }
  part root = tree(&g, low, bits);
  out = root.x;
  if (is_float(dtype)) out.v.f = as_dtype(out.v.f, dtype); /* of float16 the tree's are float32 */
  if (is_complex(dtype) && op == RED_PROD) {
    const cell with_one[2] = {root.x, {.v.f = 1}};
    out = cell_map(TSR_OP_MULTIPLY, dtype, with_one);
  }
  if (op == RED_ARGMIN || op == RED_ARGMAX)
    return (cell){.v.i = root.index, .err = position_error(&g, root)};
  if (dtype_rank(dtype) > 1) {
    out.err = cell_order_error(op, dtype, out, cells, n);
    return out;
  }
  out.err = 0;
  bool decided = false;
  for (int64_t i = 0; i < n; i++) {
    if (isinf(cells[i].err)) out.err = INFINITY;
    bool decides = (op == RED_ANY && cells[i].v.i) || (op == RED_ALL && !cells[i].v.i);
    decided |= decides && cells[i].err == 0;
  }
  if (decided) out.err = 0;
  return out;
}
