/* Calls of the functions of text_functions.h in a text: what is given for each parameter, by place
 * or by name. */
#include "array/text_functions.h"
#include "array/text_int.h"
#include "kernel/kernel.h"

#include <stdio.h>
#include <string.h>

#define IS(c) tsr__text_is(ps, TSR_PUNCT(c, 0, 0))

typedef struct giving {
  const tsr_text_function *f;
  tsr_text_parameter p[TSR_TEXT_PARAMETERS];
  int n_parameters;
  int32_t kids[TSR_TEXT_PARAMETERS][TSR_MAX_OP_ARGS];
  int8_t n[TSR_TEXT_PARAMETERS]; /* of kids; -1: not given */
  int dtype;
  unsigned tuples;
  bool by_one; /* the last parameter's numbers are given one by one */
} giving;

/* A bracket that holds a tuple: there is a comma in it, or nothing. */
static bool is_tuple(const tsr_text_parser *ps)
{
  if (IS('[')) return true;
  if (!IS('(')) return false;
  tsr_lexer ahead = ps->lexer;
  tsr_token t = tsr__lex_next(&ahead), before = ps->token;
  for (int depth = 1; depth > 0; before = t, t = tsr__lex_next(&ahead)) {
    if (t.kind == TSR_TOKEN_END || t.kind == TSR_TOKEN_BAD) return false;
    if (t.kind != TSR_TOKEN_PUNCT) continue;
    if (t.code == ',' && depth == 1) return true;
    if (t.code == ')' && before.kind == TSR_TOKEN_PUNCT && before.code == '(') return depth == 1;
    depth += t.code == '(' || t.code == '[' ? 1 : t.code == ')' || t.code == ']' ? -1 : 0;
  }
  return false;
}

static tsr_status value(tsr_text_parser *ps, giving *g, int i)
{
  const char kind = g->p[i].kind;
  const int most = kind == 'n' ? TSR_MAX_NDIM : kind == 'w' ? 2 * TSR_MAX_NDIM : TSR_MAX_OP_ARGS;
  if (g->n[i] == most)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "these are more than %d values", most);
  int32_t node;
  TSR_TRY(node = tsr__text_expression(ps));
  const tsr_node *n = &ps->s->nodes[node];
  if (strchr("inw", kind) && (n->kind == TSR_NODE_FLOAT || n->kind == TSR_NODE_BOOL))
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, n->at, "`%.*s` is a whole number",
                          (int)g->p[i].n_name, g->p[i].name);
  g->kids[i][g->n[i]++] = node;
  return TSR_OK;
}

/* [a, b], (a, b) or (); of widths also tuples of such, one after the other. */
static tsr_status tuple(tsr_text_parser *ps, giving *g, int i, bool may_nest)
{
  const char end = IS('[') ? ']' : ')';
  tsr__text_take(ps);
  while (!IS(end)) {
    if (may_nest && is_tuple(ps))
      TSR_TRY(tuple(ps, g, i, false));
    else
      TSR_TRY(value(ps, g, i));
    if (IS(end)) break;
    TSR_TRY(tsr__text_expect(ps, ',', end == ']' ? "`,` or `]`" : "`,` or `)`"));
  }
  tsr__text_take(ps);
  return TSR_OK;
}

static tsr_status string(tsr_text_parser *ps, giving *g, int i)
{
  if (ps->token.kind != TSR_TOKEN_STRING) return tsr__text_unexpected(ps, "a string");
  const size_t at = ps->token.at;
  if (ps->token.n > TSR_TEXT_STRING_MAX)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "the string has more than %d characters",
                          TSR_TEXT_STRING_MAX - 2);
  tsr__text_take(ps);
  g->kids[i][g->n[i]++] = tsr__text_node(ps, TSR_NODE_STRING, at, 0, NULL);
  return TSR_OK;
}

static tsr_status give(tsr_text_parser *ps, giving *g, int i)
{
  const tsr_text_parameter *p = &g->p[i];
  if (p->is_optional && tsr__text_is_word(ps, &ps->token, "None")) {
    tsr__text_take(ps);
    return TSR_OK;
  }
  if (p->kind == 'd') return tsr__text_dtype(ps, &g->dtype);
  if (g->n[i] < 0) g->n[i] = 0;
  if (p->kind == 's') return string(ps, g, i);
  if (p->kind == 'l' && !is_tuple(ps)) return tsr__text_unexpected(ps, "a list such as `[x, y]`");
  if (strchr("lnw", p->kind) && is_tuple(ps)) {
    g->tuples |= 1u << i;
    return tuple(ps, g, i, p->kind == 'w');
  }
  g->by_one = p->kind == 'n';
  return value(ps, g, i);
}

