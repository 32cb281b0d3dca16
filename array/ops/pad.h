/* Padding with a value for each side, of which the function that programs call has one operand. */
#ifndef TSR_PAD_H
#define TSR_PAD_H

#include "array/core/array_int.h"

/** As tsr_pad_at. values: one for all sides, as there; one before and one after every axis; or such
 * a pair for each axis, one after the other. */
tsr_array tsr__pad(const tsr_location *where, tsr_array x, tsr_dims before, tsr_dims after,
                   const char *mode, int n_values, const tsr_operand *values, int n_options,
                   const tsr_padding *options);

#endif
