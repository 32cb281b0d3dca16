/* The shape and dtype of every expression: NumPy's rules of broadcasting and promotion (NEP 50),
 * written for the tests without a look at the library's. */
#include "calls.h"
#include "tests/support/reference/cells.h"
#include "check_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

/* Dtypes. */

tsr_dtype scalar_dtype(scalar_kind kind)
{
  static const tsr_dtype dtypes[] = {TSR_BOOL, TSR_INT64, TSR_FLOAT64, TSR_COMPLEX128};
  return dtypes[kind];
}

/* Of an array and a scalar, which is weak. */
static tsr_dtype weak(tsr_dtype d, scalar_kind kind)
{
  if ((int)kind <= dtype_rank(d)) return d;
  return kind == SCALAR_COMPLEX && (d == TSR_FLOAT32 || d == TSR_FLOAT16) ? TSR_COMPLEX64
                                                                          : scalar_dtype(kind);
}

tsr_dtype promote_types(const type *a, const type *b)
{
  if (a->is_array && b->is_array) return promote_arrays(a->dtype, b->dtype);
  if (a->is_array) return weak(a->dtype, b->kind);
  if (b->is_array) return weak(b->dtype, a->kind);
  return scalar_dtype(a->kind > b->kind ? a->kind : b->kind);
}

/* Shapes. */

int64_t dims_size(const tsr_dims *d)
{
  int64_t n = 1;
  for (int k = 0; k < d->ndim; k++) n *= d->n[k];
  return n;
}

bool dims_broadcast(tsr_dims *to, const tsr_dims *from)
{
  tsr_dims out = {.ndim = to->ndim > from->ndim ? to->ndim : from->ndim};
  for (int k = 1; k <= out.ndim; k++) {
    int64_t a = k <= to->ndim ? to->n[to->ndim - k] : 1;
    int64_t b = k <= from->ndim ? from->n[from->ndim - k] : 1;
    if (a != b && a != 1 && b != 1) return false;
    out.n[out.ndim - k] = a == 1 ? b : a;
  }
  *to = out;
  return true;
}

bool dims_equal(const tsr_dims *a, const tsr_dims *b)
{
  return a->ndim == b->ndim && !memcmp(a->n, b->n, (size_t)a->ndim * sizeof a->n[0]);
}

/* Does `from` broadcast to exactly `to`? leading: `from` may have more axes, of length 1. */
bool dims_fit(tsr_dims from, const tsr_dims *to, bool leading)
{
  while (leading && from.ndim > to->ndim && from.n[0] == 1) {
    memmove(from.n, from.n + 1, sizeof from.n - sizeof from.n[0]);
    from.ndim--;
  }
  tsr_dims common = *to;
  return dims_broadcast(&common, &from) && dims_equal(&common, to);
}

/* Python's slice.indices and len(range(…)). */
void range_indices(const tsr_slice_item *item, int64_t length, int64_t *start, int64_t *count,
                   int64_t *step)
{
  *step = item->has_step ? item->step : 1;
  int64_t lower = *step < 0 ? -1 : 0, upper = *step < 0 ? length - 1 : length;
  int64_t from = *step < 0 ? upper : lower, to = *step < 0 ? lower : upper;
  if (item->has_start) {
    from = item->start + (item->start < 0 ? length : 0);
    from = from < lower ? lower : from > upper ? upper : from;
  }
  if (item->has_stop) {
    to = item->stop + (item->stop < 0 ? length : 0);
    to = to < lower ? lower : to > upper ? upper : to;
  }
  *count = 0;
  for (int64_t i = from; *step > 0 ? i < to : i > to; i += *step) ++*count;
  *start = from;
}

int64_t arange_count(const scalar value[3])
{
  double x[3];
  for (int i = 0; i < 3; i++)
    x[i] = value[i].kind == SCALAR_FLOAT ? value[i].f : (double)value[i].i;
  double n = ceil((x[1] - x[0]) / x[2]);
  return n > 0 ? (int64_t)n : 0;
}

