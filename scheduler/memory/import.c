/* Imports: new arrays with what the program has, of one rank or a part of each. */
#include "scheduler/memory/import.h"
#include "scheduler/failure.h"
#include "scheduler/memory/move.h"
#include "scheduler/memory/residency.h"
#include "scheduler/plan/cut.h"
#include "scheduler/wire.h"

#include <stdlib.h>
#include <string.h>

enum { EVENT_IMPORT = 0x49 };

/* Sets *mirror to a host mirror of the instance, from the pool for such copies: the instance itself
 * if the host reaches it. */
static tsr_status host_mirror(const tsr_scheduler *s, const tsr_instance *i, tsr_instance *mirror)
{
  *mirror = *i;
  if (tsr__instance_is_host(s->world, i)) return TSR_OK;
  tsr_memory *memory;
  mirror->data = tsr__residency_mirror(s, i->bytes, &memory);
  mirror->space = memory == s->world->files ? TSR_SPACE_FILE : TSR_SPACE_HOST;
  return mirror->data != NULL ? TSR_OK : TSR_ERR_MEMORY;
}

static void drop_mirror(const tsr_scheduler *s, const tsr_instance *i, const tsr_instance *mirror)
{
  if (mirror->data != i->data) tsr__instance_free(s->world, 0, mirror);
}

/* Receives this rank's tile from the rank that has the data, dense. */
static tsr_status receive_tile(const tsr_world *w, int here, int from, uint32_t tag,
                               const tsr_instance *mine, size_t elem)
{
  if (mine->bytes == 0) return TSR_OK;
  size_t bytes = (size_t)tsr__box_volume(&mine->alloc) * elem;
  char *packed = bytes < mine->bytes ? tsr__malloc(bytes) : mine->data;
  const tsr_status status = tsr__receive(w->transport, from, tag, packed, bytes);
  if (packed == mine->data) return status;
  const tsr_instance dense = tsr__instance_of_bytes(&mine->alloc, elem, packed);
  if (status == TSR_OK) tsr__move_box(w, here, mine, &dense, &mine->alloc, elem);
  free(packed);
  return status;
}

/* `from` sends every tile its box; all ranks derive the boxes from the layout. */
static tsr_status scatter(tsr_scheduler *s, const tsr_layout *layout, int from,
                          const tsr_instance *mine, size_t elem, const tsr_instance *whole)
{
  const tsr_world *w = s->world;
  const uint32_t number = s->next_tag++;
  tsr_status status = TSR_OK;
  for (int i = 0; i < w->n_places && w->rank != from && status == TSR_OK; i++)
    status =
        receive_tile(w, i, from, tsr__wire_tag(w, number, 0, w->places[i].number), &mine[i], elem);
  if (w->rank != from) return status;
  tsr_tile_iter it;
  for (tsr__tiles_meeting(&it, layout, &whole->alloc); tsr__tiles_next(&it);) {
    const int rank = tsr__world_rank_of(w, it.place);
    if (rank == from) {
      const int here = it.place - w->places[0].number;
      tsr__move_box(w, here, &mine[here], whole, &it.tile, elem);
      continue;
    }
    size_t bytes = (size_t)tsr__box_volume(&it.tile) * elem;
    char *packed = tsr__malloc(bytes);
    const tsr_instance dense = tsr__instance_of_bytes(&it.tile, elem, packed);
    tsr__move_box(w, 0, &dense, whole, &it.tile, elem);
    const tsr_status sent =
        tsr__send(w->transport, rank, tsr__wire_tag(w, number, 0, it.place), packed, bytes);
    if (sent < 0) status = sent;
    free(packed);
  }
  return status;
}

