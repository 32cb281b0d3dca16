/* Values in and out: blocking reads to every rank, and import of rank 0's data. */
#include "scheduler/memory/read.h"
#include "scheduler/failure.h"
#include "scheduler/flush.h"
#include "scheduler/memory/move.h"
#include "scheduler/memory/residency.h"
#include "scheduler/plan/cut.h"
#include "scheduler/wire.h"

#include <stdlib.h>
#include <string.h>

enum { EVENT_READ = 0x52, EVENT_IMPORT = 0x49 };

/* Copies what a view shows in a box of its indices, from an instance that holds them, to its part
 * of the dense row-major `out`. */
static void copy_box(const tsr_world *w, int here, const tsr_instance *i, const tsr_view *v,
                     const tsr_box *box, size_t elem, char *out)
{
  tsr_instance dense;
  const tsr_box all = tsr__box_of_shape(v->ndim, v->shape);
  tsr__instance_dense(&dense, &all, elem);
  int64_t first[TSR_MAX_NDIM];
  for (int k = 0; k < v->rdim; k++) {
    first[k] = v->offset[k];
    for (int j = 0; j < v->ndim; j++) first[k] += v->step[k][j] * box->lo[j];
  }
  tsr_points p = {.ndim = v->ndim, .src = tsr__instance_at(i, first), .elem_bytes = elem};
  memcpy(p.n, box->n, sizeof p.n);
  memcpy(p.dst_step, dense.stride_bytes, sizeof p.dst_step);
  for (int j = 0; j < v->ndim; j++) out += box->lo[j] * p.dst_step[j];
  p.dst = out;
  for (int k = 0; k < v->rdim; k++)
    for (int j = 0; j < v->ndim; j++) p.src_step[j] += v->step[k][j] * i->stride_bytes[k];
  tsr__move(w, here, TSR_SPACE_HOST, i->space, &p);
}

/* The same for all indices, from an instance of the first place that holds all of them. */
static void copy_out(const tsr_world *w, const tsr_instance *i, const tsr_view *v, size_t elem,
                     char *out)
{
  const tsr_box all = tsr__box_of_shape(v->ndim, v->shape);
  copy_box(w, 0, i, v, &all, elem, out);
}

/* The same from the tiles of this rank's places, each its own part. */
static void copy_out_of_tiles(const tsr_scheduler *s, const tsr_storage *storage,
                              const tsr_view *view, size_t elem, char *out)
{
  for (int i = 0; i < s->world->n_places; i++) {
    tsr_box tile, box;
    if (!tsr__layout_tile(storage->layout, s->world->places[i].number, &tile)) continue;
    if (tsr__view_meets(view, &tile, &box))
      copy_box(s->world, i, &storage->instance[i], view, &box, elem, out);
  }
}

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

static bool is_whole_here(const tsr_scheduler *s, const tsr_region *r)
{
  return r->storage == NULL || r->storage->layout->replicated || tsr__world_n_places(s->world) == 1;
}

/* Has this rank lost its data while the others do not know that yet? They will agree on it. */
static bool is_lost_here(const tsr_scheduler *s, const tsr_region *r)
{
  return s->failure < 0 && r->storage != NULL && (s->world->size == 1 || is_whole_here(s, r));
}

/* Reads through a replicated copy, so that a read is an op like any other. */
static tsr_status read_distributed(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                                   const tsr_location *where, void *out)
{
  tsr_region *copy = tsr__region_create(s->window, region->dtype, view->ndim, view->shape, where);
  copy->replicate = true;
  copy->n_handles = 1;
  tsr_view identity;
  tsr__view_identity(&identity, view->ndim, view->shape);
  tsr_op_in in = {.region = region, .view = tsr__view_ref_new(s->window, view)};
  tsr_view_ref *out_view = tsr__view_ref_new(s->window, &identity);
  tsr__record_copy(s->window, where, &in, copy, out_view, true);
  tsr__view_ref_drop(in.view);
  tsr__view_ref_drop(out_view);
  tsr_status status = tsr__flush_for(s, copy, false);
  if (status == TSR_OK && copy->storage == NULL) status = TSR_ERR_MEMORY;
  if (status == TSR_OK) status = s->failure; /* the ranks are about to agree on it */
  if (status == TSR_OK)
    copy_out(s->world, &copy->storage->instance[0], &identity, tsr__dtype_size(region->dtype), out);
  copy->n_handles = 0;
  tsr__region_maybe_free(s->window, copy);
  return status;
}

