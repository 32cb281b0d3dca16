/* The user's kernels of a context, in a list in order of creation. A loop that makes the same
 * kernel again gets the existing one. */
#include "array/user/function.h"
#include "runtime/base/alloc.h"
#include "runtime/base/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/text/text.h"
#include "tessera/kernels.h"

struct tsr_functions {
  int n, capacity;
  tsr_user_kernel **v;
};

static void destroy(tsr_user_kernel *k)
{
  for (int i = 0; k->parameters && i < k->n_in + k->n_out; i++) free(k->parameters[i].name);
  free(k->parameters);
  tsr__parsed_destroy(k->text);
  tsr__parsed_destroy(k->combine);
  tsr__parsed_destroy(k->finish);
  tsr__recent_calls_destroy(k->recent);
  tsr__task_code_destroy(k->code);
  free(k->name);
  free(k->key);
  free(k);
}

void tsr__functions_destroy(struct tsr_functions *functions)
{
  for (int i = 0; functions && i < functions->n; i++) destroy(functions->v[i]);
  if (functions) free(functions->v);
  free(functions);
}

static tsr_function handle(const tsr_context *c, int i)
{
  return (tsr_function){(uint64_t)c->first_generation << 32 | (uint64_t)(i + 1)};
}

const tsr_user_kernel *tsr__function_peek(const tsr_context *c, tsr_function f)
{
  const int64_t i = (int64_t)(f.id & UINT32_MAX) - 1;
  const bool is_known =
      c->functions && i >= 0 && i < c->functions->n && f.id == handle(c, (int)i).id;
  return is_known ? c->functions->v[i] : NULL;
}

const tsr_user_kernel *tsr__function(tsr_context *c, const tsr_location *where, tsr_function f)
{
  if (f.id == 0) {
    if (!tsr__goes_on(c) && !c->kernel_failed) {
      tsr__fail_on(c, where, TSR_ERR_HANDLE, 0, NULL,
                   "make it first: tsr_kernel_elementwise, tsr_kernel_reduction, tsr_task",
                   "a kernel that was never made is called");
    }
    return NULL;
  }
  const tsr_user_kernel *k = tsr__function_peek(c, f);
  if (!k)
    tsr__fail(c, where, TSR_ERR_HANDLE,
              "this kernel belongs to a context that has ended, or another");
  return k;
}

/* The kernel being made. Each error is reported where it is found. */
typedef struct making {
  tsr_context *c;
  const tsr_location *where;
  tsr_user_kernel *k;
} making;

static bool fail_at(const making *m, tsr_status status, const char *text, size_t at,
                    const char *what, const char *help)
{
  const tsr_text_error position = {.at = at};
  tsr_error *e = tsr__fail_begin(m->c, m->where, status, "%s", what);
  tsr__error_note(e, "in %s %s:", m->k->run ? "task" : "kernel", m->k->name);
  tsr__text_tell(e, text, &position);
  if (help) tsr__error_help(e, "%s", help);
  tsr__fail_end(m->c);
  return false;
}

static bool is_token(const char *text, const tsr_token *t, const char *word)
{
  return t->kind == TSR_TOKEN_NAME && strlen(word) == t->n && !memcmp(text + t->at, word, t->n);
}

static int dtype_named(const char *text, const tsr_token *t)
{
  for (int d = 0; d < TSR_N_DTYPES; d++)
    if (is_token(text, t, tsr__dtype_info((tsr_dtype)d)->name)) return d;
  return -1;
}

static bool check_name(const making *m, const char *text, const tsr_token *t)
{
  static const char *const words[] = {"raw", "auto", "if",    "else", "and",   "or",
                                      "not", "np",   "numpy", "True", "False", "None"};
  if (t->kind != TSR_TOKEN_NAME)
    return fail_at(m, TSR_ERR_SYNTAX, text, t->at, "expected a name",
                   "a declaration is a dtype and a name: \"float64 x, int32 k\"");
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (is_token(text, t, words[k]))
      return fail_at(m, TSR_ERR_SYNTAX, text, t->at, "this word is not a name", NULL);
  for (int k = 0; k < m->k->n_in + m->k->n_out; k++)
    if (is_token(text, t, m->k->parameters[k].name))
      return fail_at(m, TSR_ERR_NAME, text, t->at, "this name is declared already", NULL);
  return true;
}

