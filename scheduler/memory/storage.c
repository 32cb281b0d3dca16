/* Storage of a region on this rank: the memory of its places' tiles, and which of its ghosts are
 * valid. */
#include "scheduler/memory/move.h"
#include "scheduler/memory/storage.h"

#include <stdlib.h>
#include <string.h>

static size_t storage_bytes(const tsr_scheduler *s)
{
  return sizeof(tsr_storage) + (size_t)s->world->n_places * sizeof(tsr_instance);
}

tsr_storage *tsr__storage_new(tsr_scheduler *s, const tsr_layout *layout)
{
  tsr_storage *storage = s->free_storages;
  if (storage != NULL)
    s->free_storages = storage->next;
  else
    storage = tsr__calloc(1, storage_bytes(s));
  /* Field by field: clearing all of it, most of which is set soon, costs more than the rest. */
  storage->scheduler = s;
  storage->layout = layout;
  storage->agreed_bytes = 0;
  storage->lent = NULL;
  storage->on_host = false;
  storage->lost_ns = 0;
  storage->written = storage->touched = 0;
  storage->next = NULL;
  for (int i = 0; i < s->world->n_places; i++) {
    tsr_instance *instance = &storage->instance[i];
    instance->data = NULL;
    instance->bytes = 0;
    instance->alloc.ndim = 0;
    instance->lead_bytes = instance->aligned = 0;
    instance->space = TSR_SPACE_PLACE;
  }
  return storage;
}

bool tsr__lends_itself(const tsr_scheduler *s)
{
  return tsr__world_is_host(s->world) && s->world->n_places == 1;
}

void tsr__storage_end_lending(tsr_storage *storage)
{
  for (tsr_lent_memory *m; (m = storage->lent) != NULL;) {
    storage->lent = m->next;
    tsr__memory_free(m->memory, m->instance.data, m->instance.bytes);
    free(m);
  }
}

void tsr__storage_keep_lent(tsr_storage *storage, tsr_memory *memory, const tsr_instance *i)
{
  tsr_lent_memory *lent = tsr__malloc(sizeof *lent);
  *lent = (tsr_lent_memory){storage->lent, memory, *i};
  storage->lent = lent;
}

void tsr__storage_release(tsr_storage *storage)
{
  enum { FEW = 8 };
  tsr_scheduler *s = storage->scheduler;
  tsr__storage_end_lending(storage);
  for (int i = 0; i < s->world->n_places; i++)
    tsr__instance_free(s->world, i, &storage->instance[i]);
  s->agreed_in_use -= storage->agreed_bytes;
  tsr__ghosts_clear(&storage->ghosts); /* a short log keeps its memory for the next storage */
  if (storage->ghosts.capacity > FEW) tsr__ghosts_free(&storage->ghosts);
  storage->next = s->free_storages;
  s->free_storages = storage;
}

void tsr__storage_lose(tsr_region *r)
{
  tsr_storage *storage = r->storage;
  tsr_scheduler *s = storage->scheduler;
  r->storage = NULL;
  if (r->n_lent == 0) {
    tsr__storage_release(storage);
    return;
  }
  s->agreed_in_use -= storage->agreed_bytes;
  storage->agreed_bytes = 0;
  storage->lost_by = r;
  storage->next = s->lost_storages;
  s->lost_storages = storage;
}

void tsr__storage_free_lost(tsr_scheduler *s, const tsr_region *r)
{
  for (tsr_storage **at = &s->lost_storages, *storage; (storage = *at) != NULL;) {
    if (r != NULL && storage->lost_by != r) {
      at = &storage->next;
      continue;
    }
    *at = storage->next;
    tsr__storage_release(storage);
  }
}

void tsr__storages_free(tsr_scheduler *s)
{
  for (tsr_storage *storage; (storage = s->free_storages) != NULL;) {
    s->free_storages = storage->next;
    tsr__ghosts_free(&storage->ghosts);
    free(storage);
  }
}
