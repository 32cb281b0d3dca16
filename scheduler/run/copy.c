/* Copies within a run: by the queues of its device, or by the host at once. Which of them follows
 * from the memory spaces (memory/move.h). */
#include "scheduler/run/run_int.h"

void tsr__run_copy(tsr_run *run, const tsr_plan_copy *c, const tsr_box *box)
{
  const tsr_plan *plan = run->plan;
  TSR_ASSERT(plan->slots[c->from].region == plan->slots[c->to].region);
  const tsr_instance *to = &run->binding->instances[c->to];
  const tsr_instance *from = &run->binding->instances[c->from];
  const size_t elem = tsr__dtype_size((tsr_dtype)plan->regions[plan->slots[c->to].region].dtype);
  const tsr_points p = tsr__instance_points(to, from, box != NULL ? box : &c->box, elem);
  const tsr_move_kind kind = tsr__move_kind(run->world, to->space, from->space);
  if (kind == TSR_MOVE_IN || kind == TSR_MOVE_OUT)
    tsr__streaming_copy(run, kind, &p);
  else
    tsr__run_move(run, to->space, from->space, TSR_QUEUE_RUN, &p, &(bool){false});
}

void tsr__run_move(tsr_run *run, tsr_space to, tsr_space from, tsr_queue queue,
                   const tsr_points *points, bool *is_synced)
{
  const tsr_move_kind kind = tsr__move_kind(run->world, to, from);
  if (kind != TSR_MOVE_BY_HOST) {
    tsr__run_note_queued(run);
    run->device->ops->copy(run->device, queue, (tsr_direction)kind, points);
    return;
  }
  if (!*is_synced) tsr__run_sync(run);
  *is_synced = true;
  tsr__points_copy(points);
}
