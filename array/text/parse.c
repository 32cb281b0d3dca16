/* Parses a text into a script by precedence climbing with one token of look-ahead. Nodes are made
 * after their kids. The parser uses no arrays or contexts: the same text and names give the same
 * script. Its recursion is limited in depth. */
#include "array/text/text_int.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "array/views/slice_text.h"
#include "kernel/ir/kernel.h"

#define IS(c) tsr__text_is(ps, TSR_PUNCT(c, 0, 0))

/* Parses an index expression; *node is -1 if there is none. */
static tsr_status slice_part(tsr_text_parser *ps, int32_t *node)
{
  *node = -1;
  if (IS(':') || IS(',') || IS(']') || IS(')')) return TSR_OK;
  TSR_TRY(*node = tsr__text_expression(ps));
  const tsr_node *n = &ps->s->nodes[*node];
  if (n->kind == TSR_NODE_FLOAT || n->kind == TSR_NODE_IMAGINARY || n->kind == TSR_NODE_BOOL)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, n->at, "a slice takes whole numbers");
  return TSR_OK;
}

static tsr_status slice_item(tsr_text_parser *ps, tsr_node_item *it, bool *has_ellipsis)
{
  *it = (tsr_node_item){.kind = TSR_SLICE_INDEX, .start = -1, .stop = -1, .step = -1};
  if (tsr__text_is(ps, TSR_PUNCT('.', '.', '.'))) {
    if (*has_ellipsis)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "a slice has only one `...`");
    *has_ellipsis = true;
    it->kind = TSR_SLICE_ELLIPSIS;
    tsr__text_take(ps);
    return TSR_OK;
  }
  if (tsr__text_is_word(ps, &ps->token, "newaxis") || tsr__text_is_word(ps, &ps->token, "None")) {
    it->kind = TSR_SLICE_NEWAXIS;
    tsr__text_take(ps);
    return TSR_OK;
  }
  TSR_TRY(slice_part(ps, &it->start));
  if (!IS(':')) return it->start >= 0 ? TSR_OK : tsr__text_unexpected(ps, "an index, `:` or `...`");
  it->kind = TSR_SLICE_RANGE;
  tsr__text_take(ps);
  TSR_TRY(slice_part(ps, &it->stop));
  if (!IS(':')) return TSR_OK;
  tsr__text_take(ps);
  TSR_TRY(slice_part(ps, &it->step));
  if (it->step >= 0 && ps->s->nodes[it->step].kind == TSR_NODE_INT &&
      ps->s->nodes[it->step].u.i == 0)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->s->nodes[it->step].at,
                          "the step of a slice cannot be 0");
  return TSR_OK;
}

static int32_t slice(tsr_text_parser *ps, int32_t x)
{
  tsr_node_item items[TSR_SLICE_MAX_ITEMS];
  int n = 0;
  bool has_ellipsis = false;
  size_t at = ps->token.at;
  char end = ']';
  tsr__text_take(ps);
  const int level = IS('(') ? tsr__text_open_tuple(ps, &end) : 0; /* u[(0, 1)] is u[0, 1] */
  if (IS(end)) {
    tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "the slice is empty");
    tsr__text_help(ps, "`[...]` takes the whole array");
    return TSR_ERR_SYNTAX;
  }
  while (!IS(end)) {
    if (n == TSR_SLICE_MAX_ITEMS)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "a slice has at most %d items",
                            TSR_SLICE_MAX_ITEMS);
    TSR_TRY(slice_item(ps, &items[n++], &has_ellipsis));
    if (IS(end)) break;
    TSR_TRY(tsr__text_expect(ps, ',', end == ']' ? "`,` or `]`" : "`,` or `)`"));
  }
  TSR_TRY(tsr__text_close_tuple(ps, level, end));
  TSR_TRY(tsr__text_expect(ps, ']', "`]`"));
  tsr_script *s = ps->s;
  s->items = tsr__grow(s->items, &ps->capacity_items, s->n_items + n, sizeof *s->items);
  memcpy(s->items + s->n_items, items, (size_t)n * sizeof *items);
  int32_t node = tsr__text_node(ps, TSR_NODE_SLICE, at, 1, &x);
  s->nodes[node].first_item = s->n_items;
  s->nodes[node].n_items = n;
  s->n_items += n;
  return node;
}

