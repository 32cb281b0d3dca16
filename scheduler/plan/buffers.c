/* Buffers: slots get memory by their live ranges in group order, so that the versions of a renamed
 * region take turns in two buffers and temporaries share what died before them. All of it is bound
 * before the first task: peak memory is a function of the program. */
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/blocking.h"
#include "scheduler/plan/planes.h"
#include "scheduler/plan/slots.h"

#include <string.h>

static size_t slot_agreed_bytes(const tsr_plan *plan, const tsr_plan_slot *s)
{
  const tsr_plan_region *r = &plan->regions[s->region];
  return tsr__agreed_bytes(plan->scheduler, r->layout, tsr__dtype_size((tsr_dtype)r->dtype));
}

/* From this size on a buffer serves versions of other layouts, too, though its next user then waits
 * for all of the last: memory that nobody has touched yet costs more than that. */
enum { LARGE_BYTES = 1 << 20 };

/* Does the version fit a buffer that was made in this plan, where it must lie as the last one there
 * does, or else where it may lie otherwise and takes about as much? What a region keeps has a
 * buffer of its own size. */
static bool fits_buffer(const tsr_plan *plan, const tsr_buffer *buffer, const tsr_plan_slot *s,
                        bool alike)
{
  const tsr_layout *last = plan->regions[plan->slots[buffer->last_slot].region].layout;
  const size_t has = buffer->agreed_bytes, wants = s->agreed_bytes;
  if (s->gathered) return true;
  if (last == plan->regions[s->region].layout && has == wants) return true;
  const size_t more = has > wants ? has - wants : wants - has;
  return !alike && !s->block && !s->final && wants >= LARGE_BYTES && more <= wants / 8;
}

/* Finds a buffer that is free again and fits. The decision must be the same on every rank, so it
 * follows from layouts and agreed sizes, never from this rank's tile. Existing memory serves only
 * versions of its own region, which all lie alike. */
static int32_t find_free(const tsr_plan *plan, const tsr_plan_slot *s, bool alike)
{
  for (int32_t b = 0; b < plan->n_buffers; b++) {
    const tsr_buffer *buffer = &plan->buffers[b];
    const tsr_plan_slot *last = &plan->slots[buffer->last_slot];
    if (buffer->free_after >= s->first_group || last->gathered != s->gathered) continue;
    if (last->block != s->block || (s->block && buffer->agreed_bytes != s->agreed_bytes)) continue;
    if (buffer->region >= 0 ? buffer->region == s->region : fits_buffer(plan, buffer, s, alike))
      return b;
  }
  return -1;
}

/* Does the version lie as the one whose buffer it takes over? Where steps may be tiled over time it
 * does, whatever its first store is, so that memory that passes on ends no chain. But what an array
 * lay like before this plan is left behind: it may have been filled as a whole, and then each store
 * of its interior would begin and end within a cache line, in this plan and in all that follow. */
static bool takes_over(const tsr_plan *plan, const tsr_plan_slot *s)
{
  if (s->after < 0 || s->existing || s->gathered) return false;
  const tsr_plan_slot *before = &plan->slots[s->after];
  if (before->existing) return false;
  const tsr_plan_region *r = &plan->regions[s->region], *last = &plan->regions[before->region];
  return r->layout == last->layout && r->dtype == last->dtype && tsr__has_steps(plan, s->region);
}

static void count_agreed(const tsr_plan *plan, tsr_plan_slot *s)
{
  if (!s->block) s->agreed_bytes = s->gathered ? 0 : slot_agreed_bytes(plan, s);
}

static void set_shape(const tsr_plan *plan, tsr_plan_slot *s)
{
  const tsr_plan_region *r = &plan->regions[s->region];
  const int32_t before = s->in_place ? s->before : takes_over(plan, s) ? s->after : -1;
  s->aligned = before >= 0 ? plan->slots[before].aligned : s->wish;
  if (!s->gathered)
    tsr__instance_shape(plan->scheduler, &s->shape, &r->alloc, s->aligned,
                        tsr__dtype_size((tsr_dtype)r->dtype));
}

