/* Values in and out: blocking reads to every rank, import of rank 0's data, and lending this rank's
 * tile. */
#include "scheduler/scheduler_int.h"

#include <stdlib.h>
#include <string.h>

enum { EVENT_READ = 0x52, EVENT_IMPORT = 0x49, EVENT_LOCAL = 0x4C };

/* Dense row-major copy of what a view shows of an instance that holds all of it. */
static void copy_out(const tsr_scheduler *s, const tsr_instance *i, const tsr_view *v, size_t elem,
                     char *out)
{
  tsr_instance dense;
  tsr_box box = tsr__box_of_shape(v->ndim, v->shape);
  tsr__instance_dense(&dense, &box, elem);
  tsr_points p = {
      .ndim = v->ndim, .dst = out, .src = tsr__instance_at(i, v->offset), .elem_bytes = elem};
  memcpy(p.n, v->shape, sizeof p.n);
  memcpy(p.dst_step, dense.stride_bytes, sizeof p.dst_step);
  for (int k = 0; k < v->rdim; k++)
    for (int j = 0; j < v->ndim; j++) p.src_step[j] += v->step[k][j] * i->stride_bytes[k];
  tsr__move(s, TSR_COPY_OUT, &p);
}

/* The same instance in the host's memory, of the pool for staging: itself, where that is where it
 * is. */
static tsr_status host_twin(const tsr_scheduler *s, const tsr_instance *i, tsr_instance *twin)
{
  *twin = *i;
  if (tsr__world_is_host(s->world)) return TSR_OK;
  twin->data = tsr__memory_alloc(s->world->staging, i->bytes);
  return twin->data != NULL ? TSR_OK : TSR_ERR_MEMORY;
}

/* Between an instance and its twin. */
static void move_twin(const tsr_scheduler *s, const tsr_instance *i, const tsr_instance *twin,
                      tsr_direction direction, const tsr_box *box, size_t elem)
{
  if (tsr__world_is_host(s->world)) return;
  const tsr_points p = direction == TSR_COPY_IN ? tsr__instance_points(i, twin, box, elem)
                                                : tsr__instance_points(twin, i, box, elem);
  tsr__move(s, direction, &p);
}

static void drop_twin(const tsr_scheduler *s, const tsr_instance *twin)
{
  if (!tsr__world_is_host(s->world)) tsr__memory_free(s->world->staging, twin->data, twin->bytes);
}

static bool is_whole_here(const tsr_scheduler *s, const tsr_region *r)
{
  return r->storage == NULL || r->storage->layout->replicated || s->world->size == 1;
}

/* This rank has no data, but the others do not know that yet: they will agree on it. */
static bool is_lost_here(const tsr_scheduler *s, const tsr_region *r)
{
  return s->failure < 0 && r->storage != NULL && is_whole_here(s, r);
}

/* Through a replicated copy, so that a read is an op like any other. */
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
  if (status == TSR_OK) status = s->failure; /* which the ranks are about to agree on */
  if (status == TSR_OK)
    copy_out(s, &copy->storage->instance, &identity, tsr__dtype_size(region->dtype), out);
  copy->n_handles = 0;
  tsr__region_maybe_free(s->window, copy);
  return status;
}

/* The value was lost to a failure that the program may have taken notice of already: say whose it
 * is. */
static tsr_status lost(tsr_scheduler *s, const tsr_region *region, const tsr_location *where)
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
      status = lost(s, region, where);
    else if (is_whole_here(s, region))
      copy_out(s, &region->storage->instance, view, tsr__dtype_size(region->dtype), out);
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

/* This rank's tile, dense, from rank 0. */
static tsr_status receive_tile(tsr_transport *t, uint32_t tag, const tsr_instance *mine,
                               size_t elem)
{
  if (mine->bytes == 0) return TSR_OK;
  size_t bytes = (size_t)tsr__box_volume(&mine->alloc) * elem;
  char *packed = bytes < mine->bytes ? tsr__malloc(bytes) : mine->data;
  tsr_request request = {0};
  tsr_status status = t->ops->recv(t, 0, tag, packed, bytes, &request);
  if (status == TSR_OK) status = tsr__wait(t, &request);
  if (packed == mine->data) return status;
  if (status == TSR_OK) tsr__instance_unpack(mine, &mine->alloc, elem, packed);
  free(packed);
  return status;
}