/* The number that comes next. */
static int32_t next_number(tsr_text_parser *ps, tsr_node_kind kind)
{
  const tsr_token t = ps->token;
  tsr__text_take(ps);
  const int32_t node = tsr__text_node(ps, kind, t.at, 0, NULL);
  if (kind == TSR_NODE_FLOAT || kind == TSR_NODE_IMAGINARY)
    ps->s->nodes[node].u.f = t.f;
  else
    ps->s->nodes[node].u.i = t.i;
  return node;
}

static int32_t atom(tsr_text_parser *ps)
{
  tsr_token t = ps->token;
  int32_t node;
  switch (t.kind) {
  case TSR_TOKEN_INT:
    return next_number(ps, TSR_NODE_INT);
  case TSR_TOKEN_UINT:
    return next_number(ps, TSR_NODE_UINT);
  case TSR_TOKEN_FLOAT:
    return next_number(ps, TSR_NODE_FLOAT);
  case TSR_TOKEN_IMAGINARY:
    return next_number(ps, TSR_NODE_IMAGINARY);
  case TSR_TOKEN_ARG:
    if (t.i < 1 || t.i > ps->s->n_args) {
      tsr__text_fail(ps, TSR_ERR_NAME, t.at, "there is no argument `$%lld`", (long long)t.i);
      tsr__text_help(ps, "the call has %d argument%s after the text, counted from `$1`",
                     ps->s->n_args, ps->s->n_args == 1 ? "" : "s");
      return TSR_ERR_NAME;
    }
    tsr__text_take(ps);
    return tsr__text_arg(ps, &t, (int)t.i - 1);
  case TSR_TOKEN_STRING:
    tsr__text_fail(ps, TSR_ERR_SYNTAX, t.at, "a string is no value");
    tsr__text_help(ps, "only functions take strings: einsum('ij,jk->ik', a, b)");
    return TSR_ERR_SYNTAX;
  case TSR_TOKEN_NAME:
    return tsr__text_word(ps);
  default:
    break;
  }
  if (!IS('(')) {
    tsr__text_unexpected(ps, "a value");
    if (IS('!')) tsr__text_help(ps, "`~x` is the opposite of a bool array");
    if (IS('['))
      tsr__text_help(
          ps, "a list of numbers is no value: tsr_from_host makes an array of them, which is "
              "an argument then; arrays are no indices yet");
    return TSR_ERR_SYNTAX;
  }
  tsr__text_take(ps);
  TSR_TRY(node = tsr__text_expression(ps));
  if (IS(','))
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "there are no tuples of values here");
  TSR_TRY(tsr__text_expect(ps, ')', "`)`"));
  ps->s->nodes[node].begin = (uint32_t)t.at;
  ps->s->nodes[node].end = (uint32_t)ps->taken_end;
  return node;
}

static int32_t postfix(tsr_text_parser *ps)
{
  int32_t x = atom(ps);
  while (x >= 0) {
    if (IS('[')) {
      x = ps->locals ? tsr__text_element(ps, x) : slice(ps, x);
    } else if (IS('.')) {
      tsr__text_take(ps);
      x = tsr__text_method(ps, x);
    } else {
      if (tsr__text_is(ps, TSR_PUNCT('-', '>', 0))) {
        tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "`->` is not needed here");
        tsr__text_help(ps, "an argument's name is its last identifier: `s->dt` is `dt`");
        return TSR_ERR_SYNTAX;
      }
      break;
    }
  }
  return x;
}

static int32_t unary(tsr_text_parser *ps);

tsr_status tsr__text_enter(tsr_text_parser *ps)
{
  if (++ps->depth <= TSR_TEXT_MAX_DEPTH) return TSR_OK;
  return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "the text is nested more than %d deep",
                        TSR_TEXT_MAX_DEPTH);
}

static int32_t power(tsr_text_parser *ps)
{
  int32_t pair[2];
  TSR_TRY(pair[0] = postfix(ps));
  if (!tsr__text_is(ps, TSR_PUNCT('*', '*', 0))) return pair[0];
  size_t at = ps->token.at;
  tsr__text_take(ps);
  TSR_TRY(tsr__text_enter(ps));
  TSR_TRY(pair[1] = unary(ps));
  ps->depth--;
  return tsr__text_node(ps, TSR_NODE_POWER, at, 2, pair);
}

