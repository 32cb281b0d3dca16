/* Time tiling. The steps of a chain are its groups, and the copies that they need.
 *
 * Two steps p < q depend on each other where they touch one element of a buffer and one of them
 * writes it: whether a value flows, or memory is used again, is the same thing here. Their accesses
 * are displaced by constants, so such elements lie at distances q - p within [lo, hi] along each
 * axis, in coordinates that are the steps' indices, times a stride, plus an origin each. From them
 * follow, in plan order,
 *
 *     down(q) = max over p of (down(p) - lo),     up(q) = max over p of (up(p) + hi),
 *
 * at least 0. If p has run below c - down(p) and above a + up(p), then q may run below c - down(q)
 * and above a + up(q): whatever it depends on has run. So an upright (chain.h) waits for none of
 * its own chain, and within it bands go in ascending order. Nobody computes a point twice, and
 * the buffers are those that the plan has.
 *
 * Where a border holds the opposite one, or an array is rolled, a step reads a period further on.
 * All coordinates along that axis are the same again after a period, and distances small modulo
 * it. */
#include "scheduler/plan/tiling_int.h"
#include "scheduler/plan/transfers.h"

#include <string.h>

enum {
  MOST_STEPS = 128, /* of a chain: groups, and the copies between them */
  UPRIGHTS = 2,     /* per thread */
  WAITING = 3       /* uprights of one thread, where the outer ones wait for messages */
};

static bool has_messages(const tsr_plan *plan, int32_t group)
{
  const int32_t first = tsr__first_message(plan, group);
  return first < plan->n_messages && plan->messages[first].group == group;
}

/* Does the access touch what a step of the chain reduces? */
static bool touches_result(const tsr_tiling *t, const tsr_access *a)
{
  const int32_t buffer = t->plan->slots[a->slot].buffer;
  for (int32_t q = 0; t->n_results > 0 && q < t->n; q++)
    for (int32_t i = t->uses[q].n - 1; i >= 0 && t->uses[q].v[i].is_result; i--)
      if (t->uses[q].v[i].buffer == buffer) return true;
  return false;
}

/* With the group, would the chain reduce too often? */
static bool reduces_too_often(const tsr_tiling *t, const tsr_group *g)
{
  int32_t n = g->accesses.n_reductions;
  if (n == 0 || t->plan->scheduler->world->config.time_steps > 1) return false;
  for (int32_t q = 0; q < t->n; q++)
    for (int32_t i = t->uses[q].n - 1; i >= 0 && t->uses[q].v[i].is_result; i--) n++;
  return !tsr__reduces_seldom(t->n + 1 - n, n);
}

/* Is the group one that chains are made of? */
static bool is_plain_group(tsr_tiling *t, int32_t index)
{
  const tsr_group *g = &t->plan->groups[index];
  if (g->is_halo || !tsr__is_pointwise(g)) return tsr__end_by(t, TSR_END_TASK);
  if (g->blocks.n > 0) return tsr__end_by(t, TSR_END_BLOCKS);
  if (reduces_too_often(t, g)) return tsr__end_by(t, TSR_END_SUMS);
  for (int32_t i = 0; i < g->accesses.n; i++) {
    if (g->accesses.v[i].scratch) continue;
    if (touches_result(t, &g->accesses.v[i])) return tsr__end_by(t, TSR_END_REDUCTION);
    if (g->accesses.v[i].gather >= 0) return tsr__end_by(t, TSR_END_GATHERED);
    if (g->accesses.v[i].by_block) return tsr__end_by(t, TSR_END_BLOCKS);
  }
  return true;
}

/* Widens [lo, hi] by how far a coordinate of q is from one of p where they lead to one element.
 * apart: by how much their origins differ. */
static void add_distances(tsr_tiling *t, tsr_reach *distance, const int64_t *apart,
                          const tsr_reach *p, const tsr_reach *q)
{
  int64_t low[TSR_MAX_NDIM], high[TSR_MAX_NDIM];
  if (!p->any || !q->any) return;
  for (int k = 0; k < t->ndim; k++) {
    low[k] = tsr__nearest_distance(t, k, p->lo[k] - q->hi[k] + apart[k]);
    high[k] = low[k] + (p->hi[k] - p->lo[k]) + (q->hi[k] - q->lo[k]);
  }
  tsr__reach_widen(distance, t->ndim, low);
  tsr__reach_widen(distance, t->ndim, high);
}

