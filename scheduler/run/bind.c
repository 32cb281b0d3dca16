/* Binding: the numbers of a plan get their memory and scalars for one run; afterwards the regions
 * take over what is theirs. */
#include "scheduler/run/bind.h"
#include "scheduler/memory/move.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/run/fit.h"
#include "scheduler/run/place.h"

#include <stdlib.h>
#include <string.h>

/* Moves a region to a larger buffer, once, if the ghosts that this plan asks for do not fit. A tile
 * that is lent itself is only read meanwhile: whoever has the old address sees the same values. */
static tsr_status grow_instance(const tsr_plan *plan, const tsr_binding *b, tsr_region *region,
                                const tsr_instance *shape, size_t elem_bytes)
{
  const tsr_world *w = plan->scheduler->world;
  tsr_instance larger = *shape, *old = &region->storage->instance[plan->here];
  tsr_block block = {.bytes = larger.bytes, .pitch = tsr__instance_pitch(&larger)};
  if (!tsr__residency_want_any(plan->scheduler, plan->here, &block, region->storage->on_host,
                               b->regions, b->n_regions))
    return TSR_ERR_MEMORY;
  larger.data = block.data;
  larger.space = block.space;
  if (old->data != NULL && !tsr__box_is_empty(&old->alloc))
    tsr__move_box(w, plan->here, &larger, old, &old->alloc, elem_bytes);
  if (tsr__device_is_lost(w->places[plan->here].device)) { /* what it copied is of no use */
    tsr__residency_release(plan->scheduler, plan->here, &block);
    return TSR_ERR_MEMORY;
  }
  if (region->n_lent_there > 0 || (region->n_lent > 0 && tsr__lends_itself(plan->scheduler)))
    tsr__storage_keep_lent(region->storage, tsr__world_memory(w, plan->here, old->space), old);
  else
    tsr__instance_free(w, plan->here, old);
  *old = larger;
  return TSR_OK;
}

/* The tile of an array as a block. Field by field, since a replay is short enough to notice a load
 * that waits for narrower stores. */
static void set_block(tsr_block *b, const tsr_instance *i)
{
  b->data = i->data;
  b->bytes = i->bytes;
  b->space = i->space;
  b->has_values = true;
}

/* Where a slot lies: at the begin of its buffer. */
static void lay(const tsr_binding *b, tsr_instance *i, int32_t buffer)
{
  i->data = b->buffers[buffer].data;
  i->space = b->buffers[buffer].space;
}

/* Forgets the last run's memory. */
static void begin_buffers(const tsr_plan *plan, tsr_binding *b)
{
  for (int32_t i = 0; i < plan->n_buffers; i++) {
    tsr_block *block = &b->buffers[i];
    block->data = NULL;
    block->bytes = plan->buffers[i].bytes;
    block->space = TSR_SPACE_PLACE;
    block->has_values = false;
    block->pitch = plan->buffers[i].pitch;
  }
}

static tsr_status bind_existing(const tsr_plan *plan, tsr_binding *b)
{
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    if (!slot->existing) continue;
    const tsr_instance *instance = &b->regions[slot->region]->storage->instance[plan->here];
    if (b->may_grow[i] && !tsr__box_equal(&instance->alloc, &slot->shape.alloc))
      TSR_TRY(grow_instance(plan, b, b->regions[slot->region], &slot->shape,
                            tsr__slot_elem_bytes(plan, i)));
    if (b->replay_check) continue;
    set_block(&b->buffers[slot->buffer], instance);
  }
  return TSR_OK;
}

/* Copies the regions' values into the buffers of a replay check. */
static void copy_existing(const tsr_plan *plan, const tsr_binding *b)
{
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    if (!slot->existing) continue;
    tsr_instance copy = b->regions[slot->region]->storage->instance[plan->here];
    const tsr_instance *instance = &b->regions[slot->region]->storage->instance[plan->here];
    lay(b, &copy, slot->buffer);
    if (!tsr__box_is_empty(&copy.alloc))
      tsr__move_box(plan->scheduler->world, plan->here, &copy, instance, &copy.alloc,
                    tsr__slot_elem_bytes(plan, i));
  }
}

/* Gets memory for the buffers that have none yet. Returns whether nothing is left to do. */
static bool bind_own(const tsr_plan *plan, tsr_binding *b)
{
  bool all = !b->is_mixed, any_spilled = false;
  for (int32_t i = 0; i < plan->n_buffers; i++) {
    tsr_block *block = &b->buffers[i];
    if (tsr__binds_own(plan, b, i)) {
      block->space = b->is_hosts[i] ? TSR_SPACE_HOST : TSR_SPACE_PLACE;
      if (!b->is_hosts[i] || tsr__host_has_memory(plan->scheduler, block->bytes))
        block->data = tsr__residency_alloc(plan->scheduler, plan->here, block->space, block->bytes,
                                           block->pitch);
      all = all && block->data != NULL;
    }
    const bool is_spilled = block->space != TSR_SPACE_PLACE;
    all = all && is_spilled == b->is_hosts[i];
    any_spilled = any_spilled || is_spilled;
  }
  b->any_spilled = any_spilled;
  return all;
}

