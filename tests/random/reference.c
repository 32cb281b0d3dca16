/* The naive reference: strided arrays of cells, one operation at a time, element by element; the
 * right-hand side is computed wholly before an assignment writes. */
#include "calls.h"
#include "check_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

typedef struct memory {
  int n_refs;
  cell cells[];
} memory;

/* An array: its memory (counted) and how indices map to it. */
typedef struct array {
  memory *memory; /* NULL: a scalar, in `scalar` */
  tsr_dtype dtype;
  tsr_dims shape;
  int64_t offset, stride[TSR_MAX_NDIM];
  scalar_kind kind;
  cell scalar;
} array;

typedef struct machine {
  program *p;
  array vars[MAX_VARS];
  array scalars[MAX_SCALARS];
  array reads[MAX_READS];
  int turn; /* of the innermost loop */
  result *out;
  int segments_capacity;
  size_t cells_capacity, bytes_capacity;
} machine;

static void drop(array *a)
{
  if (a->memory && --a->memory->n_refs == 0) free(a->memory);
  a->memory = NULL;
}

static array fresh(tsr_dtype dtype, const tsr_dims *shape)
{
  array a = {.dtype = dtype, .shape = *shape};
  int64_t n = dims_size(shape), stride = 1;
  a.memory = tsr__calloc(1, sizeof *a.memory + (size_t)n * sizeof a.memory->cells[0]);
  a.memory->n_refs = 1;
  for (int k = shape->ndim - 1; k >= 0; k--) {
    a.stride[k] = stride;
    stride *= shape->n[k];
  }
  return a;
}

/* Elements. */

/* Steps `index` through `shape` in row-major order; false after the last. */
static bool next_index(const tsr_dims *shape, int64_t *index)
{
  for (int k = shape->ndim - 1; k >= 0; k--) {
    if (++index[k] < shape->n[k]) return true;
    index[k] = 0;
  }
  return false;
}

static cell *element(const array *a, const int64_t *index)
{
  int64_t at = a->offset;
  for (int k = 0; k < a->shape.ndim; k++) at += index[k] * a->stride[k];
  return &a->memory->cells[at];
}

/* Element of `a` at an index of the broadcast shape. */
static cell broadcast_element(const array *a, const tsr_dims *shape, const int64_t *index)
{
  int64_t own[TSR_MAX_NDIM];
  int skip = shape->ndim - a->shape.ndim; /* negative: leading axes of length 1 */
  for (int k = 0; k < a->shape.ndim; k++)
    own[k] = a->shape.n[k] == 1 || k + skip < 0 ? 0 : index[k + skip];
  return *element(a, own);
}

/* The elements of a over `shape`, as `dtype`, in row-major order. malloc'd. */
static cell *gather(const array *a, const tsr_dims *shape, tsr_dtype dtype)
{
  int64_t n = dims_size(shape), index[TSR_MAX_NDIM] = {0};
  cell *out = tsr__malloc((size_t)(n + 1) * sizeof *out);
  cell one = a->memory ? (cell){.v.i = 0} : cell_cast(a->scalar, scalar_dtype(a->kind), dtype);
  for (int64_t i = 0; i < n; i++) {
    out[i] = a->memory ? cell_cast(broadcast_element(a, shape, index), a->dtype, dtype) : one;
    next_index(shape, index);
  }
  return out;
}

static void scatter(const array *a, const cell *values, tsr_dtype from)
{
  int64_t n = dims_size(&a->shape), index[TSR_MAX_NDIM] = {0};
  for (int64_t i = 0; i < n; i++) {
    *element(a, index) = cell_cast(values[i], from, a->dtype);
    next_index(&a->shape, index);
  }
}

/* Expressions. */

static array eval(machine *m, int i);

static type type_of(const array *a)
{
  return (type){.is_array = a->memory != NULL, .dtype = a->dtype, .kind = a->kind};
}

/* Two scalars, as Python adds or multiplies them. */
static array fold(tsr_opcode op, const array *a, const array *b)
{
  array out = {.kind = SCALAR_INT};
  if (a->kind == SCALAR_FLOAT || b->kind == SCALAR_FLOAT) out.kind = SCALAR_FLOAT;
  tsr_dtype to = scalar_dtype(out.kind);
  cell x[2] = {cell_cast(a->scalar, scalar_dtype(a->kind), to),
               cell_cast(b->scalar, scalar_dtype(b->kind), to)};
  out.scalar = cell_map(op, to, x);
  return out;
}

