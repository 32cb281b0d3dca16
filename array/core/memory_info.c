/* Reports what arrays occupy in this rank's memory spaces. The numbers come from the places' pools
 * or, where there is no pool, from the arrays. The report records no operation. */
#include "array/core/array_int.h"

#include <stdio.h>

int tsr_n_places(void)
{
  return tsr__current ? tsr__current->world.n_places : 0;
}

static tsr_memory_use use_of(const tsr_context *c, int place)
{
  const tsr_world *w = &c->world;
  const tsr_place *p = &w->places[place];
  const tsr_memory_stats stats = tsr__memory_stats(p->memory);
  tsr_memory_use use = {.place = place,
                        .n_places = w->n_places,
                        .device_number = p->device->number,
                        .limit_bytes = (int64_t)tsr__memory_limit(p->memory),
                        .in_use_bytes = (int64_t)stats.in_use_bytes,
                        .peak_bytes = (int64_t)stats.peak_bytes,
                        .cached_bytes = (int64_t)stats.cached_bytes};
  use.on_host_bytes = (int64_t)tsr__on_host_bytes(c->scheduler, place);
  use.spilled_host_bytes = (int64_t)tsr__spilled_bytes(c->scheduler, place, TSR_SPACE_HOST);
  use.spilled_file_bytes = (int64_t)tsr__spilled_bytes(c->scheduler, place, TSR_SPACE_FILE);
  snprintf(use.device, sizeof use.device, "%s", p->device->ops->name);
  return use;
}

tsr_memory_use tsr_memory_info_at(const tsr_location *where, int place)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const int n = c->world.n_places;
  if (place >= 0 && place < n) return use_of(c, place);
  tsr__fail_on(c, where, TSR_ERR_ARGUMENT, 0, NULL,
               "tsr_n_places() is how many there are; TESSERA_DEVICES and TESSERA_PLACES set "
               "it",
               "there is no place %d: each rank has %d, numbered from 0", place, n);
  return (tsr_memory_use){.place = -1};
}

tsr_memory_stats tsr__context_memory(void)
{
  const tsr_world *w = &tsr__context(NULL)->world;
  tsr_memory_stats all = {0};
  for (int i = 0; i < w->n_places; i++) {
    const tsr_memory_stats one = tsr__memory_stats(w->places[i].memory);
    all.in_use_bytes += one.in_use_bytes;
    all.peak_bytes += one.peak_bytes;
    all.cached_bytes += one.cached_bytes;
    all.n_allocs += one.n_allocs;
    all.n_system += one.n_system;
  }
  return all;
}
