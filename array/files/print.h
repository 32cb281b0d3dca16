/* Formats the numbers of an array with a common width, as NumPy prints them. */
#ifndef TSR_PRINT_H
#define TSR_PRINT_H

#include "kernel/ir/kernel.h"

/** The longest text of one number, with its terminator. */
#define TSR_NUMBER_SIZE 128

/** The format of all elements of one array. */
typedef struct tsr_float_format {
  tsr_dtype dtype;
  bool plus; /* every number has a sign */
  bool has_exponent;
  int left, right;     /* columns before and after the point; integers and bools: left only */
  int exponent_digits; /* at least 2 */
} tsr_float_format;

/** The formats of real and imaginary part. Other numbers have only the first part. */
typedef struct tsr_number_format {
  tsr_dtype dtype;
  tsr_float_format part[2];
} tsr_number_format;

/* The functions up to tsr__array_text are called between tsr__plain_numbers_begin and _end. */

/** Chooses a format for `n` elements of `dtype`, which are dense at `data`. */
tsr_number_format tsr__number_format(tsr_dtype dtype, int64_t n, const void *data);
/** Writes element `i` of the data as text of the format's width. */
void tsr__number_text(const tsr_number_format *f, const void *data, int64_t i,
                      char buf[TSR_NUMBER_SIZE]);
/** Writes a scalar on its own, as Python's str does: "0.1", "1e-05", "True". */
void tsr__scalar_text(tsr_dtype dtype, const void *data, char buf[TSR_NUMBER_SIZE]);

/** Returns the array's text, allocated by malloc: brackets, lines of at most 75 columns, and "..."
 * in the middle of each axis whose length `n` exceeds `shown`, which is 6 then. data: dense, of
 * shape `shown`. */
char *tsr__array_text(tsr_dtype dtype, int ndim, const int64_t *n, const int64_t *shown,
                      const void *data);

#endif
