/* Text of a window: one op a line, regions by their number of creation. */
#include "program/program.h"

#include <stdio.h>

static void add_scalar(tsr_text *t, tsr_scalar x)
{
  switch (tsr__dtype_kind(x.dtype)) {
  case TSR_KIND_BOOL:
    tsr__text_add(t, "%s", x.u.i ? "True" : "False");
    break;
  case TSR_KIND_INT:
    tsr__text_add(t, "%lld", (long long)tsr__scalar_int(x));
    break;
  case TSR_KIND_UINT:
    tsr__text_add(t, "%llu", (unsigned long long)x.u.bits);
    break;
  case TSR_KIND_FLOAT:
    tsr__text_add(t, "%.*g", tsr__dtype_size(x.dtype) < 8 ? 9 : 17, tsr__scalar_double(x));
    break;
  case TSR_KIND_COMPLEX: {
    const tsr_scalar c = tsr__scalar_cast(x, TSR_DTYPE_COMPLEX128);
    tsr__text_add(t, "(%.17g%+.17gj)", c.u.c128[0], c.u.c128[1]);
  }
  }
}

static void add_ref(tsr_text *t, const tsr_region *r, const tsr_view *v)
{
  char buf[512];
  if (tsr__view_is_identity(v))
    tsr__text_add(t, "r%llu", (unsigned long long)r->id);
  else
    tsr__text_add(t, "r%llu{%s}", (unsigned long long)r->id, tsr__view_text(v, buf, sizeof buf));
}

static const char *op_name(const tsr_op *op)
{
  switch (op->kind) {
  case TSR_OPKIND_MAP:
    return tsr__op_info((tsr_opcode)op->code)->name;
  case TSR_OPKIND_COPY:
    return "copy";
  case TSR_OPKIND_IOTA:
    return "iota";
  case TSR_OPKIND_RANDOM:
    return tsr__random_info((tsr_random)op->code)->name;
  case TSR_OPKIND_ROLL:
    return "roll";
  case TSR_OPKIND_TASK:
    if (op->code != TSR_TASK_CODE_USER) return tsr__task_info((tsr_task_code)op->code)->name;
    return op->call != NULL ? op->call->name : "the same task";
  default:
    return tsr__reduce_name((tsr_reduction)op->code);
  }
}

static void add_op(tsr_text *t, const tsr_op *op)
{
  add_ref(t, op->out, &op->out_view->view);
  tsr__text_add(t, ":%s %s %s(", tsr__dtype_info(op->out->dtype)->name, op->creates ? "=" : "<-",
                op_name(op));
  for (int i = 0; i < op->n_in; i++) {
    if (i > 0) tsr__text_add(t, ", ");
    if (op->in[i].region != NULL)
      add_ref(t, op->in[i].region, &op->in[i].view->view);
    else
      add_scalar(t, op->in[i].scalar);
  }
  if (op->kind == TSR_OPKIND_REDUCE) tsr__text_add(t, ", axes=0x%x", (unsigned)op->axes_mask);
  if (op->kind == TSR_OPKIND_IOTA) tsr__text_add(t, "axis=%d", op->code);
  if (op->kind == TSR_OPKIND_ROLL) tsr__text_add(t, ", axis=%d", op->code);
  tsr__text_add(t, ")%s", op->ran ? " ran" : "");
  if (op->where != NULL) tsr__text_add(t, "  %s:%d", op->where->file, op->where->line);
}

/* "(299, 300) float64", and through which view of what. */
static void add_array(tsr_text *t, const tsr_region *r, const tsr_view *v)
{
  char buf[512];
  tsr__text_add(t, "%s %s", tsr__shape_text(v->ndim, v->shape, buf, sizeof buf),
                tsr__dtype_info(r->dtype)->name);
  bool is_whole = tsr__view_is_identity(v) && v->ndim == r->ndim;
  for (int k = 0; k < v->ndim && is_whole; k++) is_whole = v->shape[k] == r->shape[k];
  if (is_whole) return;
  tsr__text_add(t, " at {%s}", tsr__view_text(v, buf, sizeof buf));
  tsr__text_add(t, " of %s", tsr__shape_text(r->ndim, r->shape, buf, sizeof buf));
}

void tsr__op_values(const tsr_op *op, tsr_text *t)
{
  for (int i = 0; i < op->n_in; i++) {
    tsr__text_add(t, "%s", i == 0 ? "from " : ", ");
    if (op->in[i].region != NULL)
      add_array(t, op->in[i].region, &op->in[i].view->view);
    else
      add_scalar(t, op->in[i].scalar);
  }
  tsr__text_add(t, "%s", op->n_in > 0 ? " to " : "to ");
  add_array(t, op->out, &op->out_view->view);
}

char *tsr__window_text(const tsr_window *w)
{
  tsr_text t = {0};
  for (int32_t i = 0; i < w->n_ops; i++) {
    tsr__text_add(&t, "%%%d ", i);
    add_op(&t, w->ops[i]);
    tsr__text_add(&t, "\n");
  }
  return t.s != NULL ? t.s : tsr__strdup("");
}

char *tsr__selection_text(const tsr_window *w, const tsr_selection *s)
{
  static const char *const name[] = {"drop", "keep", "run"};
  tsr_text t = {0};
  for (int32_t i = 0; i < s->n_ops; i++) {
    tsr__text_add(&t, "%-4s%s %%%d ", name[s->action[i]], s->recipe[i] ? "+" : " ", i);
    add_op(&t, w->ops[i]);
    if (s->action[i] == TSR_ACT_RUN && s->store[w->ops[i]->out->local])
      tsr__text_add(&t, " stored");
    tsr__text_add(&t, "\n");
  }
  return t.s != NULL ? t.s : tsr__strdup("");
}
