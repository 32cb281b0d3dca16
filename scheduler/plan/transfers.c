/* Transfers: the messages of each group, derived alike on both ends.
 *
 * A load needs, at place t, the image of t's part of the domain. What t neither owns nor holds as a
 * valid ghost comes from the owners. The receiver enumerates the tiles that its need meets; the
 * sender inverts the view on its tile and enumerates the parts of the domain that meet it. Both
 * cost O(neighbours), and both take the pieces from the same function of (need, owner, ghosts). All
 * pieces between two places in one group travel as one message. A need that fits the tile's halo
 * lands in the tile's own buffer, any other in a gathered copy. A replicated group that reads
 * distributed data gathers it up and down a binomial tree. */
#include "scheduler/plan/transfers.h"
#include "runtime/base/binomial.h"
#include "scheduler/plan/answers.h"
#include "scheduler/plan/deepen.h"
#include "scheduler/plan/gathers.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"

/** What one load of a group, or a copy before it, asks of all places. */
typedef struct transfer {
  tsr_plan *plan;
  int32_t group;
  int32_t slot, region; /* that is read */
  tsr_access *access;   /* NULL: it is a copy */
  const tsr_layout *layout;
  tsr_need need;
  uint32_t tag;
} transfer;

static tsr_message *message_to(tsr_plan *plan, int32_t group, int peer, bool send, uint32_t tag)
{
  for (int32_t i = plan->n_messages - 1; i >= 0; i--) {
    tsr_message *m = &plan->messages[i];
    if (m->group != group) break;
    if (m->peer == peer && m->send == send && m->tag == tag) return m;
  }
  plan->messages = tsr__arena_grow(plan->scratch, plan->messages, plan->n_messages,
                                   &plan->cap_messages, sizeof *plan->messages);
  tsr_message *m = &plan->messages[plan->n_messages++];
  *m = (tsr_message){.group = group, .peer = peer, .send = send, .tag = tag};
  return m;
}

int32_t tsr__first_message(const tsr_plan *plan, int32_t group)
{
  if (plan->n_messages == 0) return 0;
  return tsr__first_of_group(&plan->messages[0].group, (ptrdiff_t)sizeof *plan->messages,
                             plan->n_messages, group);
}

static void add_piece(tsr_plan *plan, tsr_message *m, int32_t slot, const tsr_box *box)
{
  m->pieces =
      tsr__arena_grow(plan->scratch, m->pieces, m->n_pieces, &m->cap_pieces, sizeof *m->pieces);
  m->pieces[m->n_pieces++] = (tsr_piece){.slot = slot, .box = *box};
  const tsr_plan_region *r = &plan->regions[plan->slots[slot].region];
  TSR_ASSERT(!tsr__box_is_empty(box) && box->ndim == r->ndim && m->peer != plan->place);
  m->bytes += (size_t)tsr__box_volume(box) * tsr__dtype_size((tsr_dtype)r->dtype);
}

/* Does `place` keep what it gets in its own tile's halo? A halo that an op asks for
 * stays there however wide it is. */
static bool lands_in_halo(const transfer *x, int place, const tsr_box *need)
{
  tsr_box tile;
  if (!tsr__layout_tile(x->layout, place, &tile) || tsr__box_is_empty(&tile)) return false;
  return x->plan->groups[x->group].is_halo ||
         tsr__fits_halo(need, &tile, x->plan->scheduler->world->config.halo_max);
}

/* The boxes that go from the owner of `tile` to `place`. Both ends call this function. */
static void pieces_between(const transfer *x, int place, const tsr_box *need, const tsr_box *tile,
                           tsr_boxes *out)
{
  tsr_box common;
  tsr__boxes_clear(out);
  if (!tsr__box_intersect(need, tile, &common)) return;
  tsr__boxes_add(out, &common);
  if (!lands_in_halo(x, place, need)) return;
  tsr_boxes valid = {0};
  tsr__ghosts_valid(&x->plan->slots[x->slot].ghosts, x->layout, place,
                    x->plan->scheduler->world->config.halo_max, &valid);
  for (int32_t i = 0; i < valid.n; i++) tsr__boxes_subtract_keep(out, &valid.v[i]);
  tsr__boxes_free(&valid);
}

/* Notes which rim of this place's part of the domain reads a received box and therefore waits.
 */