static bool is_of_ints(const array *x)
{
  return x->memory ? dtype_rank(x->dtype) < 2 : x->kind < SCALAR_FLOAT;
}

/* Integers of any two dtypes are compared exactly. */
static array compare_ints(tsr_opcode op, const array *x, const tsr_dims *shape)
{
  array out = fresh(TSR_BOOL, shape);
  tsr_dtype d[2];
  cell *in[2];
  for (int i = 0; i < 2; i++) {
    d[i] = x[i].memory ? x[i].dtype : scalar_dtype(x[i].kind);
    in[i] = gather(&x[i], shape, d[i]);
  }
  const int64_t size = dims_size(shape);
  for (int64_t i = 0; i < size; i++) {
    const __int128 a = wide(in[0][i].v.i, d[0]), b = wide(in[1][i].v.i, d[1]);
    const cell order[2] = {{.v.i = (a > b) - (a < b), .err = in[0][i].err},
                           {.v.i = 0, .err = in[1][i].err}};
    out.memory->cells[i] = cell_map(op, TSR_INT64, order);
  }
  for (int i = 0; i < 2; i++) free(in[i]);
  return out;
}

/* One operation of up to three operands. */
static array map_one(tsr_opcode op, int n, const array *x)
{
  if (n == 2 && !x[0].memory && !x[1].memory) return fold(op, &x[0], &x[1]);
  int first = op == TSR_OP_WHERE;
  tsr_dims shape = {.ndim = 0};
  for (int i = 0; i < n; i++) dims_broadcast(&shape, &x[i].shape);
  if (is_comparison(op) && is_of_ints(&x[0]) && is_of_ints(&x[1]))
    return compare_ints(op, x, &shape);
  type so_far = type_of(&x[first]), more = type_of(&x[n - 1]);
  tsr_dtype compute = promote_operands(op, &so_far, &more), result;
  if (op == TSR_OP_CLIP) {
    type middle = type_of(&x[1]);
    so_far = (type){.is_array = true, .dtype = promote_types(&so_far, &middle)};
    compute = promote_types(&so_far, &more);
  }
  map_result(op, compute, &compute, &result);
  if (is_logical(op)) compute = TSR_BOOL;
  array out = fresh(result, &shape);
  cell *in[3] = {0};
  for (int i = 0; i < n; i++) in[i] = gather(&x[i], &shape, i < first ? TSR_BOOL : compute);
  int64_t size = dims_size(&shape);
  for (int64_t i = 0; i < size; i++) {
    cell args[3];
    for (int k = 0; k < n; k++) args[k] = in[k][i];
    out.memory->cells[i] = cell_map(op, compute, args);
  }
  for (int i = 0; i < n; i++) free(in[i]);
  return out;
}

static array eval_map(machine *m, const node *n)
{
  array x[3] = {0};
  int taken = n->n_args < 3 || map_arity(n->index) == 3 ? n->n_args : 2;
  for (int i = 0; i < taken; i++) x[i] = eval(m, n->args[i]);
  array out = map_one((tsr_opcode)n->index, taken, x);
  for (int i = 0; i < taken; i++) drop(&x[i]);
  for (int i = taken; i < n->n_args; i++) {
    x[0] = out;
    x[1] = eval(m, n->args[i]);
    out = map_one((tsr_opcode)n->index, 2, x);
    drop(&x[0]);
    drop(&x[1]);
  }
  return out;
}

static array eval_slice(const node *n, array x)
{
  array out = x;
  out.shape.ndim = 0;
  int taken = 0, axis = 0;
  for (int i = 0; i < n->n_items; i++)
    taken += n->items[i].kind == TSR_SLICE_RANGE || n->items[i].kind == TSR_SLICE_INDEX;
  for (int i = 0; i <= n->n_items; i++) {
    const tsr_slice_item *item = &n->items[i];
    int to = out.shape.ndim, skip = 0;
    int64_t start, count, step;
    if (i == n->n_items) {
      skip = x.shape.ndim - axis;
    } else if (item->kind == TSR_SLICE_ELLIPSIS) {
      skip = x.shape.ndim - taken;
    } else if (item->kind == TSR_SLICE_NEWAXIS) {
      out.stride[to] = 0;
      out.shape.n[out.shape.ndim++] = 1;
    } else if (item->kind == TSR_SLICE_INDEX) {
      start = item->start + (item->start < 0 ? x.shape.n[axis] : 0);
      out.offset += start * x.stride[axis++];
    } else {
      range_indices(item, x.shape.n[axis], &start, &count, &step);
      if (count > 0) out.offset += start * x.stride[axis];
      out.stride[to] = x.stride[axis++] * step;
      out.shape.n[out.shape.ndim++] = count;
    }
    for (; skip > 0; skip--) {
      out.stride[out.shape.ndim] = x.stride[axis];
      out.shape.n[out.shape.ndim++] = x.shape.n[axis++];
    }
  }
  return out;
}

