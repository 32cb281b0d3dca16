/* Drawing programs: statements, scopes, loops, stencils. A statement that turns out invalid is
 * taken back; a block that does not close is taken back whole. */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

/* Where to go back to. */
typedef struct mark {
  int n_nodes, n_statements, next_var, next_scalar;
  state *s;
} mark;

static mark mark_here(gen *g)
{
  return (mark){g->p->n_nodes, g->p->n_statements, g->next_var, g->next_scalar, state_copy(g->s)};
}

static void mark_drop(mark *m)
{
  state_free(m->s);
}

static void mark_return(gen *g, mark *m)
{
  g->p->n_nodes = m->n_nodes;
  g->p->n_statements = m->n_statements;
  g->next_var = m->next_var;
  g->next_scalar = m->next_scalar;
  state_free(g->s);
  g->s = m->s;
}

/* Append the statement if it is valid. */
static bool add(gen *g, statement st)
{
  if (st.value < 0 || st.target < 0) return false;
  mark m = mark_here(g);
  int i = program_statement(g->p, &st);
  if (check_statement(g->p, i, g->s)) {
    mark_drop(&m);
    return true;
  }
  mark_return(g, &m);
  return false;
}

/* A new variable with the value; its number, or -1. */
static int let(gen *g, int value)
{
  if (g->next_var >= MAX_VARS || value < 0) return -1;
  int var = g->next_var;
  statement st = {.kind = ST_LET, .var = var, .value = value, .scoped = rng_chance(&g->r, 60)};
  if (!add(g, st)) return -1;
  g->next_var++;
  return var;
}

static bool assign(gen *g, int target, int value)
{
  return add(g, (statement){.kind = ST_ASSIGN, .target = target, .value = value});
}

/* Single statements. */

static int some_var(gen *g)
{
  int var = gen_live_var(g);
  return var < 0 ? -1 : gen_var(g, var);
}

/* A sum over several axes of floats of all magnitudes: the order of the tree shows. */
static bool draw_sum(gen *g)
{
  rng *r = &g->r;
  tsr_dims d = {.ndim = (int)rng_range(r, 2, 3)};
  int64_t left = g->limits->most_elements;
  for (int k = d.ndim - 1; k >= 0; k--) {
    d.n[k] = rng_range(r, 2, left < 160 ? left : 160);
    left = left / d.n[k] > 2 ? left / d.n[k] : 2;
  }
  node host = {
      .kind = NODE_HOST, .shape = d, .seed = rng_next(r), .style = (int)rng_range(r, 1, 2)};
  host.dtype = rng_chance(r, 60) ? TSR_FLOAT64 : TSR_FLOAT32;
  int var = let(g, gen_node(g, &host));
  if (var < 0) return false;
  int x = gen_var(g, var);
  if (rng_chance(r, 40)) x = gen_view(g, x);
  if (rng_chance(r, 30)) {
    int twice[2] = {x, x < 0 ? -1 : gen_var(g, var)};
    if (x >= 0) {
      tsr_dims shape = g->p->nodes[x].type.shape; /* nodes move as more are added */
      twice[1] = gen_fit(g, twice[1], &shape, false);
    }
    x = gen_map(g, TSR_OP_MULTIPLY, 2, twice);
  }
  if (x < 0) return false;
  tsr_axes axes = {.n = -1, .keepdims = rng_chance(r, 30)};
  int ndim = g->p->nodes[x].type.shape.ndim;
  if (ndim > 2 && rng_chance(r, 60)) {
    axes.n = 2;
    axes.axis[0] = (int)rng_below(r, ndim - 1);
    axes.axis[1] = -1;
  }
  return let(g, gen_reduce(g, rng_chance(r, 70) ? RED_SUM : RED_MEAN, x, &axes)) >= 0;
}

static bool draw_let(gen *g)
{
  rng *r = &g->r;
  int64_t how = rng_below(r, 100);
  tsr_dims shape = gen_shape(g);
  if (rng_chance(r, 1)) return let(g, gen_long(g, &shape)) >= 0;
  if (how < 42) return let(g, gen_expression(g, &shape, 2)) >= 0;
  if (how < 65) {
    int x = gen_view(g, some_var(g));
    return let(g, rng_chance(r, 30) ? gen_view(g, x) : x) >= 0;
  }
  if (how < 88) {
    int x = rng_chance(r, 40) ? gen_expression(g, &shape, 1) : some_var(g);
    return let(g, rng_chance(r, 35) ? gen_call(g, x) : gen_any_reduce(g, x)) >= 0;
  }
  if (how < 92) return let(g, gen_new(g, &shape, gen_dtype(g))) >= 0;
  int x = some_var(g);
  if (how < 96) return let(g, gen_astype(g, x, gen_dtype(g))) >= 0;
  return let(g, gen_node(g, &(node){.kind = NODE_COPY, .n_args = 1, .args = {x}})) >= 0;
}

