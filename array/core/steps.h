/* Functions that are made of other recorded calls: a scope of their own takes the temporaries, and
 * every call carries the location of the user's. A null handle on the way makes all that follows
 * null, silently, for its error is told. */
#ifndef TSR_STEPS_H
#define TSR_STEPS_H

#include "array/core/axes.h"

typedef struct tsr_steps {
  tsr_context *c;
  const tsr_location *where;
  int32_t depth;
  int32_t outer; /* the context's steps_scope before */
} tsr_steps;

static inline tsr_steps tsr__steps_begin(const tsr_location *where)
{
  tsr_context *c = tsr__call_begin(where);
  const tsr_steps s = {.c = c, .where = where, .depth = c->n_scopes - 1, .outer = c->steps_scope};
  tsr__scope_push(c, TSR_SCOPE_IS_STATEMENT);
  if (s.outer == 0) c->steps_scope = s.depth + 1;
  return s;
}

/** The result goes to the caller's scope. */
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

/** x[:, …, start:stop:step, …] along `axis`, which is one of x's; stop INT64_MAX: to the end. */
tsr_array tsr__step_slice(const tsr_steps *s, tsr_array x, int axis, int64_t start, int64_t stop,
                          int64_t step);
/** The axis, counted from 0; -1 with TSR_ERR_AXIS. */
int tsr__step_axis(const tsr_steps *s, tsr_operand x, int ndim, int axis);
/** x with `n` axes of length 1 behind its own. */
tsr_array tsr__step_trailing(const tsr_steps *s, tsr_array x, int n);

/** x as an array, of float64 where it is of integers or bools, or of anything if not as_float; the
 * null handle if it is. */
tsr_array tsr__step_array(const tsr_steps *s, tsr_operand x, bool as_float);

#endif
