/* tsr_eval, tsr_exec and the texts of kernels: the nodes of a script are evaluated in order, its
 * statements assign, and temporaries of long texts are released behind their last use. */
#include "array/text/eval.h"
#include "array/views/views.h"

#include <stdlib.h>
#include <string.h>

/* The node that has the value of a node: names of a kernel are no values of their own. */
static int32_t root_of_script(const tsr_script *s, int32_t node)
{
  while (s->nodes[node].kind == TSR_NODE_LOCAL) node = s->kids[s->nodes[node].first_kid];
  return node;
}

/* The temporaries of a long text pile up in the window, which stores what still has a handle when
 * it is full: so they are released behind their last use. Returns for each node the node that uses
 * it last, `n_nodes` for the values and targets of statements, and INT32_MAX for those that outlive
 * the run; or NULL if the text is short. The caller frees it. */
static int32_t *last_uses(const tsr_script *s)
{
  enum { LONG_TEXT = 500 };
  if (s->n_nodes < LONG_TEXT) return NULL;
  int32_t *last = tsr__calloc((size_t)s->n_nodes, sizeof *last);
  for (int32_t i = 0; i < s->n_nodes; i++) {
    const tsr_node *n = &s->nodes[i];
    const bool is_given = n->kind == TSR_NODE_ARG || n->kind == TSR_NODE_INDEX;
    last[i] = is_given ? INT32_MAX : i;
    if (n->kind == TSR_NODE_LOCAL) continue;
    for (int32_t k = 0; k < n->n_kids; k++) {
      int32_t *of = &last[root_of_script(s, s->kids[n->first_kid + k])];
      if (*of < i) *of = i;
    }
  }
  for (int32_t k = 0; k < s->n_statements; k++) {
    const int32_t of[2] = {s->statements[k].value, s->statements[k].target};
    for (int i = 0; i < 2; i++) {
      if (of[i] < 0) continue;
      int32_t *at = &last[root_of_script(s, of[i])];
      if (*at < s->n_nodes) *at = s->n_nodes;
    }
  }
  return last;
}

/* Releases the array of the node, if its last use was `use`. */
static void release_behind(const tsr_evaluation *ev, int32_t node, int32_t use, int32_t *last)
{
  if (last[node] != use || !tsr__is_array(ev->values[node])) return;
  tsr_handle *handle = tsr__handle_peek(ev->context, ev->values[node].as.array);
  if (handle) tsr__handle_release(ev->context, handle, ev->where);
  last[node] = INT32_MAX;
}

/* Releases the arrays whose last use was node i. */
static void release_used(const tsr_evaluation *ev, int32_t i, int32_t *last)
{
  const tsr_script *s = ev->parsed->script;
  const tsr_node *n = &s->nodes[i];
  if (n->kind == TSR_NODE_LOCAL) return;
  /* An operation that gives its operand makes no other array. */
  for (int32_t k = 0; k < n->n_kids; k++) {
    const int32_t from = root_of_script(s, s->kids[n->first_kid + k]);
    if (tsr__is_array(ev->values[i]) && tsr__is_array(ev->values[from]) &&
        ev->values[i].as.array.id == ev->values[from].as.array.id)
      last[i] = last[from] = INT32_MAX;
  }
  for (int32_t k = 0; k < n->n_kids; k++)
    release_behind(ev, root_of_script(s, s->kids[n->first_kid + k]), i, last);
}

/* Evaluates the nodes [first, end); returns false if one failed. `last`: of last_uses, or NULL. */
static bool run_nodes(tsr_evaluation *ev, int32_t first, int32_t end, int32_t *last)
{
  const tsr_node *nodes = ev->parsed->script->nodes;
  for (int32_t i = first; i < end; i++) {
    if (nodes[i].kind <= TSR_NODE_STRING) continue;
    tsr_operand *value = &ev->parsed->values[i];
    if (nodes[i].kind == TSR_NODE_ARG) {
      tsr__operand_copy(value, &ev->xs[nodes[i].code]);
    } else {
      const tsr_operand made = tsr__node_value(ev, &nodes[i]);
      tsr__operand_copy(value, &made);
    }
    if (!tsr__is_failed(*value)) {
      if (last) release_used(ev, i, last);
      continue;
    }
    const char *mistake = tsr__null_mistake(ev->context, value->as.array);
    if (mistake) tsr__node_fail(ev, &nodes[i], TSR_ERR_HANDLE, mistake, NULL);
    return false;
  }
  return true;
}

