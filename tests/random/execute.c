/* A program through Tessera's public interface, on one rank: what the macros of the headers would
 * call, in their order. */
#include "execute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

typedef tsr_array (*map_function)(const tsr_location *, int, const tsr_operand *);
static const map_function maps[] = {
#define TSR_OP(NAME, name, ...) tsr_##name##_at,
#include "kernel/ops/ops.def"
#undef TSR_OP
};

typedef tsr_array (*reduce_function)(const tsr_location *, tsr_operand, int, const tsr_axes *);
static const reduce_function reduces[N_REDUCTIONS] = {
    tsr_sum_at,       tsr_prod_at,     tsr_min_at,     tsr_max_at,    tsr_mean_at,
    tsr_any_at,       tsr_all_at,      tsr_argmin_at,  tsr_argmax_at, tsr_count_nonzero_at,
    tsr_ptp_at,       tsr_var_at,      tsr_std_at,     tsr_nansum_at, tsr_nanprod_at,
    tsr_nanmin_at,    tsr_nanmax_at,   tsr_nanmean_at, tsr_nanvar_at, tsr_nanstd_at,
    tsr_nanargmin_at, tsr_nanargmax_at};

typedef struct player {
  const program *p;
  tsr_array vars[MAX_VARS];
  tsr_operand scalars[MAX_SCALARS];
  tsr_read reads[MAX_READS];
  int turn; /* of the innermost loop */
  uint8_t *out;
  size_t n_out, capacity;
} player;

static void put(player *m, const void *bytes, size_t n)
{
  if (m->n_out + n <= m->capacity) memcpy(m->out + m->n_out, bytes, n);
  m->n_out += n;
}

tsr_operand execute_box(const scalar *s)
{
  if (s->kind == SCALAR_BOOL) return tsr_box_bool(s->i != 0);
  if (s->kind == SCALAR_COMPLEX) return tsr_box_complex(s->f, s->im);
  return s->kind == SCALAR_INT ? tsr_box_int(s->i) : tsr_box_float(s->f);
}

/* Expressions. */

static tsr_array new_array(const tsr_location *at, const node *n)
{
  if (n->kind == NODE_ARANGE)
    return tsr_arange_at(at, execute_box(&n->value[0]), execute_box(&n->value[1]),
                         execute_box(&n->value[2]), n->dtype);
  if (n->kind == NODE_FULL) {
    bool integer = n->value[0].kind == SCALAR_INT;
    if (integer && n->value[0].i == 0) return tsr_zeros_at(at, n->shape, n->dtype);
    if (integer && n->value[0].i == 1) return tsr_ones_at(at, n->shape, n->dtype);
    return tsr_full_at(at, n->shape, execute_box(&n->value[0]), n->dtype);
  }
  int64_t size = dims_size(&n->shape);
  uint8_t *data = tsr__calloc((size_t)size + 1, dtype_bytes(n->dtype));
  for (int64_t i = 0; tsr_rank() == 0 && i < size; i++)
    cell_store(host_cell(n, i), n->dtype, data + (size_t)i * dtype_bytes(n->dtype));
  tsr_array x = tsr_from_host_at(at, data, n->dtype, n->shape, 0, NULL);
  free(data);
  return x;
}

static tsr_array one_nan(const tsr_location *at, tsr_operand x)
{
  const tsr_array is_nan = tsr_isnan_at(at, 1, &x);
  const tsr_operand choice[3] = {tsr_box_array(is_nan), tsr_box_complex((double)NAN, (double)NAN),
                                 x};
  return tsr_where_at(at, 3, choice);
}

/* The node applied to its first operand. */
static tsr_array apply(const tsr_location *at, const node *n, tsr_operand x, int turn)
{
  tsr_array a = x.as.array;
  node now;
  tsr_axes options[2] = {n->axes, {.n = -1}};
  switch (n->kind) {
  case NODE_SLICE:
    now = slice_at(n, turn);
    return tsr_slice_items_at(at, a, now.n_items, now.items);
  case NODE_TRANSPOSE:
    return tsr_transpose_at(at, a, n->axes);
  case NODE_FLIP:
    return tsr_flip_at(at, a, n->axes);
  case NODE_BROADCAST:
    return tsr_broadcast_to_at(at, a, n->shape);
  case NODE_DIAGONAL:
    return tsr_diagonal_at(at, a, n->index, n->axes.axis[0], n->axes.axis[1]);
  case NODE_EXPAND:
    return tsr_expand_dims_at(at, a, (tsr_axes){.n = 1, .axis = {(int)n->index}});
  case NODE_REDUCE:
    if (is_extreme(n->index) && is_complex(tsr_dtype_of_at(at, a)))
      x = tsr_box_array(one_nan(at, x));
    return reduces[n->index](at, x, 2, options);
  case NODE_COPY:
    return tsr_copy_at(at, x);
  case NODE_ARRANGE:
    return execute_arrange(at, n, a);
  default: /* NODE_ASTYPE */
    return tsr_astype_at(at, x, n->dtype);
  }
}