/* A view of x, which is taken. */
static array eval_view(const node *n, array x)
{
  array out = x;
  int ndim = x.shape.ndim;
  out.shape = n->type.shape;
  switch (n->kind) {
  case NODE_SLICE:
    return eval_slice(n, x);
  case NODE_TRANSPOSE:
    for (int k = 0; k < ndim; k++) {
      int axis = n->axes.n < 0 ? ndim - 1 - k : n->axes.axis[k];
      out.stride[k] = x.stride[axis < 0 ? axis + ndim : axis];
    }
    return out;
  case NODE_FLIP:
    for (int k = 0; k < ndim; k++) {
      bool flipped = n->axes.n < 0;
      for (int i = 0; i < n->axes.n; i++) flipped |= (n->axes.axis[i] + ndim) % ndim == k;
      if (!flipped) continue;
      if (x.shape.n[k] > 0) out.offset += (x.shape.n[k] - 1) * x.stride[k];
      out.stride[k] = -x.stride[k];
    }
    return out;
  case NODE_BROADCAST:
    for (int k = 0; k < out.shape.ndim; k++) {
      int from = k - (out.shape.ndim - ndim);
      out.stride[k] = from < 0 || x.shape.n[from] == 1 ? 0 : x.stride[from];
    }
    return out;
  case NODE_DIAGONAL: {
    int a = n->axes.axis[0], b = n->axes.axis[1], to = 0;
    a += a < 0 ? ndim : 0;
    b += b < 0 ? ndim : 0;
    for (int k = 0; k < ndim; k++) {
      if (k != a && k != b) out.stride[to++] = x.stride[k];
    }
    out.stride[to] = x.stride[a] + x.stride[b];
    if (out.shape.n[to] > 0)
      out.offset += n->index >= 0 ? n->index * x.stride[b] : -n->index * x.stride[a];
    return out;
  }
  case NODE_ARRANGE: {
    arrangement a;
    arrange(n, &x.shape, &a);
    for (int k = 0; k < a.ndim; k++) {
      int64_t stride = a.from[k] < 0 ? 0 : x.stride[a.from[k]];
      out.offset += stride * (a.flip[k] && a.length[k] > 0 ? a.length[k] - 1 : a.start[k]);
      out.stride[k] = a.flip[k] ? -stride : stride;
    }
    return out;
  }
  default: { /* NODE_EXPAND */
    int axis = n->index < 0 ? n->index + ndim + 1 : n->index;
    for (int k = ndim; k > axis; k--) out.stride[k] = x.stride[k - 1];
    out.stride[axis] = 0;
    return out;
  }
  }
}

static array eval_reduce(const node *n, const array *x)
{
  int ndim = x->shape.ndim, n_axes = 0, axes[TSR_MAX_NDIM];
  bool reduced[TSR_MAX_NDIM] = {false};
  for (int k = 0; k < ndim; k++) {
    reduced[k] = n->axes.n < 0;
    for (int i = 0; i < n->axes.n; i++) reduced[k] |= (n->axes.axis[i] + ndim) % ndim == k;
    if (reduced[k]) axes[n_axes++] = k;
  }
  tsr_dims group = {.ndim = n_axes}, kept = x->shape;
  for (int k = 0; k < n_axes; k++) group.n[k] = x->shape.n[axes[k]];
  for (int k = 0; k < ndim; k++) kept.n[k] = reduced[k] ? 1 : kept.n[k];
  reduction op = (reduction)n->index;
  const tsr_dtype compute = reduction_compute(op, x->dtype);
  array out = fresh(n->type.dtype, &n->type.shape);
  int64_t size = dims_size(&group), at[TSR_MAX_NDIM] = {0};
  cell *cells = tsr__malloc((size_t)(size + 1) * sizeof *cells);
  for (int64_t i = 0; i < dims_size(&out.shape); i++) {
    int64_t inner[TSR_MAX_NDIM] = {0}, index[TSR_MAX_NDIM];
    memcpy(index, at, sizeof index);
    for (int64_t k = 0; k < size; k++) {
      for (int a = 0; a < n_axes; a++) index[axes[a]] = inner[a];
      cells[k] = cell_cast(*element(x, index), x->dtype, compute);
      next_index(&group, inner);
    }
    out.memory->cells[i] = cell_reduce_any(op, compute, n_axes, group.n, cells);
    next_index(&kept, at);
  }
  free(cells);
  return out;
}

