/* Residency: which memory space an array's tile is in, where a place's own is short.
 *
 * A tile is in one memory space at a time. That is the place's own as long as there is room in it.
 * Where there is none, tiles of other arrays are spilled, those first that no plan has used for
 * longest: to the host's memory or, where that has no room, and from a place that is the host's, to
 * a file. What a plan needs at once and has no room for stays outside the place's memory: chunks
 * that run there are streamed (run/streaming.c), and what a task's C function reads and writes is
 * in the host's memory whole, for the host to run it.
 *
 * All of this is this rank's own affair: it decides no message and no layout, and no value depends
 * on it. Cost: nothing for a plan that has room; else a look at every region for each that is
 * spilled. */
#include "scheduler/memory/residency.h"
#include "scheduler/memory/move.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/run/pack.h"
#include "scheduler/run/place.h"
#include "scheduler/run/streaming.h"

#include <string.h>

/* An array that no plan used for so many plans gives way to one that would stay outside. */
enum { STALE_PLANS = 4 };
#define STAGE_BYTES ((size_t)24 << 20)

typedef struct keeping {
  tsr_region *const *v;
  int32_t n;
} keeping;

static bool is_kept(const keeping *k, const tsr_region *r)
{
  for (int32_t i = 0; i < k->n; i++)
    if (k->v[i] == r) return true;
  return false;
}

/* Is there memory besides the place's own? */
static bool has_spilled(const tsr_scheduler *s)
{
  return !tsr__world_is_null(s->world) &&
         (s->world->files != NULL || !tsr__world_is_host(s->world));
}

void *tsr__residency_alloc(tsr_scheduler *s, int here, tsr_space space, size_t bytes)
{
  tsr_memory *memory = tsr__world_memory(s->world, here, space);
  void *p = tsr__memory_alloc(memory, bytes);
  if (p == NULL && space == TSR_SPACE_PLACE && tsr__pack_close(s, here))
    p = tsr__memory_alloc(memory, bytes);
  return p;
}

static void *take_spilled(tsr_scheduler *s, int here, size_t bytes, tsr_space *space)
{
  void *p = NULL;
  for (tsr_space h = TSR_SPACE_HOST; h <= TSR_SPACE_FILE && p == NULL; h++) {
    tsr_memory *memory = tsr__world_memory(s->world, here, h);
    *space = h;
    if (memory != NULL) p = tsr__memory_alloc(memory, bytes);
  }
  return p;
}

/* Moves a tile to other memory of its place, which is allocated already. */
static void move_to(tsr_scheduler *s, int here, tsr_instance *i, void *data, tsr_space space)
{
  tsr_instance moved = *i;
  moved.data = data;
  moved.space = space;
  const tsr_points p = tsr__points_of_bytes(data, i->data, i->bytes);
  tsr__move(s->world, here, space, i->space, &p);
  tsr__instance_free(s->world, here, i);
  *i = moved;
}

static bool leave(tsr_scheduler *s, int here, tsr_instance *i)
{
  tsr_space space;
  void *p = take_spilled(s, here, i->bytes, &space);
  if (p == NULL) return false;
  move_to(s, here, i, p, space);
  return true;
}

static bool evict(tsr_scheduler *s, int here, tsr_instance *i)
{
  const bool left = leave(s, here, i);
  s->counters.n_evicted += left;
  return left;
}

/* Finds the tile that was used longest ago; NULL: none may be spilled. */
static tsr_instance *find_victim(const tsr_scheduler *s, int here, const keeping *k, bool stale)
{
  tsr_storage *oldest = NULL;
  const bool lends_itself = tsr__lends_itself(s);
  for (const tsr_region *r = s->window->regions; r != NULL; r = r->next) {
    tsr_storage *storage = r->storage;
    if (storage == NULL || storage->instance[here].bytes == 0) continue;
    if (r->n_lent > 0 && lends_itself) continue;
    const tsr_instance *i = &storage->instance[here];
    if (i->data == NULL || i->space != TSR_SPACE_PLACE || is_kept(k, r)) continue;
    if (stale && storage->touched + STALE_PLANS > s->n_plans) continue;
    if (oldest == NULL || storage->touched < oldest->touched) oldest = storage;
  }
  return oldest != NULL ? &oldest->instance[here] : NULL;
}