static int32_t unary(tsr_text_parser *ps)
{
  size_t at = ps->token.at;
  tsr_node_kind kind = IS('-')   ? TSR_NODE_NEGATIVE
                       : IS('+') ? TSR_NODE_POSITIVE
                       : IS('~') ? TSR_NODE_INVERT
                                 : TSR_N_NODES;
  if (kind == TSR_N_NODES) return power(ps);
  tsr__text_take(ps);
  int32_t x;
  TSR_TRY(tsr__text_enter(ps));
  TSR_TRY(x = unary(ps));
  ps->depth--;
  tsr_node *n = &ps->s->nodes[x];
  const bool is_least = n->kind == TSR_NODE_UINT && n->u.i == INT64_MIN; /* 2^63 */
  bool is_literal =
      (n->kind == TSR_NODE_INT || n->kind == TSR_NODE_FLOAT || is_least) && n->begin == n->at;
  if (kind != TSR_NODE_NEGATIVE || !is_literal) return tsr__text_node(ps, kind, at, 1, &x);
  if (is_least)
    n->kind = TSR_NODE_INT;
  else if (n->kind == TSR_NODE_INT && n->u.i == INT64_MIN)
    n->kind = TSR_NODE_UINT;
  else if (n->kind == TSR_NODE_INT)
    n->u.i = -n->u.i;
  else
    n->u.f = -n->u.f;
  n->begin = n->at = (uint32_t)at;
  return x;
}

/* A run of operands of one operator. A chain of + or * becomes one node, as the call tsr_add(a, b,
 * c) is one op. */
typedef struct run {
  tsr_node_kind kind; /* of the operator; TSR_N_NODES: none yet */
  size_t at;          /* byte of its last operator */
  int n;
  int32_t operands[TSR_MAX_OP_ARGS];
} run;

static int32_t binaries_from(tsr_text_parser *ps, int level);

static int32_t run_close(tsr_text_parser *ps, run *r)
{
  int32_t node = r->operands[0];
  if (r->n > 1) node = tsr__text_node(ps, r->kind, r->at, r->n, r->operands);
  r->n = 1;
  r->kind = TSR_N_NODES;
  return r->operands[0] = node;
}

/* Refuses a second comparison after a comparison. */
static tsr_status refuse_chain(tsr_text_parser *ps, const run *r)
{
  const tsr_token sign = ps->token;
  tsr__text_take(ps);
  tsr_text_chain chain = {.left = r->operands[0], .middle = r->operands[1]};
  TSR_TRY(chain.right = binaries_from(ps, TSR_LEVEL_COMPARE + 1));
  chain.first_at = r->at;
  chain.n_first = (int)strlen(tsr__text_operator(r->kind)->sign);
  chain.second_at = sign.at;
  chain.n_second = (int)sign.n;
  chain.goes_on = tsr__text_operator_at(&ps->token, TSR_LEVEL_COMPARE) != TSR_N_NODES;
  return tsr__text_refuse_chain(ps, &chain);
}

static int32_t binaries_from(tsr_text_parser *ps, int level)
{
  run r = {.kind = TSR_N_NODES, .n = 1};
  TSR_TRY(r.operands[0] = unary(ps));
  bool compared = false;
  tsr_node_kind kind;
  while ((kind = tsr__text_operator_at(&ps->token, level)) != TSR_N_NODES) {
    const tsr_text_operator *op = tsr__text_operator(kind);
    if (op->level == TSR_LEVEL_COMPARE && compared) return refuse_chain(ps, &r);
    compared = compared || op->level == TSR_LEVEL_COMPARE;
    const bool goes_on = r.kind == kind && op->is_chain && r.n < TSR_MAX_OP_ARGS;
    if (r.kind != TSR_N_NODES && !goes_on) run_close(ps, &r);
    r.kind = kind;
    r.at = ps->token.at;
    tsr__text_take(ps);
    TSR_TRY(r.operands[r.n] = binaries_from(ps, op->level + 1));
    r.n++;
  }
  return run_close(ps, &r);
}

