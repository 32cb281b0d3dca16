/* Slots: the versions of regions in memory. In the order of groups, each version that an access
 * names gets a slot when it is first touched; where a group renames, the points that its write
 * leaves out are copied over from the version before. */
#include "scheduler/plan/slots.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/regions.h"

#include <string.h>

int32_t tsr__add_slot(tsr_plan *plan, const tsr_plan_slot *slot)
{
  plan->slots = tsr__arena_grow(plan->scratch, plan->slots, plan->n_slots, &plan->cap_slots,
                                sizeof *plan->slots);
  plan->slots[plan->n_slots] = *slot;
  return plan->n_slots++;
}

size_t tsr__slot_elem_bytes(const tsr_plan *plan, int32_t slot)
{
  return tsr__dtype_size((tsr_dtype)plan->regions[plan->slots[slot].region].dtype);
}

bool tsr__slots_lie_alike(const tsr_plan *plan, int32_t a, int32_t b)
{
  const tsr_instance *x = &plan->slots[a].shape, *y = &plan->slots[b].shape;
  if (a == b) return true;
  if (x->alloc.ndim != y->alloc.ndim || x->lead_bytes != y->lead_bytes ||
      tsr__slot_elem_bytes(plan, a) != tsr__slot_elem_bytes(plan, b))
    return false;
  for (int k = 0; k < x->alloc.ndim; k++)
    if (x->stride_bytes[k] != y->stride_bytes[k]) return false;
  return true;
}

void tsr__add_copy(tsr_plan *plan, const tsr_plan_copy *copy)
{
  plan->copies = tsr__arena_grow(plan->scratch, plan->copies, plan->n_copies, &plan->cap_copies,
                                 sizeof *plan->copies);
  plan->copies[plan->n_copies++] = *copy;
}

void tsr__set_copies(tsr_plan *plan, tsr_plan_copy *copies, int32_t n)
{
  plan->copies = copies;
  plan->n_copies = plan->cap_copies = n;
}

void tsr__drop_copies(tsr_plan *plan, int32_t group, int32_t to)
{
  int32_t n = 0;
  for (int32_t i = 0; i < plan->n_copies; i++) {
    const tsr_plan_copy *c = &plan->copies[i];
    if (c->to != to || (group >= 0 && c->group != group)) memcpy(&plan->copies[n++], c, sizeof *c);
  }
  plan->n_copies = n;
}

int32_t tsr__first_of_group(const int32_t *first, ptrdiff_t stride_bytes, int32_t n, int32_t group)
{
  int32_t lo = 0;
  while (lo < n) {
    const int32_t middle = lo + (n - lo) / 2;
    if (*(const int32_t *)((const char *)first + middle * stride_bytes) < group)
      lo = middle + 1;
    else
      n = middle;
  }
  return lo;
}

int32_t tsr__first_copy(const tsr_plan *plan, int32_t group)
{
  if (plan->n_copies == 0) return 0;
  return tsr__first_of_group(&plan->copies[0].group, (ptrdiff_t)sizeof *plan->copies,
                             plan->n_copies, group);
}

/* Aligns a new version for the first store of the group that makes it. The answer is the same on
 * all ranks where each of them has the whole region. */
static void align(tsr_plan *plan, const tsr_group *g, tsr_plan_slot *slot)
{
  const tsr_plan_region *r = &plan->regions[slot->region];
  tsr_box part = r->layout->replicated ? tsr__box_of_shape(g->ndim, g->shape) : g->part;
  slot->wish = tsr__first_column(&r->tile);
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    tsr_box box;
    if (!a->store || a->scratch || a->region != slot->region || tsr__box_is_empty(&part)) continue;
    tsr__view_image(&a->view->view, &part, &box);
    slot->wish = tsr__first_column(&box);
    return;
  }
}

