/* Calls whose elements are those of their operands, and views that only arrange axes: shapes, and
 * where each element comes from. */
#include "calls.h"

#include <stdlib.h>
#include <string.h>

static bool axis_of(int *axis, int ndim)
{
  if (*axis < -ndim || *axis >= ndim) return false;
  if (*axis < 0) *axis += ndim;
  return true;
}

/* Arrangements. */

static void keep_axis(arrangement *a, int from, const tsr_dims *x)
{
  a->from[a->ndim] = from;
  a->length[a->ndim++] = from < 0 ? 1 : x->n[from];
}

static bool move_axis(const node *n, const tsr_dims *x, arrangement *out)
{
  int from = n->axes.axis[0], to = n->axes.axis[1];
  if (!axis_of(&from, x->ndim) || !axis_of(&to, x->ndim)) return false;
  if (n->index == ARRANGE_SWAPAXES) {
    for (int k = 0; k < x->ndim; k++) keep_axis(out, k == from ? to : k == to ? from : k, x);
    return true;
  }
  for (int k = 0, next = 0; k < x->ndim; k++) {
    next += next == from;
    keep_axis(out, k == to ? from : next++, x);
  }
  return true;
}

static bool squeeze(const node *n, const tsr_dims *x, arrangement *out)
{
  unsigned gone = 0;
  for (int i = 0; i < n->axes.n; i++) {
    int axis = n->axes.axis[i];
    if (!axis_of(&axis, x->ndim) || gone >> axis & 1 || x->n[axis] != 1) return false;
    gone |= 1u << axis;
  }
  for (int k = 0; k < x->ndim; k++)
    if (n->axes.n < 0 ? x->n[k] != 1 : !(gone >> k & 1)) keep_axis(out, k, x);
  return true;
}

/* rot90(x, 1)[i, j] is x[j, -1 - i]. */
static bool rotate(const node *n, const tsr_dims *x, arrangement *out)
{
  int a = n->axes.axis[0], b = n->axes.axis[1], turns = (int)((n->by % 4 + 4) % 4);
  if (!axis_of(&a, x->ndim) || !axis_of(&b, x->ndim) || a == b) return false;
  for (int k = 0; k < x->ndim; k++) {
    bool turned = turns % 2 == 1;
    keep_axis(out, turned && k == a ? b : turned && k == b ? a : k, x);
  }
  out->flip[a] = turns == 1 || turns == 2;
  out->flip[b] = turns == 2 || turns == 3;
  return true;
}

static bool at_least(const node *n, const tsr_dims *x, arrangement *out)
{
  int missing = (int)n->by - x->ndim;
  for (int k = 0; k < missing - (n->by == 3 && x->ndim > 0); k++) keep_axis(out, -1, x);
  for (int k = 0; k < x->ndim; k++) keep_axis(out, k, x);
  if (missing > 0 && n->by == 3 && x->ndim > 0) keep_axis(out, -1, x);
  return n->by >= 1 && n->by <= 3;
}

static bool split(const node *n, const tsr_dims *x, arrangement *out)
{
  int axis = n->axis;
  if (!axis_of(&axis, x->ndim) || n->by < 1 || n->by > 4 || n->style < 0 || n->style >= n->by)
    return false;
  for (int k = 0; k < x->ndim; k++) keep_axis(out, k, x);
  int64_t each = x->n[axis] / n->by, longer = x->n[axis] % n->by;
  out->length[axis] = each + (n->style < longer);
  out->start[axis] = n->style * each + (n->style < longer ? n->style : longer);
  return true;
}

bool arrange(const node *n, const tsr_dims *x, arrangement *out)
{
  *out = (arrangement){.ndim = 0};
  switch (n->index) {
  case ARRANGE_SWAPAXES:
  case ARRANGE_MOVEAXIS:
    return move_axis(n, x, out);
  case ARRANGE_SQUEEZE:
    return squeeze(n, x, out);
  case ARRANGE_ROT90:
    return rotate(n, x, out);
  case ARRANGE_ATLEAST:
    return at_least(n, x, out);
  default:
    return split(n, x, out);
  }
}