static bool is_punct(const tsr_token *t, char c)
{
  return t->kind == TSR_TOKEN_PUNCT && t->code == (uint32_t)c;
}

/* The largest grain: products of it with numbers of operations do not overflow. */
static const int64_t MOST_GRAIN = (int64_t)1 << 40;

/* Parses the number of grain(n), a declaration of the task and of no parameter. at: of its word. */
static bool grain(const making *m, tsr_lexer *lx, const char *text, size_t at, bool is_output)
{
  static const char help[] = "grain(64), among the inputs: 64 points are worth a call, and a tile";
  if (is_output || m->k->grain > 0)
    return fail_at(m, TSR_ERR_SYNTAX, text, at,
                   is_output ? "the grain stands among the inputs" : "a task has one grain", help);
  tsr_token t = tsr__lex_next(lx);
  if (!is_punct(&t, '('))
    return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "expected `(` and a number of points", help);
  t = tsr__lex_next(lx);
  if (t.kind != TSR_TOKEN_INT || t.i < 1 || t.i > MOST_GRAIN)
    return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "a grain is a whole number from 1 to 2^40", help);
  m->k->grain = t.i;
  t = tsr__lex_next(lx);
  return is_punct(&t, ')') || fail_at(m, TSR_ERR_SYNTAX, text, t.at, "expected `)`", help);
}

/* Parses the axes of whole(axis, …), a declaration of the task. at: of its word. */
static bool whole(const making *m, tsr_lexer *lx, const char *text, size_t at, bool is_output)
{
  static const char help[] = "whole(1), among the inputs: no box is cut along axis 1 of the points";
  tsr_user_kernel *k = m->k;
  if (is_output)
    return fail_at(m, TSR_ERR_SYNTAX, text, at, "whole axes stand among the inputs", help);
  tsr_token t = tsr__lex_next(lx);
  if (!is_punct(&t, '('))
    return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "expected `(` and an axis", help);
  do {
    t = tsr__lex_next(lx);
    const bool is_negative = is_punct(&t, '-');
    if (is_negative) t = tsr__lex_next(lx);
    if (t.kind != TSR_TOKEN_INT || t.i < is_negative || t.i >= TSR_MAX_NDIM + is_negative)
      return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "an axis is a whole number from -8 to 7", help);
    if (k->n_whole == TSR_MAX_NDIM)
      return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "a task has at most 8 whole axes", NULL);
    k->whole[k->n_whole++] = is_negative ? -t.i : t.i;
    t = tsr__lex_next(lx);
  } while (is_punct(&t, ','));
  return is_punct(&t, ')') || fail_at(m, TSR_ERR_SYNTAX, text, t.at, "expected `,` or `)`", help);
}

/* The most elements of an output's extent: products of it with other counts do not overflow. */
static const int64_t MOST_EXTENT = (int64_t)1 << 31;

/* Parses the lengths of an output's extent, [10] or [3, 3], if they follow its name. */
static bool extent(const making *m, tsr_lexer *lx, const char *text, tsr_parameter *p)
{
  static const char help[] = "\"float64 hist[10] sum\" has 10 values, which the function adds to";
  int64_t n = 1;
  tsr_lexer ahead = *lx;
  tsr_token t = tsr__lex_next(&ahead);
  if (!is_punct(&t, '[')) return true;
  do {
    t = tsr__lex_next(&ahead);
    if (t.kind != TSR_TOKEN_INT || t.i < 1 || t.i > MOST_EXTENT / n)
      return fail_at(m, TSR_ERR_SYNTAX, text, t.at,
                     "a length is a whole number, 1 or more, and all of them are at most 2^31",
                     help);
    if (p->n_extent == TSR_MAX_NDIM - 1)
      return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "an extent has at most 7 axes", NULL);
    n *= p->extent[p->n_extent++] = t.i;
    t = tsr__lex_next(&ahead);
  } while (is_punct(&t, ','));
  if (!is_punct(&t, ']'))
    return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "expected `,` or `]`", help);
  *lx = ahead;
  return true;
}