/* Expressions. */

static type array_type(tsr_dtype dtype, const tsr_dims *shape)
{
  return (type){.is_array = true, .dtype = dtype, .shape = *shape};
}

static bool normal_axis(int *axis, int ndim)
{
  if (*axis < -ndim || *axis >= ndim) return false;
  if (*axis < 0) *axis += ndim;
  return true;
}

node slice_at(const node *n, int turn)
{
  node out = *n;
  for (int i = 0; i < n->n_items; i++) {
    if (n->moves[i] == 0) continue;
    out.items[i].start += turn * n->moves[i];
    if (n->items[i].kind == TSR_SLICE_RANGE) out.items[i].stop += turn * n->moves[i];
  }
  return out;
}

/* A moving item stays within its axis in every turn, so that shapes do not change. */
static bool check_move(const tsr_slice_item *item, int64_t move, int64_t length, int n_turns)
{
  if (move == 0) return true;
  bool range = item->kind == TSR_SLICE_RANGE;
  if (range && (!item->has_start || !item->has_stop || (item->has_step && item->step < 0)))
    return false;
  int64_t by = (n_turns - 1) * move, first = item->start, end = range ? item->stop : first + 1;
  return first >= 0 && first + by >= 0 && end <= length && end + by <= length && first <= end;
}

static bool check_slice(const node *n, const type *x, int n_turns, type *out)
{
  int taken = 0, ellipses = 0, axis = 0;
  for (int i = 0; i < n->n_items; i++) {
    taken += n->items[i].kind == TSR_SLICE_RANGE || n->items[i].kind == TSR_SLICE_INDEX;
    ellipses += n->items[i].kind == TSR_SLICE_ELLIPSIS;
  }
  if (taken > x->shape.ndim || ellipses > 1) return false;
  *out = (type){.is_array = true, .dtype = x->dtype};
  int result = 0;
  int64_t lengths[2 * MAX_ITEMS];
  bool repeats[2 * MAX_ITEMS];
  for (int i = 0; i <= n->n_items; i++) {
    int64_t start, step, length = axis < x->shape.ndim ? x->shape.n[axis] : 0;
    const tsr_slice_item *item = &n->items[i];
    int skip = 0;
    if (i == n->n_items) {
      skip = x->shape.ndim - axis;
    } else if (item->kind == TSR_SLICE_ELLIPSIS) {
      skip = x->shape.ndim - taken;
    } else if (item->kind == TSR_SLICE_NEWAXIS) {
      repeats[result] = false;
      lengths[result++] = 1;
    } else if (item->kind == TSR_SLICE_INDEX) {
      if (item->start < -length || item->start >= length) return false;
      if (!check_move(item, n->moves[i], length, n_turns)) return false;
      axis++;
    } else {
      if (item->has_step && item->step == 0) return false;
      if (!check_move(item, n->moves[i], length, n_turns)) return false;
      range_indices(item, length, &start, &lengths[result], &step);
      repeats[result] = x->repeats[axis++] && lengths[result] > 1;
      result++;
    }
    for (; skip > 0; skip--) {
      repeats[result] = x->repeats[axis];
      lengths[result++] = x->shape.n[axis++];
    }
  }
  if (result > TSR_MAX_NDIM) return false;
  out->shape.ndim = result;
  memcpy(out->shape.n, lengths, (size_t)result * sizeof lengths[0]);
  memcpy(out->repeats, repeats, (size_t)result * sizeof repeats[0]);
  return true;
}

static bool check_transpose(const node *n, const type *x, type *out)
{
  *out = *x;
  unsigned seen = 0;
  if (n->axes.n >= 0 && n->axes.n != x->shape.ndim) return false;
  for (int k = 0; k < x->shape.ndim; k++) {
    int axis = n->axes.n < 0 ? x->shape.ndim - 1 - k : n->axes.axis[k];
    if (!normal_axis(&axis, x->shape.ndim) || seen >> axis & 1) return false;
    seen |= 1u << axis;
    out->shape.n[k] = x->shape.n[axis];
    out->repeats[k] = x->repeats[axis];
  }
  return true;
}

