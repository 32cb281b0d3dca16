/* Blocking reads: of every rank, and of one, to which the others send what they have. */
#include "scheduler/flush/read.h"
#include "scheduler/failure.h"
#include "scheduler/flush/flush.h"
#include "scheduler/memory/import.h"
#include "scheduler/memory/move.h"
#include "scheduler/memory/residency.h"
#include "scheduler/wire.h"

#include <stdlib.h>
#include <string.h>

enum { EVENT_READ = 0x52 };

/* Copies what a view shows in a box of its indices, from an instance that holds them, to the host's
 * memory at `to`, where the box's first element goes. */
static void copy_box(const tsr_world *w, int here, const tsr_instance *i, const tsr_view *v,
                     const tsr_box *box, size_t elem, char *to, const int64_t *stride_bytes)
{
  tsr_points p = {
      .ndim = v->ndim, .dst = to, .src = tsr__instance_seen(i, v, box->lo), .elem_bytes = elem};
  memcpy(p.n, box->n, sizeof p.n);
  memcpy(p.dst_step, stride_bytes, sizeof p.dst_step);
  tsr__instance_strides(i, v, p.src_step);
  tsr__move(w, here, TSR_SPACE_HOST, i->space, &p);
}

/* The address of a box's first element in the program's memory. */
static char *block_at(const tsr_host_block *b, const tsr_box *box)
{
  char *at = b->data;
  for (int j = 0; j < box->ndim; j++) at += box->lo[j] * b->stride_bytes[j];
  return at;
}

/* Copies all indices of a view from an instance of the first place, which holds all of them. */
static void copy_out(const tsr_world *w, const tsr_instance *i, const tsr_view *v, size_t elem,
                     const tsr_host_block *out)
{
  const tsr_box all = tsr__box_of_shape(v->ndim, v->shape);
  copy_box(w, 0, i, v, &all, elem, out->data, out->stride_bytes);
}

/* Copies what this rank's places have of a view, each place its own part. */
static void copy_out_of_tiles(const tsr_scheduler *s, const tsr_storage *storage,
                              const tsr_view *view, size_t elem, const tsr_host_block *out)
{
  for (int i = 0; i < s->world->n_places; i++) {
    tsr_box tile, box;
    if (!tsr__layout_tile(storage->layout, s->world->places[i].number, &tile)) continue;
    if (tsr__view_meets(view, &tile, &box))
      copy_box(s->world, i, &storage->instance[i], view, &box, elem, block_at(out, &box),
               out->stride_bytes);
  }
}

static bool is_whole_local(const tsr_scheduler *s, const tsr_region *r)
{
  return r->storage == NULL || r->storage->layout->replicated || tsr__world_n_places(s->world) == 1;
}

/* Has this rank lost its data while the others do not know that yet? They will agree on it. */
static bool is_lost_local(const tsr_scheduler *s, const tsr_region *r)
{
  return s->failure < 0 && r->storage != NULL && (s->world->size == 1 || is_whole_local(s, r));
}

/* Records a copy of what the view shows, as a read is an op like any other. */
static tsr_region *record_copy(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                               const tsr_location *where, bool replicate)
{
  tsr_region *copy = tsr__region_create(s->window, region->dtype, view->ndim, view->shape, where);
  copy->replicate = replicate;
  copy->n_handles = 1;
  tsr_op_in in = {.region = region, .view = tsr__view_ref_new(s->window, view)};
  tsr_view_ref *all = tsr__view_ref_identity(s->window, view->ndim, view->shape);
  tsr__record_copy(s->window, where, &in, copy, all, true);
  tsr__view_ref_drop(in.view);
  tsr__view_ref_drop(all);
  return copy;
}

static void drop_copy(tsr_scheduler *s, tsr_region *copy)
{
  copy->n_handles = 0;
  tsr__region_maybe_free(s->window, copy);
}

