/* Parses what a kernel's text has beside the expressions of tsr_eval: choices, `and`, `or`, `not`,
 * names, `i` and `n`, elements of raw arguments, statements, loops and functions.
 *
 * Nothing is left of loops and functions in the script: each turn of a loop and each call of a
 * function parses its statements again, with other values of the names. So a text makes the graph
 * that it would make if it were written out, and the number of turns and calls is limited. */
#include "array/text/text_int.h"
#include "runtime/base/alloc.h"

#include <string.h>

#include "kernel/ir/kernel.h"

#define IS(c) tsr__text_is(ps, TSR_PUNCT(c, 0, 0))

enum {
  MOST_WRITTEN = 1024, /* turns and calls of a text */
  MOST_LOOPS = 16      /* loops in one another */
};

static int32_t map_node(tsr_text_parser *ps, tsr_opcode op, size_t at, int n, const int32_t *kids)
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
  return map_node(ps, TSR_OP_LOGICAL_NOT, at, 1, &x);
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
    pair[0] = map_node(ps, op, at, 2, pair);
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
  int32_t node = map_node(ps, TSR_OP_WHERE, at, 3, kids);
  ps->s->nodes[node].begin = ps->s->nodes[x].begin;
  return node;
}

bool tsr__text_is_raw(const tsr_text_parser *ps, int32_t node)
{
  const tsr_node *n = &ps->s->nodes[node];
  return n->kind == TSR_NODE_ARG && ps->locals->kernel->is_raw[n->code];
}

int32_t tsr__text_element(tsr_text_parser *ps, int32_t x)
{
  const size_t at = ps->token.at;
  if (!tsr__text_is_raw(ps, x)) {
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

static int32_t inlined(tsr_text_parser *ps);

/* Parses the number of the point, `i`, or of the points, `n`. Returns -1 if the token is
 * neither. */
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
  if (next.kind == TSR_TOKEN_PUNCT && next.code == '(') return inlined(ps);
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

static int add_local(tsr_text_parser *ps, const tsr_token *name)
{
  return tsr__text_add_local(ps->locals, ps->s->text + name->at, name->n);
}

static const char a_loop[] = "`for k in range(8):` has 8 turns, with k from 0 to 7";

/* Refuses a word of the language as the name of a value or a function. */
static tsr_status check_word(tsr_text_parser *ps, const tsr_token *t, const char *what)
{
  static const char *const words[] = {"if",  "for", "while", "return", "def",   "else", "and", "or",
                                      "not", "np",  "numpy", "True",   "False", "None", "pi"};
  if (t->kind != TSR_TOKEN_NAME) return tsr__text_unexpected(ps, what);
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    if (!tsr__text_is_word(ps, t, words[k])) continue;
    tsr__text_fail(ps, TSR_ERR_SYNTAX, t->at, "`%s` is not taken here", words[k]);
    const bool is_loop = strcmp(words[k], "for") == 0 || strcmp(words[k], "while") == 0;
    tsr__text_help(ps, "%s",
                   is_loop ? a_loop : "statements give names values: `z = x if x > 0 else 0.0`");
    return TSR_ERR_SYNTAX;
  }
  return TSR_OK;
}

static tsr_status check_target(tsr_text_parser *ps, const tsr_token *t)
{
  TSR_TRY(check_word(ps, t, "a name to give a value"));
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
  TSR_TRY(check_target(ps, &name));
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
  if (k < 0) k = add_local(ps, &name);
  ps->locals->v[k].node = value;
  return TSR_OK;
}

static int32_t block_statement(tsr_text_parser *ps);

tsr_status tsr__text_point_statement(tsr_text_parser *ps)
{
  const int32_t status = block_statement(ps);
  return status <= 0 ? (tsr_status)status : assignment(ps);
}

/* Loops and functions. */

/* Does a word of the language follow, and a name behind it? */
static bool begins(const tsr_text_parser *ps, const char *word)
{
  tsr_lexer ahead = ps->lexer;
  return tsr__text_is_word(ps, &ps->token, word) && tsr__lex_next(&ahead).kind == TSR_TOKEN_NAME;
}

/* Counts turns or a call, at the byte `at`. */
static tsr_status count(tsr_text_parser *ps, size_t at, uint64_t n)
{
  if (n <= (uint64_t)(MOST_WRITTEN - ps->locals->n_written)) {
    ps->locals->n_written += (int)n;
    return TSR_OK;
  }
  tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "over %d turns of loops and calls of functions in a text",
                 MOST_WRITTEN);
  tsr__text_help(ps, "they are written out when the kernel is made: loop around its call");
  return TSR_ERR_SYNTAX;
}

