/* Parses the text of a user's kernel: the language of tsr_eval, point by point, and in addition `x
 * if c else y`, `and`, `or`, `not`, local names, `i`, `n`, and elements of raw arguments. A name stands
 * for the node that was last assigned to it, so a script needs no variables. Loops and functions
 * are written out while they are parsed (text/kernel_blocks.c). */
#include "array/text/text_int.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/ir/kernel.h"

#define IS(c) tsr__text_is(ps, TSR_PUNCT(c, 0, 0))

static int32_t map(tsr_text_parser *ps, tsr_opcode op, size_t at, int n, const int32_t *kids)
{
  int32_t node = tsr__text_node(ps, TSR_NODE_CALL, at, n, kids);
  ps->s->nodes[node].code = op;
  return node;
}

static int32_t negation(tsr_text_parser *ps)
{
  if (!tsr__text_is_word(ps, &ps->token, "not")) return tsr__text_comparison(ps);
  const size_t at = ps->token.at;
  tsr__text_take(ps);
  int32_t x;
  TSR_TRY(tsr__text_enter(ps));
  TSR_TRY(x = negation(ps));
  ps->depth--;
  return map(ps, TSR_OP_LOGICAL_NOT, at, 1, &x);
}

/* Parses operands joined by a word, from left to right: `and`, or `or`, which binds looser. */
static int32_t joined(tsr_text_parser *ps, bool by_or)
{
  const tsr_opcode op = by_or ? TSR_OP_LOGICAL_OR : TSR_OP_LOGICAL_AND;
  int32_t pair[2];
  TSR_TRY(pair[0] = by_or ? joined(ps, false) : negation(ps));
  while (tsr__text_is_word(ps, &ps->token, by_or ? "or" : "and")) {
    const size_t at = ps->token.at;
    tsr__text_take(ps);
    TSR_TRY(pair[1] = by_or ? joined(ps, false) : negation(ps));
    pair[0] = map(ps, op, at, 2, pair);
  }
  return pair[0];
}

static int32_t disjunction(tsr_text_parser *ps)
{
  return joined(ps, true);
}

int32_t tsr__text_choice(tsr_text_parser *ps)
{
  int32_t x, kids[3];
  TSR_TRY(x = disjunction(ps));
  if (!tsr__text_is_word(ps, &ps->token, "if")) return x;
  const size_t at = ps->token.at;
  tsr__text_take(ps);
  TSR_TRY(kids[0] = disjunction(ps));
  if (!tsr__text_is_word(ps, &ps->token, "else")) {
    tsr__text_unexpected(ps, "`else`");
    tsr__text_help(ps, "a choice has two values: `x if x > 0 else 0.0`");
    return TSR_ERR_SYNTAX;
  }
  tsr__text_take(ps);
  TSR_TRY(tsr__text_enter(ps));
  TSR_TRY(kids[2] = tsr__text_choice(ps));
  ps->depth--;
  kids[1] = x;
  int32_t node = map(ps, TSR_OP_WHERE, at, 3, kids);
  ps->s->nodes[node].begin = ps->s->nodes[x].begin;
  return node;
}

static bool is_raw(const tsr_text_parser *ps, int32_t node)
{
  const tsr_node *n = &ps->s->nodes[node];
  return n->kind == TSR_NODE_ARG && ps->locals->kernel->is_raw[n->code];
}

int32_t tsr__text_element(tsr_text_parser *ps, int32_t x)
{
  const size_t at = ps->token.at;
  if (!is_raw(ps, x)) {
    const bool is_arg = ps->s->nodes[x].kind == TSR_NODE_ARG;
    tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "only a raw argument takes an index");
    if (is_arg)
      tsr__text_help(ps, "`%s` is its element at the point; declare it `raw` to index it",
                     ps->s->names[ps->s->nodes[x].code]);
    return TSR_ERR_SYNTAX;
  }
  int32_t kids[2] = {x, 0};
  tsr__text_take(ps);
  TSR_TRY(kids[1] = tsr__text_expression(ps));
  const tsr_node *index = &ps->s->nodes[kids[1]];
  if (index->kind == TSR_NODE_FLOAT || index->kind == TSR_NODE_BOOL)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, index->at, "an index is a whole number");
  if (IS(',') || IS(':')) {
    tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "an element has one index");
    tsr__text_help(ps, "it counts in flat order: x[row*columns + column]");
    return TSR_ERR_SYNTAX;
  }
  TSR_TRY(tsr__text_expect(ps, ']', "`]`"));
  return tsr__text_node(ps, TSR_NODE_TAKE, at, 2, kids);
}

