/* Drawing expressions: views that make any array fit a shape, operations over them. */
#include "generate.h"

#include <math.h>
#include <string.h>

int gen_node(gen *g, const node *n)
{
  for (int i = 0; i < n->n_args; i++) {
    if (n->args[i] < 0) return -1;
  }
  int i = program_node(g->p, n);
  return check_node(g->p, i, g->s) ? i : -1;
}

int gen_var(gen *g, int var)
{
  return gen_node(g, &(node){.kind = NODE_VAR, .index = var});
}

int gen_float(gen *g, double x)
{
  return gen_node(g, &(node){.kind = NODE_SCALAR, .value[0] = {.kind = SCALAR_FLOAT, .f = x}});
}

int gen_map(gen *g, tsr_opcode op, int n, const int *args)
{
  node map = {.kind = NODE_MAP, .index = op, .n_args = n};
  memcpy(map.args, args, (size_t)n * sizeof *args);
  return gen_node(g, &map);
}

int gen_reduce(gen *g, reduction r, int x, const tsr_axes *axes)
{
  return gen_node(
      g, &(node){.kind = NODE_REDUCE, .index = r, .n_args = 1, .args = {x}, .axes = *axes});
}

int gen_astype(gen *g, int x, tsr_dtype dtype)
{
  return gen_node(g, &(node){.kind = NODE_ASTYPE, .dtype = dtype, .n_args = 1, .args = {x}});
}

int gen_ranges(gen *g, int x, const int64_t *start, const int64_t *stop)
{
  if (x < 0) return -1;
  node n = {.kind = NODE_SLICE, .n_args = 1, .args = {x}};
  n.n_items = g->p->nodes[x].type.shape.ndim;
  for (int k = 0; k < n.n_items; k++)
    n.items[k] = (tsr_slice_item){.kind = TSR_SLICE_RANGE,
                                  .has_start = start[k] != 0,
                                  .start = start[k],
                                  .has_stop = stop[k] != 0,
                                  .stop = stop[k]};
  return gen_node(g, &n);
}

tsr_dtype gen_dtype(gen *g)
{
  if (g->wide && rng_chance(&g->r, 60)) return (tsr_dtype)rng_below(&g->r, TSR_N_DTYPES);
  int64_t k = rng_below(&g->r, 100);
  return k < 45   ? TSR_FLOAT64
         : k < 66 ? TSR_FLOAT32
         : k < 78 ? TSR_INT64
         : k < 91 ? TSR_INT32
                  : TSR_BOOL;
}

int gen_live_var(gen *g)
{
  int live[MAX_VARS], n = 0;
  for (int i = 0; i < MAX_VARS; i++) {
    if (g->s->vars[i].live) live[n++] = i;
  }
  return n ? live[rng_below(&g->r, n)] : -1;
}

/* Shapes. */

static tsr_dims fresh_shape(gen *g)
{
  static const uint8_t ndims[] = {0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2,
                                  2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 8};
  tsr_dims d = {.ndim = ndims[rng_below(&g->r, sizeof ndims)]};
  if (d.ndim > 4) d.ndim = (int)rng_range(&g->r, 5, 8);
  double most = (double)g->limits->most_elements;
  double left = pow(most, 0.35 + 0.65 * (double)rng_below(&g->r, 1000) / 1000);
  for (int k = 0; k < d.ndim; k++) {
    double even = pow(left, 1.0 / (d.ndim - k));
    double length = even * pow(2, (double)rng_range(&g->r, -10, 10) / 10);
    if (k == d.ndim - 1) length = left;
    d.n[k] = length < 1 ? 1 : (int64_t)length;
    left /= (double)d.n[k];
  }
  if (d.ndim && rng_chance(&g->r, 5)) d.n[rng_below(&g->r, d.ndim)] = rng_below(&g->r, 2);
  return d;
}

