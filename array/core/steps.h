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

/** Returns the axis, counted from 0, or -1 with TSR_ERR_AXIS; the error names `x`, unless it is
 * NULL. */
int tsr__step_axis(const tsr_steps *s, const tsr_operand *x, int axis, int ndim);
/** Returns x as an operand over a domain that it broadcasts to. */
tsr_op_in tsr__step_over(const tsr_steps *s, tsr_array x, const tsr_dims *domain);

/** Returns an array of the given shape, which was checked, whose elements are their index along
 * `axis`: int64, without memory. */
tsr_array tsr__index_along(const tsr_steps *s, const tsr_dims *shape, int axis);
/** Returns the shape of an array that exists. */
tsr_dims tsr__dims_of(tsr_context *c, tsr_array x);

#endif
