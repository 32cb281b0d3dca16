/* Redirection: a copy into a new region, of a value that is made box by box and that nothing else
 * reads, does not run. The boxes are written through the copy's view, to where it would have put
 * them. So stack([a, b]).reshape(n) is one pass: each operation stores into the result. */
#include "program/canonical.h"

#include <string.h>

/** What the ops of a program that are not dead do with a region. */
typedef struct region_use {
  int32_t n_reads, n_writes, first_write;
  bool is_by_boxes; /* only plain ops write it, and none of them as a whole */
} region_use;

/* Does the op write one array, point by point, with nobody waiting for it? */
static bool is_plain_op(const tsr_program_op *op)
{
  const bool is_pointwise =
      op->kind == TSR_OPKIND_MAP || op->kind == TSR_OPKIND_COPY || op->kind == TSR_OPKIND_IOTA;
  return is_pointwise && op->action == TSR_ACT_RUN && !op->deferred && op->call == NULL &&
         op->side == TSR_SIDE_ANY;
}

static region_use *uses_of(const tsr_program *p, tsr_arena *arena)
{
  region_use *use = tsr__arena_calloc(arena, (size_t)p->n_regions + 1, sizeof *use);
  for (int32_t i = 0; i < p->n_ops; i++) {
    const tsr_program_op *op = &p->ops[i];
    if (op->action == TSR_ACT_DROP) continue;
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region >= 0) use[op->in[j].region].n_reads++;
    region_use *out = &use[op->out];
    if (out->n_writes == 0) *out = (region_use){out->n_reads, 0, i, true};
    out->n_writes++;
    out->is_by_boxes &= is_plain_op(op) && !op->creates;
  }
  return use;
}

/* Leads an op's view of what is copied on, through the view of the copy. */
static bool view_through(const tsr_program_op *op, const tsr_program_op *copy, tsr_view *out)
{
  return tsr__view_compose(&op->out_view->view, &copy->out_view->view, out) &&
         tsr__view_is_separable(out);
}

static bool may_redirect(const tsr_program *p, const region_use *use, int32_t index)
{
  const tsr_program_op *op = &p->ops[index];
  if (op->kind != TSR_OPKIND_COPY || op->n_in != 1 || op->in[0].region < 0 || !op->creates ||
      !is_plain_op(op))
    return false;
  const int32_t from = op->in[0].region;
  const tsr_program_region *x = &p->regions[from], *y = &p->regions[op->out];
  if (x->exists || x->store || x->is_held || y->exists || x->dtype != y->dtype ||
      x->replicate != y->replicate || x->n_elems != y->n_elems)
    return false;
  if (use[from].n_reads != 1 || !use[from].is_by_boxes || use[op->out].first_write != index)
    return false;
  if (!tsr__view_is_identity(&op->in[0].view->view)) return false;
  tsr_view through;
  for (int32_t i = 0; i < index; i++)
    if (p->ops[i].out == from && p->ops[i].action == TSR_ACT_RUN &&
        !(is_plain_op(&p->ops[i]) && view_through(&p->ops[i], op, &through)))
      return false;
  return true;
}

/* Lets what writes boxes of what the op copies write its result. */
static void redirect_writes(tsr_program *p, int32_t index)
{
  const tsr_program_op *copy = &p->ops[index];
  for (int32_t i = 0; i < index; i++) {
    tsr_program_op *op = &p->ops[i];
    if (op->out != copy->in[0].region || op->action != TSR_ACT_RUN) continue;
    tsr_view through;
    const bool is_somewhere = view_through(op, copy, &through);
    TSR_ASSERT(is_somewhere);
    (void)is_somewhere;
    tsr_view_ref *to = tsr__view_ref_new(op->out_view->window, &through);
    tsr__view_ref_drop(op->out_view);
    op->out_view = to;
    op->out = copy->out;
  }
}

void tsr__program_redirect(tsr_program *p, tsr_arena *arena)
{
  region_use *use = NULL;
  for (int32_t i = 0; i < p->n_ops; i++) {
    tsr_program_op *op = &p->ops[i];
    if (op->kind != TSR_OPKIND_COPY || op->action != TSR_ACT_RUN || op->n_in != 1 ||
        op->in[0].region < 0 || p->regions[op->in[0].region].exists)
      continue;
    if (use == NULL) use = uses_of(p, arena);
    if (!may_redirect(p, use, i)) continue;
    op->action = TSR_ACT_REDIRECTED;
    redirect_writes(p, i);
    const int32_t n_reads = use[op->out].n_reads;
    use[op->out] = use[op->in[0].region];
    use[op->out].n_reads = n_reads; /* a copy of the copy may be redirected in turn */
  }
}

void tsr__program_redirect_again(tsr_program *p)
{
  for (int32_t i = 0; i < p->n_ops; i++)
    if (p->ops[i].action == TSR_ACT_REDIRECTED) redirect_writes(p, i);
}
