/* Calls that compute: scans, differences, quantiles, ramps, random numbers, element by element from
 * their definitions. */
#include "calls.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

bool is_inexact_call(const program *p, const node *n)
{
  switch (n->index) {
  case CALL_PRODUCT:
    return is_float(n->type.dtype);
  case CALL_ISCLOSE:
    return is_complex(p->nodes[n->args[0]].type.dtype) ||
           is_complex(p->nodes[n->args[1]].type.dtype);
  case CALL_NORM: /* powers; the lengths of complex numbers are our hypot */
    return n->style == NORM_3 || n->style == NORM_LEAST_1 ||
           (n->style > NORM_0 && n->style != NORM_2 && is_complex(p->nodes[n->args[0]].type.dtype));
  case CALL_NORMAL:
  case CALL_EXPONENTIAL:
  case CALL_ANGLE:
  case CALL_LOGSPACE:
  case CALL_GEOMSPACE:
    return true;
  default:
    return false;
  }
}

/* Lines along the axis: element k of line l of an array of `length` there is at base + k inner. */
typedef struct lines {
  int64_t n, inner, length;
} lines;

static lines lines_of(const tsr_dims *shape, int axis)
{
  lines l = {1, 1, shape->n[axis]};
  for (int k = 0; k < shape->ndim; k++) {
    if (k != axis) l.n *= shape->n[k];
    if (k > axis) l.inner *= shape->n[k];
  }
  return l;
}

static int64_t line_base(const lines *l, int64_t line, int64_t length)
{
  return line / l->inner * l->inner * length + line % l->inner;
}

static int axis_of(const node *n, const dense *x)
{
  return n->axis < 0 ? n->axis + x->shape.ndim : n->axis;
}

/* Scans. */

/* An aligned block of 2^bits elements, by halves. */
static cell block(tsr_opcode op, tsr_dtype d, const cell *x, int bits)
{
  if (bits == 0) return *x;
  return cell_map2(op, d, block(op, d, x, bits - 1),
                   block(op, d, x + ((int64_t)1 << (bits - 1)), bits - 1));
}

/* The blocks that make up the first n, longest first. */
static cell prefix(tsr_opcode op, tsr_dtype d, const cell *x, int64_t n)
{
  cell sum = *x;
  int64_t done = 0;
  for (int bits = 62; bits >= 0; bits--) {
    if (!(n >> bits & 1)) continue;
    cell next = block(op, d, x + done, bits);
    sum = done == 0 ? next : cell_map2(op, d, sum, next);
    done += (int64_t)1 << bits;
  }
  return sum;
}

static void scan(const node *n, const dense *x, cell *out)
{
  static const tsr_opcode ops[][2] = {{TSR_OP_ADD},
                                      {TSR_OP_MULTIPLY},
                                      {TSR_OP_MAXIMUM, TSR_OP_FMAX},
                                      {TSR_OP_MINIMUM, TSR_OP_FMIN}};
  const int which = n->index - CALL_CUMSUM;
  tsr_opcode op = ops[which][which < 2 ? 0 : n->style];
  tsr_dtype d = n->type.dtype;
  lines l = lines_of(&x->shape, axis_of(n, x));
  cell *line = tsr__malloc((size_t)(l.length + 1) * sizeof *line);
  for (int64_t i = 0; i < l.n; i++) {
    int64_t base = line_base(&l, i, l.length);
    for (int64_t k = 0; k < l.length; k++)
      line[k] = cell_cast(x->cells[base + k * l.inner], x->dtype, d);
    for (int64_t k = 0; k < l.length; k++) {
      cell *to = &out[base + k * l.inner];
      bool sums = op == TSR_OP_ADD || op == TSR_OP_MULTIPLY;
      const tsr_dtype steps = sums && d == TSR_FLOAT16 ? TSR_FLOAT32 : d;
      *to = cell_cast(prefix(op, steps, line, k + 1), steps, d);
      if (sums && dtype_rank(d) > 1) /* NumPy goes from left to right */
        to->err = cell_order_error(op == TSR_OP_ADD ? RED_SUM : RED_PROD, d, *to, line, k + 1);
    }
  }
  free(line);
}

