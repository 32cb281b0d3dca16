/* Drawing calls and arrangements (calls.h). */
#include "calls.h"
#include "generate.h"

#include <string.h>

static int exact_array(gen *g, const tsr_dims *shape)
{
  for (int tries = 0; tries < 3; tries++) {
    int var = gen_live_var(g), x = var < 0 ? -1 : gen_fit(g, gen_var(g, var), shape, true);
    if (x >= 0) return x;
  }
  return dims_size(shape) > 0 ? gen_new(g, shape, gen_dtype(g)) : -1;
}

/* Part [from, to) along the axis of some array that has the shape; to 0: the end. */
static int part_of(gen *g, const tsr_dims *shape, int axis, int64_t from, int64_t to)
{
  int64_t start[TSR_MAX_NDIM] = {0}, stop[TSR_MAX_NDIM] = {0};
  start[axis] = from;
  stop[axis] = to;
  int x = exact_array(g, shape);
  return x < 0 ? -1 : gen_ranges(g, x, start, stop);
}

/* An array of the shape that is rolled, reshaped, joined or repeated. */
int gen_shaped(gen *g, const tsr_dims *shape)
{
  rng *r = &g->r;
  if (shape->ndim == 0 || dims_size(shape) == 0) return -1;
  int axis = (int)rng_below(r, shape->ndim);
  int64_t length = shape->n[axis], how = rng_below(r, 100);
  node n = {.kind = NODE_CALL, .n_args = 1};
  if (how < 50) {
    n.index = CALL_ROLL;
    n.axes = gen_axes(g, shape->ndim);
    n.by = rng_range(r, -3, 3);
    n.args[0] = exact_array(g, shape);
    if (n.args[0] >= 0 && rng_chance(r, 30)) /* of a value without memory */
      n.args[0] = gen_map(g, TSR_OP_ADD, 2, (const int[]){n.args[0], gen_float(g, 0.5)});
  } else if (how < 70) {
    n.index = CALL_RESHAPE; /* from another order of the same lengths */
    n.shape = *shape;
    tsr_dims turned = *shape;
    for (int k = 0; k < shape->ndim; k++) turned.n[k] = shape->n[shape->ndim - 1 - k];
    n.args[0] = exact_array(g, &turned);
  } else if (how < 85 && length > 1) {
    n.index = CALL_CONCATENATE;
    n.axis = rng_chance(r, 30) ? axis - shape->ndim : axis;
    n.n_args = 2;
    int64_t cut = rng_range(r, 1, length - 1);
    n.args[0] = part_of(g, shape, axis, 0, cut);
    n.args[1] = part_of(g, shape, axis, cut, 0);
    if (n.args[1] < 0) return -1;
  } else if (length % 2 == 0 && shape->ndim < TSR_MAX_NDIM) {
    n.index = CALL_REPEAT;
    n.by = 2;
    n.axis = axis;
    n.args[0] = part_of(g, shape, axis, 0, length / 2);
  } else {
    return -1;
  }
  return n.args[0] < 0 ? -1 : gen_node(g, &n);
}

/* Of an array x: each function draws the parameters of some calls; n->args[0] is the array. */

static int some_axis(gen *g, int ndim)
{
  int axis = (int)rng_below(&g->r, ndim);
  return rng_chance(&g->r, 30) ? axis - ndim : axis;
}

static void draw_pad(gen *g, node *n, const type *x)
{
  n->style = (int)rng_below(&g->r, N_PAD_MODES);
  n->shape = n->after = x->shape;
  for (int k = 0; k < x->shape.ndim; k++) {
    n->shape.n[k] = rng_below(&g->r, 4);
    n->after.n[k] = rng_below(&g->r, 4);
  }
  n->value[0] = rng_chance(&g->r, 50) ? gen_scalar(g) : (scalar){.kind = SCALAR_BOOL};
}

/* Also joins of the array with itself and views of it. */
static void draw_join(gen *g, node *n, const type *x)
{
  n->n_args = (int)rng_range(&g->r, 1, 4);
  n->axis = some_axis(g, x->shape.ndim + (n->index == CALL_STACK));
  for (int i = 1; i < n->n_args; i++) n->args[i] = exact_array(g, &x->shape);
}

static void draw_reshape(gen *g, node *n, const type *x)
{
  n->shape = (tsr_dims){.ndim = 1, .n = {dims_size(&x->shape)}};
  n->style = (int)rng_below(&g->r, 3);
}

static void draw_scan(gen *g, node *n, const type *x)
{
  n->style = is_complex(x->dtype) ? 0 : (int)rng_below(&g->r, 2);
}

