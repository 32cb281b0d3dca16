/* Loops whose slices change extents: triangular solves, factorizations, running sums. A type
 * follows from the text alone, so such a loop is drawn turn by turn, as statements of one form. */
#include "generate.h"

/* A part of an array of one or two axes in turn t. */
typedef enum extent {
  AT,     /* index t */
  BEFORE, /* :t */
  BEHIND, /* t: */
  LAST,   /* t-1:t */
  ALL     /* all of it */
} extent;

static int part(gen *g, int var, extent first, extent second, int64_t t)
{
  node n = {.kind = NODE_SLICE, .n_args = 1, .args = {gen_var(g, var)}};
  const extent extents[2] = {first, second};
  n.n_items = g->s->vars[var].type.shape.ndim;
  for (int k = 0; k < n.n_items; k++) {
    tsr_slice_item *item = &n.items[k];
    *item = (tsr_slice_item){.kind = extents[k] == AT ? TSR_SLICE_INDEX : TSR_SLICE_RANGE};
    item->has_start = extents[k] == BEHIND || extents[k] == LAST;
    item->has_stop = extents[k] == BEFORE || extents[k] == LAST;
    if (item->has_start || extents[k] == AT) item->start = extents[k] == LAST ? t - 1 : t;
    if (item->has_stop) item->stop = t;
  }
  return gen_node(g, &n);
}

static int map_of(gen *g, tsr_opcode op, int x, int y)
{
  return gen_map(g, op, 2, (const int[]){x, y});
}

static int reduced(gen *g, const changing *c, int x, int axis)
{
  return gen_reduce(g, c->reduction, x, &(tsr_axes){.n = 1, .axis = {axis}});
}

changing gen_changing(gen *g, int matrix, int x, int y)
{
  static const tsr_opcode ops[] = {TSR_OP_ADD, TSR_OP_SUBTRACT, TSR_OP_MULTIPLY};
  static const reduction reductions[] = {RED_SUM, RED_SUM, RED_MAX, RED_MIN, RED_MEAN, RED_PROD};
  changing c = {.form = (int)rng_below(&g->r, N_CHANGING), .matrix = matrix, .x = x, .y = y};
  c.op = ops[rng_below(&g->r, 3)];
  c.reduction = reductions[rng_below(&g->r, 6)];
  return c;
}

bool gen_changing_turn(gen *g, const changing *c, int64_t t, statement *st)
{
  const int half = gen_float(g, 0.5);
  int value = -1;
  *st = (statement){.kind = ST_ASSIGN, .op = c->op, .target = -1};
  switch ((changing_form)c->form) {
  case CHANGING_SOLVE: /* x[t] = y[t] op reduce(m[t, :t] * x[:t]) */
    st->target = part(g, c->x, AT, ALL, t);
    value = map_of(g, TSR_OP_MULTIPLY, part(g, c->matrix, AT, BEFORE, t),
                   part(g, c->x, BEFORE, ALL, t));
    value = map_of(g, c->op, part(g, c->y, AT, ALL, t), reduced(g, c, value, 0));
    break;
  case CHANGING_BLOCK: /* m[t:, t:] op= 0.5 * m[t:, t-1:t] * m[t-1:t, t:] */
    st->kind = ST_INPLACE;
    st->target = part(g, c->matrix, BEHIND, BEHIND, t);
    value = map_of(g, TSR_OP_MULTIPLY, part(g, c->matrix, BEHIND, LAST, t),
                   part(g, c->matrix, LAST, BEHIND, t));
    value = map_of(g, TSR_OP_MULTIPLY, half, value);
    break;
  case CHANGING_SUFFIX: /* x[t:] op= 0.5 * y[t:], from the row of the turn */
    st->kind = ST_INPLACE;
    st->target = part(g, c->x, BEHIND, ALL, t);
    value = map_of(g, TSR_OP_MULTIPLY, half, part(g, c->y, BEHIND, ALL, t));
    value = map_of(g, TSR_OP_ADD, value, part(g, c->matrix, AT, BEHIND, t));
    break;
  case CHANGING_ROWS: /* y[:t] op= reduce(m[:t, t:], 1) */
    st->kind = ST_INPLACE;
    st->target = part(g, c->y, BEFORE, ALL, t);
    value = reduced(g, c, part(g, c->matrix, BEFORE, BEHIND, t), 1);
    break;
  case CHANGING_COLUMNS: /* x[:] = y op reduce(m[:t, :] * 0.5, 0) */
    st->target = part(g, c->x, ALL, ALL, t);
    value = map_of(g, TSR_OP_MULTIPLY, part(g, c->matrix, BEFORE, ALL, t), half);
    value = map_of(g, c->op, part(g, c->y, ALL, ALL, t), reduced(g, c, value, 0));
    break;
  case N_CHANGING:
    break;
  }
  st->value = value;
  return st->target >= 0 && value >= 0;
}
