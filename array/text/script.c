/* Functions of a parsed text: its destruction, its form as a line of text for tests and dumps, and
 * the report of its errors. */
#include "array/text/functions.h"
#include "array/text/text_int.h"
#include "runtime/base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array/views/slice_text.h"
#include "kernel/ir/kernel.h"

void tsr__script_destroy(tsr_script *s)
{
  if (!s) return;
  for (int i = 0; s->names && i < s->n_args; i++) free(s->names[i]);
  free(s->names);
  free(s->text);
  free(s->nodes);
  free(s->kids);
  free(s->items);
  free(s->statements);
  free(s);
}

const char *tsr__node_name(const tsr_node *node)
{
  static const char *const names[TSR_N_NODES] = {
      [TSR_NODE_INT] = "int",
      [TSR_NODE_UINT] = "int",
      [TSR_NODE_FLOAT] = "float",
      [TSR_NODE_IMAGINARY] = "complex",
      [TSR_NODE_BOOL] = "bool",
      [TSR_NODE_ARG] = "argument",
      [TSR_NODE_POSITIVE] = "+",
      [TSR_NODE_NEGATIVE] = "-",
      [TSR_NODE_INVERT] = "~",
      [TSR_NODE_SLICE] = "slice",
      [TSR_NODE_TRANSPOSE] = "transpose",
      [TSR_NODE_INDEX] = "i",
      [TSR_NODE_COUNT] = "n",
      [TSR_NODE_TAKE] = "take",
      [TSR_NODE_LOCAL] = "name",
      [TSR_NODE_RESULT] = "result",
  };
  const tsr_text_operator *o = tsr__text_operator(node->kind);
  if (o) return o->sign;
  switch (node->kind) {
  case TSR_NODE_CALL:
    return tsr__op_info((tsr_opcode)node->code)->name;
  case TSR_NODE_FUNCTION:
    return tsr__text_function(node->code)->name;
  case TSR_NODE_ASTYPE:
    return tsr__dtype_info((tsr_dtype)node->code)->name;
  default:
    return names[node->kind];
  }
}

static void add_node(tsr_text *t, const tsr_script *s, int32_t i);

static void add_item(tsr_text *t, const tsr_script *s, const tsr_node_item *it)
{
  if (it->kind == TSR_SLICE_ELLIPSIS) tsr__text_add(t, "...");
  if (it->kind == TSR_SLICE_NEWAXIS) tsr__text_add(t, "newaxis");
  if (it->start >= 0) add_node(t, s, it->start);
  if (it->kind != TSR_SLICE_RANGE) return;
  tsr__text_add(t, ":");
  if (it->stop >= 0) add_node(t, s, it->stop);
  if (it->step < 0) return;
  tsr__text_add(t, ":");
  add_node(t, s, it->step);
}

/* Adds the required values, then the others as name=value. */
static void add_given(tsr_text *t, const tsr_script *s, const tsr_node *n)
{
  tsr_text_parameter p[TSR_TEXT_PARAMETERS];
  const int n_parameters = tsr__text_parameters(tsr__text_function(n->code)->parameters, p);
  for (int i = 0, k = 0; i < n_parameters; i++) {
    const int index = p[i].index, given = index < 0 ? -1 : n->u.given[index];
    if (p[i].is_optional && given >= 0) tsr__text_add(t, " %.*s=", (int)p[i].n_name, p[i].name);
    for (int at = 0; at < given; at++, k++) {
      if (!p[i].is_optional || at > 0) tsr__text_add(t, p[i].is_optional ? "," : " ");
      add_node(t, s, s->kids[n->first_kid + k]);
    }
  }
  if (n->dtype >= 0) tsr__text_add(t, " dtype=%s", tsr__dtype_info((tsr_dtype)n->dtype)->name);
}

/* Recurses as deep as the parser allows. */
static void add_node(tsr_text *t, const tsr_script *s, int32_t i)
{
  const tsr_node *n = &s->nodes[i];
  switch (n->kind) {
  case TSR_NODE_INT:
    tsr__text_add(t, "%" PRId64, n->u.i);
    return;
  case TSR_NODE_UINT:
    tsr__text_add(t, "%" PRIu64, (uint64_t)n->u.i);
    return;
  case TSR_NODE_FLOAT:
    tsr__text_add(t, "%.17gf", n->u.f);
    return;
  case TSR_NODE_IMAGINARY:
    tsr__text_add(t, "%.17gj", n->u.f);
    return;
  case TSR_NODE_BOOL:
    tsr__text_add(t, n->u.i ? "True" : "False");
    return;
  case TSR_NODE_INDEX:
  case TSR_NODE_COUNT:
    tsr__text_add(t, "%s", tsr__node_name(n));
    return;
  case TSR_NODE_STRING:
  case TSR_NODE_LOCAL:
    tsr__text_add(t, "%.*s", (int)(n->end - n->begin), s->text + n->begin);
    return;
  case TSR_NODE_ARG:
    if (s->names[n->code])
      tsr__text_add(t, "%s", s->names[n->code]);
    else
      tsr__text_add(t, "$%d", n->code + 1);
    return;
  default:
    break;
  }
  tsr__text_add(t, "(%s", tsr__node_name(n));
  if (n->kind == TSR_NODE_FUNCTION) add_given(t, s, n);
  for (int32_t k = 0; n->kind != TSR_NODE_FUNCTION && k < n->n_kids; k++) {
    tsr__text_add(t, " ");
    add_node(t, s, s->kids[n->first_kid + k]);
  }
  if (n->kind == TSR_NODE_RESULT) tsr__text_add(t, " %d", n->code);
  for (int32_t k = 0; k < n->n_items; k++) {
    tsr__text_add(t, " ");
    add_item(t, s, &s->items[n->first_item + k]);
  }
  tsr__text_add(t, ")");
}

const char *tsr__text_assign_name(int assign)
{
  const tsr_text_operator *o = tsr__text_operator(assign);
  return o ? o->assigns : "assign";
}

char *tsr__script_text(const tsr_script *s)
{
  tsr_text t = {0};
  for (int32_t k = 0; k < s->n_statements; k++) {
    const tsr_statement *st = &s->statements[k];
    if (k > 0) tsr__text_add(&t, "\n");
    if (st->target < 0) {
      add_node(&t, s, st->value);
      continue;
    }
    const tsr_text_operator *o = tsr__text_operator(st->assign);
    tsr__text_add(&t, "(%s= ", o ? o->sign : "");
    add_node(&t, s, st->target);
    tsr__text_add(&t, " ");
    add_node(&t, s, st->value);
    tsr__text_add(&t, ")");
  }
  return t.s;
}

void tsr__text_tell(tsr_error *e, const char *text, const tsr_text_error *error)
{
  size_t begin = 0, at = error->at;
  if (at == SIZE_MAX) at = 0;
  while (begin < at) { /* finds the line that contains the byte */
    const char *newline = memchr(text + begin, '\n', at - begin);
    if (!newline) break;
    begin = (size_t)(newline - text) + 1;
  }
  size_t n = strcspn(text + begin, "\n");
  char *line = tsr__malloc(n + 1);
  memcpy(line, text + begin, n);
  line[n] = 0;
  if (error->at == SIZE_MAX)
    tsr__error_note(e, "%s", line);
  else
    tsr__error_caret(e, line, at - begin);
  free(line);
  if (error->help[0] != 0) tsr__error_help(e, "%s", error->help);
}