/* The whole array, dense and only read. */
static tsr_instance imported(const tsr_layout *layout, size_t elem, const void *data)
{
  tsr_instance whole;
  tsr_box all = tsr__box_of_shape(layout->ndim, layout->shape);
  tsr__instance_dense(&whole, &all, elem);
  whole.data = (void *)(uintptr_t)data;
  return whole;
}

/* Rank 0 sends every tile its box; all ranks derive the boxes from the layout. */
static tsr_status scatter(tsr_scheduler *s, const tsr_layout *layout, const tsr_instance *mine,
                          size_t elem, const void *data)
{
  tsr_transport *t = s->world->transport;
  uint32_t tag = s->next_tag++ % TSR_N_TAGS;
  tsr_request request = {0};
  tsr_status status = TSR_OK;
  if (s->world->rank != 0) return receive_tile(t, tag, mine, elem);
  tsr_instance whole = imported(layout, elem, data);
  tsr_tile_iter it;
  for (tsr__tiles_meeting(&it, layout, &whole.alloc); tsr__tiles_next(&it);) {
    if (it.rank == 0) {
      tsr__instance_copy(mine, &whole, &it.tile, elem);
      continue;
    }
    size_t bytes = (size_t)tsr__box_volume(&it.tile) * elem;
    char *packed = tsr__malloc(bytes);
    tsr__instance_pack(&whole, &it.tile, elem, packed);
    tsr_status sent = t->ops->send(t, it.rank, tag, packed, bytes, &request);
    if (sent == TSR_OK) sent = tsr__wait(t, &request);
    if (sent < 0) status = sent;
    free(packed);
  }
  return status;
}

/* Rank 0's data to every rank's tile. */
static tsr_status distribute(tsr_scheduler *s, const tsr_layout *layout, const tsr_instance *mine,
                             size_t elem, const void *data)
{
  if (tsr__world_is_null(s->world)) return TSR_OK;
  if (!layout->replicated) return scatter(s, layout, mine, elem, data);
  const tsr_instance whole = imported(layout, elem, data);
  if (s->world->rank == 0) tsr__instance_copy(mine, &whole, &whole.alloc, elem);
  return tsr__bcast(s->world->transport, 0, mine->data, mine->bytes);
}

/* Its number and what it is like, which no op of the stream says. */
static uint64_t hash_region(const tsr_region *r)
{
  uint64_t h = r->id << 8 | (uint64_t)r->dtype << 4 | (uint64_t)r->ndim;
  for (int k = 0; k < r->ndim; k++) h = (h ^ (uint64_t)r->shape[k]) * 0x9E3779B97F4A7C15u;
  return h;
}

tsr_status tsr__import(tsr_scheduler *s, tsr_region *region, const tsr_location *where,
                       const void *data)
{
  tsr__record_event(s->window, where, EVENT_IMPORT, hash_region(region));
  size_t elem = tsr__dtype_size(region->dtype);
  const tsr_layout *layout = tsr__layout_for(s, region->ndim, region->shape);
  tsr_storage *storage = tsr__storage_new(s, layout);
  storage->written = storage->touched = ++s->n_plans;
  tsr_box tile;
  tsr__layout_tile(layout, s->world->rank, &tile);
  tsr__instance_shape(s, &storage->instance, &tile, tsr__first_column(&tile), elem);
  if (tsr__box_is_empty(&tile)) storage->instance.bytes = 0;
  storage->agreed_bytes = tsr__agreed_bytes(s, layout, elem);
  s->agreed_in_use += storage->agreed_bytes;
  region->storage = storage;
  storage->instance.data = tsr__memory_alloc(s->world->memory, storage->instance.bytes);
  tsr_instance twin = {0};
  if (data == NULL && s->world->rank == 0) /* the others cannot know: it is agreed on */
    tsr__note_failure(s, TSR_ERR_ARGUMENT, "the data is NULL");
  else if (storage->instance.data == NULL || host_twin(s, &storage->instance, &twin) < 0)
    tsr__note_failure(s, TSR_ERR_MEMORY, "no memory for this rank's part of the imported data");
  tsr_status status = tsr__agree(s, where);
  if (status == TSR_OK && region->n_elems > 0) {
    status = distribute(s, layout, &twin, elem, data);
    if (status == TSR_OK && twin.bytes > 0)
      move_twin(s, &storage->instance, &twin, TSR_COPY_IN, &twin.alloc, elem);
  }
  drop_twin(s, &twin);
  if (status < 0) {
    if (region->storage != NULL) s->window->release_storage(region);
    region->poisoned = s->any_poisoned = true;
  }
  return status;
}