/* Shows the position in the text of a kernel at which an operation failed. */
static void tell(tsr_error *e, const tsr_inside *inside)
{
  const tsr_text_error position = {.at = inside->at};
  tsr__text_tell(e, inside->text, &position);
}

bool tsr__parsed_run(const tsr_location *where, const char *name, tsr_parsed *parsed,
                     const tsr_operand *inputs, tsr_operand index, int64_t n_points)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_evaluation ev = {.context = c,
                       .where = where,
                       .parsed = parsed,
                       .xs = inputs,
                       .values = parsed->values,
                       .index = index,
                       .n_points = n_points};
  const tsr_script *s = parsed->script;
  tsr_inside inside = {.kernel = name, .text = s->text, .tell = tell};
  bool ok = true;
  int32_t *last = last_uses(s);
  c->inside = &inside; /* errors of operations show the position in the text */
  for (int32_t i = 0; i < s->n_nodes && ok; i++) {
    if (s->nodes[i].kind <= TSR_NODE_STRING) continue;
    inside.at = s->nodes[i].at;
    parsed->values[i] = tsr__node_value(&ev, &s->nodes[i]);
    ok = !tsr__is_failed(parsed->values[i]);
    if (last && ok) release_used(&ev, i, last);
  }
  c->inside = NULL;
  free(last);
  return ok;
}

/* Finds or parses the script of this call. */
static tsr_status begin_evaluation(tsr_evaluation *ev, const tsr_location *where, const char *text,
                                   bool is_exec, int n, const tsr_operand *xs)
{
  *ev = (tsr_evaluation){.context = tsr__context(where), .where = where, .xs = xs};
  if (!text) return tsr__fail(ev->context, where, TSR_ERR_ARGUMENT, "the text is NULL");
  tsr_text_error error; /* long, and seldom needed: clearing all of it costs more than the rest */
  error.status = TSR_OK;
  error.at = 0;
  error.what[0] = error.help[0] = '\0';
  ev->parsed = tsr__text_find(&ev->context->scripts, where, text, is_exec, n, &error);
  if (!ev->parsed) {
    tsr_error *e = tsr__fail_begin(ev->context, where, error.status, "%s", error.what);
    tsr__text_tell(e, text, &error);
    return tsr__fail_end(ev->context);
  }
  ev->values = ev->parsed->values;
  return TSR_OK;
}

/* Returns the value as an array of its own. A name alone is copied, and a scalar becomes a 0-d
 * array. */
static tsr_array own_array(tsr_evaluation *ev, const tsr_node *n, tsr_operand x)
{
  if (!tsr__is_array(x))
    return tsr_full_at(ev->where, (tsr_dims){.ndim = 0}, x, tsr__operand_dtype(ev, x));
  if (n->kind != TSR_NODE_ARG && n->kind != TSR_NODE_POSITIVE) return x.as.array;
  const tsr_slice_item all = {.kind = TSR_SLICE_ELLIPSIS};
  return tsr__slice_items(ev->where, x.as.array, 1, &all);
}

tsr_array tsr_eval_at(const tsr_location *where, const char *text, int n, const tsr_operand *xs)
{
  static const tsr_location expression_end = {.op = "the end of its expression"};
  tsr_evaluation ev;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (begin_evaluation(&ev, where, text, false, n, xs) < 0) return tsr_null();
  int32_t depth = c->n_scopes - 1; /* a scope of its own holds the temporaries */
  tsr__scope_push(c, TSR_SCOPE_IS_STATEMENT);
  const tsr_statement *st = &ev.parsed->script->statements[0];
  tsr_array result = tsr_null();
  int32_t *last = last_uses(ev.parsed->script);
  if (run_nodes(&ev, 0, st->end, last)) {
    result = own_array(&ev, &ev.parsed->script->nodes[st->value], ev.values[st->value]);
    tsr_handle *handle = tsr__handle_peek(c, result);
    if (handle) tsr__handle_move(c, handle, depth);
  }
  free(last);
  tsr__scopes_pop_to(c, depth, &expression_end);
  tsr__text_done(ev.parsed);
  return result;
}

