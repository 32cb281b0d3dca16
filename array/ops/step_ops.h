/* Operations that are steps of a call made of other calls (array/core/steps.h). */
#ifndef TSR_STEP_OPS_H
#define TSR_STEP_OPS_H

#include "array/core/steps.h"

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
/** Combines all elements of x along `axis`, which it has, in place, into the first: neighbours,
 * then what stands for two, four, … elements, so that the order is a function of the index alone.
 * both: one operation on two views, in x's dtype, or null after an error. Returns false after an
 * error. */
bool tsr__step_fold(const tsr_steps *s, tsr_array x, int axis,
                    tsr_operand (*both)(void *user, const tsr_operand pair[2]), void *user);
/** Returns x with n axes of length 1 appended. */
tsr_array tsr__step_trailing(const tsr_steps *s, tsr_array x, int n);

/** Returns x as an array. If as_float, integers and bools become float64. The null handle stays
 * null. */
tsr_array tsr__step_array(const tsr_steps *s, tsr_operand x, bool as_float);
#endif