/* A shape a little smaller than x's. */
static tsr_dims shrunk(gen *g, int x)
{
  tsr_dims d = g->p->nodes[x].type.shape;
  for (int k = 0; k < d.ndim; k++) {
    if (d.n[k] > 2 && rng_chance(&g->r, 60)) d.n[k] -= rng_range(&g->r, 1, d.n[k] > 3 ? 2 : 1);
  }
  return d;
}

/* target (op)= value, often with both from one array and overlapping. */
static bool draw_write(gen *g)
{
  rng *r = &g->r;
  int x = some_var(g), target = x;
  if (x < 0) return false;
  int64_t how = rng_below(r, 100);
  if (how < 30) target = gen_view(g, x);
  tsr_dims smaller = shrunk(g, x);
  if (how >= 50) target = gen_fit(g, x, &smaller, true);
  if (target < 0) return false;
  tsr_dims shape = g->p->nodes[target].type.shape;
  int value;
  if (rng_chance(r, 45)) {
    value = gen_fit(g, x, &shape, false); /* the same array, at another place */
    if (rng_chance(r, 50)) {
      int args[2] = {value, gen_operand(g, &shape, 1)};
      value = gen_map(g, rng_chance(r, 50) ? TSR_OP_ADD : TSR_OP_MULTIPLY, 2, args);
    }
  } else {
    value = gen_operand(g, &shape, 2);
  }
  if (value < 0) return false;
  statement st = {.kind = ST_ASSIGN, .target = target, .value = value};
  if (rng_chance(r, 40)) {
    static const uint8_t ops[] = {TSR_OP_ADD,    TSR_OP_SUBTRACT,     TSR_OP_MULTIPLY,
                                  TSR_OP_DIVIDE, TSR_OP_FLOOR_DIVIDE, TSR_OP_REMAINDER};
    static const uint8_t bits[] = {TSR_OP_BITWISE_AND, TSR_OP_BITWISE_OR, TSR_OP_BITWISE_XOR,
                                   TSR_OP_LEFT_SHIFT, TSR_OP_RIGHT_SHIFT};
    st.kind = ST_INPLACE;
    const bool of_bits = dtype_rank(g->p->nodes[target].type.dtype) < 2 && rng_chance(r, 40);
    st.op = of_bits ? bits[rng_below(r, 5)] : ops[rng_below(r, 6)];
  }
  if (add(g, st)) return true;
  st.value = gen_astype(g, value, g->p->nodes[target].type.dtype);
  return add(g, st);
}

/* An expression of one element. */
static int one_element(gen *g)
{
  rng *r = &g->r;
  int x = some_var(g);
  if (x < 0) return -1;
  const tsr_dims d = g->p->nodes[x].type.shape;
  if (rng_chance(r, 50) || dims_size(&d) == 0) {
    reduction how = (reduction)rng_below(r, N_REDUCTIONS);
    return gen_reduce(g, how, x, &(tsr_axes){.n = -1, .keepdims = rng_chance(r, 20)});
  }
  node n = {.kind = NODE_SLICE, .n_args = 1, .args = {x}, .n_items = d.ndim};
  for (int k = 0; k < d.ndim; k++)
    n.items[k] = (tsr_slice_item){.kind = TSR_SLICE_INDEX, .start = rng_below(r, d.n[k])};
  return gen_node(g, &n);
}

