/* In-place blocking: a renamed write where memory is short. The new version stays in the buffer of
 * the old one, and the group runs in blocks of this rank's part along one axis, each block a group
 * of its own:
 *
 *   block 0    block 1    block 2               block 3               ...   end
 *   compute    compute    copy out 0, compute   copy out 1, compute         copy out the last two
 *
 * A block computes into slots of its own. No load reaches further than the next block, so what
 * block s writes is read by no block after s + 1, and it is copied over the old values before block
 * s + 2. Live ranges of three groups make the slots share three small buffers.
 *
 * Whether a group can do so, and how thick its blocks are, follows from views and the widest tiles,
 * the same on every rank. Which rows they hold is this rank's own affair. The pass runs after
 * transfers: messages belong to the first block, so that no other rank needs to know. */
#include "scheduler/plan/blocking.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"

#include <stdlib.h>
#include <string.h>

enum {
  N_BLOCKS = 64, /* blocks of the widest tile, if loads do not reach further than one of them */
  RING = 3       /* blocks whose slots are alive at once */
};

typedef struct blocks {
  int32_t n; /* 0: the group stays whole */
  int axis;
  int64_t thickness;
} blocks;

static bool is_renamed(const tsr_group *g, int32_t region)
{
  for (int32_t i = 0; i < g->n_renames; i++)
    if (g->renames[i] == region) return true;
  return false;
}

static bool stores_renamed(const tsr_group *g, const tsr_access *a)
{
  return a->store && !a->scratch && is_renamed(g, a->region);
}

/* The axis of the region along which the domain's axis moves; -1 if not one axis of its own. */
static int row_of(const tsr_view *v, int axis)
{
  int row = -1;
  for (int k = 0; k < v->rdim; k++) {
    if (v->step[k][axis] == 0) continue;
    if (row >= 0) return -1;
    row = k;
  }
  for (int j = 0; row >= 0 && j < v->ndim; j++)
    if (j != axis && v->step[row][j] != 0) return -1;
  return row;
}

/* Sets *reach to the distance, in steps of the domain's axis, of `load` from what `store` writes;
 * both move alike along the axis. False: there is no bound. */
static bool reach_of(const tsr_view *store, const tsr_view *load, int axis, int64_t *reach)
{
  tsr_box all = tsr__box_of_shape(store->ndim, store->shape), written, read;
  tsr__view_image(store, &all, &written);
  tsr__view_image(load, &all, &read);
  *reach = 0;
  if (!tsr__box_intersects(&written, &read)) return true;
  int row = row_of(store, axis);
  for (int j = 0; j < store->ndim; j++)
    if (load->step[row][j] != store->step[row][j]) return false;
  int64_t apart = llabs(load->offset[row] - store->offset[row]),
          step = llabs(store->step[row][axis]);
  *reach = (apart + step - 1) / step;
  return true;
}

/* How far the group's loads of renamed regions reach along the axis; -1: too far for blocks. */
static int64_t reach_along(const tsr_group *g, int axis)
{
  int64_t most = 0, reach;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *store = &g->accesses.v[i];
    if (!stores_renamed(g, store)) continue;
    if (row_of(&store->view->view, axis) < 0) return -1;
    for (int32_t j = 0; j < g->accesses.n; j++) {
      const tsr_access *load = &g->accesses.v[j];
      if (load->store || load->scratch || load->region != store->region) continue;
      if (load->view->view.bounded ||
          !reach_of(&store->view->view, &load->view->view, axis, &reach))
        return -1;
      if (most < reach) most = reach;
    }
  }
  return most;
}

/* The slot of the version that the group's version, in slot `to`, follows; -1 if that does not end
 * with this group. */
static int32_t version_before(const tsr_plan *plan, int32_t group, int32_t to)
{
  const tsr_plan_slot *s = &plan->slots[to];
  TSR_ASSERT(s->version > 0 && !s->gathered);
  const int32_t slot = plan->regions[s->region].slots[s->version - 1];
  const tsr_plan_slot *before = &plan->slots[slot];
  const bool ends = (before->existing || before->first_group < group) &&
                    before->last_group == group && !before->final;
  return ends ? slot : -1;
}

