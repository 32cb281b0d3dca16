/* Tasks: what each kind does.
 *
 * On a device, copies and chunks go into its queue, which runs in order; there they count as done
 * for all that goes into the queue after them. Whoever needs more than that (partials, the bytes of
 * a message) waits for the queue. Chunks whose data is not all in the device's memory are streamed
 * (streaming_pieces.c).
 *
 * From the first failure on only messages do something: they tell the other ranks (exchange.c). */
#include "scheduler/run/task.h"
#include "scheduler/run/chunk.h"
#include "scheduler/run/copy.h"
#include "scheduler/run/exchange.h"
#include "scheduler/run/launched.h"
#include "scheduler/run/ranges.h"
#include "scheduler/run/reduce.h"
#include "scheduler/run/staged.h"
#include "scheduler/run/streaming_pieces.h"
#include "scheduler/run/streaming_ring.h"

/* Runs a chunk; called by the device's queue. */
static void run_queued(void *arg, tsr_device *d)
{
  const tsr_queued_chunk *l = arg;
  const tsr_located *at = l->group->is_user ? NULL : &l->at;
  tsr__run_say_uses(l->run, l->group, &l->box, at, d);
  if (tsr__device_status(d) == TSR_OK)
    tsr__run_chunk(l->run, l->group, &l->box, at, tsr__run_lane(l->run));
}

/* Puts a chunk into the device's queues. The function of a task runs on the host, where its data
 * is. */
static void launch_chunk(tsr_run *run, int32_t task, int worker)
{
  const tsr_task *t = &run->plan->tasks[task];
  const tsr_group *g = &run->plan->groups[t->group];
  tsr_box chunk;
  tsr__task_box(run->plan, t, &chunk);
  if (run->binding->on_host[t->group]) {
    if (run->binding->is_mixed) tsr__run_sync(run);
    if (tsr__run_has_failed(run)) return; /* the device failed with what the host is to read */
    tsr__run_chunk(run, g, &chunk, NULL, worker);
    tsr_counters *counters = &run->plan->scheduler->counters;
    __atomic_fetch_add(&counters->n_host_runs, 1, __ATOMIC_RELAXED);
    if (tsr__run_by_code(run) && g->placed.is_refused)
      __atomic_fetch_add(&counters->n_cuda_fallbacks, 1, __ATOMIC_RELAXED);
    return;
  }
  const bool is_streamed = tsr__streaming_is_needed(run, g, &chunk);
  tsr__run_note_queued(run);
  if (is_streamed && g->is_task) {
    tsr__run_sync(run);
    if (tsr__run_has_failed(run)) return; /* as above */
    if (g->is_user || !tsr__run_by_code(run)) {
      tsr__run_chunk(run, g, &chunk, NULL, worker);
      return;
    }
    tsr__run_staged(run, g, &chunk, NULL, worker);
    __atomic_fetch_add(&run->plan->scheduler->counters.n_cuda_fallbacks, 1, __ATOMIC_RELAXED);
    return;
  }
  if (!is_streamed) tsr__streaming_take_back(run);
  if (is_streamed) {
    tsr__streaming_chunk(run, g, &chunk, worker);
  } else if (tsr__run_by_code(run)) {
    tsr__run_launch(run, g, &chunk, NULL, worker);
  } else {
    tsr_queued_chunk *l = &run->launches[task];
    l->run = run;
    l->group = g;
    l->box = chunk;
    if (!g->is_user) tsr__run_bind(run, g, l);
    tsr__device_put_call(run->device, run_queued, l);
  }
  __atomic_fetch_add(&run->plan->scheduler->counters.n_device_runs, 1, __ATOMIC_RELAXED);
}

/* Runs a chunk of a chain that is tiled over time: band by band, all steps in each. Such a
 * chunk may be long, so it looks for messages between bands. */
static void run_bands(tsr_run *run, const tsr_chain *chain, int32_t chunk, int worker)
{
  const int32_t n = tsr__chain_n_bands(chain, chunk);
  for (int32_t w = 0; w < n; w++) {
    tsr_chain_at at;
    tsr__chain_band_at(chain, chunk, w, &at);
    if (w > 0 && run->plan->n_messages > 0) run->look(run, worker);
    for (int32_t q = 0; q < chain->tiles.n_steps; q++) {
      const tsr_chain_step *s = &chain->tiles.steps[q];
      tsr_box box;
      tsr__chain_step_band(chain, q, &at, &box);
      if (tsr__box_is_empty(&box)) continue;
      if (s->copy < 0)
        tsr__run_chunk(run, &run->plan->groups[s->group], &box, NULL, worker);
      else
        tsr__run_copy(run, &run->plan->copies[s->copy], &box);
    }
  }
}

static void run_chunk(tsr_run *run, int32_t index, int worker)
{
  const tsr_task *t = &run->plan->tasks[index];
  const tsr_accesses *a = &run->plan->groups[t->group].accesses;
  const tsr_chain *chain = tsr__chain_of(run->plan, &run->plan->groups[t->group]);
  if (chain->n_groups > 1) {
    run_bands(run, chain, t->what, worker);
  } else if (a->n_reductions > 0 && run->plan->reductions[a->first_reduction].by_chunk) {
    tsr_box chunk;
    tsr__task_box(run->plan, t, &chunk);
    tsr__reductions_run_whole(run, t->group, &chunk, worker);
  } else {
    tsr__run_chunk_task(run, index, worker);
  }
}

static bool run_task(tsr_run *run, int32_t index, int worker)
{
  const tsr_task *t = &run->plan->tasks[index];
  const bool is_poisoned = tsr__run_has_failed(run);
  switch ((tsr_task_kind)t->kind) {
  case TSR_TASK_NONE:
    return true;
  case TSR_TASK_COPY:
    if (!is_poisoned) tsr__run_copy(run, &run->plan->copies[t->what], NULL);
    return true;
  case TSR_TASK_SEND:
    if (tsr__exchange_send(run, &run->messages->v[t->what])) return true;
    break;
  case TSR_TASK_CHUNK:
    if (is_poisoned) return true;
    if (run->device != NULL)
      launch_chunk(run, index, worker);
    else
      run_chunk(run, index, worker);
    return true;
  case TSR_TASK_REDUCE:
    if (!is_poisoned) tsr__reduction_merge(run, t->what);
    return true;
  case TSR_TASK_REDUCE_DONE:
    if (tsr__reduction_finish(run, t->what)) return true;
    break;
  case TSR_TASK_RECV:
  case TSR_TASK_REDUCE_RECV:
    break;
  }
  tsr__exchange_wait(run, index);
  return false;
}

bool tsr__run_task(tsr_run *run, int32_t index, int worker)
{
  TSR_ASSERT(index >= 0 && index < run->plan->n_tasks);
  if (!tsr__range_task(run, index)) return run_task(run, index, worker);
  const bool is_over = run_task(run, index, worker);
  tsr__range_end(run->world);
  return is_over;
}