/* Exchange a halo of the region's own axes. */
static tsr_status widen(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                        const int64_t *halo)
{
  int64_t expand[TSR_MAX_NDIM] = {0};
  for (int k = 0; k < view->rdim; k++)
    for (int j = 0; j < view->ndim; j++) {
      const int64_t step = view->step[k][j] < 0 ? -view->step[k][j] : view->step[k][j];
      const int64_t most = region->shape[k]; /* no tile has more around it */
      int64_t by;
      if (__builtin_mul_overflow(halo[j], step, &by) || by > most) by = most;
      expand[k] = expand[k] + by > most ? most : expand[k] + by;
    }
  tsr_plan *plan = tsr__plan_create_halo(s, region, expand);
  tsr_selection sel = {.n_regions = 1, .regions = &region};
  tsr_binding binding;
  s->n_plans++;
  tsr_status status = s->failure;
  if (status == TSR_OK) status = tsr__bind(plan, s->window, &sel, false, &binding);
  if (status < 0) {
    tsr__note_failure(s, status, "no memory for the halo of a lent tile");
    tsr__execute_poisoned(plan, s->next_tag, status);
    tsr__bind_nothing(plan, &sel, &binding);
    tsr__bind_commit(plan, &binding);
  } else {
    status = tsr__execute(plan, &binding);
    if (status < 0) tsr__note_failure(s, status, "the halo of a lent tile did not arrive");
    tsr__bind_commit(plan, &binding);
  }
  s->next_tag += plan->n_tags;
  tsr__plan_destroy(plan);
  return status;
}

static tsr_status lend(tsr_region *region, bool writable, const tsr_location *where)
{
  TSR_ASSERT(!writable || region->n_ops == 0);
  region->n_lent++;
  region->lent_writable = writable;
  region->lender = where;
  return TSR_OK;
}

/* Is anything of it lent to this rank? What every rank has whole is lent to rank 0 alone: each
 * element is lent once. */
static bool lent_box(const tsr_scheduler *s, const tsr_storage *storage, tsr_box *tile)
{
  *tile = storage->instance.alloc;
  return storage->layout->replicated ? s->world->rank == 0
                                     : tsr__layout_tile(storage->layout, s->world->rank, tile);
}

/* What is lent of an instance that the host cannot touch is a copy. */
static tsr_status lend_twin(tsr_scheduler *s, tsr_region *region, tsr_instance *twin)
{
  tsr_storage *storage = region->storage;
  tsr_box tile;
  *twin = storage->instance;
  if (tsr__world_is_host(s->world) || !lent_box(s, storage, &tile)) return TSR_OK;
  TSR_TRY(host_twin(s, &storage->instance, twin));
  tsr__storage_keep_lent(storage, s->world->staging, twin->data, twin->bytes);
  move_twin(s, &storage->instance, twin, TSR_COPY_OUT, &twin->alloc,
            tsr__dtype_size(region->dtype));
  return TSR_OK;
}

/* The copy that was lent for writing: there was no other. */
static void take_back(tsr_scheduler *s, const tsr_region *region)
{
  const tsr_storage *storage = region->storage;
  tsr_box tile;
  if (tsr__world_is_host(s->world) || storage->lent == NULL) return;
  if (!lent_box(s, storage, &tile)) return;
  tsr_instance twin = storage->instance;
  twin.data = storage->lent->data;
  move_twin(s, &storage->instance, &twin, TSR_COPY_IN, &tile, tsr__dtype_size(region->dtype));
}

