/* The binomial tree along which collectives and plans send up and down. */
#ifndef TSR_BINOMIAL_H
#define TSR_BINOMIAL_H

#include "tessera/base.h"
#include "runtime/base/error.h"

/** The most children of a node of a tree whose nodes an int counts. */
enum { TSR_BINOMIAL_CHILDREN = 31 };

/** A node of the binomial tree over the nodes [0, size). Its parent is its number without the
 * lowest set bit, and the nodes of a subtree are a run. */
typedef struct tsr_binomial {
  int parent;                           /* -1 at node 0 */
  int n_children;                       /* the subtree of child i is [child[i], child[i + 1]) */
  int child[TSR_BINOMIAL_CHILDREN + 1]; /* ascending, then the end of the node's own subtree */
} tsr_binomial;

static inline tsr_binomial tsr__binomial(int node, int size)
{
  TSR_ASSERT(node >= 0 && node < size);
  tsr_binomial b = {.parent = -1};
  int64_t bit = 1;
  for (; bit < size && !(node & bit); bit <<= 1)
    if (node + bit < size) b.child[b.n_children++] = (int)(node + bit);
  if (node > 0) b.parent = (int)(node - bit);
  b.child[b.n_children] = node + bit < size ? (int)(node + bit) : size;
  return b;
}

#endif