/* Reads of a scalar, at once or begun now and ended later. */
static bool draw_read(gen *g)
{
  rng *r = &g->r;
  if (g->next_scalar >= MAX_SCALARS) return false;
  int read = (int)rng_below(r, MAX_READS);
  if (g->s->read_live[read]) {
    bool ended = add(g, (statement){.kind = ST_READ_END, .op = read, .var = g->next_scalar});
    g->next_scalar += ended;
    return ended;
  }
  int x = one_element(g);
  if (x < 0) return false;
  if (rng_chance(r, 35)) return add(g, (statement){.kind = ST_READ_BEGIN, .op = read, .value = x});
  statement st = {.kind = ST_ITEM, .value = x, .var = g->next_scalar, .item_kind = SCALAR_FLOAT};
  tsr_dtype d = g->p->nodes[x].type.dtype;
  if (!is_float(d) || rng_chance(r, 15))
    st.item_kind = rng_chance(r, 70) ? SCALAR_INT : SCALAR_BOOL;
  bool added = add(g, st);
  g->next_scalar += added;
  return added;
}

static bool draw_lifetime(gen *g)
{
  rng *r = &g->r;
  int var = gen_live_var(g);
  if (var < 0) return false;
  statement st = {.kind = ST_RELEASE, .var = var};
  int64_t how = rng_below(r, 100);
  if (how < 40) return add(g, st);
  st.kind = how < 50 ? ST_HOLD : how < 60 ? ST_KEEP : how < 70 ? ST_FLUSH : ST_REPLACE;
  if (st.kind == ST_HOLD && g->s->n_repeats > 0) return false;
  if (st.kind != ST_REPLACE) return add(g, st);
  const type t = g->s->vars[var].type;
  st.value = gen_expression(g, &t.shape, 1);
  if (st.value >= 0 && g->p->nodes[st.value].type.dtype != t.dtype)
    st.value = gen_astype(g, st.value, t.dtype);
  return add(g, st);
}

static void draw_statement(gen *g)
{
  for (int tries = 0; tries < 4; tries++) {
    int64_t how = rng_below(&g->r, 100);
    bool ok = how < 42   ? draw_let(g)
              : how < 80 ? draw_write(g)
              : how < 88 ? draw_read(g)
                         : draw_lifetime(g);
    if (ok) return;
  }
}

/* Blocks. */

static bool begin(gen *g, statement_kind kind, int count, bool scoped)
{
  return add(g, (statement){.kind = kind, .count = count, .scoped = scoped});
}

/* Close the block, or take all of it back. */
static void end(gen *g, statement_kind kind, mark *start)
{
  if (add(g, (statement){.kind = kind}))
    mark_drop(start);
  else
    mark_return(g, start);
}

static void draw_scope(gen *g)
{
  mark start = mark_here(g);
  int first = g->next_var;
  begin(g, ST_SCOPE_BEGIN, 0, false);
  int n = (int)rng_range(&g->r, 1, 4);
  for (int i = 0; i < n; i++) draw_statement(g);
  for (int v = first; v < g->next_var; v++) {
    if (g->s->vars[v].live && rng_chance(&g->r, 30)) add(g, (statement){.kind = ST_KEEP, .var = v});
  }
  end(g, ST_SCOPE_END, &start);
}

/* Leave the loop once a value grows; the value is read first. */
static void draw_break(gen *g)
{
  int x = one_element(g), s = g->next_scalar;
  if (s >= MAX_SCALARS || x < 0) return;
  if (!add(g, (statement){.kind = ST_ITEM, .value = x, .var = s, .item_kind = SCALAR_FLOAT}))
    return;
  g->next_scalar++;
  static const double limits[] = {0.0, 1.0, 100.0, 1e6};
  add(g, (statement){.kind = ST_BREAK_IF, .var = s, .limit = limits[rng_below(&g->r, 4)]});
}

static void draw_loop(gen *g)
{
  mark start = mark_here(g);
  begin(g, ST_REPEAT_BEGIN, (int)rng_range(&g->r, 2, 5), rng_chance(&g->r, 75));
  int n = (int)rng_range(&g->r, 1, 5);
  for (int i = 0; i < n; i++) draw_statement(g);
  if (rng_chance(&g->r, 15)) draw_break(g);
  end(g, ST_REPEAT_END, &start);
}

/* Stencils. */