static bool check_axes(const tsr_axes *axes, int ndim, unsigned *mask)
{
  *mask = axes->n < 0 ? (1u << ndim) - 1 : 0;
  for (int i = 0; i < axes->n; i++) {
    int axis = axes->axis[i];
    if (!normal_axis(&axis, ndim) || *mask >> axis & 1) return false;
    *mask |= 1u << axis;
  }
  return true;
}

static bool check_broadcast(const node *n, const type *x, type *out)
{
  if (n->shape.ndim < x->shape.ndim || !dims_fit(x->shape, &n->shape, false)) return false;
  *out = array_type(x->dtype, &n->shape);
  for (int k = 0; k < n->shape.ndim; k++) {
    int from = k - (n->shape.ndim - x->shape.ndim);
    bool same = from >= 0 && x->shape.n[from] == n->shape.n[k];
    out->repeats[k] = same ? x->repeats[from] : n->shape.n[k] > 1;
  }
  return true;
}

static bool check_diagonal(const node *n, const type *x, type *out)
{
  int a = n->axes.axis[0], b = n->axes.axis[1], ndim = x->shape.ndim;
  if (ndim < 2 || !normal_axis(&a, ndim) || !normal_axis(&b, ndim) || a == b) return false;
  int64_t rows = x->shape.n[a], columns = x->shape.n[b];
  if (n->index >= 0)
    columns -= n->index;
  else
    rows += n->index;
  int64_t length = rows < columns ? rows : columns;
  *out = (type){.is_array = true, .dtype = x->dtype};
  for (int k = 0; k < ndim; k++) {
    if (k == a || k == b) continue;
    out->repeats[out->shape.ndim] = x->repeats[k];
    out->shape.n[out->shape.ndim++] = x->shape.n[k];
  }
  out->repeats[out->shape.ndim] = x->repeats[a] && x->repeats[b] && length > 1;
  out->shape.n[out->shape.ndim++] = length > 0 ? length : 0;
  return true;
}

static bool check_expand(const node *n, const type *x, type *out)
{
  int axis = n->index;
  if (x->shape.ndim == TSR_MAX_NDIM || !normal_axis(&axis, x->shape.ndim + 1)) return false;
  *out = *x;
  for (int k = out->shape.ndim++; k > axis; k--) {
    out->shape.n[k] = out->shape.n[k - 1];
    out->repeats[k] = out->repeats[k - 1];
  }
  out->shape.n[axis] = 1;
  out->repeats[axis] = false;
  return true;
}

/* May the scalar be an operand of an operation that computes in `compute`? */
bool scalar_fits(const node *n, tsr_dtype compute)
{
  const type *x = &n->type;
  if (x->is_array) return true;
  if (compute == TSR_BOOL) return x->kind == SCALAR_BOOL;
  if (x->kind != SCALAR_INT) return true;
  /* An integer of unknown size: NumPy and C round it to float32 in different ways. */
  if (x->is_read) return compute == TSR_INT64 || compute == TSR_FLOAT64;
  if (n->kind != NODE_SCALAR) return true;
  if (is_integer(compute)) return int_fits(n->value[0].i, compute);
  return int_fits(n->value[0].i, TSR_INT32);
}

bool is_logical(int op)
{
  return op == TSR_OP_LOGICAL_AND || op == TSR_OP_LOGICAL_OR || op == TSR_OP_LOGICAL_XOR ||
         op == TSR_OP_LOGICAL_NOT;
}

bool is_inexact(int op)
{
  return op == TSR_OP_EXP || (op >= TSR_OP_EXPM1 && op <= TSR_OP_HYPOT);
}