bool check_arrange(const node *n, const type *x, type *out)
{
  arrangement a;
  if (!arrange(n, &x->shape, &a)) return false;
  *out = (type){.is_array = true, .dtype = x->dtype, .shape.ndim = a.ndim};
  for (int k = 0; k < a.ndim; k++) {
    out->shape.n[k] = a.length[k];
    out->repeats[k] = a.from[k] >= 0 && x->repeats[a.from[k]] && a.length[k] > 1;
  }
  return true;
}

/* Shapes of calls. */

/* Arrays that agree but along the axis; their sum there. */
static bool check_join(const program *p, const node *n, type *out)
{
  const type *first = &p->nodes[n->args[0]].type;
  tsr_dims shape = first->shape;
  int axis = n->axis;
  bool stack = n->index == CALL_STACK;
  if (!axis_of(&axis, shape.ndim + stack) || shape.ndim + stack > TSR_MAX_NDIM) return false;
  for (int i = 1; i < n->n_args; i++) {
    const type *x = &p->nodes[n->args[i]].type;
    if (x->shape.ndim != shape.ndim) return false;
    for (int k = 0; k < shape.ndim; k++)
      if ((stack || k != axis) && x->shape.n[k] != shape.n[k]) return false;
    if (!stack) shape.n[axis] += x->shape.n[axis];
    out->dtype = promote_arrays(out->dtype, x->dtype);
  }
  if (stack) {
    memmove(shape.n + axis + 1, shape.n + axis, (size_t)(shape.ndim - axis) * sizeof shape.n[0]);
    shape.n[axis] = n->n_args;
    shape.ndim++;
  }
  out->shape = shape;
  return true;
}

static bool check_tile(const node *n, tsr_dims *shape)
{
  tsr_dims x = *shape;
  int ndim = x.ndim > n->shape.ndim ? x.ndim : n->shape.ndim;
  if (ndim == TSR_MAX_NDIM) return false;
  shape->ndim = ndim;
  for (int k = 0; k < ndim; k++) {
    int at = k - (ndim - x.ndim), to = k - (ndim - n->shape.ndim);
    if (to >= 0 && n->shape.n[to] < 0) return false;
    shape->n[k] = (at < 0 ? 1 : x.n[at]) * (to < 0 ? 1 : n->shape.n[to]);
  }
  return true;
}

/* Wider borders than what is repeated are not the same in all versions of NumPy. */
static bool check_pad(const node *n, const type *x, tsr_dims *shape)
{
  if (n->shape.ndim != shape->ndim || n->after.ndim != shape->ndim || shape->ndim == 0)
    return false;
  for (int k = 0; k < shape->ndim; k++) {
    int64_t length = shape->n[k], before = n->shape.n[k], after = n->after.n[k];
    int64_t most = n->style == PAD_WRAP || n->style == PAD_SYMMETRIC ? length
                   : n->style == PAD_REFLECT                         ? length - 1
                                                                     : INT32_MAX;
    if (n->style == PAD_EDGE && length == 0) return false;
    if (before < 0 || after < 0 || before > most || after > most) return false;
    shape->n[k] += before + after;
  }
  const scalar *v = &n->value[0];
  if (n->style != PAD_CONSTANT || v->kind == SCALAR_BOOL || dtype_rank(x->dtype) > 1) return true;
  return v->kind == SCALAR_INT && is_integer(x->dtype) && int_fits(v->i, x->dtype);
}

static bool check_triangle(tsr_dims *shape)
{
  if (shape->ndim == 1) *shape = (tsr_dims){.ndim = 2, .n = {shape->n[0], shape->n[0]}};
  return shape->ndim >= 2;
}

