/* Errors for words and signs that the text language does not have, with what to write in their
 * place. */
#include "array/text/text_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX TSR_TEXT_WORD_MAX

typedef struct nearest {
  const char *word, *name;
  size_t distance;
} nearest;

static void consider(void *context, const char *name)
{
  nearest *best = context;
  const size_t n_word = strlen(best->word), n_name = strlen(name);
  if ((n_word > n_name ? n_word - n_name : n_name - n_word) >= best->distance) return;
  const size_t distance = tsr__edit_distance(best->word, name);
  if (distance >= best->distance) return;
  best->distance = distance;
  best->name = name;
}

static const char *nearest_function(const char *word)
{
  nearest best = {.word = word, .distance = 2 + strlen(word) / 4};
  tsr__text_each_name(consider, &best);
  return best.name;
}

typedef struct numpy_name {
  const char *name;
  bool may_come, in_python;
  const char *call; /* function in C, or NULL */
  bool gives_value; /* whether a text can use its result */
} numpy_name;

static int compare_names(const void *a, const void *b)
{
  return strcmp(((const numpy_name *)a)->name, ((const numpy_name *)b)->name);
}

static const numpy_name *numpy_named(const char *name)
{
  /* The names are in the order of strcmp. */
  static const numpy_name names[] = {
#include "array/text/numpy_names.inc"
  };
  const numpy_name wanted = {.name = name};
  return bsearch(&wanted, names, sizeof names / sizeof *names, sizeof *names, compare_names);
}

/* Reports a name of NumPy's: whether it is planned, or has a function in C or in Python. */
static tsr_status tell_numpy(tsr_text_parser *ps, size_t at, const numpy_name *n)
{
  if (n->call) {
    tsr__text_fail(ps, TSR_ERR_NAME, at, "`numpy.%s` is not in text", n->name);
    tsr__text_help(ps, "call `%s` in C%s", n->call,
                   n->gives_value ? ", and give the text what it returns" : "");
    return TSR_ERR_NAME;
  }
  if (n->in_python) {
    tsr__text_fail(ps, TSR_ERR_NAME, at, "`numpy.%s` is not in text", n->name);
    tsr__text_help(ps, "Python has it (`import tessera`); text and C do not");
    return TSR_ERR_NAME;
  }
  tsr__text_fail(ps, TSR_ERR_NAME, at, "`numpy.%s` is not in Tessera%s", n->name,
                 n->may_come ? " yet" : "");
  tsr__text_help(ps, "docs/numpy.md lists what is there");
  return TSR_ERR_NAME;
}

/* Reports a method of a function, such as add.outer. */
static tsr_status tell_ufunc(tsr_text_parser *ps, size_t at, const char *word, const char *method)
{
  static const char *const methods[] = {"reduce", "accumulate", "outer", "reduceat", "at"};
  enum { N_THERE = 3 };
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    if (strcmp(methods[k], method) != 0) continue;
    if (k >= N_THERE) {
      tsr__text_fail(ps, TSR_ERR_NAME, at, "`numpy.%s` is not in text", word);
      tsr__text_help(ps, "Python has it; %s",
                     k == N_THERE ? "reduce takes a slice: `add.reduce(x[2:5])`"
                                  : "tsr_exec writes slices, `x[2:5] += y`, and where a mask says: "
                                    "`x = where(mask, x + y, x)`");
      return TSR_ERR_NAME;
    }
    if (ps->locals)
      return tsr__text_fail(ps, TSR_ERR_NAME, at,
                            "`%s` is of arrays, and the text of a kernel is of one point", word);
    tsr__text_fail(ps, TSR_ERR_SYNTAX, at, "`%s` is a function, and no value", word);
    tsr__text_help(ps, "call it, `%s(%s)`", word, k == 2 ? "x, y" : "x");
    return TSR_ERR_SYNTAX;
  }
  return tsr__text_fail(ps, TSR_ERR_NAME, at, "NumPy has no `%s`", word);
}

