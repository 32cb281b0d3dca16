/* Repeated calls of users' tasks. What a call comes to, but for the arrays themselves and the data,
 * follows from the views and dtypes of its inputs and from its scalars. A task keeps that of its
 * last few calls, so that a call like one of them is recorded at once: without a check, a view or
 * an allocation.
 *
 * Views are compared by address, and ranks may not share the same ones. So a call that goes this
 * way leaves what any call leaves: the same op, the same handles, in the same order. Where a window
 * is due to be flushed, or the call has steps behind its op, it does not. */
#include "array/user/function.h"
#include "program/task_cuda.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { N_RECENT = 4 };

typedef struct recent_input {
  tsr_view_ref *view; /* counted; NULL: of a scalar */
  tsr_dtype dtype;
  tsr_operand scalar;
} recent_input;

typedef struct recent_operand {
  int input;          /* whose region it reads */
  tsr_view_ref *view; /* counted */
} recent_operand;

/** A call; without a form: none. */
typedef struct recent_call {
  tsr_task_form *form; /* counted */
  int32_t data_words;  /* that the form's text for devices is of, or would be; 0: there is none */
  int n_in, n_operands;
  int in_place;          /* the input that is written where it is; -1: all outputs are new arrays */
  tsr_view_ref *made_as; /* counted: the view of these; NULL: none is new */
  recent_input in[TSR_MAX_OP_ARGS];
  recent_operand operands[TSR_MAX_OP_ARGS];
} recent_call;

struct tsr_recent_calls {
  int oldest;
  recent_call v[N_RECENT];
};

static void forget_call(recent_call *e)
{
  for (int i = 0; i < e->n_in; i++) tsr__view_ref_drop(e->in[i].view);
  for (int i = 0; i < e->n_operands; i++) tsr__view_ref_drop(e->operands[i].view);
  tsr__view_ref_drop(e->made_as);
  tsr__task_form_drop(e->form);
  *e = (recent_call){.form = NULL};
}

void tsr__recent_calls_destroy(struct tsr_recent_calls *recent)
{
  for (int i = 0; recent && i < N_RECENT; i++) forget_call(&recent->v[i]);
  free(recent);
}

static bool is_same_scalar(const tsr_operand *a, const tsr_operand *b)
{
  return a->kind == b->kind &&
         (a->kind == TSR_OPERAND_COMPLEX ? memcmp(a->as.c, b->as.c, sizeof a->as.c) == 0
                                         : a->as.u == b->as.u);
}

/* Finds the handles of the inputs; of a scalar NULL. False: the call is another one, or an input
 * cannot be used. */
static bool is_like(const tsr_context *c, const recent_call *e, int n, const tsr_operand *xs,
                    const tsr_handle **handles)
{
  if (!e->form || e->n_in != n) return false;
  for (int i = 0; i < n; i++) {
    const recent_input *in = &e->in[i];
    handles[i] = NULL;
    if (xs[i].kind != TSR_OPERAND_ARRAY) {
      if (in->view || !is_same_scalar(&in->scalar, &xs[i])) return false;
      continue;
    }
    const tsr_handle *s = handles[i] = tsr__handle_peek(c, xs[i].as.array);
    if (!s || s->view != in->view || s->region->dtype != in->dtype || s->region->lent_writable)
      return false;
  }
  return true;
}

/* Does a reaching view of all of a region fit this one? */
static bool fits_region(const tsr_region *r, const tsr_view *v)
{
  bool same = v->rdim == r->ndim;
  for (int k = 0; same && k < r->ndim; k++) same = v->before[k] == r->shape[k];
  return same;
}

/* May this array be written where it is, as no operand but its old value reads it? */
static bool may_write(const recent_call *e, const tsr_handle *target,
                      const tsr_handle *const *handles)
{
  if (target->read_only || target->region->copy_of != 0 || target->region->n_lent > 0) return false;
  for (int i = 0; i < e->n_in; i++)
    if (i != e->in_place && handles[i] && handles[i]->region == target->region) return false;
  return true;
}

/* The words of data on which the text of a call depends. */
static int32_t n_data_words(const tsr_context *c, const tsr_user_kernel *f, size_t data_bytes)
{
  return f->code && !tsr__world_is_host(&c->world) ? tsr__task_data_words(data_bytes) : 0;
}