/* A float array of 1 to 3 axes with an interior, new if none is there; -1 if it cannot be. */
static int stencil_array(gen *g, bool new)
{
  for (int tries = 0; !new &&tries < 8; tries++) {
    int var = gen_live_var(g);
    if (var < 0) break;
    const type *t = &g->s->vars[var].type;
    bool good = dtype_rank(t->dtype) > 1 && t->shape.ndim >= 1 && t->shape.ndim <= 3;
    for (int k = 0; k < t->shape.ndim; k++) good &= t->shape.n[k] >= 4 && !t->repeats[k];
    if (good) return var;
  }
  tsr_dims d = {.ndim = (int)rng_range(&g->r, 1, 3)};
  int64_t most = g->limits->most_elements, longest = d.ndim == 1 ? most : d.ndim == 2 ? 60 : 16;
  while (d.ndim == 2 && longest * longest > most) longest /= 2;
  for (int k = 0; k < d.ndim; k++) d.n[k] = rng_range(&g->r, 4, longest);
  tsr_dtype dtype = rng_chance(&g->r, 75) ? TSR_FLOAT64 : TSR_FLOAT32;
  return let(g, gen_new(g, &d, dtype));
}

/* The interior of x (margin `width`), moved by `shift` along an axis. */
static int moved(gen *g, int var, int axis, int64_t shift, int64_t width)
{
  int64_t start[TSR_MAX_NDIM], stop[TSR_MAX_NDIM];
  int ndim = g->s->vars[var].type.shape.ndim;
  for (int k = 0; k < ndim; k++) {
    start[k] = width + (k == axis ? shift : 0);
    stop[k] = -width + (k == axis ? shift : 0);
  }
  return gen_ranges(g, gen_var(g, var), start, stop);
}

/* As an operand: the view itself, or a variable that holds it. */
static int held(gen *g, int view)
{
  if (!rng_chance(&g->r, 60)) return view;
  int var = let(g, view);
  return var < 0 ? -1 : gen_var(g, var);
}

typedef struct stencil {
  int var, center, sum; /* the array; nodes: its interior, the weighted sum of neighbours */
  int64_t width;
} stencil;

static bool stencil_of(gen *g, int var, stencil *out)
{
  const tsr_dims d = g->s->vars[var].type.shape;
  int64_t width = rng_chance(&g->r, 85) ? 1 : 2;
  for (int k = 0; k < d.ndim; k++) {
    if (d.n[k] < 2 * width + 2) width = 1;
  }
  int args[MAX_ARGS], n = 0;
  int center = held(g, moved(g, var, 0, 0, width));
  if (rng_chance(&g->r, 80)) args[n++] = center;
  for (int k = 0; k < d.ndim; k++) {
    args[n++] = held(g, moved(g, var, k, -width, width));
    args[n++] = held(g, moved(g, var, k, rng_chance(&g->r, 80) ? width : 1, width));
  }
  int sum = gen_map(g, TSR_OP_ADD, n, args);
  int scaled[2] = {gen_float(g, 1.0 / n), sum};
  *out = (stencil){var, center, gen_map(g, TSR_OP_MULTIPLY, 2, scaled), width};
  return center >= 0 && out->sum >= 0;
}

/* Border values, on one side of one axis. */
static void draw_border(gen *g, int var)
{
  const tsr_dims d = g->s->vars[var].type.shape;
  int axis = (int)rng_below(&g->r, d.ndim);
  bool last = rng_chance(&g->r, 50);
  node side = {.kind = NODE_SLICE, .n_args = 1, .args = {gen_var(g, var)}, .n_items = axis + 1};
  side.items[axis] = (tsr_slice_item){.kind = TSR_SLICE_INDEX, .start = last ? -1 : 0};
  node inner = side;
  inner.items[axis].start = last ? -2 : 1;
  int value = gen_float(g, rng_chance(&g->r, 50) ? 40.0 : -273.15);
  if (rng_chance(&g->r, 40)) value = gen_node(g, &inner);
  assign(g, gen_node(g, &side), value);
}

/* How far a step went, read as a scalar or used as a 0-d array. */
static void draw_residual(gen *g, const stencil *st, int work)
{
  int pair[2] = {gen_var(g, work), st->center};
  int difference = gen_map(g, TSR_OP_SUBTRACT, 2, pair);
  int size = gen_map(g, TSR_OP_ABSOLUTE, 1, &difference);
  reduction r = rng_chance(&g->r, 60) ? RED_MAX : rng_chance(&g->r, 50) ? RED_SUM : RED_MEAN;
  int norm = gen_reduce(g, r, size, &(tsr_axes){.n = -1});
  if (rng_chance(&g->r, 60) && g->next_scalar < MAX_SCALARS) {
    statement item = {
        .kind = ST_ITEM, .value = norm, .var = g->next_scalar, .item_kind = SCALAR_FLOAT};
    g->next_scalar += add(g, item);
  } else {
    let(g, norm);
  }
}