/* The distances at which two groups depend on each other, in coordinates. False: they are not
 * constant, or memory passes between them to what lies otherwise. */
static bool find_distances(tsr_tiling *t, const tsr_uses *p, const tsr_uses *q,
                           const int64_t *apart, tsr_reach *out)
{
  out->any = false;
  for (int32_t i = 0; i < p->n; i++)
    for (int32_t j = 0; j < q->n; j++) {
      const tsr_use *a = &p->v[i], *b = &q->v[j];
      if (a->buffer != b->buffer) continue;
      if (a->is_result || b->is_result) return tsr__end_by(t, TSR_END_REDUCTION);
      if (!tsr__slots_lie_alike(t->plan, a->slot, b->slot)) return tsr__end_by(t, TSR_END_MEMORY);
      if ((!a->is_displaced || !b->is_displaced) && (a->stores.any || b->stores.any))
        return tsr__end_by(t, TSR_END_DISTANCE);
      add_distances(t, out, apart, &a->stores, &b->loads);
      add_distances(t, out, apart, &a->stores, &b->stores);
      add_distances(t, out, apart, &a->loads, &b->stores);
    }
  return true;
}

/* The first access that stores into an array; of a group that only reduces, the first that loads.
 * NULL: there is none. */
static const tsr_access *first_access(const tsr_group *g)
{
  const tsr_access *first = NULL;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch) continue;
    if (a->store) return a;
    if (first == NULL && g->accesses.n_reductions > 0) first = a;
  }
  return first;
}

/* Finds the axes along which the group goes. */
static bool begin_step(tsr_tiling *t, const tsr_group *g, tsr_chain_step *s)
{
  const tsr_access *first = first_access(g);
  if (first == NULL) return tsr__end_by(t, TSR_END_AXES);
  const tsr_view *v = &first->view->view;
  if (t->n == 0) {
    t->ndim = v->rdim;
    memcpy(t->extent, t->plan->regions[first->region].shape, sizeof t->extent);
  }
  s->ndim = g->ndim;
  return (v->rdim == t->ndim && t->ndim > 0 && tsr__find_moving_axes(v, s->axis, s->stride)) ||
         tsr__end_by(t, TSR_END_AXES);
}

static int64_t half(int64_t n) /* rounded down */
{
  return n >= 0 ? n / 2 : -((1 - n) / 2);
}

static const tsr_frame *frame_of(const tsr_tiling *t, int32_t buffer)
{
  for (int32_t i = 0; i < t->n_frames; i++)
    if (t->frames[i].buffer == buffer) return &t->frames[i];
  return NULL;
}

const tsr_use *tsr__traversed_use(const tsr_uses *u)
{
  const tsr_use *found = NULL;
  for (int32_t i = 0; i < u->n; i++)
    if (u->v[i].is_displaced && (found == NULL || (!found->stores.any && u->v[i].stores.any)))
      found = &u->v[i];
  return found;
}

int64_t tsr__middle_of_use(const tsr_use *u, int axis)
{
  const tsr_reach *r = u->stores.any ? &u->stores : &u->loads;
  return half(r->lo[axis] + r->hi[axis]);
}

/* Sets the step's origin so that a buffer whose coordinates are known keeps them, one that it
 * writes if there is one; the other buffers get theirs from the step. A step of which none is known
 * waits for nothing in the chain: its coordinates are its indices. */
static void set_origin(tsr_tiling *t, const tsr_uses *u, tsr_chain_step *s)
{
  const tsr_use *known = NULL;
  const tsr_frame *f = NULL;
  for (int32_t i = 0; i < u->n; i++) {
    const tsr_frame *its = u->v[i].is_displaced ? frame_of(t, u->v[i].buffer) : NULL;
    if (its == NULL || (known != NULL && (known->stores.any || !u->v[i].stores.any))) continue;
    known = &u->v[i];
    f = its;
  }
  for (int k = 0; k < t->ndim && known != NULL; k++)
    s->origin[k] = f->add[k] + tsr__middle_of_use(known, k);
  for (int32_t i = 0; i < u->n; i++) {
    if (!u->v[i].is_displaced || frame_of(t, u->v[i].buffer) != NULL) continue;
    t->frames = tsr__arena_grow(t->plan->scratch, t->frames, t->n_frames, &t->cap_frames,
                                sizeof *t->frames);
    tsr_frame *made = &t->frames[t->n_frames++];
    made->buffer = u->v[i].buffer;
    for (int k = 0; k < t->ndim; k++) made->add[k] = s->origin[k] - tsr__middle_of_use(&u->v[i], k);
  }
}

