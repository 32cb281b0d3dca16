/* Chunks on devices that run no C: which launch each kind of group has. */
#include "scheduler/run/launched.h"
#include "scheduler/run/chunk.h"
#include "scheduler/run/risen.h"
#include "scheduler/run/staged.h"
#include "scheduler/run/user_launch.h"

/* Does the device's library compute the group's product? */
static bool is_of_library(const tsr_run *run, const tsr_group *g, const tsr_kernel_bind *bind)
{
  return run->world->device_blas && tsr__launcher_says_product(g->accesses.kernel, bind);
}

static bool has_text(const tsr_group *g)
{
  return tsr__cuda_has_product(g->accesses.task.dtype);
}

void tsr__run_want_launch(tsr_run *run, const tsr_group *g, const tsr_box *box)
{
  tsr_launcher *l = run->plan->scheduler->launcher;
  tsr_bound b;
  if (g->is_user) return; /* planning asked for it */
  tsr__bound_make(run, g, box, NULL, &b);
  if (g->is_task) {
    if (has_text(g) && !is_of_library(run, g, &b.bind))
      tsr__launcher_want_product(l, g->accesses.kernel, &b.bind);
  } else if (g->accesses.n_reductions > 0)
    tsr__run_want_rise(run, g, &b.bind);
  else
    tsr__launcher_want(l, g->accesses.kernel, &b.bind);
  tsr__bound_free(&b);
}

/* A product that the library refuses is the text's, as is one that it cannot say. */
static bool put_product(tsr_run *run, const tsr_group *g, const tsr_kernel_bind *bind)
{
  tsr_launcher *l = run->plan->scheduler->launcher;
  const tsr_kernel *k = g->accesses.kernel;
  if (is_of_library(run, g, bind)) {
    char why[200];
    if (tsr__launcher_multiply(run->device, k, bind, why, sizeof why)) {
      __atomic_fetch_add(&run->plan->scheduler->counters.n_blas_runs, 1, __ATOMIC_RELAXED);
      return true;
    }
    tsr__launcher_warn_blas(l, run->device, why);
  }
  return has_text(g) && tsr__launcher_put_product(l, run->device, run->plan->here, k, bind);
}

/* Puts a launch into the device's queue. Returns false, with nothing done, if there is no code. */
static bool put_launch(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at)
{
  tsr_launcher *l = run->plan->scheduler->launcher;
  const int here = run->plan->here;
  tsr_bound b;
  bool is_put;
  tsr__bound_make(run, g, box, at, &b);
  if (g->is_task)
    is_put = put_product(run, g, &b.bind);
  else if (g->accesses.n_reductions > 0)
    is_put = tsr__run_rise(run, g, &b.bind);
  else
    is_put = tsr__launcher_put(l, run->device, here, g->accesses.kernel, &b.bind);
  tsr__bound_free(&b);
  return is_put;
}

void tsr__run_launch(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                     int worker)
{
  tsr_counters *counters = &run->plan->scheduler->counters;
  TSR_ASSERT(run->shift_bytes == 0 && !g->placed.is_refused);
  tsr__run_say_uses(run, g, box, at, run->device);
  if (g->is_user) {
    tsr__run_launch_user(run, g, box);
    return;
  }
  if (!tsr__is_launched(run->plan, g) || !put_launch(run, g, box, at)) {
    tsr__run_staged(run, g, box, at, worker);
    __atomic_fetch_add(&counters->n_cuda_fallbacks, 1, __ATOMIC_RELAXED);
    return;
  }
  __atomic_fetch_add(g->is_task ? &counters->n_task_runs : &counters->n_compiled_runs, 1,
                     __ATOMIC_RELAXED);
  __atomic_fetch_add(&counters->n_cuda_runs, 1, __ATOMIC_RELAXED);
}
