/* Calls that are made of reductions and operations: averages, norms, integrals, products, the
 * user's reductions and tasks. The same steps as the library's, one group of elements at a time. */
#include "calls.h"
#include "check_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

const double norm_orders[N_NORMS] = {0, 0, 1, 2, 3, INFINITY, -INFINITY, -1};

/* Checks. */

/* The axes that go. */
static bool reduced_axes(const tsr_axes *axes, int ndim, unsigned *mask)
{
  *mask = axes->n < 0 ? (1u << ndim) - 1 : 0;
  for (int i = 0; i < axes->n; i++) {
    int axis = axes->axis[i] + (axes->axis[i] < 0 ? ndim : 0);
    if (axis < 0 || axis >= ndim || *mask >> axis & 1) return false;
    *mask |= 1u << axis;
  }
  return true;
}

bool reduced_shape(const node *n, const tsr_dims *x, tsr_dims *out, int64_t *n_reduced)
{
  unsigned mask;
  if (!reduced_axes(&n->axes, x->ndim, &mask)) return false;
  out->ndim = 0;
  *n_reduced = 1;
  for (int k = 0; k < x->ndim; k++) {
    if (mask >> k & 1) *n_reduced *= x->n[k];
    if (!(mask >> k & 1) || n->axes.keepdims) out->n[out->ndim++] = mask >> k & 1 ? 1 : x->n[k];
  }
  return true;
}

static bool check_weights(const node *n, const tsr_dims *x, const tsr_dims *w)
{
  bool fits = n->axes.n > 0 && w->ndim == n->axes.n;
  if (dims_equal(x, w)) return true;
  for (int i = 0; i < w->ndim && fits; i++)
    fits = x->n[(n->axes.axis[i] + x->ndim) % x->ndim] == w->n[i];
  return fits;
}

/* Of an order: over one axis, of those that matrices have over two. */
static bool check_norm(const node *n, const tsr_dims *x, int64_t n_reduced)
{
  const int n_axes = n->axes.n < 0 ? x->ndim : n->axes.n;
  const bool of_matrices = n->style == NORM_1 || n->style >= NORM_MOST;
  if (n->style < 0 || n->style >= N_NORMS || (n_reduced == 0 && n->style != NORM_PLAIN))
    return false;
  if (n->style == NORM_PLAIN) return n->axes.n < 0 || n_axes == 1 || n_axes == 2;
  return n_axes == 1 || (n_axes == 2 && of_matrices);
}

/* What the areas are computed in: as NumPy, bools and integers as they are, until they are halved.
 */
static tsr_dtype area_dtype(const node *n, tsr_dtype y, tsr_dtype x)
{
  const type sum = {.is_array = true, .dtype = y},
             distance = n->n_args > 1 ? (type){.is_array = true, .dtype = x}
                                      : (type){.kind = n->value[0].kind};
  return promote_types(&distance, &sum);
}

static bool check_trapezoid(const node *n, const type *y, const type *x, type *out)
{
  const int ndim = y->shape.ndim, axis = n->axis < 0 ? n->axis + ndim : n->axis;
  if (axis < 0 || axis >= ndim || n->n_args > 2) return false;
  if (n->n_args == 2 && !dims_equal(&x->shape, &y->shape) &&
      (x->shape.ndim != 1 || x->shape.n[0] != y->shape.n[axis]))
    return false;
  out->dtype = dtype_float(area_dtype(n, y->dtype, x->dtype));
  out->shape.ndim--;
  for (int k = axis; k < out->shape.ndim; k++) out->shape.n[k] = out->shape.n[k + 1];
  return true;
}

static bool check_fold(const node *n, const type *x)
{
  if (n->style < 0 || n->style >= N_FOLDS || x->dtype == TSR_FLOAT16) return false;
  return (n->style == FOLD_SQUARES || n->style == FOLD_TEXT) || !is_complex(x->dtype);
}

bool task_takes(tsr_dtype d)
{
  return d == TSR_FLOAT64 || d == TSR_FLOAT32 || d == TSR_INT64 || d == TSR_INT32;
}

enum { N_SIGNS = 4 };