/* One of the program's shapes, mostly, or a variation on it. */
tsr_dims gen_shape(gen *g)
{
  if (g->n_shapes < 3 && (g->n_shapes == 0 || rng_chance(&g->r, 15)))
    return g->shapes[g->n_shapes++] = fresh_shape(g);
  tsr_dims d = g->shapes[rng_below(&g->r, g->n_shapes)];
  int64_t how = rng_below(&g->r, 100);
  if (how < 60 || d.ndim == 0) return d;
  if (how < 70) {
    d.ndim--;
    memmove(d.n, d.n + 1, sizeof d.n - sizeof d.n[0]);
  } else if (how < 80) {
    d.n[rng_below(&g->r, d.ndim)] = 1;
  } else if (how < 93) {
    for (int k = 0; k < d.ndim; k++) d.n[k] += rng_below(&g->r, 3);
  } else {
    int64_t first = d.n[0];
    d.n[0] = d.n[d.ndim - 1];
    d.n[d.ndim - 1] = first;
  }
  return d;
}

/* Views. */

/* A range that takes `want` of `length` elements. */
static tsr_slice_item range_of(gen *g, int64_t length, int64_t want)
{
  rng *r = &g->r;
  tsr_slice_item item = {.kind = TSR_SLICE_RANGE};
  if (want == length && rng_chance(r, 75)) return item;
  int64_t most = want > 1 ? (length - 1) / (want - 1) : 1 + rng_below(r, 3);
  int64_t step = rng_chance(r, 75) ? 1 : rng_range(r, 1, most);
  int64_t span = want > 0 ? (want - 1) * step : 0;
  int64_t start = rng_below(r, length - span), stop = start + span + (want > 0);
  if (want == 0) stop = start;
  bool reversed = want > 0 && rng_chance(r, 15);
  if (reversed) {
    int64_t first = start;
    start += span;
    stop = first - 1;
    step = -step;
  }
  item.has_start =
      reversed ? start != length - 1 || rng_chance(r, 30) : start != 0 || rng_chance(r, 30);
  item.has_stop = reversed ? stop >= 0 : stop != length || rng_chance(r, 30);
  item.has_step = step != 1 || rng_chance(r, 10);
  bool from_end = rng_chance(r, 40);
  item.start = from_end && start < length ? start - length : start;
  item.stop = from_end && stop < length ? stop - length : stop;
  item.step = step;
  if (!item.has_start) item.start = 0;
  if (!item.has_stop) item.stop = 0;
  if (!item.has_step) item.step = 0;
  return item;
}

static tsr_slice_item index_of(gen *g, int64_t length)
{
  int64_t at = rng_below(&g->r, length);
  return (tsr_slice_item){.kind = TSR_SLICE_INDEX,
                          .start = rng_chance(&g->r, 30) ? at - length : at};
}

/* In a loop, let the item move along its axis of `length`, if there is room. */
static void maybe_move(gen *g, node *n, int i, int64_t length)
{
  rng *r = &g->r;
  tsr_slice_item *item = &n->items[i];
  if (g->s->n_repeats == 0 || length == 0 || !rng_chance(r, 35)) return;
  int64_t start, count = 1, step = 1;
  if (item->kind == TSR_SLICE_RANGE) range_indices(item, length, &start, &count, &step);
  if (step < 0 || count == 0) return;
  int64_t span = (count - 1) * step + 1, turns = g->s->n_turns - 1, by = rng_range(r, 1, 2);
  if (by * turns + span > length) by = 1;
  if (by * turns + span > length) return;
  start = rng_below(r, length - span - by * turns + 1);
  if (rng_chance(r, 30)) {
    start += by * turns;
    by = -by;
  }
  item->has_start = true;
  item->start = start;
  n->moves[i] = by;
  if (item->kind == TSR_SLICE_INDEX) return;
  item->has_stop = true;
  item->stop = start + span;
}

