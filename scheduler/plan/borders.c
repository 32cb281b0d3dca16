/* Borders: the store that renames a region leaves points out, which are copied from the old version
 * (slots.c). Two passes keep as few of these copies as will do. Both concern this rank alone.
 *
 * Dead borders, after transfers: of each copy only those points stay that are read, sent or final
 * before they are overwritten. Periodic borders, which are written anew after each step, are not
 * copied.
 *
 * Dropped borders, after buffers: versions take turns in two buffers. A border that was not written
 * since is in the buffer already, since the buffer held the version before the last. */
#include "scheduler/plan/borders.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/transfers.h"

#include <string.h>

enum {
  MOST_PIECES = 8,  /* of one copy: more pieces cost more than the points that they save */
  MOST_TOGETHER = 8 /* copies */
};

/* The boxes of a copy that are known to be needed, and those that are still open. */
typedef struct border {
  tsr_boxes rest, live;
} border;

/* The copies of a group into one slot, the last one first: what is done with the slot is looked at
 * once for all of them. The lists' memory serves those of one group after the other. */
typedef struct borders {
  border v[MOST_TOGETHER]; /* [n] */
  int32_t n, slot;
} borders;

static void read_box(borders *x, const tsr_box *box)
{
  const tsr_box hull = tsr__box_dense_hull(box);
  tsr_box common;
  for (int32_t b = 0; b < x->n; b++) {
    border *at = &x->v[b];
    bool any = false;
    for (int32_t i = 0; i < at->rest.n; i++) {
      if (!tsr__box_intersect(&at->rest.v[i], &hull, &common)) continue;
      tsr__boxes_add(&at->live, &common);
      any = true;
    }
    if (any) tsr__boxes_subtract_keep(&at->rest, &hull);
  }
}

static void write_box(borders *x, const tsr_box *box)
{
  for (int32_t b = 0; b < x->n; b++)
    if (x->v[b].rest.n > 0) tsr__boxes_subtract_keep(&x->v[b].rest, box);
}

static bool any_rest(const borders *x)
{
  bool any = false;
  for (int32_t b = 0; b < x->n && !any; b++) any = x->v[b].rest.n > 0;
  return any;
}

/* The copies while they are cut, the last one first: those up to number `at` are as they were, in
 * the order of their groups, and what has become of the others is in `done`, the last one first. */
typedef struct cutting {
  int32_t at;
  tsr_plan_copy *done; /* [n_done] */
  int32_t n_done, capacity;
} cutting;

/* How many of what is done belongs to the group or a later one. */
static int32_t n_done_from(const cutting *x, int32_t group)
{
  if (x->n_done == 0) return 0;
  return x->n_done - tsr__first_of_group(&x->done[x->n_done - 1].group, -(ptrdiff_t)sizeof *x->done,
                                         x->n_done, group);
}

/* Follow a group's accesses in the order of its tasks: copies and messages, then loads, then
 * stores. */
static void follow_group(const tsr_plan *plan, const cutting *copies, int32_t group, borders *x)
{
  const tsr_group *g = &plan->groups[group];
  const int32_t slot = x->slot;
  const tsr_plan_copy *v = plan->copies, *done = copies->done;
  tsr_box box;
  const int32_t first =
      tsr__first_of_group(&v[0].group, (ptrdiff_t)sizeof *v, copies->at + 1, group);
  for (int32_t i = first; i <= copies->at && v[i].group == group; i++)
    if (v[i].from == slot) read_box(x, &v[i].box);
  for (int32_t i = n_done_from(copies, group) - 1; i >= 0 && done[i].group == group; i--)
    if (done[i].from == slot) read_box(x, &done[i].box);
  for (int32_t i = tsr__first_message(plan, group);
       i < plan->n_messages && plan->messages[i].group == group; i++) {
    const tsr_message *m = &plan->messages[i];
    for (int32_t p = 0; p < m->n_pieces; p++)
      if (m->pieces[p].slot == slot) read_box(x, &m->pieces[p].box);
  }
  if (tsr__box_is_empty(&g->part)) return;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->store || a->slot != slot || a->gather >= 0) continue;
    tsr__view_image(&a->view->view, &g->part, &box);
    if (!tsr__box_is_empty(&box)) read_box(x, &box);
  }
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (!a->store || a->scratch || a->slot != slot) continue;
    if (tsr__view_image(&a->view->view, &g->part, &box)) write_box(x, &box);
  }
}

