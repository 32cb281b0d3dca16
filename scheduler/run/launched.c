/* Chunks on devices that run no C. */
#include "scheduler/run/run_int.h"

/* Puts the kernel over a box into the queue of a device that runs no C. */
static bool put_box(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at)
{
  tsr_scheduler *s = run->plan->scheduler;
  tsr_bound b;
  tsr__bound_make(run, g, box, at, &b);
  bool put;
  if (g->is_task)
    put = tsr__launcher_put_product(s->launcher, run->device, run->plan->here, g->accesses.kernel,
                                    &b.bind);
  else if (g->accesses.n_reductions > 0)
    put = tsr__run_rise(run, g, &b.bind);
  else
    put = tsr__launcher_put(s->launcher, run->device, run->plan->here, g->accesses.kernel, &b.bind);
  tsr__bound_free(&b);
  if (put) {
    __atomic_fetch_add(g->is_task ? &s->counters.n_task_runs : &s->counters.n_compiled_runs, 1,
                       __ATOMIC_RELAXED);
    __atomic_fetch_add(&s->counters.n_cuda_runs, 1, __ATOMIC_RELAXED);
  }
  return put;
}

void tsr__run_launch(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                     int worker)
{
  TSR_ASSERT(run->shift_bytes == 0 && !g->placed.is_refused);
  tsr__run_say_uses(run, g, box, at, run->device);
  if (put_box(run, g, box, at)) return;
  tsr__run_staged(run, g, box, at, worker);
  __atomic_fetch_add(&run->plan->scheduler->counters.n_cuda_fallbacks, 1, __ATOMIC_RELAXED);
}
