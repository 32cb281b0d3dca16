/* The text of a plan, for dumps and golden tests. Everything is relative to this place's tiles, and
 * peers are numbered by first use, so that interior ranks read alike. */
#include "scheduler/plan/text.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/tiling.h"

#include <stdlib.h>

typedef struct naming {
  int32_t peers[256];
  int n_peers;
} naming;

static int peer_name(naming *x, int32_t peer)
{
  for (int i = 0; i < x->n_peers; i++)
    if (x->peers[i] == peer) return i;
  if (x->n_peers < 256) x->peers[x->n_peers++] = peer;
  return x->n_peers - 1;
}

static void add_box(tsr_text *t, const tsr_box *box, const tsr_box *origin)
{
  char buf[512];
  tsr_box moved = *box;
  if (tsr__box_is_empty(box)) {
    tsr__text_add(t, "nothing");
    return;
  }
  if (!tsr__box_is_empty(origin))
    for (int k = 0; k < box->ndim; k++) moved.lo[k] -= origin->lo[k];
  tsr__text_add(t, "%s", tsr__box_text(&moved, buf, sizeof buf));
}

/* Says of a group in a chain of several how it is tiled over time. */
static void add_tiles(tsr_text *t, const tsr_chain *chain, int32_t index)
{
  if (chain->n_groups == 1) return;
  const tsr_chain_tiles *tiles = &chain->tiles;
  const int32_t step = tsr__chain_step_of(chain, index);
  if (step < 0) return;
  const tsr_chain_step *s = &tiles->steps[step];
  tsr__text_add(t, ", step %d of %d, bands", step + 1, tiles->n_steps);
  for (int k = 0; k < chain->ndim; k++)
    tsr__text_add(t, "%s%lld", k == 0 ? " " : "x", (long long)tiles->band[k]);
  for (int k = 0; k < chain->ndim; k++)
    tsr__text_add(t, "%s%lld", k == 0 ? ", down " : "x", (long long)s->down[k]);
  tsr__text_add(t, ", up %lld", (long long)s->up[0]);
}

static void add_group(tsr_text *t, const tsr_plan *plan, int32_t index)
{
  const tsr_group *g = &plan->groups[index];
  tsr__text_add(t, "group %d %s part ", index, g->cut->replicated ? "replicated" : "cut");
  add_box(t, &g->part, &g->part);
  tsr__text_add(t, ", %d chunks", plan->n_chains > 0 ? tsr__chain_of(plan, g)->n_chunks : 0);
  if (plan->n_chains > 0) add_tiles(t, tsr__chain_of(plan, g), index);
  tsr__text_add(t, "\n");
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    tsr__text_add(t, "  @%d %s ", a->number, a->store ? "store" : "load");
    if (a->scratch) {
      tsr__text_add(t, "reduction %d\n", a->region);
      continue;
    }
    tsr__text_add(t, "r%d slot %d", a->region, a->slot);
    if (a->gather >= 0) tsr__text_add(t, " gathered %d", a->gather);
    tsr__text_add(t, " [");
    for (int k = 0; k < a->view->view.rdim; k++) {
      tsr__text_add(t, "%s%lld", k ? ", " : "", (long long)a->view->view.offset[k]);
      for (int j = 0; j < a->view->view.ndim; j++)
        if (a->view->view.step[k][j] != 0)
          tsr__text_add(t, "%+lld*i%d", (long long)a->view->view.step[k][j], j);
    }
    tsr__text_add(t, "]");
    if (a->view->view.bounded) {
      const tsr_box bounds = tsr__view_bounds(&a->view->view);
      tsr__text_add(t, " within ");
      add_box(t, &bounds, &g->part);
    }
    tsr__text_add(t, "\n");
  }
  if (g->is_task && (g->is_user || g->accesses.task_info != NULL))
    tsr__text_add(t, "  task %s\n", g->is_user ? "of the user's" : g->accesses.task_info->name);
  if (g->is_task || g->is_halo || g->accesses.kernel == NULL) return;
  char *kernel = tsr__kernel_text(g->accesses.kernel);
  tsr__text_add(t, "%s", kernel);
  free(kernel);
}

