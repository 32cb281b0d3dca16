/* The clock of everything that measures or waits. */
#include "runtime/base/clock.h"

#include <time.h>

uint64_t tsr__now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