static blocks choose(const tsr_plan *plan, int32_t group)
{
  const tsr_group *g = &plan->groups[group];
  blocks best = {.n = 0};
  double least = 0.75; /* share of a second buffer that blocking must save */
  if (g->is_task) return best;
  for (int32_t i = 0; i < g->accesses.n; i++)
    if (stores_renamed(g, &g->accesses.v[i]) &&
        version_before(plan, group, g->accesses.v[i].slot) < 0)
      return best;
  for (int axis = 0; axis < g->ndim && g->n_renames > 0; axis++) {
    int64_t reach = reach_along(g, axis), width = tsr__layout_widest(g->cut, axis);
    int64_t thickness = (width + N_BLOCKS - 1) / N_BLOCKS;
    if (thickness < reach) thickness = reach;
    if (reach < 0 || width == 0 || RING * (double)thickness / (double)width >= least) continue;
    least = RING * (double)thickness / (double)width;
    best = (blocks){(int32_t)((width + thickness - 1) / thickness), axis, thickness};
  }
  return best;
}

/* Bytes of the image of the largest block, as every rank counts them. */
static size_t agreed_block_bytes(const tsr_scheduler *s, const tsr_group *g, const tsr_view *v,
                                 const blocks *how, size_t elem_bytes)
{
  int64_t n[TSR_MAX_NDIM];
  for (int k = 0; k < v->rdim; k++) {
    n[k] = 1;
    for (int j = 0; j < v->ndim; j++) {
      int64_t width = j == how->axis ? how->thickness : tsr__layout_widest(g->cut, j);
      n[k] += llabs(v->step[k][j]) * (width - 1);
    }
  }
  return tsr__agreed_box_bytes(s, v->rdim, n, elem_bytes);
}

/* Sets *part to the part of block s; false if this rank has none. */
static bool block_part(const tsr_group *g, const blocks *how, int32_t s, tsr_box *part)
{
  *part = g->part;
  if (tsr__box_is_empty(part)) return false;
  int64_t begin = (int64_t)s * how->thickness, left = g->part.n[how->axis] - begin;
  part->lo[how->axis] += begin;
  part->n[how->axis] = left < 0 ? 0 : left < how->thickness ? left : how->thickness;
  return part->n[how->axis] > 0;
}

/* Adds a slot for what one block stores through `a`, and the copy from there to where it belongs.
 */
static int32_t add_block_slot(tsr_plan *plan, const tsr_group *g, const blocks *how,
                              const tsr_access *a, const tsr_box *part, int32_t group,
                              int32_t copied_by)
{
  tsr_view *view = &a->view->view;
  size_t elem_bytes = tsr__dtype_size((tsr_dtype)plan->regions[a->region].dtype);
  plan->slots = tsr__arena_grow(plan->scratch, plan->slots, plan->n_slots, &plan->cap_slots,
                                sizeof *plan->slots);
  tsr_plan_slot *s = &plan->slots[plan->n_slots];
  *s = (tsr_plan_slot){.region = a->region,
                       .buffer = -1,
                       .first_group = group,
                       .last_group = copied_by,
                       .gathered = true,
                       .block = true,
                       .agreed_bytes =
                           agreed_block_bytes(plan->scheduler, g, view, how, elem_bytes)};
  tsr_box image = {.ndim = view->rdim}, hull = {.ndim = view->rdim};
  if (!tsr__box_is_empty(part)) {
    tsr__view_image(view, part, &image);
    hull = tsr__box_dense_hull(&image);
    plan->copies = tsr__arena_grow(plan->scratch, plan->copies, plan->n_copies, &plan->cap_copies,
                                   sizeof *plan->copies);
    plan->copies[plan->n_copies++] =
        (tsr_plan_copy){.group = copied_by, .from = plan->n_slots, .to = a->slot, .box = image};
  }
  tsr__instance_shape(plan->scheduler, &s->shape, &hull, tsr__first_column(&hull), elem_bytes);
  return plan->n_slots++;
}

/* Splits group `g` into its blocks, groups[first] and those behind it, and one more group that
 * copies the last blocks out. */
