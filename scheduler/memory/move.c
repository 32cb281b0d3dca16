/* Copies between the memory spaces of a place: one table says who copies. */
#include "scheduler/memory/move.h"

tsr_move_kind tsr__move_kind(const tsr_world *w, tsr_space to, tsr_space from)
{
  static const tsr_move_kind kinds[3][3] = {
      [TSR_SPACE_PLACE] = {TSR_MOVE_WITHIN, TSR_MOVE_OUT, TSR_MOVE_OUT},
      [TSR_SPACE_HOST] = {TSR_MOVE_IN, TSR_MOVE_BY_HOST, TSR_MOVE_BY_HOST},
      [TSR_SPACE_FILE] = {TSR_MOVE_IN, TSR_MOVE_BY_HOST, TSR_MOVE_BY_HOST}};
  return tsr__world_is_host(w) ? TSR_MOVE_BY_HOST : kinds[from][to];
}

bool tsr__move(const tsr_world *w, int here, tsr_space to, tsr_space from, const tsr_points *points)
{
  const tsr_move_kind kind = tsr__move_kind(w, to, from);
  tsr_device *d = w->places[here].device;
  if (points->dst == points->src) return true;
  if (kind == TSR_MOVE_BY_HOST)
    tsr__points_copy(points);
  else
    (void)tsr__device_copy(d, (tsr_direction)kind, points);
  return kind == TSR_MOVE_BY_HOST || !tsr__device_is_lost(d);
}

void tsr__move_box(const tsr_world *w, int here, const tsr_instance *dst, const tsr_instance *src,
                   const tsr_box *box, size_t elem_bytes)
{
  const tsr_points p = tsr__instance_points(dst, src, box, elem_bytes);
  tsr__move(w, here, dst->space, src->space, &p);
}

bool tsr__instance_is_host(const tsr_world *w, const tsr_instance *i)
{
  return i->space != TSR_SPACE_PLACE || tsr__world_is_host(w);
}

void tsr__instance_free(const tsr_world *w, int here, const tsr_instance *i)
{
  tsr__memory_free(tsr__world_memory(w, here, i->space), i->data, i->bytes);
}
