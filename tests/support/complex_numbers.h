/* <complex.h> with CMPLX and CMPLXL, which glibc keeps from what it takes for an old gcc. */
#ifndef TSR_TEST_COMPLEX_NUMBERS_H
#define TSR_TEST_COMPLEX_NUMBERS_H

#include <complex.h>

#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#define CMPLXL(re, im) __builtin_complex((long double)(re), (long double)(im))
#endif

#endif