/* The program may have taken notice of the failure already, so this tells whose value it was. */
tsr_status tsr__lost(tsr_scheduler *s, const tsr_region *region, const tsr_location *where)
{
  tsr_error *e = &s->world->error;
  if (e->status < 0) return TSR_ERR_MEMORY;
  tsr__error_begin(e, TSR_ERR_MEMORY, where, "the value was lost to an earlier failure");
  const tsr_location *made = region->made;
  if (made != NULL && made->file != NULL)
    tsr__error_note(e, "made at %s:%d by %s", made->file, made->line, made->op);
  tsr__error_help(e, "make the array again");
  return TSR_ERR_MEMORY;
}

tsr_status tsr__read(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                     const tsr_location *where, void *out)
{
  tsr__record_event(s->window, where, EVENT_READ, region->id);
  bool ready = tsr__is_ready(s, region);
  if (!ready || s->diverged || !is_whole_here(s, region)) TSR_TRY(tsr__guard(s, where));
  tsr_status status = ready ? TSR_OK : tsr__flush_for(s, region, false);
  if (status == TSR_OK && tsr__view_size(view) > 0 && !is_lost_here(s, region)) {
    if (region->poisoned || region->storage == NULL)
      status = tsr__lost(s, region, where);
    else if (is_whole_here(s, region))
      copy_out(s->world, &region->storage->instance[0], view, tsr__dtype_size(region->dtype), out);
    else if (s->world->size == 1 && tsr__view_is_separable(view))
      copy_out_of_tiles(s, region->storage, view, tsr__dtype_size(region->dtype), out);
    else
      status = read_distributed(s, region, view, where, out);
  }
  tsr_status agreed = tsr__agree(s, where);
  return agreed < 0 ? agreed : status;
}

bool tsr__is_ready(const tsr_scheduler *s, const tsr_region *region)
{
  for (int32_t i = 0; i < s->window->n_ops; i++)
    if (s->window->ops[i]->out == region) return false;
  return region->storage != NULL || region->poisoned;
}

/* Receives this rank's tile from rank 0, dense. */
static tsr_status receive_tile(const tsr_world *w, int here, uint32_t tag, const tsr_instance *mine,
                               size_t elem)
{
  tsr_transport *t = w->transport;
  if (mine->bytes == 0) return TSR_OK;
  size_t bytes = (size_t)tsr__box_volume(&mine->alloc) * elem;
  char *packed = bytes < mine->bytes ? tsr__malloc(bytes) : mine->data;
  tsr_request request = {0};
  tsr_status status = t->ops->recv(t, 0, tag, packed, bytes, &request);
  if (status == TSR_OK) status = tsr__wait(t, &request);
  if (packed == mine->data) return status;
  const tsr_instance dense = tsr__instance_of_bytes(&mine->alloc, elem, packed);
  if (status == TSR_OK) tsr__move_box(w, here, mine, &dense, &mine->alloc, elem);
  free(packed);
  return status;
}

/* Rank 0 sends every tile its box; all ranks derive the boxes from the layout. */
static tsr_status scatter(tsr_scheduler *s, const tsr_layout *layout, const tsr_instance *mine,
                          size_t elem, const void *data)
{
  const tsr_world *w = s->world;
  tsr_transport *t = w->transport;
  const uint32_t number = s->next_tag++;
  tsr_request request = {0};
  tsr_status status = TSR_OK;
  for (int i = 0; i < w->n_places && w->rank != 0 && status == TSR_OK; i++)
    status = receive_tile(w, i, tsr__wire_tag(w, number, 0, w->places[i].number), &mine[i], elem);
  if (w->rank != 0) return status;
  const tsr_box all = tsr__box_of_shape(layout->ndim, layout->shape);
  const tsr_instance whole = tsr__instance_of_bytes(&all, elem, data);
  tsr_tile_iter it;
  for (tsr__tiles_meeting(&it, layout, &whole.alloc); tsr__tiles_next(&it);) {
    const int rank = tsr__world_rank_of(w, it.place);
    if (rank == 0) {
      tsr__move_box(w, it.place, &mine[it.place], &whole, &it.tile, elem);
      continue;
    }
    size_t bytes = (size_t)tsr__box_volume(&it.tile) * elem;
    char *packed = tsr__malloc(bytes);
    const tsr_instance dense = tsr__instance_of_bytes(&it.tile, elem, packed);
    tsr__move_box(w, 0, &dense, &whole, &it.tile, elem);
    tsr_status sent =
        t->ops->send(t, rank, tsr__wire_tag(w, number, 0, it.place), packed, bytes, &request);
    if (sent == TSR_OK) sent = tsr__wait(t, &request);
    if (sent < 0) status = sent;
    free(packed);
  }
  return status;
}