static void draw_repeat(gen *g, node *n, const type *x)
{
  n->by = rng_range(&g->r, 0, 3);
}

static void draw_diff(gen *g, node *n, const type *x)
{
  n->by = rng_range(&g->r, 1, 3);
  n->style = (int)rng_range(&g->r, 0, DIFF_BEFORE | DIFF_AFTER);
}

static void draw_tile(gen *g, node *n, const type *x)
{
  const int ndim = x->shape.ndim;
  n->shape.ndim = (int)rng_range(&g->r, 0, ndim < 3 ? ndim + 1 : ndim);
  for (int k = 0; k < n->shape.ndim; k++)
    n->shape.n[k] = rng_range(&g->r, rng_chance(&g->r, 95), 3);
}

/* Of one of the two results. */
static void draw_either(gen *g, node *n, const type *x)
{
  n->by = rng_below(&g->r, 2);
}

static void draw_pair(gen *g, node *n, const type *x)
{
  n->n_args = 2;
  n->args[1] = exact_array(g, &x->shape);
  n->by = rng_below(&g->r, 2);
  n->style = rng_chance(&g->r, 50);
}

static void draw_kernel(gen *g, node *n, const type *x)
{
  n->n_args = 2;
  n->style = (int)rng_below(&g->r, N_KERNELS);
  n->args[1] = exact_array(g, &x->shape);
  if (n->args[1] >= 0 && g->p->nodes[n->args[1]].type.dtype != x->dtype)
    n->args[1] = gen_astype(g, n->args[1], x->dtype);
}

static int some_vector(gen *g)
{
  return gen_new(g, &(tsr_dims){.ndim = 1, .n = {rng_range(&g->r, 1, 9)}}, gen_dtype(g));
}

/* If need be of another vector. */
static void draw_outer(gen *g, node *n, const type *x)
{
  n->n_args = 2;
  if (x->shape.ndim != 1) n->args[0] = some_vector(g);
  n->args[1] = some_vector(g);
}

static void draw_meshgrid(gen *g, node *n, const type *x)
{
  n->n_args = (int)rng_range(&g->r, 1, 3);
  n->by = rng_below(&g->r, n->n_args);
  n->style = rng_chance(&g->r, 50);
  for (int i = 1; i < n->n_args; i++) n->args[i] = some_vector(g);
}

/* Rows that are summed are often of truth values, whose own sums say little of a wider dtype's. */
static void draw_product(gen *g, node *n, const type *x)
{
  tsr_dims shape = {.ndim = (int)rng_range(&g->r, 1, 2), .n = {1, rng_range(&g->r, 1, 40)}};
  if (x->shape.ndim > 0) shape.n[0] = x->shape.n[x->shape.ndim - 1];
  if (dims_size(&shape) == 0) return;
  n->style = (int)rng_below(&g->r, N_PRODUCTS);
  if (x->shape.ndim > 1 && rng_chance(&g->r, 35)) n->style = PRODUCT_SUMMED;
  n->args[1] = gen_new(g, &shape, rng_chance(&g->r, 30) ? x->dtype : gen_dtype(g));
  if (n->style == PRODUCT_SUMMED && rng_chance(&g->r, 50))
    n->args[0] = gen_astype(g, n->args[0], TSR_BOOL);
  n->n_args = n->args[0] < 0 || n->args[1] < 0 ? 1 : 2;
}

static void draw_keepdims(gen *g, node *n, const type *x)
{
  n->axes.keepdims = rng_chance(&g->r, 35);
}

static void draw_quantile(gen *g, node *n, const type *x)
{
  draw_keepdims(g, n, x);
  n->value[0] = (scalar){.kind = SCALAR_FLOAT, .f = (double)rng_below(&g->r, 9) / 8};
  if ((n->index == CALL_QUANTILE || n->index == CALL_NANQUANTILE) && rng_chance(&g->r, 80))
    n->style = (int)rng_below(&g->r, N_METHODS);
}

/* Options of a norm that there is. */
static void draw_norm(gen *g, node *n, const type *x)
{
  const int ndim = x->shape.ndim;
  n->style = (int)rng_below(&g->r, N_NORMS);
  n->axes = (tsr_axes){.n = 1, .axis = {n->axis}};
  if (ndim > 1 && rng_chance(&g->r, 40)) {
    n->axes.n = 2;
    n->axes.axis[1] = (n->axis + (n->axis < 0 ? ndim : 0) + 1) % ndim;
  }
  if (rng_chance(&g->r, 40)) n->axes.n = -1;
  draw_keepdims(g, n, x);
}

