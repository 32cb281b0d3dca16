/* Time. */
#ifndef TSR_CLOCK_H
#define TSR_CLOCK_H

#include "tessera/base.h"

/** Nanoseconds since some beginning, which never go back. */
uint64_t tsr__now_ns(void);

#endif
