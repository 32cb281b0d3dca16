/* Residency: which memory space what a place has is in, where its own is short.
 *
 * A tile is in one memory space at a time. That is the place's own as long as there is space in it.
 * Where there is none, spare memory gives way first, then tiles of other arrays, those before all
 * that no plan has used for longest: they go to the host's memory or, where that has no space, and
 * from a place that is the host's, to a file. How a plan that has no space by itself is fitted in
 * is run/fit.c.
 *
 * All of this is this rank's own affair: it decides no message and no layout, and no value depends
 * on it. Cost: nothing where there is space; else a look at every region for each tile that leaves.
 */
#include "scheduler/memory/residency.h"
#include "scheduler/memory/move.h"

#include <stdlib.h>

/* An array that no plan used for so many plans gives way to one that would stay outside. */
enum { STALE_PLANS = 4 };

struct tsr_residency {
  tsr_block spare[TSR_MAX_PLACES][TSR_N_SPARES];
};

bool tsr__residency_has_other(const tsr_scheduler *s)
{
  return !tsr__world_is_null(s->world) &&
         (s->world->files != NULL || !tsr__world_is_host(s->world));
}

void *tsr__residency_alloc(tsr_scheduler *s, int here, tsr_space space, size_t bytes,
                           tsr_pitch pitch)
{
  tsr_memory *memory = tsr__world_memory(s->world, here, space);
  void *p = tsr__memory_alloc_pitched(memory, bytes, pitch);
  const tsr_spare spares[] = {TSR_SPARE_PACKING, TSR_SPARE_REDUCING};
  for (int i = 0; i < 2 && p == NULL && space == TSR_SPACE_PLACE; i++)
    if (tsr__residency_drop_spare(s, here, spares[i]))
      p = tsr__memory_alloc_pitched(memory, bytes, pitch);
  return p;
}

void tsr__residency_release(const tsr_scheduler *s, int here, tsr_block *b)
{
  if (b->data != NULL)
    tsr__memory_free(tsr__world_memory(s->world, here, b->space), b->data, b->bytes);
  b->data = NULL;
}

/* Spare memory. */

bool tsr__residency_drop_spare(tsr_scheduler *s, int here, tsr_spare which)
{
  if (s->residency == NULL || s->residency->spare[here][which].data == NULL) return false;
  tsr__residency_release(s, here, &s->residency->spare[here][which]);
  s->residency->spare[here][which].bytes = 0;
  return true;
}

/* Is it only the old block that leaves no memory for a larger one? */
static bool is_in_the_way(tsr_memory *memory, size_t before, size_t bytes)
{
  const size_t limit = tsr__memory_limit(memory);
  const size_t others = tsr__memory_stats(memory).in_use_bytes - before;
  return before > 0 && limit > others && limit - others >= bytes;
}

const tsr_block *tsr__residency_spare(tsr_scheduler *s, int here, tsr_spare which, size_t bytes)
{
  if (s->residency == NULL) s->residency = tsr__calloc(1, sizeof *s->residency);
  tsr_block *b = &s->residency->spare[here][which];
  if (bytes == 0 || b->bytes >= bytes) return b;
  tsr_memory *memory = s->world->places[here].memory;
  const size_t before = b->bytes;
  void *data = tsr__memory_alloc(memory, bytes);
  if (data == NULL && which == TSR_SPARE_STREAMING)
    data = tsr__residency_alloc(s, here, TSR_SPACE_PLACE, bytes, (tsr_pitch){0, 0});
  if (data == NULL && !is_in_the_way(memory, before, bytes)) return b;
  tsr__residency_drop_spare(s, here, which);
  if (data == NULL) data = tsr__memory_alloc(memory, bytes);
  if (data == NULL) data = tsr__memory_alloc(memory, bytes = before);
  *b = (tsr_block){.data = data, .bytes = data != NULL ? bytes : 0, .space = TSR_SPACE_PLACE};
  return b;
}

