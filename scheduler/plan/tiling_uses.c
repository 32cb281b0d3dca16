/* What steps of a chain do with buffers: by which constants their accesses are displaced. */
#include "scheduler/plan/tiling_int.h"

#include <string.h>

enum {
  MOST_BUFFERS = 16, /* of a group */
  LEAST_PERIOD = 16
};

int64_t tsr__nearest_distance(tsr_tiling *t, int axis, int64_t d)
{
  int64_t *period = &t->axes.period[axis];
  const int64_t far = d < 0 ? -d : d;
  if (*period == 0 && far >= LEAST_PERIOD && 2 * far > t->extent[axis]) *period = far;
  if (*period == 0) return d;
  d %= *period;
  return 2 * d > *period ? d - *period : 2 * d < -*period ? d + *period : d;
}

bool tsr__find_moving_axes(const tsr_view *v, int8_t *axis, int64_t *stride)
{
  uint32_t seen = 0;
  for (int k = 0; k < v->rdim; k++) {
    axis[k] = -1;
    stride[k] = 1;
    for (int j = 0; j < v->ndim; j++) {
      if (v->step[k][j] == 0) continue;
      if (v->step[k][j] < 1 || axis[k] >= 0 || (seen >> j & 1)) return false;
      axis[k] = (int8_t)j;
      stride[k] = v->step[k][j];
      seen |= 1u << j;
    }
  }
  return seen == (1u << v->ndim) - 1;
}

/* Sets at[] to the element, from the first of the slot's memory on, that index 0 leads to. False:
 * the access moves along other axes than the step does. */
static bool displacement(const tsr_plan *plan, const tsr_access *a, const tsr_chain_step *s,
                         int n_axes, int64_t *at)
{
  const tsr_view *v = &a->view->view;
  int8_t axis[TSR_MAX_NDIM];
  int64_t stride[TSR_MAX_NDIM];
  if (v->rdim != n_axes || !tsr__find_moving_axes(v, axis, stride) ||
      memcmp(axis, s->axis, (size_t)n_axes) != 0 ||
      memcmp(stride, s->stride, (size_t)n_axes * sizeof *stride) != 0)
    return false;
  for (int k = 0; k < n_axes; k++) at[k] = v->offset[k] - plan->slots[a->slot].shape.alloc.lo[k];
  return true;
}

/* Where two loads take turns, they lead to points that are a period apart. */
static void compare_turns(tsr_tiling *t, const int64_t *at, const int64_t *other)
{
  for (int k = 0; k < t->ndim; k++) {
    const int64_t apart = at[k] < other[k] ? other[k] - at[k] : at[k] - other[k];
    if (t->axes.period[k] == 0 && apart >= LEAST_PERIOD) t->axes.period[k] = apart;
  }
}

/* Widens what is known of an access to where one more access leads, with the halo that a task
 * reads, or to a point that is as good and nearest to `by`, if there is one. */
static void add_displacement(tsr_tiling *t, tsr_reach *r, const tsr_reach *by, const tsr_view *v,
                             int64_t *at)
{
  for (int k = 0; k < t->ndim && by->any; k++)
    at[k] = by->lo[k] + tsr__nearest_distance(t, k, at[k] - by->lo[k]);
  for (int k = 0; k < t->ndim && v->reaches; k++) at[k] -= v->before[k];
  tsr__reach_widen(r, t->ndim, at);
  if (!v->reaches) return;
  for (int k = 0; k < t->ndim; k++) at[k] += v->before[k] + v->after[k];
  tsr__reach_widen(r, t->ndim, at);
}

/* Adds the result of a reduction, which is no step's to read before the chain has run. */
static void add_result(tsr_tiling *t, int32_t slot, tsr_uses *out)
{
  const tsr_plan *plan = t->plan;
  t->n_results++;
  out->v = tsr__arena_grow(plan->scratch, out->v, out->n, &out->capacity, sizeof *out->v);
  out->v[out->n++] = (tsr_use){
      .buffer = plan->slots[slot].buffer, .slot = slot, .is_result = true, .stores = {.any = true}};
}

bool tsr__uses_of_group(tsr_tiling *t, const tsr_group *g, const tsr_chain_step *s, tsr_uses *out)
{
  const tsr_plan *plan = t->plan;
  int64_t at[TSR_MAX_NDIM], before[TSR_MAX_NDIM] = {0};
  int32_t before_of = -1; /* the access whose displacement that is */
  *out = (tsr_uses){.n = 0};
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch) continue;
    const int32_t buffer = plan->slots[a->slot].buffer;
    int32_t u = 0;
    while (u < out->n && (out->v[u].buffer != buffer || out->v[u].slot != a->slot)) u++;
    if (u == MOST_BUFFERS) return tsr__end_by(t, TSR_END_BUFFERS);
    if (u == out->n) {
      out->v = tsr__arena_grow(plan->scratch, out->v, out->n, &out->capacity, sizeof *out->v);
      out->v[out->n++] = (tsr_use){.buffer = buffer, .slot = a->slot, .is_displaced = true};
    }
    if (displacement(plan, a, s, t->ndim, at)) {
      tsr_use *its = &out->v[u];
      if (before_of >= 0 && a->number == g->accesses.v[before_of].number)
        compare_turns(t, at, before);
      memcpy(before, at, (size_t)t->ndim * sizeof *at);
      before_of = i;
      add_displacement(t, a->store ? &its->stores : &its->loads,
                       its->stores.any ? &its->stores : &its->loads, &a->view->view, at);
    } else if (a->store)
      return tsr__end_by(t, TSR_END_AXES);
    else
      out->v[u].is_displaced = false;
  }
  for (int32_t i = 0; i < g->accesses.n_reductions; i++)
    add_result(t, plan->reductions[g->accesses.first_reduction + i].slot, out);
  return true;
}

void tsr__uses_of_copy(const tsr_tiling *t, const tsr_plan_copy *c, tsr_uses *out)
{
  const tsr_plan *plan = t->plan;
  *out = (tsr_uses){.n = 0};
  for (int is_store = 0; is_store < 2; is_store++) {
    const int32_t slot = is_store ? c->to : c->from;
    int64_t at[TSR_MAX_NDIM];
    for (int k = 0; k < t->ndim; k++) at[k] = -plan->slots[slot].shape.alloc.lo[k];
    out->v = tsr__arena_grow(plan->scratch, out->v, out->n, &out->capacity, sizeof *out->v);
    tsr_use *u = &out->v[out->n++];
    *u = (tsr_use){.buffer = plan->slots[slot].buffer, .slot = slot, .is_displaced = true};
    tsr__reach_widen(is_store ? &u->stores : &u->loads, t->ndim, at);
  }
}