bool gives_bool(int op)
{
  return is_comparison(op) || is_logical(op) || (op >= TSR_OP_ISNAN && op <= TSR_OP_SIGNBIT);
}

static bool is_of_bits(int op)
{
  return op >= TSR_OP_BITWISE_AND && op <= TSR_OP_LCM;
}

bool computes_in_floats(int op)
{
  return op == TSR_OP_DIVIDE || op == TSR_OP_SQRT ||
         (op >= TSR_OP_RINT && op <= TSR_OP_HEAVISIDE) || (is_inexact(op) && op != TSR_OP_POWER);
}

/* What NumPy computes bools in; -1: it refuses them. */
static int for_bools(int op)
{
  switch (op) {
  case TSR_OP_SUBTRACT:
  case TSR_OP_NEGATIVE:
  case TSR_OP_POSITIVE:
  case TSR_OP_SIGN:
  case TSR_OP_GCD:
  case TSR_OP_LCM:
    return -1;
  case TSR_OP_SQUARE:
  case TSR_OP_RECIPROCAL:
  case TSR_OP_FLOOR_DIVIDE:
  case TSR_OP_REMAINDER:
  case TSR_OP_FMOD:
  case TSR_OP_POWER:
  case TSR_OP_LEFT_SHIFT:
  case TSR_OP_RIGHT_SHIFT:
  case TSR_OP_CONJ:
    return TSR_INT8;
  default:
    return TSR_BOOL;
  }
}

static bool gives_part(int op)
{
  return op == TSR_OP_ABSOLUTE || op == TSR_OP_REAL || op == TSR_OP_IMAG;
}

/* Of complex numbers ours, within the error of the C library's, also where reals are exact. */
bool is_complex_function(int op)
{
  return op == TSR_OP_SQRT || op == TSR_OP_SIGN || op == TSR_OP_RECIPROCAL || op == TSR_OP_POWER ||
         (is_inexact(op) && cell_has_complex((tsr_opcode)op));
}

static bool takes_complex(int op)
{
  if (is_complex_function(op) || (op >= TSR_OP_ISNAN && op <= TSR_OP_ISFINITE)) return true;
  return op <= TSR_OP_DIVIDE || op == TSR_OP_NEGATIVE || op == TSR_OP_SQUARE || op == TSR_OP_CONJ ||
         op == TSR_OP_MINIMUM || op == TSR_OP_MAXIMUM || op == TSR_OP_WHERE || is_comparison(op) ||
         is_logical(op) || gives_part(op);
}

/* The dtype of the operation on operands of `promoted`; false if it does not take that. */
bool map_result(int op, tsr_dtype promoted, tsr_dtype *compute, tsr_dtype *result)
{
  const int bools = for_bools(op);
  if (promoted == TSR_BOOL && bools < 0) return false;
  if (is_of_bits(op) && dtype_rank(promoted) > 1) return false;
  *compute = promoted == TSR_BOOL ? (tsr_dtype)bools : promoted;
  if (op == TSR_OP_COMPLEX) {
    *compute = *result = promote_arrays(dtype_inexact(promoted), TSR_COMPLEX64);
    return !is_complex(promoted);
  }
  if (is_complex(promoted)) {
    *compute = promoted;
    *result = gives_bool(op) ? TSR_BOOL : gives_part(op) ? dtype_part(promoted) : promoted;
    return takes_complex(op);
  }
  const bool wide_floats = op == TSR_OP_DIVIDE || op == TSR_OP_SINC;
  if (wide_floats && !is_float(promoted)) *compute = TSR_FLOAT64;
  if (computes_in_floats(op) && !wide_floats) *compute = dtype_inexact(promoted);
  *result = gives_bool(op) ? TSR_BOOL : *compute;
  /* A float32's neighbour, rounded, is none of the float16's. */
  return op != TSR_OP_NEXTAFTER || *compute != TSR_FLOAT16;
}

