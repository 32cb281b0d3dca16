/* Orders in which few values are alive: each node's arguments are computed one after the other,
 * first those that need the most space beside their own value. The walk has a stack of its own,
 * since a chain may be as long as the graph. */
#include "kernel/ir/order.h"
#include "runtime/base/error.h"

#include <string.h>

typedef struct walk {
  const tsr_order_graph *g;
  int32_t *args;    /* the graph's, those of each node in the order in which they are computed */
  int64_t *need;    /* [n] space that it takes to compute the node */
  int32_t *stack;   /* nodes whose arguments are being computed */
  int32_t *next;    /* [n] the next argument to be computed */
  bool *is_ordered; /* [n] */
  int32_t *order, n_ordered;
} walk;

/* Is argument a computed before b? */
static bool comes_first(const walk *w, int32_t a, int32_t b)
{
  const int64_t a_more = w->need[a] - w->g->size[a], b_more = w->need[b] - w->g->size[b];
  return a_more != b_more ? a_more > b_more : a < b;
}

/* Sorts the arguments of a node, which are few or sorted already, and finds what it needs. */
static void find_need(walk *w, int32_t i)
{
  const tsr_order_graph *g = w->g;
  int32_t *args = w->args + g->first[i];
  const int32_t n = g->first[i + 1] - g->first[i];
  int64_t held = 0;
  for (int32_t j = 1; j < n; j++)
    for (int32_t k = j; k > 0 && comes_first(w, args[k], args[k - 1]); k--) {
      const int32_t later = args[k - 1];
      args[k - 1] = args[k];
      args[k] = later;
    }
  w->need[i] = g->size[i];
  for (int32_t j = 0; j < n; j++) {
    if (j > 0 && args[j] == args[j - 1]) continue;
    if (w->need[i] < held + w->need[args[j]]) w->need[i] = held + w->need[args[j]];
    held += g->size[args[j]];
  }
}

/* Orders a node after what it needs. */
static void visit(walk *w, int32_t root)
{
  const tsr_order_graph *g = w->g;
  int32_t depth = 0;
  w->stack[depth++] = root;
  while (depth > 0) {
    const int32_t i = w->stack[depth - 1];
    while (w->next[i] < g->first[i + 1] && w->is_ordered[w->args[w->next[i]]]) w->next[i]++;
    if (w->next[i] < g->first[i + 1]) {
      TSR_ASSERT(w->args[w->next[i]] < i);
      w->stack[depth++] = w->args[w->next[i]++];
      continue;
    }
    w->is_ordered[i] = true;
    w->order[w->n_ordered++] = i;
    depth--;
  }
}

void tsr__order_few_alive(const tsr_order_graph *g, tsr_arena *scratch, int32_t *order)
{
  const size_t n = (size_t)g->n, n_args = (size_t)g->first[g->n];
  walk w = {.g = g,
            .args = tsr__arena_alloc(scratch, (n_args + 1) * sizeof *w.args),
            .need = tsr__arena_alloc(scratch, n * sizeof *w.need),
            .stack = tsr__arena_alloc(scratch, n * sizeof *w.stack),
            .next = tsr__arena_alloc(scratch, n * sizeof *w.next),
            .is_ordered = tsr__arena_calloc(scratch, n, sizeof *w.is_ordered),
            .order = order};
  bool *is_read = tsr__arena_calloc(scratch, n, sizeof *is_read);
  if (n_args > 0) memcpy(w.args, g->args, n_args * sizeof *w.args);
  memcpy(w.next, g->first, n * sizeof *w.next);
  for (int32_t i = 0; i < g->n; i++) find_need(&w, i);
  for (size_t j = 0; j < n_args; j++) is_read[g->args[j]] = true;
  for (int32_t i = 0; i < g->n; i++)
    if (!is_read[i]) visit(&w, i);
  TSR_ASSERT(w.n_ordered == g->n);
}

int64_t tsr__order_alive(const tsr_order_graph *g, const int32_t *order, tsr_arena *scratch)
{
  int32_t *readers = tsr__arena_calloc(scratch, (size_t)g->n, sizeof *readers);
  for (int32_t j = 0; j < g->first[g->n]; j++) readers[g->args[j]]++;
  int64_t alive = 0, most = 0;
  for (int32_t at = 0; at < g->n; at++) {
    const int32_t i = order != NULL ? order[at] : at;
    if (readers[i] > 0) alive += g->size[i];
    if (most < alive) most = alive;
    for (int32_t j = g->first[i]; j < g->first[i + 1]; j++)
      if (--readers[g->args[j]] == 0) alive -= g->size[g->args[j]];
  }
  TSR_ASSERT(alive == 0);
  return most;
}