static tsr_operand eval(player *m, int i)
{
  const node *n = &m->p->nodes[i];
  const tsr_location *at = &m->p->where[i];
  tsr_operand x[MAX_ARGS];
  for (int k = 0; k < n->n_args; k++) x[k] = eval(m, n->args[k]);
  switch (n->kind) {
  case NODE_VAR:
    return tsr_box_array(m->vars[n->index]);
  case NODE_SCALAR:
    return execute_box(&n->value[0]);
  case NODE_SCALAR_VAR:
    return m->scalars[n->index];
  case NODE_MAP:
    return tsr_box_array(maps[n->index](at, n->n_args, x));
  case NODE_CALL:
    return tsr_box_array(execute_call(at, n, x));
  case NODE_FULL:
  case NODE_ARANGE:
  case NODE_HOST:
    return tsr_box_array(new_array(at, n));
  default:
    return tsr_box_array(apply(at, n, x[0], m->turn));
  }
}

/* Statements. */

typedef tsr_status (*in_place_function)(const tsr_location *, tsr_array, tsr_operand);
static const in_place_function in_place[TSR_N_OPS] = {
    [TSR_OP_ADD] = tsr_iadd_at,
    [TSR_OP_SUBTRACT] = tsr_isub_at,
    [TSR_OP_MULTIPLY] = tsr_imul_at,
    [TSR_OP_DIVIDE] = tsr_idiv_at,
    [TSR_OP_FLOOR_DIVIDE] = tsr_ifloordiv_at,
    [TSR_OP_REMAINDER] = tsr_imod_at,
    [TSR_OP_BITWISE_AND] = tsr_iand_at,
    [TSR_OP_BITWISE_OR] = tsr_ior_at,
    [TSR_OP_BITWISE_XOR] = tsr_ixor_at,
    [TSR_OP_LEFT_SHIFT] = tsr_ilshift_at,
    [TSR_OP_RIGHT_SHIFT] = tsr_irshift_at,
};

static void write_target(player *m, const statement *st, const tsr_location *at)
{
  tsr_statement_begin();
  tsr_array target = eval(m, st->target).as.array;
  tsr_operand value = eval(m, st->value);
  tsr_status status;
  if (st->kind == ST_ASSIGN)
    status = tsr_assign_at(at, target, value);
  else
    status = in_place[st->op](at, target, value);
  tsr_statement_end(status);
}

static void read_item(player *m, const statement *st, const tsr_location *at)
{
  tsr_statement_begin();
  tsr_operand x = eval(m, st->value);
  if (st->kind == ST_READ_BEGIN) {
    m->reads[st->op] = tsr_read_begin_at(at, x);
    tsr_statement_drop();
    return;
  }
  tsr_operand got;
  if (st->item_kind == SCALAR_FLOAT)
    got = tsr_box_float(tsr_item_f64_at(at, x));
  else if (st->item_kind == SCALAR_INT)
    got = tsr_box_int(tsr_item_i64_at(at, x));
  else
    got = tsr_box_bool(tsr_item_bool_at(at, x));
  tsr_statement_drop();
  m->scalars[st->var] = got;
  put(m, &got.as.i, sizeof got.as.i); /* 8 bytes of any kind read */
}

static void let(player *m, const statement *st, const tsr_location *at)
{
  tsr_array *to = &m->vars[st->var];
  if (st->kind == ST_LET && !st->scoped) {
    *to = eval(m, st->value).as.array;
    return;
  }
  if (st->kind == ST_LET) *to = tsr_null();
  tsr_statement_begin();
  tsr_replace_at(at, to, eval(m, st->value).as.array);
  tsr_statement_end(TSR_OK);
}

static bool leaves(const player *m, const statement *st)
{
  tsr_operand s = m->scalars[st->var];
  return (s.kind == TSR_OPERAND_FLOAT ? s.as.f : (double)s.as.i) > st->limit;
}