/* Reads through a replicated copy; out: NULL where this rank only takes part. */
static tsr_status read_distributed(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                                   const tsr_location *where, const tsr_host_block *out)
{
  tsr_region *copy = record_copy(s, region, view, where, true);
  tsr_view identity;
  tsr__view_identity(&identity, view->ndim, view->shape);
  tsr_status status = tsr__flush_for(s, copy, false);
  if (status == TSR_OK && copy->storage == NULL) status = TSR_ERR_MEMORY;
  if (status == TSR_OK) status = s->failure; /* the ranks are about to agree on it */
  if (status == TSR_OK && out != NULL)
    copy_out(s->world, &copy->storage->instance[0], &identity, tsr__dtype_size(region->dtype), out);
  drop_copy(s, copy);
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

enum { MOST_PIECE_BYTES = 4 << 20 }; /* of a message, but for single rows that are longer */

/* Does the view repeat its elements along the axis? */
static bool repeats(const tsr_view *v, int axis)
{
  for (int k = 0; k < v->rdim; k++)
    if (v->step[k][axis] != 0) return false;
  return true;
}

/* What a place has of the view, as a box of the view's indices: of axes that repeat, the first
 * index. Returns whether it has anything. */
static bool part_of(const tsr_layout *layout, const tsr_view *v, int place, tsr_box *part)
{
  tsr_box tile;
  if (!tsr__layout_tile(layout, place, &tile) || !tsr__view_meets(v, &tile, part)) return false;
  for (int j = 0; j < v->ndim; j++)
    if (repeats(v, j)) part->lo[j] = 0, part->n[j] = 1, part->step[j] = 1;
  return true;
}

/* The pieces of a part, one after another: each is a message. Both ends take the same. */
typedef struct pieces {
  tsr_box part, piece;
  int axis;       /* that is cut */
  int64_t n_each; /* rows of a piece */
} pieces;

static void pieces_begin(pieces *p, const tsr_box *part, size_t elem)
{
  p->part = p->piece = *part;
  for (p->axis = 0; p->axis + 1 < part->ndim && part->n[p->axis] == 1;) p->axis++;
  const int64_t rows = part->ndim > 0 ? part->n[p->axis] : 1;
  const int64_t row_bytes = tsr__box_volume(part) / rows * (int64_t)elem;
  p->n_each = row_bytes < MOST_PIECE_BYTES ? MOST_PIECE_BYTES / row_bytes : 1;
  if (part->ndim > 0) p->piece.n[p->axis] = 0;
}

static bool pieces_next(pieces *p)
{
  const int k = p->axis;
  if (p->part.ndim == 0) {
    const bool more = p->n_each > 0;
    p->n_each = 0;
    return more;
  }
  p->piece.lo[k] += p->piece.n[k];
  const int64_t left = p->part.lo[k] + p->part.n[k] - p->piece.lo[k];
  p->piece.n[k] = left < p->n_each ? left : p->n_each;
  return left > 0;
}

/* Receives a piece from `rank` and puts it where it belongs, repeated along the axes that
 * repeat. */
static tsr_status receive_piece(const tsr_scheduler *s, int rank, uint32_t tag,
                                const tsr_view *view, const tsr_box *piece, size_t elem,
                                const tsr_host_block *out)
{
  tsr_instance packed;
  tsr_memory *memory;
  tsr__instance_dense(&packed, piece, elem);
  packed.data = tsr__residency_host_bytes(s, packed.bytes, &memory);
  const tsr_status status = tsr__receive(s->world->transport, rank, tag, packed.data, packed.bytes);
  tsr_points p = {
      .ndim = view->ndim, .dst = block_at(out, piece), .src = packed.data, .elem_bytes = elem};
  for (int j = 0; j < view->ndim; j++) {
    p.n[j] = repeats(view, j) ? view->shape[j] : piece->n[j];
    p.src_step[j] = repeats(view, j) ? 0 : packed.stride_bytes[j];
    p.dst_step[j] = out->stride_bytes[j];
  }
  if (status == TSR_OK) tsr__points_copy(&p);
  tsr__residency_give_bytes(packed.data, packed.bytes, memory);
  return status;
}

static tsr_status send_piece(const tsr_scheduler *s, int here, int rank, uint32_t tag,
                             const tsr_instance *i, const tsr_view *view, const tsr_box *piece,
                             size_t elem)
{
  tsr_instance packed;
  tsr_memory *memory;
  tsr__instance_dense(&packed, piece, elem);
  packed.data = tsr__residency_host_bytes(s, packed.bytes, &memory);
  copy_box(s->world, here, i, view, piece, elem, packed.data, packed.stride_bytes);
  const tsr_status status = tsr__send(s->world->transport, rank, tag, packed.data, packed.bytes);
  tsr__residency_give_bytes(packed.data, packed.bytes, memory);
  return status;
}

/* Every place's part goes to one rank, in the order of places. Both ends find the parts by the
 * layout. */
static tsr_status gather(tsr_scheduler *s, const tsr_storage *storage, const tsr_view *view,
                         int rank, size_t elem, const tsr_host_block *out)
{
  const tsr_world *w = s->world;
  const uint32_t number = s->next_tag++;
  if (tsr__world_is_null(w)) return TSR_OK;
  if (w->rank == rank) copy_out_of_tiles(s, storage, view, elem, out);
  const int first = w->rank == rank ? 0 : w->places[0].number;
  const int end = w->rank == rank ? tsr__world_n_places(w) : first + w->n_places;
  for (int place = first; place < end; place++) {
    const int from = tsr__world_rank_of(w, place);
    tsr_box part;
    if (from == rank || !part_of(storage->layout, view, place, &part)) continue;
    const uint32_t tag = tsr__wire_tag(w, number, place, 0);
    pieces p;
    for (pieces_begin(&p, &part, elem); pieces_next(&p);)
      TSR_TRY(w->rank == rank
                  ? receive_piece(s, from, tag, view, &p.piece, elem, out)
                  : send_piece(s, place - first, rank, tag, &storage->instance[place - first], view,
                               &p.piece, elem));
  }
  return TSR_OK;
}

/* Reads without a plan, since none runs after a device was lost: rank 0 gathers what the view shows
 * and tells all others. */
static tsr_status read_by_rank_0(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                                 const tsr_host_block *out)
{
  const size_t elem = tsr__dtype_size(region->dtype);
  const tsr_box all = tsr__box_of_shape(view->ndim, view->shape);
  tsr_instance dense, to;
  tsr_memory *memory;
  tsr__instance_dense(&dense, &all, elem);
  dense.data = tsr__residency_host_bytes(s, dense.bytes, &memory);
  const tsr_host_block block = tsr__host_dense(view->ndim, view->shape, region->dtype, dense.data);
  tsr_status status = gather(s, region->storage, view, 0, elem, &block);
  if (status == TSR_OK) status = tsr__bcast(s->world->transport, 0, dense.data, dense.bytes);
  if (status == TSR_OK && out != NULL) {
    to = tsr__instance_of_block(&all, out);
    const tsr_points p = tsr__instance_points(&to, &dense, &all, elem);
    tsr__points_copy(&p);
  }
  tsr__residency_give_bytes(dense.data, dense.bytes, memory);
  return status;
}

/* True when the region's current value is stored or lost, so that a read need not flush. */
static bool is_ready(const tsr_scheduler *s, const tsr_region *region)
{
  for (int32_t i = 0; i < s->window->n_ops; i++)
    if (s->window->ops[i]->out == region) return false;
  return region->storage != NULL || region->poisoned;
}

static tsr_status read_on_every_rank(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                                     const tsr_location *where, const tsr_host_block *out,
                                     const char *wrong)
{
  if (wrong != NULL) out = NULL; /* messages are the same on every rank, whatever one has found */
  bool ready = is_ready(s, region);
  if (!ready || s->diverged || !is_whole_local(s, region)) TSR_TRY(tsr__guard(s, where));
  tsr_status status = ready ? TSR_OK : tsr__flush_for(s, region, false);
  if (status == TSR_OK && tsr__view_size(view) > 0 && !is_lost_local(s, region)) {
    if (region->poisoned || region->storage == NULL) status = tsr__lost(s, region, where);
    /* Elements of other ranks come by messages, where a device is lost by way of rank 0; what this
     * rank has is copied, from its whole or from its places' tiles. */
    else if (!is_whole_local(s, region) && s->has_lost_devices && tsr__view_is_separable(view))
      status = read_by_rank_0(s, region, view, out);
    else if (!is_whole_local(s, region) && (s->world->size > 1 || !tsr__view_is_separable(view)))
      status = read_distributed(s, region, view, where, out);
    else if (out != NULL && is_whole_local(s, region))
      copy_out(s->world, &region->storage->instance[0], view, tsr__dtype_size(region->dtype), out);
    else if (out != NULL)
      copy_out_of_tiles(s, region->storage, view, tsr__dtype_size(region->dtype), out);
  }
  tsr_status agreed = tsr__agree_on(s, where, wrong);
  return agreed < 0 ? agreed : status;
}

/* The messages begin after the agreement, when only a device can still fail any rank. A rank
 * whose device failed sends garbage, so the ranks agree once more after the messages. */
static tsr_status read_on_one_rank(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                                   const tsr_location *where, int rank, const tsr_host_block *out,
                                   const char *wrong)
{
  const bool is_mine = rank == s->world->rank, is_split = !tsr__view_is_separable(view);
  TSR_TRY(tsr__guard(s, where));
  tsr_view identity;
  tsr__view_identity(&identity, view->ndim, view->shape);
  tsr_region *source = is_split ? record_copy(s, region, view, where, false) : region;
  tsr_status status = is_ready(s, source) ? TSR_OK : tsr__flush_for(s, source, false);
  s->n_plans++; /* so that a later failure does not count as the last plan's */
  const tsr_status agreed = tsr__agree_on(s, where, wrong);
  if (agreed < 0) status = agreed;
  if (is_split) view = &identity;
  const size_t elem = tsr__dtype_size(region->dtype);
  const bool reads = status == TSR_OK && tsr__view_size(view) > 0;
  if (reads) {
    if (source->poisoned || source->storage == NULL)
      status = tsr__lost(s, source, where);
    else if (!is_whole_local(s, source))
      status = gather(s, source->storage, view, rank, elem, out);
    else if (is_mine)
      copy_out(s->world, &source->storage->instance[0], view, elem, out);
  }
  if (reads && !tsr__world_is_host(s->world)) {
    const tsr_status after = tsr__agree(s, where);
    if (status == TSR_OK) status = after;
  }
  if (is_split) drop_copy(s, source);
  return status;
}

tsr_status tsr__read_into(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                          const tsr_location *where, int rank, const tsr_host_block *out,
                          const char *wrong)
{
  tsr__record_event(s->window, where, EVENT_READ, region->id ^ (uint64_t)(rank + 1) << 40);
  if (rank == TSR_EVERY_RANK) return read_on_every_rank(s, region, view, where, out, wrong);
  if (s->world->size > 1) tsr__note_event(s->window, "to rank %d", rank);
  return read_on_one_rank(s, region, view, where, rank, out, wrong);
}

tsr_status tsr__read(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                     const tsr_location *where, void *out)
{
  const tsr_host_block block = tsr__host_dense(view->ndim, view->shape, region->dtype, out);
  return tsr__read_into(s, region, view, where, TSR_EVERY_RANK, &block, NULL);
}
