/* Writing errors: headline, where the program asked, notes, rule, help; and the two ways to end the
 * job. An error owns copies of all its text, so what it was made from may be freed. */
#include "runtime/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tsr__status_code(tsr_status status, char buf[8])
{
  unsigned number = status < 0 ? (unsigned)-(long)status : (unsigned)status;
  snprintf(buf, 8, "TSR%04u", number % 10000);
  return buf;
}

void tsr__error_clear(tsr_error *e)
{
  tsr__text_free(&e->headline);
  tsr__text_free(&e->notes);
  tsr__text_free(&e->help);
  *e = (tsr_error){0};
}

void tsr__error_begin(tsr_error *e, tsr_status status, const tsr_location *where, const char *fmt,
                      ...)
{
  tsr__error_clear(e);
  e->status = status;
  e->where = where;
  va_list args;
  va_start(args, fmt);
  tsr__text_vadd(&e->headline, fmt, args);
  va_end(args);
  if (!where || !where->op || !where->op[0]) return;
  tsr_text op = {0};
  tsr__text_add(&op, "`%s`", where->op);
  if (!strstr(e->headline.s, op.s)) tsr__text_add(&e->headline, " in %s", op.s);
  tsr__text_free(&op);
}

static void add_line(tsr_text *t, const char *prefix, const char *fmt, va_list args)
{
  tsr__text_add(t, "%s", prefix);
  tsr__text_vadd(t, fmt, args);
  tsr__text_add(t, "\n");
}

void tsr__error_note(tsr_error *e, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  add_line(&e->notes, "   ", fmt, args);
  va_end(args);
}

void tsr__error_rule(tsr_error *e, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  add_line(&e->notes, "   = ", fmt, args);
  va_end(args);
}

void tsr__error_help(tsr_error *e, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  add_line(&e->help, "", fmt, args);
  va_end(args);
}

static bool is_utf8_tail(char c)
{
  return ((unsigned char)c & 0xC0) == 0x80;
}

void tsr__error_caret(tsr_error *e, const char *source, size_t at)
{
  enum { BEFORE = 60, AFTER = 40 }; /* bytes of a long line shown on each side of the caret */
  size_t n = strlen(source);
  if (at > n) at = n;
  size_t first = at, last = at;
  while (first > 0 && source[first - 1] != '\n' && at - first < BEFORE) first--;
  while (last < n && source[last] != '\n' && last - at < AFTER) last++;
  while (first < at && is_utf8_tail(source[first])) first++;
  while (last < n && is_utf8_tail(source[last])) last++;
  const char *head = first > 0 && source[first - 1] != '\n' ? "..." : "";
  const char *tail = last < n && source[last] != '\n' ? "..." : "";
  tsr__text_add(&e->notes, "   | %s%.*s%s\n   | ", head, (int)(last - first), source + first, tail);
  tsr__text_add(&e->notes, "%*s", (int)strlen(head), "");
  for (size_t i = first; i < at; i++) {
    if (is_utf8_tail(source[i])) continue;
    tsr__text_add(&e->notes, "%c", source[i] == '\t' ? '\t' : ' ');
  }
  tsr__text_add(&e->notes, "^\n");
}

/* Each line of the help text gets its own "help:". */
static void add_help(tsr_text *out, const tsr_error *e, const char *code, const char *on,
                     const char *off)
{
  if (!e->help.n) {
    tsr__text_add(out, "%shelp:%s `tessera explain %s` shows the rule with examples\n", on, off,
                  code);
    return;
  }
  for (const char *line = e->help.s; *line;) {
    size_t n = strcspn(line, "\n");
    tsr__text_add(out, "%shelp:%s %.*s\n", on, off, (int)n, line);
    line += n + (line[n] == '\n');
  }
}

char *tsr__error_text(const tsr_error *e, const char *ranks, bool colour)
{
  const char *red = colour ? "\033[1;31m" : "", *bold = colour ? "\033[1m" : "";
  const char *blue = colour ? "\033[1;34m" : "", *cyan = colour ? "\033[1;36m" : "";
  const char *off = colour ? "\033[0m" : "";
  char code[8];
  tsr__status_code(e->status, code);
  tsr_text out = {0};
  tsr__text_add(&out, "%serror[%s]%s: %s%s%s\n", red, code, off, bold,
                e->headline.s ? e->headline.s : "", off);
  const tsr_location *where = e->where;
  bool has_ranks = ranks && ranks[0];
  const bool has_location = where && (where->file || where->function); /* a plain call has none */
  if (has_location || has_ranks) tsr__text_add(&out, "  %s-->%s ", blue, off);
  if (where && where->file) tsr__text_add(&out, "%s:%d", where->file, where->line);
  if (where && where->function) tsr__text_add(&out, " in %s()", where->function);
  if (has_ranks) tsr__text_add(&out, "%s(%s)", has_location ? "          " : "", ranks);
  if (has_location || has_ranks) tsr__text_add(&out, "\n");
  if (e->notes.n) tsr__text_add(&out, "%s", e->notes.s);
  add_help(&out, e, code, cyan, off);
  return out.s;
}

tsr_bytes_text tsr__bytes_text(size_t bytes)
{
  static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
  tsr_bytes_text text;
  double tenths = (double)bytes / 102.4;
  int unit = 0;
  for (; tenths >= 10239.5 && unit < 3; unit++) tenths /= 1024;
  const unsigned long long rounded = (unsigned long long)(tenths + 0.5);
  if (bytes < 1024)
    snprintf(text.s, sizeof text.s, "%zu byte%s", bytes, bytes == 1 ? "" : "s");
  else
    snprintf(text.s, sizeof text.s, "%llu.%llu %s", rounded / 10, rounded % 10, units[unit]);
  return text;
}

char *tsr__shape_text(int ndim, const int64_t *shape, char *buf, size_t size)
{
  if (size == 0) return buf;
  size_t n = 0;
  buf[0] = 0;
  for (int i = -1; i <= ndim && n < size; i++) {
    int k;
    if (i < 0)
      k = snprintf(buf + n, size - n, "(");
    else if (i == ndim)
      k = snprintf(buf + n, size - n, ndim == 1 ? ",)" : ")");
    else
      k = snprintf(buf + n, size - n, "%s%lld", i ? ", " : "", (long long)shape[i]);
    if (k > 0) n += (size_t)k;
  }
  return buf;
}

void tsr__assert_failed(const char *cond, const char *file, int line, const char *function)
{
  fflush(stdout);
  fprintf(stderr,
          "error[TSR0901]: a defect of Tessera: `%s` does not hold\n  --> %s:%d in %s()\n"
          "help: please report this message together with the program\n",
          cond, file, line, function);
  abort();
}

/* abort() and not exit(), so that the launcher sees a killed rank and ends the whole job. */
void tsr__fatal(const char *fmt, ...)
{
  char text[1024];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  fflush(stdout);
  fprintf(stderr, "fatal: tessera: %s\n", text);
  abort();
}