/* Which axis of x serves each axis of the shape; -1: a new one of length 1. */
static bool match_axes(gen *g, const tsr_dims *x, const tsr_dims *shape, bool exact, int *from)
{
  bool used[TSR_MAX_NDIM] = {false};
  for (int k = shape->ndim - 1; k >= 0; k--) {
    int fits[TSR_MAX_NDIM], n = 0, aligned = k + x->ndim - shape->ndim;
    for (int j = 0; j < x->ndim; j++) {
      if (!used[j] && x->n[j] >= shape->n[k]) fits[n++] = j;
    }
    from[k] = n ? fits[rng_below(&g->r, n)] : -1;
    bool can = aligned >= 0 && !used[aligned] && x->n[aligned] >= shape->n[k];
    if (can && rng_chance(&g->r, 80)) from[k] = aligned;
    if (!exact && rng_chance(&g->r, 5)) from[k] = -1;
    if (from[k] >= 0) used[from[k]] = true;
    if (from[k] < 0 && exact && shape->n[k] != 1) return false;
  }
  for (int j = 0; j < x->ndim; j++) {
    if (!used[j] && x->n[j] == 0) return false;
  }
  return true;
}

/* New axes where from[k] < 0; leading ones may be left out. */
static int add_axes(gen *g, int x, const tsr_dims *shape, const int *from, bool exact)
{
  node n = {.kind = NODE_SLICE, .n_args = 1, .args = {x}};
  bool any = false, leading = !exact && rng_chance(&g->r, 60);
  for (int k = 0; k < shape->ndim; k++) {
    leading &= from[k] < 0;
    if (leading) continue;
    any |= from[k] < 0;
    n.items[n.n_items++].kind = from[k] < 0 ? TSR_SLICE_NEWAXIS : TSR_SLICE_RANGE;
  }
  return any ? gen_node(g, &n) : x;
}

int gen_fit(gen *g, int x, const tsr_dims *shape, bool exact)
{
  if (x < 0 || !g->p->nodes[x].type.is_array) return -1;
  const tsr_dims own = g->p->nodes[x].type.shape;
  bool equal =
      own.ndim == shape->ndim && !memcmp(own.n, shape->n, (size_t)own.ndim * sizeof own.n[0]);
  if (equal && rng_chance(&g->r, 85)) return x;
  int from[TSR_MAX_NDIM], order[TSR_MAX_NDIM], n_order = 0;
  if (!match_axes(g, &own, shape, exact, from)) return -1;
  node slice = {.kind = NODE_SLICE, .n_args = 1, .args = {x}, .n_items = own.ndim};
  tsr_axes perm = {.n = 0};
  for (int j = 0; j < own.ndim; j++) {
    int k = 0;
    while (k < shape->ndim && from[k] != j) k++;
    slice.items[j] = k < shape->ndim ? range_of(g, own.n[j], shape->n[k]) : index_of(g, own.n[j]);
    if (k < shape->ndim) order[n_order++] = k;
  }
  for (int j = 0; j < own.ndim; j++) maybe_move(g, &slice, j, own.n[j]);
  x = gen_node(g, &slice);
  bool sorted = true;
  for (int k = 0; k < shape->ndim; k++) {
    if (from[k] < 0) continue;
    int at = 0;
    while (order[at] != k) at++;
    sorted &= at == perm.n;
    perm.axis[perm.n++] = at;
  }
  if (!sorted)
    x = gen_node(g, &(node){.kind = NODE_TRANSPOSE, .n_args = 1, .args = {x}, .axes = perm});
  return x < 0 ? -1 : add_axes(g, x, shape, from, exact);
}

static int any_slice(gen *g, int x)
{
  rng *r = &g->r;
  const tsr_dims *d = &g->p->nodes[x].type.shape;
  node n = {.kind = NODE_SLICE, .n_args = 1, .args = {x}};
  int64_t ellipsis = rng_chance(r, 20) ? rng_below(r, d->ndim + 1) : -1;
  for (int k = 0; k < d->ndim; k++) {
    if (rng_chance(r, 8)) n.items[n.n_items++].kind = TSR_SLICE_NEWAXIS;
    if (ellipsis == k) {
      n.items[n.n_items++].kind = TSR_SLICE_ELLIPSIS;
      k += (int)rng_below(r, d->ndim - k);
    }
    int64_t length = d->n[k], want = rng_range(r, length / 2, length);
    if (length > 0 && rng_chance(r, 15))
      n.items[n.n_items] = index_of(g, length);
    else
      n.items[n.n_items] = range_of(g, length, rng_chance(r, 20) ? rng_below(r, length + 1) : want);
    n.n_items++;
  }
  if (rng_chance(r, 8)) n.items[n.n_items++].kind = TSR_SLICE_NEWAXIS;
  return gen_node(g, &n);
}

