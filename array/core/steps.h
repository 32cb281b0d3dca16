/* Helpers for functions that are made of other recorded calls. A scope of their own holds the
 * temporaries, and every call carries the user's location. A null handle makes all later results
 * null without a further error, since its error has been reported. */
#ifndef TSR_STEPS_H
#define TSR_STEPS_H

#include "array/core/axes.h"

typedef struct tsr_steps {
  tsr_context *c;
  const tsr_location *where;
  int32_t depth;
  int32_t outer; /* previous steps_scope of the context */
} tsr_steps;

static inline tsr_steps tsr__steps_begin(const tsr_location *where)
{
  tsr_context *c = tsr__call_begin(where);
  const tsr_steps s = {.c = c, .where = where, .depth = c->n_scopes - 1, .outer = c->steps_scope};
  tsr__scope_push(c, TSR_SCOPE_IS_STATEMENT);
  if (s.outer == 0) c->steps_scope = s.depth + 1;
  return s;
}

/** Ends the steps and moves the result to the caller's scope. */
static inline tsr_array tsr__steps_end(const tsr_steps *s, tsr_array result)
{
  static const tsr_location end = {.op = "the end of its steps"};
  tsr_slot *slot = tsr__slot_peek(s->c, result);
  if (slot && slot->scope > s->depth) tsr__slot_move(s->c, slot, s->depth);
  tsr__scopes_pop_to(s->c, s->depth, &end);
  s->c->steps_scope = s->outer;
  tsr__call_end(&s->c);
  return result;
}

static inline tsr_array tsr__step_1(const tsr_steps *s, tsr_opcode op, tsr_operand x)
{
  return tsr__map_at(s->where, op, 1, &x);
}

static inline tsr_array tsr__step_2(const tsr_steps *s, tsr_opcode op, tsr_operand x, tsr_operand y)
{
  const tsr_operand xs[] = {x, y};
  return tsr__map_at(s->where, op, 2, xs);
}

static inline tsr_array tsr__step_where(const tsr_steps *s, tsr_array condition, tsr_operand x,
                                        tsr_operand y)
{
  const tsr_operand xs[] = {tsr_box_array(condition), x, y};
  return tsr__map_at(s->where, TSR_OP_WHERE, 3, xs);
}

static inline tsr_array tsr__step_reduce(const tsr_steps *s, tsr_reduction op, tsr_operand x,
                                         const tsr_reduce_options *o, bool keepdims)
{
  return tsr__reduce_at(s->where, op, false, x, o->n_axes, o->axes, keepdims);
}

/** Returns x[:, …, start:stop:step, …] along `axis`, which x has. stop INT64_MAX means the end. */
tsr_array tsr__step_slice(const tsr_steps *s, tsr_array x, int axis, int64_t start, int64_t stop,
                          int64_t step);
/** Returns the axis, counted from 0, or -1 with TSR_ERR_AXIS. */
int tsr__step_axis(const tsr_steps *s, tsr_operand x, int ndim, int axis);
/** Returns x with n axes of length 1 appended. */
tsr_array tsr__step_trailing(const tsr_steps *s, tsr_array x, int n);

/** Returns x as an array. If as_float, integers and bools become float64. The null handle stays
 * null. */
tsr_array tsr__step_array(const tsr_steps *s, tsr_operand x, bool as_float);

#endif