static array eval_new(const node *n)
{
  array out = fresh(n->dtype, &n->type.shape);
  int64_t size = dims_size(&out.shape);
  for (int64_t i = 0; i < size; i++) {
    out.memory->cells[i] = new_cell(n, i);
  }
  return out;
}

/* A call (calls.h): its operands dense, of the result's dtype where elements only move. */
static array eval_call(machine *m, const node *n)
{
  array out = fresh(n->type.dtype, &n->type.shape);
  dense x[MAX_ARGS];
  cell *values[MAX_ARGS];
  bool moves = n->index < N_MOVES;
  for (int i = 0; i < n->n_args; i++) {
    array a = eval(m, n->args[i]);
    values[i] = gather(&a, &a.shape, moves ? out.dtype : a.dtype);
    x[i] = (dense){.dtype = a.dtype, .shape = a.shape, .cells = values[i]};
    drop(&a);
  }
  (moves ? call_cells : call_values)(n, x, out.memory->cells);
  for (int i = 0; i < n->n_args; i++) free(values[i]);
  return out;
}

static array eval(machine *m, int i)
{
  const node *n = &m->p->nodes[i];
  array x, out;
  switch (n->kind) {
  case NODE_VAR:
    out = m->vars[n->index];
    out.memory->n_refs++;
    return out;
  case NODE_SCALAR:
    out = (array){.kind = n->value[0].kind, .scalar.v.i = n->value[0].i};
    if (out.kind >= SCALAR_FLOAT) out.scalar.v.f = n->value[0].f;
    out.scalar.im = out.kind == SCALAR_COMPLEX ? n->value[0].im : 0;
    return out;
  case NODE_SCALAR_VAR:
    return m->scalars[n->index];
  case NODE_MAP:
    return eval_map(m, n);
  case NODE_CALL:
    return eval_call(m, n);
  case NODE_FULL:
  case NODE_ARANGE:
  case NODE_HOST:
    return eval_new(n);
  default:
    break;
  }
  x = eval(m, n->args[0]);
  if (n->kind >= NODE_SLICE && n->kind <= NODE_ARRANGE) {
    node now = slice_at(n, m->turn);
    return eval_view(&now, x);
  }
  if (n->kind == NODE_REDUCE) {
    out = eval_reduce(n, &x);
  } else {
    out = fresh(n->type.dtype, &x.shape);
    cell *values = gather(&x, &x.shape, out.dtype);
    scatter(&out, values, out.dtype);
    free(values);
  }
  drop(&x);
  return out;
}

/* The blob. */

static void emit(machine *m, bool is_scalar, int var, tsr_dtype dtype, const tsr_dims *shape,
                 const cell *cells)
{
  result *r = m->out;
  int64_t n = dims_size(shape);
  if (r->n_segments == m->segments_capacity) {
    m->segments_capacity = 2 * m->segments_capacity + 16;
    r->segments = tsr__realloc(r->segments, (size_t)m->segments_capacity * sizeof *r->segments);
  }
  r->segments[r->n_segments++] =
      (segment){is_scalar, var, dtype, *shape, r->n_bytes, r->n_cells, n};
  if ((size_t)(r->n_cells + n) > m->cells_capacity) {
    m->cells_capacity = 2 * m->cells_capacity + (size_t)n + 256;
    r->err = tsr__realloc(r->err, m->cells_capacity * sizeof *r->err);
    r->bytes = tsr__realloc(r->bytes, m->cells_capacity * 16);
  }
  for (int64_t i = 0; i < n; i++) {
    r->err[r->n_cells++] = cells[i].err;
    cell_store(cells[i], dtype, r->bytes + r->n_bytes);
    r->n_bytes += dtype_bytes(dtype);
  }
}

