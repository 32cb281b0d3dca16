/* Binding: the numbers of a plan get their memory and scalars for one run; afterwards the regions
 * take over what is theirs. */
#include "scheduler/scheduler_int.h"

#include <stdlib.h>
#include <string.h>

static const tsr_place *place_of(const tsr_plan *plan)
{
  return &plan->scheduler->world->places[plan->here];
}

/* The ghosts that this plan asks for do not fit the region's buffer: move to a larger one, once.
 * A lent tile is only read meanwhile, so whoever has the old address sees the same values. */
static tsr_status grow_instance(const tsr_plan *plan, tsr_region *region, const tsr_instance *shape,
                                size_t elem_bytes)
{
  const tsr_place *place = place_of(plan);
  tsr_instance larger = *shape, *old = &region->storage->instance[plan->here];
  larger.data = tsr__memory_alloc(place->memory, larger.bytes);
  if (larger.data == NULL) return TSR_ERR_MEMORY;
  if (old->data != NULL && !tsr__box_is_empty(&old->alloc)) {
    const tsr_points p = tsr__instance_points(&larger, old, &old->alloc, elem_bytes);
    tsr__move(place, TSR_COPY_WITHIN, &p);
  }
  if (region->n_lent > 0)
    tsr__storage_keep_lent(region->storage, place->memory, old);
  else
    tsr__memory_free(place->memory, old->data, old->bytes);
  *old = larger;
  return TSR_OK;
}

static tsr_status bind_buffers(const tsr_plan *plan, tsr_binding *b)
{
  const tsr_place *place = place_of(plan);
  memset(b->buffers, 0, (size_t)plan->n_buffers * sizeof *b->buffers); /* the last run's */
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    if (!slot->existing) continue;
    tsr_instance *instance = &b->regions[slot->region]->storage->instance[plan->here];
    if (!tsr__box_equal(&instance->alloc, &slot->shape.alloc))
      TSR_TRY(grow_instance(plan, b->regions[slot->region], &slot->shape,
                            tsr__dtype_size((tsr_dtype)plan->regions[slot->region].dtype)));
    b->buffers[slot->buffer] = instance->data;
    if (!b->rehearsal) continue;
    b->buffers[slot->buffer] = NULL;
    void *copy = tsr__memory_alloc(place->memory, plan->buffers[slot->buffer].bytes);
    if (copy == NULL) return TSR_ERR_MEMORY;
    const tsr_points p = tsr__points_of_bytes(copy, instance->data, slot->shape.bytes);
    tsr__move(place, TSR_COPY_WITHIN, &p);
    b->buffers[slot->buffer] = copy;
  }
  for (int32_t i = 0; i < plan->n_buffers; i++) {
    if (plan->buffers[i].region >= 0) continue;
    b->buffers[i] = tsr__memory_alloc(place->memory, plan->buffers[i].bytes);
    if (b->buffers[i] == NULL) return TSR_ERR_MEMORY;
  }
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    char *data = b->buffers[slot->buffer];
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
    if (b->rehearsal || plan->buffers[i].region < 0)
      tsr__memory_free(place_of(plan)->memory, b->buffers[i], plan->buffers[i].bytes);
    b->buffers[i] = NULL;
  }
}

static void bind_names(tsr_plan *plan, const tsr_selection *sel, tsr_binding *b)
{
  *b = plan->binding;
  b->rehearsal = false;
  b->regions = sel->regions;
  b->shift = sel->shift;
  b->n_regions = sel->n_regions;
  b->tag_base = plan->scheduler->next_tag;
}

static tsr_status bind(tsr_plan *plan, const tsr_window *w, const tsr_selection *sel,
                       bool rehearsal, tsr_binding *b)
{
  bind_names(plan, sel, b);
  if (rehearsal) {
    b->scalars = tsr__arena_calloc(&plan->arena, (size_t)plan->n_scalars + 1, sizeof *b->scalars);
    b->instances = tsr__arena_calloc(&plan->arena, (size_t)plan->n_slots + 1, sizeof *b->instances);
    b->buffers = tsr__arena_calloc(&plan->arena, (size_t)plan->n_buffers + 1, sizeof *b->buffers);
    for (int32_t i = 0; i < plan->n_slots; i++) b->instances[i] = plan->slots[i].shape;
  }
  b->rehearsal = rehearsal;
  for (int32_t i = 0; i < plan->n_scalars; i++) {
    const tsr_scalar_ref *ref = &plan->scalars[i];
    b->scalars[i] = tsr__scalar_cast(w->ops[ref->op]->in[ref->in].scalar, (tsr_dtype)ref->dtype);
  }
  for (int32_t i = 0; i < plan->n_groups; i++)
    if (plan->groups[i].is_user) b->calls[i] = w->ops[plan->groups[i].ops[0].op]->call;
  const tsr_status status = bind_buffers(plan, b);
  if (status < 0) drop(plan, b);
  return status;
}

