/* Assignments: target[...] = value, +=, -=, *=, /=, //=, %=, **=. Each is one recorded operation,
 * which behaves as if it read all operands before it writes. */
#include "array/views/reshape.h"

static bool is_weak_bool(tsr_operand x)
{
  return x.kind == TSR_OPERAND_BOOL || (x.kind == TSR_OPERAND_INT && (x.as.i == 0 || x.as.i == 1));
}

/* Returns whether a value of dtype `from` may be stored in `to`. A weak scalar may if its kind is
 * no higher. 0 and 1 count as bools, since C's true is an int. */
static bool may_store(const tsr_value *x, tsr_dtype from, tsr_dtype to)
{
  if (x->region) return tsr__dtype_can_cast(from, to, TSR_CASTING_SAME_KIND);
  if (to == TSR_DTYPE_BOOL) return is_weak_bool(x->scalar);
  return tsr__weak_rank(from) <= tsr__weak_rank(to);
}

static tsr_status fail_cast(tsr_context *c, const tsr_location *where, tsr_array target,
                            tsr_operand value, tsr_dtype from, tsr_dtype to)
{
  tsr_error *e = tsr__fail_begin(c, where, TSR_ERR_CAST, "cannot store %s in an array of %s",
                                 tsr__dtype_info(from)->name, tsr__dtype_info(to)->name);
  tsr__note_operand(c, e, where, 0, tsr_box_array(target));
  tsr__note_operand(c, e, where, 1, value);
  tsr__error_rule(e, "an assignment casts within a kind and upwards: bool, unsigned, "
                     "integer, float, complex");
  tsr__error_help(e, "tsr_astype(value, dtype) casts explicitly");
  return tsr__fail_end(c);
}

tsr_handle *tsr__target_of(tsr_context *c, const tsr_location *where, tsr_array target,
                           tsr_status *status)
{
  *status = TSR_ERR_HANDLE;
  tsr_handle *s = tsr__handle(c, where, target);
  if (!s) return NULL;
  if (s->region->n_lent > 0) {
    *status = tsr__fail_lent(c, where, target);
    return NULL;
  }
  *status = TSR_OK;
  if (tsr__view_ref_is_injective(s->view)) {
    if (s->region->copy_of != 0 || s->read_only) *status = tsr__check_writable(c, where, target);
    return *status == TSR_OK ? s : NULL;
  }
  *status = tsr__fail_on(
      c, where, TSR_ERR_READONLY, 1, (const tsr_operand[]){tsr_box_array(target)},
      "tsr_copy makes an array of its own", "the target repeats elements, so it cannot be written");
  return NULL;
}

/* Makes an array the operand over the target's shape to which it broadcasts without the leading
 * axes of length 1 that it has beyond the target's, which NumPy drops. */
static bool fit_value(tsr_context *c, const tsr_location *where, tsr_array target,
                      const tsr_dims *domain, tsr_operand operand, const tsr_value *value,
                      tsr_op_in *in)
{
  tsr_view view;
  tsr__view_copy(&view, &value->view->view);
  while (view.ndim > domain->ndim && view.shape[0] == 1) tsr__view_index(&view, 0, 0);
  if (tsr__view_broadcast(&view, domain->ndim, domain->n)) {
    *in = (tsr_op_in){.region = value->region, .view = tsr__view_ref_new(&c->window, &view)};
    return true;
  }
  char from[256], to[256];
  tsr__fail_on(c, where, TSR_ERR_BROADCAST, 2,
               (const tsr_operand[]){tsr_box_array(target), operand}, NULL,
               "cannot broadcast shape %s to the target's %s",
               tsr__shape_text(value->view->view.ndim, value->view->view.shape, from, sizeof from),
               tsr__shape_text(domain->ndim, domain->n, to, sizeof to));
  return false;
}

/* Makes the value an operand over the target's shape; scalars are converted by tsr__scalar_for.
 * tsr__in_drop releases the operand after recording. */
static bool value_in(tsr_context *c, const tsr_location *where, tsr_array target,
                     const tsr_dims *domain, tsr_operand operand, const tsr_value *value,
                     tsr_dtype promoted, tsr_dtype compute, tsr_op_in *in)
{
  *in = (tsr_op_in){0};
  if (!value->region) return tsr__scalar_for(c, where, operand, promoted, compute, &in->scalar);
  if (!tsr__has_shape(&value->view->view, domain))
    return fit_value(c, where, target, domain, operand, value, in);
  *in = (tsr_op_in){.region = value->region, .view = tsr__view_ref_take(value->view)};
  return true;
}

/* Assigns to a target with split axes, whose tiles are not boxes of its index space. The value is
 * reshaped to the region's own axes, which are not split. */
static tsr_status assign_merged(const tsr_location *where, tsr_array target, const tsr_handle *s,
                                tsr_operand operand)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_dims domain = tsr__shape_of(&s->view->view);
  tsr_value value;
  tsr_status status = TSR_ERR_HANDLE;
  tsr_view merged;
  if (!tsr__merge_axes(&s->view->view, &merged)) {
    status =
        tsr__fail_on(w.c, where, TSR_ERR_READONLY, 1, (const tsr_operand[]){tsr_box_array(target)},
                     "assign to the array itself, or to the whole view; the copy of a reshaped "
                     "array can be written in part",
                     "the target is part of a reshaped view, which cannot be written");
  } else if (tsr__value_of(w.c, where, operand, &value)) {
    tsr_view_ref *ref = tsr__view_ref_new(&w.c->window, &merged);
    tsr_array whole = tsr__array_new(w.c, where, s->region, ref);
    tsr__view_ref_drop(ref);
    tsr_op_in in;
    if (value.region && fit_value(w.c, where, target, &domain, operand, &value, &in)) {
      tsr_array wide = tsr__array_new(w.c, where, value.region, in.view);
      tsr__in_drop(&in);
      tsr_dims shape = tsr__shape_of(&merged);
      operand = tsr_box_array(tsr__reshaped(&w, wide, &shape));
      status = tsr_assign_at(where, whole, operand);
    } else {
      status = value.region ? w.c->last_status : tsr_assign_at(where, whole, operand);
    }
  }
  tsr__steps_end(&w, tsr_null());
  return status;
}

