/* Versions, parts, copies, buffers, addresses and clusters of a plan (verify.h): what each pass
 * promises of its fields, at any size. */
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/elide.h"
#include "scheduler/plan/gathers.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/regions.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/verify_int.h"

#include <string.h>

char *tsr__verify_elided(const tsr_plan *plan, const tsr_program *p)
{
  tsr_text defect = {0};
  for (int32_t i = 0; i < plan->n_groups; i++)
    for (int32_t k = 0; k < plan->groups[i].n_ops; k++) {
      const tsr_program_op *op = &p->ops[plan->groups[i].ops[k].op];
      for (int j = 0; j < op->n_in; j++)
        if (op->in[j].region != tsr__written_into(plan, op->in[j].region))
          TSR_DEFECT(&defect, "op %d reads r%d, which is written into r%d",
                     plan->groups[i].ops[k].op, op->in[j].region,
                     tsr__written_into(plan, op->in[j].region));
    }
  for (int32_t r = 0; r < plan->n_regions; r++) {
    const tsr_plan_region *from = &plan->regions[r], *to = &plan->regions[from->into];
    if (from == to) continue;
    if (to->into != from->into || from->ndim != to->ndim || from->dtype != to->dtype ||
        memcmp(from->shape, to->shape, (size_t)to->ndim * sizeof *to->shape) != 0)
      TSR_DEFECT(&defect, "r%d is written into r%d, which is another kind of array", r, from->into);
  }
  return defect.s;
}

/* Does the group name the region among those that it renames, and the region the group? */
static void verify_renames(const tsr_plan *plan, int32_t group, tsr_text *defect)
{
  const tsr_group *g = &plan->groups[group];
  for (int32_t i = 0; i < g->n_renames; i++) {
    const int32_t r = g->renames[i];
    if (tsr__version_at(plan, r, group + 1) != tsr__version_at(plan, r, group) + 1)
      TSR_DEFECT(defect, "group %d renames r%d, which does not know of that", group, r);
  }
}

char *tsr__verify_versions(const tsr_plan *plan)
{
  tsr_text defect = {0};
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_accesses *all = &plan->groups[i].accesses;
    verify_renames(plan, i, &defect);
    for (int32_t j = 0; j < all->n; j++) {
      const tsr_access *a = &all->v[j];
      if (a->scratch) continue;
      const int32_t newest = tsr__version_at(plan, a->region, i + a->store);
      if (a->version > newest || (a->store && a->version < newest))
        TSR_DEFECT(&defect, "access %d of group %d is of version %d of r%d, of which %d is newest",
                   j, i, a->version, a->region, newest);
      if (!a->store && a->version == 0 && plan->regions[a->region].created_by > i)
        TSR_DEFECT(&defect, "group %d reads r%d, which group %d makes", i, a->region,
                   plan->regions[a->region].created_by);
    }
    for (int32_t j = 0; j < all->n_reductions; j++)
      if (plan->reductions[all->first_reduction + j].group != i)
        TSR_DEFECT(&defect, "a reduction of group %d names group %d", i,
                   plan->reductions[all->first_reduction + j].group);
  }
  return defect.s;
}

static bool same_box(const tsr_box *a, const tsr_box *b)
{
  return tsr__box_is_empty(a) ? tsr__box_is_empty(b) : tsr__box_equal(a, b);
}

char *tsr__verify_parts(const tsr_plan *plan)
{
  tsr_text defect = {0};
  int32_t end = 0; /* of the last interval */
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    tsr_box part;
    if (!tsr__layout_tile(g->cut, plan->place, &part) && g->ndim == 0) part.ndim = -1;
    if (part.ndim > 0 && g->is_halo) part.n[0] = 0;
    if (g->is_wide) tsr__box_widen(&part, &g->wide, g->shape);
    if (!same_box(&part, &g->part))
      TSR_DEFECT(&defect, "the part of group %d is not its tile%s", i,
                 g->is_wide ? " with its margins" : "");
    if (g->interval_end == 0) continue;
    if (i < end || g->interval_end <= i || g->interval_end > plan->n_groups)
      TSR_DEFECT(&defect, "an interval begins in group %d, within another one, and ends in %d", i,
                 g->interval_end);
    end = g->interval_end;
  }
  return defect.s;
}

/* What this place holds of a slot. */
static const tsr_box *held(const tsr_plan *plan, int32_t slot)
{
  const tsr_plan_slot *s = &plan->slots[slot];
  return s->gathered ? &s->shape.alloc : &plan->regions[s->region].alloc;
}

