/* Parses the words of the text language (arguments, constants, functions with their options,
 * methods), and suggests others for a word that is none of them. */
#include "array/core/names.h"
#include "array/text/text_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IS(c) tsr__text_is(ps, TSR_PUNCT(c, 0, 0))
#define WORD_MAX TSR_TEXT_WORD_MAX

static const char *word_text(const tsr_text_parser *ps, const tsr_token *t, char buf[WORD_MAX])
{
  snprintf(buf, WORD_MAX, "%.*s", (int)(t->n < WORD_MAX ? t->n : WORD_MAX - 1),
           ps->s->text + t->at);
  return buf;
}

/* Takes one of the words and the "." after it. Returns the word, or NULL. */
static const char *take_qualifier(tsr_text_parser *ps, int n, const char *const words[])
{
  for (int k = 0; k < n; k++) {
    if (!tsr__text_is_word(ps, &ps->token, words[k])) continue;
    tsr_lexer ahead = ps->lexer;
    const tsr_token next = tsr__lex_next(&ahead);
    if (next.kind != TSR_TOKEN_PUNCT || next.code != '.') return NULL;
    tsr__text_take(ps);
    tsr__text_take(ps);
    return words[k];
  }
  return NULL;
}

/* Takes the modules of NumPy before a word: "np.", "linalg.", "np.linalg.". Returns whether there
 * is one, and the prefix that names of the module have in the table. */
static bool take_module(tsr_text_parser *ps, const char **prefix)
{
  static const char *const numpy[] = {"np", "numpy"}, *const modules[] = {"linalg", "fft",
                                                                          "random"};
  const bool has_numpy = take_qualifier(ps, 2, numpy) != NULL;
  const char *module = take_qualifier(ps, 3, modules);
  *prefix = module ? module : "";
  return has_numpy || module;
}

bool tsr__text_is_option(const tsr_text_parser *ps)
{
  if (ps->token.kind != TSR_TOKEN_NAME) return false;
  tsr_lexer ahead = ps->lexer;
  tsr_token next = tsr__lex_next(&ahead);
  return next.kind == TSR_TOKEN_PUNCT && next.code == '=';
}

tsr_status tsr__text_dtype(tsr_text_parser *ps, int *out)
{
  const char *prefix;
  char word[WORD_MAX];
  const bool has_module = take_module(ps, &prefix);
  tsr_token name = ps->token;
  if (name.kind == TSR_TOKEN_STRING && !has_module) { /* 'float32' */
    name.at++;
    name.n -= 2;
  } else if (name.kind != TSR_TOKEN_NAME) {
    return tsr__text_unexpected(ps, "a dtype such as `float32`");
  }
  *out = tsr__text_dtype_named(word_text(ps, &name, word));
  if (*out < 0) {
    tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "there is no dtype `%s`", word);
    tsr__text_help(ps, "the dtypes are bool, int8 to int64, uint8 to uint64, float16 to float64, "
                       "complex64 and complex128");
    return TSR_ERR_SYNTAX;
  }
  tsr__text_take(ps);
  return TSR_OK;
}

/* Makes the call of an operation or a cast, with the call's values as kids. */
static int32_t map_call(tsr_text_parser *ps, const tsr_text_word_meaning *f, size_t at)
{
  const bool is_cast = f->kind == TSR_TEXT_CAST;
  int32_t kids[TSR_TEXT_TAKEN * TSR_MAX_OP_ARGS];
  tsr_text_values g;
  TSR_TRY(tsr__text_call_values(ps, f->name, tsr__text_parameters_of(f->name), at, -1, &g));
  const int n = tsr__text_all_kids(&g, kids);
  const int min = is_cast ? 1 : tsr__op_info((tsr_opcode)f->code)->min_args;
  if (n < min) {
    const int max = tsr__op_info((tsr_opcode)f->code)->max_args;
    if (min == max)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "`%s` takes %d values, not %d", f->name, min,
                            n);
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "`%s` takes %d to %d values, not %d", f->name,
                          min, max, n);
  }
  const int32_t node = tsr__text_node(ps, is_cast ? TSR_NODE_ASTYPE : TSR_NODE_CALL, at, n, kids);
  ps->s->nodes[node].code = f->code;
  return node;
}

int32_t tsr__text_arg(tsr_text_parser *ps, const tsr_token *t, int i)
{
  ps->used[i] = true;
  int32_t node = tsr__text_node(ps, TSR_NODE_ARG, t->at, 0, NULL);
  ps->s->nodes[node].code = i;
  return node;
}

/* Returns the argument with this name, or -1 if there is none. Fails if two arguments have it. */
static int find_argument(tsr_text_parser *ps, const tsr_token *t)
{
  int found = -1;
  for (int i = 0; i < ps->s->n_args; i++) {
    if (!ps->s->names[i] || !tsr__text_is_word(ps, t, ps->s->names[i])) continue;
    if (found >= 0) {
      tsr__text_fail(ps, TSR_ERR_NAME, t->at, "`%.*s` names two arguments", (int)t->n,
                     ps->s->text + t->at);
      tsr__text_help(ps, "write `$%d` or `$%d` for the one that is meant", found + 1, i + 1);
      return TSR_ERR_NAME;
    }
    found = i;
  }
  return found;
}

