/* Which ghost cells are valid, for every place at once.
 *
 * The log holds events in region space: "every place's need N was filled" and "box B was written".
 * Replaying it for one place costs a few box operations per event, so a sender evaluates its
 * neighbours' state by itself and no rank keeps a table of all the others. A fill replaces
 * earlier fills of the same need, or with narrower margins, and a write an earlier write of the
 * same box. A log of MAX_EVENTS is dropped, which makes all ghosts invalid; every rank does so at
 * the same op. */
#include "program/ghosts.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_EVENTS = 64 };

static void event_free(tsr_ghost_event *e)
{
  if (e->fill) tsr__view_ref_drop(e->need.view);
}

void tsr__ghosts_clear(tsr_ghosts *g)
{
  for (int32_t i = 0; i < g->n; i++) event_free(&g->v[i]);
  g->n = 0;
}

void tsr__ghosts_free(tsr_ghosts *g)
{
  tsr__ghosts_clear(g);
  free(g->v);
  memset(g, 0, sizeof *g);
}

static tsr_ghost_event *append_event(tsr_ghosts *g)
{
  if (g->n == MAX_EVENTS) tsr__ghosts_clear(g);
  g->v = tsr__grow(g->v, &g->capacity, g->n + 1, sizeof *g->v);
  tsr_ghost_event *e = &g->v[g->n++];
  memset(e, 0, sizeof *e);
  return e;
}

void tsr__ghosts_copy(tsr_ghosts *dst, const tsr_ghosts *src)
{
  if (dst->n == 0 && src->n == 0) return;
  tsr__ghosts_clear(dst);
  for (int32_t i = 0; i < src->n; i++) {
    tsr_ghost_event *e = append_event(dst);
    *e = src->v[i];
    if (e->fill) tsr__view_ref_take(e->need.view);
  }
}

void tsr__ghosts_keep_layouts(const tsr_ghosts *g, tsr_layouts *layouts)
{
  for (int32_t i = 0; i < g->n; i++)
    if (g->v[i].fill) tsr__layouts_keep(layouts, g->v[i].need.cut);
}

bool tsr__need_is_within(const tsr_need *a, const tsr_need *b)
{
  if (a->cut != b->cut) return false;
  for (int k = 0; a->is_wide && k < a->cut->ndim; k++)
    if (a->wide.lo[k] > (b->is_wide ? b->wide.lo[k] : 0) ||
        a->wide.hi[k] > (b->is_wide ? b->wide.hi[k] : 0))
      return false;
  return tsr__view_equal(&a->view->view, &b->view->view);
}

static void drop_event(tsr_ghosts *g, int32_t i)
{
  event_free(&g->v[i]);
  memmove(&g->v[i], &g->v[i + 1], (size_t)(g->n - i - 1) * sizeof *g->v);
  g->n--;
}

void tsr__ghosts_fill(tsr_ghosts *g, const tsr_need *need)
{
  TSR_ASSERT(need->cut->ndim == need->view->view.ndim);
  for (int32_t i = g->n - 1; i >= 0; i--)
    if (g->v[i].fill && tsr__need_is_within(&g->v[i].need, need)) drop_event(g, i);
  while (g->n > 0 && !g->v[0].fill) drop_event(g, 0); /* a write before all fills says nothing */
  tsr_ghost_event *e = append_event(g);
  e->fill = true;
  e->need = *need;
  tsr__view_ref_take(need->view);
}

void tsr__ghosts_write(tsr_ghosts *g, const tsr_box *box)
{
  if (g->n == 0) return; /* no ghost is valid */
  for (int32_t i = 0; i < g->n; i++)
    if (!g->v[i].fill && tsr__box_contains(box, &g->v[i].box)) {
      drop_event(g, i);
      i--;
    }
  if (g->n == 0) return;
  append_event(g)->box = *box;
  if (g->n == 1) g->n = 0; /* the full log has been dropped: a write alone says nothing */
}

/* Set `part` to a place's part of the need's domain; false if it has none. */
static bool need_part(const tsr_need *need, int place, tsr_box *part)
{
  if (!tsr__layout_tile(need->cut, place, part) || tsr__box_is_empty(part)) return false;
  if (need->is_wide) tsr__box_widen(part, &need->wide, need->cut->shape);
  return true;
}

bool tsr__need_box(const tsr_need *need, int place, tsr_box *out)
{
  tsr_box part;
  if (!need_part(need, place, &part)) return false;
  tsr__view_image(&need->view->view, &part, out);
  return !tsr__box_is_empty(out);
}

bool tsr__fits_halo(const tsr_box *box, const tsr_box *tile, int64_t halo_max)
{
  for (int k = 0; k < tile->ndim; k++) {
    if (tile->lo[k] - box->lo[k] > halo_max) return false;
    if (tsr__box_end(box, k) - tsr__box_end(tile, k) > halo_max) return false;
  }
  return true;
}

void tsr__ghosts_valid(const tsr_ghosts *g, const tsr_layout *layout, int place, int64_t halo_max,
                       tsr_boxes *out)
{
  tsr__boxes_clear(out);
  tsr_box tile, box;
  if (!tsr__layout_tile(layout, place, &tile)) return;
  for (int32_t i = 0; i < g->n; i++) {
    const tsr_ghost_event *e = &g->v[i];
    if (!e->fill)
      tsr__boxes_subtract_drop(out, &e->box);
    else if (tsr__need_box(&e->need, place, &box) && tsr__fits_halo(&box, &tile, halo_max)) {
      if (tsr__box_contains(&tile, &box)) continue; /* the place's own tile has no ghosts */
      tsr__boxes_add(out, &box);
    }
  }
}