static bool check_task(const node *n, const type *x, const type *y, type *out)
{
  const bool reduces = n->style == TASK_MOST || n->style == TASK_NUMBERS;
  if (n->n_args != 2 || n->style < 0 || n->style >= N_TASKS || !task_takes(x->dtype)) return false;
  if (x->dtype != y->dtype || !dims_equal(&x->shape, &y->shape) || x->shape.ndim == 0) return false;
  if (reduces) out->shape.ndim = 0;
  if (n->style == TASK_NUMBERS || n->style == TASK_SIGNS) out->dtype = TSR_INT64;
  if (n->style == TASK_SIGNS) {
    if (out->shape.ndim == TSR_MAX_NDIM) return false;
    out->shape = (tsr_dims){.ndim = 1, .n = {N_SIGNS}};
  }
  return dims_size(&x->shape) > 0;
}

bool check_statistic(const program *p, const node *n, type *out)
{
  const type *x = &p->nodes[n->args[0]].type, *y = &p->nodes[n->args[n->n_args - 1]].type;
  int64_t n_reduced = 0;
  *out = (type){.is_array = true, .dtype = x->dtype, .shape = x->shape};
  if (n->index == CALL_TRAPEZOID) return check_trapezoid(n, x, y, out);
  if (n->index == CALL_TASK) return check_task(n, x, y, out);
  if (n->index == CALL_VDOT) {
    *out = (type){.is_array = true, .dtype = promote_arrays(x->dtype, y->dtype)};
    return n->n_args == 2 && dims_size(&x->shape) == dims_size(&y->shape);
  }
  if (!reduced_shape(n, &x->shape, &out->shape, &n_reduced)) return false;
  if (n->index == CALL_NORM) {
    out->dtype = dtype_part(dtype_float(x->dtype));
    return n->n_args == 1 && check_norm(n, &x->shape, n_reduced);
  }
  if (n->index == CALL_AVERAGE) {
    out->dtype = promote_arrays(dtype_float(x->dtype), y->dtype);
    return n->n_args == 2 && check_weights(n, &x->shape, &y->shape);
  }
  if (n->style == FOLD_FINISH) out->dtype = TSR_FLOAT64;
  return n->n_args == 1 && n_reduced > 0 && check_fold(n, x);
}

/* Groups. */

groups grouped(const tsr_axes *axes, const tsr_dims *shape, const cell *cells, tsr_dtype from,
               tsr_dtype dtype)
{
  groups g = {.size = 1};
  unsigned mask;
  int64_t n_results = 1, total = dims_size(shape);
  reduced_axes(axes, shape->ndim, &mask);
  for (int k = 0; k < shape->ndim; k++) {
    if (mask >> k & 1)
      g.size *= g.shape.n[g.shape.ndim++] = shape->n[k];
    else
      n_results *= shape->n[k];
  }
  g.cells = tsr__malloc((size_t)(total + 1) * sizeof *g.cells);
  int64_t *filled = tsr__calloc((size_t)n_results + 1, sizeof *filled);
  for (int64_t i = 0; i < total; i++) {
    int64_t to = 0, left = i, stride = 1;
    for (int k = shape->ndim - 1; k >= 0; left /= shape->n[k--]) {
      if (mask >> k & 1) continue;
      to += left % shape->n[k] * stride;
      stride *= shape->n[k];
    }
    g.cells[to * g.size + filled[to]++] = cell_cast(cells[i], from, dtype);
  }
  free(filled);
  return g;
}

static cell reduce(reduction op, tsr_dtype d, const tsr_dims *shape, const cell *x)
{
  return cell_reduce(op, d, shape->ndim, shape->n, x);
}

/* Averages. */

/* The weights of all elements; malloc'd. */
static cell *weights_of(const node *n, const dense *x, const dense *w)
{
  const int64_t size = dims_size(&x->shape);
  cell *out = tsr__malloc((size_t)(size + 1) * sizeof *out);
  const bool along = !dims_equal(&x->shape, &w->shape);
  int64_t stride[TSR_MAX_NDIM] = {0}, step = 1; /* of each axis of x in w */
  for (int i = w->shape.ndim - 1; i >= 0; step *= w->shape.n[i--])
    stride[along ? (n->axes.axis[i] + x->shape.ndim) % x->shape.ndim : i] = step;
  for (int64_t i = 0; i < size; i++) {
    int64_t at = 0, left = i;
    for (int k = x->shape.ndim - 1; k >= 0; left /= x->shape.n[k--])
      at += left % x->shape.n[k] * stride[k];
    out[i] = w->cells[at];
  }
  return out;
}