static int any_broadcast(gen *g, int x)
{
  const type *t = &g->p->nodes[x].type;
  node n = {.kind = NODE_BROADCAST, .n_args = 1, .args = {x}, .shape = t->shape};
  for (int k = 0; k < n.shape.ndim; k++) {
    if (n.shape.n[k] == 1) n.shape.n[k] = rng_range(&g->r, 1, 5);
  }
  if (n.shape.ndim < TSR_MAX_NDIM && rng_chance(&g->r, 50)) {
    memmove(n.shape.n + 1, n.shape.n, sizeof n.shape.n - sizeof n.shape.n[0]);
    n.shape.n[0] = rng_range(&g->r, 1, 4);
    n.shape.ndim++;
  }
  if (dims_size(&n.shape) > 2 * g->limits->most_elements) return -1;
  return gen_node(g, &n);
}

tsr_axes gen_axes(gen *g, int ndim)
{
  tsr_axes axes = {.n = -1};
  if (rng_chance(&g->r, 35)) return axes;
  axes.n = 0;
  for (int k = 0; k < ndim; k++) {
    if (rng_chance(&g->r, 50)) axes.axis[axes.n++] = rng_chance(&g->r, 30) ? k - ndim : k;
  }
  return axes;
}

int gen_view(gen *g, int x)
{
  rng *r = &g->r;
  if (x < 0) return -1;
  const tsr_dims d = g->p->nodes[x].type.shape;
  node n = {.n_args = 1, .args = {x}};
  int64_t how = rng_below(r, 100);
  if (how < 30) return any_slice(g, x);
  if (how < 45) return gen_arrange(g, x);
  if (how < 58) {
    n.kind = NODE_TRANSPOSE;
    n.axes.n = rng_chance(r, 50) ? -1 : d.ndim;
    for (int k = 0; k < n.axes.n; k++) {
      int at = (int)rng_below(r, k + 1);
      n.axes.axis[k] = n.axes.axis[at];
      n.axes.axis[at] = k;
    }
  } else if (how < 70) {
    n.kind = NODE_FLIP;
    n.axes = gen_axes(g, d.ndim);
  } else if (how < 80) {
    return any_broadcast(g, x);
  } else if (how < 92) {
    if (d.ndim < 2) return any_slice(g, x);
    n.kind = NODE_DIAGONAL;
    n.axes.axis[0] = (int)rng_below(r, d.ndim);
    n.axes.axis[1] = (int)((n.axes.axis[0] + 1 + rng_below(r, d.ndim - 1)) % d.ndim);
    n.index = (int)rng_range(r, -2, 2);
    if (rng_chance(r, 30)) n.axes.axis[1] -= d.ndim;
  } else {
    n.kind = NODE_EXPAND;
    n.index = (int)rng_range(r, -d.ndim - 1, d.ndim);
  }
  return gen_node(g, &n);
}

int gen_any_reduce(gen *g, int x)
{
  if (x < 0) return -1;
  int ndim = g->p->nodes[x].type.shape.ndim;
  reduction r = (reduction)rng_below(&g->r, N_REDUCTIONS);
  tsr_axes axes = gen_axes(g, ndim);
  if (is_position(r) && axes.n >= 0) {
    axes.n = ndim > 0;
    axes.axis[0] = (int)rng_below(&g->r, ndim);
    if (ndim == 0) axes.n = -1;
  }
  if (ndim == 0 && rng_chance(&g->r, 40))
    axes = (tsr_axes){.n = 1, .axis = {-(int)rng_below(&g->r, 2)}};
  axes.keepdims = rng_chance(&g->r, 35);
  return gen_reduce(g, r, x, &axes);
}

/* Short axes. */

enum { SHORT = 20 };