/* Parses halo(width, …). A width is a number, or two numbers before:after. */
static bool halo(const making *m, tsr_lexer *lx, const char *text, tsr_parameter *p)
{
  tsr_token t = tsr__lex_next(lx);
  if (!is_punct(&t, '('))
    return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "expected `(` and the widths of the halo",
                   "halo(1) is one element on every side, halo(2, 0:1) two along axis 0, and one "
                   "behind along axis 1");
  do {
    if (p->n_widths == TSR_MAX_NDIM)
      return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "a halo has at most 8 widths", NULL);
    t = tsr__lex_next(lx);
    if (t.kind != TSR_TOKEN_INT || t.i < 0)
      return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "a width is a whole number, 0 or more", NULL);
    p->before[p->n_widths] = p->after[p->n_widths] = t.i;
    t = tsr__lex_next(lx);
    if (is_punct(&t, ':')) {
      t = tsr__lex_next(lx);
      if (t.kind != TSR_TOKEN_INT || t.i < 0)
        return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "a width is a whole number, 0 or more", NULL);
      p->after[p->n_widths] = t.i;
      t = tsr__lex_next(lx);
    }
    p->n_widths++;
  } while (is_punct(&t, ','));
  if (!is_punct(&t, ')'))
    return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "expected `,` or `)`", NULL);
  if (p->is_raw || p->is_written)
    return fail_at(m, TSR_ERR_SYNTAX, text, t.at,
                   p->is_raw ? "a raw input has no halo: all of it is there"
                             : "an input that is written has no halo",
                   p->is_raw ? NULL : "around a box others write it at the same time");
  return true;
}

/* Parses the rule that may follow the name in a task. */
static bool rule(const making *m, tsr_lexer *lx, const char *text, bool is_output, tsr_parameter *p)
{
  static const struct {
    const char *name;
    tsr_combine how;
  } rules[] = {{"sum", TSR_COMBINE_SUM},    {"prod", TSR_COMBINE_PROD}, {"min", TSR_COMBINE_MIN},
               {"max", TSR_COMBINE_MAX},    {"any", TSR_COMBINE_ANY},   {"all", TSR_COMBINE_ALL},
               {"blocks", TSR_COMBINE_TEXT}};
  tsr_lexer ahead = *lx;
  const tsr_token t = tsr__lex_next(&ahead);
  if (p->n_extent > 0 && t.kind != TSR_TOKEN_NAME)
    return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "an output with an extent is reduced",
                   "sum, prod, min, max, any, all or blocks follows: \"float64 hist[10] sum\"");
  if (!m->k->run || t.kind != TSR_TOKEN_NAME) return true;
  *lx = ahead;
  if (!is_output && is_token(text, &t, "halo")) return halo(m, lx, text, p);
  for (size_t i = 0; is_output && i < sizeof rules / sizeof *rules; i++)
    if (is_token(text, &t, rules[i].name)) {
      p->how = rules[i].how;
      return true;
    }
  return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "an unknown rule",
                 is_output ? "the rules of an output are sum, prod, min, max, any, all and blocks"
                           : "the rule of an input is halo(width); raw, inout and out stand before "
                             "the dtype");
}

/* Parses a declaration: [raw] dtype name. A task also has [inout | out] dtype name, and dtype name
 * rule. */
static bool declaration(const making *m, tsr_lexer *lx, const char *text, bool is_output)
{
  tsr_user_kernel *k = m->k;
  tsr_token t = tsr__lex_next(lx);
  tsr_parameter p = {.dtype = -1, .is_read = !is_output};
  if (k->run && !is_output && (is_token(text, &t, "inout") || is_token(text, &t, "out"))) {
    p.is_written = true;
    p.is_read = is_token(text, &t, "inout");
    t = tsr__lex_next(lx);
  }
  if (is_token(text, &t, "raw")) {
    if (is_output)
      return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "an output is not raw",
                     "an output is written at its own point");
    if (p.is_written)
      return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "an input that is written is not raw",
                     "it is written at its own points, while boxes run at the same time");
    p.is_raw = true;
    t = tsr__lex_next(lx);
  }
  const bool is_auto = is_token(text, &t, "auto");
  if (is_auto && k->run)
    return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "the arguments of a task have declared dtypes",
                   "a capital letter stands for any dtype");
  p.dtype = dtype_named(text, &t);
  if (p.dtype < 0 && t.kind == TSR_TOKEN_NAME && t.n == 1 && text[t.at] >= 'A' && text[t.at] <= 'Z')
    p.letter = text[t.at];
  if (p.dtype < 0 && p.letter == 0 && !is_auto)
    return fail_at(
        m, TSR_ERR_SYNTAX, text, t.at, "expected a dtype",
        "the dtypes are bool, int8 to int64, uint8 to uint64, float16 to float64, "
        "complex64, complex128, a capital letter for any, and auto for that of the value");
  t = tsr__lex_next(lx);
  if (!check_name(m, text, &t)) return false;
  p.name = tsr__malloc(t.n + 1);
  memcpy(p.name, text + t.at, t.n);
  p.name[t.n] = 0;
  const bool may_extend = k->run && is_output;
  if ((may_extend && !extent(m, lx, text, &p)) || !rule(m, lx, text, is_output, &p)) {
    free(p.name);
    return false;
  }
  k->parameters[k->n_in + k->n_out] = p;
  *(is_output ? &k->n_out : &k->n_in) += 1;
  return true;
}