static int input_named(const tsr_text_parser *ps, const tsr_token *t)
{
  for (int k = 0; k < ps->s->n_args; k++)
    if (tsr__text_is_word(ps, t, ps->s->names[k])) return k;
  return -1;
}

int tsr__text_local_named(const tsr_text_parser *ps, const tsr_token *t)
{
  for (int k = ps->locals->base; k < ps->locals->n; k++)
    if (tsr__text_is_word(ps, t, ps->locals->v[k].name)) return k;
  return -1;
}

/* Parses the number of the point, `i`, or of the points, `n`. Returns -1 if the token is neither. */
static int32_t point(tsr_text_parser *ps, const tsr_token *t)
{
  const bool is_index = tsr__text_is_word(ps, t, "i");
  const tsr_kernel_text *kernel = ps->locals->kernel;
  if (!is_index && !tsr__text_is_word(ps, t, "n")) return -1;
  if (is_index ? kernel->is_combination : !kernel->has_count)
    return tsr__text_fail(ps, TSR_ERR_NAME, t->at, "there is no `%s` where two values are joined",
                          is_index ? "i" : "n");
  tsr__text_take(ps);
  return tsr__text_node(ps, is_index ? TSR_NODE_INDEX : TSR_NODE_COUNT, t->at, 0, NULL);
}

int32_t tsr__text_local(tsr_text_parser *ps)
{
  const tsr_token t = ps->token;
  tsr_lexer ahead = ps->lexer;
  const tsr_token next = tsr__lex_next(&ahead);
  if (next.kind == TSR_TOKEN_PUNCT && next.code == '(') return tsr__text_inline(ps);
  const int k = tsr__text_local_named(ps, &t);
  if (k < 0) return input_named(ps, &t) >= 0 ? -1 : point(ps, &t);
  const tsr_text_local *local = &ps->locals->v[k];
  if (local->node < 0)
    return tsr__text_fail(ps, TSR_ERR_NAME, t.at, "`%s` has no value yet", local->name);
  const int32_t value = local->node;
  const tsr_node_kind kind = (tsr_node_kind)ps->s->nodes[value].kind;
  tsr__text_take(ps);
  if (local->is_written && (kind <= TSR_NODE_BOOL || kind == TSR_NODE_ARG)) {
    const int32_t copy = tsr__text_node(ps, kind, t.at, 0, NULL);
    ps->s->nodes[copy].code = ps->s->nodes[value].code;
    ps->s->nodes[copy].u = ps->s->nodes[value].u;
    return copy;
  }
  int32_t node = tsr__text_node(ps, TSR_NODE_LOCAL, t.at, 1, &value);
  ps->s->nodes[node].begin = (uint32_t)t.at;
  return node;
}

static int add_local(tsr_text_locals *locals, const char *text, size_t n)
{
  if (locals->n == locals->capacity) {
    locals->capacity = 2 * locals->capacity + 8;
    locals->v = tsr__realloc(locals->v, (size_t)locals->capacity * sizeof *locals->v);
  }
  tsr_text_local *local = &locals->v[locals->n];
  local->name = tsr__malloc(n + 1);
  memcpy(local->name, text, n);
  local->name[n] = 0;
  local->node = -1;
  local->is_written = false;
  return locals->n++;
}

int tsr__text_add_local(tsr_text_parser *ps, const tsr_token *name)
{
  return add_local(ps->locals, ps->s->text + name->at, name->n);
}

void tsr__text_drop_locals(tsr_text_locals *locals, int n)
{
  while (locals->n > n) free(locals->v[--locals->n].name);
}

