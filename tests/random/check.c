/* Which programs are valid: statements, scopes, loops, what lives where. */
#include "check_int.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

/* Statements. */

static bool is_view(node_kind kind)
{
  return kind >= NODE_SLICE && kind <= NODE_ARRANGE;
}

/* A variable or views of one, that repeat nothing and may be written. */
static bool is_target(const program *p, int i)
{
  const node *n = &p->nodes[i];
  if (n->type.is_read_only) return false;
  for (int k = 0; k < n->type.shape.ndim; k++) {
    if (n->type.repeats[k]) return false;
  }
  while (is_view(n->kind)) n = &p->nodes[n->args[0]];
  return n->kind == NODE_VAR;
}

/* NumPy's same_kind, and what a scalar may be stored in. */
static bool may_store(const node *value, tsr_dtype from, tsr_dtype to)
{
  if (value->type.is_array) return dtype_kind(from) <= dtype_kind(to);
  return (int)value->type.kind <= dtype_rank(to) && scalar_fits(value, to);
}

static bool check_write(program *p, const statement *st, const state *s)
{
  if (!check_node(p, st->target, s) || !check_node(p, st->value, s) || !is_target(p, st->target))
    return false;
  const type *to = &p->nodes[st->target].type;
  const node *value = &p->nodes[st->value];
  bool plain = st->kind == ST_ASSIGN;
  if (value->type.is_array && !dims_fit(value->type.shape, &to->shape, plain)) return false;
  if (plain) return may_store(value, value->type.dtype, to->dtype);
  tsr_dtype compute, result, promoted = promote_types(to, &value->type);
  return map_result(st->op, promoted, &compute, &result) && scalar_fits(value, compute) &&
         dtype_kind(result) <= dtype_kind(to->dtype);
}

static bool check_read(program *p, const statement *st, state *s)
{
  if (!check_node(p, st->value, s)) return false;
  const type *x = &p->nodes[st->value].type;
  return x->is_array && dims_size(&x->shape) == 1 && !is_complex(x->dtype);
}

static void scalar_set(state *s, int i, scalar_kind kind)
{
  s->scalar_live[i] = true;
  s->scalar_kinds[i] = kind;
}

static void block_begin(state *s, const statement *st, bool scoped)
{
  state *outer = tsr__malloc(sizeof *outer);
  *outer = *s;
  s->outer = outer;
  s->block = *st;
  s->depth += scoped;
  s->n_repeats += st->kind == ST_REPEAT_BEGIN;
  if (st->kind == ST_REPEAT_BEGIN) s->n_turns = st->count;
}

static bool type_equal(const type *a, const type *b)
{
  return a->dtype == b->dtype && dims_equal(&a->shape, &b->shape) &&
         a->is_read_only == b->is_read_only &&
         !memcmp(a->repeats, b->repeats, (size_t)a->shape.ndim * sizeof a->repeats[0]);
}

/* Would the body run again from here as it ran from `start`? */
static bool loop_closes(const state *start, const state *end)
{
  for (int i = 0; i < MAX_VARS; i++) {
    const var_state *a = &start->vars[i], *b = &end->vars[i];
    if (a->live && (!b->live || b->depth != a->depth || !type_equal(&a->type, &b->type)))
      return false;
    if (!a->live && b->live && b->depth < 0) return false; /* held again each time: a leak */
  }
  for (int i = 0; i < MAX_SCALARS; i++) {
    if (start->scalar_live[i] && start->scalar_kinds[i] != end->scalar_kinds[i]) return false;
  }
  return !memcmp(start->read_live, end->read_live, sizeof start->read_live);
}

static bool block_end(state *s, bool is_repeat)
{
  if (!s->outer || (s->block.kind == ST_REPEAT_BEGIN) != is_repeat) return false;
  if (!is_repeat || s->block.scoped) {
    for (int i = 0; i < MAX_VARS; i++) s->vars[i].live &= s->vars[i].depth < s->depth;
    s->depth--;
  }
  state *outer = s->outer;
  bool ok = !is_repeat || loop_closes(outer, s);
  s->block = outer->block;
  s->n_repeats = outer->n_repeats;
  s->n_turns = outer->n_turns;
  s->outer = outer->outer;
  free(outer);
  return ok;
}