/* Computes a whole number that the text alone gives. Nodes are nested as deep as the parser
 * allows, since what a name stands for is not followed further than to a number. */
static bool number_of(const tsr_script *s, int32_t node, tsr_operand *out)
{
  const tsr_node *n = &s->nodes[node],
                 *first = n->n_kids > 0 ? &s->nodes[s->kids[n->first_kid]] : n;
  const tsr_node *number = n->kind == TSR_NODE_LOCAL ? first : n;
  if (number->kind == TSR_NODE_INT) {
    *out = tsr_box_int(number->u.i);
    return true;
  }
  if (n->kind < TSR_NODE_POSITIVE || n->kind > TSR_NODE_RIGHT_SHIFT || n->kind == TSR_NODE_MATMUL)
    return false;
  for (int32_t k = 0; k < n->n_kids; k++) {
    tsr_operand x;
    if (!number_of(s, s->kids[n->first_kid + k], &x)) return false;
    if (k == 0) *out = x;
    if (k == 0 && n->n_kids > 1) continue;
    if (tsr__text_fold((tsr_node_kind)n->kind, *out, x, out) != NULL) return false;
  }
  return out->kind == TSR_OPERAND_INT;
}

static tsr_status parse_count(tsr_text_parser *ps, int64_t *out)
{
  const int32_t n_nodes = ps->s->n_nodes, n_kids = ps->s->n_kids;
  int32_t node;
  tsr_operand x;
  TSR_TRY(node = tsr__text_expression(ps));
  if (!number_of(ps->s, node, &x)) {
    tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->s->nodes[node].at,
                   "the count of a loop is a whole number that the text alone gives");
    tsr__text_help(ps, "loops are written out when the kernel is made: `range(8)`, or of variables "
                       "of loops around it, `range(k + 1)`");
    return TSR_ERR_SYNTAX;
  }
  ps->s->n_nodes = n_nodes; /* the number is all that is left of it */
  ps->s->n_kids = n_kids;
  *out = x.as.i;
  return TSR_OK;
}

/* The numbers of a loop: first + turn * step for the turns from 0 to n - 1. */
typedef struct range {
  int64_t first, step;
  uint64_t n;
} range;

/* Parses range(stop), range(start, stop) or range(start, stop, step). */
static tsr_status parse_range(tsr_text_parser *ps, range *r)
{
  int64_t v[3] = {0, 0, 1};
  int n = 0;
  if (!tsr__text_is_word(ps, &ps->token, "range")) {
    tsr__text_unexpected(ps, "`range`");
    tsr__text_help(ps, "%s", a_loop);
    return TSR_ERR_SYNTAX;
  }
  tsr__text_take(ps);
  TSR_TRY(tsr__text_expect(ps, '(', "`(`"));
  for (;; tsr__text_take(ps)) {
    const size_t at = ps->token.at;
    TSR_TRY(parse_count(ps, &v[n]));
    if (++n == 3 && v[2] == 0)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "the step of a range cannot be 0");
    if (!IS(',') || n == 3) break;
  }
  TSR_TRY(tsr__text_expect(ps, ')', n == 3 ? "`)`" : "`,` or `)`"));
  const int64_t first = n > 1 ? v[0] : 0, stop = n > 1 ? v[1] : v[0];
  const bool is_up = v[2] > 0;
  const uint64_t step = is_up ? (uint64_t)v[2] : 0 - (uint64_t)v[2];
  const uint64_t far = is_up ? (uint64_t)stop - (uint64_t)first : (uint64_t)first - (uint64_t)stop;
  *r = (range){.first = first, .step = v[2]};
  if (is_up ? stop > first : stop < first) r->n = (far - 1) / step + 1;
  return TSR_OK;
}

/* Parses the statements of the block once. */
static tsr_status run_block(tsr_text_parser *ps, const tsr_text_block *b)
{
  int32_t more;
  tsr__text_go_to(ps, &b->first);
  do {
    TSR_TRY(tsr__text_point_statement(ps));
    TSR_TRY(more = tsr__text_goes_on(ps, b));
    if (more == 1 && ps->locals->returned >= 0)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "a function ends with its `return`");
  } while (more == 1);
  return TSR_OK;
}