static void add_messages(tsr_text *t, const tsr_plan *plan, naming *names)
{
  for (int32_t i = 0; i < plan->n_messages; i++) {
    const tsr_message *m = &plan->messages[i];
    tsr__text_add(t, "group %d %s p%d tag %u %zu bytes:", m->group,
                  m->send ? "send to" : "receive from", peer_name(names, m->peer), (unsigned)m->tag,
                  m->bytes);
    for (int32_t p = 0; p < m->n_pieces; p++) {
      tsr__text_add(t, " slot %d ", m->pieces[p].slot);
      add_box(t, &m->pieces[p].box, &plan->regions[plan->slots[m->pieces[p].slot].region].tile);
    }
    tsr__text_add(t, "\n");
  }
}

static void add_reductions(tsr_text *t, const tsr_plan *plan)
{
  static const char *const spread[] = {"local", "tree", "owner"};
  for (int32_t i = 0; i < plan->n_reductions; i++) {
    const tsr_plan_reduction *r = &plan->reductions[i];
    tsr__text_add(t, "reduction %d group %d %s axes 0x%x %s, %d sources, slot %d%s\n", i, r->group,
                  tsr__reduce_name(r->code), (unsigned)r->axes_mask, spread[r->spread],
                  r->n_sources, r->slot, r->by_chunk ? ", by chunk" : "");
  }
}

char *tsr__plan_text(const tsr_plan *plan)
{
  tsr_text t = {0};
  naming names = {.n_peers = 0};
  for (int32_t i = 0; i < plan->n_groups; i++) add_group(&t, plan, i);
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *s = &plan->slots[i];
    const tsr_plan_region *r = &plan->regions[s->region];
    tsr__text_add(&t, "slot %d r%d:%s buffer %d groups %d-%d%s%s%s%s ", i, s->region,
                  tsr__dtype_info((tsr_dtype)r->dtype)->name, s->buffer, s->first_group,
                  s->last_group, s->existing ? " existing" : "", s->final ? " final" : "",
                  s->in_place ? " in place" : "",
                  s->block      ? " block"
                  : s->gathered ? " gathered"
                                : "");
    add_box(&t, &s->shape.alloc, &r->tile);
    tsr__text_add(&t, "\n");
  }
  for (int32_t i = 0; i < plan->n_copies; i++) {
    const tsr_plan_copy *c = &plan->copies[i];
    tsr__text_add(&t, "group %d copy slot %d -> %d ", c->group, c->from, c->to);
    if (c->block > 0) tsr__text_add(&t, "before block %d ", c->block);
    add_box(&t, &c->box, &plan->regions[plan->slots[c->from].region].tile);
    tsr__text_add(&t, "\n");
  }
  add_messages(&t, plan, &names);
  add_reductions(&t, plan);
  tsr__text_add(&t, "%d tasks, %d dependencies%s\n", plan->n_tasks, plan->n_next,
                plan->in_line ? ", in line" : "");
  return t.s;
}

char *tsr__groups_text(const tsr_plan *plan, const tsr_program *p)
{
  static const char *const role[] = {"", " to temporary", " from temporary"};
  tsr_text t = {0};
  char buf[256];
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    tsr__text_add(&t, "group %d domain %s cut %s\n", i,
                  tsr__shape_text(g->ndim, g->shape, buf, 100),
                  tsr__layout_text(g->cut, buf + 100, 156));
    for (int32_t j = 0; j < g->n_ops; j++)
      tsr__text_add(&t, "  %%%d r%d%s\n", g->ops[j].op, p->ops[g->ops[j].op].out,
                    role[g->ops[j].role]);
    for (int32_t j = 0; j < g->n_renames; j++) tsr__text_add(&t, "  renames r%d\n", g->renames[j]);
  }
  const tsr_split *split = &plan->split;
  if (split->n_cut > 0)
    tsr__text_add(&t, "%d expressions cut: %lld bytes per point stored, at least %lld\n",
                  split->n_cut, (long long)split->stored_bytes, (long long)split->least_bytes);
  return t.s != NULL ? t.s : tsr__strdup("");
}

/* The line of the program that asked for the group, if the window has it. */
static void add_line(tsr_text *t, const tsr_plan *plan, const char *before, int32_t group)
{
  if (group >= plan->n_groups) return;
  const tsr_group *g = &plan->groups[group];
  const tsr_location *at = plan->scheduler->window->ops[g->ops[g->n_ops - 1].op]->where;
  tsr__text_add(t, "%s", before);
  if (at != NULL && at->file != NULL) tsr__text_add(t, "%s:%d ", at->file, at->line);
  tsr__text_add(t, "`%s`", at != NULL && at->op != NULL ? at->op : "?");
}