/* Makes the step lean so far along an axis that it depends on `before` at distances in [lo, hi].
 * False: that is too far. */
static bool lean_along(tsr_tiling *t, int axis, const tsr_chain_step *before, int64_t lo,
                       int64_t hi, tsr_chain_step *s)
{
  tsr_chain_axes *a = &t->axes;
  if (a->whole >> axis & 1) return true;
  if (lo < -TSR_MOST_DISTANCE || hi > TSR_MOST_DISTANCE) {
    if (axis == 0) return tsr__end_by(t, TSR_END_FAR);
    a->whole |= 1u << axis;
    return true;
  }
  s->down[axis] = (int32_t)tsr__max64(s->down[axis], before->down[axis] - lo);
  s->up[axis] = (int32_t)tsr__max64(s->up[axis], before->up[axis] + hi);
  a->down[axis] = tsr__max64(a->down[axis], s->down[axis]);
  a->up[axis] = tsr__max64(a->up[axis], s->up[axis]);
  a->distance[axis] = tsr__max64(a->distance[axis], tsr__max64(-lo, hi));
  if (a->period[axis] == 0 || a->period[axis] >= tsr__least_segment(a, axis)) return true;
  if (axis == 0) return tsr__end_by(t, TSR_END_MOST);
  a->whole |= 1u << axis;
  return true;
}

static bool same_reach(const tsr_reach *a, const tsr_reach *b, int ndim)
{
  const size_t size = (size_t)ndim * sizeof *a->lo;
  return a->any == b->any &&
         (!a->any || (!memcmp(a->lo, b->lo, size) && !memcmp(a->hi, b->hi, size)));
}

/* Do two steps touch the same elements of the same buffers from each of their coordinates? */
static bool same_uses(const tsr_tiling *t, int32_t p, int32_t q)
{
  const tsr_uses *a = &t->uses[p], *b = &t->uses[q];
  bool same = a->n == b->n && !memcmp(t->steps[p].origin, t->steps[q].origin,
                                      (size_t)t->ndim * sizeof *t->steps[p].origin);
  for (int32_t i = 0; i < a->n && same; i++) {
    const tsr_use *x = &a->v[i], *y = &b->v[i];
    same = x->buffer == y->buffer && x->is_displaced == y->is_displaced &&
           x->is_result == y->is_result && same_reach(&x->loads, &y->loads, t->ndim) &&
           same_reach(&x->stores, &y->stores, t->ndim);
  }
  return same;
}

static bool is_hidden(const tsr_tiling *t, int32_t p)
{
  return t->uses[p].hidden_by >= 0 && t->uses[p].hidden_by < t->n;
}

/* Adds the step that has been found. It hides the one before it that does the same, if it leans as
 * far: so a loop of few different steps is as cheap to follow at its end as at its beginning. */
static void end_step(tsr_tiling *t)
{
  const int32_t q = t->n;
  t->uses[q].hidden_by = -1;
  for (int32_t p = q - 1; p >= 0; p--) {
    if (is_hidden(t, p) || !same_uses(t, p, q)) continue;
    bool hides = true;
    for (int k = 0; k < t->ndim && hides; k++)
      hides = (t->axes.whole >> k & 1) || (t->steps[q].down[k] >= t->steps[p].down[k] &&
                                           t->steps[q].up[k] >= t->steps[p].up[k]);
    if (hides) t->uses[p].hidden_by = q;
    break;
  }
  t->n++;
}

/* Sets how far the step leans, and its part in coordinates, of a part in its own indices. False: it
 * depends on an earlier one at no constant or at a large distance. */