static int32_t number_node(tsr_text_parser *ps, tsr_node_kind kind, size_t at, double f)
{
  int32_t node = tsr__text_node(ps, kind, at, 0, NULL);
  if (kind == TSR_NODE_FLOAT)
    ps->s->nodes[node].u.f = f;
  else
    ps->s->nodes[node].u.i = f != 0;
  return node;
}

static tsr_status refuse_keyword(tsr_text_parser *ps, const tsr_token *t)
{
  static const struct {
    const char *word, *help;
  } keywords[] = {
      {"not", "`~x` is the opposite of a bool array, logical_not(x) of any"},
      {"and", "`x & y` joins bool arrays, logical_and(x, y) any two"},
      {"or", "`x | y` joins bool arrays, logical_or(x, y) any two"},
      {"if", "where(condition, x, y) chooses element by element"},
      {"else", "where(condition, x, y) chooses element by element"},
      {"for", "loops belong to the C program around the text"},
      {"while", "loops belong to the C program around the text"},
      {"lambda", "functions belong to the C program around the text"},
      {"None", "None stands only in slices and in axis="},
  };
  for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++) {
    if (!tsr__text_is_word(ps, t, keywords[k].word)) continue;
    tsr__text_fail(ps, TSR_ERR_SYNTAX, t->at, "`%s` is not taken here", keywords[k].word);
    tsr__text_help(ps, "%s", keywords[k].help);
    return TSR_ERR_SYNTAX;
  }
  return TSR_OK;
}

static int32_t constant(tsr_text_parser *ps, const tsr_token *t, bool in_module)
{
  static const struct {
    const char *word;
    double value;
  } constants[] = {{"pi", 3.14159265358979323846},
                   {"inf", INFINITY},
                   {"nan", NAN},
                   {"e", 2.71828182845904523536}};
  for (size_t k = 0; k < sizeof constants / sizeof *constants; k++)
    if (tsr__text_is_word(ps, t, constants[k].word) && (in_module || t->n > 1))
      return number_node(ps, TSR_NODE_FLOAT, t->at, constants[k].value);
  return -1;
}

/* In a kernel's text, which reduces no axes, min and max combine two values. */
static const char *point_name(const tsr_text_parser *ps, const char *word)
{
  if (ps->locals && strcmp(word, "min") == 0) return "minimum";
  return ps->locals && strcmp(word, "max") == 0 ? "maximum" : word;
}

/* Returns the row of a method of elementwise functions, such as `reduce` of add.reduce, or -1. */
static int row_of_method(const char *method)
{
  char row[WORD_MAX + 8];
  snprintf(row, sizeof row, "ufunc_%s", method);
  return tsr__text_function_named(row);
}

/* Parses the call of a method of the elementwise function at `t`: its name is a string. */
static int32_t method_of(tsr_text_parser *ps, const tsr_token *t, int row, const char *full)
{
  const int32_t name = tsr__text_node(ps, TSR_NODE_STRING, t->at, 0, NULL);
  ps->s->nodes[name].begin = (uint32_t)t->at;
  ps->s->nodes[name].end = (uint32_t)(t->at + t->n);
  return tsr__text_function_call(ps, row, full, t->at, name);
}

/* Parses the method of an elementwise function, such as add.outer, or reports a name with a dot,
 * such as ma.array. Only take_module accepts other names with dots. */
static int32_t member(tsr_text_parser *ps, const tsr_token *t, const char *word)
{
  char full[WORD_MAX], name[WORD_MAX];
  size_t n = (size_t)snprintf(full, sizeof full, "%s", word);
  while (IS('.')) {
    tsr__text_take(ps);
    if (ps->token.kind != TSR_TOKEN_NAME) return tsr__text_unexpected(ps, "a name");
    word_text(ps, &ps->token, name);
    if (n < sizeof full) n += (size_t)snprintf(full + n, sizeof full - n, ".%s", name);
    tsr__text_take(ps);
    const int row = row_of_method(name);
    const bool is_first = n == strlen(word) + 1 + strlen(name);
    if (row >= 0 && is_first && IS('(') && tsr__text_is_ufunc(word) && !ps->locals)
      return method_of(ps, t, row, full);
  }
  return tsr__text_unknown_member(ps, t, full);
}

