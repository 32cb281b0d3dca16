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

/* The most boxes that a value's missing points are kept as; beyond, it is wanted as a whole. */
enum { MOST_MISSING = 64 };

/** Whose values a scan that goes backwards has found to be read. Of a region that the window makes,
 * it also knows which points no later op has written before that read: where the boxes that ops
 * write cover the whole region, as those of a joined array do, what was there before does not
 * matter. */
typedef struct demand {
  bool *is_read; /* [n_regions] */
  /* [n_regions] of a region that is read; none: all of them, as no later op has written some */
  tsr_boxes *missing;
} demand;

typedef struct select_state {
  tsr_program *p;
  demand need;         /* by reads of this flush */
  int32_t *last_write; /* [n_regions] last running op that writes the region, or -1 */
  demand wanted;       /* by handles, and by ops that stay */
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

static demand demand_begin(tsr_arena *arena, size_t n_regions)
{
  demand d;
  d.is_read = tsr__arena_calloc(arena, n_regions, sizeof *d.is_read);
  d.missing = tsr__arena_calloc(arena, n_regions, sizeof *d.missing);
  return d;
}

static void demand_end(demand *d, int32_t n_regions)
{
  for (int32_t r = 0; r < n_regions; r++) tsr__boxes_free(&d->missing[r]);
}

static void demand_value(demand *d, int32_t region, bool is_read)
{
  d->is_read[region] = is_read;
  tsr__boxes_clear(&d->missing[region]);
}

/* Takes what the op writes from what is demanded. Parts are followed in regions that the window
 * makes, where they spare an op. */
static void meet_demand(const tsr_program *p, demand *d, const tsr_program_op *op)
{
  const tsr_program_region *out = &p->regions[op->out];
  if (!d->is_read[op->out] || op->kind == TSR_OPKIND_HALO) return;
  if (overwrites_all(p, op)) {
    demand_value(d, op->out, false);
    return;
  }
  const tsr_view *v = &op->out_view->view;
  if (out->exists || out->n_elems == 0 || tsr__view_size(v) == 0) return;
  const tsr_box all = tsr__box_of_shape(v->ndim, v->shape);
  tsr_boxes *missing = &d->missing[op->out];
  tsr_box written;
  if (!tsr__view_image(v, &all, &written) || missing->n > MOST_MISSING) return;
  if (missing->n == 0) {
    const tsr_box whole = tsr__box_of_shape(out->ndim, out->shape);
    tsr__boxes_add(missing, &whole);
  }
  tsr__boxes_subtract_keep(missing, &written);
  if (missing->n == 0) d->is_read[op->out] = false;
}

/* Where the op that made a region is dead, because another one overwrites all of it, that other op
 * becomes its maker. Where the boxes that ops write cover it, none of them does. */
static void mark_makers(const select_state *x)
{
  tsr_program *p = x->p;
  bool *made = x->need.is_read;
  memset(made, 0, (size_t)p->n_regions * sizeof *made);
  for (int32_t i = 0; i < p->n_ops; i++) {
    tsr_program_op *op = &p->ops[i];
    if (op->action != TSR_ACT_RUN || made[op->out]) continue;
    made[op->out] = true;
    if (!p->regions[op->out].exists && overwrites_all(p, op)) op->creates = true;
  }
}

/* Is what the op writes, or what another op of the same task writes, read later? The scan goes
 * backwards, so later ops are decided. */
static bool is_needed(const select_state *x, int32_t i)
{
  const tsr_program_op *ops = x->p->ops, *first = &ops[i - ops[i].follows];
  const bool *is_read = x->need.is_read;
  if (is_read[ops[i].out] || first->call == NULL) return is_read[ops[i].out];
  for (int32_t j = i - ops[i].follows; j < i - ops[i].follows + first->call->n_stored; j++)
    if (j > i ? ops[j].action == TSR_ACT_RUN : is_read[ops[j].out]) return true;
  return false;
}

static void scan_needs(select_state *x)
{
  tsr_program *p = x->p;
  for (int32_t r = 0; r < p->n_regions; r++) {
    demand_value(&x->need, r, p->regions[r].store);
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
    meet_demand(p, &x->need, op);
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region >= 0) demand_value(&x->need, op->in[j].region, true);
  }
}

/* Marks the deferred values. Returns true if one of them has to be stored now. */
static bool scan_deferred(select_state *x)
{
  tsr_program *p = x->p;
  bool changed = false;
  for (int32_t r = 0; r < p->n_regions; r++) demand_value(&x->wanted, r, p->regions[r].is_held);
  for (int32_t i = p->n_ops - 1; i >= 0; i--) {
    tsr_program_op *op = &p->ops[i];
    op->deferred = false;
    if (p->regions[op->out].store || !x->wanted.is_read[op->out]) continue;
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
    meet_demand(p, &x->wanted, op);
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region >= 0) demand_value(&x->wanted, op->in[j].region, true);
  }
  return changed;
}

void tsr__program_select(tsr_program *p, tsr_arena *arena)
{
  const size_t n = (size_t)p->n_regions + 1;
  select_state x = {.p = p,
                    .need = demand_begin(arena, n),
                    .last_write = tsr__arena_calloc(arena, n, sizeof *x.last_write),
                    .wanted = demand_begin(arena, n)};
  for (int32_t r = 0; r < p->n_regions; r++) {
    tsr_program_region *region = &p->regions[r];
    region->store = r == p->target || region->outlives ||
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
  demand_end(&x.need, p->n_regions);
  demand_end(&x.wanted, p->n_regions);
  tsr__program_redirect(p, arena);
}
