/* Deep halos. Groups are put into *intervals*, in each of which most loads find what they need.
 *
 * Forwards: the depth of a version is how far, beyond what a place must hold when the interval
 * begins, its ghosts are used up: a load that reaches e beyond the tile makes what its group stores
 * e deeper than what it loads. An interval ends before the group that would go too deep.
 *
 * Backwards: a group's part gets margins as wide as the widest ghosts that later loads of the
 * interval need of what it stores; so much wider are the ghosts that it needs itself.
 *
 * Depths and margins count along axes that are cut, in elements of a region or in indices of a
 * domain, each of which moves by `step` elements. A group that cannot have margins (a reduction, a
 * task over blocks, a store along other axes) leaves its results *narrow*: without ghosts. */
#include "scheduler/plan/deepen.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/regions.h"
#include "scheduler/plan/slots.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_EXCHANGES = 16, /* that one takes the place of */
  MOST_SHARE = 20,     /* margins take at most 1 / MOST_SHARE of a tile */
  MOST_REACHES = 64    /* that are remembered */
};

/** How far all places' parts, led through a view, reach beyond the places' own tiles. */
typedef struct reach {
  const tsr_layout *cut, *layout;
  const tsr_view *view;
  bool is_simple;             /* each lies around one tile; else nothing else is known */
  int8_t axis[TSR_MAX_NDIM];  /* the domain's, that moves each cut axis of the region; -1: none */
  int64_t step[TSR_MAX_NDIM]; /* by so many elements; less than 0: it leads backwards */
  tsr_margins by;             /* along the region's axes; 0 along those that are not cut */
  tsr_margins limit;
} reach;

/** What is known of a slot in the interval. */
typedef struct state {
  int32_t interval; /* of which the rest is; another one: nothing is known */
  bool is_made;     /* a group of the interval stores it */
  bool is_narrow;
  tsr_margins depth; /* forwards */
  tsr_margins want;  /* backwards: the ghosts that the interval needs */
} state;

typedef struct deepening {
  tsr_plan *plan;
  state *slots; /* [n_slots] */
  reach *reaches;
  int32_t n_reaches;
  int32_t interval, n_exchanges;
  bool *is_widenable; /* [n_groups] */
  bool *is_early;     /* [n_groups] nothing that it renames was made in its interval */
} deepening;

/** What a group would do in the interval. */
typedef struct outlook {
  bool is_widenable, is_too_deep, needs_exchange; /* the last: of what the interval makes */
  tsr_margins depth;                              /* along the domain's axes */
} outlook;

static void raise_to(int64_t *at, int64_t least)
{
  if (*at < least) *at = least;
}

static bool is_cut(const tsr_layout *layout, int axis)
{
  return layout->n_tiles[axis] > 1;
}

/* How much margin tiles may have along an axis. */
static int64_t limit_of(const tsr_plan *plan, const tsr_layout *layout, int axis)
{
  const tsr_config *config = &plan->scheduler->world->config;
  int64_t narrowest = layout->shape[axis], n_axes = 0;
  for (int k = 0; k < layout->ndim; k++) n_axes += is_cut(layout, k);
  for (int32_t c = 0; c < layout->n_tiles[axis]; c++) {
    const int64_t n = layout->cuts[axis][c + 1] - layout->cuts[axis][c];
    if (n < narrowest) narrowest = n;
  }
  const int64_t most = config->halo_steps > 1 ? narrowest : narrowest / (MOST_SHARE * n_axes);
  return most < config->halo_max ? most : config->halo_max;
}

/* Finds how far the tiles of the cut reach along an axis of the region, which the domain's axis
 * `axis` moves (-1: none does). False: not around the tiles of the same places. */
