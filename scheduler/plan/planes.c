/* Planes (planes.h). Borders at several ends, or along several axes, are one pass if grouping is
 * left alone. That pass would have no constant distance to the steps before and after it, and would
 * end every chain of steps that are tiled over time. */
#include "scheduler/plan/planes.h"

enum {
  /* below so many bytes per place an array is in caches, and passes cost more than they save */
  LEAST_BYTES = 2 << 20,
  MOST_COMPONENTS = 32 /* points of an axis whose planes are components */
};

bool tsr__may_have_steps(const tsr_world *world, int n_places, double bytes)
{
  if (world->config.time_steps == 1 || !tsr__world_is_host(world)) return false;
  return world->config.time_steps > 1 || bytes > (double)LEAST_BYTES * n_places;
}

bool tsr__has_steps(const tsr_plan *plan, int32_t region)
{
  const tsr_plan_region *r = &plan->regions[region];
  double bytes = (double)tsr__dtype_size((tsr_dtype)r->dtype);
  for (int k = 0; k < r->ndim; k++) bytes *= (double)r->shape[k];
  return tsr__may_have_steps(plan->scheduler->world, plan->n_places, bytes);
}

uint32_t tsr__axes_of_borders(int ndim, const int64_t *shape)
{
  uint32_t axes = 0;
  for (int k = 0; k < ndim; k++) axes |= (uint32_t)(shape[k] > MOST_COMPONENTS) << k;
  return axes;
}

void tsr__plane_of(const tsr_plan *plan, int32_t region, const tsr_view *view, bool is_read,
                   tsr_plane *plane)
{
  uint32_t moving = 0;
  if (plane->any || view->bounded || view->reaches) return;
  for (int k = 0; k < view->rdim; k++)
    for (int j = 0; j < view->ndim; j++)
      if (view->step[k][j] != 0 && view->shape[j] > 1) moving |= 1u << k;
  const uint32_t fixed = ((1u << view->rdim) - 1) & ~moving;
  const tsr_plan_region *r = &plan->regions[region];
  if (moving == 0 || (fixed & tsr__axes_of_borders(r->ndim, r->shape)) == 0 ||
      !tsr__has_steps(plan, region))
    return;
  *plane = (tsr_plane){
      .any = true, .is_read = is_read, .region = region, .ndim = view->rdim, .moving = moving};
  for (int k = 0; k < view->rdim; k++) plane->at[k] = view->offset[k];
}

bool tsr__plane_joins(const tsr_plane *plane, const tsr_plane *next)
{
  if (!plane->any || !next->any) return true;
  if (plane->moving != next->moving) return false;
  if (plane->is_read || next->is_read) return plane->is_read;
  if (plane->region != next->region) return false;
  for (int k = 0; k < plane->ndim; k++)
    if (!(plane->moving >> k & 1) && plane->at[k] != next->at[k]) return false;
  return true;
}
