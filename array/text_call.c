/* The words of the text language: arguments, constants, functions with their options, methods; and
 * what to suggest for a word that is none of them. */
#include "array/text_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/text_functions.h"
#include "array/text_statistics.h"
#include "kernel/kernel.h"
#include "kernel/reduce.h"

#define IS(c) tsr__text_is(ps, TSR_PUNCT(c, 0, 0))

/** The longest word that is looked up or suggested. */
#define WORD_MAX 32

enum { FUNCTION_NONE, FUNCTION_OP, FUNCTION_REDUCE, FUNCTION_CAST, FUNCTION_ROW };

typedef struct function {
  int kind, code;
  char name[WORD_MAX];
} function;

/* A call's arguments: values first, then options. */
typedef struct call {
  int n, n_axes;
  int32_t x[TSR_MAX_OP_ARGS];
  int32_t axes[TSR_MAX_NDIM];
  bool has_axes, has_keepdims, keepdims;
  int ddof;
  int dtype; /* -1: not given */
} call;

static const char *word_text(const tsr_text_parser *ps, const tsr_token *t, char buf[WORD_MAX])
{
  snprintf(buf, WORD_MAX, "%.*s", (int)(t->n < WORD_MAX ? t->n : WORD_MAX - 1),
           ps->s->text + t->at);
  return buf;
}

static int dtype_named(const char *word)
{
  static const struct {
    const char *name;
    tsr_dtype dtype;
  } python[] = {
      {"bool_", TSR_BOOL}, {"int", TSR_INT64}, {"float", TSR_FLOAT64}, {"complex", TSR_COMPLEX128}};
  for (int d = 0; d < TSR_N_DTYPES; d++)
    if (strcmp(tsr__dtype_info((tsr_dtype)d)->name, word) == 0) return d;
  for (size_t k = 0; k < sizeof python / sizeof *python; k++)
    if (strcmp(python[k].name, word) == 0) return (int)python[k].dtype;
  return -1;
}

static int reduction_named(const char *word)
{
  if (strcmp(word, "mean") == 0) return TSR_TEXT_MEAN;
  for (int r = 0; r < TSR_N_REDUCTIONS; r++)
    if (strcmp(tsr__reduce_name((tsr_reduction)r), word) == 0) return r;
  const int statistic = tsr__text_statistic_named(word);
  return statistic >= 0 ? TSR_TEXT_STATISTIC + statistic : -1;
}

/* Other names that NumPy has for functions. */
static const char *plain_name(const char *word)
{
  static const char *const names[][2] = {{"abs", "absolute"},
                                         {"conjugate", "conj"},
                                         {"mod", "remainder"},
                                         {"degrees", "rad2deg"},
                                         {"radians", "deg2rad"},
                                         {"around", "round"},
                                         {"pow", "power"},
                                         {"asin", "arcsin"},
                                         {"acos", "arccos"},
                                         {"atan", "arctan"},
                                         {"atan2", "arctan2"},
                                         {"asinh", "arcsinh"},
                                         {"acosh", "arccosh"},
                                         {"atanh", "arctanh"},
                                         {"bitwise_not", "invert"},
                                         {"bitwise_invert", "invert"},
                                         {"true_divide", "divide"},
                                         {"concat", "concatenate"},
                                         {"bitwise_left_shift", "left_shift"},
                                         {"bitwise_right_shift", "right_shift"},
                                         {"permute_dims", "transpose"},
                                         {"amin", "min"},
                                         {"amax", "max"}};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(names[k][0], word) == 0) return names[k][1];
  return word;
}

static function function_named(const char *word)
{
  function f = {.kind = FUNCTION_NONE};
  snprintf(f.name, sizeof f.name, "%s", word);
  word = plain_name(word);
  if ((f.code = tsr__text_function_named(word)) >= 0)
    f.kind = FUNCTION_ROW;
  else if ((f.code = tsr__op_find(word)) >= 0)
    f.kind = FUNCTION_OP;
  else if ((f.code = reduction_named(word)) >= 0)
    f.kind = FUNCTION_REDUCE;
  else if ((f.code = dtype_named(word)) >= 0)
    f.kind = FUNCTION_CAST;
  return f;
}

