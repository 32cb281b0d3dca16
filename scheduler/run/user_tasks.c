/* Chunks of users' tasks: the arguments of a box as the function sees them, and the function's
 * failure.
 *
 * A box is a chunk or, of a task over blocks, each of the chunk's blocks, whose reduced outputs
 * begin as the value of no points. An input that is written
 * begins with its values: where the plan gave the new version a buffer of its own, they are copied
 * first. The first failure of the rank's runs is reported; what has not begun by then does not run.
 */
#include "scheduler/run/user_tasks.h"
#include "runtime/base/walk.h"
#include "scheduler/run/chunk.h"

#include <stdio.h>
#include <string.h>

void tsr__element_strides(const tsr_run *run, const tsr_group *g, const tsr_view *own, int access,
                          int64_t *stride)
{
  const tsr_access *a = &g->accesses.v[access];
  const tsr_instance *in = &run->binding->instances[a->gather >= 0 ? a->gather : a->slot];
  tsr__instance_strides(in, own, stride);
}

/* Copies the old values of an input that is written. */
static void copy_values(const tsr_run *run, const tsr_group *g, const tsr_task_parameter *p,
                        const tsr_box *chunk, const tsr_task_argument *to)
{
  const char *from = tsr__access_at(run, g, p->begins, chunk);
  if (from == to->data) return;
  tsr_points points = {
      .ndim = to->ndim, .dst = to->data, .src = from, .elem_bytes = tsr__dtype_size(to->dtype)};
  memcpy(points.n, to->shape, sizeof points.n);
  memcpy(points.dst_step, to->stride_bytes, sizeof points.dst_step);
  memcpy(points.src_step, g->accesses.strides[p->begins], sizeof points.src_step);
  tsr__points_copy(&points);
}

/* Sets a reduced output's elements to what they begin as. They are numbered along the domain's last
 * axis, which is as long as the output with the most elements needs. */
static void begin_reduced(const tsr_group *g, const tsr_task_form *form,
                          const tsr_task_parameter *p, tsr_task_argument *out)
{
  const int64_t n = form->extent > 0 ? form->extent : 1;
  const int64_t step = form->extent > 0 ? g->accesses.strides[p->access][form->ndim] : 0;
  for (int64_t i = 0; i < n; i++)
    memcpy((char *)out->data + i * step, &p->value, tsr__dtype_size(p->dtype));
  tsr__dense_strides(p->n_extent, p->extent, step, out->stride_bytes);
}

/* Fills in an argument for the points of `box`, whose position in the group's domain is `at`. */
static void fill_argument(const tsr_run *run, const tsr_group *g, const tsr_task_form *form,
                          tsr_task_parameter *p, const tsr_task_box *box, const tsr_box *at,
                          tsr_task_argument *out)
{
  *out = (tsr_task_argument){.dtype = p->dtype, .ndim = p->is_reduced ? p->n_extent : box->ndim};
  const int64_t *shape = p->is_reduced ? p->extent : box->shape;
  if (p->is_raw) {
    out->ndim = p->own->view.ndim;
    shape = p->own->view.shape;
  }
  memcpy(out->shape, shape, (size_t)out->ndim * sizeof *shape);
  if (p->access < 0) {
    if (!p->is_raw) out->data = &p->value; /* an argument without elements has no data */
    return;
  }
  out->data = tsr__access_at(run, g, p->access, at);
  if (p->is_reduced) {
    begin_reduced(g, form, p, out);
    return;
  }
  tsr__element_strides(run, g, &p->own->view, p->access, out->stride_bytes);
  for (int k = 0; k < out->ndim && !p->is_raw; k++) {
    const int64_t left = box->domain[k] - box->offset[k] - box->shape[k];
    out->before[k] = p->before[k] < box->offset[k] ? p->before[k] : box->offset[k];
    out->after[k] = p->after[k] < left ? p->after[k] : left;
  }
}

void tsr__run_fail_task(tsr_run *run, const tsr_task_call *call, const char *what)
{
  int none = TSR_OK;
  if (!atomic_compare_exchange_strong(run->failure, &none, TSR_ERR_TASK)) return;
  const tsr_location *l = call->where;
  tsr_text *t = &run->plan->scheduler->task_text; /* the first to fail writes it */
  tsr__text_free(t);
  tsr__text_add(t, "task `%s` %s", call->form->name, what);
  if (l->file != NULL)
    tsr__text_add(t, ", called at %s:%d in %s() by %s", l->file, l->line, l->function, l->op);
}

/* Lays out the arguments for the box whose position in the group's domain is `at`. */
static void lay_out_arguments(const tsr_run *run, const tsr_group *g, tsr_task_form *form,
                              const tsr_box *at, tsr_task_argument *arguments, tsr_task_box *box)
{
  *box = (tsr_task_box){.ndim = form->ndim,
                        .n_in = form->n_in,
                        .n_out = form->n_out,
                        .in = arguments,
                        .out = arguments + form->n_in};
  for (int k = 0; k < form->ndim; k++) {
    const int64_t end = tsr__box_end(at, k) * form->block[k];
    box->offset[k] = at->lo[k] * form->block[k];
    box->shape[k] = (end < form->points[k] ? end : form->points[k]) - box->offset[k];
    box->domain[k] = form->points[k];
  }
  for (int i = 0; i < form->n_in + form->n_out; i++)
    fill_argument(run, g, form, &form->parameters[i], box, at, &arguments[i]);
}

