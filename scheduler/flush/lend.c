/* Lending: the program gets this rank's part of an array as memory of the host.
 *
 * A rank with one place in the host's memory lends the tile itself. What devices have, and what
 * several places have together, is lent as a host mirror, which is copied back when lending for
 * writing ends. Where the program asks for it, what a rank's only device has is lent itself. */
#include "scheduler/failure.h"
#include "scheduler/flush/flush.h"
#include "scheduler/memory/move.h"
#include "scheduler/flush/read.h"
#include "scheduler/memory/residency.h"

#include <stdlib.h>
#include <string.h>

enum { EVENT_LOCAL = 0x4C };

/* Cells of the region's own axes around a tile that a halo of the view's needs. */
static void widths(const tsr_region *region, const tsr_view *view, const int64_t *halo,
                   int64_t *width)
{
  memset(width, 0, TSR_MAX_NDIM * sizeof *width);
  for (int k = 0; k < view->rdim && halo != NULL; k++)
    for (int j = 0; j < view->ndim; j++) {
      const int64_t step = view->step[k][j] < 0 ? -view->step[k][j] : view->step[k][j];
      const int64_t most = region->shape[k]; /* no tile has more cells around it */
      int64_t by;
      if (__builtin_mul_overflow(halo[j], step, &by) || by > most) by = most;
      width[k] = width[k] + by > most ? most : width[k] + by;
    }
}

/* Brings the halo in, if there is any, by an op that runs at once. Returns this rank's failure; the
 * agreement that follows tells of other ranks' failures. */
static tsr_status bring_halo(tsr_scheduler *s, tsr_region *region, const int64_t *width,
                             const tsr_location *where)
{
  bool any = false;
  for (int k = 0; k < region->ndim; k++) any = any || width[k] > 0;
  if (!any || region->storage->layout->replicated || tsr__world_n_places(s->world) == 1)
    return TSR_OK;
  TSR_TRY(tsr__flush_for(s, tsr__record_halo(s->window, where, region, width), false));
  return s->failure;
}

static tsr_status lend_region(tsr_region *region, bool writable, bool there,
                              const tsr_location *where)
{
  TSR_ASSERT(!writable || region->n_ops == 0);
  region->n_lent++;
  region->n_lent_there += there;
  region->lent_writable = writable;
  region->lender = where;
  return TSR_OK;
}

/* Sets *box to what is lent of this rank's place `here`: its tile; false: nothing. What every place
 * has whole is lent to rank 0 alone, from its first place, so that each element is lent once. */
static bool place_box(const tsr_scheduler *s, const tsr_storage *storage, int here, tsr_box *box)
{
  const tsr_place *place = &s->world->places[here];
  *box = storage->instance[here].alloc;
  if (storage->layout->replicated) return place->number == 0;
  return tsr__layout_tile(storage->layout, place->number, box);
}

/* Sets *box to what is lent to this rank: the tiles of its places, which form a box. */
static bool lent_box(const tsr_scheduler *s, const tsr_storage *storage, tsr_box *box)
{
  bool any = false;
  int64_t n_elems = 0;
  for (int i = 0; i < s->world->n_places; i++) {
    tsr_box tile;
    if (!place_box(s, storage, i, &tile)) continue;
    *box = any ? tsr__box_hull(box, &tile) : tile;
    n_elems += tsr__box_volume(&tile);
    any = true;
  }
  TSR_ASSERT(!any || n_elems == tsr__box_volume(box));
  return any;
}

/* The box and the cells around it that the place's memory holds. */
static tsr_box with_halo(const tsr_instance *i, const tsr_box *tile, const int64_t *width)
{
  tsr_box wide = *tile, box;
  for (int k = 0; k < tile->ndim; k++) {
    wide.lo[k] -= width[k];
    wide.n[k] += 2 * width[k];
  }
  return tsr__box_intersect(&wide, &i->alloc, &box) ? box : *tile;
}

/* Has the tile in the memory of the rank's only device. False: there is none, or no space. */
static bool bring_there(tsr_scheduler *s, const tsr_storage *storage)
{
  const tsr_device *d = s->world->places[0].device;
  tsr_instance *i = (tsr_instance *)&storage->instance[0];
  const tsr_eviction may = {.exempt = NULL};
  tsr_box lent;
  if (s->world->n_places > 1 || (d->ops->caps & (TSR_DEVICE_IS_HOST | TSR_DEVICE_IS_NULL)) ||
      i->data == NULL || !lent_box(s, storage, &lent))
    return false;
  tsr_block b = {i->data, i->bytes, i->space, true, tsr__instance_pitch(i)};
  if (!tsr__residency_move_to(s, 0, &b, TSR_SPACE_PLACE, &may)) return false;
  i->data = b.data;
  i->space = b.space;
  return true;
}