static void note_touched(transfer *x, const tsr_box *box)
{
  tsr_group *g = &x->plan->groups[x->group];
  tsr_box reads, waiting;
  if (tsr__is_throttled(g) || x->access == NULL) return;
  tsr__view_preimage(&x->need.view->view, box, &reads);
  if (!tsr__box_intersect(&reads, &g->part, &waiting)) return;
  int axis = -1;
  double thinnest = 1.0;
  for (int k = 0; k < g->ndim; k++) {
    double share = (double)(tsr__box_end(&waiting, k) - waiting.lo[k]) / (double)g->part.n[k];
    if (share < thinnest) {
      thinnest = share;
      axis = k;
    }
  }
  if (axis < 0) {
    if (g->ndim > 0) g->rims.lo[0] = g->part.n[0];
    return;
  }
  int64_t below = tsr__box_end(&waiting, axis) - g->part.lo[axis];
  int64_t above = tsr__box_end(&g->part, axis) - waiting.lo[axis];
  int64_t *rim = below <= above ? &g->rims.lo[axis] : &g->rims.hi[axis];
  int64_t width = below <= above ? below : above;
  if (*rim < width) *rim = width;
}

static int32_t add_gathered(transfer *x, const tsr_box *box)
{
  tsr_plan *plan = x->plan;
  const int32_t region = x->region;
  TSR_ASSERT(x->access != NULL); /* copies with margins stay in the halo */
  const tsr_box hull = tsr__box_dense_hull(box);
  tsr_instance shape;
  tsr__instance_shape(plan->scheduler, &shape, &hull, tsr__first_column(&hull),
                      tsr__dtype_size((tsr_dtype)plan->regions[region].dtype));
  TSR_ASSERT(plan->n_gathers > 0 && plan->gathers[plan->n_gathers - 1].bytes >= shape.bytes);
  const tsr_plan_slot s = {.region = region,
                           .buffer = -1,
                           .first_group = tsr__gather_begins(plan, x->group),
                           .last_group = x->group,
                           .gathered = true,
                           .shape = shape};
  return x->access->gather = tsr__add_slot(plan, &s);
}

static void copy_own(transfer *x, int32_t to, const tsr_box *need)
{
  tsr_plan *plan = x->plan;
  tsr_box common;
  if (!tsr__box_intersect(need, &plan->regions[x->region].tile, &common)) return;
  tsr__add_copy(plan,
                &(tsr_plan_copy){.group = x->group, .from = x->slot, .to = to, .box = common});
}

/* What this place receives of the need. The hull of the needs that land around a tile is the tile
 * with its halo: this is where a halo's width is decided. */
static void receive(transfer *x)
{
  tsr_plan *plan = x->plan;
  tsr_box need;
  if (!tsr__need_box(&x->need, plan->place, &need)) return;
  bool halo = lands_in_halo(x, plan->place, &need);
  int32_t to = x->slot;
  if (halo) {
    tsr__region_widen_alloc(plan, x->region, &need);
  } else {
    to = add_gathered(x, &need);
    copy_own(x, to, &need);
  }
  tsr_boxes pieces = {0};
  tsr_tile_iter it;
  for (tsr__tiles_meeting(&it, x->layout, &need); tsr__tiles_next(&it);) {
    if (it.place == plan->place) continue;
    pieces_between(x, plan->place, &need, &it.tile, &pieces);
    if (pieces.n == 0) continue;
    tsr_message *m = message_to(plan, x->group, it.place, false, x->tag);
    for (int32_t i = 0; i < pieces.n; i++) {
      add_piece(plan, m, to, &pieces.v[i]);
      note_touched(x, &pieces.v[i]);
    }
  }
  tsr__boxes_free(&pieces);
}

/* Widens a box of the domain so that it meets those tiles whose parts, with margins, met it. */
static void add_margins(tsr_box *box, const tsr_margins *by)
{
  *box = tsr__box_dense_hull(box);
  for (int k = 0; k < box->ndim; k++) {
    box->lo[k] -= by->hi[k];
    box->n[k] += by->lo[k] + by->hi[k];
  }
}