tsr_host_block tsr__host_dense(int ndim, const int64_t *n, tsr_dtype dtype, const void *data)
{
  tsr_instance dense;
  tsr_host_block block = {.data = (void *)(uintptr_t)data};
  const tsr_box all = tsr__box_of_shape(ndim, n);
  tsr__instance_dense(&dense, &all, tsr__dtype_size(dtype));
  memcpy(block.stride_bytes, dense.stride_bytes, sizeof block.stride_bytes);
  return block;
}

tsr_instance tsr__instance_of_block(const tsr_box *box, const tsr_host_block *block)
{
  tsr_instance i = {.data = block->data, .alloc = *box, .space = TSR_SPACE_HOST};
  memcpy(i.stride_bytes, block->stride_bytes, sizeof i.stride_bytes);
  return i;
}

/* Spreads the data of `from` to the tiles of every rank's places, in the host's memory. */
static tsr_status distribute(tsr_scheduler *s, const tsr_layout *layout, int from,
                             const tsr_instance *mine, size_t elem, const tsr_host_block *data)
{
  if (tsr__world_is_null(s->world)) return TSR_OK;
  const tsr_box all = tsr__box_of_shape(layout->ndim, layout->shape);
  const tsr_instance whole = tsr__instance_of_block(&all, data);
  if (!layout->replicated) return scatter(s, layout, from, mine, elem, &whole);
  if (s->world->rank == from) tsr__move_box(s->world, 0, &mine[0], &whole, &all, elem);
  TSR_TRY(tsr__bcast(s->world->transport, from, mine[0].data, mine[0].bytes));
  for (int i = 1; i < s->world->n_places; i++) memcpy(mine[i].data, mine[0].data, mine[0].bytes);
  return TSR_OK;
}

/* The hash of the region's number and form, which no op of the stream says. */
static uint64_t hash_region(const tsr_region *r)
{
  uint64_t h = r->id << 8 | (uint64_t)r->dtype << 4 | (uint64_t)r->ndim;
  for (int k = 0; k < r->ndim; k++) h = (h ^ (uint64_t)r->shape[k]) * 0x9E3779B97F4A7C15u;
  return h;
}

/* Takes the program's memory as that of the tile, which is laid out but has none, if it lies in
 * memory as the tile would: whether it does is this rank's own affair. */
static bool adopt(const tsr_world *w, const tsr_instance *mine, const tsr_lent_tile *lent,
                  tsr_block *block)
{
  enum { LINE_BYTES = 64 };
  const tsr_box *box = &lent->only->box;
  const tsr_host_block *program = &lent->only->block;
  if (w->n_places > 1 || !tsr__world_is_host(w) || tsr__world_is_null(w) ||
      !tsr__box_equal(box, &mine->alloc) || (uintptr_t)program->data % LINE_BYTES != 0)
    return false;
  int64_t bytes = mine->bytes; /* without padding */
  for (int k = box->ndim - 1; k >= 0; k--) bytes /= box->n[k];
  for (int k = box->ndim - 1; k >= 0; k--) {
    if (mine->stride_bytes[k] != bytes) return false;
    if (program->stride_bytes[k] != bytes && box->n[k] > 1) return false;
    bytes *= box->n[k];
  }
  if (bytes != (int64_t)mine->bytes) return false;
  block->data = (void *)(uintptr_t)program->data;
  block->space = TSR_SPACE_PLACE;
  lent->lent->is_adopted = tsr__memory_adopt(w->places[0].memory, block->data, block->bytes,
                                             lent->lent->release, lent->lent->arg);
  return lent->lent->is_adopted;
}

