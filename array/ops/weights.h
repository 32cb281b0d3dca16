/* Weights of the elements of an array that is reduced (statistics.c). */
#ifndef TSR_WEIGHTS_H
#define TSR_WEIGHTS_H

#include "array/core/steps.h"

/** Returns the weights of x, whose shape is `shape`, as an array that broadcasts against it: w has
 * that shape, no axes, or those that are named, in that order. Else null with TSR_ERR_SHAPE. */
tsr_array tsr__weights_along(const tsr_steps *s, const tsr_reduce_options *o, tsr_operand x,
                             tsr_array w, const tsr_dims *shape);

#endif
