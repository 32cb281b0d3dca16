/* Footprints: what a point of a group takes of memory and of cache lines, and which stores and
 * groups are larger than the caches. */
#include "scheduler/plan/footprint.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"

#include <stdlib.h>

enum {
  LINE_BYTES = 64,
  CACHE_SHARE = 48 << 20 /* bytes of the last-level cache that a program may hope for */
};

/* Bytes of memory that a point takes, without the accesses in `mask` (bits of the first 64).
 * Displaced loads of one slot count as one stream. */
static int64_t bytes_per_point(const tsr_group *g, uint64_t mask)
{
  int64_t bytes = 0;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const int32_t number = g->accesses.v[i].number;
    bool seen = number < 64 && mask >> number & 1;
    for (int32_t j = 0; j < i && !seen; j++)
      seen = !g->accesses.v[i].scratch && !g->accesses.v[j].scratch &&
             g->accesses.v[i].slot == g->accesses.v[j].slot &&
             g->accesses.v[i].gather == g->accesses.v[j].gather;
    if (!seen) bytes += (int64_t)tsr__dtype_size(tsr__access_dtype(&g->accesses, i));
  }
  return bytes > 0 ? bytes : 1;
}

int64_t tsr__point_bytes(const tsr_group *g)
{
  return bytes_per_point(g, 0);
}

/* Is the access a column: does no axis of the domain walk along its cache lines? */
static bool is_sparse(const tsr_group *g, const tsr_box *box, const tsr_access *a, size_t elem)
{
  if (a->scratch) return false; /* a scratch access has no view */
  const tsr_view *v = &a->view->view;
  if (v->rdim < 2) return false;
  for (int k = 0; k < g->ndim; k++) {
    const size_t apart = elem * (size_t)llabs(v->step[v->rdim - 1][k]);
    if (box->n[k] > 1 && apart > 0 && apart < LINE_BYTES) return false;
  }
  return true;
}

/* Bytes that pass between memory and caches per point, of a domain whose every point has cache
 * lines of its own; 0 for all other domains. */
static int64_t line_bytes_per_point(const tsr_group *g, const tsr_box *box)
{
  for (int32_t i = 0; i < g->accesses.n; i++)
    if (!is_sparse(g, box, &g->accesses.v[i], tsr__dtype_size(tsr__access_dtype(&g->accesses, i))))
      return 0;
  return g->accesses.n * LINE_BYTES;
}

/* Does the access load from beyond the end of an axis? Then its domain is a thin border. */
static bool is_aside(const tsr_group *g, const tsr_access *a)
{
  const tsr_box all = tsr__box_of_shape(g->ndim, g->shape);
  const tsr_box bounds = tsr__view_bounds(&a->view->view);
  return tsr__box_volume(&bounds) < tsr__box_volume(&all) / 2;
}

int64_t tsr__reach_along(const tsr_group *g, int axis)
{
  int64_t most = 0;
  for (int32_t i = 0; i < g->accesses.n; i++)
    for (int32_t j = 0; j < i; j++) {
      const tsr_access *a = &g->accesses.v[i], *b = &g->accesses.v[j];
      if (a->store || b->store || a->scratch || b->scratch || a->slot != b->slot ||
          a->gather != b->gather || is_aside(g, a) || is_aside(g, b))
        continue;
      const int64_t apart = tsr__views_displaced(&a->view->view, &b->view->view, axis);
      if (most < apart) most = apart;
    }
  return most;
}

static tsr_box image(const tsr_access *a, const tsr_box *box)
{
  tsr_box out;
  tsr__view_image(&a->view->view, box, &out);
  return tsr__box_dense_hull(&out);
}

tsr_box tsr__joined_box(const tsr_group *g, int32_t i, const tsr_box *piece, int32_t number,
                        int32_t *number_of)
{
  const tsr_access *a = &g->accesses.v[i];
  tsr_box hull = image(a, piece);
  number_of[i] = number;
  for (int32_t j = i + 1; j < g->accesses.n; j++) {
    const tsr_access *b = &g->accesses.v[j];
    if (number_of[j] >= 0 || b->scratch || b->store != a->store ||
        tsr__access_slot(b, 0) != tsr__access_slot(a, 0) || !tsr__is_active(b, piece))
      continue;
    const tsr_box box = image(b, piece), both = tsr__box_hull(&hull, &box);
    if (tsr__box_volume(&both) > 2 * (tsr__box_volume(&hull) + tsr__box_volume(&box))) continue;
    number_of[j] = number;
    hull = both;
  }
  return hull;
}