/* Some statements say where they are to run. */
static tsr_device_choice device_scope(const player *m, int i, const tsr_location *at)
{
  static const char *const sides[11] = {[2] = "cpu", [5] = "device", [8] = "auto"};
  const char *side = sides[(m->p->n_statements + i) % 11];
  return side != NULL ? tsr_device_scope_open(at, side) : (tsr_device_choice){.context = 0};
}

static void run_statement(player *m, const statement *st, const tsr_location *at)
{
  switch (st->kind) {
  case ST_LET:
  case ST_REPLACE:
    let(m, st, at);
    break;
  case ST_ASSIGN:
  case ST_INPLACE:
    write_target(m, st, at);
    break;
  case ST_ITEM:
  case ST_READ_BEGIN:
    read_item(m, st, at);
    break;
  case ST_READ_END: {
    double value = tsr_read_end_at(at, &m->reads[st->op]);
    m->scalars[st->var] = tsr_box_float(value);
    put(m, &value, sizeof value);
    break;
  }
  case ST_RELEASE:
    tsr_release_at(at, &m->vars[st->var]);
    break;
  case ST_KEEP:
    m->vars[st->var] = tsr_keep_at(at, m->vars[st->var]);
    break;
  case ST_HOLD:
    m->vars[st->var] = tsr_hold_at(at, m->vars[st->var]);
    break;
  case ST_FLUSH:
    tsr_flush();
    break;
  default:
    break;
  }
}

/* Statements begin … end - 1; false if a loop is to be left. */
static bool run(player *m, int begin, int end)
{
  for (int i = begin; i < end; i++) {
    const statement *st = &m->p->statements[i];
    const tsr_location *at = &m->p->where[m->p->n_nodes + i];
    if (st->kind == ST_BREAK_IF && leaves(m, st)) return false;
    bool is_loop = st->kind == ST_REPEAT_BEGIN;
    if (!is_loop && st->kind != ST_SCOPE_BEGIN) {
      tsr_device_choice choice = device_scope(m, i, at);
      run_statement(m, st, at);
      tsr_device_scope_close(&choice);
      continue;
    }
    int last = program_block_end(m->p, i), outer = m->turn;
    bool goes_on = true;
    for (int k = 0; goes_on && k < (is_loop ? st->count : 1); k++) {
      if (is_loop) m->turn = k;
      tsr_scope scope = {0};
      if (!is_loop || st->scoped) scope = tsr_scope_open(at);
      goes_on = run(m, i + 1, last);
      if (!is_loop || st->scoped) tsr_scope_close(&scope);
    }
    m->turn = outer;
    i = last;
  }
  return true;
}

/* Programs. */

static void read_outputs(player *m, const result *r)
{
  for (int i = 0; i < r->n_segments; i++) {
    const segment *s = &r->segments[i];
    if (s->is_scalar) continue;
    const tsr_location *at = &m->p->where[m->p->n_nodes];
    tsr_array x = m->vars[s->var];
    size_t bytes = (size_t)s->count * dtype_bytes(s->dtype);
    tsr_dims shape = tsr_shape_at(at, x);
    bool same = tsr_dtype_of_at(at, x) == s->dtype && shape.ndim == s->shape.ndim;
    for (int k = 0; same && k < shape.ndim; k++) same = shape.n[k] == s->shape.n[k];
    if (same && m->n_out + bytes <= m->capacity)
      tsr_to_host_at(at, tsr_box_array(x), m->out + m->n_out, 0, NULL);
    else
      m->capacity = 0; /* the layout is wrong: the caller sees n_out differ */
    m->n_out += bytes;
  }
}

size_t execute(const program *p, const result *r, uint8_t *out, tsr_counters *counters)
{
  player m = {.p = p, .out = out, .capacity = r->n_bytes};
  const tsr_counters before = *tsr__context_counters();
  run(&m, 0, p->n_statements);
  tsr_flush();
  const tsr_counters *after = tsr__context_counters();
  enum { N = sizeof before / sizeof(uint64_t) }; /* all it has are such counters */
  for (int i = 0; i < N; i++)
    ((uint64_t *)counters)[i] = ((const uint64_t *)after)[i] - ((const uint64_t *)&before)[i];
  read_outputs(&m, r);
  for (int i = 0; i < MAX_READS; i++) {
    if (tsr_ok(m.reads[i].value)) tsr_read_end_at(&p->where[p->n_nodes], &m.reads[i]);
  }
  for (int i = 0; i < p->n_live; i++) tsr_release_at(&p->where[p->n_nodes], &m.vars[p->live[i]]);
  return m.capacity == r->n_bytes ? m.n_out : 0;
}