int32_t tsr__text_comparison(tsr_text_parser *ps)
{
  return binaries_from(ps, TSR_LEVEL_COMPARE);
}

int32_t tsr__text_expression(tsr_text_parser *ps)
{
  TSR_TRY(tsr__text_enter(ps));
  int32_t node;
  TSR_TRY(node = ps->locals ? tsr__text_choice(ps) : tsr__text_comparison(ps));
  if (ps->token.kind == TSR_TOKEN_NAME ||
      (ps->token.kind == TSR_TOKEN_PUNCT && !(IS('=') && ps->depth == 1)))
    TSR_TRY(tsr__text_refuse_operator(ps));
  ps->depth--;
  return node;
}

static tsr_status check_target(tsr_text_parser *ps, int32_t target)
{
  const tsr_node *n = &ps->s->nodes[target];
  while (n->kind == TSR_NODE_SLICE || n->kind == TSR_NODE_TRANSPOSE)
    n = &ps->s->nodes[ps->s->kids[n->first_kid]];
  if (n->kind == TSR_NODE_ARG) return TSR_OK;
  tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->s->nodes[target].begin,
                 "only an array argument or a slice of one can be assigned to");
  return TSR_ERR_SYNTAX;
}

void tsr__text_add_statement(tsr_text_parser *ps, const tsr_statement *st)
{
  tsr_script *s = ps->s;
  s->statements =
      tsr__grow(s->statements, &ps->capacity_statements, s->n_statements + 1, sizeof *st);
  s->statements[s->n_statements++] = *st;
}

/* Parses the targets before the sign, at least one. */
static tsr_status targets(tsr_text_parser *ps, int32_t out[TSR_MAX_OP_ARGS], int *n)
{
  char end = 0;
  const int level = tsr__text_open_tuple(ps, &end); /* (q, r) = … */
  for (;; tsr__text_take(ps)) {
    if (level > 0 && *n > 0 && IS(end)) break; /* a trailing comma */
    if (*n == TSR_MAX_OP_ARGS)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "at most %d targets", *n);
    TSR_TRY(out[*n] = tsr__text_expression(ps));
    (*n)++;
    if (!IS(',')) break;
  }
  TSR_TRY(tsr__text_close_tuple(ps, level, end));
  if (ps->token.kind != TSR_TOKEN_PUNCT || ps->s->text[ps->token.at + ps->token.n - 1] != '=')
    return tsr__text_unexpected(ps, TSR_TEXT_ASSIGNMENTS);
  for (int i = 0; i < *n; i++) TSR_TRY(check_target(ps, out[i]));
  return TSR_OK;
}

/* Parses `a, b = call of several results`: one statement per target, all after the call. */
static tsr_status add_several(tsr_text_parser *ps, tsr_statement st, int n, const int32_t *target)
{
  const int32_t call = st.value;
  int32_t results[TSR_MAX_OP_ARGS];
  if (!tsr__text_is_several(&ps->s->nodes[call])) {
    tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->s->nodes[call].begin, "one value for %d targets", n);
    tsr__text_help(ps, "divmod, modf, frexp, meshgrid, split, array_split and broadcast_arrays "
                       "give several results");
    return TSR_ERR_SYNTAX;
  }
  for (int i = 0; i < n; i++) TSR_TRY(results[i] = tsr__text_result(ps, call, i, n));
  st.end = ps->s->n_nodes;
  for (int i = 0; i < n; i++) {
    st.target = target[i];
    st.value = results[i];
    tsr__text_add_statement(ps, &st);
  }
  return TSR_OK;
}

