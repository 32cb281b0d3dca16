/* Calls of functions in a text (text/functions.h): reads the values that are given for each
 * parameter, by place or by name. */
#include "array/text/functions.h"
#include "array/text/text_int.h"
#include "kernel/ir/kernel.h"

#include <stdio.h>
#include <string.h>

#define IS(c) tsr__text_is(ps, TSR_PUNCT(c, 0, 0))

/* Returns the number of the bracket that holds a tuple, counted from the token's, which is 1, or 0
 * if there is no tuple. A tuple's bracket contains a comma or nothing, or is "[". Brackets around a
 * tuple are skipped, as in ((2, 3)). */
static int tuple_level(const tsr_text_parser *ps)
{
  tsr_lexer ahead = ps->lexer;
  tsr_token t = ps->token, before = {0};
  int depth = 0, alive = 0, level = 0; /* alive: open brackets of those at the start */
  bool begins = true;
  do {
    if (t.kind == TSR_TOKEN_END || t.kind == TSR_TOKEN_BAD) return 0;
    const uint32_t c = t.kind == TSR_TOKEN_PUNCT ? t.code : 0;
    const bool opens = c == '(' || c == '[', closes = c == ')' || c == ']';
    const bool is_empty = closes && before.kind == TSR_TOKEN_PUNCT && before.code == '(';
    begins = begins && opens;
    depth += opens;
    if (begins) alive = depth;
    if (depth == alive && (c == ',' || (c == '[' && begins) || is_empty))
      level = level == 0 || depth < level ? depth : level;
    depth -= closes;
    if (depth < alive) alive = depth;
    if (c == '[' && begins) begins = false;
    before = t;
    t = tsr__lex_next(&ahead);
  } while (depth > 0);
  return level;
}

int tsr__text_open_tuple(tsr_text_parser *ps, char *end)
{
  const int level = IS('(') || IS('[') ? tuple_level(ps) : 0;
  for (int i = 0; i < level; i++) {
    *end = IS('[') ? ']' : ')';
    tsr__text_take(ps);
  }
  return level;
}

tsr_status tsr__text_close_tuple(tsr_text_parser *ps, int level, char end)
{
  if (level > 0)
    TSR_TRY(tsr__text_expect(ps, (uint32_t)end, end == ']' ? "`,` or `]`" : "`,` or `)`"));
  while (--level > 0) TSR_TRY(tsr__text_expect(ps, ')', "`)`"));
  return TSR_OK;
}

static bool is_tuple(const tsr_text_parser *ps)
{
  return (IS('(') || IS('[')) && tuple_level(ps) > 0;
}

/* Returns why a literal does not suit the kind of the parameter, or NULL. */
static const char *unsuitable(char kind, const tsr_node *n)
{
  const bool is_float = n->kind == TSR_NODE_FLOAT || n->kind == TSR_NODE_IMAGINARY;
  if (strchr("inmwjN", kind) && (is_float || n->kind == TSR_NODE_BOOL)) return "a whole number";
  if (kind == 'b' && (is_float || n->kind == TSR_NODE_INT || n->kind == TSR_NODE_UINT))
    return "True or False";
  return NULL;
}

static tsr_status value(tsr_text_parser *ps, tsr_text_values *g, int i)
{
  const tsr_text_parameter *p = &g->p[i];
  const int most = strchr("nmN", p->kind)  ? TSR_MAX_NDIM
                   : strchr("wp", p->kind) ? 2 * TSR_MAX_NDIM
                                           : TSR_MAX_OP_ARGS;
  if (g->n[p->index] == most)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "these are more than %d values", most);
  int32_t node;
  TSR_TRY(node = tsr__text_expression(ps));
  const char *why = unsuitable(p->kind, &ps->s->nodes[node]);
  if (why)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->s->nodes[node].at, "`%.*s` is %s", (int)p->n_name,
                          p->name, why);
  g->kids[p->index][g->n[p->index]++] = node;
  return TSR_OK;
}

/* Parses [a, b], (a, b) or (). Widths and the values of sides may also be tuples of tuples, which
 * are read one after the other. */
static tsr_status tuple(tsr_text_parser *ps, tsr_text_values *g, int i, bool may_nest)
{
  char end = 0;
  const int level = tsr__text_open_tuple(ps, &end);
  while (!IS(end)) {
    if (may_nest && is_tuple(ps))
      TSR_TRY(tuple(ps, g, i, false));
    else
      TSR_TRY(value(ps, g, i));
    if (IS(end)) break;
    TSR_TRY(tsr__text_expect(ps, ',', end == ']' ? "`,` or `]`" : "`,` or `)`"));
  }
  return tsr__text_close_tuple(ps, level, end);
}