static void averages(const node *n, const dense *x, cell *out)
{
  const tsr_dtype d = n->type.dtype;
  cell *weights = weights_of(n, x, x + 1);
  groups g = grouped(&n->axes, &x->shape, x->cells, x->dtype, d);
  groups w = grouped(&n->axes, &x->shape, weights, x[1].dtype, d);
  const int64_t size = dims_size(&n->type.shape);
  for (int64_t i = 0; i < size; i++) {
    cell *a = g.cells + i * g.size, *b = w.cells + i * g.size;
    for (int64_t k = 0; k < g.size; k++) a[k] = cell_map2(TSR_OP_MULTIPLY, d, a[k], b[k]);
    out[i] = cell_map2(TSR_OP_DIVIDE, d, reduce(RED_SUM, d, &g.shape, a),
                       reduce(RED_SUM, d, &g.shape, b));
  }
  free(g.cells);
  free(w.cells);
  free(weights);
}

/* Norms. */

/* |x|^2, rounded as the library does. */
static cell squared(tsr_dtype d, cell x)
{
  const tsr_dtype part = dtype_part(d);
  if (!is_complex(d)) return cell_map2(TSR_OP_MULTIPLY, d, x, x);
  const cell re = {.v.f = x.v.f, .err = x.err}, im = {.v.f = x.im, .err = x.err};
  return cell_map2(TSR_OP_ADD, part, cell_map2(TSR_OP_MULTIPLY, part, re, re),
                   cell_map2(TSR_OP_MULTIPLY, part, im, im));
}

/* NumPy's may round a product and a sum at once, or the parts of complex numbers apart. */
static double square_error(const groups *g, bool whole, tsr_dtype part, cell sum, const cell *x)
{
  double all = 0;
  for (int64_t k = 0; k < g->size; k++) {
    if (isnan(x[k].v.f) && x[k].err == 0) return 0;
    all += fabs(x[k].v.f);
  }
  if (g->size == 0 || (g->size == 1 && !whole)) return sum.err;
  if (!(all < dtype_most(part) / 8)) return INFINITY;
  return 3 * sum.err + 4 * all * dtype_epsilon(part) + 4 * (double)g->size * dtype_tiny(part);
}

static cell vector_norm(const node *n, const groups *g, tsr_dtype d, cell *x)
{
  const tsr_dtype part = dtype_part(d);
  const double order = norm_orders[n->style];
  if (n->style == NORM_PLAIN || n->style == NORM_2) {
    for (int64_t k = 0; k < g->size; k++) x[k] = squared(d, x[k]);
    cell sum = reduce(RED_SUM, part, &g->shape, x);
    sum.err = square_error(g, is_complex(d), part, sum, x);
    return cell_map(TSR_OP_SQRT, part, &sum);
  }
  if (n->style == NORM_0) {
    for (int64_t k = 0; k < g->size; k++)
      x[k] = cell_map2(TSR_OP_NOT_EQUAL, d, x[k], (cell){.v.i = 0});
    cell count = reduce(RED_SUM, TSR_INT64, &g->shape, x);
    count = cell_cast(count, TSR_INT64, part);
    if (part == TSR_FLOAT16 && count.v.f > 2048) count.err = INFINITY; /* NumPy counts in halves */
    return count;
  }
  for (int64_t k = 0; k < g->size; k++) x[k] = cell_map(TSR_OP_ABSOLUTE, d, &x[k]);
  if (isinf(order)) return reduce(order > 0 ? RED_MAX : RED_MIN, part, &g->shape, x);
  if (order == 1) return reduce(RED_SUM, part, &g->shape, x);
  const cell up = {.v.f = as_dtype(order, part)}, down = {.v.f = as_dtype(1 / order, part)};
  for (int64_t k = 0; k < g->size; k++) x[k] = cell_map2(TSR_OP_POWER, part, x[k], up);
  return cell_map2(TSR_OP_POWER, part, reduce(RED_SUM, part, &g->shape, x), down);
}

