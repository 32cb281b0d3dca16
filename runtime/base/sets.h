/* Disjoint sets of numbers (union-find), as an array that has for each number another one of its
 * set. The root of a set, which is its own, is the least number of it. */
#ifndef TSR_SETS_H
#define TSR_SETS_H

#include <stddef.h>
#include <stdint.h>

/** The root of the set that i is in. Shortens the way there. */
static inline int32_t tsr__set_root(int32_t *parent, int32_t i)
{
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/** Make one of the sets of a and b. Returns its root, and in *joined (may be NULL) the other root,
 * which is none any more; the same one, if they were one set. */
static inline int32_t tsr__set_join(int32_t *parent, int32_t a, int32_t b, int32_t *joined)
{
  a = tsr__set_root(parent, a);
  b = tsr__set_root(parent, b);
  const int32_t root = a < b ? a : b, other = a < b ? b : a;
  parent[other] = root;
  if (joined != NULL) *joined = other;
  return root;
}

#endif