void tsr__residency_destroy(tsr_scheduler *s)
{
  for (int i = 0; i < s->world->n_places; i++)
    for (int which = 0; which < TSR_N_SPARES; which++)
      tsr__residency_drop_spare(s, i, (tsr_spare)which);
  free(s->residency);
  s->residency = NULL;
}

/* Blocks. */

/* Puts the block into other memory, which is allocated already. If its device fails with that, the
 * block stays as it is. */
static bool settle_block(const tsr_scheduler *s, int here, tsr_block *b, void *data,
                         tsr_space space)
{
  if (b->data != NULL && b->has_values) {
    const tsr_points p = tsr__points_of_bytes(data, b->data, b->bytes);
    if (!tsr__move(s->world, here, space, b->space, &p)) {
      tsr__memory_free(tsr__world_memory(s->world, here, space), data, b->bytes);
      return false;
    }
  }
  tsr__residency_release(s, here, b);
  b->data = data;
  b->space = space;
  return true;
}

static bool want_outside(tsr_scheduler *s, int here, tsr_block *b)
{
  for (tsr_space space = TSR_SPACE_HOST; space <= TSR_SPACE_FILE; space++) {
    tsr_memory *memory = tsr__world_memory(s->world, here, space);
    void *p = memory != NULL ? tsr__memory_alloc_pitched(memory, b->bytes, b->pitch) : NULL;
    if (p == NULL) continue;
    return settle_block(s, here, b, p, space);
  }
  return false;
}

static bool is_exempt(const tsr_eviction *may, const tsr_region *r)
{
  for (int32_t i = 0; i < may->n_exempt; i++)
    if (may->exempt[i] == r) return true;
  return false;
}

/* The tile that was used longest ago; NULL: none may leave. */
static tsr_instance *find_victim(const tsr_scheduler *s, int here, const tsr_eviction *may)
{
  tsr_storage *oldest = NULL;
  const bool lends_itself = tsr__lends_itself(s);
  for (const tsr_region *r = s->window->regions; r != NULL; r = r->next) {
    tsr_storage *storage = r->storage;
    if (storage == NULL || storage->instance[here].bytes == 0) continue;
    if (r->n_lent_there > 0 || (r->n_lent > 0 && lends_itself)) continue;
    const tsr_instance *i = &storage->instance[here];
    if (i->data == NULL || i->space != TSR_SPACE_PLACE || is_exempt(may, r)) continue;
    if (may->only_stale && storage->touched + STALE_PLANS > s->n_plans) continue;
    if (oldest == NULL || storage->touched < oldest->touched) oldest = storage;
  }
  return oldest != NULL ? &oldest->instance[here] : NULL;
}

bool tsr__residency_evict(tsr_scheduler *s, int here, const tsr_eviction *may)
{
  tsr_instance *i = find_victim(s, here, may);
  if (i == NULL) return false;
  tsr_block b = {i->data, i->bytes, i->space, true, tsr__instance_pitch(i)};
  if (!want_outside(s, here, &b)) return false;
  i->data = b.data;
  i->space = b.space;
  s->counters.n_evicted++;
  return true;
}

static bool want_own(tsr_scheduler *s, int here, tsr_block *b, const tsr_eviction *may)
{
  void *p = tsr__residency_alloc(s, here, TSR_SPACE_PLACE, b->bytes, b->pitch);
  const bool is_hopeless = b->bytes > tsr__memory_limit(s->world->places[here].memory);
  while (p == NULL && may != NULL && !is_hopeless) {
    if (!tsr__residency_evict(s, here, may)) return false;
    p = tsr__residency_alloc(s, here, TSR_SPACE_PLACE, b->bytes, b->pitch);
  }
  if (p == NULL) return false;
  return settle_block(s, here, b, p, TSR_SPACE_PLACE);
}

