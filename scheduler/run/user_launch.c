/* Users' tasks on devices that run no C: the words of a launch, which calls the task's CUDA C for
 * each index of a chunk (program/task_cuda.h). */
#include "scheduler/run/user_launch.h"
#include "program/task_cuda.h"
#include "scheduler/run/chunk.h"
#include "scheduler/run/user_tasks.h"

#include <string.h>

typedef struct filling {
  const tsr_run *run;
  const tsr_group *g;
  const tsr_task_form *form;
  const tsr_box *chunk;
} filling;

static int64_t *put_bytes(int64_t *at, const void *from, size_t bytes)
{
  memcpy(at, from, bytes);
  return at + bytes / sizeof *at;
}

/* Appends where an access is in the chunk's first call, and how far its calls are apart. */
static int64_t *put_address(const filling *x, int32_t access, int64_t *at)
{
  *at++ = (int64_t)(intptr_t)tsr__access_at(x->run, x->g, access, x->chunk);
  return put_bytes(at, x->g->accesses.strides[access],
                   (size_t)tsr__task_form_axes(x->form) * sizeof *at);
}

static void put_argument(const filling *x, const tsr_task_parameter *p, int64_t *at)
{
  const tsr_task_form *f = x->form;
  int64_t stride[TSR_MAX_NDIM];
  switch (tsr__task_argument_kind(p)) {
  case TSR_CUDA_VALUE:
    put_bytes(at, &p->value, sizeof p->value);
    return;
  case TSR_CUDA_NOTHING:
    put_bytes(at, p->own->view.shape, (size_t)p->own->view.ndim * sizeof *at);
    return;
  case TSR_CUDA_WHOLE:
    *at++ = (int64_t)(intptr_t)tsr__access_at(x->run, x->g, p->access, x->chunk);
    at = put_bytes(at, p->own->view.shape, (size_t)p->own->view.ndim * sizeof *at);
    tsr__element_strides(x->run, x->g, &p->own->view, p->access, stride);
    put_bytes(at, stride, (size_t)p->own->view.ndim * sizeof *at);
    return;
  case TSR_CUDA_REDUCED:
    at = put_address(x, p->access, at);
    *at++ = f->extent > 0 ? x->g->accesses.strides[p->access][f->ndim] : 0;
    put_bytes(at, &p->value, sizeof p->value);
    return;
  case TSR_CUDA_POINTS:
    at = put_address(x, p->access, at);
    tsr__element_strides(x->run, x->g, &p->own->view, p->access, stride);
    at = put_bytes(at, stride, (size_t)f->ndim * sizeof *at);
    if (p->begins >= 0) put_address(x, p->begins, at);
  }
}

/* Writes the launch's words. Returns how many calls there are. */
static int64_t fill_launch(const filling *x, const tsr_task_call *call, tsr_cuda_launch *launch)
{
  const tsr_task_form *f = x->form;
  tsr_task_words words;
  int64_t n = 1;
  tsr__task_words_make(f, f->cuda->data_words, &words);
  TSR_ASSERT(words.n <= TSR_CUDA_MOST_WORDS &&
             tsr__task_data_words(call->data_bytes) == f->cuda->data_words);
  memset(launch->words, 0, (size_t)words.n * sizeof *launch->words);
  for (int k = 0; k < tsr__task_form_axes(f); k++) {
    int64_t *axis = launch->words + TSR_CUDA_TASK_AXES + TSR_CUDA_AXIS_WORDS * k;
    axis[TSR_CUDA_AXIS_N] = x->chunk->n[k];
    axis[TSR_CUDA_AXIS_FIRST] = x->chunk->lo[k];
    axis[TSR_CUDA_AXIS_BLOCK] = k < f->ndim ? f->block[k] : 1;
    axis[TSR_CUDA_AXIS_POINTS] = k < f->ndim ? f->points[k] : f->extent;
    const int64_t tile = f->cuda->tile[k];
    if (!(f->whole >> k & 1)) n *= (x->chunk->n[k] + tile - 1) / tile;
  }
  for (int i = 0; i < f->n_in + f->n_out; i++)
    put_argument(x, &f->parameters[i], launch->words + words.argument[i]);
  if (call->data_bytes > 0) memcpy(launch->words + words.data, call->data, call->data_bytes);
  launch->words[TSR_CUDA_TASK_CALLS] = n;
  launch->words[TSR_CUDA_TASK_BYTES] = (int64_t)call->data_bytes;
  launch->n_words = words.n;
  return n;
}

void tsr__run_launch_user(tsr_run *run, const tsr_group *g, const tsr_box *chunk)
{
  tsr_scheduler *s = run->plan->scheduler;
  const tsr_task_call *call = run->binding->calls[g - run->plan->groups];
  const filling x = {run, g, call->form, chunk};
  tsr_cuda_launch launch;
  TSR_ASSERT(call->form->cuda != NULL);
  const int64_t n_calls = fill_launch(&x, call, &launch);
  const int64_t n_threads = call->form->cuda->is_raw ? n_calls * TSR_CUDA_THREADS : n_calls;
  if (!tsr__cuda_source_make(g->accesses.kernel, n_threads, &launch)) return;
  if (!tsr__launcher_put_launch(s->launcher, run->device, run->plan->here, g->accesses.kernel,
                                &launch)) {
    if (!tsr__run_note_lost_device(run))
      tsr__run_fail_task(run, call, "has CUDA C that the device does not load");
    return;
  }
  __atomic_fetch_add(&s->counters.n_task_runs, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&s->counters.n_cuda_runs, 1, __ATOMIC_RELAXED);
}