/* Letters to insert, delete, replace or swap with their neighbour. */
static int edit_distance(const char *a, const char *b)
{
  int rows[3][WORD_MAX + 1];
  int n_a = (int)strlen(a), n_b = (int)strlen(b);
  if (n_a > WORD_MAX || n_b > WORD_MAX) return WORD_MAX;
  int *before = rows[0], *above = rows[1], *row = rows[2];
  for (int j = 0; j <= n_b; j++) above[j] = j;
  for (int i = 1; i <= n_a; i++) {
    row[0] = i;
    for (int j = 1; j <= n_b; j++) {
      int best = above[j - 1] + (a[i - 1] != b[j - 1]);
      if (above[j] + 1 < best) best = above[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      row[j] = best;
    }
    int *oldest = before;
    before = above;
    above = row;
    row = oldest;
  }
  return above[n_b];
}

typedef struct nearest {
  const char *word, *name;
  int distance;
} nearest;

static void consider(nearest *best, const char *name)
{
  int d = edit_distance(best->word, name);
  if (d >= best->distance) return;
  best->distance = d;
  best->name = name;
}

static const char *nearest_function(const char *word)
{
  static const char *const more[] = {"mean", "abs"};
  nearest best = {.word = word, .distance = 2 + (int)strlen(word) / 4};
  for (int k = 0; k < TSR_N_OPS; k++) consider(&best, tsr__op_info((tsr_opcode)k)->name);
  for (int k = 0; k < TSR_N_REDUCTIONS; k++) consider(&best, tsr__reduce_name((tsr_reduction)k));
  for (int k = 0; tsr__text_statistic(k); k++) consider(&best, tsr__text_statistic(k)->name);
  for (int k = 0; tsr__text_function(k); k++) consider(&best, tsr__text_function(k)->name);
  for (size_t k = 0; k < sizeof more / sizeof *more; k++) consider(&best, more[k]);
  return best.name;
}

static tsr_status unknown_function(tsr_text_parser *ps, const tsr_token *t, const char *word)
{
  const char *plain = strncmp(word, "tsr_", 4) == 0 ? word + 4 : word;
  tsr__text_fail(ps, TSR_ERR_NAME, t->at, "there is no function `%.*s`", (int)t->n,
                 ps->s->text + t->at);
  for (int i = 0; i < ps->s->n_args; i++) {
    if (!ps->s->names[i] || strcmp(ps->s->names[i], word) != 0) continue;
    tsr__text_help(ps, "`%s` is an argument of the call: write `%s*(...)` or `%s[...]`", word, word,
                   word);
    return TSR_ERR_NAME;
  }
  const char *name = function_named(plain).kind != FUNCTION_NONE ? plain : nearest_function(plain);
  if (name)
    tsr__text_help(ps, "did you mean `%s`?", name);
  else
    tsr__text_help(ps, "the functions are those of `tessera/elementwise.h`, `tessera/functions.h` "
                       "and `tessera/reductions.h`, by NumPy's names");
  return TSR_ERR_NAME;
}

static tsr_status unknown_name(tsr_text_parser *ps, const tsr_token *t, const char *word)
{
  tsr__text_fail(ps, TSR_ERR_NAME, t->at, "there is no argument `%.*s`", (int)t->n,
                 ps->s->text + t->at);
  if (function_named(word).kind != FUNCTION_NONE) {
    tsr__text_help(ps, "`%s` is a function: call it, `%s(x)`", word, word);
    return TSR_ERR_NAME;
  }
  nearest best = {.word = word, .distance = 2 + (int)strlen(word) / 4};
  for (int i = 0; i < ps->s->n_args; i++)
    if (ps->s->names[i]) consider(&best, ps->s->names[i]);
  consider(&best, "True");
  consider(&best, "False");
  if (best.name && best.distance < (int)strlen(word) + 1 && strlen(best.name) > 1) {
    tsr__text_help(ps, "did you mean `%s`?", best.name);
    return TSR_ERR_NAME;
  }
  char names[160] = "";
  size_t n = 0;
  for (int i = 0; i < ps->s->n_args && n < sizeof names - 48; i++) {
    const char *name = ps->s->names[i];
    if (name && strlen(name) < WORD_MAX)
      n += (size_t)snprintf(names + n, sizeof names - n, "%s`%s`", n > 0 ? ", " : "", name);
    else
      n += (size_t)snprintf(names + n, sizeof names - n, "%s`$%d`", n > 0 ? ", " : "", i + 1);
  }
  if (n > 0)
    tsr__text_help(ps, "the arguments of the call are %s", names);
  else
    tsr__text_help(ps, "the call gives no arguments after the text");
  return TSR_ERR_NAME;
}

/* "np." before a word: taken. */
static bool take_module(tsr_text_parser *ps)
{
  if (!tsr__text_is_word(ps, &ps->token, "np") && !tsr__text_is_word(ps, &ps->token, "numpy"))
    return false;
  tsr_lexer ahead = ps->lexer;
  tsr_token next = tsr__lex_next(&ahead);
  if (next.kind != TSR_TOKEN_PUNCT || next.code != '.') return false;
  tsr__text_take(ps);
  tsr__text_take(ps);
  return true;
}

bool tsr__text_is_option(const tsr_text_parser *ps)
{
  if (ps->token.kind != TSR_TOKEN_NAME) return false;
  tsr_lexer ahead = ps->lexer;
  tsr_token next = tsr__lex_next(&ahead);
  return next.kind == TSR_TOKEN_PUNCT && next.code == '=';
}

/* None, an index expression, or a tuple of them. */
static tsr_status axes(tsr_text_parser *ps, call *c)
{
  if (c->has_axes)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "the axes are given twice");
  if (tsr__text_is_word(ps, &ps->token, "None")) {
    tsr__text_take(ps);
    return TSR_OK;
  }
  c->has_axes = true;
  bool is_tuple = IS('(');
  if (is_tuple) tsr__text_take(ps);
  do {
    if (is_tuple && IS(')')) break; /* (): no axes, so nothing is combined */
    if (c->n_axes == TSR_MAX_NDIM)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "an array has at most %d axes",
                            TSR_MAX_NDIM);
    TSR_TRY(c->axes[c->n_axes] = tsr__text_expression(ps));
    const tsr_node *n = &ps->s->nodes[c->axes[c->n_axes++]];
    if (n->kind == TSR_NODE_FLOAT || n->kind == TSR_NODE_IMAGINARY || n->kind == TSR_NODE_BOOL)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, n->at, "an axis is a whole number");
    if (!is_tuple) return TSR_OK;
    if (!IS(',')) break;
    tsr__text_take(ps);
  } while (true);
  return tsr__text_expect(ps, ')', "`,` or `)`");
}

