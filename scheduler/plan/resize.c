/* Resizing (resize.h). The passes that only write numbers do so again; the others have nothing to
 * decide, since every question that they asked has the same answer. */
#include "scheduler/plan/resize.h"
#include "scheduler/plan/bases.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/elide.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"

#include <string.h>

/** Whose view an access has. */
typedef struct tsr_view_source {
  int32_t op; /* number of the op in the program; -1: the access has no op's view */
  int32_t in; /* number of its operand; -1: what it writes */
} tsr_view_source;

static bool is_whole(const tsr_plan *plan, const tsr_layout *layout)
{
  return layout == NULL || layout->replicated || plan->n_places == 1;
}

/* Finds the operand or result of one of the group's ops that has the access's view. A view that is
 * composed, by which the operand of a recomputed value is read, is none of these. */
static bool find_source(const tsr_plan *plan, const tsr_program *p, const tsr_group *g,
                        const tsr_access *a, tsr_view_source *out)
{
  *out = (tsr_view_source){-1, -1};
  if (a->scratch || a->region >= p->n_regions) return true;
  for (int32_t i = 0; i < g->n_ops; i++) {
    const tsr_program_op *op = &p->ops[g->ops[i].op];
    out->op = g->ops[i].op;
    out->in = -1;
    if (tsr__written_into(plan, op->out) == a->region && op->out_view == a->view) return true;
    for (out->in = 0; out->in < op->n_in; out->in++)
      if (tsr__written_into(plan, op->in[out->in].region) == a->region &&
          op->in[out->in].view == a->view)
        return true;
  }
  return false;
}

static bool may_resize_group(const tsr_plan *plan, const tsr_group *g)
{
  return !g->is_halo && !g->is_user && g->in_place.n_blocks == 0 && !tsr__has_seams(&g->accesses) &&
         is_whole(plan, g->cut) && tsr__chain_of(plan, g)->n_chunks <= 1;
}

/* Does the slot share its buffer with one before it of another layout? That they are of about one
 * size is nothing that a window of other extents is asked. */
static bool shares_unlike(const tsr_plan *plan, int32_t slot)
{
  const tsr_plan_slot *s = &plan->slots[slot];
  return s->after >= 0 &&
         plan->regions[plan->slots[s->after].region].layout != plan->regions[s->region].layout;
}

static bool may_resize(const tsr_plan *plan)
{
  if (plan->beside != NULL || !plan->in_line || plan->clusters != NULL || plan->capacity.n > 0 ||
      plan->n_copies > 0 || plan->n_messages > 0 || plan->n_gathers > 0 || plan->n_renamed > 0)
    return false;
  for (int32_t i = 0; i < plan->n_groups; i++)
    if (!may_resize_group(plan, &plan->groups[i])) return false;
  for (int32_t i = 0; i < plan->n_regions; i++)
    if (!is_whole(plan, plan->regions[i].layout)) return false;
  for (int32_t i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].ghosts.n > 0 || plan->slots[i].gathered || shares_unlike(plan, i))
      return false;
  return true;
}

void tsr__plan_may_resize(tsr_plan *plan, const tsr_program *p)
{
  plan->sources = NULL;
  if (!may_resize(plan)) return;
  int32_t n = 0;
  for (int32_t i = 0; i < plan->n_groups; i++) n += plan->groups[i].accesses.n;
  tsr_view_source *sources = tsr__arena_alloc(&plan->arena, ((size_t)n + 1) * sizeof *sources),
                  *next = sources;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    for (int32_t a = 0; a < g->accesses.n; a++)
      if (!find_source(plan, p, g, &g->accesses.v[a], next++)) return;
  }
  plan->sources = sources;
}

bool tsr__plan_can_resize(const tsr_plan *plan, const tsr_window *w)
{
  const tsr_config *config = &plan->scheduler->world->config;
  if (plan->sources == NULL) return false;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_op *op = w->ops[plan->groups[i].ops[0].op];
    const tsr_view_ref *domain = op->kind == TSR_OPKIND_REDUCE ? op->in[0].view : op->out_view;
    if (tsr__group_work(&plan->groups[i], tsr__view_size(&domain->view)) > config->inline_elems)
      return false;
  }
  return true;
}