static bool lean(tsr_tiling *t, const tsr_uses *u, tsr_chain_step *s, const tsr_box *part)
{
  bool any = t->n == 0;
  for (int32_t p = 0; p < t->n; p++) {
    if (is_hidden(t, p)) continue;
    const tsr_chain_step *before = &t->steps[p];
    int64_t apart[TSR_MAX_NDIM];
    tsr_reach distance;
    for (int k = 0; k < t->ndim; k++) apart[k] = s->origin[k] - before->origin[k];
    if (!find_distances(t, &t->uses[p], u, apart, &distance)) return false;
    any |= distance.any;
    for (int k = 0; k < t->ndim && distance.any; k++)
      if (!lean_along(t, k, before, distance.lo[k], distance.hi[k], s)) return false;
  }
  for (int k = 0; k < t->ndim; k++) {
    const int j = s->axis[k];
    s->lo[k] = s->origin[k] + (j < 0 ? 0 : s->stride[k] * part->lo[j]);
    s->end[k] = s->lo[k] + (j < 0 ? 1 : s->stride[k] * (part->n[j] - 1) + 1);
  }
  t->has_strangers |= !any;
  return any || !t->is_alone || tsr__end_by(t, TSR_END_STRANGER);
}

/* The next step, which is not counted yet; NULL: there are as many as there may be. */
static tsr_chain_step *next_step(tsr_tiling *t, tsr_uses **u)
{
  tsr_arena *scratch = t->plan->scratch;
  tsr__end_by(t, TSR_END_MOST);
  if (t->n == MOST_STEPS) return NULL;
  t->uses = tsr__arena_grow(scratch, t->uses, t->n, &t->cap_uses, sizeof *t->uses);
  t->steps = tsr__arena_grow(scratch, t->steps, t->n, &t->cap_steps, sizeof *t->steps);
  *u = &t->uses[t->n];
  memset(&t->steps[t->n], 0, sizeof *t->steps);
  return &t->steps[t->n];
}

static bool add_copy(tsr_tiling *t, int32_t index)
{
  const tsr_plan_copy *c = &t->plan->copies[index];
  tsr_uses *u;
  tsr_chain_step *s = next_step(t, &u);
  if (s == NULL) return false;
  if (c->box.ndim != t->ndim || !tsr__box_is_dense(&c->box)) return tsr__end_by(t, TSR_END_AXES);
  s->group = c->group;
  s->copy = index;
  s->ndim = t->ndim;
  for (int k = 0; k < t->ndim; k++) {
    s->axis[k] = (int8_t)k;
    s->stride[k] = 1;
  }
  tsr__uses_of_copy(t, c, u);
  set_origin(t, u, s);
  if (!lean(t, u, s, &c->box)) return false;
  end_step(t);
  return true;
}

/* Bands do not divide what a task wants whole, and segments would: axis 0 ends the chain. */
static bool keep_whole(tsr_tiling *t, const tsr_group *g, const tsr_chain_step *s)
{
  for (int k = 0; k < t->ndim; k++) {
    if (s->axis[k] < 0 || !(g->whole >> s->axis[k] & 1)) continue;
    if (k == 0) return tsr__end_by(t, TSR_END_TASK);
    t->axes.whole |= 1u << k;
  }
  return true;
}

static bool add_step(tsr_tiling *t, int32_t group)
{
  const tsr_group *g = &t->plan->groups[group];
  tsr_uses *u;
  tsr_chain_step *s = next_step(t, &u);
  if (s == NULL || !begin_step(t, g, s) || !keep_whole(t, g, s) || !tsr__uses_of_group(t, g, s, u))
    return false;
  s->group = group;
  s->copy = -1;
  set_origin(t, u, s);
  if (!lean(t, u, s, &g->part)) return false;
  end_step(t);
  return true;
}

/* Adds the next group to the chain, behind the copies that it needs; those of the first group come
 * before the chain. A group of which this place has no part is no step. False: it cannot be. */
