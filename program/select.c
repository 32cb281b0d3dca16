/* Selection: whether each waiting op runs now, stays as a deferred value, or is dead.
 *
 * A value is stored if an array outside every open scope holds it, if it was assigned to, if a read
 * asks for it, or if it is the result of a reduction or a task. Other values that are still held
 * are deferred: their op stays in the window, and it may also run now because something stored
 * needs it. A deferred value is stored after all when it would run a second time, or when an op
 * that runs now would overwrite one of its operands. The rule's fixed point is found by repeating
 * two linear scans; each round stores at least one more value, and one or two rounds are usual. */
#include "program/program.h"

#include <string.h>

typedef struct select_state {
  const tsr_window *w;
  tsr_selection *s;
  bool *need;          /* [n_regions] used by the backward scan */
  int32_t *last_write; /* [n_regions] last running op that writes the region, or -1 */
  bool *wanted;        /* [n_regions] a handle or an op that stays reads the region's value */
} select_state;

static void number_region(tsr_selection *s, tsr_region *r)
{
  if (r->local >= 0 && r->local < s->n_regions && s->regions[r->local] == r) return;
  r->local = s->n_regions;
  s->regions[s->n_regions++] = r;
}

void tsr__number_regions(const tsr_window *w, tsr_selection *s, tsr_arena *arena)
{
  int32_t most = 0;
  for (int32_t i = 0; i < w->n_ops; i++) most += w->ops[i]->n_in + 1;
  s->regions = tsr__arena_alloc(arena, (size_t)(most + 1) * sizeof *s->regions);
  for (int32_t i = 0; i < w->n_ops; i++) {
    tsr_op *op = w->ops[i];
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region != NULL) number_region(s, op->in[j].region);
    number_region(s, op->out);
  }
}

/* Does this op replace the whole region, so that what was there before does not matter? A region
 * without storage also needs a maker, which writes point by point in the region's own order. */
static bool overwrites_all(const tsr_op *op)
{
  if (op->creates) return true;
  const tsr_view *v = &op->out_view->view;
  if (tsr__view_size(v) != op->out->n_elems) return false;
  return op->out->storage == NULL ? tsr__view_is_identity(v) : tsr__view_is_injective(v);
}

/* Where the op that made a region is dead, because another one overwrites all of it, that other op
 * becomes its maker. */
static void mark_makers(const select_state *x)
{
  const tsr_selection *s = x->s;
  bool *made = x->need;
  memset(made, 0, (size_t)s->n_regions * sizeof *made);
  for (int32_t i = 0; i < s->n_ops; i++) {
    tsr_op *op = x->w->ops[i];
    if (s->action[i] != TSR_ACT_RUN || made[op->out->local]) continue;
    made[op->out->local] = true;
    if (op->out->storage == NULL) op->creates = true;
  }
}

/* Is what the op writes, or what another op of the same task writes, read later? The scan goes
 * backwards, so later ops are decided. */
static bool is_needed(const select_state *x, int32_t i)
{
  const tsr_op *op = x->w->ops[i], *first = x->w->ops[i - op->follows];
  if (x->need[op->out->local] || first->call == NULL) return x->need[op->out->local];
  for (int32_t j = i - op->follows; j < i - op->follows + first->call->n_stored; j++)
    if (j > i ? x->s->action[j] == TSR_ACT_RUN : x->need[x->w->ops[j]->out->local]) return true;
  return false;
}

static void scan_needs(select_state *x)
{
  tsr_selection *s = x->s;
  memcpy(x->need, s->store, (size_t)s->n_regions * sizeof *x->need);
  for (int32_t r = 0; r < s->n_regions; r++) x->last_write[r] = -1;
  for (int32_t i = s->n_ops - 1; i >= 0; i--) {
    const tsr_op *op = x->w->ops[i];
    int32_t out = op->out->local;
    if (!is_needed(x, i)) {
      s->action[i] = TSR_ACT_DROP;
      continue;
    }
    s->action[i] = TSR_ACT_RUN;
    if (x->last_write[out] < 0) x->last_write[out] = i;
    if (overwrites_all(op)) x->need[out] = false;
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region != NULL) x->need[op->in[j].region->local] = true;
  }
}

/* Marks the deferred values. Returns true if one of them has to be stored now. */
static bool scan_deferred(select_state *x)
{
  tsr_selection *s = x->s;
  bool changed = false;
  for (int32_t r = 0; r < s->n_regions; r++) x->wanted[r] = s->regions[r]->n_handles > 0;
  for (int32_t i = s->n_ops - 1; i >= 0; i--) {
    const tsr_op *op = x->w->ops[i];
    int32_t out = op->out->local;
    s->deferred[i] = false;
    if (s->store[out] || !x->wanted[out]) continue;
    bool pinned_is_lost = false;
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region != NULL && x->last_write[op->in[j].region->local] > i)
        pinned_is_lost = true;
    bool again = op->ran && s->action[i] == TSR_ACT_RUN;
    if (pinned_is_lost || again || tsr__op_is_user_task(op)) {
      s->store[out] = true;
      changed = true;
      continue;
    }
    if (s->action[i] == TSR_ACT_RUN)
      s->deferred[i] = true;
    else
      s->action[i] = TSR_ACT_KEEP;
    if (overwrites_all(op)) x->wanted[out] = false;
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region != NULL) x->wanted[op->in[j].region->local] = true;
  }
  return changed;
}

void tsr__select(const tsr_window *w, const tsr_region *target, bool everything, tsr_arena *arena,
                 tsr_selection *out)
{
  memset(out, 0, sizeof *out);
  out->n_ops = w->n_ops;
  tsr__number_regions(w, out, arena);
  size_t n_ops = (size_t)out->n_ops, n_regions = (size_t)out->n_regions;
  out->action = tsr__arena_calloc(arena, n_ops + 1, sizeof *out->action);
  out->deferred = tsr__arena_calloc(arena, n_ops + 1, sizeof *out->deferred);
  out->store = tsr__arena_calloc(arena, n_regions + 1, sizeof *out->store);
  select_state x = {.w = w,
                    .s = out,
                    .need = tsr__arena_calloc(arena, n_regions + 1, sizeof *x.need),
                    .last_write = tsr__arena_calloc(arena, n_regions + 1, sizeof *x.last_write),
                    .wanted = tsr__arena_calloc(arena, n_regions + 1, sizeof *x.wanted)};
  for (int32_t r = 0; r < out->n_regions; r++) {
    const tsr_region *region = out->regions[r];
    out->store[r] = region == target || region->n_stored > 0 ||
                    ((everything || region->was_assigned) && region->n_handles > 0);
  }
  for (int32_t i = 0; i < w->n_ops; i++)
    if ((w->ops[i]->kind == TSR_OPKIND_REDUCE || w->ops[i]->kind == TSR_OPKIND_TASK) &&
        w->ops[i]->out->n_handles > 0)
      out->store[w->ops[i]->out->local] = true;
  do scan_needs(&x);
  while (scan_deferred(&x));
  mark_makers(&x);
}