static void add_compared(tsr_text *t, const tsr_compared *c)
{
  if (c->share > 0)
    tsr__text_add(t, " (%.2f of the time, less than %.2f pays)", (double)c->share, (double)c->most);
  if (c->bytes > 0)
    tsr__text_add(t, " (%lld KB beside a cache of %lld KB)", (long long)c->bytes >> 10,
                  (long long)c->cache_bytes >> 10);
}

char *tsr__chains_text(const tsr_plan *plan)
{
  tsr_text t = {0};
  for (int32_t i = 0; i < plan->n_chains; i++) {
    const tsr_chain *c = &plan->chains[i];
    const int32_t last = c->first_group + c->n_groups - 1;
    if (c->n_groups == 1)
      tsr__text_add(&t, "group %d", last);
    else
      tsr__text_add(&t, "groups %d-%d in %d steps, %.2f of the bytes", c->first_group, last,
                    c->tiles.n_steps, (double)c->tiles.share);
    if (c->n_groups > 1) add_compared(&t, &c->compared);
    add_line(&t, plan, ": ", last);
    tsr__text_add(&t, "; ends: %s", tsr__chain_end_text((tsr_chain_end)c->end));
    if (c->n_groups == 1) add_compared(&t, &c->compared);
    if (c->end_group > last) add_line(&t, plan, ", ", c->end_group);
    if (c->steps_end != TSR_END_NONE) {
      tsr__text_add(&t, "; its steps end: %s", tsr__chain_end_text((tsr_chain_end)c->steps_end));
      add_line(&t, plan, ", ", c->steps_end_group);
    }
    tsr__text_add(&t, "\n");
  }
  return t.s != NULL ? t.s : tsr__strdup("");
}

static void add_numbers(tsr_text *t, const char *name, int n, const int64_t *v)
{
  tsr__text_add(t, " %s", name);
  for (int i = 0; i < n; i++) tsr__text_add(t, " %lld", (long long)v[i]);
}

static void add_group_numbers(tsr_text *t, const tsr_plan *plan, const tsr_group *g)
{
  const tsr_footprint *f = &g->footprint;
  char buf[256];
  add_numbers(t, "group", g->ndim, g->shape);
  tsr__text_add(t, " cut %s, %lld %lld %lld bytes, stores %llx%s\n",
                tsr__layout_text(g->cut, buf, sizeof buf), (long long)f->point_bytes,
                (long long)f->cached_bytes, (long long)f->line_bytes,
                (unsigned long long)f->stream_store_mask, f->from_memory ? " from memory" : "");
  tsr__chain_add_pieces(tsr__chain_of(plan, g), t);
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch) continue;
    add_numbers(t, "access", a->view->view.ndim, a->view->view.shape);
    add_numbers(t, "at", 1, &a->origin);
    add_numbers(t, "steps", g->ndim, g->accesses.strides[i]);
  }
  if (g->is_task) add_numbers(t, "task", g->ndim, g->accesses.task.shape);
  tsr__text_add(t, "\n");
}

char *tsr__plan_numbers(const tsr_plan *plan)
{
  tsr_text t = {0};
  for (int32_t i = 0; i < plan->n_groups; i++) add_group_numbers(&t, plan, &plan->groups[i]);
  for (int32_t i = 0; i < plan->n_regions; i++) {
    const tsr_plan_region *r = &plan->regions[i];
    add_numbers(&t, "region", r->ndim, r->shape);
  }
  for (int32_t i = 0; i < plan->n_reductions; i++) {
    const tsr_plan_reduction *r = &plan->reductions[i];
    add_numbers(&t, "tree", r->tree.ndim, r->tree.shape);
    for (int32_t k = 0; k < r->tree.n_levels; k++) tsr__text_add(&t, " %d", r->tree.level_axis[k]);
    add_box(&t, &r->kept, &(tsr_box){.ndim = 0});
  }
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *s = &plan->slots[i];
    tsr__text_add(&t, " slot %lld %zu %zu %lld %lld", (long long)s->aligned, s->agreed_bytes,
                  s->shape.bytes, (long long)s->shape.lead_bytes, (long long)s->shape.aligned);
    add_numbers(&t, "by", s->shape.alloc.ndim, s->shape.stride_bytes);
  }
  for (int32_t i = 0; i < plan->n_buffers; i++)
    tsr__text_add(&t, " buffer %zu %zu", plan->buffers[i].bytes, plan->buffers[i].agreed_bytes);
  tsr__text_add(&t, " new %zu work %lld\n", plan->agreed_new_bytes, (long long)plan->work);
  return t.s;
}