/* The sums of rows or columns, of which the largest or the least. */
static cell matrix_norm(const node *n, const groups *g, tsr_dtype d, cell *x, bool turned)
{
  const tsr_dtype part = dtype_part(d);
  const double order = norm_orders[n->style];
  const bool along_rows = (isinf(order) != 0) != turned; /* the second axis is summed */
  const int64_t rows = g->shape.n[0], columns = g->shape.n[1];
  const int64_t n_sums = along_rows ? rows : columns, length = along_rows ? columns : rows;
  const tsr_dims line = {.ndim = 1, .n = {length}}, lines = {.ndim = 1, .n = {n_sums}};
  cell *sums = tsr__malloc((size_t)(n_sums + 1) * sizeof *sums);
  cell *terms = tsr__malloc((size_t)(length + 1) * sizeof *terms);
  for (int64_t i = 0; i < n_sums; i++) {
    for (int64_t k = 0; k < length; k++)
      terms[k] = cell_map(TSR_OP_ABSOLUTE, d, &x[along_rows ? i * columns + k : k * columns + i]);
    sums[i] = reduce(RED_SUM, part, &line, terms);
  }
  const cell out = reduce(order > 0 ? RED_MAX : RED_MIN, part, &lines, sums);
  free(terms);
  free(sums);
  return out;
}

static void norms(const node *n, const dense *x, cell *out)
{
  const tsr_dtype d = dtype_float(x->dtype);
  groups g = grouped(&n->axes, &x->shape, x->cells, x->dtype, d);
  const int64_t size = dims_size(&n->type.shape), ndim = x->shape.ndim;
  const bool of_matrix = n->style != NORM_PLAIN && g.shape.ndim == 2;
  const bool turned =
      n->axes.n == 2 && (n->axes.axis[0] + ndim) % ndim > (n->axes.axis[1] + ndim) % ndim;
  for (int64_t i = 0; i < size; i++) {
    cell *group = g.cells + i * g.size;
    out[i] = of_matrix ? matrix_norm(n, &g, d, group, turned) : vector_norm(n, &g, d, group);
  }
  free(g.cells);
}

/* Integrals, products. */

static cell distance(const node *n, const dense *x, tsr_dtype d, cell right, cell left)
{
  if (n->n_args == 1) {
    cell by = {.v.i = n->value[0].i};
    if (n->value[0].kind == SCALAR_FLOAT) by.v.f = n->value[0].f;
    return cell_cast(by, scalar_dtype(n->value[0].kind), d);
  }
  const tsr_opcode op = x->dtype == TSR_BOOL ? TSR_OP_NOT_EQUAL : TSR_OP_SUBTRACT;
  return cell_cast(cell_map2(op, x->dtype, right, left), x->dtype, d);
}

static void integrals(const node *n, const dense *x, cell *out)
{
  const int ndim = x->shape.ndim, axis = n->axis < 0 ? n->axis + ndim : n->axis;
  const int64_t length = x->shape.n[axis], size = dims_size(&n->type.shape);
  const tsr_dtype d = area_dtype(n, x->dtype, x[n->n_args - 1].dtype), halved = n->type.dtype;
  const tsr_dims line = {.ndim = 1, .n = {length > 0 ? length - 1 : 0}};
  const bool along = n->n_args == 2 && !dims_equal(&x[1].shape, &x->shape);
  cell *areas = tsr__malloc((size_t)(length + 1) * sizeof *areas);
  int64_t inner = 1;
  for (int k = axis + 1; k < ndim; k++) inner *= x->shape.n[k];
  for (int64_t i = 0; i < size; i++) {
    const int64_t base = i / inner * inner * length + i % inner;
    for (int64_t k = 0; k + 1 < length; k++) {
      const int64_t left = base + k * inner, right = left + inner;
      const cell none = {.v.i = 0}, *p = n->n_args == 2 ? x[1].cells : &none;
      const cell by = n->n_args == 2
                          ? distance(n, x + 1, d, p[along ? k + 1 : right], p[along ? k : left])
                          : distance(n, x, d, none, none);
      cell sum = cell_map2(TSR_OP_ADD, x->dtype, x->cells[right], x->cells[left]);
      sum = cell_map2(TSR_OP_MULTIPLY, d, by, cell_cast(sum, x->dtype, d));
      areas[k] = cell_map2(TSR_OP_DIVIDE, halved, cell_cast(sum, d, halved),
                           cell_cast((cell){.v.f = 2}, TSR_FLOAT64, halved));
    }
    out[i] = reduce(RED_SUM, halved, &line, areas);
  }
  free(areas);
}