static const recent_call *find_call(const tsr_context *c, const tsr_user_kernel *f,
                                    size_t data_bytes, int n, const tsr_operand *xs,
                                    const tsr_handle **handles)
{
  const int32_t data_words = n_data_words(c, f, data_bytes);
  for (int k = 0; k < N_RECENT; k++) {
    const recent_call *e = &f->recent->v[k];
    bool ok = e->data_words == data_words && is_like(c, e, n, xs, handles);
    for (int i = 0; ok && i < e->n_operands; i++)
      if (f->parameters[e->operands[i].input].is_raw)
        ok = fits_region(handles[e->operands[i].input]->region, &e->operands[i].view->view);
    if (ok && e->in_place >= 0) ok = may_write(e, handles[e->in_place], handles);
    if (ok) return e;
  }
  return NULL;
}

bool tsr__task_again(tsr_context *c, const tsr_location *where, const tsr_user_kernel *f,
                     const void *data, size_t data_bytes, int n, const tsr_operand *xs,
                     tsr_array *made)
{
  const tsr_config *config = &c->world.config;
  const tsr_handle *handles[TSR_MAX_OP_ARGS];
  if (!f->recent || config->inorder || (!data && data_bytes > 0) || (!made && f->n_out > 0) ||
      c->window.n_ops + TSR_MAX_OP_ARGS >= config->window_cap)
    return false;
  const recent_call *e = find_call(c, f, data_bytes, n, xs, handles);
  if (!e) return false;
  tsr_op_in in[TSR_MAX_OP_ARGS];
  tsr_task_out outs[TSR_MAX_OP_ARGS];
  for (int i = 0; i < e->n_operands; i++) {
    in[i].region = handles[e->operands[i].input]->region;
    in[i].view = e->operands[i].view;
  }
  if (e->in_place >= 0)
    outs[0] = (tsr_task_out){handles[e->in_place]->region, handles[e->in_place]->view, false};
  for (int i = 0; i < f->n_out; i++) {
    const tsr_dtype dtype = e->form->parameters[f->n_in + i].dtype;
    const tsr_new y = tsr__make_like(c, where, dtype, e->made_as);
    outs[i] = (tsr_task_out){y.region, y.view, true};
    made[i] = y.array;
  }
  tsr_task_call *call =
      tsr__task_call_new(&c->window, tsr__task_form_take(e->form), where, data, data_bytes);
  tsr__record_user_task(&c->window, where, call, e->n_operands, in, outs);
  return true;
}

static recent_input recent_of(const tsr_kernel_call *k, int i)
{
  recent_input in = {.scalar = k->inputs[i]};
  if (k->inputs[i].kind != TSR_OPERAND_ARRAY) return in;
  const tsr_handle *s = tsr__handle_peek(k->work.c, k->inputs[i].as.array);
  in.view = tsr__view_ref_take(s->view);
  in.dtype = s->region->dtype;
  return in;
}

/* The number of the input that operand `operand` of the form reads. */
static int input_of(const tsr_task_form *form, int operand)
{
  int i = 0;
  while (form->parameters[i].access != operand && form->parameters[i].begins != operand) i++;
  TSR_ASSERT(i < form->n_in);
  return i;
}

void tsr__task_keep(const tsr_kernel_call *k, tsr_task_form *form, int n_in, const tsr_op_in *in,
                    const tsr_task_out *outs)
{
  const tsr_user_kernel *f = k->kernel;
  const tsr_handle *handles[TSR_MAX_OP_ARGS];
  int in_place = -1;
  for (int i = 0; i < f->n_in; i++) {
    if (!f->parameters[i].is_written) continue;
    if (outs[0].creates) return; /* it is assigned from a new array */
    in_place = i;
  }
  for (int i = 0; i < f->n_out; i++)
    if (f->parameters[f->n_in + i].how != TSR_COMBINE_NONE) return; /* it is reduced */
  if (find_call(k->work.c, f, k->data_bytes, f->n_in, k->inputs, handles)) return;
  recent_call *e = &f->recent->v[f->recent->oldest++ % N_RECENT];
  forget_call(e);
  e->form = tsr__task_form_take(form);
  e->data_words = n_data_words(k->work.c, f, k->data_bytes);
  e->n_in = f->n_in;
  e->n_operands = n_in;
  e->in_place = in_place;
  if (f->n_out > 0) e->made_as = tsr__view_ref_take(outs[0].view);
  for (int i = 0; i < f->n_in; i++) e->in[i] = recent_of(k, i);
  for (int i = 0; i < n_in; i++)
    e->operands[i] = (recent_operand){input_of(form, i), tsr__view_ref_take(in[i].view)};
}

struct tsr_recent_calls *tsr__recent_calls_new(void)
{
  return tsr__calloc(1, sizeof(struct tsr_recent_calls));
}
