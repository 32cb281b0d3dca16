/* Copies within a run: by the queues of its device, or by the host at once. Which of them follows
 * from the memory spaces (memory/move.h). */
#include "scheduler/run/copy.h"
#include "scheduler/run/chunk.h"
#include "scheduler/run/movers.h"
#include "scheduler/run/streaming_ring.h"

void tsr__run_copy(tsr_run *run, const tsr_plan_copy *c, const tsr_box *box)
{
  const tsr_plan *plan = run->plan;
  TSR_ASSERT(plan->slots[c->from].region == plan->slots[c->to].region);
  const tsr_instance *to = &run->binding->instances[c->to];
  const tsr_instance *from = &run->binding->instances[c->from];
  const size_t elem = tsr__slot_elem_bytes(plan, c->to);
  const tsr_points p = tsr__instance_points(to, from, box != NULL ? box : &c->box, elem);
  const tsr_move_kind kind = tsr__move_kind(run->world, to->space, from->space);
  if (kind == TSR_MOVE_IN || kind == TSR_MOVE_OUT) {
    tsr__streaming_copy(run, kind, &p);
    return;
  }
  if (run->device != NULL) tsr__streaming_take_back(run);
  tsr__run_move(run, to->space, from->space, TSR_QUEUE_RUN, &p, &(bool){false});
}

enum { SHORT_BYTES = 1 << 16 };

/* Is the copy one run of bytes from one address to another, and so long that the device's own
 * copies are as good? */
static bool is_long_run(const tsr_points *points)
{
  return tsr__points_bytes(points) > SHORT_BYTES && tsr__points_are_run(points, false) &&
         tsr__points_are_run(points, true);
}

/* Copies points within the memory of a device that runs no C by a kernel, unless they are a long
 * run: devices copy rows, and rows of one element each would take as long as thousands. A short
 * copy that is a launch comes again with the launches beside it (runtime/device/sequence.h). */
static bool move_by_kernel(tsr_run *run, const tsr_points *points)
{
  if (!tsr__run_by_code(run) || is_long_run(points)) return false;
  const tsr_kernel *mover = tsr__mover(run->plan->scheduler, points->elem_bytes);
  if (mover != NULL) tsr__run_points(run, mover, points, run->device);
  return mover != NULL;
}

void tsr__run_move(tsr_run *run, tsr_space to, tsr_space from, tsr_queue queue,
                   const tsr_points *points, bool *is_synced)
{
  const tsr_move_kind kind = tsr__move_kind(run->world, to, from);
  if (kind != TSR_MOVE_BY_HOST) {
    tsr__run_note_queued(run);
    if (queue == TSR_QUEUE_RUN && (tsr_direction)kind == TSR_COPY_WITHIN &&
        move_by_kernel(run, points))
      return;
    tsr__device_put_copy(run->device, queue, (tsr_direction)kind, points);
    return;
  }
  if (!*is_synced) tsr__run_sync(run);
  *is_synced = true;
  tsr__points_copy(points);
}