/* Gets memory for the tiles of this rank's places, and for host mirrors of them. */
static tsr_status make_space(tsr_scheduler *s, tsr_region *region, size_t elem,
                             const tsr_lent_tile *lent, tsr_instance *mirrors)
{
  const tsr_world *w = s->world;
  tsr_storage *storage = region->storage;
  tsr_status status = TSR_OK;
  for (int i = 0; i < w->n_places; i++) {
    tsr_instance *mine = &storage->instance[i];
    tsr_box tile;
    tsr__layout_tile(storage->layout, w->places[i].number, &tile);
    tsr__instance_shape(s, mine, &tile, tsr__first_column(&tile), elem);
    if (tsr__box_is_empty(&tile)) mine->bytes = 0;
    const tsr_block empty = {.bytes = mine->bytes, .pitch = tsr__instance_pitch(mine)};
    tsr_block block = empty;
    if (lent == NULL || !adopt(w, mine, lent, &block)) {
      block = empty;
      tsr__residency_want_any(s, i, &block, storage->on_host, &region, 1);
    }
    mine->data = block.data;
    mine->space = block.space;
    if (mine->space == TSR_SPACE_PLACE) storage->on_host = false;
    mirrors[i] = (tsr_instance){.data = NULL};
    if (mine->data == NULL || host_mirror(s, mine, &mirrors[i]) < 0) status = TSR_ERR_MEMORY;
  }
  return status;
}

void tsr__import_event(tsr_scheduler *s, const tsr_region *region, const tsr_location *where,
                       int from)
{
  tsr__record_event(s->window, where, EVENT_IMPORT,
                    hash_region(region) ^ (uint64_t)(from + 1) << 40);
  tsr_view_ref *whole = tsr__view_ref_identity(s->window, region->ndim, region->shape);
  tsr__note_array(s->window, region->dtype, whole);
  tsr__view_ref_drop(whole);
  if (from > 0) tsr__note_event(s->window, "of rank %d", from);
}

tsr_storage *tsr__import_begin(tsr_scheduler *s, tsr_region *region, const tsr_layout *layout,
                               const tsr_lent_tile *lent, tsr_instance *mirrors)
{
  const size_t elem = tsr__dtype_size(region->dtype);
  tsr_storage *storage = tsr__storage_new(s, layout);
  storage->written = storage->touched = ++s->n_plans;
  storage->agreed_bytes = tsr__agreed_bytes(s, layout, elem);
  storage->on_host = tsr__begins_on_host(s, storage->agreed_bytes);
  s->agreed_in_use += storage->agreed_bytes;
  region->storage = storage;
  if (make_space(s, region, elem, lent, mirrors) < 0)
    tsr__note_no_memory(s, region, "this rank's part of the imported data",
                        storage->agreed_bytes * (size_t)s->world->n_places);
  return storage;
}

tsr_status tsr__import_end(tsr_scheduler *s, tsr_region *region, tsr_storage *storage,
                           const tsr_instance *mirrors, tsr_status status)
{
  const size_t elem = tsr__dtype_size(region->dtype);
  for (int i = 0; i < s->world->n_places; i++) {
    const tsr_instance *mine = &storage->instance[i];
    if (status == TSR_OK && region->n_elems > 0 && mirrors[i].bytes > 0)
      tsr__move_box(s->world, i, mine, &mirrors[i], &mirrors[i].alloc, elem);
    drop_mirror(s, mine, &mirrors[i]);
  }
  if (status < 0) {
    if (region->storage != NULL) s->window->release_storage(region);
    region->poisoned = s->any_poisoned = true;
  }
  return status;
}

tsr_status tsr__import_from(tsr_scheduler *s, tsr_region *region, const tsr_location *where,
                            int from, const tsr_host_block *data, const char *wrong)
{
  tsr__import_event(s, region, where, from);
  const size_t elem = tsr__dtype_size(region->dtype);
  const tsr_layout *layout = tsr__layout_for(s, region->ndim, region->shape, 0);
  tsr_instance mirrors[TSR_MAX_PLACES];
  tsr_storage *storage = tsr__import_begin(s, region, layout, NULL, mirrors);
  tsr_status status = tsr__agree_on(s, where, wrong);
  if (status == TSR_OK && region->n_elems > 0)
    status = distribute(s, layout, from, mirrors, elem, data);
  return tsr__import_end(s, region, storage, mirrors, status);
}