char *tsr__verify_copies(const tsr_plan *plan)
{
  tsr_text defect = {0};
  for (int32_t i = 0; i < plan->n_copies; i++) {
    const tsr_plan_copy *c = &plan->copies[i];
    const tsr_plan_slot *from = &plan->slots[c->from], *to = &plan->slots[c->to];
    if (i > 0 && c[-1].group > c->group)
      TSR_DEFECT(&defect, "copy %d is of group %d, the one before it of a later one", i, c->group);
    if (from->region != to->region || c->from == c->to)
      TSR_DEFECT(&defect, "copy %d goes from r%d to r%d", i, from->region, to->region);
    if (!to->gathered && !from->gathered && from->version + 1 != to->version)
      TSR_DEFECT(&defect, "copy %d goes from version %d to version %d", i, from->version,
                 to->version);
    if (!tsr__box_contains(held(plan, c->from), &c->box) ||
        !tsr__box_contains(held(plan, c->to), &c->box))
      TSR_DEFECT(&defect, "copy %d is of points that this place does not hold", i);
  }
  return defect.s;
}

/* May two slots that are alive at once share a buffer? A version may that stays in place; of the
 * blocks of a group, which run one after the other, every third one. */
static bool may_share(const tsr_plan *plan, int32_t first, int32_t second)
{
  const tsr_plan_slot *a = &plan->slots[first], *b = &plan->slots[second];
  if (a->block && b->block)
    return a->first_group == b->first_group && (second - first) % TSR_RING == 0;
  return (b->in_place && b->before == first) || (a->in_place && a->before == second);
}

static void verify_slot_buffer(const tsr_plan *plan, int32_t slot, tsr_text *defect)
{
  const tsr_plan_slot *s = &plan->slots[slot];
  if (s->buffer < 0 || s->buffer >= plan->n_buffers) {
    TSR_DEFECT(defect, "slot %d is in buffer %d, of %d", slot, s->buffer, plan->n_buffers);
    return;
  }
  const tsr_buffer *b = &plan->buffers[s->buffer];
  if (s->shape.bytes > b->bytes)
    TSR_DEFECT(defect, "slot %d takes %zu bytes of a buffer of %zu", slot, s->shape.bytes,
               b->bytes);
  if (b->region >= 0 && b->region != s->region)
    TSR_DEFECT(defect, "slot %d of r%d is in the memory of r%d", slot, s->region, b->region);
  for (int32_t i = 0; i < slot; i++) {
    const tsr_plan_slot *o = &plan->slots[i];
    if (o->buffer == s->buffer && o->first_group <= s->last_group &&
        s->first_group <= o->last_group && !may_share(plan, i, slot))
      TSR_DEFECT(defect, "slots %d and %d are alive at once in buffer %d", i, slot, s->buffer);
  }
}

char *tsr__verify_buffers(const tsr_plan *plan)
{
  tsr_text defect = {0};
  size_t bytes = plan->gathered_bytes;
  for (int32_t i = 0; i < plan->n_slots; i++) verify_slot_buffer(plan, i, &defect);
  for (int32_t b = 0; b < plan->n_buffers; b++)
    if (plan->buffers[b].region < 0) bytes += plan->buffers[b].agreed_bytes;
  if (bytes != plan->agreed_new_bytes)
    TSR_DEFECT(&defect, "the plan counts %zu new bytes, its buffers %zu", plan->agreed_new_bytes,
               bytes);
  return defect.s;
}

/* The offset of what access `a` shows of its slot at an index. */
static int64_t offset_at(const tsr_plan *plan, const tsr_access *a, const int64_t *index)
{
  const tsr_instance *shape = &plan->slots[tsr__access_slot(a, 0)].shape;
  int64_t point[TSR_MAX_NDIM], offset = shape->lead_bytes;
  tsr__view_follow(&a->view->view, index, point);
  for (int k = 0; k < shape->alloc.ndim; k++)
    offset += (point[k] - shape->alloc.lo[k]) * shape->stride_bytes[k];
  return offset;
}

char *tsr__verify_bases(const tsr_plan *plan)
{
  tsr_text defect = {0};
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    if (tsr__box_is_empty(&g->part)) continue;
    for (int32_t j = 0; j < g->accesses.n; j++) {
      const tsr_access *a = &g->accesses.v[j];
      if (a->scratch) continue;
      int64_t offset = a->origin, index[TSR_MAX_NDIM] = {0};
      for (int k = -1; k < g->ndim; k++) { /* the origin, then a step further along each axis */
        if (k >= 0) offset += g->accesses.strides[j][k], index[k]++;
        if (offset != offset_at(plan, a, index))
          TSR_DEFECT(&defect, "access %d of group %d goes to byte %lld of its slot for %lld", j, i,
                     (long long)offset, (long long)offset_at(plan, a, index));
      }
    }
  }
  return defect.s;
}

char *tsr__verify_placement(const tsr_plan *plan)
{
  tsr_text defect = {0};
  for (int32_t i = 0; i < plan->n_groups && plan->clusters != NULL; i++) {
    const tsr_group *g = &plan->groups[i];
    if (g->is_halo || g->placed.is_hosts) continue;
    for (int32_t k = 0; k < tsr__n_touched(g); k++) {
      const int32_t b = tsr__touched(plan, g, k);
      if (b >= 0 && plan->cluster_of[b] != g->placed.cluster)
        TSR_DEFECT(&defect, "group %d of cluster %d touches buffer %d of cluster %d", i,
                   g->placed.cluster, b, plan->cluster_of[b]);
    }
  }
  return defect.s;
}
