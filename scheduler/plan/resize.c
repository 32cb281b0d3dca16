/* Resizing (resize.h). The passes that only write numbers do so again; the others have nothing to
 * decide, since every question that they asked has the same answer. */
#include "scheduler/plan/resize.h"
#include "scheduler/plan/bases.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/elide.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/regions.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/transfers.h"

#include <string.h>

static bool is_whole_layout(const tsr_plan *plan, const tsr_layout *layout)
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
  return !g->is_halo && !g->is_user && g->blocks.n == 0 && !tsr__has_seams(&g->accesses) &&
         is_whole_layout(plan, g->cut) && tsr__chain_of(plan, g)->n_chunks <= 1;
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
    if (!is_whole_layout(plan, plan->regions[i].layout)) return false;
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

/* Gives the group the domain that it has in the program, its accesses their views. */
static void resize_group(tsr_plan *plan, const tsr_program *p, tsr_group *g,
                         const tsr_view_source *source)
{
  const tsr_program_op *op = &p->ops[g->ops[0].op];
  const tsr_view_ref *domain = op->kind == TSR_OPKIND_REDUCE ? op->in[0].view : op->out_view;
  TSR_ASSERT(domain->view.ndim == g->ndim);
  const bool is_same =
      memcmp(g->shape, domain->view.shape, (size_t)g->ndim * sizeof *g->shape) == 0;
  if (!is_same) tsr__plan_resize_domain(plan, g, domain->view.shape);
  tsr__plan_resize_accesses(plan, p, g, source);
  if (is_same) return;
  tsr__find_part(plan, g);
  tsr__resize_chunk(plan, g);
  for (int32_t i = 0; i < g->accesses.n_reductions; i++)
    tsr__plan_spread(plan, &plan->reductions[g->accesses.first_reduction + i]);
}

static void resize_region(tsr_plan *plan, const tsr_program *p, int32_t region)
{
  const tsr_plan_region *r = &plan->regions[region];
  const bool is_named = region < p->n_regions;
  if (tsr__plan_resize_region(plan, p, region,
                              is_named ? p->regions[region].shape
                                       : plan->groups[r->created_by].shape) &&
      r->layout != NULL)
    tsr__find_tile(plan, p, region);
}

/* Does an array that was there lie as the slot does already? */
static bool lies_alike(const tsr_plan *plan, const tsr_plan_slot *s)
{
  return s->existing && s->aligned == s->wish &&
         tsr__box_equal(&s->shape.alloc, &plan->regions[s->region].alloc);
}

/* Lays the slots out anew. A slot of a single value never changes. */
static void resize_slots(tsr_plan *plan, const tsr_program *p)
{
  for (int32_t i = 0; i < plan->n_slots; i++) {
    tsr_plan_slot *s = &plan->slots[i];
    if (plan->regions[s->region].ndim == 0) continue;
    tsr__align_slot(plan, p, s);
    if (!lies_alike(plan, s)) tsr__lay_out_slot(plan, s);
  }
}

void tsr__plan_resize(tsr_plan *plan, const tsr_program *p)
{
  TSR_ASSERT(plan->sources != NULL && plan->beside == NULL);
  const tsr_view_source *source = plan->sources;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    resize_group(plan, p, &plan->groups[i], source);
    source += plan->groups[i].accesses.n;
  }
  tsr__plan_find_work(plan);
  for (int32_t r = 0; r < plan->n_regions; r++) resize_region(plan, p, r);
  resize_slots(plan, p);
  tsr__resize_buffers(plan);
  tsr__plan_bases(plan);
  plan->edition++;
}
