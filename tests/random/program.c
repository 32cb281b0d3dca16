/* Programs as data: growing, copying, freeing. */
#include "random.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

static void *grow(void *old, int n, size_t size)
{
  /* Capacity is the next power of two: grown when n reaches one. */
  if (n & (n - 1)) return old;
  return tsr__realloc(old, (size_t)(n ? 2 * n : 1) * size);
}

int program_node(program *p, const node *n)
{
  p->nodes = grow(p->nodes, p->n_nodes, sizeof *p->nodes);
  p->nodes[p->n_nodes] = *n;
  return p->n_nodes++;
}

int program_statement(program *p, const statement *s)
{
  p->statements = grow(p->statements, p->n_statements, sizeof *p->statements);
  p->statements[p->n_statements] = *s;
  return p->n_statements++;
}

int program_block_end(const program *p, int begin)
{
  int depth = 0;
  for (int i = begin; i < p->n_statements; i++) {
    statement_kind k = p->statements[i].kind;
    depth += k == ST_SCOPE_BEGIN || k == ST_REPEAT_BEGIN;
    depth -= k == ST_SCOPE_END || k == ST_REPEAT_END;
    if (depth == 0) return i;
  }
  return p->n_statements - 1;
}

program *program_copy(const program *p)
{
  program *copy = tsr__malloc(sizeof *copy);
  *copy = *p;
  copy->nodes = NULL;
  copy->statements = NULL;
  copy->where = NULL;
  copy->n_nodes = copy->n_statements = 0;
  for (int i = 0; i < p->n_nodes; i++) program_node(copy, &p->nodes[i]);
  for (int i = 0; i < p->n_statements; i++) program_statement(copy, &p->statements[i]);
  return copy;
}

void program_destroy(program *p)
{
  if (!p) return;
  free(p->nodes);
  free(p->statements);
  free(p->where);
  free(p);
}

/* Copies node i and what it needs into `to`; its new number. */
static int copy_tree(const program *from, program *to, int i)
{
  node n = from->nodes[i];
  for (int k = 0; k < n.n_args; k++) n.args[k] = copy_tree(from, to, n.args[k]);
  return program_node(to, &n);
}

void program_compact(program *p)
{
  program to = {.n_nodes = 0};
  for (int i = 0; i < p->n_statements; i++) {
    statement *st = &p->statements[i];
    statement_kind k = st->kind;
    bool writes = k == ST_ASSIGN || k == ST_INPLACE;
    bool has_value = writes || k == ST_LET || k == ST_REPLACE || k == ST_ITEM || k == ST_READ_BEGIN;
    st->target = writes ? copy_tree(p, &to, st->target) : 0;
    st->value = has_value ? copy_tree(p, &to, st->value) : 0;
  }
  free(p->nodes);
  p->nodes = to.nodes;
  p->n_nodes = to.n_nodes;
}
