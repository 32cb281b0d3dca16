/* Parses Python slice text in one pass over its bytes; slice_text.h has the grammar. The parser
 * allocates nothing and keeps no state. slice_cache.c keeps the slices of calls in loops. */
#include "array/views/slice_text.h"
#include "runtime/base/error.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct parser {
  const char *p;
  const int64_t *ints;
  int64_t **positions;
  int n_ints, n_ints_used;
  const char *bad; /* the byte with the error */
  char *why;
  size_t why_size;
} parser;

static __attribute__((cold, format(printf, 4, 5))) tsr_status
fail(parser *ps, const char *at, tsr_status status, const char *fmt, ...)
{
  ps->bad = at;
  if (ps->why && ps->why_size > 0) {
    va_list va;
    va_start(va, fmt);
    vsnprintf(ps->why, ps->why_size, fmt, va);
    va_end(va);
  }
  return status;
}

static inline bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline void skip_blanks(parser *ps)
{
  while (is_blank(*ps->p)) ps->p++;
}

static bool is_word_byte(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Parses digits after an optional sign. The text is at a digit or a sign. */
static tsr_status parse_digits(parser *ps, int64_t *out)
{
  const char *begin = ps->p;
  bool negative = *ps->p == '-';
  if (*ps->p == '-' || *ps->p == '+') {
    ps->p++;
    skip_blanks(ps);
    if (*ps->p == '$')
      return fail(ps, begin, TSR_ERR_SYNTAX,
                  "a sign before `$` is not taken: give the argument its sign");
    if (*ps->p < '0' || *ps->p > '9')
      return fail(ps, ps->p, TSR_ERR_SYNTAX, "expected digits after the sign");
  }
  uint64_t v = 0;
  int n_digits = 0;
  for (; *ps->p >= '0' && *ps->p <= '9'; ps->p++) {
    v = v * 10 + (uint64_t)(*ps->p - '0');
    if (v != 0) n_digits++;
    if (n_digits > 18 && (n_digits > 19 || v > (uint64_t)INT64_MAX + negative))
      return fail(ps, begin, TSR_ERR_SYNTAX, "the number does not fit in 64 bits");
  }
  if (is_word_byte(*ps->p) || *ps->p == '.')
    return fail(ps, ps->p, TSR_ERR_SYNTAX, "a slice takes whole numbers, not `%.*s`",
                (int)(ps->p - begin) + 1, begin);
  *out = negative ? (int64_t)(0 - v) : (int64_t)v;
  return TSR_OK;
}

/* Parses a number if there is one. *has: whether there is. */
static inline tsr_status parse_number(parser *ps, bool *has, int64_t *out)
{
  skip_blanks(ps);
  char c = *ps->p;
  *has = false;
  *out = 0;
  if (c == ':' || c == ',' || c == 0) return TSR_OK;
  if (c >= '0' && c <= '9' && (ps->p[1] == ':' || ps->p[1] == ',' || ps->p[1] == 0)) {
    *out = c - '0';
    ps->p++;
  } else if ((c >= '0' && c <= '9') || c == '-' || c == '+') {
    TSR_TRY(parse_digits(ps, out));
  } else if (c == '$') {
    if (ps->n_ints_used >= ps->n_ints)
      return fail(ps, ps->p, TSR_ERR_ARGUMENT,
                  "this `$` has no argument: the call gives %d integer%s", ps->n_ints,
                  ps->n_ints == 1 ? "" : "s");
    if (ps->positions) ps->positions[ps->n_ints_used] = out;
    *out = ps->ints[ps->n_ints_used++];
    ps->p++;
    if (is_word_byte(*ps->p))
      return fail(ps, ps->p, TSR_ERR_SYNTAX,
                  "`$` stands alone here: it takes the next integer argument");
  } else {
    return TSR_OK;
  }
  *has = true;
  skip_blanks(ps);
  return TSR_OK;
}

static bool take_word(parser *ps, const char *word)
{
  size_t n = strlen(word);
  if (strncmp(ps->p, word, n) != 0 || is_word_byte(ps->p[n])) return false;
  ps->p += n;
  return true;
}

static tsr_status refuse_name(parser *ps)
{
  if (!isalpha((unsigned char)*ps->p) && *ps->p != '_') return TSR_OK;
  return fail(ps, ps->p, TSR_ERR_SYNTAX,
              "a name has no value here: `$` stands for an integer that follows, as in "
              "tsr_slice(u, \"1:$\", n)");
}

static tsr_status parse_item(parser *ps, tsr_slice_item *it)
{
  TSR_TRY(parse_number(ps, &it->has_start, &it->start));
  it->has_stop = it->has_step = false;
  it->stop = it->step = 0;
  if (*ps->p != ':') {
    it->kind = TSR_SLICE_INDEX;
    if (it->has_start) return TSR_OK;
    if (take_word(ps, "newaxis") || take_word(ps, "None")) {
      it->kind = TSR_SLICE_NEWAXIS;
      return TSR_OK;
    }
    if (strncmp(ps->p, "...", 3) == 0) {
      ps->p += 3;
      it->kind = TSR_SLICE_ELLIPSIS;
      return TSR_OK;
    }
    TSR_TRY(refuse_name(ps));
    return fail(ps, ps->p, TSR_ERR_SYNTAX, "expected a number, `:`, `$`, `...` or `newaxis` here");
  }
  it->kind = TSR_SLICE_RANGE;
  ps->p++;
  TSR_TRY(parse_number(ps, &it->has_stop, &it->stop));
  if (*ps->p != ':') return TSR_OK;
  ps->p++;
  skip_blanks(ps);
  const char *step_at = ps->p;
  TSR_TRY(parse_number(ps, &it->has_step, &it->step));
  if (it->has_step && it->step == 0)
    return fail(ps, step_at, TSR_ERR_SYNTAX, "the step of a slice cannot be 0");
  return TSR_OK;
}

static tsr_status parse_items(parser *ps, tsr_slice_item *items, int *n_items)
{
  bool has_ellipsis = false;
  int n = 0;
  skip_blanks(ps);
  if (*ps->p == 0)
    return fail(ps, ps->p, TSR_ERR_SYNTAX, "the slice is empty: `...` takes the whole array");
  while (*ps->p != 0) {
    if (n == TSR_SLICE_MAX_ITEMS)
      return fail(ps, ps->p, TSR_ERR_SYNTAX, "a slice has at most %d items", TSR_SLICE_MAX_ITEMS);
    const char *begin = ps->p;
    TSR_TRY(parse_item(ps, &items[n]));
    if (items[n].kind == TSR_SLICE_ELLIPSIS) {
      if (has_ellipsis) return fail(ps, begin, TSR_ERR_SYNTAX, "a slice has only one `...`");
      has_ellipsis = true;
    }
    n++;
    skip_blanks(ps);
    if (*ps->p == 0) break;
    TSR_TRY(refuse_name(ps));
    if (*ps->p != ',')
      return fail(ps, ps->p, TSR_ERR_SYNTAX, "expected `,`%s or the end of the slice",
                  items[n - 1].kind == TSR_SLICE_INDEX   ? ", `:`"
                  : items[n - 1].kind == TSR_SLICE_RANGE ? ", `:` or a number"
                                                         : "");
    ps->p++;
    skip_blanks(ps);
  }
  *n_items = n;
  if (ps->n_ints_used < ps->n_ints)
    return fail(ps, ps->p, TSR_ERR_ARGUMENT, "the call gives %d integer%s for %d `$`", ps->n_ints,
                ps->n_ints == 1 ? "" : "s", ps->n_ints_used);
  return TSR_OK;
}

tsr_status tsr__slice_parse(const char *text, int n_ints, const int64_t *ints, int64_t **positions,
                            tsr_slice_item *items, int *n_items, size_t *error_at, char *why,
                            size_t why_size)
{
  parser ps = {.p = text,
               .ints = ints,
               .positions = positions,
               .n_ints = n_ints,
               .bad = text,
               .why = why,
               .why_size = why_size};
  tsr_status status = parse_items(&ps, items, n_items);
  if (status < 0) *error_at = (size_t)(ps.bad - text);
  return status;
}

char *tsr__slice_text(int n_items, const tsr_slice_item *items, char *buf, size_t size)
{
  size_t n = 0;
  if (size > 0) buf[0] = 0;
  for (int i = 0; i < n_items; i++) {
    const tsr_slice_item *it = &items[i];
    char one[80] = "";
    size_t k = 0;
    switch (it->kind) {
    case TSR_SLICE_ELLIPSIS:
      snprintf(one, sizeof one, "...");
      break;
    case TSR_SLICE_NEWAXIS:
      snprintf(one, sizeof one, "newaxis");
      break;
    case TSR_SLICE_INDEX:
      snprintf(one, sizeof one, "%" PRId64, it->start);
      break;
    default:
      if (it->has_start) k += (size_t)snprintf(one, sizeof one, "%" PRId64, it->start);
      k += (size_t)snprintf(one + k, sizeof one - k, ":");
      if (it->has_stop) k += (size_t)snprintf(one + k, sizeof one - k, "%" PRId64, it->stop);
      if (it->has_step) snprintf(one + k, sizeof one - k, ":%" PRId64, it->step);
    }
    int written = snprintf(buf + n, size - n, "%s%s", i > 0 ? ", " : "", one);
    if (written < 0 || (size_t)written >= size - n) { /* only whole items are written */
      if (size > 0) buf[n] = 0;
      break;
    }
    n += (size_t)written;
  }
  return buf;
}
