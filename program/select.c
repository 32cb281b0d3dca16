/* Selection: whether each waiting op runs now, stays as a deferred value, or is dead.
 *
 * A value is stored if an array outside every open scope holds it, if it was assigned to, if a read
 * asks for it, or if it is the result of a reduction or a task. Other values that are still held
 * are deferred: their op stays in the window, and it may also run now because something stored
 * needs it. A deferred value is stored after all when it would run a second time, or when an op
 * that runs now would overwrite one of its operands. The rule's fixed point is found by repeating
 * two linear scans; each round stores at least one more value, and one or two rounds are usual. */
#include "program/canonical.h"

#include <string.h>

typedef struct select_state {
  tsr_program *p;
  bool *need;          /* [n_regions] used by the backward scan */
  int32_t *last_write; /* [n_regions] last running op that writes the region, or -1 */
  bool *wanted;        /* [n_regions] a handle or an op that stays reads the region's value */
} select_state;

/* Does this op replace the whole region, so that what was there before does not matter? A region
 * without storage also needs a maker, which writes point by point in the region's own order. */
static bool overwrites_all(const tsr_program *p, const tsr_program_op *op)
{
  if (op->creates) return true;
  const tsr_view *v = &op->out_view->view;
  if (tsr__view_size(v) != p->regions[op->out].n_elems) return false;
  return p->regions[op->out].exists ? tsr__view_is_injective(v) : tsr__view_is_identity(v);
}

/* Where the op that made a region is dead, because another one overwrites all of it, that other op
 * becomes its maker. */
static void mark_makers(const select_state *x)
{
  tsr_program *p = x->p;
  bool *made = x->need;
  memset(made, 0, (size_t)p->n_regions * sizeof *made);
  for (int32_t i = 0; i < p->n_ops; i++) {
    tsr_program_op *op = &p->ops[i];
    if (op->action != TSR_ACT_RUN || made[op->out]) continue;
    made[op->out] = true;
    if (!p->regions[op->out].exists) op->creates = true;
  }
}

/* Is what the op writes, or what another op of the same task writes, read later? The scan goes
 * backwards, so later ops are decided. */
static bool is_needed(const select_state *x, int32_t i)
{
  const tsr_program_op *ops = x->p->ops, *first = &ops[i - ops[i].follows];
  if (x->need[ops[i].out] || first->call == NULL) return x->need[ops[i].out];
  for (int32_t j = i - ops[i].follows; j < i - ops[i].follows + first->call->n_stored; j++)
    if (j > i ? ops[j].action == TSR_ACT_RUN : x->need[ops[j].out]) return true;
  return false;
}

static void scan_needs(select_state *x)
{
  tsr_program *p = x->p;
  for (int32_t r = 0; r < p->n_regions; r++) {
    x->need[r] = p->regions[r].store;
    x->last_write[r] = -1;
  }
  for (int32_t i = p->n_ops - 1; i >= 0; i--) {
    tsr_program_op *op = &p->ops[i];
    if (!is_needed(x, i)) {
      op->action = TSR_ACT_DROP;
      continue;
    }
    op->action = TSR_ACT_RUN;
    if (x->last_write[op->out] < 0) x->last_write[op->out] = i;
    if (overwrites_all(p, op)) x->need[op->out] = false;
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region >= 0) x->need[op->in[j].region] = true;
  }
}

/* Marks the deferred values. Returns true if one of them has to be stored now. */
static bool scan_deferred(select_state *x)
{
  tsr_program *p = x->p;
  bool changed = false;
  for (int32_t r = 0; r < p->n_regions; r++) x->wanted[r] = p->regions[r].is_held;
  for (int32_t i = p->n_ops - 1; i >= 0; i--) {
    tsr_program_op *op = &p->ops[i];
    op->deferred = false;
    if (p->regions[op->out].store || !x->wanted[op->out]) continue;
    bool pinned_is_lost = false;
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region >= 0 && x->last_write[op->in[j].region] > i) pinned_is_lost = true;
    const bool again = op->ran && op->action == TSR_ACT_RUN;
    if (pinned_is_lost || again || tsr__program_op_is_user_task(op)) {
      p->regions[op->out].store = true;
      changed = true;
      continue;
    }
    if (op->action == TSR_ACT_RUN)
      op->deferred = true;
    else
      op->action = TSR_ACT_KEEP;
    if (overwrites_all(p, op)) x->wanted[op->out] = false;
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region >= 0) x->wanted[op->in[j].region] = true;
  }
  return changed;
}

void tsr__program_select(tsr_program *p, tsr_arena *arena)
{
  const size_t n = (size_t)p->n_regions + 1;
  select_state x = {.p = p,
                    .need = tsr__arena_calloc(arena, n, sizeof *x.need),
                    .last_write = tsr__arena_calloc(arena, n, sizeof *x.last_write),
                    .wanted = tsr__arena_calloc(arena, n, sizeof *x.wanted)};
  for (int32_t r = 0; r < p->n_regions; r++) {
    tsr_program_region *region = &p->regions[r];
    region->store = r == p->target || region->is_kept ||
                    ((p->everything || region->was_assigned) && region->is_held);
  }
  for (int32_t i = 0; i < p->n_ops; i++) {
    const tsr_program_op *op = &p->ops[i];
    if ((op->kind == TSR_OPKIND_REDUCE || op->kind == TSR_OPKIND_TASK) &&
        p->regions[op->out].is_held)
      p->regions[op->out].store = true;
  }
  do scan_needs(&x);
  while (scan_deferred(&x));
  mark_makers(&x);
}
