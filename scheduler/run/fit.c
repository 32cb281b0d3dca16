/* Fitting a plan into the memory that there is.
 *
 * A plan's buffers are in its place's own memory while there is space. Where there is none, tiles
 * of arrays that the plan does not use leave it first (memory/residency.c). A plan that has no
 * space by itself keeps what fits, smaller buffers first, and leaves the rest outside: chunks that
 * run there are streamed (streaming_pieces.c), and what a task's C function reads and writes is in
 * the host's memory whole, for the host to run it. So is what the placement wants there (place.c).
 *
 * Buffers of arrays that exist move with their values, and the array with them. */
#include "scheduler/run/fit.h"
#include "scheduler/memory/move.h"
#include "scheduler/memory/residency.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/run/place.h"
#include "scheduler/run/streaming.h"

#include <string.h>

#define MOST_RING_BYTES ((size_t)24 << 20) /* of the ring that chunks are streamed through */

typedef struct fitting {
  tsr_plan *plan;
  tsr_binding *b;
  tsr_scheduler *s;
  int here;
  tsr_eviction may; /* the arrays that are bound stay, or move by their buffers only */
  /* [n_buffers] must not be in the place's memory, as the binding says or, if any is not, for
   * tasks */
  bool *is_spilled;
} fitting;

static size_t bytes_of_buffer(const fitting *x, int32_t buffer)
{
  return x->b->buffers[buffer].bytes;
}

static bool is_resident(const fitting *x, int32_t buffer)
{
  const tsr_block *b = &x->b->buffers[buffer];
  return b->data != NULL && b->space == TSR_SPACE_PLACE;
}

/* The array whose tile the buffer is; NULL: it is the binding's own. */
static tsr_region *region_of(const fitting *x, int32_t buffer)
{
  if (tsr__binds_own(x->plan, x->b, buffer)) return NULL;
  return x->b->regions[x->plan->buffers[buffer].region];
}

/* Is the buffer a tile that is lent as it lies in memory? The program has its address, so it stays.
 */
static bool is_lent(const fitting *x, int32_t buffer)
{
  const tsr_region *r = region_of(x, buffer);
  return r != NULL && tsr__lends_itself(x->s) && r->n_lent > 0;
}

/* Copies a tile that is lent where it is, in the device's memory, to the host's. It is only read
 * meanwhile, so whoever has the old address sees the same values. */
static bool copy_lent(const fitting *x, int32_t buffer, tsr_region *r)
{
  tsr_block *b = &x->b->buffers[buffer], to = {.bytes = b->bytes};
  const tsr_instance old = r->storage->instance[x->here];
  if (!tsr__residency_move_to(x->s, x->here, &to, TSR_SPACE_HOST, NULL)) return false;
  const tsr_points p = tsr__points_of_bytes(to.data, b->data, b->bytes);
  if (!tsr__move(x->s->world, x->here, to.space, b->space, &p)) {
    tsr__residency_release(x->s, x->here, &to);
    return false;
  }
  tsr__storage_keep_lent(r->storage, tsr__world_memory(x->s->world, x->here, old.space), &old);
  b->data = to.data;
  b->space = to.space;
  return true;
}

static bool leaves_lent(const tsr_block *b, const tsr_region *r, tsr_space space)
{
  return r != NULL && r->n_lent_there > 0 && b->data != NULL && b->space == TSR_SPACE_PLACE &&
         space != TSR_SPACE_PLACE;
}

/* Has the buffer in a memory space; the array moves with it. */
static bool put_buffer(const fitting *x, int32_t buffer, tsr_space space, const tsr_eviction *may)
{
  tsr_block *b = &x->b->buffers[buffer];
  tsr_region *r = region_of(x, buffer);
  if (leaves_lent(b, r, space) ? !copy_lent(x, buffer, r)
                               : !tsr__residency_move_to(x->s, x->here, b, space, may))
    return false;
  if (r == NULL) return true;
  r->storage->instance[x->here].data = b->data;
  r->storage->instance[x->here].space = b->space;
  return true;
}

/* Spills a buffer, with its values if it has any. */
static bool to_spilled(const fitting *x, int32_t buffer)
{
  const tsr_block *b = &x->b->buffers[buffer];
  const bool is_array = region_of(x, buffer) != NULL;
  if (b->space != TSR_SPACE_PLACE && (b->data != NULL || is_array)) return true;
  if (is_lent(x, buffer) || !put_buffer(x, buffer, TSR_SPACE_HOST, NULL)) return false;
  x->s->counters.n_evicted += is_array;
  return true;
}

/* Makes a buffer resident that is spilled, or is not there yet. only_stale: only arrays that were
 * not used lately are spilled for it. */
static bool to_resident(const fitting *x, int32_t buffer, bool only_stale)
{
  tsr_eviction may = x->may;
  if (is_resident(x, buffer) || is_lent(x, buffer)) return true;
  const tsr_region *r = region_of(x, buffer);
  may.only_stale = only_stale || r != NULL;
  if (!put_buffer(x, buffer, TSR_SPACE_PLACE, &may)) return false;
  x->s->counters.n_moved += r != NULL && r->storage->on_host;
  return true;
}

