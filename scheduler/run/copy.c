/* Copies within a run: in the queue of its device, or at once where the host's memory is involved.
 */
#include "scheduler/run/run_int.h"

void tsr__run_copy(tsr_run *run, const tsr_plan_copy *c)
{
  const tsr_plan *plan = run->plan;
  size_t elem = tsr__dtype_size((tsr_dtype)plan->regions[plan->slots[c->to].region].dtype);
  const tsr_points p = tsr__instance_points(&run->binding->instances[c->to],
                                            &run->binding->instances[c->from], &c->box, elem);
  tsr_device *d = tsr__run_place(run)->device;
  tsr__run_note_queued(run);
  if (run->device != NULL && run->binding->any_spilled)
    tsr__streaming_copy(run, &run->binding->instances[c->to], &run->binding->instances[c->from],
                        &p);
  else
    d->ops->copy(d, TSR_QUEUE_RUN, TSR_COPY_WITHIN, &p);
}

void tsr__run_sync(const tsr_run *run)
{
  if (run->device == NULL || !__atomic_load_n(&run->has_queued, __ATOMIC_RELAXED)) return;
  if (tsr__device_sync(run->device) < 0) tsr__fatal("%s", run->device->message);
}

void tsr__run_move(tsr_run *run, const tsr_instance *i, tsr_queue queue, tsr_direction direction,
                   const tsr_points *points, bool *is_synced)
{
  tsr_device *d = tsr__run_place(run)->device;
  if (i->space == TSR_SPACE_PLACE) {
    tsr__run_note_queued(run);
    d->ops->copy(d, queue, direction, points);
    return;
  }
  if (!*is_synced) tsr__run_sync(run);
  *is_synced = true;
  tsr__points_copy(points);
}