static void draw_stencil(gen *g)
{
  mark start = mark_here(g);
  int var = stencil_array(g, rng_chance(&g->r, 50));
  stencil st;
  if (var < 0 || !stencil_of(g, var, &st)) {
    mark_return(g, &start);
    return;
  }
  begin(g, ST_REPEAT_BEGIN, (int)rng_range(&g->r, 2, 6), rng_chance(&g->r, 85));
  bool in_work = rng_chance(&g->r, 45);
  int work = in_work ? let(g, st.sum) : -1;
  if (work >= 0) {
    if (rng_chance(&g->r, 60)) draw_residual(g, &st, work);
    assign(g, st.center, gen_var(g, work));
  } else {
    assign(g, st.center, st.sum);
  }
  int borders = (int)rng_below(&g->r, 4);
  for (int i = 0; i < borders; i++) draw_border(g, var);
  if (rng_chance(&g->r, 25)) draw_statement(g);
  end(g, ST_REPEAT_END, &start);
}

/* An array onto itself, moved by a little along one axis: most of it is read displaced and written.
 */
static void draw_shift(gen *g)
{
  rng *r = &g->r;
  int var = stencil_array(g, rng_chance(r, 20));
  if (var < 0) return;
  const tsr_dims d = g->s->vars[var].type.shape;
  int axis = (int)rng_below(r, d.ndim);
  int64_t by = d.n[axis] >= 8 ? rng_range(r, 1, 2) : 1;
  int64_t first[2][TSR_MAX_NDIM] = {{0}}, last[2][TSR_MAX_NDIM] = {{0}};
  int down = (int)rng_below(r, 2);
  first[down][axis] = by;
  last[!down][axis] = -by;
  statement st = {.kind = rng_chance(r, 50) ? ST_INPLACE : ST_ASSIGN, .op = TSR_OP_ADD};
  st.target = gen_ranges(g, gen_var(g, var), first[0], last[0]);
  st.value = gen_ranges(g, gen_var(g, var), first[1], last[1]);
  if (st.kind == ST_ASSIGN && rng_chance(r, 50)) {
    int scaled[2] = {gen_float(g, 0.5), st.value};
    st.value = gen_map(g, TSR_OP_MULTIPLY, 2, scaled);
  }
  add(g, st);
}

/* A value from views of arrays, each at some place: exactly of that shape; -1 if none fits. */
static int flux_of(gen *g, const int *vars, int n_vars, const tsr_dims *shape)
{
  static const tsr_opcode ops[] = {TSR_OP_ADD, TSR_OP_SUBTRACT, TSR_OP_MULTIPLY, TSR_OP_MAXIMUM};
  int args[2];
  for (int i = 0; i < 2; i++)
    args[i] = gen_fit(g, gen_var(g, vars[rng_below(&g->r, n_vars)]), shape, true);
  int scaled[2] = {gen_float(g, 0.25), gen_map(g, ops[rng_below(&g->r, 4)], 2, args)};
  return gen_map(g, TSR_OP_MULTIPLY, 2, scaled);
}

/* Two fields that drive each other over temporaries that are read displaced, some of them after
 * what they were made of has been overwritten. */
static void draw_fluxes(gen *g)
{
  rng *r = &g->r;
  mark start = mark_here(g);
  int vars[6], n = 2, field = stencil_array(g, rng_chance(r, 50));
  if (field >= 0) {
    const type t = g->s->vars[field].type;
    vars[0] = field;
    vars[1] = let(g, gen_new(g, &t.shape, t.dtype));
  }
  if (field < 0 || vars[1] < 0) {
    mark_return(g, &start);
    return;
  }
  begin(g, ST_REPEAT_BEGIN, (int)rng_range(r, 1, 4), rng_chance(r, 85));
  for (int i = (int)rng_range(r, 1, 4); i > 0; i--) {
    tsr_dims shape = shrunk(g, gen_var(g, field));
    vars[n] = let(g, flux_of(g, vars, n, &shape));
    n += vars[n] >= 0;
  }
  for (int i = (int)rng_range(r, 2, 5); i > 0; i--) {
    int target = moved(g, vars[rng_below(r, 2)], 0, 0, 1);
    if (target < 0) continue;
    tsr_dims shape = g->p->nodes[target].type.shape;
    int value = rng_chance(r, 80) && n > 2 ? flux_of(g, vars + 2, n - 2, &shape)
                                           : flux_of(g, vars, n, &shape);
    statement st = {.kind = ST_ASSIGN, .op = TSR_OP_ADD, .target = target, .value = value};
    if (rng_chance(r, 50)) st.kind = ST_INPLACE;
    add(g, st);
    if (rng_chance(r, 30)) draw_border(g, vars[rng_below(r, 2)]);
  }
  end(g, ST_REPEAT_END, &start);
}