static void send(transfer *x)
{
  tsr_plan *plan = x->plan;
  const tsr_box *tile = &plan->regions[x->region].tile;
  if (tsr__box_is_empty(tile)) return;
  tsr_box readers, need;
  tsr__view_readers(&x->need.view->view, tile, &readers);
  if (tsr__box_is_empty(&readers)) return;
  if (x->need.is_wide) add_margins(&readers, &x->need.wide);
  tsr_boxes pieces = {0};
  tsr_tile_iter it;
  for (tsr__tiles_meeting(&it, x->need.cut, &readers); tsr__tiles_next(&it);) {
    if (it.place == plan->place || !tsr__need_box(&x->need, it.place, &need)) continue;
    pieces_between(x, it.place, &need, tile, &pieces);
    if (pieces.n == 0) continue;
    tsr_message *m = message_to(plan, x->group, it.place, true, x->tag);
    for (int32_t i = 0; i < pieces.n; i++) add_piece(plan, m, x->slot, &pieces.v[i]);
  }
  tsr__boxes_free(&pieces);
}

/* Adds the pieces of `need` that places [first, end) own, into or out of a gathered copy. */
static void add_owned(transfer *x, tsr_message *m, const tsr_box *need, int first, int end)
{
  tsr_tile_iter it;
  tsr_box common;
  for (tsr__tiles_meeting(&it, x->layout, need); tsr__tiles_next(&it);)
    if (it.place >= first && it.place < end && tsr__box_intersect(need, &it.tile, &common))
      add_piece(x->plan, m, x->access->gather, &common);
}

/* Do places [first, end) own anything of `need`? Its steps may leap over all of their tiles. */
static bool owns_any(const transfer *x, const tsr_box *need, int first, int end)
{
  tsr_tile_iter it;
  for (tsr__tiles_meeting(&it, x->layout, need); tsr__tiles_next(&it);)
    if (it.place >= first && it.place < end && tsr__box_intersects(need, &it.tile)) return true;
  return false;
}

/* Every place needs all of it: the pieces go up a binomial tree to place 0 and down again. */
static void gather_everywhere(transfer *x)
{
  tsr_plan *plan = x->plan;
  tsr_box all = tsr__box_of_shape(x->need.cut->ndim, x->need.cut->shape), need;
  tsr__view_image(&x->need.view->view, &all, &need);
  if (tsr__box_is_empty(&need)) return;
  copy_own(x, add_gathered(x, &need), &need);
  uint32_t up = x->tag, down = plan->n_tags++;
  const tsr_binomial node = tsr__binomial(plan->place, plan->n_places);
  const int *child = node.child, end = child[node.n_children];
  for (int i = 0; i < node.n_children; i++)
    if (owns_any(x, &need, child[i], child[i + 1]))
      add_owned(x, message_to(plan, x->group, child[i], false, up), &need, child[i], child[i + 1]);
  if (node.parent >= 0) {
    if (owns_any(x, &need, plan->place, end))
      add_owned(x, message_to(plan, x->group, node.parent, true, up), &need, plan->place, end);
    add_piece(plan, message_to(plan, x->group, node.parent, false, down), x->access->gather, &need);
  }
  for (int i = node.n_children; i-- > 0;)
    add_piece(plan, message_to(plan, x->group, child[i], true, down), x->access->gather, &need);
}

/* Sends and receives what places lack, which they have from then on. */
static void bring_lacking(transfer *x)
{
  receive(x);
  send(x);
  tsr__ghosts_fill(&x->plan->slots[x->slot].ghosts, &x->need);
}

static tsr_need need_of(const tsr_group *g, const tsr_access *a)
{
  return (tsr_need){.cut = g->cut, .view = a->view, .is_wide = g->is_wide, .wide = g->wide};
}

/* Does every place find what the load reads in its own tile? */
static bool stays_in_tile(const tsr_plan *plan, const tsr_group *g, const tsr_access *a)
{
  const tsr_view *v = &a->view->view;
  return !g->is_wide && !v->bounded && !v->reaches && tsr__view_is_separable(v) &&
         tsr__layout_pullback(plan->scheduler->layouts, plan->regions[a->region].layout, v) ==
             g->cut;
}

static void transfer_access(tsr_plan *plan, int32_t group, tsr_access *a, uint32_t tag)
{
  tsr_group *g = &plan->groups[group];
  const tsr_layout *layout = plan->regions[a->region].layout;
  if (layout->replicated) return;
  if (stays_in_tile(plan, g, a)) return;
  if (!g->is_halo && !g->is_wide) tsr__gathers_note(plan, group, a);
  transfer x = {.plan = plan,
                .group = group,
                .slot = a->slot,
                .region = a->region,
                .access = a,
                .layout = layout,
                .need = need_of(g, a),
                .tag = tag};
  if (g->cut->replicated) {
    x.tag = plan->n_tags++;
    gather_everywhere(&x);
    return;
  }
  bring_lacking(&x);
}