static cell vdot(const node *n, const dense *x)
{
  const tsr_dtype d = n->type.dtype;
  const int64_t size = dims_size(&x->shape);
  const tsr_dims flat = {.ndim = 1, .n = {size}};
  const tsr_dims *shape = dims_equal(&x->shape, &x[1].shape) ? &x->shape : &flat;
  cell *terms = tsr__malloc((size_t)(size + 1) * sizeof *terms);
  double all = 0;
  for (int64_t i = 0; i < size; i++) {
    cell a = x->cells[i];
    if (is_complex(x->dtype)) a = cell_map(TSR_OP_CONJ, x->dtype, &a);
    terms[i] = cell_map2(TSR_OP_MULTIPLY, d, cell_cast(a, x->dtype, d),
                         cell_cast(x[1].cells[i], x[1].dtype, d));
    if (dtype_rank(d) > 1) all += hypot(terms[i].v.f, terms[i].im);
  }
  cell sum;
  if (dtype_rank(d) > 1) {
    sum = reduce(RED_SUM, d, shape, terms);
    sum.err = 2 * sum.err + 4 * (all * dtype_epsilon(d) + (double)size * dtype_tiny(d));
    if (!(all < dtype_most(d) / 4)) sum.err = INFINITY;
  } else {
    const tsr_dtype wide = d == TSR_BOOL ? d : dtype_sum(d);
    for (int64_t i = 0; i < size; i++) terms[i] = cell_cast(terms[i], d, wide);
    sum = cell_cast(reduce(d == TSR_BOOL ? RED_ANY : RED_SUM, wide, shape, terms), wide, d);
  }
  free(terms);
  return sum;
}

/* The user's reductions and tasks. */

/* Neighbours first, then those that stand for two, four, …; the last axis first. */
static cell by_text(const groups *g, tsr_dtype d, cell *x)
{
  int64_t stride = 1;
  for (int axis = g->shape.ndim - 1; axis >= 0; stride *= g->shape.n[axis--]) {
    const int64_t length = g->shape.n[axis];
    for (int64_t far = 1; far < length; far *= 2)
      for (int64_t at = 0; at + far < length; at += 2 * far)
        for (int64_t i = 0; i < g->size; i += stride * length) {
          cell *a = x + i + at * stride, *b = a + far * stride;
          const cell product = cell_map2(TSR_OP_MULTIPLY, d, *a, *b);
          *a = cell_map2(TSR_OP_ADD, d, cell_map2(TSR_OP_ADD, d, *a, *b), product);
        }
  }
  return *x;
}

static cell folded(const node *n, const groups *g, tsr_dtype d, cell *x)
{
  const tsr_dtype wide = dtype_sum(d);
  cell sum;
  switch (n->style) {
  case FOLD_SQUARES:
    for (int64_t k = 0; k < g->size; k++)
      x[k] = cell_cast(cell_map2(TSR_OP_MULTIPLY, d, x[k], x[k]), d, wide);
    return cell_cast(reduce(RED_SUM, wide, &g->shape, x), wide, d);
  case FOLD_MOST:
    return reduce(RED_MAX, d, &g->shape, x);
  case FOLD_TEXT:
    return by_text(g, d, x);
  default: { /* 1 is an integer: of bools it makes integers */
    const tsr_dtype e = d == TSR_BOOL ? TSR_INT64 : d;
    const cell one = cell_cast((cell){.v.i = 1}, TSR_INT64, e);
    for (int64_t k = 0; k < g->size; k++) {
      x[k] = cell_cast(cell_map2(TSR_OP_MULTIPLY, d, x[k], x[k]), d, e);
      x[k] = cell_cast(cell_map2(TSR_OP_ADD, e, x[k], one), e, TSR_FLOAT64);
    }
    sum = reduce(RED_SUM, TSR_FLOAT64, &g->shape, x);
    return cell_map(TSR_OP_SQRT, TSR_FLOAT64, &sum);
  }
  }
}