static bool check_meshgrid(const program *p, const node *n, type *out)
{
  out->shape.ndim = n->n_args;
  if (n->by < 0 || n->by >= n->n_args || n->n_args > 3) return false;
  for (int i = 0; i < n->n_args; i++) {
    const tsr_dims *x = &p->nodes[n->args[i]].type.shape;
    out->shape.n[n->style == 0 && i < 2 && n->n_args > 1 ? 1 - i : i] = dims_size(x);
  }
  out->dtype = p->nodes[n->args[n->by]].type.dtype;
  return true;
}

static bool check_along(const node *n, const type *x, type *out)
{
  int axis = n->axis;
  if (!axis_of(&axis, x->shape.ndim)) return false;
  int64_t *length = &out->shape.n[axis];
  if (n->index == CALL_REPEAT) {
    *length *= n->by;
    return n->by >= 0 && x->shape.ndim < TSR_MAX_NDIM;
  }
  if (n->index == CALL_DIFF) {
    if (n->by < 1 || n->style < 0 || n->style > (DIFF_BEFORE | DIFF_AFTER)) return false;
    *length += (n->style & DIFF_BEFORE) + (n->style & DIFF_AFTER ? 1 : 0);
    *length = *length > n->by ? *length - n->by : 0;
    return true;
  }
  const bool is_extreme = n->index == CALL_CUMMAX || n->index == CALL_CUMMIN;
  if (is_extreme && (n->style < 0 || n->style > !is_complex(x->dtype))) return false;
  if (n->index == CALL_CUMSUM || n->index == CALL_CUMPROD) out->dtype = dtype_sum(x->dtype);
  return *length <= 4000; /* the reference bounds each element's error by itself */
}

static bool check_roll(const node *n, int ndim)
{
  unsigned seen = 0;
  for (int i = 0; i < n->axes.n; i++) {
    int axis = n->axes.axis[i];
    if (!axis_of(&axis, ndim) || seen >> axis & 1) return false;
    seen |= 1u << axis;
  }
  return true;
}

static bool check_select(const node *n, const type *x, type *out)
{
  int64_t size = 1;
  unsigned gone = n->axes.n < 0 ? (1u << x->shape.ndim) - 1 : 0;
  if (!check_roll(n, x->shape.ndim)) return false;
  for (int i = 0; i < n->axes.n; i++)
    gone |= 1u << ((n->axes.axis[i] + x->shape.ndim) % x->shape.ndim);
  out->shape.ndim = 0;
  for (int k = 0; k < x->shape.ndim; k++) {
    bool reduced = gone >> k & 1;
    if (reduced) size *= x->shape.n[k];
    if (!reduced || n->axes.keepdims) out->shape.n[out->shape.ndim++] = reduced ? 1 : x->shape.n[k];
  }
  const bool gives_element = n->style >= METHOD_INVERTED && n->style < METHOD_HALVES;
  if (is_complex(x->dtype) || n->style < 0 || n->style >= N_METHODS) return false;
  if (gives_element && !is_float(x->dtype)) return false;
  if (!is_float(x->dtype)) out->dtype = TSR_FLOAT64;
  return size > 0 && dims_size(&x->shape) > 0; /* NumPy fails on some empty arrays */
}