/* The bytes of the packed partials of places [first, end) together. */
static size_t partials_bytes(const tsr_plan *plan, const tsr_plan_reduction *r, int first, int end)
{
  const tsr_layout *cut = plan->groups[r->group].cut;
  const int64_t question[TSR_QUESTION_WORDS] = {TSR_ASKED_PARTIALS, cut->id, r->axes_mask, r->code,
                                                r->compute,         first,   end};
  tsr_answer *entry = tsr__answer_to(plan->scheduler, question);
  if (entry->is_known) return (size_t)entry->answer;
  tsr_boxes parts = {0};
  tsr__layout_tiles_of(cut, first, end, &parts);
  entry->answer =
      (int64_t)tsr__partials_bytes_of(&r->tree, r->code, (tsr_dtype)r->compute, parts.v, parts.n);
  entry->is_known = true;
  tsr__boxes_free(&parts);
  return (size_t)entry->answer;
}

/* The result goes up a binomial tree of all places, and down again. */
static void spread_tree(tsr_plan *plan, tsr_plan_reduction *r)
{
  const tsr_binomial node = tsr__binomial(plan->place, plan->n_places);
  const int *child = node.child;
  const size_t n = (size_t)node.n_children;
  r->spread = TSR_SPREAD_TREE;
  r->sources = tsr__arena_alloc(&plan->arena, n * sizeof *r->sources);
  r->source_bytes = tsr__arena_alloc(&plan->arena, n * sizeof *r->source_bytes);
  r->down = r->sources;
  r->n_sources = r->n_down = node.n_children;
  for (int i = 0; i < node.n_children; i++) {
    r->sources[i] = child[i];
    r->source_bytes[i] = partials_bytes(plan, r, child[i], child[i + 1]);
  }
  if (node.parent < 0) return;
  r->up = node.parent;
  r->up_bytes = partials_bytes(plan, r, plan->place, child[n]);
}

/* To the owner of the result's tile. */
static void spread_owner(tsr_plan *plan, tsr_plan_reduction *r)
{
  const tsr_group *g = &plan->groups[r->group];
  r->spread = TSR_SPREAD_OWNER;
  r->kept = g->part;
  if (tsr__box_is_empty(&g->part)) return;
  tsr_box line = g->part; /* the part of the domain that reduces to the same tile of the result */
  for (int k = 0; k < g->ndim; k++)
    if (r->axes_mask >> k & 1) {
      line.lo[k] = 0;
      line.n[k] = g->shape[k];
    }
  int owner = -1, n = 0, cap = 0;
  tsr_tile_iter it;
  for (tsr__tiles_meeting(&it, g->cut, &line); tsr__tiles_next(&it);) {
    if (owner < 0)
      owner = it.place; /* the first tile along the reduced axes, as tsr__layout_reduce has it */
    if (it.place == plan->place) continue;
    r->sources = tsr__arena_grow(&plan->arena, r->sources, n, &cap, sizeof *r->sources);
    r->sources[n++] = it.place;
  }
  if (owner != plan->place) {
    r->up = owner;
    r->up_bytes = partials_bytes(plan, r, plan->place, plan->place + 1);
    return;
  }
  r->n_sources = n;
  r->source_bytes = tsr__arena_alloc(&plan->arena, ((size_t)n + 1) * sizeof *r->source_bytes);
  for (int i = 0; i < n; i++)
    r->source_bytes[i] = partials_bytes(plan, r, r->sources[i], r->sources[i] + 1);
}

void tsr__plan_spread(tsr_plan *plan, tsr_plan_reduction *r)
{
  const tsr_group *g = &plan->groups[r->group];
  const tsr_layout *result = plan->regions[r->region].layout;
  r->kept = tsr__box_of_shape(g->ndim, g->shape);
  r->spread = TSR_SPREAD_LOCAL;
  if (g->cut->replicated || plan->n_places == 1) return; /* This place has all partials. */
  r->tag_up = plan->n_tags++;
  r->tag_down = plan->n_tags++;
  if (result->replicated)
    spread_tree(plan, r);
  else
    spread_owner(plan, r);
}