static bool known_letter(const tsr_user_kernel *k, char letter)
{
  for (int i = 0; i < k->n_in; i++)
    if (k->parameters[i].letter == letter) return true;
  return false;
}

static bool declarations(const making *m, const char *text, bool is_output, int most)
{
  tsr_user_kernel *k = m->k;
  tsr_lexer lx = {.text = text, .depth = 1};
  const int first = k->n_in;
  for (;;) {
    tsr_lexer ahead = lx;
    tsr_token t = tsr__lex_next(&ahead);
    const bool is_grain = k->run && is_token(text, &t, "grain");
    const bool is_whole = k->run && is_token(text, &t, "whole");
    if (!is_grain && !is_whole && (is_output ? k->n_out : k->n_in) == most)
      return fail_at(m, TSR_ERR_ARGUMENT, text, lx.at,
                     !is_output  ? "a kernel has at most 16 inputs"
                     : most == 1 ? "a reduction has one output"
                                 : "a kernel has at most 16 outputs",
                     NULL);
    if (is_grain || is_whole) lx = ahead;
    if (!(is_grain   ? grain(m, &lx, text, t.at, is_output)
          : is_whole ? whole(m, &lx, text, t.at, is_output)
                     : declaration(m, &lx, text, is_output)))
      return false;
    t = tsr__lex_next(&lx);
    if (t.kind == TSR_TOKEN_END) break;
    if (!is_punct(&t, ','))
      return fail_at(m, TSR_ERR_SYNTAX, text, t.at, "expected `,` or the end", NULL);
  }
  for (int i = k->n_in; is_output && i < k->n_in + k->n_out; i++)
    if (k->parameters[i].letter && !known_letter(k, k->parameters[i].letter))
      return fail_at(m, TSR_ERR_NAME, text, SIZE_MAX,
                     "the letter of an output stands for no input's dtype", NULL);
  bool all_raw = !is_output;
  for (int i = first; i < k->n_in; i++) all_raw &= k->parameters[i].is_raw;
  if (all_raw)
    return fail_at(m, TSR_ERR_ARGUMENT, text, SIZE_MAX,
                   "all inputs are raw, so nothing gives the result's shape",
                   "one that is not raw does: the numbers of points, \"int64 k\", will do");
  return true;
}

static tsr_parsed *parse_kernel_text(const making *m, const tsr_kernel_text *text)
{
  tsr_text_error error = {0};
  tsr_script *s = tsr__kernel_parse(text, &error);
  if (s) return tsr__parsed_new(s);
  tsr_error *e = tsr__fail_begin(m->c, m->where, error.status, "%s", error.what);
  tsr__error_note(e, "in kernel %s:", m->k->name);
  tsr__text_tell(e, text->text, &error);
  tsr__fail_end(m->c);
  return NULL;
}

static tsr_parsed *parse_point(const making *m, const char *text, bool is_reduction)
{
  enum { MAX = TSR_MAX_OP_ARGS };
  const char *names[2 * MAX];
  bool is_raw[MAX];
  const tsr_user_kernel *k = m->k;
  for (int i = 0; i < k->n_in + k->n_out; i++) names[i] = k->parameters[i].name;
  for (int i = 0; i < k->n_in; i++) is_raw[i] = k->parameters[i].is_raw;
  return parse_kernel_text(m, &(tsr_kernel_text){.text = text,
                                                 .n_in = k->n_in,
                                                 .n_out = is_reduction ? 0 : k->n_out,
                                                 .names = names,
                                                 .outputs = names + k->n_in,
                                                 .is_raw = is_raw,
                                                 .has_count = true});
}