int gen_with_short_axes(gen *g)
{
  rng *r = &g->r;
  tsr_dims d = {.ndim = (int)rng_range(r, 2, 4)};
  const int first = (int)rng_below(r, d.ndim), second = (int)rng_below(r, d.ndim);
  int64_t left = g->limits->most_elements;
  for (int k = 0; k < d.ndim; k++) {
    d.n[k] = k == first    ? rng_range(r, 1, d.ndim > 2 ? 9 : SHORT)
             : k == second ? rng_range(r, 1, 4)
                           : 0;
    if (d.n[k] > 0) left /= d.n[k];
  }
  for (int k = 0; k < d.ndim; k++) {
    if (d.n[k] > 0) continue;
    d.n[k] = rng_range(r, 2, left < 2 ? 2 : left < 400 ? left : 400);
    left /= d.n[k];
  }
  return gen_new(g, &d, gen_dtype(g));
}

int gen_fold(gen *g, int var)
{
  rng *r = &g->r;
  int x = gen_var(g, var);
  if (rng_chance(r, 40)) x = gen_view(g, x);
  for (int i = (int)rng_below(r, 3); i > 0 && x >= 0; i--) {
    static const tsr_opcode ops[] = {TSR_OP_MULTIPLY, TSR_OP_ADD, TSR_OP_MAXIMUM};
    const tsr_dims shape = g->p->nodes[x].type.shape;
    const int twice[2] = {x, gen_fit(g, gen_var(g, var), &shape, false)};
    x = gen_map(g, ops[rng_below(r, 3)], 2, twice);
  }
  if (x < 0) return -1;
  const tsr_dims shape = g->p->nodes[x].type.shape;
  tsr_axes axes = {.n = 0, .keepdims = rng_chance(r, 30)};
  for (int k = 0; k < shape.ndim; k++)
    if (shape.n[k] <= SHORT && rng_chance(r, 80)) axes.axis[axes.n++] = k;
  const reduction how = (reduction)rng_below(r, N_REDUCTIONS);
  if (axes.n == 0) return -1;
  if (is_position(how)) axes.n = 1;
  x = gen_reduce(g, how, x, &axes);
  if (x < 0 || rng_chance(r, 50)) return x;
  const tsr_dims result = g->p->nodes[x].type.shape;
  const int sum[2] = {x, gen_fit(g, gen_var(g, var), &result, false)};
  return gen_map(g, TSR_OP_ADD, 2, sum);
}

/* Values. */

scalar gen_scalar(gen *g)
{
  static const double floats[] = {0.25, 0.5, -1.5, 2.0, 1e-3, 0.1, 3.7, -0.0, 1e10, -7.0};
  int64_t how = rng_below(&g->r, 100);
  if (how < 8) return (scalar){.kind = SCALAR_BOOL, .i = rng_chance(&g->r, 50)};
  if (how < 45)
    return (scalar){.kind = SCALAR_INT,
                    .i = rng_chance(&g->r, 90) ? rng_range(&g->r, -9, 9)
                                               : rng_range(&g->r, -999, 999)};
  return (scalar){.kind = SCALAR_FLOAT, .f = floats[rng_below(&g->r, 10)]};
}

int gen_new(gen *g, const tsr_dims *shape, tsr_dtype dtype)
{
  rng *r = &g->r;
  int made = rng_chance(r, 15) ? gen_made(g, shape, dtype) : -1;
  if (made >= 0) return made;
  node n = {.kind = NODE_HOST, .shape = *shape, .dtype = dtype, .seed = rng_next(r)};
  static const uint8_t styles[] = {0, 0, 1, 1, 1,
                                   2, 2, 2, 3, 3}; /* quarters add without rounding */
  n.style = styles[rng_below(r, g->special ? 10 : 8)];
  if (rng_chance(r, 25)) {
    n.kind = NODE_FULL;
    n.value[0] = gen_scalar(g);
    if (rng_chance(r, 50)) n.value[0] = (scalar){.kind = SCALAR_INT, .i = rng_below(r, 2)};
  } else if (shape->ndim == 1 && dtype != TSR_BOOL && rng_chance(r, 40)) {
    bool floats = is_float(dtype) && rng_chance(r, 60);
    static const double steps[] = {0.25, 1.0, -0.5, 1.5, -2.0};
    int64_t start = rng_range(r, -20, 20), step = rng_range(r, 1, 3) * (rng_chance(r, 70) ? 1 : -1);
    n.kind = NODE_ARANGE;
    n.value[0] =
        (scalar){.kind = floats ? SCALAR_FLOAT : SCALAR_INT, .i = start, .f = (double)start};
    n.value[2] = (scalar){.kind = n.value[0].kind, .i = step, .f = steps[rng_below(r, 5)]};
    n.value[1] = (scalar){.kind = n.value[0].kind,
                          .i = start + step * shape->n[0],
                          .f = (double)start + n.value[2].f * (double)shape->n[0]};
    if (floats)
      for (int k = 0; k < 3; k++) n.value[k].i = 0;
  }
  return gen_node(g, &n);
}

