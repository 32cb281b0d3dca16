/* Calls that are made of other calls. A scope of their own holds the arrays that they make, which
 * are released with it, except the results. Every step carries the user's location. A null handle
 * makes all later results null without a further error, since its error has been reported. */
#ifndef TSR_STEPS_H
#define TSR_STEPS_H

#include "array/core/axes.h"

typedef struct tsr_steps {
  tsr_context *c;
  const tsr_location *where;
  int32_t depth; /* index of the result's scope */
  int32_t outer; /* previous steps_scope of the context */
} tsr_steps;

tsr_steps tsr__steps_begin(const tsr_location *where);
/** Ends the steps and moves the result to the caller's scope. */
tsr_array tsr__steps_end(const tsr_steps *s, tsr_array result);
/** Moves one of several results to the caller's scope; the steps go on. */
tsr_array tsr__steps_keep(const tsr_steps *s, tsr_array result);

/** Records an operation on arrays or scalars, as tsr__map_at does. */
static inline tsr_array tsr__map1(const tsr_steps *s, tsr_opcode op, tsr_operand x)
{
  return tsr__map_at(s->where, op, 1, &x);
}

static inline tsr_array tsr__map2(const tsr_steps *s, tsr_opcode op, tsr_operand x, tsr_operand y)
{
  const tsr_operand xs[] = {x, y};
  return tsr__map_at(s->where, op, 2, xs);
}

static inline tsr_array tsr__map3(const tsr_steps *s, tsr_opcode op, tsr_operand x, tsr_operand y,
                                  tsr_operand z)
{
  const tsr_operand xs[] = {x, y, z};
  return tsr__map_at(s->where, op, 3, xs);
}

static inline tsr_array tsr__step_where(const tsr_steps *s, tsr_array condition, tsr_operand x,
                                        tsr_operand y)
{
  return tsr__map3(s, TSR_OP_WHERE, tsr_box_array(condition), x, y);
}

static inline tsr_array tsr__step_reduce(const tsr_steps *s, tsr_reduction op, tsr_operand x,
                                         const tsr_reduce_options *o, bool keepdims)
{
  return tsr__reduce_at(s->where, op, false, x, o->n_axes, o->axes, keepdims);
}

/** Returns x[:, …, start:stop:step, …] along `axis`, which x has. stop INT64_MAX means the end. */
tsr_array tsr__step_slice(const tsr_steps *s, tsr_array x, int axis, int64_t start, int64_t stop,
                          int64_t step);
/** Returns the axis, counted from 0, or -1 with TSR_ERR_AXIS; the error names `x`, unless it is
 * NULL. */
int tsr__step_axis(const tsr_steps *s, const tsr_operand *x, int axis, int ndim);
/** Combines all elements of x along `axis`, which it has, in place, into the first: neighbours,
 * then what stands for two, four, … elements, so that the order is a function of the index alone.
 * both: one operation on two views, in x's dtype, or null after an error. Returns false after an
 * error. */
bool tsr__step_fold(const tsr_steps *s, tsr_array x, int axis,
                    tsr_operand (*both)(void *user, const tsr_operand pair[2]), void *user);
/** Returns x with n axes of length 1 appended. */
tsr_array tsr__step_trailing(const tsr_steps *s, tsr_array x, int n);

/** Returns x as an operand over a domain that it broadcasts to. */
tsr_op_in tsr__step_over(const tsr_steps *s, tsr_array x, const tsr_dims *domain);

/** Returns x as an array. If as_float, integers and bools become float64. The null handle stays
 * null. */
tsr_array tsr__step_array(const tsr_steps *s, tsr_operand x, bool as_float);
/** Returns an array of the given shape, which was checked, whose elements are their index along
 * `axis`: int64, without memory. */
tsr_array tsr__index_along(const tsr_steps *s, const tsr_dims *shape, int axis);
/** Returns the shape of an array that exists. */
tsr_dims tsr__dims_of(tsr_context *c, tsr_array x);

#endif
