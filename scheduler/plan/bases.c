/* Bases: where each access begins and how it moves, as bytes relative to its slot's memory, so that
 * running a chunk is a few additions per access. */
#include "scheduler/plan/bases.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"

#include <string.h>

static void base_of(const tsr_plan *plan, tsr_access *a, int ndim, int64_t *stride)
{
  const tsr_instance *shape = &plan->slots[tsr__access_slot(a, 0)].shape;
  const tsr_view *v = &a->view->view;
  TSR_ASSERT(v->rdim == shape->alloc.ndim && v->ndim == ndim);
  a->origin = shape->lead_bytes;
  for (int k = 0; k < v->rdim; k++)
    a->origin += (v->offset[k] - shape->alloc.lo[k]) * shape->stride_bytes[k];
  tsr__instance_strides(shape, v, stride);
}

/* The strides of a group, which lie in the scratch, in the plan's memory: those of a group shortly
 * before it where they are the same, as in a loop of steps. */
static int64_t (*shared_strides(tsr_plan *plan, int32_t group))[TSR_MAX_NDIM]
{
  enum { MOST_BEFORE = 16 };
  const tsr_accesses *a = &plan->groups[group].accesses;
  const size_t bytes = (size_t)a->n * sizeof *a->strides;
  for (int32_t i = group - 1; i >= 0 && i >= group - MOST_BEFORE; i--) {
    const tsr_accesses *before = &plan->groups[i].accesses;
    if (before->n == a->n && memcmp(before->strides, a->strides, bytes) == 0)
      return before->strides;
  }
  return memcpy(tsr__arena_alloc(&plan->arena, bytes + 1), a->strides, bytes);
}

void tsr__plan_bases(tsr_plan *plan)
{
  for (int32_t i = 0; i < plan->n_groups; i++) {
    tsr_group *g = &plan->groups[i];
    const bool is_again = g->accesses.strides != NULL; /* The plan is resized. */
    if (!is_again) /* A plan that may be resized runs in line, and its groups share no strides. */
      g->accesses.strides =
          tsr__arena_calloc(plan->in_line ? &plan->arena : plan->scratch, (size_t)g->accesses.n + 1,
                            sizeof *g->accesses.strides);
    TSR_ASSERT(!is_again || plan->in_line);
    if (!tsr__box_is_empty(&g->part) && tsr__chain_of(plan, g)->n_chunks > 0)
      for (int32_t a = 0; a < g->accesses.n; a++)
        if (!g->accesses.v[a].scratch)
          base_of(plan, &g->accesses.v[a], g->ndim, g->accesses.strides[a]);
    if (!plan->in_line) g->accesses.strides = shared_strides(plan, i);
  }
}
