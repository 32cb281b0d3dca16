/* The state of a parser: the next token, the nodes made so far, and its error. Nodes are made after
 * their kids. */
#include "array/text/text_int.h"
#include "runtime/base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tsr_status tsr__text_fail(tsr_text_parser *ps, tsr_status status, size_t at, const char *fmt, ...)
{
  tsr_text_error *e = ps->error;
  e->status = status;
  e->at = at;
  e->help[0] = 0;
  va_list va;
  va_start(va, fmt);
  vsnprintf(e->what, sizeof e->what, fmt, va);
  va_end(va);
  return status;
}

void tsr__text_help(tsr_text_parser *ps, const char *fmt, ...)
{
  va_list va;
  va_start(va, fmt);
  vsnprintf(ps->error->help, sizeof ps->error->help, fmt, va);
  va_end(va);
}

tsr_status tsr__text_unexpected(tsr_text_parser *ps, const char *what)
{
  const tsr_token *t = &ps->token;
  const char *text = ps->s->text + t->at;
  switch (t->kind) {
  case TSR_TOKEN_BAD:
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, t->at, "%s", ps->lexer.why);
  case TSR_TOKEN_END:
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, t->at, "expected %s, but the text ends", what);
  case TSR_TOKEN_BREAK:
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, t->at, "expected %s, but the %s ends", what,
                          *text == ';' ? "statement" : "line");
  default:
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, t->at, "expected %s, not `%.*s`", what,
                          t->n > 40 ? 40 : (int)t->n, text);
  }
}

void tsr__text_take(tsr_text_parser *ps)
{
  ps->taken_end = ps->token.at + ps->token.n;
  ps->token = tsr__lex_next(&ps->lexer);
}

bool tsr__text_is(const tsr_text_parser *ps, uint32_t punct)
{
  return ps->token.kind == TSR_TOKEN_PUNCT && ps->token.code == punct;
}

bool tsr__text_is_word(const tsr_text_parser *ps, const tsr_token *t, const char *word)
{
  return t->kind == TSR_TOKEN_NAME && strlen(word) == t->n &&
         memcmp(ps->s->text + t->at, word, t->n) == 0;
}

tsr_status tsr__text_expect(tsr_text_parser *ps, uint32_t punct, const char *what)
{
  if (!tsr__text_is(ps, punct)) return tsr__text_unexpected(ps, what);
  tsr__text_take(ps);
  return TSR_OK;
}

int32_t tsr__text_node(tsr_text_parser *ps, tsr_node_kind kind, size_t at, int n_kids,
                       const int32_t *kids)
{
  tsr_script *s = ps->s;
  s->nodes = tsr__grow(s->nodes, &ps->capacity_nodes, s->n_nodes + 1, sizeof *s->nodes);
  s->kids = tsr__grow(s->kids, &ps->capacity_kids, s->n_kids + n_kids, sizeof *s->kids);
  tsr_node *node = &s->nodes[s->n_nodes];
  *node = (tsr_node){.kind = (uint8_t)kind,
                     .dtype = -1,
                     .first_kid = s->n_kids,
                     .n_kids = n_kids,
                     .at = (uint32_t)at,
                     .begin = (uint32_t)at,
                     .end = (uint32_t)ps->taken_end};
  for (int i = 0; i < n_kids; i++) s->kids[s->n_kids++] = kids[i];
  if (n_kids > 0 && s->nodes[kids[0]].begin < node->begin) node->begin = s->nodes[kids[0]].begin;
  return s->n_nodes++;
}