static void folds(const node *n, const dense *x, cell *out)
{
  groups g = grouped(&n->axes, &x->shape, x->cells, x->dtype, x->dtype);
  const int64_t size = dims_size(&n->type.shape);
  for (int64_t i = 0; i < size; i++) out[i] = folded(n, &g, x->dtype, g.cells + i * g.size);
  free(g.cells);
}

static cell point(const node *n, const dense *x, int64_t i)
{
  const tsr_dtype d = x->dtype;
  const cell *a = x->cells, *b = x[1].cells, two = cell_cast((cell){.v.i = 2}, TSR_INT64, d);
  const int64_t size = dims_size(&x->shape), row = x->shape.n[x->shape.ndim - 1];
  switch (n->style) {
  case TASK_POINTS:
    return cell_map2(TSR_OP_ADD, d, cell_map2(TSR_OP_MULTIPLY, d, two, a[i]), b[i]);
  case TASK_HALO:
    return cell_map2(TSR_OP_ADD, d, a[i % row > 0 ? i - 1 : i], a[i % row + 1 < row ? i + 1 : i]);
  case TASK_INOUT:
    return cell_map2(TSR_OP_ADD, d, a[i], cell_map2(TSR_OP_MULTIPLY, d, two, b[i]));
  default: /* TASK_RAW */
    return cell_map2(TSR_OP_ADD, d, a[i], b[size - 1 - i]);
  }
}

/* How many elements have the sign: below 0, 0, above, none of these. */
static cell signs(const dense *x, int sign, cell *is)
{
  static const tsr_opcode ops[N_SIGNS] = {TSR_OP_LESS, TSR_OP_EQUAL, TSR_OP_GREATER,
                                          TSR_OP_NOT_EQUAL};
  const int64_t size = dims_size(&x->shape);
  for (int64_t i = 0; i < size; i++) {
    const cell zero = {.v.i = 0};
    is[i] = cell_map2(ops[sign], x->dtype, x->cells[i], sign == 3 ? x->cells[i] : zero);
  }
  return reduce(RED_SUM, TSR_INT64, &x->shape, is);
}

static void tasks(const node *n, const dense *x, cell *out)
{
  const int64_t size = dims_size(&x->shape), row = x->shape.n[x->shape.ndim - 1];
  if (n->style == TASK_RUNNING) {
    for (int64_t i = 0; i < size; i++)
      out[i] =
          i % row == 0 ? x->cells[i] : cell_map2(TSR_OP_ADD, x->dtype, out[i - 1], x->cells[i]);
    return;
  }
  if (n->style == TASK_SIGNS) {
    cell *is = tsr__malloc((size_t)size * sizeof *is);
    for (int k = 0; k < N_SIGNS; k++) out[k] = signs(x, k, is);
    free(is);
    return;
  }
  if (n->style == TASK_MOST) {
    *out = reduce(RED_MAX, x->dtype, &x->shape, x->cells);
    return;
  }
  for (int64_t i = 0; i < size && n->style != TASK_NUMBERS; i++) out[i] = point(n, x, i);
  if (n->style != TASK_NUMBERS) return;
  cell *is = tsr__malloc((size_t)size * sizeof *is);
  for (int64_t i = 0; i < size; i++)
    is[i] = cell_map2(TSR_OP_NOT_EQUAL, x->dtype, x->cells[i], (cell){.v.i = 0});
  *out = reduce(RED_SUM, TSR_INT64, &x->shape, is);
  free(is);
}

void statistic_values(const node *n, const dense *x, cell *out)
{
  switch (n->index) {
  case CALL_AVERAGE:
    averages(n, x, out);
    break;
  case CALL_NORM:
    norms(n, x, out);
    break;
  case CALL_TRAPEZOID:
    integrals(n, x, out);
    break;
  case CALL_VDOT:
    *out = vdot(n, x);
    break;
  case CALL_FOLD:
    folds(n, x, out);
    break;
  default:
    tasks(n, x, out);
  }
}