/* Brings in what this place lacks of the source of a copy with margins, by the messages of a
 * group. */
static void transfer_copy(tsr_plan *plan, int32_t group, const tsr_wide_copy *c, uint32_t tag)
{
  const int32_t region = plan->slots[c->from].region;
  transfer x = {.plan = plan,
                .group = group,
                .slot = c->from,
                .region = region,
                .layout = plan->regions[region].layout,
                .need = c->need,
                .tag = tag};
  bring_lacking(&x);
}

/* Brings in what later groups of the interval read of what is there when it begins. */
static void transfer_early(tsr_plan *plan, int32_t first, uint32_t tag)
{
  for (int32_t i = 0; i < plan->n_wide_copies; i++) {
    const tsr_wide_copy *c = &plan->wide_copies[i];
    if (c->early && c->group > first && c->group < plan->groups[first].interval_end)
      transfer_copy(plan, first, c, tag);
  }
  for (int32_t i = first + 1; i < plan->groups[first].interval_end; i++) {
    const tsr_group *g = &plan->groups[i];
    for (int32_t k = 0; k < g->accesses.n; k++) {
      const tsr_access *a = &g->accesses.v[k];
      if (!a->early || stays_in_tile(plan, g, a) || (!g->is_wide && tsr__is_gathered(plan, g, a)))
        continue;
      bring_lacking(&(transfer){.plan = plan,
                                .group = first,
                                .slot = a->slot,
                                .region = a->region,
                                .layout = plan->regions[a->region].layout,
                                .need = need_of(g, a),
                                .tag = tag});
    }
  }
}

static void transfer_group(tsr_plan *plan, int32_t group)
{
  tsr_group *g = &plan->groups[group];
  const uint32_t tag = plan->n_tags++;
  for (int32_t a = 0; a < g->accesses.n; a++)
    if (!g->accesses.v[a].store) transfer_access(plan, group, &g->accesses.v[a], tag);
  transfer_early(plan, group, tag);
  for (int32_t i = 0; i < plan->n_wide_copies; i++)
    if (plan->wide_copies[i].group == group) transfer_copy(plan, group, &plan->wide_copies[i], tag);
}

/* The group's part, with margins, is valid in what it stores. */
static void note_wide_store(tsr_plan *plan, const tsr_group *g, const tsr_access *a)
{
  const tsr_need need = need_of(g, a);
  tsr_box made;
  if (tsr__need_box(&need, plan->place, &made)) tsr__region_widen_alloc(plan, a->region, &made);
  tsr__ghosts_fill(&plan->slots[a->slot].ghosts, &need);
}

/* Notes in the ghosts' logs what the group writes, and of what places have more than their tile. */
static void note_stores(tsr_plan *plan, int32_t group)
{
  const tsr_group *g = &plan->groups[group];
  const tsr_box all = tsr__box_of_shape(g->ndim, g->shape);
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    tsr_box box;
    if (!a->store || a->scratch) continue;
    tsr__view_image(&a->view->view, &all, &box);
    tsr__ghosts_write(&plan->slots[a->slot].ghosts, &box);
  }
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    const tsr_plan_reduction *r = &plan->reductions[g->accesses.first_reduction + i];
    const tsr_plan_region *result = &plan->regions[r->region];
    const tsr_box box = tsr__box_of_shape(result->ndim, result->shape);
    tsr__ghosts_write(&plan->slots[r->slot].ghosts, &box);
  }
  for (int32_t i = 0; i < g->accesses.n && g->is_wide; i++)
    if (g->accesses.v[i].store) note_wide_store(plan, g, &g->accesses.v[i]);
  for (int32_t i = 0; i < plan->n_wide_copies; i++) {
    const tsr_wide_copy *c = &plan->wide_copies[i];
    if (c->group == group && c->to >= 0) tsr__ghosts_fill(&plan->slots[c->to].ghosts, &c->need);
  }
}

void tsr__plan_transfers(tsr_plan *plan)
{
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    if (plan->n_places > 1) transfer_group(plan, i);
    note_stores(plan, i);
    for (int32_t r = 0; r < g->accesses.n_reductions; r++)
      tsr__plan_spread(plan, &plan->reductions[g->accesses.first_reduction + r]);
  }
  plan->gathered_bytes = tsr__gathers_bytes(plan);
}