/* Makes the host mirror of what is lent, unless it is lent there. */
static tsr_status lend_mirror(tsr_scheduler *s, tsr_region *region, const int64_t *width,
                              tsr_instance *mirror, bool *there)
{
  tsr_storage *storage = region->storage;
  const size_t elem = tsr__dtype_size(region->dtype);
  tsr_box boxes[TSR_MAX_PLACES], all, lent;
  if (there != NULL) *there = bring_there(s, storage);
  *mirror = storage->instance[0];
  if (tsr__lends_itself(s) || (there != NULL && *there) || !lent_box(s, storage, &lent))
    return TSR_OK;
  bool any = false;
  for (int i = 0; i < s->world->n_places; i++) {
    boxes[i].ndim = -1;
    if (!place_box(s, storage, i, &lent)) continue;
    boxes[i] = with_halo(&storage->instance[i], &lent, width);
    all = any ? tsr__box_hull(&all, &boxes[i]) : boxes[i];
    any = true;
  }
  *mirror = tsr__instance_of_bytes(&all, elem, NULL);
  tsr_memory *memory;
  mirror->data = tsr__residency_mirror(s, mirror->bytes, &memory);
  if (mirror->data == NULL) return TSR_ERR_MEMORY;
  tsr__storage_keep_lent(storage, memory, mirror);
  for (int i = 0; i < s->world->n_places; i++)
    if (boxes[i].ndim >= 0)
      tsr__move_box(s->world, i, mirror, &storage->instance[i], &boxes[i], elem);
  return TSR_OK;
}

/* Copies the mirror that was lent for writing back; there was no other. */
static void take_back(const tsr_scheduler *s, const tsr_region *region)
{
  const tsr_storage *storage = region->storage;
  tsr_box tile;
  if (tsr__lends_itself(s) || storage->lent == NULL) return;
  for (int i = 0; i < s->world->n_places; i++)
    if (place_box(s, storage, i, &tile))
      tsr__move_box(s->world, i, &storage->instance[i], &storage->lent->instance, &tile,
                    tsr__dtype_size(region->dtype));
}

enum { MOST_SPREAD_BYTES = 1 << 20 }; /* bytes at once, of devices by way of the host */

/* Spreads a piece of what every place has whole from rank 0's first place, by way of `between`. */
static tsr_status spread_piece(const tsr_scheduler *s, const tsr_storage *storage, size_t at,
                               size_t bytes, char *between)
{
  const tsr_world *w = s->world;
  const tsr_instance *first = &storage->instance[0];
  if (w->rank == 0) {
    const tsr_points out = tsr__points_of_bytes(between, (char *)first->data + at, bytes);
    tsr__move(w, 0, TSR_SPACE_HOST, first->space, &out);
  }
  TSR_TRY(tsr__bcast(w->transport, 0, between, bytes));
  for (int i = 0; i < w->n_places; i++) {
    const tsr_instance *to = &storage->instance[i];
    const tsr_points in = tsr__points_of_bytes((char *)to->data + at, between, bytes);
    if (w->places[i].number != 0) tsr__move(w, i, to->space, TSR_SPACE_HOST, &in);
  }
  return TSR_OK;
}

/* Spreads what rank 0's first place has to all others, which have it whole, alike to the byte. */
static tsr_status spread_whole(const tsr_scheduler *s, const tsr_region *region)
{
  const tsr_instance *first = &region->storage->instance[0];
  size_t most = first->bytes < MOST_SPREAD_BYTES ? first->bytes : MOST_SPREAD_BYTES;
  if (tsr__world_is_null(s->world)) return TSR_OK;
  tsr_memory *memory = NULL;
  char *between = NULL;
  const bool is_direct = tsr__instance_is_host(s->world, first);
  if (!is_direct) {
    between = tsr__residency_host_bytes(s, most, &memory); /* the other ranks wait for it already */
  }
  tsr_status status = TSR_OK;
  for (size_t at = 0; at < first->bytes && status == TSR_OK; at += most) {
    const size_t n = first->bytes - at < most ? first->bytes - at : most;
    status =
        spread_piece(s, region->storage, at, n, is_direct ? (char *)first->data + at : between);
  }
  tsr__residency_give_bytes(between, most, memory);
  return status;
}