/* Gives the group the domain that it has in the program. */
static void resize_group(tsr_plan *plan, const tsr_program *p, tsr_group *g)
{
  const tsr_program_op *op = &p->ops[g->ops[0].op];
  const tsr_view_ref *domain = op->kind == TSR_OPKIND_REDUCE ? op->in[0].view : op->out_view;
  const size_t bytes = (size_t)g->ndim * sizeof *g->shape;
  TSR_ASSERT(domain->view.ndim == g->ndim);
  if (memcmp(g->shape, domain->view.shape, bytes) == 0) return;
  memcpy(g->shape, domain->view.shape, bytes);
  g->cut = tsr__layout_resized(plan->scheduler->layouts, g->cut, g->shape);
  tsr__find_part(plan, g);
  tsr__resize_chunk(plan, g);
  memcpy(g->accesses.task.shape, g->shape, bytes);
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    tsr_plan_reduction *r = &plan->reductions[g->accesses.first_reduction + i];
    tsr__tree_init(&r->tree, g->ndim, g->shape, r->axes_mask);
    r->kept = tsr__box_of_shape(g->ndim, g->shape);
  }
}

/* Gives a region the shape and the layout that it has in the program. */
static void resize_region(tsr_plan *plan, const tsr_program *p, int32_t index)
{
  tsr_plan_region *r = &plan->regions[index];
  const int64_t *shape =
      index < p->n_regions ? p->regions[index].shape : plan->groups[r->created_by].shape;
  const size_t bytes = (size_t)r->ndim * sizeof *shape;
  const bool is_same = memcmp(r->shape, shape, bytes) == 0;
  if (is_same && !r->exists) return;
  memcpy(r->shape, shape, bytes);
  if (r->exists)
    r->layout = p->regions[index].stored.layout;
  else if (r->layout != NULL)
    r->layout = tsr__layout_resized(plan->scheduler->layouts, r->layout, shape);
  if (r->layout != NULL) tsr__find_tile(plan, p, index);
}

/* Gives the group's accesses the views of the program. Those of temporaries, which lie in the
 * plan's memory, are of the group's whole domain. */
static void resize_accesses(const tsr_program *p, tsr_group *g, const tsr_view_source *source)
{
  for (int32_t i = 0; i < g->accesses.n; i++, source++) {
    tsr_access *a = &g->accesses.v[i];
    if (a->scratch) continue;
    if (source->op < 0) {
      memcpy(a->view->view.shape, g->shape, (size_t)g->ndim * sizeof *g->shape);
      continue;
    }
    const tsr_program_op *op = &p->ops[source->op];
    tsr_view_ref *view = source->in < 0 ? op->out_view : op->in[source->in].view;
    if (view == a->view) continue;
    tsr__view_ref_drop(a->view);
    a->view = tsr__view_ref_take(view);
  }
}

/* Lays the slots out anew. A slot of a single value never changes. */
static void resize_slots(tsr_plan *plan, const tsr_program *p)
{
  for (int32_t i = 0; i < plan->n_slots; i++) {
    tsr_plan_slot *s = &plan->slots[i];
    if (plan->regions[s->region].ndim == 0) continue;
    tsr__align_slot(plan, p, s);
    tsr__lay_out_slot(plan, s);
  }
}

void tsr__plan_resize(tsr_plan *plan, const tsr_program *p)
{
  TSR_ASSERT(plan->sources != NULL && plan->beside == NULL);
  const tsr_view_source *source = plan->sources;
  plan->work = 0;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    tsr_group *g = &plan->groups[i];
    resize_group(plan, p, g);
    resize_accesses(p, g, source);
    source += g->accesses.n;
    const int64_t work = tsr__group_work(g, tsr__box_volume(&g->part));
    if (plan->work < work) plan->work = work;
  }
  for (int32_t r = 0; r < plan->n_regions; r++) resize_region(plan, p, r);
  resize_slots(plan, p);
  tsr__resize_buffers(plan);
  tsr__plan_bases(plan);
  plan->edition++;
}