/* A second array of t's shape, or a vector as long as the axis. */
static void draw_second(gen *g, node *n, const type *t)
{
  const int ndim = t->shape.ndim;
  n->n_args = 2;
  if (ndim == 0 || rng_chance(&g->r, 50)) {
    n->args[1] = exact_array(g, &t->shape);
    return;
  }
  const tsr_dims line = {.ndim = 1, .n = {t->shape.n[n->axis < 0 ? n->axis + ndim : n->axis]}};
  n->axes = (tsr_axes){.n = 1, .axis = {n->axis}};
  n->args[1] = line.n[0] > 0 ? gen_new(g, &line, gen_dtype(g)) : -1;
}

/* Weights of the whole shape, of one axis, or of two, in any order. */
static void draw_weights(gen *g, node *n, const type *t)
{
  const int ndim = t->shape.ndim;
  if (ndim < 2 || rng_chance(&g->r, 60)) {
    draw_second(g, n, t);
    return;
  }
  const int first = (int)rng_below(&g->r, ndim);
  const int other = (first + 1 + (int)rng_below(&g->r, ndim - 1)) % ndim;
  const tsr_dims shape = {.ndim = 2, .n = {t->shape.n[first], t->shape.n[other]}};
  n->n_args = 2;
  n->axes = (tsr_axes){.n = 2, .axis = {first - ndim * (int)rng_below(&g->r, 2), other}};
  n->args[1] = dims_size(&shape) > 0 ? gen_new(g, &shape, gen_dtype(g)) : -1;
}

static void draw_average(gen *g, node *n, const type *x)
{
  draw_weights(g, n, x);
  draw_keepdims(g, n, x);
}

static void draw_trapezoid(gen *g, node *n, const type *x)
{
  n->value[0] = (scalar){.kind = SCALAR_INT, .i = rng_range(&g->r, 1, 3)};
  if (rng_chance(&g->r, 50))
    n->value[0] = (scalar){.kind = SCALAR_FLOAT, .f = (double)rng_range(&g->r, -6, 6) / 4};
  if (rng_chance(&g->r, 60)) draw_second(g, n, x);
  draw_keepdims(g, n, x);
}

static void draw_vdot(gen *g, node *n, const type *x)
{
  n->n_args = 2;
  n->args[1] = rng_chance(&g->r, 70)
                   ? exact_array(g, &x->shape)
                   : gen_new(g, &(tsr_dims){.ndim = 1, .n = {dims_size(&x->shape)}}, gen_dtype(g));
  draw_keepdims(g, n, x);
}

static void draw_fold(gen *g, node *n, const type *x)
{
  n->style = (int)rng_below(&g->r, N_FOLDS);
  draw_keepdims(g, n, x);
}

static void draw_task(gen *g, node *n, const type *x)
{
  static const tsr_dtype dtypes[] = {TSR_FLOAT64, TSR_FLOAT32, TSR_INT64, TSR_INT32};
  tsr_dtype d = g->p->nodes[n->args[0]].type.dtype;
  n->n_args = 2;
  n->style = (int)rng_below(&g->r, N_TASKS);
  n->by = rng_below(&g->r, 4) * 5 / 2; /* the grain: none, 2, 5, 7 */
  if (!task_takes(d)) n->args[0] = gen_astype(g, n->args[0], d = dtypes[rng_below(&g->r, 4)]);
  n->args[1] = exact_array(g, &x->shape);
  if (n->args[1] >= 0 && g->p->nodes[n->args[1]].type.dtype != d)
    n->args[1] = gen_astype(g, n->args[1], d);
  draw_keepdims(g, n, x);
}

static void draw_order(gen *g, node *n, const type *x)
{
  n->seed = rng_next(&g->r);
  n->by = rng_below(&g->r, 9);
  draw_keepdims(g, n, x);
}

/* A few elements of a vector. */
static void draw_choice(gen *g, node *n, const type *x)
{
  const int64_t length = x->shape.ndim > 0 ? x->shape.n[0] : 1;
  n->seed = rng_next(&g->r);
  n->by = rng_below(&g->r, 9);
  n->style = rng_chance(&g->r, 50);
  n->shape = (tsr_dims){.ndim = (int)rng_range(&g->r, 0, 2)};
  for (int k = 0; k < n->shape.ndim; k++)
    n->shape.n[k] = rng_range(&g->r, 1, n->style || k == 0 ? length : 1);
  draw_keepdims(g, n, x);
}