static bool reach_along(reach *r, int k, int axis)
{
  const tsr_layout *cut = r->cut;
  const bool moves = axis >= 0 && is_cut(cut, axis);
  const int64_t before = r->view->reaches ? r->view->before[k] : 0;
  const int64_t after = r->view->reaches ? r->view->after[k] : 0;
  tsr_box tile;
  if (moves && cut->place_stride[axis] != r->layout->place_stride[k]) return false;
  r->by.lo[k] = r->by.hi[k] = INT64_MIN;
  for (int32_t c = 0; c < (moves ? cut->n_tiles[axis] : 1); c++) {
    const int place = cut->place_base + (moves ? cut->place_stride[axis] * c : 0);
    if (!tsr__layout_tile(r->layout, place, &tile) || tsr__box_is_empty(&tile)) return false;
    int64_t least = r->view->offset[k], most = least;
    if (axis >= 0) {
      const int64_t step = r->view->step[k][axis];
      least += step * cut->cuts[axis][step > 0 ? c : c + 1] - (step > 0 ? 0 : step);
      most += step * cut->cuts[axis][step > 0 ? c + 1 : c] - (step > 0 ? step : 0);
    }
    raise_to(&r->by.lo[k], tile.lo[k] - least + before);
    raise_to(&r->by.hi[k], most + 1 - tsr__box_end(&tile, k) + after);
  }
  return true;
}

/* Of one tile of the cut, and of the layout, is known by which strides its places are numbered. */
static bool find_reach(const tsr_plan *plan, reach *r)
{
  const tsr_view *v = r->view;
  uint32_t followed = 0;
  memset(&r->by, 0, sizeof r->by);
  if (v->bounded || r->cut->place != NULL || r->layout->place != NULL) return false;
  for (int k = 0; k < v->rdim; k++) {
    r->axis[k] = -1;
    const int axis = tsr__view_axis_of_row(v, k);
    if (!is_cut(r->layout, k)) continue;
    if (axis >= 0) followed |= 1u << axis;
    if (axis == -2 || !reach_along(r, k, axis)) return false;
    r->limit.lo[k] = r->limit.hi[k] = limit_of(plan, r->layout, k);
    if (axis < 0 || !is_cut(r->cut, axis)) continue;
    r->axis[k] = (int8_t)axis;
    r->step[k] = v->step[k][axis];
  }
  for (int j = 0; j < v->ndim; j++)
    if (is_cut(r->cut, j) && !(followed >> j & 1)) return false;
  return true;
}

static const reach *reach_of(deepening *x, const tsr_group *g, const tsr_access *a)
{
  const tsr_layout *layout = x->plan->regions[a->region].layout;
  for (int32_t i = 0; i < x->n_reaches; i++) {
    const reach *r = &x->reaches[i];
    if (r->cut == g->cut && r->layout == layout && tsr__view_equal(r->view, &a->view->view))
      return r;
  }
  const int32_t at = x->n_reaches < MOST_REACHES ? x->n_reaches++ : MOST_REACHES - 1;
  if (x->reaches == NULL)
    x->reaches = tsr__arena_alloc(x->plan->scratch, MOST_REACHES * sizeof *x->reaches);
  reach *r = &x->reaches[at];
  *r = (reach){.cut = g->cut, .layout = layout, .view = &a->view->view};
  r->is_simple = find_reach(x->plan, r);
  return r;
}

/* Does the access touch memory that is cut over places? */
static bool is_spread(const tsr_plan *plan, const tsr_access *a)
{
  return !a->scratch && !plan->regions[a->region].layout->replicated;
}

/* Does the store write boxes, each into its place's own tile? One of every n-th point must not be
 * to a version of its own: the copy of the points that it leaves out would be no box with
 * margins. */
static bool stores_own_tile(deepening *x, const tsr_group *g, const tsr_access *a)
{
  const tsr_layout *layout = x->plan->regions[a->region].layout;
  const tsr_view *v = &a->view->view;
  const tsr_box all = tsr__box_of_shape(g->ndim, g->shape);
  tsr_box image;
  if (layout->replicated || v->bounded || !tsr__view_is_separable(v) ||
      tsr__layout_pullback(x->plan->scheduler->layouts, layout, v) != g->cut)
    return false;
  return reach_of(x, g, a)->is_simple && tsr__view_image(v, &all, &image) &&
         (g->n_renames == 0 || tsr__box_is_dense(&image));
}

static bool may_be_wide(deepening *x, const tsr_group *g)
{
  if (!tsr__is_pointwise(g) || g->is_halo || g->cut->replicated || g->cut->place != NULL ||
      g->accesses.n_reductions > 0 || g->accesses.kernel == NULL)
    return false;
  for (int k = 0; k < g->ndim; k++)
    if (g->shape[k] == 0) return false;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch || a->by_block || (a->store && !stores_own_tile(x, g, a))) return false;
  }
  return true;
}

