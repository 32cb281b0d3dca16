/* The names that a kernel's text gives values, and the blocks of its loops and functions: where
 * they begin and end. Blocks are told by how far lines are indented, as in Python. */
#include "array/text/text_int.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>

int tsr__text_local_named(const tsr_text_parser *ps, const tsr_token *t)
{
  for (int k = ps->locals->base; k < ps->locals->n; k++)
    if (tsr__text_is_word(ps, t, ps->locals->v[k].name)) return k;
  return -1;
}

int tsr__text_add_local(tsr_text_locals *locals, const char *text, size_t n)
{
  locals->v = tsr__grow(locals->v, &locals->capacity, locals->n + 1, sizeof *locals->v);
  tsr_text_local *local = &locals->v[locals->n];
  local->name = tsr__malloc(n + 1);
  memcpy(local->name, text, n);
  local->name[n] = 0;
  local->node = -1;
  local->is_written = false;
  return locals->n++;
}

void tsr__text_drop_locals(tsr_text_locals *locals, int n)
{
  while (locals->n > n) free(locals->v[--locals->n].name);
}

tsr_text_position tsr__text_position_of(const tsr_text_parser *ps)
{
  return (tsr_text_position){ps->lexer, ps->token, ps->taken_end};
}

void tsr__text_go_to(tsr_text_parser *ps, const tsr_text_position *position)
{
  ps->lexer = position->lexer;
  ps->token = position->token;
  ps->taken_end = position->taken_end;
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

/* How far a line that begins at byte `begin` is indented. */
static size_t column_from(const char *text, size_t begin)
{
  size_t column = 0;
  for (; is_blank(text[begin]); begin++)
    column = text[begin] == '\t' ? (column / 8 + 1) * 8 : column + 1;
  return column;
}

/* How far the line of the byte is indented. */
static size_t indent_of(const tsr_text_parser *ps, size_t at)
{
  while (at > 0 && ps->s->text[at - 1] != '\n') at--;
  return column_from(ps->s->text, at);
}

/* Do only blanks stand before the byte in its line? If so, *column is how far it is indented. */
static bool is_first(const tsr_text_parser *ps, size_t at, size_t *column)
{
  while (at > 0 && is_blank(ps->s->text[at - 1])) at--;
  if (at > 0 && ps->s->text[at - 1] != '\n') return false;
  *column = column_from(ps->s->text, at);
  return true;
}

tsr_status tsr__text_begin_block(tsr_text_parser *ps, size_t header, tsr_text_block *b)
{
  b->header = indent_of(ps, header);
  TSR_TRY(tsr__text_expect(ps, ':', "`:`"));
  if (ps->token.kind == TSR_TOKEN_BREAK && ps->s->text[ps->token.at] == ';')
    return tsr__text_unexpected(ps, "a statement");
  while (ps->token.kind == TSR_TOKEN_BREAK) tsr__text_take(ps);
  b->is_line = !is_first(ps, ps->token.at, &b->column);
  if (ps->token.kind == TSR_TOKEN_END || (!b->is_line && b->column <= b->header)) {
    tsr__text_unexpected(ps, "a statement that is indented");
    tsr__text_help(ps, "statements follow `:` in its line, or are indented in the lines below");
    return TSR_ERR_SYNTAX;
  }
  b->first = tsr__text_position_of(ps);
  return TSR_OK;
}

int32_t tsr__text_goes_on(tsr_text_parser *ps, const tsr_text_block *b)
{
  size_t column = 0;
  while (ps->token.kind == TSR_TOKEN_BREAK) tsr__text_take(ps);
  if (ps->token.kind == TSR_TOKEN_END) return 0;
  if (!is_first(ps, ps->token.at, &column)) return 1;
  if (b->is_line || column <= b->header) return 0;
  if (column == b->column) return 1;
  return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at,
                        "this line is indented as none before it");
}

tsr_status tsr__text_skip_block(tsr_text_parser *ps, const tsr_text_block *b)
{
  for (;;) {
    while (ps->token.kind == TSR_TOKEN_BREAK) tsr__text_take(ps);
    if (ps->token.kind == TSR_TOKEN_END) return TSR_OK;
    size_t column = 0;
    const bool begins_line = is_first(ps, ps->token.at, &column);
    if (begins_line && ps->token.at != b->first.token.at && (b->is_line || column <= b->header))
      return TSR_OK;
    while (ps->token.kind != TSR_TOKEN_BREAK && ps->token.kind != TSR_TOKEN_END) {
      if (ps->token.kind == TSR_TOKEN_BAD) return tsr__text_unexpected(ps, "a statement");
      tsr__text_take(ps);
    }
  }
}