static bool check_new(const node *n, type *out)
{
  *out = (type){.is_array = true, .dtype = n->dtype, .shape = n->shape};
  switch (n->index) {
  case CALL_TRI:
  case CALL_EYE:
    return n->shape.ndim == 2;
  case CALL_LINSPACE:
    return n->shape.ndim == 1 && n->dtype != TSR_BOOL && !is_complex(n->dtype);
  case CALL_INDICES:
    if (n->shape.ndim == 0 || n->shape.ndim == TSR_MAX_NDIM || n->dtype == TSR_BOOL ||
        is_complex(n->dtype))
      return false;
    out->shape.ndim = n->shape.ndim + 1;
    out->shape.n[0] = n->shape.ndim;
    memcpy(out->shape.n + 1, n->shape.n, (size_t)n->shape.ndim * sizeof n->shape.n[0]);
    return true;
  case CALL_INTEGERS:
    return is_integer(n->dtype) && n->value[0].i < n->value[1].i &&
           int_fits(n->value[0].i, n->dtype) && int_fits(n->value[1].i - 1, n->dtype);
  case CALL_LOGSPACE:
  case CALL_GEOMSPACE:
    if (n->index == CALL_GEOMSPACE &&
        (n->value[0].kind == SCALAR_FLOAT ? n->value[0].f * n->value[1].f == 0
                                          : n->value[0].i * n->value[1].i == 0))
      return false;
    return n->shape.ndim == 1 && n->dtype != TSR_BOOL && !is_complex(n->dtype);
  case CALL_CHOICE:
    return n->dtype == TSR_INT64 && n->value[0].i > 0 &&
           (n->style || n->value[0].i >= dims_size(&n->shape));
  case CALL_ORDER:
    return n->dtype == TSR_INT64 && n->shape.ndim == 1;
  case CALL_NORMAL:
  case CALL_EXPONENTIAL: /* a scale is not negative */
    if ((n->value[1].kind == SCALAR_FLOAT ? n->value[1].f : (double)n->value[1].i) < 0)
      return false;
    return n->dtype == TSR_FLOAT64 || n->dtype == TSR_FLOAT32;
  default:
    return n->dtype == TSR_FLOAT64 || n->dtype == TSR_FLOAT32;
  }
}

/* The second has no stack, so that rows of the first are rows of the result. */
static bool check_product(const program *p, const node *n, const type *x, type *out)
{
  if (n->n_args != 2 || n->style < 0 || n->style >= N_PRODUCTS) return false;
  const type *y = &p->nodes[n->args[1]].type;
  const int rows = x->shape.ndim - 1;
  if (rows < 0 || rows > 2 || y->shape.ndim < 1 || y->shape.ndim > 2) return false;
  out->dtype = promote_arrays(x->dtype, y->dtype);
  if (is_complex(out->dtype) || out->dtype == TSR_FLOAT16) return false;
  if (x->shape.n[rows] != y->shape.n[0]) return false;
  const int64_t columns = y->shape.ndim == 2 ? y->shape.n[1] : 1;
  out->shape.ndim = n->style == PRODUCT_SUMMED ? 0 : rows;
  if (y->shape.ndim == 2) out->shape.n[out->shape.ndim++] = columns;
  return dims_size(&x->shape) * columns <= 1 << 17;
}

static bool check_diag(const node *n, const type *x, type *out)
{
  const tsr_dims *d = &x->shape;
  int64_t length = d->n[0] + llabs(n->by);
  *out = (type){.is_array = true, .dtype = x->dtype, .shape = {.ndim = 2, .n = {length, length}}};
  if (d->ndim == 1) return true;
  const int64_t rows = d->n[0] + (n->by < 0 ? n->by : 0),
                columns = d->n[1] - (n->by > 0 ? n->by : 0);
  length = rows < columns ? rows : columns;
  out->shape = (tsr_dims){.ndim = 1, .n = {length > 0 ? length : 0}};
  return d->ndim == 2;
}