/* Is the value the target itself? Then nothing is to be done. Python's `u[1:] += v` ends with such
 * an assignment, of the view that it has added to. */
static bool is_itself(const tsr_handle *target, const tsr_value *value)
{
  if (value->region != target->region) return false;
  return value->view == target->view || tsr__view_equal(&value->view->view, &target->view->view);
}

tsr_status tsr_assign_at(const tsr_location *where, tsr_array target, tsr_operand operand)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_status status;
  tsr_value value;
  tsr_handle *s = tsr__target_of(c, where, target, &status);
  if (!s) return status;
  if (!tsr__value_of(c, where, operand, &value)) return tsr__value_status(c, operand);
  tsr_dtype dtype = s->region->dtype;
  if (!may_store(&value, value.dtype, dtype))
    return fail_cast(c, where, target, operand, value.dtype, dtype);
  if (is_itself(s, &value)) {
    tsr__event(c, where, TSR_EVENT_EMPTY, target);
    return TSR_OK;
  }
  if (!tsr__view_is_separable(&s->view->view)) return assign_merged(where, target, s, operand);
  tsr_dims domain;
  tsr__shape_to(&s->view->view, &domain);
  tsr_op_in in;
  if (!value_in(c, where, target, &domain, operand, &value, dtype, dtype, &in))
    return c->last_status;
  if (tsr__view_size(&s->view->view) > 0)
    tsr__record_copy(&c->window, where, &in, s->region, s->view, false);
  else
    tsr__event(c, where, TSR_EVENT_EMPTY, target);
  tsr__in_drop(&in);
  tsr__recorded(c);
  return TSR_OK;
}

tsr_status tsr__iop_at(const tsr_location *where, tsr_opcode op, tsr_array target,
                       tsr_operand operand)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_status status;
  tsr_value values[2];
  tsr_handle *s = tsr__target_of(c, where, target, &status);
  if (!s) return status;
  values[0] = (tsr_value){.region = s->region, .view = s->view, .dtype = s->region->dtype};
  if (!tsr__value_of(c, where, operand, &values[1])) return tsr__value_status(c, operand);
  tsr_dtype promoted = tsr__promote(2, values), compute, result;
  if (!tsr__op_dtypes(op, promoted, &compute, &result)) {
    return tsr__fail_on(
        c, where, TSR_ERR_DTYPE, 2, (const tsr_operand[]){tsr_box_array(target), operand}, NULL,
        "%s does not take %s", tsr__op_info(op)->name, tsr__dtype_info(promoted)->name);
  }
  if (!tsr__dtype_can_cast(result, s->region->dtype, TSR_CASTING_SAME_KIND))
    return fail_cast(c, where, target, operand, result, s->region->dtype);
  if (op == TSR_OP_POWER && !tsr__check_exponent(c, where, compute, &values[1]))
    return c->last_status;
  const bool is_product = op == TSR_OP_POWER && tsr__power_factors(values) > 0;
  if (is_product || !tsr__view_is_separable(&s->view->view)) {
    tsr_steps w = tsr__steps_begin(where);
    const tsr_operand xs[2] = {tsr_box_array(target), operand};
    tsr_array got = tsr__map_at(where, op, 2, xs);
    status = tsr_ok(got) ? tsr_assign_at(where, target, tsr_box_array(got)) : c->last_status;
    tsr__steps_end(&w, tsr_null());
    return status;
  }
  tsr_dims domain;
  tsr__shape_to(&s->view->view, &domain);
  tsr_op_in in[2] = {{.region = s->region, .view = s->view}};
  if (!value_in(c, where, target, &domain, operand, &values[1], promoted, compute, &in[1]))
    return c->last_status;
  if (tsr__view_size(&s->view->view) > 0)
    tsr__record_map(&c->window, where, op, compute, result, 2, in, s->region, s->view, false);
  else
    tsr__event(c, where, TSR_EVENT_EMPTY, target);
  tsr__in_drop(&in[1]);
  tsr__recorded(c);
  return TSR_OK;
}

#define IN_PLACE(name, OP)                                                                         \
  tsr_status tsr_##name##_at(const tsr_location *where, tsr_array target, tsr_operand value)       \
  {                                                                                                \
    return tsr__iop_at(where, TSR_OP_##OP, target, value);                                         \
  }
IN_PLACE(iadd, ADD)
IN_PLACE(isub, SUBTRACT)
IN_PLACE(imul, MULTIPLY)
IN_PLACE(idiv, DIVIDE)
IN_PLACE(ifloordiv, FLOOR_DIVIDE)
IN_PLACE(imod, REMAINDER)
IN_PLACE(ipow, POWER)
IN_PLACE(iand, BITWISE_AND)
IN_PLACE(ior, BITWISE_OR)
IN_PLACE(ixor, BITWISE_XOR)
IN_PLACE(ilshift, LEFT_SHIFT)
IN_PLACE(irshift, RIGHT_SHIFT)