static tsr_status string(tsr_text_parser *ps, tsr_text_values *g, int i)
{
  if (ps->token.kind != TSR_TOKEN_STRING) return tsr__text_unexpected(ps, "a string");
  const size_t at = ps->token.at;
  const int index = g->p[i].index;
  if (ps->token.n > TSR_TEXT_STRING_MAX)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "the string has more than %d characters",
                          TSR_TEXT_STRING_MAX - 2);
  tsr__text_take(ps);
  g->kids[index][g->n[index]++] = tsr__text_node(ps, TSR_NODE_STRING, at, 0, NULL);
  return TSR_OK;
}

/* Adds the help "a, axis, keepdims": the parameters that are taken. */
static void say_taken(tsr_text_parser *ps, const tsr_text_values *g, const char *more)
{
  char names[128] = "";
  size_t n = 0;
  for (int i = 0; i < g->n_parameters && n < sizeof names - 32; i++)
    if (g->p[i].index >= 0)
      n += (size_t)snprintf(names + n, sizeof names - n, "%s%.*s", n > 0 ? ", " : "",
                            (int)g->p[i].n_name, g->p[i].name);
  tsr__text_help(ps, "its parameters are %s%s", names, more);
}

/* Refuses a parameter of NumPy's that is not taken, unless its default is written. */
static tsr_status refuse_parameter(tsr_text_parser *ps, const tsr_text_values *g,
                                   const tsr_text_parameter *p)
{
  static const struct {
    const char *name, *help;
  } helps[] = {{"out", "; assign the result: `u[...] = …`"},
               {"dtype", "; cast with x.astype(float32) or float32(x)"},
               {"where", "; where(condition, x, y) chooses element by element"},
               {"order", "; elements are in row-major order, several lengths are a tuple"}};
  const tsr_token t = ps->token;
  const char *text = ps->s->text + t.at;
  if (tsr__text_is_word(ps, &t, "None")) {
    tsr__text_take(ps);
    return TSR_OK;
  }
  if (p->n_otherwise > 0 && strncmp(text, p->otherwise, p->n_otherwise) == 0) {
    tsr_lexer ahead = {.text = ps->s->text, .at = t.at + p->n_otherwise, .depth = ps->lexer.depth};
    const tsr_token next = tsr__lex_next(&ahead);
    if (next.kind == TSR_TOKEN_PUNCT && (next.code == ',' || next.code == ')')) {
      ps->token.n = p->n_otherwise;
      ps->lexer.at = t.at + p->n_otherwise;
      tsr__text_take(ps);
      return TSR_OK;
    }
  }
  tsr__text_fail(ps, TSR_ERR_SYNTAX, t.at, "`%s` does not take NumPy's `%.*s`", g->name,
                 (int)p->n_name, p->name);
  const char *more = "";
  for (size_t k = 0; k < sizeof helps / sizeof *helps; k++)
    if (strlen(helps[k].name) == p->n_name && memcmp(helps[k].name, p->name, p->n_name) == 0)
      more = helps[k].help;
  say_taken(ps, g, more);
  return TSR_ERR_SYNTAX;
}

/* Parses True, False, None or a string, which has no influence. */
static tsr_status literal(tsr_text_parser *ps)
{
  static const char *const words[] = {"True", "False", "None"};
  bool is_literal = ps->token.kind == TSR_TOKEN_STRING;
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    is_literal |= tsr__text_is_word(ps, &ps->token, words[k]);
  if (!is_literal) return tsr__text_unexpected(ps, "True, False or a string");
  tsr__text_take(ps);
  return TSR_OK;
}

static tsr_status dtype(tsr_text_parser *ps, tsr_text_values *g, char kind)
{
  const size_t at = ps->token.at;
  TSR_TRY(tsr__text_dtype(ps, &g->dtype));
  if (kind == 'D' && !tsr__dtype_is_inexact((tsr_dtype)g->dtype))
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "the dtype of `%s` is a float or complex",
                          g->name);
  return TSR_OK;
}

