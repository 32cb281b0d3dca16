/* Parses the text of a user's kernel: the language of tsr_eval, point by point, and what kernels
 * have beside it (text/kernel_statements.c). A name stands for the node that was last assigned to
 * it, so a script needs no variables. */
#include "array/text/text_int.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/ir/kernel.h"

static tsr_status statements(tsr_text_parser *ps)
{
  TSR_TRY(tsr__text_statements(ps, tsr__text_point_statement));
  for (int k = 0; k < ps->locals->kernel->n_out; k++) {
    const tsr_text_local *out = &ps->locals->v[k];
    if (out->node < 0) {
      tsr__text_fail(ps, TSR_ERR_NAME, SIZE_MAX, "the text gives `%s` no value", out->name);
      tsr__text_help(ps, "every output is assigned: `%s = …`", out->name);
      return TSR_ERR_NAME;
    }
    tsr__text_add_statement(
        ps, &(tsr_statement){.target = -1, .value = out->node, .end = ps->s->n_nodes});
  }
  return TSR_OK;
}

static tsr_status lone_expression(tsr_text_parser *ps)
{
  tsr_statement st = {.target = -1};
  TSR_TRY(tsr__text_definitions(ps));
  ps->lexer.depth++; /* an expression may extend over lines */
  TSR_TRY(st.value = tsr__text_expression(ps));
  if (ps->token.kind != TSR_TOKEN_END)
    return tsr__text_unexpected(ps, "an operator or the end of the text");
  st.end = ps->s->n_nodes;
  tsr__text_add_statement(ps, &st);
  return TSR_OK;
}

static bool is_elementwise(const tsr_node *n)
{
  return (n->kind <= TSR_NODE_GREATER_EQUAL && n->kind != TSR_NODE_MATMUL) ||
         n->kind == TSR_NODE_CALL || n->kind == TSR_NODE_ASTYPE || n->kind == TSR_NODE_INDEX ||
         n->kind == TSR_NODE_COUNT || n->kind == TSR_NODE_TAKE || n->kind == TSR_NODE_LOCAL;
}

static tsr_status fail_raw(tsr_text_parser *ps, int32_t node)
{
  const char *name = ps->s->names[ps->s->nodes[node].code];
  tsr__text_fail(ps, TSR_ERR_SYNTAX, ps->s->nodes[node].at, "`%s` is raw, and has no index here",
                 name);
  tsr__text_help(ps, "`%s[i]` is its element at the point", name);
  return TSR_ERR_SYNTAX;
}

static tsr_status check(tsr_text_parser *ps)
{
  const tsr_script *s = ps->s;
  for (int32_t i = 0; i < s->n_nodes; i++) {
    const tsr_node *n = &s->nodes[i];
    if (!is_elementwise(n)) {
      tsr__text_fail(ps, TSR_ERR_SYNTAX, n->at, "`%s` is not a function of one point",
                     tsr__node_name(n));
      tsr__text_help(ps, "a kernel's text is elementwise; tsr_kernel_reduction combines points");
      return TSR_ERR_SYNTAX;
    }
    for (int32_t k = n->kind == TSR_NODE_TAKE; k < n->n_kids; k++)
      if (tsr__text_is_raw(ps, s->kids[n->first_kid + k]))
        return fail_raw(ps, s->kids[n->first_kid + k]);
  }
  for (int32_t k = 0; k < s->n_statements; k++)
    if (tsr__text_is_raw(ps, s->statements[k].value)) return fail_raw(ps, s->statements[k].value);
  bool shaped = false; /* whether a used input gives the points; if none does, an unused one must */
  for (int k = 0; k < s->n_args; k++) shaped |= ps->used[k] && !ps->locals->kernel->is_raw[k];
  for (int k = 0; k < s->n_args; k++)
    if (!ps->used[k] && (shaped || ps->locals->kernel->is_raw[k]))
      return tsr__text_fail(ps, TSR_ERR_NAME, SIZE_MAX, "the text does not use `%s`", s->names[k]);
  return TSR_OK;
}

static tsr_status parse_kernel(tsr_text_parser *ps)
{
  const tsr_kernel_text *kernel = ps->locals->kernel;
  if (strlen(kernel->text) > INT32_MAX / 4)
    return tsr__text_fail(ps, TSR_ERR_SYNTAX, SIZE_MAX, "the text is too long");
  for (int k = 0; k < kernel->n_out; k++)
    tsr__text_add_local(ps->locals, kernel->outputs[k], strlen(kernel->outputs[k]));
  tsr__text_take(ps);
  TSR_TRY(kernel->n_out > 0 ? statements(ps) : lone_expression(ps));
  TSR_TRY(tsr__text_check_called(ps));
  return check(ps);
}

tsr_script *tsr__kernel_parse(const tsr_kernel_text *kernel, tsr_text_error *error)
{
  tsr_script *s = tsr__calloc(1, sizeof *s);
  s->text = tsr__strdup(kernel->text);
  s->n_args = kernel->n_in;
  s->names = tsr__calloc((size_t)kernel->n_in + 1, sizeof *s->names);
  for (int k = 0; k < kernel->n_in; k++) s->names[k] = tsr__strdup(kernel->names[k]);
  tsr_text_locals locals = {.kernel = kernel, .returned = -1};
  tsr_text_parser ps = {.s = s, .error = error, .locals = &locals};
  ps.lexer.text = s->text;
  ps.used = tsr__calloc((size_t)kernel->n_in + 1, sizeof *ps.used);
  const tsr_status status = parse_kernel(&ps);
  tsr__text_drop_locals(&locals, 0);
  free(locals.v);
  free(locals.definitions);
  free(ps.used);
  if (status == TSR_OK) return s;
  tsr__script_destroy(s);
  return NULL;
}