/* Has all that is not spilled in the place's memory. only_stale: arrays of other plans leave it
 * only if they were not used of late. */
static bool rest_resident(const fitting *x, bool only_stale)
{
  for (int32_t i = 0; i < x->plan->n_buffers; i++)
    if (!x->is_spilled[i] && !to_resident(x, i, only_stale)) return false;
  return true;
}

/* The bytes of what is not spilled; SIZE_MAX: they are more than the place may have. */
static size_t rest_bytes(const fitting *x)
{
  const size_t limit = tsr__memory_limit(x->s->world->places[x->here].memory);
  size_t bytes = 0;
  for (int32_t i = 0; i < x->plan->n_buffers; i++)
    if (!x->is_spilled[i]) bytes += bytes_of_buffer(x, i);
  return limit > 0 && bytes > limit ? SIZE_MAX : bytes;
}

static bool all_resident(const fitting *x)
{
  const size_t bytes = rest_bytes(x);
  if (bytes == SIZE_MAX) return false;
  if (bytes > 0) tsr__residency_drop_spare(x->s, x->here, TSR_SPARE_STREAMING);
  return rest_resident(x, false);
}

/* Puts a buffer where the host reaches it. */
static bool to_host(const fitting *x, int32_t buffer)
{
  const tsr_block *b = &x->b->buffers[buffer];
  const bool is_there = b->data != NULL && b->space != TSR_SPACE_PLACE;
  if (!is_there && !tsr__host_has_memory(x->s, bytes_of_buffer(x, buffer)) &&
      !tsr__is_hosts_only(x->plan, buffer))
    return false;
  if (region_of(x, buffer) == NULL) return to_spilled(x, buffer);
  if (b->space != TSR_SPACE_PLACE) return true;
  if (!put_buffer(x, buffer, TSR_SPACE_HOST, NULL)) return false;
  x->s->counters.n_moved++;
  return true;
}

/* Spills what the binding wants there for another reason than lack of space. Where the host has no
 * space, what would only have been faster there stays with the device. */
static bool place_spilled(const fitting *x)
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

/* Makes spilled buffers resident again, as far as there is space. */
static void call_back(const fitting *x)
{
  for (int32_t i = 0; i < x->plan->n_buffers; i++)
    if (!x->is_spilled[i] && x->b->buffers[i].data != NULL) to_resident(x, i, true);
}

/* Marks what a task touches. Returns whether it is new that the host must reach it. */
static bool mark(const fitting *x, const tsr_group *g, bool only_partly)
{
  bool is_partly = !only_partly, is_new = false;
  for (int32_t i = 0; i < tsr__n_touched(g); i++) {
    const int32_t buffer = tsr__touched(x->plan, g, i);
    if (buffer < 0) continue;
    is_partly = is_partly || x->is_spilled[buffer];
    is_new = is_new || !x->is_spilled[buffer];
  }
  for (int32_t i = 0; i < tsr__n_touched(g) && is_partly; i++)
    if (tsr__touched(x->plan, g, i) >= 0) x->is_spilled[tsr__touched(x->plan, g, i)] = true;
  return is_partly && is_new;
}

/* Marks and spills what tasks touch, since a task's memory is on one side as a whole. only_partly:
 * of those alone some of whose memory is marked already. */
static bool spill_tasks(const fitting *x, bool only_partly)
{
  for (bool any = true; any;) {
    any = false;
    for (int32_t i = 0; i < x->plan->n_groups; i++)
      any = (x->plan->groups[i].is_task && mark(x, &x->plan->groups[i], only_partly)) || any;
  }
  for (int32_t i = 0; i < x->plan->n_buffers; i++)
    if (x->is_spilled[i] && !to_spilled(x, i)) return false;
  return true;
}

/* The largest buffer in the place's memory; -1: none. */
static int32_t largest_resident(const fitting *x)
{
  int32_t largest = -1;
  for (int32_t i = 0; i < x->plan->n_buffers; i++)
    if (is_resident(x, i) && bytes_of_buffer(x, i) > 0 &&
        (largest < 0 || bytes_of_buffer(x, i) > bytes_of_buffer(x, largest)))
      largest = i;
  return largest;
}

/* The bytes of the largest buffer that an access of the group may touch. */
static size_t largest_of(const fitting *x, const tsr_group *g, const tsr_access *a)
{
  if (a->scratch) return 0; /* each lane has memory for them */
  const int32_t first = tsr__access_slot(a, 0);
  const int32_t n = a->gather < 0 && a->by_block ? tsr__n_blocks(g) : 1;
  size_t largest = 0;
  for (int32_t i = first; i < first + n; i++) {
    const size_t bytes = bytes_of_buffer(x, x->plan->slots[i].buffer);
    if (largest < bytes) largest = bytes;
  }
  return largest;
}