tsr_status tsr__text_dtype(tsr_text_parser *ps, int *out)
{
  char word[WORD_MAX];
  take_module(ps);
  if (ps->token.kind != TSR_TOKEN_NAME)
    return tsr__text_unexpected(ps, "a dtype such as `float32`");
  *out = dtype_named(word_text(ps, &ps->token, word));
  if (*out < 0) {
    tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "there is no dtype `%s`", word);
    tsr__text_help(ps, "the dtypes are bool, int8 to int64, uint8 to uint64, float16 to float64, "
                       "complex64 and complex128");
    return TSR_ERR_SYNTAX;
  }
  tsr__text_take(ps);
  return TSR_OK;
}

static tsr_status option(tsr_text_parser *ps, const function *f, call *c)
{
  tsr_token t = ps->token;
  bool is_axis = tsr__text_is_word(ps, &t, "axis");
  bool is_keepdims = tsr__text_is_word(ps, &t, "keepdims");
  bool is_dtype = tsr__text_is_word(ps, &t, "dtype");
  bool takes_dtype =
      f->code == TSR_TEXT_MEAN || f->code == TSR_REDUCE_SUM || f->code == TSR_REDUCE_PROD;
  const tsr_text_statistic *statistic = tsr__text_statistic(f->code - TSR_TEXT_STATISTIC);
  bool is_ddof = tsr__text_is_word(ps, &t, "ddof") && statistic && statistic->takes_ddof;
  if (f->kind != FUNCTION_REDUCE ||
      !(is_axis || is_keepdims || is_ddof || (is_dtype && takes_dtype))) {
    tsr__text_fail(ps, TSR_ERR_SYNTAX, t.at, "`%s` has no option `%.*s`", f->name,
                   t.n > 40 ? 40 : (int)t.n, ps->s->text + t.at);
    if (f->kind == FUNCTION_REDUCE)
      tsr__text_help(ps, "its options are axis= and keepdims=%s",
                     takes_dtype                          ? " and dtype="
                     : statistic && statistic->takes_ddof ? " and ddof="
                                                          : "");
    else if (is_dtype)
      tsr__text_help(ps, "cast with x.astype(float32) or float32(x)");
    return TSR_ERR_SYNTAX;
  }
  tsr__text_take(ps);
  tsr__text_take(ps);
  if (is_axis) return axes(ps, c);
  if (is_ddof) {
    if (ps->token.kind != TSR_TOKEN_INT || ps->token.i < 0 || ps->token.i > 100)
      return tsr__text_unexpected(ps, "a number from 0 to 100");
    c->ddof = (int)ps->token.i;
    tsr__text_take(ps);
    return TSR_OK;
  }
  if (is_keepdims) {
    c->keepdims = tsr__text_is_word(ps, &ps->token, "True");
    if (!c->keepdims && !tsr__text_is_word(ps, &ps->token, "False"))
      return tsr__text_unexpected(ps, "True or False");
    if (c->has_keepdims)
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, t.at, "keepdims= is given twice");
    c->has_keepdims = true;
    tsr__text_take(ps);
    return TSR_OK;
  }
  if (c->dtype >= 0) return tsr__text_fail(ps, TSR_ERR_SYNTAX, t.at, "dtype= is given twice");
  size_t at = ps->token.at;
  TSR_TRY(tsr__text_dtype(ps, &c->dtype));
  if (f->code == TSR_TEXT_MEAN && !tsr__dtype_is_inexact((tsr_dtype)c->dtype))
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "the dtype of a mean is a float or complex");
  return TSR_OK;
}