/* Gets memory of the place's own, for which other tiles are spilled. */
static void *take_near(tsr_scheduler *s, int here, size_t bytes, const keeping *k, bool stale)
{
  void *p = tsr__residency_alloc(s, here, TSR_SPACE_PLACE, bytes);
  if (bytes > tsr__memory_limit(s->world->places[here].memory)) return p;
  while (p == NULL) {
    tsr_instance *victim = find_victim(s, here, k, stale);
    if (victim == NULL || !evict(s, here, victim)) return NULL;
    p = tsr__residency_alloc(s, here, TSR_SPACE_PLACE, bytes);
  }
  return p;
}

bool tsr__host_has_room(const tsr_scheduler *s, size_t bytes)
{
  const size_t limit = tsr__memory_limit(s->world->staging);
  return limit == 0 || tsr__memory_stats(s->world->staging).in_use_bytes + bytes <= limit / 2;
}

void *tsr__residency_take(tsr_scheduler *s, int here, size_t bytes, bool on_host,
                          tsr_region *const *kept, int32_t n_kept, tsr_space *space)
{
  const keeping k = {kept, n_kept};
  void *p = on_host && tsr__host_has_room(s, bytes) ? take_spilled(s, here, bytes, space) : NULL;
  if (p != NULL) return p;
  *space = TSR_SPACE_PLACE;
  p = tsr__residency_alloc(s, here, TSR_SPACE_PLACE, bytes);
  if (p != NULL || !has_spilled(s)) return p;
  tsr__streaming_close(s, here);
  p = take_near(s, here, bytes, &k, false);
  return p != NULL ? p : take_spilled(s, here, bytes, space);
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

typedef struct rooming {
  tsr_plan *plan;
  tsr_binding *b;
  tsr_scheduler *s;
  int here;
  keeping kept;
  bool *
      /* [n_buffers] must not be in the place's memory, as the binding says or, if any is not, for
       * tasks */
      is_spilled;
} rooming;

static tsr_instance *instance_of(const rooming *x, int32_t buffer)
{
  return &x->b->regions[x->plan->buffers[buffer].region]->storage->instance[x->here];
}

static size_t bytes_of(const rooming *x, int32_t buffer)
{
  return tsr__binds_own(x->plan, x->b, buffer) ? x->plan->buffers[buffer].bytes
                                               : instance_of(x, buffer)->bytes;
}

static void note(const rooming *x, int32_t buffer, void *data, tsr_space space)
{
  x->b->buffers[buffer] = data;
  x->b->spaces[buffer] = (uint8_t)space;
}

/* Is the buffer a tile that is lent as it lies in memory? The program has its address, so it stays.
 */
static bool is_pinned(const rooming *x, int32_t buffer)
{
  return !tsr__binds_own(x->plan, x->b, buffer) && tsr__lends_itself(x->s) &&
         x->b->regions[x->plan->buffers[buffer].region]->n_lent > 0;
}

/* Spills a buffer, with its values if it has any. */
static bool to_spilled(const rooming *x, int32_t buffer)
{
  if (!tsr__binds_own(x->plan, x->b, buffer)) {
    tsr_instance *i = instance_of(x, buffer);
    if (i->space != TSR_SPACE_PLACE) return true;
    if (is_pinned(x, buffer)) return false;
    if (!evict(x->s, x->here, i)) return false;
    note(x, buffer, i->data, i->space);
    return true;
  }
  if (x->b->buffers[buffer] != NULL && x->b->spaces[buffer] != TSR_SPACE_PLACE) return true;
  tsr_space space;
  void *p = take_spilled(x->s, x->here, x->plan->buffers[buffer].bytes, &space);
  if (p == NULL) return false;
  tsr__memory_free(x->s->world->places[x->here].memory, x->b->buffers[buffer],
                   x->plan->buffers[buffer].bytes);
  note(x, buffer, p, space);
  return true;
}

/* Makes a buffer resident that is spilled, or is not there yet. stale: only arrays that were not
 * used lately are spilled for it. */
static bool to_resident(const rooming *x, int32_t buffer, bool stale)
{
  if (x->b->buffers[buffer] != NULL && x->b->spaces[buffer] == TSR_SPACE_PLACE) return true;
  if (is_pinned(x, buffer)) return true;
  const bool own = tsr__binds_own(x->plan, x->b, buffer);
  void *p = take_near(x->s, x->here, bytes_of(x, buffer), &x->kept, stale || !own);
  if (p == NULL) return false;
  if (own && x->b->buffers[buffer] != NULL)
    tsr__memory_free(tsr__world_memory(x->s->world, x->here, (tsr_space)x->b->spaces[buffer]),
                     x->b->buffers[buffer], x->plan->buffers[buffer].bytes);
  if (!own) {
    x->s->counters.n_moved += x->b->regions[x->plan->buffers[buffer].region]->storage->on_host;
    move_to(x->s, x->here, instance_of(x, buffer), p, TSR_SPACE_PLACE);
  }
  note(x, buffer, p, TSR_SPACE_PLACE);
  return true;
}

static bool all_near(const rooming *x)
{
  const tsr_plan *plan = x->plan;
  const size_t limit = tsr__memory_limit(x->s->world->places[x->here].memory);
  size_t bytes = 0;
  for (int32_t i = 0; i < plan->n_buffers; i++)
    if (!x->is_spilled[i]) bytes += bytes_of(x, i);
  if (limit > 0 && bytes > limit) return false;
  if (bytes > 0) tsr__streaming_close(x->s, x->here);
  for (int32_t i = 0; i < plan->n_buffers; i++)
    if (!x->is_spilled[i] && !to_resident(x, i, false)) return false;
  return true;
}

/* Puts a buffer where the host reaches it. */
static bool to_host(const rooming *x, int32_t buffer)
{
  const bool is_there = x->b->buffers[buffer] != NULL && x->b->spaces[buffer] != TSR_SPACE_PLACE;
  if (!is_there && !tsr__host_has_room(x->s, bytes_of(x, buffer)) &&
      !tsr__is_hosts_only(x->plan, buffer))
    return false;
  if (tsr__binds_own(x->plan, x->b, buffer)) return to_spilled(x, buffer);
  tsr_instance *at = instance_of(x, buffer);
  if (at->space != TSR_SPACE_PLACE) return true;
  if (!leave(x->s, x->here, at)) return false;
  note(x, buffer, at->data, at->space);
  x->s->counters.n_moved++;
  return true;
}

/* Spills what the binding wants there for another reason than lack of room. Where the host has no
 * room, what would only have been faster there stays with the device. */
static bool place_spilled(const rooming *x)
{
  bool any_less = false;
  for (int32_t i = 0; i < x->plan->n_buffers; i++)
    if (x->is_spilled[i] && !to_host(x, i)) {
      x->b->is_hosts[i] = false;
      any_less = true;
    }
  if (any_less && !tsr__place_without(x->plan, x->b)) return false;
  x->b->any_spilled = false;
  for (int32_t i = 0; i < x->plan->n_buffers; i++) {
    x->is_spilled[i] = x->b->is_hosts[i];
    x->b->any_spilled = x->b->any_spilled || x->is_spilled[i];
  }
  return true;
}

/* Makes spilled buffers resident again, as far as there is room. */
static void call_back(const rooming *x)
{
  for (int32_t i = 0; i < x->plan->n_buffers; i++)
    if (!x->is_spilled[i] && x->b->buffers[i] != NULL) to_resident(x, i, true);
}

/* Marks what a task's function touches: the host must reach it. */
static void find_spilled(const rooming *x)
{
  const tsr_plan *plan = x->plan;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    for (int32_t a = 0; a < g->accesses.n && g->is_task; a++) {
      if (g->accesses.v[a].scratch) continue;
      x->is_spilled[plan->slots[g->accesses.v[a].slot].buffer] = true;
      if (g->accesses.v[a].gather >= 0)
        x->is_spilled[plan->slots[g->accesses.v[a].gather].buffer] = true;
    }
  }
}