static state *state_of(deepening *x, int32_t slot)
{
  state *s = &x->slots[slot];
  if (s->interval != x->interval) *s = (state){.interval = x->interval};
  return s;
}

/* Margins along the region's axes from those along the domain's, and the other way round: only
 * greater ones count. */
static void raise_region(const reach *r, tsr_margins *region, const tsr_margins *domain)
{
  for (int k = 0; k < r->view->rdim; k++) {
    if (!is_cut(r->layout, k) || r->axis[k] < 0) continue;
    const int j = r->axis[k];
    const int64_t step = llabs(r->step[k]);
    raise_to(&region->lo[k], step * (r->step[k] < 0 ? domain->hi[j] : domain->lo[j]));
    raise_to(&region->hi[k], step * (r->step[k] < 0 ? domain->lo[j] : domain->hi[j]));
  }
}

static void raise_domain(const reach *r, tsr_margins *domain, const tsr_margins *region)
{
  for (int k = 0; k < r->view->rdim; k++) {
    if (!is_cut(r->layout, k) || r->axis[k] < 0) continue;
    const int j = r->axis[k];
    const int64_t step = llabs(r->step[k]), up = step - 1;
    raise_to(&domain->lo[j], ((r->step[k] < 0 ? region->hi[k] : region->lo[k]) + up) / step);
    raise_to(&domain->hi[j], ((r->step[k] < 0 ? region->lo[k] : region->hi[k]) + up) / step);
  }
}

/* The version that a rename of the group takes over from, and that which it makes. */
static void renamed_slots(const tsr_plan *plan, int32_t group, int32_t i, int32_t *from,
                          int32_t *to)
{
  const int32_t region = plan->groups[group].renames[i];
  const int32_t version = tsr__version_at(plan, region, group);
  *from = plan->regions[region].slots[version];
  *to = plan->regions[region].slots[version + 1];
}

/* Would the load want wider ghosts than there may be? Along an axis that nothing moves, only what
 * lies beyond the tile is wanted. */
static bool is_beyond(const reach *r, int k, int64_t by, int64_t need, int64_t limit)
{
  return need > limit && (r->axis[k] >= 0 || by > 0);
}

/* Looks at a load of the group. */
static void look_at_load(deepening *x, const tsr_group *g, tsr_access *a, outlook *o)
{
  const reach *r = reach_of(x, g, a);
  const state *s = state_of(x, a->slot);
  a->early = false;
  if (!r->is_simple) {
    o->is_widenable = false;
    return;
  }
  tsr_margins need = s->depth; /* zero of what the interval does not make */
  bool reaches = false, is_beyond_limit = false;
  for (int k = 0; k < r->view->rdim; k++) {
    if (!is_cut(r->layout, k)) continue;
    reaches |= r->by.lo[k] > 0 || r->by.hi[k] > 0;
    need.lo[k] += r->by.lo[k];
    need.hi[k] += r->by.hi[k];
    is_beyond_limit |= is_beyond(r, k, r->by.lo[k], need.lo[k], r->limit.lo[k]) ||
                       is_beyond(r, k, r->by.hi[k], need.hi[k], r->limit.hi[k]);
  }
  a->early = !s->is_made && !is_beyond_limit;
  if (s->is_made && s->is_narrow) o->is_widenable = false;
  o->is_too_deep |= is_beyond_limit || (s->is_made && s->is_narrow && reaches);
  o->needs_exchange |= s->is_made && reaches;
  raise_domain(r, &o->depth, &need);
}

static outlook look_at(deepening *x, int32_t group)
{
  const tsr_group *g = &x->plan->groups[group];
  outlook o = {.is_widenable = may_be_wide(x, g)};
  for (int32_t i = 0; i < g->accesses.n && !g->is_halo && !g->cut->replicated; i++)
    if (!g->accesses.v[i].store && is_spread(x->plan, &g->accesses.v[i]))
      look_at_load(x, g, &g->accesses.v[i], &o);
  return o;
}