tsr_status tsr__text_check_word(tsr_text_parser *ps, const tsr_token *t, const char *what)
{
  static const char *const words[] = {"if",  "for", "while", "return", "def",   "else", "and", "or",
                                      "not", "np",  "numpy", "True",   "False", "None", "pi"};
  if (t->kind != TSR_TOKEN_NAME) return tsr__text_unexpected(ps, what);
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    if (!tsr__text_is_word(ps, t, words[k])) continue;
    tsr__text_fail(ps, TSR_ERR_SYNTAX, t->at, "`%s` is not taken here", words[k]);
    tsr__text_help(ps, "statements give names values: `z = x if x > 0 else 0.0`");
    return TSR_ERR_SYNTAX;
  }
  return TSR_OK;
}

tsr_status tsr__text_check_target(tsr_text_parser *ps, const tsr_token *t)
{
  TSR_TRY(tsr__text_check_word(ps, t, "a name to give a value"));
  if (tsr__text_local_named(ps, t) >= 0) return TSR_OK;
  const bool is_index = tsr__text_is_word(ps, t, "i");
  if (input_named(ps, t) < 0 && !is_index) return TSR_OK;
  tsr__text_fail(ps, TSR_ERR_NAME, t->at, "`%.*s` is %s, and keeps its value", (int)t->n,
                 ps->s->text + t->at, is_index ? "the number of the point" : "an input");
  tsr__text_help(ps, "give the new value a name of its own");
  return TSR_ERR_NAME;
}

/* Parses `name = expression` or `name op= expression`. */
static tsr_status assignment(tsr_text_parser *ps)
{
  const tsr_token name = ps->token;
  TSR_TRY(tsr__text_check_target(ps, &name));
  tsr__text_take(ps);
  const int32_t assign =
      ps->token.kind == TSR_TOKEN_PUNCT ? tsr__text_assignment(&ps->token) : TSR_TEXT_NO_ASSIGNMENT;
  if (assign == TSR_TEXT_NO_ASSIGNMENT || assign == TSR_NODE_MATMUL)
    return tsr__text_unexpected(ps, TSR_TEXT_POINT_ASSIGNMENTS);
  const size_t at = ps->token.at;
  int k = tsr__text_local_named(ps, &name);
  if (assign != TSR_TEXT_ASSIGNS && (k < 0 || ps->locals->v[k].node < 0))
    return tsr__text_fail(ps, TSR_ERR_NAME, name.at, "`%.*s` has no value yet", (int)name.n,
                          ps->s->text + name.at);
  tsr__text_take(ps);
  int32_t value;
  TSR_TRY(value = tsr__text_expression(ps));
  if (ps->token.kind != TSR_TOKEN_END && ps->token.kind != TSR_TOKEN_BREAK)
    return tsr__text_unexpected(ps, "an operator, `;` or the end of the line");
  if (assign != TSR_TEXT_ASSIGNS) {
    const int32_t pair[2] = {ps->locals->v[k].node, value};
    value = tsr__text_node(ps, (tsr_node_kind)assign, at, 2, pair);
    ps->s->nodes[value].begin = (uint32_t)name.at;
  }
  if (k < 0) k = tsr__text_add_local(ps, &name);
  ps->locals->v[k].node = value;
  return TSR_OK;
}

tsr_status tsr__text_point_statement(tsr_text_parser *ps)
{
  const int32_t status = tsr__text_block_statement(ps);
  return status <= 0 ? (tsr_status)status : assignment(ps);
}

static tsr_status statements(tsr_text_parser *ps)
{
  TSR_TRY(tsr__text_statements(ps, tsr__text_point_statement));
  for (int k = 0; k < ps->locals->kernel->n_out; k++) {
    const tsr_text_local *out = &ps->locals->v[k];
    if (out->node < 0) {
      tsr__text_fail(ps, TSR_ERR_NAME, SIZE_MAX, "the text gives `%s` no value", out->name);
      tsr__text_help(ps, "every output is assigned: `%s = …`", out->name);
      return TSR_ERR_NAME;
    }
    tsr__text_add_statement(
        ps, &(tsr_statement){.target = -1, .value = out->node, .end = ps->s->n_nodes});
  }
  return TSR_OK;
}

static tsr_status lone_expression(tsr_text_parser *ps)
{
  tsr_statement st = {.target = -1};
  TSR_TRY(tsr__text_definitions(ps));
  ps->lexer.depth++; /* an expression may extend over lines */
  TSR_TRY(st.value = tsr__text_expression(ps));
  if (ps->token.kind != TSR_TOKEN_END)
    return tsr__text_unexpected(ps, "an operator or the end of the text");
  st.end = ps->s->n_nodes;
  tsr__text_add_statement(ps, &st);
  return TSR_OK;
}