int32_t tsr__text_word(tsr_text_parser *ps)
{
  char word[WORD_MAX], name[WORD_MAX];
  int32_t local = ps->locals ? tsr__text_local(ps) : -1;
  if (local != -1) return local;
  int i = find_argument(ps, &ps->token);
  const char *prefix = "";
  const bool in_module = i == -1 && take_module(ps, &prefix);
  tsr_token t = ps->token;
  if (t.kind != TSR_TOKEN_NAME) return tsr__text_unexpected(ps, "a function");
  TSR_TRY(refuse_keyword(ps, &t));
  tsr__text_take(ps);
  if (tsr__text_is_word(ps, &t, "True")) return number_node(ps, TSR_NODE_BOOL, t.at, 1);
  if (tsr__text_is_word(ps, &t, "False")) return number_node(ps, TSR_NODE_BOOL, t.at, 0);
  word_text(ps, &t, word);
  if (*prefix)
    snprintf(word, sizeof word, "%s.%.*s", prefix, WORD_MAX - 10, word_text(ps, &t, name));
  if (IS('(')) {
    const tsr_text_word_meaning f = tsr__text_meaning(point_name(ps, word));
    if (f.kind == TSR_TEXT_NONE) return tsr__text_unknown_function(ps, &t, word);
    if (f.kind == TSR_TEXT_ROW) return tsr__text_function_call(ps, f.code, NULL, t.at, -1);
    return map_call(ps, &f, t.at);
  }
  if (!in_module) {
    if (i >= 0) return tsr__text_arg(ps, &t, i);
    if (i < -1) return i;
  }
  const int32_t node = *prefix ? -1 : constant(ps, &t, in_module);
  if (node >= 0) return node;
  if (IS('.') && (in_module || tsr__text_meaning(word).kind != TSR_TEXT_NONE))
    return member(ps, &t, word);
  return in_module ? tsr__text_unknown_function(ps, &t, word)
                   : tsr__text_unknown_name(ps, &t, word);
}

/* Makes x.real, x.imag or x.conj(): a function of x. */
static int32_t part(tsr_text_parser *ps, size_t at, const char *name, int32_t x)
{
  const int32_t node = tsr__text_node(ps, TSR_NODE_CALL, at, 1, &x);
  ps->s->nodes[node].code = tsr__op_find(name);
  return node;
}

/* Makes a function of the shape of x, and of an axis if that is not -1. */
static int32_t told(tsr_text_parser *ps, size_t at, const char *name, int32_t x, int32_t axis)
{
  const int32_t kids[2] = {x, axis};
  const int32_t node = tsr__text_node(ps, TSR_NODE_FUNCTION, at, axis < 0 ? 1 : 2, kids);
  tsr_node *n = &ps->s->nodes[node];
  n->code = tsr__text_function_named(name);
  memset(n->u.given, -1, sizeof n->u.given);
  n->u.given[TSR_TEXT_TUPLES] = 0;
  n->u.given[0] = 1;
  n->kinds[0] = 'x';
  if (axis < 0) return node;
  n->u.given[1] = 1;
  n->kinds[1] = 'i';
  return node;
}

/* Parses x.shape[k], a length. */
static int32_t length(tsr_text_parser *ps, size_t at, int32_t x)
{
  int32_t axis;
  if (!IS('[')) {
    tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "`shape` is a tuple, and no value here");
    tsr__text_help(ps, "`x.shape[0]` is a length; zeros_like(x) has the shape of x");
    return TSR_ERR_SYNTAX;
  }
  tsr__text_take(ps);
  TSR_TRY(axis = tsr__text_expression(ps));
  if (IS(':')) return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "one length at a time");
  TSR_TRY(tsr__text_expect(ps, ']', "`]`"));
  return told(ps, at, "size", x, axis);
}

int32_t tsr__text_method(tsr_text_parser *ps, int32_t x)
{
  char word[WORD_MAX];
  tsr_token t = ps->token;
  if (t.kind != TSR_TOKEN_NAME) return tsr__text_unexpected(ps, "a method");
  word_text(ps, &t, word);
  tsr__text_take(ps);
  if (tsr__text_is_word(ps, &t, "T")) return tsr__text_node(ps, TSR_NODE_TRANSPOSE, t.at, 1, &x);
  if (tsr__text_is_word(ps, &t, "real") || tsr__text_is_word(ps, &t, "imag"))
    return part(ps, t.at, word, x);
  if (tsr__text_is_word(ps, &t, "ndim") || tsr__text_is_word(ps, &t, "size"))
    return told(ps, t.at, word, x, -1);
  if (tsr__text_is_word(ps, &t, "shape")) return length(ps, t.at, x);
  if (tsr__text_is_word(ps, &t, "conj") || tsr__text_is_word(ps, &t, "conjugate")) {
    TSR_TRY(tsr__text_expect(ps, '(', "`(`"));
    TSR_TRY(tsr__text_expect(ps, ')', "`)`"));
    return part(ps, t.at, "conj", x);
  }
  const tsr_text_word_meaning f = tsr__text_meaning(word);
  if (f.kind == TSR_TEXT_ROW && tsr__text_function(f.code)->is_method)
    return tsr__text_function_call(ps, f.code, NULL, t.at, x);
  return tsr__text_unknown_method(ps, &t, word);
}
