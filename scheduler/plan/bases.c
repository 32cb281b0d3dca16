/* Bases: where each access begins and how it moves, as bytes relative to its slot's memory, so that
 * running a chunk is a few additions per access; and the arrays that every run of the plan uses
 * again. */
#include "scheduler/scheduler_int.h"

static void base_of(const tsr_plan *plan, tsr_access *a, int ndim, int64_t *stride)
{
  const tsr_instance *shape = &plan->slots[a->gather >= 0 ? a->gather : a->slot].shape;
  const tsr_view *v = &a->view->view;
  a->origin = shape->lead_bytes;
  for (int j = 0; j < ndim; j++) stride[j] = 0;
  for (int k = 0; k < v->rdim; k++) {
    a->origin += (v->offset[k] - shape->alloc.lo[k]) * shape->stride_bytes[k];
    for (int j = 0; j < ndim; j++) stride[j] += v->step[k][j] * shape->stride_bytes[k];
  }
}

void tsr__plan_bases(tsr_plan *plan)
{
  tsr_arena *arena = &plan->arena;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    tsr_group *g = &plan->groups[i];
    g->accesses.strides =
        tsr__arena_calloc(arena, (size_t)g->accesses.n + 1, sizeof *g->accesses.strides);
    if (tsr__box_is_empty(&g->part) || g->chunks.n == 0) continue;
    for (int32_t a = 0; a < g->accesses.n; a++)
      if (!g->accesses.v[a].scratch)
        base_of(plan, &g->accesses.v[a], g->ndim, g->accesses.strides[a]);
  }
  plan->binding.scalars = tsr__arena_calloc(arena, (size_t)plan->n_scalars + 1, sizeof(tsr_scalar));
  plan->binding.instances =
      tsr__arena_calloc(arena, (size_t)plan->n_slots + 1, sizeof(tsr_instance));
  plan->binding.buffers = tsr__arena_calloc(arena, (size_t)plan->n_buffers + 1, sizeof(void *));
  plan->binding.on_host = tsr__arena_calloc(arena, (size_t)plan->n_groups + 1, sizeof(bool));
  plan->binding.is_hosts = tsr__arena_calloc(arena, (size_t)plan->n_buffers + 1, sizeof(bool));
  plan->binding.spaces = tsr__arena_calloc(arena, (size_t)plan->n_buffers + 1, 1);
  plan->binding.calls =
      tsr__arena_calloc(arena, (size_t)plan->n_groups + 1, sizeof(tsr_task_call *));
  plan->taken = tsr__arena_calloc(arena, (size_t)plan->n_buffers + 1, sizeof(bool));
  for (int32_t i = 0; i < plan->n_slots; i++) plan->binding.instances[i] = plan->slots[i].shape;
}