static bool is_border(const tsr_plan *plan, const tsr_plan_copy *c)
{
  const tsr_plan_slot *to = &plan->slots[c->to];
  return to->renamed && !to->in_place && !plan->slots[c->from].gathered;
}

/* Joins pieces that make up one box. */
static void join_pieces(tsr_boxes *live)
{
  if (live->n < 2) return;
  tsr_box all = live->v[0];
  for (int32_t i = 1; i < live->n; i++) all = tsr__box_hull(&all, &live->v[i]);
  if (tsr__box_volume(&all) != tsr__boxes_volume(live)) return;
  tsr__boxes_clear(live);
  tsr__boxes_add(live, &all);
}

/* Puts the copies in the order of their groups, which those with margins have left. */
static void order_copies(tsr_plan *plan)
{
  int32_t n = 1;
  while (n < plan->n_copies && plan->copies[n - 1].group <= plan->copies[n].group) n++;
  if (n >= plan->n_copies) return;
  int32_t *at = tsr__arena_calloc(plan->scratch, (size_t)plan->n_groups + 1, sizeof *at);
  for (int32_t i = 0; i < plan->n_copies; i++) at[plan->copies[i].group + 1]++;
  for (int32_t g = 0; g < plan->n_groups; g++) at[g + 1] += at[g];
  tsr_plan_copy *ordered =
      tsr__arena_alloc(plan->scratch, (size_t)plan->n_copies * sizeof *ordered);
  for (int32_t i = 0; i < plan->n_copies; i++)
    memcpy(&ordered[at[plan->copies[i].group]++], &plan->copies[i], sizeof *ordered);
  tsr__set_copies(plan, ordered, plan->n_copies);
}

/* How many copies, from number `at` down, are borders of one group and one slot; 0: that one is
 * none. */
static int32_t n_together(const tsr_plan *plan, int32_t at)
{
  const tsr_plan_copy *c = &plan->copies[at];
  int32_t n = 0;
  while (n < MOST_TOGETHER && n <= at && c[-n].group == c->group && c[-n].to == c->to &&
         is_border(plan, &c[-n]) && c[-n].box.ndim > 0)
    n++;
  return n;
}

/* Finds the pieces that are needed of the copies from number copies->at down. */
static void find_live(const tsr_plan *plan, const cutting *copies, borders *x)
{
  const tsr_plan_copy *c = &plan->copies[copies->at];
  const tsr_plan_slot *to = &plan->slots[c->to];
  x->slot = c->to;
  for (int32_t i = 0; i < x->n; i++) {
    TSR_ASSERT(c[-i].group >= to->first_group && c[-i].from != c[-i].to);
    tsr__boxes_clear(&x->v[i].rest);
    tsr__boxes_clear(&x->v[i].live);
    tsr__boxes_add(&x->v[i].rest, &c[-i].box);
  }
  for (int32_t g = c->group; g <= to->last_group && g < plan->n_groups && any_rest(x); g++)
    follow_group(plan, copies, g, x);
  for (int32_t i = 0; i < x->n; i++) {
    border *b = &x->v[i];
    for (int32_t r = 0; to->final && r < b->rest.n; r++) tsr__boxes_add(&b->live, &b->rest.v[r]);
    join_pieces(&b->live);
  }
}

static void add_done(tsr_plan *plan, cutting *x, const tsr_plan_copy *c, const tsr_box *box)
{
  if (tsr__box_is_empty(box)) return;
  const tsr_plan_copy piece = {.group = c->group,
                               .from = c->from,
                               .to = c->to,
                               .block = c->block,
                               .is_wide = c->is_wide,
                               .box = *box};
  x->done = tsr__arena_grow(plan->scratch, x->done, x->n_done, &x->capacity, sizeof *x->done);
  memcpy(&x->done[x->n_done++], &piece, sizeof piece);
}

