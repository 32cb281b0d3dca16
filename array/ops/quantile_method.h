/* NumPy's methods of quantiles, as positions in the order of the elements. */
#ifndef TSR_QUANTILE_METHOD_H
#define TSR_QUANTILE_METHOD_H

#include <stdbool.h>
#include <stdint.h>

/** Where a quantile lies: `beyond` of the way from the k-th of the elements in order, counted from
 * 0, to the next; beyond: 0 to 1. */
typedef struct tsr_quantile_position {
  int64_t k;
  double beyond;
} tsr_quantile_position;

/** Finds the position of quantile q, 0 to 1, of n elements, n > 0. Returns false if there is no
 * such method. Source: Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996. */
bool tsr__quantile_position(const char *method, double q, int64_t n, tsr_quantile_position *out);
/** Returns whether the method's results are elements themselves. */
bool tsr__quantile_is_element(const char *method);
/** The names of the methods, for messages. */
extern const char tsr__quantile_methods[];

#endif