/* Parses `for name in range(…): block`, turn by turn. */
static tsr_status loop(tsr_text_parser *ps)
{
  const size_t at = ps->token.at;
  tsr_text_locals *locals = ps->locals;
  tsr__text_take(ps);
  const tsr_token name = ps->token;
  TSR_TRY(check_target(ps, &name));
  tsr__text_take(ps);
  if (!tsr__text_is_word(ps, &ps->token, "in")) return tsr__text_unexpected(ps, "`in`");
  tsr__text_take(ps);
  range r = {.step = 1};
  tsr_text_block block;
  TSR_TRY(parse_range(ps, &r));
  TSR_TRY(tsr__text_begin_block(ps, at, &block));
  TSR_TRY(count(ps, at, r.n));
  if (++locals->n_loops > MOST_LOOPS)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "over %d loops in one another", MOST_LOOPS);
  if (r.n == 0) TSR_TRY(tsr__text_skip_block(ps, &block));
  const int found = tsr__text_local_named(ps, &name);
  const int k = found >= 0 ? found : r.n > 0 ? add_local(ps, &name) : -1;
  for (uint64_t turn = 0; turn < r.n; turn++) {
    const int32_t node = tsr__text_node(ps, TSR_NODE_INT, name.at, 0, NULL);
    ps->s->nodes[node].u.i = r.first + (int64_t)turn * r.step;
    locals->v[k].node = node;
    locals->v[k].is_written = true;
    TSR_TRY(run_block(ps, &block));
  }
  locals->n_loops--;
  return TSR_OK;
}

static tsr_text_definition *definition_named(const tsr_text_parser *ps, const tsr_token *t)
{
  const char *text = ps->s->text;
  for (int k = 0; k < ps->locals->n_definitions; k++) {
    tsr_text_definition *d = &ps->locals->definitions[k];
    if (d->name.n == t->n && memcmp(text + d->name.at, text + t->at, t->n) == 0) return d;
  }
  return NULL;
}

static tsr_status parse_parameters(tsr_text_parser *ps, tsr_text_definition *d)
{
  const char *text = ps->s->text;
  TSR_TRY(tsr__text_expect(ps, '(', "`(`"));
  while (!IS(')')) {
    const tsr_token t = ps->token;
    TSR_TRY(check_word(ps, &t, "a name"));
    for (int k = 0; k < d->n; k++)
      if (d->parameters[k].n == t.n && memcmp(text + d->parameters[k].at, text + t.at, t.n) == 0)
        return tsr__text_fail(ps, TSR_ERR_NAME, t.at, "this name is declared already");
    if (d->n == TSR_MAX_OP_ARGS)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, t.at, "a function takes at most %d values",
                            TSR_MAX_OP_ARGS);
    d->parameters[d->n++] = t;
    tsr__text_take(ps);
    if (IS(')')) break;
    TSR_TRY(tsr__text_expect(ps, ',', "`,` or `)`"));
  }
  return tsr__text_expect(ps, ')', "`)`");
}

/* Parses `def name(names): block`; the block is parsed by calls. */
static tsr_status define(tsr_text_parser *ps)
{
  tsr_text_locals *locals = ps->locals;
  const size_t at = ps->token.at;
  if (locals->in_definition || locals->n_loops > 0)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, at,
                          "a function is defined outside of others, and of loops");
  tsr__text_take(ps);
  tsr_text_definition d = {.name = ps->token};
  TSR_TRY(check_word(ps, &d.name, "a name"));
  if (definition_named(ps, &d.name))
    return tsr__text_fail(ps, TSR_ERR_NAME, d.name.at, "this function is defined already");
  tsr__text_take(ps);
  TSR_TRY(parse_parameters(ps, &d));
  TSR_TRY(tsr__text_begin_block(ps, at, &d.body));
  TSR_TRY(tsr__text_skip_block(ps, &d.body));
  locals->definitions =
      tsr__grow(locals->definitions, &locals->cap_definitions, locals->n_definitions + 1, sizeof d);
  locals->definitions[locals->n_definitions++] = d;
  return TSR_OK;
}

/* Parses `return expression`, the last statement of a function. */
static tsr_status return_value(tsr_text_parser *ps)
{
  if (ps->locals->n_loops > 0)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "a function does not end in a loop");
  tsr__text_take(ps);
  int32_t value;
  TSR_TRY(value = tsr__text_expression(ps));
  if (ps->token.kind != TSR_TOKEN_END && ps->token.kind != TSR_TOKEN_BREAK)
    return tsr__text_unexpected(ps, "an operator or the end of the line");
  ps->locals->returned = value;
  return TSR_OK;
}

static int32_t block_statement(tsr_text_parser *ps)
{
  if (begins(ps, "for")) return loop(ps);
  if (begins(ps, "def")) return define(ps);
  if (ps->locals->in_definition && tsr__text_is_word(ps, &ps->token, "return"))
    return return_value(ps);
  return 1;
}

