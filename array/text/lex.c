/* The lexer of the text language, and the names that a call's arguments have in it. All state is in
 * the lexer. */
#include "array/text/text.h"
#include "runtime/base/alloc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
  return is_letter(c) || is_digit(c);
}

static void skip_blanks(tsr_lexer *lx)
{
  for (;;) {
    char c = lx->text[lx->at];
    if (c == '#') {
      while (lx->text[lx->at] != 0 && lx->text[lx->at] != '\n') lx->at++;
    } else if (c == ' ' || c == '\t' || c == '\r' || (c == '\n' && lx->depth > 0)) {
      lx->at++;
    } else if (c == '\\' && lx->text[lx->at + 1] == '\n') {
      lx->at += 2;
    } else {
      return;
    }
  }
}

static tsr_token bad(tsr_lexer *lx, tsr_token t, const char *why)
{
  t.kind = TSR_TOKEN_BAD;
  snprintf(lx->why, sizeof lx->why, "%s", why);
  return t;
}

/* Skips digits with single "_" between them. */
static const char *skip_digits(const char *p)
{
  while (is_digit(*p) || (*p == '_' && is_digit(p[1]) && is_digit(p[-1]))) p++;
  return p;
}

/* Makes a whole number with Python's syntax; numbers from 2^63 on are unsigned. */
static tsr_token whole_number(tsr_lexer *lx, tsr_token t, uint64_t value, bool is_over)
{
  if (is_over) return bad(lx, t, "the number does not fit in 64 bits");
  t.kind = value > INT64_MAX ? TSR_TOKEN_UINT : TSR_TOKEN_INT;
  memcpy(&t.i, &value, sizeof value);
  return t;
}

static tsr_token ends_in_name(tsr_lexer *lx, tsr_token t)
{
  t.at = lx->at;
  t.n = 1;
  while (is_word(lx->text[lx->at])) lx->at++;
  return bad(lx, t, "a number ends here, and a name cannot follow it");
}

static int digit_of(char c, int base)
{
  const int v = is_digit(c)            ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : base;
  return v < base ? v : -1;
}

/* Reads 0x, 0o or 0b and digits of that base. */
static tsr_token lex_based(tsr_lexer *lx, tsr_token t, int base)
{
  const char *s = lx->text + lx->at, *p = s + 2;
  uint64_t value = 0;
  bool is_over = false;
  while (digit_of(*p, base) >= 0 || (*p == '_' && digit_of(p[1], base) >= 0)) {
    if (*p != '_') {
      is_over |= value > UINT64_MAX / (uint64_t)base;
      value = value * (uint64_t)base + (uint64_t)digit_of(*p, base);
    }
    p++;
  }
  t.n = (size_t)(p - s);
  lx->at += t.n;
  if (t.n == 2 && !is_word(*p)) {
    snprintf(lx->why, sizeof lx->why, "digits of base %d are missing", base);
    t.kind = TSR_TOKEN_BAD;
    return t;
  }
  return is_word(*p) ? ends_in_name(lx, t) : whole_number(lx, t, value, is_over);
}

/* Reads a decimal number as Python does: a fraction or an exponent makes it a float, a "j" makes it
 * imaginary. */