/* What two operands of the operation are cast to: of two arrays, where it computes in floats, what
 * takes the floats of both. */
tsr_dtype promote_operands(int op, const type *a, const type *b)
{
  if (op == TSR_OP_LDEXP) return a->dtype;
  const bool floats = computes_in_floats(op) && op != TSR_OP_DIVIDE && map_arity(op) == 2;
  if (!floats || !a->is_array || !b->is_array) return promote_types(a, b);
  return promote_arrays(dtype_inexact(a->dtype), dtype_inexact(b->dtype));
}

/* NumPy refuses integers to negative powers. */
static bool check_power(const node *exponent, const type *base)
{
  const type *e = &exponent->type;
  if ((e->is_array && is_complex(e->dtype)) || (base->is_array && is_complex(base->dtype)))
    return true;
  if (e->is_array ? is_float(e->dtype) : e->kind >= SCALAR_FLOAT) return true;
  if (base->is_array ? is_float(base->dtype) : base->kind >= SCALAR_FLOAT) return true;
  if (e->is_array) return dtype_kind(e->dtype) <= KIND_UINT && base->is_array;
  return e->kind == SCALAR_BOOL || (exponent->kind == NODE_SCALAR && exponent->value[0].i >= 0);
}

/* The exponent of ldexp is an integer, the other an array; bounds of clip are both arrays or both
 * scalars, so that promotion from left to right is promotion at once. */
static bool check_operands(const program *p, const node *n)
{
  const type *x[3] = {0};
  for (int i = 0; i < n->n_args && i < 3; i++) x[i] = &p->nodes[n->args[i]].type;
  if (n->index == TSR_OP_CLIP) return x[0]->is_array && x[1]->is_array == x[2]->is_array;
  if (n->index == TSR_OP_POWER) return check_power(&p->nodes[n->args[1]], x[0]);
  if (n->index != TSR_OP_LDEXP) return true;
  if (!x[0]->is_array || x[0]->dtype == TSR_BOOL) return false;
  return x[1]->is_array ? is_integer(x[1]->dtype) && x[1]->dtype != TSR_UINT64
                        : x[1]->kind == SCALAR_INT;
}

/* Two leading scalars of a chain, as in Python, where True + True is 2: the scalar that stands for
 * both. */
static bool fold_scalars(const program *p, const node *n, const type *promoted, node *both)
{
  const node *a = &p->nodes[n->args[0]], *b = &p->nodes[n->args[1]];
  if (a->type.is_read || b->type.is_read || promoted->kind == SCALAR_COMPLEX) return false;
  *both = (node){.kind = NODE_SCALAR};
  both->type.kind = promoted->kind == SCALAR_FLOAT ? SCALAR_FLOAT : SCALAR_INT;
  both->value[0].i =
      n->index == TSR_OP_ADD ? a->value[0].i + b->value[0].i : a->value[0].i * b->value[0].i;
  return true;
}

