/* Parsed texts by call site: a table of at most 1,024 entries under (location, address of the
 * text), each checked against the text itself, since a program may write new text to an old
 * address. Nothing is ever removed: arrays and recorded ops point to the locations. Texts beyond
 * the limit (a program that makes texts up) are parsed each time, and their ops point to the call
 * site alone. */
#include "array/text/cache.h"
#include "runtime/base/alloc.h"
#include "runtime/base/table.h"

#include <stdlib.h>
#include <string.h>

#include "array/core/array_int.h"

enum { MAX_CACHED = 1024, LONGEST_SOURCE = 160 };

struct tsr_scripts {
  tsr_table parsed; /* owns its values */
};

/* Returns the name of the public function that a node stands for. */
static const char *op_name(const tsr_node *n)
{
  static const char *const names[TSR_N_NODES] = {
      [TSR_NODE_NEGATIVE] = "negative",
      [TSR_NODE_INVERT] = "invert",
      [TSR_NODE_ADD] = "add",
      [TSR_NODE_SUBTRACT] = "subtract",
      [TSR_NODE_MULTIPLY] = "multiply",
      [TSR_NODE_DIVIDE] = "divide",
      [TSR_NODE_MATMUL] = "matmul",
      [TSR_NODE_POWER] = "power",
      [TSR_NODE_AND] = "bitwise_and",
      [TSR_NODE_OR] = "bitwise_or",
      [TSR_NODE_XOR] = "bitwise_xor",
      [TSR_NODE_LEFT_SHIFT] = "left_shift",
      [TSR_NODE_RIGHT_SHIFT] = "right_shift",
      [TSR_NODE_EQUAL] = "equal",
      [TSR_NODE_NOT_EQUAL] = "not_equal",
      [TSR_NODE_LESS] = "less",
      [TSR_NODE_LESS_EQUAL] = "less_equal",
      [TSR_NODE_GREATER] = "greater",
      [TSR_NODE_GREATER_EQUAL] = "greater_equal",
      [TSR_NODE_TRANSPOSE] = "transpose",
      [TSR_NODE_SLICE] = "slice",
      [TSR_NODE_ASTYPE] = "astype",
  };
  if (n->kind == TSR_NODE_CALL || n->kind == TSR_NODE_FUNCTION) return tsr__node_name(n);
  return names[n->kind] ? names[n->kind] : "eval";
}

/* Adds the first bytes of a long text and closes its open quotes and brackets. Quoting every
 * operation of a chain in full would take time and memory that grow with the square of its
 * length. */
static void add_cut(tsr_text *t, const char *source, size_t n)
{
  char closing[LONGEST_SOURCE + 1];
  int depth = 0;
  char quote = 0;
  while (n > 0 && ((unsigned char)source[n] & 0xc0) == 0x80) n--; /* whole UTF-8 characters */
  for (size_t i = 0; i < n; i++) {
    const char c = source[i];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '(' || c == '[')
      closing[depth++] = c == '(' ? ')' : ']';
    else if ((c == ')' || c == ']') && depth > 0)
      depth--;
  }
  tsr__text_add(t, "%.*s…", (int)n, source);
  if (quote) tsr__text_add(t, "%c", quote);
  while (depth > 0) tsr__text_add(t, "%c", closing[--depth]);
}

/* Adds the source text of a node; line breaks become blanks. */
static void add_source(tsr_text *t, const tsr_script *s, int32_t node)
{
  const size_t begin = t->n, n = s->nodes[node].end - s->nodes[node].begin;
  const char *source = s->text + s->nodes[node].begin;
  if (n > LONGEST_SOURCE)
    add_cut(t, source, LONGEST_SOURCE);
  else
    tsr__text_add(t, "%.*s", (int)n, source);
  for (size_t i = begin; i < t->n; i++)
    if (t->s[i] == '\n' || t->s[i] == '\r') t->s[i] = ' ';
}

/* Adds a node's words to the block and returns their offset, since the block moves while it
 * grows. */
static size_t add_words(tsr_text *t, const tsr_script *s, const tsr_node *n)
{
  tsr__text_add(t, "tsr_%s%c", op_name(n), 0);
  size_t at = t->n;
  for (int32_t k = 0; k < n->n_kids; k++) {
    if (k > 0) tsr__text_add(t, ", ");
    add_source(t, s, s->kids[n->first_kid + k]);
  }
  if (n->kind == TSR_NODE_SLICE && n->end > n->at + 1)
    tsr__text_add(t, ", \"%.*s\"", (int)(n->end - n->at) - 2, s->text + n->at + 1);
  tsr__text_add(t, "%c", 0);
  return at;
}