/* The hash of a lending, so that all ranks exchange the same halo. */
static uint64_t hash_lending(const tsr_region *region, const tsr_view *view, const int64_t *halo,
                             bool writable)
{
  uint64_t h = region->id * 2 + writable;
  for (int k = 0; halo != NULL && k < view->ndim; k++)
    h = (h ^ (uint64_t)halo[k]) * 0x9E3779B97F4A7C15u;
  return h;
}

/* Adds "halo 1, 0" to the error that the ranks diverged here. */
static void note_halo(tsr_scheduler *s, const tsr_view *view, const int64_t *halo)
{
  tsr_text t = {0};
  for (int k = 0; halo != NULL && k < view->ndim; k++)
    tsr__text_add(&t, "%s%lld", k ? ", " : "halo ", (long long)halo[k]);
  if (t.n > 0) tsr__note_event(s->window, "%s", t.s);
  tsr__text_free(&t);
}

tsr_status tsr__local_begin(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                            const int64_t *halo, bool writable, const tsr_location *where,
                            tsr_box *box, void **data, int64_t *stride_bytes, bool *there)
{
  if (there != NULL) *there = false;
  tsr__record_event(s->window, where, EVENT_LOCAL, hash_lending(region, view, halo, writable));
  if (s->world->size > 1) note_halo(s, view, halo);
  TSR_TRY(tsr__guard(s, where));
  tsr_status flushed = tsr__flush_for(s, region, false);
  /* Ops that wait must see the values from before the program writes. */
  if (flushed == TSR_OK && writable && region->n_ops > 0) flushed = tsr__flush_for(s, region, true);
  *data = NULL;
  *box = tsr__box_of_shape(view->ndim, view->shape);
  if (flushed < 0) return flushed;
  if (tsr__view_size(view) == 0) return lend_region(region, writable, false, where);
  if (region->poisoned || region->storage == NULL) return tsr__lost(s, region, where);
  int64_t width[TSR_MAX_NDIM];
  widths(region, view, halo, width);
  const tsr_status status = bring_halo(s, region, width, where);
  tsr_instance lent;
  s->n_plans++; /* so that a later failure does not count as the last plan's */
  if (status == TSR_OK && lend_mirror(s, region, width, &lent, there) < 0)
    tsr__note_no_memory(s, region, "a lent tile in the host's memory", lent.bytes);
  tsr_status agreed = tsr__agree(s, where);
  if (status < 0 || agreed < 0) {
    if (region->storage != NULL && region->n_lent == 0) tsr__storage_end_lending(region->storage);
    return agreed < 0 ? agreed : status;
  }
  tsr_box tile;
  const bool mine = lent_box(s, region->storage, &tile);
  const bool is_there = there != NULL && *there;
  memset(box, 0, sizeof *box);
  box->ndim = view->ndim;
  if (mine && tsr__view_meets(view, &tile, box)) {
    *data = tsr__instance_seen(&lent, view, box->lo);
    tsr__instance_strides(&lent, view, stride_bytes);
    return lend_region(region, writable, is_there, where);
  }
  for (int j = 0; j < view->ndim; j++) {
    box->n[j] = 0;
    box->step[j] = 1;
  }
  return lend_region(region, writable, is_there, where);
}

tsr_status tsr__local_end(tsr_scheduler *s, tsr_region *region, const tsr_view *view, bool writable,
                          bool there, const tsr_location *where)
{
  TSR_ASSERT(region->n_lent > 0);
  region->n_lent--;
  region->n_lent_there -= there;
  region->lent_writable = false;
  if (region->n_lent == 0) tsr__storage_free_lost(s, region);
  if (region->storage == NULL) return TSR_OK;
  tsr_storage *storage = region->storage;
  if (writable) take_back(s, region);
  if (region->n_lent == 0) tsr__storage_end_lending(storage);
  if (!writable) return TSR_OK;
  tsr_box all = tsr__box_of_shape(view->ndim, view->shape), box;
  tsr__view_image(view, &all, &box);
  tsr__ghosts_write(&storage->ghosts, &box);
  if (storage->layout->replicated && tsr__world_n_places(s->world) > 1) {
    TSR_TRY(tsr__guard(s, where));
    storage->written = ++s->n_plans; /* what a failure loses */
    const tsr_status status = spread_whole(s, region);
    if (status < 0) tsr__note_failure(s, status, "the end of a lent array did not reach all ranks");
  }
  return TSR_OK;
}
