/* Bases: where each access begins and how it moves, as bytes relative to its slot's memory, so that
 * running a chunk is a few additions per access. */
#include "scheduler/plan/bases.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"

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

void tsr__plan_bases(tsr_plan *plan)
{
  for (int32_t i = 0; i < plan->n_groups; i++) {
    tsr_group *g = &plan->groups[i];
    if (g->accesses.strides == NULL) /* A plan that is resized has space already. */
      g->accesses.strides =
          tsr__arena_calloc(&plan->arena, (size_t)g->accesses.n + 1, sizeof *g->accesses.strides);
    if (tsr__box_is_empty(&g->part) || tsr__chain_of(plan, g)->n_chunks == 0) continue;
    for (int32_t a = 0; a < g->accesses.n; a++)
      if (!g->accesses.v[a].scratch)
        base_of(plan, &g->accesses.v[a], g->ndim, g->accesses.strides[a]);
  }
}
