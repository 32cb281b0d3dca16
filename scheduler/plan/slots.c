/* Slots: which version of a region each access touches. In the order of groups, loads see the
 * newest version that earlier groups made, or the older one that they name; a rename makes a new
 * version, and the points that the write leaves out are copied over; stores go to the newest
 * version. */
#include "scheduler/plan/slots.h"
#include "scheduler/plan/group.h"

#include <string.h>

static int32_t add_slot(tsr_plan *plan, int32_t region, int32_t group)
{
  plan->slots = tsr__arena_grow(plan->scratch, plan->slots, plan->n_slots, &plan->cap_slots,
                                sizeof *plan->slots);
  tsr_plan_slot *s = &plan->slots[plan->n_slots];
  memset(s, 0, sizeof *s);
  s->region = region;
  s->version =
      plan->regions[region].slot < 0 ? 0 : plan->slots[plan->regions[region].slot].version + 1;
  s->buffer = -1;
  s->first_group = s->last_group = group;
  plan->regions[region].slot = plan->n_slots;
  return plan->n_slots++;
}

/* Aligns a new version for the first store of the group that makes it. The answer is the same on
 * all ranks where each of them has the whole region. */
static void align(tsr_plan *plan, const tsr_group *g, tsr_plan_slot *slot)
{
  const tsr_plan_region *r = &plan->regions[slot->region];
  tsr_box part = r->layout->replicated ? tsr__box_of_shape(g->ndim, g->shape) : g->part;
  slot->aligned = tsr__first_column(&r->tile);
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    tsr_box box;
    if (!a->store || a->scratch || a->region != slot->region || tsr__box_is_empty(&part)) continue;
    tsr__view_image(&a->view->view, &part, &box);
    slot->aligned = tsr__first_column(&box);
    return;
  }
}

/* The slot of the newest version, made on first sight. */
static int32_t slot_of(tsr_plan *plan, const tsr_program *p, int32_t region, int32_t group)
{
  tsr_plan_region *r = &plan->regions[region];
  if (r->slot < 0) {
    int32_t slot = add_slot(plan, region, group);
    if (r->exists) {
      tsr_plan_slot *s = &plan->slots[slot];
      s->existing = true;
      s->first_group = 0;
      const tsr_stored *stored = &p->regions[region].stored;
      s->aligned = stored->extents[plan->here].aligned;
      tsr__ghosts_copy(&s->ghosts, &stored->ghosts);
    } else {
      align(plan, &plan->groups[group], &plan->slots[slot]);
    }
  }
  plan->slots[r->slot].last_group = group;
  return r->slot;
}

/* The slot of the version that a load names, which lives until this group. */
static int32_t slot_of_version(tsr_plan *plan, const tsr_program *p, int32_t region,
                               int32_t version, int32_t group)
{
  int32_t slot = plan->regions[region].slot;
  if (slot < 0 || plan->slots[slot].version == version) return slot_of(plan, p, region, group);
  while (plan->slots[slot].region != region || plan->slots[slot].version != version) slot--;
  plan->slots[slot].last_group = group;
  return slot;
}

static void add_copy(tsr_plan *plan, int32_t group, int32_t from, int32_t to, const tsr_box *box)
{
  plan->copies = tsr__arena_grow(plan->scratch, plan->copies, plan->n_copies, &plan->cap_copies,
                                 sizeof *plan->copies);
  plan->copies[plan->n_copies++] =
      (tsr_plan_copy){.group = group, .from = from, .to = to, .box = *box};
}

/* Copies the points of this place's tile that the group's stores leave out from the old version. */
static void copy_rest(tsr_plan *plan, int32_t group, int32_t region, int32_t from, int32_t to)
{
  const tsr_group *g = &plan->groups[group];
  const tsr_plan_region *r = &plan->regions[region];
  if (tsr__box_is_empty(&r->tile)) return;
  tsr_boxes rest = {0};
  tsr__boxes_add(&rest, &r->tile);
  tsr_box all = tsr__box_of_shape(g->ndim, g->shape), box;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (!a->store || a->scratch || a->region != region) continue;
    /* A diagonal, say, writes less than its box. It writes those points after the copy. */
    bool exact = tsr__view_image(&a->view->view, &all, &box);
    if (exact) tsr__boxes_subtract_keep(&rest, &box);
  }
  for (int32_t i = 0; i < rest.n; i++)
    if (!tsr__box_is_empty(&rest.v[i])) add_copy(plan, group, from, to, &rest.v[i]);
  tsr__boxes_free(&rest);
}

static void group_slots(tsr_plan *plan, const tsr_program *p, int32_t group)
{
  tsr_group *g = &plan->groups[group];
  for (int32_t i = 0; i < g->accesses.n; i++) {
    tsr_access *a = &g->accesses.v[i];
    if (!a->store) a->slot = slot_of_version(plan, p, a->region, a->version, group);
  }
  for (int32_t i = 0; i < g->n_renames; i++) {
    int32_t from = slot_of(plan, p, g->renames[i], group);
    int32_t to = add_slot(plan, g->renames[i], group);
    plan->slots[to].renamed = true;
    align(plan, g, &plan->slots[to]);
    copy_rest(plan, group, g->renames[i], from, to);
    plan->n_renamed++;
  }
  for (int32_t i = 0; i < g->accesses.n; i++) {
    tsr_access *a = &g->accesses.v[i];
    if (a->store && !a->scratch) a->slot = slot_of(plan, p, a->region, group);
  }
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    tsr_plan_reduction *r = &plan->reductions[g->accesses.first_reduction + i];
    r->slot = slot_of(plan, p, r->region, group);
  }
}

/* Sets *out to a place's tile. A 0-d cut gives most places nothing, which ndim -1 says. */
static void tile_of(const tsr_layout *layout, int rank, tsr_box *out)
{
  if (!tsr__layout_tile(layout, rank, out) && layout->ndim == 0) out->ndim = -1;
}

void tsr__plan_slots(tsr_plan *plan, const tsr_program *program)
{
  for (int32_t r = 0; r < plan->n_regions; r++) {
    tsr_plan_region *p = &plan->regions[r];
    if (p->layout == NULL) continue;
    tile_of(p->layout, plan->place, &p->tile);
    p->alloc = p->exists ? program->regions[r].stored.extents[plan->here].alloc : p->tile;
  }
  for (int32_t i = 0; i < plan->n_groups; i++) {
    tile_of(plan->groups[i].cut, plan->place, &plan->groups[i].part);
    group_slots(plan, program, i);
  }
  for (int32_t r = 0; r < plan->n_regions; r++) {
    tsr_plan_region *p = &plan->regions[r];
    if (p->slot < 0) continue;
    tsr_plan_slot *s = &plan->slots[p->slot];
    s->final = p->store || p->exists || p->deferred;
    if (s->final) s->last_group = plan->n_groups;
  }
}