static tsr_status give_value(tsr_text_parser *ps, tsr_text_values *g, int i)
{
  const tsr_text_parameter *p = &g->p[i];
  const bool is_dtype = p->kind == 'd' || p->kind == 'D';
  g->seen |= 1u << i;
  if (p->kind == '-') return refuse_parameter(ps, g, p);
  if (p->kind == '0') return literal(ps);
  const bool takes_none =
      p->takes_none || p->kind == 'j' || p->kind == 'N' || (is_dtype && p->is_optional);
  if (takes_none && tsr__text_is_word(ps, &ps->token, "None")) {
    tsr__text_take(ps);
    if (p->kind == 'j' || p->kind == 'N') g->n[p->index] = 0;
    return TSR_OK;
  }
  if (is_dtype) return dtype(ps, g, p->kind);
  if (g->n[p->index] < 0) g->n[p->index] = 0;
  if (p->kind == 's') return string(ps, g, i);
  const bool is_list = is_tuple(ps);
  if (p->kind == 'l' && !is_list) return tsr__text_unexpected(ps, "a list such as `[x, y]`");
  if (is_list && strchr("lnmwpqN", p->kind)) {
    g->tuples |= 1u << p->index;
    return tuple(ps, g, i, p->kind == 'w' || p->kind == 'p');
  }
  return value(ps, g, i);
}

/* Takes `name=` of a parameter and returns its number in *out. */
static tsr_status named(tsr_text_parser *ps, const tsr_text_values *g, bool is_method, int *out)
{
  const tsr_token t = ps->token;
  const int n = t.n > 40 ? 40 : (int)t.n;
  const char *word = ps->s->text + t.at;
  for (int i = 0; i < g->n_parameters; i++) {
    const tsr_text_parameter *p = &g->p[i];
    if (p->kind == 'v' || p->n_name != t.n || memcmp(p->name, word, t.n) != 0) continue;
    *out = i;
    if (!p->by_name && !is_method)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, t.at,
                            "`%s` takes `%.*s` by place, without its name", g->name, n, word);
    if (g->seen >> i & 1)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, t.at, "`%.*s` is given twice", n, word);
    tsr__text_take(ps);
    tsr__text_take(ps);
    return TSR_OK;
  }
  tsr__text_fail(ps, TSR_ERR_SYNTAX, t.at, "`%s` has no option `%.*s`", g->name, n, word);
  say_taken(ps, g, "");
  return TSR_ERR_SYNTAX;
}

static tsr_status too_many(tsr_text_parser *ps, const tsr_text_values *g, bool is_method)
{
  int n = -is_method;
  for (int i = 0; i < g->n_parameters; i++) n += g->p[i].by_position;
  tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "`%s` takes at most %d value%s", g->name, n,
                 n == 1 ? "" : "s");
  say_taken(ps, g, "");
  return TSR_ERR_SYNTAX;
}

/* Parses the arguments from "(" to ")". A parameter of kind v, or of kind m in a method, takes all
 * values that follow. */
static tsr_status give_all(tsr_text_parser *ps, tsr_text_values *g, bool is_method)
{
  bool had_name = false, by_one = false;
  int next = is_method;
  TSR_TRY(tsr__text_expect(ps, '(', "`(`"));
  while (!IS(')')) {
    int i = next;
    if (tsr__text_is_option(ps)) {
      had_name = true;
      TSR_TRY(named(ps, g, is_method, &i));
      TSR_TRY(give_value(ps, g, i));
    } else if (had_name) {
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "a value cannot follow an option");
    } else if (by_one) {
      TSR_TRY(value(ps, g, next - 1));
    } else if (next == g->n_parameters || !g->p[next].by_position) {
      return too_many(ps, g, is_method);
    } else {
      const char kind = g->p[next++].kind;
      by_one = kind == 'v' || (kind == 'm' && is_method && !is_tuple(ps));
      TSR_TRY(give_value(ps, g, i));
    }
    if (IS(')')) break;
    TSR_TRY(tsr__text_expect(ps, ',', "`,` or `)`"));
  }
  tsr__text_take(ps);
  return TSR_OK;
}

tsr_status tsr__text_call_values(tsr_text_parser *ps, const char *name, const char *row, size_t at,
                                 int32_t self, tsr_text_values *g)
{
  *g = (tsr_text_values){.name = name, .dtype = -1};
  memset(g->n, -1, sizeof g->n);
  g->n_parameters = tsr__text_parameters(row, g->p);
  if (self >= 0) {
    g->kids[0][0] = self;
    g->n[0] = 1;
    g->seen = 1;
  }
  TSR_TRY(give_all(ps, g, self >= 0));
  for (int i = 0; i < g->n_parameters; i++)
    if (!g->p[i].is_optional && !(g->seen >> i & 1))
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "`%s` misses its `%.*s`", name,
                            (int)g->p[i].n_name, g->p[i].name);
  return TSR_OK;
}

int tsr__text_all_kids(const tsr_text_values *g, int32_t *kids)
{
  int n = 0;
  for (int i = 0; i < TSR_TEXT_TAKEN; i++)
    for (int k = 0; k < g->n[i]; k++) kids[n++] = g->kids[i][k];
  return n;
}