void tsr__lay_out_slot(const tsr_plan *plan, tsr_plan_slot *s)
{
  count_agreed(plan, s);
  set_shape(plan, s);
}

/* Makes the buffer as large as the slot. */
static void fit(tsr_buffer *b, const tsr_plan_slot *s)
{
  if (b->bytes >= s->shape.bytes) return;
  b->bytes = s->shape.bytes;
  b->pitch = tsr__instance_pitch(&s->shape);
}

static void assign(tsr_plan *plan, int32_t slot, size_t *second_bytes)
{
  tsr_plan_slot *s = &plan->slots[slot];
  count_agreed(plan, s);
  const bool follows = s->in_place || (s->block && s->before >= 0);
  int32_t b = s->existing ? -1 : follows ? plan->slots[s->before].buffer : find_free(plan, s, true);
  if (b < 0 && !s->existing) b = find_free(plan, s, false);
  s->after = b < 0 ? -1 : plan->buffers[b].last_slot;
  set_shape(plan, s);
  if (b < 0) {
    plan->buffers = tsr__arena_grow(plan->scratch, plan->buffers, plan->n_buffers,
                                    &plan->cap_buffers, sizeof *plan->buffers);
    b = plan->n_buffers++;
    plan->buffers[b] = (tsr_buffer){.bytes = s->shape.bytes,
                                    .pitch = tsr__instance_pitch(&s->shape),
                                    .agreed_bytes = s->agreed_bytes,
                                    .region = s->existing ? s->region : -1};
    if (!s->existing) plan->agreed_new_bytes += s->agreed_bytes;
    if (s->renamed) *second_bytes += s->agreed_bytes;
  }
  TSR_ASSERT(follows || s->after < 0 || plan->buffers[b].free_after < s->first_group);
  TSR_ASSERT(s->first_group <= s->last_group);
  tsr_buffer *buffer = &plan->buffers[b];
  fit(buffer, s);
  if (buffer->agreed_bytes < s->agreed_bytes && buffer->region < 0) {
    plan->agreed_new_bytes += s->agreed_bytes - buffer->agreed_bytes;
    buffer->agreed_bytes = s->agreed_bytes;
  }
  buffer->last_slot = slot;
  buffer->free_after = s->last_group;
  s->buffer = b;
}

/* The slots that are new in this plan, in the order of the groups that touch them first. Returns how
 * many those are that some group touches. */
static int32_t order_new(const tsr_plan *plan, int32_t *order)
{
  int32_t *at = tsr__arena_calloc(plan->scratch, (size_t)plan->n_groups + 1, sizeof *at);
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *s = &plan->slots[i];
    if (!s->existing && s->first_group < plan->n_groups) at[s->first_group + 1]++;
  }
  for (int32_t g = 0; g < plan->n_groups; g++) at[g + 1] += at[g];
  const int32_t n = at[plan->n_groups];
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *s = &plan->slots[i];
    if (!s->existing && s->first_group < plan->n_groups) order[at[s->first_group]++] = i;
  }
  return n;
}

/* Assigns all slots. Returns the bytes of second buffers. */
static size_t assign_all(tsr_plan *plan)
{
  size_t second_bytes = 0;
  plan->n_buffers = 0;
  plan->agreed_new_bytes = plan->gathered_bytes;
  for (int32_t i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].existing) assign(plan, i, &second_bytes);
  int32_t *order = tsr__arena_alloc(plan->scratch, (size_t)plan->n_slots * sizeof *order + 1);
  const int32_t n = order_new(plan, order);
  for (int32_t i = 0; i < n; i++) assign(plan, order[i], &second_bytes);
  return second_bytes;
}

