/* What the files share that make arrays of parts of others. */
#ifndef TSR_JOIN_H
#define TSR_JOIN_H

#include "array/views/view_edit.h"

/** The axis of hstack: 0 for vectors, else 1. */
#define TSR_HSTACK (-100)

/** A new array whose every element is to be assigned; the null handle with an error. */
tsr_array tsr__room(const tsr_work *w, tsr_dtype dtype, const tsr_dims *shape);
/** A box of x, as a view. */
tsr_array tsr__part(const tsr_work *w, tsr_array x, const int64_t *lo, const int64_t *n);
/** target[box] = value; false with an error. */
bool tsr__put(const tsr_work *w, tsr_array target, const int64_t *lo, const int64_t *n,
              tsr_operand value);

#endif
