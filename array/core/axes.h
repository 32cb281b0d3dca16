/* Checks the axes and options that a call is given. Only these functions count axes from the end
 * and refuse options that a call does not take. */
#ifndef TSR_AXES_H
#define TSR_AXES_H

#include "array/core/array_int.h"
#include "array/core/options.h"

static inline int tsr__axis_from_0(int axis, int ndim)
{
  return axis < 0 ? axis + ndim : axis;
}

/** Writes axis `axis` of `ndim`, counted from 0, to *out. Returns NULL, or an error that has begun:
 * TSR_ERR_AXIS if the axis is out of range or TSR_NOT_ONE_AXIS. whose: "an array of ", or "", for
 * the error's text. */
tsr_error *tsr__normal_axis(tsr_context *c, const tsr_location *where, const char *whose, int axis,
                            int ndim, int *out);

/** Reads n axes, each named at most once: writes their numbers from 0 to out [n], unless that is
 * NULL, and their bits to *mask. Returns NULL, or an error that has begun. More than TSR_MAX_NDIM
 * axes are an error. */
tsr_error *tsr__normal_axes(tsr_context *c, const tsr_location *where, const char *whose, int n,
                            const int *axes, int ndim, int *out, uint32_t *mask);

/** Returns whether the argument holds axes and no other option; if not, reports
 * TSR_ERR_ARGUMENT. */
bool tsr__only_axes(tsr_context *c, const tsr_location *where, const tsr_axes *axes);

/** The options of a reduction. */
typedef struct tsr_reduce_options {
  const int *axes; /* NULL means all */
  unsigned n_axes;
  bool keepdims, has_ord, has_where, has_initial, has_dtype, has_weights;
  tsr_dtype dtype;
  double ddof, ord;
  tsr_operand where, initial, weights;
  const char *method; /* NULL: none */
} tsr_reduce_options;

/** Reads n options. takes: bits TSR_TAKES_…. A mask that is the scalar true is none. Returns false
 * with TSR_ERR_AXIS if the axes are given twice, or with TSR_ERR_ARGUMENT for an option that the
 * call does not take. */
bool tsr__reduce_options(const tsr_location *where, unsigned takes, int n, const tsr_axes *options,
                         tsr_reduce_options *out);

#endif
