/* Shared by the files that make arrays of parts of other arrays. */
#ifndef TSR_JOIN_H
#define TSR_JOIN_H

#include "array/core/steps.h"
#include "array/views/view_edit.h"

/** Stands for the axis of hstack: 0 for vectors, else 1. */
#define TSR_HSTACK (-100)

/** Makes a new array, every element of which the caller assigns. Returns the null handle with an
 * error. */
tsr_array tsr__uninitialised(const tsr_steps *w, tsr_dtype dtype, const tsr_dims *shape);
/** Assigns target[box] = value; returns false with an error. */
bool tsr__put(const tsr_steps *w, tsr_array target, const int64_t *lo, const int64_t *n,
              tsr_operand value);

#endif
