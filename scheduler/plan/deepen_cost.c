/* Whether margins pay (deepen.h).
 *
 * Of arrays that fit caches, what counts is how often messages are waited for. Steps over larger
 * ones have time for an exchange each; they win where several of them are tiled over time, which
 * they can be only between exchanges, and else the points of the margins are lost. So this asks the
 * model of tiling (tiling.h) about the largest tile, with a cache that all ranks agree on. A step
 * leans by as much as its loads are displaced from what it writes, and an array that a write
 * renames is two. */
#include "scheduler/plan/deepen.h"
#include "scheduler/plan/footprint.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/tiling.h"

#include <stdlib.h>

enum { MOST_CACHES = 16 }; /* bytes of a tile, in caches, up to which messages count more */

/* The group's first store into an array. NULL: it has none. */
static const tsr_view *store_of(const tsr_group *g)
{
  for (int32_t i = 0; i < g->accesses.n; i++)
    if (g->accesses.v[i].store && !g->accesses.v[i].scratch) return &g->accesses.v[i].view->view;
  return NULL;
}

/* How many elements lie from one of those that the group stores to the next along an axis. */
static int64_t stride_of(const tsr_group *g, int axis)
{
  const tsr_view *v = store_of(g);
  for (int k = 0; v != NULL && k < v->rdim; k++)
    if (v->step[k][axis] != 0) return llabs(v->step[k][axis]);
  return 1;
}

/* Of the group, with those between that it leaves out. */
static double points_of_group(const tsr_group *g)
{
  double n = 1;
  for (int k = 0; k < g->ndim; k++) n *= (double)(g->shape[k] * stride_of(g, k));
  return n;
}

/* The largest group of the interval, which says what the others are compared with. */
static const tsr_group *largest_of(const tsr_plan *plan, int32_t first, int32_t end)
{
  const tsr_group *largest = &plan->groups[first];
  for (int32_t i = first + 1; i < end; i++)
    if (points_of_group(&plan->groups[i]) > points_of_group(largest)) largest = &plan->groups[i];
  return largest;
}

static int64_t longest_tile(const tsr_layout *cut, int axis)
{
  int64_t longest = 0;
  for (int32_t c = 0; c < cut->n_tiles[axis]; c++) {
    const int64_t n = cut->cuts[axis][c + 1] - cut->cuts[axis][c];
    if (longest < n) longest = n;
  }
  return longest;
}

/* Adds how far the loads of a step are displaced from its first store, of arrays as large. */
static void add_lean(const tsr_group *g, tsr_steps_cost *cost)
{
  const tsr_view *store = store_of(g);
  int64_t most[TSR_MAX_NDIM] = {0};
  for (int32_t i = 0; i < g->accesses.n && store != NULL; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch || a->view->view.rdim != store->rdim) continue;
    const tsr_view *v = &a->view->view;
    for (int k = 0; k < g->ndim && k < store->rdim && k < cost->ndim; k++) {
      int64_t apart = tsr__views_displaced(store, v, k);
      if (v->reaches) apart += v->before[k] > v->after[k] ? v->before[k] : v->after[k];
      if (most[k] < apart) most[k] = apart;
    }
  }
  for (int k = 0; k < cost->ndim; k++) cost->lean[k] += most[k];
}

/* Is the region renamed by a group of the interval? */
static bool is_renamed(const tsr_plan_region *r, int32_t first, int32_t end)
{
  for (int32_t i = 0; i < r->n_renames; i++)
    if (r->renamed_by[i] >= first && r->renamed_by[i] < end) return true;
  return false;
}

/* Counts the arrays that a group is the first of the interval to touch, and adds up the
 * temporaries, whose memory the next step has again. */
static void add_arrays(const tsr_plan *plan, const tsr_group *g, int32_t first, int32_t end,
                       bool *seen, int64_t *temporary, tsr_steps_cost *cost)
{
  int64_t mine = 0;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch || plan->regions[a->region].ndim != cost->ndim) continue;
    const tsr_plan_region *r = &plan->regions[a->region];
    const int64_t bytes = (int64_t)tsr__dtype_size((tsr_dtype)r->dtype);
    if (!r->exists && !r->store) {
      mine += bytes;
    } else if (!seen[a->region]) {
      seen[a->region] = true;
      cost->held_bytes += is_renamed(r, first, end) ? 2 * bytes : bytes;
      cost->moved_bytes += is_renamed(r, first, end) ? 4 * bytes : a->store ? 2 * bytes : bytes;
    }
  }
  if (*temporary < mine) *temporary = mine;
}

bool tsr__margins_pay(const tsr_plan *plan, int32_t first, int32_t end)
{
  const tsr_config *config = &plan->scheduler->world->config;
  if (config->halo_steps > 1 || config->time_steps != 0) return true;
  const tsr_group *largest = largest_of(plan, first, end);
  tsr_steps_cost all = {.ndim = largest->ndim};
  bool *seen = tsr__arena_calloc(plan->scratch, (size_t)plan->n_regions + 1, sizeof *seen);
  int64_t temporary = 0, n_reductions = 0;
  for (int32_t i = first; i < end; i++) {
    const tsr_group *g = &plan->groups[i];
    n_reductions += g->accesses.n_reductions;
    if (2 * points_of_group(g) < points_of_group(largest) || g->ndim != largest->ndim) continue;
    all.n_steps++;
    double share = 1; /* of the rows; of a row that is stepped through all cache lines come */
    for (int k = 0; k < g->ndim - 1; k++) share /= (double)stride_of(g, k);
    all.alone_bytes += share * (double)tsr__point_bytes(g);
    add_lean(g, &all);
    add_arrays(plan, g, first, end, seen, &temporary, &all);
  }
  all.held_bytes += temporary;
  all.moved_bytes += 2 * temporary;
  double bytes = (double)all.held_bytes;
  for (int k = 0; k < all.ndim; k++)
    bytes *= (double)(all.length[k] = longest_tile(largest->cut, k) * stride_of(largest, k));
  if (bytes < (double)MOST_CACHES * (double)config->halo_cache || all.ndim == 0) return true;
  if (!tsr__reduces_seldom(all.n_steps - n_reductions, n_reductions)) return false;
  for (int32_t n = all.n_steps; n > 1; n = n > 4 ? n - n / 4 : n - 1) {
    tsr_steps_cost some = all;
    some.n_steps = n;
    some.alone_bytes *= (double)n / (double)all.n_steps;
    for (int k = 0; k < all.ndim; k++) some.lean[k] = all.lean[k] * n / all.n_steps;
    if (tsr__steps_pay(&some, config->halo_cache)) return true;
  }
  return false;
}
