/* Looks at plans (plan_look.h). */
#include "plan_look.h"

#include "scheduler/plan/group.h"
#include "scheduler/plan/passes.h"
#include "scheduler/plan/slots.h"
#include "scheduler/state.h"

#include <string.h>

static _Thread_local plan_look *looking; /* the rank of this thread */

static void raise_int(_Atomic int *at, int least)
{
  for (int was = *at; was < least && !atomic_compare_exchange_weak(at, &was, least);) continue;
}

static void raise_int64(_Atomic int64_t *at, int64_t least)
{
  for (int64_t was = *at; was < least && !atomic_compare_exchange_weak(at, &was, least);) continue;
}

/* Notes a margin along an axis of a layout. */
static void look_at_margin(const tsr_layout *layout, int axis, int64_t margin)
{
  int64_t narrowest = layout->shape[axis];
  for (int32_t c = 0; c < layout->n_tiles[axis]; c++) {
    const int64_t n = layout->cuts[axis][c + 1] - layout->cuts[axis][c];
    if (narrowest > n) narrowest = n;
  }
  raise_int64(&looking->widest, margin);
  looking->n_too_wide += 8 * margin > narrowest;
}

static void look_at_margins(const tsr_plan *plan)
{
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    looking->n_wide += g->is_wide;
    for (int k = 0; k < g->ndim && g->is_wide; k++) {
      look_at_margin(g->cut, k, g->wide.lo[k]);
      look_at_margin(g->cut, k, g->wide.hi[k]);
    }
  }
  for (int32_t i = 0; i < plan->n_regions; i++) {
    const tsr_plan_region *r = &plan->regions[i];
    for (int k = 0; k < r->ndim && r->layout != NULL; k++) {
      look_at_margin(r->layout, k, r->wide.lo[k]);
      look_at_margin(r->layout, k, r->wide.hi[k]);
    }
  }
}

/* What the groups [first, end) would exchange one by one, and compute beside this place's tiles. */
static void look_at_interval(const tsr_plan *plan, int32_t first, int32_t end)
{
  int n_exchanges = 0;
  int64_t own = 0, all = 0;
  for (int32_t i = first; i < end; i++) {
    const tsr_group *g = &plan->groups[i];
    tsr_box tile;
    n_exchanges += i < LOOK_GROUPS && looking->has_messages[i];
    if (tsr__layout_tile(g->cut, plan->place, &tile)) own += tsr__box_volume(&tile);
    all += tsr__box_volume(&g->part);
  }
  looking->n_intervals++;
  looking->intervals[plan->place] = looking->intervals[plan->place] * 31 + (uint64_t)first;
  looking->intervals[plan->place] = looking->intervals[plan->place] * 31 + (uint64_t)end;
  raise_int(&looking->most_exchanges, n_exchanges);
  looking->n_too_many_points += 20 * (all - own) > own;
}

/* Has a band of the group the last row of its domain, and is none of these the first of its
 * chunk, which runs other groups before? */
static bool ends_later(const tsr_plan *plan, int32_t group)
{
  const tsr_group *g = &plan->groups[group];
  const tsr_chain *chain = tsr__chain_of(plan, g);
  int n_last = 0;
  if (chain->n_groups == 1 || chain->first_group == group) return false;
  for (int32_t c = 0; c < chain->n_chunks; c++)
    for (int32_t w = 0; w < tsr__chain_n_bands(chain, c); w++) {
      tsr_box box;
      tsr__chain_band(chain, group, c, w, &box);
      if (tsr__box_is_empty(&box) || tsr__box_end(&box, 0) != g->shape[0]) continue;
      if (w == 0) return false;
      n_last++;
    }
  return n_last > 0;
}

static void look_at_tasks(const tsr_plan *plan)
{
  for (int32_t first = 0; first < plan->n_groups; first++)
    for (int32_t i = first + 1; i < plan->groups[first].interval_end - 1; i++) {
      if (!plan->groups[i].is_user) continue;
      looking->n_tasks_inside++;
      if (plan->place == plan->n_places - 1) looking->n_tasks_later += ends_later(plan, i);
    }
}

static void look(const tsr_scheduler *s, tsr_plan *plan, const tsr_program *program,
                 const tsr_pass *pass)
{
  (void)s, (void)program;
  if (strcmp(pass->name, "transfers") == 0) {
    for (int32_t i = 0; i < plan->n_messages && looking->notes_messages; i++)
      if (plan->messages[i].group < LOOK_GROUPS)
        looking->has_messages[plan->messages[i].group] = true;
    look_at_margins(plan);
    for (int32_t i = 0; i < plan->n_groups; i++)
      if (plan->groups[i].interval_end > i) look_at_interval(plan, i, plan->groups[i].interval_end);
  }
  if (strcmp(pass->name, "placement") == 0) look_at_tasks(plan);
}

void plan_look_begin(struct tsr_scheduler *s, plan_look *l)
{
  looking = l;
  s->after_pass = look;
}