/* Notes what the group makes. */
static void add_group(deepening *x, int32_t group, const outlook *o)
{
  const tsr_plan *plan = x->plan;
  const tsr_group *g = &plan->groups[group];
  x->is_early[group] = true;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (!a->store || !is_spread(plan, a)) continue;
    state *s = state_of(x, a->slot);
    s->is_narrow |= !o->is_widenable;
    s->is_made = true;
    if (o->is_widenable) raise_region(reach_of(x, g, a), &s->depth, &o->depth);
  }
  for (int32_t i = 0; i < g->n_renames; i++) {
    int32_t from, to;
    renamed_slots(plan, group, i, &from, &to);
    const state *before = state_of(x, from);
    state *s = state_of(x, to);
    if (!before->is_made) continue;
    x->is_early[group] = false;
    s->is_narrow |= before->is_narrow;
    for (int k = 0; k < plan->regions[g->renames[i]].ndim; k++) {
      raise_to(&s->depth.lo[k], before->depth.lo[k]);
      raise_to(&s->depth.hi[k], before->depth.hi[k]);
    }
  }
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    state *s = state_of(x, plan->reductions[g->accesses.first_reduction + i].slot);
    s->is_made = s->is_narrow = true;
  }
}

/* Does a load of the group want wider ghosts than there may be, if its part has these margins, or
 * does a store make points beyond all halos, which may be further than the ghosts of a load? If
 * not, notes the ghosts that the loads want. */
static bool wants_too_much(deepening *x, const tsr_group *g, const tsr_margins *wide, bool notes)
{
  const int64_t halo_max = x->plan->scheduler->world->config.halo_max;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (!is_spread(x->plan, a)) continue;
    const reach *r = reach_of(x, g, a);
    if (!r->is_simple) continue;
    tsr_margins want = {.lo = {0}};
    raise_region(r, &want, wide);
    state *s = state_of(x, a->slot);
    for (int k = 0; k < r->view->rdim; k++) {
      if (!is_cut(r->layout, k)) continue;
      want.lo[k] += r->by.lo[k];
      want.hi[k] += r->by.hi[k];
      if (want.lo[k] > (a->store ? halo_max : r->limit.lo[k]) ||
          want.hi[k] > (a->store ? halo_max : r->limit.hi[k]))
        return true;
      if (!notes || a->store) continue;
      raise_to(&s->want.lo[k], want.lo[k]);
      raise_to(&s->want.hi[k], want.hi[k]);
    }
  }
  return false;
}

static bool is_any(const tsr_margins *m, int ndim)
{
  for (int k = 0; k < ndim; k++)
    if (m->lo[k] > 0 || m->hi[k] > 0) return true;
  return false;
}

/* Notes how wide the interval's ghosts are, for all regions together. */
static void note_ghosts(const deepening *x)
{
  for (int32_t i = 0; i < x->plan->n_slots; i++) {
    if (x->slots[i].interval != x->interval) continue;
    tsr_plan_region *r = &x->plan->regions[x->plan->slots[i].region];
    for (int k = 0; k < r->ndim; k++) {
      raise_to(&r->wide.lo[k], x->slots[i].want.lo[k]);
      raise_to(&r->wide.hi[k], x->slots[i].want.hi[k]);
    }
  }
}

/* Removes from the boxes what the group stores in all of a slot, whose views' window it returns;
 * NULL: it stores nothing there. */
static tsr_window *leave_out_stores(const tsr_group *g, int32_t slot, tsr_boxes *rest)
{
  const tsr_box all = tsr__box_of_shape(g->ndim, g->shape);
  tsr_window *window = NULL;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    tsr_box image;
    if (!a->store || a->scratch || a->slot != slot) continue;
    window = a->view->window;
    if (tsr__view_image(&a->view->view, &all, &image)) tsr__boxes_subtract_keep(rest, &image);
  }
  return window;
}

static tsr_wide_copy *add_wide_copy(tsr_plan *plan, const tsr_wide_copy *copy)
{
  plan->wide_copies = tsr__arena_grow(plan->scratch, plan->wide_copies, plan->n_wide_copies,
                                      &plan->cap_wide_copies, sizeof *plan->wide_copies);
  plan->wide_copies[plan->n_wide_copies] = *copy;
  return &plan->wide_copies[plan->n_wide_copies++];
}

/* Slices the view to a dense box of its domain. */
static void slice_to(tsr_view *view, const tsr_box *box)
{
  for (int k = 0; k < box->ndim; k++) tsr__view_slice(view, k, box->lo[k], box->n[k], 1);
}