static bool is_loaded(const tsr_plan *plan, const tsr_group *g, int32_t buffer)
{
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->store || a->scratch) continue;
    if (plan->slots[tsr__access_slot(a, 0)].buffer == buffer) return true;
  }
  return false;
}

/* Finds the stores that are larger than the caches: their values are gone from there before anyone
 * reads them, so that they may be streaming stores. */
static void find_stream_stores(const tsr_plan *plan, tsr_group *g, const tsr_box *box)
{
  const size_t known = plan->scheduler->world->machine->topology.l3_bytes;
  const size_t cache_bytes = known > 0 ? known : (size_t)32 << 20;
  for (int32_t i = 0; i < g->accesses.n && g->accesses.v[i].number < 64; i++) {
    const tsr_access *a = &g->accesses.v[i];
    const size_t elem = tsr__dtype_size(tsr__access_dtype(&g->accesses, i));
    if (a->store && !a->scratch && (size_t)tsr__box_volume(box) * elem > cache_bytes &&
        !is_loaded(plan, g, plan->slots[a->slot].buffer))
      g->footprint.stream_store_mask |= UINT64_C(1) << a->number;
  }
}

/* Does the group touch more than what is left of the last-level cache, which may be shared with
 * other programs? */
static bool is_from_memory(const tsr_plan *plan, const tsr_group *g, const tsr_box *box)
{
  const int64_t known = (int64_t)plan->scheduler->world->machine->topology.l3_bytes;
  const int64_t held = known > 0 && known < CACHE_SHARE ? known : CACHE_SHARE;
  return tsr__box_volume(box) * g->footprint.point_bytes > held;
}

void tsr__plan_footprint(const tsr_plan *plan, tsr_group *g, const tsr_box *box)
{
  TSR_ASSERT(!tsr__box_is_empty(box));
  g->footprint = (tsr_footprint){.point_bytes = bytes_per_point(g, 0),
                                 .line_bytes = line_bytes_per_point(g, box)};
  if (!g->is_task) { /* a task's function has its own loops */
    find_stream_stores(plan, g, box);
    g->footprint.from_memory = is_from_memory(plan, g, box);
  }
  g->footprint.cached_bytes = bytes_per_point(g, g->footprint.stream_store_mask);
  TSR_ASSERT(g->footprint.cached_bytes > 0 &&
             g->footprint.cached_bytes <= g->footprint.point_bytes);
}

void tsr__chain_footprint(tsr_group *g, bool is_first)
{
  g->footprint.stream_store_mask = 0;
  if (!is_first) g->footprint.from_memory = false;
}

/* Does the group load at each point what the access of another one stores there? */
static bool is_read_at_once(const tsr_plan *plan, const tsr_group *reader, const tsr_access *stored)
{
  const int32_t buffer = plan->slots[tsr__access_slot(stored, 0)].buffer;
  for (int32_t i = 0; i < reader->accesses.n; i++) {
    const tsr_access *a = &reader->accesses.v[i];
    if (a->store || a->scratch) continue;
    if (plan->slots[tsr__access_slot(a, 0)].buffer == buffer &&
        tsr__view_equal(&a->view->view, &stored->view->view))
      return true;
  }
  return false;
}

void tsr__read_at_once(const tsr_plan *plan, tsr_group *g, const tsr_group *reader)
{
  tsr_footprint *f = &g->footprint;
  for (int32_t i = 0; f->stream_store_mask != 0 && i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->store && !a->scratch && a->number < 64 && is_read_at_once(plan, reader, a))
      f->stream_store_mask &= ~(UINT64_C(1) << a->number);
  }
  f->cached_bytes = bytes_per_point(g, f->stream_store_mask);
}

void tsr__resize_footprint(const tsr_plan *plan, tsr_group *g, const tsr_box *box)
{
  /* What fits a cache that is known has no streaming stores, and what a point takes is the same at
   * any size. */
  if (plan->scheduler->world->machine->topology.l3_bytes == 0 || g->footprint.from_memory ||
      is_from_memory(plan, g, box))
    tsr__plan_footprint(plan, g, box);
}