/* Numbers that every dtype of the kind holds. */
static scalar small_scalar(gen *g, tsr_dtype d)
{
  if (d == TSR_BOOL) return (scalar){.kind = SCALAR_BOOL, .i = rng_chance(&g->r, 50)};
  return (scalar){.kind = SCALAR_INT, .i = rng_range(&g->r, is_unsigned(d) ? 0 : -3, 3)};
}

static void draw_masked(gen *g, node *n, const type *t)
{
  n->style = (int)rng_below(&g->r, N_MASKED);
  n->by = n->style < MASKED_MEAN && rng_chance(&g->r, 50);
  if (n->style == MASKED_MIN || n->style == MASKED_MAX) n->by = 1;
  n->value[0] = small_scalar(g, t->dtype);
  n->axes.keepdims = rng_chance(&g->r, 35);
  if (n->by && rng_chance(&g->r, 20)) return;
  n->n_args = 2;
  n->args[1] = exact_array(g, &t->shape);
  if (n->args[1] >= 0 && rng_chance(&g->r, 70))
    n->args[1] = gen_map(g, TSR_OP_GREATER, 2, (const int[]){n->args[1], gen_float(g, 0.5)});
  if (n->args[1] >= 0) n->args[1] = gen_astype(g, n->args[1], TSR_BOOL);
}

static void draw_border(gen *g, node *n, const type *t)
{
  n->style = (int)rng_below(&g->r, N_BORDERS);
  n->by = rng_below(&g->r, 4);
  n->shape = n->after = t->shape;
  for (int k = 0; k < t->shape.ndim; k++) {
    n->shape.n[k] = rng_below(&g->r, 4);
    n->after.n[k] = rng_below(&g->r, 4);
  }
  n->value[0] = small_scalar(g, t->dtype);
}

static void (*const draw[N_OF_ARRAYS])(gen *g, node *n,
                                       const type *x) = {[CALL_RESHAPE] = draw_reshape,
                                                         [CALL_CONCATENATE] = draw_join,
                                                         [CALL_STACK] = draw_join,
                                                         [CALL_CUMMAX] = draw_scan,
                                                         [CALL_CUMMIN] = draw_scan,
                                                         [CALL_REPEAT] = draw_repeat,
                                                         [CALL_DIFF] = draw_diff,
                                                         [CALL_TILE] = draw_tile,
                                                         [CALL_PAD] = draw_pad,
                                                         [CALL_MESHGRID] = draw_meshgrid,
                                                         [CALL_DIVMOD] = draw_pair,
                                                         [CALL_ISCLOSE] = draw_pair,
                                                         [CALL_OUTER] = draw_outer,
                                                         [CALL_MEDIAN] = draw_quantile,
                                                         [CALL_QUANTILE] = draw_quantile,
                                                         [CALL_NANMEDIAN] = draw_quantile,
                                                         [CALL_NANQUANTILE] = draw_quantile,
                                                         [CALL_PRODUCT] = draw_product,
                                                         [CALL_KERNEL] = draw_kernel,
                                                         [CALL_MODF] = draw_either,
                                                         [CALL_FREXP] = draw_either,
                                                         [CALL_PERMUTATION] = draw_order,
                                                         [CALL_SHUFFLE] = draw_order,
                                                         [CALL_CHOICE_OF] = draw_choice,
                                                         [CALL_AVERAGE] = draw_average,
                                                         [CALL_NORM] = draw_norm,
                                                         [CALL_TRAPEZOID] = draw_trapezoid,
                                                         [CALL_VDOT] = draw_vdot,
                                                         [CALL_FOLD] = draw_fold,
                                                         [CALL_TASK] = draw_task,
                                                         [CALL_MASKED] = draw_masked,
                                                         [CALL_BORDER] = draw_border};

/* The parameters of a call of array x. */
static void draw_parameters(gen *g, node *n, int x)
{
  const type t = g->p->nodes[x].type;
  const int ndim = t.shape.ndim;
  n->by = rng_range(&g->r, -3, 3);
  n->axis = ndim > 0 ? some_axis(g, ndim) : 0;
  n->axes = gen_axes(g, ndim);
  if (draw[n->index] != NULL) draw[n->index](g, n, &t);
}

int gen_call(gen *g, int x)
{
  const int64_t size = x < 0 ? 0 : dims_size(&g->p->nodes[x].type.shape);
  for (int tries = 0; tries < 4 && x >= 0; tries++) {
    node n = {.kind = NODE_CALL, .n_args = 1, .args = {x}};
    n.index = rng_chance(&g->r, 8) ? CALL_PRODUCT : (int)rng_below(&g->r, N_OF_ARRAYS);
    /* Each waits for some twenty passes. */
    const bool selects = n.index == CALL_MEDIAN || n.index == CALL_QUANTILE ||
                         n.index == CALL_NANMEDIAN || n.index == CALL_NANQUANTILE;
    if (selects && (rng_chance(&g->r, 60) || 3 * size > g->limits->most_elements)) continue;
    draw_parameters(g, &n, x);
    int call = gen_node(g, &n);
    if (call < 0 || (!g->exp && is_inexact_call(g->p, &g->p->nodes[call]))) continue;
    if (dims_size(&g->p->nodes[call].type.shape) > 2 * g->limits->most_elements) continue;
    return call;
  }
  return -1;
}