/* Every other element from its neighbours, then the others. */
static void draw_red_black(gen *g)
{
  mark start = mark_here(g);
  int var = stencil_array(g, false);
  if (var < 0) {
    mark_return(g, &start);
    return;
  }
  int64_t n = g->s->vars[var].type.shape.n[0];
  begin(g, ST_REPEAT_BEGIN, (int)rng_range(&g->r, 1, 4), rng_chance(&g->r, 75));
  for (int color = 1; color <= 2; color++) {
    int64_t count = (n - 1 - color + 1) / 2;
    int parts[3];
    for (int k = -1; k <= 1; k++) {
      node slice = {.kind = NODE_SLICE, .n_args = 1, .args = {gen_var(g, var)}, .n_items = 1};
      slice.items[0] = (tsr_slice_item){.kind = TSR_SLICE_RANGE,
                                        .has_start = true,
                                        .start = color + k,
                                        .has_stop = true,
                                        .stop = color + k + 2 * (count - 1) + 1,
                                        .has_step = true,
                                        .step = 2};
      parts[k + 1] = gen_node(g, &slice);
    }
    int both[2] = {parts[0], parts[2]};
    int scaled[2] = {gen_float(g, 0.5), gen_map(g, TSR_OP_ADD, 2, both)};
    assign(g, parts[1], gen_map(g, TSR_OP_MULTIPLY, 2, scaled));
  }
  end(g, ST_REPEAT_END, &start);
}

/* Programs. */

/* Reductions along short axes. They come last, so that the programs of a seed are as before. */
static void draw_folds(gen *g)
{
  const int var = let(g, gen_with_short_axes(g));
  for (int i = (int)rng_range(&g->r, 1, 3); i > 0 && var >= 0; i--) let(g, gen_fold(g, var));
}

/* A loop whose slices change extents, drawn turn by turn: once or, for windows that come back,
 * twice. */
static void draw_changing(gen *g)
{
  rng *r = &g->r;
  const tsr_dtype dtype = rng_chance(r, 70) ? TSR_FLOAT64 : TSR_FLOAT32;
  const int64_t n = rng_range(r, 4, 24);
  const tsr_dims square = {.ndim = 2, .n = {n, n}}, line = {.ndim = 1, .n = {n}};
  const int matrix = let(g, gen_new(g, &square, dtype)), x = let(g, gen_new(g, &line, dtype)),
            y = let(g, gen_new(g, &line, dtype));
  if (matrix < 0 || x < 0 || y < 0) return;
  const changing first = gen_changing(g, matrix, x, y), second = gen_changing(g, matrix, y, x);
  const bool two = rng_chance(r, 40), flushes = rng_chance(r, 60), up = rng_chance(r, 70);
  const int64_t step = rng_range(r, 1, 3);
  for (int again = (int)rng_below(r, 2); again >= 0; again--)
    for (int64_t i = 1; i < n; i += step) {
      const int64_t t = up ? i : n - i;
      statement st;
      if (gen_changing_turn(g, &first, t, &st)) add(g, st);
      if (two && gen_changing_turn(g, &second, t, &st)) add(g, st);
      if (flushes) add(g, (statement){.kind = ST_FLUSH});
    }
}

/* Results of reductions and calls, whose operand changes, that a whole array or a part of one is
 * assigned; then their neighbours are read. */