static bool check_let(program *p, const statement *st, state *s)
{
  var_state *v = &s->vars[st->var];
  bool is_new = st->kind == ST_LET;
  if (!check_node(p, st->value, s) || v->live == is_new) return false;
  const node *value = &p->nodes[st->value];
  if (!value->type.is_array || value->kind == NODE_VAR) return false;
  v->live = true;
  v->type = value->type;
  if (is_new) v->depth = s->depth;
  return true;
}

bool check_statement(program *p, int i, state *s)
{
  const statement *st = &p->statements[i];
  var_state *v = &s->vars[st->var < 0 ? 0 : st->var];
  switch (st->kind) {
  case ST_LET:
  case ST_REPLACE:
    return check_let(p, st, s);
  case ST_ASSIGN:
  case ST_INPLACE:
    return check_write(p, st, s);
  case ST_ITEM:
    if (!check_read(p, st, s)) return false;
    scalar_set(s, st->var, st->item_kind);
    return true;
  case ST_READ_BEGIN:
    if (s->read_live[st->op] || !check_read(p, st, s)) return false;
    s->read_live[st->op] = true;
    return true;
  case ST_READ_END:
    if (!s->read_live[st->op]) return false;
    s->read_live[st->op] = false;
    scalar_set(s, st->var, SCALAR_FLOAT);
    return true;
  case ST_RELEASE:
    if (!v->live) return false;
    v->live = false;
    return true;
  case ST_KEEP:
    if (!v->live) return false;
    if (v->depth > s->depth - 1) v->depth = s->depth > 0 ? s->depth - 1 : 0;
    return true;
  case ST_HOLD:
    if (!v->live) return false;
    v->depth = -1;
    return true;
  case ST_SCOPE_BEGIN:
    block_begin(s, st, true);
    return true;
  case ST_REPEAT_BEGIN:
    block_begin(s, st, st->scoped);
    return st->count >= 1;
  case ST_SCOPE_END:
  case ST_REPEAT_END:
    return block_end(s, st->kind == ST_REPEAT_END);
  case ST_BREAK_IF:
    return s->scalar_live[st->var] && s->block.kind == ST_REPEAT_BEGIN && s->outer &&
           (i + 1 == p->n_statements || p->statements[i + 1].kind == ST_REPEAT_END);
  case ST_FLUSH:
    return true;
  }
  return false;
}

state *state_new(void)
{
  return tsr__calloc(1, sizeof(state));
}

void state_free(state *s)
{
  while (s) {
    state *outer = s->outer;
    free(s);
    s = outer;
  }
}

state *state_copy(const state *s)
{
  state *copy = tsr__malloc(sizeof *copy);
  *copy = *s;
  if (s->outer) copy->outer = state_copy(s->outer);
  return copy;
}

/* Where Tessera is told that calls come from: "program 17", the number of the statement or node. */
static void set_where(program *p)
{
  int n = p->n_nodes + p->n_statements;
  p->where = tsr__realloc(p->where, (size_t)(n + 1) * sizeof *p->where);
  for (int i = 0; i < n; i++) {
    bool is_node = i < p->n_nodes;
    p->where[i] = (tsr_location){.file = is_node ? "expression" : "statement",
                                 .function = "program",
                                 .line = is_node ? i : i - p->n_nodes,
                                 .op = "tsr_call",
                                 .args = ""};
  }
}

bool check_program(program *p)
{
  state *s = state_new();
  bool ok = true;
  p->inexact = false;
  for (int i = 0; ok && i < p->n_statements; i++) ok = check_statement(p, i, s);
  ok = ok && !s->outer;
  p->n_live = 0;
  for (int i = 0; i < MAX_VARS; i++) {
    if (s->vars[i].live) p->live[p->n_live++] = i;
  }
  state_free(s);
  set_where(p);
  return ok;
}