static tsr_status statement(tsr_text_parser *ps)
{
  tsr_statement st = {.target = -1, .at = (uint32_t)ps->token.at};
  int32_t target[TSR_MAX_OP_ARGS];
  int n = 0;
  TSR_TRY(targets(ps, target, &n));
  st.target = target[0];
  st.assign = tsr__text_assignment(&ps->token);
  if (st.assign == TSR_TEXT_NO_ASSIGNMENT || (n > 1 && st.assign != TSR_TEXT_ASSIGNS))
    return tsr__text_unexpected(ps, n > 1 ? "`=` behind several targets" : TSR_TEXT_ASSIGNMENTS);
  st.at = (uint32_t)ps->token.at;
  tsr__text_take(ps);
  ps->takes_several = n > 1;
  TSR_TRY(st.value = tsr__text_expression(ps));
  ps->takes_several = false;
  if (ps->token.kind != TSR_TOKEN_END && ps->token.kind != TSR_TOKEN_BREAK) {
    if (IS('=')) TSR_TRY(tsr__text_refuse_operator(ps));
    return tsr__text_unexpected(ps, "an operator, `;` or the end of the line");
  }
  if (n > 1) return add_several(ps, st, n, target);
  st.end = ps->s->n_nodes;
  tsr__text_add_statement(ps, &st);
  return TSR_OK;
}

tsr_status tsr__text_statements(tsr_text_parser *ps, tsr_status (*one)(tsr_text_parser *))
{
  for (;;) {
    while (ps->token.kind == TSR_TOKEN_BREAK) tsr__text_take(ps);
    if (ps->token.kind == TSR_TOKEN_END) return TSR_OK;
    TSR_TRY(one(ps));
  }
}

static tsr_status statements(tsr_text_parser *ps)
{
  TSR_TRY(tsr__text_statements(ps, statement));
  if (ps->s->n_statements > 0) return TSR_OK;
  return tsr__text_fail(ps, TSR_ERR_SYNTAX, 0, "the text has no statement");
}

static tsr_status lone_expression(tsr_text_parser *ps)
{
  tsr_statement *st = tsr__calloc(1, sizeof *st);
  ps->s->statements = st;
  ps->s->n_statements = 1;
  st->target = -1;
  TSR_TRY(st->value = tsr__text_expression(ps));
  st->end = ps->s->n_nodes;
  if (ps->token.kind == TSR_TOKEN_END) return TSR_OK;
  TSR_TRY(tsr__text_refuse_operator(ps));
  tsr__text_unexpected(ps, "an operator or the end of the text");
  if (ps->token.kind == TSR_TOKEN_BREAK ||
      (ps->token.kind == TSR_TOKEN_PUNCT && ps->s->text[ps->token.at + ps->token.n - 1] == '='))
    tsr__text_help(ps, "tsr_eval takes one expression; tsr_exec takes statements");
  return TSR_ERR_SYNTAX;
}

static tsr_status check_used(tsr_text_parser *ps)
{
  for (int i = 0; i < ps->s->n_args; i++) {
    if (ps->used[i]) continue;
    if (ps->s->names[i])
      tsr__text_fail(ps, TSR_ERR_NAME, SIZE_MAX, "the text does not use argument %d, `%s`", i + 1,
                     ps->s->names[i]);
    else
      tsr__text_fail(ps, TSR_ERR_NAME, SIZE_MAX, "the text does not use argument %d", i + 1);
    tsr__text_help(ps, "take it out of the call, or write `$%d` where it belongs", i + 1);
    return TSR_ERR_NAME;
  }
  return TSR_OK;
}

tsr_script *tsr__script_parse(const char *text, bool is_exec, int n_args, const char *source,
                              tsr_text_error *error)
{
  tsr_script *s = tsr__calloc(1, sizeof *s);
  s->text = tsr__strdup(text);
  s->n_args = n_args;
  s->names = tsr__calloc((size_t)n_args + 1, sizeof *s->names);
  tsr__text_names(source, n_args, s->names);
  tsr_text_parser ps = {.s = s, .error = error};
  ps.lexer.text = s->text;
  ps.lexer.depth = is_exec ? 0 : 1; /* an expression may extend over lines */
  ps.used = tsr__calloc((size_t)n_args + 1, sizeof *ps.used);
  tsr_status status = TSR_OK;
  if (strlen(text) > INT32_MAX / 4) {
    status = tsr__text_fail(&ps, TSR_ERR_SYNTAX, SIZE_MAX, "the text is too long");
  } else {
    tsr__text_take(&ps);
    status = is_exec ? statements(&ps) : lone_expression(&ps);
    if (status == TSR_OK) status = check_used(&ps);
  }
  free(ps.used);
  if (status == TSR_OK) return s;
  tsr__script_destroy(s);
  return NULL;
}