static bool check_map(program *p, const node *n, type *out)
{
  bool folds = n->index == TSR_OP_ADD || n->index == TSR_OP_MULTIPLY, any = false;
  int arity = map_arity(n->index), first = n->index == TSR_OP_WHERE;
  if (n->n_args != arity && !(folds && n->n_args > arity)) return false;
  tsr_dims shape = {.ndim = 0};
  for (int i = 0; i < n->n_args; i++) {
    const type *x = &p->nodes[n->args[i]].type;
    any |= x->is_array;
    if (x->is_array && !dims_broadcast(&shape, &x->shape)) return false;
  }
  if (!any || !check_operands(p, n)) return false;
  const node *head = &p->nodes[n->args[first]];
  node both;
  type so_far = head->type;
  tsr_dtype compute = TSR_BOOL, result = so_far.is_array ? so_far.dtype : scalar_dtype(so_far.kind);
  if (n->n_args == 1 && !map_result(n->index, result, &compute, &result)) return false;
  for (int i = first + 1; i < n->n_args; i++) {
    const node *y = &p->nodes[n->args[i]];
    tsr_dtype promoted = promote_operands(n->index, &so_far, &y->type);
    bool scalars = !so_far.is_array && !y->type.is_array;
    if (scalars && !is_comparison(n->index) && n->index != TSR_OP_WHERE) {
      const type sum = {.kind = promoted == TSR_COMPLEX128 ? SCALAR_COMPLEX
                                : promoted == TSR_FLOAT64  ? SCALAR_FLOAT
                                                           : SCALAR_INT};
      if (!folds || i != 1 || !fold_scalars(p, n, &sum, &both)) return false;
      head = &both;
      so_far = both.type;
      continue;
    }
    if (!map_result(n->index, promoted, &compute, &result)) return false;
    /* A comparison with an integer is right whatever its size. */
    bool any_size = is_logical(n->index) || (is_comparison(n->index) && is_integer(compute));
    if (!any_size && (!scalar_fits(y, compute) || !scalar_fits(head, compute))) return false;
    so_far = (type){.is_array = true, .dtype = result};
    if (n->index != TSR_OP_WHERE) head = y;
  }
  *out = array_type(result, &shape);
  return true;
}

bool is_lone_axis(const node *n, const type *x)
{
  const bool one = n->axes.n == 1 && (n->axes.axis[0] == 0 || n->axes.axis[0] == -1);
  if (!one || x->shape.ndim > 0) return false;
  const bool means = n->index == RED_MEAN || n->index == RED_VAR || n->index == RED_STD;
  const bool nan_means =
      n->index == RED_NANMEAN || n->index == RED_NANVAR || n->index == RED_NANSTD;
  return !means && !(nan_means && dtype_rank(x->dtype) < 2);
}

static bool check_reduce(const node *n, const type *x, type *out)
{
  unsigned mask;
  bool arg = is_position(n->index);
  if (is_lone_axis(n, x))
    mask = 0;
  else if (!check_axes(&n->axes, x->shape.ndim, &mask))
    return false;
  if (arg && n->axes.n >= 0 && n->axes.n != 1) return false;
  tsr_dtype dtype = x->dtype;
  int64_t n_reduced = 1;
  *out = (type){.is_array = true};
  for (int k = 0; k < x->shape.ndim; k++) {
    bool reduced = mask >> k & 1;
    if (reduced) n_reduced *= x->shape.n[k];
    if (!reduced) out->shape.n[out->shape.ndim++] = x->shape.n[k];
    if (reduced && n->axes.keepdims) out->shape.n[out->shape.ndim++] = 1;
  }
  switch (n->index) {
  case RED_COUNT_NONZERO:
    dtype = TSR_INT64;
    break;
  case RED_SUM:
  case RED_PROD:
  case RED_NANSUM:
  case RED_NANPROD:
    dtype = dtype_sum(dtype);
    break;
  case RED_MEAN:
  case RED_VAR:
  case RED_STD:
  case RED_NANMEAN:
  case RED_NANVAR:
  case RED_NANSTD:
    dtype = dtype_rank(dtype) > 1 ? dtype : TSR_FLOAT64;
    if (n->index != RED_MEAN && n->index != RED_NANMEAN) dtype = dtype_part(dtype);
    break;
  case RED_ANY:
  case RED_ALL:
    dtype = TSR_BOOL;
    break;
  default:
    if (n_reduced == 0 || (n->index == RED_PTP && dtype == TSR_BOOL)) return false;
    if (arg) dtype = TSR_INT64;
  }
  out->dtype = dtype;
  return true;
}