int gen_arrange(gen *g, int x)
{
  if (x < 0) return -1;
  rng *r = &g->r;
  const tsr_dims d = g->p->nodes[x].type.shape;
  node n = {.kind = NODE_ARRANGE, .n_args = 1, .args = {x}};
  n.index = (int)rng_below(r, N_ARRANGINGS);
  if (d.ndim == 0) n.index = rng_chance(r, 50) ? ARRANGE_SQUEEZE : ARRANGE_ATLEAST;
  n.axes = (tsr_axes){.n = 2, .axis = {some_axis(g, d.ndim), some_axis(g, d.ndim)}};
  n.axis = some_axis(g, d.ndim);
  n.by = n.index == ARRANGE_ROT90 ? rng_range(r, -2, 5) : rng_range(r, 1, 3);
  if (n.index == ARRANGE_SPLIT) n.style = (int)rng_below(r, n.by);
  if (n.index == ARRANGE_SQUEEZE) {
    n.axes.n = rng_chance(r, 50) ? -1 : 0;
    for (int k = 0; k < d.ndim && n.axes.n >= 0; k++)
      if (d.n[k] == 1 && rng_chance(r, 60)) n.axes.axis[n.axes.n++] = k;
  }
  return gen_node(g, &n);
}

/* From nothing. */

int gen_made(gen *g, const tsr_dims *shape, tsr_dtype dtype)
{
  rng *r = &g->r;
  node n = {.kind = NODE_CALL, .shape = *shape, .dtype = dtype, .seed = rng_next(r)};
  n.index = (int)rng_range(r, N_OF_ARRAYS, N_CALLS - 1);
  bool draws = n.index >= CALL_UNIFORM;
  n.by = draws ? (int64_t)(rng_next(r) >> (1 + rng_below(r, 60))) : rng_range(r, -3, 3);
  n.style = rng_chance(r, 60);
  if (n.index == CALL_INDICES) { /* those along one axis */
    node part = {.kind = NODE_SLICE, .n_args = 1, .args = {gen_node(g, &n)}, .n_items = 1};
    part.items[0] = (tsr_slice_item){.kind = TSR_SLICE_INDEX, .start = rng_below(r, shape->ndim)};
    return gen_node(g, &part);
  }
  n.value[0] = (scalar){.kind = SCALAR_INT, .i = rng_range(r, -5, 5)};
  n.value[1] = (scalar){.kind = SCALAR_INT, .i = n.value[0].i + rng_range(r, 1, 9)};
  if (n.index == CALL_INTEGERS && rng_chance(r, 20)) n.value[0].i = INT32_MIN;
  if (n.index != CALL_INTEGERS && rng_chance(r, 50)) {
    static const double scales[] = {1, 0.5, 3.25, 1e-3};
    n.value[0] = (scalar){.kind = SCALAR_FLOAT, .f = (double)rng_range(r, -4, 4) / 4};
    n.value[1] = (scalar){.kind = SCALAR_FLOAT, .f = scales[rng_below(r, 4)]};
  }
  if ((n.index == CALL_NORMAL || n.index == CALL_EXPONENTIAL) && !g->exp) n.index = CALL_UNIFORM;
  if ((n.index == CALL_LOGSPACE || n.index == CALL_GEOMSPACE) && !g->exp) n.index = CALL_LINSPACE;
  static const double bases[] = {10, 2, 0.5, 1.5};
  n.value[2] = (scalar){.kind = SCALAR_FLOAT, .f = bases[rng_below(r, 4)]};
  if (n.index == CALL_CHOICE || n.index == CALL_ORDER) {
    n.dtype = TSR_INT64;
    n.value[0] = (scalar){.kind = SCALAR_INT, .i = dims_size(shape) + rng_below(r, 20) + 1};
    if (rng_chance(r, 30)) n.value[0].i += (int64_t)65536 << rng_below(r, 20);
    int x = gen_node(g, &n);
    return x < 0 || dtype == TSR_INT64 ? x : gen_astype(g, x, dtype);
  }
  return gen_node(g, &n);
}