bool check_call(const program *p, const node *n, type *out)
{
  if (n->index >= N_OF_ARRAYS) return check_new(n, out);
  for (int i = 0; i < n->n_args; i++)
    if (!p->nodes[n->args[i]].type.is_array) return false;
  const type *x = &p->nodes[n->args[0]].type;
  *out = (type){.is_array = true, .dtype = x->dtype, .shape = x->shape};
  switch (n->index) {
  case CALL_RESHAPE:
    out->shape = n->shape;
    return dims_size(&n->shape) == dims_size(&x->shape) && (n->style == 0 || n->shape.ndim == 1);
  case CALL_ROLL:
    /* NumPy fails where there is no axis to name. */
    return check_roll(n, x->shape.ndim) && (x->shape.ndim > 0 || n->axes.n < 0);
  case CALL_CONCATENATE:
  case CALL_STACK:
    return check_join(p, n, out);
  case CALL_TILE:
    return check_tile(n, &out->shape);
  case CALL_PAD:
    return check_pad(n, x, &out->shape);
  case CALL_TRIL:
  case CALL_TRIU:
    return check_triangle(&out->shape);
  case CALL_MESHGRID:
    return check_meshgrid(p, n, out);
  case CALL_MEDIAN:
  case CALL_QUANTILE:
  case CALL_NANMEDIAN:
  case CALL_NANQUANTILE:
    return check_select(n, x, out);
  case CALL_ROUND:
    return x->dtype != TSR_BOOL;
  case CALL_PRODUCT:
    return check_product(p, n, x, out);
  case CALL_MODF:
    out->dtype = dtype_inexact(x->dtype);
    return !is_complex(x->dtype) && (n->by == 0 || n->by == 1);
  case CALL_DIAG:
    return check_diag(n, x, out);
  case CALL_PERMUTATION:
  case CALL_SHUFFLE:
    return x->shape.ndim > 0;
  case CALL_CHOICE_OF:
    out->shape = n->shape;
    return x->shape.ndim == 1 && x->shape.n[0] > 0 &&
           (n->style || x->shape.n[0] >= dims_size(&n->shape));
  case CALL_AVERAGE:
  case CALL_NORM:
  case CALL_TRAPEZOID:
  case CALL_VDOT:
  case CALL_FOLD:
  case CALL_TASK:
    return check_statistic(p, n, out);
  case CALL_MASKED:
    return check_masked(p, n, out);
  case CALL_BORDER:
    return check_border(n, x, out);
  case CALL_ANGLE:
  case CALL_KERNEL:
  case CALL_FREXP:
  case CALL_DIVMOD:
  case CALL_ISCLOSE:
  case CALL_OUTER:
    return check_composed(p, n, out);
  default:
    return check_along(n, x, out);
  }
}

/* Where elements come from. */

typedef struct source {
  int operand; /* -1: the constant */
  int64_t at;  /* of its elements */
} source;

static int64_t flat(const tsr_dims *shape, const int64_t *index)
{
  int64_t at = 0;
  for (int k = 0; k < shape->ndim; k++) at = at * shape->n[k] + index[k];
  return at;
}

static int64_t around(int64_t i, int64_t n)
{
  return (i % n + n) % n;
}

static source from_roll(const node *n, const dense *x, int64_t i, int64_t *index)
{
  int ndim = x->shape.ndim;
  if (n->axes.n < 0) return (source){0, around(i - n->by, dims_size(&x->shape))};
  for (int a = 0; a < n->axes.n; a++) {
    int axis = (n->axes.axis[a] + ndim) % ndim;
    index[axis] = around(index[axis] - n->by, x->shape.n[axis]);
  }
  return (source){0, flat(&x->shape, index)};
}

static source from_pad(const node *n, const dense *x, int64_t *index)
{
  for (int k = 0; k < x->shape.ndim; k++) {
    int64_t length = x->shape.n[k], at = index[k] - n->shape.n[k], turn = 2 * (length - 1);
    if (n->style == PAD_CONSTANT && (at < 0 || at >= length)) return (source){-1, 0};
    if (n->style == PAD_EDGE) at = at < 0 ? 0 : at >= length ? length - 1 : at;
    if (n->style == PAD_WRAP) at = around(at, length);
    if (n->style == PAD_REFLECT) at = turn == 0 ? 0 : around(at, turn);
    if (n->style == PAD_REFLECT && at >= length) at = turn - at;
    if (n->style == PAD_SYMMETRIC) at = around(at, 2 * length);
    if (n->style == PAD_SYMMETRIC && at >= length) at = 2 * length - 1 - at;
    index[k] = at;
  }
  return (source){0, flat(&x->shape, index)};
}

static source from_join(const node *n, const dense *x, int ndim, int64_t *index)
{
  int axis = around(n->axis, ndim) & 7, from = 0;
  if (n->index == CALL_STACK) {
    from = (int)index[axis];
    memmove(index + axis, index + axis + 1, (size_t)(ndim - axis - 1) * sizeof *index);
  } else {
    while (index[axis] >= x[from].shape.n[axis]) index[axis] -= x[from++].shape.n[axis];
  }
  return (source){from, flat(&x[from].shape, index)};
}

