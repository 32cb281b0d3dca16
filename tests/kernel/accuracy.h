/* The functions of ops.def against MPFR with 140 bits: the greatest error in units in the last
 * place (below the normal range: of the least number) over random arguments of every magnitude and
 * from the regions that are hard for each function. */
#ifndef TSR_TEST_ACCURACY_H
#define TSR_TEST_ACCURACY_H

#include <mpfr.h>

#include "kernel/ir/kernel.h"

typedef struct points {
  uint64_t seed;
  bool is_f32;
  int n;
  double *x, *y; /* [n], numbers of the dtype; y: second operands */
} points;

uint64_t accuracy_draw(points *p);
double accuracy_uniform(points *p, double low, double high);
/** Any finite or infinite bits of the dtype, NaN rarely. */
double accuracy_any(points *p);
/** |x| < 1, of any magnitude down to 2^-50. */
double accuracy_small(points *p);
double accuracy_as_dtype(const points *p, double x);
/** |got - want| in units of the last place of `want` as the dtype; 0 for the same special value. */
double accuracy_ulps(double got, const mpfr_t want, bool is_f32, mpfr_t scratch);

typedef int (*exact_one)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*exact_two)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

/** n arguments (pairs) of both dtypes, fewer under a sanitizer, and the special values of each (all
 * pairs of them): zeros, ends of ranges, infinities, NaN, whole numbers; bounds in ulp. */
void accuracy_check(tsr_opcode op, int n, double (*drawn)(points *), exact_one one,
                    double bound_f64, double bound_f32);
void accuracy_check_pairs(tsr_opcode op, int n, void (*drawn)(points *), exact_two two,
                          double bound_f64, double bound_f32);

#endif
