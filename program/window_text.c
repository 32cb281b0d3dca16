/* The text of a window: one op a line, with regions by their number of creation. */
#include "program/program.h"

#include <stdio.h>

static void add_scalar_text(tsr_text *t, tsr_scalar x)
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

const char *tsr__op_name(int kind, int code, const tsr_task_call *call)
{
  switch ((tsr_op_kind)kind) {
  case TSR_OPKIND_MAP:
    return tsr__op_info((tsr_opcode)code)->name;
  case TSR_OPKIND_COPY:
    return "copy";
  case TSR_OPKIND_IOTA:
    return "iota";
  case TSR_OPKIND_RANDOM:
    return tsr__random_info((tsr_random)code)->name;
  case TSR_OPKIND_TASK:
    if (code != TSR_TASK_CODE_USER) return tsr__task_info((tsr_task_code)code)->name;
    return call != NULL ? call->form->name : "the same task";
  case TSR_OPKIND_HALO:
    return "halo";
  default:
    return tsr__reduce_name((tsr_reduction)code);
  }
}

static void add_op(tsr_text *t, const tsr_op *op)
{
  add_ref(t, op->out, &op->out_view->view);
  tsr__text_add(t, ":%s %s %s(", tsr__dtype_info(op->out->dtype)->name, op->creates ? "=" : "<-",
                tsr__op_name(op->kind, op->code, op->call));
  for (int i = 0; i < op->n_in; i++) {
    if (i > 0) tsr__text_add(t, ", ");
    if (op->in[i].region != NULL)
      add_ref(t, op->in[i].region, &op->in[i].view->view);
    else
      add_scalar_text(t, op->in[i].scalar);
  }
  if (op->kind == TSR_OPKIND_REDUCE) tsr__text_add(t, ", axes=0x%x", (unsigned)op->axes_mask);
  if (op->kind == TSR_OPKIND_IOTA) tsr__text_add(t, "axis=%d", op->code);
  tsr__text_add(t, ")%s", op->ran ? " ran" : "");
  if (op->where != NULL) tsr__text_add(t, "  %s:%d", op->where->file, op->where->line);
}

/* Adds the slice that the view is, "[0:2, 5, ::-1]"; false, and nothing, if it is none. */
static bool add_slice(tsr_text *t, const tsr_view *v)
{
  int axis[TSR_MAX_NDIM], n = 0; /* per axis of the region, the axis of the view; -1: an index */
  if (v->bounded) return false;
  for (int k = 0; k < v->rdim; k++) {
    axis[k] = -1;
    for (int j = 0; j < v->ndim; j++) {
      if (v->step[k][j] == 0) continue;
      if (axis[k] >= 0 || j < n) return false;
      axis[k] = j;
      n = j + 1;
    }
  }
  for (int j = 0, k = 0; j < v->ndim; j++) {
    while (k < v->rdim && axis[k] < j) k++;
    if ((k == v->rdim || axis[k] != j) && v->shape[j] != 1) return false;
  }
  tsr__text_add(t, "[");
  for (int k = 0; k < v->rdim; k++) {
    const long long from = (long long)v->offset[k];
    tsr__text_add(t, "%s%lld", k ? ", " : "", from);
    if (axis[k] < 0) continue;
    const long long step = (long long)v->step[k][axis[k]], n_steps = (long long)v->shape[axis[k]];
    const long long to = from + n_steps * step;
    tsr__text_add(t, ":");
    if (to >= 0) tsr__text_add(t, "%lld", to);
    if (step != 1) tsr__text_add(t, ":%lld", step);
  }
  tsr__text_add(t, "]");
  return true;
}

void tsr__add_view(tsr_text *t, tsr_dtype dtype, const tsr_region *region, const tsr_view *v)
{
  char buf[512];
  tsr__text_add(t, "%s %s", tsr__shape_text(v->ndim, v->shape, buf, sizeof buf),
                tsr__dtype_info(dtype)->name);
  bool is_whole = tsr__view_is_identity(v);
  for (int k = 0; region != NULL && k < v->ndim && is_whole; k++)
    is_whole = v->shape[k] == region->shape[k];
  if (is_whole) return;
  tsr__text_add(t, " at ");
  if (!add_slice(t, v)) tsr__text_add(t, "{%s}", tsr__view_text(v, buf, sizeof buf));
  if (region != NULL)
    tsr__text_add(t, " of %s", tsr__shape_text(region->ndim, region->shape, buf, sizeof buf));
}

/* Adds what of an op is neither operand nor result. */
static void add_options(const tsr_op *op, tsr_text *t)
{
  if (op->kind == TSR_OPKIND_REDUCE) {
    const char *joint = " over axes ";
    for (int k = 0; k < TSR_MAX_NDIM; k++) {
      if (!(op->axes_mask >> k & 1)) continue;
      tsr__text_add(t, "%s%d", joint, k);
      joint = ", ";
    }
  }
  if (op->kind == TSR_OPKIND_IOTA) tsr__text_add(t, "along axis %d", (int)op->code);
  for (int i = 0; op->call != NULL && i < op->call->form->n_in; i++) {
    const tsr_task_parameter *p = &op->call->form->parameters[i];
    if (p->access >= 0) continue;
    tsr__text_add(t, ", ");
    add_scalar_text(t, tsr__scalar_load(p->dtype, &p->value));
  }
}

void tsr__op_values(const tsr_op *op, tsr_text *t)
{
  const size_t begin = t->n;
  for (int i = 0; i < op->n_in; i++) {
    const tsr_op_in *in = &op->in[i];
    tsr__text_add(t, "%s", i == 0 ? "from " : ", ");
    if (in->view == NULL)
      add_scalar_text(t, in->scalar);
    else
      tsr__add_view(t, in->region ? in->region->dtype : in->scalar.dtype, in->region,
                    &in->view->view);
  }
  add_options(op, t);
  tsr__text_add(t, "%s", t->n > begin ? " to " : "to ");
  tsr__add_view(t, op->out ? op->out->dtype : (tsr_dtype)op->compute, op->out, &op->out_view->view);
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