/* Of a vector every row is the vector. */
static source from_triangle(const node *n, const dense *x, int ndim, const int64_t *index)
{
  int64_t off = index[ndim - 1] - index[ndim - 2];
  if (n->index == CALL_TRIL ? off > n->by : off < n->by) return (source){-1, 0};
  return (source){0, flat(&x->shape, x->shape.ndim == 1 ? index + 1 : index)};
}

static source from_diag(const node *n, const dense *x, int ndim, const int64_t *index)
{
  const int64_t down = n->by < 0 ? -n->by : 0, right = n->by > 0 ? n->by : 0;
  if (ndim == 1) return (source){0, (index[0] + down) * x->shape.n[1] + index[0] + right};
  const bool on = index[1] - index[0] == n->by;
  return (source){on ? 0 : -1, on ? index[0] - down : 0};
}

/* The source of element i, whose index may be changed. */
static source source_of(const node *n, const dense *x, int64_t i, int64_t *index)
{
  int ndim = n->type.shape.ndim, axis;
  switch (n->index) {
  case CALL_ROLL:
    return from_roll(n, x, i, index);
  case CALL_CONCATENATE:
  case CALL_STACK:
    return from_join(n, x, ndim, index);
  case CALL_REPEAT:
    axis = n->axis < 0 ? n->axis + ndim : n->axis;
    index[axis] /= n->by;
    return (source){0, flat(&x->shape, index)};
  case CALL_TILE:
    for (int k = 0; k < x->shape.ndim; k++)
      index[k] = index[k + ndim - x->shape.ndim] % x->shape.n[k];
    return (source){0, flat(&x->shape, index)};
  case CALL_PAD:
    return from_pad(n, x, index);
  case CALL_TRIL:
  case CALL_TRIU:
    return from_triangle(n, x, ndim, index);
  case CALL_MESHGRID:
    axis = n->style == 0 && n->by < 2 && ndim > 1 ? 1 - (int)n->by : (int)n->by;
    return (source){(int)n->by, index[axis]};
  case CALL_DIAG:
    return from_diag(n, x, ndim, index);
  default: /* CALL_RESHAPE */
    return (source){0, i};
  }
}

/* Parts along axis 0 (elements of a vector) as they are drawn. */
static void drawn_cells(const node *n, const dense *x, cell *out)
{
  const int64_t size = dims_size(&n->type.shape), length = x->shape.n[0];
  const bool chosen = n->index == CALL_CHOICE_OF;
  const int64_t part = chosen || length == 0 ? 1 : size / length;
  int64_t *order = chosen && n->style ? NULL : drawn_order(n, length, length);
  for (int64_t i = 0; i < size; i++) {
    uint64_t bits[2];
    if (!order) random_bits((uint64_t)i, (uint64_t)n->by, n->seed, bits);
    const int64_t from = order ? order[i / part] : random_below(bits, (uint64_t)length);
    out[i] = x->cells[from * part + i % part];
  }
  free(order);
}

void call_cells(const node *n, const dense *x, cell *out)
{
  const tsr_dims *shape = &n->type.shape;
  cell constant = {.v.i = 0};
  if (n->index >= CALL_PERMUTATION) {
    drawn_cells(n, x, out);
    return;
  }
  if (n->index == CALL_PAD) {
    constant.v.i = n->value[0].i;
    if (n->value[0].kind == SCALAR_FLOAT) constant.v.f = n->value[0].f;
    constant = cell_cast(constant, scalar_dtype(n->value[0].kind), n->type.dtype);
  }
  int64_t size = dims_size(shape);
  for (int64_t i = 0; i < size; i++) {
    int64_t index[TSR_MAX_NDIM] = {0}, left = i;
    for (int k = shape->ndim - 1; k >= 0; left /= shape->n[k--]) index[k] = left % shape->n[k];
    source s = source_of(n, x, i, index);
    out[i] = s.operand < 0 ? constant : x[s.operand].cells[s.at];
  }
}
