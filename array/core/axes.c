/* Reads the axes and options that a call is given. */
#include "array/core/axes.h"

tsr_error *tsr__normal_axis(tsr_context *c, const tsr_location *where, const char *whose, int axis,
                            int ndim, int *out)
{
  if (axis == TSR_NOT_ONE_AXIS)
    return tsr__fail_begin(c, where, TSR_ERR_AXIS,
                           "one axis is taken here, a number or TSR_AXES "
                           "of one");
  const int at = tsr__axis_from_0(axis, ndim);
  if (at < 0 || at >= ndim)
    return tsr__fail_begin(c, where, TSR_ERR_AXIS, "axis %d is out of range for %s%d %s", axis,
                           whose, ndim, ndim == 1 ? "axis" : "axes");
  *out = at;
  return NULL;
}

tsr_error *tsr__normal_axes(tsr_context *c, const tsr_location *where, const char *whose, int n,
                            const int *axes, int ndim, int *out, uint32_t *mask)
{
  *mask = 0;
  if (n > TSR_MAX_NDIM)
    return tsr__fail_begin(c, where, TSR_ERR_AXIS, "%d axes are named, the array has %d", n, ndim);
  for (int i = 0; i < n; i++) {
    int at = 0;
    tsr_error *e = tsr__normal_axis(c, where, whose, axes[i], ndim, &at);
    if (e) return e;
    if (*mask >> at & 1)
      return tsr__fail_begin(c, where, TSR_ERR_AXIS, "axis %d is named twice", axes[i]);
    *mask |= 1u << at;
    if (out) out[i] = at;
  }
  return NULL;
}

static unsigned given_in(const tsr_axes *o)
{
  return (o->n >= 0 ? TSR_TAKES_AXES : 0u) | (o->keepdims ? TSR_TAKES_KEEPDIMS : 0u) |
         (o->has_ddof ? TSR_TAKES_DDOF : 0u) | (o->has_ord ? TSR_TAKES_ORD : 0u) |
         (o->has_where ? TSR_TAKES_WHERE : 0u) | (o->has_initial ? TSR_TAKES_INITIAL : 0u) |
         (o->method != NULL ? TSR_TAKES_METHOD : 0u) | (o->has_dtype ? TSR_TAKES_DTYPE : 0u) |
         (o->has_weights ? TSR_TAKES_WEIGHTS : 0u);
}

bool tsr__only_axes(tsr_context *c, const tsr_location *where, const tsr_axes *axes)
{
  const unsigned given = given_in(axes);
  return !(given & ~(unsigned)TSR_TAKES_AXES) ||
         tsr__refuse_option(c, where, given, TSR_TAKES_AXES) == TSR_OK;
}

bool tsr__reduce_options(const tsr_location *where, unsigned takes, int n, const tsr_axes *options,
                         tsr_reduce_options *out)
{
  unsigned has = 0;
  *out = (tsr_reduce_options){0};
  for (int i = 0; i < n; i++) {
    const tsr_axes *o = &options[i];
    const unsigned given = given_in(o);
    if (given & ~takes) {
      tsr__refuse_option(tsr__context(where), where, given, takes);
      return false;
    }
    if (given & has & ~(unsigned)TSR_TAKES_AXES) {
      tsr__fail(tsr__context(where), where, TSR_ERR_ARGUMENT, "an option is given twice");
      return false;
    }
    has |= given;
    if (o->n > TSR_MAX_NDIM) {
      tsr__fail(tsr__context(where), where, TSR_ERR_AXIS,
                "%d axes are named; an array has at most %d", o->n, TSR_MAX_NDIM);
      return false;
    }
    if (o->n >= 0 && out->axes) {
      tsr__fail(tsr__context(where), where, TSR_ERR_AXIS, "axes are given twice");
      return false;
    }
    if (o->n >= 0) {
      out->axes = o->axis;
      out->n_axes = (unsigned)o->n;
    }
    out->keepdims |= o->keepdims;
    if (o->has_ddof) out->ddof = o->ddof;
    if (o->has_ord) out->ord = o->ord;
    out->has_ord |= o->has_ord;
    if (o->has_where) out->where = o->where;
    out->has_where |= o->has_where && !(o->where.kind == TSR_OPERAND_BOOL && o->where.as.u != 0);
    if (o->has_weights) out->weights = o->where;
    out->has_weights |= o->has_weights;
    if (o->has_initial) out->initial = o->initial;
    if (o->method != NULL) out->method = o->method;
    out->has_initial |= o->has_initial;
    if (o->has_dtype) out->dtype = (tsr_dtype)o->dtype;
    out->has_dtype |= o->has_dtype;
  }
  return true;
}