bool tsr__residency_move_to(tsr_scheduler *s, int here, tsr_block *b, tsr_space space,
                            const tsr_eviction *may)
{
  TSR_ASSERT(space == TSR_SPACE_PLACE || space == TSR_SPACE_HOST);
  if (b->data != NULL && (b->space == TSR_SPACE_PLACE) == (space == TSR_SPACE_PLACE)) return true;
  return space == TSR_SPACE_PLACE ? want_own(s, here, b, may) : want_outside(s, here, b);
}

bool tsr__residency_want_any(tsr_scheduler *s, int here, tsr_block *b, bool on_host,
                             tsr_region *const *exempt, int32_t n_exempt)
{
  const tsr_eviction may = {.exempt = exempt, .n_exempt = n_exempt};
  if (on_host && tsr__host_has_memory(s, b->bytes) &&
      tsr__residency_move_to(s, here, b, TSR_SPACE_HOST, NULL))
    return true;
  if (tsr__residency_move_to(s, here, b, TSR_SPACE_PLACE, NULL)) return true;
  if (!tsr__residency_has_other(s)) return false;
  tsr__residency_drop_spare(s, here, TSR_SPARE_STREAMING);
  return tsr__residency_move_to(s, here, b, TSR_SPACE_PLACE, &may) ||
         tsr__residency_move_to(s, here, b, TSR_SPACE_HOST, NULL);
}

bool tsr__host_has_memory(const tsr_scheduler *s, size_t bytes)
{
  const size_t limit = tsr__memory_limit(s->world->staging);
  return limit == 0 || tsr__memory_stats(s->world->staging).in_use_bytes + bytes <= limit / 2;
}

bool tsr__begins_on_host(const tsr_scheduler *s, size_t agreed_bytes)
{
  const tsr_world *w = s->world;
  if (tsr__world_is_host(w) || tsr__world_is_null(w)) return false;
  if (s->window->side == TSR_SIDE_DEVICE) return false;
  if (s->window->side == TSR_SIDE_HOST) return true;
  if (!tsr__world_places_by_cost(w)) return false;
  const double bytes = (double)agreed_bytes;
  return bytes / w->costs.bytes_per_ns[TSR_ON_HOST] <
         w->costs.launch_ns + bytes / w->costs.bytes_per_ns[TSR_ON_DEVICE];
}

void *tsr__residency_mirror(const tsr_scheduler *s, size_t bytes, tsr_memory **from)
{
  *from = s->world->staging;
  void *p = tsr__memory_alloc(*from, bytes);
  if (p != NULL || s->world->files == NULL) return p;
  *from = s->world->files;
  return tsr__memory_alloc(*from, bytes);
}

size_t tsr__on_host_bytes(const tsr_scheduler *s, int here)
{
  size_t bytes = 0;
  for (const tsr_region *r = s->window->regions; r != NULL; r = r->next)
    if (r->storage != NULL && r->storage->on_host &&
        r->storage->instance[here].space == TSR_SPACE_HOST)
      bytes += r->storage->instance[here].bytes;
  return bytes;
}

size_t tsr__spilled_bytes(const tsr_scheduler *s, int here, tsr_space space)
{
  size_t bytes = 0;
  for (const tsr_region *r = s->window->regions; r != NULL; r = r->next)
    if (r->storage != NULL && r->storage->instance[here].space == space &&
        !(r->storage->on_host && space == TSR_SPACE_HOST))
      bytes += r->storage->instance[here].bytes;
  return bytes;
}

void *tsr__residency_host_bytes(const tsr_scheduler *s, size_t bytes, tsr_memory **from)
{
  *from = s->world->staging;
  void *p = tsr__memory_alloc(*from, bytes);
  if (p != NULL) return p;
  *from = NULL;
  return tsr__malloc(bytes);
}

void tsr__residency_give_bytes(void *p, size_t bytes, tsr_memory *from)
{
  if (from != NULL)
    tsr__memory_free(from, p, bytes);
  else
    free(p);
}