/* From "(" past ")". */
static tsr_status arguments(tsr_text_parser *ps, const function *f, call *c)
{
  TSR_TRY(tsr__text_expect(ps, '(', "`(`"));
  bool had_option = false;
  while (!IS(')')) {
    if (tsr__text_is_option(ps)) {
      had_option = true;
      TSR_TRY(option(ps, f, c));
    } else if (had_option) {
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "a value cannot follow an option");
    } else if (f->kind == FUNCTION_REDUCE && c->n == 1 && !c->has_axes) {
      TSR_TRY(axes(ps, c));
    } else if (c->n == TSR_MAX_OP_ARGS) {
      return tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->token.at, "a call has at most %d values",
                            TSR_MAX_OP_ARGS);
    } else {
      TSR_TRY(c->x[c->n] = tsr__text_expression(ps));
      c->n++;
    }
    if (IS(')')) break;
    TSR_TRY(tsr__text_expect(ps, ',', "`,` or `)`"));
  }
  tsr__text_take(ps);
  return TSR_OK;
}

static int32_t make_call(tsr_text_parser *ps, const function *f, call *c, size_t at)
{
  int min = 1, max = 1;
  if (f->kind == FUNCTION_OP) {
    const tsr_op_info *info = tsr__op_info((tsr_opcode)f->code);
    min = info->min_args;
    max = info->max_args;
  }
  if (c->n < min || c->n > max) {
    char wanted[32];
    if (min == max)
      snprintf(wanted, sizeof wanted, "%d value%s", min, min == 1 ? "" : "s");
    else
      snprintf(wanted, sizeof wanted, "%d to %d values", min, max);
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "`%s` takes %s, not %d", f->name, wanted, c->n);
  }
  int32_t node;
  switch (f->kind) {
  case FUNCTION_OP:
    node = tsr__text_node(ps, TSR_NODE_CALL, at, c->n, c->x);
    ps->s->nodes[node].code = f->code;
    return node;
  case FUNCTION_CAST:
    node = tsr__text_node(ps, TSR_NODE_ASTYPE, at, 1, c->x);
    ps->s->nodes[node].code = f->code;
    return node;
  default:
    break;
  }
  int32_t kids[1 + TSR_MAX_NDIM] = {c->x[0]};
  for (int i = 0; i < c->n_axes; i++) kids[1 + i] = c->axes[i];
  node = tsr__text_node(ps, TSR_NODE_REDUCE, at, 1 + c->n_axes, kids);
  tsr_node *n = &ps->s->nodes[node];
  n->code = f->code;
  n->has_axes = c->has_axes;
  n->keepdims = c->keepdims;
  n->dtype = (int8_t)c->dtype;
  n->ddof = (int8_t)c->ddof;
  return node;
}

int32_t tsr__text_arg(tsr_text_parser *ps, const tsr_token *t, int i)
{
  ps->used[i] = true;
  int32_t node = tsr__text_node(ps, TSR_NODE_ARG, t->at, 0, NULL);
  ps->s->nodes[node].code = i;
  return node;
}