/* A ring with space for all that a group may touch, in each of its entries, up to the most. The
 * bytes are a power of two, so that plans of like sizes share a ring. */
static size_t ring_bytes(const fitting *x)
{
  size_t bytes = 4096;
  for (int32_t i = 0; i < x->plan->n_groups; i++) {
    const tsr_group *g = &x->plan->groups[i];
    size_t of_group = tsr__streaming_least(g->accesses.n);
    for (int32_t k = 0; k < g->accesses.n && of_group < MOST_RING_BYTES; k++)
      of_group += largest_of(x, g, &g->accesses.v[k]);
    while (bytes < MOST_RING_BYTES && bytes / TSR_STREAMING_ENTRIES < of_group) bytes *= 2;
  }
  return bytes < MOST_RING_BYTES ? bytes : MOST_RING_BYTES;
}

static bool open_streaming(const fitting *x)
{
  const size_t limit = tsr__memory_limit(x->s->world->places[x->here].memory);
  size_t bytes = ring_bytes(x);
  if (limit > 0 && bytes > limit / 2) bytes = limit / 2;
  size_t least = 0;
  for (int32_t i = 0; i < x->plan->n_groups; i++) {
    const size_t n = tsr__streaming_least(x->plan->groups[i].accesses.n);
    if (least < n) least = n;
  }
  if (bytes < least) bytes = least;
  while (!tsr__streaming_open(x->s, x->here, bytes, least)) {
    if (tsr__residency_evict(x->s, x->here, &x->may)) continue;
    const int32_t i = largest_resident(x);
    if (i < 0 || !to_spilled(x, i)) return false;
  }
  return true;
}

/* The next buffer without memory; smaller ones come first. */
static int32_t next_missing(const fitting *x)
{
  int32_t least = -1;
  for (int32_t i = 0; i < x->plan->n_buffers; i++)
    if (x->b->buffers[i].data == NULL &&
        (least < 0 || bytes_of_buffer(x, i) < bytes_of_buffer(x, least)))
      least = i;
  return least;
}

/* The regions whose memory is bound. */
static tsr_eviction bound_regions(const tsr_plan *plan, const tsr_binding *b)
{
  tsr_region **v =
      tsr__arena_calloc(&plan->scheduler->arena, (size_t)plan->n_buffers + 1, sizeof *v);
  tsr_eviction may = {.exempt = v};
  for (int32_t i = 0; i < plan->n_buffers; i++)
    if (plan->buffers[i].region >= 0) v[may.n_exempt++] = b->regions[plan->buffers[i].region];
  return may;
}

tsr_status tsr__fit(tsr_plan *plan, tsr_binding *b)
{
  tsr_scheduler *s = plan->scheduler;
  if (!tsr__residency_has_other(s)) return TSR_ERR_MEMORY;
  const fitting x = {.plan = plan,
                     .b = b,
                     .s = s,
                     .here = plan->here,
                     .may = bound_regions(plan, b),
                     .is_spilled = tsr__arena_calloc(&s->arena, (size_t)plan->n_buffers + 1, 1)};
  const bool is_host = tsr__world_is_host(s->world);
  memcpy(x.is_spilled, b->is_hosts, (size_t)plan->n_buffers * sizeof *x.is_spilled);
  if (!place_spilled(&x)) return TSR_ERR_MEMORY;
  if (!b->is_mixed && all_resident(&x)) return TSR_OK;
  b->any_spilled = !is_host;
  if (!is_host && (!spill_tasks(&x, b->is_mixed) || !open_streaming(&x))) return TSR_ERR_MEMORY;
  if (b->is_mixed && rest_bytes(&x) != SIZE_MAX && rest_resident(&x, true)) return TSR_OK;
  if (b->is_mixed && !spill_tasks(&x, false)) return TSR_ERR_MEMORY;
  if (b->is_mixed) call_back(&x);
  for (int32_t i; (i = next_missing(&x)) >= 0;)
    if (!to_resident(&x, i, true) && !to_spilled(&x, i)) return TSR_ERR_MEMORY;
  return TSR_OK;
}

void tsr__fit_leave(tsr_plan *plan, tsr_binding *b)
{
  tsr_scheduler *s = plan->scheduler;
  for (int32_t i = 0; i < plan->n_buffers && tsr__residency_has_other(s); i++) {
    tsr_block *block = &b->buffers[i];
    if (!tsr__binds_own(plan, b, i) || block->space != TSR_SPACE_PLACE) continue;
    block->has_values = true;
    if (!tsr__residency_move_to(s, plan->here, block, TSR_SPACE_HOST, NULL)) return;
    s->counters.n_evicted++;
    for (int32_t k = 0; k < plan->n_slots; k++)
      if (plan->slots[k].buffer == i) {
        b->instances[k].data = block->data;
        b->instances[k].space = block->space;
      }
  }
}