static void differences(const node *n, const dense *x, cell *out)
{
  lines l = lines_of(&x->shape, axis_of(n, x));
  tsr_opcode op = x->dtype == TSR_BOOL ? TSR_OP_NOT_EQUAL : TSR_OP_SUBTRACT;
  const int64_t before = n->style & DIFF_BEFORE, after = n->style & DIFF_AFTER ? 1 : 0;
  const int64_t all = before + l.length + after;
  cell *line = tsr__malloc((size_t)(all + 1) * sizeof *line);
  int64_t length = n->type.shape.n[axis_of(n, x)];
  for (int64_t i = 0; i < l.n; i++) {
    line[0] = line[before + l.length] = (cell){0};
    for (int64_t k = 0; k < l.length; k++)
      line[before + k] = x->cells[line_base(&l, i, l.length) + k * l.inner];
    for (int t = 0; t < n->by; t++)
      for (int64_t k = 0; k + t + 1 < all; k++)
        line[k] = cell_map2(op, x->dtype, line[k + 1], line[k]);
    for (int64_t k = 0; k < length; k++) out[line_base(&l, i, length) + k * l.inner] = line[k];
  }
  free(line);
}

/* Element by element. */

/* NumPy's rule: scaled, rounded, scaled back; integers in float64. */
static cell rounded(cell x, tsr_dtype dtype, int64_t decimals)
{
  tsr_dtype d = is_float(dtype) ? dtype : TSR_FLOAT64;
  if (!is_float(dtype) && decimals >= 0) return x;
  x = cell_cast(x, dtype, d);
  cell scale = {.v.f = 1};
  for (int64_t i = 0; i < llabs(decimals); i++) scale.v.f *= 10; /* exact: they are few */
  scale = cell_cast(scale, TSR_FLOAT64, d);
  if (decimals != 0) x = cell_map2(decimals < 0 ? TSR_OP_DIVIDE : TSR_OP_MULTIPLY, d, x, scale);
  x = cell_map(TSR_OP_RINT, d, &x);
  if (decimals != 0) x = cell_map2(decimals < 0 ? TSR_OP_MULTIPLY : TSR_OP_DIVIDE, d, x, scale);
  return cell_cast(x, d, dtype);
}

static cell rounded_parts(cell x, tsr_dtype dtype, int64_t decimals)
{
  if (!is_complex(dtype)) return rounded(x, dtype, decimals);
  const tsr_dtype d = dtype_part(dtype);
  const cell re = rounded((cell){.v.f = x.v.f, .err = x.err}, d, decimals);
  const cell im = rounded((cell){.v.f = x.im, .err = x.err}, d, decimals);
  return (cell){.v.f = re.v.f, .im = im.v.f, .err = fmax(re.err, im.err)};
}

static cell parted(cell x, tsr_dtype d, int64_t which)
{
  cell whole = cell_map(TSR_OP_TRUNC, d, &x);
  if (which == 1) return whole;
  cell rest = isinf(x.v.f) ? (cell){.err = x.err} : cell_map2(TSR_OP_SUBTRACT, d, x, whole);
  return cell_map2(TSR_OP_COPYSIGN, d, rest, x);
}

static void each(const node *n, const dense *x, cell *out)
{
  int64_t size = dims_size(&x->shape);
  for (int64_t i = 0; i < size; i++)
    out[i] = n->index == CALL_ROUND
                 ? rounded_parts(x->cells[i], x->dtype, n->by)
                 : parted(cell_cast(x->cells[i], x->dtype, n->type.dtype), n->type.dtype, n->by);
}

/* Rows, columns and what is summed: "ak,kj->aj". */
void product_labels(int style, int ndim, int second_ndim, char out[16])
{
  const int rows = ndim - 1, kept = style == PRODUCT_SUMMED ? 0 : rows;
  const char *columns = second_ndim == 2 ? "j" : "";
  snprintf(out, 16, "%.*sk,k%s->%.*s%s", rows, "ab", columns, kept, "ab", columns);
}