/* The largest buffer in the place's memory; -1: none. */
static int32_t largest_near(const rooming *x)
{
  int32_t largest = -1;
  for (int32_t i = 0; i < x->plan->n_buffers; i++)
    if (x->b->buffers[i] != NULL && x->b->spaces[i] == TSR_SPACE_PLACE && bytes_of(x, i) > 0 &&
        (largest < 0 || bytes_of(x, i) > bytes_of(x, largest)))
      largest = i;
  return largest;
}

static bool open_streaming(const rooming *x)
{
  const size_t limit = tsr__memory_limit(x->s->world->places[x->here].memory);
  size_t bytes = limit > 0 && limit / 2 < STAGE_BYTES ? limit / 2 : STAGE_BYTES;
  for (int32_t i = 0; i < x->plan->n_groups; i++) {
    const size_t least = tsr__streaming_least(x->plan->groups[i].accesses.n);
    if (bytes < least) bytes = least;
  }
  while (!tsr__streaming_open(x->s, x->here, bytes)) {
    tsr_instance *victim = find_victim(x->s, x->here, &x->kept, false);
    if (victim != NULL) {
      if (!evict(x->s, x->here, victim)) return false;
      continue;
    }
    const int32_t i = largest_near(x);
    if (i < 0 || !to_spilled(x, i)) return false;
  }
  return true;
}