void tsr__resize_buffers(tsr_plan *plan)
{
  plan->agreed_new_bytes = 0;
  for (int32_t b = 0; b < plan->n_buffers; b++)
    plan->buffers[b].bytes = plan->buffers[b].agreed_bytes = 0;
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *s = &plan->slots[i];
    tsr_buffer *b = &plan->buffers[s->buffer];
    fit(b, s);
    /* Existing memory is as large as the slot that has it first. */
    if (b->agreed_bytes < s->agreed_bytes && (b->region < 0 || s->after < 0))
      b->agreed_bytes = s->agreed_bytes;
  }
  for (int32_t b = 0; b < plan->n_buffers; b++)
    if (plan->buffers[b].region < 0) plan->agreed_new_bytes += plan->buffers[b].agreed_bytes;
}

/* Would so many more bytes go over the agreed limit now? The same on every rank. */
static bool is_over_limit(const tsr_scheduler *s, size_t new_bytes)
{
  size_t limit = tsr__world_resident_limit(s->world);
  return limit > 0 && s->agreed_in_use + new_bytes > limit;
}

bool tsr__is_capacity_same(const tsr_scheduler *s, const tsr_capacity *capacity)
{
  for (int i = 0; i < capacity->n; i++)
    if (is_over_limit(s, capacity->v[i].new_bytes) != capacity->v[i].is_over) return false;
  return true;
}

/* Do so many new bytes go over the limit? The plan depends on the answer from now on. */
static bool ask_capacity(tsr_plan *plan, size_t new_bytes)
{
  TSR_ASSERT(plan->capacity.n < (int)(sizeof plan->capacity.v / sizeof *plan->capacity.v));
  const bool answer = is_over_limit(plan->scheduler, new_bytes);
  plan->capacity.v[plan->capacity.n++] = (struct tsr_capacity_question){new_bytes, answer};
  return answer;
}

/* By how much the widest tile of the slot's region grows if it has the ghosts of all intervals. */
static size_t ghost_bytes(const tsr_plan *plan, const tsr_plan_slot *s)
{
  const tsr_plan_region *r = &plan->regions[s->region];
  int64_t n[TSR_MAX_NDIM];
  if (s->gathered) return 0;
  for (int k = 0; k < r->ndim; k++) {
    n[k] = tsr__layout_widest(r->layout, k) + r->wide.lo[k] + r->wide.hi[k];
    if (n[k] > r->shape[k]) n[k] = r->shape[k];
  }
  const size_t bytes =
      tsr__agreed_box_bytes(plan->scheduler, r->ndim, n, tsr__dtype_size((tsr_dtype)r->dtype));
  return bytes > s->agreed_bytes ? bytes - s->agreed_bytes : 0;
}

/* The new bytes of the plan with the ghosts of all intervals, which buffers that exist already may
 * have to grow for, one after the other: such a tile is there twice for a moment. */
static size_t bytes_with_ghosts(const tsr_plan *plan)
{
  size_t sum = 0, moved = 0;
  for (int32_t b = 0; b < plan->n_buffers; b++) {
    size_t most = 0;
    for (int32_t i = 0; i < plan->n_slots; i++) {
      const tsr_plan_slot *s = &plan->slots[i];
      if (s->buffer != b) continue;
      const size_t bytes = ghost_bytes(plan, s);
      if (bytes > most) most = bytes;
      if (bytes > 0 && s->existing && s->agreed_bytes > moved) moved = s->agreed_bytes;
    }
    sum += most;
  }
  return sum + (moved > plan->agreed_new_bytes ? moved : plan->agreed_new_bytes);
}

void tsr__plan_buffers(tsr_plan *plan)
{
  size_t second_bytes = assign_all(plan);
  const size_t most = (size_t)plan->scheduler->world->config.rename_max;
  const bool many = most > 0 && second_bytes > most;
  if (plan->n_wide > 0) { /* such groups do not run in blocks */
    plan->over = many || ask_capacity(plan, bytes_with_ghosts(plan));
    return;
  }
  if (second_bytes == 0) return;
  if (!many && !ask_capacity(plan, plan->agreed_new_bytes)) return;
  if (tsr__plan_blocking(plan)) second_bytes = assign_all(plan);
  plan->over = ask_capacity(plan, plan->agreed_new_bytes) || (many && second_bytes > most);
}
