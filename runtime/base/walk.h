/* A walk over the indices of an n-dimensional box, one after the other, and the strides of dense
 * memory for it. */
#ifndef TSR_WALK_H
#define TSR_WALK_H

#include "tessera/base.h"

/** Where a walk is. Every n is at least 1. */
typedef struct tsr_walk {
  const int64_t *n; /* borrowed: the length of each axis */
  int fastest;      /* the axis that steps first */
  int slowest;      /* the axis that steps last */
  int to_slower;    /* 1 or -1: from an axis to the next slower one */
  int64_t index[TSR_MAX_NDIM + 1];
} tsr_walk;

/** At the first index of axes [0, ndim), of which the last steps first: row-major order. Without
 * axes there is one index. */
static inline tsr_walk tsr__walk_rows(int ndim, const int64_t *n)
{
  return (tsr_walk){.n = n, .fastest = ndim > 0 ? ndim - 1 : -1, .slowest = 0, .to_slower = -1};
}

/** At the first index of axes [first, end), of which axis `first` steps first. */
static inline tsr_walk tsr__walk_inner_first(int first, int end, const int64_t *n)
{
  return (tsr_walk){
      .n = n, .fastest = first, .slowest = (end > first ? end : first) - 1, .to_slower = 1};
}

/** Go to the next index. Returns the axis that stepped; the faster axes are at 0 again. -1: there
 * is no next index. */
static inline int tsr__walk_next(tsr_walk *w)
{
  const int end = w->slowest + w->to_slower;
  for (int k = w->fastest; k != end; k += w->to_slower) {
    if (++w->index[k] < w->n[k]) return k;
    w->index[k] = 0;
  }
  return -1;
}

/** By how much a number changes in such a step that has stride[k] for each step along axis k. */
static inline int64_t tsr__walk_change(const tsr_walk *w, int axis, const int64_t *stride)
{
  int64_t change = stride[axis];
  for (int k = w->fastest; k != axis; k += w->to_slower) change -= (w->n[k] - 1) * stride[k];
  return change;
}

/** The strides of dense memory in row-major order. Returns its size, in the unit of `elem`. They
 * wrap where the size does. */
static inline int64_t tsr__dense_strides(int ndim, const int64_t *n, int64_t elem, int64_t *stride)
{
  uint64_t next = (uint64_t)elem;
  for (int k = ndim - 1; k >= 0; k--) {
    stride[k] = (int64_t)next;
    next *= (uint64_t)n[k];
  }
  return (int64_t)next;
}

#endif