/* Evaluates x @= y. The product has the shape of x, so y is a matrix, as in NumPy. */
static tsr_status multiply_in_place(tsr_evaluation *ev, const tsr_location *where, tsr_array target,
                                    tsr_operand y)
{
  tsr_context *c = ev->context;
  const tsr_array product = tsr_matmul_at(where, tsr_box_array(target), y);
  if (!tsr_ok(product)) return c->last_status < 0 ? c->last_status : TSR_ERR_HANDLE;
  const tsr_dims x = tsr_shape_at(where, target), made = tsr_shape_at(where, product);
  if (x.ndim == made.ndim && memcmp(x.n, made.n, (size_t)x.ndim * sizeof x.n[0]) == 0)
    return tsr_assign_at(where, target, tsr_box_array(product));
  char text[2][128];
  return tsr__fail_on(c, where, TSR_ERR_SHAPE, 2, (const tsr_operand[]){tsr_box_array(target), y},
                      "`z = x @ y` gives the product to an array of its shape",
                      "the product is %s, and the target %s",
                      tsr__shape_text(made.ndim, made.n, text[0], sizeof text[0]),
                      tsr__shape_text(x.ndim, x.n, text[1], sizeof text[1]));
}

static tsr_status assign(tsr_evaluation *ev, const tsr_statement *st, const tsr_location *where)
{
  const tsr_node *n = &ev->parsed->script->nodes[st->target];
  tsr_operand target = ev->values[st->target], value = ev->values[st->value];
  if (!tsr__is_array(target)) {
    tsr__node_fail(ev, n, TSR_ERR_ARGUMENT, "a scalar argument cannot be assigned to",
                   "the text gets its value, not the C variable");
    return TSR_ERR_ARGUMENT;
  }
  const tsr_text_operator *o = tsr__text_operator(st->assign);
  if (!o) return tsr_assign_at(where, target.as.array, value);
  if (st->assign == TSR_NODE_MATMUL) return multiply_in_place(ev, where, target.as.array, value);
  return tsr__iop_at(where, o->op, target.as.array, value);
}

/* Runs a statement, whose nodes begin at `first`. */
static tsr_status statement(tsr_evaluation *ev, const tsr_statement *st, int32_t first,
                            int32_t *last, const tsr_location *where)
{
  tsr_context *c = ev->context;
  const tsr_script *s = ev->parsed->script;
  const tsr_node *value = &s->nodes[st->value];
  /* a product is written directly to its target */
  const bool is_product = st->assign == TSR_TEXT_ASSIGNS && value->kind == TSR_NODE_MATMUL;
  tsr_status status;
  if (!run_nodes(ev, first, is_product ? st->value : st->end, last))
    return c->last_status < 0 ? c->last_status : TSR_ERR_HANDLE;
  if (is_product) ev->parsed->values[st->value] = tsr_box_bool(false); /* of an earlier run */
  if (is_product && tsr__is_array(ev->values[st->target]))
    status = tsr_matmul_into_at(tsr__node_location(ev, value), ev->values[st->target].as.array,
                                tsr__kid(ev, value, 0), tsr__kid(ev, value, 1));
  else
    status = assign(ev, st, where);
  if (last && is_product) release_used(ev, st->value, last);
  if (last) release_behind(ev, st->value, s->n_nodes, last);
  if (last) release_behind(ev, st->target, s->n_nodes, last);
  return status;
}

tsr_status tsr_exec_at(const tsr_location *where, const char *text, int n, const tsr_operand *xs)
{
  tsr_evaluation ev;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  TSR_TRY(begin_evaluation(&ev, where, text, true, n, xs));
  tsr_status status = TSR_OK;
  c->last_status = TSR_OK; /* a null handle fails without an error */
  const tsr_script *s = ev.parsed->script;
  int32_t first = 0, *last = last_uses(s);
  for (int32_t k = 0; k < s->n_statements && status >= 0; k++) {
    status = statement(&ev, &s->statements[k], first, last,
                       ev.parsed->is_cached ? &ev.parsed->locations[s->n_nodes + k] : where);
    first = s->statements[k].end;
  }
  free(last);
  tsr__text_done(ev.parsed);
  return status;
}