/* The slot of a version, which is made on first sight and lives until this group. */
static int32_t slot_of(tsr_plan *plan, const tsr_program *p, int32_t region, int32_t version,
                       int32_t group)
{
  const tsr_plan_region *r = &plan->regions[region];
  TSR_ASSERT(version >= 0 && version <= r->n_renames);
  int32_t slot = r->slots[version];
  if (slot < 0) {
    const bool is_existing = r->exists && version == 0;
    tsr_ghosts ghosts = {.n = 0};
    if (is_existing) tsr__ghosts_copy(&ghosts, &p->regions[region].stored.ghosts);
    slot = r->slots[version] =
        tsr__add_slot(plan, &(tsr_plan_slot){.region = region,
                                             .version = version,
                                             .buffer = -1,
                                             .first_group = is_existing ? 0 : group,
                                             .last_group = group,
                                             .existing = is_existing,
                                             .ghosts = ghosts});
    tsr__align_slot(plan, p, &plan->slots[slot]);
  }
  TSR_ASSERT(plan->slots[slot].last_group <= group);
  plan->slots[slot].last_group = group;
  return slot;
}

/* Copies from the old version what the group's stores leave out of this place's tile.
 * rest: an empty list, whose memory is used again. */
static void copy_rest(tsr_plan *plan, int32_t group, int32_t region, int32_t from, int32_t to,
                      tsr_boxes *rest)
{
  const tsr_group *g = &plan->groups[group];
  const tsr_plan_region *r = &plan->regions[region];
  if (tsr__box_is_empty(&r->tile)) return;
  tsr__boxes_add(rest, &r->tile);
  tsr_box all = tsr__box_of_shape(g->ndim, g->shape), box;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (!a->store || a->scratch || a->region != region) continue;
    /* A diagonal, say, writes less than its box. It writes those points after the copy. */
    bool exact = tsr__view_image(&a->view->view, &all, &box);
    if (exact) tsr__boxes_subtract_keep(rest, &box);
  }
  for (int32_t i = 0; i < rest->n; i++)
    if (!tsr__box_is_empty(&rest->v[i]))
      tsr__add_copy(plan,
                    &(tsr_plan_copy){.group = group, .from = from, .to = to, .box = rest->v[i]});
  tsr__boxes_clear(rest);
}

static void group_slots(tsr_plan *plan, const tsr_program *p, int32_t group, tsr_boxes *rest)
{
  tsr_group *g = &plan->groups[group];
  for (int32_t i = 0; i < g->accesses.n; i++) {
    tsr_access *a = &g->accesses.v[i];
    if (!a->store) a->slot = slot_of(plan, p, a->region, a->version, group);
  }
  for (int32_t i = 0; i < g->n_renames; i++) {
    const int32_t version = tsr__version_at(plan, g->renames[i], group);
    const int32_t from = slot_of(plan, p, g->renames[i], version, group);
    const int32_t to = slot_of(plan, p, g->renames[i], version + 1, group);
    TSR_ASSERT(plan->slots[to].first_group == group);
    plan->slots[to].renamed = true;
    copy_rest(plan, group, g->renames[i], from, to, rest);
    plan->n_renamed++;
  }
  for (int32_t i = 0; i < g->accesses.n; i++) {
    tsr_access *a = &g->accesses.v[i];
    if (a->store && !a->scratch) a->slot = slot_of(plan, p, a->region, a->version, group);
  }
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    tsr_plan_reduction *r = &plan->reductions[g->accesses.first_reduction + i];
    r->slot = slot_of(plan, p, r->region, tsr__version_at(plan, r->region, group + 1), group);
  }
}

/* Sets *out to a place's tile. A 0-d box has one point always, so ndim -1 says that the place has
 * none. */
static void tile_of(const tsr_layout *layout, int place, tsr_box *out)
{
  if (!tsr__layout_tile(layout, place, out) && layout->ndim == 0) out->ndim = -1;
}

/* Makes space for the slots of all versions, which nobody touches yet, and for what a rename of a
 * box leaves out: a piece at each end of an axis. */
static void begin_slots(tsr_plan *plan)
{
  int32_t n = 0, n_copies = 0;
  for (int32_t r = 0; r < plan->n_regions; r++) {
    n += plan->regions[r].n_renames + 1;
    n_copies += plan->regions[r].n_renames * 2 * plan->regions[r].ndim;
  }
  plan->copies =
      tsr__arena_reserve(plan->scratch, n_copies, &plan->cap_copies, sizeof *plan->copies);
  plan->slots =
      tsr__arena_reserve(plan->scratch, plan->n_groups + 1, &plan->cap_slots, sizeof *plan->slots);
  int32_t *slots = tsr__arena_alloc(plan->scratch, (size_t)(n + 1) * sizeof *slots);
  for (int32_t i = 0; i < n; i++) slots[i] = -1;
  for (int32_t r = 0; r < plan->n_regions; r++) {
    plan->regions[r].slots = slots;
    slots += plan->regions[r].n_renames + 1;
  }
}

