/* Where an array is, for whoever asks; nothing is computed or moved for it. */
#include "scheduler/memory/storage.h"

void tsr__whereabouts(const tsr_scheduler *s, const tsr_region *region, const tsr_view *view,
                      tsr_whereabouts *out)
{
  *out = (tsr_whereabouts){.part = {.ndim = -1}};
  for (int32_t i = 0; i < s->window->n_ops; i++) out->n_waiting += s->window->ops[i]->out == region;
  const tsr_storage *storage = region->storage;
  if (storage == NULL) return;
  out->layout = storage->layout;
  const bool is_whole = storage->layout->replicated;
  for (int i = 0; i < (is_whole ? 1 : s->world->n_places); i++) {
    tsr_box tile, part;
    if (!tsr__layout_tile(storage->layout, s->world->places[i].number, &tile) ||
        !tsr__view_meets(view, &tile, &part))
      continue;
    const int64_t n = tsr__box_volume(&part);
    out->part = out->part.ndim < 0 ? part : tsr__box_hull(&out->part, &part);
    out->n_elems += n;
    if (storage->instance[i].space != TSR_SPACE_PLACE) out->n_elems_on_host += n;
  }
}
