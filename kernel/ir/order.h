/* Orders of computations in which few values are alive at once. */
#ifndef TSR_ORDER_H
#define TSR_ORDER_H

#include "runtime/base/arena.h"

/** What computes what: a graph whose nodes are numbered so that each follows its arguments. */
typedef struct tsr_order_graph {
  int32_t n;
  const int32_t *first; /* [n + 1] the arguments of node i are args[first[i]] up to first[i + 1] */
  const int32_t *args;  /* nodes whose values it reads, or which it must follow */
  const int32_t *size; /* [n] of the node's value while it is alive, which is until its last reader;
                         * 0: it takes no space */
} tsr_order_graph;

/** Returns the largest sum of sizes that is alive at once. order: as tsr__order_few_alive sets it,
 * or NULL: by number. Cost: some ns per argument. */
int64_t tsr__order_alive(const tsr_order_graph *g, const int32_t *order, tsr_arena *scratch);

/** Sets order[0 .. n) to the nodes, each after its arguments, so that few values are alive at once.
 * A pure function of the graph. Cost: some ten ns per argument, and a sort of each node's.
 * Source: Sethi and Ullman, "The generation of optimal code for arithmetic expressions", 1970; it
 * is best for trees only. */
void tsr__order_few_alive(const tsr_order_graph *g, tsr_arena *scratch, int32_t *order);

#endif