tsr_status tsr__text_unknown_member(tsr_text_parser *ps, const tsr_token *t, const char *word)
{
  char base[WORD_MAX];
  const char *dot = strrchr(word, '.');
  const numpy_name *known = numpy_named(word);
  if (known) return tell_numpy(ps, t->at, known);
  snprintf(base, sizeof base, "%.*s", (int)(dot - word), word);
  if (tsr__text_is_ufunc(base)) return tell_ufunc(ps, t->at, word, dot + 1);
  return tsr__text_fail(ps, TSR_ERR_NAME, t->at, "`numpy.%s` is not in Tessera", word);
}

tsr_status tsr__text_unknown_method(tsr_text_parser *ps, const tsr_token *t, const char *word)
{
  static const char *const helps[][2] = {
      {"dtype", "zeros_like(x) has the dtype of x; tsr_dtype_of(x) tells it in C"},
      {"fill", "`x[...] = value` fills x"},
      {"flat", "`x.ravel()` has the elements in flat order"},
      {"mT", "`x.swapaxes(-1, -2)` turns the last two axes"},
      {"nbytes", "`x.size` is the number of elements"},
      {"itemsize", "`x.size` is the number of elements"}};
  char full[WORD_MAX + 8];
  const tsr_text_kind kind = tsr__text_meaning(word).kind;
  snprintf(full, sizeof full, "ndarray.%s", word);
  const numpy_name *known = numpy_named(full);
  const char *help = NULL;
  for (size_t k = 0; k < sizeof helps / sizeof *helps; k++)
    if (strcmp(helps[k][0], word) == 0) help = helps[k][1];
  if (known && !help && kind == TSR_TEXT_NONE) return tell_numpy(ps, t->at, known);
  tsr__text_fail(ps, TSR_ERR_NAME, t->at, "arrays have no method `%.*s` here",
                 t->n > 40 ? 40 : (int)t->n, ps->s->text + t->at);
  if (help)
    tsr__text_help(ps, "%s", help);
  else if (kind == TSR_TEXT_OP || kind == TSR_TEXT_ROW)
    tsr__text_help(ps, "`%s` is a function: write `%s(x)`", word, word);
  else
    tsr__text_help(ps, "they have T, real, imag, ndim, size, shape[k], conj(), transpose(), "
                       "astype(dtype) and the reductions, sum() …");
  return TSR_ERR_NAME;
}

tsr_status tsr__text_unknown_function(tsr_text_parser *ps, const tsr_token *t, const char *word)
{
  const char *plain = strncmp(word, "tsr_", 4) == 0 ? word + 4 : word;
  if (tsr__text_meaning(word).kind != TSR_TEXT_NONE) { /* np.sum */
    tsr__text_fail(ps, TSR_ERR_NAME, t->at, "`%s` is a function, and no value", word);
    tsr__text_help(ps, "call it, `%s(x)`", word);
    return TSR_ERR_NAME;
  }
  tsr__text_fail(ps, TSR_ERR_NAME, t->at, "there is no function `%.*s`", (int)t->n,
                 ps->s->text + t->at);
  for (int i = 0; i < ps->s->n_args; i++) {
    if (!ps->s->names[i] || strcmp(ps->s->names[i], word) != 0) continue;
    tsr__text_help(ps, "`%s` is an argument of the call: write `%s*(...)` or `%s[...]`", word, word,
                   word);
    return TSR_ERR_NAME;
  }
  const numpy_name *known = numpy_named(plain);
  if (known && tsr__text_meaning(plain).kind == TSR_TEXT_NONE) return tell_numpy(ps, t->at, known);
  const char *name =
      tsr__text_meaning(plain).kind != TSR_TEXT_NONE ? plain : nearest_function(plain);
  if (name)
    tsr__text_help(ps, "did you mean `%s`?", name);
  else
    tsr__text_help(ps, "the functions are those of `tessera/elementwise.h`, `tessera/functions.h` "
                       "and `tessera/reductions.h`, by NumPy's names");
  return TSR_ERR_NAME;
}

