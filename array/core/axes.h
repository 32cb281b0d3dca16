/* Axes and options that a call is given, checked: the one place where axes are counted from the
 * end, and where an option that a call does not take is refused. */
#ifndef TSR_AXES_H
#define TSR_AXES_H

#include "array/core/array_int.h"
#include "array/core/options.h"

static inline int tsr__axis_from_0(int axis, int ndim)
{
  return axis < 0 ? axis + ndim : axis;
}

/** Axis `axis` of `ndim`, counted from 0, into *out. NULL, or an error that is begun, TSR_ERR_AXIS:
 * out of range, or TSR_NOT_ONE_AXIS. whose: "an array of ", or "", in its text. */
tsr_error *tsr__normal_axis(tsr_context *c, const tsr_location *where, const char *whose, int axis,
                            int ndim, int *out);

/** n axes, each at most once: their numbers from 0 into out [n], unless it is NULL, and their bits
 * into *mask. NULL, or an error that is begun. n is at most TSR_MAX_NDIM, or the text says so. */
tsr_error *tsr__normal_axes(tsr_context *c, const tsr_location *where, const char *whose, int n,
                            const int *axes, int ndim, int *out, uint32_t *mask);

/** Are these axes and nothing else? False with TSR_ERR_ARGUMENT. */
bool tsr__only_axes(tsr_context *c, const tsr_location *where, const tsr_axes *axes);

/** The options of a reduction, read. */
typedef struct tsr_reduce_options {
  const int *axes; /* NULL: all */
  unsigned n_axes;
  bool keepdims, has_ord;
  double ddof, ord;
} tsr_reduce_options;

/** Of n options. takes: bits of TSR_TAKES_…. False with TSR_ERR_AXIS if the axes are given twice,
 * or TSR_ERR_ARGUMENT for an option that the call does not take. */
bool tsr__reduce_options(const tsr_location *where, unsigned takes, int n, const tsr_axes *options,
                         tsr_reduce_options *out);

#endif