static bool add_group(tsr_tiling *t)
{
  const tsr_plan *plan = t->plan;
  const int32_t group = t->first + t->n_groups, n = t->n;
  const tsr_chain_axes axes = t->axes;
  bool may = (group < plan->n_groups || tsr__end_by(t, TSR_END_WINDOW)) && is_plain_group(t, group);
  bool has_copies = false;
  if (may && n > 0) {
    may = !has_messages(plan, group) || tsr__end_by(t, TSR_END_MESSAGES);
    for (int32_t i = tsr__first_copy(plan, group);
         may && i < plan->n_copies && plan->copies[i].group == group; i++) {
      has_copies = true;
      may = add_copy(t, i);
    }
  }
  if (may && tsr__box_is_empty(&plan->groups[group].part))
    may = (n > 0 && !has_copies && plan->groups[group].accesses.n_reductions == 0) ||
          tsr__end_by(t, TSR_END_EMPTY); /* other places' results come when the chain has run */
  else
    may = may && add_step(t, group);
  if (may) {
    t->n_groups++;
  } else {
    t->n = n;
    t->axes = axes;
    for (int32_t g = t->first; t->end == TSR_END_FAR && g <= group; g++)
      if (tsr__has_seams(&plan->groups[g].accesses)) tsr__end_by(t, TSR_END_PIECES);
  }
  return may;
}

int32_t tsr__n_segments_wanted(const tsr_tiling *t)
{
  const tsr_world *world = t->plan->scheduler->world;
  if (world->machine->n_threads > 1) return UPRIGHTS * world->machine->n_threads;
  if (has_messages(t->plan, t->first)) return WAITING;
  return world->config.time_steps > 1 ? UPRIGHTS : 1;
}

/* Cuts axis 0 into segments, each of which is longer than what its ends lean over and reach. The
 * ends of a period meet in one more wedge, which lies before an empty segment; one segment has
 * none, since its bands go in order. */
static void cut_segments(const tsr_tiling *t, tsr_chain_tiles *tiles)
{
  const int64_t length = tiles->end[0] - tiles->lo[0], least = tsr__least_segment(&t->axes, 0);
  int64_t n = tsr__n_segments_wanted(t);
  if (n > length / least) n = tsr__max64(length / least, 1);
  const bool meets = t->axes.period[0] > 0 && n > 1;
  tiles->n_segments = (int32_t)n + meets;
  tiles->cuts = tsr__arena_alloc(t->plan->scratch, (size_t)(n + 2) * sizeof *tiles->cuts);
  for (int64_t i = 0; i <= n; i++) tiles->cuts[i] = tiles->lo[0] + length * i / n;
  tiles->cuts[n + 1] = tiles->cuts[n];
}

static void make_tiles(tsr_tiling *t, const tsr_bands *w, tsr_chain_tiles *tiles)
{
  const int32_t n = w->n_steps, last = t->steps[n - 1].group;
  *tiles =
      (tsr_chain_tiles){.n_groups = last - t->first + 1, .ndim = t->ndim, .share = (float)w->bytes};
  memcpy(tiles->band, w->length, sizeof tiles->band);
  for (int k = 0; k < t->ndim; k++) {
    tiles->lo[k] = t->steps[0].lo[k];
    tiles->end[k] = t->steps[0].end[k];
    t->axes.up[k] = t->axes.down[k] = 0;
    for (int32_t q = 0; q < n; q++) {
      const tsr_chain_step *s = &t->steps[q];
      if (s->lo[k] < tiles->lo[k]) tiles->lo[k] = s->lo[k];
      if (s->end[k] > tiles->end[k]) tiles->end[k] = s->end[k];
      t->axes.up[k] = tsr__max64(t->axes.up[k], s->up[k]);
      t->axes.down[k] = tsr__max64(t->axes.down[k], s->down[k]);
    }
    if (t->axes.period[k] > 0) tiles->end[k] = tiles->lo[k] + t->axes.period[k];
  }
  cut_segments(t, tiles);
  tsr__make_images(t, n, tiles);
  t->plan->n_tiled += tiles->n_groups;
  for (int32_t g = t->first; g <= last; g++)
    tsr__chain_footprint(&t->plan->groups[g], g == t->first);
}