/* Copies with margins what the group's stores leave out of a version that later loads want wide. */
static void widen_copies(deepening *x, int32_t group, int32_t region, int32_t from, int32_t to)
{
  tsr_plan *plan = x->plan;
  const tsr_plan_region *r = &plan->regions[region];
  tsr_boxes rest = {0};
  const tsr_box whole = tsr__box_of_shape(r->ndim, r->shape);
  tsr__boxes_add(&rest, &whole);
  tsr_window *window = leave_out_stores(&plan->groups[group], to, &rest);
  TSR_ASSERT(window != NULL);
  tsr__drop_copies(plan, group, to);
  for (int32_t i = 0; i < rest.n; i++) {
    tsr_view view;
    if (tsr__box_is_empty(&rest.v[i])) continue;
    tsr__view_identity(&view, r->ndim, r->shape);
    slice_to(&view, &rest.v[i]);
    const tsr_wide_copy *c = add_wide_copy(
        plan, &(tsr_wide_copy){
                  .group = group,
                  .from = from,
                  .to = to,
                  .early = x->is_early[group],
                  .need = {.cut = tsr__layout_pullback(plan->scheduler->layouts, r->layout, &view),
                           .view = tsr__view_ref_new(window, &view),
                           .is_wide = true,
                           .wide = state_of(x, to)->want}});
    tsr_box box;
    if (tsr__need_box(&c->need, plan->place, &box))
      tsr__add_copy(plan, &(tsr_plan_copy){
                              .group = group, .from = from, .to = to, .is_wide = true, .box = box});
  }
  tsr__boxes_free(&rest);
}

/* Is it known already that the first group brings this of the slot? */
static bool is_brought(const tsr_plan *plan, const tsr_wide_copy *copy)
{
  for (int32_t i = 0; i < plan->n_wide_copies; i++) {
    const tsr_wide_copy *c = &plan->wide_copies[i];
    if (c->group == copy->group && c->from == copy->from && c->to < 0 &&
        tsr__need_is_within(&copy->need, &c->need))
      return true;
  }
  return false;
}

/* Brings with the messages of group `first` what a load of a later group reads in a box of its
 * slot, which nobody writes in between. */
static void bring_early(tsr_plan *plan, int32_t first, const tsr_group *g, const tsr_access *a,
                        const tsr_box *box)
{
  tsr_box reads, all = tsr__box_of_shape(g->ndim, g->shape), common;
  tsr_view indices, view;
  tsr__view_preimage(&a->view->view, box, &reads);
  if (!tsr__box_intersect(&reads, &all, &common) || !tsr__box_is_dense(&common)) return;
  tsr__view_identity(&indices, g->ndim, g->shape);
  slice_to(&indices, &common);
  tsr__view_copy(&view, &a->view->view);
  slice_to(&view, &common);
  tsr_wide_copy copy = {
      .group = first,
      .from = a->slot,
      .to = -1,
      .need = {.cut = tsr__layout_pullback(plan->scheduler->layouts, g->cut, &indices),
               .view = tsr__view_ref_new(a->view->window, &view),
               .is_wide = g->is_wide,
               .wide = g->wide}};
  if (is_brought(plan, &copy))
    tsr__view_ref_drop(copy.need.view);
  else
    add_wide_copy(plan, &copy);
}

/* Brings, when the interval [first, end) begins, what it never writes of a slot that it writes, and
 * later groups read: a border, beside their tiles. */
static void bring_rest(deepening *x, int32_t slot, int32_t first, int32_t end)
{
  tsr_plan *plan = x->plan;
  const tsr_plan_slot *s = &plan->slots[slot];
  const tsr_plan_region *r = &plan->regions[s->region];
  const state *of = &x->slots[slot];
  if (of->interval != x->interval || !of->is_made || !is_any(&of->want, r->ndim) ||
      (!s->existing && s->first_group >= first))
    return;
  tsr_boxes rest = {0};
  const tsr_box whole = tsr__box_of_shape(r->ndim, r->shape);
  tsr__boxes_add(&rest, &whole);
  for (int32_t g = first; g < end; g++) leave_out_stores(&plan->groups[g], slot, &rest);
  for (int32_t i = first + 1; i < end && rest.n > 0; i++) {
    const tsr_group *g = &plan->groups[i];
    for (int32_t k = 0; k < g->accesses.n && !g->is_halo && !g->cut->replicated; k++) {
      const tsr_access *a = &g->accesses.v[k];
      if (a->store || a->scratch || a->slot != slot || a->early || !reach_of(x, g, a)->is_simple)
        continue;
      for (int32_t b = 0; b < rest.n; b++) bring_early(plan, first, g, a, &rest.v[b]);
    }
  }
  tsr__boxes_free(&rest);
}