static tsr_parsed *parse_values(const making *m, const char *text, int n)
{
  static const char *const names[] = {"a", "b"};
  static const bool is_raw[2];
  return parse_kernel_text(m, &(tsr_kernel_text){.text = text,
                                                 .n_in = n,
                                                 .names = names,
                                                 .is_raw = is_raw,
                                                 .is_combination = true,
                                                 .has_count = n == 1});
}

/* Recognises `a op b` as one of the reductions. As in NumPy, the sum of bools tells whether any is
 * true. */
static tsr_combine combine_of(const tsr_script *s, int dtype)
{
  const bool is_bool = dtype == TSR_DTYPE_BOOL;
  const tsr_node *n = &s->nodes[s->statements[0].value];
  if (n->n_kids != 2) return TSR_COMBINE_TEXT;
  for (int k = 0; k < 2; k++)
    if (s->nodes[s->kids[n->first_kid + k]].kind != TSR_NODE_ARG) return TSR_COMBINE_TEXT;
  switch (n->kind) {
  case TSR_NODE_ADD:
    return is_bool ? TSR_COMBINE_ANY : TSR_COMBINE_SUM;
  case TSR_NODE_MULTIPLY:
    return is_bool ? TSR_COMBINE_ALL : TSR_COMBINE_PROD;
  case TSR_NODE_AND:
    return is_bool ? TSR_COMBINE_ALL : TSR_COMBINE_TEXT;
  case TSR_NODE_OR:
    return is_bool ? TSR_COMBINE_ANY : TSR_COMBINE_TEXT;
  case TSR_NODE_CALL:
    if (is_bool && n->code == TSR_OP_LOGICAL_AND) return TSR_COMBINE_ALL;
    if (is_bool && n->code == TSR_OP_LOGICAL_OR) return TSR_COMBINE_ANY;
    if (n->code == TSR_OP_MINIMUM) return TSR_COMBINE_MIN;
    return n->code == TSR_OP_MAXIMUM ? TSR_COMBINE_MAX : TSR_COMBINE_TEXT;
  default:
    return TSR_COMBINE_TEXT;
  }
}

/* The calls. */

/* The index of the kernel with the key; -1 if there is none. */
static int find_kernel(const tsr_context *c, const char *key)
{
  const uint64_t hash = tsr__hash_text(key);
  for (int i = 0; c->functions && i < c->functions->n; i++)
    if (c->functions->v[i]->hash == hash && strcmp(c->functions->v[i]->key, key) == 0) return i;
  return -1;
}

static tsr_function add_kernel(tsr_context *c, tsr_user_kernel *k)
{
  if (!c->functions) c->functions = tsr__calloc(1, sizeof *c->functions);
  struct tsr_functions *f = c->functions;
  f->v = tsr__grow(f->v, &f->capacity, f->n + 1, sizeof *f->v);
  k->number = (uint32_t)f->n;
  f->v[f->n++] = k;
  return handle(c, f->n - 1);
}

static char *key_of(int n, const char *const *texts)
{
  tsr_text t = {0};
  for (int i = 0; i < n; i++) tsr__text_add(&t, "%zu:%s", strlen(texts[i]), texts[i]);
  return t.s;
}

static bool no_nulls(tsr_context *c, const tsr_location *where, int n, const char *const *texts)
{
  for (int i = 0; i < n; i++) {
    if (texts[i]) continue;
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "a text is NULL");
    return false;
  }
  return true;
}

/* Begins a kernel. Its key is made of the texts, the first of which is the name. Returns false if
 * nothing is to be made: *known is the kernel that the texts made before, or none after an
 * error. */
static bool begin_kernel(making *m, tsr_context *c, const tsr_location *where, int n,
                         const char *const *texts, tsr_function *known)
{
  *known = (tsr_function){0};
  if (!no_nulls(c, where, n, texts)) {
    c->kernel_failed = true;
    return false;
  }
  char *key = key_of(n, texts);
  const int at = find_kernel(c, key);
  if (at >= 0) {
    free(key);
    *known = handle(c, at);
    return false;
  }
  *m = (making){.c = c, .where = where, .k = tsr__calloc(1, sizeof *m->k)};
  m->k->name = tsr__strdup(texts[0]);
  m->k->key = key;
  m->k->hash = tsr__hash_text(key);
  m->k->parameters = tsr__calloc(2 * TSR_MAX_OP_ARGS, sizeof *m->k->parameters);
  return true;
}