/* The next buffer without memory; smaller ones come first. */
static int32_t next_missing(const rooming *x)
{
  int32_t least = -1;
  for (int32_t i = 0; i < x->plan->n_buffers; i++)
    if (x->b->buffers[i] == NULL && (least < 0 || bytes_of(x, i) < bytes_of(x, least))) least = i;
  return least;
}

/* The regions whose memory is bound: they stay, or move by their buffers only. */
static keeping bound_regions(const tsr_plan *plan, const tsr_binding *b)
{
  tsr_region **v =
      tsr__arena_calloc(&plan->scheduler->arena, (size_t)plan->n_buffers + 1, sizeof *v);
  keeping k = {v, 0};
  for (int32_t i = 0; i < plan->n_buffers; i++)
    if (plan->buffers[i].region >= 0) v[k.n++] = b->regions[plan->buffers[i].region];
  return k;
}

tsr_status tsr__residency_make(tsr_plan *plan, tsr_binding *b)
{
  tsr_scheduler *s = plan->scheduler;
  if (!has_spilled(s)) return TSR_ERR_MEMORY;
  const rooming x = {.plan = plan,
                     .b = b,
                     .s = s,
                     .here = plan->here,
                     .kept = bound_regions(plan, b),
                     .is_spilled = tsr__arena_calloc(&s->arena, (size_t)plan->n_buffers + 1, 1)};
  const bool is_host = tsr__world_is_host(s->world);
  memcpy(x.is_spilled, b->is_hosts, (size_t)plan->n_buffers * sizeof *x.is_spilled);
  if (!place_spilled(&x)) return TSR_ERR_MEMORY;
  if (!b->is_mixed && all_near(&x)) return TSR_OK;
  if (!is_host) find_spilled(&x);
  for (int32_t i = 0; i < plan->n_buffers; i++)
    if (x.is_spilled[i] && !to_spilled(&x, i)) return TSR_ERR_MEMORY;
  if (!is_host && !open_streaming(&x)) return TSR_ERR_MEMORY;
  if (b->is_mixed) call_back(&x);
  for (int32_t i; (i = next_missing(&x)) >= 0;)
    if (!to_resident(&x, i, true) && !to_spilled(&x, i)) return TSR_ERR_MEMORY;
  b->any_spilled = !is_host;
  return TSR_OK;
}

void tsr__residency_leave(tsr_plan *plan, tsr_binding *b)
{
  tsr_scheduler *s = plan->scheduler;
  for (int32_t i = 0; i < plan->n_buffers && has_spilled(s); i++) {
    tsr_instance all = {.data = b->buffers[i], .bytes = plan->buffers[i].bytes};
    if (!tsr__binds_own(plan, b, i) || b->spaces[i] != TSR_SPACE_PLACE) continue;
    if (!evict(s, plan->here, &all)) return;
    b->buffers[i] = all.data;
    b->spaces[i] = (uint8_t)all.space;
    for (int32_t k = 0; k < plan->n_slots; k++)
      if (plan->slots[k].buffer == i) {
        b->instances[k].data = all.data;
        b->instances[k].space = all.space;
      }
  }
}