static tsr_token lex_number(tsr_lexer *lx, tsr_token t)
{
  const char *s = lx->text + lx->at, *p = s;
  bool is_float = false;
  const int base = *s != '0'                    ? 10
                   : s[1] == 'x' || s[1] == 'X' ? 16
                   : s[1] == 'o' || s[1] == 'O' ? 8
                   : s[1] == 'b' || s[1] == 'B' ? 2
                                                : 10;
  if (base != 10) return lex_based(lx, t, base);
  p = skip_digits(p);
  if (*p == '.' && !(p[1] == '.' && p[2] == '.')) {
    is_float = true;
    p = skip_digits(p + 1);
  }
  if (*p == 'e' || *p == 'E') {
    const char *q = p + 1;
    if (*q == '+' || *q == '-') q++;
    if (is_digit(*q)) {
      is_float = true;
      p = skip_digits(q);
    }
  }
  t.n = (size_t)(p - s);
  const bool is_imaginary = (*p == 'j' || *p == 'J') && !is_word(p[1]);
  lx->at += t.n + is_imaginary;
  p += is_imaginary;
  if (is_word(*p)) return ends_in_name(lx, t);
  if (t.n > 400) return bad(lx, t, "the number is too long");
  char digits[408]; /* a copy, so that strtod cannot read past the token */
  size_t n_digits = 0;
  for (size_t i = 0; i < t.n; i++)
    if (s[i] != '_') digits[n_digits++] = s[i];
  digits[n_digits] = 0;
  t.kind = is_imaginary ? TSR_TOKEN_IMAGINARY : is_float ? TSR_TOKEN_FLOAT : TSR_TOKEN_INT;
  t.n += is_imaginary;
  is_float |= is_imaginary;
  if (is_float) {
    t.f = tsr__plain_number(digits);
    return t;
  }
  errno = 0;
  const uint64_t value = strtoull(digits, NULL, 10);
  if (digits[0] == '0' && n_digits > 1 && value != 0)
    return bad(lx, t, "a whole number does not begin with 0");
  return whole_number(lx, t, value, errno == ERANGE);
}

static tsr_token lex_punct(tsr_lexer *lx, tsr_token t)
{
  static const char *const puncts[] = {
      "...", "**=", "//=", "<<=", ">>=", "**", "//", "==", "!=", "<=", ">=", "+=",
      "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", "@=", "<<", ">>", "->", "&&",
      "||",  "+",   "-",   "*",   "/",   "%",  "<",  ">",  "=",  "&",  "|",  "~",
      "^",   "@",   "!",   "(",   ")",   "[",  "]",  ",",  ".",  ":"};
  const char *s = lx->text + lx->at;
  for (size_t k = 0; k < sizeof puncts / sizeof *puncts; k++) {
    size_t n = strlen(puncts[k]);
    if (strncmp(s, puncts[k], n) != 0) continue;
    t.kind = TSR_TOKEN_PUNCT;
    t.n = n;
    for (size_t i = 0; i < n; i++) t.code |= (uint32_t)(unsigned char)s[i] << (8 * i);
    if (*s == '(' || *s == '[') lx->depth++;
    if ((*s == ')' || *s == ']') && lx->depth > 0) lx->depth--;
    lx->at += n;
    return t;
  }
  t.n = 1;
  while (((unsigned char)lx->text[lx->at + t.n] & 0xc0) == 0x80)
    t.n++; /* the other bytes of a UTF-8 character */
  lx->at += t.n;
  if (*s == '{' || *s == '}') return bad(lx, t, "there are no braces in this language");
  if (*s == '?')
    return bad(lx, t,
               "a choice is `where(condition, a, b)`; kernels also take `a if condition else b`");
  return bad(lx, t, "this character has no meaning here");
}

/* Reads a string up to the same quote, in one line, without escapes. */
static tsr_token lex_string(tsr_lexer *lx, tsr_token t)
{
  const char *s = lx->text + lx->at, *p = s + 1;
  while (*p != 0 && *p != '\n' && *p != *s) p++;
  if (*p != *s) return bad(lx, t, "this string does not end");
  t.kind = TSR_TOKEN_STRING;
  t.n = (size_t)(p + 1 - s);
  lx->at += t.n;
  return t;
}

