/* Errors of calls: the context keeps the first; abort mode prints it once and ends the job. */
#include "array/core/array_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Prints the error and ends the job. A failing call fails on every rank, so rank 0 prints for all.
 * Another rank waits for rank 0 to end the job, and prints only if that does not happen. */
static _Noreturn void die(tsr_context *c)
{
  const tsr_error *e = &c->world.error;
  tsr_transport *t = c->world.transport;
  char ranks[40];
  if (c->world.rank == 0 && c->world.size > 1)
    snprintf(ranks, sizeof ranks, "ranks 0-%d", c->world.size - 1);
  else
    snprintf(ranks, sizeof ranks, "rank %d", c->world.rank);
  if (c->world.rank != 0) {
    for (int ms = 0; ms < 2000; ms++) {
      t->ops->idle(t);
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
  }
  bool colour = isatty(STDERR_FILENO) == 1 && !c->world.config.plain;
  char *text = tsr__error_text(e, ranks, colour);
  fflush(stdout);
  tsr__clear_progress(c, STDERR_FILENO);
  fputs(text, stderr);
  fflush(stderr);
  free(text);
  t->ops->abort(t, 1);
  abort();
}

static tsr_error *open_error(tsr_context *c, const tsr_location *where, tsr_status status,
                             const char *fmt, va_list args)
{
  tsr_text text = {0};
  tsr__text_vadd(&text, fmt, args);
  c->failing = c->world.error.status == TSR_OK ? &c->world.error : &c->spare;
  tsr__error_begin(c->failing, status, where, "%s", text.s);
  tsr__text_free(&text);
  return c->failing;
}

tsr_error *tsr__fail_begin(tsr_context *c, const tsr_location *where, tsr_status status,
                           const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  tsr_error *e = open_error(c, where, status, fmt, args);
  va_end(args);
  return e;
}

tsr_status tsr__fail_end(tsr_context *c)
{
  tsr_error *e = c->failing;
  if (c->inside) {
    tsr__error_note(e, "in kernel %s:", c->inside->kernel);
    c->inside->tell(e, c->inside);
  }
  c->failing = NULL;
  c->last_status = e->status;
  tsr__record_event(&c->window, e->where, TSR_EVENT_FAILED, (uint64_t) - (int64_t)e->status);
  return tsr__settle(c, e->status);
}

tsr_status tsr__fail(tsr_context *c, const tsr_location *where, tsr_status status, const char *fmt,
                     ...)
{
  va_list args;
  va_start(args, fmt);
  open_error(c, where, status, fmt, args);
  va_end(args);
  return tsr__fail_end(c);
}

tsr_status tsr__settle(tsr_context *c, tsr_status status)
{
  tsr__release_agreed(c);
  if (status >= 0 || c->world.return_errors) return status;
  if (c->world.error.status == TSR_OK)
    tsr__error_begin(&c->world.error, status, NULL, "an operation failed");
  die(c);
}

/* Returns the end of the argument that starts at s: a top-level comma or the end of the string. */
static const char *argument_end(const char *s)
{
  int depth = 0;
  for (char quote = 0; *s; s++) {
    if (quote) {
      if (*s == '\\' && s[1])
        s++;
      else if (*s == quote)
        quote = 0;
    } else if (*s == '"' || *s == '\'') {
      quote = *s;
    } else if (strchr("([{", *s)) {
      depth++;
    } else if (strchr(")]}", *s)) {
      depth--;
    } else if (*s == ',' && depth == 0) {
      break;
    }
  }
  return s;
}

/* Writes the text of argument i of where->args into buf, or "a", "b", … if that is long or
 * unknown. Returns buf. */
static char *argument_text(const tsr_location *where, int i, char *buf, size_t size)
{
  enum { LONGEST = 24 };
  const char *s = where && where->args ? where->args : "";
  for (int k = 0; k < i && *s; k++) {
    s = argument_end(s);
    if (*s) s++;
  }
  while (*s == ' ') s++;
  size_t n = (size_t)(argument_end(s) - s);
  if (n > 0 && n <= LONGEST)
    snprintf(buf, size, "%.*s", (int)n, s);
  else
    snprintf(buf, size, "%c", 'a' + i % 26);
  return buf;
}

void tsr__note_operand(tsr_context *c, tsr_error *e, const tsr_location *where, int i,
                       tsr_operand x)
{
  const tsr_handle *s = x.kind == TSR_OPERAND_ARRAY ? tsr__handle_peek(c, x.as.array) : NULL;
  if (!s) return;
  char name[32], shape[256];
  tsr_text line = {0};
  /* An operand made by a kernel's text, or by the steps of this call, has no name in the caller's
   * source. */
  if (c->inside || (c->steps_scope > 0 && s->scope >= c->steps_scope))
    snprintf(name, sizeof name, "operand %d", i + 1);
  else
    argument_text(where, i, name, sizeof name);
  tsr__text_add(&line, "%s: %s %s", name,
                tsr__shape_text(s->view->view.ndim, s->view->view.shape, shape, sizeof shape),
                tsr__dtype_info(s->region->dtype)->name);
  const tsr_location *made = s->made;
  if (made && made->file) {
    tsr__text_add(&line, ", made at %s:%d by %s", made->file, made->line, made->op);
    /* The note shows the text of a slice, since the shape alone does not identify it. */
    if (made->args && strchr(made->args, '"') && strlen(made->args) < 60)
      tsr__text_add(&line, "(%s)", made->args);
  }
  tsr__error_note(e, "%s", line.s);
  tsr__text_free(&line);
}

tsr_status tsr__fail_on(tsr_context *c, const tsr_location *where, tsr_status status, int n,
                        const tsr_operand *operands, const char *help, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  tsr_error *e = open_error(c, where, status, fmt, args);
  va_end(args);
  for (int i = 0; i < n; i++) tsr__note_operand(c, e, where, i, operands[i]);
  if (help) tsr__error_help(e, "%s", help);
  return tsr__fail_end(c);
}

/* Sets the mode; returns the one before. */
static tsr_error_mode change_mode(tsr_context *c, tsr_error_mode mode)
{
  tsr_error_mode before = c->world.return_errors ? TSR_ERRORS_RETURN : TSR_ERRORS_ABORT;
  if (c->throws) before = TSR_ERRORS_THROW;
  c->throws = mode == TSR_ERRORS_THROW;
  c->world.return_errors = c->throws || mode == TSR_ERRORS_RETURN;
  return before;
}

tsr_error_mode tsr_set_error_mode(tsr_error_mode mode)
{
  static const tsr_location site = {.op = "tsr_set_error_mode"};
  TSR_IN_CALL tsr_context *c = tsr__call_begin(&site);
  return change_mode(c, mode);
}

tsr_status tsr_error_to_throw(void)
{
  const tsr_context *c = tsr__current;
  return c && c->throws ? c->world.error.status : TSR_OK;
}

void tsr_interrupt(tsr_context *context)
{
  if (context) __atomic_store_n(&context->world.wants_interrupt, true, __ATOMIC_RELAXED);
}

bool tsr_take_interrupt(void)
{
  tsr_context *c = tsr__current;
  if (!c || !c->world.is_interrupted) return false;
  c->world.is_interrupted = false;
  return true;
}

tsr_errors_scope tsr_errors_open(const tsr_location *where, tsr_error_mode mode)
{
  static const tsr_location site = {.op = "TSR_ERRORS"};
  if (!where) where = &site;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const bool had_error = c->world.error.status != TSR_OK;
  return (tsr_errors_scope){
      .context = c->number, .before = change_mode(c, mode), .had_error = had_error, .where = where};
}

/* A scope may outlive its context; closing it then does nothing. */
void tsr_errors_close(tsr_errors_scope *scope)
{
  tsr_context *c = tsr_context_current();
  if (!scope || !c || scope->context == 0 || scope->context != c->number) return;
  scope->context = 0;
  TSR_IN_CALL tsr_context *entered = tsr__call_enter(scope->where);
  tsr_error *e = &entered->world.error;
  change_mode(entered, scope->before);
  if (e->status == TSR_OK || scope->had_error || entered->world.return_errors) return;
  const tsr_location *l = scope->where;
  if (l->file)
    tsr__error_note(e, "nobody took it before the end of TSR_ERRORS, at %s:%d", l->file, l->line);
  tsr__settle(entered, e->status);
}

const char *tsr_last_error(void)
{
  static const tsr_location site = {.op = "tsr_last_error"};
  TSR_IN_CALL tsr_context *c = tsr__current ? tsr__call_enter(&site) : NULL;
  if (!c) return "error[TSR0101]: there is no context on this thread\nhelp: call tsr_init first\n";
  if (c->world.error.status == TSR_OK) return "";
  char ranks[24];
  snprintf(ranks, sizeof ranks, "rank %d", c->world.rank);
  free(c->error_text);
  c->error_text = tsr__error_text(&c->world.error, ranks, false);
  return c->error_text;
}

tsr_status tsr_take_error(char *text, size_t size)
{
  static const tsr_location site = {.op = "tsr_take_error"};
  TSR_IN_CALL tsr_context *c = tsr__current ? tsr__call_enter(&site) : NULL;
  if (text && size > 0) snprintf(text, size, "%s", tsr_last_error());
  if (!c) return TSR_ERR_ARGUMENT;
  tsr_status status = c->world.error.status;
  tsr__error_clear(&c->world.error);
  return status;
}