void tsr__find_tile(tsr_plan *plan, const tsr_program *program, int32_t region)
{
  tsr_plan_region *r = &plan->regions[region];
  tile_of(r->layout, plan->place, &r->tile);
  r->alloc = r->exists ? program->regions[region].stored.extents[plan->here].alloc : r->tile;
}

void tsr__find_part(const tsr_plan *plan, tsr_group *g)
{
  tile_of(g->cut, plan->place, &g->part);
  if (g->is_halo) g->part.n[0] = 0; /* its tile needs the halo, but there is nothing to compute */
}

void tsr__widen_part(tsr_group *g)
{
  tsr__box_widen(&g->part, &g->wide, g->shape);
}

void tsr__region_widen_alloc(tsr_plan *plan, int32_t region, const tsr_box *box)
{
  tsr_plan_region *r = &plan->regions[region];
  r->alloc = tsr__box_hull(&r->alloc, box);
}

void tsr__touch_blocks(tsr_access *a, int32_t first)
{
  a->slot = first;
  a->by_block = true;
}

void tsr__align_slot(tsr_plan *plan, const tsr_program *program, tsr_plan_slot *slot)
{
  if (slot->existing)
    slot->wish = program->regions[slot->region].stored.extents[plan->here].aligned;
  else
    align(plan, &plan->groups[slot->first_group], slot);
}

static int32_t last_slot_of(const tsr_plan *plan, int32_t region)
{
  const tsr_plan_region *r = &plan->regions[region];
  return r->slots[r->n_renames];
}

/* Whose values are in memory behind the plan, of those that have memory in it. An op with a deferred
 * value stays in the window unless the value is stored, and wants its operands while it stays. So,
 * from the last op back: a deferred value that somebody wants is stored if it has memory anyway, and
 * then wants nothing; else it wants what it reads. Other deferred values end with the plan. */
static bool *find_outlasting(const tsr_plan *plan, const tsr_program *p)
{
  bool *outlasts = tsr__arena_calloc(plan->scratch, (size_t)plan->n_regions + 1, sizeof *outlasts);
  bool *is_wanted = tsr__arena_calloc(plan->scratch, (size_t)p->n_regions + 1, sizeof *is_wanted);
  for (int32_t r = 0; r < p->n_regions; r++) is_wanted[r] = p->regions[r].is_held;
  for (int32_t i = p->n_ops - 1; i >= 0; i--) {
    const tsr_program_op *op = &p->ops[i];
    if ((!op->deferred && op->action != TSR_ACT_KEEP) || !is_wanted[op->out]) continue;
    outlasts[op->out] |= plan->regions[op->out].deferred;
    if (op->deferred && last_slot_of(plan, op->out) >= 0) continue;
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region >= 0) is_wanted[op->in[j].region] = true;
  }
  for (int32_t r = 0; r < plan->n_regions; r++)
    outlasts[r] |= plan->regions[r].store || plan->regions[r].exists;
  return outlasts;
}

void tsr__plan_slots(tsr_plan *plan, const tsr_program *program)
{
  begin_slots(plan);
  for (int32_t r = 0; r < plan->n_regions; r++)
    if (plan->regions[r].layout != NULL) tsr__find_tile(plan, program, r);
  tsr_boxes rest = {0};
  for (int32_t i = 0; i < plan->n_groups; i++) {
    tsr__find_part(plan, &plan->groups[i]);
    group_slots(plan, program, i, &rest);
  }
  tsr__boxes_free(&rest);
  const bool *outlasts = find_outlasting(plan, program);
  for (int32_t r = 0; r < plan->n_regions; r++) {
    if (last_slot_of(plan, r) < 0) continue;
    tsr_plan_slot *s = &plan->slots[last_slot_of(plan, r)];
    s->final = outlasts[r];
    if (s->final) s->last_group = plan->n_groups;
  }
}