/* What rank 0 has goes to the other ranks, which have it whole. */
static tsr_status spread_whole(tsr_scheduler *s, const tsr_region *region)
{
  const tsr_instance *mine = &region->storage->instance;
  const size_t elem = tsr__dtype_size(region->dtype);
  if (tsr__world_is_null(s->world)) return TSR_OK;
  tsr_instance twin = *mine;
  if (!tsr__world_is_host(s->world)) twin.data = tsr__malloc(mine->bytes);
  if (s->world->rank == 0) move_twin(s, mine, &twin, TSR_COPY_OUT, &mine->alloc, elem);
  tsr_status status = tsr__bcast(s->world->transport, 0, twin.data, twin.bytes);
  if (s->world->rank != 0 && status == TSR_OK)
    move_twin(s, mine, &twin, TSR_COPY_IN, &mine->alloc, elem);
  if (twin.data != mine->data) free(twin.data);
  return status;
}

tsr_status tsr__local_begin(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                            const int64_t *halo, bool writable, const tsr_location *where,
                            tsr_box *box, void **data, int64_t *stride_bytes)
{
  tsr__record_event(s->window, where, EVENT_LOCAL, region->id * 2 + writable);
  TSR_TRY(tsr__guard(s, where));
  tsr_status flushed = tsr__flush_for(s, region, false);
  /* What waits is to see the values from before the program writes. */
  if (flushed == TSR_OK && writable && region->n_ops > 0) flushed = tsr__flush_for(s, region, true);
  *data = NULL;
  *box = tsr__box_of_shape(view->ndim, view->shape);
  if (flushed < 0) return flushed;
  if (tsr__view_size(view) == 0) return lend(region, writable, where);
  if (region->poisoned || region->storage == NULL) return lost(s, region, where);
  bool any = false;
  for (int j = 0; j < view->ndim; j++) any = any || (halo != NULL && halo[j] > 0);
  tsr_status status = any ? widen(s, region, view, halo) : TSR_OK;
  tsr_instance lent;
  if (status == TSR_OK && lend_twin(s, region, &lent) < 0)
    tsr__note_failure(s, TSR_ERR_MEMORY, "the host has no memory for a lent tile");
  tsr_status agreed = tsr__agree(s, where);
  if (status < 0 || agreed < 0) {
    if (region->storage != NULL && region->n_lent == 0) tsr__storage_end_lending(region->storage);
    return agreed < 0 ? agreed : status;
  }
  const tsr_storage *storage = region->storage;
  tsr_box tile;
  const bool mine = lent_box(s, storage, &tile);
  memset(box, 0, sizeof *box);
  box->ndim = view->ndim;
  if (!mine || !tsr__view_meets(view, &tile, box)) {
    for (int j = 0; j < view->ndim; j++) {
      box->n[j] = 0;
      box->step[j] = 1;
    }
    return lend(region, writable, where);
  }
  int64_t at[TSR_MAX_NDIM];
  for (int j = 0; j < view->ndim; j++) stride_bytes[j] = 0;
  for (int k = 0; k < view->rdim; k++) {
    at[k] = view->offset[k];
    for (int j = 0; j < view->ndim; j++) {
      at[k] += view->step[k][j] * box->lo[j];
      stride_bytes[j] += view->step[k][j] * storage->instance.stride_bytes[k];
    }
  }
  *data = tsr__instance_at(&lent, at);
  return lend(region, writable, where);
}

tsr_status tsr__local_end(tsr_scheduler *s, tsr_region *region, const tsr_view *view, bool writable,
                          const tsr_location *where)
{
  TSR_ASSERT(region->n_lent > 0);
  region->n_lent--;
  region->lent_writable = false;
  if (region->storage == NULL) return TSR_OK;
  tsr_storage *storage = region->storage;
  if (writable) take_back(s, region);
  if (region->n_lent == 0) tsr__storage_end_lending(storage);
  if (!writable) return TSR_OK;
  tsr_box all = tsr__box_of_shape(view->ndim, view->shape), box;
  tsr__view_image(view, &all, &box);
  tsr__ghosts_write(&storage->ghosts, &box);
  if (storage->layout->replicated && s->world->size > 1) {
    TSR_TRY(tsr__guard(s, where));
    const tsr_status status = spread_whole(s, region);
    if (status < 0) tsr__note_failure(s, status, "the end of a lent array did not reach all ranks");
  }
  return TSR_OK;
}