/* Keeps of a copy the pieces that are needed, unless they are too many. */
static void cut_copy(tsr_plan *plan, cutting *x, const tsr_plan_copy *c, const border *b)
{
  if (tsr__boxes_volume(&b->live) < tsr__box_volume(&c->box) && b->live.n <= MOST_PIECES)
    for (int32_t i = b->live.n - 1; i >= 0; i--) add_done(plan, x, c, &b->live.v[i]);
  else
    add_done(plan, x, c, &c->box);
}

/* Later copies come first, since they read the versions that earlier ones make. */
void tsr__plan_dead_borders(tsr_plan *plan)
{
  order_copies(plan);
  cutting x = {.at = plan->n_copies - 1};
  x.done = tsr__arena_reserve(plan->scratch, plan->n_copies, &x.capacity, sizeof *x.done);
  borders b = {.n = 0};
  while (x.at >= 0) {
    b.n = n_together(plan, x.at);
    const tsr_plan_copy *c = &plan->copies[x.at];
    if (b.n > 0)
      find_live(plan, &x, &b);
    else
      add_done(plan, &x, c, &c->box);
    for (int32_t i = 0; i < b.n; i++) cut_copy(plan, &x, &c[-i], &b.v[i]);
    x.at -= b.n > 0 ? b.n : 1;
  }
  for (int i = 0; i < MOST_TOGETHER; i++) {
    tsr__boxes_free(&b.v[i].rest);
    tsr__boxes_free(&b.v[i].live);
  }
  tsr_plan_copy *left = tsr__arena_alloc(plan->scratch, (size_t)x.n_done * sizeof *left + 1);
  for (int32_t i = 0; i < x.n_done; i++) memcpy(&left[i], &x.done[x.n_done - 1 - i], sizeof *left);
  tsr__set_copies(plan, left, x.n_done);
}

/* Is the box written in the slot by anything but the copies that it began with? */
static bool is_written(const tsr_plan *plan, int32_t slot, const tsr_box *box)
{
  const tsr_plan_slot *s = &plan->slots[slot];
  for (int32_t i = s->first_group; i <= s->last_group && i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    for (int32_t k = 0; k < g->accesses.n; k++) {
      const tsr_access *a = &g->accesses.v[k];
      tsr_box image;
      if (!a->store || a->scratch || a->slot != slot || tsr__box_is_empty(&g->part)) continue;
      tsr__view_image(&a->view->view, &g->part, &image);
      image = tsr__box_dense_hull(&image);
      if (tsr__box_intersects(&image, box)) return true;
    }
  }
  for (int32_t i = 0; i < plan->n_reductions; i++)
    if (plan->reductions[i].slot == slot) return true;
  for (int32_t i = 0; i < plan->n_messages; i++) {
    const tsr_message *m = &plan->messages[i];
    for (int32_t p = 0; !m->send && p < m->n_pieces; p++)
      if (m->pieces[p].slot == slot && tsr__box_intersects(&m->pieces[p].box, box)) return true;
  }
  return false;
}

/* Has the buffer the copy's values already? It held the version before the last until now, and the
 * last version took over the box from that one, by a copy of this group or an earlier one. */
static bool is_there(const tsr_plan *plan, const tsr_plan_copy *c)
{
  int32_t held = plan->slots[c->to].after;
  if (held < 0 || plan->slots[held].shape.lead_bytes != plan->slots[c->to].shape.lead_bytes)
    return false;
  for (int32_t i = tsr__first_copy(plan, c->group + 1) - 1; i >= 0; i--) {
    const tsr_plan_copy *last = &plan->copies[i];
    if (last->group < plan->slots[c->from].first_group) break;
    if (last->from == held && last->to == c->from && tsr__box_contains(&last->box, &c->box))
      return !is_written(plan, c->from, &c->box);
  }
  return false;
}

void tsr__plan_drop_borders(tsr_plan *plan)
{
  order_copies(plan); /* those between blocks have come */
  tsr_plan_copy *left = tsr__arena_alloc(plan->scratch, (size_t)plan->n_copies * sizeof *left + 1);
  int32_t n = 0;
  for (int32_t i = 0; i < plan->n_copies; i++)
    if (!is_border(plan, &plan->copies[i]) || !is_there(plan, &plan->copies[i]))
      memcpy(&left[n++], &plan->copies[i], sizeof *left);
  tsr__set_copies(plan, left, n);
}