tsr_status tsr__text_definitions(tsr_text_parser *ps)
{
  for (;;) {
    while (ps->token.kind == TSR_TOKEN_BREAK && ps->s->text[ps->token.at] == '\n')
      tsr__text_take(ps);
    if (!begins(ps, "def")) return TSR_OK;
    TSR_TRY(define(ps));
  }
}

static tsr_status parse_arguments(tsr_text_parser *ps, const tsr_text_definition *d, int32_t *kids)
{
  const tsr_token name = ps->token;
  int n = 0;
  tsr__text_take(ps);
  TSR_TRY(tsr__text_expect(ps, '(', "`(`"));
  while (!IS(')')) {
    if (tsr__text_is_option(ps))
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at,
                            "a function of the text takes its values in order, without names");
    int32_t kid;
    TSR_TRY(kid = tsr__text_expression(ps));
    if (n < TSR_MAX_OP_ARGS) kids[n] = kid;
    n++;
    if (IS(')')) break;
    TSR_TRY(tsr__text_expect(ps, ',', "`,` or `)`"));
  }
  tsr__text_take(ps);
  if (n == d->n) return TSR_OK;
  return tsr__text_fail(ps, TSR_ERR_SYNTAX, name.at, "`%.*s` takes %d value%s, not %d", (int)name.n,
                        ps->s->text + name.at, d->n, d->n == 1 ? "" : "s", n);
}

/* Parses the statements of a definition, whose parameters are the nodes. Returns its value. */
static int32_t write_out(tsr_text_parser *ps, int definition, const int32_t *kids)
{
  tsr_text_locals *locals = ps->locals;
  const tsr_text_position position = tsr__text_position_of(ps);
  const tsr_text_locals before = *locals;
  const tsr_text_definition d = locals->definitions[definition];
  locals->base = locals->n;
  locals->n_loops = 0;
  locals->in_definition = true;
  locals->returned = -1;
  for (int k = 0; k < d.n; k++) {
    const int at = add_local(ps, &d.parameters[k]);
    locals->v[at].node = kids[k];
    locals->v[at].is_written = true;
  }
  TSR_TRY(tsr__text_enter(ps));
  TSR_TRY(run_block(ps, &d.body));
  ps->depth--;
  const int32_t value = locals->returned;
  if (value < 0) {
    tsr__text_fail(ps, TSR_ERR_SYNTAX, d.name.at, "this function gives no value");
    tsr__text_help(ps, "it ends with `return expression`");
    return TSR_ERR_SYNTAX;
  }
  tsr__text_drop_locals(locals, locals->base);
  locals->base = before.base;
  locals->n_loops = before.n_loops;
  locals->in_definition = before.in_definition;
  locals->returned = before.returned;
  tsr__text_go_to(ps, &position);
  return value;
}

static int32_t inlined(tsr_text_parser *ps)
{
  const tsr_token name = ps->token;
  const tsr_text_definition *d = definition_named(ps, &name);
  if (!d) return -1;
  if (d->is_open) {
    tsr__text_fail(ps, TSR_ERR_SYNTAX, name.at, "`%.*s` calls itself", (int)name.n,
                   ps->s->text + name.at);
    tsr__text_help(ps, "a function is written out where it is called, so this would not end");
    return TSR_ERR_SYNTAX;
  }
  const int number = (int)(d - ps->locals->definitions);
  int32_t kids[TSR_MAX_OP_ARGS], value;
  TSR_TRY(parse_arguments(ps, d, kids));
  TSR_TRY(count(ps, name.at, 1));
  tsr_text_definition *open = &ps->locals->definitions[number];
  open->is_open = open->is_called = true;
  TSR_TRY(value = write_out(ps, number, kids));
  ps->locals->definitions[number].is_open = false;
  const int32_t node = tsr__text_node(ps, TSR_NODE_LOCAL, name.at, 1, &value);
  ps->s->nodes[node].begin = (uint32_t)name.at;
  return node;
}

tsr_status tsr__text_check_called(tsr_text_parser *ps)
{
  const tsr_text_locals *locals = ps->locals;
  for (int k = 0; k < locals->n_definitions; k++) {
    const tsr_text_definition *d = &locals->definitions[k];
    if (!d->is_called)
      return tsr__text_fail(ps, TSR_ERR_NAME, d->name.at, "the text does not call `%.*s`",
                            (int)d->name.n, ps->s->text + d->name.at);
  }
  return TSR_OK;
}