/* Sums of products in any order, with one rounding each or two. */
static void products(const node *n, const dense *x, cell *out)
{
  const tsr_dtype d = n->type.dtype;
  const int64_t length = x[1].shape.n[0], columns = x[1].shape.ndim == 2 ? x[1].shape.n[1] : 1;
  const int64_t size = dims_size(&n->type.shape);
  int64_t n_terms = length;
  for (int k = 0; n->style == PRODUCT_SUMMED && k < x->shape.ndim - 1; k++)
    n_terms *= x->shape.n[k];
  cell *terms = tsr__malloc((size_t)(n_terms + 1) * sizeof *terms);
  for (int64_t i = 0; i < size; i++) {
    cell sum = {.v.i = 0};
    double all = 0;
    for (int64_t k = 0; k < n_terms; k++) {
      const cell a = x[0].cells[i / columns * length + k];
      const cell b = x[1].cells[k % length * columns + i % columns];
      terms[k] =
          cell_map2(TSR_OP_MULTIPLY, d, cell_cast(a, x[0].dtype, d), cell_cast(b, x[1].dtype, d));
      sum = k == 0 ? terms[k] : cell_map2(TSR_OP_ADD, d, sum, terms[k]);
      if (!is_float(d)) continue;
      all += fabs(terms[k].v.f);
      if (n_terms > length) all += fabs(a.v.f);
    }
    if (is_float(d) && n_terms > 0) {
      sum.err = cell_order_error(RED_SUM, d, sum, terms, n_terms) +
                2 * (all * dtype_epsilon(d) + (double)n_terms * dtype_tiny(d));
      if (!(all < dtype_most(d) / 4)) sum.err = INFINITY;
    }
    out[i] = sum;
  }
  free(terms);
}

/* Quantiles. */

static int by_value(const void *a, const void *b)
{
  double x = ((const cell *)a)->v.f, y = ((const cell *)b)->v.f;
  return x < y ? -1 : x > y;
}

/* The place of a quantile in the order of `count` elements, from 0, by NumPy's definitions. */
static double place_of(const node *n, int64_t count)
{
  static const double shares[METHOD_INVERTED][2] = {
      {1, 1}, {0, 1}, {0.5, 0.5}, {0, 0}, {1.0 / 3, 1.0 / 3}, {3.0 / 8, 3.0 / 8}};
  const double q = n->value[0].f, all = (double)count, at = q * (all - 1);
  const double last =
      ceil(q * all) - 1; /* the first element that q of the elements do not exceed */
  double place = at;
  if (n->style > METHOD_LINEAR && n->style < METHOD_INVERTED) {
    const double *s = shares[n->style];
    place = all * q + (s[0] + q * (1 - s[0] - s[1])) - 1;
  } else if (n->style >= METHOD_INVERTED) {
    const double of[] = {last,
                         nearbyint(q * all) - 1,
                         floor(at),
                         ceil(at),
                         nearbyint(at),
                         (floor(at) + ceil(at)) / 2,
                         q * all == ceil(q * all) ? last + 0.5 : last};
    place = of[n->style - METHOD_INVERTED];
  }
  return place < 0 ? 0 : place > all - 1 ? all - 1 : place;
}

/* Of values as float64, which are sorted here. An order statistic moves no further than the values
 * do. */
static cell quantile(const node *n, cell *x, int64_t count)
{
  double err = 0;
  bool nan = false, open = false;
  for (int64_t i = 0; i < count; i++) {
    open |= isinf(x[i].err);
    if (x[i].err > err) err = x[i].err;
    nan |= isnan(x[i].v.f);
  }
  if (nan && (n->index == CALL_NANMEDIAN || n->index == CALL_NANQUANTILE)) {
    int64_t left = 0;
    for (int64_t i = 0; i < count; i++)
      if (!isnan(x[i].v.f)) x[left++] = x[i];
    nan = left == 0;
    count = left;
  }
  if (nan) return (cell){.v.f = NAN, .err = open ? INFINITY : 0};
  qsort(x, (size_t)count, sizeof *x, by_value);
  bool is_median = n->index == CALL_MEDIAN || n->index == CALL_NANMEDIAN;
  double at = is_median ? (double)(count - 1) / 2 : place_of(n, count);
  int64_t k = (int64_t)floor(at);
  double a = x[k].v.f + 0.0, t = at - (double)k, b = t > 0 ? x[k + 1].v.f + 0.0 : a, value = a;
  if (t > 0 && is_median)
    value = (a + b) / 2;
  else if (a != b)
    value = t >= 0.5 ? b - (b - a) * (1 - t) : a + (b - a) * t;
  double reach = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
  const tsr_dtype d = n->type.dtype;
  /* NumPy's quantile of infinite numbers is NaN, for it goes from one to the next by their
   * difference. */
  bool wide = !(reach < dtype_most(d) / 4), steps = t > 0 || n->index != CALL_MEDIAN;
  /* NumPy's is of float32 in all steps; which zero is chosen is open. */
  err += t > 0 || err > 0 ? 4 * (reach * dtype_epsilon(d) + dtype_tiny(d))
         : value == 0     ? 1e-300
                          : 0;
  if (open || (wide && steps)) err = INFINITY;
  return (cell){.v.f = value, .err = err};
}