/* The argument with this name, -1 if none; fails if two have it. */
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

static int32_t number(tsr_text_parser *ps, tsr_node_kind kind, size_t at, double f)
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
      return number(ps, TSR_NODE_FLOAT, t->at, constants[k].value);
  return -1;
}

/* In a kernel's text, where no axis can be reduced, min and max are those of two values. */
static const char *point_name(const tsr_text_parser *ps, const char *word)
{
  if (ps->locals && strcmp(word, "min") == 0) return "minimum";
  return ps->locals && strcmp(word, "max") == 0 ? "maximum" : word;
}

int32_t tsr__text_word(tsr_text_parser *ps)
{
  char word[WORD_MAX];
  int32_t local = ps->locals ? tsr__text_local(ps) : -1;
  if (local != -1) return local;
  int i = find_argument(ps, &ps->token);
  bool in_module = i == -1 && take_module(ps);
  tsr_token t = ps->token;
  if (t.kind != TSR_TOKEN_NAME) return tsr__text_unexpected(ps, "a function");
  TSR_TRY(refuse_keyword(ps, &t));
  tsr__text_take(ps);
  if (tsr__text_is_word(ps, &t, "True")) return number(ps, TSR_NODE_BOOL, t.at, 1);
  if (tsr__text_is_word(ps, &t, "False")) return number(ps, TSR_NODE_BOOL, t.at, 0);
  word_text(ps, &t, word);
  if (IS('(')) {
    function f = function_named(point_name(ps, word));
    if (f.kind == FUNCTION_NONE) return unknown_function(ps, &t, word);
    if (f.kind == FUNCTION_ROW) return tsr__text_function_call(ps, f.code, t.at, -1);
    call c = {.dtype = -1};
    TSR_TRY(arguments(ps, &f, &c));
    return make_call(ps, &f, &c, t.at);
  }
  if (!in_module) {
    if (i >= 0) return tsr__text_arg(ps, &t, i);
    if (i < -1) return i;
  }
  int32_t node = constant(ps, &t, in_module);
  if (node >= 0) return node;
  return in_module ? unknown_function(ps, &t, word) : unknown_name(ps, &t, word);
}

/* x.real, x.imag, x.conj(): a function of x. */
static int32_t part(tsr_text_parser *ps, size_t at, const char *name, int32_t x)
{
  const int32_t node = tsr__text_node(ps, TSR_NODE_CALL, at, 1, &x);
  ps->s->nodes[node].code = tsr__op_find(name);
  return node;
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
  if (tsr__text_is_word(ps, &t, "conj") || tsr__text_is_word(ps, &t, "conjugate")) {
    TSR_TRY(tsr__text_expect(ps, '(', "`(`"));
    TSR_TRY(tsr__text_expect(ps, ')', "`)`"));
    return part(ps, t.at, "conj", x);
  }
  if (tsr__text_is_word(ps, &t, "astype")) {
    int type;
    TSR_TRY(tsr__text_expect(ps, '(', "`(`"));
    TSR_TRY(tsr__text_dtype(ps, &type));
    TSR_TRY(tsr__text_expect(ps, ')', "`)`"));
    int32_t node = tsr__text_node(ps, TSR_NODE_ASTYPE, t.at, 1, &x);
    ps->s->nodes[node].code = type;
    return node;
  }
  function f = function_named(word);
  if (f.kind == FUNCTION_ROW && tsr__text_function(f.code)->is_method && IS('('))
    return tsr__text_function_call(ps, f.code, t.at, x);
  if (f.kind != FUNCTION_REDUCE) {
    tsr__text_fail(ps, TSR_ERR_NAME, t.at, "arrays have no method `%.*s` here",
                   t.n > 40 ? 40 : (int)t.n, ps->s->text + t.at);
    if (f.kind == FUNCTION_OP || f.kind == FUNCTION_ROW)
      tsr__text_help(ps, "`%s` is a function: write `%s(x)`", word, word);
    else
      tsr__text_help(ps, "they have T, real, imag, conj(), transpose(), astype(dtype) and the "
                         "reductions, sum() …");
    return TSR_ERR_NAME;
  }
  call c = {.dtype = -1, .n = 1, .x = {x}};
  TSR_TRY(arguments(ps, &f, &c));
  return make_call(ps, &f, &c, t.at);
}