/* name= of a parameter (taken): its number. */
static tsr_status named(tsr_text_parser *ps, const giving *g, int *out)
{
  const tsr_token t = ps->token;
  char names[96] = "";
  size_t n = 0;
  for (int i = 0; i < g->n_parameters; i++) {
    const tsr_text_parameter *p = &g->p[i];
    if (p->kind != 'v' && p->n_name == t.n && memcmp(p->name, ps->s->text + t.at, t.n) == 0) {
      *out = i;
      if (g->n[i] >= 0 || (p->kind == 'd' && g->dtype >= 0))
        return tsr__text_fail(ps, TSR_ERR_SYNTAX, t.at, "`%.*s` is given twice", (int)t.n,
                              ps->s->text + t.at);
      tsr__text_take(ps);
      tsr__text_take(ps);
      return TSR_OK;
    }
    n += (size_t)snprintf(names + n, sizeof names - n, "%s%.*s", n > 0 ? ", " : "", (int)p->n_name,
                          p->name);
  }
  tsr__text_fail(ps, TSR_ERR_SYNTAX, t.at, "`%s` has no option `%.*s`", g->f->name,
                 t.n > 40 ? 40 : (int)t.n, ps->s->text + t.at);
  tsr__text_help(ps, "its parameters are %s", names);
  return TSR_ERR_SYNTAX;
}

static tsr_status give_all(tsr_text_parser *ps, giving *g, int next, bool is_method)
{
  bool had_name = false;
  TSR_TRY(tsr__text_expect(ps, '(', "`(`"));
  while (!IS(')')) {
    const int last = g->n_parameters - 1;
    int i = next;
    if (tsr__text_is_option(ps)) {
      had_name = true;
      TSR_TRY(named(ps, g, &i));
      TSR_TRY(give(ps, g, i));
    } else if (had_name) {
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "a value cannot follow an option");
    } else if (next > 0 && g->p[next - 1].kind == 'v') {
      TSR_TRY(value(ps, g, next - 1));
    } else if (next > last && is_method && g->p[last].kind == 'n' && g->by_one) {
      TSR_TRY(value(ps, g, last));
    } else if (next > last) {
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "`%s` takes at most %d value%s",
                            g->f->name, g->n_parameters - is_method,
                            g->n_parameters - is_method == 1 ? "" : "s");
    } else {
      TSR_TRY(give(ps, g, next++));
    }
    if (IS(')')) break;
    TSR_TRY(tsr__text_expect(ps, ',', "`,` or `)`"));
  }
  tsr__text_take(ps);
  return TSR_OK;
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

/* Behind a call of several results: [2] or [-1]; or the end of a statement that assigns them. */
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

int32_t tsr__text_function_call(tsr_text_parser *ps, int function, size_t at, int32_t self)
{
  giving g = {.f = tsr__text_function(function), .dtype = -1};
  int32_t kids[TSR_TEXT_PARAMETERS * TSR_MAX_OP_ARGS];
  int n = 0;
  g.n_parameters = tsr__text_parameters(g.f, g.p);
  memset(g.n, -1, sizeof g.n);
  if (self >= 0) g.kids[0][0] = self;
  if (self >= 0) g.n[0] = 1;
  TSR_TRY(give_all(ps, &g, self >= 0, self >= 0));
  for (int i = 0; i < g.n_parameters; i++) {
    if (g.n[i] < 0 && !g.p[i].is_optional)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "`%s` misses its `%.*s`", g.f->name,
                            (int)g.p[i].n_name, g.p[i].name);
    for (int k = 0; k < g.n[i]; k++) kids[n++] = g.kids[i][k];
  }
  if (n == 1 && strcmp(g.f->name, "transpose") == 0) /* as x.T, a view that can be assigned to */
    return tsr__text_node(ps, TSR_NODE_TRANSPOSE, at, 1, kids);
  const int32_t node = tsr__text_node(ps, TSR_NODE_FUNCTION, at, n, kids);
  ps->s->nodes[node].code = function;
  ps->s->nodes[node].dtype = (int8_t)g.dtype;
  memcpy(ps->s->nodes[node].u.given, g.n, sizeof g.n);
  ps->s->nodes[node].u.given[TSR_TEXT_TUPLES] = (int8_t)g.tuples;
  return g.f->calls ? one_result(ps, node) : node;
}