static bool is_elementwise(const tsr_node *n)
{
  return (n->kind <= TSR_NODE_GREATER_EQUAL && n->kind != TSR_NODE_MATMUL) ||
         n->kind == TSR_NODE_CALL || n->kind == TSR_NODE_ASTYPE || n->kind == TSR_NODE_INDEX ||
         n->kind == TSR_NODE_COUNT || n->kind == TSR_NODE_TAKE || n->kind == TSR_NODE_LOCAL;
}

static tsr_status fail_raw(tsr_text_parser *ps, int32_t node)
{
  const char *name = ps->s->names[ps->s->nodes[node].code];
  tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->s->nodes[node].at, "`%s` is raw, and has no index here",
                 name);
  tsr__text_help(ps, "`%s[i]` is its element at the point", name);
  return TSR_ERR_SYNTAX;
}

static tsr_status check(tsr_text_parser *ps)
{
  const tsr_script *s = ps->s;
  for (int32_t i = 0; i < s->n_nodes; i++) {
    const tsr_node *n = &s->nodes[i];
    if (!is_elementwise(n)) {
      tsr__text_fail(ps, TSR_ERR_SYNTAX, n->at, "`%s` is not a function of one point",
                     tsr__node_name(n));
      tsr__text_help(ps, "a kernel's text is elementwise; tsr_kernel_reduction combines points");
      return TSR_ERR_SYNTAX;
    }
    for (int32_t k = n->kind == TSR_NODE_TAKE; k < n->n_kids; k++)
      if (is_raw(ps, s->kids[n->first_kid + k])) return fail_raw(ps, s->kids[n->first_kid + k]);
  }
  for (int32_t k = 0; k < s->n_statements; k++)
    if (is_raw(ps, s->statements[k].value)) return fail_raw(ps, s->statements[k].value);
  bool shaped = false; /* whether a used input gives the points; if none does, an unused one must */
  for (int k = 0; k < s->n_args; k++) shaped |= ps->used[k] && !ps->locals->kernel->is_raw[k];
  for (int k = 0; k < s->n_args; k++)
    if (!ps->used[k] && (shaped || ps->locals->kernel->is_raw[k]))
      return tsr__text_fail(ps, TSR_ERR_NAME, SIZE_MAX, "the text does not use `%s`", s->names[k]);
  return TSR_OK;
}

static tsr_status parse(tsr_text_parser *ps)
{
  const tsr_kernel_text *kernel = ps->locals->kernel;
  if (strlen(kernel->text) > INT32_MAX / 4)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, SIZE_MAX, "the text is too long");
  for (int k = 0; k < kernel->n_out; k++)
    add_local(ps->locals, kernel->outputs[k], strlen(kernel->outputs[k]));
  tsr__text_take(ps);
  TSR_TRY(kernel->n_out > 0 ? statements(ps) : lone_expression(ps));
  TSR_TRY(tsr__text_check_called(ps));
  return check(ps);
}

tsr_script *tsr__kernel_parse(const tsr_kernel_text *kernel, tsr_text_error *error)
{
  tsr_script *s = tsr__calloc(1, sizeof *s);
  s->text = tsr__strdup(kernel->text);
  s->n_args = kernel->n_in;
  s->names = tsr__calloc((size_t)kernel->n_in + 1, sizeof *s->names);
  for (int k = 0; k < kernel->n_in; k++) s->names[k] = tsr__strdup(kernel->names[k]);
  tsr_text_locals locals = {.kernel = kernel, .returned = -1};
  tsr_text_parser ps = {.s = s, .error = error, .locals = &locals};
  ps.lexer.text = s->text;
  ps.used = tsr__calloc((size_t)kernel->n_in + 1, sizeof *ps.used);
  const tsr_status status = parse(&ps);
  tsr__text_drop_locals(&locals, 0);
  free(locals.v);
  free(locals.definitions);
  free(ps.used);
  if (status == TSR_OK) return s;
  tsr__script_destroy(s);
  return NULL;
}