static void select_values(const node *n, const dense *x, cell *out)
{
  int ndim = x->shape.ndim;
  tsr_dims kept = x->shape, group = x->shape;
  bool reduced[TSR_MAX_NDIM];
  for (int k = 0; k < ndim; k++) {
    reduced[k] = n->axes.n < 0;
    for (int i = 0; i < n->axes.n; i++) reduced[k] |= (n->axes.axis[i] + ndim) % ndim == k;
    *(reduced[k] ? &kept.n[k] : &group.n[k]) = 1;
  }
  int64_t count = dims_size(&group), n_results = dims_size(&kept), total = dims_size(&x->shape);
  cell *groups = tsr__malloc((size_t)(total + 1) * sizeof *groups);
  int64_t *filled = tsr__calloc((size_t)n_results + 1, sizeof *filled);
  for (int64_t i = 0; i < total; i++) {
    int64_t to = 0, left = i, stride = 1;
    for (int k = ndim - 1; k >= 0; left /= x->shape.n[k--]) {
      if (reduced[k]) continue;
      to += left % x->shape.n[k] * stride;
      stride *= x->shape.n[k];
    }
    groups[to * count + filled[to]++] = cell_cast(x->cells[i], x->dtype, TSR_FLOAT64);
  }
  for (int64_t i = 0; i < n_results; i++)
    out[i] = cell_cast(quantile(n, groups + i * count, count), TSR_FLOAT64, n->type.dtype);
  free(filled);
  free(groups);
}

/* Functions of the index. */

static double number(const scalar *s)
{
  return s->kind == SCALAR_FLOAT ? s->f : (double)s->i;
}

/* NumPy's steps, in float64. */
static double space(const node *n, double start, double stop, int64_t i)
{
  double delta = stop - start;
  int64_t num = n->shape.n[0], div = n->style ? num - 1 : num;
  double step = delta / (double)div, y = (double)i;
  if (n->style && num > 1 && i == num - 1) return stop;
  if (div > 0 && step == 0)
    y = y / (double)div * delta;
  else
    y = y * (div > 0 ? step : delta);
  return y + start;
}

static cell f64(double x)
{
  return (cell){.v.f = x};
}

/* loc + scale x; what changes nothing is left out. */
static cell placed(cell x, double loc, double scale, tsr_dtype d)
{
  if (scale != 1) x = cell_map2(TSR_OP_MULTIPLY, d, x, cell_cast(f64(scale), TSR_FLOAT64, d));
  if (loc != 0) x = cell_map2(TSR_OP_ADD, d, cell_cast(f64(loc), TSR_FLOAT64, d), x);
  return x;
}

static cell drawn(const node *n, int64_t i)
{
  const tsr_dtype D = TSR_FLOAT64;
  uint64_t bits[2];
  random_bits((uint64_t)i, (uint64_t)n->by, n->seed, bits);
  double low = number(&n->value[0]), high = number(&n->value[1]);
  double u = (double)(bits[0] >> 11) * 0x1p-53, v = (double)(bits[1] >> 11);
  cell x;
  switch (n->index) {
  case CALL_UNIFORM:
    if (n->dtype == TSR_FLOAT32) u = (double)(bits[0] >> 40) * 0x1p-24;
    return placed(f64(u), low, high - low, n->dtype);
  case CALL_INTEGERS:
    x.v.i = random_below(bits, (uint64_t)n->value[1].i - (uint64_t)n->value[0].i);
    x = (cell){.v.i = (int64_t)((uint64_t)n->value[0].i + (uint64_t)x.v.i)};
    return cell_cast(x, TSR_INT64, n->dtype);
  case CALL_CHOICE:
    return (cell){.v.i = random_below(bits, (uint64_t)n->value[0].i)};
  case CALL_EXPONENTIAL:
    x = f64(-u);
    x = cell_map(TSR_OP_LOG1P, D, &x);
    x = cell_map(TSR_OP_NEGATIVE, D, &x);
    return cell_cast(placed(x, 0, high, D), D, n->dtype);
  default: {
    cell radius = f64(1 - u), angle = f64(v * 0x1.921fb54442d18p-51);
    radius = cell_map(TSR_OP_LOG, D, &radius);
    radius = cell_map2(TSR_OP_MULTIPLY, D, radius, f64(-2));
    radius = cell_map(TSR_OP_SQRT, D, &radius);
    angle = cell_map(TSR_OP_COS, D, &angle);
    return cell_cast(placed(cell_map2(TSR_OP_MULTIPLY, D, radius, angle), low, high, D), D,
                     n->dtype);
  }
  }
}