static void make_locations(tsr_parsed *p)
{
  const tsr_script *s = p->script;
  int32_t n = s->n_nodes + s->n_statements;
  tsr_text words = {0};
  size_t *ops = tsr__malloc(2 * (size_t)n * sizeof *ops), *args = ops + n;
  for (int32_t i = 0; i < s->n_nodes; i++) {
    ops[i] = words.n;
    args[i] = add_words(&words, s, &s->nodes[i]);
  }
  for (int32_t k = 0; k < s->n_statements; k++) {
    const tsr_statement *st = &s->statements[k];
    ops[s->n_nodes + k] = words.n;
    tsr__text_add(&words, "tsr_%s%c", tsr__text_assign_name(st->assign), 0);
    args[s->n_nodes + k] = words.n;
    if (st->target >= 0) {
      add_source(&words, s, st->target);
      tsr__text_add(&words, ", ");
    }
    add_source(&words, s, st->value);
    tsr__text_add(&words, "%c", 0);
  }
  p->words = words.s;
  p->locations = tsr__calloc((size_t)n, sizeof *p->locations);
  for (int32_t i = 0; i < n; i++) {
    if (p->where) p->locations[i] = *p->where;
    p->locations[i].op = words.s + ops[i];
    p->locations[i].args = words.s + args[i];
  }
  free(ops);
}

void tsr__parsed_destroy(tsr_parsed *p)
{
  if (!p) return;
  for (int32_t i = 0; i < p->script->n_nodes; i++) tsr__slice_forget(&p->slices[i]);
  tsr__script_destroy(p->script);
  free(p->items);
  free(p->slices);
  free(p->values);
  free(p->locations);
  free(p->words);
  free(p);
}

/* Stores the values of constants, which do not change between evaluations. */
static void fill_constants(tsr_parsed *p)
{
  const tsr_script *s = p->script;
  for (int32_t i = 0; i < s->n_nodes; i++) {
    const tsr_node *n = &s->nodes[i];
    if (n->kind == TSR_NODE_INT) p->values[i] = tsr_box_int(n->u.i);
    if (n->kind == TSR_NODE_UINT) p->values[i] = tsr_box_uint((uint64_t)n->u.i);
    if (n->kind == TSR_NODE_FLOAT) p->values[i] = tsr_box_float(n->u.f);
    if (n->kind == TSR_NODE_IMAGINARY) p->values[i] = tsr_box_complex(0, n->u.f);
    if (n->kind == TSR_NODE_BOOL) p->values[i] = tsr_box_bool(n->u.i != 0);
  }
  p->items = tsr__calloc((size_t)s->n_items + 1, sizeof *p->items);
  for (int32_t i = 0; i < s->n_items; i++) {
    const tsr_node_item *it = &s->items[i];
    p->items[i] = (tsr_slice_item){.kind = it->kind,
                                   .has_start = it->start >= 0,
                                   .has_stop = it->stop >= 0,
                                   .has_step = it->step >= 0};
  }
}

tsr_parsed *tsr__parsed_new(tsr_script *s)
{
  tsr_parsed *p = tsr__calloc(1, sizeof *p);
  p->script = s;
  size_t n = (size_t)s->n_nodes + (size_t)s->n_statements;
  p->values = tsr__calloc(n, sizeof *p->values);
  p->slices = tsr__calloc(n, sizeof *p->slices);
  fill_constants(p);
  return p;
}

static tsr_parsed *parse_script(const tsr_location *where, const char *text, bool is_exec,
                                bool is_cached, int n_args, tsr_text_error *error)
{
  tsr_script *s = tsr__script_parse(text, is_exec, n_args, where ? where->args : "", error);
  if (!s) return NULL;
  tsr_parsed *p = tsr__parsed_new(s);
  p->where = where;
  p->text = text;
  p->is_exec = is_exec;
  p->is_cached = is_cached;
  return p;
}

tsr_parsed *tsr__text_find(struct tsr_scripts **scripts, const tsr_location *where,
                           const char *text, bool is_exec, int n_args, tsr_text_error *error)
{
  if (*scripts == NULL) *scripts = tsr__calloc(1, sizeof **scripts);
  tsr_table *t = &(*scripts)->parsed;
  const uint64_t hash = tsr__hash_word((uint64_t)(uintptr_t)where, (uint64_t)(uintptr_t)text);
  uint32_t at = 0;
  for (tsr_parsed *p; (p = tsr__table_next(t, hash, &at)) != NULL;)
    if (p->where == where && p->text == text && p->is_exec == is_exec &&
        p->script->n_args == n_args && strcmp(p->script->text, text) == 0)
      return p;
  const bool keep = t->n < MAX_CACHED;
  tsr_parsed *p = parse_script(where, text, is_exec, keep, n_args, error);
  if (!p) return NULL;
  if (keep) {
    make_locations(p);
    tsr__table_add(t, hash, p);
  }
  return p;
}

void tsr__text_done(tsr_parsed *parsed)
{
  if (parsed && !parsed->is_cached) tsr__parsed_destroy(parsed);
}

void tsr__scripts_destroy(struct tsr_scripts *scripts)
{
  if (!scripts) return;
  for (uint32_t i = 0; i < scripts->parsed.capacity; i++)
    tsr__parsed_destroy(scripts->parsed.v[i].value);
  tsr__table_free(&scripts->parsed);
  free(scripts);
}
