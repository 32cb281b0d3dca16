/* In-place blocking: a renamed write where memory is short. The new version stays in the buffer of
 * the old one, and the group runs in blocks of this rank's part along one axis, one after the
 * other:
 *
 *   block 0    block 1    block 2               block 3               ...   end
 *   compute    compute    copy out 0, compute   copy out 1, compute         copy out the last two
 *
 * A block computes into slots of its own. No load reaches further than the next block, so what
 * block s writes is read by no block after s + 1, and it is copied over the old values before block
 * s + 2. So the slots of block s take the buffers of those of block s - 3 again: a ring of three
 * small buffers. All slots of one access lie alike, so that it moves from block to block by a
 * shift.
 *
 * Whether a group can do so, and how thick its blocks are, follows from views and the widest tiles,
 * the same on every rank. Which rows they hold is this rank's own affair: messages come before the
 * first block, and no other rank needs to know. */
#include "scheduler/plan/blocking.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"

#include <stdlib.h>

/* Blocks of the widest tile, if loads do not reach further than one of them. */
enum { N_BLOCKS = 64 };

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
  *reach = tsr__views_displaced(store, load, axis);
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

/* How the group runs in blocks; n: at most, 0: it stays whole. */
static tsr_chain_blocks choose_blocks(const tsr_plan *plan, int32_t group)
{
  const tsr_group *g = &plan->groups[group];
  tsr_chain_blocks best = {.n = 0};
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
    if (reach < 0 || width == 0 || TSR_RING * (double)thickness / (double)width >= least) continue;
    least = TSR_RING * (double)thickness / (double)width;
    best = (tsr_chain_blocks){axis, thickness, (int32_t)((width + thickness - 1) / thickness)};
  }
  return best;
}

/* Bytes of the image of the largest block, as every rank counts them. */
static size_t agreed_block_bytes(const tsr_scheduler *s, const tsr_group *g, const tsr_view *v,
                                 const tsr_chain_blocks *how, size_t elem_bytes)
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

/* Adds the slot of what one block stores through `a`, which lies as that of the first block
 * does. */
static int32_t add_block_slot(tsr_plan *plan, int32_t group, const tsr_chain_blocks *how,
                              const tsr_access *a, int32_t block)
{
  const tsr_group *g = &plan->groups[group];
  const tsr_view *view = &a->view->view;
  const size_t elem_bytes = tsr__dtype_size((tsr_dtype)plan->regions[a->region].dtype);
  tsr_box box, image = {.ndim = view->rdim};
  if (!tsr__box_is_empty(&g->part)) {
    tsr__block_box(g, 0, &box);
    box.lo[how->axis] += (int64_t)block * how->thickness;
    tsr__view_image(view, &box, &image);
    image = tsr__box_dense_hull(&image);
  }
  tsr_instance shape;
  tsr__instance_shape(plan->scheduler, &shape, &image, tsr__first_column(&image), elem_bytes);
  const size_t agreed_bytes = agreed_block_bytes(plan->scheduler, g, view, how, elem_bytes);
  TSR_ASSERT(shape.lead_bytes == 0 && shape.bytes <= agreed_bytes);
  return tsr__add_slot(plan,
                       &(tsr_plan_slot){.region = a->region,
                                        .buffer = -1,
                                        .first_group = group,
                                        .last_group = group,
                                        .gathered = true,
                                        .block = true,
                                        .before = block < TSR_RING ? -1 : plan->n_slots - TSR_RING,
                                        .shape = shape,
                                        .agreed_bytes = agreed_bytes});
}

/* Adds the copy of what a block stores through `a` to where it belongs. */
static void add_copy_out(tsr_plan *plan, int32_t group, const tsr_access *a, int32_t block,
                         int32_t from)
{
  const tsr_group *g = &plan->groups[group];
  const int32_t n = g->blocks.n;
  tsr_box box, image;
  tsr__block_box(g, block, &box);
  tsr__view_image(&a->view->view, &box, &image);
  tsr__add_copy(plan, &(tsr_plan_copy){.group = group,
                                       .from = from,
                                       .to = a->slot,
                                       .block = block + 2 < n ? block + 2 : n,
                                       .box = image});
}

/* Lets a group run in blocks. Every rank gets the slots of a ring at least, since it counts their
 * buffers. */
static void block_group(tsr_plan *plan, int32_t group, const tsr_chain_blocks *how)
{
  tsr_group *g = &plan->groups[group];
  g->blocks = (tsr_chain_blocks){.axis = how->axis, .thickness = how->thickness};
  if (!tsr__box_is_empty(&g->part))
    g->blocks.n = (int32_t)((g->part.n[how->axis] + how->thickness - 1) / how->thickness);
  TSR_ASSERT(g->blocks.n <= how->n);
  for (int32_t i = 0; i < g->accesses.n; i++) {
    tsr_access *a = &g->accesses.v[i];
    const int32_t first = plan->n_slots;
    if (!stores_renamed(g, a)) continue;
    for (int32_t b = 0; b < g->blocks.n || b < TSR_RING; b++) {
      const int32_t slot = add_block_slot(plan, group, how, a, b);
      if (b < g->blocks.n) add_copy_out(plan, group, a, b, slot);
    }
    tsr__touch_blocks(a, first);
  }
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
    tsr__drop_copies(plan, -1, a->slot);
    plan->n_in_place++;
  }
}

bool tsr__plan_blocking(tsr_plan *plan)
{
  bool any = false;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_chain_blocks how = choose_blocks(plan, i);
    if (how.n == 0) continue;
    any = true;
    stay_in_place(plan, i);
    block_group(plan, i, &how);
  }
  return any;
}