tsr_status tsr__text_unknown_name(tsr_text_parser *ps, const tsr_token *t, const char *word)
{
  tsr__text_fail(ps, TSR_ERR_NAME, t->at, "there is no argument `%.*s`", (int)t->n,
                 ps->s->text + t->at);
  if (tsr__text_meaning(word).kind != TSR_TEXT_NONE) {
    tsr__text_help(ps, "`%s` is a function: call it, `%s(x)`", word, word);
    return TSR_ERR_NAME;
  }
  nearest best = {.word = word, .distance = 2 + strlen(word) / 4};
  for (int i = 0; i < ps->s->n_args; i++)
    if (ps->s->names[i]) consider(&best, ps->s->names[i]);
  consider(&best, "True");
  consider(&best, "False");
  if (best.name && best.distance < strlen(word) + 1 && strlen(best.name) > 1) {
    tsr__text_help(ps, "did you mean `%s`?", best.name);
    return TSR_ERR_NAME;
  }
  if (tsr__text_is(ps, TSR_PUNCT('=', 0, 0))) {
    tsr__text_help(ps,
                   "a statement writes into arrays that exist; a new one is made by "
                   "`tsr_array %s = tsr_eval(…)`",
                   word);
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

tsr_status tsr__text_refuse_operator(tsr_text_parser *ps)
{
  static const struct {
    const char *text, *help;
  } refused[] = {
      {"and", "`x & y` joins bool arrays, logical_and(x, y) any two"},
      {"or", "`x | y` joins bool arrays, logical_or(x, y) any two"},
      {"not", "`~x` is the opposite of a bool array, logical_not(x) of any"},
      {"if", "where(condition, x, y) chooses element by element"},
      {"&&", "`&` joins bool arrays: put brackets around both sides"},
      {"||", "`|` joins bool arrays: put brackets around both sides"},
      {"=", "`==` compares; tsr_exec takes statements, one `=` each"},
  };
  const tsr_token *t = &ps->token;
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
    if (strlen(refused[k].text) != t->n) continue;
    if (memcmp(refused[k].text, ps->s->text + t->at, t->n) != 0) continue;
    tsr__text_fail(ps, TSR_ERR_SYNTAX, t->at, "`%s` is not taken here", refused[k].text);
    tsr__text_help(ps, "%s", refused[k].help);
    return TSR_ERR_SYNTAX;
  }
  return TSR_OK;
}

tsr_status tsr__text_refuse_chain(tsr_text_parser *ps, const tsr_text_chain *c)
{
  const tsr_node *nodes = ps->s->nodes, *middle = &nodes[c->middle];
  const int32_t *kids = middle->n_kids > 0 ? ps->s->kids + middle->first_kid : NULL;
  const bool is_or = middle->kind == TSR_NODE_OR;
  const bool is_joined =
      (is_or || middle->kind == TSR_NODE_AND) && ps->s->text[middle->begin] != '(';
  const tsr_node *parts[4] = {&nodes[c->left], is_joined ? &nodes[kids[0]] : middle,
                              is_joined ? &nodes[kids[1]] : middle, &nodes[c->right]};
  const char *text = ps->s->text;
  int n[4], longest = 0;
  for (int i = 0; i < 4; i++) {
    n[i] = (int)(parts[i]->end - parts[i]->begin);
    longest = n[i] > longest ? n[i] : longest;
  }
  tsr__text_fail(ps, TSR_ERR_SYNTAX, c->second_at, "comparisons do not chain");
  if (longest > 32 || c->goes_on)
    tsr__text_help(ps, "write (a < b) & (b < c); `&` and `|` bind tighter than comparisons");
  else
    tsr__text_help(ps, "write `(%.*s %.*s %.*s) %c (%.*s %.*s %.*s)`%s", n[0],
                   text + parts[0]->begin, c->n_first, text + c->first_at, n[1],
                   text + parts[1]->begin, is_joined && is_or ? '|' : '&', n[2],
                   text + parts[2]->begin, c->n_second, text + c->second_at, n[3],
                   text + parts[3]->begin,
                   is_joined ? "; `&` and `|` bind tighter than comparisons" : "");
  return TSR_ERR_SYNTAX;
}
