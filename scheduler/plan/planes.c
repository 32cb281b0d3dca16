/* Planes (planes.h). Borders at opposite ends, or along different axes, are one pass if grouping is
 * left alone. That pass would have no constant distance to the steps before and after it, and would
 * end every chain of steps that are tiled over time. */
#include "scheduler/plan/planes.h"
#include "scheduler/plan/tiling.h"

/* Below so many bytes per place an array is in caches, and passes cost more than they save. */
enum { LEAST_BYTES = 2 << 20 };

static bool may_be_tiled(const tsr_plan *plan, int32_t region)
{
  const tsr_plan_region *r = &plan->regions[region];
  const tsr_world *world = plan->scheduler->world;
  if (world->config.time_steps == 1 || !tsr__world_is_host(world)) return false;
  if (world->config.time_steps > 1) return true;
  double bytes = (double)tsr__dtype_size((tsr_dtype)r->dtype);
  for (int k = 0; k < r->ndim; k++) bytes *= (double)r->shape[k];
  return bytes > (double)LEAST_BYTES * plan->n_places;
}

void tsr__plane_of(const tsr_plan *plan, int32_t region, const tsr_view *view, tsr_plane *plane)
{
  uint32_t moving = 0;
  if (plane->any || view->bounded || view->reaches) return;
  for (int k = 0; k < view->rdim; k++)
    for (int j = 0; j < view->ndim; j++)
      if (view->step[k][j] != 0 && view->shape[j] > 1) moving |= 1u << k;
  if (moving == 0 || moving == (1u << view->rdim) - 1 || !may_be_tiled(plan, region)) return;
  *plane = (tsr_plane){.any = true, .ndim = view->rdim, .moving = moving};
  for (int k = 0; k < view->rdim; k++) plane->lo[k] = plane->hi[k] = view->offset[k];
}

bool tsr__planes_are_near(const tsr_plane *a, const tsr_plane *b)
{
  if (!a->any || !b->any) return true;
  if (a->ndim != b->ndim || a->moving != b->moving) return false;
  for (int k = 0; k < a->ndim; k++) {
    if (a->moving >> k & 1) continue;
    const int64_t lo = a->lo[k] < b->lo[k] ? a->lo[k] : b->lo[k];
    const int64_t hi = a->hi[k] > b->hi[k] ? a->hi[k] : b->hi[k];
    if (hi - lo > TSR_MOST_DISTANCE) return false;
  }
  return true;
}

void tsr__planes_add(tsr_plane *to, const tsr_plane *more)
{
  TSR_ASSERT(tsr__planes_are_near(to, more));
  if (!more->any) return;
  if (!to->any) *to = *more;
  for (int k = 0; k < to->ndim; k++) {
    if (more->lo[k] < to->lo[k]) to->lo[k] = more->lo[k];
    if (more->hi[k] > to->hi[k]) to->hi[k] = more->hi[k];
  }
}
