/* The calls of tessera/lifetime.h: scopes, keep, hold, release, replace. All are events of the op
 * stream except statement scopes, which follow from the call that opened them. */
#include "array/core/array_int.h"

static const tsr_location statement_end = {
    .op = "the end of its statement (tsr_keep it to use it later)"};
static const tsr_location end_location = {.op = "TSR_SCOPE"};

tsr_scope tsr_scope_open(const tsr_location *where)
{
  if (!where) where = &end_location;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr__scope_push(c, TSR_SCOPE_IS_BLOCK);
  tsr__event_of(c, where, TSR_EVENT_SCOPE_OPEN, 0);
  return (tsr_scope){
      .context = c->number, .serial = c->n_scopes_made, .depth = c->n_scopes - 1, .where = where};
}

/* A scope may outlive its context: in `TSR_SCOPE(); … tsr_finalize(); return 0;` it closes after
 * the end. Closing it then does nothing. */
void tsr_scope_close(tsr_scope *scope)
{
  if (!scope || !tsr__current || scope->context != tsr__current->number) return;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(scope->where);
  tsr_scope closing = *scope;
  *scope = (tsr_scope){0};
  bool open = closing.depth < c->n_scopes && c->scopes[closing.depth].serial == closing.serial;
  int inner = 0;
  for (int32_t i = closing.depth + 1; open && i < c->n_scopes; i++)
    inner += c->scopes[i].kind == TSR_SCOPE_IS_BLOCK;
  if (open) {
    inner += tsr__device_scopes_end(c, closing.serial);
    tsr__scopes_pop_to(c, closing.depth - 1, closing.where);
  }
  tsr__event_of(c, closing.where, TSR_EVENT_SCOPE_END, 0);
  if (!open)
    tsr__fail(c, closing.where, TSR_ERR_SCOPE, "a scope is closed after the scope around it");
  else if (inner)
    tsr__fail(c, closing.where, TSR_ERR_SCOPE, "a scope is closed before %d scope%s inside it",
              inner, inner == 1 ? "" : "s");
  tsr__settle(c, tsr__flush_if_due(c->scheduler, TSR_FLUSH_AT_BOUNDARY));
}

/* Without a context the call inside the statement reports the error, since it knows its
 * location. */
void tsr_statement_begin(void)
{
  TSR_IN_CALL tsr_context *c = tsr__call_try();
  if (c) tsr__scope_push(c, TSR_SCOPE_IS_STATEMENT);
}

void tsr_statement_drop(void)
{
  TSR_IN_CALL tsr_context *c = tsr__call_try();
  if (!c) return;
  int32_t depth = c->n_scopes - 1;
  while (depth > 0 && c->scopes[depth].kind != TSR_SCOPE_IS_STATEMENT) depth--;
  if (depth > 0) tsr__scopes_pop_to(c, depth - 1, &statement_end);
}

tsr_status tsr__statement_ended(tsr_context *c)
{
  const tsr_scope_kind around = c->scopes[c->n_scopes - 1].kind;
  const tsr_flush_place place = c->n_scopes == 1               ? TSR_FLUSH_AT_BOUNDARY
                                : around == TSR_SCOPE_IS_BLOCK ? TSR_FLUSH_IN_SCOPE
                                                               : TSR_FLUSH_IN_STATEMENT;
  return tsr__settle(c, tsr__flush_if_due(c->scheduler, place));
}

tsr_status tsr_statement_end(tsr_status status)
{
  TSR_IN_CALL tsr_context *c = tsr__call_try();
  if (!c) return status;
  tsr_statement_drop();
  const tsr_status flushed = tsr__statement_ended(c);
  return status < 0 ? status : flushed;
}

void tsr_statement_end_later(void)
{
  TSR_IN_CALL tsr_context *c = tsr__call_try();
  if (c) c->statement_waits = true;
}

tsr_array tsr_keep_at(const tsr_location *where, tsr_array x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_handle *s = tsr__handle(c, where, x);
  if (!s) return tsr_null();
  tsr__event(c, where, TSR_EVENT_KEEP, x);
  int32_t outer = c->n_scopes >= 2 ? c->n_scopes - 2 : TSR_SCOPE_ROOT;
  if (s->scope > outer) tsr__handle_move(c, s, outer);
  return x;
}

tsr_array tsr_hold_at(const tsr_location *where, tsr_array x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_handle *s = tsr__handle(c, where, x);
  if (!s) return tsr_null();
  tsr__event(c, where, TSR_EVENT_HOLD, x);
  tsr__handle_move(c, s, TSR_SCOPE_HELD);
  return x;
}

static bool has_variable(tsr_context *c, const tsr_location *where, const tsr_array *x)
{
  if (x) return true;
  tsr__fail(c, where, TSR_ERR_ARGUMENT, "the array's variable is NULL");
  return false;
}

void tsr_release_at(const tsr_location *where, tsr_array *x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (!has_variable(c, where, x)) return;
  if (!tsr_ok(*x)) return;
  tsr_handle *s = tsr__handle(c, where, *x);
  if (s) {
    tsr__event(c, where, TSR_EVENT_RELEASE, *x);
    tsr__handle_release(c, s, where);
  }
  x->id = TSR_HANDLE_RELEASED;
}

void tsr_replace_at(const tsr_location *where, tsr_array *x, tsr_array y)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (!has_variable(c, where, x)) return;
  tsr_handle *new = tsr__handle(c, where, y);
  tsr_handle *old = tsr_ok(*x) ? tsr__handle(c, where, *x) : NULL;
  if (new &&new == old) return;
  /* y must not stay in the statement scope that the macro itself opened. */
  int32_t scope = c->n_scopes - 1;
  while (scope > 0 && c->scopes[scope].kind == TSR_SCOPE_IS_STATEMENT) scope--;
  if (new) {
    tsr__event(c, where, TSR_EVENT_REPLACE, y);
    if (old)
      tsr__handle_move(c, new, old->scope);
    else if (new->scope > scope)
      tsr__handle_move(c, new, scope);
  }
  if (old) {
    tsr__event(c, where, TSR_EVENT_RELEASE, *x);
    tsr__handle_release(c, old, where);
  }
  *x = new ? y : tsr_null();
}

int tsr_n_views(tsr_array x)
{
  tsr_context *c = tsr_context_current();
  const tsr_handle *s = c && tsr_ok(x) ? tsr__handle_peek(c, x) : NULL;
  return s ? s->region->n_handles : 0;
}
