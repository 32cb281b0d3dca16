/* Storage of a region on this rank: the buffers of its places' tiles, and what is known of its
 * ghosts. */
#include "scheduler/scheduler_int.h"

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
  const tsr_ghosts ghosts = storage->ghosts;
  memset(storage, 0, storage_bytes(s));
  storage->scheduler = s;
  storage->layout = layout;
  storage->ghosts = ghosts;
  return storage;
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
  tsr_lent_memory *kept = tsr__malloc(sizeof *kept);
  *kept = (tsr_lent_memory){storage->lent, memory, *i};
  storage->lent = kept;
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

void tsr__storages_free(tsr_scheduler *s)
{
  for (tsr_storage *storage; (storage = s->free_storages) != NULL;) {
    s->free_storages = storage->next;
    tsr__ghosts_free(&storage->ghosts);
    free(storage);
  }
}

/* What each rank is to have of an array, in tiles of TILE_MIN, if ranks that share a core are to
 * have one each. */
enum { CROWDED_TILES = 4 };

/* Where there are fewer tiles than places, as many on every rank (a divisor of its places), unless
 * that leaves less than half of the tiles. */
static int32_t places_of_rank(const tsr_scheduler *s, int64_t n_elems)
{
  const int32_t n = s->world->n_places;
  const int64_t most = n_elems / s->world->config.tile_min, size = s->world->size;
  int32_t each = n;
  while (each > 1 && (n % each != 0 || size * each > most)) each--;
  return size > 1 && 2 * size * each > most ? each : n;
}

int32_t tsr__rank_step(const tsr_scheduler *s, int64_t n_elems)
{
  const tsr_config *config = &s->world->config;
  const int32_t each = places_of_rank(s, n_elems), step = s->world->n_places / each;
  const bool is_small = n_elems / s->world->size / CROWDED_TILES < config->tile_min;
  return is_small && each == 1 ? step * (int32_t)config->ranks_per_core : step;
}

const tsr_layout *tsr__layout_for(tsr_scheduler *s, int ndim, const int64_t *shape)
{
  double n = 1.0;
  for (int k = 0; k < ndim; k++) n *= (double)shape[k];
  if (ndim == 0 || n <= (double)s->world->config.replicate_max)
    return tsr__layout_replicated(s->layouts, ndim, shape);
  return tsr__layout_fresh(s->layouts, ndim, shape, tsr__rank_step(s, (int64_t)n),
                           s->world->config.tile_min);
}