static void cut_group(tsr_plan *plan, const tsr_group *g, const blocks *how, int32_t first,
                      tsr_group *groups)
{
  size_t accesses_bytes = (size_t)g->accesses.n * sizeof *g->accesses.v;
  int32_t end = first + how->n;
  for (int32_t s = 0; s < how->n; s++) {
    tsr_group *block = &groups[first + s];
    *block = *g;
    block->in_place.number = s;
    block->in_place.more = true;
    if (s > 0) block->n_ops = 0; /* the ops are counted once */
    bool any = block_part(g, how, s, &block->part);
    tsr_box next;
    if (s > 0) block->margins.lo[how->axis] = 0;
    if (block_part(g, how, s + 1, &next)) block->margins.hi[how->axis] = 0;
    if (!any) block->part.n[how->axis] = 0;
    block->accesses.v = tsr__arena_alloc(plan->scratch, accesses_bytes + 1);
    memcpy(block->accesses.v, g->accesses.v, accesses_bytes);
    int32_t copied_by = s + 2 < how->n ? first + s + 2 : end;
    for (int32_t i = 0; i < g->accesses.n; i++)
      if (stores_renamed(g, &g->accesses.v[i]))
        block->accesses.v[i].slot =
            add_block_slot(plan, g, how, &g->accesses.v[i], &block->part, first + s, copied_by);
  }
  groups[end] = (tsr_group){.ndim = g->ndim,
                            .cut = g->cut,
                            .in_place.number = how->n,
                            .ops = g->ops,
                            .accesses.first_reduction = g->accesses.first_reduction,
                            .accesses.n_reductions = g->accesses.n_reductions,
                            .part = g->part};
  memcpy(groups[end].shape, g->shape, sizeof g->shape);
  groups[end].part.n[how->axis] = 0;
}

/* The group's renamed versions stay where they are, so nothing is left to copy from the old ones.
 */
static void stay_in_place(tsr_plan *plan, int32_t group)
{
  const tsr_group *g = &plan->groups[group];
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (!stores_renamed(g, a) || plan->slots[a->slot].in_place) continue;
    tsr_plan_slot *to = &plan->slots[a->slot];
    to->in_place = true;
    to->before = version_before(plan, group, a->slot);
    int32_t n = 0;
    for (int32_t c = 0; c < plan->n_copies; c++)
      if (plan->copies[c].to != a->slot) plan->copies[n++] = plan->copies[c];
    plan->n_copies = n;
    plan->n_renamed--;
    plan->n_in_place++;
  }
}

/* Renumbers the groups that the plan names. first: [n_groups + 1] the new number of each group's
 * first block. */
static void renumber(tsr_plan *plan, const int32_t *first)
{
  for (int32_t i = 0; i < plan->n_slots; i++) {
    tsr_plan_slot *s = &plan->slots[i];
    s->first_group = first[s->first_group];
    s->last_group =
        s->last_group < plan->n_groups ? first[s->last_group + 1] - 1 : first[plan->n_groups];
  }
  for (int32_t i = 0; i < plan->n_copies; i++) plan->copies[i].group = first[plan->copies[i].group];
  for (int32_t i = 0; i < plan->n_messages; i++)
    plan->messages[i].group = first[plan->messages[i].group];
  for (int32_t i = 0; i < plan->n_reductions; i++)
    plan->reductions[i].group = first[plan->reductions[i].group + 1] - 1;
}

bool tsr__plan_blocking(tsr_plan *plan)
{
  blocks *how = tsr__arena_calloc(plan->scratch, (size_t)plan->n_groups + 1, sizeof *how);
  int32_t *first = tsr__arena_calloc(plan->scratch, (size_t)plan->n_groups + 1, sizeof *first);
  for (int32_t i = 0; i < plan->n_groups; i++) {
    how[i] = choose(plan, i);
    first[i + 1] = first[i] + (how[i].n > 0 ? how[i].n + 1 : 1);
  }
  int32_t n_groups = first[plan->n_groups];
  if (n_groups == plan->n_groups) return false;
  tsr_group *groups = tsr__arena_calloc(plan->scratch, (size_t)n_groups, sizeof *groups);
  for (int32_t i = 0; i < plan->n_groups; i++)
    if (how[i].n > 0) stay_in_place(plan, i);
  renumber(plan, first);
  for (int32_t i = 0; i < plan->n_groups; i++) {
    if (how[i].n > 0)
      cut_group(plan, &plan->groups[i], &how[i], first[i], groups);
    else
      groups[first[i]] = plan->groups[i];
  }
  plan->groups = groups;
  plan->n_groups = plan->cap_groups = n_groups;
  return true;
}
