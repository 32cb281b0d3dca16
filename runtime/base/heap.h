/* A heap of numbers in an array: v[i] is no more than v[2*i+1] and v[2*i+2], so the least is v[0].
 * To add one and to take the least take as many steps as the heap has levels. */
#ifndef TSR_BASE_HEAP_H
#define TSR_BASE_HEAP_H

#include <stdint.h>

/** Add a number to the n ones of a heap, whose array has room for one more. */
static inline void tsr__heap_add(int32_t *v, int32_t *n, int32_t number)
{
  int32_t at = (*n)++;
  for (; at > 0 && v[(at - 1) / 2] > number; at = (at - 1) / 2) v[at] = v[(at - 1) / 2];
  v[at] = number;
}

/** Take the least number of a heap that is not empty. */
static inline int32_t tsr__heap_take(int32_t *v, int32_t *n)
{
  const int32_t least = v[0], last = v[--*n];
  int32_t at = 0;
  for (int32_t next; (next = 2 * at + 1) < *n; at = next) {
    next += next + 1 < *n && v[next + 1] < v[next];
    if (v[next] > last) break;
    v[at] = v[next];
  }
  v[at] = last;
  return least;
}

#endif