static tsr_status bind_buffers(tsr_plan *plan, tsr_binding *b)
{
  begin_buffers(plan, b);
  TSR_TRY(bind_existing(plan, b));
  if (!bind_own(plan, b)) TSR_TRY(tsr__fit(plan, b));
  if (b->replay_check) copy_existing(plan, b);
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    lay(b, &b->instances[i], slot->buffer);
    char *data = b->instances[i].data;
    if (b->shift != NULL && slot->existing)
      for (int k = 0; k < slot->shape.alloc.ndim; k++)
        data += b->shift[slot->region][k] * slot->shape.stride_bytes[k];
    b->instances[i].data = data;
  }
  return TSR_OK;
}

static void drop(const tsr_plan *plan, tsr_binding *b)
{
  for (int32_t i = 0; i < plan->n_buffers; i++) {
    if (tsr__binds_own(plan, b, i))
      tsr__residency_release(plan->scheduler, plan->here, &b->buffers[i]);
    b->buffers[i].data = NULL;
  }
}

/* What the slots of the plan's edition come to in every run. An array whose memory is as large as
 * the plan wants it now is so in every run, as the plan is for arrays with such memory. */
static void lay_slots(const tsr_plan *plan, const tsr_names *names, tsr_binding *b)
{
  b->edition = plan->edition;
  memset(b->is_taken, 0, (size_t)plan->n_buffers * sizeof *b->is_taken);
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    tsr__instance_copy(&b->instances[i], &slot->shape);
    if (slot->final) b->is_taken[slot->buffer] = true;
    if (slot->existing)
      b->may_grow[i] = !tsr__box_equal(
          &names->regions[slot->region]->storage->instance[plan->here].alloc, &slot->shape.alloc);
  }
}

/* Makes the arrays of a binding; once per plan, and once more where runs are checked. */
static tsr_binding *new_binding(tsr_plan *plan, const tsr_names *names)
{
  tsr_arena *arena = &plan->arena;
  tsr_binding *b = tsr__arena_calloc(arena, 1, sizeof *b);
  b->scalars = tsr__arena_calloc(arena, (size_t)plan->n_scalars + 1, sizeof(tsr_scalar));
  b->instances = tsr__arena_calloc(arena, (size_t)plan->n_slots + 1, sizeof(tsr_instance));
  b->buffers = tsr__arena_calloc(arena, (size_t)plan->n_buffers + 1, sizeof *b->buffers);
  b->on_host = tsr__arena_calloc(arena, (size_t)plan->n_groups + 1, sizeof(bool));
  b->cluster_ns = tsr__arena_calloc(arena, (size_t)plan->n_clusters + 1, sizeof *b->cluster_ns);
  b->clusters_on_host = tsr__arena_calloc(arena, (size_t)plan->n_clusters + 1, sizeof(bool));
  b->is_hosts = tsr__arena_calloc(arena, (size_t)plan->n_buffers + 1, sizeof(bool));
  b->calls = tsr__arena_calloc(arena, (size_t)plan->n_groups + 1, sizeof(tsr_task_call *));
  b->is_taken = tsr__arena_calloc(arena, (size_t)plan->n_buffers + 1, sizeof(bool));
  b->may_grow = tsr__arena_calloc(arena, (size_t)plan->n_slots + 1, sizeof(bool));
  lay_slots(plan, names, b);
  return b;
}

/* Begins the binding of a run: which regions it is of and, where there is a choice, on which sides
 * it runs. */
static void begin_binding(tsr_plan *plan, const tsr_names *names, bool replay_check, tsr_binding *b)
{
  if (plan->binding == NULL) plan->binding = new_binding(plan, names);
  if (plan->binding->edition != plan->edition) lay_slots(plan, names, plan->binding);
  *b = replay_check ? *new_binding(plan, names) : *plan->binding;
  b->replay_check = replay_check;
  b->is_empty = false;
  b->regions = names->regions;
  b->shift = names->shift;
  b->n_regions = names->n_regions;
  b->tag_base = plan->scheduler->next_tag;
  b->is_mixed = false;
  if (plan->clusters != NULL) tsr__place(plan, b);
}

void tsr__bind_scalars(const tsr_plan *plan, const tsr_window *w, tsr_binding *b)
{
  for (int32_t i = 0; i < plan->n_scalars; i++) {
    const tsr_scalar_ref *ref = &plan->scalars[i];
    b->scalars[i] = tsr__scalar_cast(w->ops[ref->op]->in[ref->in].scalar, (tsr_dtype)ref->dtype);
  }
}

