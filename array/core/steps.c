/* Functions that the calls made of other calls share. */
#include "array/core/steps.h"

tsr_steps tsr__steps_begin(const tsr_location *where)
{
  tsr_context *c = tsr__call_begin(where);
  const tsr_steps s = {.c = c, .where = where, .depth = c->n_scopes - 1, .outer = c->steps_scope};
  tsr__scope_push(c, TSR_SCOPE_IS_STATEMENT);
  if (s.outer == 0) c->steps_scope = s.depth + 1;
  return s;
}

tsr_array tsr__steps_keep(const tsr_steps *s, tsr_array result)
{
  tsr_handle *handle = tsr__handle_peek(s->c, result);
  if (handle && handle->scope > s->depth) tsr__handle_move(s->c, handle, s->depth);
  return result;
}

tsr_array tsr__steps_end(const tsr_steps *s, tsr_array result)
{
  tsr__steps_keep(s, result);
  tsr__scopes_pop_to(s->c, s->depth, s->where);
  s->c->steps_scope = s->outer;
  tsr__call_end(&s->c);
  return result;
}

int tsr__step_axis(const tsr_steps *s, const tsr_operand *x, int axis, int ndim)
{
  int at;
  tsr_error *e = tsr__normal_axis(s->c, s->where, x ? "an array of " : "", axis, ndim, &at);
  if (!e) return at;
  if (x) tsr__note_operand(s->c, e, s->where, 0, *x);
  tsr__fail_end(s->c);
  return -1;
}

tsr_op_in tsr__step_over(const tsr_steps *s, tsr_array x, const tsr_dims *domain)
{
  tsr_value v;
  if (!tsr__value_of(s->c, s->where, tsr_box_array(x), &v)) tsr__fatal("a step lost its array");
  return tsr__in_of(&v, domain);
}

tsr_array tsr__index_along(const tsr_steps *s, const tsr_dims *shape, int axis)
{
  tsr_new made = tsr__make(s->c, s->where, TSR_DTYPE_INT64, shape);
  if (made.region->n_elems > 0)
    tsr__record_iota(&s->c->window, s->where, axis, made.region, made.view);
  else
    tsr__event(s->c, s->where, TSR_EVENT_EMPTY, made.array);
  return made.array;
}

tsr_dims tsr__dims_of(tsr_context *c, tsr_array x)
{
  const tsr_handle *s = tsr__handle_peek(c, x);
  return s ? tsr__shape_of(&s->view->view) : (tsr_dims){.ndim = 0};
}
