/* What a plan's first run asks of compilers before its first chunk: all kernels at once, so that
 * they are compiled together. */
#include "scheduler/run/want.h"
#include "scheduler/run/chunk.h"
#include "scheduler/run/launched.h"
#include "scheduler/run/streaming_pieces.h"

/* Asks for the kernel that run_box would need for the group's first chunk. */
static void want_kernel(const tsr_run *run, const tsr_group *g, uint64_t stream_store_mask)
{
  tsr_box box;
  tsr_bound b;
  tsr__chain_band(tsr__chain_of(run->plan, g), (int32_t)(g - run->plan->groups), 0, 0, &box);
  if (tsr__box_is_empty(&box)) return; /* it is compiled when it has run for a while */
  tsr__bound_make(run, g, &box, NULL, &b);
  b.bind.stream_store_mask = stream_store_mask;
  b.bind.from_memory = g->footprint.from_memory;
  tsr__jit_want(run->plan->scheduler->jit, g->accesses.kernel, &b.bind);
  tsr__bound_free(&b);
}

/* Asks for the code of all launches of the run's chunks. */
static void want_launches(tsr_run *run)
{
  for (int32_t i = 0; i < run->plan->n_tasks; i++) {
    const tsr_task *t = &run->plan->tasks[i];
    if (t->kind != TSR_TASK_CHUNK || run->binding->on_host[t->group]) continue;
    const tsr_group *g = &run->plan->groups[t->group];
    tsr_box box;
    tsr__task_box(run->plan, t, &box);
    /* Pieces of a streamed chunk are compiled as other code, when they are launched. */
    if (tsr__is_launched(run->plan, g) && !tsr__streaming_is_needed(run, g, &box))
      tsr__run_want_launch(run, g, &box);
  }
}

void tsr__run_want_kernels(tsr_run *run)
{
  const bool launches = tsr__run_by_code(run);
  if (launches) want_launches(run);
  if (!tsr__jit_is_eager(run->plan->scheduler->jit)) return;
  for (int32_t i = 0; i < run->plan->n_groups; i++) {
    const tsr_group *g = &run->plan->groups[i];
    if (tsr__chain_of(run->plan, g)->n_chunks == 0 || g->accesses.only_reduces || g->is_task ||
        (launches && !run->binding->on_host[i] && tsr__is_launched(run->plan, g)) ||
        __atomic_load_n(&g->accesses.kernel->compiled, __ATOMIC_RELAXED))
      continue;
    want_kernel(run, g, 0);
    if (g->footprint.stream_store_mask) want_kernel(run, g, g->footprint.stream_store_mask);
  }
}