static tsr_function end_kernel(const making *m, bool ok)
{
  if (ok) return add_kernel(m->c, m->k);
  destroy(m->k);
  m->c->kernel_failed = true;
  return (tsr_function){0};
}

tsr_function tsr_kernel_elementwise_at(const tsr_location *where, const char *name,
                                       const char *inputs, const char *outputs, const char *text)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const char *const texts[] = {name, inputs, outputs, text};
  making m;
  tsr_function known;
  if (!begin_kernel(&m, c, where, 4, texts, &known)) return known;
  const bool ok = declarations(&m, inputs, false, TSR_MAX_OP_ARGS) &&
                  declarations(&m, outputs, true, TSR_MAX_OP_ARGS) &&
                  (m.k->text = parse_point(&m, text, false)) != NULL;
  return end_kernel(&m, ok);
}

static void write_scalar(tsr_operand x, char *out, size_t size)
{
  if (x.kind == TSR_OPERAND_COMPLEX)
    snprintf(out, size, "%a %a", x.as.c[0], x.as.c[1]);
  else if (x.kind == TSR_OPERAND_FLOAT)
    snprintf(out, size, "%a", x.as.f);
  else
    snprintf(out, size, "%d:%llu", (int)x.kind,
             x.kind == TSR_OPERAND_BOOL ? (unsigned long long)x.as.b : (unsigned long long)x.as.u);
}

static bool check_identity(const making *m, tsr_operand identity)
{
  if (identity.kind != TSR_OPERAND_ARRAY) return true;
  tsr__fail(m->c, m->where, TSR_ERR_ARGUMENT, "the identity is an array; it is a C scalar");
  return false;
}

/* The values that a reduction combines have the output's dtype. */
static bool has_dtype(const making *m, const char *output)
{
  const tsr_parameter *p = &m->k->parameters[m->k->n_in];
  return p->dtype >= 0 || p->letter ||
         fail_at(m, TSR_ERR_SYNTAX, output, 0, "the output of a reduction has a declared dtype",
                 "a dtype, or the letter of an input");
}

tsr_function tsr_kernel_reduction_at(const tsr_location *where, const char *name,
                                     const char *inputs, const char *output, const char *map,
                                     const char *combine, const char *finish, tsr_operand identity)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (!finish) finish = "";
  char number[64];
  write_scalar(identity, number, sizeof number);
  const char *const texts[] = {name, inputs, output, map, combine, finish, number};
  making m;
  tsr_function known;
  if (!begin_kernel(&m, c, where, 7, texts, &known)) return known;
  tsr_user_kernel *k = m.k;
  k->identity = identity;
  bool ok = check_identity(&m, identity) && declarations(&m, inputs, false, TSR_MAX_OP_ARGS) &&
            declarations(&m, output, true, 1) && has_dtype(&m, output) &&
            (k->text = parse_point(&m, map, true)) != NULL &&
            (k->combine = parse_values(&m, combine, 2)) != NULL;
  if (ok && strspn(finish, " \t\n") != strlen(finish))
    ok = (k->finish = parse_values(&m, finish, 1)) != NULL;
  if (ok) k->how = combine_of(k->combine->script, k->parameters[k->n_in].dtype);
  return end_kernel(&m, ok);
}

tsr_function tsr_task_at(const tsr_location *where, const char *name, const char *inputs,
                         const char *outputs, tsr_task_function function)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  char address[32]; /* distinguishes tasks on this rank; not sent to other ranks */
  snprintf(address, sizeof address, "%p", (void *)(uintptr_t)function);
  const char *const texts[] = {name, inputs, outputs, address};
  making m;
  tsr_function known;
  if (!begin_kernel(&m, c, where, 4, texts, &known)) return known;
  if (!function) {
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "the function of task %s is NULL", name);
    return end_kernel(&m, false);
  }
  m.k->run = function;
  m.k->recent = tsr__recent_calls_new();
  const bool none = strspn(outputs, " \t\n") == strlen(outputs);
  const bool ok = declarations(&m, inputs, false, TSR_MAX_OP_ARGS) &&
                  (none || declarations(&m, outputs, true, TSR_MAX_OP_ARGS)) &&
                  tsr__task_check(c, where, m.k);
  return end_kernel(&m, ok);
}