static bool check_full(const node *n, type *out)
{
  if (n->kind == NODE_ARANGE) {
    for (int i = 0; i < 3; i++) {
      if (!is_float(n->dtype) && n->value[i].kind == SCALAR_FLOAT) return false;
    }
    const int64_t start = n->value[0].i, next = start + n->value[2].i;
    if (is_integer(n->dtype) && !(int_fits(start, n->dtype) && int_fits(next, n->dtype)))
      return false;
    *out = array_type(n->dtype, &(tsr_dims){.ndim = 1, .n = {arange_count(n->value)}});
    return n->dtype != TSR_BOOL && !is_complex(n->dtype);
  }
  *out = array_type(n->dtype, &n->shape);
  if (n->kind == NODE_HOST) return true;
  if (n->dtype == TSR_BOOL && n->value[0].kind == SCALAR_FLOAT) return isfinite(n->value[0].f);
  if (is_integer(n->dtype) && n->value[0].kind == SCALAR_INT)
    return int_fits(n->value[0].i, n->dtype);
  return dtype_rank(n->dtype) > 1 || n->value[0].kind != SCALAR_FLOAT || fabs(n->value[0].f) < 1e9;
}

static bool check_one(program *p, node *n, const state *s)
{
  const type *x = n->n_args ? &p->nodes[n->args[0]].type : NULL;
  switch (n->kind) {
  case NODE_VAR:
    n->type = s->vars[n->index].type;
    return s->vars[n->index].live;
  case NODE_SCALAR:
    n->type = (type){.kind = n->value[0].kind};
    return true;
  case NODE_SCALAR_VAR:
    n->type = (type){.kind = s->scalar_kinds[n->index], .is_read = true};
    return s->scalar_live[n->index];
  case NODE_MAP:
    return check_map(p, n, &n->type);
  case NODE_CALL:
    return check_call(p, n, &n->type);
  case NODE_FULL:
  case NODE_ARANGE:
  case NODE_HOST:
    return check_full(n, &n->type);
  default:
    break;
  }
  if (!x->is_array) return false;
  switch (n->kind) {
  case NODE_SLICE:
    return check_slice(n, x, s->n_repeats ? s->n_turns : 1, &n->type);
  case NODE_TRANSPOSE:
    return check_transpose(n, x, &n->type);
  case NODE_FLIP:
    n->type = *x;
    return check_axes(&n->axes, x->shape.ndim, &(unsigned){0});
  case NODE_BROADCAST:
    return check_broadcast(n, x, &n->type);
  case NODE_DIAGONAL:
    return check_diagonal(n, x, &n->type);
  case NODE_EXPAND:
    return check_expand(n, x, &n->type);
  case NODE_REDUCE:
    return check_reduce(n, x, &n->type);
  case NODE_ARRANGE:
    return check_arrange(n, x, &n->type);
  default:
    n->type = array_type(n->kind == NODE_ASTYPE ? n->dtype : x->dtype, &x->shape);
    return true;
  }
}

bool check_node(program *p, int i, const state *s)
{
  node *n = &p->nodes[i];
  if (n->kind == NODE_MAP && is_inexact(n->index)) p->inexact = true;
  for (int k = 0; k < n->n_args; k++) {
    if (!check_node(p, n->args[k], s)) return false;
  }
  if (!check_one(p, n, s) || dims_size(&n->type.shape) > 1 << 22) return false;
  if (n->kind == NODE_MAP && (n->index == TSR_OP_REAL || n->index == TSR_OP_IMAG))
    n->type.is_read_only = true; /* NumPy's is a view of its operand, or read only */
  if (n->kind >= NODE_SLICE && n->kind <= NODE_ARRANGE)
    n->type.is_read_only = n->kind == NODE_BROADCAST || p->nodes[n->args[0]].type.is_read_only;
  if (n->kind == NODE_CALL && is_inexact_call(p, n)) p->inexact = true;
  /* The length of a complex number is our hypot. */
  if (n->kind == NODE_MAP && (n->index == TSR_OP_ABSOLUTE || is_complex_function(n->index)) &&
      is_complex(p->nodes[n->args[0]].type.dtype))
    p->inexact = true;
  return true;
}