const char *tsr__chain_end_text(tsr_chain_end end)
{
  static const char *const texts[TSR_N_CHAIN_ENDS] = {
      [TSR_END_NONE] = "nothing is tiled there",
      [TSR_END_WINDOW] = "the window ends",
      [TSR_END_MOST] = "it has as many steps as it may",
      [TSR_END_TASK] = "a task of the library's, or one with blocks or a whole axis",
      [TSR_END_REDUCTION] = "a read of what the chain reduces",
      [TSR_END_SUMS] = "reductions of more than every second step",
      [TSR_END_PIECES] = "a periodic read, far from where the chain writes",
      [TSR_END_BLOCKS] = "a write in place, in blocks",
      [TSR_END_GATHERED] = "a read of what was gathered from other places",
      [TSR_END_MESSAGES] = "messages",
      [TSR_END_AXES] = "a write along other axes or with another step",
      [TSR_END_DISTANCE] = "a read at no constant distance",
      [TSR_END_FAR] = "a read far from where the chain writes",
      [TSR_END_MEMORY] = "memory passes to values that lie otherwise",
      [TSR_END_BUFFERS] = "too many arrays",
      [TSR_END_STRANGER] = "nothing that the chain reads or writes",
      [TSR_END_EMPTY] = "nothing of it is this place's",
      [TSR_END_CACHED] = "it fits the caches as it is",
      [TSR_END_PROFIT] = "more steps would save too little",
      [TSR_END_DEVICE] = "a device takes steps whole"};
  TSR_ASSERT(end < TSR_N_CHAIN_ENDS);
  return texts[end];
}

/* Is the next chain to be as long as the last one? The last few are chosen anew where the rest is
 * not so many whole ones, since chains are about even. */
static bool is_one_of_many(const tsr_chain_look *last)
{
  enum { FEW = 4 };
  return last->n_each > 0 && last->n_left >= last->n_each &&
         (last->n_left % last->n_each == 0 || last->n_left >= FEW * last->n_each);
}

int32_t tsr__tile_time(tsr_plan *plan, int32_t first, tsr_chain_tiles *tiles, tsr_chain_look *look)
{
  const tsr_chain_look last = *look;
  const bool is_like = last.end_group == first && is_one_of_many(&last);
  *look = (tsr_chain_look){
      .n_seen = 1, .end = TSR_END_NONE, .end_group = first, .alone_end = last.alone_end};
  const tsr_world *world = plan->scheduler->world;
  if (world->config.time_steps == 1 || plan->in_line) return 0;
  look->end = TSR_END_DEVICE;
  if (!tsr__world_is_host(world)) return 0;
  look->end = TSR_END_CACHED;
  if (world->config.time_steps == 0 && tsr__chain_is_small(plan, first, &look->compared)) return 0;
  look->compared = (tsr_compared){.bytes = 0};
  tsr_tiling t = {.plan = plan, .first = first, .is_alone = first < last.alone_end};
  while ((!is_like || t.n_groups < last.n_each) && add_group(&t)) continue;
  const bool is_as_long = is_like && t.n_groups == last.n_each; /* what comes next was not asked */
  if (!is_as_long) tsr__end_before_large(&t);
  look->n_seen = t.n_groups > 0 ? t.n_groups : 1;
  look->end = t.end;
  look->end_group = first + t.n_groups;
  if (t.n < 2) return 0;
  const uint8_t steps_end = is_as_long ? TSR_END_NONE : t.end;
  const bool is_whole = is_as_long && t.steps[t.n - 1].copy < 0;
  const tsr_bands w = is_whole ? tsr__bands_of_all(&t) : tsr__choose_bands(&t);
  look->end = is_whole && w.n_steps > 0 ? last.end : t.end;
  if (w.n_steps < 2 || t.steps[w.n_steps - 1].group == first) {
    look->end_group = first;
    look->steps_end = steps_end;
    look->steps_end_group = first + t.n_groups;
    look->compared = t.compared;
    if (!t.has_strangers || t.is_alone) return 0;
    look->alone_end = first + t.n_groups;
    return tsr__tile_time(plan, first, tiles, look);
  }
  make_tiles(&t, &w, tiles);
  look->compared = t.compared;
  look->end_group = first + tiles->n_groups;
  look->n_each = tiles->n_groups;
  look->n_left = (is_whole ? last.n_left : t.n_groups) - tiles->n_groups;
  if (w.n_steps < t.n && look->end != TSR_END_PROFIT) look->end = TSR_END_MOST;
  return tiles->n_groups;
}
