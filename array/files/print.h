/* Numbers of one array as text of one width, as NumPy prints them. */
#ifndef TSR_PRINT_H
#define TSR_PRINT_H

#include "kernel/ir/kernel.h"

/** The longest text of one number, with its terminator. */
#define TSR_NUMBER_SIZE 128

/** How all elements of one array are written. */
typedef struct tsr_float_format {
  tsr_dtype dtype;
  bool plus; /* a sign is written always */
  bool has_exponent;
  int left, right;     /* columns before and after the point; integers and bools: left only */
  int exponent_digits; /* at least 2 */
} tsr_float_format;

/** Real and imaginary part; other numbers have the first only. */
typedef struct tsr_number_format {
  tsr_dtype dtype;
  tsr_float_format part[2];
} tsr_number_format;

/* Until tsr__array_text: between tsr__plain_numbers_begin and _end. */

/** Choose a format for `n` elements of `dtype` at `data`, dense. */
tsr_number_format tsr__number_format(tsr_dtype dtype, int64_t n, const void *data);
/** Element `i` of the data as text of the format's width. */
void tsr__number_text(const tsr_number_format *f, const void *data, int64_t i,
                      char buf[TSR_NUMBER_SIZE]);
/** A scalar on its own, as Python's str: "0.1", "1e-05", "True". */
void tsr__scalar_text(tsr_dtype dtype, const void *data, char buf[TSR_NUMBER_SIZE]);

/** The layout: brackets, lines of at most 75 columns, "..." in the middle of the axes whose length
 * `n` exceeds `shown` (6 elements are given then). data: dense, of shape `shown`. malloc'd. */
char *tsr__array_text(tsr_dtype dtype, int ndim, const int64_t *n, const int64_t *shown,
                      const void *data);

#endif