static tsr_status bind(tsr_plan *plan, const tsr_window *w, const tsr_names *names,
                       bool replay_check, tsr_binding *b)
{
  begin_binding(plan, names, replay_check, b);
  tsr__bind_scalars(plan, w, b);
  for (int32_t i = 0; i < plan->n_groups; i++)
    if (plan->groups[i].is_user) b->calls[i] = w->ops[plan->groups[i].ops[0].op]->call;
  const tsr_status status = bind_buffers(plan, b);
  if (status < 0) drop(plan, b);
  return status;
}

tsr_status tsr__bind(tsr_plan *plan, const tsr_window *w, const tsr_names *names, bool replay_check,
                     tsr_binding *b)
{
  for (tsr_plan *p = plan; p != NULL; p = p->beside) {
    const tsr_status status = bind(p, w, names, replay_check, &b[p->here]);
    if (status == TSR_OK) continue;
    for (tsr_plan *bound = plan; bound != p; bound = bound->beside) drop(bound, &b[bound->here]);
    return status;
  }
  return TSR_OK;
}

static void bind_nothing(tsr_plan *plan, const tsr_names *names, bool replay_check, tsr_binding *b)
{
  begin_binding(plan, names, replay_check, b);
  b->is_empty = true;
  begin_buffers(plan, b);
  b->any_spilled = false;
  for (int32_t i = 0; i < plan->n_slots; i++) {
    b->instances[i].data = NULL;
    b->instances[i].space = TSR_SPACE_PLACE;
  }
}

void tsr__bind_nothing(tsr_plan *plan, const tsr_names *names, bool replay_check, tsr_binding *b)
{
  for (; plan != NULL; plan = plan->beside) bind_nothing(plan, names, replay_check, &b[plan->here]);
}

/* Gives an empty binding the memory that its regions keep: a buffer that is smaller than the plan
 * wants keeps its data, unless a new version takes its place. */
static void keep_memory(const tsr_plan *plan, tsr_binding *b)
{
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    if (!slot->existing) continue;
    const tsr_instance *instance = &b->regions[slot->region]->storage->instance[plan->here];
    if (!tsr__box_equal(&instance->alloc, &slot->shape.alloc)) continue;
    set_block(&b->buffers[slot->buffer], instance);
  }
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    if (!slot->final || slot->existing) continue; /* the plan's own regions have no names */
    tsr_storage *storage = b->regions[slot->region]->storage;
    if (storage == NULL) continue;
    tsr_instance *old = &storage->instance[plan->here];
    bool bound = false;
    for (int32_t k = 0; k < plan->n_buffers; k++) bound = bound || b->buffers[k].data == old->data;
    if (bound) {
      lay(b, &b->instances[i], slot->buffer);
      continue;
    }
    tsr__instance_free(plan->scheduler->world, plan->here, old);
    old->data = NULL;
  }
}

void tsr__bind_drop(tsr_plan *plan, tsr_binding *b)
{
  for (; plan != NULL; plan = plan->beside) drop(plan, &b[plan->here]);
}

void tsr__take_over(const tsr_plan *plan, int32_t slot, tsr_region *region,
                    const tsr_instance *made, size_t bytes)
{
  tsr_scheduler *s = plan->scheduler;
  const tsr_plan_slot *from = &plan->slots[slot];
  if (region->storage == NULL) {
    region->storage = tsr__storage_new(s, plan->regions[from->region].layout);
    region->storage->agreed_bytes = from->agreed_bytes;
    s->agreed_in_use += from->agreed_bytes;
  }
  /* Existing storage has its instance already, which may be shifted here. */
  if (!from->existing) {
    tsr_instance *instance = &region->storage->instance[plan->here];
    tsr__instance_copy(instance, made);
    instance->bytes = bytes;
  }
  if (region->storage->ghosts.n + from->ghosts.n > 0)
    tsr__ghosts_copy(&region->storage->ghosts, &from->ghosts);
  region->storage->touched = s->n_plans;
}

static void commit(tsr_plan *plan, tsr_binding *b)
{
  TSR_ASSERT(!b->replay_check);
  if (b->is_empty) keep_memory(plan, b);
  for (int32_t i = 0; i < plan->n_buffers; i++)
    if (!b->is_taken[i]) tsr__residency_release(plan->scheduler, plan->here, &b->buffers[i]);
  for (int32_t i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].final)
      tsr__take_over(plan, i, b->regions[plan->slots[i].region], &b->instances[i],
                     b->buffers[plan->slots[i].buffer].bytes);
  tsr__place_commit(plan, b);
}

void tsr__bind_commit(tsr_plan *plan, tsr_binding *b)
{
  for (; plan != NULL; plan = plan->beside) commit(plan, &b[plan->here]);
}