tsr_token tsr__lex_next(tsr_lexer *lx)
{
  skip_blanks(lx);
  const char *s = lx->text + lx->at;
  tsr_token t = {.kind = TSR_TOKEN_END, .at = lx->at};
  if (*s == 0) return t;
  if (*s == ';' || *s == '\n') {
    t.kind = TSR_TOKEN_BREAK;
    t.n = 1;
    lx->at++;
    return t;
  }
  if (is_digit(*s) || (*s == '.' && is_digit(s[1]))) return lex_number(lx, t);
  if (*s == '"' || *s == '\'') return lex_string(lx, t);
  if (is_letter(*s)) {
    t.kind = TSR_TOKEN_NAME;
    while (is_word(s[t.n])) t.n++;
    lx->at += t.n;
    return t;
  }
  if (*s == '$') {
    t.kind = TSR_TOKEN_ARG;
    for (t.n = 1; is_digit(s[t.n]); t.n++)
      if (t.i < 100000) t.i = t.i * 10 + (s[t.n] - '0');
    lx->at += t.n;
    if (t.n == 1) return bad(lx, t, "`$` needs a number here: `$1` is the first argument");
    return t;
  }
  return lex_punct(lx, t);
}

/* Skips the C string or character literal that begins at s. */
static const char *skip_literal(const char *s)
{
  char quote = *s++;
  while (*s != 0 && *s != quote) {
    if (*s == '\\' && s[1] != 0) s++;
    s++;
  }
  return *s != 0 ? s + 1 : s;
}

/* Returns the last identifier of the C text [s, end) outside brackets. Returns NULL unless the text
 * is a path such as `&s->u[i]` or `(double)x`; `a + b` has no name. */
static char *last_identifier(const char *s, const char *end)
{
  while (s < end && (*s == ' ' || *s == '\t' || *s == '\n')) s++;
  while (end > s && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\n')) end--;
  const char *found = NULL;
  size_t n = 0;
  bool is_operand = false; /* after an operand `&` and `*` are binary, and "(" calls */
  for (const char *p = s; p < end;) {
    if (is_letter(*p)) {
      if (is_operand) return NULL;
      found = p;
      while (p < end && is_word(*p)) p++;
      n = (size_t)(p - found);
      is_operand = true;
    } else if (*p == ' ' || *p == '\t' || *p == '\n') {
      p++;
    } else if (*p == '.' || (*p == '-' && p + 1 < end && p[1] == '>') ||
               (*p == ':' && p + 1 < end && p[1] == ':')) {
      p += *p == '.' ? 1 : 2;
      is_operand = false;
    } else if ((*p == '&' || *p == '*') && !is_operand) {
      p++;
    } else if (*p == '(' || *p == '[') {
      const char *open = p;
      int depth = 0;
      for (; p < end; p++) {
        if (*p == '(' || *p == '[' || *p == '{') depth++;
        if ((*p == ')' || *p == ']' || *p == '}') && --depth == 0) break;
        if (*p == '"' || *p == '\'') p = skip_literal(p) - 1;
      }
      if (p >= end) return NULL;
      p++;
      if (*open == '(' && is_operand) return NULL;
      if (open == s && p == end && *open == '(') return last_identifier(open + 1, end - 1);
    } else {
      return NULL;
    }
  }
  if (!found || !is_operand) return NULL;
  char *name = tsr__malloc(n + 1);
  memcpy(name, found, n);
  name[n] = 0;
  return name;
}

/* Returns the end of the piece that begins at s: its comma, or the end of the text. */
static const char *piece_end(const char *s)
{
  int depth = 0;
  while (*s != 0 && !(*s == ',' && depth == 0)) {
    if (*s == '"' || *s == '\'') {
      s = skip_literal(s);
      continue;
    }
    if (*s == '(' || *s == '[' || *s == '{') depth++;
    if ((*s == ')' || *s == ']' || *s == '}') && depth > 0) depth--;
    s++;
  }
  return s;
}

void tsr__text_names(const char *source, int n_args, char **names)
{
  for (int i = 0; i < n_args; i++) names[i] = NULL;
  if (!source || *source == 0) return;
  int n_pieces = 0;
  for (const char *s = source;; s++) {
    s = piece_end(s);
    n_pieces++;
    if (*s == 0) break;
  }
  int skip = n_pieces - n_args;
  if (skip < 0) return;
  const char *s = source;
  for (int k = 0; k < n_pieces; k++) {
    const char *end = piece_end(s);
    if (k >= skip) names[k - skip] = last_identifier(s, end);
    s = *end != 0 ? end + 1 : end;
  }
}