int32_t tsr__text_result(tsr_text_parser *ps, int32_t call, int which, int of)
{
  const int32_t node = tsr__text_node(ps, TSR_NODE_RESULT, ps->s->nodes[call].at, 1, &call);
  ps->s->nodes[node].code = which;
  ps->s->nodes[node].u.i = of;
  return node;
}

bool tsr__text_is_several(const tsr_node *n)
{
  return n->kind == TSR_NODE_FUNCTION && tsr__text_function(n->code)->calls;
}

/* After a call of several results, parses [2] or [-1], or finds the end of a statement that assigns
 * them. */
static int32_t one_result(tsr_text_parser *ps, int32_t call)
{
  const char *name = tsr__node_name(&ps->s->nodes[call]);
  const bool is_end = ps->token.kind == TSR_TOKEN_END || ps->token.kind == TSR_TOKEN_BREAK;
  if (ps->takes_several && is_end) return call;
  if (!IS('[')) {
    tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->s->nodes[call].at, "`%s` gives several results", name);
    tsr__text_help(ps, "take one of them, `%s(…)[0]`, or assign them: `a, b = %s(…)`", name, name);
    return TSR_ERR_SYNTAX;
  }
  tsr__text_take(ps);
  const bool is_negative = IS('-');
  if (is_negative) tsr__text_take(ps);
  const tsr_token t = ps->token;
  if (t.kind != TSR_TOKEN_INT || t.i > TSR_MAX_OP_ARGS)
    return tsr__text_unexpected(ps, "the number of a result");
  tsr__text_take(ps);
  TSR_TRY(tsr__text_expect(ps, ']', "`]`"));
  return tsr__text_result(ps, call, is_negative ? -(int)t.i : (int)t.i, 0);
}

/* clip(a, a_min, a_max, min, max): with one bound it is a maximum or a minimum, with none the array
 * itself. */
static int32_t clip(tsr_text_parser *ps, size_t at, const tsr_text_values *g)
{
  int32_t kids[3] = {g->kids[0][0]};
  int n = 1;
  bool has[2];
  for (int k = 0; k < 2; k++) {
    if (g->n[1 + k] >= 0 && g->n[3 + k] >= 0)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "`clip` has its %s bound twice",
                            k ? "upper" : "lower");
    has[k] = g->n[1 + k] >= 0 || g->n[3 + k] >= 0;
    if (has[k]) kids[n++] = g->kids[g->n[1 + k] >= 0 ? 1 + k : 3 + k][0];
  }
  if (n == 1) return tsr__text_node(ps, TSR_NODE_POSITIVE, at, 1, kids);
  const int32_t node = tsr__text_node(ps, TSR_NODE_CALL, at, n, kids);
  ps->s->nodes[node].code = n == 3 ? TSR_OP_CLIP : has[0] ? TSR_OP_MAXIMUM : TSR_OP_MINIMUM;
  ps->s->nodes[node].u.i = n == 2; /* one operand is a bound */
  return node;
}

int32_t tsr__text_function_call(tsr_text_parser *ps, int function, const char *name, size_t at,
                                int32_t self)
{
  const tsr_text_function *f = tsr__text_function(function);
  tsr_text_values g;
  int32_t kids[TSR_TEXT_TAKEN * TSR_MAX_OP_ARGS], node;
  TSR_TRY(tsr__text_call_values(ps, name ? name : f->name, f->parameters, at, self, &g));
  if (f->makes == TSR_TEXT_MAKES_CLIP) return clip(ps, at, &g);
  const int n = tsr__text_all_kids(&g, kids);
  if (f->makes == TSR_TEXT_MAKES_TRANSPOSE && n == 1)
    return tsr__text_node(ps, TSR_NODE_TRANSPOSE, at, 1, kids);
  if (f->makes == TSR_TEXT_MAKES_ASTYPE) {
    node = tsr__text_node(ps, TSR_NODE_ASTYPE, at, 1, kids);
    ps->s->nodes[node].code = g.dtype;
    return node;
  }
  node = tsr__text_node(ps, TSR_NODE_FUNCTION, at, n, kids);
  ps->s->nodes[node].code = function;
  ps->s->nodes[node].dtype = (int8_t)g.dtype;
  memcpy(ps->s->nodes[node].u.given, g.n, sizeof g.n);
  for (int i = 0; i < g.n_parameters; i++)
    if (g.p[i].index >= 0) ps->s->nodes[node].kinds[g.p[i].index] = g.p[i].kind;
  ps->s->nodes[node].u.given[TSR_TEXT_TUPLES] = (int8_t)g.tuples;
  return f->calls ? one_result(ps, node) : node;
}