/* Gives a group of the interval its margins, when all later ones have theirs. */
static void widen_group(deepening *x, int32_t group)
{
  tsr_plan *plan = x->plan;
  tsr_group *g = &plan->groups[group];
  if (g->is_halo || g->cut->replicated) return;
  for (int32_t i = 0; i < g->accesses.n && x->is_widenable[group]; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->store) raise_domain(reach_of(x, g, a), &g->wide, &state_of(x, a->slot)->want);
  }
  g->is_wide = is_any(&g->wide, g->ndim);
  if (g->is_wide && wants_too_much(x, g, &g->wide, false)) g->is_wide = false;
  if (!g->is_wide) memset(&g->wide, 0, sizeof g->wide);
  wants_too_much(x, g, &g->wide, true);
  for (int32_t i = 0; i < g->n_renames; i++) {
    int32_t from, to;
    const int32_t region = g->renames[i];
    renamed_slots(plan, group, i, &from, &to);
    const tsr_margins *want = &state_of(x, to)->want;
    if (!g->is_wide || !is_any(want, plan->regions[region].ndim)) continue;
    state *s = state_of(x, from);
    for (int k = 0; k < plan->regions[region].ndim; k++) {
      raise_to(&s->want.lo[k], want->lo[k]);
      raise_to(&s->want.hi[k], want->hi[k]);
    }
    widen_copies(x, group, region, from, to);
  }
  if (!g->is_wide) return;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->store) raise_region(reach_of(x, g, a), &plan->regions[a->region].wide, &g->wide);
  }
  plan->n_wide++;
  tsr__widen_part(g);
}

/* The groups [first, end) have become an interval. */
static void end_interval(deepening *x, int32_t first, int32_t end)
{
  const int64_t n_wide = x->plan->n_wide;
  if (end > first + 1 && tsr__margins_pay(x->plan, first, end))
    for (int32_t g = end - 1; g >= first; g--) widen_group(x, g);
  if (x->plan->n_wide > n_wide) {
    x->plan->groups[first].interval_end = end;
    note_ghosts(x);
    for (int32_t i = 0; i < x->plan->n_slots; i++) bring_rest(x, i, first, end);
  }
  x->interval++;
  x->n_exchanges = 0;
}

void tsr__plan_deepen(tsr_plan *plan)
{
  const tsr_config *config = &plan->scheduler->world->config;
  const int64_t most = config->halo_steps > 1 ? config->halo_steps : MOST_EXCHANGES;
  if (plan->n_places == 1 || config->halo_steps == 1 || !plan->widens) return;
  deepening x = {.plan = plan, .interval = 1};
  x.slots = tsr__arena_calloc(plan->scratch, (size_t)plan->n_slots + 1, sizeof *x.slots);
  x.is_widenable =
      tsr__arena_calloc(plan->scratch, (size_t)plan->n_groups + 1, sizeof *x.is_widenable);
  x.is_early = tsr__arena_calloc(plan->scratch, (size_t)plan->n_groups + 1, sizeof *x.is_early);
  int32_t first = 0;
  for (int32_t g = 0; g < plan->n_groups; g++) {
    outlook o = look_at(&x, g);
    if (g > first && (o.is_too_deep || (o.needs_exchange && x.n_exchanges + 1 >= most))) {
      end_interval(&x, first, g);
      first = g;
      o = look_at(&x, g);
    }
    if (o.is_too_deep) o.is_widenable = false;
    x.n_exchanges += o.needs_exchange;
    x.is_widenable[g] = o.is_widenable;
    add_group(&x, g, &o);
  }
  end_interval(&x, first, plan->n_groups);
}

void tsr__plan_deepen_end(tsr_plan *plan)
{
  for (int32_t i = 0; i < plan->n_wide_copies; i++)
    tsr__view_ref_drop(plan->wide_copies[i].need.view);
  plan->n_wide_copies = 0;
}
