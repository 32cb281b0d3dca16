/* The clock of everything that measures or waits. */
#ifndef TSR_CLOCK_H
#define TSR_CLOCK_H

#include "tessera/base.h"

/** Nanoseconds since an arbitrary beginning; the number never decreases. */
uint64_t tsr__now_ns(void);

#endif
