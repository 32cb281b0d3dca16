/* Helpers for calls that are made of other calls. A statement scope around them holds their
 * temporaries. */
#include "array/views/view_edit.h"

tsr_work tsr__work_begin(const tsr_location *where)
{
  tsr_context *c = tsr__call_begin(where);
  tsr_work w = {.c = c, .where = where, .depth = c->n_scopes - 1, .outer = c->steps_scope};
  tsr__scope_push(c, TSR_SCOPE_IS_STATEMENT);
  if (w.outer == 0) c->steps_scope = w.depth + 1;
  return w;
}

tsr_array tsr__work_keep(tsr_work *w, tsr_array result)
{
  tsr_slot *s = tsr__slot_peek(w->c, result);
  if (s && s->scope > w->depth) tsr__slot_move(w->c, s, w->depth);
  return result;
}

tsr_array tsr__work_end(tsr_work *w, tsr_array result)
{
  tsr__work_keep(w, result);
  tsr__scopes_pop_to(w->c, w->depth, w->where);
  w->c->steps_scope = w->outer;
  tsr__call_end(&w->c);
  return result;
}

tsr_array tsr__index_along(const tsr_work *w, const tsr_dims *shape, int axis)
{
  tsr_new made = tsr__make(w->c, w->where, TSR_DTYPE_INT64, shape);
  if (made.region->n_elems > 0)
    tsr__record_iota(&w->c->window, w->where, axis, made.region, made.view);
  else
    tsr__event(w->c, w->where, TSR_EVENT_EMPTY, made.array);
  return made.array;
}

tsr_dims tsr__dims_of(tsr_context *c, tsr_array x)
{
  const tsr_slot *s = tsr__slot_peek(c, x);
  tsr_dims shape = {.ndim = s ? s->view->view.ndim : 0};
  for (int k = 0; k < shape.ndim; k++) shape.n[k] = s->view->view.shape[k];
  return shape;
}

int tsr__work_axis(const tsr_work *w, int axis, int ndim)
{
  int normal;
  if (!tsr__normal_axis(w->c, w->where, "", axis, ndim, &normal)) return normal;
  tsr__fail_end(w->c);
  return -1;
}