static void set_scalar(machine *m, int var, scalar_kind kind, const array *x)
{
  int64_t zero[TSR_MAX_NDIM] = {0};
  cell value = cell_cast(*element(x, zero), x->dtype, scalar_dtype(kind));
  m->scalars[var] = (array){.kind = kind, .scalar = value};
  emit(m, true, var, kind == SCALAR_FLOAT ? TSR_FLOAT64 : TSR_INT64, &(tsr_dims){.ndim = 0},
       &value);
}

/* Statements. */

static void write_target(machine *m, const statement *st)
{
  array target = eval(m, st->target), value = eval(m, st->value);
  if (st->kind == ST_INPLACE) {
    array x[2] = {target, value};
    array sum = map_one((tsr_opcode)st->op, 2, x);
    drop(&value);
    value = sum;
  }
  cell *values = gather(&value, &target.shape, target.dtype);
  scatter(&target, values, target.dtype);
  free(values);
  drop(&target);
  drop(&value);
}

/* True to leave the loop. */
static bool leaves(machine *m, const statement *st)
{
  const array *s = &m->scalars[st->var];
  double x = s->kind == SCALAR_FLOAT ? s->scalar.v.f : (double)s->scalar.v.i;
  if (s->scalar.err > 0 && !(fabs(x - st->limit) > 2 * s->scalar.err)) m->out->unsure = true;
  return x > st->limit;
}

static bool run(machine *m, int begin, int end);

static void run_let(machine *m, const statement *st)
{
  array value = eval(m, st->value);
  drop(&m->vars[st->var]);
  m->vars[st->var] = value;
}

static void run_item(machine *m, const statement *st)
{
  array x = eval(m, st->value);
  if (st->kind == ST_ITEM) {
    set_scalar(m, st->var, st->item_kind, &x);
  } else {
    int64_t zero[TSR_MAX_NDIM] = {0};
    array copy = fresh(x.dtype, &(tsr_dims){.ndim = 0});
    copy.memory->cells[0] = *element(&x, zero);
    drop(&m->reads[st->op]);
    m->reads[st->op] = copy;
  }
  drop(&x);
}

static bool run_statement(machine *m, const statement *st)
{
  switch (st->kind) {
  case ST_LET:
  case ST_REPLACE:
    run_let(m, st);
    return true;
  case ST_ASSIGN:
  case ST_INPLACE:
    write_target(m, st);
    return true;
  case ST_ITEM:
  case ST_READ_BEGIN:
    run_item(m, st);
    return true;
  case ST_READ_END:
    set_scalar(m, st->var, SCALAR_FLOAT, &m->reads[st->op]);
    drop(&m->reads[st->op]);
    return true;
  case ST_BREAK_IF:
    return !leaves(m, st);
  default:
    return true;
  }
}

/* Statements begin … end - 1; false if a loop is to be left. */
static bool run(machine *m, int begin, int end)
{
  for (int i = begin; i < end; i++) {
    const statement *st = &m->p->statements[i];
    if (st->kind != ST_REPEAT_BEGIN) {
      if (!run_statement(m, st)) return false;
      continue;
    }
    int last = program_block_end(m->p, i), outer = m->turn;
    for (m->turn = 0; m->turn < st->count; m->turn++) {
      if (!run(m, i + 1, last)) break;
    }
    m->turn = outer;
    i = last;
  }
  return true;
}

result *reference_run(program *p)
{
  machine *m = tsr__calloc(1, sizeof *m);
  m->p = p;
  m->out = tsr__calloc(1, sizeof *m->out);
  run(m, 0, p->n_statements);
  for (int i = 0; i < p->n_live; i++) {
    const array *a = &m->vars[p->live[i]];
    cell *values = gather(a, &a->shape, a->dtype);
    emit(m, false, p->live[i], a->dtype, &a->shape, values);
    free(values);
  }
  for (int i = 0; i < MAX_VARS; i++) drop(&m->vars[i]);
  for (int i = 0; i < MAX_READS; i++) drop(&m->reads[i]);
  result *out = m->out;
  free(m);
  return out;
}

void result_free(result *r)
{
  if (!r) return;
  free(r->segments);
  free(r->err);
  free(r->bytes);
  free(r);
}