/* Spreads rank 0's data to the tiles of every rank's places, in the host's memory. */
static tsr_status distribute(tsr_scheduler *s, const tsr_layout *layout, const tsr_instance *mine,
                             size_t elem, const void *data)
{
  if (tsr__world_is_null(s->world)) return TSR_OK;
  if (!layout->replicated) return scatter(s, layout, mine, elem, data);
  const tsr_box all = tsr__box_of_shape(layout->ndim, layout->shape);
  const tsr_instance whole = tsr__instance_of_bytes(&all, elem, data);
  if (s->world->rank == 0) tsr__move_box(s->world, 0, &mine[0], &whole, &all, elem);
  TSR_TRY(tsr__bcast(s->world->transport, 0, mine[0].data, mine[0].bytes));
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

/* Gets memory for the tiles of this rank's places, and for host mirrors of them. */
static tsr_status make_room(tsr_scheduler *s, tsr_region *region, size_t elem,
                            tsr_instance *mirrors)
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
    tsr_block block = {.bytes = mine->bytes};
    tsr__residency_want_any(s, i, &block, storage->on_host, &region, 1);
    mine->data = block.data;
    mine->space = block.space;
    if (mine->space == TSR_SPACE_PLACE) storage->on_host = false;
    mirrors[i] = (tsr_instance){.data = NULL};
    if (mine->data == NULL || host_mirror(s, mine, &mirrors[i]) < 0) status = TSR_ERR_MEMORY;
  }
  return status;
}

tsr_status tsr__import(tsr_scheduler *s, tsr_region *region, const tsr_location *where,
                       const void *data)
{
  tsr__record_event(s->window, where, EVENT_IMPORT, hash_region(region));
  tsr_view_ref *whole = tsr__view_ref_identity(s->window, region->ndim, region->shape);
  tsr__note_array(s->window, region->dtype, whole);
  tsr__view_ref_drop(whole);
  size_t elem = tsr__dtype_size(region->dtype);
  const tsr_layout *layout = tsr__layout_for(s, region->ndim, region->shape, 0);
  tsr_storage *storage = tsr__storage_new(s, layout);
  tsr_instance mirrors[TSR_MAX_PLACES];
  storage->written = storage->touched = ++s->n_plans;
  storage->agreed_bytes = tsr__agreed_bytes(s, layout, elem);
  storage->on_host = tsr__begins_on_host(s, storage->agreed_bytes);
  s->agreed_in_use += storage->agreed_bytes;
  region->storage = storage;
  const tsr_status room = make_room(s, region, elem, mirrors);
  if (data == NULL && s->world->rank == 0) /* the other ranks cannot know: the ranks agree on it */
    tsr__note_failure(s, TSR_ERR_ARGUMENT, "the data is NULL");
  else if (room < 0)
    tsr__note_no_memory(s, region, "this rank's part of the imported data",
                        storage->agreed_bytes * (size_t)s->world->n_places);
  tsr_status status = tsr__agree(s, where);
  if (status == TSR_OK && region->n_elems > 0) status = distribute(s, layout, mirrors, elem, data);
  for (int i = 0; i < s->world->n_places; i++) {
    if (status == TSR_OK && region->n_elems > 0 && mirrors[i].bytes > 0)
      tsr__move_box(s->world, i, &storage->instance[i], &mirrors[i], &mirrors[i].alloc, elem);
    drop_mirror(s, &storage->instance[i], &mirrors[i]);
  }
  if (status < 0) {
    if (region->storage != NULL) s->window->release_storage(region);
    region->poisoned = s->any_poisoned = true;
  }
  return status;
}