static void draw_results(gen *g)
{
  rng *r = &g->r;
  mark start = mark_here(g);
  const int x = stencil_array(g, rng_chance(r, 30));
  int value = -1;
  for (int tries = 0; x >= 0 && value < 0 && tries < 4; tries++)
    value = rng_chance(r, 70) ? gen_any_reduce(g, gen_var(g, x)) : gen_call(g, gen_var(g, x));
  int to = -1, around = -1;
  int64_t first[TSR_MAX_NDIM] = {0}, last[TSR_MAX_NDIM] = {0};
  if (value >= 0) {
    const type t = g->p->nodes[value].type;
    tsr_dims shape = t.shape;
    if (shape.ndim > 0 && rng_chance(r, 40)) {
      const int axis = (int)rng_below(r, shape.ndim);
      first[axis] = rng_chance(r, 60) ? 0 : rng_range(r, 1, 3);
      last[axis] = -rng_below(r, 3);
      shape.n[axis] += first[axis] - last[axis];
    }
    to = let(g, gen_new(g, &shape, rng_chance(r, 85) ? t.dtype : gen_dtype(g)));
    around = let(g, gen_new(g, &shape, t.dtype));
  }
  if (to < 0 || around < 0) {
    mark_return(g, &start);
    return;
  }
  begin(g, ST_REPEAT_BEGIN, (int)rng_range(r, 1, 4), rng_chance(r, 85));
  assign(g, gen_ranges(g, gen_var(g, to), first, last), value);
  const tsr_dims all = g->s->vars[to].type.shape;
  if (all.ndim > 0 && all.n[0] > 2) {
    const int64_t one[TSR_MAX_NDIM] = {1}, two[TSR_MAX_NDIM] = {2}, none[TSR_MAX_NDIM] = {0},
                  but_one[TSR_MAX_NDIM] = {-1}, but_two[TSR_MAX_NDIM] = {-2};
    const int args[2] = {gen_ranges(g, gen_var(g, to), two, none),
                         gen_ranges(g, gen_var(g, to), none, but_two)};
    assign(g, gen_ranges(g, gen_var(g, around), one, but_one), gen_map(g, TSR_OP_MAXIMUM, 2, args));
  }
  if (rng_chance(r, 70)) {
    const statement st = {
        .kind = ST_INPLACE, .op = TSR_OP_ADD, .target = gen_var(g, x), .value = gen_float(g, 1)};
    add(g, st);
  }
  end(g, ST_REPEAT_END, &start);
}

/* Take the loops' early ends out. */
static void remove_breaks(program *p)
{
  int n = 0;
  for (int i = 0; i < p->n_statements; i++) {
    if (p->statements[i].kind != ST_BREAK_IF) p->statements[n++] = p->statements[i];
  }
  p->n_statements = n;
}

program *generate(uint64_t seed, int number, const size_limits *limits)
{
  gen g = {.p = tsr__calloc(1, sizeof *g.p),
           .s = state_new(),
           .r = rng_seeded(seed, (uint64_t)number),
           .limits = limits};
  g.p->seed = seed;
  g.p->number = number;
  g.special = rng_chance(&g.r, 25);
  g.exp = rng_chance(&g.r, 20);
  g.wide = rng_chance(&g.r, 50);
  int n_arrays = (int)rng_range(&g.r, 2, 4), n = (int)rng_range(&g.r, 4, 12);
  int shift_at = rng_chance(&g.r, 80) ? (int)rng_below(&g.r, n) : -1;
  for (int i = 0; i < n_arrays; i++) {
    tsr_dims shape = gen_shape(&g);
    let(&g, gen_new(&g, &shape, gen_dtype(&g)));
  }
  for (int i = 0; i < n; i++) {
    int64_t how = rng_below(&g.r, 100);
    if (i == shift_at)
      draw_shift(&g);
    else if (how < 12)
      draw_stencil(&g);
    else if (how < 15)
      draw_red_black(&g);
    else if (how < 23)
      draw_fluxes(&g);
    else if (how < 31)
      draw_loop(&g);
    else if (how < 38)
      draw_scope(&g);
    else if (how < 41)
      draw_sum(&g);
    else
      draw_statement(&g);
  }
  if (rng_chance(&g.r, 40)) draw_folds(&g);
  if (rng_chance(&g.r, 25)) draw_changing(&g);
  if (rng_chance(&g.r, 50)) draw_results(&g);
  state_free(g.s);
  program_compact(g.p);
  if (!check_program(g.p)) tsr__fatal("a generated program is not valid (a defect of the test)");
  result *r = reference_run(g.p);
  bool unsure = r->unsure;
  result_free(r);
  if (unsure) {
    remove_breaks(g.p);
    program_compact(g.p);
    if (!check_program(g.p)) tsr__fatal("a program without breaks is not valid (a test's defect)");
  }
  return g.p;
}