/* Powers at equal distances. NumPy's logarithm of an end may be another by its last bits. */
static cell powers(const node *n, int64_t i)
{
  const bool is_log = n->index == CALL_LOGSPACE;
  double start = number(&n->value[0]), stop = number(&n->value[1]);
  const double sign = !is_log && start < 0 && stop < 0 ? -1 : 1;
  const int64_t num = n->shape.n[0];
  cell y = f64(0);
  if (!is_log && (i == 0 || (n->style && i == num - 1))) {
    y.v.f = i == 0 ? start : stop;
    return cell_cast(y, TSR_FLOAT64, n->dtype);
  }
  if (!is_log) {
    start = log10(sign * start);
    stop = log10(sign * stop);
    const double most = fabs(start) + fabs(stop);
    y.err = isnan(most) ? 0 : 16 * DBL_EPSILON * most;
  }
  y.v.f = space(n, start, stop, i);
  y = cell_map2(TSR_OP_POWER, TSR_FLOAT64, f64(is_log ? n->value[2].f : 10), y);
  if (sign < 0) y = cell_map(TSR_OP_NEGATIVE, TSR_FLOAT64, &y);
  return cell_cast(y, TSR_FLOAT64, n->dtype);
}

static cell made(const node *n, int64_t i)
{
  const tsr_dims *shape = &n->type.shape;
  if (n->index >= CALL_UNIFORM) return drawn(n, i);
  if (n->index == CALL_LINSPACE) {
    double y = space(n, number(&n->value[0]), number(&n->value[1]), i);
    return cell_cast(f64(is_float(n->dtype) ? y : floor(y)), TSR_FLOAT64, n->dtype);
  }
  if (n->index == CALL_LOGSPACE || n->index == CALL_GEOMSPACE) return powers(n, i);
  if (n->index == CALL_INDICES) {
    int64_t which = i / (dims_size(shape) / shape->n[0]), index = 0;
    for (int k = shape->ndim - 1; k > which; i /= shape->n[k--]) index = i % shape->n[k];
    return cell_cast((cell){.v.i = index}, TSR_INT64, n->dtype);
  }
  int64_t off = i % shape->n[1] - i / shape->n[1];
  bool is = n->index == CALL_EYE ? off == n->by : off <= n->by;
  return cell_cast((cell){.v.i = is}, TSR_INT64, n->dtype);
}

void call_values(const node *n, const dense *x, cell *out)
{
  int64_t size = dims_size(&n->type.shape);
  const bool in_order = n->index == CALL_ORDER || (n->index == CALL_CHOICE && !n->style);
  if (in_order && size > 0) {
    const int64_t length = n->index == CALL_ORDER ? size : n->value[0].i;
    int64_t *order = drawn_order(n, length, size);
    for (int64_t i = 0; i < size; i++) out[i] = (cell){.v.i = order[i]};
    free(order);
    return;
  }
  if (n->index == CALL_DIFF)
    differences(n, x, out);
  else if (n->index == CALL_ROUND || n->index == CALL_MODF)
    each(n, x, out);
  else if (n->index == CALL_PRODUCT)
    products(n, x, out);
  else if (n->index == CALL_MEDIAN || n->index == CALL_QUANTILE || n->index == CALL_NANMEDIAN ||
           n->index == CALL_NANQUANTILE)
    select_values(n, x, out);
  else if (n->index >= CALL_ANGLE && n->index <= CALL_OUTER)
    composed_values(n, x, out);
  else if (n->index >= CALL_AVERAGE && n->index <= CALL_TASK)
    statistic_values(n, x, out);
  else if (n->index == CALL_MASKED)
    masked_values(n, x, out);
  else if (n->index == CALL_BORDER)
    border_values(n, x, out);
  else if (n->index < N_OF_ARRAYS)
    scan(n, x, out);
  else
    for (int64_t i = 0; i < size; i++) out[i] = made(n, i);
}
