/* Regions of a plan, and their versions (regions.h). */
#include "scheduler/plan/regions.h"

#include <string.h>

int32_t tsr__plan_add_region(tsr_plan *plan, tsr_dtype dtype, int ndim, const int64_t *shape)
{
  plan->regions = tsr__arena_grow(plan->scratch, plan->regions, plan->n_regions, &plan->cap_regions,
                                  sizeof *plan->regions);
  tsr_plan_region *r = &plan->regions[plan->n_regions];
  memset(r, 0, sizeof *r);
  r->dtype = (uint8_t)dtype;
  r->ndim = ndim;
  memcpy(r->shape, shape, (size_t)ndim * sizeof *shape);
  r->created_by = -1;
  r->into = plan->n_regions;
  return plan->n_regions++;
}

void tsr__plan_regions(tsr_plan *plan, const tsr_program *program)
{
  enum { MORE = 8 }; /* temporaries follow */
  TSR_ASSERT(plan->n_regions == 0);
  plan->regions = tsr__arena_reserve(plan->scratch, program->n_regions + MORE, &plan->cap_regions,
                                     sizeof *plan->regions);
  for (int32_t i = 0; i < program->n_regions; i++) {
    const tsr_program_region *region = &program->regions[i];
    int32_t r = tsr__plan_add_region(plan, (tsr_dtype)region->dtype, region->ndim, region->shape);
    tsr_plan_region *p = &plan->regions[r];
    p->store = region->store;
    p->exists = region->exists;
    if (p->exists) p->layout = region->stored.layout;
  }
}

bool tsr__plan_rename(tsr_plan *plan, int32_t region, int32_t group)
{
  tsr_plan_region *r = &plan->regions[region];
  if (r->n_renames > 0 && r->renamed_by[r->n_renames - 1] == group) return false;
  TSR_ASSERT(r->n_renames == 0 || r->renamed_by[r->n_renames - 1] < group);
  r->renamed_by = tsr__arena_grow(plan->scratch, r->renamed_by, r->n_renames, &r->cap_renames,
                                  sizeof *r->renamed_by);
  r->renamed_by[r->n_renames++] = group;
  return true;
}

int32_t tsr__version_at(const tsr_plan *plan, int32_t region, int32_t group)
{
  const tsr_plan_region *r = &plan->regions[region];
  int32_t first = 0; /* renames before it are of earlier groups, those from `end` on are not */
  for (int32_t end = r->n_renames; first < end;) {
    const int32_t middle = first + (end - first) / 2;
    if (r->renamed_by[middle] < group)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

bool tsr__may_rename(const tsr_plan *plan, int32_t region, const tsr_box *box, bool exact)
{
  const tsr_plan_region *r = &plan->regions[region];
  int64_t n = 1;
  for (int k = 0; k < r->ndim; k++) n *= r->shape[k];
  return plan->renames && exact && tsr__box_volume(box) >= n - n / 4;
}

bool tsr__views_all(const tsr_view *view, const int64_t *shape)
{
  if (!tsr__view_is_identity(view)) return false;
  for (int k = 0; k < view->ndim; k++)
    if (view->shape[k] != shape[k]) return false;
  return true;
}

void tsr__plan_make_region(tsr_plan *plan, int32_t region, int32_t group)
{
  TSR_ASSERT(group >= 0 && group < plan->n_groups);
  plan->regions[region].created_by = group;
}

void tsr__plan_lay_out_region(tsr_plan *plan, int32_t region, const tsr_layout *layout)
{
  TSR_ASSERT(!plan->regions[region].exists);
  plan->regions[region].layout = layout;
}

void tsr__plan_redirect_region(tsr_plan *plan, int32_t from, int32_t to, bool makes)
{
  tsr_plan_region *t = &plan->regions[from], *a = &plan->regions[to];
  TSR_ASSERT(t->into == from && a->into == to);
  t->into = to;
  if (!makes) return;
  a->created_by = t->created_by;
  a->layout = t->layout;
}

bool tsr__plan_resize_region(tsr_plan *plan, const tsr_program *program, int32_t region,
                             const int64_t *shape)
{
  tsr_plan_region *r = &plan->regions[region];
  const size_t bytes = (size_t)r->ndim * sizeof *shape;
  if (memcmp(r->shape, shape, bytes) == 0 && !r->exists) return false;
  memcpy(r->shape, shape, bytes);
  if (r->exists)
    r->layout = program->regions[region].stored.layout;
  else if (r->layout != NULL)
    r->layout = tsr__layout_resized(plan->scheduler->layouts, r->layout, shape);
  return true;
}

void tsr__plan_renumber_regions(tsr_plan *plan, const int32_t *now)
{
  for (int32_t r = 0; r < plan->n_regions; r++) {
    tsr_plan_region *p = &plan->regions[r];
    if (p->created_by >= 0) p->created_by = now[p->created_by];
    for (int32_t i = 0; i < p->n_renames; i++) {
      p->renamed_by[i] = now[p->renamed_by[i]];
      TSR_ASSERT(i == 0 || p->renamed_by[i - 1] < p->renamed_by[i]);
    }
  }
}