int gen_operand(gen *g, const tsr_dims *shape, int depth)
{
  rng *r = &g->r;
  int64_t how = rng_below(r, 100);
  if (how < 12) {
    scalar s = gen_scalar(g);
    if (g->wide && rng_chance(r, 15))
      s = (scalar){.kind = SCALAR_COMPLEX, .f = s.f, .im = (double)rng_range(r, -6, 6) / 4};
    return gen_node(g, &(node){.kind = NODE_SCALAR, .value[0] = s});
  }
  if (how < 18) {
    int i = (int)rng_below(r, MAX_SCALARS);
    if (g->s->scalar_live[i]) return gen_node(g, &(node){.kind = NODE_SCALAR_VAR, .index = i});
  }
  if (how < 45 && depth > 0) {
    int x = gen_expression(g, shape, depth - 1);
    if (x >= 0) return x;
  }
  if (how >= 45 && how < 55) {
    int x = gen_shaped(g, shape);
    if (x >= 0) return x;
  }
  for (int tries = 0; tries < 5; tries++) {
    int var = gen_live_var(g), x = var < 0 ? -1 : gen_var(g, var);
    if (x >= 0 && how >= 93) x = gen_any_reduce(g, x);
    if (x >= 0 && how >= 83 && how < 93) x = gen_call(g, x);
    x = gen_fit(g, x, shape, false);
    if (x >= 0 && rng_chance(r, 5)) x = gen_astype(g, x, gen_dtype(g));
    if (x >= 0) return x;
  }
  if (dims_size(shape) > 0 && rng_chance(r, 50)) return gen_new(g, shape, gen_dtype(g));
  return gen_node(g, &(node){.kind = NODE_SCALAR, .value[0] = gen_scalar(g)});
}

static tsr_opcode some_opcode(gen *g)
{
  static const struct {
    uint8_t op, weight;
  } table[] = {{TSR_OP_ADD, 14},          {TSR_OP_SUBTRACT, 12},   {TSR_OP_MULTIPLY, 14},
               {TSR_OP_DIVIDE, 7},        {TSR_OP_NEGATIVE, 4},    {TSR_OP_ABSOLUTE, 4},
               {TSR_OP_MINIMUM, 4},       {TSR_OP_MAXIMUM, 4},     {TSR_OP_SQRT, 4},
               {TSR_OP_SQUARE, 2},        {TSR_OP_EQUAL, 2},       {TSR_OP_NOT_EQUAL, 2},
               {TSR_OP_LESS, 2},          {TSR_OP_LESS_EQUAL, 2},  {TSR_OP_GREATER, 2},
               {TSR_OP_GREATER_EQUAL, 2}, {TSR_OP_LOGICAL_AND, 2}, {TSR_OP_LOGICAL_OR, 2},
               {TSR_OP_LOGICAL_XOR, 2},   {TSR_OP_LOGICAL_NOT, 2}, {TSR_OP_WHERE, 7}};
  enum {
    N = sizeof table / sizeof table[0],
    N_INEXACT = TSR_OP_HYPOT - TSR_OP_EXP + 1,
    N_EXACT = TSR_OP_HEAVISIDE - TSR_OP_POSITIVE + 1,
    N_BITS = TSR_OP_COMPLEX - TSR_OP_BITWISE_AND + 1
  };
  _Static_assert(N + N_INEXACT + N_EXACT + N_BITS == TSR_N_CALLED_OPS, "every operation is drawn");
  if (g->exp && rng_chance(&g->r, 25))
    return (tsr_opcode)(TSR_OP_EXP + (int)rng_below(&g->r, N_INEXACT));
  if (rng_chance(&g->r, 15)) return (tsr_opcode)(TSR_OP_POSITIVE + (int)rng_below(&g->r, N_EXACT));
  if (rng_chance(&g->r, 10))
    return (tsr_opcode)(TSR_OP_BITWISE_AND + (int)rng_below(&g->r, N_BITS));
  int64_t sum = 0, i = 0;
  for (int k = 0; k < N; k++) sum += table[k].weight;
  int64_t at = rng_below(&g->r, sum);
  while (at >= table[i].weight) at -= table[i++].weight;
  return (tsr_opcode)table[i].op;
}