static void enter_box(tsr_run *run, const tsr_task_call *call, tsr_task_box *box)
{
  box->data = call->data;
  box->data_bytes = call->data_bytes;
  const int value = call->form->enter(call, box);
  if (value == 0) return;
  char what[32];
  snprintf(what, sizeof what, "returned %d", value);
  tsr__run_fail_task(run, call, what);
}

static void call_box(tsr_run *run, const tsr_group *g, const tsr_task_call *call, const tsr_box *at)
{
  tsr_task_form *form = call->form;
  tsr_task_argument arguments[2 * TSR_MAX_OP_ARGS];
  tsr_task_box box;
  lay_out_arguments(run, g, form, at, arguments, &box);
  for (int i = 0; i < form->n_in; i++)
    if (form->parameters[i].begins >= 0)
      copy_values(run, g, &form->parameters[i], at, &arguments[i]);
  enter_box(run, call, &box);
  __atomic_fetch_add(&run->plan->scheduler->counters.n_task_runs, 1, __ATOMIC_RELAXED);
}

/** Where an argument is in each run. */
typedef struct position {
  int32_t slot; /* -1: where it was laid out */
  int64_t bytes;
} position;

struct tsr_laid_box {
  uint64_t form; /* the id of the form of the call that it is of */
  bool copies;   /* an output begins with the values of another array, which each run must copy */
  tsr_task_box box;
  position *at; /* [n_in + n_out] behind the arguments */
  tsr_task_argument arguments[];
};

/* Lays out the box of a task, in memory that is kept. */
static tsr_laid_box *lay_out_once(const tsr_run *run, int32_t task, tsr_task_form *form)
{
  const tsr_task *t = &run->plan->tasks[task];
  const tsr_group *g = &run->plan->groups[t->group];
  const size_t n = (size_t)(form->n_in + form->n_out);
  tsr_laid_box **laid = &run->plan->workspace->laid[task];
  if (*laid == NULL)
    *laid = tsr__malloc(sizeof **laid + n * (sizeof(tsr_task_argument) + sizeof(position)));
  tsr_laid_box *b = *laid;
  tsr_box at;
  tsr__task_box(run->plan, t, &at);
  b->form = form->id;
  b->copies = false;
  b->at = (position *)(b->arguments + n);
  lay_out_arguments(run, g, form, &at, b->arguments, &b->box);
  for (size_t i = 0; i < n; i++) {
    const tsr_task_parameter *p = &form->parameters[i];
    position *to = &b->at[i], from;
    to->slot = -1;
    if (p->access < 0) continue;
    to->slot = tsr__access_offset(g, p->access, &at, &to->bytes);
    if (p->begins < 0) continue;
    from.slot = tsr__access_offset(g, p->begins, &at, &from.bytes);
    b->copies = b->copies || from.slot != to->slot || from.bytes != to->bytes;
  }
  return b;
}

bool tsr__run_laid_box(tsr_run *run, int32_t task, int worker)
{
  const tsr_workspace *w = run->plan->workspace;
  const tsr_task_call *call = run->binding->calls[run->plan->tasks[task].group];
  /* Arguments are kept from the second run on, if they lie alike in each: not in blocks, which take
   * turns in a buffer, nor in a plan whose regions are shifted. */
  if (w->laid == NULL || w->n_runs < 2 || call->form->is_blocked || run->shift_bytes != 0)
    return false;
  tsr_laid_box *b = w->laid[task];
  if (b == NULL || b->form != call->form->id) b = lay_out_once(run, task, call->form);
  if (b->copies) return false;
  const int n = b->box.n_in + b->box.n_out;
  for (int i = 0; i < n; i++)
    if (b->at[i].slot >= 0)
      b->arguments[i].data = (char *)run->binding->instances[b->at[i].slot].data + b->at[i].bytes;
  enter_box(run, call, &b->box);
  w->counts[worker].n_task_runs++;
  return true;
}

void tsr__run_user_task(tsr_run *run, int32_t group, const tsr_box *chunk)
{
  const tsr_group *g = &run->plan->groups[group];
  const tsr_task_call *call = run->binding->calls[group];
  const tsr_task_form *form = call->form;
  if (!form->is_blocked) {
    if (atomic_load(run->failure) == TSR_OK) call_box(run, g, call, chunk);
    return;
  }
  tsr_box at = *chunk, blocks = *chunk;
  TSR_ASSERT(form->extent == 0 || chunk->n[form->ndim] == form->extent);
  if (form->extent > 0) blocks.n[form->ndim] = 1;
  for (int k = 0; k < form->ndim; k++) at.n[k] = 1;
  tsr_box_walk all;
  const int64_t *lo = tsr__box_first(&all, &blocks);
  for (; lo != NULL && atomic_load(run->failure) == TSR_OK; lo = tsr__box_next(&all)) {
    memcpy(at.lo, lo, (size_t)at.ndim * sizeof *lo);
    call_box(run, g, call, &at);
  }
}