tsr_status tsr__bind(tsr_plan *plan, const tsr_window *w, const tsr_selection *sel, bool rehearsal,
                     tsr_binding *b)
{
  for (tsr_plan *p = plan; p != NULL; p = p->beside) {
    const tsr_status status = bind(p, w, sel, rehearsal, &b[p->here]);
    if (status == TSR_OK) continue;
    for (tsr_plan *bound = plan; bound != p; bound = bound->beside) drop(bound, &b[bound->here]);
    return status;
  }
  return TSR_OK;
}

/* A buffer that is not as large as the plan wants it keeps its data, unless a new version takes its
 * place. */
static void bind_nothing(tsr_plan *plan, const tsr_selection *sel, tsr_binding *b)
{
  bind_names(plan, sel, b);
  for (int32_t i = 0; i < plan->n_buffers; i++) b->buffers[i] = NULL;
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    b->instances[i].data = NULL;
    if (slot->existing) {
      const tsr_instance *instance = &b->regions[slot->region]->storage->instance[plan->here];
      if (tsr__box_equal(&instance->alloc, &slot->shape.alloc))
        b->buffers[slot->buffer] = instance->data;
    }
  }
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    if (!slot->final || slot->existing) continue; /* the plan's own regions have no names */
    tsr_storage *storage = b->regions[slot->region]->storage;
    if (storage == NULL) continue;
    tsr_instance *old = &storage->instance[plan->here];
    bool bound = false;
    for (int32_t k = 0; k < plan->n_buffers; k++) bound = bound || b->buffers[k] == old->data;
    if (bound) {
      b->instances[i].data = b->buffers[slot->buffer];
      continue;
    }
    tsr__memory_free(place_of(plan)->memory, old->data, old->bytes);
    old->data = NULL;
  }
}

void tsr__bind_nothing(tsr_plan *plan, const tsr_selection *sel, tsr_binding *b)
{
  for (; plan != NULL; plan = plan->beside) bind_nothing(plan, sel, &b[plan->here]);
}

void tsr__bind_drop(tsr_plan *plan, tsr_binding *b)
{
  for (; plan != NULL; plan = plan->beside) drop(plan, &b[plan->here]);
}

/* What a buffer was allocated with: an existing one may have been made for a larger slot. */
static size_t buffer_bytes(const tsr_plan *plan, const tsr_binding *b, int32_t buffer)
{
  const tsr_buffer *p = &plan->buffers[buffer];
  return p->region >= 0 ? b->regions[p->region]->storage->instance[plan->here].bytes : p->bytes;
}

static void commit(tsr_plan *plan, tsr_binding *b)
{
  tsr_scheduler *s = plan->scheduler;
  bool *taken = plan->taken;
  memset(taken, 0, (size_t)plan->n_buffers * sizeof *taken);
  for (int32_t i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].final) taken[plan->slots[i].buffer] = true;
  for (int32_t i = 0; i < plan->n_buffers; i++)
    if (!taken[i])
      tsr__memory_free(place_of(plan)->memory, b->buffers[i], buffer_bytes(plan, b, i));
  for (int32_t i = 0; i < plan->n_slots; i++) {
    tsr_plan_slot *slot = &plan->slots[i];
    if (!slot->final) continue;
    tsr_region *region = b->regions[slot->region];
    if (region->storage == NULL) {
      region->storage = tsr__storage_new(s, plan->regions[slot->region].layout);
      region->storage->agreed_bytes = slot->agreed_bytes;
      s->agreed_in_use += slot->agreed_bytes;
    }
    if (!slot->existing) { /* what exists has its instance, and here it may be shifted */
      size_t bytes = buffer_bytes(plan, b, slot->buffer);
      tsr_instance *instance = &region->storage->instance[plan->here];
      *instance = b->instances[i];
      instance->bytes = bytes;
    }
    tsr__ghosts_copy(&region->storage->ghosts, &slot->ghosts);
    region->storage->touched = s->n_plans;
  }
}

void tsr__bind_commit(tsr_plan *plan, tsr_binding *b)
{
  for (; plan != NULL; plan = plan->beside) commit(plan, &b[plan->here]);
}