int gen_expression(gen *g, const tsr_dims *shape, int depth)
{
  for (int tries = 0; tries < 6; tries++) {
    tsr_opcode op = some_opcode(g);
    int n = map_arity(op), args[MAX_ARGS];
    if ((op == TSR_OP_ADD || op == TSR_OP_MULTIPLY) && rng_chance(&g->r, 35))
      n = (int)(rng_chance(&g->r, 90) ? rng_range(&g->r, 3, 5) : rng_range(&g->r, 6, 16));
    for (int i = 0; i < n; i++) args[i] = gen_operand(g, shape, n > 5 ? 0 : depth);
    if (op == TSR_OP_LDEXP)
      args[1] =
          gen_node(g, &(node){.kind = NODE_SCALAR,
                              .value[0] = {.kind = SCALAR_INT, .i = rng_range(&g->r, -9, 9)}});
    int x = gen_map(g, op, n, args);
    if (x >= 0 && !g->exp && is_complex(g->p->nodes[x].type.dtype) && is_complex_function(op))
      continue;
    if (x >= 0 && rng_chance(&g->r, 6)) x = gen_astype(g, x, gen_dtype(g));
    if (x >= 0) return x;
  }
  return -1;
}

/* Long expressions. */

enum { N_LEAVES = 6, MOST_NESTED = 40 };

static int long_leaf(gen *g, const tsr_dims *shape, const int *leaves)
{
  if (rng_chance(&g->r, 90)) return leaves[rng_below(&g->r, N_LEAVES)];
  return gen_operand(g, shape, 0);
}

/* A tree of operations, partly a chain. Its depth keeps within what NumPy's parser takes. */
static int long_tree(gen *g, const tsr_dims *shape, const int *leaves, int64_t n_ops, int depth)
{
  static const tsr_opcode ops[] = {TSR_OP_ADD,     TSR_OP_SUBTRACT, TSR_OP_MULTIPLY,
                                   TSR_OP_MINIMUM, TSR_OP_MAXIMUM,  TSR_OP_ADD};
  if (n_ops == 0) return long_leaf(g, shape, leaves);
  n_ops--;
  int64_t left = n_ops / 2;
  if (depth < MOST_NESTED) left = rng_chance(&g->r, 40) ? n_ops : rng_below(&g->r, n_ops + 1);
  int args[2] = {long_tree(g, shape, leaves, left, depth + 1),
                 long_tree(g, shape, leaves, n_ops - left, depth + 1)};
  int x = gen_map(g, ops[rng_below(&g->r, sizeof ops / sizeof ops[0])], 2, args);
  if (x < 0) x = gen_map(g, TSR_OP_ADD, 2, args);
  if (x < 0) return leaves[0];
  return rng_chance(&g->r, 2) ? gen_astype(g, x, gen_dtype(g)) : x;
}

int gen_long(gen *g, const tsr_dims *shape)
{
  int leaves[N_LEAVES];
  for (int i = 0; i < N_LEAVES; i++) {
    const int var = gen_live_var(g);
    leaves[i] = i > 0     ? gen_operand(g, shape, 0)
                : var < 0 ? -1
                          : gen_fit(g, gen_var(g, var), shape, false);
    if (leaves[i] < 0) return -1;
  }
  const int64_t n_ops = rng_range(&g->r, 100, rng_chance(&g->r, 30) ? 1000 : 300);
  return long_tree(g, shape, leaves, n_ops, 0);
}
